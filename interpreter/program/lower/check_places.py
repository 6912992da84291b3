"""Places that are too small for what is put into them, as far as that can be told beforehand.

A capacity is tested while playing whatever is found here. What is told is only what must go
wrong (an error), or will as soon as the pieces lie badly (a warning).
"""

from __future__ import annotations

from collections.abc import Iterable

from interpreter.model.ruleset import Place, Ruleset
from interpreter.model.static import static_value
from interpreter.program.lower import analysis
from interpreter.program.lower.effects import CHOICES, all_bodies, name_of, names
from interpreter.report.problem import Problems
from interpreter.tree import nodes


def check_places(ruleset: Ruleset, problems: Problems) -> None:
    checker = _Checker(ruleset, problems)
    checker.check_start()
    for body in all_bodies(ruleset):
        checker.check_body(body, (), 1)


class _Checker:
    def __init__(self, ruleset: Ruleset, problems: Problems) -> None:
        self.ruleset = ruleset
        self.problems = problems
        self.filled: set[str] | None = None

    # ---- before the first move

    def check_start(self) -> None:
        full: dict[str, Place] = {}
        for place in self.ruleset.places.values():
            if not place.holds_all or place.holds_where is not None:
                continue
            pieces = self._pieces(place.kind)
            if place.word != "pool" and pieces > place.capacity:
                message = (
                    f"`{place.name}` should hold all {pieces} pieces, "
                    f"but it has room for {place.capacity}"
                )
                help_ = "raise its `up to`, or say which it holds: `holds all where ...`"
                self.problems.error("RR432", message, place.mark, help=help_)
            if place.kind in full:
                other = full[place.kind]
                message = f"`{other.name}` already holds all pieces of {place.kind}"
                help_ = "a piece is in one place only: say which it holds, `holds all where ...`"
                notes = ((other.mark, "it is declared here"),)
                self.problems.error("RR442", message, place.mark, help=help_, notes=notes)
            full.setdefault(place.kind, place)

    # ---- statements

    def check_body(
        self, body: Iterable[nodes.Statement], guards: tuple[nodes.Node, ...], times: int
    ) -> None:
        """`guards`: the conditions that stand around; `times`: how often this surely happens."""
        for statement in body:
            match statement:
                case nodes.Draw():
                    self._draw(statement, guards, times)
                case nodes.MoveAll():
                    self._move_all(statement, guards)
                case nodes.If():
                    asked = (*guards, *(arm.condition for arm in statement.arms))
                    for inner in analysis.bodies_of(statement):
                        self.check_body(inner, asked, 1)
                case nodes.ForEach():
                    binder = statement.binder
                    everyone = isinstance(binder.domain, nodes.Players) and not (
                        binder.where or binder.stays
                    )
                    self._loop(statement, binder.name)
                    count = self.ruleset.players if everyone and _only_draws(statement) else 1
                    around = tuple(each for each in (binder.where, binder.stays) if each)
                    self.check_body(statement.body, guards + around, times * count)
                case nodes.Repeat():
                    if statement.how != "times":
                        asked = () if statement.value is None else (statement.value,)
                        self._loop(statement, None)
                        self.check_body(statement.body, guards + asked, 1)
                        continue
                    assert statement.value is not None
                    known = self._known(statement.value)
                    if known is None or known > 1:
                        self._loop(statement, None)
                    count = max(known or 1, 1) if _only_draws(statement) else 1
                    self.check_body(statement.body, guards, times * count)
                case _:
                    for inner in analysis.bodies_of(statement):
                        self.check_body(inner, guards, 1)

    def _draw(self, draw: nodes.Draw, guards: tuple[nodes.Node, ...], times: int) -> None:
        amount = self._known(draw.amount)
        source, target = self._place(draw.source), self._place(draw.target)
        if amount is None or source is None:
            return
        pieces = self._pieces(source.kind)
        arriving = min(amount, pieces)
        if target is not None and target.word != "pool" and arriving > target.capacity:
            message = (
                f"`{target.name}` has room for {target.capacity}, and {amount} are drawn to it"
            )
            notes = ((target.mark, "its room is declared here"),)
            help_ = f"draw {target.capacity} at most, or raise its `up to`"
            self.problems.error("RR432", message, draw.mark, help=help_, notes=notes)
            return
        if draw.up_to or guards or source.refill is not None or amount * times <= pieces:
            return
        if times > 1:
            if source.name in self._put_into():
                return
            message = (
                f"{amount * times} pieces are drawn here in all, "
                f"and there are only {pieces} of {source.kind}"
            )
            message += f" (with {self.ruleset.players} players)"
        else:
            message = f"{amount} pieces are drawn, and there are only {pieces} of {source.kind}"
        help_ = "draw fewer, say `draw up to ...`, or make more copies"
        self.problems.error("RR439", message, draw.mark, help=help_)

    def _put_into(self) -> set[str]:
        """The places that something is put into while playing; worked out once."""
        if self.filled is None:
            moves = (nodes.Move, nodes.MoveAll, nodes.MoveSome, nodes.Draw)
            targets = [
                self._place(each.target)
                for body in all_bodies(self.ruleset)
                for each in analysis.statements_in(body)
                if isinstance(each, moves)
            ]
            self.filled = {place.name for place in targets if place is not None}
        return self.filled

    def _move_all(self, move: nodes.MoveAll, guards: tuple[nodes.Node, ...]) -> None:
        source, target = self._place(move.source), self._place(move.target)
        if source is None or target is None or "pool" in (source.word, target.word):
            return
        asked = {name for guard in guards for name in names(guard)}
        if source.capacity <= target.capacity or asked & {source.name, target.name}:
            return
        message = (
            f"`{source.name}` can hold {source.capacity} pieces, "
            f"and `{target.name}` has room for {target.capacity}"
        )
        help_ = f"give `{target.name}` more room, or ask first: `if number of ... <= ...`"
        notes = ((target.mark, "its room is declared here"),)
        self.problems.warning("RR433", message, move.mark, help=help_, notes=notes)

    def _loop(self, loop: nodes.ForEach | nodes.Repeat, element: str | None) -> None:
        """A slot takes one piece; a loop that puts pieces there puts a second one too."""
        inside = list(analysis.statements_in(loop.body))
        if any(isinstance(each, (nodes.Jump, nodes.Leave, nodes.Turns)) for each in inside):
            return
        if any(isinstance(each, (nodes.Wins, nodes.EndGame, nodes.Do)) for each in inside):
            return
        if isinstance(loop, nodes.ForEach) and self._at_most_one(loop.binder.domain):
            return
        changing: set[str | None] = {element} | {
            each.name for each in inside if isinstance(each, nodes.Let)
        }
        changing |= _changed(inside)
        changing |= {
            each.binder.name
            for each in inside
            if isinstance(each, (nodes.ForEach, nodes.ChooseValue))
        }
        for move in inside:
            if not isinstance(move, (nodes.Move, nodes.Draw)):
                continue
            slot = self._place(move.target)
            if slot is None or slot.word != "slot" or changing & set(names(move.target)):
                continue
            asked = self._asked(loop, inside)
            if slot.name in asked or any(slot.name in _taken(each) for each in inside):
                continue
            message = (
                f"`{slot.name}` is a slot with room for one piece, and this loop fills it again"
            )
            help_ = f"ask first: `if {slot.name} is none`, empty it before, or use a `row`"
            notes = ((slot.mark, "the slot is declared here"),)
            self.problems.warning("RR434", message, move.mark, help=help_, notes=notes)

    def _asked(self, loop: nodes.ForEach | nodes.Repeat, inside: list[nodes.Statement]) -> set[str]:
        """Names in the conditions that decide whether the pieces move; a choice counts too."""
        parts: list[nodes.Node | None] = []
        if isinstance(loop, nodes.ForEach):
            parts += [loop.binder.where, loop.binder.stays]
        else:
            parts += [loop.value]
        for each in inside:
            if isinstance(each, nodes.If):
                parts += [arm.condition for arm in each.arms]
            elif isinstance(each, nodes.ForEach):
                parts += [each.binder]
            elif isinstance(each, (nodes.ChooseBlock, nodes.ChooseActions, nodes.ChooseValue)):
                parts += [each]
        asked = {name for part in parts if part is not None for name in names(part)}
        for name in list(asked):
            declared = self.ruleset.functions.get(name) or self.ruleset.groups.get(name)
            if declared is not None:
                asked |= set(names(declared))
        return asked

    # ---- helpers

    def _at_most_one(self, domain: nodes.Domain) -> bool:
        if isinstance(domain, nodes.Range):
            return False
        place = self._place(domain)
        return place is not None and place.capacity == 1

    def _place(self, expr: nodes.Expr) -> Place | None:
        return self.ruleset.places.get(name_of(expr) or "")

    def _pieces(self, kind: str) -> int:
        return sum(row.copies for row in self.ruleset.kinds[kind].rows)

    def _known(self, expr: nodes.Expr) -> int | None:
        """An amount that is settled before the game starts, or None."""
        return static_value(expr, self.ruleset, Problems())


def _only_draws(loop: nodes.ForEach | nodes.Repeat) -> bool:
    """Whether nothing in a loop could bring back what is drawn in it."""
    return not any(
        isinstance(each, (nodes.Do, nodes.Move, nodes.MoveAll, nodes.MoveSome, *CHOICES))
        for each in analysis.statements_in(loop.body)
    )


def _taken(statement: nodes.Statement) -> set[str]:
    """Names of the places a statement takes pieces from."""
    match statement:
        case nodes.Move():
            return set(names(statement.what))
        case nodes.MoveAll() | nodes.Draw() | nodes.MoveSome():
            return set(names(statement.source))
        case _:
            return set()


def _changed(inside: list[nodes.Statement]) -> set[str]:
    return {name_of(each.target) or "" for each in inside if isinstance(each, nodes.Assign)}

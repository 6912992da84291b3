"""Are places big enough for what is put into them, as far as that can be told beforehand?

A capacity is tested while playing whatever is found here. What is told is only what must go
wrong (an error), or will as soon as the pieces lie badly (a warning).
"""

from __future__ import annotations

from collections.abc import Iterable

from interpreter.model.ruleset import Place
from interpreter.report.problem import Problems
from interpreter.typed import rules as r
from interpreter.typed import statements as s
from interpreter.typed import values as v
from interpreter.typed.build.known import constant_of
from interpreter.typed.effects import Summaries, Thing
from interpreter.typed.stopping import bodies_of, statements_in
from interpreter.typed.walk import Node, Parts, all_bodies, walk

_Guards = tuple[v.Value, ...]


def check_places(rules: r.Rules, parts: Parts, summaries: Summaries, problems: Problems) -> None:
    checker = _Checker(rules, parts, summaries, problems)
    checker.check_start()
    for body in all_bodies(rules):
        checker.check_body(body, (), 1)


class _Checker:
    def __init__(
        self, rules: r.Rules, parts: Parts, summaries: Summaries, problems: Problems
    ) -> None:
        self.parts = parts
        self.ruleset = rules.ruleset
        self.summaries = summaries
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
        for kind in self.ruleset.kinds.values():
            if kind.tracked and kind.rows and not self._comes_into_play(kind.name):
                self._tell_absent(kind.name)

    def _comes_into_play(self, kind: str) -> bool:
        """Whether any of its pieces is somewhere at the start, or can be named without lying in a
        place; others never leave the box."""
        if any(each.kind == kind and each.holds_all for each in self.ruleset.places.values()):
            return True
        types = [each.type for each in self.parts.of(v.Constant)]
        types += [each.type for each in self.parts.of(v.AllOf)]
        types += [each.type for each in self.ruleset.variables.values()]
        return any(each.sort in ("kind", "row") and each.name == kind for each in types)

    def _tell_absent(self, kind: str) -> None:
        taken = [each.source.place for each in self.parts.of(s.Draw)]
        taken += [each.place.place for each in self.parts.of(s.Shuffle)]
        for place in taken:
            if place.kind == kind:
                message = f"no {kind} is in `{place.name}`, nor in any other place, at the start"
                help_ = f"put them there: add `, holds all` after `{place.word} of {kind}`"
                self.problems.warning("RR462", message, place.mark, help=help_)
                return

    # ---- statements

    def check_body(self, body: Iterable[s.Statement], guards: _Guards, times: int) -> None:
        """`guards`: the conditions that stand around; `times`: how often this surely happens."""
        for statement in body:
            match statement:
                case s.Draw():
                    self._draw(statement, guards, times)
                case s.MoveAll():
                    self._move_all(statement, guards)
                case s.If():
                    asked = (*guards, *(arm.condition for arm in statement.arms))
                    for inner in bodies_of(statement):
                        self.check_body(inner, asked, 1)
                case s.ForEach():
                    self._for_each(statement, guards, times)
                case s.Repeat():
                    self._repeat(statement, guards, times)
                case _:  # takes no pieces by itself, and may hold what does
                    for inner in bodies_of(statement):
                        self.check_body(inner, guards, 1)

    def _for_each(self, loop: s.ForEach, guards: _Guards, times: int) -> None:
        binder = loop.binder
        around = binder.tests
        everyone = isinstance(binder.domain, v.AllPlayers) and not around
        self._check_slots(loop)
        count = self.ruleset.players if everyone and _only_draws(loop) else 1
        self.check_body(loop.body, guards + around, times * count)

    def _repeat(self, loop: s.Repeat, guards: _Guards, times: int) -> None:
        if loop.how != "times":
            asked = () if loop.value is None else (loop.value,)
            self._check_slots(loop)
            self.check_body(loop.body, guards + asked, 1)
            return
        assert loop.value is not None
        known = constant_of(loop.value)
        if known is None or known > 1:
            self._check_slots(loop)
        count = max(known or 1, 1) if _only_draws(loop) else 1
        self.check_body(loop.body, guards, times * count)

    def _draw(self, draw: s.Draw, guards: _Guards, times: int) -> None:
        amount = constant_of(draw.amount)
        source, target = draw.source.place, _place(draw.target)
        if amount is None:
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
            targets = [each.target for each in self.parts.of(s.Move)]
            targets += [each.target for each in self.parts.of(s.MoveAll)]
            targets += [each.target for each in self.parts.of(s.MoveSome)]
            targets += [each.target for each in self.parts.of(s.Draw)]
            self.filled = {each.place.name for each in targets if isinstance(each, v.PlaceAt)}
        return self.filled

    def _move_all(self, move: s.MoveAll, guards: _Guards) -> None:
        source, target = move.source.place, _place(move.target)
        if target is None or "pool" in (source.word, target.word):
            return
        if source.capacity <= target.capacity:
            return
        if not self.summaries.of(guards).reads.isdisjoint({source.name, target.name}):
            return
        message = (
            f"`{source.name}` can hold {source.capacity} pieces, "
            f"and `{target.name}` has room for {target.capacity}"
        )
        help_ = f"give `{target.name}` more room, or ask first: `if number of ... <= ...`"
        notes = ((target.mark, "its room is declared here"),)
        self.problems.warning("RR433", message, move.mark, help=help_, notes=notes)

    # ---- slots

    def _check_slots(self, loop: s.ForEach | s.Repeat) -> None:
        """A slot takes one piece; a loop that puts pieces there puts a second one too."""
        inside = list(statements_in(loop.body))
        if any(isinstance(each, _ELSEWHERE) for each in inside):
            return
        if isinstance(loop, s.ForEach) and loop.binder.domain.bound <= 1:
            return
        filled = [
            (each, each.target)
            for each in inside
            if isinstance(each, s.Move | s.Draw)
            and isinstance(each.target, v.PlaceAt)
            and each.target.place.word == "slot"
        ]
        if not filled:
            return
        changing = {thing for each in (loop, *inside) for thing in _changed(each)}
        seen_to = self._asked(loop, inside)
        seen_to |= {name for each in inside for name in _taken_from(each)}
        for move, target in filled:
            slot = target.place
            where = self.summaries.of(target.indexes).reads
            if slot.name in seen_to or not where.isdisjoint(changing):
                continue
            message = (
                f"`{slot.name}` is a slot with room for one piece, and this loop fills it again"
            )
            help_ = f"ask first: `if {slot.name} is none`, empty it before, or use a `row`"
            notes = ((slot.mark, "the slot is declared here"),)
            self.problems.warning("RR434", message, move.mark, help=help_, notes=notes)

    def _asked(self, loop: s.ForEach | s.Repeat, inside: list[s.Statement]) -> set[Thing]:
        """What decides whether the pieces move; a choice counts too."""
        parts: list[Node | None] = []
        if isinstance(loop, s.ForEach):
            parts += loop.binder.tests
        else:
            parts += [loop.value]
        for each in inside:
            match each:
                case s.If():
                    parts += [arm.condition for arm in each.arms]
                case s.ForEach():
                    parts += [each.binder]
                case s.Choose():
                    parts += [each]
                case _:  # asks nothing that decides whether the loop goes on
                    pass
        return self.summaries.of(part for part in parts if part is not None).reads

    def _pieces(self, kind: str) -> int:
        return sum(row.copies for row in self.ruleset.kinds[kind].rows)


# What may see to it that a loop fills a slot only once.
_ELSEWHERE = (s.Jump, s.Leave, s.Turns, s.Wins, s.EndGame, s.Do)


def _place(target: v.PlaceAt | s.Box) -> Place | None:
    return target.place if isinstance(target, v.PlaceAt) else None


def _only_draws(loop: s.ForEach | s.Repeat) -> bool:
    """Whether nothing in a loop could bring back what is drawn in it."""
    return not any(
        isinstance(each, (s.Do, s.Move, s.MoveAll, s.MoveSome, s.Choose))
        for each in statements_in(loop.body)
    )


def _taken_from(statement: s.Statement) -> set[str]:
    """Names of the places a statement takes pieces from."""
    match statement:
        case s.Move():
            return {each.place.name for each in walk(statement.what) if isinstance(each, v.PlaceAt)}
        case s.MoveAll() | s.Draw() | s.MoveSome():
            return {statement.source.place.name}
        case _:  # moves no pieces
            return set()


def _changed(statement: s.Statement) -> Iterable[Thing]:
    """What a statement gives a value to, or a new one each time it is come to."""
    match statement:
        case s.Assign(target=s.Entry() as entry):
            yield entry.variable.name
        case s.Assign(target=v.Local() as local) | s.Let(local=local):
            yield local
        case s.ForEach():
            yield from _bound(statement.binder)
        case s.Choose():
            for offer in statement.offers:
                for binder in offer.binders if isinstance(offer, s.Offer) else ():
                    yield from _bound(binder)
            if statement.kept is not None:
                yield statement.kept
        case _:  # names nothing, or leaves it to chance, on which no loop may count
            return


def _bound(binder: v.Binder) -> Iterable[v.Local]:
    yield binder.element
    if binder.position is not None:
        yield binder.position

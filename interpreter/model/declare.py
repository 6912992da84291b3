"""From the tree and its data to the ruleset of one game: everything named, sized and placed.

What goes in: the declarations of all files, the data, a number of players and the options.
What comes out: a `Ruleset` in which every enum, kind, board, constant, variable and place is
resolved. Bodies (functions, actions, phases) are only collected; the lowering reads them.
Problems are collected, never raised, and what is broken is left out or given a stand-in, so
that one mistake does not hide the next.
"""

from __future__ import annotations

from collections.abc import Iterable

from interpreter import limits
from interpreter.data import yaml_tree
from interpreter.model.declare_shapes import ShapeDeclarer
from interpreter.model.members import declare_history, declare_place, declare_variable
from interpreter.model.names import named_type
from interpreter.model.rows import DataFile
from interpreter.model.ruleset import (
    BoardInfo,
    KindInfo,
    Ruleset,
    size_of,
)  # fmt: skip
from interpreter.model.static import static_value
from interpreter.report.problem import Problems
from interpreter.report.source import Mark
from interpreter.report.suggest import did_you_mean
from interpreter.report.whole import read_whole
from interpreter.tree import nodes
from interpreter.tree.marks import declared_mark, listed_mark, member_mark, part
from interpreter.tree.reserved import RESERVED, reserved_problem


def declare(
    declarations: Iterable[nodes.Declaration],
    data: DataFile | None,
    players: int,
    options: dict[str, str | int],
    problems: Problems,
) -> Ruleset:
    return _Declarer(list(declarations), data, players, options, problems).run()


# What the spaces of a board are called.
_SPACES = ("cell", "cells", "space", "field", "square", "hex", "spot", "Cell", "Space", "Square")


class _Declarer(ShapeDeclarer):
    def run(self) -> Ruleset:
        ruleset = self.ruleset
        ruleset.enums["ability"] = [
            each.name for each in self.declarations if isinstance(each, nodes.Ability)
        ]
        for each in self.declarations:
            self._collect(each)
        self._find_pools()
        for each in self.declarations:
            if isinstance(each, nodes.Kind):
                self._name_rows(each)
        for each in self.declarations:
            self._shape(each)
        for each in self.declarations:
            if isinstance(each, nodes.Kind):
                self._kind_rows(each)
        for constant in self.waiting:
            self._constant(constant)
        for each in self.declarations:
            if isinstance(each, nodes.Has):
                self._has(each)
        for each in self.declarations:
            if isinstance(each, nodes.History) and self._claim(each.name, declared_mark(each)):
                declare_history(ruleset, each, self.problems)
        for each in self.declarations:
            if isinstance(each, nodes.EndsWithin):
                ruleset.most_moves = static_value(each.moves, ruleset, self.problems)
        for each in self.declarations:
            if isinstance(each, nodes.Require):
                value = static_value(each.condition, ruleset, self.problems)
                if value == 0:
                    help_ = "the rules require this: choose other options or players"
                    self.problems.error("RR236", each.text, each.condition.mark, help=help_)
        self._check_data_used()
        return ruleset

    def _find_pools(self) -> None:
        """What lies in pools is counted by row; whoever indexes by it must know that early."""
        for each in self.declarations:
            for member in each.members if isinstance(each, nodes.Has) else ():
                if isinstance(member.type, nodes.PlaceType) and member.type.word == "pool":
                    kind = self.ruleset.kinds.get(member.type.kind)
                    if kind is not None:
                        kind.fungible = True

    def _collect(self, each: nodes.Declaration) -> None:
        ruleset = self.ruleset
        match each:
            case nodes.Game():
                ruleset.title, ruleset.file = each.title, each.mark.file
            case nodes.Setting():
                self._setting(each)
            case nodes.Enum() if self._claim(each.name, declared_mark(each)):
                ruleset.enums[each.name] = list(dict.fromkeys(each.members))
                ruleset.labels_of[each.name] = _labels(each.members, each.printed)
                first_at: dict[str, int] = {}
                for number, member in enumerate(each.members):
                    first_number = first_at.setdefault(member, number)
                    if member not in RESERVED and first_number == number:
                        continue
                    mark = member_mark(each, number)
                    if member in RESERVED:
                        self.problems.add(reserved_problem(member, mark))
                    if first_number != number:
                        first = member_mark(each, first_number)
                        notes = ((first, "the first is here"),)
                        message = f"`{member}` stands twice in this list"
                        help_ = "take one of them away"
                        self.problems.error("RR202", message, mark, notes=notes, help=help_)
            case nodes.Kind() if self._claim(each.name, declared_mark(each)):
                kind = KindInfo(each.name, each.word == "kind", each.mark)
                kind.nested = each.word == "table" and each.rows is None
                kind.source = each.rows.path[-1] if isinstance(each.rows, nodes.RowsFrom) else ""
                ruleset.kinds[each.name] = kind
            case nodes.Board() if self._claim(each.name, declared_mark(each)):
                ruleset.boards[each.name] = BoardInfo(
                    each.name, "none", each.mark, [], [], [], [], [], [], []
                )
            case nodes.Function() | nodes.Quantity() if self._claim(each.name, declared_mark(each)):
                ruleset.functions[each.name] = each
            case nodes.Group() if self._claim(each.name, declared_mark(each)):
                ruleset.groups[each.name] = each
            case nodes.Procedure() | nodes.Phase() if self._claim(each.name, declared_mark(each)):
                ruleset.procedures[each.name] = each
            case nodes.Action() if self._claim(each.name, declared_mark(each)):
                ruleset.actions[each.name] = each
            case nodes.Ability() if self._claim(each.name, declared_mark(each)):
                ruleset.abilities[each.name] = each
            case nodes.Setup():
                ruleset.setup.append(each)
            case nodes.Play():
                if ruleset.play is not None:
                    self._twice("play", each.mark, ruleset.play.mark)
                ruleset.play = each
            case nodes.Score():
                if ruleset.score is not None:
                    self._twice("score", each.mark, ruleset.score.mark)
                ruleset.score = each
            case nodes.Winner():
                if ruleset.winner is not None:
                    self._twice("winner", each.mark, ruleset.winner.mark)
                ruleset.winner = each
            case nodes.Always():
                ruleset.always.append(each)
            case _:
                pass

    def _twice(self, word: str, mark: Mark, first: Mark) -> None:
        notes = ((first, "the first is here"),)
        message = f"there can be only one `{word}`"
        help_ = "put both into one, or take one away"
        self.problems.error("RR200", message, mark, notes=notes, help=help_)

    def _setting(self, each: nodes.Setting) -> None:
        if not self._claim(each.name, declared_mark(each)):
            return
        given = self.given.get(each.name)
        if isinstance(each.values, nodes.Range):
            low = static_value(each.values.low, self.ruleset, self.problems) or 0
            high = static_value(each.values.high, self.ruleset, self.problems) or 0
            default = static_value(each.default, self.ruleset, self.problems) or 0
            value = default if given is None else read_whole(str(given))
            if value is None or not low <= value <= high:
                told = default if given is None else given
                message = f"option `{each.name}` goes from {low} to {high}, so it cannot be {told}"
                mark = each.default.mark if given is None else declared_mark(each)
                self.problems.error("RR237", message, mark, help=f"choose from {low} to {high}")
                value = low
            self.ruleset.options[each.name] = value
            return
        names = list(each.values)
        default_name = _default_name(each.default)
        if isinstance(each.default, nodes.Number):
            number = each.default.value
            message = (
                f"the values of option `{each.name}` are no numbers, but it begins as {number}"
            )
            low, high = min(1, number), max(1, number)
            help_ = f"write a range: `option {each.name}: {low}..{high} = {number}`"
            self.problems.error("RR237", message, each.default.mark, help=help_)
            self.ruleset.options[each.name] = number
            return
        if default_name not in names:
            message = f"option `{each.name}` has no value `{default_name}` to begin with"
            help_ = did_you_mean(default_name, names) or f"it has {', '.join(names)}"
            self.problems.error("RR237", message, each.default.mark, help=help_)
            default_name = names[0]
        chosen = default_name if given is None else str(given)
        if chosen not in names:
            message = f"option `{each.name}` has no value `{chosen}`; it has {', '.join(names)}"
            near = did_you_mean(chosen, names)
            self.problems.error("RR237", message, declared_mark(each), help=near)
            chosen = default_name
        if set(names) == {"yes", "no"}:
            self.ruleset.options[each.name] = chosen == "yes"
        else:
            self.ruleset.enums[each.name] = names
            self.ruleset.labels_of[each.name] = _labels(names, each.printed)
            self.ruleset.options[each.name] = names.index(chosen)

    # ---- variables and places

    def _owner(self, name: str, mark: Mark) -> str:
        """The type after `each`, of which `players` is no name but what is meant."""
        boards = list(self.ruleset.boards)
        known = named_type(name, self.ruleset) is not None
        if name in _SPACES and not known and len(boards) == 1:
            help_ = f"a space is of the type of its board: write `each {boards[0]} has`"
            word = part(mark, len("each "), len(name))
            self.problems.error("RR210", f"there is no type `{name}`", word, help=help_)
            return boards[0]
        if name not in ("players", "Players"):
            return name
        help_ = "one of them is meant: write `each player has`"
        word = part(mark, len("each "), len(name))
        self.problems.error("RR210", f"there is no type `{name}`", word, help=help_)
        return "Player"

    def _has(self, each: nodes.Has) -> None:
        owners = [
            nodes.TypeName(self._owner(name, each.mark), mark=each.mark) for name in each.owners
        ]
        owner_dims = self.dimensions(owners)
        for member in each.members:
            dims = owner_dims + self.dimensions(member.dimensions)
            total = size_of(dims)
            if total * 8 > limits.STATE_BYTES:
                message = f"this would keep {total} numbers, more than a game may"
                help_ = "give it fewer or smaller indexes"
                self.problems.error("RR240", message, member.mark, help=help_, limit=True)
                self.ruleset.broken.update(member.names)
                continue
            self.ruleset.printed |= _labels(member.names, member.printed)
            for number, name in enumerate(member.names):
                if not self._claim(name, member.mark, listed_mark(member, number)):
                    continue
                if isinstance(member.type, nodes.PlaceType):
                    declare_place(self.ruleset, name, member, member.type, dims, self.problems)
                else:
                    type_ = self.type_of(member.type)
                    declare_variable(self.ruleset, name, member, type_, dims, self.problems)

    def _check_data_used(self) -> None:
        if self.data is None or not isinstance(self.data.root, yaml_tree.Mapping):
            return
        if self.problems.has_errors:
            return  # what was not understood may be what should have read it
        for key, _ in self.data.root.entries:
            if str(key.value) not in self.data.used and str(key.value) not in ("meta", "source"):
                message = f"no declaration reads `{key.value}` from the data"
                help_ = f"read it with `from {key.value}`, or take it away"
                self.problems.warning("RR248", message, key.mark, help=help_)


def _labels(names: Iterable[str], printed: Iterable[str]) -> dict[str, str]:
    """What people read, where that is said."""
    return {name: text for name, text in zip(names, printed, strict=False) if text}


def _default_name(expr: nodes.Expr) -> str:
    match expr:
        case nodes.Name(name=name):
            return name
        case nodes.Truth(value=value):
            return "yes" if value else "no"
        case nodes.Number(value=number):
            return str(number)
        case _:
            return ""

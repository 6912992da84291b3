"""What declaring rests on: names that are taken once, and the types that they speak of."""

from __future__ import annotations

from collections.abc import Iterable

from interpreter import limits
from interpreter.model.names import named_type, type_help
from interpreter.model.rows import DataFile
from interpreter.model.ruleset import (
    Dimension,
    Ruleset,
    size_of,
)  # fmt: skip
from interpreter.model.static import static_value
from interpreter.model.types import INT, Type, whole
from interpreter.report.problem import Problems
from interpreter.report.source import Mark
from interpreter.tree import nodes
from interpreter.tree.marks import last_word, part
from interpreter.tree.reserved import is_taken, reserved_problem


class NameDeclarer:
    """What is known while a ruleset is declared."""

    def __init__(
        self,
        declarations: list[nodes.Declaration],
        data: DataFile | None,
        players: int,
        options: dict[str, str | int],
        problems: Problems,
    ) -> None:
        self.declarations = declarations
        self.data = data
        self.problems = problems
        self.given = options
        self.ruleset = Ruleset("", players, {})
        self.names = self.ruleset.declared
        self.cells = 0  # of all boards so far
        self.waiting: list[nodes.Constant] = []

    def _claim(self, name: str, mark: Mark, at: Mark | None = None) -> bool:
        """Take a name for good; two things of one name would confuse every reader. `at`: where the
        name stands, if the mark does not end in it.

        A word of the language is refused, but means from then on what it was declared as: so its
        uses bring no further problems.
        """
        if is_taken(name):
            self.problems.add(reserved_problem(name, at or last_word(mark, name)))
            if name in self.names:
                self.ruleset.broken.add(name)
                return False
        elif name in self.names:
            notes = ((self.names[name], "it is declared here"),)
            message = f"`{name}` is declared twice"
            self.problems.error(
                "RR200", message, at or mark, notes=notes, help="rename one of them"
            )
            self.ruleset.broken.add(name)  # which of the two is meant elsewhere is not known
            return False
        self.names[name] = mark
        return True

    def type_of(self, written: nodes.Type) -> Type:
        match written:
            case nodes.TypeRange():
                low = static_value(written.low, self.ruleset, self.problems)
                high = static_value(written.high, self.ruleset, self.problems)
                if low is None or high is None:
                    return INT
                if high < low:
                    message = f"there is no number from {low} to {high}"
                    help_ = f"write the smaller one first: `{high}..{low}`"
                    self.problems.error("RR238", message, written.mark, help=help_)
                    low, high = high, low
                range_type = whole(low, high)
                return range_type.or_none() if written.optional else range_type
            case nodes.TypeList():
                return Type("list", of=self.type_of(written.of))
            case nodes.TypeName():
                return self._named_type(written)

    def _named_type(self, written: nodes.TypeName) -> Type:
        found = named_type(written.name, self.ruleset)
        if found is None:
            mark = part(written.mark, 0, len(written.name))
            help_ = type_help(written.name, self.ruleset)
            self.problems.error("RR210", f"there is no type `{written.name}`", mark, help=help_)
            return Type("unknown")
        return found.or_none() if written.optional else found

    def dimensions(self, written: Iterable[nodes.Dimension]) -> tuple[Dimension, ...]:
        found: list[Dimension] = []
        for each in written:
            type_ = self.type_of(each)
            size = self.ruleset.type_size(type_)
            if type_.sort == "unknown":
                continue
            if size is None or size > limits.COLLECTION_ITEMS:
                help_ = "index by players, an enum, a board, a kind or a range such as 1..5"
                message = f"`{type_}` has too many values to be an index"
                self.problems.error("RR211", message, each.mark, help=help_)
                continue
            offset = type_.low if type_.sort == "int" else 0
            found.append(Dimension(type_, size, offset))
        return tuple(found)

    def _table(self, dims: tuple[Dimension, ...], count: int, mark: Mark) -> tuple[Dimension, ...]:
        """The dimensions of a table for each of `count` rows, none if it would be too big."""
        size = size_of(dims) * count
        if size <= limits.COLLECTION_ITEMS:
            return dims
        message = f"this would be a table of {size} numbers"
        help_ = f"at most {limits.COLLECTION_ITEMS} are accepted: give it smaller indexes"
        self.problems.error("RR240", message, mark, help=help_, limit=True)
        return ()

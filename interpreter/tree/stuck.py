"""Where the parser got stuck, and what stands there."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from lark import Token, UnexpectedInput, UnexpectedToken

from interpreter.frozen import frozen
from interpreter.report.problem import Problem
from interpreter.report.source import Mark
from interpreter.tree.lines import Lines


class GluedWords(UnexpectedInput):
    """Two words stand together without a space between them."""

    def __init__(self, left: Token, right: Token) -> None:
        super().__init__(f"{left}{right}")
        self.left = left
        self.right = right


@frozen
class Place:
    """The declaration that was being read, and how the grammar's words are typed. A value that
    stands in a text is read by itself, and starts `shift` columns into its line."""

    layout: Lines
    offset: int
    text: str
    spelling: Mapping[str, str]
    shift: int = 0
    reads: Callable[[str], int] | None = None  # the line on which another text cannot be read

    def line(self, number: int) -> str:
        lines = self.text.split("\n")
        return lines[number - 1] if 0 < number <= len(lines) else ""

    def line_above(self, number: int) -> int:
        """The nearest line above that is not blank, or this one if there is none."""
        for above in range(number - 1, 0, -1):
            if self.line(above).strip():
                return above
        return number

    def line_below(self, number: int) -> int:
        for below in range(number + 1, self.text.count("\n") + 2):
            if self.line(below).strip():
                return below
        return number

    def head(self, number: int) -> str:
        """The beginning of the logical line, which brackets may have carried over to here."""
        return self.line(self.layout.first_line_of(number + self.offset) - self.offset)

    def mark(self, number: int, column: int, width: int = 1) -> Mark:
        line, column = number + self.offset, column + self.shift
        return Mark(self.layout.name, line, column, line, column + max(width, 1))


@frozen
class Stuck:
    """Where reading stopped: at `word`, on line `number` of the declaration."""

    place: Place
    word: str
    sort: str
    number: int
    column: int
    accepted: frozenset[str]

    @property
    def mark(self) -> Mark:
        return self.place.mark(self.number, self.column, len(self.word))

    @property
    def line(self) -> str:
        return self.place.line(self.number)

    @property
    def at_end(self) -> bool:
        """Reading stopped because the line was over."""
        return self.sort in LAYOUT

    @property
    def words_before(self) -> list[str]:
        """What stands on this line before the place, in words and signs."""
        return re.findall(r'"[^"]*"|\w+|[^\w\s]', self.line[: self.column - 1])

    @property
    def first_word(self) -> str:
        """What the logical line begins with."""
        found = re.search(r"\w+", self.place.head(self.number))
        return found[0] if found else ""

    def problem(self, code: str, message: str, help_: str | None) -> Problem:
        return Problem(code, message, self.mark, help=help_)


LAYOUT = ("_NL", "_INDENT", "_DEDENT", "$END")


def find_stuck(error: UnexpectedToken, place: Place) -> Stuck:
    token: Token = error.token
    number = token.line or 1
    # `expected` also holds words that could follow elsewhere; `accepts` tries each of them.
    accepted = frozenset(error.accepts or error.expected or ()) - {"CITE"}
    if token.type not in LAYOUT:
        return Stuck(place, str(token), token.type, number, token.column or 1, accepted)
    if not place.line(number).strip():
        number = place.line_above(number)
    column = len(place.line(number).rstrip()) + 1
    return Stuck(place, "", token.type, number, column, accepted)

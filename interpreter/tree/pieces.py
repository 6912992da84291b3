"""For the formatter: text that may be broken.

What fits stays on one line, what does not is broken in brackets.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from interpreter.frozen import frozen

WIDTH = 100
INDENT = 4


@frozen
class Bracket:
    """Something that may be broken: then each `SOFT` directly inside becomes a new line.

    An optional one shows its signs only when it is broken.
    """

    open: str
    inside: Pieces
    close: str
    optional: bool = False


Pieces = tuple["str | Bracket", ...]
SOFT = "\n"  # a space, or a new line where the bracket around it is broken


def flat(pieces: Pieces) -> str:
    parts: list[str] = []
    for piece in pieces:
        if isinstance(piece, Bracket):
            inside = flat(piece.inside)
            parts.append(inside if piece.optional else f"{piece.open}{inside}{piece.close}")
        else:
            parts.append(" " if piece == SOFT else piece)
    return "".join(parts)


@dataclass(slots=True)
class Printer:
    """Lays pieces out from a column on, breaking what does not fit."""

    text: str
    column: int

    def lay(self, pieces: Pieces, indent: int, broken: bool, after: int) -> None:
        """`after` is the width of what must follow on the last line."""
        for position, piece in enumerate(pieces):
            if isinstance(piece, Bracket):
                rest = _reserve(pieces[position + 1 :], broken, after)
                self._lay_bracket(piece, indent, rest)
            elif piece == SOFT and broken:
                self._new_line(indent)
            else:
                self._add(" " if piece == SOFT else piece)

    def _lay_bracket(self, bracket: Bracket, indent: int, rest: int) -> None:
        whole = flat((bracket,))
        if not bracket.inside or self.column + len(whole) + rest <= WIDTH:
            self._add(whole)
            return
        self._add(bracket.open)
        self._new_line(indent + INDENT)
        self.lay(bracket.inside, indent + INDENT, True, 0)
        self._new_line(indent)
        self._add(bracket.close)

    def _add(self, text: str) -> None:
        self.text += text
        self.column += len(text)

    def _new_line(self, indent: int) -> None:
        self.text += "\n" + " " * indent
        self.column = indent


def _reserve(following: Pieces, broken: bool, after: int) -> int:
    """The room needed behind a bracket before the next place where the line can be broken."""
    width = 0
    for piece in following:
        if isinstance(piece, Bracket):
            return width + len(piece.open)
        if piece == SOFT and broken:
            return width
        width += len(piece)
    return width + after


def listed(items: Iterable[Pieces]) -> Pieces:
    """Items with commas between them."""
    pieces: list[str | Bracket] = []
    for item in items:
        if pieces:
            pieces += [",", SOFT]
        pieces += item
    return tuple(pieces)


def call(word: str, *inside: str | Bracket) -> Pieces:
    return (word, Bracket("(", inside, ")"))

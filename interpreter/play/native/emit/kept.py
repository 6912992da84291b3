"""Words with a bit for each cell of a small board, one for each content: see facts/kept.py."""

from __future__ import annotations

from collections.abc import Callable

from interpreter.play.native.emit.compared import compare_cells
from interpreter.play.native.emit.text import Fn
from interpreter.play.native.facts.compared import Compared
from interpreter.play.native.facts.kept import Kept
from interpreter.play.native.facts.words import Fixed, Held, Joined, Word
from interpreter.program import ops


class KeptBoards:
    """In a function that plays on: made once, when it begins."""

    def __init__(self, fn: Fn, boards: dict[int, Kept]) -> None:
        self.fn, self.boards = fn, boards
        self.slots: dict[tuple[int, int], str] = {}  # by board and content
        for base, kept in boards.items():
            for content in kept.contents:
                compared = Compared(base, True, ops.Const(content))
                (word,) = compare_cells(fn, compared, 0, kept.size, str(content))
                self.slots[base, content] = fn.variable(word)

    def cells_with(self, compared: Compared, content: str) -> str | None:
        """The cells that hold (or do not hold) a content; None if nobody keeps them. What a board
        cannot hold lies nowhere on it."""
        fn, kept = self.fn, self.boards.get(compared.base)
        if kept is None:
            return None
        found = "0"
        for each in kept.contents:
            here = fn.get(self.slots[compared.base, each])
            found = fn.select(fn.compare("eq", content, each), here, found)
        return found if compared.equal else fn.op(f"xor i64 {found}, {(1 << kept.size) - 1}")

    def write(self, base: int, cell: str, content: str) -> None:
        """A cell, which lies on the board, is given another content."""
        fn, kept = self.fn, self.boards.get(base)
        if kept is None:
            return
        bit = fn.op(f"shl i64 1, {cell}")
        others = fn.op(f"xor i64 {bit}, -1")
        for each in kept.contents:
            slot = self.slots[base, each]
            here = fn.select(fn.compare("eq", content, each), bit, 0)
            fn.set(slot, fn.either(fn.both(fn.get(slot), others), here))


def found_in_words(kept: KeptBoards, word: Word, asked: Callable[[ops.Expr], str]) -> str:
    """The cells that a condition holds of; `asked` says what a content is."""
    fn = kept.fn
    match word:
        case Fixed(bits):
            return str(bits)
        case Joined(how, left, right):
            one, two = (found_in_words(kept, each, asked) for each in (left, right))
            return fn.op(f"{how} i64 {one}, {two}")
        case Held(compared, shifted):
            cells, found = kept.cells_with(compared, asked(compared.content)), "0"
            assert cells is not None
            for distance, bits in shifted:
                way = f"lshr i64 {cells}, {distance}" if distance >= 0 else ""
                moved = fn.op(way or f"shl i64 {cells}, {-distance}")
                found = fn.either(found, fn.both(moved, bits))
            return found

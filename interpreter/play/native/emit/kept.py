"""Words with a bit for each cell of a board, some for each content: see facts/kept.py."""

from __future__ import annotations

from collections.abc import Callable

from interpreter.play.native.emit.compared import compare_cells
from interpreter.play.native.emit.text import I64, Fn
from interpreter.play.native.facts.compared import Compared
from interpreter.play.native.facts.kept import Kept
from interpreter.play.native.facts.words import Fixed, Held, Joined, Word
from interpreter.program import ops

_WORD = 64
_FULL = (1 << _WORD) - 1


class KeptBoards:
    """In a function that plays on: made once, when it begins."""

    def __init__(self, fn: Fn, boards: dict[int, Kept]) -> None:
        self.fn, self.boards = fn, boards
        self.slots: dict[tuple[int, int], str] = {}  # by board and content
        for base, kept in boards.items():
            for content in kept.contents:
                compared = Compared(base, True, ops.Const(content))
                words = compare_cells(fn, compared, 0, kept.size, str(content))
                slot = self.slots[base, content] = fn.slot(f"[{len(words)} x i64]")
                for number, word in enumerate(words):
                    fn.store(slot, number, word)

    def cells_with(self, compared: Compared, content: str) -> list[str] | None:
        """The cells that hold (or do not hold) a content; None if nobody keeps them. What a board
        cannot hold lies nowhere on it."""
        fn, kept = self.fn, self.boards.get(compared.base)
        if kept is None:
            return None
        there = {each: fn.compare("eq", content, each) for each in kept.contents}
        return [self._word(kept, compared, there, number) for number in range(words_of(kept))]

    def _word(self, kept: Kept, compared: Compared, there: dict[int, str], number: int) -> str:
        fn, found = self.fn, "0"
        for content, test in there.items():
            here = fn.load(self.slots[kept.base, content], number)
            found = fn.select(test, here, found)
        every = _parts((1 << kept.size) - 1, words_of(kept))[number]
        return found if compared.equal else fn.op(f"xor i64 {found}, {every}")

    def write(self, base: int, cell: str, content: str) -> None:
        """A cell, which lies on the board, is given another content."""
        fn, kept = self.fn, self.boards.get(base)
        if kept is None:
            return
        number = "0" if words_of(kept) == 1 else fn.op(f"lshr i64 {cell}, 6")
        bit = fn.op(f"shl i64 1, {fn.both(cell, _WORD - 1)}")
        others = fn.op(f"xor i64 {bit}, -1")
        for each in kept.contents:
            place = fn.at(self.slots[base, each], number)
            here = fn.select(fn.compare("eq", content, each), bit, 0)
            fn.store(place, 0, fn.either(fn.both(fn.load(place), others), here))


def words_of(kept: Kept) -> int:
    return -(-kept.size // _WORD)


def _parts(bits: int, words: int) -> list[int]:
    return [bits >> _WORD * number & _FULL for number in range(words)]


def joined(fn: Fn, words: list[str], low: int, high: int) -> str:
    """Not 0 if one of the bits from `low` to below `high` is set."""
    found = "0"
    for word, mask in zip(words, _parts((1 << high) - (1 << low), len(words)), strict=True):
        found = fn.either(found, fn.both(word, mask))
    return found


def found_in_words(
    kept: KeptBoards, word: Word, words: int, asked: Callable[[ops.Expr], str]
) -> list[str]:
    """The cells that a condition holds of, in so many words; `asked` says what a content is."""
    fn = kept.fn
    match word:
        case Fixed(bits):
            return [str(each) for each in _parts(bits, words)]
        case Joined(how, left, right):
            one, two = (found_in_words(kept, each, words, asked) for each in (left, right))
            return [fn.op(f"{how} i64 {a}, {b}") for a, b in zip(one, two, strict=True)]
        case Held(compared, shifted):
            cells, found = kept.cells_with(compared, asked(compared.content)), ["0"] * words
            assert cells is not None
            for distance, bits in shifted:
                for number, mask in enumerate(_parts(bits, words)):
                    moved = _moved(fn, cells, number * _WORD + distance)
                    found[number] = fn.either(found[number], fn.both(moved, mask))
            return found


def _moved(fn: Fn, cells: list[str], first: int) -> str:
    """The word that begins with a bit anywhere."""
    number, rest = divmod(first, _WORD)
    low, high = (cells[at] if 0 <= at < len(cells) else "0" for at in (number, number + 1))
    if rest == 0:
        return low
    return fn.either(fn.op(f"lshr i64 {low}, {rest}"), fn.op(f"shl i64 {high}, {_WORD - rest}"))


class Drawn:
    """Bits of which one is going to be drawn."""

    def __init__(self, fn: Fn, words: list[str]) -> None:
        self.fn, self.words = fn, words
        self.counts = [fn.op(f"call i64 @llvm.ctpop.i64(i64 {word})") for word in words]
        self.count = self.counts[0]
        for more in self.counts[1:]:
            self.count = fn.add(self.count, more)

    def bit(self, after: str) -> str:
        """The number of the bit that is set after so many others."""
        fn, word, first, before = self.fn, self.words[0], "0", "0"
        passed = "0"
        for number in range(1, len(self.words)):
            passed = fn.add(passed, self.counts[number - 1])
            later = fn.compare("sge", after, passed)
            word = fn.select(later, self.words[number], word)
            first = fn.select(later, number * _WORD, first)
            before = fn.select(later, passed, before)
        left = after if before == "0" else fn.sub(after, before)
        return fn.add(fn.call("nth_bit", I64, f"i64 {word}", f"i64 {left}"), first)

"""Conditions on all cells of a board at once, as words with a bit for each cell.

Of an action that offers cells, `drop(c in Grid) when c.disc is none and ...`, each condition is a
word: it asks what lies on the cell, or on the cell that a table has beside it, or it is told by
tables alone. If all cells that a table has lie equally far from their own, they are the same bits,
shifted.

What must not be assumed: that a step leads to a cell. Where it fails, an earlier condition must
have ruled out the cell, by tables alone.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from interpreter.play.native.facts.compared import Compared
from interpreter.program import ops
from interpreter.program.once import once_for_each_program
from interpreter.program.program import Program

MOST_CELLS = 384
_WORD = 64
_MOST_SHIFTS = 3


@dataclass(frozen=True, slots=True)
class Fixed:
    bits: int


@dataclass(frozen=True, slots=True)
class Held:
    """What lies on the cells so far from their own, for the bits of each distance."""

    compared: Compared
    shifted: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Joined:
    word: Literal["and", "or"]
    left: Word
    right: Word


Word = Fixed | Held | Joined


@once_for_each_program
def word_of_menu(program: Program, number: int) -> Word | None:
    """Which cells the only action of a menu offers, if it offers cells."""
    menu = program.menus[number]
    if len(menu.entries) != 1 or menu.passes or len(menu.entries[0].cells) != 1:
        return None
    match program.functions[menu.entries[0].generator].body:
        case (ops.CountLoop(_, ops.Const(0), ops.Const(rounds)) as loop, ops.Return()) if (
            1 < rounds <= MOST_CELLS
        ):
            return _Rounds(program, {loop.local}).offered(loop.body, (1 << rounds) - 1)
        case _:  # it goes through something else
            return None


def words_of_menu(program: Program, number: int) -> int:
    """How many words its options are, if they are."""
    match program.functions[program.menus[number].entries[0].generator].body[0]:
        case ops.CountLoop(_, _, ops.Const(rounds)):
            return -(-rounds // _WORD)
        case _:  # they are not
            return 0


class _Rounds:
    def __init__(self, program: Program, same: set[int]) -> None:
        self.program = program
        self.same = same  # locals that hold the number of the round

    def offered(self, body: tuple[ops.Statement, ...], among: int) -> Word | None:
        """The rounds, of some, that offer their number."""
        *before, last = body
        for each in before:
            match each:
                case ops.SetLocal(alias, ops.Local(other)) if other in self.same:
                    self.same.add(alias)
                case _:  # it works something out
                    return None
        match last:
            case ops.When(condition, then, ()):
                asked = self._test(condition, among)
                if asked is None:
                    return None
                if isinstance(asked, Fixed):
                    among &= asked.bits
                inside = self.offered(then, among)
                return None if inside is None else Joined("and", asked, inside)
            case ops.Emit((ops.Local(index),)) if index in self.same:
                return Fixed(among)
            case _:  # it offers something else
                return None

    def _test(self, op: ops.Expr, among: int) -> Word | None:
        told = self._told(op, among, bool)
        if told is not None:
            return Fixed(sum(1 << place for place, holds in told.items() if holds))
        match op:
            case ops.Binary("and" | "or" as word, left, right):
                one = self._test(left, among)
                if one is None:
                    return None
                if isinstance(one, Fixed):
                    among &= one.bits if word == "and" else ~one.bits
                two = self._test(right, among)
                return None if two is None else Joined(word, one, two)
            case ops.Binary(
                "equal" | "unequal" as word, ops.MemoryAt(base, index, size), content
            ) if isinstance(content, (ops.Const, ops.Memory)):
                return self._held(Compared(base, word == "equal", content), index, size, among)
            case ops.MemoryAt(base, index, size):  # it holds if it is not 0
                return self._held(Compared(base, False, ops.Const(0)), index, size, among)
            case ops.Unary("not", ops.MemoryAt(base, index, size)):
                return self._held(Compared(base, True, ops.Const(0)), index, size, among)
            case _:  # it is asked otherwise
                return None

    def _held(self, compared: Compared, index: ops.Expr, size: int, among: int) -> Word | None:
        variables = self.program.layout.variables
        whole = any((each.address, each.size) == (compared.base, size) for each in variables)
        places = self._told(index, among, int)
        if places is None or not whole or size > MOST_CELLS:
            return None
        if not all(0 <= at < size for at in places.values()):
            return None
        shifted: dict[int, int] = defaultdict(int)
        for place, at in places.items():
            shifted[at - place] |= 1 << place
        return Held(compared, tuple(shifted.items())) if len(shifted) <= _MOST_SHIFTS else None

    def _told(self, op: ops.Expr, among: int, kind: Callable[[int], int]) -> dict[int, int] | None:
        """What an expression is in each of some rounds, if tables tell."""
        found: dict[int, int] = {}
        for place in range(among.bit_length()):
            if among >> place & 1:
                value = self._value(op, place)
                if value is None:
                    return None
                found[place] = kind(value)
        return found

    def _value(self, op: ops.Expr, now: int) -> int | None:
        match op:
            case ops.Const(value):
                return value
            case ops.Local(index):
                return now if index in self.same else None
            case ops.Lookup(table, index):
                at, values = self._value(index, now), self.program.tables[table]
                return values[at] if at is not None and 0 <= at < len(values) else None
            case ops.Within(inner, low, high):
                found = self._value(inner, now)
                return found if found is not None and low <= found <= high else None
            case ops.Binary(word, left, right) if word in WORKED_OUT:
                one, two = self._value(left, now), self._value(right, now)
                return None if one is None or two is None else int(WORKED_OUT[word](one, two))
            case _:  # it looks at the state, or is worked out otherwise
                return None


WORKED_OUT: dict[str, Callable[[int, int], int]] = {
    "add": lambda left, right: left + right,
    "multiply": lambda left, right: left * right,
    "equal": lambda left, right: left == right,
    "unequal": lambda left, right: left != right,
    "less": lambda left, right: left < right,
    "atMost": lambda left, right: left <= right,
    "more": lambda left, right: left > right,
    "atLeast": lambda left, right: left >= right,
}


def asked_of(word: Word) -> set[Compared]:
    """The contents that are compared for it."""
    match word:
        case Fixed():
            return set()
        case Held(compared):
            return {compared}
        case Joined(_, left, right):
            return asked_of(left) | asked_of(right)

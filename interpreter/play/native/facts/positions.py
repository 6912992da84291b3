"""Functions that count how often the position was there before: see program/lower/remembering.py.

A position is written down in words, each a sum of cells of the state times known numbers, modulo
two to the power of 64. Rows of words are compared with it. `find_positions` tells which cells take
part, and what each counts in a sum of all words: words that are equal have equal sums. So where a
trial has written few cells, the sum is that of the state before, and what these have changed.

The function is gone through once with the cells as unknowns. Whatever is not a sum of cells, or
depends on one in any other way, is no such function.

What must not be assumed: that equal sums are equal positions. Where the sum is among those that
were there, the function itself is asked. Nor that rows stay as they are from one enumeration to the
next: whoever writes one says so (`are_written_singly`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from interpreter.program import ops
from interpreter.program.program import Program
from interpreter.program.touches import TOUCHES, operations

_WRAPPED = (1 << 64) - 1
# By which each word is multiplied: any odd numbers that have little to do with powers of small
# ones.
_FACTORS = (0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9, 0xD6E8FEB86659FD93)
_BITS_A_ROW = 64  # of the set of sums
_LONGEST = 4096  # rounds that are gone through


@dataclass(frozen=True, slots=True)
class Linear:
    """A constant, and cells by what each is multiplied with."""

    constant: int
    cells: dict[int, int]

    def plus(self, other: Linear, sign: int = 1) -> Linear:
        cells = dict(self.cells)
        for cell, factor in other.cells.items():
            cells[cell] = (cells.get(cell, 0) + sign * factor) & _WRAPPED
        return Linear((self.constant + sign * other.constant) & _WRAPPED, cells)

    def times(self, number: int) -> Linear:
        cells = {cell: factor * number & _WRAPPED for cell, factor in self.cells.items()}
        return Linear(self.constant * number & _WRAPPED, cells)


@dataclass(frozen=True, slots=True)
class Positions:
    sum: Linear  # of all words, each times its factor
    bases: tuple[int, ...]  # where the words of the rows begin
    factors: tuple[int, ...]
    rows: ops.Expr  # how many there are
    most: int
    lasting: bool  # what is known of the rows holds until one is written

    @property
    def bits(self) -> int:
        """Of the set of sums, as a power of two."""
        return max(9, (self.most * _BITS_A_ROW - 1).bit_length())


# ---- what is kept, in cells: whether anything is known, the sum of the state, the last stamp; how
# many rows are in the set, since which call from outside, and of which state; the set, and the
# stamps of all cells of the state.
KNOWN, SUM, STAMP, ROWS, CALL, OF, SET = range(7)


def stamps(positions: Positions) -> int:
    return SET + (1 << positions.bits) // 64


def find_positions(program: Program, number: int) -> Positions | None:
    function = program.functions[number]
    match function.body:
        case (
            *before,
            ops.SetLocal(found, ops.Const(0)),
            ops.CountLoop(row, ops.Const(0), rows, (ops.When(same, (more,), ()),)),
            ops.Return(result),
        ) if function.params == 0 and result == ops.Local(found):
            pass
        case _:  # it counts something else
            return None
    if more != ops.SetLocal(found, ops.Binary("add", ops.Local(found), ops.Const(1))):
        return None
    compared = _compared(same, row)
    if compared is None or any(isinstance(op, ops.Local) for op in operations(rows)):
        return None
    words = _Words(program).after(tuple(before))
    if words is None:
        return None
    total, factors = Linear(0, {}), []
    for place, (_, word) in enumerate(compared):
        if word not in words:
            return None
        factors.append(_FACTORS[place % len(_FACTORS)] ** (place // len(_FACTORS) + 1) & _WRAPPED)
        total = total.plus(words[word].times(factors[-1]))
    bases = tuple(there.base for there, _ in compared)
    most = min(there.size for there, _ in compared)
    lasting = are_written_singly(program, bases, most)
    return Positions(total, bases, tuple(factors), rows, most, lasting)


def are_written_singly(program: Program, bases: tuple[int, ...], most: int) -> bool:
    """Whether cells of rows are only written by what tells which row it is, and never put back."""
    rows = {cell for base in bases for cell in range(base, base + most)}
    bodies = (*program.code, *(function.body for function in program.functions))
    for op in (each for body in bodies for each in operations(body)):
        if isinstance(op, (ops.Sealed, ops.LookAhead, ops.Can)):
            return False
        if isinstance(op, ops.SetMemoryAt) and op.base in bases:
            continue
        if any(rows & set(span) for span in TOUCHES[type(op)].writes(op, program)):
            return False
    return True


def is_apart(program: Program, positions: Positions, written: Any) -> bool:
    """Whether what is written takes no part in it but as a cell of the sum."""
    others = {cell for op in operations(positions.rows) for cell in TOUCHES[type(op)].reads(op)}
    for base in positions.bases:
        others.update(range(base, base + positions.most))
    return not any(others & set(range(first, first + size)) for first, size in written)


def _compared(same: ops.Expr, row: int) -> list[tuple[ops.MemoryAt, int]] | None:
    match same:
        case ops.Binary("and", left, right):
            one, two = _compared(left, row), _compared(right, row)
            return None if one is None or two is None else one + two
        case ops.Binary("equal", ops.MemoryAt() as there, ops.Local(word)):
            return [(there, word)] if there.index == ops.Local(row) and word != row else None
        case _:  # it asks for something else
            return None


class _Unknown(Exception):
    """It is no sum of cells."""


class _Words:
    """Straight code whose locals are sums of cells."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.locals: dict[int, Linear] = {}
        self.rounds = 0

    def after(self, body: tuple[ops.Statement, ...]) -> dict[int, Linear] | None:
        try:
            self._run(body)
        except _Unknown:
            return None
        return self.locals

    def _run(self, body: tuple[ops.Statement, ...]) -> None:
        for each in body:
            match each:
                case ops.SetLocal(index, value):
                    self.locals[index] = self._value(value)
                case ops.CountLoop(local, ops.Const(low), ops.Const(high), inside):
                    self.rounds += high - low
                    if self.rounds > _LONGEST:
                        raise _Unknown
                    for now in range(low, high):
                        self.locals[local] = Linear(now, {})
                        self._run(inside)
                case _:  # it does something else
                    raise _Unknown

    def _value(self, op: ops.Expr) -> Linear:
        match op:
            case ops.Const(value):
                return Linear(value & _WRAPPED, {})
            case ops.Local(index) if index in self.locals:
                return self.locals[index]
            case ops.Memory(address):
                return Linear(0, {address: 1})
            case ops.MemoryAt(base, index, size):
                return Linear(0, {base + self._number(index, size): 1})
            case ops.Lookup(table, index):
                values = self.program.tables[table]
                return Linear(values[self._number(index, len(values))] & _WRAPPED, {})
            case ops.Binary("add" | "subtract" as word, left, right) if op.at < 0:
                return self._value(left).plus(self._value(right), 1 if word == "add" else -1)
            case ops.Binary("multiply", left, ops.Const(factor)) if op.at < 0:
                return self._value(left).times(factor)
            case ops.Binary("divide" | "modulo" as word, left, ops.Const(by)) if by > 0:
                number = self._number(left, 1 << 62)
                return Linear(number // by if word == "divide" else number % by, {})
            case _:  # any other is no sum
                raise _Unknown

    def _number(self, op: ops.Expr, below: int) -> int:
        found = self._value(op)
        if found.cells or found.constant >= below:
            raise _Unknown
        return found.constant

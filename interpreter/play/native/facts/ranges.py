"""Between which bounds the values of straight code lie, as far as that can be told.

Found are a lowest and a highest value for each local of a function, and from these for expressions.
They tell how long code can take, how many options there can be, and what cannot fail; then the test
for it is left out.

It is right because a local is between the bounds of everything that sets it, and bounds only ever
grow until nothing changes. What still grows after some rounds has no bounds. What lies in the state
is taken to be what its declaration says: the machine refuses to write anything else, and of a state
from outside it is checked first (emit/valid.py).

What must not be assumed: that a parameter has bounds, or what a function gives, or a local that
belongs to an array. And a range that is not a plain number may be `none`, which lies outside it: of
such variables nothing is known.
"""

from __future__ import annotations

from typing import Any, assert_never

from interpreter import limits
from interpreter.program import ops
from interpreter.program.program import Program
from interpreter.program.touches import operations

Range = tuple[int, int]
_ALL: Range = (limits.INT_MIN, limits.INT_MAX)
_SETTING = (ops.SetLocal, ops.CountLoop, ops.Reach)  # operations that set a single local
_ROUNDS = 6  # then what still grows is unbounded


class Ranges:
    """The bounds of the locals of one function, and of expressions in it."""

    def __init__(self, cells: Cells, body: Any, params: int, given: tuple[Range, ...] = ()) -> None:
        self.cells = cells
        self.locals: dict[int, Range] = dict(enumerate(given))
        sets = [op for op in operations(body) if isinstance(op, _SETTING)]
        for number in range(_ROUNDS + 1):
            before = dict(self.locals)
            for op in sets:
                self._learn(op, params)
            if self.locals == before:
                return
            if number == _ROUNDS - 1:  # whatever grows may grow for ever
                for index, found in self.locals.items():
                    if found != before.get(index):
                        self.locals[index] = _ALL

    def _learn(self, op: ops.SetLocal | ops.CountLoop | ops.Reach, params: int) -> None:
        match op:
            case ops.SetLocal(index, value):
                self._widen(index, self.of(value), params)
            case ops.CountLoop(local, low, high):
                self._widen(local, (self.of(low)[0], self.of(high)[1] - 1), params)
            case ops.Reach():
                ways = self.cells.program.tables[op.ways]
                self._widen(op.local, (0, op.cells - 1), params)
                self._widen(op.target, (min(ways), max(ways)), params)
            case _:
                assert_never(op)

    def _widen(self, index: int, found: Range, params: int) -> None:
        low, high = found
        # A local that is never given is set before it is used.
        old = _ALL if index < params else self.locals.get(index, (low, high))
        self.locals[index] = min(low, old[0]), max(high, old[1])

    def of(self, op: ops.Expr) -> Range:
        match op:
            case ops.Const(value):
                return value, value
            case ops.Local(index):
                return self.locals.get(index, _ALL)
            case ops.Lookup(table):
                values = self.cells.program.tables[table]
                return min(values), max(values)
            case ops.Memory(address):
                return self.cells.at(address)
            case ops.MemoryAt(base, index):
                return self.cells.among(base, index)
            case ops.Within(value, low, high):
                first, last = self.of(value)
                return max(low, first), min(high, last)
            case ops.Choice(_, then, otherwise):
                one, two = self.of(then), self.of(otherwise)
                return min(one[0], two[0]), max(one[1], two[1])
            case ops.Sequence(_, result):
                return self.of(result)
            case ops.Unary("negate", operand):
                low, high = self.of(operand)
                return _clipped(-high, -low)
            case ops.Unary():
                return 0, 1
            case ops.Binary():
                return self._binary(op)
            case ops.WhatIf(_, value):
                return self.of(value)
            case ops.Can():
                return 0, 1
            case ops.LocalAt() | ops.Call():
                return _ALL
            case _:
                assert_never(op)

    def _binary(self, op: ops.Binary) -> Range:
        one, two = self.of(op.left), self.of(op.right)
        match op.word:
            case "add":
                return _clipped(one[0] + two[0], one[1] + two[1])
            case "subtract":
                return _clipped(one[0] - two[1], one[1] - two[0])
            case "multiply":
                ends = [left * right for left in one for right in two]
                return _clipped(min(ends), max(ends))
            case "min":
                return min(one[0], two[0]), min(one[1], two[1])
            case "max":
                return max(one[0], two[0]), max(one[1], two[1])
            case "modulo" if isinstance(op.right, ops.Const) and op.right.value > 0:
                return 0, op.right.value - 1
            case "divide" if two[0] > 0:
                ends = [left // right for left in one for right in two]
                return min(ends), max(ends)
            case "divide" | "divideUp" | "modulo" | "bitAnd" | "bitOr" | "shift":
                return _ALL
            case _:
                return 0, 1


class Cells:
    """What the layout tells about the contents of the state."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.known: dict[int, Range] = {}
        for variable in program.layout.variables:
            bounds = _ALL
            if variable.type.sort == "int" and not variable.type.optional:
                bounds = variable.type.low, variable.type.high
            elif variable.type.sort == "player":
                bounds = -1, program.players - 1
            elif variable.type.sort == "bool":
                bounds = -1, 1
            for cell in range(variable.address, variable.address + variable.size):
                self.known[cell] = bounds
        for place in program.layout.places:
            pieces = len(program.layout.kinds[place.kind].row_of)
            pool = place.word == "pool"
            held = (0, limits.COLLECTION_ITEMS) if pool else (-1, pieces - 1)
            for start in range(place.address, place.address + place.size * place.stride):
                self.known[start] = held
            if pool:
                continue
            for number in range(place.size):
                for offset in range(3):
                    cell = place.address + number * place.stride + offset
                    self.known[cell] = 0, place.capacity

    def at(self, address: int) -> Range:
        return self.known.get(address, _ALL)

    def among(self, base: int, index: ops.Expr) -> Range:
        """A cell whose index is known only in part: a multiple of a constant and no more is
        a certain cell of some instance of a place."""
        if isinstance(index, ops.Const):
            return self.at(base + index.value)
        match index:
            case ops.Binary("multiply", _, ops.Const(stride)) if self._strides(base, stride):
                return self.at(base)
            case _:  # any other index may be of any cell
                pass
        for variable in self.program.layout.variables:
            if variable.address == base:
                return self.at(base)
        return _ALL

    def _strides(self, base: int, stride: int) -> bool:
        return any(
            place.stride == stride and place.address <= base < place.address + stride
            for place in self.program.layout.places
        )


def _clipped(low: int, high: int) -> Range:
    return max(low, limits.INT_MIN), min(high, limits.INT_MAX)

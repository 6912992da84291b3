"""What stands for more than one number: arrays of registers, places and lists."""

from __future__ import annotations

from interpreter.frozen import frozen
from interpreter.model.ruleset import Place
from interpreter.program import ops
from interpreter.program.lower.folding import fold, times


@frozen
class Array:
    """Registers that stand together."""

    base: int
    size: int

    def at(self, index: ops.Expr) -> ops.Expr:
        return ops.LocalAt(self.base, index, self.size)

    def put(self, index: ops.Expr, value: ops.Expr) -> ops.Statement:
        return ops.SetLocalAt(self.base, index, self.size, value)


@frozen
class ListRef:
    """A list of the data: from `start` on, `length` entries of the table `pool`."""

    start: ops.Expr
    length: ops.Expr
    pool: int


@frozen
class PlaceRef:
    """A place: which one, and which of its instances."""

    place: Place
    index: ops.Expr

    @property
    def number(self) -> ops.Expr:
        """The instance number among all places of its kind."""
        return fold(ops.Binary("add", self.index, ops.Const(self.place.first)))

    @property
    def count(self) -> ops.Expr:
        """How many pieces lie there."""
        return self.cell(0)

    @property
    def loose(self) -> ops.Expr:
        """How many of them lie in no order."""
        return self.cell(1)

    @property
    def under(self) -> ops.Expr:
        """How many lie under those."""
        return self.cell(2)

    def content(self, position: ops.Expr) -> ops.Expr:
        """The piece at a position, counted from 0 at the bottom."""
        base, index = self._address(3)
        return self._at(base, fold(ops.Binary("add", index, position)))

    def held(self, row: ops.Expr) -> ops.MemoryAt:
        """How many of a row lie in a pool."""
        base, index = self._address(0)
        return ops.MemoryAt(base, ops.Binary("add", index, row), self._cells)

    def cell(self, offset: int) -> ops.Expr:
        return self._at(*self._address(offset))

    def _at(self, base: int, index: ops.Expr) -> ops.Expr:
        if isinstance(index, ops.Const):
            return ops.Memory(base + index.value)
        return ops.MemoryAt(base, index, self._cells)

    def _address(self, offset: int) -> tuple[int, ops.Expr]:
        """Base and index of a cell of the instance."""
        return self.place.address + offset, times(self.index, self.place.stride)

    @property
    def _cells(self) -> int:
        return self.place.stride * self.place.size

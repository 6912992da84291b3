"""What stands for more than one number while lowering: places and lists."""

from __future__ import annotations

from interpreter.model.ruleset import Place
from interpreter.program import ops
from interpreter.program.lower.folding import fold, times


class ListRef:
    """A constant list met while lowering; only domains, indexes and `number of` take it."""

    def __init__(self, start: ops.Expr, length: ops.Expr, pool: int, longest: int) -> None:
        self.start = start
        self.length = length
        self.pool = pool
        self.longest = longest


class PlaceRef:
    """A place met while lowering: which one, and which of its instances."""

    def __init__(self, place: Place, index: ops.Expr) -> None:
        self.place = place
        self.index = index

    @property
    def number(self) -> ops.Expr:
        """The instance number among all places of its kind."""
        return fold(ops.Binary("add", self.index, ops.Const(self.place.first)))

    def address(self, offset: int = 0) -> tuple[int, ops.Expr]:
        """Base and index of a cell of the instance, for MemoryAt."""
        base = self.place.address + offset
        return base, times(self.index, self.place.stride)

    def cell(self, offset: int) -> ops.Expr:
        base, index = self.address(offset)
        if isinstance(index, ops.Const):
            return ops.Memory(base + index.value)
        return ops.MemoryAt(base, index, self.place.stride * self.place.size)

    def content(self, position: ops.Expr) -> ops.Expr:
        base, index = self.address(3)
        whole_index = fold(ops.Binary("add", index, position))
        if isinstance(whole_index, ops.Const):
            return ops.Memory(base + whole_index.value)
        return ops.MemoryAt(base, whole_index, self.place.stride * self.place.size)

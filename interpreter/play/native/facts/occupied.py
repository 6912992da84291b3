"""Where a loop goes through the pieces of a place, what it finds there are pieces.

Found are loads of a cell of a place's contents, by a local that counts from zero to below the
number of pieces in that place. LLVM is told that such a cell holds the number of a piece, and then
leaves out the test where that number is used to look something up.

It is right because places keep that promise (play/pieces.py), and states from outside are looked
over before they are used (emit/valid.py).

What must not be assumed: that it holds while the state changes. So it is asked for only in code in
which the state stands still (`shape.is_pure`), and everything is forgotten about a local that is
set, and about a place whose instance is worked out from one. Nor that it holds under a mask, where
code is run that the rules would have skipped.
"""

from __future__ import annotations

from interpreter.play.pieces import CONTENTS
from interpreter.program import ops
from interpreter.program.program import Program
from interpreter.program.touches import locals_read, locals_set

# A place: where its cells start, and the part of the index that says which instance it is.
Key = tuple[int, ops.Expr | None]


class Occupied:
    """Which locals count through the pieces of which place, at some point of the code."""

    def __init__(self, program: Program) -> None:
        self.counting: dict[int, Key] = {}
        self.sums: dict[int, tuple[int, int]] = {}  # a local that is another plus a constant
        self.pieces: dict[int, int] = {}  # by the first cell of an instance: pieces of its kind
        for place in program.layout.places:
            if place.word != "pool":
                number = len(program.layout.kinds[place.kind].row_of)
                for start in range(place.size):
                    self.pieces[place.address + start * place.stride] = number

    def set_local(self, index: int, value: ops.Expr) -> None:
        self.forget({index})
        match value:
            case ops.Binary("add", ops.Local(other), ops.Const(more)) if other != index:
                self.sums[index] = other, more
            case _:  # of any other value nothing is remembered
                pass

    def forget(self, changed: set[int]) -> None:
        for index in changed:
            self.counting.pop(index, None)
            self.sums.pop(index, None)
        for index, (other, _) in list(self.sums.items()):
            if other in changed:
                del self.sums[index]
        for index, (_, instance) in list(self.counting.items()):
            if instance is not None and locals_read(instance) & changed:
                del self.counting[index]

    def begin(self, loop: ops.CountLoop) -> None:
        """A loop begins. What its body sets has been forgotten already."""
        key = self._counted(loop.high) if loop.low == ops.Const(0) else None
        changed = locals_set(loop.body)
        if key is None or loop.local in changed:
            return
        if key[1] is None or not locals_read(key[1]) & (changed | {loop.local}):
            self.counting[loop.local] = key

    def _counted(self, high: ops.Expr) -> Key | None:
        match high:
            case ops.Memory(address) if address in self.pieces:
                return address, None
            case ops.MemoryAt(base, index) if base in self.pieces:
                return base, index
            case ops.Local(index):
                return self.counting.get(index)  # only those below another one
            case ops.Binary("subtract", ops.Local(index), ops.Const(less)):
                other, more = self.sums.get(index, (-1, 0))
                return self.counting.get(other) if more == less else None
            case _:  # any other bound is no count of pieces
                return None

    def pieces_at(self, base: int, index: ops.Expr) -> int:
        """How many pieces there are of the kind of piece that certainly lies in this cell, or
        0 if that is not certain."""
        first = base - CONTENTS
        match index:
            case ops.Binary("add", ops.Const(offset), ops.Local(local)):
                key: Key = (first + offset, None)
            case ops.Binary("add", instance, ops.Local(local)):
                key = first, instance
            case ops.Local(local):
                key = first, None
            case _:  # any other index may lead anywhere
                return 0
        return self.pieces.get(first, 0) if self.counting.get(local) == key else 0

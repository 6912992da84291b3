"""Conditions that are asked of all neighbours of a cell together, as sets of bits: facts/nearby.py.

The neighbours of each cell are a set in a table. Which of them a loop comes to before it ends is
found way by way, and only if it ends before its last round.
"""

from __future__ import annotations

from collections.abc import Callable

from interpreter import limits
from interpreter.play.native.emit import context
from interpreter.play.native.emit.code import Code
from interpreter.play.native.emit.expressions import found_at, value
from interpreter.play.native.emit.together import Asking, is_in, put_in
from interpreter.play.native.facts.nearby import Nearby, find_nearby
from interpreter.program import ops


def ask_nearby(code: Code, loop: ops.CountLoop, slowly: Callable[[], None]) -> bool:
    """If a loop is one that may be asked of all neighbours together: do so, or `slowly` where steps
    could run out."""
    if code.free or code.mask is not None or code.fn.marking is not None or code.unit.deep:
        return False
    if code.form is not None and code.form.exact:
        return False
    found = find_nearby(code.unit.program, loop)
    most = code.unit.steps.of((loop,))
    if found is None or most > limits.STEPS_PER_MOVE:
        return False
    if code.ample:
        _Asking(code, found).go()
        return True
    few = code.fn.compare("sgt", code.fn.get(code.steps), limits.STEPS_PER_MOVE - most)
    code.fn.choose(few, slowly, lambda: _Asking(code, found).go())
    code.forget(loop)
    return True


class _Asking(Asking):
    def __init__(self, code: Code, nearby: Nearby) -> None:
        super().__init__(code, nearby.together, counting=True)
        self.around = nearby.around
        self.origin = value(code, ops.Local(nearby.around.origin))

    def gone_through(self) -> str:
        code, fn, around = self.code, self.fn, self.around
        code.fail_if(fn.compare("uge", self.origin, around.cells), context.BROKEN, -1)
        table = code.unit.program.tables[around.table]
        sets = [0] * around.cells
        for at, there in enumerate(table[: around.cells * around.ways]):
            if there >= 0:
                sets[at % around.cells] |= 1 << there
        return fn.load(code.unit.near(self.bits.type, tuple(sets)), self.origin, self.bits.type)

    def up_to_first(self, here: str, holding: str) -> str:
        code, fn, bits, around = self.code, self.fn, self.bits, self.around
        found, first = fn.variable(here, bits.type), fn.variable(holding, bits.type)
        done = fn.label()
        fn.go_unless(fn.op(f"icmp ne {bits.type} {holding}, 0"), done)
        fn.set(found, "0", bits.type)
        table = code.unit.program.tables[around.table]
        for way in range(around.ways):
            row = table[way * around.cells : (way + 1) * around.cells]
            cell = found_at(code, row, self.origin)
            with fn.when(fn.compare("sge", cell, 0)):
                put_in(fn, found, cell)
                fn.go_unless(fn.op(f"xor i1 {is_in(fn, first, cell)}, true"), done)
        fn.place(done)
        return fn.get(found, bits.type)

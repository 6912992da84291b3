"""What is looked for in tables alone, and depends on a few locals that have few values.

`to in neighbours(from)` and `c in mill.points` go through a list, each time anew, and come to the
same for the same cells. So the reference machine answers all there is to ask while code is made, as
it does for functions (facts/tabled.py), and native code has a constant table of the answers and one
of the steps that each of them took.

It is right because such a value looks at nothing but its locals, and sets only locals that nobody
else uses. What must not be assumed: that a local lies within the bounds that were found for it: a
state can be bad where nobody looks, and then the list is gone through. Nor that all goes well: what
fails with some of them has no table. Nor that code stands as it was written: where a loop is
written in another way (facts/hoisted.py), the reference machine would not take its steps.
"""

from __future__ import annotations

from itertools import product
from math import prod

from interpreter.play.failure import Failure
from interpreter.play.machine import Machine
from interpreter.play.native.facts.ranges import Range
from interpreter.play.native.facts.shape import Counter
from interpreter.play.native.facts.tabled import Tabled
from interpreter.program import ops
from interpreter.program.layout import STEPS
from interpreter.program.once import once_for_each_program
from interpreter.program.program import Program
from interpreter.program.touches import locals_read, locals_set, operations, uses

_MOST_LOCALS, _MOST_ROWS, _MOST_STEPS = 2, 1 << 12, 1 << 15
_TOLD = (
    ops.Const, ops.Local, ops.Lookup, ops.Unary, ops.Binary, ops.Choice, ops.Sequence, ops.SetLocal,
    ops.When, ops.CountLoop, ops.Break, ops.Continue,
)  # fmt: skip


def find_spelt(counter: Counter, op: ops.Sequence) -> tuple[tuple[int, ...], Tabled] | None:
    """The locals that a value goes by, and what it is for all that they can be."""
    inside = list(operations(op))
    if not any(isinstance(each, ops.CountLoop) for each in inside):
        return None
    own = locals_set(op)
    given = tuple(sorted(locals_read(op) - own))
    if not all(isinstance(each, _TOLD) for each in inside) or len(given) > _MOST_LOCALS:
        return None
    bounds = tuple(counter.ranges.of(ops.Local(index)) for index in given)
    rows = prod(high - low + 1 for low, high in bounds)
    if not given or rows > _MOST_ROWS or rows * (1 + counter.of(op)) > _MOST_STEPS:
        return None
    if uses(counter.around, own) != uses(op, own) or counter.unpaid(op):
        return None
    if any(id(each) in counter.loops or id(each) in counter.left for each in inside):
        return None
    found = _tabled(counter.steps.program, op, given, bounds)
    return None if found is None else (given, found)


@once_for_each_program
def _tabled(
    program: Program, op: ops.Sequence, given: tuple[int, ...], bounds: tuple[Range, ...]
) -> Tabled | None:
    run = Machine(program).compiler.expression(op)
    m, values, steps = [0] * program.layout.size, [], []
    for content in product(*(range(low, high + 1) for low, high in bounds)):
        r, m[STEPS] = [0] * (1 + max(locals_read(op) | locals_set(op))), 0
        for index, each in zip(given, content, strict=True):
            r[index] = each
        try:
            values.append(run(m, r))
        except (Failure, IndexError):  # what failed, or what cannot be
            return None
        steps.append(m[STEPS])
    return Tabled(bounds, tuple(values), tuple(steps))

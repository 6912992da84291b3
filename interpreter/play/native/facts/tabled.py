"""What functions give that look at nothing but their arguments, if there are few of these.

`function onSide(c: Cell, d: CellDirection)` can be asked in as many ways as there are cells times
directions. Where that is not many, the reference machine answers all of them while code is made,
and native code has a constant table of the answers and one of the steps that each of them took.
That is quicker than a loop (facts/looking.py), and quicker than to look up several things; what is
merely reckoned is as quick without, and then LLVM knows more of it.

What must not be assumed: that an argument lies within the bounds of its type. The lowering says
what is declared, and native code asks whether it is so before it looks anything up. Nor that all
goes well: arguments with which it fails have no row, and the function is called with them.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from math import prod

from interpreter.play.failure import Failure
from interpreter.play.machine import Machine
from interpreter.play.native.facts.looking import goes_by_arguments, is_told_by_arguments
from interpreter.play.native.facts.shape import Steps
from interpreter.program import ops
from interpreter.program.layout import STEPS
from interpreter.program.once import once_for_each_program
from interpreter.program.program import Program
from interpreter.program.touches import with_called

FAILS = -1  # in place of steps
_LEAST_LOOKUPS = 3  # of a function without loops; one with fewer is as quick as a table
_MOST_ROWS, _MOST_STEPS = 1 << 12, 1 << 16  # the reference machine takes its time


@dataclass(frozen=True, slots=True)
class Tabled:
    """A row for each combination of arguments, the last argument changing fastest."""

    bounds: tuple[tuple[int, int], ...]
    values: tuple[int, ...]
    steps: tuple[int, ...]


def find_tabled(steps: Steps, number: int) -> Tabled | None:
    """All that a function can give, if there is not too much of it."""
    function = steps.program.functions[number]
    lookups = sum(isinstance(op, ops.Lookup) for op in with_called(steps.program, function.body))
    if lookups < _LEAST_LOOKUPS and not is_told_by_arguments(steps, number):
        return None
    if not function.bounds or not goes_by_arguments(steps, number):
        return None
    rows = prod(high - low + 1 for low, high in function.bounds)
    fits = 0 < rows <= _MOST_ROWS and rows * (1 + steps.function(number)) <= _MOST_STEPS
    return _tabled(steps.program, number) if fits else None


@once_for_each_program
def _tabled(program: Program, number: int) -> Tabled:
    machine = Machine(program)
    run = machine.compiler.function(number)
    m = [0] * program.layout.size
    bounds = program.functions[number].bounds
    values, steps = [], []
    for given in product(*(range(low, high + 1) for low, high in bounds)):
        machine.depth = m[STEPS] = 0
        try:
            values.append(run(m, list(given)))
            steps.append(m[STEPS])
        except (Failure, IndexError):  # what failed, or what was no argument for it
            values.append(0)
            steps.append(FAILS)
    return Tabled(bounds, tuple(values), tuple(steps))

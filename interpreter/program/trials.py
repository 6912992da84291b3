"""What is kept while `(value after steps)` is worked out: all cells that the steps can write.

Both machines keep the same cells, put them back however the trial ends, and count the same steps
for it. The header is never among them, so steps that were taken stay taken.
"""

from __future__ import annotations

from collections.abc import Iterable

from interpreter import limits
from interpreter.program import ops
from interpreter.program.once import once_for_each_program
from interpreter.program.program import Program
from interpreter.program.touches import TOUCHES, operations, parts, with_called

Spans = tuple[tuple[int, int], ...]  # first cell and number of cells, in order, apart
_CELLS_A_STEP = 8  # that can be kept and put back in the time of one step
_BETWEEN = 8  # cells between two spans that are kept too, because one copy is quicker than two


@once_for_each_program
def kept(program: Program, steps: tuple[ops.Statement, ...]) -> Spans:
    """The cells that steps can write, and the functions they call."""
    written = (
        (span.start, len(span))
        for op in with_called(program, steps)
        for span in TOUCHES[type(op)].writes(op, program)
    )
    return merged(written, _BETWEEN)


def size(spans: Spans) -> int:
    return sum(number for _, number in spans)


def cost(spans: Spans) -> int:
    return size(spans) // _CELLS_A_STEP


def merged(spans: Iterable[tuple[int, int]], between: int = 0) -> Spans:
    """Spans that touch are one, or that have so many cells between them at most."""
    found: list[tuple[int, int]] = []
    for first, number in sorted(each for each in spans if each[1] > 0):
        if found and first <= found[-1][0] + found[-1][1] + between:
            start = found[-1][0]
            found[-1] = start, max(found[-1][1], first + number - start)
        else:
            found.append((first, number))
    return tuple(found)


@once_for_each_program
def room(program: Program) -> int:
    """The most cells that are kept at once: a trial may stand in another, and a function that has
    one may call itself."""
    bodies = (*program.code, *(function.body for function in program.functions))
    deepest = max((_nested(program, body) for body in bodies), default=0)
    return deepest * (limits.CALL_DEPTH + 1)


def _nested(program: Program, code: object) -> int:
    """The cells that are kept at once by the trials of one piece of code."""
    if not any(isinstance(op, ops.WhatIf) for op in operations(code)):
        return 0
    inside = max((_nested(program, part) for part in parts(code)), default=0)
    if isinstance(code, ops.WhatIf):
        return size(kept(program, code.steps)) + inside
    return inside

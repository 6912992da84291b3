"""Which cells a stretch of the program can write: what has to be put back after a trial.

A sealed body runs on the state itself. Before, the cells it can write are saved; afterwards they
are put back. That is often a small part of the state.

Found are the instructions that can come next, from the beginning of a body until its end, and all
that they and the functions they call write (program/touches.py). It is right because every way out
of an instruction is followed; a routine that is left goes on wherever it is invoked.

What must not be assumed: that the header stays as it is. Whoever saves these cells saves the header
by itself.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import assert_never

from interpreter.program import ops
from interpreter.program.program import Program
from interpreter.program.touches import TOUCHES, with_called
from interpreter.program.trials import merged

Ranges = list[tuple[int, int]]  # first cell and number of cells, in order, apart


def sealed(program: Program) -> Ranges:
    """All that sealed bodies can write, besides the header and the choices themselves."""
    starts = [op.body.position for op in program.code if isinstance(op, ops.Sealed)]
    seats = [(op.seat, 1) for op in program.code if isinstance(op, ops.Sealed)]
    reached = _reached(program, starts, ops.SealedEnd)
    code = (program.code[pc] for pc in sorted(reached))
    inside = tuple(op for op in code if not isinstance(op, ops.SealedEnd))
    written = (
        (span.start, len(span))
        for op in with_called(program, inside)
        for span in TOUCHES[type(op)].writes(op, program)
    )
    return list(merged([*written, *seats]))


def size(ranges: Ranges) -> int:
    return sum(number for _, number in ranges)


def _reached(program: Program, starts: Iterable[int], end: type) -> set[int]:
    """The instructions that can come next, until one of the kind that ends the stretch. A
    routine that is left goes on wherever it is invoked."""
    found: set[int] = set()
    waiting = list(starts)
    while waiting:
        pc = waiting.pop()
        if pc in found or not 0 <= pc < len(program.code):
            continue
        found.add(pc)
        op = program.code[pc]
        if isinstance(op, end):
            continue
        waiting += _after(program, pc, op)
    return found


def _after(program: Program, pc: int, op: ops.Instruction) -> list[int]:
    match op:
        case ops.Goto(target) | ops.Unwind(_, target):
            return [target.position]
        case ops.Unless(_, target):
            return [pc + 1, target.position]
        case ops.Invoke(routine):
            return [pc + 1, program.routines[routine].entry.position]
        case ops.Decide():
            entries = program.menus[op.menu].entries
            after = [entry.target.position for entry in entries]
            return after if op.otherwise is None else [*after, op.otherwise.position]
        case ops.Sealed():
            return [op.body.position, op.end.position]
        case ops.Finish(routine):
            return [
                place + 1
                for place, other in enumerate(program.code)
                if isinstance(other, ops.Invoke) and other.routine == routine
            ]
        case ops.Over():
            return []
        case ops.Do() | ops.Chance() | ops.SealedEnd() | ops.LookAhead() | ops.LookEnd():
            return [pc + 1]
        case _:
            assert_never(op)

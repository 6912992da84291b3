"""Which cells a stretch of the program can write, and how often: what has to be put back after a
trial.

A sealed body runs on the state itself. Before, the cells it can write are saved; afterwards they
are put back. That is often a small part of the state.

Found are the instructions that can come next, from the beginning of a body until its end, and all
that they and the functions they call write (program/touches.py). It is right because every way out
of an instruction is followed; a routine that is left goes on wherever it is invoked.

The steps of `(value after steps)` often write few cells of many. How many times at most is counted:
what is written in a loop counts for each round, and where nobody knows how many there are, or
functions call each other in a circle, it is too often. Then they are kept as they are written, too,
but with a way out for when it becomes too many (`are_single`).

What must not be assumed: that the header stays as it is. Whoever saves these cells saves the header
by itself.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, assert_never

from interpreter.program import ops, trials
from interpreter.program.once import once_for_each_program
from interpreter.program.program import Program
from interpreter.program.touches import TOUCHES, parts, with_called

Ranges = list[tuple[int, int]]  # first cell and number of cells, in order, apart
_TOO_OFTEN = 1 << 16
_MANY = 24  # cells that are not worth being copied if few of them are written
_CELLS_A_WRITE = 4  # that can be copied in the time it takes to keep one that is written


def sealed(program: Program) -> Ranges:
    """All that sealed bodies can write, besides the header and the choices themselves."""
    seats = [(op.seat, 1) for op in program.code if isinstance(op, ops.Sealed)]
    code = (program.code[pc] for pc in sorted(in_sealed(program)))
    inside = tuple(op for op in code if not isinstance(op, ops.SealedEnd))
    written = (
        (span.start, len(span))
        for op in with_called(program, inside)
        for span in TOUCHES[type(op)].writes(op, program)
    )
    return list(trials.merged([*written, *seats]))


@once_for_each_program
def sealed_change(program: Program, function: int) -> bool:
    """Whether sealed bodies can change what a function comes to."""
    code = list(with_called(program, program.functions[function].body))
    if any(TOUCHES[type(op)].tries for op in code):
        return True
    read = [TOUCHES[type(op)].reads(op) for op in code]
    return any(
        span.start < first + number and first < span.stop
        for span in read
        for first, number in sealed(program)
    )


@once_for_each_program
def in_sealed(program: Program) -> frozenset[int]:
    """The instructions that sealed bodies can come to, with those that end them."""
    starts = [op.body.position for op in program.code if isinstance(op, ops.Sealed)]
    return frozenset(reached(program, starts, ops.SealedEnd))


def size(ranges: Iterable[tuple[int, int]]) -> int:
    return sum(number for _, number in ranges)


@once_for_each_program
def are_few(program: Program, steps: tuple[ops.Statement, ...]) -> bool:
    """Whether it is better to keep each cell that is written than all that could be. It takes two
    cells of memory to keep one, so there is always room."""
    most = _most(program, steps, {})
    return 0 < most * _CELLS_A_WRITE <= size(trials.kept(program, steps))


@once_for_each_program
def are_single(program: Program, steps: tuple[ops.Statement, ...]) -> bool:
    """Whether steps write one cell after the other, among many: mostly few are written then, even
    where nobody knows how many."""
    whole = (ops.MovePiece, ops.ShufflePlace, ops.Know, ops.WhatIf)
    if any(isinstance(op, whole) for op in with_called(program, steps)):
        return False
    return size(trials.kept(program, steps)) >= _MANY


def _most(program: Program, code: Any, functions: dict[int, int]) -> int:
    """How many times code writes a cell, at most; `functions` are those that were counted."""
    inside = min(_TOO_OFTEN, sum(_most(program, part, functions) for part in parts(code)))
    match code:
        case ops.SetMemory() | ops.SetMemoryAt():
            return inside + 1
        case ops.CountLoop(low=ops.Const(low), high=ops.Const(high)):
            return min(_TOO_OFTEN, inside * max(0, high - low))
        case ops.CountLoop() | ops.While() | ops.Reach():
            return _TOO_OFTEN if inside else 0
        case ops.Call(number):
            if number not in functions:
                functions[number] = _TOO_OFTEN  # if it calls itself, however far down
                functions[number] = _most(program, program.functions[number].body, functions)
            return min(_TOO_OFTEN, inside + functions[number])
        case ops.MovePiece() | ops.ShufflePlace() | ops.Know() | ops.WhatIf():
            return _TOO_OFTEN
        case _:  # no other writes by itself
            return inside


def reached(program: Program, starts: Iterable[int], end: type) -> set[int]:
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

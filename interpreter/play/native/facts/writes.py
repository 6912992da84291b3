"""Which cells a stretch of the program can write: what has to be put back after a trial.

A sealed body runs on the state itself. Before, the cells it can write are saved; afterwards
they are put back. That is often a small part of the state.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from interpreter.play.pieces import CONTENTS
from interpreter.program import ops
from interpreter.program.program import Program
from interpreter.program.verify import operations

Ranges = list[tuple[int, int]]  # first cell and number of cells, in order, apart


def sealed(program: Program) -> Ranges:
    """All that sealed bodies can write, besides the header and the choices themselves."""
    starts = [op.body.position for op in program.code if isinstance(op, ops.Sealed)]
    seats = [(op.seat, 1) for op in program.code if isinstance(op, ops.Sealed)]
    reached = _reached(program, starts, ops.SealedEnd)
    inside = {pc for pc in reached if not isinstance(program.code[pc], ops.SealedEnd)}
    return _merged([*_cells(program, inside), *seats])


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
        case _:
            return [pc + 1]


def _cells(program: Program, reached: set[int]) -> Ranges:
    found: Ranges = []
    layout = program.layout
    functions: set[int] = set()
    for pc in reached:
        op = program.code[pc]
        found += _of_statements(program, op, functions)
        match op:
            case ops.Invoke(number, arguments):
                found.append((program.routines[number].address, 1 + len(arguments)))
            case ops.Finish(number):
                found.append((program.routines[number].address, program.routines[number].size))
            case ops.Unwind():
                found.append((layout.frames, layout.frames_size))
            case ops.Decide():
                for entry in program.menus[op.menu].entries:
                    found += [(cell, 1) for cell in entry.cells]
            case ops.Chance(_, address):
                found.append((address, 1))
            case ops.Sealed() | ops.SealedEnd():
                wide = layout.players * layout.sealed_capacity * layout.sealed_width
                found += [(layout.sealed_length, layout.players), (layout.sealed_choices, wide)]
            case ops.Over():
                found.append((layout.scores, layout.players))
                found.append((layout.frames, layout.frames_size))
            case _:
                pass
    if any(isinstance(program.code[pc], ops.Over) for pc in reached):
        for number in (program.score, program.winners):
            if number >= 0:
                found += _of_statements(program, ops.Call(number, ()), functions)
    return found


def _of_statements(program: Program, code: Any, functions: set[int]) -> Ranges:
    found: Ranges = []
    for op in operations(code):
        match op:
            case ops.SetMemory(address):
                found.append((address, 1))
            case ops.SetMemoryAt(base, _, number):
                found.append((base, min(number, program.layout.size - base)))
            case ops.MovePiece(kind) | ops.ShufflePlace(kind) | ops.Know(kind):
                found += _of_kind(program, kind)
            case ops.Call(function) if function not in functions:
                functions.add(function)
                found += _of_statements(program, program.functions[function].body, functions)
            case _:
                pass
    return found


def _of_kind(program: Program, number: int) -> Ranges:
    kind = program.layout.kinds[number]
    starts = (kind.where, kind.position, kind.known)
    found = [(start, len(kind.row_of)) for start in starts if start >= 0]
    places = zip(kind.instance_address[1:], kind.instance_capacity[1:], strict=True)
    return [*found, *((address, CONTENTS + room) for address, room in places)]


def _merged(ranges: Ranges) -> Ranges:
    found: Ranges = []
    for first, number in sorted(each for each in ranges if each[1] > 0):
        if found and first <= found[-1][0] + found[-1][1]:
            start = found[-1][0]
            found[-1] = start, max(found[-1][1], first + number - start)
        else:
            found.append((first, number))
    return found

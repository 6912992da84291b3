"""Where the cells of frames come from: what `let` and parameters were worked out from.

To work such a cell out once more, what went into it must still be there. So views keep the cells
that will be looked at again (`liveness`), and those these were worked out from.
"""

from __future__ import annotations

from typing import Any

from interpreter.program import ops
from interpreter.program.liveness import Active, active_routines, live_cells
from interpreter.program.program import Program
from interpreter.program.verify import operations

Cells = frozenset[int]


def runs(program: Program, number: int) -> dict[int, list[int]]:
    """The positions of the runs of statements that write each cell of a routine's frame."""
    if number not in program.runs:
        found: dict[int, list[int]] = {}
        start = program.routines[number].entry.position
        ends = [each.entry.position for each in program.routines if each.entry.position > start]
        for pc in range(start, min(ends, default=len(program.code))):
            for cell in _written(program.code[pc]):
                found.setdefault(cell, []).append(pc)
        program.runs[number] = found
    return program.runs[number]


def arguments(program: Program, each: Active, caller: Active | None) -> dict[int, ops.Expr]:
    """What the parameters of a routine under way were given, but for those changed since."""
    call = program.code[caller.pc - 1] if caller is not None else None
    if not isinstance(call, ops.Invoke) or call.routine != each.number:
        return {}
    changed = runs(program, each.number)
    given = enumerate(call.arguments, each.routine.address + 1)
    return {cell: value for cell, value in given if cell not in changed}


def kept(program: Program, m: list[int]) -> list[tuple[Active, Cells]]:
    """The routines under way, the innermost first, with the cells that are needed of each."""
    active = active_routines(program, m)
    where = tuple(each.pc for each in active)
    if where not in program.kept:
        program.kept[where] = dict(_kept(program, active))
    return [(each, program.kept[where][each.number]) for each in active]


def _kept(program: Program, active: list[Active]) -> list[tuple[int, Cells]]:
    if not program.live:
        program.live = live_cells(program)
    needed: set[int] = set()
    found: list[tuple[int, Cells]] = []
    for each, caller in zip(active, [*active[1:], None], strict=False):
        first = each.routine.address
        frame = range(first, first + each.routine.size)
        cells = set(program.live[each.pc]) | {cell for cell in needed if cell in frame}
        given = arguments(program, each, caller)
        lets = {first + offset for offset in each.routine.lets}
        waiting = list(cells)
        while waiting:
            cell = waiting.pop()
            sources: Cells = frozenset()
            if cell in given:
                needed |= read(program, given[cell])
            elif cell in lets:
                writers = runs(program, each.number).get(cell, ())
                sources = frozenset().union(*(read(program, program.code[pc]) for pc in writers))
            waiting += sources - cells
            cells |= sources
        found.append((each.number, frozenset(cells)))
    return found


def read(program: Program, item: Any) -> Cells:
    """The cells of frames that are read by an operation, in functions it calls, too."""
    found: set[int] = set()
    first = program.layout.frames
    waiting, called = [item], set[int]()
    while waiting:
        for each in operations(waiting.pop()):
            match each:
                case ops.Memory(address) if address >= first:
                    found.add(address)
                case ops.MemoryAt(base, _, size) if base >= first:
                    found.update(range(base, base + size))
                case ops.Call(function) if function not in called:
                    called.add(function)
                    waiting.append(program.functions[function].body)
                case _:
                    pass
    return frozenset(found)


def _written(op: ops.Instruction) -> set[int]:
    found: set[int] = set()
    for each in operations(op.statements) if isinstance(op, ops.Do) else ():
        match each:
            case ops.SetMemory(address):
                found.add(address)
            case ops.SetMemoryAt(base, _, size):
                found.update(range(base, base + size))
            case _:
                pass
    return found

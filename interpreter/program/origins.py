"""Where the cells of frames come from: what `let` and parameters were worked out from.

To work such a cell out once more, what went into it must still be there. So views keep the cells
that will be looked at again (`liveness`), and those these were worked out from.
"""

from __future__ import annotations

from interpreter.program import ops
from interpreter.program.liveness import Active, active_at, active_routines, live_cells
from interpreter.program.once import once_for_each_program
from interpreter.program.program import Program
from interpreter.program.touches import Cells, cells_written, frame_cells_read


@once_for_each_program
def runs(program: Program, number: int) -> dict[int, list[int]]:
    """The positions of the runs of statements that write each cell of a routine's frame."""
    found: dict[int, list[int]] = {}
    start = program.routines[number].entry.position
    ends = [each.entry.position for each in program.routines if each.entry.position > start]
    for pc in range(start, min(ends, default=len(program.code))):
        op = program.code[pc]
        spans = cells_written(program, op.statements) if isinstance(op, ops.Do) else ()
        for cell in {cell for span in spans for cell in span if cell >= program.layout.frames}:
            found.setdefault(cell, []).append(pc)
    return found


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
    return kept_at(program, under_way(program, m))


def under_way(program: Program, m: list[int]) -> tuple[int, ...]:
    """Where the routines under way go on, the innermost first."""
    return tuple(each.pc for each in active_routines(program, m))


@once_for_each_program
def kept_at(program: Program, where: tuple[int, ...]) -> list[tuple[Active, Cells]]:
    """The same for routines that go on there. Nothing else of a state counts."""
    active = [active_at(program, pc) for pc in where]
    live = live_cells(program)
    needed: set[int] = set()
    found: list[Cells] = []
    for each, caller in zip(active, [*active[1:], None], strict=False):
        first = each.routine.address
        frame = range(first, first + each.routine.size)
        cells = set(live[each.pc]) | {cell for cell in needed if cell in frame}
        given = arguments(program, each, caller)
        lets = {first + offset for offset in each.routine.lets}
        waiting = list(cells)
        while waiting:
            cell = waiting.pop()
            sources: Cells = frozenset()
            if cell in given:
                needed |= frame_cells_read(program, given[cell])
            elif cell in lets:
                writers = runs(program, each.number).get(cell, ())
                found_in = (frame_cells_read(program, program.code[pc]) for pc in writers)
                sources = frozenset().union(*found_in)
            waiting += sources - cells
            cells |= sources
        found.append(frozenset(cells))
    return list(zip(active, found, strict=True))

"""Where a game stands: what the rules are doing, and whose turn it is."""

from __future__ import annotations

from collections.abc import Sequence

from interpreter.program.liveness import active_routines
from interpreter.program.program import Program


def names_under_way(program: Program, m: Sequence[int]) -> tuple[str, ...]:
    """The routines under way by their names, the outermost first."""
    return tuple(each.routine.name for each in reversed(active_routines(program, m)))


def phase_of(under_way: tuple[str, ...]) -> str:
    """What the outermost of them is doing; itself, if it does it alone."""
    return under_way[:2][-1] if under_way else ""


def turn_of(program: Program, m: Sequence[int]) -> int | None:
    """Who has the turn in the innermost `turns` under way. Who that is everybody sees."""
    for each in active_routines(program, m):
        inside = [
            cell
            for first, end, cell in each.routine.turns
            if first.position <= each.pc < end.position
        ]
        if inside:
            return m[each.routine.address + inside[-1]]
    return None

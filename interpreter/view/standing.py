"""Where a game stands: what the rules are doing, and whose turn it is."""

from __future__ import annotations

from collections.abc import Sequence

from interpreter.program import ops
from interpreter.program.layout import PC
from interpreter.program.liveness import active_routines
from interpreter.program.program import Program
from interpreter.report.source import Mark


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


def asked_at(program: Program, m: Sequence[int]) -> Mark:
    """The line that asks somebody to choose; the top of the rules, if nobody is asked."""
    op = program.code[m[PC]] if 0 <= m[PC] < len(program.code) else None
    at = op.at if isinstance(op, ops.Decide | ops.Sealed) else -1
    return program.spots[at].mark if at >= 0 else Mark.top(program.title)

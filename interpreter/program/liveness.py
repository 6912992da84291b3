"""Which cells of a routine's frame can still matter where a game stands.

A frame keeps what its routine has worked out: the loop it is in, the piece just drawn, a die
just rolled. Most of it is never looked at again, but it is still there, and a view must not
carry it. So views keep only the cells that some later instruction can read before it is
written anew: the usual backward analysis, one routine at a time.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import assert_never

from interpreter.program import ops
from interpreter.program.layout import CHANCE, DECISION, SEALING, STATUS
from interpreter.program.layout import PC as PC_CELL
from interpreter.program.once import once_for_each_program
from interpreter.program.program import Program
from interpreter.program.touches import Cells, frame_cells_read

Ways = tuple[tuple[int, Cells], ...]
_NONE: Cells = frozenset()


@dataclass(frozen=True, slots=True)
class Active:
    """A routine that is under way, and where it goes on."""

    number: int
    routine: ops.Routine
    pc: int


@once_for_each_program
def active_at(program: Program, pc: int) -> Active:
    """The routine that an instruction belongs to, as under way there."""
    begun = [n for n, each in enumerate(program.routines) if each.entry.position <= pc]
    number = begun[-1] if begun else 0
    return Active(number, program.routines[number], pc)


def active_routines(program: Program, m: Sequence[int]) -> list[Active]:
    """The routines under way at a stop, the innermost first; none when the game is over."""
    if m[STATUS] not in (DECISION, CHANCE, SEALING):
        return []
    pc = m[PC_CELL]
    found: list[Active] = []
    while True:
        found.append(active_at(program, pc))
        pc = m[found[-1].routine.address]
        if found[-1].number == 0 or pc <= 0 or len(found) > len(program.routines):
            return found


@dataclass(frozen=True, slots=True)
class _Flow:
    """One instruction: what it reads, and where the game can go from it, with the cells that
    are certainly written on that way."""

    reads: Cells
    ways: Ways


@once_for_each_program
def live_cells(program: Program) -> list[Cells]:
    """For every instruction, the cells whose values it or what follows it can need."""
    return _Analysis(program).run()


class _Analysis:
    def __init__(self, program: Program) -> None:
        self.program = program
        self.unwound: dict[int, set[int]] = {}
        for op in program.code:
            if isinstance(op, ops.Unwind):
                self.unwound.setdefault(op.routine, set()).add(op.target.position)

    def run(self) -> list[Cells]:
        program = self.program
        live: list[Cells] = [_NONE] * len(program.code)
        starts = [routine.entry.position for routine in program.routines] + [len(program.code)]
        for number in range(len(program.routines)):
            span = range(starts[number], starts[number + 1])
            flows = {pc: self._flow(number, pc) for pc in span}
            changed = True
            while changed:
                changed = False
                for pc in reversed(span):
                    found = flows[pc].reads.union(
                        *(live[to] - written for to, written in flows[pc].ways)
                    )
                    if found != live[pc]:
                        live[pc] = found
                        changed = True
        return live

    def _flow(self, routine: int, pc: int) -> _Flow:
        op = self.program.code[pc]
        if isinstance(op, ops.Do):
            reads, written = self._block(op.statements)
            return _Flow(reads, ((pc + 1, written),))
        return _Flow(frame_cells_read(self.program, op), self._ways(routine, pc, op))

    def _ways(self, routine: int, pc: int, op: ops.Instruction) -> Ways:
        match op:
            case ops.Do() | ops.LookAhead() | ops.LookEnd():
                return ((pc + 1, _NONE),)
            case ops.Goto(target):
                return ((target.position, _NONE),)
            case ops.Unless(_, target):
                return ((pc + 1, _NONE), (target.position, _NONE))
            case ops.Invoke():
                return tuple((to, _NONE) for to in {pc + 1, *self.unwound.get(routine, ())})
            case ops.Unwind(wanted, target):
                return ((target.position, _NONE),) if wanted == routine else ()
            case ops.Decide(menu, _, otherwise):
                entries = self.program.menus[menu].entries
                chosen = [(each.target.position, frozenset(each.cells)) for each in entries]
                none = [] if otherwise is None else [(otherwise.position, _NONE)]
                return (*none, *chosen)
            case ops.Chance(_, address):
                return ((pc + 1, frozenset({address})),)
            case ops.Sealed():
                return _sealed_ways(op)
            case ops.SealedEnd():
                return self._sealed_end(pc)
            case ops.Finish() | ops.Over():
                return ()
            case _:
                assert_never(op)

    def _sealed_end(self, pc: int) -> Ways:
        """From the end of a sealed block the next seat's turn at it begins, or the rest."""
        for op in reversed(self.program.code[:pc]):
            if isinstance(op, ops.Sealed) and op.body.position <= pc < op.end.position:
                return _sealed_ways(op)
        return ()

    def _block(self, statements: tuple[ops.Statement, ...]) -> tuple[Cells, Cells]:
        """What is read before it is written, and what is certainly written; a cell set in a
        branch may not be."""
        reads: set[int] = set()
        written: set[int] = set()
        for statement in statements:
            reads |= frame_cells_read(self.program, statement) - written
            written |= _certainly_written(statement)
        return frozenset(reads), frozenset(written)


def _certainly_written(statement: ops.Statement) -> Cells:
    """By a statement that sets one cell, or a loop that only sets one cell after the other."""
    match statement:
        case ops.SetMemory(address, _):
            return frozenset({address})
        case ops.CountLoop(
            _, ops.Const(0), ops.Const(count), (ops.SetMemoryAt(base, ops.Local(), size, _),)
        ) if size == count:
            return frozenset(range(base, base + size))
        case _:  # all others may leave a cell as it was
            return _NONE


def _sealed_ways(op: ops.Sealed) -> Ways:
    return ((op.body.position, frozenset({op.seat})), (op.end.position, _NONE))

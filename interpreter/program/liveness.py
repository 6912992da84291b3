"""Which cells of a routine's frame can still matter where a game stands.

A frame keeps what its routine has worked out: the loop it is in, the piece just drawn, a die
just rolled. Most of it is never looked at again, but it is still there, and a view must not
carry it. So views keep only the cells that some later instruction can read before it is
written anew: the usual backward analysis, one routine at a time.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, is_dataclass
from functools import cache
from typing import Any

from interpreter.program import ops
from interpreter.program.layout import CHANCE, DECISION, SEALING, STATUS
from interpreter.program.layout import PC as PC_CELL
from interpreter.program.program import Program

Cells = frozenset[int]
_NONE: Cells = frozenset()


@dataclass(frozen=True, slots=True)
class Active:
    """A routine that is under way, and where it goes on."""

    number: int
    routine: ops.Routine
    pc: int


def routine_at(program: Program, pc: int) -> int:
    found = 0
    for number, routine in enumerate(program.routines):
        if routine.entry.position <= pc:
            found = number
    return found


def active_routines(program: Program, m: list[int]) -> list[Active]:
    """The routines under way at a stop, the innermost first; none when the game is over."""
    if m[STATUS] not in (DECISION, CHANCE, SEALING):
        return []
    pc = m[PC_CELL]
    found: list[Active] = []
    while True:
        number = routine_at(program, pc)
        routine = program.routines[number]
        found.append(Active(number, routine, pc))
        pc = m[routine.address]
        if number == 0 or pc <= 0 or len(found) > len(program.routines):
            return found


class Liveness:
    """For every instruction, the cells whose values it or what follows it can need."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.first = program.layout.frames
        self.live: list[Cells] = [_NONE] * len(program.code)
        self.read_by_function = cache(self._read_by_function)
        self.under_way: set[int] = set()
        starts = [routine.entry.position for routine in program.routines] + [len(program.code)]
        self.unwound: dict[int, set[int]] = {}
        for op in program.code:
            if isinstance(op, ops.Unwind):
                self.unwound.setdefault(op.routine, set()).add(op.target.position)
        for number in range(len(program.routines)):
            self._solve(number, starts[number], starts[number + 1])

    def _solve(self, routine: int, start: int, end: int) -> None:
        changed = True
        while changed:
            changed = False
            for pc in range(end - 1, start - 1, -1):
                found = self._before(routine, pc, start)
                if found != self.live[pc]:
                    self.live[pc] = found
                    changed = True

    def _at(self, pc: int) -> Cells:
        return self.live[pc] if 0 <= pc < len(self.live) else _NONE

    def _before(self, routine: int, pc: int, start: int) -> Cells:
        op = self.program.code[pc]
        after = self._at(pc + 1)
        match op:
            case ops.Do(statements):
                return self._block(statements, after)
            case ops.Goto(target):
                return self._at(target.position)
            case ops.Unless(condition, target):
                return after | self._at(target.position) | self.reads(condition)
            case ops.Invoke():
                ways = [self._at(target) for target in self.unwound.get(routine, ())]
                return after.union(*ways) | self.reads(op.arguments)
            case ops.Unwind(wanted, target):
                return self._at(target.position) if wanted == routine else _NONE
            case ops.Decide():
                return self._decide(op)
            case ops.Chance():
                rest = (after - {op.address}) | self.read_by_function(op.generator)
                return rest | self.reads(op.index)
            case ops.Sealed(seat, body, end):
                return (self._at(body.position) - {seat}) | self._at(end.position)
            case ops.SealedEnd():
                return self._sealed_end(pc, start)
            case ops.Finish() | ops.Over():
                return _NONE
            case _:
                return after

    def _decide(self, op: ops.Decide) -> Cells:
        found = self.reads(op.seat)
        if op.otherwise is not None:
            found |= self._at(op.otherwise.position)
        for entry in self.program.menus[op.menu].entries:
            found |= self._at(entry.target.position) - set(entry.cells)
            found |= self.read_by_function(entry.generator)
            for guard in entry.guards:
                found |= self.read_by_function(guard.function)
            text = self.program.actions[entry.action].text
            for function in text.functions if text is not None else ():
                found |= self.read_by_function(function)
        return found

    def _sealed_end(self, pc: int, start: int) -> Cells:
        """From the end of a sealed block the next seat's turn at it begins, or the rest."""
        for position in range(pc, start - 1, -1):
            op = self.program.code[position]
            if isinstance(op, ops.Sealed) and op.body.position <= pc < op.end.position:
                return (self._at(op.body.position) - {op.seat}) | self._at(op.end.position)
        return _NONE

    def _block(self, statements: tuple[ops.Statement, ...], after: Cells) -> Cells:
        """Only what is certainly written ends a life: a cell set in a branch may not be."""
        live = after
        for statement in reversed(statements):
            match statement:
                case ops.SetMemory(address, value):
                    live = (live - {address}) | self.reads(value)
                case ops.CountLoop(_, ops.Const(0), _, (ops.SetMemoryAt(base, _, size),)):
                    # An array filled from its start: what it held before is gone.
                    live = (live - set(range(base, base + size))) | self.reads(statement)
                case _:
                    live |= self.reads(statement)
        return live

    def reads(self, item: Any) -> Cells:
        """Every cell of a frame that an operation can read, in functions it calls too."""
        found: set[int] = set()
        waiting = [item]
        while waiting:
            each = waiting.pop()
            if isinstance(each, tuple):
                waiting.extend(each)
                continue
            match each:
                case ops.Memory(address):
                    if address >= self.first:
                        found.add(address)
                case ops.MemoryAt(base, _, size):
                    if base >= self.first:
                        found.update(range(base, base + size))
                case ops.Call(function):
                    found |= self.read_by_function(function)
            if is_dataclass(each) and not isinstance(each, (type, ops.Label)):
                waiting.extend(getattr(each, field.name) for field in fields(each))
        return frozenset(found)

    def _read_by_function(self, number: int) -> Cells:
        if number in self.under_way:
            return _NONE  # it calls itself: the first call counts what it reads
        self.under_way.add(number)
        try:
            return self.reads(self.program.functions[number].body)
        finally:
            self.under_way.discard(number)

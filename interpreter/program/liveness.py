"""Which cells of a routine's frame can still matter where a game stands.

A frame keeps what its routine has worked out: the loop it is in, the piece just drawn, a die
just rolled. Most of it is never looked at again, but it is still there, and a view must not
carry it. So views keep only the cells that some later instruction can read before it is
written anew: the usual backward analysis, one routine at a time.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, is_dataclass
from typing import Any, assert_never

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


@dataclass(frozen=True, slots=True)
class _Flow:
    """One instruction: what it reads, and where the game can go from it, with the cells that
    are certainly written on that way."""

    reads: Cells
    ways: tuple[tuple[int, Cells], ...]


def live_cells(program: Program) -> list[Cells]:
    """For every instruction, the cells whose values it or what follows it can need."""
    return _Analysis(program).run()


class _Analysis:
    def __init__(self, program: Program) -> None:
        self.program = program
        self.first = program.layout.frames
        self.by_function: dict[int, Cells] = {}
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
        match op:
            case ops.Do(statements):
                reads, written = self._block(statements)
                return _Flow(reads, ((pc + 1, written),))
            case ops.Goto(target):
                return _Flow(_NONE, ((target.position, _NONE),))
            case ops.Unless(condition, target):
                return _Flow(self.reads(condition), ((pc + 1, _NONE), (target.position, _NONE)))
            case ops.Invoke():
                ways = {pc + 1, *self.unwound.get(routine, ())}
                return _Flow(self.reads(op.arguments), tuple((to, _NONE) for to in ways))
            case ops.Unwind(wanted, target):
                ways = {target.position} if wanted == routine else set()
                return _Flow(_NONE, tuple((to, _NONE) for to in ways))
            case ops.Decide():
                return self._decide(op)
            case ops.Chance():
                reads = self._read_by(op.generator) | self.reads(op.index)
                return _Flow(reads, ((pc + 1, frozenset({op.address})),))
            case ops.Sealed():
                return _Flow(_NONE, _sealed_ways(op))
            case ops.SealedEnd():
                return _Flow(_NONE, self._sealed_end(pc))
            case ops.Finish() | ops.Over():
                return _Flow(_NONE, ())
            case ops.LookAhead() | ops.LookEnd():
                return _Flow(_NONE, ((pc + 1, _NONE),))
            case _:
                assert_never(op)

    def _decide(self, op: ops.Decide) -> _Flow:
        reads = self.reads(op.seat)
        ways: list[tuple[int, Cells]] = []
        if op.otherwise is not None:
            ways.append((op.otherwise.position, _NONE))
        for entry in self.program.menus[op.menu].entries:
            ways.append((entry.target.position, frozenset(entry.cells)))
            reads |= self._read_by(entry.generator)
            for guard in entry.guards:
                reads |= self._read_by(guard.function)
            text = self.program.actions[entry.action].text
            for function in text.functions if text is not None else ():
                reads |= self._read_by(function)
        return _Flow(reads, tuple(ways))

    def _sealed_end(self, pc: int) -> tuple[tuple[int, Cells], ...]:
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
            reads |= self.reads(statement) - written
            match statement:
                case ops.SetMemory(address, _):
                    written.add(address)
                case ops.CountLoop(_, ops.Const(0), ops.Const(count), body) if len(body) == 1:
                    match body[0]:
                        case ops.SetMemoryAt(base, ops.Local(), size, _) if size == count:
                            written.update(range(base, base + size))
                        case _:
                            pass
                case _:
                    pass
        return frozenset(reads), frozenset(written)

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
                    found |= self._read_by(function)
                case _:
                    pass
            if is_dataclass(each) and not isinstance(each, (type, ops.Label)):
                waiting.extend(getattr(each, field.name) for field in fields(each))
        return frozenset(found)

    def _read_by(self, number: int) -> Cells:
        """What a function reads. One that calls itself counts its own reads once."""
        if number not in self.by_function:
            self.by_function[number] = _NONE
            self.by_function[number] = self.reads(self.program.functions[number].body)
        return self.by_function[number]


def _sealed_ways(op: ops.Sealed) -> tuple[tuple[int, Cells], ...]:
    return ((op.body.position, frozenset({op.seat})), (op.end.position, _NONE))

"""How often a game has gone round: passes of the outermost loop in which somebody chooses.

Rules have no word for a round; they have loops. A stop lies in a chain of routines, and the
outermost of them that is in a loop says which loop it is. `turns` have gone round when somebody
gets a turn who has had one since. All others are followed by a counter: `repeat 5 times` and `for
each` have one, and loops that have none get one (`counted`), in a cell behind all others that no
rule knows of.
"""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass, field, fields, is_dataclass
from typing import Any

from interpreter.play.buffer import Buffer
from interpreter.program import ops
from interpreter.program.layout import PC, SEALED
from interpreter.program.liveness import active_at
from interpreter.program.once import once_for_each_program
from interpreter.program.program import Program

PLAIN, COUNTED, TURNS = range(3)
DEEPEST = 64  # routines inside each other that are looked at
NOWHERE = -1


@dataclass(frozen=True, slots=True)
class Loop:
    first: int
    last: int
    form: int
    cell: int  # of the counter, or of whose turn it is


@dataclass(frozen=True, slots=True)
class Loops:
    """The loops of a program that lie in no other of their routine. By place in the code: the
    number of the loop there, or -1, and where the frame of the routine lies (0: it is the
    outermost)."""

    loops: tuple[Loop, ...]
    outer: tuple[int, ...]
    frames: tuple[int, ...]


@once_for_each_program
def circling_of(program: Program) -> Loops:
    spans = _outermost(program)
    loops = [Loop(first, last, *_form(program, first, last)) for first, last in spans]
    outer = [NOWHERE] * (len(program.code) + 1)
    for number, (first, last) in enumerate(spans):
        outer[first : last + 1] = [number] * (last + 1 - first)
    actives = [active_at(program, pc) for pc in range(len(program.code) + 1)]
    frames = tuple(each.routine.address if each.number else 0 for each in actives)
    return Loops(tuple(loops), tuple(outer), frames)


def _outermost(program: Program) -> list[tuple[int, int]]:
    """From where a loop begins to its last jump back."""
    last: dict[int, int] = {}
    for pc, op in enumerate(program.code):
        if isinstance(op, ops.Goto) and op.target.position <= pc:
            last[op.target.position] = pc
    found: list[tuple[int, int]] = []
    for span in sorted(last.items()):
        if not found or span[0] > found[-1][1]:
            found.append(span)
        else:  # it lies in the one before, or goes on a little further with a jump of its own
            found[-1] = found[-1][0], max(found[-1][1], span[1])
    return found


def _form(program: Program, first: int, last: int) -> tuple[int, int]:
    routine, layout = active_at(program, first).routine, program.layout
    for _, end, cell in routine.turns:
        if end.position == last + 1:
            return TURNS, routine.address + cell
    match program.code[first]:
        case ops.Unless(ops.Binary("more" | "less", ops.Memory(cell))):
            if routine.address < cell < routine.address + routine.size:
                return COUNTED, cell
        case ops.Do((ops.SetMemory(cell),)) if cell >= layout.frames + layout.frames_size:
            return COUNTED, cell
        case _:  # any other loop counts nothing
            pass
    return PLAIN, 0


@once_for_each_program
def counted(program: Program) -> Program:
    """The same program with a counter for each loop that counts nothing. Games of it are the same,
    decision by decision; only their states are a little longer."""
    plain = [each.first for each in circling_of(program).loops if each.form == PLAIN]
    if not plain:
        return program
    found = deepcopy(program)
    labels = list(_labels(found))
    for first in reversed(plain):
        cell = found.layout.size
        found.layout.size += 1
        one = ops.SetMemory(cell, ops.Binary("add", ops.Memory(cell), ops.Const(1)))
        found.code.insert(first, ops.Do((one,), 0, -1))
        for label in labels:
            label.position += label.position > first
    return found


def _labels(program: Program) -> Iterator[ops.Label]:
    """Every label once."""
    seen: set[int] = set()
    waiting: list[Any] = [program.code, program.routines, program.menus, program.start]
    while waiting:
        each = waiting.pop()
        if isinstance(each, ops.Label):
            if id(each) not in seen:
                seen.add(id(each))
                yield each
        elif isinstance(each, list | tuple):
            waiting += each
        elif isinstance(each, ops.Routine):
            waiting += [each.entry, each.end, each.turns]
        elif isinstance(each, ops.Menu):
            waiting += [entry.target for entry in each.entries]
        elif is_dataclass(each):  # an instruction
            waiting += [
                part for f in fields(each) if isinstance(part := getattr(each, f.name), ops.Label)
            ]


@dataclass(slots=True)
class Circling:
    """One game. Rounds are 0 for rules that have no loop around their choices."""

    loops: Loops
    passes: list[int] = field(default_factory=list)  # of each loop
    loop: int = NOWHERE
    place: int = NOWHERE  # where it is
    value: int = 0  # of its counter, or whose turn it is
    turns: int = 0  # who has had a turn in this round, as bits

    def __post_init__(self) -> None:
        self.passes = [0] * len(self.loops.loops)

    @property
    def rounds(self) -> int:
        """Of the loop that has gone round most often: what comes before is setup."""
        return max(self.passes, default=0)

    def look(self, m: Buffer) -> tuple[bool, bool]:
        """Called where somebody chooses; of a sealed block, once. Whether the outermost loop has
        got to another place since, and whether it has gone round."""
        place = self._outermost(m)
        number = self.loops.outer[place]
        moved = place != self.place
        self.place = place
        if number == NOWHERE:
            return moved, False
        loop = self.loops.loops[number]
        value = m[loop.cell] if loop.form != PLAIN else 0
        passed = number != self.loop or value != self.value
        moved = moved or passed
        if number == self.loop and loop.form == TURNS:
            passed = passed and bool(self.turns >> value & 1)
        if passed:
            self.passes[number] += 1
            self.turns = 0
        self.loop, self.value = number, value
        if loop.form == TURNS:
            self.turns |= 1 << value
        return moved, passed

    def _outermost(self, m: Buffer) -> int:
        """Of the places in the code that are under way, the outermost in a loop, or just the
        outermost. A sealed block is one place, wherever its players are."""
        place = m[SEALED] - 1 if m[SEALED] else m[PC]
        found = NOWHERE
        for _ in range(DEEPEST):
            if self.loops.outer[place] != NOWHERE:
                found = place
            frame = self.loops.frames[place]
            if not frame or m[frame] <= 0:
                break
            place = m[frame]
        return place if found == NOWHERE else found

"""What a seat sees, as a row of numbers: see `columns.py`."""

from __future__ import annotations

from interpreter.play import knowledge, pieces
from interpreter.play.buffer import Buffer
from interpreter.play.machine import Machine
from interpreter.play.pieces import CONTENTS, UNDER, UNORDERED
from interpreter.play.spaces import columns
from interpreter.play.spaces.columns import (
    CELLS,
    EVERYBODY,
    LOOSE,
    NAMES,
    Part,
    columns_of,
    looks_of,
)
from interpreter.program import layout
from interpreter.program.program import Program


def observe(machine: Machine, m: Buffer, seat: int) -> list[int]:
    """The row of a seat. While sealed choices are open, it sees its own as made."""
    program = machine.program
    acting = seat in machine.seats_to_act(m)
    sealed = m[layout.STATUS] == layout.SEALING
    seen = machine.sealed_view(m, seat) if sealed else m
    row = list(columns_of(program).blank)
    row[columns.SEAT] = seat
    row[columns.ACTING] = int(acting)
    if sealed:
        row[columns.TURN] = program.players + 1
    elif m[layout.STATUS] == layout.DECISION:
        row[columns.TURN] = m[layout.SEAT] + 1
    row[columns.DECISION] = seen[layout.MENU] + 1 if acting else 0
    eyes = _Eyes(program, seen, seat, row)
    for part in columns_of(program).parts:
        eyes.see(part, 0, 0)
    return row


class _Eyes:
    def __init__(self, program: Program, m: Buffer, seat: int, row: list[int]) -> None:
        self.program, self.m, self.seat, self.row = program, m, seat, row

    def see(self, part: Part, start: int, host: int) -> None:
        """Write the columns of a part, counted from `start`, of a piece that it may belong to."""
        if part.owner not in (EVERYBODY, self.seat):
            return
        at, address = start + part.at, part.address + host * part.step
        if part.word == CELLS:
            for number in range(part.count):
                value = self.m[address + number]
                self.row[at + number] = min(max(value, part.low), part.high)
        elif part.word == NAMES:
            for number in range(part.count):
                self.row[at + number] = self._name(
                    part, address + number, number + host * part.step
                )
        elif part.word == LOOSE:
            self._loose(part, at, address)
        else:
            self._ordered(part, at, address)

    def _name(self, part: Part, cell: int, number: int) -> int:
        """The look of a piece that a variable names."""
        piece, kind = self.m[cell], self.program.layout.kinds[part.kind]
        if piece < 0:
            return 0
        if part.readers >= 0:
            readers = self.m[part.readers + number]
            seats = readers & pieces.SEATS if readers else pieces.who_knows(self.m, kind, piece)
            if not knowledge.among(seats, self.seat, kind.players):
                return looks_of(self.program, part.kind).backs[kind.row_of[piece]]
        return 1 + kind.row_of[piece]

    def _look(self, number: int, piece: int) -> int:
        kind, looks = self.program.layout.kinds[number], looks_of(self.program, number)
        row = kind.row_of[piece]
        if knowledge.knows(self.m, kind, piece, self.seat):
            return 1 + row
        seen = knowledge.sees_place(kind, self.m[kind.where + piece], self.seat)
        return (looks.sides if seen else looks.backs)[row]

    def _ordered(self, part: Part, at: int, address: int) -> None:
        m, row = self.m, self.row
        under = m[address + UNDER]
        shuffled = range(under, under + m[address + UNORDERED])
        for position in range(m[address]):
            piece = m[address + CONTENTS + position]
            start = at + position * part.stride
            row[start] = self._look(part.kind, piece)
            for below in part.below if position not in shuffled else ():
                self.see(below, start, piece)
        places = slice(at + under * part.stride, at + shuffled.stop * part.stride, part.stride)
        row[places] = sorted(row[places])

    def _loose(self, part: Part, at: int, address: int) -> None:
        m, kind = self.m, self.program.layout.kinds[part.kind]
        for piece in m[address + CONTENTS : address + CONTENTS + m[address]]:
            found = self._look(part.kind, piece) - 1
            shown = knowledge.knows(m, kind, piece, self.seat)
            shown = shown or knowledge.sees_place(kind, m[kind.where + piece], self.seat)
            for mark in part.marks:
                value = m[mark.address + piece * mark.step]
                here = min(max(value, mark.low), mark.high) - mark.low
                found = found * mark.size + here * shown
            self.row[at + found] += 1

"""Sealed choices: each seat's are written down in the buffer, and a seat's body is run on a copy
as far as they reach. When all are complete, the bodies are carried out one after the other."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from interpreter.play.buffer import SCRATCH, STOP, Buffer, Choice
from interpreter.play.failure import Failure
from interpreter.play.witness import Event
from interpreter.program import ops
from interpreter.program.layout import (
    DECIDED,
    MENU,
    MODE,
    PC,
    SEALED,
    SEALED_DONE,
    SEALED_READ,
    SEALED_SEAT,
    SEALING,
    STATUS,
    Layout,
)  # fmt: skip

if TYPE_CHECKING:
    from interpreter.play.machine import Machine


def begin(machine: Machine, op: ops.Sealed, pc: int) -> Callable[[Buffer], int]:
    """The instruction a game stands at until the choices of all seats are complete."""
    players = machine.program.players
    everyone = (1 << players) - 1

    def sealed(m: Buffer) -> int:
        if not m[SEALED]:
            m[SEALED] = pc + 1
            for seat in range(players):
                see_if_done(machine, m, seat)
        if m[SEALED_DONE] != everyone:
            m[STATUS], m[PC] = SEALING, pc
            return STOP
        return _enter_body(m, op, 0)

    return sealed


def end(machine: Machine) -> Callable[[Buffer], int]:
    """A body has come to its end: the next seat's follows, or what comes after the block."""
    program = machine.program
    everyone = (1 << program.players) - 1

    def sealed_end(m: Buffer) -> int:
        if m[MODE] & SCRATCH:
            m[STATUS] = SEALING
            return STOP
        op = _block(machine, m)
        seat = m[SEALED_SEAT]
        if seat < program.players:
            return _enter_body(m, op, seat)
        asked = everyone if op.asked is None else m[op.asked.address]
        m[DECIDED] += asked.bit_count()
        if machine.events is not None:
            machine.events.append(Event("sealed", m[SEALED] - 1, (asked,), before=m.copy()))
        m[SEALED] = m[SEALED_DONE] = m[SEALED_SEAT] = m[SEALED_READ] = m[op.seat] = 0
        _forget(program.layout, m)
        return op.end.position

    return sealed_end


def scratch(machine: Machine, m: Buffer, seat: int) -> Buffer:
    """Run one seat's sealed body on a copy, as far as its choices reach."""
    copy = m.copy()
    copy[MODE] |= SCRATCH
    pc = _enter_body(copy, _block(machine, m), seat)
    events, machine.events = machine.events, None
    try:
        machine.run(copy, pc)
    finally:
        machine.events = events
    return copy


def see_if_done(machine: Machine, m: Buffer, seat: int) -> None:
    if scratch(machine, m, seat)[STATUS] == SEALING:
        m[SEALED_DONE] |= 1 << seat


def record(machine: Machine, m: Buffer, seat: int, choice: Choice) -> None:
    """Write down a sealed choice, and go on when all are complete."""
    layout = machine.program.layout
    length = m[layout.sealed_length + seat]
    if length >= layout.sealed_capacity:
        raise Failure("RR613", machine.spot_near(m[PC]))
    row = layout.sealed_row(seat, length)
    m[row + layout.sealed_width - 1] = scratch(machine, m, seat)[MENU]
    m[row : row + len(choice)] = choice
    m[layout.sealed_length + seat] = length + 1
    see_if_done(machine, m, seat)
    machine.run(m, m[PC])


def find_recorded(machine: Machine, m: Buffer, menu: ops.Menu) -> Choice | None:
    """Inside a sealed body, the next choice that its seat has made; None if there is none."""
    layout, seat = machine.program.layout, m[SEALED_SEAT] - 1
    if m[SEALED_READ] >= m[layout.sealed_length + seat]:
        return None
    row = layout.sealed_row(seat, m[SEALED_READ])
    m[SEALED_READ] += 1
    entry = m[row]
    return (entry, *m[row + 1 : row + 1 + len(menu.entries[entry].cells)])


def _block(machine: Machine, m: Buffer) -> ops.Sealed:
    op = machine.program.code[m[SEALED] - 1]
    assert isinstance(op, ops.Sealed)
    return op


def _enter_body(m: Buffer, op: ops.Sealed, seat: int) -> int:
    m[SEALED_SEAT], m[SEALED_READ] = seat + 1, 0
    m[op.seat] = seat
    return op.body.position


def _forget(layout: Layout, m: Buffer) -> None:
    size = layout.players * layout.sealed_capacity * layout.sealed_width
    m[layout.sealed_choices : layout.sealed_choices + size] = [0] * size
    m[layout.sealed_length : layout.sealed_length + layout.players] = [0] * layout.players

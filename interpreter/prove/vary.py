"""Another state in place of one: all that a seat cannot know is made up anew.

This is written without a look at how states are imagined (`play/dealing.py`), which is one of the
things put to the test. Pieces that a seat cannot name change places with others whose backs, and
public sides where those are in sight, look the same; whatever names such a piece names the one that
lies there now. Secrets of the others take any value of their type, what they have sealed is
forgotten, and chance will bring something else.
"""

from __future__ import annotations

import random

from interpreter.play import borne
from interpreter.play.buffer import Buffer
from interpreter.play.failure import Failure
from interpreter.play.knowledge import SPECTATOR
from interpreter.play.machine import Machine
from interpreter.play.pieces import CONTENTS, UNDER, UNORDERED
from interpreter.play.verify import check_buffer
from interpreter.program import origins
from interpreter.program.layout import (
    KEY,
    MOVES,
    SEALED_DONE,
    SEALING,
    STATUS,
    KindLayout,
    VariableLayout,
)  # fmt: skip
from interpreter.program.program import Program
from interpreter.prove.sight import among, is_open, may_look

_ATTEMPTS = 8  # to find a state in which the game would stand where it does
_WIDEST = 1_000  # values of a secret number


def varied(machine: Machine, m: Buffer, seat: int, rnd: random.Random) -> Buffer | None:
    """A state that looks the same to a seat by all that is declared; None if none was found."""
    program = machine.program
    lengths = program.layout.sealed_length
    if m[STATUS] == SEALING and seat != SPECTATOR and m[lengths + seat]:
        return None  # what it has sealed may name pieces by their numbers
    for _ in range(_ATTEMPTS):
        copy = m.copy()
        copy[KEY] = rnd.getrandbits(62)
        _forget_sealed(program, copy, seat)
        for variable in program.layout.variables:
            _vary_secrets(program, copy, variable, seat, rnd)
        for kind in program.layout.kinds:
            if not kind.fungible and kind.known >= 0:
                _deal(program, copy, kind, seat, rnd)
        try:
            if machine.stands(copy, seat) and not check_buffer(program, copy):
                return copy
        except Failure:
            continue
    return None


def _forget_sealed(program: Program, m: Buffer, seat: int) -> None:
    layout = program.layout
    if not layout.sealed_width or m[STATUS] != SEALING:
        return
    size = layout.sealed_capacity * layout.sealed_width
    for other in range(program.players):
        if other != seat:
            m[MOVES] -= m[layout.sealed_length + other]
            m[layout.sealed_length + other] = 0
            start = layout.sealed_choices + other * size
            m[start : start + size] = [0] * size
            m[SEALED_DONE] &= ~(1 << other)


def _vary_secrets(
    program: Program, m: Buffer, variable: VariableLayout, seat: int, rnd: random.Random
) -> None:
    type_ = variable.type
    match type_.sort:
        case "int" | "bool":
            low, high = type_.low, type_.high
        case "enum" | "table":
            low, high = 0, len(program.enums[type_.name]) - 1
        case "player":
            low, high = 0, program.players - 1
        case "board":
            low, high = 0, len(program.boards[type_.name].cells) - 1
        case _:
            return
    if high - low > _WIDEST:
        return
    values = [*range(low, high + 1), *([type_.none] if type_.optional else [])]
    for number in range(variable.size if variable.secret else 0):
        if not is_open(program, variable, number, seat):
            m[variable.address + number] = rnd.choice(values)


def _deal(program: Program, m: Buffer, kind: KindLayout, seat: int, rnd: random.Random) -> None:
    """Let the pieces a seat cannot name change places among those that look the same."""
    alike: dict[tuple[str, str], list[int]] = {}
    for piece, row in enumerate(kind.row_of):
        place = m[kind.where + piece]
        seen = may_look(kind, place, seat)
        if among(m[kind.known + piece], seat, kind.players) or (seen and not kind.hidden_fields):
            continue
        side = kind.public_label[row] if seen else ""
        back = kind.back[row] if kind.back else ""
        alike.setdefault((side, back), []).append(piece)
    instead: dict[int, int] = {}
    for pieces in alike.values():
        instead |= dict(zip(pieces, rnd.sample(pieces, len(pieces)), strict=True))
    kept = {
        old: (
            m[kind.where + old],
            m[kind.position + old],
            m[kind.known + old],
        )
        for old in instead
    }
    for cell in _naming(program, m, kind):
        m[cell] = instead.get(m[cell], m[cell])
    for old, new in instead.items():
        place, position, known = kept[old]
        m[kind.where + new], m[kind.position + new], m[kind.known + new] = place, position, known
        if place:
            m[kind.instance_address[place] + CONTENTS + position] = new
    # What is written on a piece and what lies on it stays where it is seen.
    with_it = {old: borne.cells_with(program, kind, old) for old in instead}
    values = {old: [m[cell] for cell in cells] for old, cells in with_it.items()}
    for old, new in instead.items():
        for cell, value in zip(with_it[new], values[old], strict=True):
            m[cell] = value
    borne.settle(program, m, kind, with_it)
    for place in {place for place, *_ in kept.values() if place}:
        _sort(m, kind, place)


def _naming(program: Program, m: Buffer, kind: KindLayout) -> list[int]:
    """The cells that name pieces of a kind, wherever these lie. (A note that somebody has lost
    track of says what it said then.)"""
    found = [
        variable.address + number
        for variable in program.layout.variables
        if variable.type.sort == "kind" and variable.type.name == kind.name
        for number in range(variable.size)
        if variable.readers < 0 or not m[variable.readers + number]
    ]
    for each, cells in origins.kept(program, m):
        named = {each.routine.address + at for at, name in each.routine.pieces if name == kind.name}
        found += sorted(named & cells)
    return found


def _sort(m: Buffer, kind: KindLayout, place: int) -> None:
    """What lies in no order is kept by number."""
    address = kind.instance_address[place]
    low, count = m[address + UNDER], m[address + UNORDERED]
    if kind.instance_sorted[place]:
        low, count = 0, m[address]
    first = address + CONTENTS + low
    m[first : first + count] = sorted(m[first : first + count])
    for index in range(count):
        m[kind.position + m[first + index]] = low + index

"""What the declarations let a seat see: the judge of all leaks.

Two moments are alike for a seat if all it may see is alike: places that it sees, how many pieces
lie in the others, open variables, its own secrets, how the game ended. What it saw happen on the
way counts as well: pieces that came by in the open, what was shown to it, chance in the open. Rules
may disclose whatever they like in these ways, and by no other. That a seat remembers a piece it has
seen is nothing new to it, so what it remembers is no part of this.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from interpreter.embedding import State
from interpreter.play.buffer import Buffer
from interpreter.play.knowledge import SPECTATOR, mark_cells
from interpreter.play.pieces import CONTENTS, SHOWN, UNDER, UNORDERED, visible_position
from interpreter.play.witness import Event
from interpreter.program.layout import OVER, SEALING, STATUS, WINNERS, KindLayout, VariableLayout
from interpreter.program.program import Program

Seen = tuple[Any, ...]
UNSEEN = "?"


def may_look(kind: KindLayout, place: int, seat: int) -> bool:
    """Whether a seat sees what lies in a place. A spectator sees what everybody sees."""
    return among(kind.instance_viewers[place], seat, kind.players)


def among(seats: int, seat: int, players: int) -> bool:
    """Whether a seat is one of those in a mask, in which the spectators come after the seats."""
    return bool(seats >> (players if seat == SPECTATOR else seat) & 1)


def seen_by(state: State, seat: int) -> Seen:
    """The same in a state. In a sealed block a seat has seen what came of its own choices, which
    the rules may have answered by giving its variables other values."""
    m = state.buffer
    if m[STATUS] == SEALING and seat != SPECTATOR:
        m = state.game.machine.sealed_view(m, seat)
    return seen_now(state.game.program, m, seat)


def seen_now(program: Program, m: Buffer, seat: int) -> Seen:
    """Everything on the table that a seat may see at a stop."""
    over = m[STATUS] == OVER
    scores = m[program.layout.scores : program.layout.scores + program.players]
    return (
        (over, m[WINNERS], tuple(scores)) if over else (),
        tuple(_variable(program, m, each, seat) for each in program.layout.variables),
        tuple(_kind(program, m, kind, seat) for kind in program.layout.kinds),
        tuple(
            tuple(m[place.address : place.address + place.size * place.stride])
            for place in program.layout.places
            if place.word == "pool"
        ),
    )


def is_open(program: Program, variable: VariableLayout, number: int, seat: int) -> bool:
    """Whether a seat may see an entry of a variable."""
    if variable.unseen:
        return False
    return not variable.secret or number // (variable.size // program.players) == seat


def piece_kind(program: Program, variable: VariableLayout) -> KindLayout | None:
    """The kind of the pieces that a variable names, if they are told apart."""
    if variable.type.sort != "kind":
        return None
    kind = next(each for each in program.layout.kinds if each.name == variable.type.name)
    return None if kind.fungible else kind


def belongs_to_pieces(program: Program, variable: VariableLayout) -> bool:
    """Whether there is one entry for each piece: it is seen with the piece."""
    apart = {kind.name for kind in program.layout.kinds if not kind.fungible}
    return any(i.type.sort == "kind" and i.type.name in apart for i in variable.indexes)


def _variable(program: Program, m: Buffer, variable: VariableLayout, seat: int) -> Seen:
    if variable.name.startswith("used_") or belongs_to_pieces(program, variable):
        return ()
    kind = piece_kind(program, variable)
    found: list[object] = []
    for number in range(variable.size):
        value = m[variable.address + number]
        if not is_open(program, variable, number, seat):
            found.append(UNSEEN)
        elif kind is not None and value >= 0:
            found.append(_named(m, kind, variable, number, seat))
        else:
            found.append(value)
    return tuple(found)


def _named(m: Buffer, kind: KindLayout, variable: VariableLayout, number: int, seat: int) -> str:
    """What a note says to a seat: the piece, if the seat knows it, or knew it when somebody lost
    track of it."""
    piece = m[variable.address + number]
    readers = m[variable.readers + number] if kind.known >= 0 else 0
    known = kind.known < 0 or among(readers or m[kind.known + piece], seat, kind.players)
    return kind.rows[kind.row_of[piece]] if known else _face(m, kind, piece, seat)


def _face(m: Buffer, kind: KindLayout, piece: int, seat: int) -> str:
    """How a piece looks to a seat from where it sits. What was revealed lies open to those it was
    revealed to until it is moved, shuffled or hidden."""
    row = kind.row_of[piece]
    shown = kind.known >= 0 and among(m[kind.known + piece] >> SHOWN, seat, kind.players)
    if shown or may_look(kind, m[kind.where + piece], seat):
        if not kind.hidden_fields or among(m[kind.known + piece], seat, kind.players):
            return kind.rows[row]
        return kind.public_label[row]
    return kind.back[row] if kind.back else UNSEEN


def _kind(program: Program, m: Buffer, kind: KindLayout, seat: int) -> Seen:
    if kind.fungible:
        return ()
    found: list[Seen] = []
    for place, address in enumerate(kind.instance_address):
        if not place:
            continue  # what is in the box is out of sight and out of the game
        count = m[address]
        pieces = m[address + CONTENTS : address + CONTENTS + count]
        faces = [
            (_face(m, kind, each, seat), _marks(program, m, kind, each, seat)) for each in pieces
        ]
        low, high = m[address + UNDER], m[address + UNDER] + m[address + UNORDERED]
        if kind.instance_sorted[place]:
            low, high = 0, count
        faces[low:high] = sorted(faces[low:high])
        found.append((count, tuple(faces)))
    return tuple(found)


def _marks(program: Program, m: Buffer, kind: KindLayout, piece: int, seat: int) -> tuple[int, ...]:
    """What lies on a piece, where that can be seen or the piece is one the seat can follow."""
    seen = may_look(kind, m[kind.where + piece], seat)
    known = kind.known < 0 or among(m[kind.known + piece], seat, kind.players)
    if seen or known or visible_position(m, kind, piece) >= 0:
        return tuple(m[cell] for cell in mark_cells(program, kind, piece))
    return ()


def witnessed(program: Program, m: Buffer, events: Sequence[Event], seat: int) -> Seen:
    """What happened on the way to a stop, as far as a seat was there to see it."""
    found: list[Seen] = []
    for number, event in enumerate(events):
        match event.word:
            case "moved":
                found.append(_moved(program.layout.kinds[event.number], event, seat))
            case "shown":
                kind = program.layout.kinds[event.number]
                piece, place, position, _, before, after = event.values
                if after & ~before:
                    named = among(after, seat, kind.players)
                    name = kind.rows[kind.row_of[piece]] if named else UNSEEN
                    found.append(("shown", place, position, after & ~before, name))
            case "chance":
                found.append(_chance(program, m, event, events[number + 1 :], seat))
            case "sealed":
                # All see what it has made, also if the rules change that before anybody is asked.
                # (That it is over, without a trace, is nothing that they may be told by.)
                made = seen_now(program, event.before, seat)
                if made != seen_now(program, m, seat):
                    found.append(made)
            case _:
                pass
    return tuple(found)


def _moved(kind: KindLayout, event: Event, seat: int) -> Seen:
    piece, source, position, target, _, after = event.values
    row = kind.row_of[piece]
    name = kind.back[row] if kind.back else UNSEEN
    lay_open = among(event.shown, seat, kind.players)
    if lay_open or may_look(kind, source, seat) or may_look(kind, target, seat):
        known = not kind.hidden_fields or among(after, seat, kind.players)
        name = kind.rows[row] if known else kind.public_label[row]
    return ("moved", source, position, target, name)


def _chance(program: Program, m: Buffer, event: Event, later: Sequence[Event], seat: int) -> Seen:
    """An outcome is seen unless it goes into a secret variable, or is a piece that the seat does
    not see where it lies."""
    type_, value = program.event_types[event.number], event.values[0]
    head = ("chance", event.number, event.values[1])
    if event.seat >= 0 and event.seat != seat:
        return (*head, UNSEEN)
    kind = next(
        (k for k in program.layout.kinds if type_.sort == "kind" and k.name == type_.name), None
    )
    if kind is None or kind.fungible:
        return (*head, value)
    place = m[kind.where + value]
    for each in later:
        same = each.word == "moved" and program.layout.kinds[each.number] is kind
        if same and each.values[0] == value:
            place = each.values[1]
            break
    seen = may_look(kind, place, seat) and not kind.hidden_fields
    if event.variable >= 0 and kind.known >= 0:  # it is a note, and so is read by who knows it
        seen = seen or among(m[kind.known + value], seat, kind.players)
    return (*head, kind.rows[kind.row_of[value]] if seen else UNSEEN)

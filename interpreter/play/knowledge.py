"""Who can tell what: the one place that decides, for views, logs and imagined states alike."""

from __future__ import annotations

from interpreter.play import pieces
from interpreter.play.buffer import Buffer
from interpreter.program import ops
from interpreter.program.layout import (
    SEALING,
    STATUS,
    KindLayout,
    VariableLayout,
)  # fmt: skip
from interpreter.program.once import once_for_each_program
from interpreter.program.program import Program
from interpreter.program.verify import operations

SPECTATOR = -1


def knows(m: Buffer, kind: KindLayout, piece: int, seat: int) -> bool:
    """Whether a seat can name this piece."""
    return among(pieces.who_knows(m, kind, piece), seat, kind.players)


def unknown_to(m: Buffer, kind: KindLayout, seat: int) -> list[int]:
    """The pieces of a kind that a seat cannot name."""
    count = len(kind.row_of)
    if kind.known < 0:
        return []
    bit = 1 << (kind.players if seat == SPECTATOR else seat)
    known = m[kind.known : kind.known + count]
    if kind.hidden_fields:
        return [piece for piece, seats in enumerate(known) if not seats & bit]
    seen, places = kind.instance_viewers, m[kind.where : kind.where + count]
    pairs = enumerate(zip(known, places, strict=True))
    return [piece for piece, (seats, place) in pairs if not (seats | seen[place]) & bit]


def among(seats: int, seat: int, players: int) -> bool:
    """Whether a seat, or a spectator, is one of those in a bit mask."""
    return bool(seats >> (players if seat == SPECTATOR else seat) & 1)


def reads(m: Buffer, kind: KindLayout, cell: int, seat: int) -> bool:
    """Whether a seat can tell what a variable says that names a piece (`program/notes.py`)."""
    readers = readers_of(m, kind, cell)
    if readers is None:
        return knows(m, kind, m[cell], seat)
    return among(readers, seat, kind.players)


def readers_of(m: Buffer, kind: KindLayout, cell: int) -> int | None:
    """Those who can read a note that some have lost track of, whatever they know now; None if it
    is no such note."""
    for first, readers, number in kind.notes:
        if first <= cell < first + number:
            found = m[readers + cell - first]
            return found & pieces.SEATS if found and m[cell] >= 0 else None
    return None


def hides_something(program: Program, m: Buffer) -> bool:
    """Whether there is anything in a state that somebody cannot know."""
    if any(variable.secret for variable in program.layout.variables):
        return True
    return any(
        pieces.who_knows(m, kind, piece) != kind.everyone
        for kind in program.layout.kinds
        for piece in range(len(kind.row_of))
    )


def keeps_secrets(program: Program) -> bool:
    """Whether the rules write down secrets of a seat that are not simply rolled."""
    secret = [variable for variable in program.layout.variables if variable.secret]
    for pc, op in enumerate(program.code):
        before = program.code[pc - 1]
        rolled = before.variable if isinstance(before, ops.Chance) else -1
        written = [each for each in secret if _is_written(each, op)]
        if any(program.layout.variables.index(each) != rolled for each in written):
            return True
    return any(_is_written(each, body.body) for body in program.functions for each in secret)


def _is_written(variable: VariableLayout, item: object) -> bool:
    cells = _cells(variable)
    for each in operations(item):
        match each:
            case ops.SetMemory(address) | ops.SetMemoryAt(address):
                if address in cells:
                    return True
            case _:  # nothing else writes a variable
                pass
    return False


def sealed_is_open(program: Program, before: Buffer, after: Buffer, seat: int) -> bool:
    """Whether a sealed block still goes on after a seat has made one more choice in it."""
    cell = program.layout.sealed_length + seat
    return before[STATUS] == SEALING and after[cell] == before[cell] + 1


def sees_place(kind: KindLayout, instance: int, seat: int) -> bool:
    return among(kind.instance_viewers[instance], seat, kind.players)


def shows_marks(m: Buffer, kind: KindLayout, piece: int, seat: int) -> bool:
    """Whether a seat sees what lies on a piece. On a face-down card in its slot one sees the
    tokens; what is held in a closed hand shows nothing."""
    if knows(m, kind, piece, seat) or sees_place(kind, m[kind.where + piece], seat):
        return True
    return pieces.visible_position(m, kind, piece) >= 0


def mark_cells(program: Program, kind: KindLayout, piece: int) -> list[int]:
    """The addresses of everything that is kept for a piece."""
    marks = marks_of(program, kind.name)
    return marks[piece] if marks else []


@once_for_each_program
def marks_of(program: Program, name: str) -> list[list[int]]:
    """The same for each piece of a kind; empty if nothing is kept for any."""
    kind = next(each for each in program.layout.kinds if each.name == name)
    found = [_mark_cells(program, kind, piece) for piece in range(len(kind.row_of))]
    return found if any(found) else []


def _mark_cells(program: Program, kind: KindLayout, piece: int) -> list[int]:
    found: list[int] = []
    for variable in program.layout.variables:
        span = variable.size
        for index in variable.indexes:
            outer, span = span, span // index.size
            if index.type.sort == "kind" and index.type.name == kind.name:
                starts = range(piece * span, variable.size, outer)
                found.extend(variable.address + start + i for start in starts for i in range(span))
    return found


def hidden_cells(program: Program, m: Buffer, seat: int) -> list[int]:
    """Secret variables of the others and of nobody, and what lies on pieces out of sight."""
    found = list(_secret_cells(program, seat))
    for kind, marks in _marked(program):
        bit = kind.players if seat == SPECTATOR else seat
        count, viewers = len(kind.row_of), kind.instance_viewers
        known = m[kind.known : kind.known + count] if kind.known >= 0 else [kind.everyone] * count
        unseen: dict[int, range] = {}
        for piece, place in enumerate(m[kind.where : kind.where + count]):
            if (known[piece] | viewers[place]) >> bit & 1:
                continue
            if place not in unseen:
                unseen[place] = pieces.unseen_positions(m, kind, place)
            position = m[kind.position + piece]  # a slot is seen, if not what lies there
            if position < 0 or position in unseen[place]:
                found += marks[piece]
    return found


@once_for_each_program
def _marked(program: Program) -> list[tuple[KindLayout, list[list[int]]]]:
    """The kinds of pieces that something is kept for, with `marks_of` each."""
    marks = [(kind, marks_of(program, kind.name)) for kind in program.layout.kinds]
    return [(kind, cells) for kind, cells in marks if cells]


@once_for_each_program
def _secret_cells(program: Program, seat: int) -> list[int]:
    found: list[int] = []
    for variable in program.layout.variables:
        if variable.secret:
            found.extend(
                variable.address + number
                for number in range(variable.size)
                if not variable.is_open_to(number, seat)
            )
            if variable.readers >= 0:
                more = variable.readers - variable.address
                found.extend([cell + more for cell in found if cell in _cells(variable)])
    return found


def _cells(variable: VariableLayout) -> range:
    return range(variable.address, variable.address + variable.size)


def back_of(kind: KindLayout, piece: int) -> str | None:
    """What everybody sees of a piece, if it is not simply one of many that look the same."""
    return kind.back[kind.row_of[piece]] if kind.back else None

"""What a seat cannot know, put into one standard order, or dealt anew.

Both are the same act: the pieces that a seat cannot name lie where such pieces lie, each where it
looks right, and whatever names one of them names the one that lies there now.
"""

from __future__ import annotations

from dataclasses import dataclass

from interpreter.play import chance, pieces
from interpreter.play.buffer import Buffer
from interpreter.play.knowledge import hidden_cells, knows, mark_cells, sees_place
from interpreter.program import origins
from interpreter.program.layout import (
    COUNTER,
    ERROR,
    ERROR_AT,
    KEY,
    MOVES,
    SEALED_DONE,
    STEPS,
    TOTAL_STEPS,
    KindLayout,
)  # fmt: skip
from interpreter.program.program import Program


def masked(program: Program, m: Buffer, seat: int) -> Buffer:
    """The state with everything a seat cannot know put into one standard order, so that two
    states the seat cannot tell apart become equal."""
    copy = m.copy()
    copy[KEY] = copy[COUNTER] = copy[STEPS] = copy[TOTAL_STEPS] = copy[ERROR] = copy[ERROR_AT] = 0
    _mask_sealed(program, copy, seat)
    _mask_frames(program, copy)
    first_values = dict(program.initial)
    for cell in hidden_cells(program, m, seat):
        copy[cell] = first_values.get(cell, 0)
    for kind in program.layout.kinds:
        if not kind.fungible:
            order = unknown(program, copy, kind, seat)
            _deal(program, copy, kind, order, sorted(each.piece for each in order))
    return copy


def _mask_sealed(program: Program, copy: Buffer, seat: int) -> None:
    """What the others have sealed is theirs, and so is how far they are."""
    layout = program.layout
    if not layout.sealed_width:
        return
    size = layout.sealed_capacity * layout.sealed_width
    for player in range(program.players):
        if player != seat:
            copy[MOVES] -= copy[layout.sealed_length + player]
            copy[layout.sealed_length + player] = 0
            start = layout.sealed_choices + player * size
            copy[start : start + size] = [0] * size
            copy[SEALED_DONE] &= ~(1 << player)


def _mask_frames(program: Program, copy: Buffer) -> None:
    """Of what the rules have worked out on the way here, keep what they will look at again."""
    live: set[int] = set()
    for each, cells in origins.kept(program, copy):
        live.add(each.routine.address)
        live |= cells
    first = program.layout.frames
    for cell in range(first, first + program.layout.frames_size):
        if cell not in live:
            copy[cell] = 0


@dataclass(frozen=True, slots=True)
class Unknown:
    """A piece a seat cannot name, with what it can tell of it all the same."""

    piece: int
    side: str | None  # how the piece looks, where its public side can be seen
    back: str  # how it looks wherever it lies
    told: tuple[int, int, int, list[int], list[int]]


def unknown(program: Program, m: Buffer, kind: KindLayout, seat: int) -> list[Unknown]:
    """The pieces a seat cannot name, in the order they lie; where they have no order, in the
    order of what else can be told of them. First those whose public side is in sight."""
    references = _references(program, m, kind)
    found: list[Unknown] = []
    for piece in range(len(kind.row_of)):
        if knows(m, kind, piece, seat):
            continue
        in_sight = kind.hidden_fields and sees_place(kind, m[kind.where + piece], seat)
        side = kind.public_label[kind.row_of[piece]] if in_sight else None
        back = kind.back[kind.row_of[piece]] if kind.back else ""
        told = (
            m[kind.where + piece],
            pieces.visible_position(m, kind, piece),
            m[kind.known + piece],
            [m[cell] for cell in mark_cells(program, kind, piece)],
            references.get(piece, []),
        )
        found.append(Unknown(piece, side, back, told))
    return sorted(
        found, key=lambda each: (each.side is None, each.side or "", each.back, each.told)
    )


def _deal(
    program: Program, m: Buffer, kind: KindLayout, order: list[Unknown], new: list[int]
) -> None:
    """Put unknown pieces where unknown pieces lie, each where it looks right."""
    left = list(new)
    chosen: list[int] = []
    for each in order:
        chosen.append(left.pop(next(i for i, p in enumerate(left) if _looks(kind, p, each))))
    rearrange(program, m, kind, [each.piece for each in order], chosen)


def _looks(kind: KindLayout, piece: int, like: Unknown) -> bool:
    row = kind.row_of[piece]
    if like.side is not None and kind.public_label[row] != like.side:
        return False
    return not kind.back or kind.back[row] == like.back


def _references(program: Program, m: Buffer, kind: KindLayout) -> dict[int, list[int]]:
    """The cells that name a piece, for each piece that is named."""
    found: dict[int, list[int]] = {}
    for cell in piece_cells(program, m, kind):
        if m[cell] >= 0:
            found.setdefault(m[cell], []).append(cell)
    return found


def piece_cells(program: Program, m: Buffer, kind: KindLayout) -> list[int]:
    """The cells that name pieces of a kind: of variables, and of frames still needed."""
    found: list[int] = []
    for variable in program.layout.variables:
        if variable.type.sort == "kind" and variable.type.name == kind.name:
            found.extend(range(variable.address, variable.address + variable.size))
    for each, cells in origins.kept(program, m):
        for offset, name in each.routine.pieces:
            if name == kind.name and each.routine.address + offset in cells:
                found.append(each.routine.address + offset)
    return found


def rearrange(
    program: Program, m: Buffer, kind: KindLayout, old: list[int], new: list[int]
) -> None:
    """Put the pieces `new` where the pieces `old` lie: in the places, with whatever lies on
    them there, and wherever a piece is named."""
    if old == new:
        return
    spots = [(m[kind.where + p], m[kind.position + p], m[kind.known + p]) for p in old]
    swap = dict(zip(old, new, strict=True))
    for cell in piece_cells(program, m, kind):
        m[cell] = swap.get(m[cell], m[cell])
    marks = [[m[cell] for cell in mark_cells(program, kind, p)] for p in old]
    for piece, (place, position, known), values in zip(new, spots, marks, strict=True):
        m[kind.where + piece] = place
        m[kind.position + piece] = position
        m[kind.known + piece] = known
        for cell, value in zip(mark_cells(program, kind, piece), values, strict=True):
            m[cell] = value
        if place:
            m[kind.instance_address[place] + pieces.CONTENTS + position] = piece
    _sort_sets(m, kind, {place for place, _, _ in spots if place})


def _sort_sets(m: Buffer, kind: KindLayout, places: set[int]) -> None:
    """Sets and unordered parts keep their pieces by number; nobody sees that order."""
    for place in places:
        low, high = unordered_part(m, kind, place)
        first = kind.instance_address[place] + pieces.CONTENTS
        for index, piece in enumerate(sorted(m[first + low : first + high]), low):
            m[first + index] = piece
            m[kind.position + piece] = index


def unordered_part(m: Buffer, kind: KindLayout, place: int) -> tuple[int, int]:
    address = kind.instance_address[place]
    if kind.instance_sorted[place]:
        return 0, m[address]
    low = m[address + pieces.UNDER]
    return low, low + m[address + pieces.UNORDERED]


def imagine(program: Program, view: Buffer, seat: int, seed: int) -> Buffer:
    """A full state that a seat could believe in: what it cannot know is dealt anew."""
    key = chance.seed_key(seed) & (1 << 64) - 1
    m = view.copy()
    counter = 0
    kinds = [kind for kind in program.layout.kinds if not kind.fungible]
    orders = [unknown(program, view, kind, seat) for kind in kinds]
    for kind, order in zip(kinds, orders, strict=True):
        shuffled = [each.piece for each in order]
        for last in range(len(shuffled) - 1, 0, -1):
            other, counter = chance.below(key, counter, last + 1)
            shuffled[last], shuffled[other] = shuffled[other], shuffled[last]
        _deal(program, m, kind, order, shuffled)
    for cell, low, count in secrets(program, seat):
        value, counter = chance.below(key, counter, count)
        m[cell] = low + value
    m[KEY] = chance.signed(chance.number(key, counter))
    return m


def secrets(program: Program, seat: int) -> list[tuple[int, int, int]]:
    """The cells of the others' secret variables: where, the lowest value, how many there are."""
    found: list[tuple[int, int, int]] = []
    for variable in program.layout.variables:
        low, high = variable.type.low, variable.type.high
        if not variable.secret or variable.type.sort not in ("int", "bool", "enum", "player"):
            continue
        if variable.type.sort == "enum":
            low, high = 0, len(program.enums[variable.type.name]) - 1
        elif variable.type.sort == "player":
            low, high = 0, program.players - 1
        if high - low > 1 << 32:
            continue
        span = variable.size // program.players
        for player in range(program.players):
            start = variable.address + player * span
            cells = range(start, start + span) if player != seat else ()
            found += [(cell, low, high - low + 1) for cell in cells]
    return found

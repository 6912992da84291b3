"""Who can tell what: the one place that decides, for views, logs and imagined states alike."""

from __future__ import annotations

from dataclasses import dataclass

from interpreter.play import chance, pieces
from interpreter.play.machine import Buffer
from interpreter.program import origins
from interpreter.program.layout import (
    COUNTER,
    ERROR,
    ERROR_AT,
    KEY,
    MOVES,
    SEALED_DONE,
    SEALING,
    STATUS,
    STEPS,
    TOTAL_STEPS,
    KindLayout,
)  # fmt: skip
from interpreter.program.program import Program

SPECTATOR = -1


def knows(m: Buffer, kind: KindLayout, piece: int, seat: int) -> bool:
    """Whether a seat can name this piece. A spectator sees what everybody sees."""
    if kind.known < 0:
        return True
    if seat == SPECTATOR:
        players = (1 << kind.players) - 1
        return m[kind.known + piece] == players or (
            not kind.hidden_fields and kind.instance_viewers[m[kind.where + piece]] == players
        )
    if m[kind.known + piece] >> seat & 1:
        return True
    viewers = kind.instance_viewers[m[kind.where + piece]]
    return not kind.hidden_fields and bool(viewers >> seat & 1)


def hides_something(program: Program, m: Buffer) -> bool:
    """Whether there is anything in a state that somebody cannot know."""
    if any(variable.secret for variable in program.layout.variables):
        return True
    everyone = (1 << program.players) - 1
    return any(
        pieces.who_knows(m, kind, piece) != everyone
        for kind in program.layout.kinds
        for piece in range(len(kind.row_of))
    )


def sealed_is_open(program: Program, before: Buffer, after: Buffer, seat: int) -> bool:
    """Whether a sealed block still goes on after a seat has made one more choice in it."""
    cell = program.layout.sealed_length + seat
    return before[STATUS] == SEALING and after[cell] == before[cell] + 1


def sees_place(kind: KindLayout, instance: int, seat: int) -> bool:
    viewers = kind.instance_viewers[instance]
    if seat == SPECTATOR:
        return viewers == (1 << kind.players) - 1
    return bool(viewers >> seat & 1)


def shows_marks(m: Buffer, kind: KindLayout, piece: int, seat: int) -> bool:
    """Whether a seat sees what lies on a piece. On a face-down card in its slot one sees the
    tokens; what is held in a closed hand shows nothing."""
    if pieces.visible_position(m, kind, piece) >= 0 or knows(m, kind, piece, seat):
        return True
    return sees_place(kind, m[kind.where + piece], seat)


def mark_cells(program: Program, kind: KindLayout, piece: int) -> list[int]:
    """The addresses of everything that is kept for a piece."""
    if kind.name not in program.marks:
        every = [_mark_cells(program, kind, each) for each in range(len(kind.row_of))]
        program.marks[kind.name] = every
    return program.marks[kind.name][piece]


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
            order = _unknown(program, copy, kind, seat)
            _deal(program, copy, kind, order, sorted(each.piece for each in order))
    return copy


def hidden_cells(program: Program, m: Buffer, seat: int) -> list[int]:
    """Secret variables of the others, and what lies on pieces out of sight."""
    found: list[int] = []
    for variable in program.layout.variables:
        if variable.secret:
            span = variable.size // program.players
            found.extend(
                variable.address + player * span + offset
                for player in range(program.players)
                for offset in range(span)
                if player != seat
            )
    for kind in program.layout.kinds:
        for piece in range(len(kind.row_of)):
            cells = mark_cells(program, kind, piece)
            if cells and not shows_marks(m, kind, piece, seat):
                found.extend(cells)
    return found


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
class _Unknown:
    """A piece a seat cannot name, with what it can tell of it all the same."""

    piece: int
    side: str | None  # how the piece looks, where its public side can be seen
    back: str  # how it looks wherever it lies
    told: tuple[int, int, int, list[int], list[int]]


def _unknown(program: Program, m: Buffer, kind: KindLayout, seat: int) -> list[_Unknown]:
    """The pieces a seat cannot name, in the order they lie; where they have no order, in the
    order of what else can be told of them. First those whose public side is in sight."""
    references = _references(program, m, kind)
    found: list[_Unknown] = []
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
        found.append(_Unknown(piece, side, back, told))
    return sorted(
        found, key=lambda each: (each.side is None, each.side or "", each.back, each.told)
    )


def _deal(
    program: Program, m: Buffer, kind: KindLayout, order: list[_Unknown], new: list[int]
) -> None:
    """Put unknown pieces where unknown pieces lie, each where it looks right."""
    left = list(new)
    chosen: list[int] = []
    for each in order:
        chosen.append(left.pop(next(i for i, p in enumerate(left) if _looks(kind, p, each))))
    rearrange(program, m, kind, [each.piece for each in order], chosen)


def _looks(kind: KindLayout, piece: int, like: _Unknown) -> bool:
    row = kind.row_of[piece]
    if like.side is not None and kind.public_label[row] != like.side:
        return False
    return not kind.back or kind.back[row] == like.back


def back_of(kind: KindLayout, piece: int) -> str | None:
    """What everybody sees of a piece, if it is not simply one of many that look the same."""
    return kind.back[kind.row_of[piece]] if kind.back else None


def _references(program: Program, m: Buffer, kind: KindLayout) -> dict[int, list[int]]:
    """The cells that name a piece, for each piece that is named."""
    found: dict[int, list[int]] = {}
    for cell in _piece_cells(program, m, kind):
        if m[cell] >= 0:
            found.setdefault(m[cell], []).append(cell)
    return found


def _piece_cells(program: Program, m: Buffer, kind: KindLayout) -> list[int]:
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
    marks = [[m[cell] for cell in mark_cells(program, kind, p)] for p in old]
    swap = dict(zip(old, new, strict=True))
    for cell in _piece_cells(program, m, kind):
        m[cell] = swap.get(m[cell], m[cell])
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
        address = kind.instance_address[place]
        if kind.instance_sorted[place]:
            low, high = 0, m[address]
        else:
            low = m[address + 2]
            high = low + m[address + 1]
        first = address + 3
        for index, piece in enumerate(sorted(m[first + low : first + high]), low):
            m[first + index] = piece
            m[kind.position + piece] = index


def imagine(program: Program, view: Buffer, seat: int, seed: int) -> Buffer:
    """A full state that a seat could believe in: what it cannot know is dealt anew."""
    key = chance.seed_key(seed) & (1 << 64) - 1
    m = view.copy()
    counter = 0
    for kind in program.layout.kinds:
        if kind.fungible:
            continue
        order = _unknown(program, m, kind, seat)
        shuffled = [each.piece for each in order]
        for last in range(len(shuffled) - 1, 0, -1):
            other, counter = chance.below(key, counter, last + 1)
            shuffled[last], shuffled[other] = shuffled[other], shuffled[last]
        _deal(program, m, kind, order, shuffled)
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
            for offset in range(span if player != seat else 0):
                value, counter = chance.below(key, counter, high - low + 1)
                m[variable.address + player * span + offset] = low + value
    m[KEY] = chance.signed(chance.number(key, counter))
    return m

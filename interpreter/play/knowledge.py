"""Who can tell what: the one place that decides, for views, logs and imagined states alike."""

from __future__ import annotations

from interpreter.play import chance
from interpreter.play.machine import Buffer
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


def sees_place(kind: KindLayout, instance: int, seat: int) -> bool:
    viewers = kind.instance_viewers[instance]
    if seat == SPECTATOR:
        return viewers == (1 << kind.players) - 1
    return bool(viewers >> seat & 1)


def looks(program: Program, m: Buffer, kind: KindLayout, piece: int) -> tuple[object, ...]:
    """What anybody can see of a piece they do not know: its public side and its markers."""
    marks = tuple(
        m[variable.address + piece]
        for variable in program.layout.variables
        if len(variable.indexes) == 1 and variable.indexes[0].type.name == kind.name
    )
    side = kind.public_label[kind.row_of[piece]] if kind.hidden_fields else ""
    return (side, marks)


def masked(program: Program, m: Buffer, seat: int) -> Buffer:
    """The state with everything a seat cannot know put into one standard order, so that two
    states the seat cannot tell apart become equal."""
    copy = m.copy()
    copy[KEY] = copy[COUNTER] = copy[STEPS] = copy[TOTAL_STEPS] = copy[ERROR] = copy[ERROR_AT] = 0
    layout = program.layout
    for player in range(program.players):
        if layout.sealed_width and player != seat:
            copy[MOVES] -= copy[layout.sealed_length + player]  # nor how many there were
            copy[layout.sealed_length + player] = 0
            size = layout.sealed_capacity * layout.sealed_width
            start = layout.sealed_choices + player * size
            copy[start : start + size] = [0] * size
            copy[SEALED_DONE] &= ~(1 << player)
    for variable in layout.variables:
        if variable.secret:
            span = variable.size // program.players
            for player in range(program.players):
                if player != seat:
                    start = variable.address + player * span
                    low = variable.type.low if variable.type.sort == "int" else 0
                    copy[start : start + span] = [max(low, 0) if low > -(2**62) else 0] * span
    for kind in layout.kinds:
        if not kind.fungible:
            for group in _unknown_groups(program, m, kind, seat):
                rearrange(program, copy, kind, group, sorted(group))
    return copy


def _unknown_groups(program: Program, m: Buffer, kind: KindLayout, seat: int) -> list[list[int]]:
    """Pieces a seat cannot name, together where they look alike, in the order they lie."""
    groups: dict[tuple[object, ...], list[int]] = {}
    pieces = range(len(kind.row_of))
    in_order = sorted(pieces, key=lambda p: (m[kind.where + p], m[kind.position + p]))
    for piece in in_order:
        if not knows(m, kind, piece, seat):
            groups.setdefault(looks(program, m, kind, piece), []).append(piece)
    return list(groups.values())


def rearrange(
    program: Program, m: Buffer, kind: KindLayout, old: list[int], new: list[int]
) -> None:
    """Put the pieces `new` where the pieces `old` lie, in the places and in frames."""
    if old == new:
        return
    spots = [(m[kind.where + p], m[kind.position + p], m[kind.known + p]) for p in old]
    swap = dict(zip(old, new, strict=True))
    for routine in program.routines:
        if not m[routine.address]:
            continue
        for offset, name in routine.pieces:
            cell = routine.address + offset
            if name == kind.name and m[cell] in swap:
                m[cell] = swap[m[cell]]
    for piece, (place, position, known) in zip(new, spots, strict=True):
        m[kind.where + piece] = place
        m[kind.position + piece] = position
        m[kind.known + piece] = known
        if place:
            m[kind.instance_address[place] + 3 + position] = piece
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
        for group in _unknown_groups(program, m, kind, seat):
            shuffled = list(group)
            for last in range(len(shuffled) - 1, 0, -1):
                other, counter = chance.below(key, counter, last + 1)
                shuffled[last], shuffled[other] = shuffled[other], shuffled[last]
            rearrange(program, m, kind, group, shuffled)
    for variable in program.layout.variables:
        low, high = variable.type.low, variable.type.high
        if not variable.secret or variable.type.sort not in ("int", "bool", "enum"):
            continue
        if variable.type.sort == "enum":
            low, high = 0, len(program.enums[variable.type.name]) - 1
        if high - low > 1 << 32:
            continue
        span = variable.size // program.players
        for player in range(program.players):
            for offset in range(span if player != seat else 0):
                value, counter = chance.below(key, counter, high - low + 1)
                m[variable.address + player * span + offset] = low + value
    m[KEY] = chance.signed(chance.number(key, counter))
    return m

"""A state as one seat knows it: everything that it cannot know is put into one standard order.

Two states that a seat cannot tell apart become equal. What is hidden is put in order by dealing it
(`dealing.py`), always in the same way.
"""

from __future__ import annotations

from interpreter.play import borne, pieces
from interpreter.play.buffer import Buffer
from interpreter.play.dealing import (
    deal_unknown,
    meant,
    piece_cells,
    rearrange,
    references_of,
    settled,
    told_of,
    unknown,
)  # fmt: skip
from interpreter.play.knowledge import SPECTATOR, hidden_cells, knows, readers_of
from interpreter.play.memory import Names, naming_cells
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


def masked(
    program: Program, m: Buffer, seat: int, names: Names = frozenset()
) -> tuple[Buffer, borne.Renumbered]:
    """The state with everything a seat cannot know put into one standard order, so that two
    states the seat cannot tell apart become equal; and the places on pieces that have other numbers
    now, since their pieces have. `names`: what the seat remembers by name only."""
    copy = m.copy()
    for cell, _ in names:
        copy[cell] = -1
    for cell in (KEY, COUNTER, STEPS, TOTAL_STEPS, MOVES, ERROR, ERROR_AT):
        copy[cell] = 0
    _mask_sealed(program, copy, seat)
    _mask_frames(program, copy)
    first_values = dict(program.initial)
    for cell in hidden_cells(program, m, seat):
        copy[cell] = first_values.get(cell, 0)
    places: borne.Renumbered = {}
    # Where a piece lies tells it from others, so first those have their order that others lie on.
    for kind in (program.layout.kinds[number] for number in borne.bearers_first(program)):
        if not kind.fungible:
            _mask_knowledge(copy, kind, seat)
            copies = _order_copies(program, copy, kind, seat)
            order = unknown(program, copy, kind, seat)
            dealt = deal_unknown(program, copy, kind, order, sorted(each.piece for each in order))
            now = {old: dealt.get(new, new) for old, new in copies.items()} or dealt
            places |= borne.renumbered(program, kind, now)
            for cell, could_be in settled(copy, kind, seat):
                copy[cell] = could_be[0]
            if kind.notes:
                _name_the_first(program, copy, kind, seat)
            for cell, piece in names:
                if cell in naming_cells(program, kind.name):
                    copy[cell] = meant(copy, kind, piece, seat)[0]
    return copy, places


def by_name_only(program: Program, m: Buffer, seat: int, names: Names) -> Names:
    """Of the names that a seat remembers, those that are still needed and of which it has not found
    the piece again."""
    return frozenset(
        (cell, m[cell])
        for kind in program.layout.kinds
        if kind.known >= 0
        for cell in piece_cells(program, m, kind)
        if (cell, m[cell]) in names and not knows(m, kind, m[cell], seat)
    )


def _mask_knowledge(m: Buffer, kind: KindLayout, seat: int) -> None:
    """What others know is theirs, but for what is in the open. Which of two pieces they were shown
    is told by nothing else once they have lost track of one, or pass one on."""
    own = 1 << (kind.players if seat == SPECTATOR else seat)
    for piece in range(len(kind.row_of) if kind.known >= 0 else 0):
        known = m[kind.known + piece]
        seen = 0 if kind.hidden_fields else kind.instance_viewers[m[kind.where + piece]]
        shown = _own_part(known >> pieces.SHOWN, own, kind)
        m[kind.known + piece] = _own_part(known, own, kind) | seen | shown << pieces.SHOWN
    for first, readers, number in kind.notes:
        for each in range(number):
            if m[first + each] >= 0 and m[readers + each]:
                m[readers + each] = pieces.SETTLED | _own_part(m[readers + each], own, kind)


def _own_part(seats: int, own: int, kind: KindLayout) -> int:
    """Of a mask, what a seat can tell: whether it is one of them, and whether all are."""
    return kind.everyone if seats >> kind.players & 1 else seats & own


def _order_copies(program: Program, m: Buffer, kind: KindLayout, seat: int) -> dict[int, int]:
    """Copies of a row cannot be told apart. Those that a seat can name come first, in the order
    they lie, so that which of them they are says nothing about the others. Which each becomes."""
    if kind.known < 0 or len(kind.row_of) == len(set(kind.row_of)):
        return {}
    references = references_of(program, m, kind)
    every = range(len(kind.row_of))
    told = [
        (
            kind.row_of[piece],
            not knows(m, kind, piece, seat),
            told_of(program, m, kind, piece, references),
        )
        for piece in every
    ]
    by_row = sorted(every, key=lambda piece: kind.row_of[piece])
    return rearrange(program, m, kind, sorted(every, key=lambda piece: told[piece]), by_row)


def _name_the_first(program: Program, m: Buffer, kind: KindLayout, seat: int) -> None:
    """Where several pieces lie in no order, notes that a seat cannot read name the first of those
    it could be: also whether two of them name the same one is nothing that can be seen."""
    alike: dict[tuple[object, ...], list[int]] = {}
    look_of: dict[int, tuple[object, ...]] = {}
    for each in unknown(program, m, kind, seat):
        position = each.told[1] if each.told[1] < 0 else each.piece
        look_of[each.piece] = each.side, each.back, each.told[0], position, str(each.told[3:5])
        alike.setdefault(look_of[each.piece], []).append(each.piece)
    for first, _, number in kind.notes:
        for cell in range(first, first + number):
            if m[cell] in look_of and readers_of(m, kind, cell) is None:
                m[cell] = min(alike[look_of[m[cell]]])


def _mask_sealed(program: Program, copy: Buffer, seat: int) -> None:
    """What the others have sealed is theirs, and so is how far they are."""
    layout = program.layout
    if not layout.sealed_width:
        return
    size = layout.sealed_capacity * layout.sealed_width
    for player in range(program.players):
        if player != seat:
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

"""A state as one seat knows it: everything that it cannot know is put into one standard order.

Two states that a seat cannot tell apart become equal. What is hidden is put in order by dealing it
(`dealing.py`), always in the same way. What does not depend on the state is found out once for each
seat, because views are asked for at every decision.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from interpreter.frozen import frozen
from interpreter.play import borne, pieces
from interpreter.play.buffer import Buffer
from interpreter.play.dealing import (
    Told,
    chosen_for,
    looks_to,
    meant,
    naming_at,
    piece_cells,
    rearrange,
    settled,
    slots,
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
    HEADER,
    KEY,
    MOVES,
    SEALED_DONE,
    STEPS,
    TOTAL_STEPS,
    KindLayout,
)  # fmt: skip
from interpreter.program.once import once_for_each_program
from interpreter.program.program import Program

Named = list[int]  # of each piece of a kind, 1 if a seat can name it
_OF_NOBODY = (KEY, COUNTER, STEPS, TOTAL_STEPS, MOVES, ERROR, ERROR_AT)


@frozen
class Masked:
    """What is left of a state. `named`: by number of kind, which pieces of the state the seat can
    name, where they can be hidden; `renumbered`: the places on pieces that have other numbers now,
    since their pieces have."""

    cells: Buffer
    named: dict[int, Named]
    renumbered: borne.Renumbered

    def renumbered_of(self, kind: str) -> dict[int, int]:
        """The numbers of places of a kind that are others now."""
        found = ((old, new) for (name, old), new in self.renumbered.items() if name == kind)
        return {old: new for old, new in found if old != new}


def masked(program: Program, m: Buffer, seat: int, names: Names = frozenset()) -> Masked:
    """The state with everything a seat cannot know put into one standard order, so that two
    states the seat cannot tell apart become equal. `names`: what the seat remembers by name
    only."""
    plan = _plan(program, seat)
    copy = m.copy()
    for cell, _ in names:
        copy[cell] = -1
    for cell in _OF_NOBODY:
        copy[cell] = 0
    copy[SEALED_DONE] &= plan.sealed_done
    _clear(copy, plan.sealed)
    where = origins.under_way(program, copy)
    _clear(copy, _not_kept(program, where))
    for cell in hidden_cells(program, m, seat):
        copy[cell] = plan.first_values.get(cell, 0)
    named: dict[int, Named] = {}
    places: borne.Renumbered = {}
    for number in plan.kinds:
        kind = program.layout.kinds[number]
        named[number] = _mask_knowledge(copy, kind, plan.own[number])
        naming = naming_at(program, copy, kind, where)
        told = told_of(program, copy, kind, naming)
        order = _in_order(program, kind, seat, named[number], told)
        now = rearrange(program, copy, kind, order, range(len(told)), naming)
        if now and borne.bears(program, kind.name):
            places |= borne.renumbered(program, kind, now)
        for cell, could_be in settled(copy, kind, seat):
            copy[cell] = could_be[0]
        if kind.notes:
            _name_the_first(program, copy, kind, seat)
        for cell, piece in names:
            if cell in naming_cells(program, kind.name):
                copy[cell] = meant(copy, kind, piece, seat)[0]
    return Masked(copy, named, places)


def masked_after(
    program: Program, m: Buffer, masked_: Sequence[int], after: Buffer, seat: int
) -> Buffer:
    """The table of a state that has come of another which is masked already. Mostly it differs in
    plain numbers only."""
    others, own = _plain_variables(program, seat)
    if any(m[span.start : span.stop] != after[span.start : span.stop] for span in others):
        return masked(program, after, seat).cells
    copy = list(masked_)
    for span in own:
        copy[span.start : span.stop] = after[span.start : span.stop]
    return copy


@once_for_each_program
def _plain_variables(program: Program, seat: int) -> tuple[list[range], list[range]]:
    """The cells of everything but variables that have nothing to do with pieces; and of those, the
    entries that a seat sees."""
    plain, own = set[int](), list[int]()
    for variable in program.layout.variables:
        sorts = {variable.type.sort, *(index.type.sort for index in variable.indexes)}
        if "kind" not in sorts:
            cells = range(variable.address, variable.address + variable.size)
            plain.update(cells)
            own += [cell for n, cell in enumerate(cells) if variable.is_open_to(n, seat)]
    every = range(HEADER, program.layout.frames)
    return _spans(cell for cell in every if cell not in plain), _spans(own)


@frozen
class _Plan:
    """How states are masked for one seat. Nothing of it depends on the state."""

    sealed_done: int  # the bits of SEALED_DONE that are its own
    sealed: list[range]  # what the others have sealed is theirs, and so is how far they are
    first_values: dict[int, int]
    # The kinds that can be hidden. Where a piece lies tells it from others, so first those have
    # their order that others lie on.
    kinds: list[int]
    own: dict[int, int]  # by kind: the bit of the seat


@once_for_each_program
def _plan(program: Program, seat: int) -> _Plan:
    layout = program.layout
    others = [player for player in range(program.players) if player != seat]
    size = layout.sealed_capacity * layout.sealed_width
    sealed: list[range] = []
    for player in others if layout.sealed_width else ():
        length, start = layout.sealed_length + player, layout.sealed_choices + player * size
        sealed += [range(length, length + 1), range(start, start + size)]
    done = ~sum(1 << player for player in others) if layout.sealed_width else ~0
    kinds = [n for n in borne.bearers_first(program) if layout.kinds[n].known >= 0]
    bits = {n: layout.kinds[n].players if seat == SPECTATOR else seat for n in kinds}
    return _Plan(done, sealed, dict(program.initial), kinds, {n: 1 << bits[n] for n in kinds})


@once_for_each_program
def _not_kept(program: Program, where: tuple[int, ...]) -> list[range]:
    """What the rules have worked out on the way here and will not look at again."""
    live: set[int] = set()
    for each, cells in origins.kept_at(program, where):
        live.add(each.routine.address)
        live |= cells
    first = program.layout.frames
    return _spans(
        cell for cell in range(first, first + program.layout.frames_size) if cell not in live
    )


def _spans(cells: Iterable[int]) -> list[range]:
    found: list[range] = []
    for cell in cells:
        if found and found[-1].stop == cell:
            found[-1] = range(found[-1].start, cell + 1)
        else:
            found.append(range(cell, cell + 1))
    return found


def _clear(m: Buffer, spans: Sequence[range]) -> None:
    for span in spans:
        m[span.start : span.stop] = [0] * len(span)


def by_name_only(program: Program, m: Buffer, seat: int, names: Names) -> Names:
    """Of the names that a seat remembers, those that are still needed and of which it has not found
    the piece again."""
    if not names:
        return names
    return frozenset(
        (cell, m[cell])
        for kind in program.layout.kinds
        if kind.known >= 0
        for cell in piece_cells(program, m, kind)
        if (cell, m[cell]) in names and not knows(m, kind, m[cell], seat)
    )


def _mask_knowledge(m: Buffer, kind: KindLayout, own: int) -> Named:
    """What others know is theirs, but for what is in the open. Which of two pieces they were shown
    is told by nothing else once they have lost track of one, or pass one on."""
    count = len(kind.row_of)
    seen = kind.instance_viewers
    known = m[kind.known : kind.known + count]
    if kind.hidden_fields:
        pairs = [(each, 0) for each in known]
    else:
        where = m[kind.where : kind.where + count]
        pairs = [(each, seen[place]) for each, place in zip(known, where, strict=True)]
    # Many pieces are known to the same seats, so these are looked at once.
    kept = {
        (each, seers): _own_part(each, own, kind)
        | seers
        | _own_part(each >> pieces.SHOWN, own, kind) << pieces.SHOWN
        for each, seers in set(pairs)
    }
    m[kind.known : kind.known + count] = found = [kept[pair] for pair in pairs]
    for first, readers, number in kind.notes:
        for each in range(number):
            if m[first + each] >= 0 and m[readers + each]:
                m[readers + each] = pieces.SETTLED | _own_part(m[readers + each], own, kind)
    return [each & own for each in found]


def _own_part(seats: int, own: int, kind: KindLayout) -> int:
    """Of a mask, what a seat can tell: whether it is one of them, and whether all are."""
    return kind.everyone if seats >> kind.players & 1 else seats & own


def _in_order(
    program: Program, kind: KindLayout, seat: int, named: Named, told: list[Told]
) -> list[int]:
    """Whose place each piece takes."""
    # What is told of a piece goes with its place, so the pieces need not be moved in between.
    before = _order_copies(rows_of(program, kind.name), named, told)
    missing = [piece for piece, old in enumerate(before) if not named[old]]
    looks = looks_to(program, kind.name, seat)
    order = slots(kind, looks, missing, [told[old] for old in before])
    found = list(before)
    for slot, piece in zip(order, chosen_for(kind, looks, order), strict=True):
        found[piece] = before[slot[-1]]
    return found


def _order_copies(rows: list[list[int]], named: Named, told: list[Told]) -> list[int]:
    """Copies of a row cannot be told apart. Those that a seat can name come first, in the order
    they lie, so that which of them they are says nothing about the others. Whose place each
    piece takes."""
    before = list(range(len(named)))
    keys = [(not known, each) for known, each in zip(named, told, strict=True)]
    for row in rows:
        for piece, old in zip(row, sorted(row, key=keys.__getitem__), strict=True):
            before[piece] = old
    return before


@once_for_each_program
def rows_of(program: Program, name: str) -> list[list[int]]:
    """The pieces of a kind of which there is more than one alike, row by row."""
    kind = next(each for each in program.layout.kinds if each.name == name)
    rows: list[list[int]] = [[] for _ in kind.rows]
    for piece, row in enumerate(kind.row_of):
        rows[row].append(piece)
    return [each for each in rows if len(each) > 1]


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

"""What a seat cannot know, dealt anew, or dealt in one standard order (`masking.py`).

Both are the same act: the pieces that a seat cannot name lie where such pieces lie, each where it
looks right, and whatever names one of them names the one that lies there now. Dealt anew, they lie
only where the seat must suppose them (`memory.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from interpreter.frozen import frozen
from interpreter.play import borne, chance, pieces
from interpreter.play.buffer import Buffer
from interpreter.play.knowledge import among, marks_of, readers_of, reads, unknown_to
from interpreter.play.memory import ANYWHERE, Names, Places, naming_cells
from interpreter.program import origins
from interpreter.program.layout import KEY, KindLayout
from interpreter.program.once import once_for_each_program
from interpreter.program.program import Program


def meant(m: Buffer, kind: KindLayout, piece: int, seat: int) -> list[int]:
    """The pieces that a name may mean if a seat remembers what it is and not where."""
    row = kind.row_of[piece]
    return [p for p in unknown_to(m, kind, seat) if kind.row_of[p] == row]


def settled(m: Buffer, kind: KindLayout, seat: int) -> list[tuple[int, list[int]]]:
    """The notes of which somebody has lost track, with the pieces they may name for all that a
    seat can tell: copies of the row that it remembers, or all that look the same."""
    found: list[tuple[int, list[int]]] = []
    for first, _, number in kind.notes:
        for cell in range(first, first + number):
            if readers_of(m, kind, cell) is not None:
                same = kind.row_of if reads(m, kind, cell, seat) else _backs(kind)
                could_be = [p for p, look in enumerate(same) if look == same[m[cell]]]
                found.append((cell, could_be))
    return found


def _backs(kind: KindLayout) -> tuple[int, ...]:
    return tuple(kind.back.index(kind.back[row]) if kind.back else 0 for row in kind.row_of)


Told = tuple[int, int, int, list[int], list[int], list[int]]
# A piece that a seat cannot name: the number of its look, what else is told of it, its number.
Slot = tuple[int, Told, int]
_NOTHING: list[int] = []


@frozen
class Unknown:
    """A piece a seat cannot name, with what it can tell of it all the same."""

    piece: int
    side: str | None  # how the piece looks, where its public side can be seen
    back: str  # how it looks wherever it lies
    told: Told


def unknown(program: Program, m: Buffer, kind: KindLayout, seat: int) -> list[Unknown]:
    """The pieces a seat cannot name, in the order they lie; where they have no order, in the
    order of what else can be told of them. First those whose public side is in sight."""
    missing = unknown_to(m, kind, seat)
    if not missing:
        return []
    told = told_of(program, m, kind, piece_cells(program, m, kind))
    looks = looks_to(program, kind.name, seat)
    words = [(None if unseen else side, back) for unseen, side, back in looks.words]
    return [
        Unknown(piece, *words[look], lies)
        for look, lies, piece in slots(kind, looks, missing, told)
    ]


@dataclass(frozen=True, slots=True)
class Looks:
    """How pieces of a kind look to a seat that cannot name them. First come the looks of those
    whose public side is in sight."""

    words: list[tuple[bool, str, str]]  # whether the side is out of sight, that side, the back
    in_sight: list[int]  # by row, its look if its side is
    out_of_sight: list[int]
    sees: list[bool]  # by place: whether sides are in sight there


@once_for_each_program
def looks_to(program: Program, name: str, seat: int) -> Looks:
    kind = next(each for each in program.layout.kinds if each.name == name)
    backs = kind.back or [""] * len(kind.rows)
    sees = [
        kind.hidden_fields and among(each, seat, kind.players) for each in kind.instance_viewers
    ]
    sides = [(False, *each) for each in zip(kind.public_label, backs, strict=True)]
    unseen = [(True, "", back) for back in backs]
    words = sorted({*(sides if any(sees) else ()), *unseen})
    in_sight = [words.index(each) for each in sides] if any(sees) else []
    return Looks(words, in_sight, [words.index(each) for each in unseen], sees)


def slots(kind: KindLayout, looks: Looks, missing: list[int], told: list[Told]) -> list[Slot]:
    """The pieces that a seat cannot name, in the order in which they are dealt. `told`: of all."""
    if len(looks.words) == 1:
        return sorted([(0, told[piece], piece) for piece in missing])
    rows, sees, in_sight, out = kind.row_of, looks.sees, looks.in_sight, looks.out_of_sight
    found: list[Slot] = []
    for piece in missing:
        each = told[piece]
        found.append(((in_sight if sees[each[0]] else out)[rows[piece]], each, piece))
    found.sort()
    return found


def told_of(program: Program, m: Buffer, kind: KindLayout, naming: Sequence[int]) -> list[Told]:
    """What else there is to be told of each piece of a kind: where it lies, who knows it, what lies
    on it and which of the cells that name pieces name it."""
    count = len(kind.row_of)
    places = m[kind.where : kind.where + count]
    unseen = {place: pieces.unseen_positions(m, kind, place) for place in set(places)}
    found: list[Told] = [
        (place, -1 if at in unseen[place] else at, known, _NOTHING, _NOTHING, _NOTHING)
        for place, at, known in zip(
            places,
            m[kind.position : kind.position + count],
            m[kind.known : kind.known + count],
            strict=True,
        )
    ]
    marks, counts = marks_of(program, kind.name), borne.count_cells(program, kind.name)
    if marks or borne.bears(program, kind.name):
        for piece, (place, at, known, *_) in enumerate(found):
            lying = [m[cell] for cell in marks[piece]] if marks else _NOTHING
            on_it = [m[cell] for cell in counts[piece]]
            found[piece] = (place, at, known, lying, on_it, _NOTHING)
    for piece, cells in references(m, naming).items():
        found[piece] = (*found[piece][:-1], cells)
    return found


def _looks(kind: KindLayout, piece: int, like: Unknown) -> bool:
    row = kind.row_of[piece]
    if like.side not in (None, kind.public_label[row]):
        return False
    return not kind.back or kind.back[row] == like.back


def references(m: Buffer, cells: Sequence[int]) -> dict[int, list[int]]:
    """Of the cells that name pieces, those of each piece that is named."""
    found: dict[int, list[int]] = {}
    for cell in cells:
        if m[cell] >= 0:
            found.setdefault(m[cell], []).append(cell)
    return found


def piece_cells(program: Program, m: Buffer, kind: KindLayout) -> list[int]:
    """The cells that name pieces of a kind: of variables, of frames still needed, and of choices
    that are sealed."""
    return naming_at(program, m, kind, origins.under_way(program, m), sealed_cells(program, m))


def naming_at(
    program: Program,
    m: Buffer,
    kind: KindLayout,
    where: tuple[int, ...],
    sealed: dict[str, list[int]],
) -> list[int]:
    """The same if it is known where the routines under way go on, and what is sealed."""
    cells = _open_cells(program, kind.name, where)
    found = [cell for cell in cells if readers_of(m, kind, cell) is None] if kind.notes else cells
    return found + sealed[kind.name] if kind.name in sealed else found


@once_for_each_program
def _open_cells(program: Program, name: str, where: tuple[int, ...]) -> list[int]:
    """Those of variables, and of the frames of routines that go on there."""
    found: list[int] = []
    for variable in program.layout.variables:
        if variable.type.sort == "kind" and variable.type.name == name:
            found.extend(range(variable.address, variable.address + variable.size))
    for each, cells in origins.kept_at(program, where):
        for offset, named in each.routine.pieces:
            if named == name and each.routine.address + offset in cells:
                found.append(each.routine.address + offset)
    return found


def sealed_cells(program: Program, m: Buffer) -> dict[str, list[int]]:
    """The cells of sealed choices that name pieces, by kind."""
    layout, found = program.layout, dict[str, list[int]]()
    for seat in range(program.players if layout.sealed_width else 0):
        for number in range(m[layout.sealed_length + seat]):
            row = layout.sealed_row(seat, number)
            entry = program.menus[m[row + layout.sealed_width - 1]].entries[m[row]]
            for cell, param in enumerate(program.actions[entry.action].params, row + 1):
                if param.type.sort == "kind":
                    found.setdefault(param.type.name, []).append(cell)
    return found


def rearrange(
    program: Program, m: Buffer, kind: KindLayout, swap: dict[int, int], naming: Sequence[int]
) -> None:
    """Put pieces where others lie: in the places, with whatever lies on them there, and in the
    cells that name pieces. `swap`: by the piece that lies there, the one that is put there."""
    where, at, knowing = kind.where, kind.position, kind.known
    spots = [(now, m[where + p], m[at + p], m[knowing + p]) for p, now in swap.items()]
    for cell in naming:
        m[cell] = swap.get(m[cell], m[cell])
    for piece, place, position, known in spots:
        m[where + piece] = place
        m[at + piece] = position
        m[knowing + piece] = known
        if place:
            m[kind.instance_address[place] + pieces.CONTENTS + position] = piece
    if cells := borne.cells_of(program, kind.name):
        kept = [[m[cell] for cell in cells[piece]] for piece in swap]
        for piece, values in zip(swap.values(), kept, strict=True):
            for cell, value in zip(cells[piece], values, strict=True):
                m[cell] = value
        borne.settle(program, m, kind, swap.values())
    _sort_sets(m, kind, {place for _, place, _, _ in spots if place})


def _sort_sets(m: Buffer, kind: KindLayout, places: set[int]) -> None:
    """Sets and unordered parts keep their pieces by number; nobody sees that order."""
    for place in places:
        low, high = unordered_part(m, kind, place)
        first = kind.instance_address[place] + pieces.CONTENTS
        lying = m[first + low : first + high]
        if lying != (ordered := sorted(lying)):
            m[first + low : first + high] = ordered
            for index, piece in enumerate(ordered, low):
                m[kind.position + piece] = index


def unordered_part(m: Buffer, kind: KindLayout, place: int) -> tuple[int, int]:
    address = kind.instance_address[place]
    if kind.instance_sorted[place]:
        return 0, m[address]
    low = m[address + pieces.UNDER]
    return low, low + m[address + pieces.UNORDERED]


@dataclass(frozen=True, slots=True)
class Group:
    """Pieces that may lie in the same slots."""

    pieces: list[int]
    slots: list[int]


@dataclass(frozen=True, slots=True)
class Deal:
    """How the pieces of a kind that a seat cannot name are dealt anew: each group gets some of its
    slots, those with the fewest first. Where one set of slots holds the other, or they have none in
    common, that is as likely to come out one way as the other, and always comes out."""

    kind: KindLayout
    order: list[Unknown]  # what lies in each slot now
    groups: list[Group]
    sure: list[int]  # one way in which it comes out
    naming: list[int]  # the cells that name pieces of the kind


@dataclass(frozen=True, slots=True)
class Plan:
    """All that is needed to imagine states that a seat cannot tell apart."""

    program: Program
    view: Buffer
    deals: list[Deal]
    secrets: list[tuple[int, int, int]]
    notes: list[tuple[int, list[int]]]


ATTEMPTS = 8  # to deal so that it comes out


def plan(
    program: Program,
    view: Buffer,
    seat: int,
    places: Sequence[Places] = (),
    names: Names = frozenset(),
) -> Plan:
    """`places`: of each kind, where the seat must suppose its pieces; `names`: what it remembers by
    name only."""
    deals: list[Deal] = []
    notes: list[tuple[int, list[int]]] = []
    # What lies on pieces is dealt before these are, which take it along.
    for number in borne.bearers_last(program):
        kind = program.layout.kinds[number]
        order = [] if kind.fungible else unknown(program, view, kind, seat)
        if order:
            naming = piece_cells(program, view, kind)
            deals.append(_deal_of(view, kind, order, places[number] if places else [], naming))
        notes += settled(view, kind, seat)
        for cell, piece in sorted(names):
            if cell in naming_cells(program, kind.name):
                notes.append((cell, meant(view, kind, piece, seat)))
    return Plan(program, view, deals, secrets(program, seat), notes)


def _deal_of(
    view: Buffer, kind: KindLayout, order: list[Unknown], places: Places, naming: list[int]
) -> Deal:
    groups = _groups(view, kind, order, places)
    sure = _arranged(groups, len(order))
    if sure is None:  # what is remembered cannot be: then it is not what counts
        groups = _groups(view, kind, order, [])
        sure = _arranged(groups, len(order))
        assert sure is not None
    return Deal(kind, order, groups, sure, naming)


def _groups(view: Buffer, kind: KindLayout, order: list[Unknown], places: Places) -> list[Group]:
    alike: dict[tuple[str, str, int], list[int]] = {}
    in_sight = any(each.side is not None for each in order)  # else all sides do for all slots
    backs = kind.back
    for piece in [each.piece for each in order]:
        row, where = kind.row_of[piece], places[piece] if places else ANYWHERE
        side = kind.public_label[row] if in_sight else ""
        alike.setdefault((side, backs[row] if backs else "", where), []).append(piece)
    found: dict[tuple[int, ...], list[int]] = {}
    lying = [view[kind.where + each.piece] for each in order]
    for (_, _, where), same in alike.items():
        fits = [where >> place & 1 for place in lying]
        if in_sight or backs:
            fits = [
                fit and _looks(kind, same[0], each) for fit, each in zip(fits, order, strict=True)
            ]
        found.setdefault(tuple(slot for slot, fit in enumerate(fits) if fit), []).extend(same)
    keys = sorted(found, key=lambda key: (len(key), key))
    return [Group(sorted(found[key]), list(key)) for key in keys]


def _arranged(groups: list[Group], count: int) -> list[int] | None:
    """A piece for each slot; None if there is no way. Who finds its slots taken sends one of those
    that lie there on (augmenting paths)."""
    found = [-1] * count
    for group in groups:
        free = [slot for slot in group.slots if found[slot] < 0]
        for slot, piece in zip(free, group.pieces, strict=False):
            found[slot] = piece
        for first in group.pieces[len(free) :]:
            if not _sent_on(groups, found, first):
                return None
    return found


def _sent_on(groups: list[Group], found: list[int], first: int) -> bool:
    """Whether there was a way to find a slot for a piece."""
    slots_of = {piece: group.slots for group in groups for piece in group.pieces}
    came_from: dict[int, tuple[int, int]] = {}  # slot: the piece that wants it, and its slot
    waiting = [(first, -1)]
    end = -1
    while waiting and end < 0:
        piece, own = waiting.pop()
        for slot in slots_of[piece]:
            if slot not in came_from:
                came_from[slot] = piece, own
                if found[slot] < 0:
                    end = slot
                    break
                waiting.append((found[slot], slot))
    if end < 0:
        return False
    while end >= 0:
        found[end], end = came_from[end]
    return True


def imagine(plan: Plan, seed: int) -> Buffer:
    """A full state that a seat could believe in: what it cannot know is dealt anew."""
    key = chance.seed_key(seed) & (1 << 64) - 1
    m = plan.view.copy()
    counter = 0
    for deal in plan.deals:
        chosen, counter = _dealt(deal, key, counter)
        pairs = zip((each.piece for each in deal.order), chosen, strict=True)
        if swap := {old: new for old, new in pairs if old != new}:
            rearrange(plan.program, m, deal.kind, swap, deal.naming)
    for cell, low, count in plan.secrets:
        value, counter = chance.below(key, counter, count)
        m[cell] = low + value
    for cell, could_be in plan.notes:
        value, counter = chance.below(key, counter, len(could_be))
        m[cell] = could_be[value]
    m[KEY] = chance.signed(chance.number(key, counter))
    return m


def _dealt(deal: Deal, key: int, counter: int) -> tuple[list[int], int]:
    """A piece for each slot, and how far the random stream has been used."""
    for _ in range(ATTEMPTS):
        chosen = [-1] * len(deal.order)
        for group in deal.groups:
            free = [slot for slot in group.slots if chosen[slot] < 0]
            if len(free) < len(group.pieces):
                break
            for piece in group.pieces:
                at, counter = chance.below(key, counter, len(free))
                chosen[free[at]] = piece
                free[at] = free[-1]
                free.pop()
        else:
            return chosen, counter
    return deal.sure, counter


def secrets(program: Program, seat: int) -> list[tuple[int, int, int]]:
    """The cells of secret variables that a seat does not see: where, the lowest value, and how many
    there are. What may be none is none as often as any other."""
    found: list[tuple[int, int, int]] = []
    for variable in program.layout.variables:
        if not variable.secret:
            continue
        match variable.type.sort:
            case "int" | "bool":
                low, high = variable.type.low, variable.type.high
            case "enum":
                low, high = 0, len(program.enums[variable.type.name]) - 1
            case "player":
                low, high = 0, program.players - 1
            case "board":
                low, high = 0, len(program.boards[variable.type.name].cells) - 1
            case _:
                continue
        if variable.type.optional and variable.type.none == low - 1:
            low -= 1
        if high - low > 1 << 32:
            continue
        for number in range(variable.size):
            if not variable.is_open_to(number, seat):
                found.append((variable.address + number, low, high - low + 1))
    return found

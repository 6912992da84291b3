"""Which number each piece of a kind gets when a state is masked for a seat (`masking.py`).

Copies of a row cannot be told apart. Those that a seat can name come first, in the order they lie,
so that which of them they are says nothing about the others. What it cannot name is then dealt in
one standard order: the first piece that looks right into each slot.

Views are asked for at every decision, so all that does not depend on the state is found out once
for each seat (`Part`), and what is told of a piece is a tuple that sorts by itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain, compress, pairwise
from typing import Any

from interpreter.frozen import frozen
from interpreter.play import borne, pieces
from interpreter.play.buffer import Buffer
from interpreter.play.dealing import Looks, looks_to, references
from interpreter.play.knowledge import SPECTATOR, marks_of
from interpreter.program.layout import KindLayout
from interpreter.program.once import once_for_each_program
from interpreter.program.program import Program

Unnamed = list[int]  # of each piece of a kind, 0 if a seat can name it
# Whether a seat cannot name a piece, where it lies, at which position if that can be seen, who
# knows it; then, where there is any, what lies on it; then the cells that name it, if any do.
Told = tuple[Any, ...]
_PLACE = 1


class _OwnParts(dict[tuple[int, int], int]):
    """Of those who know a piece, and those who see into its place, what a seat can tell. Few
    different ones come up, so each is worked out once."""

    def __init__(self, own: int, kind: KindLayout) -> None:
        self.own, self.kind = own, kind

    def __missing__(self, pair: tuple[int, int]) -> int:
        known, seers = pair
        shown = own_part(known >> pieces.SHOWN, self.own, self.kind) << pieces.SHOWN
        found = self[pair] = own_part(known, self.own, self.kind) | seers | shown
        return found


def own_part(seats: int, own: int, kind: KindLayout) -> int:
    """Of a mask, what a seat can tell: whether it is one of them, and whether all are."""
    return kind.everyone if seats >> kind.players & 1 else seats & own


class Arranged:
    """How the pieces of a kind lay in the view that was last made for a seat, and what came of it.
    From one decision to the next most kinds stay as they are."""

    __slots__ = ("known", "lying", "swap", "unnamed")

    def __init__(
        self, lying: Any, known: list[int], unnamed: Unnamed, swap: dict[int, int]
    ) -> None:
        self.lying, self.known, self.unnamed, self.swap = lying, known, unnamed, swap


@frozen
class Part:
    """What there is to know about a kind whose pieces a seat may not be able to name. Nothing of
    it depends on the state."""

    number: int
    kind: KindLayout
    own: int  # the bit of the seat
    own_parts: _OwnParts
    seers: Sequence[int]  # by place, those who know what lies there
    copies: list[range]  # the pieces of each row of which there are several
    looks: Looks
    sides: list[int]  # by piece, its look where its public side is in sight
    backs: list[int]  # and where it is not; empty if all look the same there
    upon: list[slice]  # cells of what is written on pieces and how much lies on them, by piece
    unordered: frozenset[int]  # the places without any order
    every: list[int]  # all pieces
    last: list[Arranged]  # one at most


@once_for_each_program
def part_of(program: Program, number: int, seat: int) -> Part:
    kind = program.layout.kinds[number]
    count, places = len(kind.row_of), range(len(kind.instance_address))
    own = 1 << (kind.players if seat == SPECTATOR else seat)
    marks = marks_of(program, kind.name)
    looks = looks_to(program, kind.name, seat)
    unordered = frozenset(each for each in places if pieces.has_no_order(kind, each))
    return Part(
        number,
        kind,
        own,
        _OwnParts(own, kind),
        [0] * len(places) if kind.hidden_fields else kind.instance_viewers,
        copies_of(program, kind.name),
        looks,
        [looks.in_sight[row] for row in kind.row_of] if looks.in_sight else [],
        [] if len(set(looks.out_of_sight)) == 1 else [looks.out_of_sight[r] for r in kind.row_of],
        _columns(marks) + _columns(borne.count_cells(program, kind.name)),
        unordered,
        list(range(count)),
        [],
    )


def _columns(cells: list[list[int]]) -> list[slice]:
    """Of cells for each piece, the first of all pieces, the second, and so on. These are as far
    from each other as the entries of a variable."""
    found: list[slice] = []
    for column in zip(*cells, strict=True):
        step = column[1] - column[0] if len(column) > 1 else 1
        assert all(after - before == step for before, after in pairwise(column))
        found.append(slice(column[0], column[-1] + 1, step))
    return found


@once_for_each_program
def copies_of(program: Program, name: str) -> list[range]:
    """The pieces of a kind of which there is more than one alike, row by row."""
    kind = next(each for each in program.layout.kinds if each.name == name)
    found: dict[int, list[int]] = {}
    for piece, row in enumerate(kind.row_of):
        found.setdefault(row, []).append(piece)
    spans = [range(each[0], each[-1] + 1) for each in found.values() if len(each) > 1]
    assert all(kind.row_of[span.start] == kind.row_of[each] for span in spans for each in span)
    return spans


def masked_and_ordered(
    m: Buffer, part: Part, naming: Sequence[int]
) -> tuple[Unnamed, dict[int, int]]:
    """Mask who knows the pieces of a kind. Which of them the seat cannot name, and by the piece
    that lies there which one takes its place; those that keep theirs are left out."""
    kind, count = part.kind, len(part.every)
    if kind.notes:
        unnamed = _mask_knowledge(m, part)
        return unnamed, _in_order(m, part, unnamed, naming)
    known = slice(kind.known, kind.known + count)
    lying = _lying(m, part, naming)
    last = part.last[0] if part.last else None
    if last is None or last.lying != lying:
        unnamed = _mask_knowledge(m, part)
        last = Arranged(lying, m[known], unnamed, _in_order(m, part, unnamed, naming))
        part.last[:] = [last]
    m[known] = last.known
    return last.unnamed, last.swap


def _lying(m: Buffer, part: Part, naming: Sequence[int]) -> tuple[list[int], ...]:
    """All that the order of the pieces of a kind is made from."""
    kind, count = part.kind, len(part.every)
    places = m[kind.where : kind.where + count]
    ordered = [kind.instance_address[place] for place in set(places) - part.unordered]
    return (
        places,
        m[kind.position : kind.position + count],
        m[kind.known : kind.known + count],
        [m[address + pieces.UNORDERED] for address in ordered],
        [m[address + pieces.UNDER] for address in ordered],
        list(naming),
        [m[cell] for cell in naming],
        *[m[cells] for cells in part.upon],
    )


def _mask_knowledge(m: Buffer, part: Part) -> Unnamed:
    """What others know is theirs, but for what is in the open. Which of two pieces they were shown
    is told by nothing else once they have lost track of one, or pass one on."""
    kind, own, count = part.kind, part.own, len(part.every)
    known = slice(kind.known, kind.known + count)
    seers = map(part.seers.__getitem__, m[kind.where : kind.where + count])
    pairs = zip(m[known], seers, strict=True)
    m[known] = found = list(map(part.own_parts.__getitem__, pairs))
    for first, readers, number in kind.notes:
        for each in range(number):
            if m[first + each] >= 0 and m[readers + each]:
                m[readers + each] = pieces.SETTLED | own_part(m[readers + each], own, kind)
    return [~each & own for each in found]


def _in_order(m: Buffer, part: Part, unnamed: Unnamed, naming: Sequence[int]) -> dict[int, int]:
    """By the piece that lies there, which piece takes its place."""
    told = _told_of(m, part, unnamed, naming)
    taken, free = part.every.copy(), unnamed.copy()
    for row in part.copies:
        first, end = row.start, row.stop
        if 0 in unnamed[first:end]:
            taken[first:end] = sorted(row, key=told.__getitem__)
            free[first:end] = sorted(unnamed[first:end])
    slots = sorted(compress(part.every, unnamed), key=told.__getitem__)
    for piece, slot in _where_it_looks_right(part, list(compress(part.every, free)), slots, told):
        taken[piece] = slot
    if taken == part.every:
        return {}
    return {old: piece for piece, old in enumerate(taken) if piece != old}


def _told_of(m: Buffer, part: Part, unnamed: Unnamed, naming: Sequence[int]) -> list[Told]:
    """What else there is to be told of each piece of a kind."""
    kind, count, unordered = part.kind, len(part.every), part.unordered
    places = m[kind.where : kind.where + count]
    lying = zip(places, m[kind.position : kind.position + count], strict=True)
    positions = [-1 if place in unordered else position for place, position in lying]
    for place in set(places) - unordered:
        address = kind.instance_address[place]
        if shuffled := m[address + pieces.UNORDERED]:
            first = address + pieces.CONTENTS + m[address + pieces.UNDER]
            for piece in m[first : first + shuffled]:
                positions[piece] = -1
    known = m[kind.known : kind.known + count]
    upon = [m[cells] for cells in part.upon]
    found: list[Told] = list(zip(unnamed, places, positions, known, *upon, strict=True))
    for piece, named_by in references(m, naming).items():
        found[piece] += (named_by,)
    return found


def _where_it_looks_right(
    part: Part, missing: list[int], slots: list[int], told: list[Told]
) -> Iterable[tuple[int, int]]:
    """The unknown pieces put where such pieces lie, the first that looks right in each slot: pieces
    and slots. First come the slots where the public side is in sight."""
    taken: list[tuple[int, int]] = []
    sees = part.looks.sees
    if part.sides and (seen := [slot for slot in slots if sees[told[slot][_PLACE]]]):
        taken = _dealt(seen, missing, part.sides)
        gone, shown = {piece for piece, _ in taken}, set(seen)
        missing = [piece for piece in missing if piece not in gone]
        slots = [slot for slot in slots if slot not in shown]
    if not part.backs:
        return chain(taken, zip(missing, slots, strict=True))
    return taken + _dealt(slots, missing, part.backs)


def _dealt(slots: list[int], left: list[int], looks: list[int]) -> list[tuple[int, int]]:
    """For each slot the first piece left that has its look."""
    waiting: dict[int, list[int]] = {}
    for piece in left:
        waiting.setdefault(looks[piece], []).append(piece)
    first = {look: iter(alike) for look, alike in waiting.items()}
    return [(next(first[looks[slot]]), slot) for slot in slots]

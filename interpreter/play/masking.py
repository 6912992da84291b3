"""A state as one seat knows it: everything that it cannot know is put into one standard order.

Two states that a seat cannot tell apart become equal. What is hidden is put in order by dealing it
(`dealing.py`), always in the same way. What does not depend on the state is found out once for each
seat, because views are asked for at every decision.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from interpreter.frozen import frozen
from interpreter.play import borne, ordering
from interpreter.play.buffer import Buffer
from interpreter.play.dealing import (
    meant,
    naming_at,
    piece_cells,
    rearrange,
    sealed_cells,
    settled,
    unknown,
)  # fmt: skip
from interpreter.play.knowledge import hidden_cells, knows, readers_of
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

_OF_NOBODY = (KEY, COUNTER, STEPS, TOTAL_STEPS, MOVES, ERROR, ERROR_AT)


@frozen
class Masked:
    """What is left of a state. `unnamed`: by number of kind, which pieces of the state the seat
    cannot name, where they can be hidden; `renumbered`: the places on pieces that have other
    numbers now, since their pieces have."""

    cells: Buffer
    unnamed: dict[int, ordering.Unnamed]
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
    unnamed: dict[int, ordering.Unnamed] = {}
    places: borne.Renumbered = {}
    sealed = sealed_cells(program, copy)
    for part in plan.parts:
        kind = part.kind
        naming = naming_at(program, copy, kind, where, sealed)
        unnamed[part.number], swap = ordering.masked_and_ordered(copy, part, naming)
        if swap:
            rearrange(program, copy, kind, swap, naming)
            if borne.bears(program, kind.name):
                places |= borne.renumbered(program, kind, swap)
        if kind.notes:
            for cell, could_be in settled(copy, kind, seat):
                copy[cell] = could_be[0]
            _name_the_first(program, copy, kind, seat)
        for cell, piece in names:
            if cell in naming_cells(program, kind.name):
                copy[cell] = meant(copy, kind, piece, seat)[0]
    return Masked(copy, unnamed, places)


def masked_after(
    program: Program, m: Buffer, masked_: tuple[int, ...], after: Buffer, seat: int
) -> tuple[int, ...]:
    """The table of a state that has come of another which is masked already. Mostly it differs in
    plain numbers only, or not at all."""
    others, own = _plain_variables(program, seat)
    if any(m[span] != after[span] for span in others):
        return tuple(masked(program, after, seat).cells)
    changed = [span for span in own if m[span] != after[span]]
    if not changed:
        return masked_
    copy = list(masked_)
    for span in changed:
        copy[span] = after[span]
    return tuple(copy)


@once_for_each_program
def _plain_variables(program: Program, seat: int) -> tuple[list[slice], list[slice]]:
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
    sealed: list[slice]  # what the others have sealed is theirs, and so is how far they are
    first_values: dict[int, int]
    # The kinds that can be hidden. Where a piece lies tells it from others, so first those have
    # their order that others lie on.
    parts: list[ordering.Part]


@once_for_each_program
def _plan(program: Program, seat: int) -> _Plan:
    layout = program.layout
    others = [player for player in range(program.players) if player != seat]
    size = layout.sealed_capacity * layout.sealed_width
    sealed: list[slice] = []
    for player in others if layout.sealed_width else ():
        length, start = layout.sealed_length + player, layout.sealed_choices + player * size
        sealed += [slice(length, length + 1), slice(start, start + size)]
    done = ~sum(1 << player for player in others) if layout.sealed_width else ~0
    kinds = [n for n in borne.bearers_first(program) if layout.kinds[n].known >= 0]
    parts = [ordering.part_of(program, n, seat) for n in kinds]
    return _Plan(done, sealed, dict(program.initial), parts)


@once_for_each_program
def _not_kept(program: Program, where: tuple[int, ...]) -> list[slice]:
    """What the rules have worked out on the way here and will not look at again."""
    live: set[int] = set()
    for each, cells in origins.kept_at(program, where):
        live.add(each.routine.address)
        live |= cells
    first = program.layout.frames
    return _spans(
        cell for cell in range(first, first + program.layout.frames_size) if cell not in live
    )


def _spans(cells: Iterable[int]) -> list[slice]:
    found: list[slice] = []
    for cell in cells:
        if found and found[-1].stop == cell:
            found[-1] = slice(found[-1].start, cell + 1)
        else:
            found.append(slice(cell, cell + 1))
    return found


def _clear(m: Buffer, spans: Sequence[slice]) -> None:
    for span in spans:
        m[span] = [0] * (span.stop - span.start)


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

"""Where a seat must suppose the pieces that it cannot name.

To know a piece is to be able to point at it. Who has lost track of one still remembers something:
what was shuffled lies in its stack, or where cards of that stack have gone since; what somebody had
in hand is there, or where that seat has put a card unseen. So for every piece and every viewer
there is a set of places the piece may lie in. It only ever grows until the piece is known again. Up
to the first chance and the first choice all follows from the rules, which everybody knows.

A name that a `let` has given to a piece still means that piece when a seat has lost track of it.
Who knew it then remembers what it is, and can no longer tell where; so it is also kept which names
each viewer remembers like this. (For variables, `notes.py` does the same in the state itself,
because they are in views.)

Only who imagines states needs this, so it is kept beside them and not in the buffer: native code,
which plays games to their end, has no use for it.
"""

from __future__ import annotations

from collections.abc import Sequence

from interpreter.play import pieces
from interpreter.play.buffer import Buffer
from interpreter.program.layout import KindLayout
from interpreter.program.once import once_for_each_program
from interpreter.program.origins import runs
from interpreter.program.program import Program
from interpreter.program.touches import frame_cells_read

ANYWHERE = -1  # as a set of places: all of them
Places = list[int]  # of each piece of a kind, as a bit mask of places
Names = frozenset[tuple[int, int]]  # cells of frames, and the pieces that they name


class Memory:
    """What all viewers remember: for each kind the places of its pieces, first by each seat, then
    by a spectator. Kinds that hide nothing have none."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.begun = False
        viewers = program.players + 1
        self.kinds: list[list[Places]] = [
            [[ANYWHERE] * len(kind.row_of) for _ in range(viewers)] if kind.known >= 0 else []
            for kind in program.layout.kinds
        ]
        self.names: list[Names] = [frozenset()] * viewers

    @staticmethod
    def of_view(
        program: Program, seat: int | None, places: Sequence[Places], names: Names
    ) -> Memory:
        """Of a state that was imagined: what one viewer remembers, and nothing for others."""
        found = Memory(program)
        found.begun = True
        viewer = program.players if seat is None else seat
        for viewers, each in zip(found.kinds, places, strict=True):
            if viewers:
                viewers[viewer] = each
        found.names[viewer] = names
        return found

    def copy_at(self, m: Buffer) -> Memory:
        """A memory of its own for what comes after a stop."""
        found = Memory.__new__(Memory)
        found.program, found.begun = self.program, self.begun
        found.names = [_still_so(each, m) for each in self.names]
        # The places of a piece are never changed where they are, so they can be shared.
        found.kinds = [list(each) for each in self.kinds]
        return found

    def begin(self, m: Buffer) -> None:
        """From now on not everything follows from the rules."""
        if self.begun:
            return
        self.begun = True
        for viewers, kind in zip(self.kinds, self.program.layout.kinds, strict=True):
            places = [1 << m[kind.where + piece] for piece in range(len(kind.row_of))]
            viewers[:] = [places] * len(viewers)

    def of(self, viewer: int) -> list[Places]:
        """What one viewer remembers, for each kind."""
        return [viewers[viewer] if viewers else [] for viewers in self.kinds]

    def note(self, number: int, before: Buffer, m: Buffer, moved: int | None, hidden: bool) -> None:
        """Something was done to the pieces of a kind. `before`: what `kept` gave of them;
        `moved`: the piece that was moved, if one was; `hidden`: they were to be forgotten."""
        kind = self.program.layout.kinds[number]
        count = len(kind.row_of)
        after = kept(m, kind)
        if not self.begun or (before == after and moved is None):
            return
        for viewer, places in enumerate(self.kinds[number]):
            lost = [
                piece
                for piece in range(count)
                if before[piece] >> viewer & 1 and not after[piece] >> viewer & 1
            ]
            blind = moved is not None and not after[moved] >> viewer & 1
            learned = [
                piece
                for piece in range(count)
                if after[piece] >> viewer & 1 and not before[piece] >> viewer & 1
            ]
            if not lost and not blind and not learned:
                continue
            self.names[viewer] = _still_so(self.names[viewer], m) | {
                (cell, m[cell]) for cell in naming_cells(self.program, kind.name) if m[cell] in lost
            }
            found = list(places)
            for piece in lost:
                found[piece] = 1 << before[count + piece]
            for piece in learned:
                taken_for = [each for each in lost if kind.row_of[each] == kind.row_of[piece]]
                if taken_for:  # a copy that it knew: that one may lie where this one could
                    found[taken_for[0]] = places[piece]
                else:
                    _mix_copies(found, kind, before, piece, viewer)
            if blind and moved is not None:  # it could have been whatever could have lain there
                source, target = 1 << before[count + moved], 1 << after[count + moved]
                found = [each | target if each & source else each for each in found]
            if hidden:
                found = _mixed_up(found, lost)
            self.kinds[number][viewer] = found


def _still_so(names: Names, m: Buffer) -> Names:
    return frozenset((cell, piece) for cell, piece in names if m[cell] == piece)


@once_for_each_program
def naming_cells(program: Program, kind: str) -> tuple[int, ...]:
    """The cells of frames in which a `let` names a piece of a kind. Left out are those that get
    it from a choice or a parameter: of these a viewer sees where the piece lies and goes, and need
    not see what it is, even if it knows all that lie there."""
    found: set[int] = set()
    for number, routine in enumerate(program.routines):
        named = {routine.address + offset for offset, _ in routine.pieces}
        sure = named & {routine.address + offset for offset in routine.lets}
        writers = runs(program, number)
        reads = {
            cell: frozenset[int]().union(
                *(frame_cells_read(program, program.code[pc]) for pc in writers.get(cell, ()))
            )
            for cell in sure
        }
        unsure = named - sure
        while more := {cell for cell in sure if reads[cell] & unsure}:
            sure -= more
            unsure |= more
        of_kind = {routine.address + offset for offset, name in routine.pieces if name == kind}
        found |= sure & of_kind
    return tuple(sorted(found))


def _mix_copies(places: Places, kind: KindLayout, before: Buffer, piece: int, viewer: int) -> None:
    """A viewer gets to know a piece. It could be any copy that may have lain there, so of those
    that are left each may lie where any of them could."""
    here = 1 << before[len(places) + piece]
    copies = [
        other
        for other, row in enumerate(kind.row_of)
        if row == kind.row_of[piece] and not before[other] >> viewer & 1 and places[other] & here
    ]
    together = 0
    for other in copies:
        together |= places[other]
    for other in copies:
        places[other] = together


def _mixed_up(places: Places, forgotten: list[int]) -> Places:
    """What the rules let a seat forget can be anything else that it cannot name."""
    here = 0
    for piece in forgotten:
        here |= places[piece]
    found = [each | here for each in places]
    for piece in forgotten:
        found[piece] = ANYWHERE
    return found


def kept(m: Buffer, kind: KindLayout) -> Buffer:
    """Who knows each piece of a kind, and then where each of them lies."""
    count = len(kind.row_of)
    knowing = [pieces.who_knows(m, kind, piece) for piece in range(count)]
    return knowing + m[kind.where : kind.where + count]

"""Options that differ only in a piece which is moved and not looked at: one trial tells of all.

"Play a card and take a die" is offered for every card and die, and each is tried out by looking
ahead. Mostly what follows depends on the card alone: the die is moved, and nobody asks which one it
was. Found are options whose last argument is used in no other way until the end of `looking ahead`
than to move that piece. Then two pieces that come from the same place come to the same, as long as
nothing is read that the move has changed.

Whether it is read is known only while playing: in most trials one kind of action is possible, and
only some look where pieces lie. So code that a trial can come to notes what sorts of cells it reads
(emit/idle.py), as bits: one for each place of a kind of piece, and one for where pieces are, in
which order, and who knows them. To move or show other pieces of the kind counts as reading all.

What must not be assumed: that a piece comes from a certain place. It is compared with where the
piece before came from. And every trial counts for the limit of positions looked at.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import reduce
from itertools import islice
from operator import or_
from typing import Any

from interpreter.play.native.facts.writes import reached
from interpreter.program import ops
from interpreter.program.layout import CONTENTS
from interpreter.program.once import once_for_each_program
from interpreter.program.program import Program
from interpreter.program.touches import TOUCHES, operations, with_called

_MOST_BITS = 62
_ON_PIECES = (ops.MovePiece, ops.ShufflePlace, ops.Know)


@dataclass(frozen=True, slots=True)
class Noted:
    """The bits of one kind of pieces."""

    places: tuple[int, ...]  # by the number of a place; the box has none
    pieces: int  # where they lie, in which order, who knows them

    @property
    def all(self) -> int:
        return reduce(or_, self.places, self.pieces)


@dataclass(frozen=True, slots=True)
class Moved:
    """The last argument of an option is a piece that is only moved."""

    kind: int
    changed: int  # bits of what that changes beside the place that the piece comes from


@dataclass(frozen=True, slots=True)
class Idle:
    """What is known of a program."""

    program: Program
    entries: dict[tuple[int, int], Moved]  # by menu and position
    kinds: dict[int, Noted]
    cells: dict[int, int]  # their bits
    moves: frozenset[int]  # the moves that are meant, by their `id`
    code: frozenset[int]  # instructions that trials come to
    generators: frozenset[int]  # the same of what offers options

    def bits(self, code: Any) -> int:
        """What code may read."""
        found = 0
        for op in with_called(self.program, code):
            if isinstance(op, _ON_PIECES) and op.kind in self.kinds and id(op) not in self.moves:
                found |= self.kinds[op.kind].all
            for cell in TOUCHES[type(op)].reads(op):
                found |= self.cells.get(cell, 0)
        return found


@once_for_each_program
def find_idle(program: Program) -> Idle:
    moves: dict[tuple[int, int], list[ops.MovePiece]] = {}
    code: set[int] = set()
    for menu, position, entry in _tried(program):
        stretch = reached(program, [entry.target.position], ops.LookEnd)
        own = _moves(program, stretch, entry.cells[-1])
        if own:
            moves[menu, position] = own
            code |= stretch
    kinds, cells = _noted(program, sorted({own[0].kind for own in moves.values()}))
    entries = {}
    for key, own in moves.items():
        noted = kinds.get(own[0].kind)
        if noted is not None:
            changed = reduce(or_, (_places(program, noted, op) for op in own), noted.pieces)
            entries[key] = Moved(own[0].kind, changed)
    menus = {op.menu for pc in code if isinstance(op := program.code[pc], ops.Decide)}
    return Idle(
        program,
        entries,
        kinds if entries else {},
        cells if entries else {},
        frozenset(id(op) for own in moves.values() for op in own),
        frozenset(code),
        frozenset(entry.generator for menu in menus for entry in program.menus[menu].entries),
    )


def _tried(program: Program) -> Iterator[tuple[int, int, ops.Entry]]:
    """Entries whose options may be tried out, and that have an argument."""
    bodies = [*program.code, *(function.body for function in program.functions)]
    found = {type(op) for body in bodies for op in operations(body)}
    if ops.LookAhead not in found or ops.Can in found:
        return
    for number, menu in enumerate(program.menus):
        for position, entry in enumerate(menu.entries):
            if entry.cells:
                yield number, position, entry


def _moves(program: Program, stretch: set[int], cell: int) -> list[ops.MovePiece]:
    """The moves of the piece in a cell, if it is used in no other way; all are of one kind."""
    inside = tuple(program.code[pc] for pc in sorted(stretch))
    if any(isinstance(op, (ops.Sealed, ops.Over, ops.Unwind)) for op in inside):
        return []
    used = 0
    found: dict[int, ops.MovePiece] = {}
    for op in with_called(program, inside):
        used += cell in TOUCHES[type(op)].reads(op)
        if isinstance(op, ops.MovePiece) and op.piece == ops.Memory(cell):
            found[id(op)] = op
    moves = list(found.values())
    alike = len({op.kind for op in moves}) == 1 and used == len(moves)
    return moves if alike else []


def _noted(program: Program, kinds: list[int]) -> tuple[dict[int, Noted], dict[int, int]]:
    """The bits of these kinds, as long as there are any, and of all their cells."""
    found: dict[int, Noted] = {}
    cells: dict[int, int] = {}
    bits = (1 << number for number in range(_MOST_BITS))
    for number in kinds:
        kind = program.layout.kinds[number]
        groups = [each for each in program.layout.places if each.kind == number]
        own = list(islice(bits, 1 + len(groups)))
        if len(own) <= len(groups):
            break
        places = [0] * len(kind.instance_address)
        for place, bit in zip(groups, own[1:], strict=True):
            for instance in range(place.first, place.first + place.size):
                places[instance] = bit
                first = kind.instance_address[instance]
                span = range(first, first + CONTENTS + kind.instance_capacity[instance])
                cells.update(dict.fromkeys(span, bit))
        found[number] = Noted(tuple(places), own[0])
        for start in (kind.where, kind.position, kind.known):
            if start >= 0:
                cells.update(dict.fromkeys(range(start, start + len(kind.row_of)), own[0]))
        for _, readers, size in kind.notes:
            cells.update(dict.fromkeys(range(readers, readers + size), own[0]))
    return found, cells


def _places(program: Program, noted: Noted, op: ops.MovePiece) -> int:
    """The bits of where a move can lead to."""
    match op.place:
        case ops.Const(number):
            return noted.places[number]
        case ops.Binary("add", _, ops.Const(first)):
            groups = [each for each in program.layout.places if each.kind == op.kind]
            own = [noted.places[first] for each in groups if each.first == first]
            return own[0] if own else noted.all
        case _:  # any place
            return noted.all

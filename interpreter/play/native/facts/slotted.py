"""Slots that are gone through for pieces of a sort: the pieces are asked where they lie.

`any(c in Board where number of c.piece = 1 and c.piece.owner is p)` looks into every slot of a
board. But a piece lies in one place only, which it knows, and of what sort it is stands in tables.
So all pieces of the kind are asked at once whether they lie in one of these slots and are of the
sort; what sort that is, is the same in all rounds.

It is right because places keep their promises (play/pieces.py), and states from outside are looked
over before they are used (emit/valid.py): a slot that holds one piece holds the piece that says so.
All that a round asks takes no steps, so that it does not matter after which one the loop ends.

What must not be assumed: that a slot in another place is none of these. A piece must lie in one of
the instances that the loop goes through.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from interpreter import limits
from interpreter.play.native.facts.copies import without_copies
from interpreter.play.native.facts.sharing import is_own
from interpreter.play.native.facts.together import noted
from interpreter.play.pieces import CONTENTS
from interpreter.program import ops
from interpreter.program.layout import PlaceLayout
from interpreter.program.once import once_for_each_program
from interpreter.program.program import Program
from interpreter.program.touches import locals_read, locals_set

_LEAST_SLOTS, _MOST_PIECES = 8, 64


@dataclass(frozen=True, slots=True)
class Sort:
    """What a table must, or must not, tell of a piece."""

    table: int
    equal: bool
    content: ops.Expr


@dataclass(frozen=True, slots=True)
class Slotted:
    where: int  # the cells that say in which instance each piece lies
    pieces: int
    first: int  # of the instances
    slots: int
    sorts: tuple[Sort, ...]
    noting: ops.SetLocal
    counts: bool


@once_for_each_program
def find_slotted(program: Program, loop: ops.CountLoop) -> Slotted | None:
    """If a loop goes through slots, and counts or looks for pieces of a sort."""
    (plain,) = without_copies((loop,))
    match plain:
        case ops.CountLoop(index, ops.Const(0), ops.Const(slots), (ops.When() as last,)) if (
            slots >= _LEAST_SLOTS
        ):
            found = noted(last)
        case _:  # it is short, or does something else
            return None
    if found is None or not found.wanted:
        return None
    first, *others = (each for part in found.conditions for each in _all_of(part))
    place = _place(program, first, index, slots)
    if place is None or not others:
        return None
    kind = program.layout.kinds[place.kind]
    changing = locals_set(loop)
    sorts = [_sort(program, each, place, index, changing) for each in others]
    known = tuple(each for each in sorts if each is not None)
    if len(known) < len(sorts) or len(kind.row_of) > _MOST_PIECES:
        return None
    if any(len(program.tables[each.table]) < len(kind.row_of) for each in known):
        return None
    if not is_own(program, loop, changing - {found.noting.index}):
        return None
    pieces = (kind.where, len(kind.row_of), place.first, slots)
    return Slotted(*pieces, known, found.noting, found.counts)


def _all_of(op: ops.Expr) -> Iterator[ops.Expr]:
    if isinstance(op, ops.Binary) and op.word == "and":
        yield from _all_of(op.left)
        yield from _all_of(op.right)
    else:
        yield op


def _place(program: Program, op: ops.Expr, index: int, slots: int) -> PlaceLayout | None:
    """The slots, if it is asked whether there is a piece in the one of this round."""
    for place in program.layout.places:
        at = ops.Binary("multiply", ops.Local(index), ops.Const(place.stride))
        match op:
            case ops.Binary("equal", ops.MemoryAt(base, of), ops.Const(1)) if (
                (base, of) == (place.address, at)
                and place.capacity == 1
                and place.size >= slots
                and place.word != "pool"
            ):
                return place
            case _:  # another place
                pass
    return None


def _sort(
    program: Program, op: ops.Expr, place: PlaceLayout, index: int, changing: set[int]
) -> Sort | None:
    match op:
        case ops.Binary("equal" | "unequal" as word, ops.Lookup(table, piece), content):
            pass
        case _:  # something else is asked
            return None
    fixed = isinstance(content, (ops.Const, ops.Memory, ops.Local))
    if not fixed or locals_read(content) & changing or not _is_piece(piece, place, index):
        return None
    return Sort(table, word == "equal", content)


def _is_piece(op: Any, place: PlaceLayout, index: int) -> bool:
    """Whether it is the piece in the slot of this round."""
    match op:
        case ops.Within(inner, 0, limits.INT_MAX):
            return _is_piece(inner, place, index)
        case ops.MemoryAt(
            base,
            ops.Binary(
                "add",
                ops.Binary("multiply", ops.Local(local), ops.Const(stride)),
                ops.Const(0),
            ),
        ):
            return (base, local, stride) == (place.address + CONTENTS, index, place.stride)
        case _:  # something else
            return False

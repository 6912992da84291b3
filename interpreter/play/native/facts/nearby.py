"""Conditions on the neighbours of a cell that go by their regions, asked of all of them together.

`any(x in neighbours(c) where x.stone is not p and not any(y in region(x through z where z.stone is
not p) where y.onEdge))` begins a flood at each neighbour, and mostly these are the same region. It
is the same as for all cells of a board (facts/together.py), but for the cells that are gone through
and their order, which is that of the ways.

Sets of bits are quick where regions are large: of cells that do not have some content, or of those
that have none. A group of stones is mostly small, and found as quickly cell by cell. Where nobody
counts steps, a flood ends as soon as it has found what it was begun for, which is better still.

What must not be assumed: that a cell is beside another in one way only, as on a ring of two.
"""

from __future__ import annotations

from dataclasses import dataclass

from interpreter.play.native.facts.beside import Around, around_of
from interpreter.play.native.facts.compared import Compared
from interpreter.play.native.facts.copies import without_copies
from interpreter.play.native.facts.sharing import is_own
from interpreter.play.native.facts.together import (
    MOST_CELLS,
    Cells,
    Finder,
    Grown,
    Together,
    noted,
    parts_of,
)
from interpreter.program import ops
from interpreter.program.once import once_for_each_program
from interpreter.program.program import Program
from interpreter.program.touches import locals_read, locals_set

_LEAST_CELLS = 36
_NOTHING = ops.Const(-1)


@dataclass(frozen=True, slots=True)
class Nearby:
    """A loop through the neighbours of a cell, and what it asks of them."""

    around: Around
    together: Together


@once_for_each_program
def find_nearby(program: Program, loop: ops.CountLoop) -> Nearby | None:
    """For code that counts steps."""
    (plain,) = without_copies((loop,))
    around = around_of(plain)
    if around is None or not _LEAST_CELLS <= around.cells <= MOST_CELLS:
        return None
    found = noted(around.inside)
    if found is None or not _leads_apart(program, around):
        return None
    own = locals_set(loop) - {found.noting.index}
    if found.noting.index in locals_read(found.conditions) or around.origin in locals_set(loop):
        return None
    finder = Finder(program, around.cells, loop, counting=True)
    condition = finder.all_of(found.conditions, ops.Local(around.beside))
    if condition is None or not _gains(condition) or not is_own(program, loop, own):
        return None
    asked = (condition, found.noting, found.counts, found.wanted)
    return Nearby(around, Together(around.cells, *asked, around.ways))


def _leads_apart(program: Program, around: Around) -> bool:
    """Whether all ways from a cell lead to different cells."""
    table, cells = program.tables[around.table], around.cells
    for cell in range(cells):
        there = [table[way * cells + cell] for way in range(around.ways)]
        beside = [each for each in there if each >= 0]
        if len(set(beside)) < len(beside):
            return False
    return True


def _gains(condition: Cells) -> bool:
    """Whether it goes by large regions."""
    return any(isinstance(each, Grown) and _is_large(each.through) for each in parts_of(condition))


def _is_large(through: Cells | None) -> bool:
    return isinstance(through, Compared) and (not through.equal or through.content == _NOTHING)

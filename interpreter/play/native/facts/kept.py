"""Small boards whose contents are kept in registers, too, while a blind game is played.

What was just written to one cell cannot be compared together with its neighbours right away: the
processor waits until it has arrived in memory, which takes as long as all else that a short move
does. So for each content of such a board there is a word with a bit for each cell; whoever writes a
cell sets its bit.

It is right only if all that writes the board is straight code of the game itself, which knows of
the words: no function, no piece that is moved, no choice that is put down there.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from interpreter.play.native.facts.ranges import Cells
from interpreter.play.native.facts.words import MOST_CELLS, asked_of, word_of_menu
from interpreter.program import ops
from interpreter.program.once import once_for_each_program
from interpreter.program.program import Program
from interpreter.program.touches import TOUCHES, operations

_MOST_CONTENTS = 5
_MOST_INSTRUCTIONS = 60  # of a game that is worth a form of its own where nobody chooses
_HIDDEN = (ops.WhatIf, ops.Can, ops.LocalAt, ops.SetLocalAt, ops.Reach)


@dataclass(frozen=True, slots=True)
class Kept:
    base: int
    size: int
    contents: range


@once_for_each_program
def boards_kept(program: Program) -> dict[int, Kept]:
    """By their first cell; only those that options are found by."""
    if len(program.code) > _MOST_INSTRUCTIONS:
        return {}
    asked: set[int] = set()
    for number in range(len(program.menus)):
        word = word_of_menu(program, number)
        if word is not None:
            asked |= {each.base for each in asked_of(word)}
    cells, found = Cells(program), {}
    for variable in program.layout.variables:
        base, size = variable.address, variable.size
        if base not in asked or size > MOST_CELLS:
            continue
        low, high = cells.at(base)
        kept = Kept(base, size, range(low, high + 1))
        if high - low < _MOST_CONTENTS and _is_written_openly(program, kept):
            found[base] = kept
    return found


def _is_written_openly(program: Program, kept: Kept) -> bool:
    """What is tried out is put back by others, and code with arrays has a function of its own."""
    if any(
        _writes(program, op, kept) for each in program.functions for op in operations(each.body)
    ):
        return False
    for instruction in program.code:
        inside = list(operations(instruction))
        openly = isinstance(instruction, ops.Do) and not any(
            isinstance(op, _HIDDEN) for op in inside
        )
        for op in inside:
            known = isinstance(op, ops.SetMemoryAt) and (op.base, op.size) == (kept.base, kept.size)
            if _writes(program, op, kept) and not (openly and known):
                return False
    return True


def _writes(program: Program, op: Any, kept: Kept) -> bool:
    """Whether one operation, without what is inside it, writes the board."""
    end = kept.base + kept.size
    written = TOUCHES[type(op)].writes(op, program)
    return any(each.start < end and kept.base < each.stop for each in written)

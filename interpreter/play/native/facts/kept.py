"""Boards whose contents are kept as sets of cells, too, while a blind game is played.

What was just written to one cell cannot be compared together with its neighbours right away: the
processor waits until it has arrived in memory, which takes as long as all else that a short move
does. So for each content of such a board there are words with a bit for each cell; whoever writes a
cell sets its bit.

It is right only if all that writes the board is straight code of the game itself, which knows of
the words: no function, no piece that is moved, no choice that is put down there.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from interpreter.play.native.facts.ranges import Cells
from interpreter.play.native.facts.words import MOST_CELLS, asked_of, word_of_menu
from interpreter.program import ops
from interpreter.program.once import once_for_each_program
from interpreter.program.program import Program
from interpreter.program.touches import TOUCHES, cells_written, locals_read, locals_set, operations

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
    if any(_writes(program, kept, each.body) for each in program.functions):
        return False
    for instruction in program.code:
        if isinstance(instruction, ops.Do):
            statements = instruction.statements
            first = statements[: written_first(program, kept, statements)]
            shared = locals_set(first) & locals_read(statements[len(first) :])
            if shared or not _is_open(program, kept, first):
                return False
        elif _writes(program, kept, instruction):
            return False
    return True


def written_first(program: Program, kept: Kept, statements: tuple[ops.Statement, ...]) -> int:
    """How many statements there are up to the last that writes a board."""
    written = [_writes(program, kept, each) for each in statements]
    return len(written) - written[::-1].index(True) if True in written else 0


def _is_open(program: Program, kept: Kept, statements: tuple[ops.Statement, ...]) -> bool:
    """Whether all that is written there is seen: what is tried out is put back by others, and code
    with arrays has a function of its own."""
    inside = list(operations(statements))
    return not any(isinstance(op, _HIDDEN) for op in inside) and all(
        isinstance(op, ops.SetMemoryAt) and (op.base, op.size) == (kept.base, kept.size)
        for op in inside
        if _meets(kept, TOUCHES[type(op)].writes(op, program))
    )


def _writes(program: Program, kept: Kept, code: Any) -> bool:
    return _meets(kept, cells_written(program, code))


def _meets(kept: Kept, written: Iterable[range]) -> bool:
    end = kept.base + kept.size
    return any(each.start < end and kept.base < each.stop for each in written)

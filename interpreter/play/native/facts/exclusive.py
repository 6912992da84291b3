"""Menus of which only one entry has options at a time: that of what a cell holds.

A procedure that carries out an action offers something else for each of them: `when a is tip`,
`when a is flip`. Found are menus whose entries all begin with such a condition, on the same cell
and each with another content. Then the cell is looked at once, and the others are not asked.

It is right because an entry does nothing but offer options where its condition holds, and what a
condition compares are a cell and a constant, which cannot fail. What must not be assumed: that
nobody wants to know what was read (facts/idle.py); then all entries are asked.
"""

from __future__ import annotations

from interpreter.play.native.facts.idle import find_idle
from interpreter.program import ops
from interpreter.program.program import Program

_FEWEST = 3  # entries


def find_exclusive(program: Program, menu: ops.Menu) -> tuple[ops.Memory, list[int]] | None:
    """The cell that all entries of a menu ask for, and what it holds for each of them."""
    asked = [_asked(program.functions[entry.generator].body) for entry in menu.entries]
    known = [each for each in asked if each is not None]
    contents = [content for _, content in known]
    if len(known) < len(asked) or len(known) < _FEWEST or len(set(contents)) < len(contents):
        return None
    cells = {cell for cell, _ in known}
    if len(cells) > 1 or find_idle(program).bits(known[0][0]):
        return None
    return known[0][0], contents


def _asked(body: tuple[ops.Statement, ...]) -> tuple[ops.Memory, int] | None:
    match body:
        case (
            ops.When(ops.Binary("equal", ops.Memory() as cell, ops.Const(content)), _, ()),
            ops.Return(ops.Const(0)),
        ):
            return cell, content
        case _:  # it offers something in any case, or asks for something else
            return None

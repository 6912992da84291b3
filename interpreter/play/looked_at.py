"""What it means that the rules look at something hidden: which cells and which tables tell it."""

from __future__ import annotations

from collections.abc import Callable

from interpreter.play import pieces
from interpreter.program.layout import KindLayout
from interpreter.program.program import Program


def hidden_cells(program: Program) -> frozenset[int]:
    """Where secret variables lie, and the pieces of places of which not everybody sees all."""
    return _cells(program, lambda kind, _: kind.hidden_fields)


def noted_cells(program: Program) -> frozenset[int]:
    """The same without open places of pieces that hide something: which piece lies there is no
    secret. But where pieces are kept in order of their number, that tells what they hide."""
    return _cells(program, lambda kind, place: kind.hidden_fields and kind.instance_sorted[place])


def _cells(program: Program, closed: Callable[[KindLayout, int], bool]) -> frozenset[int]:
    found: set[int] = set()
    for variable in program.layout.variables:
        if variable.secret:
            found.update(range(variable.address, variable.address + variable.size))
    for kind in program.layout.kinds:
        for number, address in enumerate(kind.instance_address[1:], 1):
            if closed(kind, number) or kind.instance_viewers[number] != kind.everyone:
                first = address + pieces.CONTENTS
                found.update(range(first, first + kind.instance_capacity[number]))
    return frozenset(found)


def telling_tables(program: Program) -> frozenset[int]:
    """The tables that tell pieces apart which look the same: to look one up there is
    to look at what it hides."""
    found: set[int] = set()
    for kind in program.layout.kinds:
        if not kind.hidden_fields:
            continue
        looks = {len(kind.row_of): [kind.public_label[row] for row in kind.row_of]}
        looks[len(kind.rows)] = list(kind.public_label)
        for number, table in enumerate(program.tables):
            seen = looks.get(len(table), [])
            if len(set(zip(seen, table, strict=False))) > len(set(seen)):
                found.add(number)
    return frozenset(found)

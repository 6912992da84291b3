"""Floods: where code finds all cells that hang together with one, and goes through them.

A board's region becomes several statements that stand together (`program/lower/board_domains.py`):
flags of all cells are cleared, the start is taken if the condition lets it in, cells are gone on
from in the order they were found, and then all that were found are visited in that order.
`find_flood` tells these statements again.

It is certain of each flood that no cell is found twice: flags are set where a cell is taken, and
nowhere cleared meanwhile. So it has at most as many rounds as there are cells, which tells how long
code can take (`shape.Steps`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from interpreter.program import ops
from interpreter.program.touches import parts

_LONG = 7  # statements of a flood whose start has no condition: two more


@dataclass(frozen=True, slots=True)
class Flood:
    """The parts of a flood, by the names of the lowering."""

    cells: int
    seen: int  # base of an array
    found: int  # base of an array
    size: int  # locals
    next: int
    here: int
    way: int
    target: int
    start: ops.Expr
    starts_anyway: bool  # the condition is not asked of the start
    test: ops.Expr
    ways: int
    table: int
    loop: ops.While
    visit: ops.CountLoop
    length: int  # in statements


def find_flood(statements: tuple[ops.Statement, ...], first: int) -> Flood | None:
    """The flood that begins with a statement of several, if one does."""
    match statements[first : first + _LONG + 2]:
        case (
            ops.CountLoop(clear, ops.Const(0), ops.Const(cells), (ops.SetLocalAt(seen) as wipe,)),
            ops.SetLocal(size, ops.Const(0)),
            ops.SetLocal(next_, ops.Const(0)),
            ops.SetLocal(target, start),
            *rest,
        ) if wipe == ops.SetLocalAt(seen, ops.Local(clear), cells, ops.Const(0)):
            pass
        case _:  # any other statements are no flood
            return None
    head = (cells, seen, size, next_, target, start)
    match rest:
        case [ops.When(test, take, ()), ops.While() as loop, ops.CountLoop() as visit, *_]:
            return _flood(head, test, take, loop, visit, 7)
        case [one, two, three, ops.While() as loop, ops.CountLoop() as visit]:
            return _flood(head, None, (one, two, three), loop, visit, 9)
        case _:  # something else follows
            return None


def _flood(
    head: tuple[int, int, int, int, int, ops.Expr],
    at_start: ops.Expr | None,
    take: tuple[ops.Statement, ...],
    loop: ops.While,
    visit: ops.CountLoop,
    length: int,
) -> Flood | None:
    cells, seen, size, next_, target, start = head
    following = ops.SetLocal(next_, ops.Binary("add", ops.Local(next_), ops.Const(1)))
    match take:
        case (marking, ops.SetLocalAt(found) as putting, more):
            pass
        case _:  # something else is done with a cell
            return None
    taking = (
        ops.SetLocalAt(seen, ops.Local(target), cells, ops.Const(1)),
        ops.SetLocalAt(found, ops.Local(size), cells, ops.Local(target)),
        ops.SetLocal(size, ops.Binary("add", ops.Local(size), ops.Const(1))),
    )
    more_to_go = ops.Binary("less", ops.Local(next_), ops.Local(size))
    if (marking, putting, more) != taking or loop.condition != more_to_go:
        return None
    fresh = ops.Binary(
        "and",
        ops.Binary("atLeast", ops.Local(target), ops.Const(0)),
        ops.Unary("not", ops.LocalAt(seen, ops.Local(target), cells)),
    )
    match loop.body:
        case (
            ops.SetLocal(here, ops.LocalAt(source)),
            advance,
            ops.CountLoop(
                way,
                ops.Const(0),
                ops.Const(ways),
                (
                    ops.SetLocal(aim, ops.Lookup(table)),
                    ops.When(ops.Binary("and", asked, test), again, ()),
                ),
            ),
        ) if (source, advance, aim, asked, again) == (found, following, target, fresh, take):
            pass
        case _:  # another loop
            return None
    whole = visit.low == ops.Const(0) and visit.high == ops.Local(size)
    if not whole or (at_start is not None and at_start != test):
        return None
    if len({seen, found, size, next_, here, way, target, visit.local}) < 8:
        return None
    return Flood(
        cells, seen, found, size, next_, here, way, target, start, at_start is None, test,
        ways, table, loop, visit, length,
    )  # fmt: skip


def rounds_of_floods(code: Any) -> dict[int, int]:
    """How many rounds the loops of floods have at most, by what they are (`id`)."""
    loops = ((each, flood.cells) for flood in _floods(code) for each in (flood.loop, flood.visit))
    return {id(loop): cells for loop, cells in loops}


def arrays_of_floods(code: Any) -> set[int]:
    """The arrays of floods: nobody reads what has not been set before, so they need not be cleared.
    No two parts of a function share one."""
    return {base for flood in _floods(code) for base in (flood.seen, flood.found)}


def _floods(code: Any) -> Iterator[Flood]:
    waiting = [code]
    while waiting:
        item = waiting.pop()
        waiting += parts(item)
        if type(item) is tuple:
            for first, each in enumerate(item):
                flood = find_flood(item, first) if isinstance(each, ops.CountLoop) else None
                if flood is not None:
                    yield flood

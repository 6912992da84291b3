"""What is asked about the cells beside a group, however it is written.

A group is a flood (floods.py), and something is asked of what lies beside its cells. Either the
cells of the group are gone through and all that is beside them, `any(x in chain(c), z in
neighbours(x) where z.stone is none)`; or all cells of the board, and of each is asked whether it is
beside the group, `count(z in Grid where z.stone is none and any(x in chain(c) where x in
neighbours(z)))`. Both come to the same for whoever only asks whether there is one (sets.py).

What must not be assumed: that steps lead both ways. Where it is asked from the other side, they are
those of the table, turned round.
"""

from __future__ import annotations

from dataclasses import dataclass

from interpreter.play.native.facts.early import only_asks
from interpreter.play.native.facts.floods import Flood, find_flood
from interpreter.program import ops
from interpreter.program.touches import locals_read, locals_set


@dataclass(frozen=True, slots=True)
class Beside:
    """What is asked of the cells beside a group: of which variable, by which table with how many
    ways (from cells of the group, or `way_back` to them), and which content; whether there is one,
    or how many there are."""

    flood: Flood
    base: int
    table: int
    ways: int
    wanted: ops.Expr
    counts: bool
    way_back: bool = False
    afar: bool = False  # all cells are gone through, and of each is asked whether it is beside
    one_by_one: bool = False  # of each cell beside that one is asked whether it is in the group


def find_beside(statements: tuple[ops.Statement, ...], result: int) -> Beside | None:
    """If statements do nothing but find out `result` about what is beside a group."""
    return _from_group(statements, result) or _from_cells(statements, result)


def _from_group(rest: tuple[ops.Statement, ...], result: int) -> Beside | None:
    """Cells of a group are gone through, and what is beside each of them."""
    flood = find_flood(rest, 0) if rest and isinstance(rest[0], ops.CountLoop) else None
    if flood is None or flood.length != len(rest):
        return None
    asked = _beside(flood, result)
    if asked is None or (not asked.counts and not only_asks(flood, rest)):
        return None
    return asked


def _beside(flood: Flood, result: int) -> Beside | None:
    """If a visit does nothing but ask for a content beside the cell."""
    match flood.visit.body:
        case (
            ops.SetLocal(cell, here),
            ops.When(ops.Sequence() as any_, (ops.SetLocal(noted, ops.Const(1)), ops.Break()), ()),
        ) if noted == result:
            found = _any(any_)
            if found is None:
                return None
            (loop,), hit = found
            counts = False
        case (ops.SetLocal(cell, here), loop):
            counts, hit = True, ()
        case _:  # it asks for something else
            return None
    around = around_of(loop)
    if around is None or (around.origin, around.cells, here) != (
        cell,
        flood.cells,
        _visited(flood),
    ):
        return None
    match around.inside:
        case ops.When(ops.Binary("equal", ops.MemoryAt(base, at), wanted), done, ()) if (
            at == ops.Local(around.beside)
            and (is_one_more(done, result) if counts else done == hit)
        ):
            return Beside(flood, base, around.table, around.ways, wanted, counts)
        case _:  # it looks elsewhere
            return None


def _visited(flood: Flood) -> ops.Expr:
    return ops.LocalAt(flood.found, ops.Local(flood.visit.local), flood.cells)


def _any(
    op: ops.Expr,
) -> tuple[tuple[ops.Statement, ...], tuple[ops.Statement, ...]] | None:
    """Of something that is looked for: the statements that do so, and what is done when it is
    found."""
    match op:
        case ops.Sequence((ops.SetLocal(result, ops.Const(0)), *rest), found) if found == ops.Local(
            result
        ):
            return tuple(rest), (ops.SetLocal(result, ops.Const(1)), ops.Break())
        case _:  # it is something else
            return None


@dataclass(frozen=True, slots=True)
class Around:
    """A loop through the neighbours of a cell, by a table."""

    table: int
    ways: int
    cells: int
    origin: int  # locals
    beside: int
    inside: ops.Statement


def around_of(loop: ops.Statement) -> Around | None:
    match loop:
        case ops.CountLoop(
            way,
            ops.Const(0),
            ops.Const(ways),
            (
                ops.SetLocal(
                    beside,
                    ops.Lookup(
                        table,
                        ops.Binary(
                            "add",
                            ops.Binary("multiply", ops.Local(turn), ops.Const(cells)),
                            ops.Local(origin),
                        ),
                    ),
                ),
                ops.When(is_there, (inside,), ()),
            ),
        ) if turn == way and is_there == ops.Binary("atLeast", ops.Local(beside), ops.Const(0)):
            return Around(table, ways, cells, origin, beside, inside)
        case _:  # it goes elsewhere
            return None


def _from_cells(rest: tuple[ops.Statement, ...], result: int) -> Beside | None:
    """All cells with some content are gone through, and it is asked of each whether it is beside
    the group: by what is beside a cell of the group, or in the group beside the cell."""
    match rest:
        case (
            ops.CountLoop(
                cell,
                ops.Const(0),
                ops.Const(cells),
                (
                    ops.When(
                        ops.Binary(
                            "and",
                            ops.Binary("equal", ops.MemoryAt(base, at), wanted),
                            ops.Sequence() as any_,
                        ),
                        done,
                        (),
                    ),
                ),
            ),
        ) if at == ops.Local(cell):
            pass
        case _:  # it does something else
            return None
    found = _any(any_)
    counts = is_one_more(done, result)
    if found is None or not (counts or done == (ops.SetLocal(result, ops.Const(1)), ops.Break())):
        return None
    if locals_read(wanted) & locals_set(rest):
        return None
    looking, hit = found
    near = _in_group(looking, hit, cell) if len(looking) > 1 else _of_cell(looking[0], hit, cell)
    if near is None or near.flood.cells != cells or near.around.cells != cells:
        return None
    table, ways = near.around.table, near.around.ways
    return Beside(
        near.flood, base, table, ways, wanted, counts, near.way_back, True, near.one_by_one
    )


@dataclass(frozen=True, slots=True)
class _Near:
    """A group, and the steps from its cells to those that are asked about, or back."""

    flood: Flood
    around: Around
    way_back: bool
    one_by_one: bool


def _in_group(
    looking: tuple[ops.Statement, ...], hit: tuple[ops.Statement, ...], cell: int
) -> _Near | None:
    """If a group is gone through, and of each of its cells is asked whether it is beside `cell`."""
    flood = find_flood(looking, 0)
    if flood is None or flood.length != len(looking):
        return None
    match flood.visit.body:
        case (ops.SetLocal(other, here), ops.When(ops.Sequence() as any_, done, ())) if done == hit:
            found = _any(any_)
        case _:  # it asks for something else
            return None
    if found is None or here != _visited(flood) or len(found[0]) > 1:
        return None
    around = around_of(found[0][0])
    match around and around.inside:
        case ops.When(ops.Binary("equal", ops.Local(one), ops.Local(two)), then, ()) if (
            then == found[1]
        ):
            pass
        case _:  # it asks for something else
            return None
    for origin, target in ((cell, other), (other, cell)):
        if around and around.origin == origin and {one, two} == {around.beside, target}:
            return _Near(flood, around, way_back=origin == cell, one_by_one=False)
    return None


def _of_cell(loop: ops.Statement, hit: tuple[ops.Statement, ...], cell: int) -> _Near | None:
    """If neighbours of a cell are gone through, and of each is asked whether it is in a group."""
    around = around_of(loop)
    match around and around.inside:
        case ops.When(ops.Sequence() as any_, done, ()) if done == hit:
            found = _any(any_)
        case _:  # it asks for something else
            return None
    flood = None if found is None else find_flood(found[0], 0)
    if around is None or found is None or flood is None or flood.length != len(found[0]):
        return None
    match flood.visit.body:
        case (ops.SetLocal(other, here), ops.When(condition, then, ())) if here == _visited(flood):
            one: ops.Expr = ops.Local(other)
        case (ops.When(condition, then, ()),):
            one = _visited(flood)
        case _:  # it does something else
            return None
    asked = (ops.Binary("equal", one, ops.Local(around.beside)), found[1])
    fits = (condition, then) == asked and around.origin == cell and around.cells == flood.cells
    return _Near(flood, around, way_back=True, one_by_one=True) if fits else None


def is_one_more(done: tuple[ops.Statement, ...], result: int) -> bool:
    """The same at any spot: there are never so many that they are too big a number."""
    match done:
        case (ops.SetLocal(index, ops.Binary("add", left, right)),):
            return (index, left, right) == (result, ops.Local(result), ops.Const(1))
        case _:  # something else is counted
            return False

"""Floods over cells with the same content, as sets of bits.

`any(x in region(c through y where y.mark is c.mark), z in neighbours(x) where z.mark is p)` asks
whether a group touches something. On a board whose steps are always as long in numbers, that is
done with all cells at once: the group grows by moving its bits one step in every direction. What
cells have which content is known from before the trials, but for those that the trial has written
(emit/sets.py).

Found are functions that do nothing else. What must not be assumed: that steps that lead over the
edge of a board are as long as others. Cells without a neighbour on that side are left out before
bits are moved.

A cell with two of what is looked for beside it still has one when a single cell was written. So it
is noted once for each enumeration which cells have two, and most trials need to look no further;
and a loop of a trial that asks all neighbours of a cell whether they touch nothing (`find_asking`)
need not begin. Two steps that lead to the same cell count as one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from interpreter.play.native.facts.early import only_asks
from interpreter.play.native.facts.floods import Flood, find_flood
from interpreter.play.native.facts.shape import is_plain
from interpreter.play.native.facts.told import bounds_of
from interpreter.program import ops
from interpreter.program.program import Program
from interpreter.program.touches import locals_read, locals_set, operations

_MOST_CELLS, _MOST_CONTENTS = 128, 8


@dataclass(frozen=True, slots=True)
class Step:
    """So many numbers on, from the cells of a set."""

    by: int
    cells: int


@dataclass(frozen=True, slots=True)
class Sets:
    base: int  # of the variable
    cells: int
    low: int  # the lowest content
    contents: int
    start: ops.Expr
    same: ops.Expr  # the content of the cells of the group
    wanted: ops.Expr  # what is looked for beside them
    spreading: tuple[Step, ...]
    table: int  # of the cells that the group spreads to
    spread: int  # in how many ways
    looking: tuple[Step, ...]
    ways: int  # the same for the neighbours that are looked at


@dataclass(frozen=True, slots=True)
class Asking:
    """A loop that asks the neighbours of a cell with some content whether they touch nothing."""

    function: int
    origin: ops.Expr
    content: ops.Expr
    wanted: ops.Expr
    given: tuple[ops.Expr, ...]  # to the function
    near: tuple[int, ...]  # for each cell, its neighbours as a set


# ---- what is kept, in cells: whether anything is known; for each content two sets: of the cells
# that have it, and of those that have two such beside them; and for each content and cell a group
# that was found from there, and what is beside it.
KNOWN, SETS = range(2)


def width(sets: Sets) -> int:
    """Bits of a set."""
    return 64 if sets.cells <= 64 else _MOST_CELLS


def memory_of(sets: Sets) -> int:
    return groups(sets) + 2 * sets.contents * sets.cells * width(sets) // 64


def groups(sets: Sets) -> int:
    return SETS + 2 * sets.contents * width(sets) // 64


def find_sets(program: Program, number: int) -> Sets | None:
    function = program.functions[number]
    match function.body:
        case (ops.Return(ops.Sequence((ops.SetLocal(result, ops.Const(0)), *rest), found)),) if (
            found == ops.Local(result)
        ):
            pass
        case _:  # it does something else
            return None
    flood = find_flood(tuple(rest), 0) if rest and isinstance(rest[0], ops.CountLoop) else None
    if flood is None or flood.length != len(rest) or flood.cells > _MOST_CELLS:
        return None
    if flood.starts_anyway or not only_asks(flood, function.body):
        return None
    match flood.test:
        case ops.Binary("equal", ops.MemoryAt(base, ops.Local(target)), same):
            if target != flood.target or not _is_given(same, function.params):
                return None
        case _:  # it spreads otherwise
            return None
    asked = _beside(flood, result)
    bounds = bounds_of(program, base, True)
    if asked is None or bounds is None or bounds[1] > _MOST_CONTENTS:
        return None
    there, table, ways, wanted = asked
    spreading = _steps(program, flood.table, flood.ways, flood.cells)
    looking = _steps(program, table, ways, flood.cells)
    if there != base or spreading is None or looking is None:
        return None
    if not _is_given(wanted, function.params) or not _is_given(flood.start, function.params):
        return None
    return Sets(
        base, flood.cells, *bounds, flood.start, same, wanted, spreading, flood.table,
        flood.ways, looking, ways,
    )  # fmt: skip


def _is_given(op: ops.Expr, params: int) -> bool:
    """Whether a value depends on nothing but the state and what the function is given."""
    plain = (ops.Const, ops.Local, ops.Memory, ops.MemoryAt, ops.Lookup)
    return all(isinstance(each, plain) for each in operations(op)) and all(
        index < params for index in locals_read(op)
    )


def _beside(flood: Flood, result: int) -> tuple[int, int, int, ops.Expr] | None:
    """If a visit asks for a content beside the cell: of which variable, by which table with how
    many
    ways, and which content."""
    match flood.visit.body:
        case (
            ops.SetLocal(cell, here),
            ops.When(
                ops.Sequence(
                    (ops.SetLocal(any_, ops.Const(0)), ops.SetLocal(origin, from_), loop), asked
                ),
                (ops.SetLocal(noted, ops.Const(1)), ops.Break()),
                (),
            ),
        ):
            pass
        case _:  # it asks for something else
            return None
    match loop:
        case ops.CountLoop(
            way,
            ops.Const(0),
            ops.Const(ways),
            (
                ops.SetLocal(beside, ops.Lookup(table, index)),
                ops.When(
                    is_there,
                    (
                        ops.SetLocal(other, copied),
                        ops.When(
                            ops.Binary("equal", ops.MemoryAt(base, ops.Local(looked)), wanted),
                            (ops.SetLocal(found, ops.Const(1)), ops.Break()),
                            (),
                        ),
                    ),
                    (),
                ),
            ),
        ):
            pass
        case _:  # it looks elsewhere
            return None
    far = ops.Binary("multiply", ops.Local(way), ops.Const(flood.cells))
    fits = (
        here == ops.LocalAt(flood.found, ops.Local(flood.visit.local), flood.cells)
        and from_ == ops.Local(cell)
        and asked == ops.Local(any_)
        and noted == result
        and index == ops.Binary("add", far, ops.Local(origin))
        and is_there == ops.Binary("atLeast", ops.Local(beside), ops.Const(0))
        and copied == ops.Local(beside)
        and looked == other
        and found == any_
    )
    return (base, table, ways, wanted) if fits else None


def _steps(program: Program, table: int, ways: int, cells: int) -> tuple[Step, ...] | None:
    """The steps of a table of neighbours, if all of one way are equally long."""
    values = program.tables[table]
    if len(values) < ways * cells:
        return None
    found: list[Step] = []
    for way in range(ways):
        row = values[way * cells : (way + 1) * cells]
        lengths = {there - here for here, there in enumerate(row) if there >= 0}
        if len(lengths) > 1:
            return None
        having = sum(1 << here for here, there in enumerate(row) if there >= 0)
        found += [Step(by, having) for by in lengths]
    return tuple(found)


def apart(steps: tuple[Step, ...]) -> tuple[Step, ...]:
    """Steps that lead to different cells from each cell."""
    found: dict[int, int] = {}
    for step in steps:
        found[step.by] = found.get(step.by, 0) | step.cells
    return tuple(Step(by, cells) for by, cells in found.items())


# ---- loops that ask neighbours


def find_asking(program: Program, loop: ops.CountLoop, known: Mapping[int, Sets]) -> Asking | None:
    """If a loop does nothing but ask a known function about the neighbours of a cell."""
    match loop:
        case ops.CountLoop(
            way,
            ops.Const(0),
            ops.Const(ways),
            (
                ops.SetLocal(beside, ops.Lookup(table, index)),
                ops.When(
                    is_there,
                    (
                        ops.SetLocal(cell, copied),
                        ops.When(
                            ops.Binary("equal", ops.MemoryAt(base, ops.Local(looked)), content),
                            (ops.When(ops.Unary("not", ops.Call(function, given)), _, ()),),
                            (),
                        ),
                    ),
                    (),
                ),
            ),
        ) if function in known and known[function].base == base:
            pass
        case _:  # it does something else
            return None
    sets = known[function]
    match index:
        case ops.Binary("add", far, ops.Local() as origin) if far == ops.Binary(
            "multiply", ops.Local(way), ops.Const(sets.cells)
        ):
            pass
        case _:  # of something else
            return None
    start, same, wanted = (_passed(each, given) for each in (sets.start, sets.same, sets.wanted))
    here = ops.Local(cell)
    if wanted is None or locals_read((origin, content, wanted)) & locals_set(loop):
        return None
    fits = (
        is_there == ops.Binary("atLeast", ops.Local(beside), ops.Const(0))
        and copied == ops.Local(beside)
        and looked == cell
        and start == here
        and same in (content, ops.MemoryAt(base, here, sets.cells))  # so it is let in
        and is_plain(content)
        and is_plain(wanted)
    )
    rows = program.tables[table]
    if not fits or len(rows) < ways * sets.cells:
        return None
    near = tuple(
        sum(1 << there for there in set(rows[here : ways * sets.cells : sets.cells]) if there >= 0)
        for here in range(sets.cells)
    )
    return Asking(function, origin, content, wanted, given, near)


def _passed(op: ops.Expr, given: tuple[ops.Expr, ...]) -> ops.Expr | None:
    """What an expression of a function is to who calls it, if it can be told."""
    match op:
        case ops.Const():
            return op
        case ops.Local(index):
            return given[index]
        case ops.MemoryAt(base, ops.Local(index), size):
            return ops.MemoryAt(base, given[index], size)
        case _:  # any other is not looked into
            return None

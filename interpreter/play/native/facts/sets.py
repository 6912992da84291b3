"""Floods over cells with the same content, as sets of bits.

`any(x in region(c through y where y.mark is c.mark), z in neighbours(x) where z.mark is p)` asks
whether a group touches something. On a board whose steps are always as long in numbers, that is
done with all cells at once: the group grows by moving its bits one step in every direction. What
cells have which content is known from before the trials, but for those that the trial has written
(emit/sets.py).

Found are functions that do nothing else (beside.py), or count what a group touches: then the sets
tell whether that is 0, if no more is asked. What must not be assumed: that steps that lead over the
edge of a board are as long as others. Cells without a neighbour on that side are left out before
bits are moved.

A cell with two of what is looked for beside it still has one when a single cell was written. So it
is noted once for each enumeration which cells have two, and most trials need to look no further;
and a loop of a trial that asks all neighbours of a cell whether they touch nothing (`find_asking`)
need not begin. Two steps that lead to the same cell count as one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from interpreter.play.native.facts.beside import Beside, find_beside
from interpreter.play.native.facts.copies import without_copies
from interpreter.play.native.facts.in_place import with_calls_in_place
from interpreter.play.native.facts.shape import is_plain
from interpreter.play.native.facts.told import bounds_of
from interpreter.program import ops
from interpreter.program.program import Program
from interpreter.program.touches import locals_read, locals_set, operations

_MOST_CELLS, _MOST_CONTENTS = 512, 8


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
    counts: bool  # how many are beside the cells of the group, not only whether there is one
    afar: bool  # it goes through all cells and asks which are beside the group
    floods: int  # that are begun for each cell that is asked about


@dataclass(frozen=True, slots=True)
class Content:
    """What a cell has, or has not."""

    base: int
    equal: bool
    value: ops.Expr


@dataclass(frozen=True, slots=True)
class Asking:
    """A loop that asks the neighbours of a cell with some content whether they touch nothing."""

    function: int
    origin: ops.Expr
    contents: tuple[Content, ...]
    wanted: ops.Expr
    given: tuple[ops.Expr, ...]  # to the function
    near: tuple[int, ...]  # for each cell, its neighbours as a set


# ---- what is kept, in cells: whether anything is known; for each content two sets: of the cells
# that have it, and of those that have two such beside them; and for each content and cell a group
# that was found from there, and what is beside it; last how many cells have each content.
KNOWN, SETS = range(2)


def width(sets: Sets) -> int:
    """Bits of a set."""
    return max(64, 1 << (sets.cells - 1).bit_length())


def memory_of(sets: Sets) -> int:
    return numbers(sets) + sets.contents


def numbers(sets: Sets) -> int:
    return groups(sets) + 2 * sets.contents * sets.cells * width(sets) // 64


def groups(sets: Sets) -> int:
    return SETS + 2 * sets.contents * width(sets) // 64


def find_sets(program: Program, number: int, *, counting: bool = True) -> Sets | None:
    """`counting`: it is asked how many steps it takes, so calls are not put in place."""
    function = program.functions[number]
    if not any(isinstance(op, ops.While) for op in operations(function.body)):
        return None
    body = function.body if counting else with_calls_in_place(program, function.body)
    match without_copies(body):
        case (ops.Return(ops.Sequence((ops.SetLocal(result, ops.Const(0)), *rest), found)),) if (
            found == ops.Local(result)
        ):
            pass
        case _:  # it does something else
            return None
    asked = find_beside(tuple(rest), result)
    return None if asked is None else _sets(program, asked, function.params)


def _sets(program: Program, asked: Beside, params: int) -> Sets | None:
    flood = asked.flood
    match flood.test:
        case ops.Binary("equal", ops.MemoryAt(base, ops.Local(target)), same) if (
            target == flood.target and base == asked.base and flood.cells <= _MOST_CELLS
        ):
            pass
        case _:  # it spreads otherwise
            return None
    bounds = bounds_of(program, base, True)
    if flood.starts_anyway or bounds is None or bounds[1] > _MOST_CONTENTS:
        return None
    spreading = _steps(program, flood.table, flood.ways, flood.cells)
    looking = _steps(program, asked.table, asked.ways, flood.cells)
    if spreading is None or looking is None:
        return None
    if not all(_is_given(each, params) for each in (same, asked.wanted, flood.start)):
        return None
    if asked.way_back:
        looking = tuple(map(turned, looking))
    return Sets(
        base, flood.cells, *bounds, flood.start, same, asked.wanted, spreading, flood.table,
        flood.ways, looking, asked.ways, asked.counts, asked.afar,
        asked.ways if asked.one_by_one else 1,
    )  # fmt: skip


def turned(step: Step) -> Step:
    """From the cells that a step leads to, back."""
    there = step.cells << step.by if step.by >= 0 else step.cells >> -step.by
    return Step(-step.by, there)


def _is_given(op: ops.Expr, params: int) -> bool:
    """Whether a value depends on nothing but the state and what the function is given."""
    plain = (ops.Const, ops.Local, ops.Memory, ops.MemoryAt, ops.Lookup)
    return all(isinstance(each, plain) for each in operations(op)) and all(
        index < params for index in locals_read(op)
    )


def _steps(program: Program, table: int, ways: int, cells: int) -> tuple[Step, ...] | None:
    """The steps of a table of neighbours, if all of one way are equally long."""
    values = program.tables[table]
    if len(values) < ways * cells:
        return None
    found: list[Step] = []
    for way in range(ways):
        steps = lengths_of(program, table, way, cells)
        if len(steps) > 1:
            return None
        found += steps
    return tuple(found)


def lengths_of(program: Program, table: int, way: int, cells: int) -> tuple[Step, ...]:
    """The steps of one way: those that are equally long are one."""
    row = program.tables[table][way * cells : (way + 1) * cells]
    each = (Step(there - here, 1 << here) for here, there in enumerate(row) if there >= 0)
    return apart(tuple(each))


def apart(steps: tuple[Step, ...]) -> tuple[Step, ...]:
    """Steps that lead to different cells from each cell."""
    found: dict[int, int] = {}
    for step in steps:
        found[step.by] = found.get(step.by, 0) | step.cells
    return tuple(Step(by, cells) for by, cells in found.items())


# ---- loops that ask neighbours


def find_asking(program: Program, loop: ops.CountLoop, known: Mapping[int, Sets]) -> Asking | None:
    """If a loop does nothing but ask a known function about neighbours of a cell that have, or have
    not, some content."""
    match without_copies((loop,)):
        case (
            ops.CountLoop(
                way,
                ops.Const(0),
                ops.Const(ways),
                (
                    ops.SetLocal(beside, ops.Lookup(table, index)),
                    ops.When(is_there, (ops.When() as inside,), ()),
                ),
            ),
        ) if is_there == ops.Binary("atLeast", ops.Local(beside), ops.Const(0)):
            pass
        case _:  # it does something else
            return None
    match index:
        case ops.Binary(
            "add", ops.Binary("multiply", far, ops.Const(cells)), ops.Local() as origin
        ):
            pass
        case _:  # of something else
            return None
    here, contents = ops.Local(beside), list[Content]()
    for condition in _conditions(inside):
        match condition:
            case ops.Binary("equal" | "unequal" as word, ops.MemoryAt(base, at), content) if (
                at == here and is_plain(content)
            ):
                contents.append(Content(base, word == "equal", content))
                continue
            case _:  # then it must be the question
                call = asks_for_none(condition)
        break
    else:
        return None
    if call is None or call.function not in known or far != ops.Local(way):
        return None
    sets, given, rows = known[call.function], call.arguments, program.tables[table]
    start, same, wanted = (_passed(each, given) for each in (sets.start, sets.same, sets.wanted))
    read = (origin, *(each.value for each in contents), wanted or here)
    lets_in: list[ops.Expr] = [ops.MemoryAt(sets.base, here, sets.cells)]
    lets_in += [each.value for each in contents if each.equal]
    if (
        wanted is None
        or not is_plain(wanted)
        or locals_read(read) & locals_set(loop)
        or start != here
        or same not in lets_in
        or any(each.base != sets.base for each in contents)
        or cells != sets.cells
        or len(rows) < ways * cells
        or (isinstance(condition, ops.Unary) == sets.counts)
    ):
        return None
    near = tuple(
        sum(1 << there for there in set(rows[cell : ways * cells : cells]) if there >= 0)
        for cell in range(cells)
    )
    return Asking(call.function, origin, tuple(contents), wanted, given, near)


def _conditions(op: ops.When) -> Iterator[ops.Expr]:
    """What must hold for anything to be done, in the order it is asked."""
    waiting = [op.condition]
    while waiting:
        now = waiting.pop()
        if isinstance(now, ops.Binary) and now.word == "and":
            waiting += [now.right, now.left]
        else:
            yield now
    match op:
        case ops.When(_, (ops.When() as inner,), ()):
            yield from _conditions(inner)
        case _:  # something is done
            pass


def asks_for_none(op: ops.Expr) -> ops.Call | None:
    """If it is asked whether a function gives 0, or does not hold."""
    match op:
        case ops.Unary("not", ops.Call() as call):
            return call
        case ops.Binary("equal" | "atMost", ops.Call() as call, ops.Const(0)):
            return call
        case ops.Binary("less", ops.Call() as call, ops.Const(1)):
            return call
        case _:  # something else is asked
            return None


def asks_for_some(op: ops.Expr) -> ops.Call | None:
    """If it is asked whether a function that counts gives more than 0."""
    match op:
        case ops.Binary("more" | "unequal", ops.Call() as call, ops.Const(0)):
            return call
        case ops.Binary("atLeast", ops.Call() as call, ops.Const(1)):
            return call
        case _:  # something else is asked
            return None


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

"""Where it is only asked whether a straight row of cells is long enough.

`line(c through x where x.mark is me) >= 3` follows all rays from a cell as long as the marks go on,
and no processor can guess how far. But which cells would make the row long enough is known
beforehand: for each cell few sets of cells, and the row is there if all cells of one of them hold
what is asked for. The steps that the rules take for it depend on the cell alone, because a loop
costs what its rays are long, however soon it breaks off.

What must not be assumed: that a row runs straight on. On a ring both of its sides may meet the same
cells, so the sets are made of the tables that the rules go by.
"""

from __future__ import annotations

from dataclasses import dataclass

from interpreter.play.native.facts.compared import Compared
from interpreter.play.native.facts.sharing import is_own
from interpreter.program import ops
from interpreter.program.once import once_for_each_program
from interpreter.program.program import Program
from interpreter.program.touches import locals_read, locals_set

MOST_CELLS = 64
_MOST_SETS = 32  # for each cell


@dataclass(frozen=True, slots=True)
class Line:
    before: tuple[ops.Statement, ...]
    start: ops.Local
    test: ops.Binary  # of the cell it begins at, and of all others
    compared: Compared
    loop: ops.CountLoop  # which is not gone through
    sets: tuple[tuple[int, ...], ...]  # for each cell, as bits; as many for each
    steps: tuple[int, ...]  # for each cell


@once_for_each_program
def find_line(program: Program, asked: ops.Binary) -> Line | None:
    match asked:
        case ops.Binary("atLeast", ops.Sequence() as counted, ops.Const(least)):
            return _find(program, counted, least)
        case ops.Binary("more", ops.Sequence() as counted, ops.Const(below)):
            return _find(program, counted, below + 1)
        case _:  # it is asked how long it is
            return None


def _find(program: Program, counted: ops.Sequence, least: int) -> Line | None:
    match counted:
        case ops.Sequence(
            (
                ops.SetLocal(start),
                ops.SetLocal(here, ops.Local(copied)),
                ops.SetLocal(best, ops.Const(0)),
                ops.When(test, (ops.CountLoop() as axes,), ()),
            ),
            ops.Local(result),
        ) if (copied, result) == (start, best):
            pass
        case _:  # it is something else that is counted
            return None
    match test:
        case ops.Binary(
            "equal" | "unequal" as word, ops.MemoryAt(base, ops.Local(local), size), content
        ) if local == here and isinstance(content, (ops.Const, ops.Local, ops.Memory)):
            pass
        case _:  # it takes more to know
            return None
    rays = _rays(program, axes, test, start, here, best)
    own = locals_set(counted)
    if rays is None or len(rays) != size or size > MOST_CELLS or not 1 < least <= size:
        return None
    if locals_read(content) & own or not is_own(program, counted, own):
        return None
    sets = _sets(rays, least)
    if sets is None:
        return None
    # A loop costs its rounds: of all axes, of both sides of each, and of all rays.
    steps = tuple(len(each) * 3 + sum(map(len, sum(each, ()))) for each in rays)
    return Line(
        counted.statements[:3], ops.Local(start), test,
        Compared(base, word == "equal", content), axes, sets, steps,
    )  # fmt: skip


_Axis = tuple[tuple[int, ...], tuple[int, ...]]  # the cells on both sides, the nearest first


def _rays(
    program: Program, axes: ops.CountLoop, test: ops.Expr, start: int, here: int, best: int
) -> list[tuple[_Axis, ...]] | None:
    """For each cell, what is gone through on each axis; as `lower/lines.py` has it."""
    match axes:
        case ops.CountLoop(
            axis,
            ops.Const(0),
            ops.Const(number),
            (
                ops.SetLocal(length, ops.Const(1)),
                ops.CountLoop(
                    side,
                    ops.Const(0),
                    ops.Const(2),
                    (
                        ops.SetLocal(ray, entry),
                        ops.CountLoop(
                            index,
                            ops.Const(0),
                            ops.Lookup(lengths, ops.Local(asked)),
                            (
                                ops.SetLocal(met, ops.Lookup(cells, where)),
                                ops.When(again, (), (ops.Break(),)),
                                ops.SetLocal(longer, more),
                            ),
                        ),
                    ),
                ),
                ops.SetLocal(kept, ops.Binary("max", ops.Local(before), found)),
            ),
        ):
            pass
        case _:  # lines of big boards are followed step by step
            return None
    size, longest = len(program.tables[lengths]) // (2 * number), _longest(where)
    way = _sum(_product(ops.Local(axis), 2), ops.Local(side))
    if (again, met, asked, longer, kept, before) != (test, here, ray, length, best, best):
        return None
    if entry != _sum(_product(way, size), ops.Local(start)):
        return None
    if where != _sum(_product(ops.Local(ray), longest), ops.Local(index)):
        return None
    if more != _sum(ops.Local(length), ops.Const(1)):
        return None
    if found != ops.Binary("min", ops.Local(length), ops.Const(size)):
        return None
    long, table = program.tables[lengths], program.tables[cells]

    def one_side(cell: int, way: int) -> tuple[int, ...]:
        number = way * size + cell
        return table[number * longest : number * longest + long[number]]

    return [
        tuple((one_side(cell, 2 * axis), one_side(cell, 2 * axis + 1)) for axis in range(number))
        for cell in range(size)
    ]


def _longest(where: ops.Expr) -> int:
    match where:
        case ops.Binary("add", ops.Binary("multiply", _, ops.Const(longest))):
            return longest
        case _:  # it is not looked up in rows
            return -1


def _sum(left: ops.Expr, right: ops.Expr) -> ops.Expr:
    return ops.Binary("add", left, right)


def _product(left: ops.Expr, right: int) -> ops.Expr:
    return ops.Binary("multiply", left, ops.Const(right))


def _sets(rays: list[tuple[_Axis, ...]], least: int) -> tuple[tuple[int, ...], ...] | None:
    """The sets of cells that make a row long enough; None if there are too many, or no set that
    never holds is left for a cell without any."""
    found = [
        sorted(
            {
                _bits((cell, *one[:many], *other[: least - 1 - many]))
                for one, other in axes
                for many in range(least)
                if many <= len(one) and least - 1 - many <= len(other)
            }
        )
        for cell, axes in enumerate(rays)
    ]
    most = max(map(len, found))
    if not 0 < most <= _MOST_SETS or (len(rays) == MOST_CELLS and not all(found)):
        return None
    room = 1 << (most - 1).bit_length()
    nowhere = 1 << (MOST_CELLS - 1)
    return tuple((*each, *[each[0] if each else nowhere] * (room - len(each))) for each in found)


def _bits(cells: tuple[int, ...]) -> int:
    return sum(1 << cell for cell in set(cells))

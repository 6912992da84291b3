"""Loops that look for cells of one content in a row, wherever on the board.

`any(c in Grid where c.mark is p and line(c through x where x.mark is p) >= 5)` goes from every cell
of the content in every direction, and finds nothing until the game is over. The same is told by all
cells with the content as a set of bits: moved by a step, by two, and so on, and laid over itself,
it has nothing left (emit/anywhere.py). Then the loop need not begin.

Found are loops over all cells of a board of which nothing comes unless there are so many in a row:
by `line`, or by counting cells of a ray while they have the content.

It is right because a row of cells has a first one, and from there each is a step further, which is
as long in numbers everywhere on the board; what leads over the edge is no step. What must not be
assumed: that nobody asks for the steps. In such a loop they depend on which cells have the content,
and on nothing else, as long as nothing is found.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from interpreter.play.native.facts.copies import without_copies
from interpreter.program import ops
from interpreter.program.program import Program
from interpreter.program.touches import locals_read, locals_set, operations

_LEAST_CELLS, _MOST_CELLS = 9, 256


@dataclass(frozen=True, slots=True)
class Row:
    """Cells that each are so many numbers on from the one before, and where the first may be."""

    by: int  # more than 0
    firsts: int  # a set of bits


@dataclass(frozen=True, slots=True)
class Lines:
    base: int
    cells: int
    content: ops.Expr
    length: int  # cells in a row
    rows: tuple[Row, ...]
    flat: int  # steps of all rounds together, whatever the cells have
    steps: tuple[int, ...]  # more of them, for each cell that has the content


@dataclass(frozen=True, slots=True)
class _Counted:
    """How many cells of a content are found from a cell: in which ways, and at how many steps."""

    content: ops.Expr
    base: int
    length: int
    ways: tuple[int, ...]
    rays: _Rays
    steps: int  # for a cell with the content, but for those of rays
    flat: int = 0  # for any cell


@dataclass(frozen=True, slots=True)
class _Rays:
    """Two tables: how long a ray is, and which cells it has."""

    lengths: tuple[int, ...]
    targets: tuple[int, ...]
    cells: int
    longest: int

    def ray(self, way: int, cell: int) -> tuple[int, ...]:
        row = way * self.cells + cell
        return self.targets[row * self.longest : row * self.longest + self.lengths[row]]


def find_lines(program: Program, loop: ops.CountLoop) -> Lines | None:
    if not any(map(_goes_along_a_ray, operations(loop.body))):
        return None
    match without_copies((loop,)):
        case (
            ops.CountLoop(
                cell, ops.Const(0), ops.Const(cells), (ops.When(condition, _, ()),)
            ) as plain,
        ) if _LEAST_CELLS <= cells <= _MOST_CELLS:
            pass
        case _:  # it does something else
            return None
    *before, last = _all_of(condition)
    found = _Finder(program, cell, cells).counted(last)
    if found is None or locals_read(found.content) & locals_set(plain):
        return None
    own = _has(found.base, ops.Local(cell), cells, found.content)
    if any(each != own for each in before) or (found.flat and before):
        return None
    rows = [_row(found, way, cells) for way in found.ways]
    known = tuple(dict.fromkeys(row for row in rows if row is not None))
    if None in rows:
        return None
    steps = tuple(
        found.steps + sum(len(found.rays.ray(way, each)) for way in found.ways)
        for each in range(cells)
    )
    return Lines(found.base, cells, found.content, found.length, known, found.flat * cells, steps)


def _goes_along_a_ray(op: ops.Expr | ops.Statement) -> bool:
    return isinstance(op, ops.CountLoop) and isinstance(op.high, ops.Lookup)


def _all_of(op: ops.Expr) -> Iterator[ops.Expr]:
    if isinstance(op, ops.Binary) and op.word == "and":
        yield from _all_of(op.left)
        yield from _all_of(op.right)
    else:
        yield op


def _has(base: int, cell: ops.Expr, cells: int, content: ops.Expr) -> ops.Expr:
    return ops.Binary("equal", ops.MemoryAt(base, cell, cells), content)


def _row(found: _Counted, way: int, cells: int) -> Row | None:
    """Of a way, if its rays are made of steps that are equally long."""
    rays = [found.rays.ray(way, cell) for cell in range(cells)]
    steps = {ray[0] - cell for cell, ray in enumerate(rays) if ray}
    if len(steps) != 1 or any(ray != (ray[0], *rays[ray[0]]) for ray in rays if ray):
        return None
    (by,), more = steps, found.length - 1
    firsts = sum(1 << cell for cell, ray in enumerate(rays) if len(ray) >= more)
    return Row(by, firsts) if by > 0 else Row(-by, firsts >> -by * more)


class _Finder:
    def __init__(self, program: Program, cell: int, cells: int) -> None:
        self.program, self.cell, self.cells = program, cell, cells

    def counted(self, op: ops.Expr) -> _Counted | None:
        match op:
            case ops.Binary("atLeast", ops.Sequence(statements, result), ops.Const(least)):
                return self._line(statements, result, least) or self._ray(statements, result, least)
            case ops.Binary("more", left, ops.Const(below)):
                return self.counted(ops.Binary("atLeast", left, ops.Const(below + 1)))
            case ops.Sequence(
                (
                    ops.SetLocal(result, ops.Const(0)),
                    ops.CountLoop(_, ops.Const(0), ops.Const()) as loop,
                ),
                ops.Local(asked),
            ) if asked == result:
                return self._in_some_direction(loop)
            case _:  # it counts something else
                return None

    def _line(self, body: Any, result: ops.Expr, least: int) -> _Counted | None:
        """`line(c through x where ...)`: of each axis both ways, and the cell itself."""
        match body:
            case (
                ops.SetLocal(here, start),
                ops.SetLocal(best, ops.Const(0)),
                ops.When(
                    own,
                    (
                        ops.CountLoop(
                            axis,
                            ops.Const(0),
                            ops.Const(axes),
                            (
                                ops.SetLocal(length, ops.Const(1)),
                                ops.CountLoop(
                                    side,
                                    ops.Const(0),
                                    ops.Const(2),
                                    (naming, ops.CountLoop() as ray),
                                ),
                                ops.SetLocal() as taking,
                            ),
                        ),
                    ),
                    (),
                ),
            ) if start == ops.Local(self.cell) and result == ops.Local(best):
                pass
            case _:  # it does something else
                return None
        most = ops.Binary("min", ops.Local(length), ops.Const(self.cells))
        if taking != ops.SetLocal(best, ops.Binary("max", ops.Local(best), most)):
            return None
        way = ops.Binary("multiply", ops.Local(axis), ops.Const(2))
        found = self._along(naming, ops.Binary("add", way, ops.Local(side)), ray, here, length)
        if found is None or own != _has(found[0], ops.Local(here), self.cells, found[1]):
            return None
        base, content, rays = found
        ways = tuple(range(2 * axes))
        if any(not self._are_opposite(rays, way) for way in ways[::2]):
            return None
        return _Counted(content, base, least, ways, rays, axes + 2 * axes)

    def _are_opposite(self, rays: _Rays, way: int) -> bool:
        """Whether each step of a way is taken back by the next way."""
        ahead = [rays.ray(way, cell) for cell in range(self.cells)]
        return all(
            not ray or rays.ray(way + 1, ray[0])[:1] == (cell,) for cell, ray in enumerate(ahead)
        )

    def _ray(self, body: Any, result: ops.Expr, least: int) -> _Counted | None:
        """`count(x in ray(c, d) while ...)`, of one direction that is given."""
        match body:
            case (ops.SetLocal(length, ops.Const(0)), naming, ops.CountLoop() as ray) if (
                result == ops.Local(length)
            ):
                pass
            case _:  # it does something else
                return None
        match naming, ray.body:
            case ops.SetLocal(_, ops.Binary("add", ops.Binary("multiply", way))), (
                ops.SetLocal(here),
                *_,
            ):
                found = self._along(naming, way, ray, here, length)
            case _:  # it goes another way
                return None
        if found is None:
            return None
        base, content, rays = found
        direction = way.index if isinstance(way, ops.Local) else -1
        return _Counted(content, base, least + 1, (direction,), rays, 0)

    def _along(
        self, naming: Any, way: ops.Expr, ray: ops.CountLoop, here: int, length: int
    ) -> tuple[int, ops.Expr, _Rays] | None:
        """What is counted along a ray: the variable, its content, and the tables."""
        number = ops.Binary("multiply", way, ops.Const(self.cells))
        match naming, ray:
            case (
                ops.SetLocal(row, found),
                ops.CountLoop(
                    at,
                    ops.Const(0),
                    ops.Lookup(lengths, ops.Local(row_again)),
                    (
                        ops.SetLocal(
                            here_again,
                            ops.Lookup(
                                targets,
                                ops.Binary(
                                    "add",
                                    ops.Binary("multiply", ops.Local(row_then), ops.Const(longest)),
                                    ops.Local(at_again),
                                ),
                            ),
                        ),
                        ops.When(
                            ops.Binary("equal", ops.MemoryAt(base, index, size), content),
                            (),
                            (ops.Break(),),
                        ),
                        counting,
                    ),
                ),
            ) if found == ops.Binary("add", number, ops.Local(self.cell)):
                pass
            case _:  # it goes otherwise
                return None
        one_more = ops.SetLocal(length, ops.Binary("add", ops.Local(length), ops.Const(1)))
        if (
            (row_again, row_then, here_again, at_again) != (row, row, here, at)
            or index != ops.Local(here)
            or size != self.cells
            or counting != one_more
            or not isinstance(content, (ops.Const, ops.Local, ops.Memory))
        ):
            return None
        tables = self.program.tables
        return base, content, _Rays(tables[lengths], tables[targets], self.cells, longest)

    def _in_some_direction(self, loop: ops.CountLoop) -> _Counted | None:
        """`any(d in ...)`: of several directions, after which it is asked for the cell itself."""
        assert isinstance(loop.high, ops.Const)
        directions = tuple(range(loop.high.value))
        local, body = loop.local, loop.body
        match body:
            case (ops.SetLocal(named, ops.Lookup(table, ops.Local(number))), last) if (
                number == local
            ):
                directions, local = self.program.tables[table][: len(directions)], named
            case (last,):
                pass
            case _:  # it does something else
                return None
        match last:
            case ops.When(condition, (ops.SetLocal(_, ops.Const()), ops.Break()), ()):
                pass
            case _:  # it goes on
                return None
        *before, counting = _all_of(condition)
        found = self.counted(counting)
        if found is None or found.ways != (local,):
            return None
        own = _has(found.base, ops.Local(self.cell), self.cells, found.content)
        if before != [own]:
            return None
        return _Counted(
            found.content, found.base, found.length, directions, found.rays, 0, len(directions)
        )

"""Tables of a board: where a step leads from each cell, and all of its rays."""

from __future__ import annotations

from dataclasses import dataclass

from interpreter.model.boards import far_steps, farther, ray
from interpreter.model.ruleset import BoardInfo
from interpreter.program import ops
from interpreter.program.lower.builder import Builder

_MOST_ON_RAYS = 1 << 14  # cells on all rays of a board together


def entry(row: ops.Expr, board: BoardInfo, cell: ops.Expr) -> ops.Expr:
    """The position of a cell in a table that has all cells of a board again and again."""
    return ops.Binary("add", ops.Binary("multiply", row, ops.Const(len(board.cells))), cell)


def step_table(builder: Builder, board: BoardInfo, directions: list[int] | None = None) -> int:
    """For some directions (or all), one after the other, where a step leads from each cell."""
    ways = range(len(board.directions)) if directions is None else directions
    return builder.once(
        ("steps", board.name, *ways),
        lambda: builder.table([cell for way in ways for cell in board.steps[way]]),
    )


def far_table(builder: Builder, board: BoardInfo, least: int, most: int) -> int:
    """For each number of steps from the least to the most, where it leads, by direction and
    cell."""

    def made() -> int:
        builder.work.spend_cells(far_steps(board, most))
        rows = [list(range(len(board.cells))) for _ in board.directions]
        found: list[int] = []
        for number in range(most + 1):
            if number >= least:
                found += [cell for row in rows for cell in row]
            rows = farther(board, rows)
        return builder.table(found)

    return builder.once(("far", board.name, least, most), made)


@dataclass(frozen=True, slots=True)
class Rays:
    """All rays of a board: tables of how long each is, and of its cells."""

    lengths: int
    cells: int
    longest: int

    def length(self, ray: ops.Expr) -> ops.Expr:
        return ops.Lookup(self.lengths, ray)

    def cell(self, ray: ops.Expr, index: ops.Expr) -> ops.Expr:
        start = ops.Binary("multiply", ray, ops.Const(self.longest))
        return ops.Lookup(self.cells, ops.Binary("add", start, index))


def find_rays(
    builder: Builder, board: BoardInfo, directions: list[int] | None = None
) -> Rays | None:
    """The ray of a direction from a cell is number `place of the direction * cells + cell`. None
    if that would be too much to keep."""
    ways = list(range(len(board.directions))) if directions is None else directions
    return builder.once(("rays", board.name, *ways), lambda: _all_rays(builder, board, ways))


def _all_rays(builder: Builder, board: BoardInfo, ways: list[int]) -> Rays | None:
    longest = board.longest_ray
    if len(ways) * len(board.cells) * longest > _MOST_ON_RAYS:
        return None
    found = [ray(board, way, start) for way in ways for start in range(len(board.cells))]
    lengths = builder.table([len(cells) for cells in found])
    # Nobody looks behind the end of a ray.
    filled = [cell for cells in found for cell in cells + [0] * (longest - len(cells))]
    return Rays(lengths, builder.table(filled), longest)

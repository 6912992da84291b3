"""`line(...)`: the longest straight row of cells through one cell that all satisfy a condition."""

from __future__ import annotations

from interpreter.program import ops
from interpreter.program.lower.board_tables import entry, find_rays, step_table
from interpreter.program.lower.builder import Body
from interpreter.program.lower.scope import Scope
from interpreter.typed import values as typed


def line(scope: Scope, value: typed.Line) -> ops.Expr:
    """Its length; 0 if the cell itself does not satisfy the condition."""
    board = value.board
    cell = scope.value(value.start)
    start, here, best, length, axis, side = (scope.register() for _ in range(6))
    inner = scope.inner()
    inner.bind(value.local, here)
    test = inner.value(value.where)
    way = ops.Binary("add", ops.Binary("multiply", axis, ops.Const(2)), side)
    longer = ops.SetLocal(length.index, ops.Binary("add", length, ops.Const(1)))
    ways = [way_ for axis_ in board.axes for way_ in (axis_, board.opposite[axis_])]
    rays = find_rays(scope.builder, board, ways)
    if rays is None:
        row = scope.register()
        # One side of a line, step by step: this board is too big to keep all of its rays.
        cells = ops.Const(len(board.cells))
        table = step_table(scope.builder, board, ways)
        step = ops.SetLocal(here.index, ops.Lookup(table, ops.Binary("add", row, here)))
        on_board = ops.Binary("atLeast", here, ops.Const(0))
        shorter = ops.Binary("less", length, cells)
        goes_on = ops.Binary("and", ops.Binary("and", on_board, test), shorter)
        one_side: Body = (
            ops.SetLocal(row.index, ops.Binary("multiply", way, cells)),
            ops.SetLocal(here.index, start),
            step,
            ops.While(goes_on, (longer, step)),
        )
    else:
        ray, index = scope.register(), scope.register()
        there = rays.cell(ray, index)
        run: Body = (ops.SetLocal(here.index, there), ops.When(test, (), (ops.Break(),)), longer)
        one_side = (
            ops.SetLocal(ray.index, entry(way, board, start)),
            ops.CountLoop(index.index, ops.Const(0), rays.length(ray), run),
        )
    # On a ring both sides may be the same cells.
    found = ops.Binary("min", length, ops.Const(len(board.cells)))
    each: Body = (
        ops.SetLocal(length.index, ops.Const(1)),
        ops.CountLoop(side.index, ops.Const(0), ops.Const(2), one_side),
        ops.SetLocal(best.index, ops.Binary("max", best, found)),
    )
    axes = ops.CountLoop(axis.index, ops.Const(0), ops.Const(len(board.axes)), each)
    body: Body = (
        ops.SetLocal(start.index, cell),
        ops.SetLocal(here.index, start),
        ops.SetLocal(best.index, ops.Const(0)),
        ops.When(test, (axes,)),
    )
    return ops.Sequence(body, best)

"""Cells that are found by the column and the row they lie in: a table has them all.

`Grid[2, 3]` asks for one, and so does `pick(c in Grid where c.column = 2 and c.row = 3)`, which
need not go through the board.
"""

from __future__ import annotations

from interpreter.model.boards import where_cells_lie
from interpreter.model.ruleset import BoardInfo
from interpreter.program import ops
from interpreter.program.lower.scope import Scope
from interpreter.typed import values as typed
from interpreter.typed.walk import walk

_NOWHERE = ops.Const(-1)
# What changes nothing, so that it may be asked once. Of these only `Fit` can fail.
_SURE = ("add", "subtract", "multiply")
_PLAIN = (
    typed.Constant | typed.LocalValue | typed.Read | typed.Property | typed.Arithmetic | typed.Fit
)


def cell_at(scope: Scope, board: BoardInfo, column: typed.Value, row: typed.Value) -> ops.Expr:
    """The cell in a column and a row, or none."""
    across, up = scope.register(), scope.register()
    start = (
        ops.SetLocal(across.index, scope.value(column)),
        ops.SetLocal(up.index, scope.value(row)),
    )
    table = scope.builder.once(
        ("places", board.name), lambda: scope.builder.table(_cells_by_place(board))
    )
    line = ops.Binary("multiply", ops.Binary("subtract", up, ops.Const(1)), ops.Const(board.width))
    place = ops.Binary("subtract", ops.Binary("add", line, across), ops.Const(1))
    found: ops.Expr = ops.Lookup(table, place)
    for number, asked, most in ((up, row, board.height), (across, column, board.width)):
        if asked.type.high > most:
            found = ops.Choice(ops.Binary("atMost", number, ops.Const(most)), found, _NOWHERE)
        if asked.type.low < 1:
            found = ops.Choice(ops.Binary("more", number, ops.Const(0)), found, _NOWHERE)
    return ops.Sequence(start, found)


def _cells_by_place(board: BoardInfo) -> list[int]:
    """Row by row, the first row first."""
    cells = [-1] * (board.width * board.height)
    for cell, (column, row) in enumerate(where_cells_lie(board)):
        cells[(row - 1) * board.width + column - 1] = cell
    return cells


def asked_for(value: typed.Pick) -> tuple[BoardInfo, typed.Value, typed.Value] | None:
    """The board, the column and the row, if that is all that is asked of the cell. The column must
    be asked for first, unless neither can fail."""
    if not all(isinstance(key.value, typed.Constant) for key in value.keys.keys):
        return None
    match value.binder:
        case typed.Binder(
            element=cell,
            domain=typed.AllOf(),
            stays=None,
            ends=None,
            where=typed.Logic(word="and", left=left, right=right),
        ):
            first, second = _tested(left, cell), _tested(right, cell)
            if first is None or second is None or {first[0], second[0]} != {"column", "row"}:
                return None
            is_, then = first[2], second[2]
            if not _never_fails(then, is_) or (first[0] == "row" and not _never_fails(is_)):
                return None
            return (first[1], is_, then) if first[0] == "column" else (first[1], then, is_)
        case _:  # everything else is gone through
            return None


def _tested(test: typed.Value, cell: typed.Local) -> tuple[str, BoardInfo, typed.Value] | None:
    """What of the cell is to be equal to what, whichever side that stands on."""
    if not isinstance(test, typed.Compare) or test.word != "equal":
        return None
    for asked, is_ in ((test.left, test.right), (test.right, test.left)):
        if isinstance(asked, typed.Property) and _is(asked.cell, cell) and _is_plain(is_, cell):
            return asked.name, asked.board, is_
    return None


def _is(value: typed.Value, local: typed.Local) -> bool:
    return isinstance(value, typed.LocalValue) and value.local == local


def _is_plain(value: typed.Value, cell: typed.Local) -> bool:
    """Whether it is the same for all cells, and changes nothing."""
    return all(
        isinstance(part, _PLAIN)
        and not (isinstance(part, typed.LocalValue) and part.local == cell)
        and not (isinstance(part, typed.Arithmetic) and not (part.safe and part.word in _SURE))
        for part in walk(value)
    )


def _never_fails(value: typed.Value, after: typed.Value | None = None) -> bool:
    """Also if it fails only where what was asked before has failed already."""
    tested = [part.value for part in walk(value) if isinstance(part, typed.Fit)]
    before = [part.value for part in walk(after) if isinstance(part, typed.Fit)] if after else []
    return all(each in before for each in tested)

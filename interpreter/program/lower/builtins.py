"""The functions that the language brings along: one row of `_FUNCTIONS` each.

Their arguments are of the right types already; what they are is asked with `scope.value`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import assert_never

from interpreter.model.boards import (
    distance_steps,
    distances,
    far_most,
    straight_directions,
    where_cells_lie,
)  # fmt: skip
from interpreter.model.ruleset import BoardInfo
from interpreter.program import ops
from interpreter.program.lower import reading
from interpreter.program.lower.board_tables import entry, far_table, step_table
from interpreter.program.lower.cells import cell_at
from interpreter.program.lower.folding import fold
from interpreter.program.lower.revealed import after_test
from interpreter.program.lower.scope import Scope
from interpreter.typed import values as typed

Lowered = Callable[[Scope, typed.Builtin], ops.Expr]


def call(scope: Scope, value: typed.Builtin) -> ops.Expr:
    return _FUNCTIONS[value.name](scope, value)


def property_of(scope: Scope, value: typed.Property) -> ops.Expr:
    cell = scope.value(value.cell)
    builder = scope.builder
    key = (value.name, value.board.name)
    table = builder.once(key, lambda: builder.table(_property(value)))
    return ops.Lookup(table, cell)


def _property(value: typed.Property) -> list[int]:
    """What is asked, of each cell."""
    board = value.board
    match value.name:
        case "column":
            return [column for column, _ in where_cells_lie(board)]
        case "row":
            return [row for _, row in where_cells_lie(board)]
        case "onEdge":
            return [
                int(any(board.steps[way][cell] < 0 for way in board.orthogonal))
                for cell in range(len(board.cells))
            ]
        case _:
            assert_never(value.name)


def _board(scope: Scope, value: typed.Builtin) -> BoardInfo:
    """The board of the first argument."""
    return scope.builder.ruleset.boards[value.arguments[0].type.name]


def _step(scope: Scope, value: typed.Builtin) -> ops.Expr:
    cell, direction, *many = scope.values(value.arguments)
    board = _board(scope, value)
    if many:
        return _far(scope, board, value.arguments[2], many[0], entry(direction, board, cell))
    return ops.Lookup(step_table(scope.builder, board), entry(direction, board, cell))


def _far(
    scope: Scope, board: BoardInfo, many: typed.Value, steps: ops.Expr, start: ops.Expr
) -> ops.Expr:
    """Where so many steps lead. A known number has a table of its own, others share one."""
    builder = scope.builder
    around = len(board.cells)
    if isinstance(steps, ops.Const):
        number = steps.value % around if board.shape == "ring" else steps.value
        number = min(number, board.longest_ray + 1)
        return ops.Lookup(far_table(builder, board, number, number), start)
    most = far_most(board, many.type)
    if most < many.type.high:
        last = ops.Const(around) if board.shape == "ring" else ops.Const(most)
        steps = ops.Binary("modulo" if board.shape == "ring" else "min", steps, last)
    row = ops.Binary("multiply", steps, ops.Const(around * len(board.directions)))
    return ops.Lookup(far_table(builder, board, 0, most), ops.Binary("add", row, start))


def _opposite(scope: Scope, value: typed.Builtin) -> ops.Expr:
    (way,) = scope.values(value.arguments)
    return ops.Lookup(scope.builder.table(_board(scope, value).opposite), way)


def _turn(scope: Scope, value: typed.Builtin) -> ops.Expr:
    """A direction turned clockwise by so many of the board's directions."""
    way, by = scope.values(value.arguments)
    count = len(_board(scope, value).directions)
    turned = ops.Binary("add", way, by, scope.builder.spot(value.mark))
    return ops.Binary("modulo", turned, ops.Const(count))


def _distance(scope: Scope, value: typed.Builtin) -> ops.Expr:
    return _of_two_cells(scope, value, distances)


def _direction(scope: Scope, value: typed.Builtin) -> ops.Expr:
    return _of_two_cells(scope, value, straight_directions)


def _of_two_cells(
    scope: Scope, value: typed.Builtin, worked_out: Callable[[BoardInfo], list[int]]
) -> ops.Expr:
    """What is worked out once for every two cells of a board."""
    first, second = scope.values(value.arguments)
    board = _board(scope, value)

    def table() -> int:
        scope.builder.work.spend_cells(distance_steps(board))
        return scope.builder.table(worked_out(board))

    number = scope.builder.once((worked_out.__name__, board.name), table)
    return ops.Lookup(number, entry(first, board, second))


def _seat_shift(shift: int) -> Lowered:
    def lower(scope: Scope, value: typed.Builtin) -> ops.Expr:
        players = scope.builder.ruleset.players
        (seat,) = scope.values(value.arguments)
        moved = ops.Binary("add", seat, ops.Const(shift % players))
        return ops.Binary("modulo", moved, ops.Const(players))

    return lower


def _clockwise(scope: Scope, value: typed.Builtin) -> ops.Expr:
    """Steps clockwise from one player to another."""
    start, end = scope.values(value.arguments)
    gap = ops.Binary("subtract", end, start)
    return ops.Binary("modulo", gap, ops.Const(scope.builder.ruleset.players))


def _abs(scope: Scope, value: typed.Builtin) -> ops.Expr:
    (number,) = scope.values(value.arguments)
    held = scope.register()
    result = ops.Binary("max", held, ops.Unary("negate", held))
    return ops.Sequence((ops.SetLocal(held.index, number),), result)


def _position(scope: Scope, value: typed.Builtin) -> ops.Expr:
    (number,) = scope.values(value.arguments)
    return fold(ops.Binary("add", number, ops.Const(1)))


def _nth(scope: Scope, value: typed.Builtin) -> ops.Expr:
    (number,) = scope.values(value.arguments)
    return fold(ops.Binary("subtract", number, ops.Const(1)))


def _cell_at(scope: Scope, value: typed.Builtin) -> ops.Expr:
    column, row = value.arguments
    return cell_at(scope, scope.builder.ruleset.boards[value.type.name], column, row)


def _end(*, last: bool) -> Lowered:
    """The piece at the top (the last put there) or the bottom of a stack or row."""

    def lower(scope: Scope, value: typed.Builtin) -> ops.Expr:
        (place,) = value.arguments
        assert isinstance(place, typed.PlaceAt)
        ref = reading.place_ref(scope, place)
        position = ops.Binary("subtract", ref.count, ops.Const(1)) if last else ops.Const(0)
        some = ops.Binary("more", ref.count, ops.Const(0))
        piece = ops.Choice(some, ref.content(position), ops.Const(value.type.none))
        return after_test(scope, place.place, place.mark, piece, value.mark)

    return lower


def _holder(scope: Scope, value: typed.Builtin) -> ops.Expr:
    """The player in whose place a piece lies, or none."""
    (piece,) = scope.values(value.arguments)
    kind = value.arguments[0].type.name
    builder = scope.builder
    owners = builder.once(("owners", kind), lambda: builder.table(_owners(scope, kind)))
    layout = builder.program.layout.kinds[builder.kind_numbers[kind]]
    where = ops.MemoryAt(layout.where, piece, len(layout.row_of))
    return ops.Lookup(owners, where)


def _in_box(scope: Scope, value: typed.Builtin) -> ops.Expr:
    """Whether a piece is out of the game."""
    (piece,) = scope.values(value.arguments)
    builder = scope.builder
    layout = builder.program.layout.kinds[builder.kind_numbers[value.arguments[0].type.name]]
    where = ops.MemoryAt(layout.where, piece, len(layout.row_of))
    return ops.Binary("equal", where, ops.Const(0))


def _owners(scope: Scope, kind: str) -> list[int]:
    """Whose each place of a kind is, by instance number. The box is nobody's."""
    owners = [-1]
    for place in scope.builder.ruleset.places.values():
        if place.kind != kind or place.word == "pool":
            continue
        owned = bool(place.dimensions) and place.dimensions[0].type.sort == "player"
        span = place.size // place.dimensions[0].size if owned else 1
        owners.extend(number // span if owned else -1 for number in range(place.size))
    return owners


_FUNCTIONS: dict[str, Lowered] = {
    "step": _step,
    "opposite": _opposite,
    "turn": _turn,
    "distance": _distance,
    "direction": _direction,
    "next": _seat_shift(1),
    "previous": _seat_shift(-1),
    "clockwise": _clockwise,
    "abs": _abs,
    "position": _position,
    "nth": _nth,
    "cellAt": _cell_at,
    "top": _end(last=True),
    "bottom": _end(last=False),
    "holder": _holder,
    "inBox": _in_box,
}

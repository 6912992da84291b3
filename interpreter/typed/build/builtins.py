"""The words the language brings along: functions, one row each, and what can be asked of a cell."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, cast

from interpreter import limits
from interpreter.model.boards import distance_steps, far_most, far_steps
from interpreter.model.ruleset import BoardInfo
from interpreter.model.types import BOOL, INT, PLAYER, UNKNOWN, Type, named, whole
from interpreter.report.source import Mark
from interpreter.tree import nodes
from interpreter.tree.forms import builtin_help
from interpreter.typed import values as v
from interpreter.typed.build import fitting
from interpreter.typed.build.known import constant_of
from interpreter.typed.build.numbered import position
from interpreter.typed.build.scope import Scope

# What can stand after `in`, and how many values it takes.
DOMAINS = {
    "playersFrom": 1,
    "playersAfter": 1,
    "neighbours": 1,
    "adjacent": 1,
    "diagonals": 1,
    "ray": 2,
}
# Asked with a dot, of cells and pieces.
PROPERTIES = ("row", "column", "onEdge")
# Functions that take a place, rather than the piece in it.
OF_PLACE = ("top", "bottom")

# Functions that take one value more, if it is said.
LONGER = ("step",)

# Functions whose second value is a direction of the board that the first lies on.
DIRECTED = ("step",)

# Functions that came later: what rule files already call so keeps its name.
YIELDING = ("direction",)

_MOST_DISTANCE_STEPS = 400 * 400 * 8  # of a board with eight ways from each of its 400 cells
_MOST_FAR_STEPS = 1 << 18  # in a table of where any number of steps leads

# The arguments as they are taken, and the type of the result; None after a report.
Typed = tuple[tuple[v.Value, ...], Type] | None
Builtin = Callable[[Scope, list[v.Value], list[nodes.Expr], Mark], Typed]


def call(
    scope: Scope, name: str, given: list[v.Value], written: list[nodes.Expr], mark: Mark
) -> v.Value:
    wanted, typed = FUNCTIONS[name]
    longer = name in LONGER
    if len(given) not in (wanted, wanted + longer):
        takes = f"{wanted} or {wanted + 1} values" if longer else fitting.counted(wanted, "value")
        message = f"`{name}` takes {takes}, not {len(given)}"
        scope.error("RR311", message, mark, builtin_help(name))
        return scope.broken(mark)
    found = typed(scope, given, written, mark)
    if found is None:
        return scope.broken(mark)
    return v.Builtin(name, found[0], type=found[1], mark=mark)


def property_of(scope: Scope, name: str, of: v.Value, mark: Mark) -> v.Value:
    board = scope.ruleset.boards[of.type.name]
    cell = fitting.certain(scope, of, mark)
    word = cast(Literal["row", "column", "onEdge"], name)
    if name == "onEdge":
        return v.Property(word, board, cell, type=BOOL, mark=mark)
    size = board.width if name == "column" else board.height
    return v.Property(word, board, cell, type=whole(1, size), mark=mark)


# ---- boards


def direction_of(cell: v.Value) -> Type | None:
    """What a direction must be that is taken from a cell: `north` may be one of several boards."""
    return named("direction", cell.type.name) if cell.type.sort == "board" else None


def _step(scope: Scope, given: list[v.Value], written: list[nodes.Expr], mark: Mark) -> Typed:
    cell, direction = given[:2]
    if cell.type.sort != "board":
        if cell.type != UNKNOWN:
            message = f"a space of a board is needed here, not {fitting.spoken(cell.type)}"
            scope.error("RR302", message, written[0].mark, builtin_help("step"))
        return None
    way = named("direction", cell.type.name)
    start = fitting.certain(scope, cell, written[0].mark)
    moved = fitting.fit(scope, direction, way, written[1].mark, "the way")
    if len(given) == 2:
        return (start, moved), cell.type.or_none()
    many = _many_steps(scope, scope.ruleset.boards[cell.type.name], given[2], written[2].mark)
    return None if many is None else ((start, moved, many), cell.type.or_none())


def _many_steps(scope: Scope, board: BoardInfo, given: v.Value, mark: Mark) -> v.Value | None:
    """How many steps are taken in one direction: for any number there is a table, unless it would
    become too large."""
    if board.shape == "graph":
        help_ = "take one step at a time: `step(step(c, way1), way1)`"
        scope.error("RR327", "the ways of a network go on in no direction", mark, help_)
        return None
    many = fitting.fit(scope, given, whole(0, limits.INT_MAX), mark, "the number of steps")
    if constant_of(many) is None and far_steps(board, far_most(board, many.type)) > _MOST_FAR_STEPS:
        help_ = "go through `ray(c, d)`, or declare the number with a range, such as `0..8`"
        scope.error("RR327", "this board is too large for any number of steps", mark, help_)
        return None
    return many


def _opposite(scope: Scope, given: list[v.Value], written: list[nodes.Expr], mark: Mark) -> Typed:
    if given[0].type.sort != "direction":
        scope.error("RR302", "a direction is needed here", mark, builtin_help("opposite"))
        return None
    way = fitting.certain(scope, given[0], mark)
    return (way,), given[0].type.certain()


def _turn(scope: Scope, given: list[v.Value], written: list[nodes.Expr], mark: Mark) -> Typed:
    """A direction turned clockwise by so many of the board's directions."""
    if given[0].type.sort != "direction":
        scope.error("RR302", "a direction is needed here", mark, builtin_help("turn"))
        return None
    way = fitting.certain(scope, given[0], written[0].mark)
    by = fitting.fit(scope, given[1], INT, written[1].mark)
    return (way, by), given[0].type.certain()


def _distance(scope: Scope, given: list[v.Value], written: list[nodes.Expr], mark: Mark) -> Typed:
    cells = _two_cells(scope, "distance", given, written, mark)
    return None if cells is None else (cells, whole(-1, 10_000))


def _direction(scope: Scope, given: list[v.Value], written: list[nodes.Expr], mark: Mark) -> Typed:
    """The direction in which one cell lies straight from another, or none."""
    cells = _two_cells(scope, "direction", given, written, mark)
    return None if cells is None else (cells, named("direction", given[0].type.name).or_none())


def _two_cells(
    scope: Scope, name: str, given: list[v.Value], written: list[nodes.Expr], mark: Mark
) -> tuple[v.Value, v.Value] | None:
    """Of a board that is small enough for a table of all pairs."""
    start, end = given
    if start.type.sort != "board" or end.type.name != start.type.name:
        help_ = builtin_help(name)
        scope.error("RR302", "two spaces of one board are needed here", mark, help_)
        return None
    if distance_steps(scope.ruleset.boards[start.type.name]) > _MOST_DISTANCE_STEPS:
        help_ = "use `reach` with a budget" if name == "distance" else "go through the directions"
        scope.error("RR327", f"this board is too large for `{name}`", mark, help_)
        return None
    first = fitting.certain(scope, start, written[0].mark)
    return first, fitting.certain(scope, end, written[1].mark)


# ---- players and numbers


def _seat(scope: Scope, given: list[v.Value], written: list[nodes.Expr], mark: Mark) -> Typed:
    return (fitting.fit(scope, given[0], PLAYER, written[0].mark),), PLAYER


def _clockwise(scope: Scope, given: list[v.Value], written: list[nodes.Expr], mark: Mark) -> Typed:
    """Steps clockwise from one player to another."""
    start = fitting.fit(scope, given[0], PLAYER, written[0].mark)
    end = fitting.fit(scope, given[1], PLAYER, written[1].mark)
    return (start, end), whole(0, scope.ruleset.players - 1)


def _abs(scope: Scope, given: list[v.Value], written: list[nodes.Expr], mark: Mark) -> Typed:
    return (fitting.fit(scope, given[0], INT, written[0].mark),), whole(0, limits.INT_MAX)


# ---- pieces


def _end(scope: Scope, given: list[v.Value], written: list[nodes.Expr], mark: Mark) -> Typed:
    """The piece at the top (the last put there) or the bottom of a stack or row."""
    of = given[0]
    if not isinstance(of, v.PlaceAt) or not of.place.ordered:
        message = "a stack or a row is needed here"
        if isinstance(of, v.PlaceAt):
            message = f"the pieces in `{of.place.name}` lie in no order"
        help_ = "stacks and rows have a top and a bottom"
        scope.error("RR313", message, written[0].mark, help_)
        return None
    if of.place.word == "stack" and of.place.seen == "nobody":
        message = "a face-down stack has no order until something is drawn from it"
        help_ = (
            f"draw it: `draw 1 from {of.place.name} to ...`;\n"
            "to name the piece, draw it to a place that all can see first"
        )
        scope.error("RR328", message, mark, help_)
        return None
    return (of,), named("kind", of.place.kind).or_none()


def _holder(scope: Scope, given: list[v.Value], written: list[nodes.Expr], mark: Mark) -> Typed:
    """The player in whose place a piece lies, or none."""
    value = given[0]
    if value.type.sort == "row":
        value = fitting.only_piece(scope, value)
    if value.type.sort != "kind" or not scope.ruleset.kinds[value.type.name].tracked:
        if value.type.sort != "unknown":
            scope.error("RR302", "a piece is needed here", mark, builtin_help("holder"))
        return None
    return (fitting.certain(scope, value, written[0].mark),), PLAYER.or_none()


FUNCTIONS: dict[str, tuple[int, Builtin]] = {
    "step": (2, _step),
    "opposite": (1, _opposite),
    "turn": (2, _turn),
    "distance": (2, _distance),
    "direction": (2, _direction),
    "next": (1, _seat),
    "previous": (1, _seat),
    "clockwise": (2, _clockwise),
    "abs": (1, _abs),
    "position": (1, position),
    "top": (1, _end),
    "bottom": (1, _end),
    "holder": (1, _holder),
}

"""What can be gone through on a board: neighbours, rays, regions and what is in reach."""

from __future__ import annotations

from dataclasses import dataclass

from interpreter import limits
from interpreter.model.ruleset import BoardInfo
from interpreter.model.types import INT, PLAYER, UNKNOWN, named, whole
from interpreter.program import ops
from interpreter.program.lower import builtins, expressions, fitting
from interpreter.program.lower.builder import Body, Scope, Value
from interpreter.program.lower.loops import POSITION, Act, Domain, counted
from interpreter.tree import nodes

_MOST_ON_RAYS = 1 << 14  # cells on all rays of a board together


def board_of(scope: Scope, expr: nodes.Expr) -> tuple[BoardInfo, ops.Expr] | None:
    value = expressions.lower(scope, expr)
    if value.type.sort != "board":
        if value.type != UNKNOWN:
            message = f"a space of a board is needed here, not {fitting.spoken(value.type)}"
            scope.builder.error("RR302", message, expr.mark)
        return None
    board = scope.builder.ruleset.boards[value.type.name]
    cell = fitting.fit(scope, value, value.type.certain(), expr.mark)
    return board, cell


def step_table(scope: Scope, board: BoardInfo, directions: list[int]) -> int:
    """steps[direction * cells + cell] for some directions, one after the other."""
    builder = scope.builder
    return builder.once(
        ("steps", board.name, *directions),
        lambda: builder.table([cell for d in directions for cell in board.steps[d]]),
    )


def builtin(scope: Scope, name: str, call: nodes.Call) -> Domain:
    wanted = builtins.DOMAINS[name]
    if len(call.arguments) != wanted:
        message = f"`{name}` takes {fitting.counted(wanted, 'value')}, not {len(call.arguments)}"
        scope.builder.error("RR311", message, call.mark)
        return Domain(UNKNOWN, 1, lambda act: ())
    players = scope.builder.ruleset.players
    if name in ("playersFrom", "playersAfter"):
        start = scope.locals.new()
        first = ops.SetLocal(start, expressions.player(scope, call.arguments[0]))
        shift = 0 if name == "playersFrom" else 1

        def element(index: ops.Expr) -> ops.Expr:
            seat = ops.Binary("add", ops.Binary("add", ops.Local(start), index), ops.Const(shift))
            return ops.Binary("modulo", seat, ops.Const(players))

        size = ops.Const(players - shift)
        found = counted(scope, PLAYER, size, element, None, (first,))
        found.count = None
        return found
    where = board_of(scope, call.arguments[0])
    if where is None:
        return Domain(UNKNOWN, 1, lambda act: ())
    board, cell = where
    if name == "ray":
        return _ray(scope, board, cell, call)
    directions = {
        "neighbours": board.orthogonal,
        "adjacent": list(range(len(board.directions))),
        "diagonals": [d for d in range(len(board.directions)) if d not in board.orthogonal],
    }[name]
    return _neighbours(scope, board, cell, directions)


def _neighbours(scope: Scope, board: BoardInfo, cell: ops.Expr, directions: list[int]) -> Domain:
    table = step_table(scope, board, directions)
    cells = len(board.cells)
    type_ = named("board", board.name)

    def loop(act: Act) -> Body:
        start, index, target = scope.locals.new(), scope.locals.new(), scope.locals.new()
        at = ops.Binary(
            "add", ops.Binary("multiply", ops.Local(index), ops.Const(cells)), ops.Local(start)
        )
        number = ops.Binary("add", ops.Local(index), ops.Const(1))
        body = act(Value(ops.Local(target), type_), Value(number, POSITION))
        there = ops.Binary("atLeast", ops.Local(target), ops.Const(0))
        step = (ops.SetLocal(target, ops.Lookup(table, at)), ops.When(there, body))
        count = ops.Const(len(directions))
        return (ops.SetLocal(start, cell), ops.CountLoop(index, ops.Const(0), count, step))

    return Domain(type_, len(directions), loop)


def _ray(scope: Scope, board: BoardInfo, cell: ops.Expr, call: nodes.Call) -> Domain:
    type_ = named("board", board.name)
    direction = expressions.lower_as(
        scope, call.arguments[1], named("direction", board.name), "the direction of a ray"
    )
    rays = find_rays(scope, board, list(range(len(board.directions))))
    if rays is None:
        return _walked(scope, board, cell, direction)
    ray = scope.locals.new()
    number = ops.Binary("add", ops.Binary("multiply", direction, ops.Const(len(board.cells))), cell)
    first = ops.SetLocal(ray, number)
    length = ops.Lookup(rays.lengths, ops.Local(ray))
    found = counted(
        scope, type_, length, lambda index: rays.cell(ops.Local(ray), index), rays.longest, (first,)
    )
    found.count = None  # which ray it is lives in a local, so a routine must copy the cells
    return found


@dataclass(frozen=True, slots=True)
class Rays:
    """All rays of a board: tables of how long each is, and of its cells."""

    lengths: int
    cells: int
    longest: int

    def cell(self, ray: ops.Expr, index: ops.Expr) -> ops.Expr:
        start = ops.Binary("multiply", ray, ops.Const(self.longest))
        return ops.Lookup(self.cells, ops.Binary("add", start, index))


def find_rays(scope: Scope, board: BoardInfo, directions: list[int]) -> Rays | None:
    """The ray of a direction from a cell is number `place of the direction * cells + cell`. None
    if that would be too much to keep."""
    key = ("rays", board.name, *directions)
    return scope.builder.once(key, lambda: _all_rays(scope, board, directions))


def _all_rays(scope: Scope, board: BoardInfo, directions: list[int]) -> Rays | None:
    found: list[list[int]] = []
    longest, number = 0, len(directions) * len(board.cells)
    for way in directions:
        for start in range(len(board.cells)):
            found.append(_walk(board, way, start))
            longest = max(longest, len(found[-1]))
            if number * longest > _MOST_ON_RAYS:  # asked after each: all of a long ring are many
                return None
    lengths = scope.builder.table([len(ray) for ray in found])
    # Nobody looks behind the end of a ray.
    filled = [cell for ray in found for cell in ray + [0] * (longest - len(ray))]
    return Rays(lengths, scope.builder.table(filled), longest)


def _walk(board: BoardInfo, way: int, start: int) -> list[int]:
    """The cells of a ray. A ring has no edge: a ray ends when it has been all the way round."""
    found: list[int] = []
    here = board.steps[way][start]
    while here >= 0 and len(found) < len(board.cells) - 1:
        found.append(here)
        here = board.steps[way][here]
    return found


def _walked(scope: Scope, board: BoardInfo, cell: ops.Expr, direction: ops.Expr) -> Domain:
    """A ray, step by step: for boards that are too big to keep all of their rays."""
    type_ = named("board", board.name)
    table = step_table(scope, board, list(range(len(board.directions))))
    cells = len(board.cells)

    def loop(act: Act) -> Body:
        row, here, following, number = (scope.locals.new() for _ in range(4))

        def step(from_: ops.Expr) -> ops.Expr:
            return ops.Lookup(table, ops.Binary("add", ops.Local(row), from_))

        body = act(Value(ops.Local(here), type_), Value(ops.Local(number), POSITION))
        inside = ops.Binary(
            "and",
            ops.Binary("atLeast", ops.Local(following), ops.Const(0)),
            # A ring has no edge: a ray ends when it has been all the way round.
            ops.Binary("less", ops.Local(number), ops.Const(cells - 1)),
        )
        advance = (
            ops.SetLocal(here, ops.Local(following)),
            ops.SetLocal(following, step(ops.Local(here))),
            ops.SetLocal(number, ops.Binary("add", ops.Local(number), ops.Const(1))),
        )
        return (
            ops.SetLocal(row, ops.Binary("multiply", direction, ops.Const(cells))),
            ops.SetLocal(number, ops.Const(0)),
            ops.SetLocal(following, step(cell)),
            ops.While(inside, (*advance, *body)),
        )

    return Domain(type_, cells, loop)


def region(scope: Scope, domain: nodes.Through) -> Domain:
    """Flood from the start through neighbours that satisfy the condition."""
    where = board_of(scope, domain.start)
    if where is None:
        return Domain(UNKNOWN, 1, lambda act: ())
    board, cell = where
    cells, ways = len(board.cells), len(board.orthogonal)
    type_ = named("board", board.name)
    table = step_table(scope, board, board.orthogonal)

    def loop(act: Act) -> Body:
        found, seen = scope.locals.new(cells), scope.locals.new(cells)
        size, next_, here, way, target = (scope.locals.new() for _ in range(5))
        clear, index = scope.locals.new(), scope.locals.new()
        inner = scope.inner()
        inner.bind(domain.name, Value(ops.Local(target), type_))
        test = expressions.condition(inner, domain.where)
        take = (
            ops.SetLocalAt(seen, ops.Local(target), cells, ops.Const(1)),
            ops.SetLocalAt(found, ops.Local(size), cells, ops.Local(target)),
            ops.SetLocal(size, ops.Binary("add", ops.Local(size), ops.Const(1))),
        )
        at = ops.Binary(
            "add", ops.Binary("multiply", ops.Local(way), ops.Const(cells)), ops.Local(here)
        )
        fresh = ops.Binary(
            "and",
            ops.Binary("atLeast", ops.Local(target), ops.Const(0)),
            ops.Unary("not", ops.LocalAt(seen, ops.Local(target), cells)),
        )
        look = (
            ops.SetLocal(target, ops.Lookup(table, at)),
            ops.When(ops.Binary("and", fresh, test), take),
        )
        spread = (
            ops.SetLocal(here, ops.LocalAt(found, ops.Local(next_), cells)),
            ops.SetLocal(next_, ops.Binary("add", ops.Local(next_), ops.Const(1))),
            ops.CountLoop(way, ops.Const(0), ops.Const(ways), look),
        )
        element = Value(ops.LocalAt(found, ops.Local(index), cells), type_)
        number = ops.Binary("add", ops.Local(index), ops.Const(1))
        return (
            ops.CountLoop(
                clear, ops.Const(0), ops.Const(cells),
                (ops.SetLocalAt(seen, ops.Local(clear), cells, ops.Const(0)),),
            ),
            ops.SetLocal(size, ops.Const(0)),
            ops.SetLocal(next_, ops.Const(0)),
            ops.SetLocal(target, cell),
            ops.When(test, take),
            ops.While(ops.Binary("less", ops.Local(next_), ops.Local(size)), spread),
            ops.CountLoop(
                index, ops.Const(0), ops.Local(size), act(element, Value(number, POSITION))
            ),
        )  # fmt: skip

    return Domain(type_, cells, loop)


def reach(scope: Scope, domain: nodes.Reach) -> Domain:
    """Cheapest ways from the start within a budget; the position of a cell is its price.

    The start itself is not among the cells.
    """
    where = board_of(scope, domain.start)
    if where is None:
        return Domain(UNKNOWN, 1, lambda act: ())
    board, cell = where
    cells, ways = len(board.cells), len(board.orthogonal)
    type_ = named("board", board.name)
    table = step_table(scope, board, board.orthogonal)
    budget = expressions.lower_as(scope, domain.within, INT, "the budget")

    def loop(act: Act) -> Body:
        prices = scope.locals.new(cells)
        target, index = scope.locals.new(), scope.locals.new()
        inner = scope.inner()
        inner.bind(domain.name, Value(ops.Local(target), type_))
        value = expressions.lower(inner, domain.costs, INT.or_none())
        enter = fitting.fit(inner, value, INT.or_none(), domain.costs.mark, "a price")
        at = scope.builder.spot(domain.mark)
        element = Value(ops.Local(index), type_)
        paid = Value(ops.LocalAt(prices, ops.Local(index), cells), whole(0, limits.INT_MAX))
        body = act(element, paid)
        return (
            ops.Reach(index, budget, cell, cells, table, ways, target, enter, prices, body, at),
        )

    return Domain(type_, cells, loop)

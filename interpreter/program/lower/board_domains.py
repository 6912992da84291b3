"""What can be gone through on a board: neighbours, rays, regions and what is in reach."""

from __future__ import annotations

from interpreter.model.boards import directions_around
from interpreter.model.ruleset import BoardInfo
from interpreter.program import ops
from interpreter.program.lower.board_tables import entry, find_rays, step_table
from interpreter.program.lower.builder import Body
from interpreter.program.lower.loops import counted
from interpreter.program.lower.scope import Act, Domain, Scope
from interpreter.typed import values as typed


def around(scope: Scope, domain: typed.Around) -> Domain:
    board = domain.board
    cell = scope.value(domain.cell)
    directions = directions_around(board, domain.word)
    table = step_table(scope.builder, board, directions)

    def loop(act: Act) -> Body:
        start, index, target = scope.register(), scope.register(), scope.register()
        number = ops.Binary("add", index, ops.Const(1))
        body = act(target, number)
        there = ops.Binary("atLeast", target, ops.Const(0))
        step = ops.Lookup(table, entry(index, board, start))
        look = (ops.SetLocal(target.index, step), ops.When(there, body))
        return (
            ops.SetLocal(start.index, cell),
            ops.CountLoop(index.index, ops.Const(0), ops.Const(len(directions)), look),
        )

    return Domain(loop)


def ray(scope: Scope, domain: typed.Ray) -> Domain:
    board = domain.board
    cell, direction = scope.value(domain.cell), scope.value(domain.direction)
    rays = find_rays(scope.builder, board)
    if rays is None:
        return _walked(scope, board, cell, direction)
    number = scope.register()
    first = ops.SetLocal(number.index, entry(direction, board, cell))
    length = rays.length(number)
    return Domain(counted(scope, length, lambda index: rays.cell(number, index), (first,)))


def _walked(scope: Scope, board: BoardInfo, cell: ops.Expr, direction: ops.Expr) -> Domain:
    """A ray, step by step: for boards that are too big to keep all of their rays."""
    table = step_table(scope.builder, board)
    cells = len(board.cells)

    def loop(act: Act) -> Body:
        row, here, following, number = (scope.register() for _ in range(4))

        def step(from_: ops.Expr) -> ops.Expr:
            return ops.Lookup(table, ops.Binary("add", row, from_))

        body = act(here, number)
        inside = ops.Binary(
            "and",
            ops.Binary("atLeast", following, ops.Const(0)),
            # A ring has no edge: a ray ends when it has been all the way round.
            ops.Binary("less", number, ops.Const(cells - 1)),
        )
        advance = (
            ops.SetLocal(here.index, following),
            ops.SetLocal(following.index, step(here)),
            ops.SetLocal(number.index, ops.Binary("add", number, ops.Const(1))),
        )
        return (
            ops.SetLocal(row.index, ops.Binary("multiply", direction, ops.Const(cells))),
            ops.SetLocal(number.index, ops.Const(0)),
            ops.SetLocal(following.index, step(cell)),
            ops.While(inside, (*advance, *body)),
        )

    return Domain(loop)


def region(scope: Scope, domain: typed.Region) -> Domain:
    """Flood from the start through neighbours that satisfy the condition."""
    board = domain.board
    cell = scope.value(domain.start)
    cells, ways = len(board.cells), len(board.orthogonal)
    table = step_table(scope.builder, board, board.orthogonal)

    def loop(act: Act) -> Body:
        found, seen = scope.array(cells), scope.array(cells)
        size, next_, here, way, target = (scope.register() for _ in range(5))
        clear, index = scope.register(), scope.register()
        inner = _on_a_step(scope, domain, here, target)
        test = inner.value(domain.where)
        take: Body = (
            seen.put(target, ops.Const(1)),
            found.put(size, target),
            ops.SetLocal(size.index, ops.Binary("add", size, ops.Const(1))),
        )
        fresh = ops.Binary(
            "and",
            ops.Binary("atLeast", target, ops.Const(0)),
            ops.Unary("not", seen.at(target)),
        )
        look = (
            ops.SetLocal(target.index, ops.Lookup(table, entry(way, board, here))),
            ops.When(ops.Binary("and", fresh, test), take),
        )
        spread = (
            ops.SetLocal(here.index, found.at(next_)),
            ops.SetLocal(next_.index, ops.Binary("add", next_, ops.Const(1))),
            ops.CountLoop(way.index, ops.Const(0), ops.Const(ways), look),
        )
        number = ops.Binary("add", index, ops.Const(1))
        forget = (seen.put(clear, ops.Const(0)),)
        visit = act(found.at(index), number)
        return (
            ops.CountLoop(clear.index, ops.Const(0), ops.Const(cells), forget),
            ops.SetLocal(size.index, ops.Const(0)),
            ops.SetLocal(next_.index, ops.Const(0)),
            ops.SetLocal(target.index, cell),
            *((ops.When(test, take),) if domain.origin is None else take),
            ops.While(ops.Binary("less", next_, size), spread),
            ops.CountLoop(index.index, ops.Const(0), size, visit),
        )

    return Domain(loop)


def reach(scope: Scope, domain: typed.Reach) -> Domain:
    """Cheapest ways from the start within a budget; the position of a cell is its price.

    The start itself is not among the cells.
    """
    board = domain.board
    start, budget = scope.value(domain.start), scope.value(domain.within)
    cells, ways = len(board.cells), len(board.orthogonal)
    table = step_table(scope.builder, board, board.orthogonal)

    def loop(act: Act) -> Body:
        prices = scope.array(cells)
        target, index = scope.register(), scope.register()
        here = target if domain.origin is None else scope.register()
        inner = _on_a_step(scope, domain, here, target)
        enter = inner.value(domain.costs)
        spot = scope.builder.spot(domain.mark)
        body = act(index, prices.at(index))
        return (
            ops.Reach(
                index.index, budget, start, cells, table, ways, target.index, enter, prices.base,
                body, spot, -1 if domain.origin is None else here.index,
            ),
        )  # fmt: skip

    return Domain(loop)


def way(scope: Scope, value: typed.Way) -> ops.Expr:
    """The steps of the shortest way: cells are gone on from in the order they are found."""
    board = value.board
    cells, ways = len(board.cells), len(board.orthogonal)
    table = step_table(scope.builder, board, board.orthogonal)
    start, end = scope.value(value.start), scope.value(value.end)
    found, steps = scope.array(cells), scope.array(cells)
    size, next_, here, way_, target = (scope.register() for _ in range(5))
    clear, goal = scope.register(), scope.register()
    test = _on_a_step(scope, value, here, target).value(value.where)
    none = ops.Const(-1)

    def unknown(cell: ops.Expr) -> ops.Expr:
        return ops.Binary("less", steps.at(cell), ops.Const(0))

    there = ops.Binary("atLeast", target, ops.Const(0))
    fresh = ops.Binary("and", there, unknown(target))
    take: Body = (
        steps.put(target, ops.Binary("add", steps.at(here), ops.Const(1))),
        found.put(size, target),
        ops.SetLocal(size.index, ops.Binary("add", size, ops.Const(1))),
    )
    look: Body = (
        ops.SetLocal(target.index, ops.Lookup(table, entry(way_, board, here))),
        ops.When(ops.Binary("and", fresh, test), take),
    )
    spread: Body = (
        ops.SetLocal(here.index, found.at(next_)),
        ops.SetLocal(next_.index, ops.Binary("add", next_, ops.Const(1))),
        ops.CountLoop(way_.index, ops.Const(0), ops.Const(ways), look),
    )
    more = ops.Binary("and", ops.Binary("less", next_, size), unknown(goal))
    body: Body = (
        ops.SetLocal(goal.index, end),
        ops.SetLocal(target.index, start),
        ops.CountLoop(clear.index, ops.Const(0), ops.Const(cells), (steps.put(clear, none),)),
        steps.put(target, ops.Const(0)),
        found.put(ops.Const(0), target),
        ops.SetLocal(size.index, ops.Const(1)),
        ops.SetLocal(next_.index, ops.Const(0)),
        ops.While(more, spread),
    )
    return ops.Sequence(body, steps.at(goal))


def _on_a_step(
    scope: Scope,
    searched: typed.Region | typed.Reach | typed.Way,
    here: ops.Local,
    target: ops.Local,
) -> Scope:
    """Where the names of a step are in force."""
    inner = scope.inner()
    inner.bind(searched.local, target)
    if searched.origin is not None:
        inner.bind(searched.origin, here)
    return inner

"""Counting, adding up, picking and ranking over what can be gone through."""

from __future__ import annotations

from interpreter import limits
from interpreter.model.ruleset import BoardInfo
from interpreter.model.types import BOOL, INT, Type, fits, join, named, whole
from interpreter.program import ops
from interpreter.program.lower import board_domains, domains, expressions, fitting, sight
from interpreter.program.lower.builder import BROKEN, Body, Scope, Value
from interpreter.tree import nodes

COUNT = whole(0, limits.COLLECTION_ITEMS)


def number_of(scope: Scope, expr: nodes.Expr) -> Value:
    """`number of players`, of a place, of a list, or of the values of a type."""
    if isinstance(expr, nodes.Players):
        players = scope.builder.ruleset.players
        return Value(ops.Const(players), whole(players, players))
    domain = domains.lower_domain(scope, expr)
    pool = domain.place is not None and domain.place.place.word == "pool"
    if domain.place is not None and domain.element is not None:  # a group may leave some out
        return Value(domain.place.cell(0), whole(0, domain.place.place.capacity))
    if domain.count is not None:
        if isinstance(domain.count, ops.Const):
            return Value(domain.count, whole(domain.count.value, domain.count.value))
        return Value(domain.count, COUNT)
    total, value = scope.fresh(COUNT)
    if pool:  # the position of a row is how many there are
        add = domain.loop(lambda _, held: (_add(total, held.op),))
    else:
        add = domain.loop(lambda _, at: (_add(total, ops.Const(1)),))
    return Value(ops.Sequence((ops.SetLocal(total, ops.Const(0)), *add), value.op), COUNT)


def _add(local: int, op: ops.Expr, at: int = -1) -> ops.Statement:
    return ops.SetLocal(local, ops.Binary("add", ops.Local(local), op, at))


def quantified(scope: Scope, expr: nodes.Quantified) -> Value:
    local, value = scope.fresh(COUNT)
    if expr.word == "count":
        act: Body = (_add(local, ops.Const(1)),)
        type_ = COUNT
    else:
        act = (ops.SetLocal(local, ops.Const(1)), ops.Break())
        type_ = BOOL
    body = domains.iterate(scope, expr.binder, lambda inner, element, at: act)
    return Value(ops.Sequence((ops.SetLocal(local, ops.Const(0)), *body), value.op), type_)


def every(scope: Scope, expr: nodes.Every) -> Value:
    local, value = scope.fresh(BOOL)

    def act(inner: Scope, element: Value, at: Value) -> Body:
        test = expressions.condition(inner, expr.condition)
        return (ops.When(test, (), (ops.SetLocal(local, ops.Const(0)), ops.Break())),)

    body = domains.iterate(scope, expr.binder, act)
    return Value(ops.Sequence((ops.SetLocal(local, ops.Const(1)), *body), value.op), BOOL)


def aggregate(scope: Scope, expr: nodes.Aggregate) -> Value:
    total, value = scope.fresh(INT)
    some, found = scope.fresh(BOOL)
    spot = scope.builder.spot(expr.mark)
    types: list[Type] = []

    def act(inner: Scope, element: Value, at: Value) -> Body:
        part = expressions.lower(inner, expr.value)
        op = fitting.fit(inner, part, INT, expr.value.mark, "what is compared or added up")
        types.append(part.type if part.type.sort == "int" else INT)
        if expr.word == "sum":
            return (_add(total, op, spot),)
        known = ops.Binary(expr.word, ops.Local(total), op)
        new = ops.Choice(found.op, known, op)
        return (ops.SetLocal(total, new), ops.SetLocal(some, ops.Const(1)))

    body = domains.iterate(scope, expr.binder, act)
    start = (ops.SetLocal(total, ops.Const(0)), ops.SetLocal(some, ops.Const(0)))
    if expr.word == "sum":
        return Value(ops.Sequence((*start[:1], *body), value.op), INT)
    type_ = types[0] if types else INT
    if expr.otherwise is None:
        empty: Body = (ops.Fail("RR612", spot),)
    else:
        other = expressions.lower(scope, expr.otherwise)
        default = fitting.fit(scope, other, INT, expr.otherwise.mark)
        type_ = join(type_, other.type) or INT
        empty = (ops.SetLocal(total, default),)
    test = ops.When(found.op, (), empty)
    return Value(ops.Sequence((*start, *body, test), value.op), type_.certain())


def member_of(scope: Scope, expr: nodes.MemberOf) -> Value:
    if isinstance(expr.domain, nodes.Range):
        return _between(scope, expr, domains.lower_bounds(scope, expr.domain))
    domain = domains.lower_domain(scope, expr.domain)
    element = expressions.lower(scope, expr.element, domain.type)
    local, value = scope.fresh(BOOL)
    rows = element.type.sort == "row" and element.type.name == domain.type.name
    if not rows and not fits(element.type.certain(), domain.type):
        return _never(scope, expr, element.type, domain.type)
    if domain.place is not None:
        sight.check_visible(scope, domain.place, expr.mark)
    wanted, saved = scope.fresh(element.type)

    def act(found: Value, at: Value) -> Body:
        op = found.op
        if rows:
            kind = scope.builder.ruleset.kinds[domain.type.name]
            op = ops.Lookup(scope.builder.table(kind.components), op)
        test = ops.Binary("equal", op, saved.op)
        return (ops.When(test, (ops.SetLocal(local, ops.Const(1)), ops.Break())),)

    start = (ops.SetLocal(local, ops.Const(0)), ops.SetLocal(wanted, element.op))
    return Value(ops.Sequence((*start, *domain.loop(act)), value.op), BOOL)


def _never(scope: Scope, expr: nodes.MemberOf, found: Type, each: Type) -> Value:
    spoken = fitting.spoken(found)
    message = f"{spoken} is never found here, where each is {fitting.spoken(each)}"
    scope.builder.error("RR303", message, expr.mark, "look for something of the same type")
    return Value(ops.Const(0), BOOL)


def _between(scope: Scope, expr: nodes.MemberOf, bounds: domains.Bounds) -> Value:
    """Whether a value is in a range: its ends are looked at, not what lies between them."""
    element = expressions.lower(scope, expr.element, bounds.type)
    if not fits(element.type.certain(), bounds.type):
        return _never(scope, expr, element.type, bounds.type)
    wanted, first, width, last = (scope.locals.new() for _ in range(4))
    start: Body = (
        ops.SetLocal(wanted, element.op),
        ops.SetLocal(first, bounds.low),
        ops.SetLocal(width, bounds.step),
        ops.SetLocal(last, bounds.high),
    )
    inside: ops.Expr = ops.Binary(
        "and",
        ops.Binary("atMost", ops.Local(first), ops.Local(wanted)),
        ops.Binary("atMost", ops.Local(wanted), ops.Local(last)),
    )
    if bounds.step != ops.Const(1):
        spot = scope.builder.spot(expr.domain.mark)
        way = ops.Binary("subtract", ops.Local(wanted), ops.Local(first), spot)
        met = ops.Binary("equal", ops.Binary("modulo", way, ops.Local(width), spot), ops.Const(0))
        inside = ops.Binary("and", inside, met)
    return Value(ops.Sequence(start, inside), BOOL)


def pick(scope: Scope, expr: nodes.Pick) -> Value:
    """The best element by several keys; what happens on a tie is always said."""
    if expr.keys.ties == "share":
        help_ = "say `ties in order` or `ties none`"
        scope.builder.error(
            "RR322", "one thing is picked, so it cannot be shared", expr.keys.mark, help_
        )
    best, value = scope.fresh(INT)
    tied, is_tied = scope.fresh(BOOL)
    keys = [scope.fresh(INT) for _ in expr.keys.keys]
    news = [scope.fresh(INT) for _ in expr.keys.keys]
    found_type: list[Type] = []

    def act(inner: Scope, element: Value, at: Value) -> Body:
        found_type.append(element.type)
        body: Body = ()
        for key, (local, _) in zip(expr.keys.keys, news, strict=True):
            body += (ops.SetLocal(local, _key(inner, key)),)
        better = _better(
            [(key.word, new.op, old.op) for key, (_, new), (_, old)
             in zip(expr.keys.keys, news, keys, strict=True)]
        )  # fmt: skip
        equal: ops.Expr = ops.Const(1)
        for (_, new), (_, old) in zip(news, keys, strict=True):
            equal = ops.Binary("and", equal, ops.Binary("equal", new.op, old.op))
        take: Body = (ops.SetLocal(best, element.op), ops.SetLocal(tied, ops.Const(0)))
        take += tuple(
            ops.SetLocal(old, new.op) for (old, _), (_, new) in zip(keys, news, strict=True)
        )
        first = ops.Binary("less", value.op, ops.Const(0))
        same = (ops.When(equal, (ops.SetLocal(tied, ops.Const(1)),)),)
        return (*body, ops.When(ops.Binary("or", first, better), take, same))

    body = domains.iterate(scope, expr.binder, act)
    start = (ops.SetLocal(best, ops.Const(-1)), ops.SetLocal(tied, ops.Const(0)))
    type_ = found_type[0].or_none() if found_type else INT
    if type_.sort == "int":
        message = "`pick` chooses among players, pieces, cells and other named things"
        scope.builder.error("RR323", message, expr.mark, "use `max(... for ...)` for numbers")
        return BROKEN
    result: ops.Expr = value.op
    if expr.keys.ties == "none":
        result = ops.Choice(is_tied.op, ops.Const(-1), value.op)
    return Value(ops.Sequence((*start, *body), result), type_)


def _key(scope: Scope, key: nodes.Key) -> ops.Expr:
    value = expressions.lower(scope, key.value)
    if value.type.sort in ("enum", "bool"):
        op: ops.Expr = value.op
        return op
    return fitting.fit(scope, value, INT, key.value.mark, "a key")


def _better(keys: list[tuple[str, ops.Expr, ops.Expr]]) -> ops.Expr:
    """Whether new keys come before old ones, the first that differs deciding."""
    word, new, old = keys[0]
    wins = ops.Binary("more" if word == "most" else "less", new, old)
    if len(keys) == 1:
        return wins
    return ops.Binary(
        "or", wins, ops.Binary("and", ops.Binary("equal", new, old), _better(keys[1:]))
    )


def sort_keys(scope: Scope, keys: nodes.Keys) -> list[ops.Expr]:
    """The keys of one element, turned so that the least comes first."""
    found: list[ops.Expr] = []
    for key in keys.keys:
        op = _key(scope, key)
        if key.word == "most":
            op = ops.Unary("negate", op, scope.builder.spot(key.mark))
        found.append(op)
    return found


def rank(scope: Scope, expr: nodes.Rank) -> Value:
    """1 for the best. `rank` leaves a gap after a tie, `denseRank` does not.

    An element ranks behind each better one; in a dense rank, behind each better value, which
    is counted at the first element that shows it.
    """
    domain = domains.lower_domain(scope, expr.binder.domain)
    subject = expressions.lower(scope, expr.subject, domain.type)
    own, value = scope.fresh(INT)
    place, result = scope.fresh(COUNT)
    inner = scope.inner()
    certain = fitting.fit(scope, subject, domain.type.certain(), expr.subject.mark)
    seat, held = scope.fresh(domain.type)
    inner.bind(expr.binder.name, held)
    start: Body = (
        ops.SetLocal(seat, certain),
        ops.SetLocal(own, _key(inner, expr.key)),
        ops.SetLocal(place, ops.Const(1)),
    )
    word: ops.BinaryWord = "more" if expr.key.word == "most" else "less"

    def act(each: Scope, element: Value, at: Value) -> Body:
        if expr.binder.position is None:
            each.names.pop("rank_position", None)  # the key may have a rank of its own
        local, key = each.fresh(INT)
        body: Body = (ops.SetLocal(local, _key(each, expr.key)),)
        better: ops.Expr = ops.Binary(word, key.op, value.op)
        if expr.word == "denseRank":
            better = ops.Binary("and", better, ops.Unary("not", _seen_before(each, expr, at, key)))
        return (*body, ops.When(better, (_add(place, ops.Const(1)),)))

    binder = nodes.Binder(
        expr.binder.name, expr.binder.position or "rank_position", expr.binder.domain,
        expr.binder.stays, expr.binder.where, mark=expr.binder.mark,
    )  # fmt: skip
    body = domains.iterate(scope, binder, act)
    return Value(ops.Sequence((*start, *body), result.op), COUNT)


def _seen_before(scope: Scope, expr: nodes.Rank, at: Value, key: Value) -> ops.Expr:
    """Whether an earlier element of the domain shows the same key."""
    local, value = scope.fresh(BOOL)
    outer = scope.inner()
    outer.names.pop(expr.binder.name, None)
    outer.names.pop("rank_position", None)
    if expr.binder.position is not None:
        outer.names.pop(expr.binder.position, None)

    def act(inner: Scope, element: Value, earlier: Value) -> Body:
        if expr.binder.position is None:
            inner.names.pop("rank_position", None)
        before = ops.Binary("less", earlier.op, at.op)
        same = ops.Binary("equal", _key(inner, expr.key), key.op)
        found = (ops.SetLocal(local, ops.Const(1)), ops.Break())
        return (ops.When(ops.Binary("and", before, same), found),)

    binder = nodes.Binder(
        expr.binder.name, expr.binder.position or "rank_position", expr.binder.domain,
        expr.binder.stays, expr.binder.where, mark=expr.binder.mark,
    )  # fmt: skip
    body = domains.iterate(outer, binder, act)
    return ops.Sequence((ops.SetLocal(local, ops.Const(0)), *body), value.op)


def line(scope: Scope, expr: nodes.Through) -> Value:
    """The length of the longest straight row of cells through one cell, all of which satisfy
    the condition; 0 if that cell does not."""
    where = board_domains.board_of(scope, expr.start)
    if where is None:
        return BROKEN
    board, cell = where
    cells = len(board.cells)
    start, here, best, length, axis, side = (scope.locals.new() for _ in range(6))
    inner = scope.inner()
    inner.bind(expr.name, Value(ops.Local(here), named("board", board.name)))
    test = expressions.condition(inner, expr.where)
    way = ops.Binary("add", ops.Binary("multiply", ops.Local(axis), ops.Const(2)), ops.Local(side))
    longer = _add(length, ops.Const(1))
    pairs = [d for axis_ in board.axes for d in (axis_, board.opposite[axis_])]
    rays = board_domains.find_rays(scope, board, pairs)
    if rays is None:
        one_side = _run_by_steps(scope, board, pairs, (start, here, length), way, test)
    else:
        ray, index = scope.locals.new(), scope.locals.new()
        at = ops.Binary("add", ops.Binary("multiply", way, ops.Const(cells)), ops.Local(start))
        there = rays.cell(ops.Local(ray), ops.Local(index))
        run: Body = (ops.SetLocal(here, there), ops.When(test, (), (ops.Break(),)), longer)
        size = ops.Lookup(rays.lengths, ops.Local(ray))
        one_side = (ops.SetLocal(ray, at), ops.CountLoop(index, ops.Const(0), size, run))
    # On a ring both sides may be the same cells.
    found = ops.Binary("min", ops.Local(length), ops.Const(cells))
    each: Body = (
        ops.SetLocal(length, ops.Const(1)),
        ops.CountLoop(side, ops.Const(0), ops.Const(2), one_side),
        ops.SetLocal(best, ops.Binary("max", ops.Local(best), found)),
    )
    axes = ops.Const(len(board.axes))
    body: Body = (
        ops.SetLocal(start, cell),
        ops.SetLocal(here, ops.Local(start)),
        ops.SetLocal(best, ops.Const(0)),
        ops.When(test, (ops.CountLoop(axis, ops.Const(0), axes, each),)),
    )
    return Value(ops.Sequence(body, ops.Local(best)), whole(0, cells))


def _run_by_steps(
    scope: Scope,
    board: BoardInfo,
    directions: list[int],
    locals_: tuple[int, int, int],
    way: ops.Expr,
    test: ops.Expr,
) -> Body:
    """One side of a line, step by step: for boards that are too big to keep all of their rays."""
    start, here, length = locals_
    cells = ops.Const(len(board.cells))
    row = scope.locals.new()
    table = board_domains.step_table(scope, board, directions)
    step = ops.Lookup(table, ops.Binary("add", ops.Local(row), ops.Local(here)))
    on_board = ops.Binary("atLeast", ops.Local(here), ops.Const(0))
    shorter = ops.Binary("less", ops.Local(length), cells)
    goes_on = ops.Binary("and", ops.Binary("and", on_board, test), shorter)
    return (
        ops.SetLocal(row, ops.Binary("multiply", way, cells)),
        ops.SetLocal(here, ops.Local(start)),
        ops.SetLocal(here, step),
        ops.While(goes_on, (_add(length, ops.Const(1)), ops.SetLocal(here, step))),
    )

"""Statements about pieces: moving, shuffling and showing them."""

from __future__ import annotations

from interpreter.model.types import INT, named
from interpreter.program import ops
from interpreter.program.lower import (
    assigning,
    expressions,
    fitting,
    sight,
)
from interpreter.program.lower.builder import Body, Scope
from interpreter.program.lower.references import PlaceRef
from interpreter.report.source import Mark
from interpreter.tree import nodes


def piece(scope: Scope, expr: nodes.Expr, *, moving: bool = False) -> tuple[str, ops.Expr] | None:
    value = assigning.single(scope, expressions.lower(scope, expr), expr.mark)
    if moving:
        sight.check_sealed_piece(scope, value, expr.mark)
    kind = scope.builder.ruleset.kinds.get(value.type.name)
    if value.type.sort != "kind" or kind is None or not kind.tracked:
        if value.type.sort != "unknown":
            message = f"a piece is needed here, not {fitting.spoken(value.type)}"
            if kind is not None and kind.fungible:
                message = f"{kind.name} are counted, so there is no single piece to move"
            help_ = None
            if kind is not None and kind.fungible:
                help_ = "pieces in a pool are counted: `move 2 of red from ... to ...`"
            scope.builder.error("RR318", message, expr.mark, help_)
        return None
    return value.type.name, fitting.fit(scope, value, value.type.certain(), expr.mark)


def target_place(scope: Scope, expr: nodes.Expr, kind: str | None, mark: Mark) -> ops.Expr | None:
    """The instance number of the place pieces go to; 0 is the box."""
    if expressions.is_box(scope, expr):
        return ops.Const(0)
    ref = expressions.lower_place(scope, expr, "the target")
    if ref is None:
        return None
    scope.builder.used_names.add(ref.place.name + ":=")
    sight.check_sealed_write(scope, ref.place.name, ref.place.dimensions, ref.index, mark)
    if kind is not None and ref.place.kind != kind:
        message = f"`{ref.place.name}` holds {ref.place.kind}, not {kind}"
        others = [p.name for p in scope.builder.ruleset.places.values() if p.kind == kind]
        help_ = f"{kind} goes to {', '.join(others)}" if others else None
        scope.builder.error("RR319", message, expr.mark, help_)
        return None
    if ref.place.word == "pool":
        message = f"`{ref.place.name}` is a pool, which counts pieces by row"
        help_ = "write `move 1 of ... from ... to ...`"
        scope.builder.error("RR318", message, expr.mark, help_)
        return None
    return ref.number


def move(scope: Scope, statement: nodes.Move) -> Body:
    found = piece(scope, statement.what, moving=True)
    if found is None:
        return ()
    target = target_place(scope, statement.target, found[0], statement.mark)
    if target is None:
        return ()
    bottom = statement.end == "bottom"
    return (move_piece(scope, found[0], found[1], target, bottom, statement.mark),)


def move_piece(
    scope: Scope, kind: str, what: ops.Expr, target: ops.Expr, bottom: bool, mark: Mark
) -> ops.Statement:
    number = scope.builder.kind_numbers[kind]
    return ops.MovePiece(number, what, target, bottom, scope.builder.spot(mark))


def move_all(scope: Scope, statement: nodes.MoveAll) -> Body:
    source = expressions.lower_place(scope, statement.source, "the source")
    if source is None:
        return ()
    kind = source.place.kind
    sight.check_sealed_write(
        scope, source.place.name, source.place.dimensions, source.index, statement.mark
    )
    if source.place.word == "pool":
        return _move_all_pool(scope, statement, source)
    target = target_place(scope, statement.target, kind, statement.mark)
    if target is None:
        return ()
    return empty_place(scope, source, target, statement.mark)


def empty_place(scope: Scope, source: PlaceRef, target: ops.Expr, mark: Mark) -> Body:
    """Move every piece on, the lowest first, so that order is kept."""
    to = scope.locals.new()
    place = source.place
    from_start = move_piece(
        scope, place.kind, source.content(ops.Const(0)), ops.Local(to), False, mark
    )
    some = ops.Binary("more", source.cell(0), ops.Const(0))
    elsewhere = ops.Binary("unequal", ops.Local(to), source.number)
    loop = ops.While(some, (from_start,))
    return (ops.SetLocal(to, target), ops.When(elsewhere, (loop,)))


def _move_all_pool(scope: Scope, statement: nodes.MoveAll, source: PlaceRef) -> Body:
    target = expressions.lower_place(scope, statement.target, "the target")
    if target is None and not _is_box(statement.target):
        return ()
    if target is not None and not _is_pool_of(target, source.place.kind):
        message = f"`{target.place.name}` is no pool of {source.place.kind}"
        scope.builder.error("RR319", message, statement.target.mark)
        return ()
    row = scope.locals.new()
    move_row = pool_transfer(
        scope, source, target, ops.Local(row), pool_cell(source, ops.Local(row)), statement.mark
    )
    rows = ops.Const(source.place.capacity)
    return (ops.CountLoop(row, ops.Const(0), rows, move_row),)


def _is_box(expr: nodes.Expr) -> bool:
    return isinstance(expr, nodes.Name) and expr.name == "box"


def _is_pool_of(ref: PlaceRef, kind: str) -> bool:
    return ref.place.word == "pool" and ref.place.kind == kind


def pool_cell(ref: PlaceRef, row: ops.Expr) -> ops.MemoryAt:
    base, index = ref.address()
    position = ops.Binary("add", index, row)
    return ops.MemoryAt(base, position, ref.place.stride * ref.place.size)


def pool_transfer(
    scope: Scope,
    source: PlaceRef,
    target: PlaceRef | None,
    row: ops.Expr,
    amount: ops.Expr,
    mark: Mark,
) -> Body:
    """From one pool to another, or out of the game."""
    held = scope.locals.new()
    out = pool_cell(source, row)
    less = ops.Binary("subtract", out, ops.Local(held))
    body: Body = (
        ops.SetLocal(held, amount),
        ops.SetMemoryAt(out.base, out.index, out.size, less),
    )
    if target is None:
        return body
    into = pool_cell(target, row)
    more = ops.Binary("add", into, ops.Local(held), scope.builder.spot(mark))
    return (*body, ops.SetMemoryAt(into.base, into.index, into.size, more))


def move_some(scope: Scope, statement: nodes.MoveSome) -> Body:
    source = expressions.lower_place(scope, statement.source, "the source")
    target = expressions.lower_place(scope, statement.target, "the target")
    if source is None or (target is None and not _is_box(statement.target)):
        return ()
    for ref, expr in ((source, statement.source), (target, statement.target)):
        if ref is None:
            continue
        sight.check_sealed_write(
            scope, ref.place.name, ref.place.dimensions, ref.index, statement.mark
        )
        scope.builder.used_names.add(ref.place.name + ":=")
        if not _is_pool_of(ref, source.place.kind):
            message = f"`{ref.place.name}` is no pool of {source.place.kind}"
            help_ = "`move ... of ...` counts pieces between two pools of one kind"
            scope.builder.error("RR319", message, expr.mark, help_)
            return ()
    row_type = named("kind", source.place.kind)
    row_value = expressions.lower(scope, statement.row, row_type)
    row_op = fitting.fit(scope, row_value, row_type, statement.row.mark)
    amount_op = expressions.lower_as(scope, statement.amount, INT, "the amount")
    row, amount = scope.locals.new(), scope.locals.new()
    held = pool_cell(source, ops.Local(row))
    body: Body = (ops.SetLocal(row, row_op), ops.SetLocal(amount, amount_op))
    spot = scope.builder.spot(statement.mark)
    if statement.up_to:
        body += (ops.SetLocal(amount, ops.Binary("min", ops.Local(amount), held)),)
    else:
        enough = ops.Binary("atMost", ops.Local(amount), held)
        body += (ops.When(enough, (), (ops.Fail("RR606", spot),)),)
    negative = ops.Binary("less", ops.Local(amount), ops.Const(0))
    body += (ops.When(negative, (ops.Fail("RR604", spot),)),)
    return body + pool_transfer(
        scope, source, target, ops.Local(row), ops.Local(amount), statement.mark
    )


def shuffle(scope: Scope, statement: nodes.Shuffle) -> Body:
    ref = expressions.lower_place(scope, statement.place, "what is shuffled")
    if ref is None:
        return ()
    if ref.place.word not in ("stack", "bag"):
        message = f"`{ref.place.name}` is no stack: it has no order to lose"
        help_ = "stacks and bags are shuffled"
        scope.builder.error("RR313", message, statement.place.mark, help_)
        return ()
    number = scope.builder.kind_numbers[ref.place.kind]
    return (ops.ShufflePlace(number, ref.number),)


def reveal(scope: Scope, statement: nodes.Reveal | nodes.Hide) -> Body:
    seats: ops.Expr = ops.Const((1 << scope.builder.ruleset.players) - 1)
    forget = isinstance(statement, nodes.Hide)
    if isinstance(statement, nodes.Reveal) and statement.to is not None:
        seat = expressions.player(scope, statement.to, "whom it is shown to")
        seats = ops.Binary("shift", ops.Const(1), seat)
    value = expressions.lower(scope, statement.what)
    if isinstance(value.op, PlaceRef) and value.op.place.word != "slot":
        ref = value.op
        if ref.place.word == "pool":
            scope.builder.error("RR318", "a pool is counted, not seen", statement.mark)
            return ()
        number = scope.builder.kind_numbers[ref.place.kind]
        index = scope.locals.new()
        one = ops.Know(number, ref.content(ops.Local(index)), seats, forget)
        return (ops.CountLoop(index, ops.Const(0), ref.cell(0), (one,)),)
    found = piece(scope, statement.what)
    if found is None:
        return ()
    return (ops.Know(scope.builder.kind_numbers[found[0]], found[1], seats, forget),)

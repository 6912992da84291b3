"""Statements about pieces: moving, shuffling and showing them."""

from __future__ import annotations

from interpreter.program import ops
from interpreter.program.layout import everyone
from interpreter.program.lower.builder import Body
from interpreter.program.lower.reading import place_ref
from interpreter.program.lower.references import PlaceRef
from interpreter.program.lower.scope import Scope
from interpreter.report.source import Mark
from interpreter.typed import statements as typed
from interpreter.typed.values import PlaceAt, Value


def target_number(scope: Scope, target: PlaceAt | typed.Box) -> ops.Expr:
    """The instance number of the place pieces go to; 0 is the box."""
    return ops.Const(0) if isinstance(target, typed.Box) else place_ref(scope, target).number


def move(scope: Scope, statement: typed.Move) -> Body:
    piece = scope.value(statement.what)
    target = target_number(scope, statement.target)
    kind = statement.what.type.name
    return (move_piece(scope, kind, piece, target, statement.mark, bottom=statement.bottom),)


def move_piece(
    scope: Scope,
    kind: str,
    piece: ops.Expr,
    target: ops.Expr,
    mark: Mark,
    *,
    bottom: bool = False,
    whole: bool = False,
) -> ops.Statement:
    number = scope.builder.kind_numbers[kind]
    return ops.MovePiece(number, piece, target, bottom, scope.builder.spot(mark), whole)


def move_all(scope: Scope, statement: typed.MoveAll) -> Body:
    source = place_ref(scope, statement.source)
    if source.place.word == "pool":
        return _move_all_pool(scope, statement, source)
    return empty_place(scope, source, target_number(scope, statement.target), statement.mark)


def empty_place(scope: Scope, source: PlaceRef, target: ops.Expr, mark: Mark) -> Body:
    """Move every piece on, the lowest first, so that order is kept."""
    to = scope.register()
    lowest = source.content(ops.Const(0))
    from_start = move_piece(scope, source.place.kind, lowest, to, mark, whole=True)
    some = ops.Binary("more", source.count, ops.Const(0))
    elsewhere = ops.Binary("unequal", to, source.number)
    loop = ops.While(some, (from_start,))
    return (ops.SetLocal(to.index, target), ops.When(elsewhere, (loop,)))


# ---- pools


def _move_all_pool(scope: Scope, statement: typed.MoveAll, source: PlaceRef) -> Body:
    target = _target_pool(scope, statement.target)
    row = scope.register()
    move_row = pool_transfer(scope, source, target, row, source.held(row), statement.mark)
    return (ops.CountLoop(row.index, ops.Const(0), ops.Const(source.place.capacity), move_row),)


def _target_pool(scope: Scope, target: PlaceAt | typed.Box) -> PlaceRef | None:
    return None if isinstance(target, typed.Box) else place_ref(scope, target)


def pool_transfer(
    scope: Scope,
    source: PlaceRef,
    target: PlaceRef | None,
    row: ops.Expr,
    amount: ops.Expr,
    mark: Mark,
) -> Body:
    """From one pool to another, or out of the game."""
    moved = scope.register()
    out = source.held(row)
    less = ops.Binary("subtract", out, moved)
    body: Body = (
        ops.SetLocal(moved.index, amount),
        ops.SetMemoryAt(out.base, out.index, out.size, less),
    )
    if target is None:
        return body
    into = target.held(row)
    more = ops.Binary("add", into, moved, scope.builder.spot(mark))
    return (*body, ops.SetMemoryAt(into.base, into.index, into.size, more))


def move_some(scope: Scope, statement: typed.MoveSome) -> Body:
    source = place_ref(scope, statement.source)
    target = _target_pool(scope, statement.target)
    which, how_many = scope.value(statement.row), scope.value(statement.amount)
    row, amount = scope.register(), scope.register()
    held = source.held(row)
    body: Body = (ops.SetLocal(row.index, which), ops.SetLocal(amount.index, how_many))
    spot = scope.builder.spot(statement.mark)
    if statement.up_to:
        body += (ops.SetLocal(amount.index, ops.Binary("min", amount, held)),)
    else:
        enough = ops.Binary("atMost", amount, held)
        body += (ops.When(enough, (), (ops.Fail("RR606", spot),)),)
    negative = ops.Binary("less", amount, ops.Const(0))
    body += (ops.When(negative, (ops.Fail("RR604", spot),)),)
    return body + pool_transfer(scope, source, target, row, amount, statement.mark)


# ---- order and sight


def shuffle(scope: Scope, statement: typed.Shuffle) -> Body:
    ref = place_ref(scope, statement.place)
    return (ops.ShufflePlace(scope.builder.kind_numbers[ref.place.kind], ref.number),)


def reveal(scope: Scope, statement: typed.Reveal) -> Body:
    seats = _everybody(scope)
    if statement.to is not None:
        seats = ops.Binary("shift", ops.Const(1), scope.value(statement.to))
    return _know(scope, statement.what, seats, forget=False)


def hide(scope: Scope, statement: typed.Hide) -> Body:
    return _know(scope, statement.what, _everybody(scope), forget=True)


def _everybody(scope: Scope) -> ops.Expr:
    return ops.Const(everyone(scope.builder.ruleset.players))


def _know(scope: Scope, what: Value, seats: ops.Expr, *, forget: bool) -> Body:
    """A piece, or every piece of a place."""
    numbers = scope.builder.kind_numbers
    if not isinstance(what, PlaceAt):
        return (ops.Know(numbers[what.type.name], scope.value(what), seats, forget),)
    ref = place_ref(scope, what)
    index = scope.register()
    one = ops.Know(numbers[ref.place.kind], ref.content(index), seats, forget)
    return (ops.CountLoop(index.index, ops.Const(0), ref.count, (one,)),)

"""Reading what is kept: variables, columns of the data, places and the pieces in them."""

from __future__ import annotations

from interpreter.model.ruleset import Dimension, Variable, size_of
from interpreter.program import ops
from interpreter.program.lower.folding import fold, times
from interpreter.program.lower.references import ListRef, PlaceRef
from interpreter.program.lower.revealed import after_test
from interpreter.program.lower.scope import Scope
from interpreter.typed import values as typed


def position_of(
    scope: Scope, dimensions: tuple[Dimension, ...], indexes: tuple[typed.Value, ...]
) -> ops.Expr:
    """The position of one entry in a table with these dimensions."""
    position: ops.Expr = ops.Const(0)
    for dimension, index in zip(dimensions, indexes, strict=True):
        op = scope.value(index)
        if dimension.offset:
            op = fold(ops.Binary("subtract", op, ops.Const(dimension.offset)))
        if isinstance(position, ops.Const) and position.value == 0:
            position = op
        else:
            position = ops.Binary("add", times(position, dimension.size), op)
    return position


# ---- variables and constants


def read(scope: Scope, value: typed.Read) -> ops.Expr:
    index = position_of(scope, value.variable.dimensions, value.indexes)
    return load(value.variable, index)


def load(variable: Variable, index: ops.Expr) -> ops.Expr:
    if isinstance(index, ops.Const):
        return ops.Memory(variable.address + index.value)
    return ops.MemoryAt(variable.address, index, variable.size)


def constant_at(scope: Scope, value: typed.ConstantAt) -> ops.Expr:
    index = position_of(scope, value.constant.dimensions, value.indexes)
    return ops.Lookup(scope.builder.table(value.constant.values), index)


# ---- columns of the data


def field_of(scope: Scope, value: typed.FieldOf) -> ops.Expr:
    index = _entry(scope, value)
    return ops.Lookup(scope.builder.column(value.of.type, value.info, value.info.values), index)


def list_ref(scope: Scope, value: typed.ListOf) -> ListRef:
    return _list_at(scope, value, _entry(scope, value))


def list_item(scope: Scope, value: typed.ListItem) -> ops.Expr:
    entry = _entry(scope, value.list)
    position = scope.value(value.position)
    ref = _list_at(scope, value.list, entry)
    kept = scope.register()
    inside = ops.Binary(
        "and",
        ops.Binary("atLeast", kept, ops.Const(1)),
        ops.Binary("atMost", kept, ref.length),
    )
    outside = ops.Fail("RR603", scope.builder.spot(value.mark))
    at = ops.Binary("add", ref.start, ops.Binary("subtract", kept, ops.Const(1)))
    check = (ops.SetLocal(kept.index, position), ops.When(inside, (), (outside,)))
    return ops.Sequence(check, ops.Lookup(ref.pool, at))


def _entry(scope: Scope, value: typed.FieldOf | typed.ListOf) -> ops.Expr:
    """The position in the column: of the piece, row or cell, then by the column's own indexes."""
    of = scope.value(value.of)
    dimensions = value.info.dimensions
    if not dimensions:
        return of
    inner = position_of(scope, dimensions, value.indexes)
    return ops.Binary("add", times(of, size_of(dimensions)), inner)


def _list_at(scope: Scope, value: typed.ListOf, entry: ops.Expr) -> ListRef:
    info, of = value.info, value.of.type
    start = ops.Lookup(scope.builder.column(of, info, info.starts), entry)
    length = ops.Lookup(scope.builder.column(of, info, info.lengths), entry)
    return ListRef(start, length, scope.builder.table(info.pool))


# ---- places


def place_ref(scope: Scope, value: typed.PlaceAt) -> PlaceRef:
    return PlaceRef(value.place, position_of(scope, value.place.dimensions, value.indexes))


def content(scope: Scope, value: typed.Content) -> ops.Expr:
    place = value.place.place
    piece = place_ref(scope, value.place).content(ops.Const(0))
    return after_test(scope, place, value.place.mark, piece, value.mark)


def pool_count(scope: Scope, value: typed.PoolCount) -> ops.Expr:
    ref = place_ref(scope, value.place)
    return ref.held(scope.value(value.row))


def row_of(scope: Scope, value: typed.RowOf) -> ops.Expr:
    """The row of a piece, or none."""
    type_ = value.piece.type
    kind = scope.builder.ruleset.kinds[type_.name]
    piece = scope.value(value.piece)
    if not kind.tracked:
        return piece
    row = ops.Lookup(scope.builder.table(kind.components), piece)
    if not type_.optional:
        return row
    some = ops.Binary("atLeast", piece, ops.Const(0))
    return ops.Choice(some, row, ops.Const(type_.none))

"""Reading what is kept: fields of rows, variables, and the cells of places."""

from __future__ import annotations

from dataclasses import replace

from interpreter import limits
from interpreter.model.ruleset import Dimension, FieldInfo, Place, Variable
from interpreter.model.types import (
    INT,
    Type,
    named,
    whole,
)  # fmt: skip
from interpreter.program import ops
from interpreter.program.lower import fitting, sight
from interpreter.program.lower.builder import BROKEN, Scope, Value
from interpreter.program.lower.folding import fold, times
from interpreter.program.lower.references import ListRef, PlaceRef
from interpreter.report.source import Mark
from interpreter.tree import nodes


def find_field(scope: Scope, of: Value, name: str) -> tuple[FieldInfo, str] | None:
    ruleset = scope.builder.ruleset
    if of.type.sort in ("kind", "table", "row"):
        info = ruleset.kinds[of.type.name].fields.get(name)
        return None if info is None else (info, "kind")
    if of.type.sort == "board":
        info = ruleset.boards[of.type.name].fields.get(name)
        return None if info is None else (info, "board")
    return None


def read_field(
    scope: Scope,
    found: tuple[FieldInfo, str],
    given: list[Value],
    written: list[nodes.Expr],
    expr: nodes.Expr,
) -> Value:
    info, family = found
    builder = scope.builder
    of = given[0]
    size = 1
    for dimension in info.dimensions:
        size *= dimension.size
    subject = fitting.fit(scope, of, of.type.certain(), written[0].mark)
    index: ops.Expr = subject
    by_list = info.type.sort == "list" and len(given) == len(info.dimensions) + 2
    if info.dimensions:
        inner_given = given[1 : 1 + len(info.dimensions)]
        inner_written = written[1 : 1 + len(info.dimensions)]
        inner = index_of(scope, info.dimensions, inner_given, inner_written, info.name, expr)
        if inner is None:
            return BROKEN
        index = ops.Binary("add", times(index, size), inner)
    elif len(given) > 1 and not by_list:
        message = f"`{info.name}` takes no index"
        builder.error("RR311", message, expr.mark, f"write `{info.name}` without brackets")
        return BROKEN
    sight.check_field(scope, info, of, expr.mark)

    def column(values: list[int]) -> int:
        if family == "board":
            builder.read_fields.add((of.type.name, info.name))
            return builder.table(values)
        kind = builder.ruleset.kinds[of.type.name]
        if of.type.sort == "row":
            builder.read_fields.add((kind.name, info.name))
            return builder.table(values)
        return builder.field_table(kind, info, values)

    if info.type.sort == "list":
        start = ops.Lookup(column(info.starts), index)
        length = ops.Lookup(column(info.lengths), index)
        pool = builder.table(info.pool)
        if by_list:
            assert info.type.of is not None
            position = fitting.fit(scope, given[-1], INT, written[-1].mark)
            local, value = scope.fresh(INT)
            spot = builder.spot(expr.mark)
            inside = ops.Binary(
                "and",
                ops.Binary("atLeast", value.op, ops.Const(1)),
                ops.Binary("atMost", value.op, length),
            )
            check = ops.When(inside, (), (ops.Fail("RR603", spot),))
            at = ops.Binary("add", start, ops.Binary("subtract", value.op, ops.Const(1)))
            body = (ops.SetLocal(local, position), check)
            return Value(ops.Sequence(body, ops.Lookup(pool, at)), info.type.of)
        return Value(ListRef(start, length, pool, _longest(info)), info.type)
    return Value(ops.Lookup(column(info.values), index), info.type)


def _longest(info: FieldInfo) -> int:
    return max(info.lengths, default=0)


# ---- variables and places


def index_of(
    scope: Scope,
    dimensions: tuple[Dimension, ...],
    given: list[Value],
    written: list[nodes.Expr],
    name: str,
    expr: nodes.Expr,
) -> ops.Expr | None:
    """The position of one entry in a table with these dimensions."""
    if len(given) != len(dimensions):
        message = f"`{name}` needs {fitting.counted(len(dimensions), 'index')}, not {len(given)}"
        help_ = None
        if dimensions:
            help_ = f"write `{name}[{', '.join(str(d.type) for d in dimensions)}]`"
        scope.builder.error("RR311", message, expr.mark, help_)
        return None
    position: ops.Expr = ops.Const(0)
    for dimension, value, part in zip(dimensions, given, written, strict=True):
        wanted = dimension.type
        op = fitting.fit(
            scope, value, replace(wanted, optional=False), part.mark, f"the index of `{name}`"
        )
        if dimension.offset:
            op = fold(ops.Binary("subtract", op, ops.Const(dimension.offset)))
        if isinstance(position, ops.Const) and position.value == 0:
            position = op
        else:
            position = ops.Binary("add", times(position, dimension.size), op)
    return position


def load(scope: Scope, variable: Variable, index: ops.Expr, mark: Mark) -> Value:
    scope.builder.used_names.add(variable.name)
    sight.check_secret(scope, variable, index, mark)
    sight.check_sealed_read(scope, variable.name, variable.dimensions, index, mark)
    if isinstance(index, ops.Const):
        return Value(ops.Memory(variable.address + index.value), variable.type)
    return Value(ops.MemoryAt(variable.address, index, variable.size), variable.type)


def place_value(place: Place, index: ops.Expr) -> Value:
    of = named("kind", place.kind)
    return Value(PlaceRef(place, index), Type("place", place.name, of=of))


def pool_count(
    scope: Scope, place: Place, given: list[Value], written: list[nodes.Expr], expr: nodes.Expr
) -> Value:
    index = index_of(scope, place.dimensions, given[:-1], written[:-1], place.name, expr)
    if index is None:
        return BROKEN
    row = fitting.fit(scope, given[-1], named("kind", place.kind), written[-1].mark)
    position = ops.Binary("add", times(index, place.stride), row)
    whole_size = place.stride * place.size
    return Value(
        ops.MemoryAt(place.address, position, whole_size), whole(0, limits.COLLECTION_ITEMS)
    )

"""Expressions with signs: sums, comparisons, conditions, the least and the most of some."""

from __future__ import annotations

from typing import assert_never

from interpreter import limits
from interpreter.model.types import (
    BOOL,
    INT,
    NONE_NAMED,
    Type,
    join,
    whole,
)  # fmt: skip
from interpreter.program import ops
from interpreter.program.lower import (
    access,
    aggregates,
    expressions,
    fitting,
    sight,
)
from interpreter.program.lower.builder import BROKEN, Scope, Value
from interpreter.program.lower.folding import bounds_of, fold
from interpreter.program.lower.references import PlaceRef
from interpreter.tree import nodes
from interpreter.tree.phrases import say_value
from interpreter.tree.pieces import flat

_COMPARE: dict[str, ops.BinaryWord] = {
    "=": "equal", "is": "equal", "!=": "unequal", "is not": "unequal",
    "<": "less", "<=": "atMost", ">": "more", ">=": "atLeast",
}  # fmt: skip


_ARITHMETIC: dict[str, ops.BinaryWord] = {
    "+": "add", "-": "subtract", "*": "multiply",
    "div": "divide", "divUp": "divideUp", "mod": "modulo",
}  # fmt: skip


# ---- operators


def unary(scope: Scope, expr: nodes.Unary) -> Value:
    match expr.operator:
        case "not":
            return Value(ops.Unary("not", expressions.condition(scope, expr.operand)), BOOL)
        case "-":
            operand = expressions.lower(scope, expr.operand)
            op = fitting.fit(scope, operand, INT, expr.operand.mark)
            if isinstance(op, ops.Const):
                return Value(ops.Const(-op.value), whole(-op.value, -op.value))
            return Value(ops.Unary("negate", op, scope.builder.spot(expr.mark)), INT)
        case "number of":
            return aggregates.number_of(scope, expr.operand)
        case _:
            assert_never(expr.operator)


def binary(scope: Scope, expr: nodes.Binary) -> Value:
    if expr.operator in ("and", "or"):
        left = expressions.condition(scope, expr.left)
        right = expressions.condition(scope, expr.right)
        word: ops.BinaryWord = "and" if expr.operator == "and" else "or"
        return Value(ops.Binary(word, left, right), BOOL)
    if expr.operator in _COMPARE:
        return _compare(scope, expr)
    left_value = expressions.lower(scope, expr.left)
    right_value = expressions.lower(scope, expr.right)
    left_op = fitting.fit(scope, left_value, INT, expr.left.mark, f"the left of `{expr.operator}`")
    right_op = fitting.fit(
        scope, right_value, INT, expr.right.mark, f"the right of `{expr.operator}`"
    )
    word = _ARITHMETIC[expr.operator]
    bounds = bounds_of(word, left_value.type, right_value.type)
    safe = bounds is not None and bounds[0] > -limits.INT_MAX and bounds[1] < limits.INT_MAX
    at = -1 if safe else scope.builder.spot(expr.mark)
    type_ = whole(*bounds) if bounds is not None and safe else INT
    return Value(fold(ops.Binary(word, left_op, right_op, at)), type_)


def _compare(scope: Scope, expr: nodes.Binary) -> Value:
    if _is_open_name(scope, expr.left):
        right = expressions.lower(scope, expr.right)
        left = expressions.lower(scope, expr.left, right.type)
    else:
        left = expressions.lower(scope, expr.left)
        if _asks_how_many(scope, expr, left):
            return Value(ops.Const(0), BOOL)
        right = expressions.lower(scope, expr.right, left.type)
    left, right = (
        fitting.comparable(scope, left, expr.left.mark),
        fitting.comparable(scope, right, expr.right.mark),
    )
    word = _COMPARE[expr.operator]
    if "row" in (left.type.sort, right.type.sort) and left.type.name == right.type.name:
        sight.check_piece(scope, left, expr.left.mark)
        sight.check_piece(scope, right, expr.right.mark)
        return Value(ops.Binary(word, _row(scope, left), _row(scope, right)), BOOL)
    if join(left.type, right.type) is None:
        one, other = fitting.spoken(left.type), fitting.spoken(right.type)
        message = f"{one} is never {other}: they cannot be compared"
        help_ = "compare two things of one type"
        scope.builder.error("RR303", message, expr.mark, help_)
        return Value(ops.Const(0), BOOL)
    if word not in ("equal", "unequal") and left.type.sort not in ("int", "enum", "unknown"):
        message = (
            f"`{expr.operator}` compares numbers and enum members, not {fitting.spoken(left.type)}"
        )
        help_ = "compare something they have, such as `p.gold < q.gold`, or use `is`"
        scope.builder.error("RR304", message, expr.mark, help_)
    # A bare `none` is written for the type it is compared with.
    left_op, right_op = left.op, right.op
    if left.type.sort == "none":
        left_op = ops.Const(right.type.none)
    if right.type.sort == "none":
        right_op = ops.Const(left.type.none)
        if not left.type.optional and left.type.sort not in ("unknown", "none"):
            message = f"this is never none: it is always {fitting.spoken(left.type)}"
            help_ = "take the condition away, or declare it with `or none`"
            scope.builder.problems.warning("RR305", message, expr.mark, help=help_)
    if word not in ("equal", "unequal"):
        left_op = fitting.fit(scope, left, left.type.certain(), expr.left.mark)
        right_op = fitting.fit(scope, right, right.type.certain(), expr.right.mark)
    return Value(ops.Binary(word, left_op, right_op), BOOL)


def _asks_how_many(scope: Scope, expr: nodes.Binary, left: Value) -> bool:
    """Whether this is `deck = 0`, `deck is none` or `deck is empty`, of a place that may hold
    several pieces; then it is told how to ask this."""
    if not isinstance(left.op, PlaceRef) or left.op.place.word == "slot":
        return False
    sign = {"is": "=", "is not": "!="}.get(expr.operator, expr.operator)
    match expr.right:
        case nodes.Number(value=value):
            asked = f"{sign} {value}"
        case nodes.NoneValue():
            asked = "> 0" if sign == "!=" else "= 0"
        case nodes.Name(name="empty") if access.find_name(scope, "empty") is None:
            asked = "> 0" if sign == "!=" else "= 0"
        case _:
            return False
    place = flat(say_value(expr.left))
    message = f"`{place}` may hold several pieces"
    help_ = f"to ask how many there are, write `number of {place} {asked}`"
    scope.builder.error("RR312", message, expr.left.mark, help_)
    return True


def _row(scope: Scope, value: Value) -> ops.Expr:
    """The row of a piece, or of a row's name as it was written."""
    kind = scope.builder.ruleset.kinds[value.type.name]
    op: ops.Expr = value.op
    if value.type.sort == "row" or not kind.tracked:
        return op
    row = ops.Lookup(scope.builder.table(kind.components), value.op)
    if not value.type.optional:
        return row
    some = ops.Binary("atLeast", value.op, ops.Const(0))
    return ops.Choice(some, row, ops.Const(NONE_NAMED))


def _is_open_name(scope: Scope, expr: nodes.Expr) -> bool:
    """A bare enum member or `none`: the other side says what it is."""
    if isinstance(expr, nodes.NoneValue):
        return True
    return isinstance(expr, nodes.Name) and access.find_name(scope, expr.name) is None


def if_else(scope: Scope, expr: nodes.IfElse, wanted: Type | None) -> Value:
    test = expressions.condition(scope, expr.condition)
    then = fitting.comparable(scope, expressions.lower(scope, expr.then, wanted), expr.then.mark)
    otherwise = expressions.lower(scope, expr.otherwise, wanted or then.type)
    otherwise = fitting.comparable(scope, otherwise, expr.otherwise.mark)
    joined = join(then.type, otherwise.type)
    if joined is None:
        one, other = fitting.spoken(then.type), fitting.spoken(otherwise.type)
        message = f"this is sometimes {one}, sometimes {other}"
        help_ = "write two values of one type, before `if` and after `else`"
        scope.builder.error("RR303", message, expr.mark, help_)
        return BROKEN
    then_op = ops.Const(joined.none) if then.type.sort == "none" else then.op
    else_op = ops.Const(joined.none) if otherwise.type.sort == "none" else otherwise.op
    return Value(ops.Choice(test, then_op, else_op), joined)


def extreme(scope: Scope, expr: nodes.Extreme) -> Value:
    result: ops.Expr | None = None
    type_ = INT
    for part in expr.values:
        value = expressions.lower(scope, part)
        op = fitting.fit(scope, value, INT, part.mark)
        if result is None:
            result, type_ = op, value.type
        else:
            result = ops.Binary(expr.word, result, op)
            type_ = join(type_, value.type) or INT
    assert result is not None
    return Value(result, type_)

"""Values with signs: sums, comparisons, conditions, the least and the most of some."""

from __future__ import annotations

from interpreter.model.types import Type
from interpreter.program import ops
from interpreter.program.lower import fitting
from interpreter.program.lower.folding import fold
from interpreter.program.lower.scope import Scope
from interpreter.typed import values as typed


def fit(scope: Scope, value: typed.Fit) -> ops.Expr:
    inside = value.value
    return fitting.fit(scope.builder, scope.value(inside), inside.type, value.type, value.mark)


def negate(scope: Scope, value: typed.Negate) -> ops.Expr:
    op = scope.value(value.operand)
    if isinstance(op, ops.Const):
        return ops.Const(-op.value)
    return ops.Unary("negate", op, scope.builder.spot(value.mark))


def arithmetic(scope: Scope, value: typed.Arithmetic) -> ops.Expr:
    left, right = scope.value(value.left), scope.value(value.right)
    at = -1 if value.safe else scope.builder.spot(value.mark)
    return fold(ops.Binary(value.word, left, right, at))


def compare(scope: Scope, value: typed.Compare) -> ops.Expr:
    left = _side(scope, value.left, value.right.type)
    right = _side(scope, value.right, value.left.type)
    return ops.Binary(value.word, left, right)


def if_else(scope: Scope, value: typed.IfElse) -> ops.Expr:
    test = scope.value(value.condition)
    then = _side(scope, value.then, value.type)
    return ops.Choice(test, then, _side(scope, value.otherwise, value.type))


def _side(scope: Scope, value: typed.Value, other: Type) -> ops.Expr:
    """A bare `none` is written for the type that it is compared with."""
    return ops.Const(other.none) if value.type.sort == "none" else scope.value(value)


def extreme(scope: Scope, value: typed.Extreme) -> ops.Expr:
    result, *others = scope.values(value.values)
    for other in others:
        result = ops.Binary(value.word, result, other)
    return result

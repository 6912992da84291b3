"""Expressions: each is typed and lowered in one step, to an operation that gives an integer."""

from __future__ import annotations

from typing import assert_never

from interpreter import limits
from interpreter.model.types import (
    BOOL,
    NONE,
    PLAYER,
    Type,
    whole,
)  # fmt: skip
from interpreter.program import ops
from interpreter.program.lower import (
    access,
    aggregates,
    builtins,
    fitting,
    operators,
    quotes,
)
from interpreter.program.lower.builder import BROKEN, Scope, Value
from interpreter.program.lower.references import PlaceRef
from interpreter.tree import nodes


def lower(scope: Scope, expr: nodes.Expr, wanted: Type | None = None) -> Value:
    """The value of an expression. `wanted` settles names that several enums share."""
    scope.builder.count_expression(expr.mark)
    match expr:
        case nodes.Number():
            if expr.value > limits.INT_MAX:
                help_ = "count in a bigger unit: no number may need more than 64 bits"
                scope.builder.error("RR231", "this number is too big", expr.mark, help_)
            return Value(ops.Const(expr.value), whole(expr.value, expr.value))
        case nodes.Truth():
            return Value(ops.Const(int(expr.value)), BOOL)
        case nodes.NoneValue():
            none = wanted.none if wanted is not None else -1
            return Value(ops.Const(none), NONE)
        case nodes.Quoted():
            return quotes.quoted(scope, expr, wanted)
        case nodes.Name() | nodes.Dot() | nodes.Index() | nodes.Call():
            return access.access_value(scope, expr, wanted)
        case nodes.Unary():
            return operators.unary(scope, expr)
        case nodes.Binary():
            return operators.binary(scope, expr)
        case nodes.MemberOf():
            return aggregates.member_of(scope, expr)
        case nodes.IfElse():
            return operators.if_else(scope, expr, wanted)
        case nodes.Players():
            help_ = "use it after `in`, or ask for `number of players`"
            scope.builder.error("RR301", "`players` is not a value", expr.mark, help_)
            return BROKEN
        case nodes.Quantified():
            return aggregates.quantified(scope, expr)
        case nodes.Every():
            return aggregates.every(scope, expr)
        case nodes.Aggregate():
            return aggregates.aggregate(scope, expr)
        case nodes.Extreme():
            return operators.extreme(scope, expr)
        case nodes.Pick():
            return aggregates.pick(scope, expr)
        case nodes.Rank():
            return aggregates.rank(scope, expr)
        case nodes.Through(word="line"):
            return aggregates.line(scope, expr)
        case nodes.Through() | nodes.Reach():
            help_ = "use it after `in`: `count(x in region(...))`"
            scope.builder.error("RR301", f"`{_word(expr)}` is not a value", expr.mark, help_)
            return BROKEN
        case nodes.Can():
            return builtins.can(scope, expr)
        case _:
            assert_never(expr)


def lower_as(scope: Scope, expr: nodes.Expr, wanted: Type, what: str = "this") -> ops.Expr:
    """The value of an expression where a certain type is needed.

    What cannot be seen from the types, a possible `none` or a number out of its range, is
    tested while playing.
    """
    value = lower(scope, expr, wanted)
    return fitting.fit(scope, value, wanted, expr.mark, what)


def condition(scope: Scope, expr: nodes.Expr) -> ops.Expr:
    return lower_as(scope, expr, BOOL, "a condition")


def lower_place(scope: Scope, expr: nodes.Expr, what: str) -> PlaceRef | None:
    """A place is needed here, such as after `to`."""
    if isinstance(expr, nodes.Name) and expr.name == "box" and "box" not in scope.names:
        return None
    value = lower(scope, expr)
    if isinstance(value.op, PlaceRef):
        return value.op
    if value.type.sort != "unknown":
        known = list(scope.builder.ruleset.places)
        help_ = f"places here: {', '.join(known)}" if known else None
        message = f"{what} should be a place, but it is {fitting.spoken(value.type)}"
        scope.builder.error("RR313", message, expr.mark, help_)
    return None


def is_box(scope: Scope, expr: nodes.Expr) -> bool:
    return isinstance(expr, nodes.Name) and expr.name == "box" and "box" not in scope.names


def player(scope: Scope, expr: nodes.Expr, what: str = "this") -> ops.Expr:
    return lower_as(scope, expr, PLAYER, what)


def _word(expr: nodes.Through | nodes.Reach) -> str:
    return expr.word if isinstance(expr, nodes.Through) else "reach"

"""Values: each is lowered to an operation that gives an integer.

In comes a value of the typed tree, out comes an `ops.Expr`. Which of the modules knows how is said
here and nowhere else.
"""

from __future__ import annotations

from typing import assert_never

from interpreter.program import ops
from interpreter.program.lower import (
    aggregates,
    board_domains,
    builtins,
    lines,
    operators,
    reading,
    remembering,
)  # fmt: skip
from interpreter.program.lower.revealed import testing_inside
from interpreter.program.lower.scope import Scope
from interpreter.typed import values as typed


def lower(scope: Scope, value: typed.Value) -> ops.Expr:
    if not isinstance(value, typed.Fit):  # that is around a value that was written
        scope.builder.count_expression(value.mark)
    match value:
        case typed.Constant():
            return ops.Const(value.value)
        case typed.Nothing():
            return ops.Const(value.type.none)
        case typed.LocalValue():
            return scope.bound[value.local]
        case typed.Read():
            return reading.read(scope, value)
        case typed.ConstantAt():
            return reading.constant_at(scope, value)
        case typed.FieldOf():
            return reading.field_of(scope, value)
        case typed.ListItem():
            return reading.list_item(scope, value)
        case typed.Content():
            return reading.content(scope, value)
        case typed.PoolCount():
            return reading.pool_count(scope, value)
        case typed.RowOf():
            return reading.row_of(scope, value)
        case typed.Call():
            return _call(scope, value)
        case typed.Builtin():
            return builtins.call(scope, value)
        case typed.Property():
            return builtins.property_of(scope, value)
        case typed.Fit():
            return operators.fit(scope, value)
        case typed.Not():
            return ops.Unary("not", scope.value(value.operand))
        case typed.Negate():
            return operators.negate(scope, value)
        case typed.Logic():
            left = scope.value(value.left)
            return ops.Binary(value.word, left, scope.value(value.right))
        case typed.Arithmetic():
            return operators.arithmetic(scope, value)
        case typed.Compare():
            return operators.compare(scope, value)
        case typed.IfElse():
            return operators.if_else(scope, value)
        case typed.Extreme():
            return operators.extreme(scope, value)
        case typed.MemberOf():
            return aggregates.member_of(scope, value)
        case typed.NumberOf():
            return aggregates.number_of(scope, value)
        case typed.Quantified():
            return aggregates.quantified(scope, value)
        case typed.Every():
            return aggregates.every(scope, value)
        case typed.Aggregate():
            return aggregates.aggregate(scope, value)
        case typed.Pick():
            return aggregates.pick(scope, value)
        case typed.Rank():
            return aggregates.rank(scope, value)
        case typed.Line():
            return lines.line(scope, value)
        case typed.Way():
            return board_domains.way(scope, value)
        case typed.Can():
            return scope.recursion.can(scope, value)
        case typed.WhatIf():
            return scope.recursion.what_if(scope, value)
        case typed.TimesSeen():
            return remembering.times_seen(scope, value)
        case typed.PlaceAt() | typed.ListOf():
            raise AssertionError("what stands around a place or a list says what is done with it")
        case typed.Broken():
            raise AssertionError("what was reported is never lowered")
        case _:
            assert_never(value)


def _call(scope: Scope, value: typed.Call) -> ops.Expr:
    arguments = scope.values(value.arguments)
    testing = testing_inside(scope, value.mark)
    number = scope.function(value.function, testing)
    if testing.own:
        assert scope.hearer is not None
        arguments = (*arguments, scope.hearer)
    return ops.Call(number, arguments, scope.builder.spot(value.mark))

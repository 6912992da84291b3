"""Expressions: each sort of them, and who types it."""

from __future__ import annotations

from typing import assert_never

from interpreter import limits
from interpreter.model.types import BOOL, NONE, Type, whole
from interpreter.tree import nodes
from interpreter.typed import values as v
from interpreter.typed.build import aggregates, calls, fitting, operators, quotes
from interpreter.typed.build.names import access_value
from interpreter.typed.build.scope import Scope


def value(scope: Scope, expr: nodes.Expr, wanted: Type | None = None) -> v.Value:
    match expr:
        case nodes.Number():
            if expr.value > limits.INT_MAX:
                help_ = "count in a bigger unit: no number may need more than 64 bits"
                scope.error("RR231", "this number is too big", expr.mark, help_)
            return v.Constant(expr.value, type=whole(expr.value, expr.value), mark=expr.mark)
        case nodes.Truth():
            return v.Constant(int(expr.value), type=BOOL, mark=expr.mark)
        case nodes.NoneValue():
            return v.Nothing(type=NONE, mark=expr.mark)
        case nodes.Quoted():
            return quotes.quoted(scope, expr, wanted)
        case nodes.Name() | nodes.Dot() | nodes.Index() | nodes.Call():
            return access_value(scope, expr, wanted)
        case nodes.Unary(operator="not"):
            operand = fitting.condition(scope, expr.operand)
            return v.Not(operand, type=BOOL, mark=expr.mark)
        case nodes.Unary(operator="-"):
            return operators.negate(scope, expr)
        case nodes.Unary():
            return aggregates.number_of(scope, expr)
        case nodes.Binary():
            return operators.binary(scope, expr)
        case nodes.MemberOf():
            return aggregates.member_of(scope, expr)
        case nodes.IfElse():
            return operators.if_else(scope, expr, wanted)
        case nodes.Players():
            one = next((n for n, each in scope.names.items() if each.type.sort == "player"), None)
            help_ = "use it after `in`, or ask for `number of players`"
            help_ = f"for one player, write `{one}`; for all, {help_}" if one else help_
            scope.error("RR301", "`players` is not a value", expr.mark, help_)
            return scope.broken(expr.mark)
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
        case nodes.Way():
            return aggregates.way(scope, expr)
        case nodes.Through() | nodes.Reach():
            word = expr.word if isinstance(expr, nodes.Through) else "reach"
            help_ = "use it after `in`: `count(x in region(...))`"
            scope.error("RR301", f"`{word}` is not a value", expr.mark, help_)
            return scope.broken(expr.mark)
        case nodes.Can():
            return calls.can(scope, expr)
        case nodes.WhatIf():
            return calls.what_if(scope, expr, wanted)
        case _:
            assert_never(expr)

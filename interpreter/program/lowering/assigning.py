"""Giving values to variables and to names of one's own."""

from __future__ import annotations

from interpreter.model.ruleset import Variable
from interpreter.model.types import INT, Type
from interpreter.program import ops
from interpreter.program.lowering.builder import Body
from interpreter.program.lowering.fitting import fit
from interpreter.program.lowering.reading import load, position_of
from interpreter.program.lowering.scope import Scope
from interpreter.report.source import Mark
from interpreter.typed import statements as typed
from interpreter.typed.values import Local


def assign(scope: Scope, statement: typed.Assign) -> Body:
    target = statement.target
    if isinstance(target, Local):
        op, type_ = _new_value(scope, statement, scope.bound[target], target.type)
        return (keep(scope, target, op, type_, statement.value.mark),)
    index = entry(scope, target)
    old = load(target.variable, index)
    op, type_ = _new_value(scope, statement, old, target.variable.type)
    mark = statement.value.mark if statement.operator == ":=" else statement.mark
    return (store(scope, target.variable, index, op, type_, mark),)


def _new_value(
    scope: Scope, statement: typed.Assign, old: ops.Expr, type_: Type
) -> tuple[ops.Expr, Type]:
    if statement.operator == ":=":
        return scope.value(statement.value), statement.value.type
    before = fit(scope.builder, old, type_, INT, statement.target_mark)
    by = scope.value(statement.value)
    word: ops.BinaryWord = "add" if statement.operator == "+=" else "subtract"
    return ops.Binary(word, before, by, scope.builder.spot(statement.mark)), INT


def entry(scope: Scope, target: typed.Entry) -> ops.Expr:
    """Which entry of its variable is given a value."""
    return position_of(scope, target.variable.dimensions, target.indexes)


def keep(scope: Scope, local: Local, op: ops.Expr, type_: Type, mark: Mark) -> ops.Statement:
    """Give a local another value, of this type, wherever it is kept."""
    op = fit(scope.builder, op, type_, local.type, mark)
    where = scope.bound[local]
    if isinstance(where, ops.Memory):
        return ops.SetMemory(where.address, op)
    assert isinstance(where, ops.Local)
    return ops.SetLocal(where.index, op)


def store(
    scope: Scope, variable: Variable, index: ops.Expr, op: ops.Expr, type_: Type, mark: Mark
) -> ops.Statement:
    """Give an entry of a variable another value, of this type."""
    if variable.clamped and type_.sort == "int":
        op = fit(scope.builder, op, type_, INT, mark)
        op = ops.Binary("max", op, ops.Const(variable.type.low))
        op = ops.Binary("min", op, ops.Const(variable.type.high))
    else:
        op = fit(scope.builder, op, type_, variable.type, mark)
    if isinstance(index, ops.Const):
        return ops.SetMemory(variable.address + index.value, op)
    return ops.SetMemoryAt(variable.address, index, variable.size, op)


def start_again(scope: Scope, name: str | None) -> Body:
    """Variables declared `per name` start again."""
    body: Body = ()
    for variable in scope.builder.ruleset.variables.values():
        if name is None or variable.scope != name:
            continue
        value = ops.Const(scope.builder.rules.starts[variable.name])
        if variable.size == 1:
            body += (ops.SetMemory(variable.address, value),)
        else:
            index = scope.register()
            one = ops.SetMemoryAt(variable.address, index, variable.size, value)
            every = (ops.Const(0), ops.Const(variable.size))
            body += (ops.CountLoop(index.index, *every, (one,)),)
    return body

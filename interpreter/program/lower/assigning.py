"""Giving values to variables and to names of one's own."""

from __future__ import annotations

from interpreter.model.ruleset import Variable
from interpreter.program import ops
from interpreter.program.lower.builder import Body
from interpreter.program.lower.reading import position_of
from interpreter.program.lower.scope import Scope
from interpreter.typed import statements as typed
from interpreter.typed.values import Local, Value


def assign(scope: Scope, statement: typed.Assign) -> Body:
    if isinstance(statement.target, Local):
        return (keep(scope, statement.target, scope.value(statement.value)),)
    index = entry(scope, statement.target)
    variable, op = statement.target.variable, scope.value(statement.value)
    return (store(variable, index, clamped(variable, statement.value, op)),)


def entry(scope: Scope, target: typed.Entry) -> ops.Expr:
    """Which entry of its variable is given a value."""
    return position_of(scope, target.variable.dimensions, target.indexes)


def keep(scope: Scope, local: Local, op: ops.Expr) -> ops.Statement:
    """Give a local another value, wherever it is kept."""
    where = scope.bound[local]
    if isinstance(where, ops.Memory):
        return ops.SetMemory(where.address, op)
    assert isinstance(where, ops.Local)
    return ops.SetLocal(where.index, op)


def store(variable: Variable, index: ops.Expr, op: ops.Expr) -> ops.Statement:
    """Give an entry of a variable another value."""
    if isinstance(index, ops.Const):
        return ops.SetMemory(variable.address + index.value, op)
    return ops.SetMemoryAt(variable.address, index, variable.size, op)


def clamped(variable: Variable, value: Value, op: ops.Expr) -> ops.Expr:
    """A number as a clamped variable takes it; `none` stays what it is."""
    if not variable.clamped or value.type.sort != "int" or value.type.optional:
        return op
    op = ops.Binary("max", op, ops.Const(variable.type.low))
    return ops.Binary("min", op, ops.Const(variable.type.high))


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

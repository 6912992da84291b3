"""Giving values to variables and to names of one's own."""

from __future__ import annotations

from interpreter.model.ruleset import Variable
from interpreter.model.types import INT, Type
from interpreter.program import ops
from interpreter.program.lower import (
    access,
    expressions,
    fitting,
    reading,
    sight,
)
from interpreter.program.lower.builder import Body, Scope, Value
from interpreter.program.lower.references import ListRef, PlaceRef
from interpreter.report.source import Mark
from interpreter.report.suggest import did_you_mean
from interpreter.tree import nodes
from interpreter.tree.marks import declared_mark, name_mark
from interpreter.tree.parse import RESERVED


def let(scope: Scope, statement: nodes.Let) -> Body:
    value = single(scope, expressions.lower(scope, statement.value), statement.value.mark)
    check_new(scope, statement.name, declared_mark(statement))
    type_ = widened(value.type)
    if scope.routine is not None and not scope.straight:
        address, bound = scope.cell(type_)
        routine = scope.builder.program.routines[scope.routine]
        routine.lets.append(routine.size - 1)
        scope.bind(statement.name, bound, settable=True)
        return (ops.SetMemory(address, value.op),)
    local, bound = scope.fresh(type_)
    scope.bind(statement.name, bound, settable=True)
    return (ops.SetLocal(local, value.op),)


def widened(type_: Type) -> Type:
    """A local may be given other values later, so a literal's narrow range is not its type."""
    if type_.sort == "int":
        return INT.or_none() if type_.optional else INT
    return type_


def check_new(scope: Scope, name: str, mark: Mark) -> None:
    if name in RESERVED:
        message = f"`{name}` is a word of the language"
        scope.builder.error("RR201", message, mark, "choose another name")
        return
    if name in scope.names or access.find_name(scope, name) is not None:
        message = f"`{name}` is already the name of something else"
        help_ = "choose another name"
        if name in scope.names and scope.names[name].settable:
            help_ = f"to give it a new value write `{name} := ...`"
        scope.builder.error("RR203", message, mark, help_)


def single(scope: Scope, value: Value, mark: Mark) -> Value:
    """One integer, not a place or a list."""
    if isinstance(value.op, PlaceRef):
        return fitting.content(scope, value, mark)
    if isinstance(value.op, ListRef):
        message = "a list cannot be kept; go through it where it is needed"
        scope.builder.error("RR212", message, mark)
        return Value(ops.Const(0), Type("unknown"))
    if value.type.sort == "row":
        value = fitting.only_piece(scope, value)
    if value.type.sort == "row":
        message = "there are several pieces of this name"
        name = scope.builder.ruleset.kinds[value.type.name].rows[value.op.value].name
        help_ = f'say which copy: "{name}#1"; or choose a piece in a place with `in`'
        scope.builder.error("RR314", message, mark, help_)
        return Value(ops.Const(0), Type("unknown"))
    return value


def assign(scope: Scope, statement: nodes.Assign) -> Body:
    target = statement.target
    if isinstance(target, nodes.Name) and target.name in scope.names:
        return _assign_local(scope, statement, target)
    found = variable_access(scope, target)
    if found is None:
        return ()
    variable, index = found
    mark = statement.target.mark
    if not sight.check_sealed_write(scope, variable.name, variable.dimensions, index, mark):
        return ()
    value = _new_value(scope, statement, reading.load(scope, variable, index, target.mark))
    at = statement.value.mark if statement.operator == ":=" else statement.mark
    return (store(scope, variable, index, value, at),)


def _assign_local(scope: Scope, statement: nodes.Assign, target: nodes.Name) -> Body:
    binding = scope.names[target.name]
    if not binding.settable:
        message = f"`{target.name}` cannot be given another value"
        help_ = "introduce a name of your own with `let`"
        scope.builder.error("RR315", message, target.mark, help_)
        return ()
    value = _new_value(scope, statement, binding.value)
    op = fitting.fit(scope, value, binding.value.type, statement.value.mark, "the value")
    where = binding.value.op
    if isinstance(where, ops.Memory):
        return (ops.SetMemory(where.address, op),)
    assert isinstance(where, ops.Local)
    return (ops.SetLocal(where.index, op),)


def _new_value(scope: Scope, statement: nodes.Assign, old: Value) -> Value:
    if statement.operator == ":=":
        value = expressions.lower(scope, statement.value, old.type)
        return single(scope, value, statement.value.mark)
    before = fitting.fit(scope, old, INT, statement.target.mark, "what is changed")
    by = expressions.lower_as(scope, statement.value, INT, "the change")
    word: ops.BinaryWord = "add" if statement.operator == "+=" else "subtract"
    return Value(ops.Binary(word, before, by, scope.builder.spot(statement.mark)), INT)


def variable_access(scope: Scope, target: nodes.Expr) -> tuple[Variable, ops.Expr] | None:
    """The variable a statement changes, and which entry of it."""
    name: str | None = None
    written: list[nodes.Expr] = []
    match target:
        case nodes.Name():
            name = target.name
        case nodes.Dot():
            name, written = target.name, [target.target]
        case nodes.Index(target=nodes.Name(name=inner)):
            name, written = inner, list(target.arguments)
        case nodes.Index(target=nodes.Dot() as dot):
            name, written = dot.name, [dot.target, *target.arguments]
        case _:
            pass
    builder = scope.builder
    variable = builder.ruleset.variables.get(name or "")
    if variable is None:
        if name in builder.ruleset.broken:
            return None
        if name in builder.ruleset.places:
            help_ = "pieces are moved: `move ... to ...`"
            builder.error("RR316", f"`{name}` is a place, not a value", target.mark, help_)
        elif name is not None and access.find_name(scope, name) is not None:
            help_ = "values are given to what is declared with `has`, and to names made by `let`"
            builder.error("RR316", f"`{name}` cannot be given a value", target.mark, help_)
        else:
            near = did_you_mean(name or "", [*builder.ruleset.variables, *scope.names])
            near = near or "declare it under `the game has` or `each ... has`, or use `let`"
            message = f"nothing here is called `{name}`"
            builder.error("RR300", message, name_mark(target), near)
        return None
    given = [
        expressions.lower(scope, part, dimension.type)
        for part, dimension in zip(written, variable.dimensions, strict=False)
    ]
    given += [expressions.lower(scope, part) for part in written[len(given) :]]
    if given and given[0].type.sort == "place":
        given[0] = fitting.content(scope, given[0], written[0].mark)
    index = reading.index_of(scope, variable.dimensions, given, written, variable.name, target)
    return None if index is None else (variable, index)


def store(
    scope: Scope, variable: Variable, index: ops.Expr, value: Value, mark: Mark
) -> ops.Statement:
    if variable.clamped and value.type.sort == "int":
        op = fitting.fit(scope, value, INT, mark)
        op = ops.Binary("max", op, ops.Const(variable.type.low))
        op = ops.Binary("min", op, ops.Const(variable.type.high))
    else:
        what = f"the value of `{variable.name}`"
        op = fitting.fit(scope, value, variable.type, mark, what)
    scope.builder.used_names.add(variable.name + ":=")
    if isinstance(index, ops.Const):
        return ops.SetMemory(variable.address + index.value, op)
    return ops.SetMemoryAt(variable.address, index, variable.size, op)


def reset_scope(scope: Scope, name: str | None) -> Body:
    """Variables declared `per name` start again."""
    body: Body = ()
    for variable in scope.builder.ruleset.variables.values():
        if name is None or variable.scope != name:
            continue
        value = start_value(scope, variable)
        if variable.size == 1:
            body += (ops.SetMemory(variable.address, ops.Const(value)),)
        else:
            index = scope.locals.new()
            one = ops.SetMemoryAt(
                variable.address, ops.Local(index), variable.size, ops.Const(value)
            )
            body += (ops.CountLoop(index, ops.Const(0), ops.Const(variable.size), (one,)),)
    return body


def start_value(scope: Scope, variable: Variable) -> int:
    """What a variable holds before anybody has set it."""
    if variable.start is None:
        if variable.type.optional:
            return variable.type.none
        if variable.type.sort == "int" and not variable.type.low <= 0 <= variable.type.high:
            return variable.type.low
        return 0
    value = expressions.lower(scope, variable.start, variable.type)
    op = fitting.fit(scope, value, variable.type, variable.start.mark, "the starting value")
    if isinstance(op, ops.Within) and isinstance(op.value, ops.Const):
        if op.low <= op.value.value <= op.high:
            return op.value.value
        message = f"`{variable.name}` goes from {op.low} to {op.high}, so it cannot begin at "
        message += str(op.value.value)
        scope.builder.error("RR302", message, variable.start.mark)
        return variable.type.low
    if isinstance(op, ops.Const):
        return op.value
    if isinstance(op, ops.Unary) and isinstance(op.operand, ops.Const):
        return -op.operand.value
    if value.type.sort != "unknown":
        message = "a starting value must be known before the game starts"
        help_ = "set it in `setup`"
        scope.builder.error("RR230", message, variable.start.mark, help_)
    return 0

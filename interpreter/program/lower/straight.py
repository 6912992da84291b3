"""Statements that never stop, lowered to straight code.

In comes a body of the typed tree, out come `ops.Statement`s that keep their names in registers. A
procedure that never stops is a function, called for what it does.
"""

from __future__ import annotations

from typing import assert_never

from interpreter.program import ops
from interpreter.program.lower import assigning, moves, remembering, sorting
from interpreter.program.lower.builder import Body
from interpreter.program.lower.loops import iterate_domain, until
from interpreter.program.lower.scope import Scope
from interpreter.program.program import Saying
from interpreter.typed import statements as typed
from interpreter.typed.rules import declared_name
from interpreter.typed.values import Binder, WhatIf


def block(scope: Scope, statements: typed.Body) -> Body:
    inner = scope.inner()
    body: Body = ()
    for statement in statements:
        body += lower(inner, statement)
    return body


def lower(scope: Scope, statement: typed.Statement) -> Body:
    body = _lower(scope, statement)
    if isinstance(statement, typed.If):
        return body  # each of its arms tells by itself that it took part
    return (*scope.builder.took_part(statement), *body)


def _lower(scope: Scope, statement: typed.Statement) -> Body:
    assert not isinstance(statement, typed.Stopping), f"{type(statement).__name__} can stop"
    match statement:
        case typed.Assign():
            return assigning.assign(scope, statement)
        case typed.Let():
            return _let(scope, statement)
        case typed.Remember():
            return remembering.remember(scope, statement)
        case typed.Do():
            return _call(scope, statement)
        case typed.Jump():
            return (ops.Break() if statement.word == "stop" else ops.Continue(),)
        case typed.If():
            return _if(scope, statement)
        case typed.ForEach():
            return _for_each(scope, statement)
        case typed.Repeat():
            return _repeat(scope, statement)
        case typed.Shuffle():
            return moves.shuffle(scope, statement)
        case typed.Move():
            return moves.move(scope, statement)
        case typed.MoveAll():
            return moves.move_all(scope, statement)
        case typed.MoveSome():
            return moves.move_some(scope, statement)
        case typed.Reveal():
            return moves.reveal(scope, statement)
        case typed.Hide():
            return moves.hide(scope, statement)
        case typed.Say():
            return _say(scope, statement)
        case _:
            assert_never(statement)


def _let(scope: Scope, statement: typed.Let) -> Body:
    op = scope.value(statement.value)
    kept = scope.register()
    scope.bind(statement.local, kept)
    return (ops.SetLocal(kept.index, op),)


def _say(scope: Scope, statement: typed.Say) -> Body:
    text = statement.text
    inner = scope.inner()
    inner.hearer = None if statement.to is None else scope.value(statement.to)
    values = inner.values(text.gaps)
    types = tuple(gap.type for gap in text.gaps)
    if inner.hearer is not None:
        values = (*values, inner.hearer)
    private = statement.to is not None
    scope.builder.program.sayings.append(Saying(text.parts, types, private=private))
    return (ops.Tell(len(scope.builder.program.sayings) - 1, values),)


# ---- flow


def _if(scope: Scope, statement: typed.If) -> Body:
    otherwise: Body = ()
    if statement.otherwise is not None:
        otherwise = block(scope, statement.otherwise)
    for arm in reversed(statement.arms):
        test = scope.value(arm.condition)
        then = (*scope.builder.took_part(arm), *block(scope, arm.body))
        otherwise = (ops.When(test, then, otherwise),)
    return otherwise


def _for_each(scope: Scope, statement: typed.ForEach) -> Body:
    binder = statement.binder
    domain = scope.domain(binder.domain)
    moving = domain.place is not None and domain.place.place.word != "pool"
    if statement.keys is None and not moving:
        return iterate_domain(
            scope, binder, domain, lambda inner, element, at: block(inner, statement.body)
        )
    copied = scope.array(sorting.room(statement))
    count = scope.register()
    collect = sorting.collected(scope, statement, domain, copied, count)
    element, index = scope.register(), scope.register()
    inner = scope.inner()
    inner.bind(binder.element, element)
    body: Body = (ops.SetLocal(element.index, copied.at(index)),)
    if binder.position is not None:
        at = scope.register()
        body += (ops.SetLocal(at.index, ops.Binary("add", index, ops.Const(1))),)
        inner.bind(binder.position, at)
    if statement.keys is None:
        first, rest = _live_filters(inner, binder, statement.body)
        collect, body = (*collect, *first), (*body, *rest)
    else:
        body += block(inner, statement.body)
    return (*collect, ops.CountLoop(index.index, ops.Const(0), count, body))


def _live_filters(scope: Scope, binder: Binder, statements: typed.Body) -> tuple[Body, Body]:
    """Filters are looked at when an element's turn comes, because the body changes things. What
    comes before the loop, and what is in it."""
    rest = block(scope, statements)
    if binder.where is not None:
        rest = (ops.When(scope.value(binder.where), rest),)
    if binder.stays is not None:
        rest = (ops.When(scope.value(binder.stays), (), (ops.Break(),)), *rest)
    if binder.ends is None:
        return (), rest
    last = scope.register()
    first = ops.SetLocal(last.index, ops.Const(0))
    return (first,), (*until(last, scope.value(binder.ends)), *rest)


def _repeat(scope: Scope, statement: typed.Repeat) -> Body:
    builder = scope.builder
    value = None if statement.value is None else scope.value(statement.value)
    match statement.how:
        case "times":
            assert value is not None
            index = scope.register()
            body = block(scope, statement.body)
            at = builder.spot(statement.mark)
            return (ops.CountLoop(index.index, ops.Const(0), value, body, at),)
        case "while":
            assert value is not None
            test = value
        case "until":
            assert value is not None
            test = ops.Unary("not", value)
        case "forever":
            test = ops.Const(1)
        case _:
            assert_never(statement.how)
    return (ops.While(test, block(scope, statement.body), builder.spot(statement.mark)),)


# ---- procedures


def _call(scope: Scope, statement: typed.Do) -> Body:
    arguments = scope.values(statement.arguments)
    number = _procedure_number(scope, statement.procedure)
    return (ops.Evaluate(ops.Call(number, arguments, scope.builder.spot(statement.mark))),)


def _procedure_number(caller: Scope, name: str) -> int:
    """The function of a procedure that never stops, lowered the first time it is met."""
    builder = caller.builder
    if name in builder.procedures:
        return builder.procedures[name]
    procedure = builder.rules.procedures[name]
    number = builder.new_function(name, len(procedure.params))
    builder.procedures[name] = number
    scope = caller.elsewhere()
    for param in procedure.params:
        scope.bind(param, scope.register())
    phase, builder.phase = builder.phase, name
    before = (*builder.took_part(procedure), *assigning.start_again(scope, declared_name(name)))
    body = (*before, *block(scope, procedure.body), ops.Return(ops.Const(0)))
    builder.complete(number, body, scope.registers.count)
    builder.phase = phase
    return number


def what_if(scope: Scope, value: WhatIf) -> ops.Expr:
    """What the steps are given is worked out before the first of them is carried out."""
    before: Body = ()
    steps: Body = ()
    for step in value.steps:
        given: list[ops.Expr] = []
        for argument in step.arguments:
            held = scope.register()
            before += (ops.SetLocal(held.index, scope.value(argument)),)
            given.append(held)
        number = _procedure_number(scope, step.procedure)
        call = ops.Call(number, tuple(given), scope.builder.spot(step.mark))
        steps += (ops.Evaluate(call),)
    scope.builder.tries = True
    found = ops.WhatIf(steps, scope.value(value.value), scope.builder.spot(value.mark))
    return ops.Sequence(before, found) if before else found

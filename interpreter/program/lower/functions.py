"""Declared functions and quantities, lowered the first time they are called.

A quantity is a function that asks the active pieces: its modifiers are carried out place by place,
players in seat order, pieces in the order they lie.
"""

from __future__ import annotations

from itertools import groupby
from typing import assert_never

from interpreter.model.ruleset import Place
from interpreter.model.types import named
from interpreter.program import ops
from interpreter.program.lower.builder import Body, Builder
from interpreter.program.lower.domains import in_place
from interpreter.program.lower.references import PlaceRef
from interpreter.program.lower.scope import Scope, Testing
from interpreter.typed.rules import Function, Modifier, Quantity


def function_number(caller: Scope, name: str, testing: Testing) -> int:
    """`testing`: as it is called where all pieces that it reads must be known. If they must be so
    to the one for whom they are read, that is its last argument."""
    builder = caller.builder
    key = (name, testing)
    if key in builder.functions:
        return builder.functions[key]
    declared = builder.rules.functions[name]
    bounds = () if testing.own else _bounds(builder, declared)
    number = builder.new_function(name, len(declared.params) + testing.own, bounds)
    builder.functions[key] = number
    scope = caller.elsewhere()
    scope.testing = testing
    for param in declared.params:
        scope.bind(param, scope.register())
    if testing.own:
        scope.hearer = scope.register()
    phase, builder.phase = builder.phase, name
    body = _body(scope, declared)
    builder.phase = phase
    builder.complete(number, (*builder.took_part(declared), *body), scope.registers.count)
    return number


def _bounds(builder: Builder, declared: Function | Quantity) -> tuple[tuple[int, int], ...]:
    """The least and the greatest value of each argument, if all have some."""
    found = []
    for param in declared.params:
        size = builder.ruleset.type_size(param.type)
        if size is None:
            return ()
        low = param.type.low if param.type.sort == "int" else 0
        none = param.type.optional and param.type.sort != "int"  # of a number it lies far away
        found.append((low - none, low + size - 1))
    return tuple(found)


def _body(scope: Scope, declared: Function | Quantity) -> Body:
    match declared:
        case Quantity():
            return _quantity(scope, declared)
        case Function(value=None):
            return _cases(scope, declared)
        case Function(value=value):
            assert value is not None
            return (ops.Return(scope.value(value)),)
        case _:
            assert_never(declared)


def _cases(scope: Scope, declared: Function) -> Body:
    body: Body = ()
    for let in declared.lets:
        op = scope.value(let.value)
        kept = scope.register()
        body += (ops.SetLocal(kept.index, op),)
        scope.bind(let.local, kept)
    for case in declared.cases:
        result = scope.value(case.value)
        found = (*scope.builder.took_part(case), ops.Return(result))
        if case.condition is None:
            return (*body, *found)
        body += (ops.When(scope.value(case.condition), found),)
    return body


# ---- quantities


def _quantity(scope: Scope, quantity: Quantity) -> Body:
    value = scope.value(quantity.value)
    held = scope.register()
    changes: Body = ()
    for _, modifiers in groupby(quantity.modifiers, lambda each: each.place.name):
        changes += _each_source(scope, quantity, list(modifiers), held)
    return (ops.SetLocal(held.index, value), *changes, ops.Return(held))


def _each_source(
    scope: Scope, quantity: Quantity, modifiers: list[Modifier], held: ops.Local
) -> Body:
    """All modifiers of the pieces in one place of everybody."""
    place = modifiers[0].place
    index, owner = scope.register(), scope.register()
    domain = in_place(scope, PlaceRef(place, index), modifiers[0].mark)

    def act(piece: ops.Expr, at: ops.Expr) -> Body:
        abilities = _ability_table(scope, place)
        body: Body = ()
        for modifier in modifiers:
            has = ops.Binary("equal", ops.Lookup(abilities, piece), ops.Const(modifier.ability))
            inner = scope.inner()
            inner.bind(modifier.owner, owner)
            inner.bind(modifier.card, piece)
            inner.bind(modifier.it, held)
            for param, own in zip(quantity.params, modifier.params, strict=True):
                inner.bind(own, scope.bound[param])
            body += (ops.When(has, _change(inner, modifier, held)),)
        return body

    span = place.size // place.dimensions[0].size
    set_owner = ops.SetLocal(owner.index, ops.Binary("divide", index, ops.Const(span)))
    inside = (set_owner, *domain.loop(act))
    return (ops.CountLoop(index.index, ops.Const(0), ops.Const(place.size), inside),)


def _change(scope: Scope, modifier: Modifier, held: ops.Local) -> Body:
    told = scope.builder.took_part(modifier)
    change: Body = (*told, ops.SetLocal(held.index, scope.value(modifier.value)))
    if modifier.when is None:
        return change
    return (ops.When(scope.value(modifier.when), change),)


def _ability_table(scope: Scope, place: Place) -> int:
    """The number of the ability of each piece that may lie in a place."""
    kind = scope.builder.ruleset.kinds[place.kind]
    assert kind.ability_field is not None
    info = kind.fields[kind.ability_field]
    return scope.builder.column(named("kind", place.kind), info, info.values)

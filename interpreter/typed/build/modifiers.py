"""What abilities change about a quantity: each clause typed for each place it works in."""

from __future__ import annotations

from interpreter.model.abilities import active_places, occurs
from interpreter.model.ruleset import Place
from interpreter.model.types import INT, PLAYER, named
from interpreter.tree import nodes
from interpreter.tree.phrases import say_value
from interpreter.tree.pieces import flat
from interpreter.tree.walk import walk
from interpreter.typed import rules as r
from interpreter.typed import values as v
from interpreter.typed.build import fitting
from interpreter.typed.build.scope import Scope


def modifiers(scope: Scope, quantity: nodes.Quantity) -> tuple[r.Modifier, ...]:
    """Places in the order they are declared, in each the clauses in the order of the abilities."""
    ruleset = scope.ruleset
    return tuple(
        _modifier(scope, quantity, number, clause, place)
        for place in active_places(ruleset)
        for number, ability in enumerate(ruleset.abilities.values())
        for clause in ability.clauses
        if isinstance(clause, nodes.Modify)
        and clause.quantity == quantity.name
        and occurs(ruleset, place, number)
    )


def _modifier(
    scope: Scope, quantity: nodes.Quantity, number: int, clause: nodes.Modify, place: Place
) -> r.Modifier:
    inner = Scope(scope.builder)
    params: list[v.Local] = []
    for param, name in zip(quantity.params, clause.params, strict=False):
        type_ = scope.names[param.name].type
        params.append(inner.bind(name, type_, "parameter", clause.mark))
    owner = inner.bind("owner", PLAYER, "seat", clause.mark)
    card = inner.bind("card", named("kind", place.kind), "element", clause.mark)
    it = inner.bind("it", INT, "it", clause.mark)
    _check_itself(scope, clause)
    value = fitting.number(inner, clause.value, "a quantity")
    when = fitting.condition(inner, clause.when) if clause.when is not None else None
    return r.Modifier(
        number, place, owner, card, it, tuple(params), when, value,
        mark=clause.mark, cites=clause.cites,
    )  # fmt: skip


def _check_itself(scope: Scope, clause: nodes.Modify) -> None:
    """`modify income(p) to income(p) + 1` would ask again and again."""
    for node in walk(clause.value):
        match node:
            case nodes.Call(target=nodes.Name(name=name)) if name == clause.quantity:
                asked = [each.name for each in node.arguments if isinstance(each, nodes.Name)]
                if asked == list(clause.params):
                    written = flat(say_value(node))
                    message = f"`{written}` asks for what this line is changing"
                    help_ = f"the value so far is called `it`: write `it` for `{written}`"
                    scope.error("RR460", message, node.mark, help_)
            case _:
                pass

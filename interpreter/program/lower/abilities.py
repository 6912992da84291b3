"""Abilities: what cards and other pieces change while they lie in an active place.

Reactions are unfolded into ordinary statements of the event they react to, before anything
is lowered; modifiers become part of the function that gives the quantity.
"""

from __future__ import annotations

from interpreter.model.ruleset import Dimension, Place, Ruleset, Variable
from interpreter.model.types import BOOL, INT, PLAYER, named
from interpreter.program import ops
from interpreter.program.lower import domains, expressions
from interpreter.program.lower.builder import Body, Scope, Value
from interpreter.program.lower.references import PlaceRef
from interpreter.report.problem import Problems
from interpreter.report.source import Mark
from interpreter.report.suggest import did_you_mean
from interpreter.tree import nodes
from interpreter.tree.marks import declared_mark, first_words


def check_abilities(ruleset: Ruleset, problems: Problems) -> None:
    used: set[int] = set()
    for kind in ruleset.kinds.values():
        if kind.ability_field is not None:
            used.update(kind.fields[kind.ability_field].values)
    sources = active_places(ruleset)
    # A table whose data could not be read names no ability, and that is told already.
    unread = any(
        kind.ability_field is not None and not kind.rows for kind in ruleset.kinds.values()
    )
    for number, (name, ability) in enumerate(ruleset.abilities.items()):
        if number not in used and not unread:
            message = f"no piece has the ability `{name}`"
            help_ = "name it in the data, in a field of type `ability`"
            problems.error("RR340", message, declared_mark(ability), help=help_)
        if not sources:
            message = "no place is `active`, so this ability never works"
            help_ = "say `active` of the places whose pieces use their abilities"
            problems.error("RR341", message, declared_mark(ability), help=help_)
        for clause in ability.clauses:
            _check_clause(ruleset, clause, problems)


def _check_clause(ruleset: Ruleset, clause: nodes.Modify | nodes.React, problems: Problems) -> None:
    if isinstance(clause, nodes.Modify):
        declared = ruleset.functions.get(clause.quantity)
        known = [n for n, f in ruleset.functions.items() if isinstance(f, nodes.Quantity)]
        if clause.quantity not in known:
            message = f"there is no quantity `{clause.quantity}` to modify"
            help_ = did_you_mean(clause.quantity, known)
            if clause.quantity in ruleset.functions:
                help_ = f"declare it with `quantity {clause.quantity}` instead of `function`"
            problems.error("RR342", message, _clause_mark(clause), help=help_)
            return
        assert declared is not None
        wanted = len(declared.params)
    else:
        events = {
            n: p for n, p in ruleset.procedures.items()
            if isinstance(p, nodes.Procedure) and p.word == "event"
        }  # fmt: skip
        if clause.event not in events:
            message = f"there is no event `{clause.event}` to react to"
            help_ = did_you_mean(clause.event, events)
            if clause.event in ruleset.procedures:
                help_ = f"declare it with `event {clause.event}`, so that abilities can react"
            problems.error("RR343", message, _clause_mark(clause), help=help_)
            return
        wanted = len(events[clause.event].params)
    if len(clause.params) != wanted:
        name = clause.quantity if isinstance(clause, nodes.Modify) else clause.event
        message = f"`{name}` takes {wanted} value{'s' * (wanted != 1)}, not {len(clause.params)}"
        help_ = "give each of its values a name here"
        problems.error("RR311", message, _clause_mark(clause), help=help_)


def _clause_mark(clause: nodes.Modify | nodes.React) -> Mark:
    names = ", ".join(clause.params)
    if isinstance(clause, nodes.Modify):
        return first_words(clause.mark, f"modify {clause.quantity}({names})")
    may = "may " if clause.may else ""
    return first_words(clause.mark, f"{may}{clause.word} {clause.event}({names})")


def active_places(ruleset: Ruleset) -> list[Place]:
    return [
        place
        for place in ruleset.places.values()
        if place.active
        and place.word != "pool"
        and ruleset.kinds[place.kind].ability_field is not None
        and place.dimensions
        and place.dimensions[0].type == PLAYER
    ]


def _occurs(ruleset: Ruleset, place: Place, ability: int) -> bool:
    """Whether pieces that may lie in a place have the ability; `card` is of their kind then."""
    kind = ruleset.kinds[place.kind]
    return kind.ability_field is not None and ability in kind.fields[kind.ability_field].values


# ---- modifiers


def modifiers(scope: Scope, quantity: nodes.Quantity, local: int) -> Body:
    """Statements that change the quantity held in a local, source by source: places in the
    order they are declared, players in seat order, pieces in the order they lie."""
    ruleset = scope.builder.ruleset
    body: Body = ()
    for place in active_places(ruleset):
        clauses = [
            (number, clause)
            for number, ability in enumerate(ruleset.abilities.values())
            for clause in ability.clauses
            if isinstance(clause, nodes.Modify)
            and clause.quantity == quantity.name
            and _occurs(ruleset, place, number)
        ]
        if clauses:
            body += _each_source(scope, place, quantity, clauses, local)
    return body


def _each_source(
    scope: Scope,
    place: Place,
    quantity: nodes.Quantity,
    clauses: list[tuple[int, nodes.Modify]],
    local: int,
) -> Body:
    index = scope.locals.new()
    owner = scope.locals.new()
    span = place.size // place.dimensions[0].size
    ref = PlaceRef(place, ops.Local(index))
    domain = domains.place_domain(scope, ref)

    def act(piece: Value, at: Value) -> Body:
        body: Body = ()
        kind = scope.builder.ruleset.kinds[place.kind]
        assert kind.ability_field is not None
        info = kind.fields[kind.ability_field]
        table = scope.builder.field_table(kind, info, info.values)
        for number, clause in clauses:
            inner = Scope(scope.builder, scope.locals, straight=True)
            for param, name in zip(quantity.params, clause.params, strict=False):
                inner.bind(name, scope.names[param.name].value)
            inner.bind("owner", Value(ops.Local(owner), PLAYER))
            inner.bind("card", piece)
            inner.bind("it", Value(ops.Local(local), INT))
            change: Body = (
                *scope.builder.took_part(clause),
                ops.SetLocal(local, expressions.lower_as(inner, clause.value, INT, "a quantity")),
            )
            if clause.when is not None:
                change = (ops.When(expressions.condition(inner, clause.when), change),)
            has = ops.Binary("equal", ops.Lookup(table, piece.op), ops.Const(number))
            body += (ops.When(has, change),)
        return body

    set_owner = ops.SetLocal(owner, ops.Binary("divide", ops.Local(index), ops.Const(span)))
    inside = (set_owner, *domain.loop(act))
    return (ops.CountLoop(index, ops.Const(0), ops.Const(place.size), inside),)


# ---- reactions


def unfold_reactions(ruleset: Ruleset, problems: Problems) -> None:
    """Rewrite each event that abilities react to, so that nothing later knows of abilities."""
    for name, event in list(ruleset.procedures.items()):
        if not isinstance(event, nodes.Procedure) or event.word != "event":
            continue
        before = _reactions(ruleset, event, "before")
        instead = _reactions(ruleset, event, "instead of")
        after = _reactions(ruleset, event, "after")
        if before or instead or after:
            body = (*instead, *before, *event.body, *after)
            ruleset.procedures[name] = nodes.Procedure(
                "event", name, event.params, body, mark=event.mark, cites=event.cites
            )


def _reactions(ruleset: Ruleset, event: nodes.Procedure, word: str) -> tuple[nodes.Statement, ...]:
    found: list[nodes.Statement] = []
    for number, (name, ability) in enumerate(ruleset.abilities.items()):
        for clause in ability.clauses:
            if not isinstance(clause, nodes.React) or clause.event != event.name:
                continue
            if clause.word == word and len(clause.params) == len(event.params):
                for place in active_places(ruleset):
                    if _occurs(ruleset, place, number):
                        found.append(_reaction(ruleset, event, ability, name, clause, place))
    return tuple(found)


def _reaction(
    ruleset: Ruleset,
    event: nodes.Procedure,
    ability: nodes.Ability,
    name: str,
    clause: nodes.React,
    place: Place,
) -> nodes.Statement:
    """for each owner, for each card of theirs with the ability: if it applies, the body."""
    mark = clause.mark
    body: tuple[nodes.Statement, ...] = clause.body
    card = nodes.Name("card", mark=mark)
    if ability.once_per is not None:
        flag = _once_flag(ruleset, ability, place.kind)
        used = nodes.Dot(card, flag, mark=mark)
        body = (nodes.Assign(used, ":=", nodes.Truth(True, mark=mark), mark=mark), *body)
    if clause.word == "instead of":
        body = (*body, nodes.Leave(event.name, mark=mark))
    if clause.may:
        option = nodes.Option(
            name, (), clause.text, (), body, mark=mark, cites=clause.cites
        )  # fmt: skip
        chooser = nodes.Chooser(nodes.Name("owner", mark=mark), True, mark=mark)
        body = (nodes.ChooseBlock(chooser, (option,), None, mark=mark, cites=clause.cites),)
    condition: nodes.Expr | None = clause.when
    if ability.once_per is not None:
        used = nodes.Dot(card, _once_flag(ruleset, ability, place.kind), mark=mark)
        unused: nodes.Expr = nodes.Unary("not", used, mark=mark)
        condition = (
            unused if condition is None else nodes.Binary("and", unused, condition, mark=mark)
        )
    if condition is not None:
        cites = () if clause.may else clause.cites
        arm = nodes.Arm(condition, body, mark=mark, cites=cites)
        body = (nodes.If((arm,), None, mark=mark),)
    renames = tuple(
        nodes.Let(new, nodes.Name(param.name, mark=mark), mark=mark)
        for new, param in zip(clause.params, event.params, strict=True)
        if new != param.name
    )
    ability_field = ruleset.kinds[place.kind].ability_field
    assert ability_field is not None
    has = nodes.Binary(
        "is", nodes.Dot(card, ability_field, mark=mark), nodes.Name(name, mark=mark), mark=mark
    )
    where: nodes.Expr = nodes.Dot(nodes.Name("owner", mark=mark), place.name, mark=mark)
    indexes = [f"place{number}" for number in range(len(place.dimensions) - 1)]
    if indexes:
        names = tuple(nodes.Name(index, mark=mark) for index in indexes)
        where = nodes.Index(where, names, mark=mark)
    binder = nodes.Binder("card", None, where, None, has, mark=mark)
    loop: nodes.Statement = nodes.ForEach(binder, None, None, (*renames, *body), mark=mark)
    for index, dimension in zip(indexes, place.dimensions[1:], strict=True):
        each = nodes.Binder(index, None, _all_of(dimension, mark), None, None, mark=mark)
        loop = nodes.ForEach(each, None, None, (loop,), mark=mark)
    owners = nodes.Binder("owner", None, nodes.Players(mark=mark), None, None, mark=mark)
    return nodes.ForEach(owners, None, None, (loop,), mark=mark)


def _all_of(dimension: Dimension, mark: object) -> nodes.Domain:
    if dimension.type.sort == "int":
        return nodes.Range(
            nodes.Number(dimension.offset), nodes.Number(dimension.offset + dimension.size - 1)
        )
    return nodes.Name(dimension.type.name)


def _once_flag(ruleset: Ruleset, ability: nodes.Ability, kind: str) -> str:
    """`once per round` is a variable of the piece that starts again every round."""
    name = f"used_{ability.name}_{kind}"
    if name not in ruleset.variables:
        pieces = len(ruleset.kinds[kind].components)
        dimension = Dimension(named("kind", kind), pieces)
        variable = Variable(name, (dimension,), BOOL, None, ability.mark)
        variable.scope = ability.once_per
        ruleset.variables[name] = variable
    return name

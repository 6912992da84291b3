"""Reactions: what cards and other pieces do when something happens, while they lie in an active
place. Each is unfolded into ordinary statements of the event it reacts to, before anything is typed,
so that nothing later knows of reactions.
"""

from __future__ import annotations

from interpreter.model.abilities import active_places, occurs
from interpreter.model.ruleset import Dimension, Place, Ruleset, Variable
from interpreter.model.types import BOOL, named
from interpreter.tree import nodes


def unfold_reactions(ruleset: Ruleset) -> None:
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
                    if occurs(ruleset, place, number):
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

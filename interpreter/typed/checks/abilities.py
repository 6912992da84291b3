"""Does every ability work: has a piece it, is a place active, is there what its clauses speak of?

This is asked of the untyped clauses, because they become part of events and quantities when these
are typed, and then a clause that speaks of nothing is nowhere.
"""

from __future__ import annotations

from interpreter.model.abilities import active_places
from interpreter.model.ruleset import Ruleset
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
    kinds = ruleset.kinds.values()
    named = any(kind.ability_field is not None for kind in kinds)
    unread = any((kind.ability_field is not None or not named) and not kind.rows for kind in kinds)
    for number, (name, ability) in enumerate(ruleset.abilities.items()):
        if number not in used and not unread:
            message = f"no piece has the ability `{name}`"
            help_ = "name it in the data, in a field of type `ability`"
            if not named:
                help_ = (
                    "declare a field for it under the kind, `power: ability or none`,\n"
                    "and name it there in the data"
                )
            problems.error("RR340", message, declared_mark(ability), help=help_)
        if not sources and not unread and not ruleset.broken:
            message = "no place is `active`, so this ability never works"
            help_ = "say `active` of the places whose pieces use their abilities"
            problems.error("RR341", message, declared_mark(ability), help=help_)
        for clause in ability.clauses:
            wanted = _check_named(ruleset, clause, problems)
            if wanted is not None:
                _check_params(clause, wanted, problems)
            _check_below_zero(clause, problems)


def _check_named(
    ruleset: Ruleset, clause: nodes.Modify | nodes.React, problems: Problems
) -> int | None:
    """How many values the quantity or event of a clause takes; None if there is no such thing."""
    if isinstance(clause, nodes.Modify):
        quantities = {n: f for n, f in ruleset.functions.items() if isinstance(f, nodes.Quantity)}
        if clause.quantity in quantities:
            return len(quantities[clause.quantity].params)
        message = f"there is no quantity `{clause.quantity}` to modify"
        help_ = did_you_mean(clause.quantity, quantities)
        if clause.quantity in ruleset.functions:
            help_ = f"declare it with `quantity {clause.quantity}` instead of `function`"
        problems.error("RR342", message, _clause_mark(clause), help=help_)
        return None
    events = {
        n: p
        for n, p in ruleset.procedures.items()
        if isinstance(p, nodes.Procedure) and p.word == "event"
    }
    if clause.event in events:
        return len(events[clause.event].params)
    message = f"there is no event `{clause.event}` to react to"
    help_ = did_you_mean(clause.event, events)
    if clause.event in ruleset.procedures:
        help_ = f"declare it with `event {clause.event}`, so that abilities can react"
    problems.error("RR343", message, _clause_mark(clause), help=help_)
    return None


def _check_params(clause: nodes.Modify | nodes.React, wanted: int, problems: Problems) -> None:
    if len(clause.params) != wanted:
        name = clause.quantity if isinstance(clause, nodes.Modify) else clause.event
        message = f"`{name}` takes {wanted} value{'s' * (wanted != 1)}, not {len(clause.params)}"
        help_ = "give each of its values a name here"
        problems.error("RR311", message, _clause_mark(clause), help=help_)


def _check_below_zero(clause: nodes.Modify | nodes.React, problems: Problems) -> None:
    """`modify price(p) to -1`, where one less is meant."""
    match clause:
        case nodes.Modify(value=nodes.Unary(operator="-", operand=nodes.Number(value=less))):
            message = f"this makes the value -{less}, whatever it was before"
            help_ = f"to make it less, start from `it`, the value so far: `to it - {less}`"
            problems.warning("RR287", message, clause.value.mark, help=help_)
        case _:
            pass


def _clause_mark(clause: nodes.Modify | nodes.React) -> Mark:
    names = ", ".join(clause.params)
    if isinstance(clause, nodes.Modify):
        return first_words(clause.mark, f"modify {clause.quantity}({names})")
    may = "may " if clause.may else ""
    return first_words(clause.mark, f"{may}{clause.word} {clause.event}({names})")

"""Questions to the whole of the rules, one module each.

Each pass goes through the typed tree, judges and changes nothing. Those of the first row look at
what is there, so they work for rules with mistakes in them; those of the second would only repeat
what is already told, or speak of what a mistake has cut away.
"""

from __future__ import annotations

from interpreter.report.problem import Problems
from interpreter.report.work import Work
from interpreter.typed.checks.absent import check_absent
from interpreter.typed.checks.ahead import check_ahead
from interpreter.typed.checks.bounds import check_bounds
from interpreter.typed.checks.conditions import check_conditions
from interpreter.typed.checks.divisions import check_divisions
from interpreter.typed.checks.indexes import check_indexes
from interpreter.typed.checks.labels import check_labels, check_scopes
from interpreter.typed.checks.lets import check_lets
from interpreter.typed.checks.loops import check_loops
from interpreter.typed.checks.menus import check_menus
from interpreter.typed.checks.places import check_places
from interpreter.typed.checks.reached import check_reached
from interpreter.typed.checks.recursion import check_recursion
from interpreter.typed.checks.sealed import check_sealed
from interpreter.typed.checks.trials import check_trials
from interpreter.typed.checks.unused import check_unused
from interpreter.typed.effects import Summaries
from interpreter.typed.knowledge.whole import check_knowledge
from interpreter.typed.rules import Rules
from interpreter.typed.walk import Parts


def check(rules: Rules, problems: Problems, work: Work, *, secrets: bool = True) -> None:
    """`secrets`: whether it is asked who can know what."""
    parts = Parts(rules)
    summaries = Summaries(rules)

    check_scopes(rules, parts, problems)
    check_menus(rules, parts, problems)
    check_conditions(parts, problems)
    check_divisions(parts, problems)
    check_sealed(rules, parts, summaries, problems, work)
    check_ahead(parts, problems)
    check_trials(rules, parts, problems)
    check_bounds(rules, parts, problems)

    if not problems.has_errors:
        if secrets:
            check_knowledge(rules, summaries, problems, work)
        check_absent(rules, parts, problems)
        check_indexes(parts, problems)
        check_lets(rules, parts, problems)
        check_labels(rules, parts, problems)
        check_loops(parts, summaries, problems)
        check_reached(parts, problems)
        check_places(rules, parts, summaries, problems)
        check_unused(rules, parts, summaries, problems)

    check_recursion(rules, summaries, problems)

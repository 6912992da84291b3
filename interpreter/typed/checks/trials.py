"""Can the steps of `(... after ...)` be carried out by themselves? They must come to their end
without asking anybody, without chance, and without an end of the game."""

from __future__ import annotations

from interpreter.report.problem import Problems
from interpreter.report.source import Mark
from interpreter.typed import rules as r
from interpreter.typed import statements as s
from interpreter.typed import values as v
from interpreter.typed.stopping import statements_in, stops
from interpreter.typed.walk import Parts, walk_all


def check_trials(rules: r.Rules, parts: Parts, problems: Problems) -> None:
    asked = [node for node in walk_all(rules.scenarios) if isinstance(node, v.WhatIf)]
    for trial in parts.of(v.WhatIf) + asked:
        for step in trial.steps:
            if step.procedure in rules.stopping:
                _told(rules, step, problems)


def _told(rules: r.Rules, step: v.Step, problems: Problems) -> None:
    why, mark = _reason(rules, step.procedure, set())
    message = f"what would be after `{r.declared_name(step.procedure)}` cannot be told: {why}"
    help_ = "let the steps be a procedure of their own that only changes things"
    problems.error("RR446", message, step.mark, help=help_, notes=((mark, "it happens here"),))


def _reason(rules: r.Rules, name: str, entered: set[str]) -> tuple[str, Mark]:
    """Why a procedure stops, and where."""
    procedure = rules.procedures[name]
    entered.add(name)
    for each in statements_in(procedure.body):
        match each:
            case s.Do():
                if each.procedure in rules.stopping and each.procedure not in entered:
                    return _reason(rules, each.procedure, entered)
            case s.Choose() | s.Sealed() | s.LookingAhead():
                return "somebody is asked there", each.mark
            case s.Draw() | s.Roll() | s.AssignRandom():
                return "it depends on chance", each.mark
            case s.Wins() | s.EndGame():
                return "it can end the game", each.mark
            case s.Turns():
                return "it goes round in turns", each.mark
            case s.If() | s.ForEach() | s.Repeat():
                pass  # what stops in them comes later
            case _ if stops(each, frozenset(), in_loop=True):
                return "it leaves what it is part of", each.mark
            case _:  # all others go on by themselves
                pass
    return "it leaves what it is part of", procedure.mark

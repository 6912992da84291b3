"""Does anybody have to look ahead past chance? Nobody can know what will be drawn or rolled."""

from __future__ import annotations

from interpreter.report.problem import Problems
from interpreter.typed import statements as s
from interpreter.typed.rules import Rules
from interpreter.typed.stopping import statements_in
from interpreter.typed.walk import all_bodies


def check_ahead(rules: Rules, problems: Problems) -> None:
    for body in all_bodies(rules):
        for statement in statements_in(body):
            if isinstance(statement, s.LookingAhead):
                _check_block(statement, problems)


def _check_block(block: s.LookingAhead, problems: Problems) -> None:
    for each in statements_in(block.body):
        if isinstance(each, (s.Draw, s.Roll, s.AssignRandom)):
            message = "nobody can look ahead past chance"
            problems.error("RR426", message, each.mark, help="draw or roll before it")

"""Is every step ever reached? What follows a loop that goes on until the game is over is not."""

from __future__ import annotations

from itertools import pairwise

from interpreter.report.problem import Problems
from interpreter.typed import statements as s
from interpreter.typed.checks.loops import stops_here
from interpreter.typed.effects import loop_name
from interpreter.typed.rules import Rules
from interpreter.typed.stopping import bodies_of, statements_in
from interpreter.typed.walk import all_bodies


def check_reached(rules: Rules, problems: Problems) -> None:
    bodies = list(all_bodies(rules))
    statements = [each for body in bodies for each in statements_in(body)]
    left = {each.name for each in statements if isinstance(each, s.Leave)}
    for body in bodies:
        _check_body(body, left, problems)
    for statement in statements:
        for inner in bodies_of(statement):
            _check_body(inner, left, problems)


def _check_body(body: s.Body, left: set[str], problems: Problems) -> None:
    for statement, following in pairwise(body):
        if _never_goes_on(statement, left):
            message = "this is never reached: the loop above it goes on until the game is over"
            help_ = "move it into the loop, or end the loop with `stop`"
            notes = ((statement.mark, "the loop begins here"),)
            problems.error("RR410", message, following.mark, help=help_, notes=notes)
            return


def _never_goes_on(statement: s.Statement, left: set[str]) -> bool:
    match statement:
        case s.Repeat(how="forever") | s.Turns(where=None):
            return not stops_here(statement.body) and loop_name(statement) not in left
        case _:
            return False

"""Is every step ever reached? What follows a loop that goes on until the game is over is not."""

from __future__ import annotations

from itertools import pairwise

from interpreter.report.problem import Problems
from interpreter.typed import statements as s
from interpreter.typed.checks.loops import stops_here
from interpreter.typed.effects import loop_name
from interpreter.typed.walk import Parts


def check_reached(parts: Parts, problems: Problems) -> None:
    left = {each.name for each in parts.of(s.Leave)}
    for body in parts.bodies():
        _check_body(body, left, problems)


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
        case _:  # comes to an end, or is told by what it holds
            return False

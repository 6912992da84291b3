"""Loops that nothing can end, and steps that nothing can reach."""

from __future__ import annotations

from itertools import pairwise

from interpreter.model.ruleset import Ruleset
from interpreter.program.lower import analysis
from interpreter.program.lower.effects import (
    Body,
    Effects,
    Summaries,
    all_bodies,
    inner_labels,
    loop_name,
    stops_here,
)  # fmt: skip
from interpreter.report.problem import Problems
from interpreter.tree import nodes

_Loop = nodes.Repeat | nodes.Turns


def check_flow(ruleset: Ruleset, summaries: Summaries, problems: Problems) -> None:
    left = {
        each.name
        for body in all_bodies(ruleset)
        for each in analysis.statements_in(body)
        if isinstance(each, nodes.Leave)
    }
    for body in all_bodies(ruleset):
        for statement in analysis.statements_in(body):
            if isinstance(statement, (nodes.Repeat, nodes.Turns)):
                _check_loop(statement, summaries, problems)
            for inner in analysis.bodies_of(statement):
                _check_reached(inner, left, problems)
        _check_reached(body, left, problems)


def _check_loop(loop: _Loop, summaries: Summaries, problems: Problems) -> None:
    found = summaries.of(loop.body)
    outside = found.leaves - inner_labels(loop.body)
    if isinstance(loop, nodes.Turns) and loop.where is not None:
        return  # turns end when nobody is left to take one
    if isinstance(loop, nodes.Repeat) and loop.how == "times":
        return
    has_exit = stops_here(loop.body) or bool(outside) or found.ends
    if isinstance(loop, nodes.Turns) or loop.how == "forever":
        if not has_exit:
            _no_way_out(loop, found, problems)
        elif isinstance(loop, nodes.Repeat):
            _check_progress(loop, found, problems)
    elif not has_exit and loop.value is not None:
        _check_condition(loop, loop.value, found, summaries, problems)


def _no_way_out(loop: _Loop, found: Effects, problems: Problems) -> None:
    if not found.asks and not found.rolls:
        message = "this goes round for ever: nothing in it stops, and nobody is asked"
        help_ = "add `stop`, or say how long: `repeat 3 times`, `repeat until ...`"
        problems.error("RR412", message, loop.mark, help=help_)
        return
    what = "these turns" if isinstance(loop, nodes.Turns) else "this"
    message = f"{what} can never come to an end: there is no way out"
    help_ = "somewhere inside, or in what is chosen here, say `stop`, `end game` or `me wins`"
    if isinstance(loop, nodes.Turns):
        help_ += "; or say who takes part: `turns where ...`"
    problems.warning("RR430", message, loop.mark, help=help_)


def _check_progress(loop: nodes.Repeat, found: Effects, problems: Problems) -> None:
    """Without a choice or chance, a pass that changes nothing is followed by the same pass."""
    if found.asks or found.rolls or found.reads & found.changes:
        return
    if any(isinstance(each, _UNCONDITIONAL) for each in loop.body):
        return
    if any(isinstance(each, nodes.Do) for each in loop.body) and (found.leaves or found.ends):
        return
    message = "every pass is like the one before: nothing that is asked here changes in it"
    help_ = "change something that leads to the `stop`, or let somebody choose"
    problems.error("RR431", message, loop.mark, help=help_)


_UNCONDITIONAL = (nodes.Jump, nodes.Leave, nodes.Wins, nodes.EndGame)


def _check_condition(
    loop: nodes.Repeat,
    condition: nodes.Expr,
    found: Effects,
    summaries: Summaries,
    problems: Problems,
) -> None:
    if summaries.names_in(condition) & found.changes:
        return
    message = "nothing in this loop changes what its condition asks about"
    ends = "yes" if loop.how == "until" else "no"
    if found.asks or found.rolls:  # people can still play on, if only for ever
        help_ = f"let something inside make the condition `{ends}`, or say `stop`"
        problems.warning("RR430", message, condition.mark, help=help_)
    else:
        help_ = f"it would go round for ever: make the condition become `{ends}`, or say `stop`"
        problems.error("RR431", message, condition.mark, help=help_)


# ---- what is never reached


def _check_reached(body: Body, left: set[str], problems: Problems) -> None:
    for statement, following in pairwise(body):
        if _never_goes_on(statement, left):
            message = "this is never reached: the loop above it goes on until the game is over"
            help_ = "move it into the loop, or end the loop with `stop`"
            notes = ((statement.mark, "the loop begins here"),)
            problems.error("RR410", message, following.mark, help=help_, notes=notes)
            return


def _never_goes_on(statement: nodes.Statement, left: set[str]) -> bool:
    match statement:
        case nodes.Repeat(how="forever"):
            pass
        case nodes.Turns(where=None):
            pass
        case _:
            return False
    return not stops_here(statement.body) and loop_name(statement) not in left

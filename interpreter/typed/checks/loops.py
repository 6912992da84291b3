"""Can every loop come to an end? Only what no reading of the rules could end is told."""

from __future__ import annotations

from collections.abc import Iterable

from interpreter.report.problem import Problems
from interpreter.typed import statements as s
from interpreter.typed import values as v
from interpreter.typed.effects import Effects, Summaries
from interpreter.typed.stopping import bodies_of
from interpreter.typed.walk import Parts

_Loop = s.Repeat | s.Turns
_UNCONDITIONAL = (s.Jump, s.Leave, s.Wins, s.EndGame)


def check_loops(parts: Parts, summaries: Summaries, problems: Problems) -> None:
    for repeat in parts.of(s.Repeat):
        _check_loop(repeat, summaries, problems)
    for turns in parts.of(s.Turns):
        _check_loop(turns, summaries, problems)


def stops_here(body: Iterable[s.Statement]) -> bool:
    """Whether a `stop` in this body ends the loop around it, not one inside it."""
    for statement in body:
        if isinstance(statement, s.Jump) and statement.word == "stop":
            return True
        if isinstance(statement, (s.ForEach, s.Repeat, s.Turns, s.Sealed)):
            continue
        if any(stops_here(inner) for inner in bodies_of(statement)):
            return True
    return False


def _check_loop(loop: _Loop, summaries: Summaries, problems: Problems) -> None:
    if isinstance(loop, s.Turns) and loop.where is not None:
        return  # turns end when nobody is left to take one
    if isinstance(loop, s.Repeat) and loop.how == "times":
        return
    found = summaries.of_loop(loop)
    has_exit = stops_here(loop.body) or bool(found.leaves) or found.ends
    if isinstance(loop, s.Turns) or loop.how == "forever":
        if not has_exit:
            _no_way_out(loop, found, problems)
        elif isinstance(loop, s.Repeat):
            _check_progress(loop, found, problems)
    elif not has_exit and loop.value is not None:
        _check_condition(loop, loop.value, found, summaries, problems)


def _no_way_out(loop: _Loop, found: Effects, problems: Problems) -> None:
    if not found.asks and not found.draws:
        message = "this goes round for ever: nothing in it stops, and nobody is asked"
        help_ = "add `stop`, or say how long: `repeat 3 times`, `repeat until ...`"
        problems.error("RR412", message, loop.mark, help=help_)
        return
    what = "these turns" if isinstance(loop, s.Turns) else "this"
    message = f"{what} can never come to an end: there is no way out"
    help_ = "somewhere inside, or in what is chosen here, say `stop`, `end game` or `me wins`"
    if isinstance(loop, s.Turns):
        help_ += "; or say who takes part: `turns where ...`"
    problems.warning("RR430", message, loop.mark, help=help_)


def _check_progress(loop: s.Repeat, found: Effects, problems: Problems) -> None:
    """Without a choice or chance, a pass that changes nothing is followed by the same pass."""
    if found.asks or found.draws or found.changes(found.reads):
        return
    if any(isinstance(each, _UNCONDITIONAL) for each in loop.body):
        return
    if any(isinstance(each, s.Do) for each in loop.body) and (found.leaves or found.ends):
        return
    message = "every pass is like the one before: nothing that is asked here changes in it"
    help_ = "change something that leads to the `stop`, or let somebody choose"
    problems.error("RR431", message, loop.mark, help=help_)


def _check_condition(
    loop: s.Repeat,
    condition: v.Value,
    found: Effects,
    summaries: Summaries,
    problems: Problems,
) -> None:
    if found.changes(summaries.of([condition]).reads):
        return
    message = "nothing in this loop changes what its condition asks about"
    ends = "yes" if loop.how == "until" else "no"
    if found.asks or found.draws:  # people can still play on, if only for ever
        help_ = f"let something inside make the condition `{ends}`, or say `stop`"
        problems.warning("RR430", message, condition.mark, help=help_)
    else:
        help_ = f"it would go round for ever: make the condition become `{ends}`, or say `stop`"
        problems.error("RR431", message, condition.mark, help=help_)

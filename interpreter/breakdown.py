"""Rules that broke down while playing, told as a problem with its place and how to see it again."""

from __future__ import annotations

from interpreter.play.failure import Failure
from interpreter.program.program import Program
from interpreter.report.problem import Problem
from interpreter.report.source import Mark


class PlayError(Exception):
    """The rules broke down while playing; `problem` says where and why.

    >>> broken = interpreter.load_text('''
    ... game "Half"
    ... players 2
    ... play
    ...     P1 chooses n in 0..1
    ...     say "{6 div n}"
    ... ''')
    >>> try:
    ...     broken.start().apply("choose(n: 0)")
    ... except interpreter.PlayError as error:
    ...     print(error.problem.code, error.problem.mark.line)
    RR602 6
    """

    def __init__(self, problem: Problem) -> None:
        super().__init__(str(problem))
        self.problem = problem


def problem_of(failure: Failure, program: Program, name: str, moves: int, seed: int) -> Problem:
    """`name` is what the rules are called: their file, or the title if there is none."""
    spots = program.spots
    spot = spots[failure.at] if 0 <= failure.at < len(spots) else None
    mark = spot.mark if spot else Mark.top(name)
    phase = f" in `{spot.phase}`" if spot and spot.phase else ""
    options = "".join(f" --option {key}={value}" for key, value in program.options.items())
    message = f"{failure.message} (it happened{phase}, after move {moves}, seed {seed})"
    help_ = f"see it again with: rulerun {name} --players {program.players} --seed {seed}{options}"
    tried = {spots[failure.trial].mark} - {mark} if 0 <= failure.trial < len(spots) else ()
    notes = tuple((each, "it happened while this was tried out") for each in tried)
    return Problem(failure.code, message, mark, "error", notes, help_, failure.is_limit)

"""How a game ended, in a few words: what the terminal, the commands and replays all say."""

from __future__ import annotations

from collections.abc import Sequence

from interpreter.play.buffer import Buffer
from interpreter.play.failure import Failure
from interpreter.play.knowledge import SPECTATOR
from interpreter.program.layout import OVER, STATUS, KindLayout
from interpreter.program.program import NAMELESS, Program
from interpreter.view.openness import Closed, Reader
from interpreter.view.view import View


def how_it_ended(view: View, program: Program, names: Sequence[str]) -> str:
    """Who has won, by the names of the seats. Whoever is called "you" wins without an s. A single
    player has beaten nobody, so of a game that was not lost the points are told, if there are any.
    """
    if not view.is_over:
        return "is not over"
    if len(view.losers) == view.players:
        return f"{names[0]} {_verb('lose', names[:1])}" if view.players == 1 else "everybody loses"
    if view.players == 1 and view.winners and program.score >= 0:
        return f"{names[0]} {_verb('score', names[:1])} {view.scores[0]}"
    winners = [names[seat] for seat in view.winners]
    return f"{' and '.join(winners)} {_verb('win', winners)}" if winners else "nobody wins"


def why_they_won(program: Program, m: Buffer, view: View, names: Sequence[str]) -> str | None:
    """What has decided: `P1 has the most gold`, `tied at 0; P1 has the least debt`. None where it
    was not a comparison, or there was nobody to beat, or the viewer cannot know it."""
    if m[STATUS] != OVER or not 0 < len(view.winners) < view.players or view.players == 1:
        return None
    level = set(range(view.players))  # whom nobody has beaten so far
    tied = ""
    for number, judged in enumerate(program.judged):
        values = _judged(program, m, view, number, level)
        if values is None:
            return None
        best = {seat for seat in level if values[seat] == min(values.values())}
        if not set(view.winners) <= best:
            return None  # the rules have named the winners themselves
        if best < level and best == set(view.winners):
            who = " and ".join(names[seat] for seat in sorted(best))
            told = judged.best
            if told == NAMELESS and not number:
                if program.score < 0 or any(-values[seat] != view.scores[seat] for seat in level):
                    return None  # it has no name that anybody knows
                told = "has the most points"
            told = _plural(told) if len(best) > 1 or who == "you" else told
            return f"{tied}{who} {told}"
        if len(best) > 1 and not number and program.score >= 0:
            points = {view.scores[seat] for seat in best}
            tied = f"tied at {points.pop()}; " if len(points) == 1 else "tied; "
        level = best
    return f"{tied}{names[view.winners[0]]} comes first in turn order" if tied else None


def _judged(
    program: Program, m: Buffer, view: View, number: int, level: set[int]
) -> dict[int, int] | None:
    """What each of them has of what decides, the least being the best; None if the viewer cannot
    know it. Points are known to everybody at the end, whatever they are made of."""
    judged = program.judged[number]
    viewer = SPECTATOR if view.seat is None else view.seat
    try:
        return {
            seat: Reader(program, m, (), (seat,), viewer, _nobody, None).gap(judged.function)
            for seat in level
        }
    except (Closed, Failure, IndexError, ZeroDivisionError):
        if number or program.score < 0 or judged.best != "has the most points":
            return None
        return {seat: -view.scores[seat] for seat in level}


def _nobody(m: Buffer, kind: KindLayout, piece: int) -> bool:
    return False


def _plural(best: str) -> str:
    verb, _, rest = best.partition(" ")
    return f"{'have' if verb == 'has' else verb.removesuffix('s')} {rest}"


def _verb(word: str, names: Sequence[str]) -> str:
    return f"{word}s" if len(names) == 1 and names[0] != "you" else word

"""How a game ended, in a few words: what the terminal, the commands and replays all say."""

from __future__ import annotations

from collections.abc import Sequence

from interpreter.program.program import Program
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


def _verb(word: str, names: Sequence[str]) -> str:
    return f"{word}s" if len(names) == 1 and names[0] != "you" else word

"""How a search goes about rules of which nothing has been found out yet (`rulerun train` finds out
more, and keeps it in a file)."""

from __future__ import annotations

from interpreter.embedding import Game
from interpreter.play.guided import PLAIN, Settings


def usual(game: Game) -> Settings:
    """A part of the reward goes by the score, where there is one. It costs nothing and tells close
    games apart. For whoever plays alone it is nearly all there is: most such games cannot be
    lost."""
    if game.program.score < 0:
        return PLAIN
    return Settings(score=80 if game.players == 1 else 40)

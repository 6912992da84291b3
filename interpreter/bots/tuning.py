"""How a search goes about rules of which nothing has been found out yet (`rulerun train` finds out
more, and keeps it in a file)."""

from __future__ import annotations

from interpreter.embedding import Game
from interpreter.play.guided import Settings


def usual(game: Game) -> Settings:
    """A part of the reward goes by the score, where there is one. It costs nothing and tells close
    games apart. For whoever plays alone it is nearly all there is: most such games cannot be
    lost. Where players choose in secret at the same time, the tree ends when that comes out: what
    is counted behind it goes by what a seat chose itself, whatever the others did, and the longer
    a search went on the more it went by that, and the worse it played."""
    program = game.program
    score = 0 if program.score < 0 else 80 if game.players == 1 else 40
    return Settings(score=score, brief=int(program.layout.sealed_width > 0))

"""How long a bot may think: so many games in its head, or so many seconds."""

from __future__ import annotations

import re
from dataclasses import dataclass

from interpreter.bots.search import MOST_GAMES
from interpreter.embedding import Game

MOST_SECONDS = 3600.0
_SECONDS = re.compile(r"([0-9]{1,6}(?:\.[0-9]{1,6})?) ?(ms|s|m)", re.ASCII)
_UNITS = {"ms": 0.001, "s": 1.0, "m": 60.0}
_TRIED = 8  # random games
_DECISIONS = 12_000_000  # in a whole game of a bot's, all that it tries taken together
_SLOWER = 400  # is the reference machine
_MOST = 2000  # games for a choice
FORMS = (
    f"how many games (1 to {MOST_GAMES:,}), or how long: `500` games, `2s`, `200ms` "
    f"(up to {MOST_SECONDS:.0f}s)"
)


@dataclass(frozen=True, slots=True)
class Budget:
    """For one choice. Games give the same choice on any machine, seconds do not: then `games`
    is nothing."""

    games: int = 0
    seconds: float = 0.0

    def __str__(self) -> str:
        if self.games:
            return str(self.games)
        return f"{self.seconds:g}s" if self.seconds >= 1 else f"{1000 * self.seconds:g}ms"

    def of_time(self, share: float) -> Budget:
        """This share of the time, where it goes by time."""
        return self if self.games else Budget(0, self.seconds * share)

    def without(self, seconds: float) -> Budget:
        """What is left of the time, at least half, if something else takes so long."""
        return self if self.games else Budget(0, max(self.seconds / 2, self.seconds - seconds))

    @property
    def words(self) -> str:
        """For people: `500 games a choice`."""
        return f"{self.games:,} games a choice" if self.games else f"{self} a choice"


def small_budget(game: Game) -> Budget | None:
    """Games for each choice such that a whole game between bots takes some ten seconds. It goes
    by how long random games are, and by no clock, so it is the same on any machine; only where
    there is no native code are there fewer. None if games are too long for any of it."""
    results = game.playouts(range(_TRIED))
    moves = max(1, sum(result.moves for result in results) // _TRIED)
    decisions = _DECISIONS if game.native is not None else _DECISIONS // _SLOWER
    # Each of so many choices is followed by games that are half as long on average.
    games = min(_MOST, 2 * decisions // (moves * moves))
    return Budget(games) if games else None


def read_budget(text: str) -> Budget | None:
    """`500`, `2s`, `0.5s`, `200ms`; None for anything else."""
    from interpreter.report.whole import read_count

    games = read_count(text)
    if games is not None:
        return Budget(games) if 1 <= games <= MOST_GAMES else None
    found = _SECONDS.fullmatch(text)
    if found is None:
        return None
    seconds = float(found[1]) * _UNITS[found[2]]
    return Budget(0, seconds) if 0 < seconds <= MOST_SECONDS else None

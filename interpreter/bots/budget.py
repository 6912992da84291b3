"""How long a bot may think: so many games in its head, or so many seconds."""

from __future__ import annotations

import re
from dataclasses import dataclass

from interpreter.bots.search import MOST_GAMES

MOST_SECONDS = 3600.0
_SECONDS = re.compile(r"([0-9]{1,6}(?:\.[0-9]{1,6})?) ?(ms|s|m)", re.ASCII)
_UNITS = {"ms": 0.001, "s": 1.0, "m": 60.0}
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

    @property
    def words(self) -> str:
        """For people: `500 games a choice`."""
        return f"{self.games:,} games a choice" if self.games else f"{self} a choice"


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

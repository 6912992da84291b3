"""A round robin of bots: every two of them meet, in rotated seats, until it is clear enough."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import combinations

from interpreter.bots.match import Played, Standing, games_of, play_all, standings, workers
from interpreter.embedding import Game


@dataclass(slots=True)
class Ladder:
    """What has been played so far."""

    game: Game
    names: tuple[str, ...]
    seed: int
    games: list[Played] = field(default_factory=list)
    deals: int = 0  # that every two have played

    @property
    def standings(self) -> list[Standing]:
        return standings(self.games)

    @property
    def widest(self) -> float:
        """Half of the widest interval of a share of games won."""
        return max(((high - low) / 2 for low, high in self._intervals()), default=1.0)

    def _intervals(self) -> list[tuple[float, float]]:
        return [each.interval for each in self.standings]


def tables(names: Sequence[str], players: int) -> list[tuple[str, ...]]:
    """For every two bots the tables they meet at: one seat of either against all others, so that
    with more than two players nobody has the majority for good."""
    found: list[tuple[str, ...]] = []
    for first, second in combinations(names, 2):
        found.append((first, *[second] * (players - 1)))
        if players > 2:
            found.append((second, *[first] * (players - 1)))
    return found


def climb(
    ladder: Ladder,
    until: float,
    most: int,
    processes: int = 1,
    progress: Callable[[Ladder], None] = lambda ladder: None,
) -> None:
    """Go on until every interval reaches no further than `until` to either side, or every table
    has had so many games. Deals are the same for all tables."""
    players = ladder.game.players
    meetings = tables(ladder.names, players)
    with workers(processes) as pool:
        while ladder.deals * players < most and (not ladder.games or ladder.widest > until):
            numbers = range(ladder.deals * players, (ladder.deals + 1) * players)
            tasks = [each for names in meetings for each in games_of(names, numbers, ladder.seed)]
            ladder.games += play_all(ladder.game, tasks, pool)
            ladder.deals += 1
            progress(ladder)

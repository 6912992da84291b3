"""Ratings of bots from the games they have played with each other.

A seat wins in proportion to its strength: strength s against the others' sum (Bradley and Terry;
for more than two seats Luce). Strengths are found by Hunter's way of rounds (2004), ratings are
their logarithms on the scale of chess: 400 points are ten times the strength. How sure they are is
found by drawing the deals anew, with chance that is always the same.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from interpreter.bots.match import Played
from interpreter.play.chance import Stream

_ROUNDS = 200
_DRAWN = 200  # times that the games are drawn anew
_SCALE = 400 / math.log(10)


@dataclass(frozen=True, slots=True)
class Rating:
    name: str
    points: float  # the mean of all is nothing
    low: float
    high: float


def strengths(names: Sequence[str], games: Sequence[Played]) -> list[float]:
    """Of each bot. Two bots are supposed to have drawn once, so that nobody is endlessly strong."""
    number = {name: each for each, name in enumerate(names)}
    tables: Counter[tuple[int, ...]] = Counter()  # who sat there, and how often it was played
    won = [0.5 * (len(names) - 1)] * len(names)
    for first in range(len(names)):
        tables.update((second, first) for second in range(first))
    for game in games:
        total = sum(game.won)
        if total <= 0 or len(set(game.names)) < 2:
            continue
        tables[tuple(sorted(number[name] for name in game.names))] += 1
        for name, share in zip(game.names, game.won, strict=True):
            won[number[name]] += share / total
    found = [1.0] * len(names)
    for _ in range(_ROUNDS):
        chances = [0.0] * len(names)
        for seats, times in tables.items():
            whole = sum(found[seat] for seat in seats)
            for seat in seats:
                chances[seat] += times / whole
        found = [each / chance for each, chance in zip(won, chances, strict=True)]
        mean = math.exp(sum(map(math.log, found)) / len(found))
        found = [each / mean for each in found]
    return found


def ratings(names: Sequence[str], games: Sequence[Played]) -> list[Rating]:
    """The strongest first, each with an interval in which it lies 95 % of the time."""
    points = [_SCALE * math.log(each) for each in strengths(names, games)]
    deals: dict[tuple[int, frozenset[str]], list[Played]] = {}
    for game in games:  # a deal that was played from every seat is drawn as a whole
        deals.setdefault((game.seed, frozenset(game.names)), []).append(game)
    groups, stream = list(deals.values()), Stream(0, 0)
    drawn: list[list[float]] = []
    for _ in range(_DRAWN if groups else 0):
        again = [game for _ in groups for game in stream.choose(groups)]
        drawn.append([_SCALE * math.log(each) for each in strengths(names, again)])
    found: list[Rating] = []
    for number, name in enumerate(names):
        several = sorted(each[number] for each in drawn) or [points[number]]
        edge = len(several) // 40  # a fortieth is left out on either side
        found.append(Rating(name, points[number], several[edge], several[-1 - edge]))
    return sorted(found, key=lambda each: (-each.points, each.name))

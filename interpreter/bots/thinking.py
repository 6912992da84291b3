"""A search within a budget. Counted games are one search, the same anywhere. Seconds are spent on
one search, too; where there are many of them, there is a short one before it, for those who cannot
wait.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Protocol, runtime_checkable

from interpreter.bots.budget import Budget
from interpreter.bots.glimpses import Glimpse
from interpreter.bots.search import MOST_GAMES, Estimate
from interpreter.view.view import View

_PATIENCE = 0.1  # seconds
_SHARE = 0.1  # of the time, for the short search
_NEARLY = 2  # times as many games
_KEPT = 0.97  # of the time: the last games of a search are slower than those before


class Mind(Protocol):
    """What judges the options of a seat by its view: a search with its settings, made for a game.
    The best option comes first. If `stop` says so, it is over before all games are played, and
    after so many seconds by the clock. `careless` says of each seat in how many percent of the
    games it chooses anything."""

    def __call__(
        self,
        view: View,
        games: int,
        *,
        seed: int,
        trees: int,
        threads: int,
        stop: Callable[[], bool] | None = None,
        seconds: float | None = None,
        clock: Callable[[], float] = time.monotonic,
        careless: Sequence[int] = (),
    ) -> list[Estimate]: ...


@runtime_checkable
class Knowing(Protocol):
    """A mind that may know something at once, and knows more after so many games, not sooner."""

    @property
    def knows(self) -> bool: ...

    @property
    def least(self) -> int: ...

    def at_once(self, view: View, seed: int) -> list[Estimate]: ...


@runtime_checkable
class Follower(Protocol):
    """A mind that goes by what it has seen happen: it is shown every moment of the game."""

    def watch(self, glimpse: Glimpse) -> None: ...

    def forget(self) -> None: ...


def looks_at_games(mind: Mind) -> bool:
    """Whether it tries games, or knows at once what it likes."""
    return bool(getattr(mind, "searches", True))


def pace_of(mind: Mind) -> float:
    """How many games of plain search take as long as one of its own."""
    return float(getattr(mind, "pace", 1.0))


def knows_at_once(mind: Mind) -> bool:
    """Whether it has learned something that needs no games."""
    return isinstance(mind, Knowing) and mind.knows


def known_at_once(mind: Mind, view: View, seed: int) -> list[Estimate]:
    """What it has learned says of the options; nothing if it has learned nothing."""
    return mind.at_once(view, seed) if isinstance(mind, Knowing) and mind.knows else []


def games_of(mind: Mind, plain: int) -> int:
    """Its own games that take as long as so many of plain search. Where that is nearly as many as
    it needs to know more than at once, it gets those."""
    games = max(1, round(plain / pace_of(mind)))
    least = mind.least if isinstance(mind, Knowing) else 0
    return least if games < least <= _NEARLY * games else games


def think(
    mind: Mind,
    view: View,
    budget: Budget,
    seed: int,
    threads: int = 1,
    tell: Callable[[list[Estimate]], None] = lambda found: None,
    careless: Sequence[int] = (),
) -> list[Estimate]:
    """The estimates of a seat's options. `tell` hears what is known so far, for those who cannot
    wait. Only searches by the clock grow a tree on each thread: what comes of counted games must
    not hang on how many cores there are."""
    if isinstance(mind, Knowing) and 0 < budget.games < mind.least:
        return mind.at_once(view, seed)
    if budget.games or not looks_at_games(mind):
        return mind(view, max(1, budget.games), seed=seed, trees=1, threads=1, careless=careless)
    # On one thread its own time counts, so that bots can be compared on a busy machine.
    clock = time.thread_time if threads == 1 else time.perf_counter
    begun, found = clock(), list[Estimate]()
    # Whoever cannot wait is soon told something; so short a time as nobody minds is not divided.
    parts = (_SHARE, 1.0) if budget.seconds > _PATIENCE else (1.0,)
    for part in parts:
        left = begun + budget.seconds * part * _KEPT - clock()
        found = mind(
            view,
            MOST_GAMES,
            seed=seed,
            trees=threads,
            threads=threads,
            seconds=left,
            clock=clock,
            careless=careless,
        )
        tell(found)
    if isinstance(mind, Knowing) and sum(each.visits for each in found) < mind.least:
        return mind.at_once(view, seed)
    return found

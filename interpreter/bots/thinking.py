"""A search within a budget. Counted games are one search, the same anywhere. Seconds are spent on
a short search, which tells how fast this game goes here, and a long one for the rest of the time.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Protocol, runtime_checkable

from interpreter.bots.budget import Budget
from interpreter.bots.search import MOST_GAMES, Estimate
from interpreter.view.view import View

_PROBE = 4  # games of the first search, for each thread
_SHARE = 0.1  # of the time, for searches that only find out how many games fit into it
_KEPT = 0.9  # of what is left: games late in the table are slower than the first


class Mind(Protocol):
    """What judges the options of a seat by its view: a search with its settings, made for a game.
    The best option comes first. If `stop` says so, it is over before all games are played."""

    def __call__(
        self,
        view: View,
        games: int,
        *,
        seed: int,
        trees: int,
        threads: int,
        stop: Callable[[], bool] | None = None,
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

    def watch(self, view: View) -> None: ...

    def forget(self) -> None: ...


def looks_at_games(mind: Mind) -> bool:
    """Whether it tries games, or knows at once what it likes."""
    return bool(getattr(mind, "searches", True))


def pace_of(mind: Mind) -> float:
    """How many games of plain search take as long as one of its own."""
    return float(getattr(mind, "pace", 1.0))


def least_of(mind: Mind) -> int:
    """How many games it must be allowed to try to make use of them."""
    return mind.least if isinstance(mind, Knowing) else 0


def think(
    mind: Mind,
    view: View,
    budget: Budget,
    seed: int,
    threads: int = 1,
    tell: Callable[[list[Estimate]], None] = lambda found: None,
) -> list[Estimate]:
    """The estimates of a seat's options. `tell` hears what is known so far, for those who cannot
    wait. Only searches by the clock grow a tree on each thread: what comes of counted games must
    not hang on how many cores there are."""
    if isinstance(mind, Knowing) and 0 < budget.games < mind.least:
        return mind.at_once(view, seed)
    if budget.games or not looks_at_games(mind):
        return mind(view, max(1, budget.games), seed=seed, trees=1, threads=1)
    # On one thread its own time counts, so that bots can be compared on a busy machine.
    clock = time.thread_time if threads == 1 else time.perf_counter
    end = clock() + budget.seconds
    games = _PROBE * threads
    while True:
        begin = clock()
        found = mind(view, games, seed=seed, trees=threads, threads=threads)
        tell(found)
        now = clock()
        fitting = int(games * (end - now) * _KEPT / max(now - begin, 1e-6))
        if fitting <= games:
            if isinstance(mind, Knowing) and games < mind.least:
                return mind.at_once(view, seed)
            return found
        if now - begin < _SHARE * budget.seconds / 4:
            fitting = min(fitting, games * 8)  # too short to go by
        games = min(fitting, MOST_GAMES)

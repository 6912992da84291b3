"""How long a search may take: in time, or until somebody has had enough."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

from interpreter.play.uct import Budget, counted

_FIRST = 8  # games of the first round
_ROUND = 0.03  # seconds that a round should take: so soon can it be stopped
_MORE = 4  # times as many games a round may have as the one before
_HOPELESS = 2  # times as many games as could be played: nobody waits for those


def within(
    seconds: float | None = None,
    stop: Callable[[], bool] | None = None,
    clock: Callable[[], float] = time.monotonic,
    least: int = 0,
) -> Budget:
    """Games up to this many seconds from now, by this clock, or until `stop` says so; what has been
    found by then is kept. A tree plays at least one round. Where fewer than `least` games are worth
    nothing, no time is spent on them if there will not be nearly so many."""
    if seconds is None and stop is None:
        return counted
    return lambda games: _rounds(games, seconds, stop, clock, least)


def _rounds(
    games: int,
    seconds: float | None,
    stop: Callable[[], bool] | None,
    clock: Callable[[], float],
    least: int,
) -> Iterator[int]:
    begun = before = clock()
    played, size = 0, 1 if least else _FIRST
    while played < games:
        size = min(size, games - played)
        played += size
        yield played
        now = clock()
        left = float("inf") if seconds is None else begun + seconds - now
        if left <= 0 or (stop is not None and stop()):
            return
        rate = size / max(1e-6, now - before)
        if played + rate * left < least / _HOPELESS:
            return
        size = max(1, min(_MORE * size, int(rate * min(_ROUND, left))))
        before = now

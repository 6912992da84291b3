"""Looking at a study several times while it is played, without being misled by it.

Whoever looks after every game and stops at the first surprise will be surprised by honest games
too. So there are few looks, planned before: after a 16th of the games, an eighth, a quarter, half,
and all (group sequential). The error that is allowed is spent on them (`spending`): a twentieth on
each early look, all the rest on the last one. At each look an interval is made that misses the
truth no more often than what is spent there. Errors of single looks add up to no more than their
sum, however looks hang together; so nothing must be supposed of that. The last look has four
fifths of the error, hence its interval is hardly wider (5 %) than if nobody had looked before. That
of a mixture (mSPRT, a confidence sequence for any time) would be half as wide again: it keeps its
promise for looks without end, which nobody makes here.

Intervals are those of Clopper and Pearson for what is true or not of a game, which are never too
narrow, and of Student for the mean of numbers, which are right for samples of some size; hence no
look is made before `LEAST` games. tests/test_gates.py plays whole studies to see that false alarms
stay below what is said.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

LEAST = 20  # games, before anybody looks
_PARTS = (16, 8, 4, 2, 1)
_EARLY = 0.05  # of the error, for each look but the last
_ROUNDS = 200  # of halving, or of a continued fraction: more than any of them takes
_TINY = 1e-300
Verdict = Literal["held", "broken", "open"]


def looks(games: int, step: int = 1) -> tuple[int, ...]:
    """After how many games there is a look: whole rounds of `step` games, in which everybody has
    sat in every seat."""
    found = {math.ceil(max(games / part, min(LEAST, games)) / step) * step for part in _PARTS}
    return tuple(sorted(found))


def spending(error: float, number: int) -> tuple[float, ...]:
    """What is spent of an error on each of a number of looks."""
    early = [error * _EARLY] * (number - 1)
    return (*early, error - sum(early))


@dataclass(frozen=True, slots=True)
class Sums:
    """Of the answers of single games, or of rounds of games that are taken together."""

    number: int = 0
    total: float = 0.0
    squares: float = 0.0

    @property
    def mean(self) -> float:
        return self.total / self.number if self.number else math.nan

    @property
    def deviation(self) -> float:
        if self.number < 2:
            return math.inf
        spread = self.squares - self.total * self.total / self.number
        return math.sqrt(max(0.0, spread) / (self.number - 1))


def share_interval(sums: Sums, error: float) -> tuple[float, float]:
    """Of a share, whatever the number of games (Clopper and Pearson). A game that several share
    counts in part; the interval is then rather too wide than too narrow, since such games differ
    less than those that are won or lost."""
    number, won = sums.number, min(max(sums.total, 0.0), float(sums.number))
    low = beta_quantile(error / 2, won, number - won + 1) if won > 0 else 0.0
    high = beta_quantile(1 - error / 2, won + 1, number - won) if won < number else 1.0
    return low, high


def mean_interval(sums: Sums, error: float) -> tuple[float, float]:
    """Of a mean (Student)."""
    if sums.number < 2:
        return -math.inf, math.inf
    half = student_quantile(1 - error / 2, sums.number - 1)
    half *= sums.deviation / math.sqrt(sums.number)
    return sums.mean - half, sums.mean + half


def verdict(interval: tuple[float, float], bounds: tuple[float, float]) -> Verdict:
    """Whether what is expected surely holds, surely does not, or could be either."""
    (low, high), (least, most) = interval, bounds
    if high < least or low > most:
        return "broken"
    return "held" if least <= low and high <= most else "open"


def games_needed(
    value: float, interval: tuple[float, float], bounds: tuple[float, float], games: int
) -> int | None:
    """About how many games would tell, if the value is what it seems to be: an interval becomes
    half as wide with four times as many. None if it lies on a bound."""
    away = min(abs(value - bound) for bound in bounds if math.isfinite(bound))
    half = (interval[1] - interval[0]) / 2
    return math.ceil(games * (half / away) ** 2) if away > 1e-6 * half else None


# ---- distributions


@lru_cache(maxsize=4096)
def beta_quantile(chance: float, a: float, b: float) -> float:
    """Below which a number of the beta distribution lies with this chance."""
    return _halved(lambda x: beta_below(x, a, b) < chance, 0.0, 1.0)


@lru_cache(maxsize=4096)
def student_quantile(chance: float, degrees: int) -> float:
    """The same of Student's distribution, for chances of a half and more."""
    tail = 2 * (1 - chance)

    def is_below(x: float) -> bool:
        return beta_below(degrees / (degrees + x * x), degrees / 2, 0.5) > tail

    most = 1.0
    while is_below(most):
        most *= 2
    return _halved(is_below, 0.0, most)


def _halved(is_below: Callable[[float], bool], low: float, high: float) -> float:
    for _ in range(_ROUNDS):
        middle = (low + high) / 2
        if middle in (low, high):
            break
        if is_below(middle):
            low = middle
        else:
            high = middle
    return (low + high) / 2


def beta_below(x: float, a: float, b: float) -> float:
    """The chance that a number of the beta distribution lies below x (the regularised incomplete
    beta function), by the continued fraction that converges fast on this side of the mean."""
    if x <= 0 or x >= 1:
        return float(x >= 1)
    if x > (a + 1) / (a + b + 2):
        return 1 - beta_below(1 - x, b, a)
    front = math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b)
    front += a * math.log(x) + b * math.log1p(-x)
    return math.exp(front) / (a * _fraction(x, a, b))


def _fraction(x: float, a: float, b: float) -> float:
    """The continued fraction, by the way of Lentz."""
    value, above, below = 1.0, 1.0, 0.0
    for number in range(1, _ROUNDS * 10):
        half, is_odd = divmod(number, 2)
        if is_odd:
            step = -(a + half) * (a + b + half) * x / ((a + number - 1) * (a + number))
        else:
            step = half * (b - half) * x / ((a + number - 1) * (a + number))
        below = 1 / _never_nothing(1 + step * below)
        above = _never_nothing(1 + step / above)
        value *= above * below
        if abs(above * below - 1) < 1e-14:
            break
    return value


def _never_nothing(value: float) -> float:
    return value if abs(value) > _TINY else _TINY

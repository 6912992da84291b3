"""How sure a number is: intervals, chances of accidents, and how many games it takes to see more.

Exact enough for what is told to people, and tested against scipy: nothing in here needs it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import NormalDist

from interpreter.bots.match import wilson as wilson

Z = NormalDist().inv_cdf(0.975)  # 95 % of the normal distribution lie within so many deviations
POWER = NormalDist().inv_cdf(0.8)  # to see a difference four times in five
_FEW = 30  # answers: with fewer, shares that are parts are judged as if they were whole


def student(freedom: float) -> float:
    """The same of Student's distribution with so many degrees of freedom: exactly for one and two,
    else by the expansion of Cornish and Fisher, which is within a hundredth."""
    if freedom < 1:
        return math.inf
    if freedom < 3:
        return math.tan(0.475 * math.pi) if freedom < 2 else math.sqrt(2 / (0.05 * 1.95) - 2)
    z, v = Z, freedom
    return z + sum(
        (
            (z**3 + z) / (4 * v),
            (5 * z**5 + 16 * z**3 + 3 * z) / (96 * v**2),
            (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * v**3),
            (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / (92160 * v**4),
        )
    )


def mean_interval(mean: float, deviation: float, number: int) -> tuple[float, float]:
    """Of a mean of so many answers."""
    if number < 2:
        return -math.inf, math.inf
    half = student(number - 1) * deviation / math.sqrt(number)
    return mean - half, mean + half


def share_interval(mean: float, deviation: float, number: int, whole: bool) -> tuple[float, float]:
    """Of a share. `whole`: every answer was yes or no; else some were parts, as a win that is
    shared."""
    if whole or number < _FEW:
        return wilson(mean * number, number)
    low, high = mean_interval(mean, deviation, number)
    return max(0.0, low), min(1.0, high)


def accident(deviations: float) -> float:
    """How likely it is to be so many deviations off, or more, to either side, by accident."""
    return math.erfc(abs(deviations) / math.sqrt(2))


def corrected(chances: Sequence[float]) -> list[float]:
    """Chances of accidents for one of many comparisons: of those that stay below 5 %, no more than
    one in twenty is expected to be an accident (Benjamini and Hochberg 1995)."""
    order = sorted(range(len(chances)), key=lambda each: -chances[each])
    found, least = [0.0] * len(chances), 1.0
    for rank, each in zip(range(len(chances), 0, -1), order, strict=True):
        least = min(least, chances[each] * len(chances) / rank)
        found[each] = least
    return found


def games_to_see(share: float, difference: float) -> int:
    """How many games it takes to tell a share that is so far off, four times in five."""
    return math.ceil((Z + POWER) ** 2 * share * (1 - share) / difference**2)


def variance_share(
    deals: int, repeats: int, between: float, within: float
) -> tuple[float, float, float]:
    """Which part of the variance lies between deals, with its interval, from the mean squares of a
    one-way analysis of variance (Fisher's F by Paulson's approximation)."""
    if deals < 3 or repeats < 2 or within <= 0:
        return (1.0, 0.0, 1.0) if within <= 0 < between else (0.0, 0.0, 1.0)
    ratio = between / within
    freedom = deals - 1, deals * (repeats - 1)
    high = ratio * fisher(freedom[1], freedom[0])
    low = ratio / fisher(*freedom)
    return _part(ratio, repeats), _part(low, repeats), _part(high, repeats)


def _part(ratio: float, repeats: int) -> float:
    return min(1.0, max(0.0, (ratio - 1) / (ratio - 1 + repeats)))


def fisher(above: int, below: int) -> float:
    """97.5 % of Fisher's distribution lie below this."""
    a, b = 2 / (9 * above), 2 / (9 * below)
    square = Z * Z
    root = math.sqrt((1 - a) ** 2 * b + (1 - b) ** 2 * a - a * b * square)
    return (((1 - a) * (1 - b) + Z * root) / ((1 - b) ** 2 - b * square)) ** 3

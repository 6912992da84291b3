"""What a report is made from: the findings of a study, and what its tables tell besides. Tables
may have millions of rows, so everything is added up by duckdb and only sums come here."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

from interpreter.lab.findings import Findings
from interpreter.lab.measures import BY_NAME
from interpreter.lab.pages.lines import Bin
from interpreter.lab.spec import Arm
from interpreter.lab.study import Results

_LENGTHS = ("minutes", "rounds", "moves")
_BINS = 30


@dataclass(frozen=True, slots=True)
class Spread:
    """How often each length came. Far outliers are counted and not drawn."""

    bins: tuple[Bin, ...]
    beyond: int = 0


@dataclass(frozen=True, slots=True)
class Material:
    findings: Findings
    arms: dict[int, Arm] = field(default_factory=dict)  # as far as they are known
    spreads: dict[tuple[int, str], Spread] = field(default_factory=dict)  # by arm and measure
    outcomes: dict[int, dict[str, int]] = field(default_factory=dict)  # games, by arm


def material_of(results: Results) -> Material:
    """From a study that has been played, or that lies on disk."""
    arms = {arm.number: arm for arm in results.manifest.arms}
    seconds = results.findings.seconds
    return Material(results.findings, arms, _spreads(results.db, seconds), _outcomes(results.db))


def _spreads(base: Any, seconds: float) -> dict[tuple[int, str], Spread]:
    found: dict[tuple[int, str], Spread] = {}
    for name in _LENGTHS:
        answer = BY_NAME[name].answer.replace("{seconds}", repr(float(seconds)))
        asked = f"SELECT arm, ({answer})::DOUBLE AS v FROM games WHERE outcome <> 'failed'"
        ranges = base.execute(
            f"SELECT arm, min(v), max(v), quantile_disc(v, 0.95), quantile_disc(v, 0.995) "
            f"FROM ({asked}) WHERE v IS NOT NULL GROUP BY arm ORDER BY arm"
        ).fetchall()
        for arm, low, high, usual, far in ranges:
            top = far if high > 2 * usual else high
            start, width = _bins(low, top, whole=name != "minutes")
            rows = base.execute(
                f"SELECT floor((v - ?) / ?)::BIGINT AS bin, count(*) FROM ({asked}) "
                "WHERE arm = ? AND v IS NOT NULL GROUP BY bin",
                [start, width, arm],
            ).fetchall()
            found[arm, name] = _spread(dict(rows), start, width, top)
    return found


def _bins(low: float, high: float, whole: bool) -> tuple[float, float]:
    """Where the first begins, and how wide they are: round numbers, about thirty of them."""
    span = high - low
    rough = (span + (1 if whole else 0)) / _BINS
    if whole and rough <= 1:
        return low, 1.0
    if span <= 0:
        return low - 0.5, 1.0
    power = 10.0 ** math.floor(math.log10(rough))
    width = next(each * power for each in (1, 2, 5, 10) if each * power >= rough * 0.999)
    return math.floor(low / width) * width, width


def _spread(counts: dict[int, int], start: float, width: float, top: float) -> Spread:
    last = max(0, math.floor((top - start) / width))
    bins = [
        Bin(start + number * width, start + (number + 1) * width, counts.get(number, 0))
        for number in range(last + 1)
    ]
    return Spread(tuple(bins), sum(games for number, games in counts.items() if number > last))


def _outcomes(base: Any) -> dict[int, dict[str, int]]:
    rows = base.execute(
        "SELECT arm, CASE WHEN failure = 'RR615' THEN 'endless' ELSE outcome END AS how, count(*) "
        "FROM games GROUP BY ALL ORDER BY ALL"
    ).fetchall()
    found: dict[int, dict[str, int]] = {}
    for arm, how, games in rows:
        found.setdefault(arm, {})[how] = games
    return found

"""Figures from rows: every measure is asked of every row in a few queries, and becomes a number
with an interval for each group."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from interpreter.lab.findings import Figure, Luck, Opening, Race, Use, Worth
from interpreter.lab.intervals import (
    Z,
    accident,
    corrected,
    mean_interval,
    share_interval,
    variance_share,
)
from interpreter.lab.measures import MEASURES, Measure
from interpreter.lab.spec import Arm

QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)
_ENOUGH = 20  # players who took a thing, and who left it, before the two are compared
_OPENINGS = 20  # of each length
_FAILED = "SELECT arm, game FROM games WHERE outcome = 'failed'"


def figures(
    db: Any, seconds: float, measures: Iterable[Measure] = MEASURES
) -> dict[int, list[Figure]]:
    """Of every arm. Measures of one table and group are asked together."""
    kinds: dict[tuple[str, str], list[Measure]] = {}
    for each in measures:
        kinds.setdefault((each.table, each.group), []).append(each)
    found: dict[int, dict[str, list[Figure]]] = {}
    for (table, group), several in kinds.items():
        for arm, of, *cells in db.execute(_question(table, group, several, seconds)).fetchall():
            for number, measure in enumerate(several):
                figure = _figure(measure, of, cells[5 * number : 5 * number + 5])
                if figure is not None:
                    found.setdefault(arm, {}).setdefault(measure.name, []).append(figure)
    order = [each.name for each in MEASURES]
    return {
        arm: [each for name in order for each in by_name.get(name, ())]
        for arm, by_name in found.items()
    }


def answers(measures: Sequence[Measure], table: str, group: str, seconds: float) -> str:
    """A query with a row for each game and group, and columns `of` and `m0`, `m1`... of answers. A
    player may sit in several seats of a game: their answers are one, since they hang together."""
    told = [f"({each.answer.format(seconds=seconds)})" for each in measures]
    if table == "games":
        asked = [
            text if each.failed else f"CASE WHEN outcome <> 'failed' THEN {text} END"
            for each, text in zip(measures, told, strict=True)
        ]
        columns = ", ".join(f"{text} AS m{number}" for number, text in enumerate(asked))
        return f"SELECT arm, game, '' AS of, {columns} FROM games"
    well = f"seats ANTI JOIN ({_FAILED}) USING (arm, game)"
    of = f"CAST({group} AS VARCHAR)" if group else "''"
    if group in ("seat", "place"):
        columns = ", ".join(f"{text} AS m{number}" for number, text in enumerate(told))
        return f"SELECT arm, game, {of} AS of, {columns} FROM {well}"
    columns = ", ".join(f"avg({text}) AS m{number}" for number, text in enumerate(told))
    return f"SELECT arm, game, {of} AS of, {columns} FROM {well} GROUP BY ALL"


def _question(table: str, group: str, measures: Sequence[Measure], seconds: float) -> str:
    asked: list[str] = []
    for number, each in enumerate(measures):
        m = f"m{number}"
        asked += [f"count({m})", f"avg({m})", f"stddev_samp({m})", f"bool_and({m} IN (0, 1))"]
        wanted = list(QUANTILES)
        asked.append("NULL" if each.method == "share" else f"quantile_cont({m}, {wanted})")
    inner = answers(measures, table, group, seconds)
    return f"SELECT arm, of, {', '.join(asked)} FROM ({inner}) GROUP BY arm, of ORDER BY arm, of"


def _figure(measure: Measure, of: str, cells: Sequence[Any]) -> Figure | None:
    number, mean, deviation, whole, quantiles = cells
    if not number or (measure.group == "place" and of == "0"):
        return None
    spread = float(deviation or 0.0)
    if measure.method == "share":
        low, high = share_interval(mean, spread, number, bool(whole))
    else:
        low, high = mean_interval(mean, spread, number)
        if number < 2:
            low = high = mean
    told = tuple(map(tidy, quantiles or ()))
    return Figure(
        measure.name, of, tidy(mean), tidy(low), tidy(high), number, measure.unit, tidy(spread),
        told,
    )  # fmt: skip


def tidy(value: float) -> float:
    """Without the last digits, which hang on the order in which a database adds up."""
    return float(f"{value:.12g}")


# ---- what could be chosen


def uses(db: Any, arm: int) -> list[Use]:
    """Everything that could be chosen, with how much it changes the chance to win: corrected for
    all comparisons of the arm."""
    rows = db.execute(
        "SELECT bot, sort, name, words, offered, taken, takers, leavers, takers_won, leavers_won, "
        "change, error FROM uses WHERE arm = ?",
        [arm],
    ).fetchall()
    chances: dict[int, float] = {}
    for number, row in enumerate(rows):
        takers, leavers, change, error = row[6], row[7], row[10], row[11]
        if min(takers, leavers) >= _ENOUGH and change is not None and error:
            chances[number] = accident(change / error)
    fair = dict(zip(chances, corrected(list(chances.values())), strict=True))
    found: list[Use] = []
    for number, row in enumerate(rows):
        bot, sort, name, words, offered, taken, takers, leavers, *rest = row
        takers_won, leavers_won, change, error = rest
        is_compared = number in chances
        found.append(
            Use(
                bot, sort, name, words, offered, taken, takers, leavers,
                takers_won / takers if takers else None,
                leavers_won / leavers if leavers else None,
                change if is_compared else None,
                change - Z * error if is_compared else None,
                change + Z * error if is_compared else None,
                chances.get(number),
                fair.get(number),
            )
        )  # fmt: skip
    return found


def race(db: Any, arm: int) -> list[Race]:
    rows = db.execute(
        "SELECT round, winners, winners_score, others, others_score FROM race WHERE arm = ? "
        "ORDER BY round",
        [arm],
    ).fetchall()
    return [
        Race(number, winners, score / winners, rest / others if others else None)
        for number, winners, score, others, rest in rows
    ]


def openings(db: Any, arm: int) -> list[Opening]:
    """The most frequent ways to begin, of one, two and three choices."""
    found: list[Opening] = []
    for length in (1, 2, 3):
        path = ", ".join(f"first_{number + 1}" for number in range(length))
        rows = db.execute(
            f"SELECT {path}, count(*) AS games, avg(won) FROM games JOIN seats USING (arm, game) "
            "WHERE arm = ? AND seat = start AND outcome <> 'failed' "
            f"AND first_{length} IS NOT NULL "
            f"GROUP BY {path} ORDER BY games DESC, {path} LIMIT {_OPENINGS}",
            [arm],
        ).fetchall()
        found += [Opening(tuple(row[:length]), row[length], tidy(row[-1])) for row in rows]
    return found


# ---- what takes several arms


def worth(db: Any, arms: Sequence[Arm]) -> list[Worth]:
    """What restraints cost: every arm with one is compared with the same without it, game by
    game."""
    rows: list[tuple[Arm, int, float, float]] = []
    for arm in arms:
        if arm.restraint is None:
            continue
        base = next(each for each in arms if _is_base(each, arm))
        number, mean, deviation = db.execute(
            "SELECT count(*), avg(b.won - r.won), stddev_samp(b.won - r.won) FROM seats r "
            "JOIN seats b ON b.arm = ? AND b.game = r.game AND b.seat = r.seat "
            "WHERE r.arm = ? AND r.restrained",
            [base.number, arm.number],
        ).fetchone()
        if number > 1:
            rows.append((arm, number, mean, deviation))
    chances = [
        accident(mean / (spread / number**0.5)) if spread else 1.0
        for _, number, mean, spread in rows
    ]
    found: list[Worth] = []
    for (arm, number, mean, spread), chance, fair in zip(
        rows, chances, corrected(chances), strict=True
    ):
        low, high = map(tidy, mean_interval(mean, spread, number))
        restraint = arm.restraint
        assert restraint is not None
        found.append(
            Worth(
                arm.number, str(restraint), restraint.sort, restraint.name, number, tidy(mean),
                low, high, tidy(chance), tidy(fair),
            )
        )  # fmt: skip
    return sorted(found, key=lambda each: (-each.cost, each.restraint, each.arm))


def _is_base(base: Arm, arm: Arm) -> bool:
    return base.restraint is None and base.repeats == 1 and same_table(base, arm)


def same_table(one: Arm, other: Arm) -> bool:
    """Whether the same players play the same game."""
    return (one.players, one.options, one.settings, one.bots) == (
        other.players, other.options, other.settings, other.bots,
    )  # fmt: skip


def luck(db: Any, arms: Sequence[Arm]) -> list[Luck]:
    """The deal's part of what differs from game to game, where deals were played several times."""
    found: list[Luck] = []
    for arm in arms:
        if arm.repeats < 2 or len(set(arm.bots)) > 1:
            continue
        for of, column in (("wins", "won"), ("scores", "score")):
            deals, between, within = db.execute(
                f"WITH deals AS (SELECT seat, game // {arm.repeats} AS deal, "
                f"avg({column}) AS mean, var_samp({column}) AS apart, count(*) AS games FROM seats "
                f"ANTI JOIN ({_FAILED}) USING (arm, game) WHERE arm = {arm.number} GROUP BY ALL "
                f"HAVING games = {arm.repeats}), "
                "seats_ AS (SELECT count(*) AS deals, var_samp(mean) AS between_, "
                "avg(apart) AS within FROM deals GROUP BY seat) "
                "SELECT min(deals), avg(between_), avg(within) FROM seats_"
            ).fetchone()
            if deals and between is not None and within is not None:
                told = variance_share(deals, arm.repeats, between * arm.repeats, within)
                found.append(Luck(arm.number, of, deals, *map(tidy, told)))
    return found

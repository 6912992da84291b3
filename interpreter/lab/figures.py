"""Figures from rows: every measure is asked of every row in a few queries, and becomes a number
with an interval for each seat, place or bot, or for all."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy

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
_WELL = f"seats ANTI JOIN ({_FAILED}) USING (arm, game)"


def figures(
    db: Any, seconds: float, measures: Iterable[Measure] = MEASURES
) -> dict[int, list[Figure]]:
    """Of every arm. Measures of rows of one kind are asked together; what their answers come to is
    worked out here, because a database thinks longer about so many sums than it adds up."""
    kinds: dict[tuple[str, ...], list[Measure]] = {}
    for each in measures:
        kinds.setdefault(_columns(each), []).append(each)
    found: dict[int, dict[str, list[Figure]]] = {}
    for columns, several in kinds.items():
        for arm, figure in _figures(db, columns, several, seconds):
            found.setdefault(arm, {}).setdefault(figure.name, []).append(figure)
    order = [each.name for each in MEASURES]
    return {
        arm: [each for name in order for each in found[arm].get(name, ())] for arm in sorted(found)
    }


def _columns(measure: Measure) -> tuple[str, ...]:
    """What its answers are told apart by, or taken together."""
    if measure.table == "games":
        return ("outcome = 'failed' AS failed",)
    return ("seat", "place") if measure.group in ("seat", "place") else ("game", "bot")


def _figures(
    db: Any, columns: Sequence[str], measures: Sequence[Measure], seconds: float
) -> Iterator[tuple[int, Figure]]:
    rows, bots = _rows(db, columns, measures, seconds)
    for arm in numpy.unique(rows["arm"]).tolist():
        mine = rows["arm"] == arm
        own = rows if mine.all() else {name: each[mine] for name, each in rows.items()}
        for number, measure in enumerate(measures):
            for of, told in _told_apart(measure, own, own[f"m{number}"], bots):
                if len(told):
                    yield arm, _figure(measure, of, told)


def _rows(
    db: Any, columns: Sequence[str], measures: Sequence[Measure], seconds: float
) -> tuple[dict[str, Any], list[str]]:
    """Columns with a row for each game, or seat of a game: those named, and the answers of each
    measure, as `m0`, `m1`..., `nan` where there is none. And the names of bots, which are numbers
    there."""
    asked = ["arm", *columns]
    for number, text in enumerate(_asked(measures, seconds)):
        asked.append(f"{text} AS m{number}")
    table: str = measures[0].table
    names, given = [""], list[list[str]]()
    if table == "seats":
        (failed,) = db.execute(f"SELECT EXISTS ({_FAILED})").fetchone()
        table = _WELL if failed else table
    if "bot" in asked:
        (bots,) = db.execute("SELECT list(DISTINCT bot) FROM seats").fetchone()
        names = sorted(bots or names)
        number_of = "list_position(CAST(? AS VARCHAR[]), bot) - 1" if len(names) > 1 else "0"
        asked[asked.index("bot")] = f"CAST({number_of} AS INTEGER) AS bot"
        given = [names] if len(names) > 1 else []
    found: dict[str, Any] = db.execute(
        f"SELECT {', '.join(asked)} FROM {table}", given
    ).fetchnumpy()
    for name in (each for each in found if each.startswith("m")):
        found[name] = numpy.ma.filled(found[name].astype(numpy.float64), numpy.nan)
    return found, names


def _asked(measures: Sequence[Measure], seconds: float) -> list[str]:
    """The questions to one row, in SQL."""
    return [f"({each.answer.format(seconds=seconds)})" for each in measures]


def _told_apart(
    measure: Measure, rows: dict[str, Any], told: Any, bots: Sequence[str]
) -> Iterator[tuple[str, Any]]:
    """The answers of each seat, place or bot, or of all. A player may sit in several seats of a
    game: their answers are one, since they hang together."""
    there = ~numpy.isnan(told)
    if measure.table == "games":
        yield "", told[there if measure.failed else there & ~rows["failed"]]
    elif measure.group in ("seat", "place"):
        of = rows[measure.group]
        for number in range(1, int(of.max()) + 1):
            yield str(number), told[there & (of == number)]
    else:
        for number, name in enumerate(bots if measure.group == "bot" else [""]):
            mine = there & (rows["bot"] == number) if measure.group else there
            games = rows["game"][mine]
            times = numpy.bincount(games)
            total = numpy.bincount(games, weights=told[mine])
            yield name, total[times > 0] / times[times > 0]


def _figure(measure: Measure, of: str, told: Any) -> Figure:
    number, differ = len(told), bool((told != told[0]).any())
    mean = float(told.mean() if differ else told[0])
    spread = float(told.std(ddof=1)) if differ else 0.0
    quantiles: tuple[float, ...] = ()
    if measure.method == "share":
        low, high = share_interval(mean, spread, number, bool(((told == 0) | (told == 1)).all()))
    else:
        low, high = mean_interval(mean, spread, number) if number > 1 else (mean, mean)
        quantiles = tuple(numpy.quantile(told, QUANTILES).tolist())
    return Figure(
        measure.name, of, tidy(mean), tidy(low), tidy(high), number, measure.unit, tidy(spread),
        tuple(map(tidy, quantiles)),
    )  # fmt: skip


def answers(measures: Sequence[Measure], table: str, group: str, seconds: float) -> str:
    """A query with a row for each game and group, and columns `of` and `m0`, `m1`... of answers. A
    player may sit in several seats of a game: their answers are one, since they hang together."""
    told = _asked(measures, seconds)
    if table == "games":
        asked = [
            text if each.failed else f"CASE WHEN outcome <> 'failed' THEN {text} END"
            for each, text in zip(measures, told, strict=True)
        ]
        columns = ", ".join(f"{text} AS m{number}" for number, text in enumerate(asked))
        return f"SELECT arm, game, '' AS of, {columns} FROM games"
    of = f"CAST({group} AS VARCHAR)" if group else "''"
    if group in ("seat", "place"):
        columns = ", ".join(f"{text} AS m{number}" for number, text in enumerate(told))
        return f"SELECT arm, game, {of} AS of, {columns} FROM {_WELL}"
    columns = ", ".join(f"avg({text}) AS m{number}" for number, text in enumerate(told))
    return f"SELECT arm, game, {of} AS of, {columns} FROM {_WELL} GROUP BY ALL"


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
    path = "first_1, first_2, first_3"
    rows = db.execute(
        # `unused` has a bit for each choice that a row is not about.
        f"SELECT {path}, grouping({path}) AS unused, count(*) AS times, avg(won) "
        "FROM games JOIN seats USING (arm, game) "
        "WHERE arm = ? AND place = 1 AND outcome <> 'failed' AND first_1 IS NOT NULL "
        f"GROUP BY GROUPING SETS ((first_1), (first_1, first_2), ({path})) "
        "HAVING (unused & 2 > 0 OR first_2 IS NOT NULL) "
        "AND (unused & 1 > 0 OR first_3 IS NOT NULL) "
        f"QUALIFY row_number() OVER (PARTITION BY unused ORDER BY times DESC, {path}) "
        f"<= {_OPENINGS} ORDER BY unused DESC, times DESC, {path}",
        [arm],
    ).fetchall()
    return [
        Opening(tuple(each for each in row[:3] if each is not None), row[4], tidy(row[5]))
        for row in rows
    ]


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

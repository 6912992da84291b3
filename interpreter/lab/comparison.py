"""Two versions of the rules compared: the same games are played under both, from the same seeds, by
the same bots, and each figure is compared game by game. What varies from deal to deal is then the
same on both sides, so far fewer games tell a small difference.

One JSON document (schemas/comparison.schema.json) for the terminal, reports and programs.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Executor
from dataclasses import asdict, dataclass, replace
from typing import Any

from interpreter.lab.changes import Change, changes
from interpreter.lab.figures import answers
from interpreter.lab.gates import Tally, ratio
from interpreter.lab.intervals import accident, corrected, mean_interval
from interpreter.lab.measures import MEASURES, Measure
from interpreter.lab.parting import Parting, find_parting
from interpreter.lab.play import Part
from interpreter.lab.ready import Ready, read
from interpreter.lab.rows import add_arm, database, make_tables
from interpreter.lab.run import Progress, play_study
from interpreter.lab.spec import Study
from interpreter.lab.study import check_study
from interpreter.play import gathering as g

SCHEMA = "rulerun/comparison@1"
_ERROR = 0.05
# Games of an arm that are played side by side to see where they part: reference games are slow,
# and those between bots that think far more so.
_SHOWN_RANDOM, _SHOWN_THINKING = 12, 3


@dataclass(frozen=True, slots=True)
class Shift:
    """How a figure differs: its mean under each version, and the mean of the differences of single
    games with the interval in which the true one lies 95 % of the time."""

    name: str
    of: str
    unit: str
    old: float
    new: float
    shift: float
    low: float
    high: float
    games: int
    chance: float  # that there is so much difference, or more, by accident
    corrected: float  # the same for one of so many comparisons (Benjamini and Hochberg)


@dataclass(frozen=True, slots=True)
class UseShift:
    """Of the players who could choose something in a game, the part that did. The interval is made
    as if games were not the same, so it is rather too wide."""

    sort: str
    name: str
    words: str
    old_offered: int  # decisions
    new_offered: int
    old: float | None
    new: float | None
    shift: float | None
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class ArmComparison:
    title: str
    players: int
    bots: tuple[str, ...]
    games: int
    alike: int  # games that came out the same: as many moves, the same winners and scores
    shifts: tuple[Shift, ...]
    uses: tuple[UseShift, ...]
    partings: tuple[Parting, ...]  # of the first games that came out otherwise


@dataclass(frozen=True, slots=True)
class Comparison:
    title: str
    old: str  # what the versions are called
    new: str
    old_rules: str  # hashes
    new_rules: str
    seed: int
    games: int
    seconds: float
    complete: bool
    changes: tuple[Change, ...]
    arms: tuple[ArmComparison, ...]

    def as_data(self) -> dict[str, Any]:
        """JSON-ready, as described by schemas/comparison.schema.json."""
        ready: dict[str, Any] = json.loads(json.dumps({"schema": SCHEMA, **asdict(self)}))
        return ready


def compare(
    studies: tuple[Study, Study],
    names: tuple[str, str],
    *,
    workers: int = 1,
    pool: Executor | None = None,
    tell: Callable[[Progress], None] = lambda progress: None,
    shown: int | None = None,
) -> Comparison:
    """Both have the same players, bots, games and seed. Raises as `check_study` does."""
    ready = check_study(studies[0]), check_study(studies[1])
    played: list[Progress] = [Progress(each, each.arms()) for each in studies]
    complete = True
    try:
        for number, study in enumerate(studies):

            def listen(progress: Progress, number: int = number) -> None:
                played[number] = progress
                tell(progress)

            play_study(study, study.arms(), workers=workers, pool=pool, tell=listen)
    except KeyboardInterrupt:
        complete = False
    rules = [read(each.rules, each.settings) for each in studies]
    arms = [
        _compare_arm(studies, pair, [each.parts.get(number, []) for each in played], shown)
        for number, pair in enumerate(zip(*ready, strict=True))
    ]
    return Comparison(
        rules[1].title, *names, rules[0].hash, rules[1].hash, studies[1].seed, studies[1].games,
        studies[1].seconds, complete, tuple(changes(*rules)), tuple(arms),
    )  # fmt: skip


def _compare_arm(
    studies: tuple[Study, Study],
    ready: tuple[Ready, Ready],
    parts: Sequence[Sequence[Part]],
    shown: int | None,
) -> ArmComparison:
    db = database()
    make_tables(db)
    for number, (study, each, several) in enumerate(zip(studies, ready, parts, strict=True)):
        own = Ready(each.game, replace(each.arm, number=number))
        add_arm(db, study, own, each.game.rules_hash, several)
    arm = ready[1].arm
    most = _SHOWN_RANDOM if arm.is_random else _SHOWN_THINKING
    games, differing = _differing(db)
    looked = differing[: most if shown is None else shown]
    found = [find_parting(*ready, studies[1].seed, number) for number in looked]
    return ArmComparison(
        arm.title,
        arm.players,
        arm.bots,
        games,
        games - len(differing),
        tuple(_shifts(db, studies[1].seconds)),
        tuple(_uses(ready, parts)),
        tuple(each for each in found if each is not None),
    )


def _differing(db: Any) -> tuple[int, list[int]]:
    """How many games there are on both sides, and the numbers of those that came out otherwise."""
    scores = "SELECT arm, game, list(score ORDER BY seat) AS scores FROM seats GROUP BY ALL"
    told = f"SELECT * FROM games JOIN ({scores}) USING (arm, game) WHERE arm = "
    kept = "(outcome, winners, moves, forced, offered, scores)"
    rows = db.execute(
        f"SELECT game, {kept.replace('(', '(a.').replace(', ', ', a.')} IS DISTINCT FROM "
        f"{kept.replace('(', '(b.').replace(', ', ', b.')} "
        f"FROM ({told} 0) a JOIN ({told} 1) b USING (game) ORDER BY game"
    ).fetchall()
    return len(rows), [game for game, is_other in rows if is_other]


# ---- figures


def _shifts(db: Any, seconds: float) -> list[Shift]:
    kinds: dict[tuple[str, str], list[Measure]] = {}
    for each in MEASURES:
        kinds.setdefault((each.table, each.group), []).append(each)
    found: list[Shift] = []
    for (table, group), several in kinds.items():
        inner = answers(several, table, group, seconds)
        asked = []
        for number in range(len(several)):
            both = f"a.m{number} IS NOT NULL AND b.m{number} IS NOT NULL"
            difference = f"CAST(b.m{number} AS DOUBLE) - a.m{number}"
            asked += [
                f"count(*) FILTER ({both})", f"avg(a.m{number}) FILTER ({both})",
                f"avg(b.m{number}) FILTER ({both})", f"stddev_samp({difference})",
            ]  # fmt: skip
        rows = db.execute(
            f"WITH t AS ({inner}) SELECT a.of, {', '.join(asked)} FROM t a JOIN t b "
            "ON a.arm = 0 AND b.arm = 1 AND a.game = b.game AND a.of = b.of "
            "GROUP BY a.of ORDER BY a.of"
        ).fetchall()
        for of, *cells in rows:
            for number, measure in enumerate(several):
                shift = _shift(measure, of, cells[4 * number : 4 * number + 4])
                if shift is not None:
                    found.append(shift)
    order = {each.name: number for number, each in enumerate(MEASURES)}
    found.sort(key=lambda each: (order[each.name], each.of))
    fair = corrected([each.chance for each in found])
    return [replace(each, corrected=chance) for each, chance in zip(found, fair, strict=True)]


def _shift(measure: Measure, of: str, cells: Sequence[Any]) -> Shift | None:
    games, old, new, deviation = cells
    if not games or (measure.group == "place" and of == "0"):
        return None
    moved, spread = new - old, deviation or 0.0
    low, high = mean_interval(moved, spread, games) if games > 1 else (moved, moved)
    error = spread / math.sqrt(games)
    chance = accident(moved / error) if error else float(moved == 0)
    return Shift(
        measure.name, of, measure.unit, float(old), float(new), float(moved), float(low),
        float(high), games, chance, chance,
    )  # fmt: skip


# ---- what was chosen


def _uses(ready: tuple[Ready, Ready], parts: Sequence[Sequence[Part]]) -> Iterable[UseShift]:
    tallies = [_tallies(each, several) for each, several in zip(ready, parts, strict=True)]
    old, new = tallies
    for sort, name, words in {**old, **new}:
        key = sort, name, words
        before, after = old.get(key, Tally()), new.get(key, Tally())
        if not before.offered and not after.offered:
            continue
        parts_ = [ratio(each, _ERROR) for each in (before, after)]
        (p, (p_low, p_high)), (q, (q_low, q_high)) = parts_
        is_known = not math.isnan(p) and not math.isnan(q)
        half = math.hypot(p_high - p_low, q_high - q_low) / 2
        yield UseShift(
            sort, name, words, before.offered, after.offered,
            None if math.isnan(p) else p, None if math.isnan(q) else q,
            q - p if is_known else None, q - p - half if is_known else None,
            q - p + half if is_known else None,
        )  # fmt: skip


def _tallies(ready: Ready, parts: Sequence[Part]) -> dict[tuple[str, str, str], Tally]:
    columns = (g.U_OFFERED, g.U_TAKEN, g.U_GAMES, g.U_T, g.U_N, g.U_TT, g.U_NN, g.U_TN)
    rows = [uses for part in parts for uses in part.uses.values()]
    return {
        (each.sort, each.name, each.words): Tally(
            *(sum(uses[number * g.USE_WIDTH + column] for uses in rows) for column in columns)
        )
        for number, each in enumerate(ready.things)
    }

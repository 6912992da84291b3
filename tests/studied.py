"""Studies that nobody played, for tests of reports: tables made up by chance, of any size, and the
findings that go with them. Names in them are as hostile as names can be."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import duckdb

from interpreter.lab.findings import (
    ArmFindings,
    Board,
    Cell,
    Clause,
    Figure,
    Findings,
    Luck,
    Opening,
    Race,
    Remark,
    Use,
    Worth,
)
from interpreter.lab.measures import MEASURES
from interpreter.lab.spec import Manifest, Restraint, Study

HOSTILE = "<script>alert(\"1\")</script> & 'quoted' \u202ereversed\x00"
_CARDS = ("Lamp", "Winch of the Deep North", "Claims Lawyer", "Second-hand Pump", "Dynamite",
          "Mule", "Old Map", "Sluice", "Gold Pan", "Rope", "Shovel", "Lantern Oil")  # fmt: skip
_ACTIONS = ("dig", "buy", "hire", "sell", "research", "pass")


def study(folder: Path, games: int = 400, sweep: bool = False, seed: int = 1) -> Findings:
    """A folder with the tables, study.json and findings.json of a made-up study."""
    told = Study(
        "made/up.rules",
        (3,),
        games,
        seed,
        bots=("best", "random", "random"),
        vary=(("startMoney", ("6000", "8000", "10000")), ("cards", ("4", "5"))) if sweep else (),
        restraints=() if sweep else (Restraint("never", "action", "research"),),
    )
    arms = told.arms()
    manifest = Manifest(
        told, "Made up", "0" * 64, arms, ("1" * 64,) * len(arms), (games,) * len(arms), "0", True
    )
    folder.mkdir(parents=True, exist_ok=True)
    _write(folder / "study.json", manifest.as_data())
    with duckdb.connect() as base:
        base.execute(f"SELECT setseed({(seed % 89) / 97})")
        base.execute("SET threads = 1")
        _tables(base, games, len(arms), folder)
        every = tuple(_arm(base, arm.number, arm.title, arm.players, arm.bots) for arm in arms)
    findings = Findings(
        "Made up <em>game</em>", "made/up.rules", seed, 12.0, True, every, _worth(),
        (Luck(0, "wins", 200, 0.31, 0.22, 0.41),),
        (Clause("MU-07", f"Whoever {HOSTILE} pays twice."),), 20, (_board("hex"), _board("square")),
    )  # fmt: skip
    _write(folder / "findings.json", findings.as_data())
    return findings


def _write(path: Path, data: dict[str, Any]) -> None:
    path.write_text(json.dumps(data, ensure_ascii=False), encoding="utf-8")


def _tables(base: duckdb.DuckDBPyConnection, games: int, arms: int, folder: Path) -> None:
    """Seat 1 wins rather often; games have 8 to 16 rounds, and a few have no end."""
    base.execute(
        f"""
        CREATE TABLE games AS SELECT *, CAST(rounds * 7 + random() * 25 AS INTEGER) AS moves,
          CASE outcome WHEN 'won' THEN 1 << (winner - 1) WHEN 'shared' THEN 3 ELSE 0 END AS winners
        FROM (SELECT arm, game, CAST(8 + random() * 4 + random() * 4 + arm AS INTEGER) AS rounds,
          CASE WHEN r < 0.4 THEN 1 WHEN r < 0.7 THEN 2 ELSE 3 END AS winner,
          CASE WHEN t < 0.9 THEN 'won' WHEN t < 0.95 THEN 'shared'
            WHEN t < 0.99 THEN 'nobody' ELSE 'failed' END AS outcome
          FROM (SELECT arm, game, random() AS r, random() AS t
            FROM range({arms}) AS a(arm), range({games}) AS g(game)))"""
    )
    base.execute(
        """
        CREATE OR REPLACE TABLE games AS SELECT arm::INTEGER AS arm, game::INTEGER AS game,
          (game * 7919)::BIGINT AS seed, (game * 7919)::BIGINT AS choice_seed, 'aa' AS rules,
          3 AS players, '' AS options, '' AS settings, 'best,random,random' AS bots,
          '' AS restraint, 0 AS restrained, outcome, winners::INTEGER AS winners,
          CASE WHEN outcome = 'failed' THEN 'RR615' END AS failure, (1 + game % 3)::INTEGER
          AS start, moves, (moves // 4)::INTEGER AS sealed, 5 AS forced, rounds,
          (moves * 6)::BIGINT AS offered, 14 AS widest, CAST(random() * 5 AS INTEGER) AS leads,
          CAST(moves * random() AS INTEGER) AS lead_since,
          (1 << CAST(floor(random() * 3) AS INTEGER))::INTEGER AS lead_1,
          CASE WHEN random() < 0.5 THEN winners::INTEGER ELSE 2 END AS lead_2,
          CASE WHEN random() < 0.8 THEN winners::INTEGER ELSE 4 END AS lead_3,
          CASE WHEN outcome = 'won' THEN CAST(random() * 20 AS INTEGER) END AS margin,
          NULL::INTEGER AS repeated, 'dig' AS first_1, 'buy' AS first_2, 'pass' AS first_3
        FROM games"""
    )
    base.execute(
        """
        CREATE TABLE seats AS SELECT arm, game, s::INTEGER AS seat,
          (1 + (s - start + 3) % 3)::INTEGER AS place, CASE WHEN (s + game) % 3 = 0 THEN 'best'
          ELSE 'random' END AS bot, false AS restrained,
          CASE WHEN outcome = 'failed' OR outcome = 'nobody' THEN 1 / 3.0
            WHEN winners & (1 << (s - 1)) <> 0 THEN 1.0 / bit_count(winners) ELSE 0 END AS won,
          CAST(30 + 20 * random() + 8 * (winners & (1 << (s - 1)) <> 0)::INT AS BIGINT) AS score,
          moves // 3 AS moves, offered // 3 AS offered, 10 AS judged,
          CAST(random() * 4 AS INTEGER) AS alike
        FROM games, range(1, 4) AS n(s)"""
    )
    for name in ("games", "seats"):
        base.execute(f"COPY {name} TO '{folder / name}.parquet' (FORMAT parquet)")


def _arm(
    base: duckdb.DuckDBPyConnection, number: int, title: str, players: int, bots: tuple[str, ...]
) -> ArmFindings:
    figures = tuple(figure for measure in MEASURES for figure in _figures(base, number, measure))
    games = base.execute("SELECT count(*) FROM games WHERE arm = ?", [number]).fetchone()
    assert games is not None
    return ArmFindings(
        number, title, players, bots, games[0], "1" * 64, figures, _uses(number),
        tuple(Race(n, 400 if n < 9 else 400 >> (n - 8), 3.0 * n, 2.4 * n) for n in range(1, 15)),
        _openings(), _remarks(),
    )  # fmt: skip


def _figures(base: duckdb.DuckDBPyConnection, arm: int, measure: Any) -> list[Figure]:
    answer = measure.answer.replace("{seconds}", "12.0")
    group = measure.group or "''"
    failed = "" if measure.failed or measure.table == "seats" else "AND outcome <> 'failed'"
    rows = base.execute(
        f"SELECT {group} AS g, avg(v), coalesce(stddev_samp(v), 0), count(v), "
        "quantile_cont(v, [0.05, 0.25, 0.5, 0.75, 0.95]) FROM "
        f"(SELECT *, ({answer})::DOUBLE AS v FROM {measure.table} WHERE arm = ? {failed}) "
        "WHERE v IS NOT NULL GROUP BY g ORDER BY g",
        [arm],
    ).fetchall()
    found = []
    for of, mean, deviation, count, quantiles in rows:
        half = 1.96 * deviation / math.sqrt(count)
        told = () if measure.unit == "share" else tuple(quantiles)
        found.append(Figure(measure.name, str(of), mean, mean - half, mean + half, count,
                            measure.unit, deviation, told))  # fmt: skip
    return found


def _uses(arm: int) -> tuple[Use, ...]:
    found = []
    for number, name in enumerate((*_ACTIONS, *_CARDS, HOSTILE)):
        sort = "action" if name in _ACTIONS else "Card"
        for bot in ("best", "random"):
            offered = 0 if name == "Rope" else 3000 - 130 * number
            taken = 0 if name == "Shovel" and bot == "best" else offered * (number % 7 + 1) // 9
            change = 0.16 - 0.018 * number + 0.01 * arm if taken else None
            low, high = (None, None) if change is None else (change - 0.05, change + 0.05)
            chance = None if change is None else (0.001 if abs(change) > 0.05 else 0.4)
            found.append(
                Use(bot, sort, name, "" if sort == "action" else name, offered, taken, taken // 3,
                    offered // 3, 0.4 if taken else None, 0.3 if taken else None, change, low, high,
                    chance, chance)
            )  # fmt: skip
    for cell in _board("hex").cells:
        taken = (ord(cell.name[0]) * 31 + int(cell.name[1:]) * 17) % 97
        found.append(
            Use("best", "Field", cell.name, cell.label, taken * 3 if taken > 10 else 0,
                taken if taken > 10 else 0, 20, 20, None, None, None, None, None, None, None)
        )  # fmt: skip
    return tuple(found)


def _board(shape: str) -> Board:
    wide = 9
    cells = [
        Cell(f"{'abcdefg'[y]}{x + 1}", f"{'abcdefg'[y]}{x + 1}",
             x + (y % 2) / 2 if shape == "hex" else x, y * 0.866 if shape == "hex" else y)
        for y in range(7) for x in range(wide)
    ]  # fmt: skip
    return Board("Field" if shape == "hex" else "Unused", shape, tuple(cells))


def _openings() -> tuple[Opening, ...]:
    found = []
    for a, first in enumerate((*_ACTIONS, HOSTILE)):
        for b, second in enumerate(_ACTIONS):
            for c, third in enumerate(_CARDS):
                games = 90 // ((a + 1) * (b + 1) * (c + 1))
                if games:
                    won = max(0.0, min(1.0, 0.45 - 0.06 * a))
                    found.append(Opening((first, second, f"take the {third}"), games, won))
    return tuple(found)


def _worth() -> tuple[Worth, ...]:
    return tuple(
        Worth(f"never action={name}", "action", name, 400, 0.12 - 0.05 * n, 0.08 - 0.05 * n,
              0.16 - 0.05 * n, 0.01, 0.02)
        for n, name in enumerate(_ACTIONS)
    )  # fmt: skip


def _remarks() -> tuple[Remark, ...]:
    return (
        Remark("seat advantage", "seat 1", "Seat 1 wins 39 % ±2.4; fair is 33 %."),
        Remark("endless games", "games", "1 % of the games had no end and were cut off."),
        Remark("never offered", "card Rope", "Rope was never offered in 400 games."),
        Remark("never taken", f"card {HOSTILE}", f"best never took {HOSTILE}."),
        *(Remark("too weak", f"card {name}", f"Who takes {name} wins less.") for name in _CARDS),
        Remark("small sample", "wins", "±2.4 points; 5,800 games are needed to see 1."),
    )

"""Studies that nobody played, for tests of reports: tables made up by chance, of any size, and the
findings that go with them. Names in them are as hostile as names can be."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from interpreter.lab.columns import TABLES
from interpreter.lab.findings import Board, Cell, Clause, Findings, Luck
from interpreter.lab.idle import Idle
from interpreter.lab.rows import database, make_tables, write_tables
from interpreter.lab.spec import Manifest, Restraint, Study
from interpreter.lab.study import find

HOSTILE = "<script>alert(\"1\")</script> & 'quoted' \u202ereversed\x00"
_CARDS = ("Lamp", "Winch of the Deep North", "Claims Lawyer", "Second-hand Pump", "Dynamite",
          "Mule", "Old Map", "Sluice", "Gold Pan", "Rope", "Shovel", "Lantern Oil")  # fmt: skip
_ACTIONS = ("dig", "buy", "hire", "sell", "research", "pass")
_FIRST = (*_ACTIONS, HOSTILE)


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
    title, hashes = f"Made up {HOSTILE}", ("1" * 64,) * len(arms)
    manifest = Manifest(told, title, "0" * 64, arms, hashes, (games,) * len(arms), "0", True)
    folder.mkdir(parents=True, exist_ok=True)
    _write(folder / "study.json", manifest.as_data())
    with database() as base:
        make_tables(base)
        base.execute(f"SELECT setseed({(seed % 89) / 97})")
        _fill(base, games, len(arms))
        write_tables(base, folder)
        found = find(
            base,
            manifest,
            {0: {HOSTILE: 3}},
            Idle(
                20,
                (Clause("MU-07", f"Whoever {HOSTILE} pays twice."),),
                (Clause("sleeps", f"instead of {HOSTILE} (line 7)"),),
            ),
            [_board("hex"), _board("square")],
        )
    found = replace(found, luck=(Luck(0, "wins", 200, 0.31, 0.22, 0.41),))
    _write(folder / "findings.json", found.as_data())
    return found


def _write(path: Path, data: dict[str, Any]) -> None:
    path.write_text(json.dumps(data, ensure_ascii=False), encoding="utf-8")


def _fill(base: Any, games: int, arms: int) -> None:
    """Seat 1 wins rather often; games have 8 to 16 rounds, and a few have no end."""
    columns = ", ".join(each.name for each in TABLES["games"])
    base.execute(
        f"""
        INSERT INTO games SELECT {columns} FROM (SELECT *, game * 7919 AS seed,
          game * 7919 AS choice_seed, 'aa' AS rules, 3 AS players, '' AS options, '' AS settings,
          'best,random,random' AS bots, '' AS restraint, 0 AS restrained,
          CASE WHEN outcome = 'failed' THEN 'RR615' END AS failure, 1 + game % 3 AS start,
          moves // 4 AS sealed, 5 AS forced, moves * 6 AS offered, 14 AS widest,
          CAST(random() * 5 AS INTEGER) AS leads, CAST(moves * random() AS INTEGER) AS lead_since,
          1 << CAST(floor(random() * 3) AS INTEGER) AS lead_1,
          CASE WHEN random() < 0.5 THEN winners ELSE 2 END AS lead_2,
          CASE WHEN random() < 0.8 THEN winners ELSE 4 END AS lead_3,
          CASE WHEN outcome = 'won' THEN CAST(random() * 20 AS INTEGER) END AS margin,
          2 AS favourites, moves // 2 AS favourite_since, NULL AS repeated,
          {_drawn(_FIRST)} AS first_1, {_drawn(_FIRST)} AS first_2,
          {_drawn(_CARDS)} AS first_3
        FROM (SELECT *, CAST(rounds * 7 + random() * 25 AS INTEGER) AS moves,
          CASE outcome WHEN 'won' THEN 1 << (winner - 1) WHEN 'shared' THEN 3 ELSE 0 END AS winners
        FROM (SELECT arm, game, CAST(8 + random() * 4 + random() * 4 + arm AS INTEGER) AS rounds,
          CASE WHEN r < 0.4 THEN 1 WHEN r < 0.7 THEN 2 ELSE 3 END AS winner,
          CASE WHEN t < 0.9 THEN 'won' WHEN t < 0.95 THEN 'shared'
            WHEN t < 0.99 THEN 'nobody' ELSE 'failed' END AS outcome
          FROM (SELECT arm, game, random() AS r, random() AS t
            FROM range({arms}) AS a(arm), range({games}) AS g(game)))))"""
    )
    base.execute(
        """
        INSERT INTO seats SELECT arm, game, s, 1 + (s - start + 3) % 3, CASE WHEN (s + game) % 3 = 0
            THEN 'best' ELSE 'random' END, arm = 1 AND (s + game) % 3 = 0,
          CASE WHEN outcome = 'failed' OR outcome = 'nobody' THEN 1 / 3.0
            WHEN winners & (1 << (s - 1)) <> 0 THEN 1.0 / bit_count(winners) ELSE 0 END,
          CAST(30 + 20 * random() + 8 * (winners & (1 << (s - 1)) <> 0)::INT AS BIGINT),
          moves // 3, offered // 3, 10, CAST(random() * 4 AS INTEGER)
        FROM games, range(1, 4) AS n(s)"""
    )
    for arm in range(arms):
        base.executemany(
            f"INSERT INTO uses VALUES ({', '.join('?' * len(TABLES['uses']))})", _uses(arm)
        )
        base.executemany(
            "INSERT INTO race VALUES (?, ?, ?, ?, ?, ?)",
            [(arm, n, c := 400 if n < 9 else 400 >> (n - 8), c * 3 * n, c, c * 2 * n)
             for n in range(1, 15)],
        )  # fmt: skip


def _drawn(texts: Sequence[str]) -> str:
    """SQL that draws one of the texts, the first of them most often."""
    quoted = ", ".join("'" + each.replace("'", "''").replace("\x00", "") + "'" for each in texts)
    return f"[{quoted}][1 + CAST(floor(random() * random() * {len(texts)}) AS INTEGER)]"


def _uses(arm: int) -> list[tuple[Any, ...]]:
    found: list[tuple[Any, ...]] = []
    for number, name in enumerate((*_ACTIONS, *_CARDS, HOSTILE)):
        sort = "action" if name in _ACTIONS else "Card"
        for bot in ("best", "random"):
            offered = 0 if name == "Rope" else 3000 - 130 * number
            taken = 0 if name == "Shovel" and bot == "best" else offered * (number % 7 + 1) // 9
            takers, leavers = taken // 3, (offered - taken) // 3
            change = 0.16 - 0.018 * number + 0.01 * arm if taken else None
            won = takers * 0.4, leavers * 0.3
            found.append((arm, bot, sort, name, name, offered, taken, 400, takers, leavers, *won,
                          change, 0.025 if taken else None))  # fmt: skip
    for cell in _board("hex").cells:
        taken = (ord(cell.name[0]) * 31 + int(cell.name[1:]) * 17) % 97
        taken = taken if taken > 10 else 0
        found.append((arm, "best", "Field", cell.name, cell.label, 3 * taken, taken, 400,
                      taken // 3, taken // 3, 5.0, 5.0, None, None))  # fmt: skip
    return found


def _board(shape: str) -> Board:
    wide = 9
    cells = [
        Cell(f"{'abcdefg'[y]}{x + 1}", f"{'abcdefg'[y]}{x + 1}",
             x + (y % 2) / 2 if shape == "hex" else x, y * 0.866 if shape == "hex" else y)
        for y in range(7) for x in range(wide)
    ]  # fmt: skip
    return Board("Field" if shape == "hex" else "Unused", shape, tuple(cells))


def comparison() -> dict[str, Any]:
    """A document as `rulerun compare --json` gives."""
    shifts = [
        {"name": name, "of": of, "unit": unit, "old": old, "new": old + shift, "shift": shift,
         "low": shift - error, "high": shift + error, "games": 400, "chance": chance,
         "corrected": chance}
        for name, of, unit, old, shift, error, chance in (
            ("wins", "1", "share", 0.4, -0.06, 0.02, 0.001),
            ("wins", "2", "share", 0.3, 0.03, 0.04, 0.3),
            ("minutes", "", "minutes", 40.0, 6.5, 1.2, 0.0001),
            ("margin", "", "score", 8.0, 0.0, 0.0, 1.0),
        )
    ]  # fmt: skip
    uses = [
        {"sort": sort, "name": name, "words": name, "old_offered": 90, "new_offered": 80,
         "old": 0.3, "new": 0.3 + shift, "shift": shift, "low": shift - 0.04, "high": shift + 0.04}
        for sort, name, shift in (("action", "dig", 0.1), ("Card", HOSTILE, -0.2), ("Card", "x", 0))
    ]  # fmt: skip
    uses.append({**uses[0], "name": "new", "words": "", "old_offered": 0, "old": None,
                 "shift": None, "low": None, "high": None})  # fmt: skip
    change = {"kind": "changed", "sort": "constant", "name": "bidStep", "old": ["= 1"],
              "new": [f"= 2 {HOSTILE}"], "file": "a/b.rules", "line": 14}  # fmt: skip
    parting = {"game": 3, "seed": 77, "decision": 12, "seat": 2, "old_file": "a.rules",
               "old_line": 4, "new_file": "b.rules", "new_line": 5, "words": [HOSTILE]}  # fmt: skip
    arm = {"title": "3 players", "players": 3, "bots": ["random"], "games": 400, "alike": 120,
           "shifts": shifts, "uses": uses, "partings": [parting] * 5}  # fmt: skip
    return {
        "schema": "rulerun/comparison@1", "title": "Made up", "old": "a.rules", "new": HOSTILE,
        "old_rules": "0" * 32, "new_rules": "1" * 32, "seed": 1, "games": 400, "seconds": 12.0,
        "complete": False, "changes": [change] * 15, "arms": [arm],
    }  # fmt: skip

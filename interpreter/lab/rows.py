"""The tables of a study in a database: made from parts, written to files, read from them.

What is the same for a whole arm, and texts that come again and again, are put in by the database;
the rest goes there as columns of numbers. So a million rows take seconds, and the files are the
same to the byte whoever played the games.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any
from weakref import finalize

import duckdb
import numpy

from interpreter.bots.match import seating
from interpreter.lab.columns import TABLES
from interpreter.lab.play import Part, row_width
from interpreter.lab.ready import Ready
from interpreter.lab.seeds import many_seeds, mixed
from interpreter.lab.spec import Arm, Study
from interpreter.play import gathering as g
from interpreter.play.failure import CODES
from interpreter.play.guided import WHOLE

Rows = Any  # numpy arrays have no types that are worth telling
MEMORY = "700MB"  # for the database; what does not fit goes to disk


_numbers_of_databases = count(1)


@cache
def _engine(threads: int) -> Any:
    """What all databases of a process share: to begin takes it longer than to answer."""
    found = duckdb.connect(":memory:", config={"memory_limit": MEMORY, "threads": threads})
    found.execute("SET enable_progress_bar = false")  # it would be drawn among the results
    return found


def database(threads: int = 1) -> Any:
    """An empty one, in memory, that goes when nobody has it any more. With one thread, files are
    the same to the byte."""
    engine, name = _engine(threads), f"tables_{next(_numbers_of_databases)}"
    found = engine.cursor()
    found.execute(f"ATTACH ':memory:' AS {name}")
    found.execute(f"USE {name}")
    finalize(found, engine.execute, f"DETACH {name}").atexit = False
    return found


def make_tables(db: Any) -> None:
    for name, columns in TABLES.items():
        told = ", ".join(f'"{each.name}" {each.sort}' for each in columns)
        db.execute(f"CREATE TABLE {name} ({told})")


def add_arm(db: Any, study: Study, ready: Ready, hash_: str, parts: Iterable[Part]) -> int:
    """The rows of an arm, from its parts in the order of their games; how many games there were."""
    parts = list(parts)
    arm = ready.arm
    numbers = numpy.concatenate(
        [numpy.arange(each.chunk.first, each.chunk.end) for each in parts] or [_none()]
    )
    rows = numpy.concatenate(
        [numpy.frombuffer(each.games, dtype=numpy.int64) for each in parts] or [_none()]
    ).reshape(len(numbers), row_width(arm.players))
    rows = numpy.asfortranarray(rows)  # what is read from now on is columns
    _add_games(db, study, ready, hash_, numbers, rows)
    _add_seats(db, arm, numbers, rows, ready.game.program.winners >= 0)
    for bot in dict.fromkeys(arm.bots):
        _add_uses(db, ready, bot, sum(numpy.asarray(each.uses[bot]) for each in parts))
    _add_race(db, arm, sum(numpy.asarray(each.race) for each in parts))
    _add_decisions(db, arm, parts)
    return len(numbers)


def _none() -> Rows:
    return numpy.zeros(0, dtype=numpy.int64)


Lists = dict[str, list[str]]


def _insert(
    db: Any, table: str, columns: dict[str, Rows], words: dict[str, str], lists: Lists
) -> None:
    """Columns as numbers, in `words` SQL for those that are worked out from them, and in `lists`
    texts that this chooses from."""
    db.register("given", columns)
    values = [words.get(each.name, f"CAST({each.name} AS {each.sort})") for each in TABLES[table]]
    db.execute(f"INSERT INTO {table} SELECT {', '.join(values)} FROM given", lists)
    db.unregister("given")


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _listed(lists: Lists, name: str, texts: Sequence[str], index: str) -> str:
    """One of several texts by its number, from 0. The texts go beside the question, since to read
    them in SQL takes longer than to choose."""
    if len(texts) == 1:
        return _quoted(texts[0])
    lists[name] = list(texts)
    return f"list_extract(${name}, CAST({index} AS INTEGER) + 1)"


def _add_games(db: Any, study: Study, ready: Ready, hash_: str, numbers: Rows, rows: Rows) -> None:
    arm = ready.arm
    seeds = many_seeds(study.seed, numbers, arm.repeats)
    columns: dict[str, Rows] = {
        "game": numbers, "seed": seeds[0], "choice_seed": seeds[1],
        "error": rows[:, g.G_ERROR], "winners": rows[:, g.G_WINNERS], "start": rows[:, g.G_START],
        "moves": rows[:, g.G_MOVES], "sealed": rows[:, g.G_SEALED], "forced": rows[:, g.G_FORCED],
        "rounds": rows[:, g.G_ROUNDS], "offered": rows[:, g.G_OFFERED],
        "widest": rows[:, g.G_WIDEST], "leads": rows[:, g.G_LEADS],
        "lead_since": rows[:, g.G_LEAD_SINCE], "lead_1": rows[:, g.G_LEAD_1],
        "lead_2": rows[:, g.G_LEAD_2], "lead_3": rows[:, g.G_LEAD_3],
        "favourites": rows[:, g.G_FAVOURITES], "favourite_since": rows[:, g.G_FAVOURITE_SINCE],
        "repeated": rows[:, g.G_REPEATED], "margin": _margins(arm, rows),
    }  # fmt: skip
    lists: Lists = {}
    seats = (1 << arm.players) - 1
    won = f"bit_count(winners & {seats})"
    words = {
        "arm": str(arm.number),
        "rules": _quoted(hash_),
        "players": str(arm.players),
        "options": _quoted(" ".join(f"{n}={v}" for n, v in ready.game.options.items())),
        "settings": _quoted(" ".join(arm.settings)),
        "bots": _bots(lists, arm),
        "restraint": _quoted(str(arm.restraint or "")),
        "restrained": f"1 + game % {arm.players}" if arm.restraint else "0",
        "outcome": "CASE WHEN error > 0 THEN 'failed' WHEN winners = 0 THEN 'nobody' "
        f"WHEN {won} > 1 THEN 'shared' ELSE 'won' END",
        "failure": f"CASE WHEN error > 0 THEN {_listed(lists, 'codes', CODES, 'error - 1')} END",
        "margin": "NULLIF(margin, -1)",
    }
    for name in (
        "leads", "lead_since", "lead_1", "lead_2", "lead_3", "repeated", "favourites",
        "favourite_since",
    ):  # fmt: skip
        words[name] = f"NULLIF({name}, {g.UNKNOWN})"
    for number in range(g.OPENING):
        start = g.G_OPENING + number * g.OPENING_WIDTH
        told = rows[:, start : start + g.OPENING_WIDTH]
        key = numpy.zeros(len(rows), dtype=numpy.uint64)
        for column in range(g.OPENING_WIDTH):  # one number for five is quicker to sort
            key = mixed(key, told[:, column].astype(numpy.uint64))
        _, first, index = numpy.unique(key, return_index=True, return_inverse=True)
        texts = [_opening(ready, [int(part) for part in told[each]]) for each in first]
        columns[f"first_{number + 1}"] = index
        name = f"first_{number + 1}"
        words[name] = f"NULLIF({_listed(lists, name, texts, name)}, '')" if texts else "NULL"
    _insert(db, "games", columns, words, lists)


def _bots(lists: Lists, arm: Arm) -> str:
    tables = [",".join(seating(arm.bots, number)) for number in range(arm.players)]
    few = tables if len(set(tables)) > 1 else tables[:1]
    return _listed(lists, "bots", few, f"game % {arm.players}")


def _opening(ready: Ready, told: list[int]) -> str:
    """A choice in words: `buy lamp, 3`."""
    if told[0] < 0:
        return ""
    parts = [
        "hidden" if part == g.HIDDEN
        else str(part - g.NUMBERS) if part >= g.NUMBERS // 2
        else ready.things[part].words
        for part in told[1:]
        if part != g.NOTHING
    ]  # fmt: skip
    name = ready.things[told[0]].words
    return f"{name} {', '.join(parts)}" if parts else name


def _margins(arm: Arm, rows: Rows) -> Rows:
    """How far the score of the only winner is from the best other one; -1 if there is none."""
    scores = rows[:, g.GAME_WIDTH + g.S_SCORE :: g.SEAT_WIDTH]
    found = numpy.full(len(rows), -1, dtype=numpy.int64)
    if arm.players < 2:
        return found
    low = numpy.iinfo(numpy.int64).min
    for seat in range(arm.players):
        mine = (rows[:, g.G_WINNERS] == 1 << seat) & (rows[:, g.G_ERROR] == 0)
        others = numpy.delete(scores, seat, axis=1).max(axis=1, initial=low)
        found = numpy.where(mine, numpy.abs(scores[:, seat] - others), found)
    return found


def _won(arm: Arm, rows: Rows, judged: bool) -> Rows:
    """What every game brought each seat, of `WHOLE`: see `guided.shares`."""
    winners = rows[:, g.G_WINNERS]
    nobody = winners == 0
    told = numpy.where(nobody, (1 << arm.players) - 1, winners)
    counts = sum((told >> bit & 1 for bit in range(arm.players + 1)), start=numpy.zeros_like(told))
    share = numpy.where(nobody | judged, WHOLE // numpy.maximum(counts, 1), WHOLE)
    share = numpy.where(rows[:, g.G_ERROR] > 0, 0, share)
    return numpy.stack([share * (told >> seat & 1) for seat in range(arm.players)], axis=1)


def _add_seats(db: Any, arm: Arm, numbers: Rows, rows: Rows, judged: bool) -> None:
    players = arm.players
    cells = rows[:, g.GAME_WIDTH :].reshape(len(rows) * players, g.SEAT_WIDTH)
    columns: dict[str, Rows] = {
        "game": numpy.repeat(numbers, players),
        "seat": numpy.tile(numpy.arange(1, players + 1), len(rows)),
        "start": numpy.repeat(rows[:, g.G_START], players),
        "won": _won(arm, rows, judged).reshape(-1),
        "score": cells[:, g.S_SCORE], "moves": cells[:, g.S_MOVES],
        "offered": cells[:, g.S_OFFERED], "judged": cells[:, g.S_JUDGED],
        "alike": cells[:, g.S_ALIKE],
    }  # fmt: skip
    lists: Lists = {}
    bots = arm.bots if len(set(arm.bots)) > 1 else arm.bots[:1]
    player = f"(seat - 1 - game % {players} + {players}) % {players}"
    words = {
        "arm": str(arm.number),
        "place": f"CASE WHEN start > 0 THEN (seat - start + {players}) % {players} + 1 ELSE 0 END",
        "bot": _listed(lists, "bots", bots, player),
        "restrained": f"({player}) = 0" if arm.restraint else "FALSE",
        "won": f"won / {WHOLE}.0::DOUBLE",
    }
    _insert(db, "seats", columns, words, lists)


def _add_uses(db: Any, ready: Ready, bot: str, sums: Any) -> None:
    things = ready.things
    if not things or isinstance(sums, int):
        return
    cells = sums.reshape(len(things), g.USE_WIDTH)
    change, error = changes(cells)
    columns: dict[str, Rows] = {
        "number": numpy.arange(len(things)),
        "offered": cells[:, g.U_OFFERED], "taken": cells[:, g.U_TAKEN],
        "games": cells[:, g.U_GAMES], "takers": cells[:, g.U_T], "leavers": cells[:, g.U_N],
        "takers_won": cells[:, g.U_WT] / WHOLE, "leavers_won": cells[:, g.U_WN] / WHOLE,
        "change": change, "error": error,
    }  # fmt: skip
    lists: Lists = {}
    words = {
        "arm": str(ready.arm.number),
        "bot": _quoted(bot),
        "sort": _listed(lists, "sorts", [each.sort for each in things], "number"),
        "name": _listed(lists, "names", [each.name for each in things], "number"),
        "words": _listed(lists, "words", [each.words for each in things], "number"),
        "change": "CASE WHEN isnan(change) THEN NULL ELSE change END",
        "error": "CASE WHEN isnan(error) THEN NULL ELSE error END",
    }
    _insert(db, "uses", columns, words, lists)


def changes(cells: Rows) -> tuple[Rows, Rows]:
    """How much more of their games those who took a thing have won than those who left it, and the
    standard error of that. Players of one game hang together, since one wins what others lose: so
    what varies is the game (a difference of two ratios, linearised)."""
    wide = cells.astype(numpy.float64)
    t, n, wt, wn = (wide[:, each] for each in (g.U_T, g.U_N, g.U_WT, g.U_WN))
    with numpy.errstate(divide="ignore", invalid="ignore"):
        p, q = wt / t, wn / n
        own = wide[:, g.U_WTWT] - 2 * p * wide[:, g.U_TWT] + p * p * wide[:, g.U_TT]
        other = wide[:, g.U_WNWN] - 2 * q * wide[:, g.U_NWN] + q * q * wide[:, g.U_NN]
        cross = (
            wide[:, g.U_WTWN] - q * wide[:, g.U_NWT] - p * wide[:, g.U_TWN]
            + p * q * wide[:, g.U_TN]
        )  # fmt: skip
        variance = own / t**2 + other / n**2 - 2 * cross / (t * n)
        games = wide[:, g.U_GAMES]
        variance = numpy.maximum(variance, 0) * games / (games - 1)
        return (p - q) / WHOLE, numpy.sqrt(variance) / WHOLE


def _add_race(db: Any, arm: Arm, sums: Any) -> None:
    if isinstance(sums, int):
        return
    cells = sums.reshape(g.ROUNDS_KEPT, g.RACE_WIDTH)
    kept = cells[:, g.R_WINNERS] > 0
    columns: dict[str, Rows] = {
        "round": numpy.arange(1, g.ROUNDS_KEPT + 1)[kept],
        "winners": cells[kept, g.R_WINNERS], "winners_score": cells[kept, g.R_WINNERS_SCORE],
        "others": cells[kept, g.R_OTHERS], "others_score": cells[kept, g.R_OTHERS_SCORE],
    }  # fmt: skip
    _insert(db, "race", columns, {"arm": str(arm.number)}, {})


def _add_decisions(db: Any, arm: Arm, parts: Iterable[Part]) -> None:
    rows = [
        (arm.number, number, at, seat, seating(arm.bots, number)[seat - 1], *rest)
        for part in parts
        for number, at, seat, *rest in part.decisions
    ]
    if rows:
        marks = ", ".join("?" * len(TABLES["decisions"]))
        db.executemany(f"INSERT INTO decisions VALUES ({marks})", rows)


# ---- files


def write_tables(db: Any, folder: Path) -> None:
    """As Parquet and as CSV. A table without rows is not written, except that of games."""
    for name in TABLES:
        (number,) = db.execute(f"SELECT count(*) FROM {name}").fetchone()
        for ending, form in (("parquet", "FORMAT parquet, COMPRESSION zstd"), ("csv", "HEADER")):
            path = folder / f"{name}.{ending}"
            if not number and name != "games":
                path.unlink(missing_ok=True)
                continue
            new = path.with_name(f".{path.name}.new")
            db.execute(f"COPY {name} TO {_quoted(str(new))} ({form})")
            new.replace(path)


def open_tables(folder: Path, threads: int = 1) -> Any:
    """A database with the tables of a study as they lie on disk; those that are not there are
    empty."""
    db = database(threads)
    make_tables(db)
    for name in TABLES:
        path = folder / f"{name}.parquet"
        if path.exists():
            db.execute(f"DROP TABLE {name}")
            db.execute(f"CREATE VIEW {name} AS SELECT * FROM read_parquet({_quoted(str(path))})")
    return db

"""A study from beginning to end: arms are made ready, games played, tables made, findings drawn."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from interpreter.lab import figures as asking
from interpreter.lab.boards import all_boards
from interpreter.lab.findings import ArmFindings, Board, Findings, Worth, read_findings
from interpreter.lab.idle import Idle, find_idle
from interpreter.lab.ready import Ready, forget, make_ready, read
from interpreter.lab.remarks import remarks
from interpreter.lab.rows import add_arm, database, make_tables, open_tables, write_tables
from interpreter.lab.run import Enough, Progress, play_study
from interpreter.lab.spec import Manifest, Study
from interpreter.lab.store import Store, read_manifest
from interpreter.report.problem import RulesError

NOTHING_WATCHED = Idle()


@dataclass(slots=True)
class Results:
    """What a study has come to. `db` has its tables, for SQL: games, seats, uses, race,
    decisions."""

    manifest: Manifest
    findings: Findings
    db: Any
    folder: Path | None = None

    def sql(self, query: str) -> list[tuple[Any, ...]]:
        """Ask the tables anything: `results.sql("SELECT avg(moves) FROM games")`."""
        found: list[tuple[Any, ...]] = self.db.execute(query).fetchall()
        return found

    def columns(self, query: str) -> dict[str, Any]:
        """The same, as a numpy array for each column, such as pandas and polars take."""
        found: dict[str, Any] = self.db.execute(query).fetchnumpy()
        return found

    def __str__(self) -> str:
        from interpreter.lab.words import summary

        return "\n".join(summary(self.findings))

    def _repr_html_(self) -> str:
        from interpreter.lab.words import as_html

        return as_html(self.findings)


def check_study(study: Study) -> list[Ready]:
    """Every arm made ready, so that mistakes are told before anything is played. Raises RulesError
    for those of the rules, ValueError for those of the study."""
    from interpreter.bots.bot import make_bot

    if study.games < 1:
        raise ValueError("a study needs at least one game")
    forget()
    rules = read(study.rules)
    if rules.problems.has_errors:
        raise RulesError([e for e in rules.problems.items() if e.severity == "error"])
    least, most = rules.players
    for players in study.players:
        if not least <= players <= most:
            raise ValueError(f"this game is for {least} to {most} players, not {players}")
    found = [make_ready(study, arm) for arm in study.arms()]
    for each in found:
        for name in dict.fromkeys(each.arm.bots):
            make_bot(name, each.game)
    return found


def run_study(
    study: Study,
    *,
    workers: int = 1,
    folder: Path | None = None,
    enough: Enough | None = None,
    chunk: int = 0,
    clauses: int = 0,
    tell: Callable[[Progress], None] = lambda progress: None,
    pool: Executor | None = None,
) -> Results:
    """Play a study, or go on with it, and say what it has found. After Ctrl-C that is what has been
    played so far, and the manifest says that it is not complete."""
    ready = check_study(study)
    hash_ = read(study.rules).hash
    store = None
    if folder is not None:
        store = Store(folder)
        store.open(study.identity(hash_))
        store.write("study.json", _told(_manifest(study, ready, hash_, [0] * len(ready), False)))
    latest = Progress(study, study.arms())

    def listen(progress: Progress) -> None:
        nonlocal latest
        latest = progress
        tell(progress)

    complete = True
    try:
        play_study(
            study, study.arms(), workers=workers, store=store, enough=enough, chunk=chunk,
            tell=listen, pool=pool,
        )  # fmt: skip
    except KeyboardInterrupt:
        complete = False
    return _results(study, ready, hash_, latest, complete, folder, clauses)


def _results(
    study: Study,
    ready: Sequence[Ready],
    hash_: str,
    progress: Progress,
    complete: bool,
    folder: Path | None,
    clauses: int,
) -> Results:
    idle = find_idle(read(study.rules, study.settings), clauses, study.seed)
    games = {each.arm.players: each.game for each in ready}
    found = tables_and_findings(
        study, ready, hash_, progress, complete=complete, idle=idle,
        boards=all_boards(games.values()),
    )  # fmt: skip
    if folder is not None:
        write_tables(found.db, folder)
        store = Store(folder)
        store.write("study.json", _told(found.manifest))
        data = json.dumps(found.findings.as_data(), indent=1, ensure_ascii=False)
        store.write("findings.json", data)
        found.folder = folder
    return found


def tables_and_findings(
    study: Study,
    ready: Sequence[Ready],
    hash_: str,
    progress: Progress,
    *,
    complete: bool = True,
    idle: Idle = NOTHING_WATCHED,
    boards: Sequence[Board] = (),
) -> Results:
    """What is made of the games that were played."""
    db = database()
    make_tables(db)
    played = [
        add_arm(db, study, each, each.game.rules_hash, progress.parts.get(each.arm.number, ()))
        for each in ready
    ]
    manifest = _manifest(study, ready, hash_, played, complete)
    numbers = (each.arm.number for each in ready)
    failures = {number: _failures(progress, number) for number in numbers}
    return Results(manifest, find(db, manifest, failures, idle, boards), db)


def _failures(progress: Progress, arm: int) -> dict[str, int]:
    found: dict[str, int] = {}
    for part in progress.parts.get(arm, ()):
        for reason, times in part.failures.items():
            found[reason] = found.get(reason, 0) + times
    return dict(sorted(found.items()))


def _manifest(
    study: Study, ready: Sequence[Ready], hash_: str, played: Sequence[int], complete: bool
) -> Manifest:
    return Manifest(
        study,
        ready[0].game.title,
        hash_,
        tuple(each.arm for each in ready),
        tuple(each.game.rules_hash for each in ready),
        tuple(played),
        _version(),
        complete,
    )


@cache
def _version() -> str:
    """Of rulerun, as it was installed."""
    try:
        return version("rulerun")
    except PackageNotFoundError:
        return ""


def _told(manifest: Manifest) -> str:
    return json.dumps(manifest.as_data(), indent=1, ensure_ascii=False)


def find(
    db: Any,
    manifest: Manifest,
    failures: dict[int, dict[str, int]] | None = None,
    idle: Idle = NOTHING_WATCHED,
    boards: Sequence[Board] = (),
) -> Findings:
    """What the tables of a study tell."""
    study = manifest.study
    by_arm = asking.figures(db, study.seconds)
    arms: list[ArmFindings] = []
    for arm, hash_, played in zip(manifest.arms, manifest.hashes, manifest.played, strict=True):
        told, used = by_arm.get(arm.number, []), asking.uses(db, arm.number)
        remarked = remarks(arm, told, used, (failures or {}).get(arm.number, {}))
        arms.append(
            ArmFindings(
                arm.number, arm.title, arm.players, arm.bots, played, hash_, tuple(told),
                tuple(used), tuple(asking.race(db, arm.number)),
                tuple(asking.openings(db, arm.number)), tuple(remarked),
            )
        )  # fmt: skip
    worth: list[Worth] = asking.worth(db, manifest.arms)
    return Findings(
        manifest.title, study.rules, study.seed, study.seconds, manifest.complete, tuple(arms),
        tuple(worth), tuple(asking.luck(db, manifest.arms)), idle.clauses, idle.games,
        idle.abilities, tuple(boards),
    )  # fmt: skip


def open_study(folder: Path) -> Results:
    """A study as it lies on disk. Raises StoreError if there is none."""
    manifest = read_manifest(folder)
    db = open_tables(folder)
    path = folder / "findings.json"
    if path.exists():
        found = read_findings(json.loads(path.read_text(encoding="utf-8")))
    else:
        found = find(db, manifest)
    return Results(manifest, found, db, folder)

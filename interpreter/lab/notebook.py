"""Studies from Python: what the command does, as one function."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from interpreter.lab import asked
from interpreter.lab.spec import Restraint, Study, usual_games
from interpreter.lab.study import Results, run_study
from interpreter.reading import read_rules


def study(
    rules: str | Path,
    players: int | str | None = None,
    games: int | None = None,
    *,
    bots: str | Sequence[str] = "random",
    think: str | int | None = None,
    options: Mapping[str, str | int] | None = None,
    settings: Mapping[str, object] | None = None,
    vary: Mapping[str, Sequence[object]] | None = None,
    never: Sequence[str] = (),
    force: Sequence[str] = (),
    luck: bool = False,
    until: float = 0.0,
    decisions: bool = False,
    seconds: float = 12.0,
    seed: int = 1,
    workers: int = 1,
    out: str | Path | None = None,
) -> Results:
    """Let bots play many games of a rule file and say what they tell. `players` is a number, or as
    on the command line: "2..5", "all"; `bots` are names with commas between, or several such texts,
    each of which is tried; `settings` sets constants otherwise than the rules say, and `vary` tries
    several values of them. Raises RulesError if the rules have errors, ValueError for what cannot
    be played.

    The result has `findings`, shows itself in a notebook, and takes SQL: `result.sql(...)`."""
    least, most = read_rules(rules).players
    several = [bots] if isinstance(bots, str) else list(bots)
    tables = [asked.bots(each, None if think is None else str(think)) for each in several]
    held: list[Restraint] = [asked.restraint("never", each) for each in never]
    held += [asked.restraint("always", each) for each in force]
    given = Study(
        str(rules),
        asked.players(str(least if players is None else players), least, most),
        games or usual_games(until),
        seed=seed,
        bots=tables[0],
        tables=tuple(tables[1:]),
        options=tuple((options or {}).items()),
        settings=tuple(f"{name}={value}" for name, value in (settings or {}).items()),
        vary=tuple((name, tuple(map(str, each))) for name, each in (vary or {}).items()),
        restraints=tuple(held),
        luck=4 if luck else 0,
        decisions=decisions,
        until=until,
        seconds=seconds,
    )
    return run_study(given, workers=workers, folder=None if out is None else Path(out))

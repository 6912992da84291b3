"""`rulerun study`: many games between bots, and what they tell of the rules."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from interpreter.cli.common import (
    INTERRUPTED,
    OK,
    Refused,
    common_options,
    find_rules,
    game_options,
    json_option,
    note,
    out,
    out_json,
    parse_seed,
    passing,
    set_otherwise,
    shown_path,
    within_limits,
)  # fmt: skip
from interpreter.lab.spec import MOST_GAMES

if TYPE_CHECKING:
    from interpreter.lab.cluster import Cluster
    from interpreter.lab.run import Progress
    from interpreter.lab.spec import Study
    from interpreter.lab.study import Results

MISSING = "a study needs duckdb and numpy (pip install 'rulerun[lab]')"
_SHIPPED_PLAYERS = 4
_EVERY = 0.3  # seconds between two looks at the progress


cluster_option = click.option(
    "--cluster", "address", metavar="ADDRESS", help="Play on the workers of a Dask scheduler."
)


@click.command("study")
@click.argument("file", metavar="GAME", required=False)
@click.option("--players", "players", default=None, help="How many play: 3, 2..5, 2,4 or all.")
@click.option(
    "--games",
    type=click.IntRange(1, MOST_GAMES),
    help="Of each way to play. [default: 1000, or what --until needs]",
)
@click.option(
    "--bots",
    "bots",
    multiple=True,
    metavar="BOT,BOT...",
    help="Who plays: one for all, or one a player; repeated, each is tried.",
)
@click.option("--think", metavar="GAMES|TIME", help="For bots that say nothing of it: 500, 200ms.")
@click.option(
    "--vary",
    multiple=True,
    metavar="NAME=A,B,C",
    help="Play with each of these values of what --set can set; may be repeated.",
)
@click.option("--until", metavar="SHARE", help="Play until wins are known so well: ±2%.")
@click.option(
    "--without",
    multiple=True,
    metavar="action=NAME",
    help="What it costs one player never to choose this.",
)
@click.option("--never", multiple=True, metavar='card="NAME"', help="The same.")
@click.option(
    "--force",
    multiple=True,
    metavar="action=NAME",
    help="What it costs one player always to choose this where it is offered.",
)
@click.option("--worth", is_flag=True, help="The cost of never choosing each thing, in one table.")
@click.option("--luck", is_flag=True, help="Play deals four times, to tell the deal's part.")
@click.option("--ladder", is_flag=True, help="Let stronger bots play among weaker ones.")
@click.option(
    "--clauses",
    type=click.IntRange(0, 100_000),
    default=0,
    show_default=True,
    help="Watch so many random games for clauses that take part.",
)
@click.option("--decisions", is_flag=True, help="A row for every decision; this is slower.")
@click.option(
    "--seconds",
    type=click.FloatRange(0.1, 3600),
    default=12.0,
    show_default=True,
    help="That people take for a choice, to estimate minutes.",
)
@click.option(
    "--seed",
    type=str,
    metavar="INTEGER",
    callback=parse_seed,
    default="1",
    show_default=True,
    help="Of the study: every game's follows from it.",
)
@click.option("--workers", type=click.IntRange(1, 256), help="All cores, if not said.")
@cluster_option
@click.option(
    "--assert",
    "asserted",
    is_flag=True,
    help="Only see whether all is as the file beside the rules expects: `rulerun expect`.",
)
@click.option(
    "--out",
    "folder",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Keep tables, findings and a report there, and go on with what is there.",
)
@click.option("--png", is_flag=True, help="Write the plots of the report as PNG, too.")
@click.option("--shipped", is_flag=True, help="Study every game that ships at the top.")
@click.option(
    "--game",
    "number",
    type=click.IntRange(0),
    metavar="NUMBER",
    help="Show one game of the study in --out once more.",
)
@click.option("--arm", type=click.IntRange(0), default=0, help="Of this way to play.")
@click.option(
    "--record",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Write this game as a record, too.",
)
@game_options
@json_option
@common_options
def command(
    file: str | None,
    games: int | None,
    clauses: int,
    workers: int | None,
    address: str | None,
    asserted: bool,
    folder: Path | None,
    png: bool,
    shipped: bool,
    number: int | None,
    arm: int,
    record: Path | None,
    as_json: bool,
    **asked: Any,
) -> int:
    """Let bots play GAME many times and tell what a designer asks: who wins from which seat, how
    long it takes, what is chosen and what that changes, each with an interval.

    Without --bots all choose at random, which takes a thousandth of a second a game. The same seed
    gives the same games, with any number of workers. Ctrl-C keeps what is done; with --out the same
    command goes on.
    """
    try:
        import interpreter.lab.study as lab
    except ImportError:
        raise click.UsageError(MISSING) from None
    if number is not None:
        return _show_game(folder, arm, number, record)
    if asserted:
        from interpreter.cli.expect import assert_all

        form = "json" if as_json else "full"
        paths = [_named(file)] if file else ["."]
        return assert_all(paths, None, workers, False, form, address)
    files = _shipped_files() if shipped else [_named(file)]
    code = OK
    for path in files:
        study = _study(path, games, asked, shipped)
        where = folder / Path(path).stem if folder is not None and shipped else folder
        hands = workers or os.cpu_count() or 1
        with _refusing(study):
            ready = lab.check_study(study)
            if asked["worth"]:
                from interpreter.lab.asked import all_restraints

                study = replace(study, restraints=(*study.restraints, *all_restraints(ready)))
            with far_away(address) as far:
                near = hands if is_long(study) else 1
                results = lab.run_study(
                    study, workers=near if far is None else max(1, far.number), folder=where,
                    clauses=clauses or (20 if shipped else 0), tell=_Teller(), pool=far,
                )  # fmt: skip
        passing("")
        _tell(results, as_json)
        if where is not None:
            note(f"Tables and findings are in {where}, a report is in {_reported(results, png)}.")
        if not results.manifest.complete:
            code = INTERRUPTED
            break
    return code


@contextmanager
def far_away(address: str | None) -> Iterator[Cluster | None]:
    """The workers of a cluster, if one is named."""
    if address is None:
        yield None
        return
    try:
        from interpreter.lab.cluster import ClusterError, cluster
    except ImportError:
        told = "--cluster needs dask (pip install 'rulerun[cluster]')"
        raise click.UsageError(told) from None
    try:
        with cluster(address) as found:
            yield found
    except ClusterError as error:
        raise click.UsageError(str(error)) from None


def _named(file: str | None) -> str:
    if file is None:
        raise click.UsageError("which game? Name a rule file, or say --shipped")
    return shown_path(find_rules(file))


def _shipped_files() -> list[str]:
    from interpreter.resources import rulesets_folder

    return [shown_path(path) for path in sorted(rulesets_folder().glob("*.rules"))]


def is_long(study: Study) -> bool:
    """Whether it is worth while to start other processes."""
    arms = study.arms()
    return any(not arm.is_random for arm in arms) or study.games * len(arms) >= 5000


def _study(path: str, games: int | None, asked: dict[str, Any], shipped: bool) -> Study:
    from interpreter.lab import asked as parse
    from interpreter.lab.spec import Study, usual_games
    from interpreter.reading import read_rules

    with within_limits(path):
        least, most = read_rules(path).players
    with _typed():
        usual = str(min(most, _SHIPPED_PLAYERS)) if shipped else str(least)
        tables = [parse.bots(each, asked["think"]) for each in asked["bots"] or ("random",)]
        if asked["ladder"]:
            tables += parse.LADDER
        held = [parse.restraint("never", each) for each in (*asked["without"], *asked["never"])]
        held += [parse.restraint("always", each) for each in asked["force"]]
        until = parse.share(asked["until"]) if asked["until"] else 0.0
        return Study(
            path,
            parse.players(asked["players"] or usual, least, most),
            games or usual_games(until),
            seed=asked["seed"],
            bots=tables[0],
            tables=tuple(tables[1:]),
            options=tuple(asked["options"].items()),
            settings=set_otherwise(),
            vary=tuple(parse.varied(each) for each in asked["vary"]),
            restraints=tuple(held),
            luck=4 if asked["luck"] else 0,
            decisions=asked["decisions"],
            until=until,
            seconds=asked["seconds"],
        )


@contextmanager
def _typed() -> Iterator[None]:
    try:
        yield
    except ValueError as error:
        raise click.UsageError(str(error)) from None


@contextmanager
def _refusing(study: Study) -> Iterator[None]:
    from interpreter.lab.ready import read
    from interpreter.lab.store import StoreError
    from interpreter.report.problem import RulesError

    try:
        yield
    except RulesError as error:
        rules = read(study.rules, study.arms()[0].settings)
        raise Refused(error.problems, rules.sources) from None
    except (ValueError, StoreError) as error:
        raise click.UsageError(str(error)) from None


class _Teller:
    """How far it has come, on one line of the terminal: a bar, the time left, and the seat that is
    furthest from its share."""

    def __init__(self) -> None:
        self.last = 0.0

    def __call__(self, progress: Progress) -> None:
        now = time.monotonic()
        if now - self.last < _EVERY or not sys.stderr.isatty():
            return
        self.last = now
        from interpreter.lab.run import wins_so_far
        from interpreter.lab.words import bar

        line = bar(progress.played / progress.wanted)
        line += f" {progress.played:,} of {progress.wanted:,} games, "
        left = progress.seconds_left
        line += "getting ready" if left is None else f"{_duration(left)} left"
        told = wins_so_far(progress)
        if told is not None:
            seat, share, half = told
            line += f"; seat {seat} wins {100 * share:.1f} % ± {100 * half:.1f}"
        passing(line)


def _duration(seconds: float) -> str:
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"


def _tell(results: Results, as_json: bool) -> None:
    from interpreter.lab.words import summary
    from interpreter.report.visible import visible

    if as_json:
        out_json(results.findings.as_data())
        return
    for line in summary(results.findings):
        out(visible(line))
    out("")


def _reported(results: Results, png: bool) -> Path:
    from interpreter.lab.pages.writing import write_report

    assert results.folder is not None
    return write_report(results, results.folder, png)


# ---- one game


def _show_game(folder: Path | None, arm: int, number: int, record: Path | None) -> int:
    from interpreter.bots.match import seating
    from interpreter.lab.replay import play_back
    from interpreter.lab.store import StoreError, read_manifest
    from interpreter.model.seats import seat_name
    from interpreter.record import Recorder
    from interpreter.report.visible import visible

    if folder is None:
        raise click.UsageError("--game shows a game of the study in --out DIR")
    try:
        manifest = read_manifest(folder)
    except StoreError as error:
        raise click.UsageError(str(error)) from None
    if arm >= len(manifest.arms):
        raise click.UsageError(f"there is no arm {arm}; there are 0 to {len(manifest.arms) - 1}")
    with _refusing(manifest.study):
        state = play_back(manifest.study, manifest.arms[arm], number)
    out(visible(f"{manifest.title}, {manifest.arms[arm].title}, game {number}, seed {state.seed}"))
    for at, (seat, option) in enumerate(state.history(), 1):
        out(f"{at:>4}  {seat_name(seat)}  {visible(option.words)}")
    won = " and ".join(seat_name(seat) for seat in state.winners) or "nobody"
    out(f"{won} won; scores {', '.join(map(str, state.scores))}")
    if record is not None:
        bots = seating(manifest.arms[arm].bots, number)
        with Recorder.create(record, state.game, state.seed, seats=bots) as recorder:
            for seat, option in state.history():
                recorder.append(seat, option.text)
            recorder.finish(state)
        note(f"`rulerun replay {record}` shows it again.")
    return OK

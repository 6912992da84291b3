"""`rulerun compare`: what a change of the rules has changed in games."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import click

from interpreter.cli.common import (
    INTERRUPTED,
    OK,
    Refused,
    common_options,
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
from interpreter.cli.study import MISSING, cluster_option, far_away, is_long
from interpreter.cli.versions import Version, find_versions
from interpreter.lab.spec import MOST_GAMES

if TYPE_CHECKING:
    from interpreter.lab.comparison import Comparison
    from interpreter.lab.run import Progress
    from interpreter.lab.spec import Study


@click.command("compare")
@click.argument("old", metavar="OLD")
@click.argument("new", metavar="[NEW]", required=False)
@click.option("--players", default=None, help="How many play: 3, 2..5, 2,4 or all.")
@click.option(
    "--games", type=click.IntRange(2, MOST_GAMES), default=1000, show_default=True,
    help="Of each number of players, under each version.",
)  # fmt: skip
@click.option(
    "--bots", default="random", show_default=True, metavar="BOT,BOT...",
    help="Who plays: one for all, or one a player.",
)  # fmt: skip
@click.option("--think", metavar="GAMES|TIME", help="For bots that say nothing of it: 500, 200ms.")
@click.option(
    "--seconds", type=click.FloatRange(0.1, 3600), default=12.0, show_default=True,
    help="That people take for a choice, to estimate minutes.",
)  # fmt: skip
@click.option(
    "--seed", type=str, metavar="INTEGER", callback=parse_seed, default="1", show_default=True,
    help="Of the study: every game's follows from it.",
)  # fmt: skip
@click.option("--workers", type=click.IntRange(1, 256), help="All cores, if not said.")
@cluster_option
@click.option(
    "--out", "folder", type=click.Path(path_type=Path), metavar="DIR",
    help="Write a page about it there, with its plots and comparison.json.",
)  # fmt: skip
@click.option("--png", is_flag=True, help="With --out: plots as PNG, too.")
@game_options
@json_option
@common_options
def command(
    old: str,
    new: str | None,
    players: str | None,
    games: int,
    bots: str,
    think: str | None,
    seconds: float,
    seed: int,
    workers: int | None,
    address: str | None,
    folder: Path | None,
    png: bool,
    options: dict[str, str | int],
    as_json: bool,
) -> int:
    """Play the same games under two versions of the rules, and tell what changed: in the rules, in
    each figure, and where games part.

    OLD and NEW are rule files, or REVISION:FILE for what git has kept; a REVISION alone is one of
    NEW. Without NEW it is the file as it is now. What --set says holds for NEW only, so
    `rulerun compare FILE --set NAME=VALUE` compares two settings.
    """
    try:
        from interpreter.lab.comparison import compare
        from interpreter.lab.ready import forget
    except ImportError:
        raise click.UsageError(MISSING) from None
    forget()
    with TemporaryDirectory(prefix="rulerun-") as fetched:
        versions = find_versions(old, new, Path(fetched))
        names = versions[0].name, " ".join([versions[1].name, *set_otherwise()])
        if versions[0].path == versions[1].path and not set_otherwise():
            raise click.UsageError("both are the same: name two versions, or --set something")
        studies = _studies(versions, players, games, bots, think, seconds, seed, options)
        with _refusing(studies), far_away(address) as far:
            hands = (workers or _hands(studies[1])) if far is None else max(1, far.number)
            found = compare(studies, names, workers=hands, tell=_progress, pool=far)
    passing("")
    if as_json:
        out_json(found.as_data())
    else:
        _tell(found)
    if folder is not None:
        _write(found, folder, png)
    return OK if found.complete else INTERRUPTED


def _write(found: Comparison, folder: Path, png: bool) -> None:
    from interpreter.lab.pages.writing import NotToDraw, write_comparison

    data = found.as_data()
    try:
        page = write_comparison(data, folder, png)
    except NotToDraw as error:
        raise click.UsageError(str(error)) from None
    text = json.dumps(data, indent=1, ensure_ascii=False) + "\n"
    (folder / "comparison.json").write_text(text, encoding="utf-8")
    note(f"page: {shown_path(page)}")


def _hands(study: Study) -> int:
    return (os.cpu_count() or 1) if is_long(study) else 1


def _studies(
    versions: tuple[Version, Version],
    players: str | None,
    games: int,
    bots: str,
    think: str | None,
    seconds: float,
    seed: int,
    options: dict[str, str | int],
) -> tuple[Study, Study]:
    from interpreter.lab import asked
    from interpreter.lab.spec import Study
    from interpreter.reading import read_rules

    ranges = []
    for each in versions:
        with within_limits(each.path):
            ranges.append(read_rules(each.path).players)
    least, most = max(low for low, _ in ranges), min(high for _, high in ranges)
    if least > most:
        raise click.UsageError("no number of players can play under both versions")
    try:
        numbers = asked.players(players or str(least), least, most)
        seated = asked.bots(bots, think)
    except ValueError as error:
        raise click.UsageError(str(error)) from None

    def study(path: str, settings: tuple[str, ...]) -> Study:
        return Study(
            path, numbers, games, seed, seated, options=tuple(options.items()), settings=settings,
            seconds=seconds,
        )  # fmt: skip

    return study(versions[0].path, ()), study(versions[1].path, set_otherwise())


@contextmanager
def _refusing(studies: tuple[Study, Study]) -> Iterator[None]:
    from interpreter.lab.ready import read
    from interpreter.report.problem import RulesError

    try:
        yield
    except RulesError as error:
        both = [read(each.rules, each.settings).sources for each in studies]
        raise Refused(error.problems, {**both[0], **both[1]}) from None
    except ValueError as error:
        raise click.UsageError(str(error)) from None


def _progress(progress: Progress) -> None:
    passing(f"{progress.played:,} of {progress.wanted:,} games")


def _tell(found: Comparison) -> None:
    from interpreter.lab.compared import lines
    from interpreter.report.visible import visible

    for line in lines(found):
        out(visible(line))

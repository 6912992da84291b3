"""`rulerun train`: learn a ruleset by playing it."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from types import FrameType

import click

from interpreter.cli.common import (
    OK,
    common_options,
    find_rules,
    load,
    note,
    out,
    parse_seed,
    read,
    shown_path,
)  # fmt: skip

_LESSONS = 20_000  # if not told


@click.command("train")
@click.argument("file")
@click.option(
    "--players", type=int, multiple=True,
    help="Only for so many players; can be said several times. [default: all numbers]",
)  # fmt: skip
@click.option(
    "--minutes", type=click.FloatRange(0.05, 10_000),
    help="How long to train. Where games are long, it takes a few of them more. [default: 10]",
)  # fmt: skip
@click.option(
    "--games", type=click.IntRange(1), help="Practise so many games instead: the same file again."
)
@click.option(
    "--lessons", type=click.IntRange(0),
    help="With --games: choices of a search that are learned from, where practice alone does not "
    "win. [default: as many as games, up to 20,000]",
)  # fmt: skip
@click.option(
    "--seed", type=str, metavar="INTEGER", callback=parse_seed, default=1, show_default=True,
    help="Of all chance.",
)  # fmt: skip
@click.option(
    "--processes", type=click.IntRange(1, 64),
    help="That play the games in which it is tried out. [default: all cores]",
)  # fmt: skip
@click.option("--out", "target", type=click.Path(dir_okay=False), help="Where to write the bot.")
@click.option("--resume", is_flag=True, help="Go on with the practice kept beside the bot.")
@common_options
def command(
    file: str,
    players: tuple[int, ...],
    minutes: float | None,
    games: int | None,
    lessons: int | None,
    seed: int,
    processes: int | None,
    target: str | None,
    resume: bool,
) -> int:
    """Let the computer play FILE against itself, find out what of that helps against plain search
    in the same time, and write it to a file that `--bot trained` goes by. Ctrl-C ends the practice
    and keeps the best so far."""
    from interpreter.bots.trained import places, read_trained, write_trained
    from interpreter.learn.train import Order, train
    from interpreter.play.native.build import MISSING

    if minutes is not None and games is not None:
        raise click.UsageError("say --minutes or --games, not both")
    rules = read(file)
    low, high = rules.players
    numbers = sorted(set(players)) or list(range(low, high + 1))
    tables = [load(file, number, {}) for number in numbers]
    if tables[0].native is None:
        raise click.UsageError(f"training {MISSING.split(':')[0]}")
    path = Path(target) if target else places(str(find_rules(file)))[0]
    practice = path.with_name(path.name + ".practice")
    if resume and not practice.is_file():
        note(f"there is no {shown_path(practice)} to go on with, so practice begins anew")
    stopped: list[int] = []

    def stop(number: int, frame: FrameType | None) -> None:
        if stopped:
            raise KeyboardInterrupt
        stopped.append(number)
        note("ending: what was learned so far is tried out; Ctrl-C again gives up")

    if lessons is not None and games is None:
        raise click.UsageError("--lessons goes with --games")
    length = f"--games {games}" if games is not None else f"--minutes {minutes or 10:g}"
    if lessons is not None:
        length += f" --lessons {lessons}"
    told = "".join(f"--players {number} " for number in sorted(set(players)))
    order = Order(
        tables,
        seed,
        None if games is not None else minutes or 10.0,
        games,
        min(games or 0, _LESSONS) if lessons is None else lessons,
        command=f"rulerun train {Path(file).name} {told}{length} --seed {seed}",
        tell=out,
        stopping=lambda: bool(stopped),
        processes=processes or os.cpu_count() or 1,
        saved=practice.read_bytes() if resume and practice.is_file() else None,
    )
    before = signal.signal(signal.SIGINT, stop)
    path.parent.mkdir(parents=True, exist_ok=True)
    order.keep = lambda saved: _replace(practice, saved)
    try:
        trained = train(order)
    finally:
        signal.signal(signal.SIGINT, before)
    data = write_trained(trained)
    read_trained(data)
    _replace(path, data)
    out(f"written: {shown_path(path)}, {len(data):,} bytes")
    return OK


def _replace(path: Path, data: bytes) -> None:
    """Write a file so that there is either the old one or the new one, whatever happens."""
    new = path.with_name(path.name + ".new")
    new.write_bytes(data)
    os.replace(new, path)

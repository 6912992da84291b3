"""`rulerun perft`: counts of the game tree, to compare with other programs."""

from __future__ import annotations

import sys
import time

import click

from interpreter.cli.common import (
    OK,
    common_options,
    game_options,
    json_option,
    load,
    out,
    out_json,
    parse_seed,
    players_option,
    settings,
    telling,
    warn,
)  # fmt: skip


@click.command("perft")
@click.argument("file")
@click.option("--depth", type=click.IntRange(0, 64), required=True, help="How deep to count.")
@click.option("--chance", is_flag=True, help="Count every outcome of chance as well.")
@click.option(
    "--seed",
    type=str,
    metavar="INTEGER",
    callback=parse_seed,
    default=0,
    show_default=True,
    help="Draws chance otherwise.",
)
@players_option
@game_options
@json_option
@common_options
def command(
    file: str,
    depth: int,
    chance: bool,
    seed: int,
    players: int | None,
    options: dict[str, str | int],
    as_json: bool,
) -> int:
    """Count how many lines of play there are at each depth, one decision a step."""
    from interpreter.perft import perft

    game = load(file, players, options)
    progress = _Progress()
    with telling(game):
        counts = perft(game, depth, chance, seed, progress.tell)
    progress.wipe()
    if as_json:
        out_json({"schema": "rulerun/perft@1", "chance": chance, "seed": seed, "counts": counts})
    else:
        wide = len(f"{max(counts):,}")
        for level, count in enumerate(counts):
            out(f"{level:3}  {count:{wide},}")
    return OK


class _Progress:
    """How far it has come, on one line of a terminal that is written over."""

    def __init__(self) -> None:
        self.shown = not settings().quiet and sys.stderr is not None and sys.stderr.isatty()
        self.next = 0.0
        self.width = 0

    def tell(self, counts: list[int]) -> None:
        now = time.monotonic()
        if not self.shown or now < self.next:
            return
        self.next = now + 0.2
        deepest = max(level for level, count in enumerate(counts) if count)
        told = f"{sum(counts):,} so far, depth {deepest}"
        warn(f"\r{told:{self.width}}", end="", drawn=True)
        self.width = len(told)

    def wipe(self) -> None:
        if self.width:
            warn(f"\r{'':{self.width}}\r", end="", drawn=True)

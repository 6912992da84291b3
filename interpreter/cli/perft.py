"""`rulerun perft`: counts of the game tree, to compare with other programs."""

from __future__ import annotations

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
    telling,
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
    with telling(game):
        counts = perft(game, depth, chance, seed)
    if as_json:
        out_json({"schema": "rulerun/perft@1", "chance": chance, "seed": seed, "counts": counts})
    else:
        wide = len(f"{max(counts):,}")
        for level, count in enumerate(counts):
            out(f"{level:3}  {count:{wide},}")
    return OK

"""`rulerun soak`: many random games of every sort, with all tests on."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import click

from interpreter.cli.common import (
    OK,
    PROBLEMS,
    Refused,
    common_options,
    json_option,
    note,
    out,
    out_json,
    parse_seed,
    read,
    refusing,
    settings,
)  # fmt: skip

if TYPE_CHECKING:
    from interpreter.reading import Rules
    from interpreter.variants import Variant

_TOLD = 5  # games that failed, of each sort


@click.command("soak")
@click.argument("files", nargs=-1, required=True)
@click.option(
    "--games", type=click.IntRange(1), default=100, show_default=True,
    help="Games of each number of players and choice of options.",
)  # fmt: skip
@click.option(
    "--every", type=click.IntRange(1), default=1, show_default=True,
    help="Test one game in so many at each step, and how all others end.",
)  # fmt: skip
@click.option(
    "--seed",
    type=str,
    metavar="INTEGER",
    callback=parse_seed,
    default=0,
    show_default=True,
    help="Of the first game.",
)
@click.option("--players", type=int, help="Only with so many players.")
@json_option
@common_options
def command(
    files: tuple[str, ...],
    games: int,
    every: int,
    seed: int,
    players: int | None,
    as_json: bool,
) -> int:
    """Play random games and test every state: pieces are never lost or doubled, values stay in
    range, each `always` holds, everybody asked has a choice, games end in time, and journals lead
    to the same states again. Ends with 1 if anything is wrong."""
    from interpreter.soak import soak

    told: list[dict[str, object]] = []
    code = OK
    all_rules = [read(file) for file in files]
    for rules, found in [(each, _variants(each, players)) for each in all_rules]:
        for variant in found:
            began = time.perf_counter()
            with refusing(rules):
                played = list(soak(rules, variant, games, seed, every))
            each = (time.perf_counter() - began) / len(played)
            bad = [game for game in played if game.faults]
            moves = sorted(game.moves for game in played)
            code = PROBLEMS if bad else code
            told.append(
                {
                    "title": rules.title, "variant": str(variant), "games": len(played),
                    "moves": [moves[0], moves[len(moves) // 2], moves[-1]],
                    "faults": {str(game.seed): list(game.faults) for game in bad},
                }
            )  # fmt: skip
            if not as_json:
                span = f"{moves[0]} to {moves[-1]} moves, half within {moves[len(moves) // 2]}"
                wrong = f"{len(bad)} FAILED" if bad else "all well"
                out(f"{rules.title}, {variant}: {len(played)} games, {span}, {wrong}")
                for game in bad[:_TOLD]:
                    out(f"  seed {game.seed}, move {game.moves}: {'; '.join(game.faults[:3])}")
            if settings().verbose:
                note(f"{each:.3f} s a game")
    if as_json:
        out_json({"schema": "rulerun/soak@1", "seed": seed, "soaked": told})
    return code


def _variants(rules: Rules, players: int | None) -> list[Variant]:
    """What is to be played of a file. Nothing would look like all well, so it is refused."""
    from interpreter.pipeline import build
    from interpreter.variants import variants

    found = [each for each in variants(rules) if players in (None, each.players)]
    if not found:
        _, problems = build(rules, rules.players[0] if players is None else players)
        raise Refused([each for each in problems if each.severity == "error"], rules.sources)
    return found

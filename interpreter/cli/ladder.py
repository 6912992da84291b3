"""`rulerun ladder`: a round robin of bots, with ratings."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

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
    passing,
    players_option,
    telling,
)  # fmt: skip
from interpreter.cli.seated import make_ready

if TYPE_CHECKING:
    from interpreter.bots.ladder import Ladder
    from interpreter.bots.rating import Rating

BOTS = "random,plain:100,plain:500,best:500"


def _share(ctx: click.Context, param: click.Parameter, value: str) -> float:
    found = re.fullmatch(r"([0-9]{1,2}(?:\.[0-9]{1,3})?) ?%?", value.strip(), re.ASCII)
    if found is None or float(found[1]) <= 0:
        raise click.BadParameter(f"`{value}` should be a share such as 5%", ctx, param)
    return float(found[1]) / 100


@click.command("ladder")
@click.argument("file", metavar="GAME")
@click.option(
    "--bots", default=BOTS, show_default=True, metavar="BOT,BOT...", help="Who is to be compared."
)
@click.option(
    "--until", default="5%", show_default=True, callback=_share, metavar="SHARE",
    help="Play until the share of games won is known so well, to either side.",
)  # fmt: skip
@click.option(
    "--games", type=click.IntRange(1), default=200, show_default=True,
    help="But no more than so many at each table of two bots.",
)  # fmt: skip
@click.option(
    "--seed", type=str, default="1", show_default=True, metavar="INTEGER", callback=parse_seed,
    help="Of the first deal.",
)  # fmt: skip
@click.option("--processes", type=click.IntRange(1, 256), help="All cores, if not said.")
@players_option
@game_options
@json_option
@common_options
def command(
    file: str,
    bots: str,
    until: float,
    games: int,
    seed: int,
    processes: int | None,
    players: int | None,
    options: dict[str, str | int],
    as_json: bool,
) -> int:
    """Let bots play GAME with each other, every two of them, every deal from every seat, until the
    intervals are as narrow as asked. Prints how many games each has won and what it is rated:
    400 points more is ten times as strong.

    A bot is written as for `rulerun play`: random, search:500, plain:2s, best:500 and so on.
    """
    from interpreter.bots.bot import make_bot, split_bots
    from interpreter.bots.ladder import Ladder, climb
    from interpreter.bots.rating import ratings

    game = load(file, players, options)
    names = split_bots(bots)
    try:
        for name in names:
            make_bot(name, game)
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    if len(names) < 2 or len(set(names)) < len(names):
        raise click.UsageError("a ladder needs at least two bots, and each of them once")
    if game.players < 2:
        raise click.UsageError(f"{game.title} is for one player: nobody can be met there")
    make_ready(game)
    ladder = Ladder(game, tuple(names), seed)
    number = processes or (1 if file == "-" else os.cpu_count() or 1)
    with telling(game):
        climb(ladder, until, games, number, _progress)
    passing("")
    rated = ratings(names, ladder.games)
    if as_json:
        out_json(_data(ladder, rated))
        return OK
    for line in told(ladder, rated):
        out(line)
    return OK


def _progress(ladder: Ladder) -> None:
    passing(f"{len(ladder.games)} games, ±{100 * ladder.widest:.1f} %")


def told(ladder: Ladder, rated: list[Rating]) -> list[str]:
    """A table for people, the strongest first."""
    from interpreter.bots.match import told as failures
    from interpreter.report.visible import visible

    game = ladder.game
    first, last = ladder.seed, ladder.seed + ladder.deals - 1
    found = [
        visible(
            f"{game.title}, {game.players} players: {len(ladder.games)} games, seeds {first} to "
            f"{last}, seats rotated"
        ),
        f"{'':16}{'rating':>8}{'95 %':>14}{'seats':>8}{'won':>8}{'95 %':>14}{'score':>9}"
        f"{'CPU a choice':>15}",
    ]
    by_name = {each.name: each for each in ladder.standings}
    for each in rated:
        stood = by_name[each.name]
        low, high = stood.interval
        score = stood.score / max(1, stood.games)
        found.append(
            f"{each.name:16}{each.points:8.0f}{f'{each.low:.0f} to {each.high:.0f}':>14}"
            f"{stood.games:8}{100 * stood.share:7.1f}%{f'{100 * low:.1f}-{100 * high:.1f}':>14}"
            f"{score:9.2f}{1000 * stood.seconds_a_choice:12.1f} ms"
        )
    found += [line for line in failures(ladder.standings) if " failed " in line]
    return found


def _data(ladder: Ladder, rated: list[Rating]) -> dict[str, object]:
    by_name = {each.name: each for each in ladder.standings}
    rows = []
    for each in rated:
        stood = by_name[each.name]
        rows.append(
            {
                "bot": each.name,
                "rating": round(each.points, 1),
                "ratingFrom": round(each.low, 1),
                "ratingTo": round(each.high, 1),
                "seats": stood.games,
                "won": stood.won,
                "wonFrom": stood.interval[0],
                "wonTo": stood.interval[1],
                "meanScore": stood.score / max(1, stood.games),
                "secondsAChoice": stood.seconds_a_choice,
                "failures": len(stood.failures),
            }
        )
    game = ladder.game
    return {
        "schema": "rulerun/ladder@1",
        "title": game.title,
        "rules": game.rules_hash,
        "players": game.players,
        "options": game.options,
        "seed": ladder.seed,
        "deals": ladder.deals,
        "games": len(ladder.games),
        "bots": rows,
    }

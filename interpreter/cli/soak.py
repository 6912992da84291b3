"""`rulerun soak`: many random games of every sort, with all tests on."""

from __future__ import annotations

import time

import click

from interpreter.cli.common import (
    common_options,
    game_options,
    note,
    out,
    parse_seed,
    read,
    refusing,
    settings,
)  # fmt: skip
from interpreter.cli.reporting import Report, chosen_format, format_options
from interpreter.cli.sorts import sorts_of


@click.command("soak")
@click.argument("files", nargs=-1, required=True)
@click.option(
    "--games", type=click.IntRange(1), default=100, show_default=True,
    help="Games of each number of players and choice of the options that are names.",
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
@game_options
@format_options
@common_options
def command(
    files: tuple[str, ...],
    games: int,
    every: int,
    seed: int,
    players: int | None,
    options: dict[str, str | int],
    form: str | None,
    as_json: bool,
) -> int:
    """Play random games and test every state: pieces are never lost or doubled, values stay in
    range, each `always` holds, everybody asked has a choice, games end in time, and journals lead
    to the same states again.

    Every number of players is tried, with up to 64 choices of the options whose values are names.
    Options that are numbers stay at their defaults. With --option, so do all that it does not set.

    Ends with 0 if all is well, 1 if something is wrong, 2 for wrong use, 3 if a limit was reached.
    """
    from interpreter.report.render import Document, Tried
    from interpreter.report.source import Mark
    from interpreter.soak import problems_of, soak

    output = chosen_format(form, as_json)
    report = Report()
    told: list[dict[str, object]] = []
    all_rules = [read(file) for file in files]
    for rules, found in [(each, sorts_of(each, players, options)) for each in all_rules]:
        for variant in found:
            began = time.perf_counter()
            with refusing(rules):
                played = list(soak(rules, variant, games, seed, every))
            each = (time.perf_counter() - began) / len(played)
            bad = [game for game in played if game.problems]
            moves = sorted(game.moves for game in played)
            mean = sum(moves) / len(moves)
            told.append(
                {
                    "title": rules.title, "variant": str(variant), "games": len(played),
                    "moves": [moves[0], moves[len(moves) // 2], moves[-1]],
                    "mean": round(mean, 1),
                    "faults": {str(game.seed): list(game.faults) for game in bad},
                }
            )  # fmt: skip
            problems = problems_of(rules, variant, played)
            name = f"{rules.title}, {variant}"
            report.add_tried(
                Tried("soak", name, Mark.top(rules.name), tuple(problems)), rules.sources
            )
            span = f"{moves[0]} to {moves[-1]} moves, {mean:.1f} on average, "
            span += f"half within {moves[len(moves) // 2]}"
            wrong = f"{len(bad)} FAILED" if bad else "all well"
            say = out if output == "full" else note
            say(f"{name}: {len(played)} games, {span}, {wrong}")
            if settings().verbose:
                note(f"{each:.3f} s a game")
    report.tell(output, Document("rulerun/soak@1", {"seed": seed, "soaked": told}))
    return report.code

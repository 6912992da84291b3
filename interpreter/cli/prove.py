"""`rulerun prove`: laws and leaks, in random games of every sort."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import click

from interpreter.cli.common import (
    common_options,
    game_options,
    note,
    passing,
    read,
    refusing,
    settings,
)  # fmt: skip
from interpreter.cli.reporting import Report, chosen_format, format_options
from interpreter.cli.sorts import sorts_of

if TYPE_CHECKING:
    from collections.abc import Callable


@click.command("prove")
@click.argument("files", nargs=-1, required=True)
@click.option(
    "--games", type=click.IntRange(1), default=20, show_default=True,
    help="Games of each number of players and choice of the options that are names.",
)  # fmt: skip
@click.option("--seed", type=int, default=0, show_default=True, help="Of the first game.")
@click.option("--players", type=int, help="Only with so many players.")
@game_options
@click.option(
    "-k", "wanted", metavar="TEXT", help="Only ways to set it up with this in their name."
)
@click.option(
    "--native/--no-native", default=True, show_default=True, help="Compare both machines, too."
)
@format_options
@common_options
def command(
    files: tuple[str, ...],
    games: int,
    seed: int,
    players: int | None,
    options: dict[str, str | int],
    wanted: str | None,
    native: bool,
    form: str | None,
    as_json: bool,
) -> int:
    """Play random games twice over, with everything different that a seat cannot know, and compare
    every byte it is given: view, options, log, reasons, undo, imagined states. A difference is a
    leak, and is told as two scenarios. Also tried are the laws of all rulesets: copies, saving,
    journals, undo, the order of options, imagined states, and that both machines agree.

    Ends with 0 if nothing was found, 1 if something was, 2 for wrong use, 3 if a limit was reached.
    """
    from interpreter.prove.proof import prove
    from interpreter.report.render import Document, Tried
    from interpreter.report.source import Mark

    output = chosen_format(form, as_json)
    report = Report()
    told: list[dict[str, object]] = []
    all_rules = [read(file) for file in files]
    for rules, found in [(each, sorts_of(each, players, options, wanted)) for each in all_rules]:
        for variant in found:
            began = time.perf_counter()
            with refusing(rules):
                begins = _progress(f"{rules.title}, {variant}", games)
                proof = prove(rules, variant, games, seed, native=native, begins=begins)
            passing("")
            known = {(problem.code, problem.mark) for problem in report.problems}
            fresh = [each for each in proof.problems if (each.code, each.mark) not in known]
            name = f"{rules.title}, {variant}"
            tried = Tried("prove", name, Mark.top(rules.name), tuple(fresh))
            report.add_tried(tried, rules.sources)
            told.append(
                {
                    "title": rules.title, "variant": str(variant), "games": proof.games,
                    "brokeOff": proof.broke, "passed": not proof.problems,
                }
            )  # fmt: skip
            many = len(proof.problems)
            wrong = f"{many} PROBLEM{'' if many == 1 else 'S'}" if many else "all well"
            if proof.broke:
                wrong = f"{proof.broke} broke off, {wrong}"
            took = f", {time.perf_counter() - began:.1f} s" if settings().verbose else ""
            note(f"{name}: {games} games, {wrong}{took}")
    report.tell(output, Document("rulerun/prove@1", {"seed": seed, "proved": told}))
    return report.code


def _progress(name: str, games: int) -> Callable[[int], None]:
    """Tells which game is being looked at, to somebody who waits at a terminal."""
    return lambda number: passing(f"{name}: game {number} of {games}")

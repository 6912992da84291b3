"""`rulerun prove`: laws and leaks, in random games of every sort."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING

import click

from interpreter.cli.common import (
    Refused,
    common_options,
    exit_code,
    game_options,
    note,
    out,
    passing,
    read,
    refusing,
    settings,
)  # fmt: skip
from interpreter.cli.config import FORMATS

if TYPE_CHECKING:
    from collections.abc import Callable

    from interpreter.reading import Rules
    from interpreter.variants import Variant


@click.command("prove")
@click.argument("files", nargs=-1, required=True)
@click.option(
    "--games", type=click.IntRange(1), default=20, show_default=True,
    help="Games of each number of players and choice of options.",
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
@click.option(
    "--output-format",
    "form",
    type=click.Choice(FORMATS),
    envvar="RULERUN_OUTPUT_FORMAT",
    help="How problems are told; full is for people.",
)
@click.option("--json", "as_json", is_flag=True, help="Short for --output-format json.")
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
    from interpreter.report.problem import Problem
    from interpreter.report.render import FORMATS as RENDERED
    from interpreter.report.render import render
    from interpreter.report.source import Source

    chosen = settings()
    name = "json" if as_json else form or chosen.config.output_format or "full"
    output = next(each for each in RENDERED if each == name)
    problems: list[Problem] = []
    sources: dict[str, Source] = {}
    all_rules = [read(file) for file in files]
    for rules, found in [(each, _variants(each, players, options, wanted)) for each in all_rules]:
        sources |= rules.sources
        for variant in found:
            began = time.perf_counter()
            with refusing(rules):
                begins = _progress(f"{rules.title}, {variant}", games)
                proof = prove(rules, variant, games, seed, native=native, begins=begins)
            passing("")
            known = {(problem.code, problem.mark) for problem in problems}
            problems += [each for each in proof.problems if (each.code, each.mark) not in known]
            many = len(proof.problems)
            wrong = f"{many} PROBLEM{'' if many == 1 else 'S'}" if many else "all well"
            if proof.broke:
                wrong = f"{proof.broke} broke off, {wrong}"
            took = f", {time.perf_counter() - began:.1f} s" if chosen.verbose else ""
            note(f"{rules.title}, {variant}: {games} games, {wrong}{took}")
    out(render(problems, sources, output, chosen.coloured(sys.stdout)), end="")
    return exit_code(problems)


def _progress(name: str, games: int) -> Callable[[int], None]:
    """Tells which game is being looked at, to somebody who waits at a terminal."""
    return lambda number: passing(f"{name}: game {number} of {games}")


def _variants(
    rules: Rules, players: int | None, options: dict[str, str | int], wanted: str | None
) -> list[Variant]:
    """What is to be proved of a file. Nothing would look like all well, so it is refused."""
    from interpreter.pipeline import build
    from interpreter.variants import Variant, variants

    found = [each for each in variants(rules) if players in (None, each.players)]
    if options:
        found = [Variant(each.players, options) for each in {v.players: v for v in found}.values()]
    if not found:
        _, problems = build(rules, rules.players[0] if players is None else players, options)
        raise Refused([each for each in problems if each.severity == "error"], rules.sources)
    found = [each for each in found if wanted is None or wanted in str(each)]
    if not found:
        raise click.UsageError(f"no way to set up {rules.title} has `{wanted}` in its name")
    return found

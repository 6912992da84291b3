"""The sorts of games that campaigns go through: numbers of players, and options of the rules."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from interpreter.cli.common import Refused

if TYPE_CHECKING:
    from interpreter.reading import Rules
    from interpreter.variants import Variant


def sorts_of(
    rules: Rules,
    players: int | None = None,
    options: dict[str, str | int] | None = None,
    wanted: str | None = None,
) -> list[Variant]:
    """What is to be played of a file. Nothing would look like all well, so it is refused."""
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

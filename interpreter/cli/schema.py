"""`rulerun schema`: what a ruleset's data file may hold, as JSON Schema for editors."""

from __future__ import annotations

import click

from interpreter.cli.common import (
    OK,
    Refused,
    common_options,
    game_options,
    out_json,
    players_option,
    read,
)  # fmt: skip


@click.command("schema")
@click.argument("file")
@players_option
@game_options
@common_options
def command(file: str, players: int | None, options: dict[str, str | int]) -> int:
    """Write the JSON Schema of the YAML data that a rule file reads.

    An editor with a YAML language server uses it for completion and checking; put this line at
    the top of the data: # yaml-language-server: $schema=myGame.schema.json
    """
    from interpreter.model.data_schema import data_schema
    from interpreter.model.declare import declare
    from interpreter.report.problem import Problems

    rules = read(file)
    if rules.problems.has_errors:
        raise Refused(rules.problems.items(), rules.sources)
    number = rules.players[1] if players is None else players
    # Data that does not fit is no obstacle: the schema is wanted to repair it.
    ruleset = declare(rules.declarations, rules.data, number, options, Problems())
    out_json(data_schema(rules.title, rules.declarations, ruleset))
    return OK

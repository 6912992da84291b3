"""`rulerun export`: a rule file as the JSON tree that schemas/ruleset.schema.json describes."""

from __future__ import annotations

import click

from interpreter.cli.common import OK, Refused, common_options, find_rules, out_json, unreadable


@click.command("export")
@click.argument("file")
@common_options
def command(file: str) -> int:
    """Write a rule file as a JSON tree. rulerun reads such a tree wherever it reads rules."""
    from interpreter import limits
    from interpreter.cli.common import shown_path
    from interpreter.report.problem import Problem
    from interpreter.report.source import read_source
    from interpreter.tree.document import read_document, to_document
    from interpreter.tree.parse import parse

    source = read_source(shown_path(find_rules(file)), limits.SOURCE_BYTES)
    if isinstance(source, Problem):
        raise unreadable([source])
    if source.text.lstrip().startswith("{"):
        found = read_document(source.text, source.name)
        if isinstance(found, list):
            raise Refused(found, {source.name: source})
        tree = found
    else:
        tree, problems = parse(source)
        if problems:
            raise Refused(problems, {source.name: source})
    out_json(to_document(tree))
    return OK

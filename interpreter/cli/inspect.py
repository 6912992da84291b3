"""`rulerun inspect`: what each stage on the way from text to program makes of a rule file."""

from __future__ import annotations

import click

from interpreter.cli.common import (
    OK,
    Refused,
    common_options,
    game_options,
    load,
    out,
    players_option,
    read,
)  # fmt: skip

STAGES = ("tree", "model", "program", "layout")


@click.command("inspect")
@click.argument("stage", type=click.Choice(STAGES))
@click.argument("file")
@players_option
@game_options
@common_options
def command(stage: str, file: str, players: int | None, options: dict[str, str | int]) -> int:
    """Show the tree, the checked model, the program or the layout of the game state."""
    if stage == "tree":
        from interpreter.tree.document import to_document
        from interpreter.tree.nodes import Tree

        rules = read(file)
        if rules.problems.has_errors:
            raise Refused(rules.problems.items(), rules.sources)
        out(_outline(to_document(Tree(tuple(rules.declarations)))["declarations"]))
    elif stage == "model":
        from interpreter.model.declare import declare
        from interpreter.model.listing import list_ruleset
        from interpreter.report.problem import Problems

        rules = read(file)
        problems = Problems(rules.problems.items())
        if not problems.has_errors:
            number = rules.players[0] if players is None else players
            ruleset = declare(rules.declarations, rules.data, number, options, problems)
        if problems.has_errors:
            raise Refused(problems.items(), rules.sources)
        _print(list_ruleset(ruleset))
    else:
        from interpreter.program.listing import list_layout, list_program

        program = load(file, players, options).program
        _print(list_program(program) if stage == "program" else list_layout(program))
    return OK


def _print(text: str) -> None:
    from interpreter.report.visible import visible

    out("\n".join(visible(line) for line in text.split("\n")))


def _outline(value: object, depth: int = 0, key: str = "") -> str:
    """A tree as indented lines: a node's name, then what it holds."""
    return "\n".join(_outline_lines(value, depth, key))


def _outline_lines(value: object, depth: int, key: str) -> list[str]:
    from interpreter.report.visible import visible

    space, head = "  " * depth, f"{key}: " if key else ""
    if isinstance(value, dict) and len(value) == 1:
        ((name, inner),) = value.items()
        if isinstance(inner, dict):
            simple = {k: v for k, v in inner.items() if not isinstance(v, (dict, list))}
            said = "".join(f" {k}={visible(str(v))!r}" for k, v in simple.items())
            lines = [f"{space}{head}{name}{said}"]
            for k, v in inner.items():
                if k not in simple:
                    lines += _outline_lines(v, depth + 1, k)
            return lines
    if isinstance(value, list):
        if all(not isinstance(item, (dict, list)) for item in value):
            return [f"{space}{head}{', '.join(map(_plain, value))}"]
        if not key:
            return [line for item in value for line in _outline_lines(item, depth, "")]
        lines = [f"{space}{key}"]
        return lines + [line for item in value for line in _outline_lines(item, depth + 1, "")]
    if isinstance(value, dict):
        lines = [f"{space}{key}"]
        return lines + [line for k, v in value.items() for line in _outline_lines(v, depth + 1, k)]
    return [f"{space}{head}{visible(str(value))}"]


def _plain(item: object) -> str:
    """A word as it is; what has spaces or nothing in it stands in quotes, to be seen as one."""
    from interpreter.report.visible import visible

    text = visible(str(item))
    return text if text and " " not in text else repr(text)

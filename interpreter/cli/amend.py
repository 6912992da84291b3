"""`rulerun test --update`: what fails since the rules have changed, and what it should say now."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import click

from interpreter.cli.common import note, out, settings
from interpreter.cli.fmt import replace_file, shown_diff

if TYPE_CHECKING:
    from interpreter.reading import Rules
    from interpreter.report.source import Source
    from interpreter.scenario import Result
    from interpreter.scenario_state import Amendment, Edit
    from interpreter.tree import nodes


def update(rules: Rules, chosen: Sequence[nodes.Scenario], *, accept_all: bool) -> None:
    """Show every expectation that could be rewritten, and rewrite those that are accepted. The
    scenarios are to be read again after this."""
    from interpreter.scenario import run_scenarios
    from interpreter.scenario_amend import amended

    asks = not accept_all and sys.stdin is not None and sys.stdin.isatty()
    edits: dict[str, list[Edit]] = {}
    seen = accepted = 0
    for title, amendment in found_in(run_scenarios(rules, chosen, amending=True)):
        source = rules.sources[amendment.line.file]
        out(f"{source.name}:{amendment.line.line}: {title}")
        if not amendment.edits:
            out(f"  this cannot be rewritten: {amendment.problem.message}")
            continue
        changes = _changes(source, amendment)
        out(shown_diff(changes, settings().coloured(sys.stdout)), end="", drawn=True)
        seen += 1
        if accept_all or (asks and click.confirm("Should it say so from now on?", err=True)):
            edits.setdefault(source.name, []).extend(amendment.edits)
            accepted += 1
    for name, wanted in edits.items():
        replace_file(name, amended(rules.sources[name], wanted))
    if seen:
        note(f"{accepted} of {seen} expectation{'s' if seen != 1 else ''} rewritten.")
    if seen and not accept_all and not asks:
        note("`--yes` rewrites all that is shown; `-k TEXT` chooses scenarios.")


def _changes(source: Source, amendment: Amendment) -> list[str]:
    """The lines that go and those that come in their place."""
    from interpreter.scenario_amend import amended

    now = amended(source, amendment.edits).split("\n")
    first = min(edit.mark.line for edit in amendment.edits) - 1
    last = max(edit.mark.end_line for edit in amendment.edits)
    come = now[first : len(now) - (len(source.lines) - last)]
    return [*(f"-{line}\n" for line in source.lines[first:last]), *(f"+{line}\n" for line in come)]


def found_in(results: Sequence[Result]) -> Iterator[tuple[str, Amendment]]:
    """Expectations that fail, each once. Of a scenario with several tables, only what would be the
    same at each of them can be rewritten."""
    tables: dict[int, list[Result]] = {}
    for result in results:
        tables.setdefault(id(result.scenario), []).append(result)
    for group in tables.values():
        found = {each.line: each for result in group for each in result.amendments}
        for each in found.values():
            same = all(each in result.amendments for result in group)
            yield group[0].scenario.title, each if same else replace(each, edits=())

"""`rulerun test`: run the scenarios of rule files."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from interpreter.cli.common import (
    PROBLEMS,
    common_options,
    exit_code,
    find_rules,
    json_option,
    note,
    out,
    out_json,
    settings,
)  # fmt: skip

if TYPE_CHECKING:
    from interpreter.reading import Rules
    from interpreter.report.problem import Problem
    from interpreter.report.source import Source
    from interpreter.scenario import Result
    from interpreter.tree import nodes


@click.command("test")
@click.argument("paths", nargs=-1, required=True, metavar="PATHS...")
@click.option("-k", "wanted", metavar="TEXT", help="Only scenarios with this in title or clauses.")
@click.option("--update", is_flag=True, help="Show what has changed, and rewrite what you accept.")
@click.option("--yes", is_flag=True, help="With --update: rewrite all that can be.")
@json_option
@common_options
def command(
    paths: tuple[str, ...], wanted: str | None, update: bool, yes: bool, as_json: bool
) -> int:
    """Run scenarios: PATHS are files with scenarios, rule files that have some, folders, or the
    names of games that ship.

    Ends with 0 if there are scenarios and all pass, 1 if one fails or there is none.
    """
    from interpreter.cli.amend import update as update_scenarios
    from interpreter.cli.paths import find_scenarios
    from interpreter.reading import read_rules
    from interpreter.report.problem import RulesError
    from interpreter.scenario import run_scenarios

    if yes and not update:
        raise click.UsageError("--yes is for --update")
    if update and as_json:
        raise click.UsageError("--update shows a diff, not data: leave out --json")
    problems: list[Problem] = []
    sources: dict[str, Source] = {}
    results: list[Result] = []
    named = [path if os.path.exists(path) else str(find_rules(path)) for path in paths]
    for path in find_scenarios(named):
        rules = read_rules(path)
        try:
            if update and not rules.problems.has_errors:
                update_scenarios(rules, _chosen(rules, wanted), accept_all=yes)
                rules = read_rules(path)
            sources |= rules.sources
            if rules.problems.has_errors:
                problems += rules.problems.items()
                continue
            results += run_scenarios(rules, _chosen(rules, wanted))
        except RulesError as error:
            problems += error.problems
    passed = sum(result.passed for result in results)
    total = f"{passed} of {len(results)} scenarios passed."
    if as_json:
        told = [_as_data(result) for result in results]
        out_json({"schema": "rulerun/test@1", "scenarios": told})
    else:
        for result in results:
            if not result.passed:
                out(f"FAILED  {result.title}")
                _show(result.problems, sources)
            elif settings().verbose:
                out(f"passed  {result.title}")
    if problems and not as_json:
        _show(problems, sources)
    found = problems + [problem for result in results for problem in result.problems]
    if not results:
        note("No scenario could be run." if problems else "There are no scenarios here.")
        return max(exit_code(found), PROBLEMS)
    if as_json or settings().quiet:
        note(total)
    else:
        out(total)
    return exit_code(found)


def _chosen(rules: Rules, wanted: str | None) -> list[nodes.Scenario]:
    from interpreter.scenario import scenario_cites

    return [
        each
        for each in rules.scenarios
        if wanted is None or wanted in each.title or wanted in set(scenario_cites(each))
    ]


def _show(problems: Sequence[Problem], sources: Mapping[str, Source]) -> None:
    from interpreter.report.render import render

    text = render(problems, sources, "full", settings().coloured(sys.stdout))
    out(text, end="", drawn=True)


def _as_data(result: Result) -> dict[str, object]:
    from interpreter.scenario import scenario_cites

    mark = result.scenario.mark
    return {
        "title": result.scenario.title,
        **({"table": result.table} if result.table else {}),
        "file": Path(mark.file).as_posix(),
        "line": mark.line,
        "clauses": list(dict.fromkeys(scenario_cites(result.scenario))),
        "passed": result.passed,
        "problems": [f"{problem.code}: {problem.message}" for problem in result.problems],
    }

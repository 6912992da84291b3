"""`rulerun test`: run the scenarios of rule files."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from interpreter.cli.common import (
    OK,
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
    from interpreter.scenario import Result


@click.command("test")
@click.argument("paths", nargs=-1, required=True, metavar="PATHS...")
@click.option("-k", "wanted", metavar="TEXT", help="Only scenarios with this in title or clauses.")
@json_option
@common_options
def command(paths: tuple[str, ...], wanted: str | None, as_json: bool) -> int:
    """Run scenarios: PATHS are files with scenarios, rule files that have some, folders, or the
    names of games that ship.

    Ends with 0 if there are scenarios and all pass, 1 if one fails or there is none.
    """
    from interpreter.cli.paths import find_scenarios
    from interpreter.reading import read_rules
    from interpreter.report.problem import Problem
    from interpreter.report.render import render
    from interpreter.report.source import Source
    from interpreter.scenario import run_scenarios, scenario_cites

    problems: list[Problem] = []
    sources: dict[str, Source] = {}
    results: list[Result] = []
    named = [path if os.path.exists(path) else str(find_rules(path)) for path in paths]
    for path in find_scenarios(named):
        rules = read_rules(path)
        sources |= rules.sources
        if rules.problems.has_errors:
            problems += rules.problems.items()
            continue
        chosen = [
            each
            for each in rules.scenarios
            if wanted is None or wanted in each.title or wanted in set(scenario_cites(each))
        ]
        results += run_scenarios(rules, chosen)
    problems += [problem for result in results for problem in result.problems]
    passed = sum(result.passed for result in results)
    if as_json:
        told = [_as_data(result) for result in results]
        out_json({"schema": "rulerun/test@1", "scenarios": told})
    else:
        for result in results if settings().verbose else ():
            out(f"{'passed' if result.passed else 'FAILED'}  {result.scenario.title}")
        told_of: set[Problem] = set()  # a mistake of the rules shows in every scenario
        for result in results:
            if not result.passed:
                out(f"FAILED  {result.scenario.title}")
                fresh = [problem for problem in result.problems if problem not in told_of]
                told_of.update(fresh)
                out(
                    render(fresh, sources, "full", settings().coloured(sys.stdout)),
                    end="",
                    drawn=True,
                )
        loose = [p for p in problems if not any(p in result.problems for result in results)]
        out(render(loose, sources, "full", settings().coloured(sys.stdout)), end="", drawn=True)
    if not results and not problems:
        note("There are no scenarios here.")
        return PROBLEMS
    note(f"{passed} of {len(results)} scenarios passed.")
    return max(exit_code(problems), OK)


def _as_data(result: Result) -> dict[str, object]:
    from interpreter.scenario import scenario_cites

    mark = result.scenario.mark
    return {
        "title": result.scenario.title,
        "file": Path(mark.file).as_posix(),
        "line": mark.line,
        "clauses": list(dict.fromkeys(scenario_cites(result.scenario))),
        "passed": result.passed,
        "problems": [f"{problem.code}: {problem.message}" for problem in result.problems],
    }

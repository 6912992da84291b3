"""`rulerun test`: run the scenarios of rule files."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from interpreter.cli.common import (
    PROBLEMS,
    amended,
    common_options,
    find_rules,
    note,
    out,
    set_option,
    settings,
)  # fmt: skip
from interpreter.cli.reporting import Report, chosen_format, format_options
from interpreter.cli.watch import keep_watching, watch_option

if TYPE_CHECKING:
    from interpreter.reading import Rules
    from interpreter.report.render import Format
    from interpreter.scenario import Result
    from interpreter.tree import nodes


@click.command("test")
@click.argument("paths", nargs=-1, required=True, metavar="PATHS...")
@click.option("-k", "wanted", metavar="TEXT", help="Only scenarios with this in title or clauses.")
@click.option("--update", is_flag=True, help="Show what has changed, and rewrite what you accept.")
@click.option("--yes", is_flag=True, help="With --update: rewrite all that can be.")
@set_option
@watch_option
@format_options
@common_options
def command(
    paths: tuple[str, ...],
    wanted: str | None,
    update: bool,
    yes: bool,
    watch: bool,
    form: str | None,
    as_json: bool,
) -> int:
    """Run scenarios: PATHS are files with scenarios, rule files that have some, folders, or the
    names of games that ship.

    Ends with 0 if there are scenarios and all pass, 1 if one fails or there is none, 2 for wrong
    use, 3 if a limit was reached.
    """
    output = chosen_format(form, as_json)
    if yes and not update:
        raise click.UsageError("--yes is for --update")
    if update and output != "full":
        raise click.UsageError("--update shows a diff, not data: leave out the output format")
    if update and watch:
        raise click.UsageError("--update changes the files that --watch watches: leave one out")
    named = [_find(path) for path in paths]
    if watch:
        return keep_watching(named, lambda: _test(named, wanted, output))
    return _test(named, wanted, output, update=update, accept_all=yes)


def _find(path: str) -> str:
    """A file or folder, or a game that ships. Many would name a scenario here."""
    if os.path.isdir(path):
        return path
    found = find_rules(path, f'For scenarios with this in their title, write `-k "{path}"`.')
    return path if os.path.exists(path) else str(found)


def _test(
    named: Sequence[str],
    wanted: str | None,
    output: Format,
    *,
    update: bool = False,
    accept_all: bool = False,
) -> int:
    from interpreter.cli.amend import update as update_scenarios
    from interpreter.cli.paths import find_scenarios
    from interpreter.reading import read_rules
    from interpreter.report.problem import RulesError
    from interpreter.report.render import Document

    report = Report()
    results: list[Result] = []
    for path in find_scenarios(named):
        rules = amended(read_rules(path))
        if update and not rules.problems.has_errors:
            try:
                update_scenarios(rules, _chosen(rules, wanted), accept_all=accept_all)
            except RulesError as error:
                report.add(error.problems, rules.sources)
                continue
            rules = amended(read_rules(path))
        results += run_file(rules, report, wanted)
    data = {"scenarios": [_as_data(result) for result in results]}
    if output == "full":
        _tell_people(report, results)
    else:
        report.tell(output, Document("rulerun/test@1", data))
    passed = sum(result.passed for result in results)
    if not results:
        found = bool(report.problems)
        note("No scenario could be run." if found else "There are no scenarios here.")
        return max(report.code, PROBLEMS)
    say = note if output != "full" or settings().quiet else out
    say(f"{passed} of {len(results)} scenarios passed.")
    return report.code


def run_file(rules: Rules, report: Report, wanted: str | None = None) -> list[Result]:
    """Run the scenarios of one file; what is found goes into the report."""
    from interpreter.report.problem import RulesError
    from interpreter.report.render import Tried
    from interpreter.scenario import run_scenarios

    if rules.problems.has_errors:
        report.add(rules.problems.items(), rules.sources)
        return []
    try:
        results = run_scenarios(rules, _chosen(rules, wanted))
    except RulesError as error:
        report.add(error.problems, rules.sources)
        return []
    for result in results:
        tried = Tried("test", result.title, result.scenario.mark, result.problems)
        report.add_tried(tried, rules.sources)
    return results


def _tell_people(report: Report, results: Sequence[Result]) -> None:
    for result in results:
        if not result.passed:
            out(f"FAILED  {result.title}")
            Report(list(result.problems), report.sources).tell("full")
        elif settings().verbose:
            out(f"passed  {result.title}")
    tried = {problem for result in results for problem in result.problems}
    others = [problem for problem in report.problems if problem not in tried]
    Report(others, report.sources).tell("full")


def _chosen(rules: Rules, wanted: str | None) -> list[nodes.Scenario]:
    from interpreter.scenario import scenario_cites

    return [
        each
        for each in rules.scenarios
        if wanted is None or wanted in each.title or wanted in set(scenario_cites(each))
    ]


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

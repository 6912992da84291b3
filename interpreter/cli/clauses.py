"""`rulerun clauses`: the rulebook, clause by clause, beside the rules and their scenarios."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

import click

from interpreter.cli.common import common_options, note, out, parse_seed
from interpreter.cli.reporting import Report, chosen_format, format_options
from interpreter.cli.scenarios import run_file

if TYPE_CHECKING:
    from interpreter.clauses import Clause
    from interpreter.reading import Rules

_WIDTH = 100


@click.command("clauses")
@click.argument("file")
@click.option(
    "--games", type=click.IntRange(0, 100_000), default=20, show_default=True,
    help="Random games to see which clauses take part, spread over players and options.",
)  # fmt: skip
@click.option(
    "--seed",
    type=str,
    metavar="INTEGER",
    callback=parse_seed,
    default=0,
    show_default=True,
    help="Of the first of them.",
)
@click.option("--missing", is_flag=True, help="Tell only of clauses that are uncited or untested.")
@click.option("--strict", is_flag=True, help="End with 1 if there is one, or a scenario fails.")
@format_options
@common_options
def command(
    file: str,
    games: int,
    seed: int,
    missing: bool,
    strict: bool,
    form: str | None,
    as_json: bool,
) -> int:
    """Tell for every clause the lines that state it, the scenarios that test it, and in how many
    random games it took part. A clause marked `notModelled` in the clause file needs neither.

    Ends with 0 if all is well, or without --strict; 1 if something is missing or fails, 2 for wrong
    use, 3 if a limit was reached.
    """
    from interpreter.clauses import count_games, read_clauses
    from interpreter.cli.common import Refused, find_rules, read, refusing
    from interpreter.cli.paths import find_scenarios, scenarios_of
    from interpreter.pipeline import build
    from interpreter.reading import read_rules
    from interpreter.report.render import Document

    output = chosen_format(form, as_json)
    rules = read(file)
    program, problems = build(rules)
    if program is None:
        raise Refused([each for each in problems if each.severity == "error"], rules.sources)
    path = str(find_rules(file))
    for each in scenarios_of(path):
        rules.scenarios += read_rules(each).scenarios
    clauses = read_clauses(rules)
    if not clauses:
        raise click.UsageError(f'{file} names no clauses: it needs a line `clauses "book.yaml"`')
    with refusing(rules):
        played = count_games(rules, clauses, games, seed) if games else 0
    wanted = [each for each in clauses.values() if each.is_missing or not missing]
    report = missing_clauses(rules, clauses)
    if strict:
        report = report.taken_strictly()
        for each in find_scenarios([path]):
            run_file(read_rules(each), report)
    if output == "full":
        for clause in wanted:
            _tell(clause, played)
        failed = [each for each in report.tried if each.step == "test" and each.problems]
        for tried in failed:
            out(f"FAILED  {tried.name}")
            Report(list(tried.problems), report.sources).tell("full")
    else:
        told = [_as_data(each) for each in wanted]
        report.tell(output, Document("rulerun/clauses@1", {"games": played, "clauses": told}))
    _summary(list(clauses.values()), played)
    return report.code


def missing_clauses(rules: Rules, clauses: dict[str, Clause]) -> Report:
    """What is missing, as warnings; every clause is something that was tried."""
    from interpreter.clauses import clause_problems
    from interpreter.report.render import Tried

    report = Report()
    for each in clauses.values():
        problems = tuple(clause_problems(each))
        report.add_tried(Tried("clauses", each.name, each.mark, problems), rules.sources)
    return report


def _tell(clause: Clause, played: int) -> None:
    head = f"{clause.name:9}"
    out(head + textwrap.shorten(clause.text, _WIDTH - len(head), placeholder="..."))
    space = " " * len(head)
    if clause.not_modelled is not None:
        out(f"{space}not modelled: {clause.not_modelled}")
        return
    lines = ", ".join(f"{line}" for line in sorted({mark.line for mark in clause.lines}))
    rules = f"line {lines}" if lines else "CITED NOWHERE"
    titles = "; ".join(f'"{each.title}"' for each in clause.scenarios[:3])
    more = f" and {len(clause.scenarios) - 3} more" if len(clause.scenarios) > 3 else ""
    tested = f"{titles}{more}" if titles else "TESTED NOWHERE"
    took = f"; {clause.games} of {played} games" if played else ""
    text = f"{rules}; {tested}{took}"
    out(textwrap.fill(text, _WIDTH, initial_indent=space, subsequent_indent=space))


def _summary(clauses: list[Clause], played: int) -> None:
    modelled = [each for each in clauses if each.not_modelled is None]
    rulings = sum(each.is_ruling for each in clauses)
    note(f"{len(clauses) - rulings} clauses and {rulings} rulings:")
    note(f"{sum(bool(each.lines) for each in modelled):6} cited")
    note(f"{sum(bool(each.scenarios) for each in modelled):6} tested")
    note(f"{len(clauses) - len(modelled):6} marked as not modelled")
    if played:
        took = sum(each.games > 0 for each in modelled)
        note(f"{took:6} took part in {played} random games")
    missing = [each.name for each in clauses if each.is_missing]
    if missing:
        note(f"{len(missing):6} missing: {', '.join(missing)}")


def _as_data(clause: Clause) -> dict[str, object]:
    return {
        "id": clause.name,
        "text": clause.text,
        "notModelled": clause.not_modelled,
        "lines": [f"{mark.file}:{mark.line}" for mark in clause.lines],
        "scenarios": [each.title for each in clause.scenarios],
        "games": clause.games,
    }

"""`rulerun ci`: everything that can be asked of rulesets, in one report with one exit code."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from interpreter.cli.common import common_options, note, out, parse_seed, settings
from interpreter.cli.config import FORMATS, STEPS, Ci
from interpreter.cli.reporting import Report, chosen_format, format_options, named_format

if TYPE_CHECKING:
    from interpreter.reading import Rules
    from interpreter.report.problem import Problem
    from interpreter.variants import Variant

_Asked = Callable[["Rules", "Variant", int], "Sequence[Problem]"]


def _reports(
    ctx: click.Context, param: click.Parameter, values: tuple[str, ...]
) -> list[tuple[str, str]]:
    found = []
    for value in values:
        form, equals, file = value.partition("=")
        if not equals or not file or form not in FORMATS:
            told = f"`{value}` does not look like FORMAT=FILE; formats are {', '.join(FORMATS)}"
            raise click.BadParameter(told, ctx, param)
        found.append((form, file))
    return found


@click.command("ci")
@click.argument("paths", nargs=-1, metavar="[PATHS]...")
@click.option(
    "--skip", type=click.Choice(STEPS), multiple=True, help="Leave this out; may be repeated."
)
@click.option("--prove-games", type=click.IntRange(0), help="Games of each ruleset to prove.")
@click.option("--prove-rounds", type=click.IntRange(0), help="Rounds of choices of each of them.")
@click.option("--soak-games", type=click.IntRange(0), help="Games of each ruleset to soak.")
@click.option(
    "--expect-games", type=click.IntRange(0), help="At most so many, where something is expected."
)
@click.option("--seed", metavar="INTEGER", callback=parse_seed, help="Of the first game.")
@click.option(
    "--strict/--no-strict", default=None, envvar="RULERUN_STRICT", help="Warnings are errors too."
)
@click.option(
    "--report",
    "reports",
    multiple=True,
    metavar="FORMAT=FILE",
    callback=_reports,
    help="Write the report into a file, too; may be repeated.",
)
@format_options
@common_options
def command(
    paths: tuple[str, ...],
    skip: tuple[str, ...],
    prove_games: int | None,
    prove_rounds: int | None,
    soak_games: int | None,
    expect_games: int | None,
    seed: int | None,
    strict: bool | None,
    reports: list[tuple[str, str]],
    form: str | None,
    as_json: bool,
) -> int:
    """Check rulesets, their layout, scenarios and clauses, prove them and soak them, and see if
    playing comes to what is expected of it: PATHS are files and folders, else what the
    configuration says, else this folder.

    How many games are played of each ruleset, and all else, can stand under `ci` in rulerun.toml
    or `[tool.rulerun.ci]` in pyproject.toml. Ends with 0 if all is well, 1 if there are errors, 2
    for wrong use, 3 if a limit was reached.
    """
    from interpreter.report.render import Document

    output = chosen_format(form, as_json)
    config = settings().config
    typed: dict[str, Any] = {
        "paths": paths or None, "prove_games": prove_games, "prove_rounds": prove_rounds,
        "soak_games": soak_games, "expect_games": expect_games, "seed": seed,
    }  # fmt: skip
    ci = replace(config.ci, **{name: value for name, value in typed.items() if value is not None})
    run = _Run(ci, bool(config.strict) if strict is None else strict)
    for step in STEPS:
        if step in ci.steps and step not in skip and (step != "expect" or run.expected()):
            run.take(step)
    run.tell_broken()
    document = Document("rulerun/ci@1", {"steps": run.told})
    for name, file in reports:
        with open(file, "w", encoding="utf-8", newline="\n") as target:
            target.write(run.report.text(named_format(name), document))
    run.report.tell(output, document)
    if output == "full" and not run.report.problems:
        out("All is well.")
    return run.report.code


@dataclass(slots=True)
class _Run:
    """What has been done so far. Files that turn out to have errors are not tried out."""

    ci: Ci
    strict: bool
    report: Report = field(default_factory=Report)
    told: list[dict[str, object]] = field(default_factory=list)
    _broken: set[str] = field(default_factory=set)
    _rules: dict[str, Rules] = field(default_factory=dict)

    def take(self, step: str) -> None:
        from interpreter.report.render import count

        began = time.perf_counter()
        number, what, found = _STEPS[step](self)
        if self.strict:
            found = found.taken_strictly()
        # What an earlier step has told already is not counted again.
        known = set(self.report.problems)
        fresh = [problem for problem in found.problems if problem not in known]
        self.report.add(found.problems, found.sources)
        self.report.tried += found.tried
        self.told.append({"name": step, "tried": number, "problems": len(fresh)})
        well = "all well" if number else "nothing to do"
        things = what.removesuffix("s") if number == 1 else what
        took = f"{time.perf_counter() - began:.1f} s"
        note(f"{step:8} {number} {things}: {count(fresh) if fresh else well}, {took}")

    def tell_broken(self) -> None:
        if number := len(self._broken):
            have = "files have errors and were" if number != 1 else "file has errors and was"
            note(f"{number} {have} not tried out.")

    # ---- steps: how many things of which sort were tried, and what was found

    def check(self) -> tuple[int, str, Report]:
        from interpreter.cli.check import check_file
        from interpreter.cli.paths import find_files
        from interpreter.report.render import Tried
        from interpreter.report.source import Mark

        report, files = Report(), find_files(self.ci.paths)
        for path in files:
            rules, problems = check_file(path)
            self._rules[path] = rules
            if any(problem.severity == "error" for problem in problems):
                self._broken.add(path)
            if not problems:
                report.add_tried(Tried("check", "check", Mark.top(path)), rules.sources)
            report.add(problems, rules.sources)
        return len(files), "files", report

    def fmt(self) -> tuple[int, str, Report]:
        from interpreter.cli.fmt import layout_problems
        from interpreter.cli.paths import find_files
        from interpreter.report.render import Tried
        from interpreter.report.source import Mark

        report, files = Report(), find_files(self.ci.paths, parts=True)
        for path in files:
            problems, sources = layout_problems(path)
            tried = Tried("fmt", "layout", Mark.top(path), tuple(problems))
            report.add_tried(tried, sources)
        return len(files), "files", report

    def test(self) -> tuple[int, str, Report]:
        from interpreter.cli.paths import find_scenarios
        from interpreter.cli.scenarios import run_file

        report, number = Report(), 0
        for path in find_scenarios(self.ci.paths):
            if path not in self._broken:
                number += len(run_file(self._read(path), report))
        return number, "scenarios", report

    def clauses(self) -> tuple[int, str, Report]:
        from interpreter.clauses import read_clauses
        from interpreter.cli.clauses import missing_clauses
        from interpreter.cli.paths import scenarios_of
        from interpreter.reading import read_rules

        report = Report()
        for path in self._games():
            if self._read(path).clauses is None:
                continue
            rules = read_rules(path)  # its scenarios are only for this
            for each in scenarios_of(path):
                rules.scenarios += self._read(each).scenarios
            found = missing_clauses(rules, read_clauses(rules))
            report.add(found.problems, found.sources)
            report.tried += found.tried
        return len(report.tried), "clauses", report

    def prove(self) -> tuple[int, str, Report]:
        from interpreter.prove.proof import prove

        def ask(rules: Rules, variant: Variant, games: int) -> Sequence[Problem]:
            # That both machines agree is not for the author of rules to prove.
            seed, rounds = self.ci.seed, self.ci.prove_rounds
            return prove(rules, variant, games, seed, native=False, rounds=rounds).problems

        return self._campaign("prove", self.ci.prove_games if self.ci.prove_rounds else 0, ask)

    def soak(self) -> tuple[int, str, Report]:
        from interpreter.soak import problems_of, soak

        def ask(rules: Rules, variant: Variant, games: int) -> Sequence[Problem]:
            return problems_of(rules, variant, list(soak(rules, variant, games, self.ci.seed)))

        return self._campaign("soak", self.ci.soak_games, ask)

    def expected(self) -> list[str]:
        """Rule files of which something is expected: mostly there are none."""
        beside = [(path, Path(path).with_suffix(".expect.yaml")) for path in self._games()]
        return [path for path, file in beside if file.is_file() and self.ci.expect_games]

    def expect(self) -> tuple[int, str, Report]:
        from interpreter.cli.expect import hold_file, players

        report = Report()
        with players(None) as player:
            for path in self.expected():
                hold_file(self._read(path), path, report, player, self.ci.expect_games)
        return len(report.tried), "expectations", report

    # ---- what they share

    def _campaign(self, step: str, games: int, ask: _Asked) -> tuple[int, str, Report]:
        from interpreter.report.problem import RulesError
        from interpreter.report.render import Tried
        from interpreter.report.source import Mark
        from interpreter.variants import spread

        report, played = Report(), 0
        for path in self._games() if games else []:
            if any(Path(path).match(pattern) for pattern in self.ci.without_games):
                continue
            rules = self._read(path)
            try:
                for variant, share in spread(games, rules):
                    problems = tuple(ask(rules, variant, share))
                    tried = Tried(step, f"{rules.title}, {variant}", Mark.top(path), problems)
                    report.add_tried(tried, rules.sources)
                    played += share
            except RulesError as error:
                report.add(error.problems, rules.sources)
        return played, "games", report

    def _games(self) -> list[str]:
        """The rule files that are games of their own and have no errors."""
        from interpreter.cli.paths import SCENARIOS, find_files

        found = [path for path in find_files(self.ci.paths) if not path.endswith(SCENARIOS)]
        return [path for path in found if path not in self._broken]

    def _read(self, path: str) -> Rules:
        from interpreter.reading import read_rules

        if path not in self._rules:
            self._rules[path] = read_rules(path)
        return self._rules[path]


_STEPS: dict[str, Callable[[_Run], tuple[int, str, Report]]] = {
    "check": _Run.check,
    "fmt": _Run.fmt,
    "test": _Run.test,
    "clauses": _Run.clauses,
    "prove": _Run.prove,
    "soak": _Run.soak,
    "expect": _Run.expect,
}

"""`rulerun expect`: whether playing comes to what is expected of it beside the rules."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

import click

from interpreter.cli.common import (
    common_options,
    find_rules,
    note,
    out,
    passing,
    refusing,
    settings,
    within_limits,
)  # fmt: skip
from interpreter.cli.reporting import Report, chosen_format, format_options
from interpreter.cli.study import cluster_option, far_away

if TYPE_CHECKING:
    from interpreter.lab.expectations import Expectations
    from interpreter.lab.gates import Held, Judged, Missing
    from interpreter.lab.sampled import Player
    from interpreter.lab.spec import Arm
    from interpreter.reading import Rules
    from interpreter.report.problem import Problem

_SAID = {"held": "holds", "broken": "BROKEN", "open": "unclear"}


@click.command("expect")
@click.argument("paths", nargs=-1, metavar="[PATHS]...")
@click.option("--games", type=click.IntRange(20), help="At most so many, if the files say more.")
@click.option("--workers", type=click.IntRange(1, 256), help="All cores, if not said.")
@cluster_option
@click.option(
    "--strict/--no-strict", default=None, envvar="RULERUN_STRICT",
    help="What is unclear is an error, too.",
)  # fmt: skip
@format_options
@common_options
def command(
    paths: tuple[str, ...],
    games: int | None,
    workers: int | None,
    address: str | None,
    strict: bool | None,
    form: str | None,
    as_json: bool,
) -> int:
    """Let bots play until it is clear whether all is as `NAME.expect.yaml` expects of `NAME.rules`:
    PATHS are rule files and folders, else this folder.

    Ends with 0 if nothing is broken, 1 if something is, 2 for wrong use, 3 if a limit was reached.
    """
    output = chosen_format(form, as_json)
    strict = bool(settings().config.strict) if strict is None else strict
    return assert_all(paths or (".",), games, workers, strict, output, address)


def assert_all(
    paths: Sequence[str],
    games: int | None,
    workers: int | None,
    strict: bool,
    output: str,
    address: str | None = None,
) -> int:
    """All expectations of these files and folders, told in a form; the exit code."""
    from interpreter.cli.reporting import named_format
    from interpreter.reading import read_rules
    from interpreter.report.render import Document

    files = with_expectations(paths)
    if not files:
        raise click.UsageError(
            f"nothing is expected of {', '.join(paths)}. What should be so stands beside the "
            "rules: `NAME.expect.yaml` is for `NAME.rules`"
        )
    report, every = Report(), []
    with players(workers, address) as player:
        for path in files:
            with within_limits(path):
                rules = read_rules(path)
            held = hold_file(rules, path, report, player, games)
            every.append({"rules": path, **_as_data(held)})
            if output == "full":
                _tell_people(held)
    if strict:
        report = report.taken_strictly()
    report.tell(named_format(output), Document("rulerun/expect@1", {"files": every}))
    if not report.problems:
        (out if output == "full" else note)("All that is expected holds.")
    return report.code


def with_expectations(paths: Sequence[str]) -> list[str]:
    """The rule files that are meant, of those of which something is expected."""
    from interpreter.cli.paths import SCENARIOS, find_files
    from interpreter.lab.expectations import expectations_path

    named = [each if os.path.exists(each) else str(find_rules(each)) for each in paths]
    found = [path for path in find_files(named) if not path.endswith(SCENARIOS)]
    return [path for path in found if path != "-" and expectations_path(path).is_file()]


@contextmanager
def players(workers: int | None, address: str | None = None) -> Iterator[Player]:
    """Who plays chunks of games: this process, several, or a cluster. Refuses if what they need is
    not installed."""
    try:
        from interpreter.lab import sampled
    except ImportError as error:
        raise click.UsageError(
            f"studies need more packages ({error.name} is missing). "
            "Install them with: pip install 'rulerun[lab]'"
        ) from None
    with far_away(address) as far, sampled.players(workers or os.cpu_count() or 1, far) as player:
        yield player


def hold_file(
    rules: Rules, path: str, report: Report, player: Player, most: int | None = None
) -> Held:
    """Play what is expected of one file; what is found goes into the report."""
    from interpreter.lab.expectations import read_expectations
    from interpreter.lab.gates import Held, hold
    from interpreter.lab.ready import forget
    from interpreter.lab.sampled import Sampled
    from interpreter.report.render import Tried

    forget()
    found = read_expectations(rules, path)
    sources = dict(rules.sources)
    if found.source is not None:
        sources[found.source.name] = found.source
    report.add([*rules.problems.items(), *found.problems], sources)
    if found.problems or rules.problems.has_errors:
        return Held()
    gates = found.gates
    if most is not None:
        gates = [
            replace(gate, study=replace(gate.study, games=min(most, gate.study.games)))
            for gate in gates
        ]
    with refusing(rules):
        held = hold(gates, lambda gate: Sampled(gate.study, player), _progress)
    passing("")
    every: list[Judged | Missing] = [*held.judged, *held.missing]
    for each in every:
        mark = each.mark
        problems = () if each.problem is None else tuple(_unsilenced([each.problem], found))
        report.add_tried(Tried("expect", each.name, mark, problems), sources)
    return held


def _unsilenced(problems: Sequence[Problem], found: Expectations) -> Iterator[Problem]:
    """Without warnings that somebody has looked at and keeps. What a sample cannot tell, a larger
    one can: so a comment that silences nothing is no mistake."""
    from interpreter.report.noqa import find_noqas

    assert found.source is not None
    comments = list(find_noqas(found.source))
    yield from (each for each in problems if not any(one.silences(each) for one in comments))


def _progress(arm: Arm, games: int, unclear: int) -> None:
    passing(f"{arm.title}: {games} games, {unclear} unclear")


def _tell_people(held: Held) -> None:
    """A table for each way to play."""
    rows: dict[str, list[tuple[str, ...]]] = {}
    for each in held.judged:
        question = each.question
        row = (_SAID[each.verdict], question.about, each.told, question.claim.bound.text)
        rows.setdefault(question.arm.title, []).append(row)
    for one in held.missing:
        named = "nothing" if not one.items else ", ".join(item.words for item in one.items[:4])
        told = f"{named}{' ...' if len(one.items) > 4 else ''} ({one.games} games)"
        row = ("BROKEN" if one.items else "holds", one.never.name, told, "nothing else")
        rows.setdefault(one.gate.title, []).append(row)
    for title, lines in rows.items():
        out(title)
        wide = [max(map(len, column)) for column in zip(*lines, strict=True)]
        for line in lines:
            cells = [f"{cell:{width}}" for cell, width in zip(line, wide, strict=True)]
            out(f"  {cells[0]}  {cells[1]}  {cells[2]}  expected {line[3]}")


def _as_data(held: Held) -> dict[str, object]:
    judged = [
        {
            "name": each.question.name, "expected": each.question.claim.bound.text,
            "line": each.mark.line, "verdict": each.verdict, "games": each.games,
            "value": _finite(each.value), "low": _finite(each.low), "high": _finite(each.high),
            "unit": each.question.unit,
        }
        for each in held.judged
    ]  # fmt: skip
    missing = [
        {
            "name": each.name, "line": each.mark.line, "games": each.games,
            "things": [[item.sort, item.name] for item in each.items],
        }
        for each in held.missing
    ]  # fmt: skip
    return {"games": held.games, "judged": judged, "missing": missing}


def _finite(value: float) -> float | None:
    return value if abs(value) < float("inf") else None

"""`rulerun check`: every problem of many files at once, in the form the reader wants."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from interpreter.cli.common import (
    LIMIT,
    MISSING,
    OK,
    PROBLEMS,
    USAGE,
    common_options,
    exit_code,
    note,
    settings,
)  # fmt: skip
from interpreter.cli.reporting import Report, as_errors, chosen_format, format_options
from interpreter.cli.watch import keep_watching, watch_option

if TYPE_CHECKING:
    from interpreter.reading import Rules
    from interpreter.report.problem import Problem


@click.command("check")
@click.argument("paths", nargs=-1, metavar="[PATHS]...")
@click.option("--fix", is_flag=True, help="Put right what can be meant in one way only.")
@watch_option
@format_options
@click.option("--stdin-filename", metavar="FILE", help="What `-` is called in messages.")
@click.option(
    "--strict/--no-strict", default=None, envvar="RULERUN_STRICT", help="Warnings are errors too."
)
@click.option("--exit-zero", is_flag=True, help="End with 0 even if there are problems.")
@common_options
def command(
    paths: tuple[str, ...],
    fix: bool,
    watch: bool,
    form: str | None,
    as_json: bool,
    stdin_filename: str | None,
    strict: bool | None,
    exit_zero: bool,
) -> int:
    """Check rule files: PATHS are files, folders, patterns, or `-` for standard input.

    Without PATHS, all rule files of this folder and below are checked. Ends with 0 if there
    are no errors, 1 if there are, 2 for wrong use or a missing file, 3 if a limit was reached.
    """
    output = chosen_format(form, as_json)
    strict = bool(settings().config.strict) if strict is None else strict
    paths = paths or (".",)
    if fix and ("-" in paths or watch):
        raise click.UsageError("--fix changes files: it goes neither with `-` nor with --watch")

    def check() -> int:
        from interpreter.cli.paths import find_files

        files = find_files(paths)
        if fix:
            from interpreter.cli.mend import mend

            mended = sum(mend(path) for path in files)
            note(f"Fixed {mended} problem{'s' if mended != 1 else ''}.")
        report, code = check_files(files, strict, stdin_filename)
        report.tell(output)
        if not report.problems:
            note(f"Checked {len(files)} file{'s' if len(files) != 1 else ''}: no problems.")
        return code

    if watch:
        return keep_watching(paths, check)
    code = check()
    return OK if exit_zero else code


def check_files(
    files: Sequence[str], strict: bool, stdin_filename: str | None = None
) -> tuple[Report, int]:
    """What is wrong with the files, and the exit code for it."""
    report, code = Report(), OK
    for path in files:
        rules, found = check_file(path, stdin_filename if path == "-" else None)
        if strict:
            found = as_errors(found)
        if not rules.sources and any(problem.code in MISSING for problem in found):
            code = USAGE
        code = max(code, exit_code(found))
        report.add(found, rules.sources)
    assert code in (OK, PROBLEMS, USAGE, LIMIT)
    return report, code


def check_file(path: str, called: str | None = None) -> tuple[Rules, list[Problem]]:
    """The rules as far as they could be read, and all their problems."""
    from interpreter.cli.guard import guarded
    from interpreter.pipeline import check_rules
    from interpreter.reading import Rules, read_rules
    from interpreter.report.problem import Enough
    from interpreter.scene.look import check_look

    rules = Rules(called or path)
    try:
        with guarded(rules.name):
            rules = read_rules(path, called)
            return rules, [
                *check_rules(rules), *check_look(rules, path), *_expected(rules, path)
            ]  # fmt: skip
    except Enough as enough:
        return rules, [enough.problem] if enough.problem else []


def _expected(rules: Rules, path: str) -> list[Problem]:
    """What is wrong with what is expected of playing, if that stands beside the rules."""
    if path == "-" or not os.path.isfile(os.path.splitext(path)[0] + ".expect.yaml"):
        return []
    from interpreter.lab.expectations import check_expectations

    return check_expectations(rules, path)

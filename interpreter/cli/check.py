"""`rulerun check`: every problem of many files at once, in the form the reader wants."""

from __future__ import annotations

import sys
from dataclasses import replace

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
    out,
    settings,
)  # fmt: skip
from interpreter.cli.config import FORMATS


@click.command("check")
@click.argument("paths", nargs=-1, metavar="[PATHS]...")
@click.option(
    "--output-format",
    "form",
    type=click.Choice(FORMATS),
    envvar="RULERUN_OUTPUT_FORMAT",
    help="How problems are told; full is for people.",
)
@click.option("--json", "as_json", is_flag=True, help="Short for --output-format json.")
@click.option("--stdin-filename", metavar="FILE", help="What `-` is called in messages.")
@click.option(
    "--strict/--no-strict", default=None, envvar="RULERUN_STRICT", help="Warnings are errors too."
)
@click.option("--exit-zero", is_flag=True, help="End with 0 even if there are problems.")
@common_options
def command(
    paths: tuple[str, ...],
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
    from interpreter.cli.guard import guarded
    from interpreter.cli.paths import find_files
    from interpreter.pipeline import check_rules
    from interpreter.reading import Rules, read_rules
    from interpreter.report.problem import Enough, Problem
    from interpreter.report.render import FORMATS as RENDERED
    from interpreter.report.render import render
    from interpreter.report.source import Source

    chosen = settings()
    name = "json" if as_json else form or chosen.config.output_format or "full"
    output = next(each for each in RENDERED if each == name)
    strict = bool(chosen.config.strict) if strict is None else strict
    files = find_files(paths or (".",))
    problems: list[Problem] = []
    sources: dict[str, Source] = {}
    code = OK
    for path in files:
        called = stdin_filename if path == "-" else None
        rules = Rules(called or path)
        try:
            with guarded(rules.name):
                rules = read_rules(path, called)
                found = check_rules(rules)
        except Enough as enough:
            found = [enough.problem] if enough.problem else []
        if strict:
            found = [replace(problem, severity="error") for problem in found]
        if not rules.sources and any(problem.code in MISSING for problem in found):
            code = USAGE
        code = max(code, exit_code(found))
        problems += [problem for problem in found if problem not in problems]
        sources |= rules.sources
    out(render(problems, sources, output, chosen.coloured(sys.stdout)), end="", drawn=True)
    if not problems:
        note(f"Checked {len(files)} file{'s' if len(files) != 1 else ''}: no problems.")
    assert code in (OK, PROBLEMS, USAGE, LIMIT)
    return OK if exit_zero else code

"""`rulerun fmt`: rule files in the one canonical form."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from contextlib import suppress
from difflib import unified_diff
from itertools import zip_longest
from typing import TYPE_CHECKING

import click

from interpreter.cli.common import OK, PROBLEMS, common_options, note, out, settings, warn

if TYPE_CHECKING:
    from interpreter.report.problem import Problem
    from interpreter.report.source import Source


@click.command("fmt")
@click.argument("paths", nargs=-1, metavar="[PATHS]...")
@click.option("--check", is_flag=True, help="Change nothing; end with 1 if something would be.")
@click.option("--diff", is_flag=True, help="Change nothing; print what would be.")
@click.option("--stdin-filename", metavar="FILE", help="What `-` is called in messages.")
@common_options
def command(paths: tuple[str, ...], check: bool, diff: bool, stdin_filename: str | None) -> int:
    """Format rule files: PATHS are files, folders, patterns, or `-`: standard input to output.

    Without PATHS, all rule files of this folder and below are formatted.
    """
    from interpreter import limits
    from interpreter.cli.common import MISSING, USAGE, exit_code
    from interpreter.cli.paths import find_files
    from interpreter.report.problem import Problem
    from interpreter.report.render import render
    from interpreter.report.source import read_source
    from interpreter.tree.format import format_source

    code, changed, files = OK, 0, find_files(paths or (".",), parts=True)
    for path in files:
        source = read_source(
            path, limits.SOURCE_BYTES, name=stdin_filename if path == "-" else None
        )
        if isinstance(source, Problem):
            warn(render([source], {}, "full", settings().coloured(sys.stderr)), end="", drawn=True)
            code = max(code, USAGE if source.code in MISSING else exit_code([source]))
            continue
        text, problems = format_source(source)
        if problems:
            shown = render(problems, {source.name: source}, "full", settings().coloured(sys.stderr))
            warn(shown, end="", drawn=True)
            code = max(code, exit_code(problems))
            continue
        differs = text != source.text
        changed += differs
        if diff and differs:
            before, after = source.text.splitlines(True), text.splitlines(True)
            lines = unified_diff(before, after, f"{source.name}", f"{source.name} (formatted)")
            out(shown_diff(list(lines), settings().coloured(sys.stdout)), end="", drawn=True)
        if path == "-" and not check and not diff:
            out(text, end="", drawn=not sys.stdout.isatty())  # a file gets every byte
        elif differs and not check and not diff:
            replace_file(path, text)
        elif differs and check and not diff:
            note(f"would reformat {source.name}")
    would = check or diff
    if changed and would:
        code = max(code, PROBLEMS)
    if paths != ("-",):
        word = "would be changed" if would else "changed"
        note(f"{changed} of {len(files)} file{'s' if len(files) != 1 else ''} {word}.")
    return code


def layout_problems(path: str) -> tuple[list[Problem], dict[str, Source]]:
    """What `--check` says of a file, at the first line that would change."""
    from interpreter import limits
    from interpreter.report.problem import Problem
    from interpreter.report.source import Mark, read_source
    from interpreter.tree.format import format_source

    source = read_source(path, limits.SOURCE_BYTES)
    if isinstance(source, Problem):
        return [source], {}
    text, problems = format_source(source)
    if not problems and text != source.text:
        pairs = zip_longest(source.lines, text.split("\n"), fillvalue="")
        number = next(number for number, (a, b) in enumerate(pairs, 1) if a != b)
        mark = Mark(path, number, 1, number, len(source.line(number)) + 1)
        help_ = f"`rulerun fmt {path}` changes it, and nothing that it means"
        message = "this line is not in the standard layout"
        problems = [Problem("RR833", message, mark, help=help_)]
    return problems, {source.name: source}


def replace_file(path: str, text: str) -> None:
    """All of the new text or the old one, whatever happens in between."""
    target = os.path.realpath(path)
    handle, temporary = tempfile.mkstemp(dir=os.path.dirname(target), prefix=".rulerun-")
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
        shutil.copymode(target, temporary)
        os.replace(temporary, target)
    except BaseException:
        with suppress(OSError):
            os.unlink(temporary)
        raise


def shown_diff(lines: list[str], colour: bool) -> str:
    from interpreter.report.visible import visible

    styles = {"+": "32", "-": "31", "@": "36"}
    shown = ""
    for line in lines:
        text = visible(line.rstrip("\n"))
        if colour and line[:1] in styles:
            text = f"\x1b[{styles[line[0]]}m{text}\x1b[0m"
        shown += f"{text}\n"
        if not line.endswith("\n"):
            shown += "\\ No newline at end of file\n"
    return shown

"""`rulerun report`: a study, or a comparison of two versions, as a page to look at."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from interpreter.cli.common import OK, common_options, note, out
from interpreter.cli.study import MISSING


@click.command("report")
@click.argument("source", metavar="DIR|FILE", type=click.Path(exists=True, path_type=Path))
@click.option("--png", is_flag=True, help="Write the plots as PNG, too.")
@click.option(
    "--out", "folder", type=click.Path(path_type=Path), metavar="DIR",
    help="Write there, if not beside what the report is made from.",
)  # fmt: skip
@common_options
def command(source: Path, png: bool, folder: Path | None) -> int:
    """Write the report of a study once more, from the folder that `rulerun study --out` made; or of
    a comparison, from the file that `rulerun compare --json` gave.

    A report is one page, report.html, which needs no network, and each of its plots as SVG in the
    folder plots.
    """
    try:
        from interpreter.lab.pages import writing
        from interpreter.lab.store import StoreError
        from interpreter.lab.study import open_study
    except ImportError:
        raise click.UsageError(MISSING) from None
    try:
        if source.is_dir():
            made = writing.write_report(open_study(source), folder or source, png)
        else:
            where = folder or source.parent
            made = writing.write_comparison(_document(source), where, png)
    except (StoreError, writing.NotToDraw) as error:
        raise click.UsageError(str(error)) from None
    out(str(made))
    note(f"Its plots are in {made.parent / 'plots'}.")
    return OK


def _document(path: Path) -> dict[str, Any]:
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except ValueError:
        raise click.UsageError(f"{path} is no JSON") from None
    return found if isinstance(found, dict) else {}

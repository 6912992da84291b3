"""`rulerun replay`: a recorded game again, decision by decision."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from interpreter.cli.common import (
    OK,
    Refused,
    common_options,
    json_option,
    load,
    note,
    out,
    out_json,
    settings,
    shipped,
    unreadable,
)  # fmt: skip
from interpreter.model.seats import seat_name

if TYPE_CHECKING:
    from interpreter.record import Record


@click.command("replay")
@click.argument("record", metavar="RECORD", type=click.Path())
@click.option("--until", type=click.IntRange(0), help="Stop after so many decisions.")
@click.option("--rules", "file", metavar="FILE", help="The rules, if not found by their name.")
@click.option("--seat", type=click.IntRange(1, 16), help="Show the table as this seat sees it.")
@click.option("--log", is_flag=True, help="Show all that happened, not only the decisions.")
@click.option("--other-rules", is_flag=True, help="Accept changed rules, if all decisions fit.")
@json_option
@common_options
def command(
    record: str,
    until: int | None,
    file: str | None,
    seat: int | None,
    log: bool,
    other_rules: bool,
    as_json: bool,
) -> int:
    """Play a recorded game again and show its decisions, the table and the result."""
    from interpreter.cli.play import log_out, result, result_text
    from interpreter.cli.session import Session
    from interpreter.record import RecordError, read_record, replay
    from interpreter.report.visible import visible

    found = read_record(record)
    if not found.has_header:
        raise unreadable(found.problems)
    if found.error is not None and until is None:
        raise Refused([found.error], {})
    for problem in found.problems:
        note(str(problem))
    if seat is not None and seat > found.players:
        raise click.UsageError(f"there is no seat {seat}; there are 1 to {found.players}")
    game = load(file or _rules_of(found, record), found.players, found.options)
    try:
        state = replay(game, found, until, other_rules=other_rules)
    except RecordError as error:
        raise Refused([error.problem], {}) from None
    if as_json:
        decisions = [{"seat": s + 1, "option": o.text} for s, o in state.history()]
        view = state.view(None if seat is None else seat - 1).as_data()
        out_json({**result(state), "decisions": decisions, "view": view})
        return OK
    if seat is not None or log:
        log_out(state, None if seat is None else seat - 1)
    else:
        for number, (who, option) in enumerate(state.history(), 1):
            out(f"{number:4}  {seat_name(who)}  {visible(option.words)}")
    session = Session(state, frozenset(), {}, colour=settings().coloured(sys.stdout), write=out)
    session.show_table_of(None if seat is None else seat - 1)
    out(result_text(state))
    return OK


def _rules_of(record: Record, path: str) -> str:
    """Beside the record, in this folder, or among what ships."""
    name = os.path.basename(record.rules)
    for folder in (Path(path).parent, Path(".")):
        if name and (folder / name).is_file():
            return str(folder / name)
    games = shipped()
    stem = name.removesuffix(".rules")
    if stem in games:
        return str(games[stem])
    raise click.UsageError(
        f"the rules `{name}` of this record are not here; name them: --rules FILE"
    )

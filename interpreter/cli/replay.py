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
    from collections.abc import Iterator, Sequence

    from interpreter.embedding import State
    from interpreter.record import Record


@click.command("replay")
@click.argument("record", metavar="RECORD", type=click.Path())
@click.option("--until", type=click.IntRange(0), help="Stop after so many decisions.")
@click.option("--rules", "file", metavar="FILE", help="The rules, if not found by their name.")
@click.option("--seat", type=click.IntRange(1, 16), help="Show the table as this seat sees it.")
@click.option("--log", is_flag=True, help="Show all that happened, not only the decisions.")
@click.option("--scenario", is_flag=True, help="Print the game so far as a scenario of the rules.")
@click.option("--other-rules", is_flag=True, help="Accept changed rules, if all decisions fit.")
@json_option
@common_options
def command(
    record: str,
    until: int | None,
    file: str | None,
    seat: int | None,
    log: bool,
    scenario: bool,
    other_rules: bool,
    as_json: bool,
) -> int:
    """Play a recorded game again and show its decisions, the table and the result."""
    from interpreter.cli.play import log_out, result, result_text
    from interpreter.cli.session import Session
    from interpreter.record import RecordError, read_record, replay_states
    from interpreter.report.visible import visible
    from interpreter.terminal.sitting import Sitting

    found = read_record(record)
    if not found.has_header:
        raise unreadable(found.problems)
    if found.error is not None and until is None:
        raise Refused([found.error], {})
    for problem in found.problems:
        note(str(problem))
    if seat is not None and seat > found.players:
        raise click.UsageError(f"there is no seat {seat}; there are 1 to {found.players}")
    game = load(file or rules_of(found, record), found.players, found.options, found.set_otherwise)
    try:
        states = list(replay_states(game, found, until, other_rules=other_rules))
    except RecordError as error:
        raise Refused([error.problem], {}) from None
    state = states[-1]
    if scenario:
        if found.set_otherwise:
            told = " ".join(f"--set {setting}" for setting in found.set_otherwise)
            note(f"This holds with `{told}` only, as the game was played.")
        out(_as_scenario(states, found), end="")
        return OK
    if as_json:
        decisions = [{"seat": s, "option": o.text} for s, o in state.history()]
        view = state.view(None if seat is None else seat - 1).as_data()
        out_json({**result(state), "decisions": decisions, "view": view})
        return OK
    if seat is not None or log:
        log_out(state, None if seat is None else seat - 1)
    else:
        for number, each in enumerate(states):
            for edge, who, said in _decided(each, number):
                out(f"{edge:>4}  {seat_name(who)}  {visible(said)}")
    sitting = Sitting(state, frozenset(), {})
    session = Session(sitting, colour=settings().coloured(sys.stdout), write=out)
    session.show_table_of(None if seat is None else seat - 1)
    out(result_text(state))
    return OK


def _decided(state: State, number: int) -> Iterator[tuple[str, int, str]]:
    """The decision of a state and what had to be chosen after it: that has no number, because
    nobody was asked."""
    from interpreter.play import words

    program = state.game.program
    if state.decision is not None:
        seat, option = state.decision
        yield str(number), seat, option.words
    for event in state.events:
        if event.word == "forced":
            choice = (event.number, *event.values)
            action = words.entry_action(program, event.menu, choice)
            knows = words.known_to(event.seat)
            told = words.option_words(state.game.machine, event.before, action, choice[1:], knows)
            yield "", event.seat, told


def _as_scenario(states: Sequence[State], record: Record) -> str:
    """All that was chosen and all that chance brought, and what has become of it."""
    from interpreter.report.source import Source
    from interpreter.scenario_text import all_taken, scenario_lines, whole_expectations
    from interpreter.tree.format import format_source
    from interpreter.variants import Variant

    state = states[-1]
    rules = state.game.rules
    assert rules is not None  # a game from a file has them
    title = f"{Path(record.name).stem}, decision {len(states) - 1}".replace('"', "'")
    table = Variant(record.players, dict(record.options))
    taken, then = list(all_taken(states)), whole_expectations(state)
    lines = scenario_lines(rules, title, table, taken, then, forced=record.ask_when_forced)
    return format_source(Source("scenario", "\n".join([*lines, ""])))[0]


def rules_of(record: Record, path: str) -> str:
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

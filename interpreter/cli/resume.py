"""`rulerun resume`: the games that were left, and going on with one of them."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import click

from interpreter.cli.common import (
    OK,
    Refused,
    common_options,
    json_option,
    load,
    out,
    out_json,
    unreadable,
    warn,
)  # fmt: skip
from interpreter.cli.play import YOU
from interpreter.cli.seated import Wanted, idle_option, is_terminal, seat_bots, tell_failures
from interpreter.model.seats import number_of_players, seat_name

if TYPE_CHECKING:
    from collections.abc import Sequence

    from interpreter.record import Record
    from interpreter.shelf import Shelved


@click.command("resume")
@click.argument("which", metavar="[NUMBER|RECORD]", required=False)
@click.option("--finished", is_flag=True, help="List the games that are over, to replay them.")
@click.option("--plain", is_flag=True, help="Play line by line, not on the full screen.")
@idle_option
@json_option
@common_options
def command(which: str | None, finished: bool, plain: bool, idle: bool, as_json: bool) -> int:
    """List the games you have left, the last one first, or go on with one: `rulerun resume 1`."""
    from interpreter.shelf import shelved_games

    games = shelved_games(finished)
    if which is None:
        if as_json:
            rows = [{"number": n, **_data(each)} for n, each in enumerate(games, 1)]
            out_json({"schema": "rulerun/games@1", "games": rows})
            return OK
        for number, each in enumerate(games, 1):
            out(f"{number:3}  {_told(each)}")
        if not games:
            warn("There is no game to go on with." if not finished else "No game is over yet.")
        if not games or finished or not (sys.stdin.isatty() and sys.stderr.isatty()):
            return OK
        warn("Which one? (Enter: none) ", end="")
        which = sys.stdin.readline().strip()
        if not which:
            return OK
    return _go_on(_path(which, games), plain, idle)


def _told(game: Shelved) -> str:
    record = game.record
    played = time.localtime(game.changed)
    year = "" if played.tm_year == time.localtime().tm_year else "%Y "
    when = time.strftime(f"%d %b {year}%H:%M", played)
    number = len(record.decisions)
    moves = f"{number} decision{'s' if number != 1 else ''}"
    seats = who_sits(record.seats) or number_of_players(record.players)
    shown = f"{record.title}  ({seats})  {moves}, {when}"
    return f"{shown}  {game.path}" if record.finished else shown


def who_sits(seats: Sequence[str]) -> str:
    """`P1 you, P2 random`; many of the same sort are told at once, to keep it on a line."""
    others = [name for name in seats if name != YOU]
    alike = len(others) > 1 and len(set(others)) == 1
    told = [
        f"{seat_name(seat)} {name}" for seat, name in enumerate(seats) if name == YOU or not alike
    ]
    if alike:
        told.append(f"others {others[0]}" if told else f"all {others[0]}")
    return ", ".join(told)


def _data(game: Shelved) -> dict[str, object]:
    record = game.record
    return {
        "title": record.title,
        "players": record.players,
        "seats": list(record.seats),
        "options": record.options,
        "decisions": len(record.decisions),
        "over": record.finished,
        "path": str(game.path),
    }


def _path(which: str, games: list[Shelved]) -> Path:
    from interpreter.report.whole import read_count

    number = read_count(which)
    if number is None:
        return Path(which)
    if not 1 <= number <= len(games):
        there = f"there are 1 to {len(games)}" if games else "there is none to go on with"
        raise click.UsageError(f"there is no game {number}; {there}")
    return games[number - 1].path


def _go_on(path: Path, plain: bool, idle: bool) -> int:
    from interpreter.cli.play import finish, play_at, resumed
    from interpreter.record import read_record

    record = read_record(path)
    if not record.has_header:
        raise unreadable(record.problems)
    if record.error is not None:
        raise Refused([record.error], {})
    rules = _rules(record, path)
    game = load(rules, record.players, record.options, record.set_otherwise)
    names = record.seats or (YOU, *("random",) * (record.players - 1))
    humans = frozenset(seat for seat, name in enumerate(names) if name == YOU)
    wanted = Wanted(bots=",".join(name for name in names if name != YOU) or None)
    others = seat_bots(wanted, game, humans, at_terminal=is_terminal())
    recorder, state = resumed(str(path), game)
    state, left = play_at(state, recorder, humans, others, plain, idle)
    tell_failures(others)
    finish(state, left, False)
    return OK


def _rules(record: Record, path: Path) -> str:
    from interpreter.cli.replay import rules_of

    if record.source and os.path.isfile(record.source):
        return record.source
    return rules_of(record, str(path))

"""`rulerun play`: take a seat at a terminal, or let bots play a whole game."""

from __future__ import annotations

import os
import secrets
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click

from interpreter.cli.common import (
    OK,
    Refused,
    Settings,
    common_options,
    game_options,
    json_option,
    load,
    note,
    out,
    out_json,
    parse_seed,
    players_option,
    read,
    settings,
    telling,
    unreadable,
)  # fmt: skip
from interpreter.model.seats import seat_name

if TYPE_CHECKING:
    from interpreter.bots.bot import Bot
    from interpreter.embedding import Game, State
    from interpreter.record import Recorder
    from interpreter.terminal.sitting import Sitting

YOU = "you"  # as in shelf.py, which is not loaded for this


@click.command("play")
@click.argument("file", metavar="GAME")
@players_option
@click.option(
    "--seed",
    type=str,
    metavar="INTEGER",
    callback=parse_seed,
    help="The same seed gives the same game; drawn if not given.",
)
@click.option("--seat", "seats", metavar="N[,N]", help="Your seats, from 1; 0 only watches.")
@click.option(
    "--bot",
    default="random",
    show_default=True,
    help="Who takes the other seats: random, search (tries 1000 games a choice) or search:GAMES.",
)
@click.option("--record", type=click.Path(), metavar="FILE", help="Write the game to a new file.")
@click.option("--resume", type=click.Path(), metavar="FILE", help="Go on with a recorded game.")
@click.option("--log", is_flag=True, help="Print what happened, as a spectator saw it.")
@click.option("--plain", is_flag=True, help="Play line by line, not on the full screen.")
@game_options
@json_option
@common_options
def command(
    file: str,
    players: int | None,
    seed: int | None,
    seats: str | None,
    bot: str,
    record: str | None,
    resume: str | None,
    log: bool,
    plain: bool,
    options: dict[str, str | int],
    as_json: bool,
) -> int:
    """Play GAME: a rule file, or the name of a game that ships (see `rulerun list`).

    At a terminal you take a seat and bots the others, and the game is kept: `rulerun resume` goes
    on with it. Without a terminal, or with --seat 0, bots play and the result is printed. With
    --seat, answers are also read from a pipe.
    """
    recorder: Recorder | None
    if resume is not None:
        if record is not None:
            raise click.UsageError("--resume goes on writing its own file; leave out --record")
        game = _recorded_game(file, resume, players, seed, options)
    else:
        if players is None and seats is not None:
            players = _enough_players(file, seats)
        game = load(file, players, options)
    # What is wrong with the table is told before anything is begun, or written.
    player = _bot(bot, game)
    humans = _humans(seats, game.players)
    if record is not None and record.casefold().endswith(".json"):
        raise click.UsageError("a record is lines of text, not JSON; call it something.record")
    if resume is not None:
        recorder, state = resumed(resume, game)
    else:
        names = [YOU if seat in humans else bot for seat in range(game.players)]
        recorder, state = _begun(record, game, seed, names)
    bots = {seat: player for seat in range(game.players) if seat not in humans}
    if bot.startswith("search"):
        make_ready(game)
    state, left = play_at(state, recorder, humans, bots, plain)
    if log and not as_json:
        log_out(state)
    return finish(state, left, as_json)


def make_ready(game: Game) -> None:
    """A bot that plays games in its head needs them fast, from its first choice on."""
    from interpreter.play.native.backend import takes_a_while

    if takes_a_while(game.program):
        note("Making native code of this game for the bot: once, and then it is kept.")
    _ = game.native


def _bot(name: str, game: Game) -> Bot:
    from interpreter.bots.bot import make_bot

    try:
        return make_bot(name, game)
    except ValueError as error:
        raise click.UsageError(str(error)) from None


def _begun(
    record: str | None, game: Game, seed: int | None, names: list[str]
) -> tuple[Recorder | None, State]:
    """A new game, with its record: where it was asked for, or on the shelf if somebody plays it at
    a terminal."""
    number = secrets.randbelow(1 << 31) if seed is None else seed
    recorder = _recorder(record, game, number, names)
    with telling(game):
        state = game.start(number)
    if seed is None:
        note(f"Seed {number} (play this game again with --seed {number})")
    if recorder is None and YOU in names and _is_interactive():
        recorder = _shelved(game, number, names)
    return recorder, state


def _shelved(game: Game, seed: int, names: list[str]) -> Recorder | None:
    from interpreter.record import RecordError
    from interpreter.shelf import put_on_shelf

    if game.rules is None or not os.path.isfile(game.rules.name):
        return None  # rules from a pipe cannot be found again
    try:
        return put_on_shelf(game, seed, names)
    except RecordError as error:
        note(f"This game is not kept: {error.problem.message}")
        return None


def play_at(
    state: State,
    recorder: Recorder | None,
    humans: frozenset[int],
    players: Mapping[int, Bot],
    plain: bool,
) -> tuple[State, bool]:
    """Play a game to its end, or until somebody leaves it; whether they did. However it is left,
    it is told how to go on."""
    from interpreter.bots.bot import Stream
    from interpreter.record import RecordError
    from interpreter.terminal.sitting import Sitting

    # After a resume the bots must not repeat the draws they have made already.
    draw = state.seed + 1_000_003 * len(state.history())
    bots = {seat: (player, Stream(draw, seat)) for seat, player in players.items()}
    sitting = Sitting(state, humans, bots, recorder)
    chosen = settings()
    try:
        with telling(state.game):
            if humans and not plain and _can_be_full(chosen):
                from interpreter.terminal.full.app import play_full

                left = play_full(sitting)
            else:
                from interpreter.cli.session import Session

                coloured = chosen.coloured(sys.stderr)
                session = Session(sitting, chosen.quiet, chosen.verbose > 0, coloured)
                session.window = _is_interactive()
                session.run()
                left = session.left
    except KeyboardInterrupt:
        _tell_how_to_go_on(sitting)
        raise
    except RecordError as error:
        raise Refused([error.problem], {}) from None
    finally:
        if recorder is not None:
            recorder.close()
    if left:
        _tell_how_to_go_on(sitting)
    return sitting.state, left


def _tell_how_to_go_on(sitting: Sitting) -> None:
    from interpreter.shelf import games_folder, take_off_if_new
    from interpreter.terminal.history import rules_name

    recorder, moves = sitting.recorder, sitting.state.moves
    if recorder is None:
        note(f"\nThe game was left after {moves} moves.")
    elif recorder.path.parent != games_folder():
        command = f"rulerun {rules_name(sitting.state)} --resume {recorder.path}"
        note(f"\nThe game was left after {moves} moves. Go on with: {command}")
    elif take_off_if_new(recorder):
        note("\nThe game was left before anything was decided.")
    else:
        note(f"\nThe game was left after {moves} moves. Go on with: rulerun resume")


def _is_interactive() -> bool:
    return sys.stdin is not None and sys.stdin.isatty() and sys.stderr.isatty()


def _can_be_full(chosen: Settings) -> bool:
    """Whether this is a terminal that can be drawn on, and there is what is needed for it."""
    from importlib.util import find_spec

    capable = _is_interactive() and sys.stdout.isatty() and os.environ.get("TERM") != "dumb"
    return capable and not chosen.quiet and find_spec("textual") is not None


def _humans(seats: str | None, players: int) -> frozenset[int]:
    if seats is None:
        return frozenset({0}) if _is_interactive() else frozenset()
    found = _seat_numbers(seats)
    for seat in found:
        if seat >= players:
            raise click.UsageError(f"there is no seat {seat + 1}; there are 1 to {players}")
    return found


def _seat_numbers(seats: str) -> frozenset[int]:
    from interpreter.report.whole import read_count

    if seats.strip() in ("0", "none"):
        return frozenset()
    numbers = [read_count(part.strip()) for part in seats.split(",")]
    found = frozenset(number - 1 for number in numbers if number)
    if not all(numbers):
        raise click.UsageError(f"`--seat {seats}` should be a seat such as 1, or several: 1,3")
    return found


def _enough_players(file: str, seats: str) -> int | None:
    """As many as the seats asked for need, if so many can play."""
    if file == "-":
        return None
    needed = max(_seat_numbers(seats), default=0) + 1
    least, most = read(file).players
    return needed if least < needed <= most else None


def _recorder(record: str | None, game: Game, seed: int, names: list[str]) -> Recorder | None:
    from interpreter.cli.common import USAGE

    if record is None:
        return None
    from interpreter.record import Recorder, RecordError

    try:
        return Recorder.create(record, game, seed, seats=names)
    except RecordError as error:
        raise Refused([error.problem], {}, USAGE) from None


def _recorded_game(
    file: str, path: str, players: int | None, seed: int | None, options: dict[str, str | int]
) -> Game:
    from interpreter.record import read_record

    for given, name in ((players, "--players"), (seed, "--seed"), (options or None, "--option")):
        if given is not None:
            raise click.UsageError(f"{name} is told by the record; leave it out with --resume")
    record = read_record(path)
    if not record.has_header:
        raise unreadable(record.problems)
    return load(file, record.players, record.options)


def resumed(path: str, game: Game) -> tuple[Recorder, State]:
    from interpreter.record import RecordError, resume

    try:
        recorder, state = resume(path, game)
    except RecordError as error:
        raise Refused([error.problem], {}) from None
    note(f"Going on after decision {len(state.history())}.")
    return recorder, state


def finish(state: State, left: bool, as_json: bool) -> int:
    if as_json:
        out_json(result(state))
    elif not left:
        out(result_text(state))
    return OK


def log_out(state: State, seat: int | None = None) -> None:
    """What happened, line by line, as a seat (or a spectator) may know it."""
    from interpreter.report.visible import visible
    from interpreter.view.happenings import told

    for number, line in enumerate(told(state.entries(seat)), 1):
        out(f"{number:4}  {visible(line)}")


def result(state: State) -> dict[str, Any]:
    """How a game stands or ended, as data."""
    return {
        "schema": "rulerun/result@1",
        "title": state.game.title,
        "rules": state.game.rules_hash,
        "players": state.game.players,
        "options": state.game.options,
        "seed": state.seed,
        "moves": state.moves,
        "over": state.is_over,
        "winners": list(state.winners),
        "losers": list(state.losers),
        "scores": list(state.scores),
    }


def result_text(state: State) -> str:
    from interpreter.report.visible import visible
    from interpreter.view.ending import how_it_ended, why_they_won

    names = [seat_name(seat) for seat in range(state.game.players)]
    view = state.view(None)
    told = how_it_ended(view, state.game.program, names)
    why = why_they_won(state.game.machine, state.buffer, view, names)
    lines = [f"{visible(state.game.title)}: {told}{f' ({visible(why)})' if why else ''}"]
    if state.scores:
        lines.append(
            "scores  "
            + "  ".join(f"{seat_name(seat)} {score}" for seat, score in enumerate(state.scores))
        )
    lines.append(f"moves   {state.moves}")
    lines.append(f"seed    {state.seed}")
    return "\n".join(lines)

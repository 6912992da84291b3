"""`rulerun play`: take a seat at a terminal, or let bots play a whole game."""

from __future__ import annotations

import secrets
import sys
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
    options: dict[str, str | int],
    as_json: bool,
) -> int:
    """Play GAME: a rule file, or the name of a game that ships (see `rulerun list`).

    At a terminal you take a seat and bots the others. Without a terminal, or with --seat 0,
    bots play and the result is printed. With --seat, answers are also read from a pipe.
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
    if resume is not None:
        recorder, state = _resumed(resume, game)
    else:
        recorder, state = _begun(record, game, seed)
    try:
        if bot.startswith("search"):
            _make_ready(game)
        state, left = _play(state, recorder, humans, player, settings())
    finally:
        if recorder is not None:
            recorder.close()
    if log and not as_json:
        log_out(state)
    return _finish(state, left, recorder, as_json)


def _make_ready(game: Game) -> None:
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


def _begun(record: str | None, game: Game, seed: int | None) -> tuple[Recorder | None, State]:
    number = secrets.randbelow(1 << 31) if seed is None else seed
    recorder = _recorder(record, game, number)
    with telling(game):
        state = game.start(number)
    if seed is None:
        note(f"Seed {number} (play this game again with --seed {number})")
    return recorder, state


def _play(
    state: State,
    recorder: Recorder | None,
    humans: frozenset[int],
    player: Bot,
    chosen: Settings,
) -> tuple[State, bool]:
    from interpreter.bots.bot import Stream
    from interpreter.cli.session import Session
    from interpreter.record import RecordError

    others = [seat for seat in range(state.game.players) if seat not in humans]
    # After a resume the bots must not repeat the draws they have made already.
    draw = state.seed + 1_000_003 * len(state.history())
    session = Session(
        state,
        humans,
        {seat: (player, Stream(draw, seat)) for seat in others},
        recorder,
        chosen.quiet,
        chosen.verbose > 0,
        chosen.coloured(sys.stderr),
    )
    try:
        with telling(state.game):
            return session.run(), session.left
    except RecordError as error:
        raise Refused([error.problem], {}) from None


def _humans(seats: str | None, players: int) -> frozenset[int]:
    if seats is None:
        interactive = sys.stdin is not None and sys.stdin.isatty() and sys.stderr.isatty()
        return frozenset({0}) if interactive else frozenset()
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


def _recorder(record: str | None, game: Game, seed: int) -> Recorder | None:
    from interpreter.cli.common import USAGE

    if record is None:
        return None
    from interpreter.record import Recorder, RecordError

    try:
        return Recorder.create(record, game, seed)
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


def _resumed(path: str, game: Game) -> tuple[Recorder, State]:
    from interpreter.record import RecordError, resume

    try:
        recorder, state = resume(path, game)
    except RecordError as error:
        raise Refused([error.problem], {}) from None
    note(f"Going on after decision {len(state.history())}.")
    return recorder, state


def _finish(state: State, left: bool, recorder: Recorder | None, as_json: bool) -> int:
    if left:
        kept = f"; it is recorded in {recorder.path}" if recorder is not None else ""
        note(f"The game was left after {state.moves} moves{kept}.")
        if as_json:
            out_json(result(state))
        return OK
    if as_json:
        out_json(result(state))
    else:
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

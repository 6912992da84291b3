"""`rulerun play`: take a seat at a terminal, or let bots play a whole game."""

from __future__ import annotations

import os
import secrets
import sys
from collections.abc import Iterator
from contextlib import contextmanager
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
    set_otherwise,
    settings,
    telling,
    unreadable,
    warn,
)  # fmt: skip
from interpreter.cli.seated import (
    Shown,
    Wanted,
    again,
    bot_options,
    hinting,
    idle_option,
    is_terminal,
    preparing,
    seat_bots,
    tell_failures,
)
from interpreter.cli.told import heading, tell_game
from interpreter.model.seats import seat_name

if TYPE_CHECKING:
    from interpreter.bots.bot import Stream, Unfailing
    from interpreter.bots.preparing import Preparing
    from interpreter.bots.story import Moment
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
@bot_options
@idle_option
@click.option("--record", type=click.Path(), metavar="FILE", help="Write the game to a new file.")
@click.option("--resume", type=click.Path(), metavar="FILE", help="Go on with a recorded game.")
@click.option("--log", is_flag=True, help="Print what happened, as a spectator saw it.")
@click.option("--jsonl", is_flag=True, help="A program plays: JSON lines in and out (PYTHON.md).")
@click.option("--plain", is_flag=True, help="Play line by line, not on the full screen.")
@click.option("--browser", is_flag=True, help="Play in the browser, at a table of your own.")
@game_options
@json_option
@common_options
def command(
    file: str,
    players: int | None,
    seed: int | None,
    seats: str | None,
    bot: str | None,
    bots: str | None,
    think: str | None,
    level: str,
    idle: bool,
    record: str | None,
    resume: str | None,
    log: bool,
    jsonl: bool,
    plain: bool,
    browser: bool,
    options: dict[str, str | int],
    as_json: bool,
) -> int:
    """Play GAME: a rule file, or the name of a game that ships (see `rulerun list`).

    At a terminal you take a seat and bots the others, and the game is kept: `rulerun resume` goes
    on with it. Without a terminal, or with --seat 0, bots play and the game is told. With --seat,
    answers are also read from a pipe.
    """
    wanted = Wanted(bot, bots, think, level)
    given_players = players
    recorder: Recorder | None
    if resume is not None:
        if record is not None:
            raise click.UsageError("--resume goes on writing its own file; leave out --record")
        game = _recorded_game(file, resume, players, seed, options)
    else:
        if players is None:
            players = enough_players(file, seats, wanted)
        game = load(file, players, options)
    # What is wrong with the table is told before anything is begun, or written.
    if jsonl:
        if record is not None or resume is not None or log or as_json:
            raise click.UsageError("--jsonl goes without --record, --resume, --log and --json")
        programs = _humans(seats or "1", game.players)
        return _serve(game, seed, programs, seat_bots(wanted, game, programs, at_terminal=False))
    if browser:
        if set_otherwise():
            raise click.UsageError("--browser goes without --set: a table is of the rules")
        from interpreter.cli.serve import own_table

        own = _humans(seats or "1", game.players)
        bots_of = seat_bots(wanted, game, own, at_terminal=True)
        return own_table(file, game, own, {n: each.name for n, each in bots_of.items()}, seed)
    humans = _humans(seats, game.players)
    if record is not None and record.casefold().endswith(".json"):
        raise click.UsageError("a record is lines of text, not JSON; call it something.record")
    others = seat_bots(wanted, game, humans, at_terminal=bool(humans) and is_terminal())
    if resume is not None:
        recorder, state = resumed(resume, game)
    else:
        names = [YOU if seat in humans else others[seat].name for seat in range(game.players)]
        recorder, state = _begun(record, game, seed, names)
    told = not (humans or as_json or log or settings().quiet)
    if told:
        out(heading(state, others))
    left = False
    moments: list[Moment] = []
    same: str | None = None
    if humans:
        state, left = play_at(state, recorder, humans, others, plain, idle)
    else:
        if resume is None:
            same = again(file, state.seed, given_players, options, wanted)
        state, moments = _watch(state, recorder, others, same)
    tell_failures(others)
    if log and not as_json:
        log_out(state)
    if told and moments:
        tell_game(moments)
    finish(state, left, as_json)
    if told and moments and same is not None:
        out(f"watch   rulerun watch {same}\nlog     rulerun {same} --log")
    return OK


def _serve(game: Game, seed: int | None, seats: frozenset[int], bots: dict[int, Unfailing]) -> int:
    """A program takes seats. It is not told the seed: whoever knows that knows all chance."""
    from interpreter.cli.common import PROBLEMS
    from interpreter.cli.jsonl import Table

    number = secrets.randbelow(1 << 31) if seed is None else seed
    with telling(game):
        state = game.start(number)
    table = Table(state, seats, with_streams(state, bots))
    held = table.serve(sys.stdin.buffer, lambda line: out(line, end="", drawn=True))
    tell_failures(bots)
    return OK if held else PROBLEMS


def _begun(
    record: str | None, game: Game, seed: int | None, names: list[str]
) -> tuple[Recorder | None, State]:
    """A new game, with its record: where it was asked for, or on the shelf if somebody plays it at
    a terminal."""
    number = secrets.randbelow(1 << 31) if seed is None else seed
    recorder = _recorder(record, game, number, names)
    state = begin(game, number, drawn=seed is None)
    if recorder is None and YOU in names and is_terminal():
        recorder = _shelved(game, number, names)
    return recorder, state


def begin(game: Game, seed: int | None, drawn: bool = False) -> State:
    """A new game; a seed that was drawn is told, so that it can be had again."""
    number = secrets.randbelow(1 << 31) if seed is None else seed
    with telling(game):
        state = game.start(number)
    if drawn or seed is None:
        note(f"Seed {number} (play this game again with --seed {number})")
    return state


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
    others: dict[int, Unfailing],
    plain: bool,
    idle: bool,
) -> tuple[State, bool]:
    """Play a game to its end, or until somebody leaves it; whether they did. However it is left,
    it is told how to go on."""
    from interpreter.bots.bot import Bot
    from interpreter.terminal.sitting import Sitting

    chosen = settings()
    full = not plain and _can_be_full(chosen)
    shown = is_terminal() and not full  # on the full screen nobody may print anything
    bots: dict[int, tuple[Bot, Stream]] = {
        seat: (Shown(bot, seat) if shown else bot, stream)
        for seat, (bot, stream) in with_streams(state, others).items()
    }
    ahead = preparing(state.game, others) if is_terminal() and not idle else None
    sitting = Sitting(state, humans, bots, recorder, preparing=ahead, hinting=hinting)
    try:
        with telling(state.game), _recording(recorder), _thinking_ahead(ahead):
            if full:
                from interpreter.terminal.full.app import play_full

                left = play_full(sitting)
            else:
                from interpreter.cli.session import Session

                coloured = chosen.coloured(sys.stderr)
                session = Session(sitting, chosen.quiet, chosen.verbose > 0, coloured)
                session.window = is_terminal()
                session.run()
                left = session.left
    except KeyboardInterrupt:
        _tell_how_to_go_on(sitting)
        raise
    if left:
        _tell_how_to_go_on(sitting)
    return sitting.state, left


def _watch(
    state: State, recorder: Recorder | None, others: dict[int, Unfailing], same: str | None
) -> tuple[State, list[Moment]]:
    """Bots play among themselves. `same` is what to type to have the same game again."""
    from interpreter.bots.story import play_through
    from interpreter.report.visible import visible

    verbose = settings().verbose > 0

    def after(now: State) -> None:
        assert now.decision is not None
        seat, option = now.decision
        if recorder is not None:
            recorder.append(seat, option.text)
        if verbose:
            warn(f"{now.moves}  {seat_name(seat)}  {visible(option.words)}")

    with telling(state.game, same), _recording(recorder):
        state, moments = play_through(state, with_streams(state, others), after)
        if recorder is not None:
            recorder.finish(state)
    return state, moments


def with_streams(state: State, bots: dict[int, Unfailing]) -> dict[int, tuple[Unfailing, Stream]]:
    """Bots with what they draw from. After a resume they must not repeat what they have drawn."""
    from interpreter.bots.bot import Stream

    draw = state.seed + 1_000_003 * len(state.history())
    return {seat: (bot, Stream(draw, seat)) for seat, bot in bots.items()}


@contextmanager
def _thinking_ahead(preparing: Preparing | None) -> Iterator[None]:
    """However the game is left, nobody goes on thinking about it."""
    try:
        yield
    finally:
        if preparing is not None:
            preparing.close()
            if preparing.failures:
                warn(f"Bots could not think while you did: {preparing.failures[0]}")


@contextmanager
def _recording(recorder: Recorder | None) -> Iterator[None]:
    """A record that cannot be written ends the command; however it ends, the record is closed."""
    from interpreter.record import RecordError

    try:
        yield
    except RecordError as error:
        raise Refused([error.problem], {}) from None
    finally:
        if recorder is not None:
            recorder.close()


def _tell_how_to_go_on(sitting: Sitting) -> None:
    from interpreter.shelf import games_folder, take_off_if_new
    from interpreter.terminal.history import rules_name

    recorder, number = sitting.recorder, sitting.state.moves
    left = f"\nThe game was left after {number} move{'s' if number != 1 else ''}."
    if recorder is None:
        note(left)
    elif recorder.path.parent != games_folder():
        command = f"rulerun {rules_name(sitting.state)} --resume {recorder.path}"
        note(f"{left} Go on with: {command}")
    elif take_off_if_new(recorder):
        note("\nThe game was left before anything was decided.")
    else:
        note(f"{left} Go on with: rulerun resume")


def _can_be_full(chosen: Settings) -> bool:
    """Whether this is a terminal that can be drawn on, and there is what is needed for it."""
    from importlib.util import find_spec

    capable = is_terminal() and sys.stdout.isatty() and os.environ.get("TERM") != "dumb"
    return capable and not chosen.quiet and find_spec("textual") is not None


def _humans(seats: str | None, players: int) -> frozenset[int]:
    if seats is None:
        return frozenset({0}) if is_terminal() else frozenset()
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


def enough_players(file: str, seats: str | None, wanted: Wanted) -> int | None:
    """As many as the seats and bots asked for need, if so many can play."""
    if file == "-" or (seats is None and wanted.bots is None):
        return None
    needed = max(_seat_numbers(seats or "0"), default=-1) + 1
    if wanted.bots is not None and not needed:
        needed = wanted.bots.count(",") + 1
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

    for given, name in (
        (players, "--players"), (seed, "--seed"), (options or None, "--option"),
        (set_otherwise() or None, "--set"),
    ):  # fmt: skip
        if given is not None:
            raise click.UsageError(f"{name} is told by the record; leave it out with --resume")
    record = read_record(path)
    if not record.has_header:
        raise unreadable(record.problems)
    return load(file, record.players, record.options, record.set_otherwise)


def resumed(path: str, game: Game) -> tuple[Recorder, State]:
    from interpreter.record import RecordError, resume

    try:
        recorder, state = resume(path, game)
    except RecordError as error:
        raise Refused([error.problem], {}) from None
    note(f"Going on after decision {len(state.history())}.")
    return recorder, state


def finish(state: State, left: bool, as_json: bool) -> None:
    if as_json:
        out_json(result(state))
    elif not left:
        out(result_text(state))


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
    why = why_they_won(state.game.program, state.buffer, view, names)
    lines = [f"{visible(state.game.title)}: {told}{f' ({visible(why)})' if why else ''}"]
    if state.scores:
        lines.append(
            "scores  "
            + "  ".join(f"{seat_name(seat)} {score}" for seat, score in enumerate(state.scores))
        )
    lines.append(f"moves   {state.moves}")
    lines.append(f"seed    {state.seed}")
    return "\n".join(lines)

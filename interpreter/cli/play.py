"""`rulerun play`: take a seat at a terminal, or let bots play a whole game."""

from __future__ import annotations

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
    is_terminal,
    seat_bots,
    tell_failures,
)
from interpreter.cli.told import heading, tell_game
from interpreter.model.seats import seat_name

if TYPE_CHECKING:
    from interpreter.bots.bot import Stream, Unfailing
    from interpreter.bots.story import Moment
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
@bot_options
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
    bot: str | None,
    bots: str | None,
    think: str | None,
    level: str,
    record: str | None,
    resume: str | None,
    log: bool,
    options: dict[str, str | int],
    as_json: bool,
) -> int:
    """Play GAME: a rule file, or the name of a game that ships (see `rulerun list`).

    At a terminal you take a seat and bots the others. Without a terminal, or with --seat 0,
    bots play and the game is told. With --seat, answers are also read from a pipe.
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
            players = _enough_players(file, seats, wanted)
        game = load(file, players, options)
    # What is wrong with the table is told before anything is begun, or written.
    humans = _humans(seats, game.players)
    others = seat_bots(wanted, game, humans, at_terminal=bool(humans) and is_terminal())
    if resume is not None:
        recorder, state = _resumed(resume, game)
    else:
        recorder, state = _begun(record, game, seed)
    told = not (humans or as_json or log or settings().quiet)
    if told:
        out(heading(state, others))
    left = False
    moments: list[Moment] = []
    try:
        with telling(game), _recording():
            if humans:
                state, left = _play(state, recorder, humans, others, settings())
            else:
                state, moments = _watch(state, recorder, others)
    finally:
        if recorder is not None:
            recorder.close()
    tell_failures(others)
    if as_json:
        out_json(result(state))
    elif log:
        log_out(state)
    elif told and moments:
        tell_game(moments)
    _finish(state, left, recorder, as_json)
    if told and moments and resume is None:
        same = again(file, state.seed, given_players, options, wanted)
        out(f"watch   rulerun watch {same}\nlog     rulerun {same} --log")
    return OK


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
    others: dict[int, Unfailing],
    chosen: Settings,
) -> tuple[State, bool]:
    from interpreter.cli.session import Session

    shown = is_terminal()
    session = Session(
        state,
        humans,
        {
            seat: (Shown(bot, seat) if shown else bot, stream)
            for seat, (bot, stream) in with_streams(state, others).items()
        },
        recorder,
        chosen.quiet,
        chosen.verbose > 0,
        chosen.coloured(sys.stderr),
    )
    return session.run(), session.left


def _watch(
    state: State, recorder: Recorder | None, others: dict[int, Unfailing]
) -> tuple[State, list[Moment]]:
    """Bots play among themselves."""
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
def _recording() -> Iterator[None]:
    """A record that cannot be written ends the command."""
    from interpreter.record import RecordError

    try:
        yield
    except RecordError as error:
        raise Refused([error.problem], {}) from None


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


def _enough_players(file: str, seats: str | None, wanted: Wanted) -> int | None:
    """As many as the seats and bots asked for need, if so many can play."""
    if file == "-" or (seats is None and wanted.bots is None):
        return None
    needed = max(_seat_numbers(seats or "0"), default=-1) + 1
    if wanted.bots is not None and not needed:
        needed = wanted.bots.count(",") + 1
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


def _finish(state: State, left: bool, recorder: Recorder | None, as_json: bool) -> None:
    if left:
        kept = f"; it is recorded in {recorder.path}" if recorder is not None else ""
        note(f"The game was left after {state.moves} moves{kept}.")
    elif not as_json:
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
        "winners": [seat + 1 for seat in state.winners],
        "losers": [seat + 1 for seat in state.losers],
        "scores": list(state.scores),
    }


def result_text(state: State) -> str:
    from interpreter.report.visible import visible
    from interpreter.view.ending import how_it_ended

    names = [seat_name(seat) for seat in range(state.game.players)]
    told = how_it_ended(state.view(None), state.game.program, names)
    lines = [f"{visible(state.game.title)}: {told}"]
    if state.scores:
        lines.append(
            "scores  "
            + "  ".join(f"{seat_name(seat)} {score}" for seat, score in enumerate(state.scores))
        )
    lines.append(f"moves   {state.moves}")
    lines.append(f"seed    {state.seed}")
    return "\n".join(lines)

"""`rulerun watch`: bots play, and you see every choice, as fast as you like."""

from __future__ import annotations

import shutil
import sys
import time
from typing import TYPE_CHECKING

import click

from interpreter.cli.common import (
    OK,
    common_options,
    game_options,
    load,
    out,
    parse_seed,
    players_option,
    settings,
    telling,
)  # fmt: skip
from interpreter.cli.seated import Wanted, bot_options, seat_bots, tell_failures

if TYPE_CHECKING:
    from interpreter.embedding import State

_PAUSE = 1.0
_FEWEST = 4  # lines of the log that are always shown


@click.command("watch")
@click.argument("file", metavar="GAME")
@players_option
@click.option(
    "--seed", type=str, metavar="INTEGER", callback=parse_seed,
    help="The same seed gives the same game; drawn if not given.",
)  # fmt: skip
@click.option(
    "--pause", type=click.FloatRange(0, 60), help="Seconds after each choice; 1 at a terminal."
)
@bot_options
@game_options
@common_options
def command(
    file: str,
    players: int | None,
    seed: int | None,
    pause: float | None,
    bot: str | None,
    bots: str | None,
    think: str | None,
    level: str,
    options: dict[str, str | int],
) -> int:
    """Watch bots play GAME. At a terminal the table is drawn anew after every choice, with what
    has happened below it; else the lines of the log are printed. Ctrl-C ends it."""
    from interpreter.bots.story import play_through
    from interpreter.cli.play import begin, enough_players, result_text, with_streams
    from interpreter.cli.told import heading

    wanted = Wanted(bot, bots, think, level)
    game = load(file, enough_players(file, None, wanted) if players is None else players, options)
    seated = seat_bots(wanted, game, ())
    state = begin(game, seed)
    drawn = sys.stdout.isatty()
    screen = Screen(_PAUSE if pause is None and drawn else pause or 0.0, drawn)
    out(heading(state, seated))
    screen.show(state)
    with telling(game):
        state, _ = play_through(state, with_streams(state, seated), screen.show)
    tell_failures(seated)
    if not drawn:
        screen.table(state)
    out(result_text(state))
    return OK


class Screen:
    """What has happened, as a spectator sees it; at a terminal below the table."""

    def __init__(self, pause: float, drawn: bool) -> None:
        self.pause = pause
        self.drawn = drawn
        self.lines: list[str] = []
        self.known = 0
        self.when = 0.0

    def show(self, state: State) -> None:
        from interpreter.terminal.history import log_lines

        fresh, self.known = log_lines(state, None, self.known)
        if not self.drawn:
            for line in fresh:
                out(line)
        self._wait()
        if self.drawn:
            self.lines += fresh
            self._draw(state, len(fresh))

    def _wait(self) -> None:
        """The time that a bot has thought is part of the pause."""
        left = self.when + self.pause - time.monotonic()
        if self.pause and left > 0:
            time.sleep(left)
        self.when = time.monotonic()

    def _draw(self, state: State, fresh: int) -> None:
        text = self._text(state)
        high = shutil.get_terminal_size().lines - text.count("\n") - 2
        shown = self.lines[-max(_FEWEST, high, fresh) :]
        out("\x1b[2J\x1b[H" + text + "\n" + "\n".join(shown), drawn=True)

    def table(self, state: State) -> None:
        out("")
        out(self._text(state), end="", drawn=True)

    def _text(self, state: State) -> str:
        from interpreter.cli.session import Session
        from interpreter.terminal.sitting import Sitting

        found: list[str] = []

        def write(text: str, end: str = "\n", *, drawn: bool = False) -> None:
            found.append(text + end)

        colour = settings().coloured(sys.stdout)
        Session(Sitting(state, frozenset(), {}), colour=colour, write=write).show_table_of(None)
        return "".join(found)

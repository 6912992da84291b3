"""Who takes the seats that nobody sits at: the options that say so, and the bots they mean."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

import click

from interpreter.cli.common import note, set_otherwise, shown_path, warn
from interpreter.model.seats import seat_name

if TYPE_CHECKING:
    from interpreter.bots.bot import Unfailing
    from interpreter.bots.budget import Budget
    from interpreter.bots.preparing import Preparing
    from interpreter.embedding import Game, Option, State
    from interpreter.play.chance import Stream
    from interpreter.view.view import View

F = TypeVar("F", bound=Callable[..., Any])
_SECOND = 1.0  # that the best bot thinks before it plays against a person
LEVELS = ("beginner", "easy", "fair", "strong", "best")


@dataclass(frozen=True, slots=True)
class Wanted:
    """What was said on the command line of those who play."""

    bot: str | None = None
    bots: str | None = None
    think: str | None = None
    level: str = "best"


def again(
    file: str, seed: int, players: int | None, options: dict[str, str | int], wanted: Wanted
) -> str:
    """What to type after a command to have the same game again."""
    import shlex

    parts = [file, "--seed", str(seed)]
    given: list[tuple[str, str | int | None]]
    given = [("--players", players), ("--bot", wanted.bot), ("--bots", wanted.bots)]
    given += [("--think", wanted.think)]
    given += [("--level", None if wanted.level == "best" else wanted.level)]
    given += [("--option", f"{name}={value}") for name, value in options.items()]
    given += [("--set", setting) for setting in set_otherwise()]
    for name, value in given:
        parts += [] if value is None else [name, str(value)]
    return shlex.join(parts)


def bot_options(command: F) -> F:
    """`--bot`, `--bots`, `--think` and `--level`, which become one `Wanted`."""
    rows: list[tuple[str, dict[str, Any]]] = [
        (
            "--level",
            {
                "type": click.Choice(LEVELS),
                "default": "best",
                "show_default": True,
                "help": "How well bots play, for those who want to win sometimes.",
            },
        ),
        (
            "--think",
            {
                "metavar": "TIME",
                "help": "How long a bot may think before it chooses: `2s`, or `500` games, "
                "which gives the same choices on any machine. Against people at a terminal: 1s.",
            },
        ),
        (
            "--bots",
            {
                "metavar": "BOT,BOT...",
                "help": "A bot for each seat, such as `best,search:500,random`.",
            },
        ),
        (
            "--bot",
            {
                "metavar": "BOT",
                "help": "Who takes the other seats: best (the default), trained, search, plain, "
                "random, first; search:500 tries 500 games a choice, search:2s two seconds.",
            },
        ),
    ]
    for name, extra in rows:
        command = click.option(name, **extra)(command)
    return command


def seat_bots(
    wanted: Wanted, game: Game, humans: Collection[int], *, at_terminal: bool = False
) -> dict[int, Unfailing]:
    """A bot for every seat that no human takes. Against people at a terminal they think by the
    clock, on all cores; else so many games that it is the same on any machine."""
    from interpreter.bots.bot import make_bot
    from interpreter.bots.budget import Budget

    others = [seat for seat in range(game.players) if seat not in humans]
    names = _names(wanted, game.players, others)
    budget = _budget(wanted)
    try:
        for name in names:  # what is wrong is told before anything takes long
            make_bot(name, game, Budget(1), level=wanted.level)
        _tell_level(wanted.level, names)
        if _thinks(names):
            _tell_unused(names, game)
            make_ready(game)
            if budget is None and at_terminal:
                budget = Budget(0, _SECOND)
            elif budget is None:
                budget = _small(game)
                names = names if budget is not None else [_without(each) for each in names]
        threads = os.cpu_count() or 1 if at_terminal else 1
        own = _twin(game) if at_terminal else game
        made = [make_bot(each, own, budget, level=wanted.level, threads=threads) for each in names]
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    return dict(zip(others, made, strict=True))


def is_terminal() -> bool:
    """Whether somebody sits there."""
    return sys.stdin is not None and sys.stdin.isatty() and sys.stderr.isatty()


def _names(wanted: Wanted, players: int, others: Sequence[int]) -> list[str]:
    """The name of the bot of each of these seats."""
    if wanted.bots is None:
        return ["best" if wanted.bot is None else wanted.bot] * len(others)
    from interpreter.bots.bot import split_bots

    if wanted.bot is not None:
        raise click.UsageError(
            "--bot is for all seats, --bots names one for each: give one of them"
        )
    names = split_bots(wanted.bots)
    if len(names) == players:
        return [names[seat] for seat in others]
    if len(names) != len(others):
        free = ",".join(
            [*(each or "best" for each in names), *["best"] * len(others)][: len(others)]
        )
        raise click.UsageError(
            f"--bots names {len(names)}, but {len(others)} of {players} seats are for bots; "
            f"write --bots {free or 'for nobody: leave it out'}"
        )
    return names


def _budget(wanted: Wanted) -> Budget | None:
    from interpreter.bots.budget import FORMS, read_budget

    if wanted.think is None:
        return None
    found = read_budget(wanted.think)
    if found is None:
        raise click.UsageError(f"`--think {wanted.think}`: write {FORMS}")
    return found


def _tell_unused(names: Sequence[str], game: Game) -> None:
    """Whoever has trained a bot and changed the rules since would wonder."""
    from interpreter.bots.trained import not_used

    if any(name.partition(":")[0] in ("best", *LEVELS) for name in names):
        found = not_used(game)
        if found is not None:
            note(f"{shown_path(found[0])} {found[1]}; it is not used.")


def _tell_level(level: str, names: Sequence[str]) -> None:
    """Say so if a level holds nobody back."""
    deaf = [name for name in names if ":" in name or not _thinks([name])]
    if level != "best" and deaf and len(deaf) == len(names):
        told = " and ".join(f"`{name}`" for name in dict.fromkeys(deaf))
        note(f"--level {level} changes nothing here: it does not go for {told}.")


def _thinks(names: Sequence[str]) -> bool:
    return any(name not in ("random", "first") for name in names)


def _without(name: str) -> str:
    """Who plays where no game can be tried out: what says itself how many games it tries may."""
    return name if ":" in name or not _thinks([name]) else "random"


def _small(game: Game) -> Budget | None:
    from interpreter.bots.budget import small_budget

    return small_budget(game)


def make_ready(game: Game) -> None:
    """A bot that plays games in its head needs them fast, from its first choice on."""
    from interpreter.play.native.backend import takes_a_while

    if takes_a_while(game.program):
        note("Making native code of this game for the bot: once, and then it is kept.")
    _ = game.native


def _twin(game: Game) -> Game:
    """The same game once more, for those who think while the other one goes on."""
    from interpreter.embedding import Game

    _ = game.native
    return Game(game.program, game.rules, game.backend)


def idle_option(command: F) -> F:
    return click.option("--idle", is_flag=True, help="Bots do not think while you do.")(command)


def preparing(game: Game, bots: dict[int, Unfailing]) -> Preparing | None:
    """Bots that think by the clock do so while people think, on half the cores; None if there are
    no such bots."""
    from interpreter.bots.bot import Thinker, make_mind
    from interpreter.bots.preparing import Foresight, Preparing

    found: dict[int, Foresight] = {}
    own: Game | None = None
    for seat, each in bots.items():
        bot = each.bot
        if isinstance(bot, Thinker) and bot.can_prepare:
            own = own or _twin(game)
            threads = max(1, bot.threads // 2)
            mind = make_mind(each.name.partition(":")[0], own)
            bot.foresight = found[seat] = Foresight(
                own, seat, mind, bot.budget.seconds, threads, threads / bot.threads
            )
    return Preparing(found) if found else None


def tell_failures(bots: dict[int, Unfailing]) -> None:
    """A bot that could not choose ends no game, but is not kept quiet about."""
    for seat, bot in bots.items():
        if bot.failures:
            warn(
                f"The bot of {seat_name(seat)} ({bot.name}) failed {len(bot.failures)} times and "
                f"took any option then; first: {bot.failures[0]}"
            )


@dataclass(frozen=True, slots=True)
class Shown:
    """A bot that is seen thinking. Ctrl-C makes it choose at once what it likes best so far. It
    thinks in a thread, about a game of its own: what it leaves unfinished disturbs nobody."""

    bot: Unfailing
    seat: int

    def follow(self, state: State, seat: int) -> None:
        self.bot.follow(state, seat)

    def __call__(self, view: View, options: Sequence[Option], stream: Stream) -> Option:
        from interpreter.terminal.waiting import SHOWN_AFTER, best_so_far

        chosen: list[Option] = []
        thread = threading.Thread(
            target=lambda: chosen.append(self.bot(view, options, stream)), daemon=True
        )
        thread.start()
        told = False
        try:
            thread.join(SHOWN_AFTER)
            if thread.is_alive():
                told = True
                warn(f"{seat_name(self.seat)} is thinking… (Ctrl-C: choose now)", end="")
                thread.join()
        except KeyboardInterrupt:
            while thread.is_alive() and not self.bot.so_far:
                thread.join(SHOWN_AFTER)
        finally:
            if told:
                warn("\r\x1b[K", end="", drawn=True)
        return chosen[0] if chosen else best_so_far(self.bot, options)


def hint_lines(state: State, seat: int) -> list[str]:
    """The best options of a seat, for somebody at the table who has asked."""
    return hinting(state, seat)()


def hinting(state: State, seat: int) -> Callable[[], list[str]]:
    """How to find the best options of a seat by what it sees. What this returns looks at the game
    no more, so at a terminal it can run in a thread while the game is drawn."""
    from interpreter.bots.advice import hints
    from interpreter.bots.bot import make_mind
    from interpreter.bots.budget import Budget

    options, view = state.options(seat), state.view(seat)
    numbers = {option: number for number, option in enumerate(options, 1)}

    def found() -> list[str]:
        if len(options) == 1:
            return ["There is only one thing to choose."]
        make_ready(state.game)
        game = _twin(state.game) if is_terminal() else state.game
        budget = Budget(0, _SECOND) if is_terminal() else _small(game) or Budget(1)
        threads = os.cpu_count() or 1 if is_terminal() else 1
        told: list[str] = []
        for each in hints(game, view, make_mind("best", game), budget, threads):
            share = f"won in {100 * each.value:.0f}% of the games tried"
            told.append(f"{numbers[each.option]:3}  {each.option.words}: {share}")
            told += [f"       {line}" for line in each.leads_to]
        return told

    return found

"""What a bot is, and the bots by name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from interpreter.bots.search import MOST_GAMES, search
from interpreter.embedding import Game, Option, State
from interpreter.play.chance import Stream as Stream
from interpreter.report.suggest import did_you_mean
from interpreter.report.whole import read_count
from interpreter.view.view import View

SEARCH_GAMES = 1000  # that the searching bot plays in its head before it chooses


class Bot(Protocol):
    def __call__(self, view: View, options: Sequence[Option], stream: Stream) -> Option: ...


def random_bot(view: View, options: Sequence[Option], stream: Stream) -> Option:
    """Any option, each as likely as another."""
    return stream.choose(options)


def search_bot(game: Game, games: int = SEARCH_GAMES) -> Bot:
    """What a tree search has tried most often."""

    def choose(view: View, options: Sequence[Option], stream: Stream) -> Option:
        if len(options) == 1:
            return options[0]
        found = search(game, view, games, seed=stream.below(1 << 62))
        return next((each.option for each in found if each.option in options), options[0])

    return choose


# A bot is made for a game, with the number that may follow its name: `search:5000`.
BOTS: dict[str, Callable[[Game, int | None], Bot]] = {
    "random": lambda game, number: random_bot,
    "search": lambda game, number: search_bot(game, number or SEARCH_GAMES),
}


def make_bot(text: str, game: Game) -> Bot:
    """The bot of this name. Raises ValueError with words for the user."""
    name, colon, number = text.partition(":")
    if name not in BOTS:
        hint = did_you_mean(name, BOTS) or f"There is {', '.join(sorted(BOTS))}."
        raise ValueError(f"there is no bot `{name}`. {hint}")
    if not colon:
        return BOTS[name](game, None)
    if name != "search":
        raise ValueError(f"the bot `{name}` takes no number")
    games = read_count(number)
    if games is None or not 1 <= games <= MOST_GAMES:
        raise ValueError(f"`{text}`: after the colon comes how many games, 1 to {MOST_GAMES:,}")
    return BOTS[name](game, games)


def decide(bot: Bot, state: State, seat: int, stream: Stream) -> Option:
    """The option a bot takes for a seat. It sees what the seat sees, and nothing else."""
    return bot(state.view(seat), state.options(seat), stream)

"""What a bot is, the bots by name, and the random stream each of them draws from."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol, TypeVar

from interpreter.embedding import Option, State
from interpreter.play import chance
from interpreter.view.view import View

T = TypeVar("T")


class Stream:
    """Random numbers that depend on the game's seed and the bot's seat only, and not on those
    the game itself draws: the same seed gives the same game."""

    def __init__(self, seed: int, seat: int) -> None:
        start = chance.seed_key(seed ^ 0x5EED_B075) & (1 << 64) - 1
        self._key = chance.number(start, seat)
        self._counter = 0

    def below(self, bound: int) -> int:
        value, self._counter = chance.below(self._key, self._counter, bound)
        return value

    def choose(self, items: Sequence[T]) -> T:
        return items[self.below(len(items))]


class Bot(Protocol):
    def __call__(self, view: View, options: Sequence[Option], stream: Stream) -> Option: ...


def random_bot(view: View, options: Sequence[Option], stream: Stream) -> Option:
    """Any option, each as likely as another."""
    return stream.choose(options)


BOTS: dict[str, Callable[[], Bot]] = {
    "random": lambda: random_bot,
}


def decide(bot: Bot, state: State, seat: int, stream: Stream) -> Option:
    """The option a bot takes for a seat. It sees what the seat sees, and nothing else."""
    return bot(state.view(seat), state.options(seat), stream)

"""What a bot is, and the bots by name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from interpreter.embedding import Option, State
from interpreter.play.chance import Stream as Stream
from interpreter.view.view import View


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

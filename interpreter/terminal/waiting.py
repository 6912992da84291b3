"""A bot that people wait for on the full screen: they see it think and can make it choose at once.

It thinks in a thread, about a game of its own, so what it leaves unfinished disturbs nobody.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from interpreter.bots.bot import Stream, Unfailing
from interpreter.embedding import Option, State
from interpreter.view.view import View

SHOWN_AFTER = 0.4  # seconds; what is quicker would only flicker
_STEP = 0.05  # seconds between two looks whether somebody cannot wait any longer


class LeftError(Exception):
    """Nobody waits any more: what the bot would choose must not be played."""


@dataclass(slots=True)
class Waiting:
    """What those who wait have said."""

    hurry: threading.Event = field(default_factory=threading.Event)
    left: threading.Event = field(default_factory=threading.Event)


@dataclass(frozen=True, slots=True)
class Awaited:
    bot: Unfailing
    seat: int
    waiting: Waiting
    slow: Callable[[int], None]  # hears that it takes a while
    done: Callable[[], None]

    def follow(self, state: State, seat: int) -> None:
        self.bot.follow(state, seat)

    def __call__(self, view: View, options: Sequence[Option], stream: Stream) -> Option:
        chosen: list[Option] = []
        thread = threading.Thread(
            target=lambda: chosen.append(self.bot(view, options, stream)), daemon=True
        )
        self.waiting.hurry.clear()
        thread.start()
        thread.join(SHOWN_AFTER)
        if thread.is_alive():
            self.slow(self.seat)
        while thread.is_alive() and not self._is_enough():
            thread.join(_STEP)
        self.done()
        if self.waiting.left.is_set():
            raise LeftError
        return chosen[0] if chosen else best_so_far(self.bot, options)

    def _is_enough(self) -> bool:
        """Who leaves waits for nothing, who is in a hurry for the first that is liked."""
        hurried = self.waiting.hurry.is_set() and bool(self.bot.so_far)
        return hurried or self.waiting.left.is_set()


def best_so_far(bot: Unfailing, options: Sequence[Option]) -> Option:
    """What a bot would choose that has not finished."""
    best = next((each.option for each in bot.so_far if each.option in options), None)
    return options[0] if best is None else best

"""The random stream: counter-based, our own, and the same for ever.

The n-th number of a stream is a mix of its key and n (splitmix64, by Steele, Lea and Flood),
so a stream is two integers in the state, and any backend gives the same numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeVar

T = TypeVar("T")
NAME = "splitmix64"
_MASK = (1 << 64) - 1
_GAMMA = 0x9E3779B97F4A7C15


def number(key: int, counter: int) -> int:
    """The 64 random bits at one position of the stream."""
    z = (key + (counter + 1) * _GAMMA) & _MASK
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _MASK
    return z ^ (z >> 31)


def below(key: int, counter: int, bound: int) -> tuple[int, int]:
    """A number from 0 to below `bound`, exactly uniform, and the counter after it.

    Multiplying and keeping the high half is even up to a remainder; draws that fall into the
    remainder are thrown away and drawn anew (Lemire).
    """
    threshold = ((1 << 64) - bound) % bound
    while True:
        product = number(key, counter) * bound
        counter += 1
        if product & _MASK >= threshold:
            return product >> 64, counter


def signed(value: int) -> int:
    """64 bits as the buffer holds them."""
    value &= _MASK
    return value - (1 << 64) if value >> 63 else value


def seed_key(seed: int) -> int:
    """Seeds are small numbers people type; keys should differ in all bits."""
    return signed(number(seed & _MASK, 0))


BOT_SEEDS: Final = 0x5EED_B075  # keeps the streams of those who choose apart from the game's


class Draws:
    """Random numbers from a key."""

    def __init__(self, key: int) -> None:
        self._key = key
        self._counter = 0

    def below(self, bound: int) -> int:
        value, self._counter = below(self._key, self._counter, bound)
        return value


class Stream(Draws):
    """Random numbers that depend on the game's seed and a seat only, and not on those the game
    itself draws: the same seed gives the same game."""

    def __init__(self, seed: int, seat: int) -> None:
        start = seed_key(seed ^ BOT_SEEDS) & (1 << 64) - 1
        super().__init__(number(start, seat))

    def choose(self, items: Sequence[T]) -> T:
        return items[self.below(len(items))]

    def mix(self, items: list[T]) -> None:
        """Put them into any order, each as likely as another."""
        for last in range(len(items) - 1, 0, -1):
            other = self.below(last + 1)
            items[last], items[other] = items[other], items[last]

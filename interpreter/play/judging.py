"""Judging a position: the share of a game that each seat is to expect, as it was learned.

What a seat can know of a position is a set of numbers (`policy.contexts`), and so is how far it
is ahead. Each has a weight, and the sum of them is the judgement. A search that cuts its games off
asks for it instead of playing on at random: that takes less time, and hangs less on chance.

Everything is whole numbers here, so that native code (`native/emit/judging.py`) finds the same.
"""

from __future__ import annotations

from collections.abc import Sequence

from interpreter.play import chance
from interpreter.play.buffer import Buffer
from interpreter.play.guided import WHOLE
from interpreter.play.policy import MIX, MOST_CONTEXTS, PLAYERS, SCALE, SHIFT, contexts, rounded

KEY = 0x2545F4914F6CDD00  # with the number of players, what all contexts are paired with
AHEAD = 0x1D8E4E27C47D124F  # the context that says how far a seat is ahead
FINE = 16  # bits by which the scale of weights is finer than parts of a game
_MASK = (1 << 64) - 1


class LinearJudge:
    """A judge on the reference machine: what it looks at, and the weights."""

    def __init__(self, words: Sequence[int], weights: Sequence[int]) -> None:
        self.words = words
        self.weights = weights

    def worth(self, m: Buffer, leads: Sequence[int]) -> list[int]:
        return [self._worth(m, seat, leads[seat]) for seat in range(self.words[PLAYERS])]

    def _worth(self, m: Buffer, seat: int, lead: int) -> int:
        shift, key = self.words[SHIFT], KEY + self.words[PLAYERS]
        found = seen(self.words, m, seat, lead)
        total = sum(self.weights[((each ^ key) * MIX & _MASK) >> shift] for each in found)
        return max(0, min(WHOLE, total * self.words[SCALE] >> FINE))


def seen(words: Sequence[int], m: Buffer, seat: int, lead: int) -> list[int]:
    """All that a judgement goes by."""
    found = contexts(words, m, seat)[: MOST_CONTEXTS - 1]
    return [*found, chance.number(AHEAD, rounded(lead))]

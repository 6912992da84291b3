"""A circle: whom somebody practises against.

Whoever only plays against himself may learn what helps against nobody else, or go round in a ring:
each habit beats the last one, and the first beats them all. In a wider circle half of the rounds
are against others, random players and the best of oneself so far, and who is lost to more often is
met more often: of those who never win there is nothing to learn. Against others one seat learns.

What a game can bring is not the same against everybody, so margins and errors are measured for
each rival by itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import astuple, dataclass, field

from interpreter.play.native.emit import learning
from interpreter.play.native.learn import Learner, Tally, Weights

ONESELF, EARLIER, RANDOM = "oneself", "earlier", "random"
_SLOWLY = 0.9  # how much of what was known of a rival is kept after a round


@dataclass(slots=True)
class Rival:
    name: str
    lost: float = 0.5  # part of the games that were lost to it of late
    due: float = 0.0  # how much it is its turn
    margin: float = 1.0
    spread: float = 1.0


@dataclass(slots=True)
class Circle:
    """The rivals of one learner, who is one itself."""

    learner: Learner
    others: Sequence[Rival] = ()
    oneself: Rival = field(default_factory=lambda: Rival(ONESELF))

    @property
    def rivals(self) -> list[Rival]:
        return [self.oneself, *self.others]

    def next(self) -> Rival:
        """Whose turn it is: one's own in every second round."""
        whole = sum(each.lost for each in self.others) or 1.0
        for each in self.others:
            each.due += each.lost
        self.oneself.due += whole
        found = max(self.rivals, key=lambda each: each.due)
        found.due -= 2 * whole if self.others else whole
        return found

    def play(
        self, rival: Rival, weights: Weights, table: Weights | None, games: range, seed: int
    ) -> Tally:
        """A round of games to learn from, against a rival who goes by a table of its own."""
        learner = self.learner
        learner.set_real(learning.MARGIN, rival.margin)
        learner.set_real(learning.SPREAD, rival.spread)
        found = learner.play(weights, games, seed, rivals=table)
        rival.margin = learner.get_real(learning.MARGIN)
        rival.spread = learner.get_real(learning.SPREAD)
        lost = 1 - found.share / max(1, found.games)
        rival.lost = _SLOWLY * rival.lost + (1 - _SLOWLY) * lost
        return found

    # ---- to go on another day

    def saved(self) -> list[float]:
        return [value for each in self.rivals for value in astuple(each)[1:]]

    def restore(self, values: Sequence[float]) -> None:
        """Go on from as many numbers as were saved."""
        for number, each in enumerate(self.rivals):
            each.lost, each.due, each.margin, each.spread = values[4 * number : 4 * number + 4]


def alone(learner: Learner) -> Circle:
    return Circle(learner)


def wide(learner: Learner) -> Circle:
    return Circle(learner, (Rival(EARLIER), Rival(RANDOM)))

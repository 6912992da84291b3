"""Practice: weights that are learned by playing, and guards against going astray.

Several beginnings are tried for a while, and of those whose weights win less, half is given up
after each stretch: with some chance one is stuck early with habits that never get much better. Most
go by the score, where rules have one, since wins alone say little to who cannot play yet; but where
players learn to help each other to points, who goes by wins alone learns more. One practises
against others as well (`circle.py`).
Again and again the weights of now play those that were best so far. Weights that win are the best
from then on; weights that lose badly are given up for the best ones, and learn in smaller steps.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

from interpreter.bots.features import features
from interpreter.embedding import Game
from interpreter.learn.circle import EARLIER, ONESELF, RANDOM, alone, wide
from interpreter.play.native.emit import learning
from interpreter.play.native.engine import Engine
from interpreter.play.native.learn import Learner, Tally, Weights

BITS = 20
STEP = 0.1
# Every weight takes smaller steps the more has pulled at it, soon too small to unlearn anything. To
# begin with bigger ones leads astray, so they grow with the games that were played.
_GROWN_BY_ONE, _GROWN_AT_MOST = 32_000, 4
_STEP_OF_VALUE = 0.05
_ENTROPY = 0.003  # more keeps choices open that are known to be bad
_SHARE_OF_SCORE = 0.8
ROUND = 60  # games with each number of players
_TRIALS = 120  # games in which weights are compared, for each number of players
_ASTRAY = 0.6  # of the fair share: less is no accident
_SHARPLY = (100, 150, 200, 300)  # percent
_SHARPLY_TRIED = 2  # times


@dataclass(frozen=True, slots=True)
class Way:
    """A way to practise."""

    by_score: bool = True
    among_others: bool = False


BEGINNINGS = (Way(), Way(by_score=False), Way(among_others=True), Way(), Way())


@dataclass(slots=True)
class Progress:
    """How far a practice is."""

    games: int
    failed: int
    score: float  # that a player gets of late, where rules have one
    against_random: float  # share of wins


class Practice:
    """Learns one table of weights for some numbers of players."""

    def __init__(
        self, games: Sequence[Game], seed: int, bits: int = BITS, way: Way = BEGINNINGS[0]
    ) -> None:
        self.seed, self.bits = seed, bits
        self.learners: list[Learner] = []
        for game in games:
            engine = game.native
            assert isinstance(engine, Engine)
            learner = Learner(engine, features(game.program), bits)
            learner.set_real(learning.STEP_OF_VALUE, _STEP_OF_VALUE)
            learner.set_real(learning.ENTROPY, _ENTROPY)
            share = _SHARE_OF_SCORE if way.by_score and game.program.score >= 0 else 0.0
            learner.set_real(learning.SHARE_OF_SCORE, share)
            self.learners.append(learner)
        self.circles = [(wide if way.among_others else alone)(each) for each in self.learners]
        self.players = [game.players for game in games]
        self.weights = Weights(bits)
        self.best = self.weights.copy()
        self.random = Weights(bits)
        self.step = STEP
        self.played = self.compared = 0
        self.recent = Tally()

    def practise(self, games: int) -> None:
        """About so many games more, in turn with each number of players."""
        self.recent = Tally()
        end = self.played + games
        while self.played < end:
            for circle in self.circles:
                grown = min(_GROWN_AT_MOST, 1 + self.played / _GROWN_BY_ONE)
                circle.learner.set_real(learning.STEP, self.step * grown)
                numbers = range(self.played, self.played + min(ROUND, end - self.played))
                rival = circle.next()
                table = {ONESELF: None, EARLIER: self.best, RANDOM: self.random}[rival.name]
                found = circle.play(rival, self.weights, table, numbers, self.seed)
                if rival is circle.oneself:
                    self.recent.add(found)
                self.played = numbers.stop
                if self.played >= end:
                    break

    def wins(self, weights: Weights, rivals: Weights, trials: int = _TRIALS) -> float:
        """How much of its fair share one table wins against another."""
        self.compared += 1
        total = 0.0
        for learner, players in zip(self.learners, self.players, strict=True):
            games = range(trials + -trials % players)
            seed = self.seed + 1_000_003 * self.compared
            found = learner.play(weights, games, seed, rivals=rivals, learning_=False)
            total += found.share / max(1, found.games) * players
        return total / len(self.learners)

    def compare(self) -> float:
        """Keep the better of the weights of now and the best so far."""
        found = self.wins(self.weights, self.best)
        if found >= 1.0:
            self.best = self.weights.copy()
        elif found < _ASTRAY:
            self.weights = self.best.copy()
            self.step /= 2
        return found

    def how_sharply(self, weights: Weights) -> int:
        """How sharply one does best to choose by the weights, in percent of how they were learned:
        while learning one tries much that one would not do if it counted, but who always does what
        looks best falls for every mistake in the weights."""

        def won(percent: int) -> float:
            sharper = weights.sharper(percent)
            return sum(self.wins(sharper, weights) for _ in range(_SHARPLY_TRIED))

        return max(_SHARPLY, key=won)

    def progress(self) -> Progress:
        games = max(1, self.recent.games)
        share = self.wins(self.best, self.random) / len(self.players)
        players = sum(self.players) / len(self.players)
        score = self.recent.score / games
        return Progress(self.played, self.recent.failed, score, share * len(self.players) / players)

    # ---- to go on another day

    def saved(self) -> bytes:
        circles = [each.saved() for each in self.circles]
        head = [self.seed, self.bits, self.played, self.compared, self.step, circles]
        weights = self.weights.cells.tobytes() + self.best.cells.tobytes()
        return json.dumps(head).encode() + b"\n" + weights

    def restore(self, data: bytes) -> bool:
        """Go on from what was saved; no if it does not fit."""
        head, _, rest = data.partition(b"\n")
        size = len(self.weights.cells) * self.weights.cells.itemsize
        try:
            seed, bits, *numbers, circles = json.loads(head)
            played, compared, step = int(numbers[0]), int(numbers[1]), float(numbers[2])
            rivals = [[float(value) for value in values] for values in circles]
        except (ValueError, TypeError, IndexError):
            return False
        if (seed, bits) != (self.seed, self.bits) or len(rest) != 2 * size or not 0 < step <= STEP:
            return False
        known = [len(each.saved()) for each in self.circles]
        if min(played, compared) < 0 or [len(values) for values in rivals] != known:
            return False
        for circle, values in zip(self.circles, rivals, strict=True):
            circle.restore(values)
        for table, start in ((self.weights, 0), (self.best, size)):
            del table.cells[:]
            table.cells.frombytes(rest[start : start + size])
        self.played, self.compared, self.step = played, compared, step
        return True


def better_half(practices: Sequence[Practice]) -> list[Practice]:
    """Those whose weights win more against the weights of the others, the best first."""
    trials = -(-_TRIALS // (len(practices) - 1))

    def won(one: Practice) -> float:
        return sum(one.wins(one.best, other.best, trials) for other in practices if other != one)

    return sorted(practices, key=won, reverse=True)[: (len(practices) + 1) // 2]

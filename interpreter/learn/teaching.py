"""Teaching: what a search finds out by trying, a policy learns by heart.

Games are played in which every choice is a search's. Each decision becomes a lesson, whose answer
is how often the search tried each option. Some of them are kept back to see whether the pupil has
understood or only remembers. A search that is told by its pupil where to look gets farther in
the same time.

Counted games, one order: the same seed gives the same weights.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress

from interpreter.bots.search import search
from interpreter.embedding import Game, PlayError, State
from interpreter.learn.crew import crew_for
from interpreter.option import Option
from interpreter.play.buffer import Buffer
from interpreter.play.chance import Stream
from interpreter.play.guided import Settings
from interpreter.play.native.emit import learning
from interpreter.play.native.learn import Learner, Weights
from interpreter.play.native.lessons import Lessons

TEACHER_GAMES = 120  # of a search before each choice
_LONGEST = 2000  # choices of one game
_STRAYS = 4  # every so many choices, one is drawn by how good it looked: pupils stray, too
_KEPT_BACK = 10  # every so many games, one is for tests
_TIMES = 12  # that all lessons are gone through at most
_STEP = 0.1
_PATIENCE = 3  # times without getting better


_Lesson = tuple[Buffer, int, list[float]]  # a state, whose choice it is, and how good options are


class Teaching:
    """Lessons from games with some numbers of players, and weights that learn them."""

    def __init__(
        self, games: Sequence[Game], learners: Sequence[Learner], settings: Settings, seed: int
    ) -> None:
        self.games, self.settings, self.seed = games, settings, seed
        self.lessons = [Lessons(learner) for learner in learners]
        self.kept_back: list[set[int]] = [set() for _ in games]
        self.played = self.most = 0
        self.enough: Callable[[], bool] = lambda: False

    @property
    def count(self) -> int:
        return sum(map(len, self.lessons))

    def hold(
        self, most: int, enough: Callable[[], bool] = lambda: False, processes: int = 1
    ) -> None:
        """Play games until there are so many lessons, or somebody has enough."""
        self.most, self.enough = most, enough
        with crew_for(self, processes) as crew:
            for (number, _), result in crew.results(self, self._due()):
                before = len(self.lessons[number])
                for lesson in result.brought[: most - self.count]:
                    self.lessons[number].add(*lesson)
                if self.played // len(self.games) % _KEPT_BACK == _KEPT_BACK - 1:
                    self.kept_back[number].update(range(before, len(self.lessons[number])))
                self.played += 1

    def _due(self) -> Iterator[tuple[int, int]]:
        """Games that are to be played: the number of players in turn, and the seed."""
        for number in itertools.count(self.played):
            if self.count >= self.most or self.enough():
                return
            yield number % len(self.games), self.seed + number

    def play(self, number: int, key: int) -> list[_Lesson]:
        """The lessons of one game."""
        game, left = self.games[number], self.most - self.count
        state, stream = game.start(key), Stream(key, 0)
        found: list[_Lesson] = []
        with suppress(PlayError):  # what was learned up to there is as good as any
            for _ in range(_LONGEST):
                if state.is_over or len(found) >= left or self.enough():
                    break
                seat = state.seats_to_act[0]
                options = state.options(seat)
                chosen = options[0]
                if len(options) > 1:
                    answer, chosen = self._answer(game, state, seat, options, stream)
                    found.append((state.buffer, seat, answer))
                state = state.apply(chosen, seat)
        return found

    def _answer(
        self, game: Game, state: State, seat: int, options: list[Option], stream: Stream
    ) -> tuple[list[float], Option]:
        """How often a search tries each option, and what is chosen then."""
        found = search(
            game, state.view(seat), TEACHER_GAMES,
            seed=stream.below(1 << 62), settings=self.settings,
        )  # fmt: skip
        visits = {each.option: each.visits for each in found}
        whole = sum(visits.values())
        tried = [visits.get(option, 0) for option in options]
        answer = [each / whole for each in tried]
        if stream.below(_STRAYS):
            return answer, found[0].option
        left = stream.below(whole)
        for option, times in zip(options, tried, strict=True):
            left -= times
            if left < 0:
                return answer, option
        return answer, found[0].option

    def learn(self, weights: Weights) -> Weights:
        """Go through all lessons until those kept back are not understood any better."""
        stream = Stream(self.seed, 1)
        best, most, idle = weights.copy(), self._understood(weights), 0
        for time in range(_TIMES):
            for lessons, kept_back in zip(self.lessons, self.kept_back, strict=True):
                learner = lessons.learner
                learner.set_real(learning.STEP, _STEP / (1 + time / 2))
                learner.set_real(learning.STEP_OF_VALUE, 0.0)
                learner.set_real(learning.ENTROPY, 0.0)
                order = [n for n in range(len(lessons)) if n not in kept_back]
                stream.mix(order)
                lessons.teach(weights, order)
            now = self._understood(weights)
            idle = 0 if now > most else idle + 1
            if now > most:
                best, most = weights.copy(), now
            if idle >= _PATIENCE:
                break
        return best

    def _understood(self, weights: Weights) -> float:
        """How likely the weights are to do as the teacher did, in games they have not seen; in all,
        if there are few."""
        total, count = 0.0, 0
        for lessons, kept_back in zip(self.lessons, self.kept_back, strict=True):
            order = sorted(kept_back) if any(self.kept_back) else range(len(lessons))
            total += lessons.teach(weights, order, changing=False) * len(order)
            count += len(order)
        return total / max(1, count)

"""Judgement: what positions are worth, learned from games whose ends are known.

Of each game some positions are kept with what every seat saw in them. Where a policy plays well,
the games are its own, and a judge learns what is to be expected among those who know how to play.
Else they are random ones, which cost next to nothing, and it learns what is to be expected if
nobody knows what to do. A search that plays its games to their ends finds out no more than that,
one game at a time, while the judge remembers thousands of them: whoever asks it knows more, in less
time.

Counted games, one order: the same seed gives the same weights.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from interpreter.bots.features import sights
from interpreter.bots.trained import Table
from interpreter.embedding import Game
from interpreter.play.chance import Stream
from interpreter.play.guided import WHOLE, shares
from interpreter.play.native.engine import Engine
from interpreter.play.native.judge import Positions, settled
from interpreter.play.native.learn import Learner, Weights
from interpreter.program.layout import DECISION, STATUS

BITS = 18
_GAMES = 6000  # with each number of players
_DECISIONS = 4_000_000  # in all of them, at most
_SEEN = 160_000  # by all seats together, at most
_NUMBERS = 40_000_000  # that say what was seen, at most: eight bytes each
_OF_A_GAME = 10  # positions that are looked at
_PROBES = 40  # games by which it is found out how long they are
_TOGETHER = 250  # games that are played side by side
_KEPT_BACK = 10  # every so many games, one is for tests
_TIMES = 6  # that all positions are gone through at most
_STEP = 2.0


@dataclass(slots=True)
class _Watched:
    """Positions of games with one number of players."""

    positions: Positions
    practice: list[int] = field(default_factory=list)  # the positions that are learned from
    tests: list[int] = field(default_factory=list)  # and those that are kept back
    games: int = 0

    def add(self, seen: Sequence[tuple[int, array[int]]], brought: Sequence[int]) -> None:
        """A game that is over: what seats saw in it, and what it brought them."""
        kept = self.tests if self.games % _KEPT_BACK == _KEPT_BACK - 1 else self.practice
        for seat, each in seen:
            kept.append(len(self.positions))
            self.positions.add(each, brought[seat] / WHOLE)
        self.games += 1


class Judgement:
    """One table of weights, which learns of games with each number of players by itself."""

    def __init__(self, seed: int, bits: int = BITS) -> None:
        self.seed, self.bits = seed, bits
        self.weights = Weights(bits)
        self.games = 0

    def table(self) -> Table:
        """The weights as they are shipped."""
        weights, scale = settled(self.weights)
        return Table(self.bits, scale, weights)

    def learn(
        self, game: Game, enough: Callable[[], bool] = lambda: False, player: Player | None = None
    ) -> None:
        """Go through positions of games, random ones if nobody is there who can play, until those
        that were kept back are not judged any better."""
        engine = game.native
        assert isinstance(engine, Engine)
        watched = _Watched(Positions(Learner(engine, sights(game.program), self.bits)))
        if player is None:
            self._watch(game, _Random(game, engine, self.seed), watched, enough)
        else:
            self._watch(game, _Practised(player, self.seed), watched, enough)
        self.games += watched.games
        tests = watched.tests or watched.practice
        stream, order = Stream(self.seed, 2), watched.practice
        best, least = self.weights.copy(), float("inf")
        for time in range(_TIMES):
            stream.mix(order)
            watched.positions.teach(self.weights, order, _STEP / (1 + time))
            off = watched.positions.teach(self.weights, tests, 0.0, changing=False)
            if off >= least:
                break
            best, least = self.weights.copy(), off
            if enough():
                break
        self.weights = best

    def _watch(
        self, game: Game, source: _Source, watched: _Watched, enough: Callable[[], bool]
    ) -> None:
        length = source.length()
        games = min(_GAMES, _DECISIONS // length + 1)
        games = min(games, _SEEN // (_OF_A_GAME * game.players))
        every = max(1, length // _OF_A_GAME)
        for first in range(0, games, _TOGETHER):
            if watched.games and (enough() or watched.positions.numbers > _NUMBERS):
                return
            numbers = range(first, min(games, first + _TOGETHER))
            for seen, winners in source.played(watched.positions, numbers, every):
                watched.add(seen, shares(game.program, winners))


# ---- where games come from


_Seen = list[tuple[int, "array[int]"]]  # seats, and what they saw


class _Source(Protocol):
    def length(self) -> int:
        """Decisions of a game, about."""

    def played(
        self, positions: Positions, numbers: range, every: int
    ) -> Iterator[tuple[_Seen, int]]:
        """Games: what seats saw every so many decisions, and who won."""


@dataclass(slots=True)
class Player:
    """Who can play."""

    learner: Learner
    weights: Weights


@dataclass(slots=True)
class _Practised:
    """Games of a policy against itself."""

    player: Player
    seed: int

    def length(self) -> int:
        player = self.player
        tally = player.learner.play(player.weights, range(_PROBES), self.seed, learning_=False)
        return max(1, tally.decisions // max(1, tally.games))

    def played(
        self, positions: Positions, numbers: range, every: int
    ) -> Iterator[tuple[_Seen, int]]:
        player = self.player
        for number in numbers:
            found = player.learner.watched(player.weights, number, self.seed, every, 2 * _OF_A_GAME)
            if found is not None:
                states, winners = found
                many = range(len(states) // player.learner.engine.size)
                yield [each for at in many for each in positions.look(states, at)], winners


@dataclass(slots=True)
class _Random:
    """Random games side by side."""

    game: Game
    engine: Engine
    seed: int

    def length(self) -> int:
        results = self.game.playouts(range(_PROBES))
        return max(1, sum(result.moves for result in results) // _PROBES)

    def played(
        self, positions: Positions, numbers: range, every: int
    ) -> Iterator[tuple[_Seen, int]]:
        engine = self.engine
        states = engine.start_many([self.seed + number for number in numbers])
        streams = [Stream(self.seed, 3 + number) for number in numbers]
        seen: list[_Seen] = [[] for _ in numbers]
        wait = [stream.below(every) for stream in streams]
        while True:
            counts = engine.count_options(states)
            if max(counts) <= 0:
                break
            for number, count in enumerate(counts):
                if count > 0:
                    wait[number] -= 1
                    if wait[number] < 0 and states[number * engine.size + STATUS] == DECISION:
                        seen[number] += positions.look(states, number)
                        wait[number] = every - 1
            picks = [
                stream.below(count) if count > 0 else -1
                for stream, count in zip(streams, counts, strict=True)
            ]
            engine.take_many(states, picks)
        for number, result in enumerate(engine.results_of(states)):
            if result.failure is None:
                yield seen[number], result.winner_bits

"""Games with hidden information, ours and OpenSpiel's side by side.

A position is the same history in both. Going through positions checks at every step that both
ask the same seats, offer the same options, let chance bring the same with the same weights, and
end alike. Histories a player cannot tell apart must be the same histories in both.
"""

import itertools
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import Any

import pyspiel

import interpreter
from interpreter.embedding import Game, State
from interpreter.view.log import information_state

CLASSICS = Path(__file__).resolve().parents[2] / "rulesets" / "classics"


def by_scores(state: State) -> list[float]:
    return [float(score) for score in state.scores]


def by_winners(state: State) -> list[float]:
    """Winners share a win of 1, the others a loss of 1; if all win, nobody does."""
    losers = state.game.players - len(state.winners)
    if losers == 0:
        return [0.0] * state.game.players
    return [
        1 / len(state.winners) if seat in state.winners else -1 / losers
        for seat in range(state.game.players)
    ]


@dataclass
class Twin:
    rules: str  # a file in rulesets/classics, without its ending
    spiel: str  # a game OpenSpiel can load
    option: Callable[[int], str]  # what we call an action of theirs
    outcome: Callable[[int], str]  # what we call an outcome of theirs
    players: int = 2
    options: dict[str, str | int] = field(default_factory=dict)
    returns: Callable[[State], list[float]] = by_scores
    ask_when_forced: bool = True  # OpenSpiel mostly asks even if there is only one answer

    def __str__(self) -> str:
        return self.spiel

    @cached_property
    def ours(self) -> Game:
        return interpreter.load(CLASSICS / f"{self.rules}.rules", self.players, self.options)

    @cached_property
    def theirs(self) -> Any:
        return pyspiel.load_game(self.spiel)

    def start(self) -> "Position":
        state = self.ours.start(explicit_chance=True, ask_when_forced=self.ask_when_forced)
        return Position(self, state, self.theirs.new_initial_state())

    def play(self, chance: random.Random) -> Iterator["Position"]:
        """The positions of one random game."""
        position = self.start()
        yield position
        while not position.is_over():
            position = position.after(chance.choice(position.ways()), chance)
            yield position

    def all(self) -> Iterator["Position"]:
        """Every history there is."""
        waiting = [self.start()]
        while waiting:
            position = waiting.pop()
            yield position
            if not position.is_over():
                waiting.extend(position.after(way) for way in position.ways())


Way = tuple[int, ...]  # actions of theirs: of chance, of one player, or of all at once


@dataclass
class Position:
    twin: Twin
    state: State
    other: Any

    def is_over(self) -> bool:
        assert self.state.is_over == self.other.is_terminal(), self
        if self.state.is_over:
            expected = self.other.returns()
            found = self.twin.returns(self.state)
            assert all(abs(a - b) < 1e-9 for a, b in zip(found, expected, strict=True)), self
        return self.state.is_over

    def ways(self) -> list[Way]:
        """What can happen next, after checking that both agree on it."""
        if self.other.is_chance_node():
            return self._chance()
        assert not self.state.is_chance, self
        seats = range(self.twin.players)
        if not self.other.is_simultaneous_node():
            seats = [self.other.current_player()]
        assert self.state.seats_to_act == tuple(seats), self
        ways: list[list[int]] = []
        for seat in seats:
            actions = self.other.legal_actions(seat)
            wanted = [self.twin.option(action) for action in actions]
            assert sorted(wanted) == sorted(o.text for o in self.state.options(seat)), self
            ways.append(actions)
        return list(itertools.product(*ways))

    def _chance(self) -> list[Way]:
        outcomes = self.state.chance_outcomes()
        whole = sum(outcome.weight for outcome in outcomes)
        ours = {o.text: Fraction(o.weight, whole) for o in outcomes}
        theirs = {self.twin.outcome(a): p for a, p in self.other.chance_outcomes()}
        assert ours.keys() == theirs.keys(), self
        assert all(abs(float(ours[text]) - p) < 1e-9 for text, p in theirs.items()), self
        return [(action,) for action, _ in self.other.chance_outcomes()]

    def after(self, way: Way, order: random.Random | None = None) -> "Position":
        """The position after something happens; sealed answers come in any order."""
        other, state = self.other.clone(), self.state
        if other.is_simultaneous_node():
            seats = list(range(self.twin.players))
            if order is not None:
                order.shuffle(seats)
            for seat in seats:
                state = state.apply(self.twin.option(way[seat]), seat)
            other.apply_actions(list(way))
            return Position(self.twin, state, other)
        name = self.twin.outcome if other.is_chance_node() else self.twin.option
        state = state.apply(name(way[0]))
        other.apply_action(way[0])
        return Position(self.twin, state, other)

    @property
    def is_decision(self) -> bool:
        return not self.other.is_chance_node() and not self.other.is_terminal()

    @property
    def depth(self) -> int:
        return len(self.state.history())

    def told(self, seat: int) -> tuple[str, str]:
        """What a seat knows here, ours and theirs."""
        return information_state(
            self.state.entries(seat), self.state.view(seat)
        ), self.other.information_state_string(seat)

    def __str__(self) -> str:
        path = " ".join(option.text for _, option in self.state.history())
        return f"{self.twin}\n{self.other}\nreturns {self.other.returns()}\nafter {path}"


class Partition:
    """Whether two ways to tell histories apart agree."""

    def __init__(self) -> None:
        self.ours: dict[str, str] = {}
        self.theirs: dict[str, str] = {}
        self.histories = 0

    def add(self, ours: str, theirs: str, where: Position) -> None:
        self.histories += 1
        seen = self.ours.setdefault(ours, theirs)
        assert seen == theirs, f"we do not tell apart\n{seen}\n{theirs}\nby\n{ours}\n{where}"
        other = self.theirs.setdefault(theirs, ours)
        assert other == ours, f"we tell apart\n{other}\n{ours}\nboth {theirs}\n{where}"


def spiel_counts(game: Any) -> list[int]:
    """How many histories there are at each depth, by OpenSpiel alone."""
    counts: list[int] = []
    level = [game.new_initial_state()]
    while level:
        counts.append(len(level))
        level = [s.child(a) for s in level if not s.is_terminal() for a in s.legal_actions()]
    return counts


def our_counts(state: State) -> list[int]:
    """The same by our rules alone."""
    counts: list[int] = []
    level = [state]
    while level:
        counts.append(len(level))
        level = [
            s.apply(o) for s in level for o in (s.chance_outcomes() if s.is_chance else s.options())
        ]
    return counts

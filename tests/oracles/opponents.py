"""Plays a ruleset and an OpenSpiel game side by side.

Both are asked the same questions at every step: whose turn it is, what may be done, what chance
may bring and how likely, and how it ended. An opponent knows how our options are called there.
"""

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import pyspiel

import interpreter
from interpreter.embedding import Game, State

CLASSICS = Path(__file__).resolve().parents[2] / "rulesets" / "classics"


def same(text: str) -> str:
    return text


def by_winners(state: State) -> list[float]:
    """What OpenSpiel returns for most games: the winner gets 1, the others share a loss of 1."""
    players, winners = state.game.players, state.winners
    if len(winners) != 1:
        return [0.0] * players
    return [1.0 if seat in winners else -1.0 / (players - 1) for seat in range(players)]


@dataclass
class Opponent:
    rules: str  # a file in rulesets/classics, without its ending
    spiel: str  # a game OpenSpiel can load
    name: Callable[[str], str]  # our option or outcome -> what OpenSpiel calls it
    spiel_name: Callable[[str], str] = same  # tidies what OpenSpiel says
    options: dict[str, str | int] = field(default_factory=dict)
    players: int = 2
    returns: Callable[[State], list[float]] = by_winners
    # OpenSpiel may end a game for a reason our rules do not have: what it should return then,
    # or None if there is no such reason.
    ends_early: Callable[[State], list[float] | None] = lambda state: None

    def __post_init__(self) -> None:
        self.name = cache(self.name)

    @cached_property
    def ours(self) -> Game:
        path = CLASSICS / f"{self.rules}.rules"
        return interpreter.load(path, self.players, self.options)

    @cached_property
    def theirs(self) -> Any:
        return pyspiel.load_game(self.spiel)

    def __str__(self) -> str:
        chosen = ",".join(f"{key}={value}" for key, value in self.options.items())
        return f"{self.rules}({chosen})" if chosen else self.rules

    def perft(self, depth: int) -> list[int]:
        """OpenSpiel's node counts, like interpreter.perft."""
        counts = [0] * (depth + 1)
        _count(self.theirs.new_initial_state(), 0, counts)
        return counts

    def play(self, seed: int) -> int:
        """One random game in lockstep; the number of steps it took."""
        choice = random.Random(seed)
        state = self.ours.start(seed, explicit_chance=True, ask_when_forced=True)
        other = self.theirs.new_initial_state()
        while not other.is_terminal():
            assert not state.is_over, self._told(state, other, "OpenSpiel plays on")
            state, other = self._step(state, other, choice)
        if state.is_over:
            expected = self.returns(state)
        else:
            early = self.ends_early(state)
            assert early is not None, self._told(state, other, "OpenSpiel has ended")
            expected = early
        assert close(other.returns(), expected), self._told(state, other, f"not {expected}")
        return len(state.history())

    def _step(self, state: State, other: Any, choice: random.Random) -> tuple[State, Any]:
        if other.is_chance_node():
            assert state.is_chance, self._told(state, other, "OpenSpiel asks chance")
            outcomes = state.chance_outcomes()
            whole = sum(each.weight for each in outcomes)
            mine = {self.name(each.text): each.weight / whole for each in outcomes}
            there = {self._called(other, a): (a, p) for a, p in other.chance_outcomes()}
            assert sorted(mine) == sorted(there), self._told(state, other, "outcomes differ")
            assert close([mine[key] for key in there], [p for _, p in there.values()])
            actions = {key: action for key, (action, _) in there.items()}
        else:
            seats = state.seats_to_act
            assert seats == (other.current_player(),), self._told(state, other, "turn differs")
            outcomes = state.options()
            actions = {self._called(other, action): action for action in other.legal_actions()}
            found = sorted(self.name(each.text) for each in outcomes)
            assert found == sorted(actions), self._told(state, other, "options differ")
        taken = choice.choice(outcomes)
        other.apply_action(actions[self.name(taken.text)])
        return state.apply(taken), other

    def _called(self, other: Any, action: int) -> str:
        return self.spiel_name(other.action_to_string(other.current_player(), action))

    def _told(self, state: State, other: Any, what: str) -> str:
        path = " ".join(option.text for _, option in state.history())
        return f"{self}: {what}\n{other}\nreturns {other.returns()}\nafter {path}"


def _count(other: Any, level: int, counts: list[int]) -> None:
    counts[level] += 1
    last = len(counts) - 1
    if level == last or other.is_terminal():
        return
    actions = other.legal_actions()
    if level + 1 == last:
        counts[last] += len(actions)
        return
    for action in actions:
        _count(other.child(action), level + 1, counts)


def close(left: list[float], right: list[float]) -> bool:
    return len(left) == len(right) and all(
        abs(a - b) < 1e-9 for a, b in zip(left, right, strict=True)
    )

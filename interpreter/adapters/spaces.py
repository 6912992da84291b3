"""What all conventions share: a game to play, a seat's row and mask as arrays, and their spaces."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from interpreter.embedding import Game, Option, State, load
from interpreter.play.spaces.actions import action_text, actions_of, numbers
from interpreter.play.spaces.columns import Columns, columns_of
from interpreter.play.spaces.observe import observe
from interpreter.play.spaces.rewards import Reward, rewards, usual_reward

if TYPE_CHECKING:
    from gymnasium import spaces

Observation = dict[str, NDArray[Any]]
ILLEGAL = -1.0  # what an action costs that is not offered, and the game is over


@dataclass(frozen=True, slots=True)
class Seats:
    """A game as its seats see it and act in it."""

    game: Game
    reward: Reward

    @property
    def columns(self) -> Columns:
        """What each number of a row is, and between which bounds it lies."""
        return columns_of(self.game.program)

    @property
    def actions(self) -> int:
        """How many actions there are. Conventions in which everybody always acts have one more, to
        wait."""
        return actions_of(self.game.program).size

    def text(self, action: int) -> str:
        return "wait" if action == self.actions else action_text(self.game.program, action)

    def row(self, state: State, seat: int) -> NDArray[np.int32]:
        return np.array(observe(self.game.machine, state.buffer, seat), np.int32)

    def offered(self, state: State, seat: int) -> dict[int, Option]:
        """The options of a seat by their numbers, in the order of these."""
        choices = state.choices(seat)
        if not choices:
            return {}
        seen = state.seen_by_chooser(seat)
        found = zip(numbers(self.game.program, seen, list(choices.values())), choices, strict=True)
        return {number: option for number, option in sorted(found, key=_number) if number >= 0}

    def rewards(self, state: State) -> list[int]:
        return rewards(self.game.program, state.buffer, self.reward)

    def observation(self, state: State, seat: int, *, waits: bool = False) -> Observation:
        """A row, and a mask of what is offered. If a seat that is not to act `waits`, that is what
        it is offered."""
        mask = np.zeros(self.actions + waits, np.int8)
        mask[list(self.offered(state, seat)) or ([self.actions] if waits else [])] = 1
        return {"observation": self.row(state, seat), "action_mask": mask}

    def observation_space(self, *, waits: bool = False) -> spaces.Dict:
        from gymnasium import spaces

        low, high = (np.array(each, np.int32) for each in (self.columns.low, self.columns.high))
        return spaces.Dict(
            {
                "observation": spaces.Box(low, high, dtype=np.int32),
                "action_mask": spaces.Box(0, 1, (self.actions + waits,), np.int8),
            }
        )

    def action_space(self, *, waits: bool = False) -> spaces.Discrete:
        from gymnasium import spaces

        return spaces.Discrete(self.actions + waits)


def _number(pair: tuple[int, Option]) -> int:
    return pair[0]


def seats_of(
    game: Game | str | os.PathLike[str],
    players: int | None = None,
    options: dict[str, str | int] | None = None,
    reward: Reward | None = None,
) -> Seats:
    """From a game, or from a rule file with how many play and which options. A reward is 1, -1 or
    0 for who has won (`outcome`), or points (`score`): these are usual where rules count them."""
    if not isinstance(game, Game):
        game = load(os.fspath(game), players, options)
    if reward not in (None, "outcome", "score"):
        raise ValueError(f"there is no reward `{reward}`: there are `outcome` and `score`")
    return Seats(game, reward or usual_reward(game.program))

"""Many games at once, in numpy arrays that are written in place.

    import interpreter
    from interpreter.adapters.vector import Vector

    games = Vector(interpreter.load("rulesets/classics/connectFour.rules"), 1000, threads=2)
    for _ in range(100):
        games.step(games.sample())
    print(games.observation.shape, games.mask.shape, games.reward.sum(axis=0))

In each game the seat that is to decide sees its row of `observation` and may choose what its row of
`mask` offers. A step takes an action in every game and goes on to the next decision, through chance
and forced moves. A game that is over is done, pays its `reward`, and begins anew at once, with
another seed; the row that is shown then is already that of the new game.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from interpreter.adapters.plain_steps import PlainSteps
from interpreter.embedding import Game
from interpreter.play.failure import CODES
from interpreter.play.native.steps import NO_GAME, NOT_OFFERED, Arrays, Stepper
from interpreter.play.spaces.actions import action_text, actions_of
from interpreter.play.spaces.columns import columns_of
from interpreter.play.spaces.rewards import Reward, usual_reward


class Vector:
    """`count` games of one ruleset.

    `observation` has a row for each game and a column for each of `columns`; `mask` a column for
    each action; `reward` one for each seat. `seat` is who decides, `done` whether the last step
    ended a game, `error` is 0 or says why a game broke down (`code_of`). `actions` are those of the
    last step. All of them keep their place for good: copy what must outlast a step.

    Game number n plays with seed + n, then with seed + n + count, and so on. A reward is 1, -1 or 0
    at the end of a game (`outcome`), or its points (`score`)."""

    def __init__(
        self,
        game: Game,
        count: int,
        *,
        seed: int = 0,
        reward: Reward | None = None,
        threads: int = 1,
    ) -> None:
        if count < 1:
            raise ValueError(f"there is at least one game, not {count}")
        program = game.program
        self.game, self.count = game, count
        self.reward_by: Reward = reward or usual_reward(program)
        self.columns = columns_of(program).names
        size = actions_of(program).size
        self.observation: NDArray[np.int32] = np.zeros((count, len(self.columns)), np.int32)
        self.mask: NDArray[np.int8] = np.zeros((count, size), np.int8)
        self.reward: NDArray[np.float32] = np.zeros((count, program.players), np.float32)
        self.done: NDArray[np.bool_] = np.zeros(count, np.bool_)
        self.seat: NDArray[np.int64] = np.zeros(count, np.int64)
        self.error: NDArray[np.int64] = np.zeros(count, np.int64)
        self.actions: NDArray[np.int64] = np.zeros(count, np.int64)
        self._seeds: NDArray[np.int64] = np.zeros(count, np.int64)
        self._samples = 0
        self._steps: Stepper | PlainSteps
        if game.native is None:
            self._steps = PlainSteps(self, self._seeds)
        else:
            self._steps = Stepper(game.native, count, self._arrays(), self.reward_by, threads)
        self.reset(seed)

    def _arrays(self) -> Arrays:
        def at(each: NDArray[Any]) -> int:
            return each.ctypes.data

        return Arrays(
            at(self.actions), at(self._seeds), at(self.observation), at(self.mask), at(self.reward),
            at(self.done), at(self.seat), at(self.error),
        )  # fmt: skip

    def reset(self, seed: int = 0) -> None:
        """Begin all games anew."""
        self._seeds[:] = np.arange(self.count) + seed
        self._samples = chance_start(seed)
        self.reward[:] = 0
        self.done[:] = False
        self._steps.reset()
        self._check()

    def step(self, actions: ArrayLike) -> None:
        """Take an action in each game. Raises ValueError if one is not offered; that game stays as
        it is, and all others have been stepped."""
        self.actions[:] = actions
        self._steps.step()
        self._check()

    def sample(self) -> NDArray[np.int64]:
        """An action for each game, at random from those that are offered: `actions`, in place."""
        self._samples += 1
        self._steps.sample(self._samples)
        return self.actions

    def action_text(self, action: int) -> str:
        """What a number means: `drop(cell: a1)`."""
        return action_text(self.game.program, action)

    @staticmethod
    def code_of(error: int) -> str | None:
        """The code of a failure of the rules, for `rulerun explain`; None for 0."""
        return CODES[error - 1] if error else None

    def _check(self) -> None:
        if not self.error.any():
            return
        for number in np.flatnonzero(self.error > len(CODES)):
            if self.error[number] == NOT_OFFERED:
                action = int(self.actions[number])
                known = 0 <= action < self.mask.shape[1]
                named = f" ({self.action_text(action)})" if known else ""
                raise ValueError(f"action {action}{named} is not offered in game {number}")
            if self.error[number] == NO_GAME:
                raise ValueError(f"there is nothing to decide in game {number}")
            raise RuntimeError("native code met something the lowering rules out")


def chance_start(seed: int) -> int:
    """Where the seeds of samples begin: far from each other for different games."""
    return seed << 32

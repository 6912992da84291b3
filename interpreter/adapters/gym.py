"""Gymnasium: one seat of a game, with bots on all others.

from interpreter.adapters import gym

env = gym.Seat("rulesets/classics/connectFour.rules", seat=0, bots="search:50")
observation, info = env.reset(seed=1)
done = False
while not done:
    action = env.action_space.sample(observation["action_mask"])
    observation, reward, done, truncated, info = env.step(action)
"""

from __future__ import annotations

import os
from typing import Any

import gymnasium

from interpreter.adapters.spaces import ILLEGAL, Observation, seats_of
from interpreter.bots.bot import Stream, decide, make_bot
from interpreter.embedding import Game, State
from interpreter.play.spaces.rewards import Reward


class Seat(gymnasium.Env[Observation, Any]):
    """An observation is what the seat sees (`columns` names its numbers) and a mask of what it is
    offered; whoever chooses anything else loses the game. Whoever else is to act is played by a
    bot: one name for all of them, as `rulerun play` takes it, or one for each other seat in order.
    """

    def __init__(
        self,
        game: Game | str | os.PathLike[str],
        seat: int = 0,
        bots: str | list[str] = "random",
        players: int | None = None,
        options: dict[str, str | int] | None = None,
        reward: Reward | None = None,
        render_mode: str | None = None,
    ) -> None:
        self.seats = seats_of(game, players, options, reward)
        found = self.seats.game
        found.check_seat(seat)
        others = [each for each in range(found.players) if each != seat]
        named = [bots] * len(others) if isinstance(bots, str) else bots
        if len(named) != len(others):
            raise ValueError(f"there are {len(others)} other seats, but {len(named)} bots for them")
        self.seat = seat
        self.bots = {
            other: make_bot(name, found) for other, name in zip(others, named, strict=True)
        }
        self.metadata = {"render_modes": ["ansi"], "render_fps": 1}
        self.render_mode = render_mode
        self.columns = self.seats.columns.names
        self.observation_space: Any = self.seats.observation_space()
        self.action_space: Any = self.seats.action_space()
        self.state: State = found.start()
        self.streams: dict[int, Stream] = {}

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        super().reset(seed=seed)
        self.state = self.seats.game.start(int(self.np_random.integers(1 << 62)))
        seed = int(self.np_random.integers(1 << 62))
        self.streams = {other: Stream(seed, other) for other in self.bots}
        self._go_on()
        return self._observation(), {}

    def step(self, action: Any) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        option = self.seats.offered(self.state, self.seat).get(int(action))
        if option is None:
            return self._observation(), ILLEGAL, True, False, {"illegal": True}
        self.state = self.state.apply(option, self.seat)
        self._go_on()
        reward = float(self.seats.rewards(self.state)[self.seat])
        return self._observation(), reward, self.state.is_over, False, {}

    def _go_on(self) -> None:
        """The bots play until the seat is to act."""
        while self.state.seats_to_act and self.seat not in self.state.seats_to_act:
            other = self.state.seats_to_act[0]
            option = decide(self.bots[other], self.state, other, self.streams[other])
            self.state = self.state.apply(option, other)

    def _observation(self) -> Observation:
        return self.seats.observation(self.state, self.seat)

    def render(self) -> Any:
        """What has happened so far, as the seat has seen it."""
        return "\n".join(self.state.log(self.seat)) if self.render_mode == "ansi" else None

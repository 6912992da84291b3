"""PettingZoo: every seat is an agent.

    from interpreter.adapters import zoo

    env = zoo.env("rulesets/classics/connectFour.rules")
    env.reset(seed=1)
    for agent in env.agent_iter():
        observation, reward, termination, truncation, info = env.last()
        done = termination or truncation
        env.step(None if done else env.action_space(agent).sample(observation["action_mask"]))

An observation is what the seat sees (`columns` names its numbers) and a mask of what it is offered.
Sealed choices are made one after the other, and nobody sees those of others. `parallel_env` asks
all agents at once: whoever is not to act waits, which is the last action.
"""

from __future__ import annotations

import os
from typing import Any

import numpy as np
from pettingzoo import AECEnv, ParallelEnv
from pettingzoo.utils import wrappers

from interpreter.adapters.spaces import ILLEGAL, Observation, Seats, seats_of
from interpreter.embedding import Game, State
from interpreter.play.spaces.rewards import Reward


def env(game: Game | str | os.PathLike[str], **given: Any) -> AECEnv[str, Observation, int]:
    """In turn, with the usual wrappers: an action that is not offered loses the game."""
    found: Any = raw_env(game, **given)
    found = wrappers.TerminateIllegalWrapper(found, illegal_reward=ILLEGAL)
    found = wrappers.AssertOutOfBoundsWrapper(found)
    wrapped: AECEnv[str, Observation, int] = wrappers.OrderEnforcingWrapper(found)
    return wrapped


class _Table:
    """A game with agents at it."""

    def __init__(self, seats: Seats, waits: bool) -> None:
        self.seats, self.waits = seats, waits
        self.agents = [f"player_{seat}" for seat in range(seats.game.players)]
        self.seat_of = {agent: seat for seat, agent in enumerate(self.agents)}
        self.observations = {agent: seats.observation_space(waits=waits) for agent in self.agents}
        self.actions = {agent: seats.action_space(waits=waits) for agent in self.agents}
        self.random = np.random.default_rng()
        self.state: State = seats.game.start()

    def start(self, seed: int | None) -> None:
        """The first game has its seed from the system, unless it is told; others follow it."""
        if seed is not None:
            self.random = np.random.default_rng(seed)
        self.state = self.seats.game.start(int(self.random.integers(1 << 62)))

    def observe(self, agent: str) -> Observation:
        return self.seats.observation(self.state, self.seat_of[agent], waits=self.waits)

    def take(self, agent: str, action: int) -> None:
        seat = self.seat_of[agent]
        option = self.seats.offered(self.state, seat).get(int(action))
        if option is None:
            raise ValueError(f"action {action} ({self.seats.text(action)}) is not offered now")
        self.state = self.state.apply(option, seat)

    def rewards(self) -> dict[str, float]:
        return dict(zip(self.agents, map(float, self.seats.rewards(self.state)), strict=True))


class raw_env(AECEnv[str, Observation, int]):  # type: ignore[misc]
    """One agent after the other, as the rules ask them."""

    def __init__(
        self,
        game: Game | str | os.PathLike[str],
        players: int | None = None,
        options: dict[str, str | int] | None = None,
        reward: Reward | None = None,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        self.table = _Table(seats_of(game, players, options, reward), waits=False)
        self.metadata = _metadata(self.table)
        self.possible_agents = list(self.table.agents)
        self.columns = self.table.seats.columns.names
        self.render_mode = render_mode

    def observation_space(self, agent: str) -> Any:
        return self.table.observations[agent]

    def action_space(self, agent: str) -> Any:
        return self.table.actions[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        self.table.start(seed)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._skip_agent_selection = None
        self._go_on()

    def observe(self, agent: str) -> Observation:
        return self.table.observe(agent)

    def step(self, action: int | None) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        assert action is not None
        self._cumulative_rewards[agent] = 0
        self.table.take(agent, action)
        self._go_on()
        self._accumulate_rewards()

    def _go_on(self) -> None:
        """Somebody is to act, or the game is over for all."""
        state = self.table.state
        self.rewards = self.table.rewards()
        self.terminations = dict.fromkeys(self.agents, state.is_over)
        seat = state.seats_to_act[0] if state.seats_to_act else 0
        self.agent_selection = self.possible_agents[seat]

    def render(self) -> str | None:
        return _rendered(self.table.state, self.render_mode)

    def close(self) -> None:
        """There is nothing to let go of."""


class parallel_env(ParallelEnv[str, Observation, int]):  # type: ignore[misc]
    """All agents at once; those that are not to act can only wait."""

    def __init__(
        self,
        game: Game | str | os.PathLike[str],
        players: int | None = None,
        options: dict[str, str | int] | None = None,
        reward: Reward | None = None,
        render_mode: str | None = None,
    ) -> None:
        self.table = _Table(seats_of(game, players, options, reward), waits=True)
        self.metadata = _metadata(self.table)
        self.possible_agents = list(self.table.agents)
        self.agents: list[str] = []
        self.columns = self.table.seats.columns.names
        self.render_mode = render_mode

    def observation_space(self, agent: str) -> Any:
        return self.table.observations[agent]

    def action_space(self, agent: str) -> Any:
        return self.table.actions[agent]

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        self.table.start(seed)
        self.agents = list(self.possible_agents)
        return self._observations(), {agent: {} for agent in self.agents}

    def step(
        self, actions: dict[str, int]
    ) -> tuple[
        dict[str, Observation],
        dict[str, float],
        dict[str, bool],
        dict[str, bool],
        dict[str, dict[str, Any]],
    ]:
        """Whoever is to act does so; several do where choices are sealed, once each."""
        for seat in self.table.state.seats_to_act:
            agent = self.possible_agents[seat]
            self.table.take(agent, actions[agent])
        agents, over = self.agents, self.table.state.is_over
        found = self._observations()
        if over:
            self.agents = []
        return (
            found,
            self.table.rewards(),
            dict.fromkeys(agents, over),
            dict.fromkeys(agents, False),
            {agent: {} for agent in agents},
        )

    def _observations(self) -> dict[str, Observation]:
        return {agent: self.table.observe(agent) for agent in self.agents}

    def render(self) -> str | None:
        return _rendered(self.table.state, self.render_mode)

    def close(self) -> None:
        """There is nothing to let go of."""


def _metadata(table: _Table) -> dict[str, Any]:
    name = table.seats.game.title.lower().replace(" ", "_")
    return {"name": f"{name}_v0", "render_modes": ["ansi"], "is_parallelizable": False}


def _rendered(state: State, mode: str | None) -> str | None:
    """What has happened so far, as a spectator has seen it."""
    return "\n".join(state.log()) if mode == "ansi" else None

"""Stepping many games without native code: what `native/steps.py` does, game by game."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from interpreter.play import chance
from interpreter.play.buffer import Buffer, Choice
from interpreter.play.failure import CODES, Failure
from interpreter.play.native.steps import NO_GAME, NOT_OFFERED
from interpreter.play.spaces.actions import numbers
from interpreter.play.spaces.observe import observe
from interpreter.play.spaces.rewards import rewards
from interpreter.program.layout import OVER, STATUS

if TYPE_CHECKING:
    from interpreter.adapters.vector import Vector


class PlainSteps:
    def __init__(self, vector: Vector, seeds: NDArray[np.int64]) -> None:
        self.vector, self.seeds = vector, seeds
        self.machine = vector.game.machine
        self.states: list[Buffer] = [[] for _ in range(vector.count)]
        self.offered: list[dict[int, Choice]] = [{} for _ in range(vector.count)]

    def reset(self) -> None:
        self.vector.error[:] = 0
        for number in range(self.vector.count):
            self._begin(number)

    def step(self) -> None:
        for number in range(self.vector.count):
            self._one(number)

    def sample(self, seed: int) -> None:
        key = chance.seed_key(seed) & (1 << 64) - 1
        for number, mask in enumerate(self.vector.mask):
            offered = np.flatnonzero(mask)
            self.vector.actions[number] = -1
            if len(offered):
                picked, _ = chance.below(chance.number(key, number), 0, len(offered))
                self.vector.actions[number] = offered[picked]

    def _one(self, number: int) -> None:
        vector, m = self.vector, self.states[number]
        vector.reward[number], vector.done[number], vector.error[number] = 0, False, 0
        seat = int(vector.seat[number])
        if seat < 0:
            vector.error[number] = NO_GAME
            return
        choice = self.offered[number].get(int(vector.actions[number]))
        if choice is None:
            vector.error[number] = NOT_OFFERED
            return
        try:
            self.machine.take(m, choice, seat)
            if m[STATUS] != OVER:
                self._show(number)
                return
            vector.reward[number] = rewards(self.machine.program, m, vector.reward_by)
        except Failure as failure:
            vector.error[number] = CODES.index(failure.code) + 1
        vector.done[number] = True
        self._begin(number)

    def _begin(self, number: int) -> None:
        vector = self.vector
        seed = int(self.seeds[number])
        self.seeds[number] += vector.count
        error = NO_GAME
        try:
            self.states[number] = self.machine.start(seed)
            if self.machine.seats_to_act(self.states[number]):
                self._show(number)
                return
        except Failure as failure:
            error = CODES.index(failure.code) + 1
        vector.error[number], vector.seat[number], vector.mask[number] = error, -1, 0
        self.offered[number] = {}

    def _show(self, number: int) -> None:
        vector, m = self.vector, self.states[number]
        seat = self.machine.seats_to_act(m)[0]
        choices = self.machine.options(m, seat)
        seen = self.machine.seen_by_chooser(m, seat)
        offered: dict[int, Choice] = {}
        for action, choice in zip(
            numbers(self.machine.program, seen, choices), choices, strict=True
        ):
            if action >= 0:
                offered.setdefault(action, choice)
        self.offered[number] = offered
        vector.seat[number] = seat
        vector.mask[number] = 0
        vector.mask[number, list(offered)] = 1
        vector.observation[number] = observe(self.machine, m, seat)

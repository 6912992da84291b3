"""A worked example that learns: a small network that plays any game better and better.

    python -m interpreter.adapters.example rulesets/classics/connectFour.rules

It is REINFORCE (Williams, 1992) with a baseline, in numpy. Many games are played at once; in each
the learner has one seat, and all others choose at random. What it did in a game that it won becomes
more likely, what it did in one that it lost less so. The number that is printed after each round is
the mean reward of the learner: it begins near that of a random player, and rises.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from interpreter.adapters.vector import Vector
from interpreter.embedding import Game, load
from interpreter.play.spaces.columns import columns_of

Numbers = NDArray[np.float32]


class Network:
    """What is seen, a hidden layer, and for each action how much it is liked."""

    def __init__(self, inputs: int, hidden: int, actions: int, seed: int) -> None:
        random = np.random.default_rng(seed)
        self.layers: list[Numbers] = [
            random.normal(0, inputs**-0.5, (inputs, hidden)).astype(np.float32),
            np.zeros((hidden, actions), np.float32),
        ]
        self.means = [np.zeros_like(layer) for layer in self.layers]
        self.squares = [np.zeros_like(layer) for layer in self.layers]
        self.steps = 0

    def chances(self, seen: Numbers, mask: NDArray[np.int8]) -> tuple[Numbers, Numbers]:
        """The hidden layer, and how likely each action is that is offered."""
        hidden = np.tanh(seen @ self.layers[0])
        liked = np.where(mask > 0, hidden @ self.layers[1], -np.inf)
        grown = np.exp(liked - liked.max(axis=1, keepdims=True))
        return hidden, (grown / grown.sum(axis=1, keepdims=True)).astype(np.float32)

    def learn(
        self, seen: Numbers, mask: NDArray[np.int8], chosen: NDArray[np.int64], worth: Numbers,
        rate: float,
    ) -> None:  # fmt: skip
        """Make what was chosen more likely, by how much it was worth (Adam)."""
        hidden, wrong = self.chances(seen, mask)
        wrong *= -1
        wrong[np.arange(len(chosen)), chosen] += 1
        wrong *= worth[:, None] / len(chosen)
        back = wrong @ self.layers[1].T * (1 - hidden**2)
        self.steps += 1
        for number, slope in enumerate((seen.T @ back, hidden.T @ wrong)):
            mean, square = self.means[number], self.squares[number]
            mean += 0.1 * (slope - mean)
            square += 0.001 * (slope**2 - square)
            sure = mean / (1 - 0.9**self.steps)
            spread = np.sqrt(square / (1 - 0.999**self.steps))
            self.layers[number] += rate * sure / (spread + 1e-8)


@dataclass(slots=True)
class Episode:
    """What the learner saw, was offered and did in one game."""

    seen: list[Numbers]
    masks: list[NDArray[np.int8]]
    chosen: list[int]


def learn(
    game: Game, *, rounds: int = 30, games: int = 256, hidden: int = 64, rate: float = 0.01,
    seed: int = 0, threads: int = 1,
) -> list[float]:  # fmt: skip
    """The mean reward of the learner in each round of so many games."""
    vector = Vector(game, games, seed=seed, reward="outcome", threads=threads)
    columns = columns_of(game.program)
    low, high = np.array(columns.low, np.float32), np.array(columns.high, np.float32)
    network = Network(len(low), hidden, vector.mask.shape[1], seed)
    random = np.random.default_rng(seed)
    learner = np.arange(games) % game.players  # whose seat the learner has
    episodes = [Episode([], [], []) for _ in range(games)]
    curve: list[float] = []
    for _ in range(rounds):
        finished: list[tuple[Episode, float]] = []
        while len(finished) < games:
            actions = vector.sample().copy()
            own = np.flatnonzero(vector.seat == learner)
            seen = ((vector.observation[own] - low) / np.maximum(high - low, 1)).astype(np.float32)
            masks = vector.mask[own].copy()
            if len(own):
                _, chances = network.chances(seen, masks)
                drawn = random.random((len(own), 1)) * 0.999999
                actions[own] = (chances.cumsum(axis=1) > drawn).argmax(axis=1)
            for place, number in enumerate(own):
                episode = episodes[number]
                episode.seen.append(seen[place])
                episode.masks.append(masks[place])
                episode.chosen.append(int(actions[number]))
            vector.step(actions)
            for number in np.flatnonzero(vector.done):
                reward = float(vector.reward[number, learner[number]])
                finished.append((episodes[number], reward))
                episodes[number] = Episode([], [], [])
        curve.append(float(np.mean([reward for _, reward in finished])))
        _improve(network, finished, curve[-1], rate)
    return curve


def _improve(
    network: Network, finished: list[tuple[Episode, float]], usual: float, rate: float
) -> None:
    """A game is worth how much better it went than usual."""
    played = [(episode, reward - usual) for episode, reward in finished if episode.chosen]
    seen = np.stack([each for episode, _ in played for each in episode.seen])
    masks = np.stack([each for episode, _ in played for each in episode.masks])
    chosen = np.array([each for episode, _ in played for each in episode.chosen])
    worth = np.repeat(
        np.array([worth for _, worth in played], np.float32),
        [len(episode.chosen) for episode, _ in played],
    )
    network.learn(seen, masks, chosen, worth, rate)


def main(path: str) -> None:
    for number, reward in enumerate(learn(load(path)), 1):
        bar = "#" * round(20 * (1 + reward))
        print(f"round {number:3}: {reward:+.2f} {bar}", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])

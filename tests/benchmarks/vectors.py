"""How many decisions a second, beside what researchers use today?

    python tests/benchmarks/vectors.py [--secs 1] [--count 4096]

All in one run, in turns, as decisions a second of CPU time: games with random actions, with an
observation and a mask for each decision. Other work on the machine takes caches and clock from all
of them, so what counts are the ratios. Ours is on one thread, unless it is said.

What must hold is checked: see TIMES_ZOO, TIMES_SPIEL and PAY_DIRT. Exit 1 if something does not.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))
os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")

import gymnasium  # noqa: E402
import numpy as np  # noqa: E402

from interpreter.adapters import gym  # noqa: E402
from interpreter.adapters.vector import Vector  # noqa: E402
from interpreter.embedding import load  # noqa: E402

TIMES_ZOO = 20  # connect four: as fast as PettingZoo's, so many times
TIMES_SPIEL = 2  # and as OpenSpiel's in C++, by its vector environment
PAY_DIRT = 200_000  # decisions a second, on two threads
CONNECT_FOUR = ROOT / "rulesets" / "classics" / "connectFour.rules"
_SPIELS = 64  # games at once in OpenSpiel's vector environment
Step = Callable[[], int]


@dataclass(frozen=True, slots=True)
class Found:
    """Decisions a second in connect four."""

    ours: float
    zoo: float
    spiel: float
    gym: float


def rate_of(step: Step, secs: float) -> float:
    """`step` tells how many decisions it has made."""
    step()
    number, start = 0, time.process_time()
    while time.process_time() - start < secs:
        number += step()
    return number / (time.process_time() - start)


def ours(path: Path, count: int, threads: int = 1) -> Step:
    games = Vector(load(path), count, threads=threads)

    def step() -> int:
        games.step(games.sample())
        return count

    return step


def zoo() -> Step:
    from pettingzoo.classic import connect_four_v3

    env = connect_four_v3.env()
    env.reset(seed=1)

    def step() -> int:
        decisions = 0
        for agent in env.agent_iter():
            observation, _, over, cut, _ = env.last()
            if over or cut:
                break
            env.step(env.action_space(agent).sample(observation["action_mask"]))
            decisions += 1
        env.reset()
        return decisions

    return step


def spiel() -> Step:
    from open_spiel.python import rl_environment, vector_env
    from open_spiel.python.rl_agent import StepOutput

    games = vector_env.SyncVectorEnv(
        [rl_environment.Environment("connect_four") for _ in range(_SPIELS)]
    )
    now = games.reset()

    def step() -> int:
        nonlocal now
        chosen = [
            random.choice(each.observations["legal_actions"][each.observations["current_player"]])
            for each in now
        ]
        now, *_ = games.step([StepOutput(action, None) for action in chosen], reset_if_done=True)
        return _SPIELS

    return step


def vectors_of_gymnasium() -> Step:
    """Gymnasium's own vector environment over our games, one seat against random bots."""
    game = load(CONNECT_FOUR, backend="reference")
    games = gymnasium.vector.SyncVectorEnv([lambda: gym.Seat(game) for _ in range(8)])
    seen, _ = games.reset(seed=1)

    def step() -> int:
        nonlocal seen
        masks = seen["action_mask"]
        masks = np.where(masks.any(axis=1, keepdims=True), masks, 1)  # a game that is over
        actions = (np.random.random(masks.shape) * masks).argmax(axis=1)
        seen, *_ = games.step(actions)
        return 2 * len(actions)

    return step


def measure(secs: float, count: int) -> Found:
    steps = (ours(CONNECT_FOUR, count), zoo(), spiel(), vectors_of_gymnasium())
    return Found(*(rate_of(step, secs) for step in steps))


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--secs", type=float, default=1.0)
    parser.add_argument("--count", type=int, default=4096)
    given = parser.parse_args()
    found = measure(given.secs, given.count)
    print("decisions a second of CPU time; the machine may be busy, so look at the ratios")
    print(f"{'connect four, ours':34}{found.ours:>14,.0f}")
    print(f"{'  PettingZoo classic':34}{found.zoo:>14,.0f}{found.ours / found.zoo:>10.1f} times")
    print(f"{'  OpenSpiel vector_env (C++ game)':34}{found.spiel:>14,.0f}", end="")
    print(f"{found.ours / found.spiel:>10.1f} times")
    print(
        f"{'  Gymnasium SyncVectorEnv':34}{found.gym:>14,.0f}{found.ours / found.gym:>10.1f} times"
    )
    alone = rate_of(ours(ROOT / "rulesets" / "payDirt.rules", 256), given.secs)
    print(f"{'Pay Dirt, ours, a thread':34}{alone:>14,.0f}")
    two = rate_of(ours(ROOT / "rulesets" / "payDirt.rules", 256, threads=2), given.secs)
    print(f"{'  a thread of two':34}{two:>14,.0f}{2 * two:>14,.0f} by both")
    holds = found.ours >= TIMES_ZOO * found.zoo and found.ours >= TIMES_SPIEL * found.spiel
    return 0 if holds and 2 * two >= PAY_DIRT else 1


if __name__ == "__main__":
    sys.exit(main())

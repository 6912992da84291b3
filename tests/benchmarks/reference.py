"""How fast are random games here, compared with plain hand-written Python?

    python tests/benchmarks/reference.py [--secs 1] [--runs 5] [game ...]

Measures ref_playouts.py and the rulesets in turns, so that a busy machine slows down both, and
prints the medians in games per second of CPU time, and the ratio of ours to the reference.
`machine` drives the machine itself, as bots do inside a search; `state` is the embedding API
with options in words and states that can be taken back.
"""

import argparse
import random
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path[:0] = [str(ROOT), str(HERE)]

import ref_playouts  # noqa: E402

import interpreter  # noqa: E402
from interpreter.embedding import Game  # noqa: E402
from interpreter.program.layout import OVER, STATUS  # noqa: E402

# reference game -> ruleset and the ratio that must be reached
GAMES = {
    "tictactoe": ("ticTacToe", 0.05),
    "connect_four": ("connectFour", 0.05),
    "breakthrough": ("breakthrough", 0.05),
    "hex": ("hex", None),
    "othello": ("reversi", None),
}
DEFAULT = ["tictactoe", "connect_four", "breakthrough"]


def by_machine(game: Game, seed: int) -> None:
    machine, choice = game.machine, random.choice
    m = machine.start(seed)
    while m[STATUS] != OVER:
        machine.take(m, choice(machine.options(m)))


def by_state(game: Game, seed: int) -> None:
    choice = random.choice
    state = game.start(seed)
    while not state.is_over:
        state = state.apply(choice(state.options()))


def rate(play: Callable[[int], object], secs: float) -> float:
    """Games per second of CPU time."""
    games, start = 0, time.thread_time()
    while (spent := time.thread_time() - start) < secs:
        play(games)
        games += 1
    return games / spent


def measure(name: str, secs: float, runs: int) -> dict[str, float]:
    rules, _ = GAMES[name]
    game = interpreter.load(ROOT / "rulesets" / "classics" / f"{rules}.rules")
    reference = ref_playouts.GAMES[name]
    ways: dict[str, Callable[[int], object]] = {
        "reference": lambda seed: ref_playouts.playout(reference),
        "machine": lambda seed: by_machine(game, seed),
        "state": lambda seed: by_state(game, seed),
    }
    rates: dict[str, list[float]] = {way: [] for way in ways}
    for play in ways.values():
        play(0)
    for _ in range(runs):
        for way, play in ways.items():
            rates[way].append(rate(play, secs))
    return {way: statistics.median(found) for way, found in rates.items()}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--secs", type=float, default=1.0)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("games", nargs="*", choices=[[], *GAMES])
    arguments = parser.parse_args()
    random.seed(1)
    print(f"{'games/s':14}{'reference':>11}{'machine':>10}{'ratio':>7}{'state':>10}{'ratio':>7}")
    slow = 0
    for name in arguments.games or DEFAULT:
        found = measure(name, arguments.secs, arguments.runs)
        reference, machine, state = found["reference"], found["machine"], found["state"]
        wanted = GAMES[name][1]
        missed = wanted is not None and machine / reference < wanted
        slow += missed
        print(
            f"{name:14}{reference:11.1f}{machine:10.1f}{machine / reference:7.3f}"
            f"{state:10.1f}{state / reference:7.3f}{'  too slow' if missed else ''}",
            flush=True,
        )
    return min(slow, 1)


if __name__ == "__main__":
    sys.exit(main())

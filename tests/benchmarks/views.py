"""What does a view cost?

    python tests/benchmarks/views.py [FILE] [--players N] [--states 120] [--rounds 15]

Views of all seats at every decision of a random game, over and over. Each round is measured beside
a yardstick, a plain Python loop of 2,000 turns, because other work on the machine slows both down.
Printed are milliseconds of CPU for one view, in the best round and in the middle one, and how many
yardsticks a view takes.

What must hold is checked for Pay Dirt: see MOST and MOST_YARDSTICKS. Exit 1 if it does not.
"""

from __future__ import annotations

import argparse
import random
import statistics
import sys
import time
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from interpreter.embedding import Game, State, load  # noqa: E402

PAY_DIRT = ROOT / "rulesets" / "payDirt.rules"
MOST = 0.4  # milliseconds of CPU for a view, in the best round
MOST_YARDSTICKS = 1.2  # in the middle round


@dataclass(frozen=True, slots=True)
class Found:
    """Milliseconds of CPU for a view in each round, and of the yardstick in the same round."""

    views: list[float]
    yardsticks: list[float]

    @property
    def ratio(self) -> float:
        """How many yardsticks a view takes, in the middle one of all rounds."""
        pairs = zip(self.views, self.yardsticks, strict=True)
        return statistics.median(view / yardstick for view, yardstick in pairs)


def states_of(game: Game, count: int, seed: int = 1) -> list[State]:
    """The first states of random games, as many as are asked for."""
    found: list[State] = []
    draw = random.Random(seed)
    while len(found) < count:
        state = game.start(seed=seed)
        seed += 1
        while not state.is_over and len(found) < count:
            found.append(state)
            seat = state.seats_to_act[0]
            state = state.apply(draw.choice(state.options(seat)), seat)
    return found


def yardstick() -> None:
    table: dict[int, int] = {}
    number = 0
    for step in range(2_000):
        table[step & 1023] = number
        number = (number * 31 + step) & 0xFFFF ^ len(str(number))


def measure(states: list[State], rounds: int) -> Found:
    seats = range(states[0].game.players)
    for state in states:  # what is worked out once for each program
        for seat in seats:
            state.view(seat)
    views, yardsticks = [], []
    for _ in range(rounds):
        start = time.process_time()
        for state in states:
            for seat in seats:
                state.view(seat)
        views.append((time.process_time() - start) * 1000 / len(states) / len(seats))
        start = time.process_time()
        for _ in range(20):
            yardstick()
        yardsticks.append((time.process_time() - start) * 1000 / 20)
    return Found(views, yardsticks)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", nargs="?", type=Path, default=PAY_DIRT)
    parser.add_argument("--players", type=int)
    parser.add_argument("--states", type=int, default=120)
    parser.add_argument("--rounds", type=int, default=15)
    given = parser.parse_args()
    first = load(given.file, given.players, backend="reference")
    assert first.rules is not None
    low, high = first.rules.players
    numbers = [given.players] if given.players else range(low, high + 1)
    held = True
    print("players    best  middle  yardsticks")
    for number in numbers:
        game = load(given.file, number, backend="reference")
        found = measure(states_of(game, given.states), given.rounds)
        best, middle = min(found.views), statistics.median(found.views)
        print(f"{game.players:7}  {best:6.3f}  {middle:6.3f}  {found.ratio:10.2f}")
        if given.file.name == PAY_DIRT.name:
            held = held and best < MOST and found.ratio < MOST_YARDSTICKS
    return 0 if held else 1


if __name__ == "__main__":
    sys.exit(main())

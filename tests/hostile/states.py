"""States that are none, choices that nobody has: given to native code, which may refuse them or
make of them what it likes, but neither break down nor go on for ever.

    python tests/hostile/states.py [--rounds 1000] [--seed 0] [--level 2] [--invented N] [FILE ...]

Without files, all rulesets that come with rulerun; or so many invented ones. With `--loud` the
number of each blow goes to standard error before it falls, so that a crash tells where it was.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from array import array
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

sys.path[:0] = [str(Path(__file__).resolve().parents[2]), str(Path(__file__).resolve().parents[1])]

from differential import RULESETS  # noqa: E402
from invented import ruleset  # noqa: E402

from interpreter.embedding import load  # noqa: E402
from interpreter.pipeline import build  # noqa: E402
from interpreter.play.failure import Failure  # noqa: E402
from interpreter.play.machine import Machine  # noqa: E402
from interpreter.play.native.engine import Engine  # noqa: E402
from interpreter.program.layout import CHANCE, HEADER, OVER, STATUS  # noqa: E402
from interpreter.program.program import Program  # noqa: E402
from interpreter.reading import read_text  # noqa: E402

REFUSALS = (Failure, ValueError, RuntimeError)
EXTREMES = (-(1 << 63), -(1 << 62), -2, -1, 0, 1, 63, 64, 1 << 31, 1 << 40, (1 << 63) - 1)
SLOWEST = 20.0  # seconds for one blow: the limits on steps and moves hold here too


class Bully:
    """Hits one engine, one blow for each seed."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.machine = Machine(engine.program)
        self.told: Counter[str] = Counter()
        self.rnd = random.Random(0)

    def hit(self, seed: int) -> None:
        self.rnd = random.Random(seed)
        start = self.engine.start, self.rnd.randrange(1 << 40), self.rnd.randrange(4)
        good = self._try("start", *start)
        if good is None:
            return
        good = self._wandered(good)
        bad = self._spoiled(good)
        seat = self.rnd.choice([*range(self.engine.program.players), -1, 99, 1 << 62])
        options = self._try("options", self.engine.options, bad.copy(), seat)
        for choice in self.rnd.sample(options or [], min(2, len(options or []))):
            self._try("take", self.engine.take, bad.copy(), choice, seat)
        self._try("playout", self.engine.playout, bad.copy(), seed)
        if options:
            self._try("try options", self.engine.try_options, bad.copy(), 2)
        if bad[STATUS] == CHANCE:
            self._try("outcomes", self.engine.outcomes, bad.copy())
            self._try("outcome", self.engine.take_outcome, bad.copy(), self._word())
        self._hit_many(good, bad)
        self._choose_wrongly(good)

    def _wandered(self, m: list[int]) -> list[int]:
        """A sound state in the middle of a game."""
        for _ in range(self.rnd.randrange(60)):
            before = m.copy()
            try:
                self._move(m)
            except Failure:
                return before
            if m[STATUS] == OVER:
                return before
        return m

    def _move(self, m: list[int]) -> None:
        if m[STATUS] == CHANCE:
            self.engine.take_outcome(m, self.rnd.choice(self.engine.outcomes(m))[1])
        elif m[STATUS] != OVER:
            seat = self.rnd.choice(self.machine.seats_to_act(m))
            self.engine.take(m, self.rnd.choice(self.engine.options(m, seat)), seat)

    def _spoiled(self, good: list[int]) -> list[int]:
        """A few words changed, or many, or all; in the header, or anywhere."""
        m = good.copy()
        few, many = self.rnd.randrange(1, 4), self.rnd.randrange(5, 60)
        number = self.rnd.choice([few, few, few, few, many, len(m)])
        end = HEADER if self.rnd.random() < 0.1 else len(m)
        for _ in range(number):
            m[self.rnd.randrange(end)] = self._word()
        if self.rnd.random() < 0.5:  # a bad header hides all that is behind it
            m[:HEADER] = good[:HEADER]
        return m

    def _word(self) -> int:
        ways: list[Callable[[], int]] = [
            lambda: self.rnd.choice(EXTREMES),
            lambda: self.rnd.randrange(12),
            lambda: self.rnd.randrange(2 * self.engine.size),
            lambda: self.rnd.randrange(-(1 << 63), 1 << 63),
        ]
        return self.rnd.choice(ways)()

    def _hit_many(self, good: list[int], bad: list[int]) -> None:
        """A bad state among good ones: these must not suffer."""
        states = array("q", good + bad + good)
        counts = self._try("count", self.engine.count_options, states)
        assert counts is None or counts[0] == counts[2]
        picks = [0, self._word(), 0]
        self._try("take many", self.engine.take_many, states, picks)
        size = self.engine.size
        assert states[:size] == states[2 * size :]

    def _choose_wrongly(self, m: list[int]) -> None:
        """An option that is none, in a sound state; then on from where that leads."""
        if m[STATUS] == CHANCE:
            self._try("outcome", self.engine.take_outcome, m, self._word())
        else:
            seat = self.rnd.choice(self.machine.seats_to_act(m) or (0,))
            options = self._try("options", self.engine.options, m, seat) or [(0,)]
            choice = list(self.rnd.choice(options))
            choice[self.rnd.randrange(len(choice))] = self._word()
            self._try("wrong choice", self.engine.take, m, tuple(choice), seat)
        self._try("go on", self.engine.playout, m, 1)

    def _try(self, name: str, act: Callable[..., Any], *given: Any) -> Any:
        begin = time.process_time()
        try:
            found = act(*given)
        except REFUSALS:
            self.told[f"{name} refused"] += 1
            return None
        finally:
            took = time.process_time() - begin
            assert took < SLOWEST, f"{name} took {took:.1f} s"
        self.told[name] += 1
        return found


def written(paths: list[Path]) -> Iterator[tuple[str, Program]]:
    for path in paths:
        yield path.stem, load(path).program


def invented(count: int) -> Iterator[tuple[str, Program]]:
    for number in range(count):
        rules = read_text(ruleset(number), f"invented{number}.rules")
        program, _ = build(rules, rules.players[-1])
        if program is not None:
            yield f"invented {number}", program


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rounds", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--level", type=int, default=2)
    parser.add_argument("--loud", action="store_true")
    parser.add_argument("--invented", type=int, default=0)
    parser.add_argument("files", nargs="*", type=Path)
    given = parser.parse_args()
    found = invented(given.invented) if given.invented else written(given.files or RULESETS)
    for name, program in found:
        bully = Bully(Engine(program, cached=False, level=given.level))
        for seed in range(given.seed, given.seed + given.rounds):
            if given.loud:
                print(name, seed, file=sys.stderr, flush=True)
            bully.hit(seed)
        told = ", ".join(f"{what} {count}" for what, count in sorted(bully.told.items()))
        print(f"{name}: {given.rounds} rounds: {told}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())

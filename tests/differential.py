"""Plays the same games on the reference machine and on native code, and compares everything.

    python tests/differential.py [--games 200] [--level 2] [--players N] [--seed N] [FILE ...]

After every decision: the same buffer, cell for cell, steps included; the same options in the
same order; the same failure at the same spot. From the middle of a game also random games to its
end, and what is done to many states at once. Then whole random games in native loops against the
same games step by step on the reference machine.

Without files, all rulesets that come with rulerun, with every number of players: so many games
with the options as they are if nobody says anything, and a tenth as many with every other
choice of them. Each variant has seeds of its own. A difference ends it all with exit code 1,
told with what is needed to see it again: file, variant, seed and decision.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
import zlib
from array import array
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from interpreter.embedding import load  # noqa: E402
from interpreter.pipeline import build  # noqa: E402
from interpreter.play.failure import Failure  # noqa: E402
from interpreter.play.machine import Choice, Machine  # noqa: E402
from interpreter.play.native.emit.context import code_number  # noqa: E402
from interpreter.play.native.engine import Engine  # noqa: E402
from interpreter.play.random_play import random_game  # noqa: E402
from interpreter.program.layout import (  # noqa: E402
    ASK_WHEN_FORCED,
    CHANCE,
    DECISION,
    MODE,
    MOVES,
    SEALING,
    STATUS,
    STOP_AT_CHANCE,
)
from interpreter.program.program import Program  # noqa: E402
from interpreter.reading import Rules, read_text  # noqa: E402
from interpreter.variants import Variant, variants  # noqa: E402

MODES = (0, 0, STOP_AT_CHANCE, ASK_WHEN_FORCED, STOP_AT_CHANCE | ASK_WHEN_FORCED)
OTHERS = 10  # where the usual options get ten games, others get one
ASIDE = 16  # one decision in so many is also taken in other ways
RULESETS = sorted((ROOT / "rulesets").glob("*.rules")) + sorted(
    (ROOT / "rulesets" / "classics").glob("*.rules")
)


class Difference(AssertionError):
    """Where the two are not the same, and what each of them says."""


@dataclass
class Tally:
    games: int = 0
    decisions: int = 0
    playouts: int = 0
    codes: Counter[str] = field(default_factory=Counter)  # of failures

    @property
    def failures(self) -> int:
        return self.codes.total()

    def add(self, other: Tally) -> None:
        self.games += other.games
        self.decisions += other.decisions
        self.playouts += other.playouts
        self.codes += other.codes

    def __str__(self) -> str:
        codes = ", ".join(f"{code} {count}" for code, count in sorted(self.codes.items()))
        return (
            f"{self.games} games, {self.decisions} decisions, {self.playouts} playouts, "
            f"{self.failures} failures" + (f" ({codes})" if codes else "")
        )


def tried(act: Callable[..., Any], *given: Any) -> Any:
    """The result, or the failure as data; also what native code says of its own mistakes."""
    try:
        return act(*given)
    except Failure as failure:
        return "failure", failure.code, failure.at
    except (RuntimeError, ValueError) as error:
        return "failure", str(error), -1


def has_failed(result: Any) -> bool:
    return isinstance(result, tuple) and result[:1] == ("failure",)


def compare(program: Program, engine: Engine, games: int, first: int = 0) -> Tally:
    """Raises Difference where they differ."""
    machine = Machine(program)
    tally = Tally()
    for seed in range(first, first + games):
        _Game(machine, engine, seed, tally).play()
    _compare_playouts(machine, engine, range(first, first + max(1, games // 4)), tally)
    return tally


class _Game:
    """One game on both. The reference machine has its state as a list; native code mostly as an
    array it works on, and in one game of four as a list too."""

    def __init__(self, machine: Machine, engine: Engine, seed: int, tally: Tally) -> None:
        self.machine, self.engine, self.tally = machine, engine, tally
        self.seed = seed
        self.rnd = random.Random(seed)
        self.decisions = 0
        self.left: list[int] = []
        self.right: list[int] | array[int] = []

    def play(self) -> None:
        self.tally.games += 1
        mode = MODES[self.seed % len(MODES)]
        start = self._both(
            lambda: array("q", self.machine.start(self.seed, mode)),
            lambda: array("q", self.engine.start(self.seed, mode)),
        )
        if has_failed(start):
            return
        self.left = list(start)
        self.right = list(start) if self.seed % 4 == 0 else start
        while self.left[STATUS] in (DECISION, SEALING, CHANCE) and self._decide():
            self._same_state()

    def _decide(self) -> bool:
        """One decision, or what chance does; whether it goes on after it."""
        self.decisions += 1
        self.tally.decisions += 1
        if self.left[STATUS] == CHANCE:
            return self._happen()
        seat = self.rnd.choice(self.machine.seats_to_act(self.left))
        options = self._both(
            lambda: self.machine.options(self.left, seat),
            lambda: self.engine.options(self.right, seat),
        )
        if has_failed(options):
            return False
        choice = self.rnd.choice(options)
        if self.rnd.randrange(ASIDE) == 0:
            self._go_aside(seat, options)
        return not has_failed(
            self._both(
                lambda: self.machine.take(self.left, choice, seat),
                lambda: self.engine.take(self.right, choice, seat),
            )
        )

    def _happen(self) -> bool:
        outcomes = self._both(
            lambda: self.machine.outcomes(self.left), lambda: self.engine.outcomes(self.right)
        )
        if has_failed(outcomes):
            return False
        value = self.rnd.choice(outcomes)[1]
        return not has_failed(
            self._both(
                lambda: self.machine.take_outcome(self.left, value),
                lambda: self.engine.take_outcome(self.right, value),
            )
        )

    def _go_aside(self, seat: int, options: list[Choice]) -> None:
        """What else can be done here, on copies: a step as of many states, and a random game."""
        first = self.machine.seats_to_act(self.left)[0]
        if seat == first:
            self._step_by_number(seat, options)
        if self.rnd.randrange(ASIDE) == 0 and not self.left[MODE] & STOP_AT_CHANCE:
            self._finish_at_random()

    def _step_by_number(self, seat: int, options: list[Choice]) -> None:
        states = array("q", self.left) * 2
        counts = self.engine.count_options(states)
        self._same("count", [len(options)] * 2, list(counts))
        picks = [self.rnd.randrange(len(options)) for _ in range(2)]
        errors = self.engine.take_many(states, picks)
        for number, pick in enumerate(picks):
            left = self.left.copy()
            failed = tried(self.machine.take, left, options[pick], seat)
            error = code_number(failed[1]) if has_failed(failed) else 0
            self._same("error", error, errors[number])
            size = self.engine.size
            if not error:
                self._same("step", array("q", left), states[number * size : (number + 1) * size])

    def _finish_at_random(self) -> None:
        self.tally.playouts += 1
        left, right = self.left.copy(), array("q", self.left)
        ended = tried(random_game, self.machine, left, self.seed)
        self._same("playout", ended, tried(self.engine.playout, right, self.seed))
        if not has_failed(ended):
            self._same("end", array("q", left), right)

    def _both(self, ours: Callable[[], Any], theirs: Callable[[], Any]) -> Any:
        expected, found = tried(ours), tried(theirs)
        self._same("answer", expected, found)
        if has_failed(expected):
            self.tally.codes[expected[1]] += 1
        return expected

    def _same_state(self) -> None:
        right = self.right if isinstance(self.right, array) else array("q", self.right)
        self._same("state", array("q", self.left), right)

    def _same(self, what: str, expected: Any, found: Any) -> None:
        if expected != found:
            where = f"seed {self.seed}, decision {self.decisions}"
            raise Difference(f"{where}: {what}: {told(expected, found)}")


def told(expected: Any, found: Any) -> str:
    """What differs: of two states, the cells."""
    if isinstance(expected, array) and isinstance(found, array):
        pairs = enumerate(zip(expected, found, strict=True))
        cells = [f"[{cell}] {one} / {two}" for cell, (one, two) in pairs if one != two]
        return f"reference / native: {', '.join(cells)}"
    return f"reference {expected}, native {found}"


def _compare_playouts(machine: Machine, engine: Engine, seeds: range, tally: Tally) -> None:
    states = array("q", bytes(8 * engine.size * len(seeds)))
    results = engine.results(engine.playouts(seeds, states=states))
    for number, seed in enumerate(seeds):
        tally.playouts += 1
        m: list[int] = []
        failed = tried(_play_out, machine, m, seed)
        last = states[number * engine.size : (number + 1) * engine.size]
        result = results[number]
        if has_failed(failed):
            moves = m[MOVES] if m else 0
            expected: Any = (failed[1:], moves)
            found: Any = (result.failure, result.moves)
        else:
            expected, found = (None, array("q", m)), (result.failure, last)
        if expected != found:
            raise Difference(f"seed {seed}, playout: {told(expected[1], found[1])}, {expected[0]}")


def _play_out(machine: Machine, m: list[int], seed: int) -> None:
    m[:] = machine.start(seed)
    random_game(machine, m, seed)


# ---- the command


def usual(rules: Rules, variant: Variant) -> bool:
    """Whether its options are what they are if nobody says anything."""
    plain, _ = build(rules, variant.players)
    return plain is not None and all(
        plain.options[name] == value for name, value in variant.options.items()
    )


def own_seed(path: Path, variant: Variant) -> int:
    return zlib.crc32(f"{path.stem} {variant}".encode()) * 1000


def compare_texts(
    named: Iterable[tuple[str, str]], most: int, games: int, level: int, *, show: bool = False
) -> int:
    """Rulesets that were made up, by name, until so many have been played; an exit code."""
    whole, refused, played = Tally(), 0, 0
    for name, text in named:
        if played == most:
            break
        print(f"{name}: ", end="", flush=True)  # told even if this crashes
        if show:
            print(text)
        rules = read_text(text, "madeUp.rules")
        program, problems = build(rules, rules.players[-1])
        if program is None:
            refused += 1
            print("refused:", *{problem.code for problem in problems})
            continue
        try:
            tally = compare(program, Engine(program, cached=False, level=level), games)
        except Difference as difference:
            print(difference)
            return 1
        print(tally)
        played += 1
        whole.add(tally)
    print(f"{played} rulesets equal, {refused} refused: {whole}")
    return 0


def compare_variant(
    path: Path, variant: Variant, games: int, level: int = 2, seed: int | None = None
) -> Tally:
    """So many games, or fewer if the options are not the usual ones; tells what was done."""
    rules = load(path).rules
    assert rules is not None
    program, problems = build(rules, variant.players, variant.options)
    assert program is not None, problems
    begin = time.perf_counter()
    engine = Engine(program, cached=False, level=level)
    built = time.perf_counter() - begin
    first = own_seed(path, variant) if seed is None else seed
    if not usual(rules, variant):
        games = max(1, games // OTHERS)
    tally = compare(program, engine, games, first)
    compared = time.perf_counter() - begin - built
    print(
        f"{path.stem:13} {variant}, seeds from {first}: {tally}: equal "
        f"(built in {built:.1f} s, compared in {compared:.1f} s)",
        flush=True,
    )
    return tally


def variants_of(path: Path) -> list[Variant]:
    rules = load(path).rules
    assert rules is not None
    return variants(rules)


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--level", type=int, default=2, help="of optimising: 0, 1 or 2")
    parser.add_argument("--players", type=int)
    parser.add_argument("--seed", type=int, help="the first seed; else each variant has its own")
    parser.add_argument("files", nargs="*", type=Path)
    given = parser.parse_args()
    whole = Tally()
    for path in given.files or RULESETS:
        for variant in variants_of(path):
            if given.players not in (None, variant.players):
                continue
            try:
                whole.add(compare_variant(path, variant, given.games, given.level, given.seed))
            except Difference as difference:
                print(f"{path}, {variant}: {difference}")
                return 1
    print(f"all equal: {whole}")
    return 0


if __name__ == "__main__":
    sys.exit(main())

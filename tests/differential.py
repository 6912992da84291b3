"""Plays the same games on the reference machine and on native code, and compares everything.

    python tests/differential.py [--games 200] [--level 2] [--players N] [FILE ...]

After every decision: the same buffer, cell for cell; the same options in the same order; the
same failure at the same spot. Then whole random games in native loops against the same games
step by step on the reference machine. Without files, all rulesets that come with rulerun.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from array import array
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from interpreter.embedding import load  # noqa: E402
from interpreter.play.failure import Failure  # noqa: E402
from interpreter.play.machine import Machine  # noqa: E402
from interpreter.play.native.engine import Engine  # noqa: E402
from interpreter.play.native.simulate import random_game  # noqa: E402
from interpreter.program.layout import (  # noqa: E402
    ASK_WHEN_FORCED,
    CHANCE,
    DECISION,
    SEALED_DONE,
    SEALING,
    SEAT,
    STATUS,
    STOP_AT_CHANCE,
)
from interpreter.program.program import Program  # noqa: E402

MODES = (0, 0, STOP_AT_CHANCE, ASK_WHEN_FORCED, STOP_AT_CHANCE | ASK_WHEN_FORCED)
RULESETS = sorted((ROOT / "rulesets").glob("*.rules")) + sorted(
    (ROOT / "rulesets" / "classics").glob("*.rules")
)


@dataclass
class Tally:
    games: int = 0
    decisions: int = 0
    failures: int = 0


def tried(act: Callable[..., Any], *given: Any) -> Any:
    """The result, or the failure as data."""
    try:
        return act(*given)
    except Failure as failure:
        return "failure", failure.code, failure.at


def has_failed(result: Any) -> bool:
    return isinstance(result, tuple) and result[:1] == ("failure",)


def differences(left: list[int], right: list[int]) -> list[tuple[int, int, int]]:
    pairs = zip(left, right, strict=True)
    return [(cell, one, two) for cell, (one, two) in enumerate(pairs) if one != two]


def compare(program: Program, engine: Engine, games: int, first: int = 0) -> Tally:
    """Raises AssertionError at the first difference."""
    machine = Machine(program)
    tally = Tally()
    for seed in range(first, first + games):
        _compare_game(program, machine, engine, seed, tally)
    _compare_playouts(machine, engine, range(first, first + max(1, games // 2)))
    return tally


def _compare_game(
    program: Program, machine: Machine, engine: Engine, seed: int, tally: Tally
) -> None:
    rnd = random.Random(seed)
    mode = MODES[seed % len(MODES)]
    tally.games += 1
    left = tried(machine.start, seed, mode)
    right = tried(engine.start, seed, mode)
    if has_failed(left):
        assert left == right, (seed, left, right)
        tally.failures += 1
        return
    while True:
        assert left == right, (seed, tally.decisions, differences(left, right))
        status = left[STATUS]
        if status not in (DECISION, SEALING, CHANCE):
            return
        tally.decisions += 1
        seat = left[SEAT]
        if status == SEALING:
            seats = range(program.players)
            seat = rnd.choice([each for each in seats if not left[SEALED_DONE] >> each & 1])
        if status == CHANCE:
            ours, theirs = tried(machine.outcomes, left), tried(engine.outcomes, right)
        else:
            ours = tried(machine.options, left, seat)
            theirs = tried(engine.options, right, seat)
        assert ours == theirs, (seed, tally.decisions, ours, theirs)
        if has_failed(ours):
            tally.failures += 1
            return
        chosen = rnd.choice(ours)
        if status == CHANCE:
            ours = tried(machine.take_outcome, left, chosen[1])
            theirs = tried(engine.take_outcome, right, chosen[1])
        else:
            ours = tried(machine.take, left, chosen, seat)
            theirs = tried(engine.take, right, chosen, seat)
        assert ours == theirs, (seed, tally.decisions, ours, theirs)
        if has_failed(ours):
            tally.failures += 1
            return


def reference_playout(machine: Machine, seed: int) -> list[int]:
    m = machine.start(seed)
    random_game(machine, m, seed)
    return m


def _compare_playouts(machine: Machine, engine: Engine, seeds: range) -> None:
    states = array("q", bytes(8 * engine.size * len(seeds)))
    results = engine.results(engine.playouts(seeds, states=states))
    for number, seed in enumerate(seeds):
        found = tried(reference_playout, machine, seed)
        if has_failed(found):
            assert results[number].failure == found[1:], (seed, results[number], found)
            continue
        last = list(states[number * engine.size : (number + 1) * engine.size])
        assert results[number].failure is None, (seed, results[number])
        assert last == found, (seed, differences(found, last))


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--level", type=int, default=2)
    parser.add_argument("--players", type=int)
    parser.add_argument("files", nargs="*")
    given = parser.parse_args()
    for path in given.files or RULESETS:
        rules = load(path).rules
        assert rules is not None
        low, high = rules.players
        for players in [given.players] if given.players else range(low, high + 1):
            program = load(path, players).program
            begin = time.perf_counter()
            engine = Engine(program, level=given.level)
            built = time.perf_counter() - begin
            tally = compare(program, engine, given.games)
            compared = time.perf_counter() - begin - built
            print(
                f"{Path(path).stem:16} {players} players: {tally.games} games, "
                f"{tally.decisions} decisions, {tally.failures} failures: equal "
                f"(built in {built:.1f} s, compared in {compared:.1f} s)",
                flush=True,
            )
    return 0


if __name__ == "__main__":
    sys.exit(main())

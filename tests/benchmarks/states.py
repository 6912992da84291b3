"""How fast are states copied, and how much memory do many of them take?

    python tests/benchmarks/states.py [--secs 0.5] [--runs 5]

Copies a second of CPU time, the medians: one by one, each an array of its own, and in batches of
a thousand into the room of one call. Memory is measured in a process of its own that starts
100,000 games at once: what it takes more, now and at its peak, beside the buffers themselves.

What must hold is checked: see COPIES and MEMORY. Exit 1 if something does not.
"""

from __future__ import annotations

import argparse
import resource
import statistics
import subprocess
import sys
import time
from array import array
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from interpreter.embedding import load  # noqa: E402
from interpreter.play.native.engine import Engine  # noqa: E402

PAY_DIRT = "payDirt.rules"
# At least so many copies a second.
COPIES = {"classics/connectFour.rules": 2_000_000, PAY_DIRT: 200_000}
MEMORY = 1.10  # at most so many times the buffers
MANY = 100_000
_BATCH = 1000
_PAGE = resource.getpagesize()


def engine_of(name: str) -> Engine:
    engine = load(ROOT / "rulesets" / name, backend="native").native
    assert isinstance(engine, Engine)
    return engine


def rate_of(copy: Callable[[], int], secs: float) -> float:
    """`copy` tells how many copies it has made."""
    number, spent, start = 0, 0.0, time.process_time()
    while spent < secs:
        number += sum(copy() for _ in range(20))
        spent = time.process_time() - start
    return number / spent


def measure_copies(name: str, secs: float, runs: int) -> dict[str, float]:
    engine = engine_of(name)
    state = array("q", engine.start(1))

    def one_by_one() -> int:
        for _ in range(_BATCH):
            state[:]
        return _BATCH

    def in_batches() -> int:
        engine.copy(state, _BATCH)
        return _BATCH

    ways = {"one by one": one_by_one, "in batches": in_batches}
    found: dict[str, list[float]] = {word: [] for word in ways}
    for _ in range(runs):
        for word, copy in ways.items():
            found[word].append(rate_of(copy, secs))
    return {word: statistics.median(rates) for word, rates in found.items()}


# ---- memory


def resident() -> int:
    """Bytes this process has in memory."""
    return int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1]) * _PAGE


def peak() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def start_many() -> None:
    """In a process of its own: prints what the buffers take, what was taken, and its peak."""
    engine = engine_of(PAY_DIRT)
    engine.start_many(range(10))  # whatever is made once is there
    before = resident()
    states = engine.start_many(range(MANY))
    print(len(states) * states.itemsize, resident() - before, peak() - before)


def measure_memory() -> tuple[int, float, float]:
    """Bytes of the buffers; how many times as much was taken, in the end and at the peak."""
    told = subprocess.run(
        [sys.executable, __file__, "--start-many"], capture_output=True, text=True, check=True
    )
    buffers, taken, most = map(int, told.stdout.split())
    return buffers, taken / buffers, most / buffers


def report(secs: float, runs: int) -> list[str]:
    """Prints all rows; tells what did not hold."""
    missed: list[str] = []
    print(f"{'copies/s':30}{'one by one':>14}{'in batches':>14}{'at least':>14}")
    for name, bar in COPIES.items():
        found = measure_copies(name, secs, runs)
        print(f"{name:30}" + "".join(f"{each:14,.0f}" for each in found.values()) + f"{bar:14,}")
        missed += [f"copies of {name}, {word}" for word, each in found.items() if each < bar]
    buffers, taken, most = measure_memory()
    print(
        f"{MANY:,} states of {PAY_DIRT}: {buffers / 1e6:,.0f} MB of buffers, {taken:.3f} times "
        f"that in memory, {most:.3f} at the peak (at most {MEMORY})"
    )
    return missed + ["memory"] * (max(taken, most) > MEMORY)


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--secs", type=float, default=0.5)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--start-many", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.start_many:
        start_many()
        return 0
    missed = report(given.secs, given.runs)
    if missed:
        print("missed:", ", ".join(missed))
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())

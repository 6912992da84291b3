"""How long does it take to make native code of rules that nobody has compiled before?

    python tests/benchmarks/compiling.py [--runs 3] [name ...]

Seconds of CPU time on one thread, the best of some runs, with nothing taken from the cache: to read
and check the rules and make a program of them, to write its code as text, and what LLVM does with
that. Python's own start and imports are not part of it; they are told by themselves at the end.
Without names: all classics, and the rulesets of whole games with as many players as can be.

What must hold is checked: see BARS. Exit 1 if something does not.
"""

from __future__ import annotations

import argparse
import sys
import time
from itertools import pairwise
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT)]

from interpreter.cli.bench import describe_machine  # noqa: E402
from interpreter.embedding import load  # noqa: E402
from interpreter.play.native.build import compile_text  # noqa: E402
from interpreter.play.native.emit.module import emit_module  # noqa: E402

_SMALL = ("breakthrough", "connectFour", "gomoku", "liarsDice", "nim", "pig", "ticTacToe")
BARS = {"payDirt": 3.0} | dict.fromkeys(_SMALL, 0.3)  # seconds


def measure(path: Path) -> tuple[int, list[float]]:
    """Lines of text, and the seconds of each stage."""
    begun = [time.process_time()]
    program = load(path).program
    begun.append(time.process_time())
    text = emit_module(program)
    begun.append(time.process_time())
    compile_text(text)
    begun.append(time.process_time())
    taken = [after - before for before, after in pairwise(begun)]
    return text.count("\n"), taken


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("names", nargs="*")
    given = parser.parse_args()
    paths = {path.stem: path for path in sorted((ROOT / "rulesets").rglob("*.rules"))}
    if wrong := [name for name in given.names if name not in paths]:
        parser.error(f"there is no {wrong[0]}; there are {', '.join(paths)}")
    imported = time.process_time()
    measure(paths["nim"])  # what is made once in a process, such as tables of the grammar
    print(describe_machine())
    print(f"{'seconds':18}{'lines':>8}{'program':>9}{'text':>9}{'LLVM':>9}{'all':>9}")
    missed: list[str] = []
    for name in given.names or paths:
        found = [measure(paths[name]) for _ in range(given.runs)]
        lines, taken = min(found, key=lambda each: sum(each[1]))
        told = "".join(f"{each:9.2f}" for each in [*taken, sum(taken)])
        print(f"{name:18}{lines:8,}{told}", flush=True)
        if sum(taken) > BARS.get(name, sum(taken)):
            missed.append(name)
    print(f"to start Python and import everything: {imported:.2f}")
    if missed:
        print("missed:", ", ".join(missed))
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())

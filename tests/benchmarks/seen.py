"""Positions seen before: `history` against the same rules with boards packed by hand.

    python tests/benchmarks/seen.py [--games 2000] [--rounds 5]

Go with positional superko, as it ships and as it had to be written without the word: boards as
numbers to the base three, kept in a table of the rules. Both play the same random games natively,
in turns in one run. The ratio is what counts: above 1 the word is quicker than the trick.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

import interpreter  # noqa: E402
from interpreter.play.native.engine import Engine  # noqa: E402

GO = ROOT / "rulesets" / "classics" / "go.rules"

# What the rules say with the word, and what they said without it.
BY_HAND = {
    """history boards of the last longest + 1
    c.stone for c in Grid
""": """the game has
    now[1..3]: int, not shown
    past[0..162, 1..3]: int, not shown
    kept: int, not shown

function digit(c: Grid) = (0 if c.stone is none else 1 if c.stone is P1 else 2)

procedure pack()
    for each k in 1..3
        now[k] := 0
    for each c at n in Grid
        let k = (n - 1) div 27 + 1
        now[k] := now[k] * 3 + digit(c)

function isOld() = any(
    i in 0 .. kept - 1
    where past[i, 1] = now[1] and past[i, 2] = now[2] and past[i, 3] = now[3]
)

procedure keep()
    pack()
    for each k in 1..3
        past[kept, k] := now[k]
    kept += 1
""",
    "timesSeen(boards) = 0 after put(c, me)": "not isOld() after put(c, me) then pack()",
    "remember boards": "keep()",
}


def by_hand() -> str:
    text = GO.read_text(encoding="utf-8")
    for word, trick in BY_HAND.items():
        assert word in text, f"the rules of go do not say {word!r} any more"
        text = text.replace(word, trick)
    return text


def measure(engine: Engine, games: int) -> tuple[float, int]:
    start = time.perf_counter()
    results = engine.results(engine.playouts(range(games)))
    return time.perf_counter() - start, sum(result.moves for result in results)


def compared(games: int, rounds: int) -> list[float]:
    """How many times as long the trick takes, in each round."""
    engines = [
        Engine(interpreter.load_text(text, players=2).program)
        for text in (GO.read_text(encoding="utf-8"), by_hand())
    ]
    found: list[float] = []
    for _ in range(rounds):
        (word, moves), (trick, same) = (measure(engine, games) for engine in engines)
        assert moves == same, "they do not play the same games"
        found.append(trick / word)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--games", type=int, default=2000)
    parser.add_argument("--rounds", type=int, default=5)
    given = parser.parse_args()
    ratios = compared(given.games, given.rounds)
    told = ", ".join(f"{each:.2f}" for each in ratios)
    print(f"boards packed by hand take {statistics.median(ratios):.2f} times as long ({told})")


if __name__ == "__main__":
    main()

"""What a word of the language costs, beside the trick that it replaces.

    python tests/benchmarks/words.py [--rounds 9] [--games N] [name ...]

Each row is a game as it ships, and the same game in tricks/, written as it had to be without the
word. Both play the same random games natively, in turns in one run, by CPU time. The ratio is what
counts: above 1 the word is quicker than the trick. That they are the same game is checked first,
option for option.
"""

from __future__ import annotations

import argparse
import random
import re
import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(ROOT))

import interpreter  # noqa: E402
from interpreter.embedding import Game  # noqa: E402
from interpreter.play.native.engine import Engine, Result  # noqa: E402

WATCHED = 3  # games that are compared option for option


def of_cells(words: str) -> str:
    """What an option is called on the board without gaps."""
    return re.sub(
        r"\b([a-q])(\d+)",
        lambda found: f"{chr((ord(found[1]) + ord('a')) // 2)}{(int(found[2]) + 1) // 2}",
        words,
    )


@dataclass(frozen=True, slots=True)
class Pair:
    word: str
    trick: str
    games: int  # for about half a second
    read: Callable[[str], str] = str  # what an option of the trick is called in the other rules


PAIRS = {
    "go": Pair("history", "boards packed by hand", 1000),
    "chess": Pair("after", "the move passed to whatever looks at the board", 200),
    "quoridor": Pair("through x from w", "a board of cells and gaps", 100, of_cells),
}


def both(name: str) -> tuple[Game, Game]:
    folders = ROOT / "rulesets" / "classics", HERE / "tricks"
    word, trick = (interpreter.load(folder / f"{name}.rules", players=2) for folder in folders)
    return word, trick


def check_same(name: str, seed: int) -> None:
    """Play one game with both rules, and compare all that is offered."""
    word, trick = (game.start(seed) for game in both(name))
    chance = random.Random(seed)
    while not word.is_over:
        offered, other = word.options(), trick.options()
        read = [PAIRS[name].read(option.words) for option in other]
        assert [option.words for option in offered] == read, f"{name}: other options, seed {seed}"
        n = chance.randrange(len(offered))
        word, trick = word.apply(offered[n]), trick.apply(other[n])
    assert trick.is_over and word.winners == trick.winners, f"{name}: another end, seed {seed}"


def measure(engine: Engine, games: int) -> tuple[float, list[Result]]:
    start = time.process_time()
    outcome = engine.playouts(range(games))
    return time.process_time() - start, engine.results(outcome)


def compared(name: str, games: int, rounds: int) -> list[float]:
    """How many times as long the trick takes, in each round."""
    engines = [Engine(game.program) for game in both(name)]
    found: list[float] = []
    for _ in range(rounds):
        (word, ends), (trick, others) = (measure(engine, games) for engine in engines)
        for one, other in zip(ends, others, strict=True):
            assert one.failure is None, f"{name}: {one.failure}"
            assert (one.moves, one.winners) == (other.moves, other.winners), f"{name}: other games"
        found.append(trick / word)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("names", nargs="*", metavar="name", help=", ".join(PAIRS))
    parser.add_argument("--games", type=int, help="random games of a round")
    parser.add_argument("--rounds", type=int, default=9)
    given = parser.parse_args()
    print(f"{'game':10}{'ratio':>6}  {'of all rounds':14}{'word':18}trick")
    for name in given.names or PAIRS:
        pair = PAIRS[name]
        for seed in range(WATCHED):
            check_same(name, seed)
        ratios = compared(name, given.games or pair.games, given.rounds)
        told = f"{min(ratios):.2f} to {max(ratios):.2f}"
        print(f"{name:10}{statistics.median(ratios):6.2f}  {told:14}{pair.word:18}{pair.trick}")


if __name__ == "__main__":
    main()

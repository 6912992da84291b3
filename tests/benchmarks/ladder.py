"""Who is how strong, in every game that ships? A ladder for each, and one table of ratings.

    python tests/benchmarks/ladder.py [--bots random,plain:100,plain:500,best:500] [--games 20]
        [--until 5] [--seed 1] [--processes 2] [name ...]

Without names, the five games. Ratings are those of `rulerun ladder`: 400 points more is ten times
as strong; the interval is that of 95 %.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from strength import BIG, CLASSICS, path_of, seats

from interpreter.bots.bot import split_bots
from interpreter.bots.ladder import Ladder, climb
from interpreter.bots.rating import ratings
from interpreter.cli.ladder import BOTS
from interpreter.embedding import load


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("names", nargs="*", choices=[*BIG, *CLASSICS, []], metavar="name")
    parser.add_argument("--bots", default=BOTS)
    parser.add_argument("--games", type=int, default=20, help="at each table of two bots")
    parser.add_argument("--until", type=float, default=5, help="percent to either side")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=2)
    given = parser.parse_args(arguments)
    names = split_bots(given.bots)
    print(f"{'':28}" + "".join(f"{name:>20}" for name in names))
    for name in given.names or BIG:
        game = load(path_of(name), max(2, seats(name)[0]))
        ladder = Ladder(game, tuple(names), given.seed)
        climb(ladder, given.until / 100, given.games, given.processes)
        by_name = {each.name: each for each in ratings(names, ladder.games)}
        told = [by_name[each] for each in names]
        cells = [f"{each.points:.0f} ({each.low:.0f} to {each.high:.0f})" for each in told]
        title = f"{game.title[:18]}, {len(ladder.games)} games"
        print(f"{title:28}" + "".join(f"{cell:>20}" for cell in cells), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())

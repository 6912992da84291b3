"""Who is how strong, in every game that ships? A ladder for each, and one table of ratings.

    python tests/benchmarks/ladder.py [--bots random,plain:100,plain:500,best:500] [--games 20]
        [--until 5] [--secs 0] [--seed 1] [--processes 2] [name ...]
    python tests/benchmarks/ladder.py --short

Without names, the five games. `--short` rates random, plain:20 and best:40 in all that ship, in one
process and within some minutes: after `--secs` seconds of its time no further deal of a game is
begun. Ratings are those of `rulerun ladder`: 400 points more is ten times
as strong; the interval is that of 95 %.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence

from strength import BIG, CLASSICS, path_of, seats

from interpreter.bots.bot import split_bots
from interpreter.bots.ladder import Ladder, climb
from interpreter.bots.rating import ratings
from interpreter.cli.ladder import BOTS
from interpreter.embedding import load

SHORT_BOTS = "random,plain:20,best:40"
SHORT_SECS = 3.0


def _climb(ladder: Ladder, until: float, most: int, secs: float, processes: int) -> None:
    """As `climb`, but after so many seconds of CPU time no further deal is begun."""
    if secs == float("inf"):
        return climb(ladder, until, most, processes)
    begun = time.process_time()
    while ladder.deals == 0 or time.process_time() - begun < secs:
        before = ladder.deals
        climb(ladder, until, min(most, (before + 1) * ladder.game.players))
        if ladder.deals == before:
            return None
    return None


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("names", nargs="*", choices=[*BIG, *CLASSICS, []], metavar="name")
    parser.add_argument("--short", action="store_true", help="all games, a little of each")
    parser.add_argument("--bots")
    parser.add_argument("--games", type=int, default=20, help="at each table of two bots")
    parser.add_argument("--until", type=float, default=5, help="percent to either side")
    parser.add_argument("--secs", type=float, help="of CPU time a game, after the first deal")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=2)
    given = parser.parse_args(arguments)
    names = split_bots(given.bots or (SHORT_BOTS if given.short else BOTS))
    every = [*BIG, *CLASSICS] if given.short else BIG
    secs = given.secs or (SHORT_SECS if given.short else float("inf"))
    processes = 1 if secs < float("inf") else given.processes
    print(f"{'':28}" + "".join(f"{name:>20}" for name in names))
    for name in given.names or every:
        game = load(path_of(name), max(2, seats(name)[0]))
        ladder = Ladder(game, tuple(names), given.seed)
        _climb(ladder, given.until / 100, given.games, secs, processes)
        by_name = {each.name: each for each in ratings(names, ladder.games)}
        told = [by_name[each] for each in names]
        cells = [f"{each.points:.0f} ({each.low:.0f} to {each.high:.0f})" for each in told]
        title = f"{game.title[:18]}, {len(ladder.games)} games"
        print(f"{title:28}" + "".join(f"{cell:>20}" for cell in cells), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""How many choices a bot has thought of while a person was thinking.

    python tests/benchmarks/preparing.py                      # the five games, two of each
    python tests/benchmarks/preparing.py connectFour --person 5 --think 0.5

A person who takes anything sits at the first seat and thinks for so long before every choice; a
search that is given `--think` seconds of CPU a choice has the others. For every game: how many
choices of the bots had more than one option, how many of them were prepared, and what share of
its time a prepared one had been given already. What is prepared depends on the person: one who
plays well is foreseen more often.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

from interpreter import load
from interpreter.bots.bot import Stream, make_bot, make_mind
from interpreter.bots.preparing import Foresight, Ready
from interpreter.embedding import Game

RULESETS = Path(__file__).resolve().parents[2] / "rulesets"
FIVE = ("payDirt", "dinosaurRush", "queenRun", "nozoku", "gaagaaGo")


def find(name: str) -> Path:
    return next(path for path in RULESETS.rglob(f"{name}.rules"))


def prepared(game: Game, seed: int, person: float, think: float) -> tuple[int, int, float]:
    """Choices of the bots in one game, how many of them were prepared, and the shares of these."""
    clock = time.thread_time
    mind = make_mind("search", game)
    ahead = {
        seat: Foresight(game, seat, mind, think, clock=clock) for seat in range(1, game.players)
    }
    quick = {seat: make_bot("search:60", game) for seat in ahead}
    streams = [Stream(seed, seat) for seat in range(game.players)]
    state, shares = game.start(seed), 0.0
    while not state.is_over:
        if 0 in state.seats_to_act:
            options = state.options(0)
            late = clock() + (person if len(options) > 1 else 0)
            views = {seat: state.view(seat) for seat in ahead}
            while clock() < late:
                for seat, each in ahead.items():
                    each.look_ahead(views[seat], lambda late=late: clock() >= late)  # type: ignore[misc]
            state = state.apply(streams[0].choose(options), 0)
            continue
        seat = state.seats_to_act[0]
        view, options = state.view(seat), state.options(seat)
        ready = ahead[seat].of(view) if len(options) > 1 else Ready()
        shares += min(1.0, ready.share)
        liked = ready.found[0].option if ready.found else None
        state = state.apply(liked or quick[seat](view, options, streams[seat]), seat)
    asked = sum(each.asked for each in ahead.values())
    return asked, sum(each.foreseen for each in ahead.values()), shares


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else "")
    parser.add_argument("games", nargs="*", default=FIVE)
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--number", type=int, default=2, help="games of each")
    parser.add_argument("--person", type=float, default=0.5, help="seconds before a choice")
    parser.add_argument("--think", type=float, default=0.05, help="seconds of a bot")
    given = parser.parse_args()
    print(f"{'':16}{'choices':>9}{'prepared':>10}{'':>7}{'of their time':>15}")
    for name in given.games:
        game = load(find(name), given.players)
        found = [prepared(game, seed, given.person, given.think) for seed in range(given.number)]
        asked, foreseen, shares = (sum(each) for each in zip(*found, strict=True))
        part = foreseen / max(1, asked)
        spent = shares / max(1, foreseen)
        print(f"{name:16}{asked:9}{foreseen:10}{part:7.0%}{spent:15.0%}", flush=True)


if __name__ == "__main__":
    main()

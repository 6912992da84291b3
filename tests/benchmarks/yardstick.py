"""How fast are rules that nobody tuned? Every classic that OpenSpiel has too, beside its C++.

    python tests/benchmarks/yardstick.py [--secs 0.2] [--runs 5] [--json FILE] [name ...]

One run, interleaved, in games per second of CPU time on one thread; the medians. Two columns each:

- `first`: from the first decision on. Natively a state is copied and played to its end; OpenSpiel
  does the same in C++ (MCTSBot of one simulation over RandomRolloutEvaluator). What was dealt
  before decides how long a game takes, so both go through several deals in turn.
- `whole`: with the deal. OpenSpiel has no such loop in C++ for games that begin with chance. There
  the deal is what two loops over its own random bots differ by, one from the start and one from
  the first decision; the overhead of calling from Python falls out. What gives rewards before
  the end cannot be evaluated like that, and is played by random bots all the way.

Last come the geometric means and the worst. Where OpenSpiel cuts games short that we play to the
end, decisions are compared instead of games. Exit 1 if a game is slower than OpenSpiel's, or the
mean is below 3.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import cycle
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path[:0] = [str(ROOT), str(HERE)]

from interpreter.cli.bench import describe_machine, native_decisions  # noqa: E402
from interpreter.embedding import Game, load  # noqa: E402

MEAN, WORST = 3.0, 1.0  # times OpenSpiel's C++
_DEALS = 16


@dataclass(frozen=True, slots=True)
class Classic:
    rules: str
    spiel: str  # a game OpenSpiel can load
    players: int = 2
    options: dict[str, str | int] = field(default_factory=dict)
    by_decisions: bool = False

    def load(self) -> Game:
        path = ROOT / "rulesets" / "classics" / f"{self.rules}.rules"
        return load(path, self.players, self.options, backend="native")


_FLEET = "ship_sizes=[2;3;4],ship_values=[1;1;1],num_shots=20,allow_repeated_shots=False"
YARDSTICK = [
    Classic("amazons", "amazons"),
    Classic("battleship", f"battleship(board_width=6,board_height=6,{_FLEET},loss_multiplier=1.0)"),
    Classic("breakthrough", "breakthrough"),
    Classic("checkers", "checkers"),
    Classic("chess", "chess"),
    Classic("connectFour", "connect_four"),
    Classic("crazyEights", "crazy_eights(players=2)"),
    Classic("cribbage", "cribbage(players=2)"),
    Classic("darkHex", "dark_hex(board_size=3,gameversion=cdh)"),
    Classic("go", "go(board_size=9,komi=7.5)"),
    Classic("gomoku", "gomoku(size=15,connect=5)"),
    Classic(
        "goofspiel",
        "turn_based_simultaneous_game(game=goofspiel(num_cards=13,players=2,points_order=random))",
    ),
    Classic("hearts", "hearts", 4),
    Classic("hex", "hex(board_size=11)"),
    Classic("kuhnPoker", "kuhn_poker(players=2)"),
    Classic("leducPoker", "leduc_poker"),
    Classic("liarsDice", "liars_dice(numdice=1,dice_sides=6)"),
    Classic("nim", "nim"),
    Classic("ohHell", "oh_hell(players=3)", 3),
    Classic("oware", "oware", options={"patience": 1000}),
    Classic("phantomTicTacToe", "phantom_ttt(gameversion=classical)"),
    Classic("pig", "pig(horizon=100000)", options={"mayHoldAtOnce": "yes"}),
    Classic("quoridor", "quoridor", by_decisions=True),
    Classic("reversi", "othello"),
    Classic("ticTacToe", "tic_tac_toe"),
    Classic("yacht", "yacht"),
]
Playing = Callable[[int, int], int]  # from this seed on so many games; their decisions


def first_decision(state: Any, chance: random.Random) -> Any:
    while state.is_chance_node():
        actions, weights = zip(*state.chance_outcomes(), strict=True)
        state.apply_action(chance.choices(actions, weights)[0])
    return state


def decisions_of(game: Any, games: int) -> float:
    """How many decisions a random game of OpenSpiel's takes."""
    chance, total = random.Random(1), 0
    for _ in range(games):
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                actions, weights = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(chance.choices(actions, weights)[0])
            else:
                state.apply_action(chance.choice(state.legal_actions()))
                total += 1
    return total / games


def spiel_ways(name: str) -> dict[str, Playing]:
    """In C++: from the first decision, and by random bots with and without the deal."""
    import pyspiel

    game = pyspiel.load_game(name)
    initial = game.new_initial_state()
    starts = [initial]
    if initial.is_chance_node():
        starts = [
            first_decision(game.new_initial_state(), random.Random(deal)) for deal in range(_DEALS)
        ]

    def rollouts_from(states: Iterator[Any]) -> Playing:
        def play(seed: int, number: int) -> int:
            evaluator = pyspiel.RandomRolloutEvaluator(number, seed)
            bot = pyspiel.MCTSBot(game, evaluator, 2.0, 1, 100, False, seed, False)
            bot.mcts_search(next(states))
            return 0

        return play

    def bots_from(states: Iterator[Any]) -> Playing:
        bots = [pyspiel.make_uniform_random_bot(seat, seat) for seat in range(game.num_players())]

        def play(seed: int, number: int) -> int:
            state = next(states)
            for one in range(number):
                pyspiel.evaluate_bots(state.clone(), bots, seed + one)
            return 0

        return play

    from_initial, from_first = bots_from(cycle([initial])), bots_from(cycle(starts))
    if game.get_type().reward_model == pyspiel.GameType.RewardModel.REWARDS:
        return {"bots first": from_first, "bots whole": from_initial}
    found: dict[str, Playing] = {"rollouts": rollouts_from(cycle(starts))}
    if initial.is_chance_node():
        found |= {"bots first": from_first, "bots whole": from_initial}
    return found


def seconds_a_game(play: Playing, seed: int, secs: float) -> tuple[float, float]:
    """CPU time and decisions of a game, over ever bigger batches until the time is up."""
    games = decisions = 0
    batch, spent, begin = 1, 0.0, time.process_time()
    while spent < secs:
        decisions += play(seed + games, batch)
        games += batch
        spent = time.process_time() - begin
        if spent < secs / (2 * _DEALS):
            batch *= 2
    return spent / games, decisions / games


@dataclass(frozen=True, slots=True)
class Row:
    """Seconds a game, natively and in OpenSpiel, from the first decision and with the deal."""

    name: str
    first: tuple[float, float]
    whole: tuple[float, float]
    longer: float  # as many times the decisions as in OpenSpiel's games

    @property
    def ratios(self) -> tuple[float, float]:
        return tuple(theirs / ours * self.longer for ours, theirs in (self.first, self.whole))


def measure(classic: Classic, secs: float, runs: int) -> Row:
    game = classic.load()
    engine = game.native
    assert engine is not None, "native code is compiled before the clock starts"
    starts = cycle([engine.start(deal) for deal in range(_DEALS)])
    ways: dict[str, Playing] = {
        "first": lambda seed, n: engine.play_on(next(starts), range(seed, seed + n)),
        "whole": lambda seed, n: native_decisions(game, range(seed, seed + n), 1),
        **spiel_ways(classic.spiel),
    }
    found: dict[str, list[tuple[float, float]]] = {word: [] for word in ways}
    for run in range(runs):
        for word, play in ways.items():
            found[word].append(seconds_a_game(play, run * 10**6, secs))
    taken = {word: statistics.median(t for t, _ in each) for word, each in found.items()}
    first = taken.get("rollouts", taken.get("bots first", 0.0))
    deal = max(0.0, taken.get("bots whole", 0.0) - taken.get("bots first", 0.0))
    longer = 1.0
    if classic.by_decisions:
        import pyspiel

        ours = statistics.mean(decisions for _, decisions in found["whole"])
        longer = ours / decisions_of(pyspiel.load_game(classic.spiel), 20)
    return Row(classic.rules, (taken["first"], first), (taken["whole"], first + deal), longer)


def mean(ratios: list[float]) -> float:
    return math.exp(statistics.fmean(math.log(each) for each in ratios))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--secs", type=float, default=0.2)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--json", type=Path)
    parser.add_argument("names", nargs="*")
    given = parser.parse_args()
    known = [each.rules for each in YARDSTICK]
    if wrong := [name for name in given.names if name not in known]:
        parser.error(f"there is no {wrong[0]}; there are {', '.join(known)}")
    print(describe_machine())
    print(f"{'games/s':18}{'first':>12}{'c++':>12}{'ratio':>7}{'whole':>12}{'c++':>12}{'ratio':>7}")
    rows: list[Row] = []
    for classic in YARDSTICK:
        if given.names and classic.rules not in given.names:
            continue
        row = measure(classic, given.secs, given.runs)
        rows.append(row)
        parts = "".join(
            f"{1 / ours:12,.0f}{1 / theirs:12,.0f}{ratio:7.2f}"
            for (ours, theirs), ratio in zip((row.first, row.whole), row.ratios, strict=True)
        )
        print(f"{row.name:18}{parts}", flush=True)
    firsts, wholes = zip(*(row.ratios for row in rows), strict=True)
    for word, ratios in (("first", firsts), ("whole", wholes)):
        worst, name = min((ratio, row.name) for ratio, row in zip(ratios, rows, strict=True))
        print(f"{word}: geometric mean {mean(list(ratios)):.2f}, worst {worst:.2f} ({name})")
    if given.json:
        told = {row.name: dict(zip(("first", "whole"), row.ratios, strict=True)) for row in rows}
        given.json.write_text(json.dumps(told, indent=1), encoding="utf-8")
    well = min(wholes) >= WORST and mean(list(wholes)) >= MEAN
    return 0 if well else 1


if __name__ == "__main__":
    sys.exit(main())

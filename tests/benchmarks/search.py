"""How fast is tree search, beside OpenSpiel's own in C++ and the reference machine?

    python tests/benchmarks/search.py [--number 5000] [--runs 5] [--games] [--all] [name ...]

One run, interleaved, in games tried in a second of CPU time; the medians. Each search is one choice
at the start of a game. `spiel c++` is OpenSpiel's MCTSBot with one random rollout for each
simulation. With `--games` also the rulesets of whole games, which OpenSpiel does not have; with
`--all` all games of the yardstick (yardstick.py), from the first decision that has several options,
with the mean. Where something is hidden, OpenSpiel's search is given the true state and looks into
all hands; ours is given what its seat sees, and deals the rest anew for every game.

What must hold: as fast as OpenSpiel on at least four of five. Exit 1 if it does not.
"""

from __future__ import annotations

import argparse
import random
import statistics
import sys
import time
from collections.abc import Callable

from native import CLASSICS, ROOT
from yardstick import YARDSTICK, first_decision, mean

from interpreter.bots.search import search
from interpreter.cli.bench import describe_machine
from interpreter.embedding import Game, load

AT_LEAST = 4  # of the games in CLASSICS
SLOW = ("chess", "go", "quoridor")  # fewer games are tried
_TO_REFERENCE = 100  # times fewer games for the reference machine


def searching(game: Game, number: int) -> Callable[[int], int]:
    """One choice of whoever has one first; how many games were tried."""
    state = game.start(1)
    while len(state.options()) == 1:
        state = state.apply(state.options()[0])
    view = state.view(state.seats_to_act[0])

    def choose(seed: int) -> int:
        search(game, view, number, seed=seed)
        return number

    choose(0)  # compiles
    return choose


def spiel_search(name: str, number: int) -> Callable[[int], int]:
    import pyspiel

    game = pyspiel.load_game(name)
    chance = random.Random(1)
    start = first_decision(game.new_initial_state(), chance)
    while len(start.legal_actions()) == 1:
        start.apply_action(start.legal_actions()[0])
        start = first_decision(start, chance)

    def choose(seed: int) -> int:
        evaluator = pyspiel.RandomRolloutEvaluator(1, seed)
        bot = pyspiel.MCTSBot(game, evaluator, 1.0, number, 1000, False, seed, False)
        bot.step(start)
        return number

    return choose


def measure(ways: dict[str, Callable[[int], int]], runs: int) -> dict[str, float]:
    found: dict[str, list[float]] = {word: [] for word in ways}
    for run in range(1, runs + 1):
        for word, choose in ways.items():
            begin = time.process_time()
            games = choose(run)
            found[word].append(games / (time.process_time() - begin))
    return {word: statistics.median(rates) for word, rates in found.items()}


def ways_of(path: str, players: int | None, number: int) -> dict[str, Callable[[int], int]]:
    native, reference = (
        load(ROOT / "rulesets" / path, players, backend=each) for each in ("native", "reference")
    )
    few = max(1, number // _TO_REFERENCE)
    return {"native": searching(native, number), "reference": searching(reference, few)}


def measure_yardstick(number: int, runs: int) -> None:
    """All games of the yardstick but those with rewards on the way, which MCTSBot does not take."""
    import pyspiel

    ratios: dict[str, float] = {}
    for classic in YARDSTICK:
        kind = pyspiel.load_game(classic.spiel).get_type()
        if kind.reward_model == pyspiel.GameType.RewardModel.REWARDS:
            continue
        few = max(10, number // 10) if classic.rules in SLOW else number
        rates = measure(
            {
                "native": searching(classic.load(), few),
                "spiel c++": spiel_search(classic.spiel, few),
            },
            runs,
        )
        ratios[classic.rules] = rates["native"] / rates["spiel c++"]
        told = f"{rates['native']:12,.0f}{rates['spiel c++']:12,.0f}{'':12}"
        print(f"{classic.rules:18}{told}{ratios[classic.rules]:10.2f}", flush=True)
    worst = min(ratios, key=lambda name: ratios[name])
    print(f"geometric mean {mean(list(ratios.values())):.2f}, worst {ratios[worst]:.2f} ({worst})")


def tell(name: str, rates: dict[str, float]) -> None:
    spiel = rates.get("spiel c++", 0.0)
    ratios = f"{rates['native'] / spiel:10.2f}" if spiel else f"{'':10}"
    print(
        f"{name:18}{rates['native']:12,.0f}{spiel:12,.0f}{rates['reference']:12,.0f}{ratios}"
        f"{rates['native'] / rates['reference']:10,.0f}",
        flush=True,
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--number", type=int, default=5000, help="games tried for one choice")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--games", action="store_true")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("names", nargs="*")
    given = parser.parse_args()
    print(describe_machine())
    print(
        f"{'games tried/s':18}{'native':>12}{'spiel c++':>12}{'reference':>12}{'to c++':>10}",
        end="",
    )
    print(f"{'to ref':>10}")
    if given.all:
        measure_yardstick(given.number, given.runs)
        return 0
    names = [each for each in given.names or CLASSICS if each in CLASSICS]
    slower: list[str] = []
    for name in names:
        ruleset, spiel = CLASSICS[name]
        ways = ways_of(f"classics/{ruleset}.rules", None, given.number)
        ways["spiel c++"] = spiel_search(spiel, given.number)
        rates = measure(ways, given.runs)
        tell(name, rates)
        if rates["native"] < rates["spiel c++"]:
            slower.append(name)
    for path in sorted((ROOT / "rulesets").glob("*.rules")) if given.games else []:
        players = min(4, load(path).rules.players[1])  # type: ignore[union-attr]
        ways = ways_of(path.name, players, given.number // 5)
        tell(f"{path.stem}, {players}", measure(ways, given.runs))
    if len(slower) > len(CLASSICS) - AT_LEAST:
        print("slower than OpenSpiel:", ", ".join(slower))
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""How fast is native code, beside plain C, plain Python and OpenSpiel?

    python tests/benchmarks/native.py [--secs 0.5] [--runs 5] [--games] [--states] [--json FILE]
                                      [name ...]

One run, interleaved, in games per second of CPU time; the medians. `c` is ref_playouts.c, built
here with `cc -O2`; `python` is ref_playouts.py; `spiel` is OpenSpiel driven from Python, and
`spiel c++` its own playout loop (pyspiel_playouts.py tells how). With `--games`, or by name, also
the rulesets of whole games: decisions a second beside the moves a second of connect four in C.
With `--states` also copies of states a second, and the memory of many (states.py tells how).

What must hold is checked: see BARS. Exit 1 if something does not.
"""

from __future__ import annotations

import argparse
import json
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path[:0] = [str(ROOT), str(HERE)]

import ref_playouts  # noqa: E402
import states  # noqa: E402

from interpreter.cli.bench import (  # noqa: E402
    Rate,
    describe_machine,
    median,
    native_decisions,
    rate,
    reference_decisions,
)
from interpreter.embedding import Game, load  # noqa: E402

# name in C and Python: ruleset, OpenSpiel's name
CLASSICS = {
    "tictactoe": ("ticTacToe", "tic_tac_toe"),
    "connect_four": ("connectFour", "connect_four"),
    "breakthrough": ("breakthrough", "breakthrough(rows=8,columns=8)"),
    "hex": ("hex", "hex(board_size=11)"),
    "othello": ("reversi", "othello"),
}
# At least so many times as fast as the others; than OpenSpiel in C++ slower on one of five at most.
BARS = {"c": 0.5, "spiel": 3.0, "python": 15.0}
MOST_SLOWER = 1
CPlayer = Callable[[str, float], Rate]
DECISIONS_TO_C = 0.05
TO_REFERENCE = 100


def c_player() -> CPlayer | None:
    """None where there is no C compiler."""
    if shutil.which("cc") is None:
        return None
    program = Path(tempfile.mkdtemp()) / "ref_playouts"
    subprocess.run(["cc", "-O2", "-o", program, HERE / "ref_playouts.c"], check=True)

    def play(name: str, secs: float) -> Rate:
        told = subprocess.run(
            [program, name, str(secs), "1"], capture_output=True, text=True, check=True
        ).stdout.split()
        return Rate(
            float(told[told.index("playouts/s") + 1]), float(told[told.index("moves/s") + 1])
        )

    return play


def python_player(name: str) -> Callable[[range], int]:
    game = ref_playouts.GAMES[name]
    return lambda seeds: sum(ref_playouts.playout(game)[0] for _ in seeds)


def spiel_players(name: str) -> dict[str, Callable[[range], int]]:
    """From Python, and in C++: one search of one simulation evaluates its root by n playouts."""
    try:
        import pyspiel
        from pyspiel_playouts import playout
    except ImportError:
        return {}
    game = pyspiel.load_game(name)
    rnd = random.Random(1)

    def in_cpp(seeds: range) -> int:
        evaluator = pyspiel.RandomRolloutEvaluator(len(seeds), 1)
        bot = pyspiel.MCTSBot(game, evaluator, 2.0, 1, 100, False, 1, False)
        bot.mcts_search(game.new_initial_state())
        return 0

    return {
        "spiel": lambda seeds: sum(playout(game, rnd)[0] for _ in seeds),
        "spiel c++": in_cpp,
    }


def measure_classic(name: str, secs: float, runs: int, plain_c: CPlayer | None) -> dict[str, Rate]:
    ruleset, spiel = CLASSICS[name]
    game = load(ROOT / "rulesets" / "classics" / f"{ruleset}.rules", backend="native")
    assert game.native is not None, "native code is compiled before the clock starts"
    ways: dict[str, Callable[[int], Rate]] = {
        "native": lambda run: rate(lambda s: native_decisions(game, s, 1), run * 10**9, secs),
        "reference": lambda run: rate(lambda s: reference_decisions(game, s), run * 10**9, secs),
        "python": lambda run: rate(python_player(name), 0, secs),
    }
    if plain_c is not None:
        ways["c"] = lambda run: plain_c(name, secs)
    for word, play in spiel_players(spiel).items():
        ways[word] = lambda run, play=play: rate(play, 0, secs)
    found: dict[str, list[Rate]] = {word: [] for word in ways}
    for run in range(runs):
        for word, play in ways.items():
            found[word].append(play(run))
    return {word: median(rates) for word, rates in found.items()}


def measure_game(game: Game, secs: float, runs: int, plain_c: CPlayer | None) -> dict[str, Rate]:
    assert game.native is not None, "native code is compiled before the clock starts"
    found: dict[str, list[Rate]] = {"native": [], "reference": []} | ({"c": []} if plain_c else {})
    for run in range(runs):
        first = run * 10**9
        found["native"].append(rate(lambda s: native_decisions(game, s, 1), first, secs))
        if plain_c is not None:
            found["c"].append(plain_c("connect_four", secs))
        found["reference"].append(rate(lambda s: reference_decisions(game, s), first, secs))
    return {word: median(rates) for word, rates in found.items()}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--secs", type=float, default=0.5)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--games", action="store_true")
    parser.add_argument("--states", action="store_true")
    parser.add_argument("--json", type=Path)
    parser.add_argument("names", nargs="*")
    given = parser.parse_args()
    whole = {path.stem: path for path in sorted((ROOT / "rulesets").glob("*.rules"))}
    if wrong := [name for name in given.names if name not in {*CLASSICS, *whole}]:
        parser.error(f"there is no {wrong[0]}; there are {', '.join([*CLASSICS, *whole])}")
    games = [name for name in whole if name in given.names or given.games]
    random.seed(1)
    plain_c = c_player()
    print(describe_machine())
    words = ["native", "c", "reference", "python", "spiel", "spiel c++"]
    print(f"{'playouts/s':14}" + "".join(f"{word:>12}" for word in words) + "   native to each")
    missed: list[str] = []
    slower: list[str] = []
    told: dict[str, dict[str, float]] = {}
    for name in [each for each in given.names or CLASSICS if each in CLASSICS]:
        rates = measure_classic(name, given.secs, given.runs, plain_c)
        told[name] = {word: each.playouts for word, each in rates.items()}
        native = rates["native"].playouts
        ratios = {word: native / each.playouts for word, each in rates.items()}
        missed += [f"{name}: {word}" for word, bar in BARS.items() if ratios.get(word, bar) < bar]
        if ratios.get("spiel c++", 1) < 1:
            slower.append(name)
        print(
            f"{name:14}"
            + "".join(f"{rates[word].playouts if word in rates else 0:12,.0f}" for word in words)
            + "   "
            + " ".join(f"{ratios.get(word, 0):.2f}" for word in words[1:]),
            flush=True,
        )
    if len(slower) > MOST_SLOWER:
        missed += [f"{name}: spiel c++" for name in slower]
    if games:
        print(f"\n{'decisions/s':18}{'native':>12}{'reference':>12}{'to c':>8}{'to ref':>8}")
    for path in [whole[name] for name in games]:
        rules = load(path).rules
        assert rules is not None
        for players in {rules.players[0], min(4, rules.players[1])}:
            game = load(path, players, backend="native")
            rates = measure_game(game, given.secs, given.runs, plain_c)
            native, reference = rates["native"].decisions, rates["reference"].decisions
            to_c = native / rates["c"].decisions if "c" in rates else DECISIONS_TO_C
            to_reference = native / reference
            name = f"{path.stem}, {players}"
            told[name] = {word: each.decisions for word, each in rates.items()}
            if to_c < DECISIONS_TO_C or to_reference < TO_REFERENCE:
                missed.append(name)
            print(
                f"{name:18}{native:12,.0f}{reference:12,.0f}{to_c:8.3f}{to_reference:8,.0f}",
                flush=True,
            )
    if given.states:
        print()
        missed += states.report(given.secs, given.runs)
    if given.json:
        given.json.write_text(json.dumps(told, indent=1), encoding="utf-8")
    if missed:
        print("missed:", ", ".join(missed))
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())

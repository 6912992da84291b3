"""Whole games: one of each mode word for word, and some of every sort with all tests on.

The campaign is a command: `rulerun soak rulesets/*.rules --games 1000`.
"""

import random
from pathlib import Path

import pytest
from conftest import Golden

from interpreter.cli.main import run
from interpreter.embedding import load
from interpreter.reading import read_rules, read_text
from interpreter.soak import soak
from interpreter.variants import Variant, variants

ROOT = Path(__file__).resolve().parent.parent
FOLDER = Path(__file__).parent / "cases" / "playthroughs"
GAMES = sorted((ROOT / "rulesets").glob("*.rules"))
VARIANTS = [(path, variant) for path in GAMES for variant in variants(read_rules(path))]
SEED = 11


def name(value: Path | Variant) -> str:
    return value.stem if isinstance(value, Path) else str(value)


def playthroughs() -> list[tuple[Path, Variant]]:
    """Each mode once, each with another number of players."""
    found: list[tuple[Path, Variant]] = []
    for path in GAMES:
        modes = list(dict.fromkeys(str(v.options) for p, v in VARIANTS if p == path))
        for number, mode in enumerate(modes):
            same = [v for p, v in VARIANTS if p == path and str(v.options) == mode]
            found.append((path, same[(2 * number + 1) % len(same)]))
    return found


@pytest.mark.parametrize(("path", "variant"), playthroughs(), ids=name)
def test_playthrough(path: Path, variant: Variant, golden: Golden) -> None:
    """What everybody sees of a game, and how it ended."""
    state = load(path, variant.players, variant.options).start(seed=SEED)
    choose = random.Random(SEED)
    while not state.is_over:
        seat = choose.choice(state.seats_to_act)
        state = state.apply(choose.choice(state.options(seat)), seat)
    ends = [f"scores {state.scores}", f"winners {[seat + 1 for seat in state.winners]}"]
    mode = "".join(f"-{value}" for value in variant.options.values())
    golden(
        FOLDER / f"{path.stem}-{variant.players}{mode}.txt", "\n".join([*state.log(), *ends, ""])
    )


@pytest.mark.parametrize(("path", "variant"), VARIANTS, ids=name)
def test_soak(path: Path, variant: Variant) -> None:
    played = list(soak(read_rules(path), variant, 1, SEED))
    assert [game.faults for game in played] == [()]


def test_games_promise_to_end() -> None:
    for path in GAMES:
        assert load(path).program.most_moves is not None, path.stem


# --- What soaking finds ---------------------------------------------------------------------

GAME = """
game "Race"
players 2
option laps: 1..9 = 3
the game has
    left: int = 3
action run(n in 1..2)
    left -= n
play
    turns
        choose run
        if left <= 0
            end game
{more}
"""


def faults(more: str) -> str:
    rules = read_text(GAME.format(more=more))
    games = soak(rules, Variant(2), 20, 0)
    return "; ".join(fault for game in games for fault in game.faults)


def test_native_games_are_tested_too() -> None:
    rules = read_text(GAME.format(more="ends within 3 moves"))
    by_steps = list(soak(rules, Variant(2), 60, 0))
    natively = list(soak(rules, Variant(2), 60, 0, every=10))
    assert by_steps == natively and not any(game.faults for game in natively)
    rules = read_text(GAME.format(more="ends within 2 moves"))
    assert sum(bool(game.faults) for game in soak(rules, Variant(2), 60, 0, every=60)) > 1


def test_a_good_game_has_no_faults() -> None:
    assert faults("ends within 3 moves\nscore p: left") == ""


def test_an_invariant_is_tested() -> None:
    assert "left is never negative" in faults('always left >= 0 "left is never negative"')


def test_a_promise_is_tested() -> None:
    assert "the rules promise at most 2" in faults("ends within 2 moves")


def test_a_breakdown_is_told() -> None:
    assert "RR602" in faults("score p: 1 div (left + 1)")


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "race.rules"
    path.write_text(GAME.format(more="ends within 2 moves"))
    assert run(["soak", str(path), "--games", "5"]) == 1
    assert "FAILED" in capsys.readouterr().out
    path.write_text(GAME.format(more="ends within 3 moves"))
    assert run(["soak", str(path), "--games", "5"]) == 0
    assert "Race, 2 players: 5 games" in capsys.readouterr().out
    path.write_text(GAME.format(more="score p: apples"))
    assert run(["soak", str(path)]) == 1
    assert "RR300" in capsys.readouterr().err

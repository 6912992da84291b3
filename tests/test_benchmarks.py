"""The benchmarks run; how fast anything is they tell only where nothing else is going on."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("llvmlite")
pytest.importorskip("pyspiel")

FOLDER = Path(__file__).parent / "benchmarks"
ROOT = FOLDER.parents[1]


@pytest.mark.parametrize(
    "script, given, columns",
    [
        ("native.py", ["tictactoe", "nozoku", "--runs", "1", "--secs", "0.01"], 5),
        ("search.py", ["tictactoe", "--runs", "1", "--number", "200"], 3),
        ("yardstick.py", ["ticTacToe", "--runs", "1", "--secs", "0.01"], 6),
        ("compiling.py", ["ticTacToe", "--runs", "1"], 5),
        ("beside.py", [str(ROOT), "ticTacToe", "--runs", "1", "--secs", "0.01"], 4),
        ("reference.py", ["tictactoe", "--runs", "1", "--secs", "0.05"], 3),
    ],
)
def test_a_table_is_printed(script: str, given: list[str], columns: int) -> None:
    found = subprocess.run(
        [sys.executable, str(FOLDER / script), *given], capture_output=True, text=True, check=False
    )
    assert found.returncode in (0, 1), found.stderr  # 1: too slow
    row = next(line for line in found.stdout.splitlines() if line.lower().startswith("tictactoe"))
    numbers = [float(each) for each in re.findall(r"[\d.]+", row.replace(",", ""))]
    assert len(numbers) >= columns
    assert numbers[0] > 0


def test_states_are_copied() -> None:
    sys.path.insert(0, str(FOLDER))
    import states

    found = states.measure_copies("classics/connectFour.rules", 0.01, 1)
    assert min(found.values()) > 0


@pytest.mark.parametrize("name", ["go", "chess", "quoridor"])
def test_the_word_and_the_trick_play_the_same_games(name: str) -> None:
    sys.path.insert(0, str(FOLDER))
    import words

    words.check_same(name, seed=0)
    assert min(words.compared(name, games=5, rounds=1)) > 0


def test_what_was_prepared_is_counted() -> None:
    sys.path.insert(0, str(FOLDER))
    import preparing

    game = preparing.load(preparing.find("ticTacToe"))
    asked, foreseen, shares = preparing.prepared(game, seed=0, person=0.01, think=0.005)
    assert asked >= max(1, foreseen) and shares <= foreseen


def test_nobody_does_better_than_the_best_answer() -> None:
    sys.path.insert(0, str(FOLDER))
    import ceilings

    # With one prize all is luck; with two cards the best answer is to match.
    assert ceilings.exact_goofspiel(2, 1) == 0.5
    assert ceilings.exact_goofspiel(2, 2) == 0.75
    assert sum(ceilings.random_turn(97, 100)) == pytest.approx(1)
    # To a goal of 2 the first roll that is no 1 wins, whatever anybody chooses.
    assert ceilings.exact_pig(2, 2) == pytest.approx(0.5)
    for players in (2, 3, 4):
        low, high = ceilings.bounds_of_pig(12, players)
        assert 1 / players < low < ceilings.exact_pig(12, players) < high < 1
    # A column joins the rows, which the first player is to join; and who begins on so small a board
    # wins for sure, seen or not.
    assert ceilings.joined_edges(0b010_010_010, True)
    assert not ceilings.joined_edges(0b010_010_010, False)
    assert ceilings.HiddenBoard(ceilings.joined_edges, True).share() == pytest.approx(1)


def test_claims_beyond_the_best_answer_are_not_made() -> None:
    sys.path.insert(0, str(FOLDER))
    import strength

    found = {
        (claim.game, claim.players): claim.share
        for claim in strength.claims(["random"], ["phantomTicTacToe", "darkHex", "goofspiel"])
    }
    assert found["darkHex", 2] == found["goofspiel", 2] == 0.9
    assert found["phantomTicTacToe", 2] == 0.844

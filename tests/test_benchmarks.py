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


@pytest.mark.parametrize(
    "script, given, columns",
    [
        ("native.py", ["tictactoe", "nozoku", "--runs", "1", "--secs", "0.01"], 5),
        ("search.py", ["tictactoe", "--runs", "1", "--number", "200"], 3),
        ("yardstick.py", ["ticTacToe", "--runs", "1", "--secs", "0.01"], 6),
        ("compiling.py", ["ticTacToe", "--runs", "1"], 5),
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

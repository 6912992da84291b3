"""Many games in numpy arrays: native steps are those of the reference machine, byte for byte."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

from interpreter.adapters.example import learn
from interpreter.adapters.vector import Vector
from interpreter.embedding import load, load_text

pytest.importorskip("llvmlite")

ROOT = Path(__file__).resolve().parent.parent
RULESETS = sorted((ROOT / "rulesets").glob("*.rules")) + sorted(
    (ROOT / "rulesets" / "classics").glob("*.rules")
)
ARRAYS = ("observation", "mask", "reward", "done", "seat", "error")
CONNECT_FOUR = ROOT / "rulesets" / "classics" / "connectFour.rules"
sys.path.insert(0, str(Path(__file__).parent / "benchmarks"))


@pytest.mark.parametrize("path", RULESETS, ids=lambda path: path.stem)
def test_both_machines_step_alike(path: Path) -> None:
    native = Vector(load(path, backend="native"), 3, seed=5)
    plain = Vector(load(path, backend="reference"), 3, seed=5)
    for step in range(12):
        for name in ARRAYS:
            assert getattr(native, name).tobytes() == getattr(plain, name).tobytes(), (name, step)
        actions = native.sample().copy()
        assert actions.tobytes() == plain.sample().tobytes()
        native.step(actions)
        plain.step(actions)


@pytest.mark.parametrize("name", ["classics/kuhnPoker", "classics/goofspiel", "classics/nim"])
def test_games_that_are_over_begin_anew(name: str) -> None:
    path = ROOT / "rulesets" / f"{name}.rules"
    native, plain = (Vector(load(path, backend=each), 4) for each in ("native", "reference"))
    ended = 0
    for _ in range(60):
        actions = native.sample().copy()
        native.step(actions)
        plain.step(actions)
        ended += int(native.done.sum())
        assert not native.reward[~native.done].any()
        for array in ARRAYS:
            assert getattr(native, array).tobytes() == getattr(plain, array).tobytes()
    assert ended > 4


def test_the_number_of_threads_changes_nothing() -> None:
    game = load(CONNECT_FOUR)
    one, three = Vector(game, 50, seed=3), Vector(game, 50, seed=3, threads=3)
    for _ in range(30):
        one.step(one.sample())
        three.step(three.sample())
    for name in ARRAYS:
        assert getattr(one, name).tobytes() == getattr(three, name).tobytes()


def test_arrays_keep_their_place() -> None:
    games = Vector(load(CONNECT_FOUR), 2)
    before = [getattr(games, name) for name in ARRAYS]
    games.step(games.sample())
    assert all(getattr(games, name) is array for name, array in zip(ARRAYS, before, strict=True))


@pytest.mark.parametrize("backend", ["native", "reference"])
def test_what_is_not_offered_is_told(backend: str) -> None:
    games = Vector(load(CONNECT_FOUR, backend=backend), 2)  # type: ignore[arg-type]
    top, free = np.flatnonzero(games.mask[0] == 0)[0], np.flatnonzero(games.mask[0])[0]
    before = games.observation.copy()
    with pytest.raises(ValueError, match=rf"action {top} \(drop\(cell: .*\)\) is not offered in"):
        games.step([top, free])
    assert (games.observation[0] == before[0]).all() and (games.observation[1] != before[1]).any()
    for wrong in (-1, 1 << 40):
        with pytest.raises(ValueError, match=f"action {wrong} is not offered in game 0"):
            games.step([wrong, np.flatnonzero(games.mask[1])[0]])


BREAKS = """game "Breaks"
players 2

the game has
    n: int

action stay "stay"

action fail "fail"
    n := 1 div n

play
    turns
        choose stay or fail
"""


@pytest.mark.parametrize("backend", ["native", "reference"])
def test_rules_that_break_down_end_the_game(backend: str) -> None:
    games = Vector(load_text(BREAKS, backend=backend), 2)  # type: ignore[arg-type]
    fail = next(each for each in range(2) if games.action_text(each) == "fail")
    games.step([fail, 1 - fail])
    assert games.done.tolist() == [True, False]
    assert [games.code_of(int(error)) for error in games.error] == ["RR602", None]
    assert not games.reward.any()


def test_wrong_numbers_are_refused() -> None:
    with pytest.raises(ValueError, match="at least one game, not 0"):
        Vector(load(CONNECT_FOUR), 0)


@pytest.mark.parametrize(
    "name, rounds, games", [("classics/connectFour", 24, 128), ("queenRun", 6, 48)]
)
def test_the_example_learns(name: str, rounds: int, games: int) -> None:
    curve = learn(load(ROOT / "rulesets" / f"{name}.rules"), rounds=rounds, games=games)
    third = rounds // 3
    assert np.mean(curve[-third:]) > np.mean(curve[:third]) + 0.25, curve


def test_it_is_fast_beside_others() -> None:
    """With much allowance: what must hold is measured by the benchmark itself."""
    pytest.importorskip("pyspiel")
    pytest.importorskip("pettingzoo")
    import vectors

    found = vectors.measure(secs=0.1, count=512)
    assert found.ours > 5 * found.zoo
    assert found.ours > found.spiel

"""Whatever goes wrong in native code is told as the reference machine tells it, never a crash.

The programs run on their own, so that a crash is seen as one.
"""

from __future__ import annotations

import subprocess
import sys
from array import array
from pathlib import Path

import pytest
from hostile.troubles import troubles

from interpreter.embedding import load, load_text
from interpreter.play.native.engine import Engine
from interpreter.program.layout import CHANCE, MOVES, STATUS, STEPS, STOP_AT_CHANCE, TOTAL_STEPS

pytest.importorskip("llvmlite")

HOSTILE = Path(__file__).parent / "hostile"
RULESETS = Path(__file__).parents[1] / "rulesets"


def run(program: str, *given: object) -> str:
    done = subprocess.run(
        [sys.executable, HOSTILE / program, *map(str, given)],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, f"exit {done.returncode}\n{done.stdout[-2000:]}{done.stderr}"
    return done.stdout


# ---- what was found in this way

FAILING = {
    "a count beyond all numbers": "v := count(y in 2..9223372036854775807 where y = x)",
    "a count that is not known before": "v := count(y in x..w where y = x)",
    "rounds beyond all numbers": "repeat w times\n            v := x",
    "a range from end to end": "v := count(y in 0 - w..w where y = x)",
    "two long counts": "v := count(y in 1..600000) + count(z in 1..600000 where z > x)",
    "a loop without end": "repeat while v >= 0\n            v := x",
    "a sum too big": "v := w + x + x",
}


@pytest.mark.parametrize("line", FAILING.values(), ids=FAILING)
def test_a_game_breaks_down_alike_on_both_machines(line: str) -> None:
    """With the same code, at the same spot, after as many steps."""
    text = (
        'game "T"\nplayers 2\nthe game has\n    v: int\n    w: int = 9223372036854775806\n'
        f"play\n    turns\n        me chooses x in 1..2\n        {line}\n        v := 0\n"
    )
    reference = load_text(text, backend="reference").playouts(range(4))
    engine = engine_of(text)
    assert all(result.failure for result in reference)
    assert engine.results(engine.playouts(range(4))) == reference


def test_a_value_in_a_range_takes_no_steps() -> None:
    """However long the range: its ends are looked at, and its step."""
    text = (
        'game "T"\nplayers 2\nenum Hue: red, green, blue, black\n'
        "the game has\n    v: int\n    n: int or none\n    h: Hue or none\n"
        "function far(x: int): bool = x in 2..9223372036854775807\n"
        "play\n    for each k in 0 - 12..12\n        v := (v * 3 + 1) mod 1000003\n"
        "        n := (none if k mod 5 = 0 else k)\n"
        "        h := (none if k mod 3 = 0 else green if k mod 3 = 1 else black)\n"
        "        if far(k)\n            v += 1\n"
        "        if k in 0 - 7..9 step 1 + abs(k) mod 4\n            v += 2\n"
        "        if n in 0 - 3..3\n            v += 3\n"
        "        if h in red..blue\n            v += 4\n"
        "        if k in 5..0 - 5\n            v += 5\n"
        "    for each p in players\n        p chooses x in 1..2\n    nobody wins\n"
    )
    expected = 0
    for k in range(-12, 13):
        expected = (expected * 3 + 1) % 1000003
        expected += 1 * (k >= 2)
        expected += 2 * (-7 <= k <= 9 and (k + 7) % (1 + abs(k) % 4) == 0)
        expected += 3 * (k % 5 != 0 and -3 <= k <= 3)
        expected += 4 * (k % 3 == 1)
    game = load_text(text)
    state = game.start(1)
    assert state.buffer[game.program.layout.variables[0].address] == expected
    engine = engine_of(text)
    assert engine.start(1) == state.buffer
    assert state.buffer[STEPS] + state.buffer[TOTAL_STEPS] < 1_000


def engine_of(text: str) -> Engine:
    return Engine(load_text(text).program, cached=False, level=0)


def test_what_is_no_state_is_refused() -> None:
    engine = Engine(load(RULESETS / "classics" / "nim.rules").program, cached=False, level=0)
    good = engine.start(1)
    outside = good.copy()
    (sticks,) = engine.program.layout.variables
    outside[sticks.address] = sticks.type.high + 1
    for bad in (outside, good[:-1], [*good, 0], array("q", good[:-1])):
        with pytest.raises(ValueError, match="no state"):
            engine.options(bad)
        with pytest.raises(ValueError, match="no state"):
            engine.playout(bad, 1)


def test_looking_at_options_changes_nothing() -> None:
    engine = engine_of(LOOKS_AHEAD)
    start = engine.start(1)
    state = array("q", start)
    options = engine.options(state)
    assert list(state) == start and start[STEPS] > 0
    engine.take(state, options[1])
    states = array("q", start)
    assert list(engine.take_many(states, [1])) == [0]
    assert states == state


LOOKS_AHEAD = """game "T"
players 2
each player has
    gold: int = 1
action pay(n in 1..2)
    when can (spend(me))
    me.gold -= n
procedure spend(p: Player)
    p chooses n in 1..3
    p.gold -= n
play
    turns
        choose pay
        if me.gold < 0
            spend(me)
            end game
"""


def test_a_bad_state_at_a_stop_for_chance_is_refused() -> None:
    program = load(RULESETS / "classics" / "trickTaking.rules").program
    engine = Engine(program, cached=False, level=0)
    states = array("q", engine.start(1, STOP_AT_CHANCE))
    assert states[STATUS] == CHANCE
    states[MOVES] = -1
    assert list(engine.count_options(states)) == [-1]
    with pytest.raises(ValueError, match="state 0 is no state of this game"):
        engine.take_many(states, [1 << 50])


# ---- by the hundred


def test_some_troubles_are_told_the_same() -> None:
    told = run("troubles.py", "--level", 0, "--step", 45, "--first", 4, "--games", 2)
    assert len(told.splitlines()) >= 20
    assert all(code in told for code in ("RR601", "RR602", "RR604", "RR608", "RR611", "RR613"))


@pytest.mark.slow
@pytest.mark.parametrize("level", [0, 2])
def test_all_troubles_are_told_the_same(level: int) -> None:
    told = run("troubles.py", "--level", level)
    for code in range(601, 616):
        assert code == 610 or f"RR{code} " in told  # there is no 610


def test_there_are_many_troubles() -> None:
    assert len({trouble.name for trouble in troubles()}) >= 900


@pytest.mark.parametrize("name", ["nim", "trickTaking", "goofspiel", "pig", "reversi"])
def test_a_few_bad_states_do_no_harm(name: str) -> None:
    told = run("states.py", "--level", 0, "--rounds", 150, RULESETS / "classics" / f"{name}.rules")
    assert "options refused" in told and "take many" in told


@pytest.mark.slow
@pytest.mark.parametrize("level", [0, 2])
def test_bad_states_do_no_harm(level: int) -> None:
    run("states.py", "--level", level, "--rounds", 2000)

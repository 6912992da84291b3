"""What walks, trials and histories do, on rulesets small enough to check by hand.

Each is played on both machines, which must agree on every cell.
"""

from __future__ import annotations

import textwrap

import pytest
from differential import compare

import interpreter
from interpreter.embedding import Game, State
from interpreter.play.native.engine import Engine

pytest.importorskip("llvmlite")

HEAD = 'game "Test"\nplayers 2\n'


def game(text: str) -> Game:
    """The same on both machines."""
    found = interpreter.load_text(HEAD + textwrap.dedent(text), players=2)
    compare(found.program, Engine(found.program, cached=False, level=1), 2)
    return found


def values(text: str, names: str) -> list[str]:
    """What the variables hold at the end of a game that asks nobody."""
    state = game(text).start(seed=1)
    assert state.is_over, state.options()
    return held(state, names)


def held(state: State, names: str) -> list[str]:
    found = {v.member: v.value for v in state.view(None).variables if not v.index_words}
    return [str(found[name]) for name in names.split()]


# ---- until


def test_until_includes_the_first_that_satisfies_it() -> None:
    text = """
        board Grid: square 5 by 1
        each Grid has
            piece: Player or none
        the game has
            a, b, c, d, e, f: int
        group seen(from: Grid) = x in ray(from, east) until x.piece is not none
        play
            c1.piece := P1
            d1.piece := P2
            a := count(x in ray(a1, east) until x.piece is not none)
            b := count(x in ray(a1, east) until x.piece is not none where x.piece is P1)
            c := count(x in ray(d1, east) until x.piece is not none)
            d := count(x in seen(a1) where x.piece is none)
            e := sum(x * x for x in 1..9 until x = 3)
            f := max(x.column for x in seen(c1))
    """
    assert values(text, "a b c d e f") == ["2", "1", "1", "1", "14", "4"]


def test_until_is_looked_at_when_its_turn_comes() -> None:
    """Before the pass it is the last of, whatever happens in that pass: `skip` leaves it early."""
    text = """
        kind Card: 1..5
        the game has
            row1: row of Card, holds all
            away: row of Card
            passes, late, left: int
            stop1: int = 3
        play
            for each n in 1..9 until n >= stop1
                passes += 1
                if n = 3
                    skip
                stop1 := 3
            for each n in 1..9 until late > 0
                late += n
                stop1 := 0
            for each c in row1 until c.value = 3
                if c.value = 3
                    skip
                move c to away
            left := number of row1
    """
    assert values(text, "passes late left") == ["3", "3", "3"]


def test_until_ends_loops_in_which_somebody_is_asked() -> None:
    text = """
        the game has
            asked: int
        play
            for each n in 1..9 until n = 2
                for each p in players
                    p chooses m in n .. n + 1 "{m}"
                    asked += 1
                if n = 2
                    skip
                asked += 10
    """
    state = game(text).start(seed=1)
    decisions = 0
    while not state.is_over:
        state = state.apply(state.options()[0])
        decisions += 1
    assert decisions == 4
    assert held(state, "asked") == ["14"]


def test_until_offers_the_first_blocker_and_nothing_behind_it() -> None:
    text = """
        board Grid: square 5 by 1
        each Grid has
            piece: Player or none
        action slide(to in ray(a1, east) until to.piece is not none) "to {to}"
            end game
        setup
            c1.piece := P1
        play
            turns
                choose slide
    """
    state = game(text).start(seed=1)
    assert [str(option) for option in state.options()] == ["slide(to: b1)", "slide(to: c1)"]

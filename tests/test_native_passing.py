"""Rounds in which nothing is done are passed over, all at once: see facts/passing.py.

As in test_native_shortcuts.py: that is done on a tiny ruleset, and not on others, as like it as can
be, on which it would be wrong. Then both machines come to the same.
"""

from __future__ import annotations

import pytest
from differential import compare

import interpreter
from interpreter import limits
from interpreter.play.native.engine import Engine
from interpreter.play.native.facts.passing import Passed, find_passed
from interpreter.program.program import Program

RULES = """
game "T"
players 2

board Spot: line 5

kind Duck: a, b, c, d, e, f, g

the game has
    total: 0..1000
    last: Duck or none

each Duck has
    spot: Spot or none
    tired: bool

each player has
    favourite: Duck or none

play
    repeat 6 times
        for each p in players
            p chooses go or rest
    nobody wins

procedure visit(p: Player, x: Duck, s: Spot)
    for each y in Duck where {condition}
        p chooses
            greet
                total := total mod 900 + 1
            leave1
                y.spot := none
            send(other in Spot)
                y.spot := other
        last := y

action go(x in Duck, s in Spot)
    x.spot := s
    {around}
    me.favourite := x

action rest(x in Duck)
    x.tired := not x.tired
"""


LOOKING = "looking ahead\n        visit(me, x, s)"
TWICE = "visit(me, x, s)\n    visit(me, x, s)"


def source(condition: str, around: str = "visit(me, x, s)") -> str:
    return RULES.replace("{condition}", condition).replace("{around}", around)


TAKEN = [
    "y.spot is s",
    "y is not x and y.spot is s",
    "y.spot is s and y is x",
    "y is not last and y.spot is not s",
    "y is last and y.spot is none",
]
NOT_TAKEN = [
    "y.spot is x.spot",  # what is compared with is not a cell that is known before
    "y.spot is s or y is x",
    "y.spot is s and y.tired",
    "count(z in Duck where z.spot is y.spot) > 1",
    "y is not x",  # nothing tells how many rounds there can be
]


def passed_in(program: Program) -> list[Passed]:
    found = [find_passed(program, pc) for pc in range(len(program.code))]
    return [each for each in found if each is not None]


@pytest.mark.parametrize("condition", TAKEN)
def test_rounds_are_passed_over(condition: str) -> None:
    (passed,) = passed_in(interpreter.load_text(source(condition)).program)
    assert passed.rounds == 7


@pytest.mark.parametrize("condition", NOT_TAKEN)
def test_other_conditions_are_asked_round_by_round(condition: str) -> None:
    assert passed_in(interpreter.load_text(source(condition)).program) == []


@pytest.mark.parametrize("condition", [*TAKEN, *NOT_TAKEN])
@pytest.mark.parametrize("around", ["visit(me, x, s)", LOOKING])
def test_both_machines_come_to_the_same(condition: str, around: str) -> None:
    """Also in trials, and where the body changes what the condition asks for."""
    program = interpreter.load_text(source(condition, around)).program
    assert compare(program, Engine(program, cached=False, level=1), 4).decisions


@pytest.mark.parametrize("most", range(150, 300, 15))
def test_where_steps_run_out_both_fail_at_the_same_spot(
    most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "STEPS_PER_MOVE", most)
    program = interpreter.load_text(source("y.spot is s and y is not x", TWICE)).program
    assert compare(program, Engine(program, cached=False, level=1), 4).failures

"""Slots that are gone through for pieces of a sort: see facts/slotted.py.

As in test_native_shortcuts.py: that is done on a tiny ruleset, and not on another, as like it as
can be, on which it would be wrong. Then both machines come to the same, in as many steps.
"""

from __future__ import annotations

import pytest
from differential import compare

import interpreter
from interpreter import limits
from interpreter.embedding import Game
from interpreter.play.native.facts.slotted import Slotted, find_slotted
from interpreter.program import ops
from interpreter.program.touches import operations

RULES = """
game "T"
players 2

board Grid: square 4 by 4

kind Man: owner in Player by value in 1..6
kind Stone: 1..80

the game has
    total: int
    bag: set of Man, holds all
    stones: set of Stone, holds all

each player has
    hand: row of Man

each Grid has
    man: slot of Man
    spare: slot of Man
    pile: row of Man
    stone: slot of Stone
    toll: 0..3

function holds(p: Player, n: int): bool = {question}

action put(c in Grid, m in bag)
    when number of c.man = 0 and m.owner is me
    when not holds(me, m.value) or total > 20
    move m to c.man

action go(from in Grid, to in neighbours(from))
    when number of from.man = 1 and number of to.man = 0 and not holds(next(me), 9)
    move from.man to to.man

action lay(c in Grid)
    when number of c.man = 1 and number of c.spare = 0
    move c.man to c.spare
    c.toll := 2

action pick1(c in Grid)
    when number of c.spare = 1
    move c.spare to me.hand

action wait
    total += 1

play
    turns
        if total > 30
            nobody wins
        choose
            put
            go
            lay
            pick1
            wait
        {often}total += (2 if holds(me, 3) else 1)
"""
SOME = "any(c in Grid where number of c.man = 1 and c.man.owner is p)"
ONE = "any(c in Grid where number of c.man = 1 and c.man.owner is p and c.man.value = n)"
OTHER = "any(c in Grid where number of c.spare = 1 and c.spare.owner is not p)"
MANY = "count(c in Grid where number of c.man = 1 and c.man.owner is p and c.man.value != n) > 1"
QUESTIONS = [SOME, ONE, OTHER, MANY]


def game(question: str, often: str = "") -> Game:
    text = RULES.replace("{question}", question).replace("{often}", often)
    return interpreter.load_text(text, backend="native")


def slotted(question: str) -> Slotted | None:
    program = game(question).program
    body = next(each.body for each in program.functions if each.name == "holds")
    loop = next(op for op in operations(body) if isinstance(op, ops.CountLoop))
    return find_slotted(program, loop)


@pytest.mark.parametrize("question", QUESTIONS)
def test_pieces_are_asked_where_they_lie(question: str) -> None:
    found = slotted(question)
    assert found is not None and (found.pieces, found.slots) == (12, 16)


def test_other_slots_are_others() -> None:
    one, two = slotted(SOME), slotted(OTHER)
    assert one is not None and two is not None and abs(one.first - two.first) >= 16


@pytest.mark.parametrize(
    "question",
    [
        SOME.replace("number of c.man = 1", "number of c.pile = 1").replace("c.man", "top(c.pile)"),
        SOME.replace("is p", "is p and c.toll = 2"),  # the slot matters
        ONE.replace("= n", "= c.row"),
        ONE.replace("= n", "= n + total"),  # it may become too big
        ONE.replace("value = n", "value > n"),
        SOME.replace(
            "number of c.man = 1 and", "number of c.spare = 1 and number of c.man = 1 and"
        ),
        "every(c in Grid has number of c.man = 1 and c.man.owner is p)",
        "any(c in Grid where number of c.stone = 1 and c.stone.value = n)",  # there are too many
        "any(c in Grid where number of c.man = 1)",
    ],
)
def test_not_what_goes_by_the_slot_or_asks_something_else(question: str) -> None:
    assert slotted(question) is None


@pytest.mark.parametrize("question", QUESTIONS)
def test_both_machines_come_to_the_same(question: str) -> None:
    found = game(question)
    assert found.native is not None
    assert compare(found.program, found.native, 5).decisions


@pytest.mark.parametrize("question", [ONE, MANY])
def test_where_steps_run_out_both_fail_at_the_same_spot(question: str) -> None:
    often = f"repeat {limits.STEPS_PER_MOVE // 18} times\n            if holds(P1, 2)\n"
    found = game(question, f"{often}                total += 0\n        ")
    assert found.native is not None
    assert compare(found.program, found.native, 1).failures

"""Short functions are put in the place where they are called, to find patterns: facts/in_place.py.

As in test_native_shortcuts.py: that is done on a tiny ruleset, and not on another, as like it as
can be, on which it would be wrong. Then both machines offer the same.
"""

from __future__ import annotations

import pytest
from differential import compare

import interpreter
from interpreter.embedding import Game
from interpreter.play.native.emit.code import Unit
from interpreter.play.native.facts.in_place import with_calls_in_place
from interpreter.play.native.facts.sets import find_sets
from interpreter.program import ops
from interpreter.program.program import Program
from interpreter.program.touches import operations

RULES = """
game "T"
players 2

board Grid: square 4 by 4

the game has
    total: int

each Grid has
    stone: Player or none

function isFree(c: Grid) = c.stone is none
function hasRoom(c: Grid): bool = any(x in neighbours(c) where x.stone is none)
function cases(c: Grid): bool
    no if c.row = 1
    hasRoom(c) otherwise
function depth(c: Grid, n: int): bool = n = 0 or depth(c, n - 1)
function other(c: Grid): bool = any(x in neighbours(c) where isFree(x))
function alive(c: Grid) = {alive}

procedure put(c: Grid, p: Player)
    c.stone := p
    for each x in neighbours(c) where x.stone is next(p)
        if not alive(x)
            x.stone := none

action place(c in Grid)
    when c.stone is none
    when (alive(c) after put(c, me))
    put(c, me)
    total += 1

play
    turns
        choose
            place
            otherwise
                end game
        if total > 40
            end game

score p: count(c in Grid where c.stone is p)
"""
CHAIN = "any(x in region(c through y where y.stone is c.stone) where {})"


def game(asked: str) -> Game:
    return interpreter.load_text(RULES.replace("{alive}", CHAIN.format(asked)), backend="native")


def alive(found: Program) -> int:
    return next(n for n, each in enumerate(found.functions) if each.name == "alive")


@pytest.mark.parametrize(
    ("asked", "calls"),
    [
        ("hasRoom(x)", 0),
        ("other(x)", 0),  # and what it calls
        ("cases(x)", 1),
        ("depth(x, 3)", 1),  # once, and not in itself
        ("step(x, north) is not none and hasRoom(step(x, north))", 1),
    ],
)
def test_functions_of_one_expression_are_put_in_place(asked: str, calls: int) -> None:
    found = game(asked).program
    body = with_calls_in_place(found, found.functions[alive(found)].body)
    assert sum(isinstance(op, ops.Call) for op in operations(body)) == calls


@pytest.mark.parametrize(("asked", "as_sets"), [("hasRoom(x)", True), ("cases(x)", False)])
def test_what_lies_beside_a_group_may_be_asked_by_a_function(asked: str, as_sets: bool) -> None:
    found = game(asked).program
    number = alive(found)
    assert find_sets(found, number) is None  # where steps are counted, a call takes one
    assert (find_sets(found, number, counting=False) is not None) == as_sets
    assert (Unit(found).watched.functions[number].sets is not None) == as_sets


@pytest.mark.parametrize(
    "asked", ["hasRoom(x)", "other(x)", "cases(x)", "isFree(step(x, north)) or hasRoom(x)"]
)
def test_both_machines_offer_the_same(asked: str) -> None:
    if "step" in asked:
        asked = f"step(x, north) is not none and ({asked})"
    found = game(asked)
    assert found.native is not None
    assert compare(found.program, found.native, 8).decisions

"""Floods that are begun again find what was found before: see facts/again.py.

As in test_native_shortcuts.py: that is done on a tiny ruleset, and not on another, as like it as
can be, on which it would be wrong. Then both machines come to the same, in as many steps.
"""

from __future__ import annotations

import pytest
from differential import compare
from test_native_shortcuts import code_of

import interpreter
from interpreter import limits
from interpreter.embedding import Game
from interpreter.play.native.facts.again import find_again
from interpreter.program.program import Program

RULES = """
game "T"
players 2

board Grid: square 4 by 4

the game has
    total: int

each Grid has
    stone: Player or none
    toll: 0..9

procedure put(c: Grid)
    c.stone := P1

function mine(c: Grid) = c.stone is P1

procedure look(c: Grid, p: Player)
    {look}

action place(c in Grid)
    when c.stone is none
    c.stone := me
    look(c, me)

action other(n in 1..2)
    total += n

play
    turns
        choose place or other
        if total > 40
            end game

score p: total
"""
MINE = "region(c through y where y.stone is p)"
ALIKE = f"total += count(x in {MINE} where x.row = 1) - count(z in {MINE} where z.toll = 2)"
INNER = f"any(x in {MINE} where x is w)"
STAYS = f"total += count(w in Grid where {INNER})"
MOVES = (
    "total += count(w in Grid where any(x in region(w through y where y.stone is p) where x is c))"
)
OTHERS = f"total += count(x in {MINE}) + count(x in region(c through y where y.stone is not p))"
WRITES = (
    f"for each w in Grid where w.stone is none and {INNER.replace('x is w', 'w in neighbours(x)')}"
)
OWN = "region(c through y where mine(y))"
CALLS = f"total += count(x in {OWN}) - count(x in {OWN} where x.row = 2)"


def game(look: str) -> Game:
    return interpreter.load_text(RULES.replace("{look}", look), backend="native")


def kept(found: Program, *, free: bool = False) -> int:
    """How many floods may find what another found."""
    body = next(each.body for each in found.functions if each.name == "look")
    return sum(len(again.floods) for again in find_again(found, body, free=free))


@pytest.mark.parametrize(
    ("look", "floods"),
    [
        (ALIKE, 2),
        (STAYS, 1),
        (CALLS, 2),
        (f"{WRITES}\n        w.stone := p", 1),
        (MOVES, 0),
        (OTHERS, 0),
        (f"total += count(x in {MINE}) + (count(x in {MINE}) after put(c))", 0),
    ],
)
def test_what_was_found_is_kept_for_floods_that_spread_alike(look: str, floods: int) -> None:
    assert kept(game(look).program) == floods


def test_where_nobody_counts_steps_a_flood_ends_early_unless_a_loop_begins_it_again() -> None:
    assert kept(game(ALIKE).program, free=True) == 0
    assert kept(game(STAYS).program, free=True) == 1


@pytest.mark.parametrize(
    "look",
    [
        ALIKE,
        STAYS,
        CALLS,
        MOVES,
        OTHERS,
        f"{WRITES}\n        w.stone := p",
        f"{WRITES}\n        put(w)",
        f"{ALIKE}\n    c.stone := next(p)\n    {ALIKE}",
        f"{ALIKE}\n    for each x in {MINE}\n        x.stone := next(p)\n    {ALIKE}",
        f"for each q in players\n        {ALIKE.replace('is p)', 'is q)')}",
        f"for each w in neighbours(c)\n        total += count(x in {MINE})\n        w.stone := p",
    ],
)
def test_both_machines_come_to_the_same(look: str) -> None:
    found = game(look)
    assert found.native is not None
    assert compare(found.program, found.native, 6).decisions


def test_only_plain_conditions_are_asked_of_all_neighbours_without_a_jump() -> None:
    plain, calling = game(ALIKE).program, game(CALLS).program
    number = next(n for n, each in enumerate(plain.functions) if each.name == "look")
    assert "xor i8" in code_of(f"f{number}", plain)
    assert "xor i8" not in code_of(f"f{number}", calling)


@pytest.mark.parametrize("look", [ALIKE, STAYS, f"total -= count(x in {MINE})"])
def test_where_steps_run_out_both_fail_at_the_same_spot(look: str) -> None:
    often = limits.STEPS_PER_MOVE // 40
    found = game(f"repeat {often} times\n        {look}")
    assert found.native is not None
    assert compare(found.program, found.native, 1).failures

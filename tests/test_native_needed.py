"""Rounds that nothing can come of are passed over, also where a function says so: facts/needed.py.

As in test_native_shortcuts.py: that is done on a tiny ruleset, and not on another, as like it as
can be, on which it would be wrong. Then both machines offer the same, and fail alike.
"""

from __future__ import annotations

import pytest
from differential import compare

import interpreter
from interpreter.embedding import Game
from interpreter.play.native.facts.needed import Needed, find_needed
from interpreter.play.native.facts.ranges import Ranges
from interpreter.play.native.facts.shape import steps_of
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
    owner: Player or none
    toll: 0..9
    open: bool = yes

function owns(p: Player, c: Grid): bool = c.owner is p and c.toll < 7
function may(p: Player, c: Grid, d: GridDirection): bool
    no if not owns(p, c)
    no if step(c, d) is none
    step(c, d).owner is not p otherwise
function ahead(p: Player, c: Grid, d: GridDirection): bool
    no if step(c, d) is none
    step(c, d).owner is p otherwise
function risky(p: Player, c: Grid, d: GridDirection): bool
    no if 7 div c.toll > position(d)
    c.owner is p otherwise
function deeper(p: Player, c: Grid, n: int): bool
    c.owner is p if n = 0
    deeper(p, c, n - 1) otherwise
function where1(c: Grid, d: GridDirection): bool
    no if not c.open
    no if c.owner is none
    count(x in ray(c, d)) > 1 otherwise

setup
    for each c in Grid where c.row < 3
        c.owner := Player[c.row]
        c.toll := c.column {toll}

action try1(c in Grid, d in GridDirection)
    when {condition}
    c.owner := next(me)
    c.open := no
    total += 1

function crowd(p: Player): int = {crowd}

action other(n in 1..2)
    total += n + crowd(me) - crowd(me)

play
    turns
        choose try1 or other
        if total > 20
            end game

score p: total
"""


def game(condition: str, toll: str = "", crowd: str = "0") -> Game:
    text = RULES.replace("{condition}", condition).replace("{toll}", toll)
    text = text.replace("{crowd}", crowd)
    text = text.replace("Player[c.row]", "players[c.row]")
    return interpreter.load_text(text, backend="native")


def needed(found: Program) -> list[Needed]:
    """By the rounds of the first loop over all cells in what makes the options."""
    body = found.functions[found.menus[0].entries[0].generator].body
    loop = next(op for op in operations(body) if isinstance(op, ops.CountLoop))
    steps = steps_of(found)
    return find_needed(steps, loop, Ranges(steps.cells, body, 0), deep=False)


@pytest.mark.parametrize(
    ("condition", "contents"),
    [
        ("may(me, c, d)", 1),
        ("where1(c, d)", 2),
        ("any(e in GridDirection where may(me, c, e)) and step(c, d) is not none", 1),
        ("ahead(me, c, d)", 0),  # of another cell
        ("risky(me, c, d)", 0),  # something may fail before
        ("not may(me, c, d)", 0),
        ("may(me, c, d) or c.toll = 3", 0),
        ("deeper(me, c, position(d))", 0),
    ],
)
def test_what_a_round_needs_is_found_where_it_is_asked_first(condition: str, contents: int) -> None:
    assert len(needed(game(condition).program)) == contents


@pytest.mark.parametrize(
    "condition",
    [
        "may(me, c, d)",
        "where1(c, d)",
        "ahead(me, c, d)",
        "not may(me, c, d) and c.row < 3",
        "may(me, c, d) or c.toll = 3",
        "any(x in Grid, e in GridDirection where may(me, x, e)) and may(next(me), c, d)",
        "every(x in Grid has where1(x, d)) or where1(c, d)",
        "deeper(me, c, position(d))",
    ],
)
def test_both_machines_offer_the_same(condition: str) -> None:
    found = game(condition)
    assert found.native is not None
    assert compare(found.program, found.native, 6).decisions


COUNT = "count(c in Grid, d in GridDirection where {})"
FOUND = "(1 if any(c in Grid, d in GridDirection where {}) else 0)"


@pytest.mark.parametrize(
    ("crowd", "steps"),
    [
        ("count(c in Grid where c.owner is p and any(d in GridDirection where may(p, c, d)))", 0),
        (COUNT.format("c.owner is p and may(p, c, d)"), 8),
        (COUNT.format("may(p, c, d)"), 24),  # two calls each
        (FOUND.format("may(p, c, d)"), 24),
        (COUNT.format("step(c, d) is not none and may(p, c, d)"), None),  # not asked first
        (COUNT.format("c.owner is not p and may(next(p), c, d)"), 8),
    ],
)
def test_where_steps_are_counted_rounds_are_paid_that_are_passed_over(
    crowd: str, steps: int | None
) -> None:
    found = game("may(me, c, d)", crowd=crowd)
    program = found.program
    body = next(each.body for each in program.functions if each.name == "crowd")
    loop = next(op for op in operations(body) if isinstance(op, ops.CountLoop))
    known = steps_of(program)
    counted = find_needed(known, loop, Ranges(known.cells, body, 1), deep=False, counting=True)
    assert [each.steps for each in counted] == ([] if steps is None else [steps])
    assert found.native is not None
    assert compare(program, found.native, 6).decisions


def test_what_fails_fails_on_both_machines() -> None:
    found = game("risky(me, c, d)", "- 1")
    assert found.native is not None
    assert compare(found.program, found.native, 2).failures

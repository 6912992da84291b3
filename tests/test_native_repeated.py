"""Functions that are asked the same again are answered from a table: see facts/repeated.py.

As in test_native_shortcuts.py: that is done on a tiny ruleset, and not on another, as like it as
can be, on which it would be wrong. Then both machines come to the same, in as many steps.
"""

from __future__ import annotations

import pytest
from test_native_trials import go_through

import interpreter
from interpreter.embedding import Game
from interpreter.play.native.facts.repeated import Repeated, find_repeated
from interpreter.play.native.facts.shape import steps_of
from interpreter.program.program import Program

RULES = """
game "T"
players 3

board Grid: square 4 by 4
enum Hue: red, green, blue

the game has
    total: int

each Grid has
    hue: Hue or none
    toll: 0..9

each player has
    gold: int
    limit: 0..99 = 5

function cells(p: Player, h: Hue): int = p.limit + count(c in Grid where c.hue is h)
function short(p: Player, h: Hue): int = p.limit
function failing(p: Player, h: Hue): int = 9 div count(c in Grid where c.hue is h)
function wide(n: int): int = n + count(c in Grid where c.toll > 3)

function value(p: Player, h: Hue): int
    let own = cells(p, h)
    let tied = count(x in Hue where cells(p, x) = own)
    10 * tied + rank(h, most cells(p, x) for x in Hue) otherwise

procedure cut(p: Player)
    p.limit := 3

procedure score()
    for each h in Hue
        for each p in players
            {statement}

action put(c in Grid, h in Hue)
    when c.hue is none and {condition}
    c.hue := h
    c.toll := 4
    score()

action other(n in 1..2)
    total += n

play
    turns
        choose put or other
"""
RANK = "rank(p, most {}(q, h) for q in players)"


def game(statement: str, condition: str = "c.toll < 9") -> Game:
    text = RULES.replace("{statement}", statement).replace("{condition}", condition)
    return interpreter.load_text(text, backend="native")


def repeated(found: Program, name: str) -> dict[str, Repeated]:
    """What is called again in a function, by its name."""
    body = next(each.body for each in found.functions if each.name == name)
    kept = find_repeated(steps_of(found), body, free=False)
    return {found.functions[each.calls[0].function].name: each for each in kept}


@pytest.mark.parametrize(
    ("statement", "kept"),
    [
        (f"p.gold += {RANK.format('cells')}", True),
        (f"total += {RANK.format('cells')} + cells(p, red)", True),
        # What is written is read.
        (f"p.limit := {RANK.format('cells')}", False),
        (f"p.limit += {RANK.format('cells')} mod 2", False),
        # It is as quick to ask.
        (f"p.gold += {RANK.format('short')}", False),
        # It can be asked with anything, or is asked once for each pair.
        ("p.gold += wide(p.gold) + wide(p.gold)", False),
        ("p.gold += cells(p, h)", False),
        # Somebody tries something out.
        (f"p.gold += {RANK.format('cells')} + (total after cut(p))", False),
    ],
)
def test_answers_are_kept_where_nothing_changes_them(statement: str, kept: bool) -> None:
    assert bool(repeated(game(statement).program, "score")) == kept


def test_answers_are_kept_by_the_arguments_that_differ() -> None:
    found = game("p.gold += value(p, h)").program
    assert [key.position for key in repeated(found, "value")["cells"].keys] == [1]
    found = game(f"p.gold += {RANK.format('cells')}").program
    (key, other) = repeated(found, "score")["cells"].keys
    assert (key.low, key.size, other.low, other.size) == (0, 3, 0, 3)


@pytest.mark.parametrize(
    "statement",
    [
        f"p.gold += {RANK.format('cells')}",
        f"p.limit := ({RANK.format('cells')} + p.limit) mod 90",
        f"total += {RANK.format('cells')} + cells(p, blue)",
        f"p.gold += value(p, h) + {RANK.format('value')}",
        f"p.gold += {RANK.format('value')} + (value(p, h) after cut(p))",
    ],
)
def test_both_machines_come_to_the_same(statement: str) -> None:
    go_through(game(statement))
    go_through(game(statement, "any(p in players where value(p, h) > 10 and cells(p, h) < 9)"))


def test_what_fails_fails_the_first_time() -> None:
    whole = game(f"p.gold += {RANK.format('failing')}")
    assert whole.native is not None
    assert repeated(whole.program, "score")
    plain = RULES.replace("{statement}", f"p.gold += {RANK.format('failing')}")
    other = interpreter.load_text(plain.replace("{condition}", "c.toll < 9"), backend="reference")
    found = whole.native.results(whole.native.playouts(range(20)))
    assert found == other.playouts(range(20))
    assert all(each.failure is not None for each in found)

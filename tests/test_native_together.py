"""Conditions on cells that are asked of a whole board together: see facts/together.py.

As in test_native_shortcuts.py: that is done on a tiny ruleset, and not on another, as like it as
can be, on which it would be wrong. Then both machines come to the same, in as many steps.
"""

from __future__ import annotations

import pytest
from differential import compare

import interpreter
from interpreter import limits
from interpreter.embedding import Game
from interpreter.play.native.facts.together import Together, find_together
from interpreter.program import ops
from interpreter.program.touches import operations

RULES = """
game "T"
players 2

board Grid: {board}

the game has
    total: int

each Grid has
    stone: Player or none
    toll: 0..3

group chain(c: Grid) = x in region(c through y where y.stone is c.stone)

function isFree(c: Grid): bool = any(x in neighbours(c) where x.stone is none)

function isAlive(c: Grid): bool = any(x in chain(c) where isFree(x))

function isOpen(c: Grid, p: Player): bool = any(
    x in region(c through y where y.stone is not p) where x.onEdge
)

function isCorner(c: Grid): bool = count(x in neighbours(c)) <= 2

function holds(p: Player): bool = {question}

action place(c in Grid)
    when c.stone is none{condition}
    c.stone := me
    c.toll := 2

action turn1(c in Grid)
    when c.stone is next(me) and total < 40
    c.stone := me
    c.toll := 1
    total += 1

play
    turns
        {often}choose
            place
            turn1
            otherwise
                nobody wins
        if holds(me)
            {then}
"""
THROUGH = "region(c through y where y.stone is not p)"
RING = f"any(c in Grid where c.stone is not p and not any(x in {THROUGH} where x.onEdge))"
ALL = f"every(c in Grid has c.stone is p or any(x in {THROUGH} where x.onEdge or x.toll = 1))"
NAMED = "any(c in Grid where c.stone is not p and not isOpen(c, p))"
ANYWHERE = "any(c in Grid where not isOpen(c, p) and c.stone is not p)"
BIG = "count(c in Grid where c.stone is p and count(x in chain(c)) >= 3) > 4"
FEW = f"count(c in Grid where count(x in {THROUGH} where x.toll = 2) < 2) > 4"
DEAD = "any(c in Grid where c.stone is not none and not isAlive(c))"
SHUT = (
    "any(c in Grid where c.stone is p and every(s in chain(c) has "
    "not any(x in neighbours(s) where x.stone is none)))"
)
FREEDOMS = "every(c in Grid has c.stone is none or count(s in chain(c) where isFree(s)) >= 1)"
CORNERS = "any(c in Grid where c.stone is p and count(x in chain(c) where isCorner(x)) >= 2)"
AROUND = "any(c in Grid where c.stone is p and count(x in neighbours(c) where x.stone is p) = 3)"
MANY = "count(c in Grid where count(x in neighbours(c) where x.toll = 0) >= 2) < 6"
NEXT = "count(c in Grid where c.stone is not p and isOpen(c, next(p))) > 7"
QUESTIONS = [
    RING, ALL, NAMED, ANYWHERE, BIG, FEW, DEAD, SHUT, FREEDOMS, CORNERS, AROUND, MANY, NEXT,
]  # fmt: skip


def game(
    question: str,
    board: str = "square 4 by 4",
    often: str = "",
    then: str = "me wins",
    when: str = "",
) -> Game:
    parts = {"question": question, "board": board, "often": often, "then": then, "condition": when}
    text = RULES
    for name, part in parts.items():
        text = text.replace("{" + name + "}", part)
    return interpreter.load_text(text, backend="native")


def together(
    question: str, board: str = "square 4 by 4", *, counting: bool = True
) -> Together | None:
    program = game(question, board).program
    body = next(each.body for each in program.functions if each.name == "holds")
    loop = next(op for op in operations(body) if isinstance(op, ops.CountLoop))
    return find_together(program, loop, counting)


@pytest.mark.parametrize("question", QUESTIONS)
def test_all_cells_are_asked_together(question: str) -> None:
    assert together(question) is not None


@pytest.mark.parametrize(
    "question",
    [
        RING.replace("y.stone is not p", "y.stone is not p and y.toll <= c.toll"),  # by the start
        RING.replace("where x.onEdge", "where x.toll = c.toll"),
        RING.replace("y.stone is not p", "isFree(y)"),  # it takes steps for each that is tried
        RING.replace("c through y", "c through y from w"),
        RING.replace("x.onEdge", "total mod x.toll = 1"),  # it can fail
        AROUND.replace("= 3", "= c.toll"),
        "any(c in Grid where c.stone is p and any(x in neighbours(c) where x.stone is p))",
    ],
)
def test_what_depends_on_the_start_is_asked_one_by_one(question: str) -> None:
    assert together(question) is None


def test_what_takes_steps_is_asked_together_where_nobody_counts() -> None:
    assert together(RING.replace("y.stone is not p", "isFree(y)"), counting=False) is not None


def test_too_small_boards_are_gone_through() -> None:
    assert together(RING, "square 2 by 2") is None


BOARDS = ["square 4 by 4", "hex 4 by 5", "square 9 by 8", "hex radius 2", "ring 12"]


@pytest.mark.parametrize(
    ("question", "board"),
    [
        *((each, BOARDS[number % len(BOARDS)]) for number, each in enumerate(QUESTIONS)),
        *((DEAD, board) for board in BOARDS[:-1]),
        (RING, "square 9 by 8"),
        (NAMED, "hex radius 3"),
    ],
)
def test_both_machines_come_to_the_same(board: str, question: str) -> None:
    found = game(question, board, then="total += 1")
    assert found.native is not None
    assert compare(found.program, found.native, 3).decisions


@pytest.mark.parametrize("question", [RING, SHUT])
def test_both_machines_offer_the_same(question: str) -> None:
    asked = question.replace("any(c in", "any(e in").replace("(c ", "(e ").replace("c.", "e.")
    asked = asked.replace("chain(c)", "chain(e)").replace(" p", " me")
    found = game("total > 50", "square 4 by 5", then="total += 1", when=f" and not {asked}")
    assert found.native is not None
    assert compare(found.program, found.native, 3).decisions


@pytest.mark.parametrize("question", [RING, NAMED])
def test_where_steps_run_out_both_fail_at_the_same_spot(question: str) -> None:
    often = f"repeat {limits.STEPS_PER_MOVE // 900} times\n            "
    here = question.replace(" p", " P2")
    loop = f"if holds(P1) or {here}\n                total += 1\n        "
    found = game(question, often=often + loop)
    assert found.native is not None
    assert compare(found.program, found.native, 1).failures


def test_what_is_written_in_between_is_seen() -> None:
    """Each round of the outer loop asks a board that the one before has changed."""
    then = f"""for each e in Grid where e.stone is not me
                if {RING.replace(" p", " me")}
                    e.stone := me"""
    found = game("total < 50", "square 5 by 4", then=then)
    assert found.native is not None
    assert compare(found.program, found.native, 3).decisions

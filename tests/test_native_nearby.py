"""Conditions on the neighbours of a cell that go by their regions: see facts/nearby.py.

As in test_native_shortcuts.py: that is done on a tiny ruleset, and not on another, as like it as
can be, on which it would be wrong. Then both machines come to the same, in as many steps.
"""

from __future__ import annotations

import pytest
from differential import compare

import interpreter
from interpreter import limits
from interpreter.embedding import Game
from interpreter.play.native.facts.beside import around_of
from interpreter.play.native.facts.copies import without_copies
from interpreter.play.native.facts.nearby import Nearby, find_nearby
from interpreter.program import ops
from interpreter.program.touches import operations

RULES = """
game "T"
players 2

board Grid: {board}

the game has
    total: int
    last: Grid

each Grid has
    stone: Player or none
    toll: 0..3

function isOpen(c: Grid, p: Player): bool = any(
    x in region(c through y where y.stone is not p) where x.onEdge
)

function isMine(c: Grid, p: Player): bool = c.stone is p

function holds(p: Player, c: Grid): bool = {question}

action place(c in Grid)
    when c.stone is none
    c.stone := me
    c.toll := 2
    last := c

action turn1(c in Grid)
    when c.stone is next(me) and total < 40
    c.stone := me
    c.toll := 1
    last := c
    total += 1

play
    turns
        {often}choose
            place
            turn1
            otherwise
                nobody wins
        if holds(me, last)
            {then}
"""
THROUGH = "region(x through y where y.stone is not p)"
SHUT = f"any(x in neighbours(c) where x.stone is not p and not any(y in {THROUGH} where y.onEdge))"
NAMED = "any(x in adjacent(c) where x.stone is not p and not isOpen(x, p))"
EVERY = "every(x in adjacent(c) has isMine(x, p) or isOpen(x, p))"
OPEN = "any(x in adjacent(c) where isOpen(x, p))"
COUNTED = "count(x in adjacent(c) where isOpen(x, p)) > 2"
EMPTY = "region(x through y where y.stone is none)"
ROOM = f"any(x in neighbours(c) where x.stone is none and count(y in {EMPTY}) < 4)"
TOLL = f"any(x in neighbours(c) where any(y in {THROUGH} where isMine(y, next(p)) and y.toll = 1))"
QUESTIONS = [SHUT, NAMED, EVERY, OPEN, COUNTED, ROOM, TOLL]
BOARDS = ["square 6 by 6", "hex 6 by 6", "hex radius 4", "square 9 by 8"]


def game(question: str, board: str = BOARDS[0], often: str = "", then: str = "total += 1") -> Game:
    parts = {"question": question, "board": board, "often": often, "then": then}
    text = RULES
    for name, part in parts.items():
        text = text.replace("{" + name + "}", part)
    return interpreter.load_text(text, backend="native")


def nearby(question: str, board: str = BOARDS[0]) -> Nearby | None:
    found = game(question, board)
    return find_nearby(found.program, loop_of(found))


def loop_of(found: Game) -> ops.CountLoop:
    """The one that goes through neighbours."""
    body = next(each.body for each in found.program.functions if each.name == "holds")
    loops = [op for op in operations(body) if isinstance(op, ops.CountLoop)]
    return next(each for each in loops if around_of(*without_copies((each,))) is not None)


@pytest.mark.parametrize("question", QUESTIONS)
def test_neighbours_are_asked_together(question: str) -> None:
    assert nearby(question) is not None


@pytest.mark.parametrize(
    "question",
    [
        SHUT.replace("y.stone is not p", "y.stone is p"),  # a group of stones is small
        SHUT.replace("y.stone is not p", "y.stone is x.stone"),
        SHUT.replace("y.stone is not p", "y.toll <= x.toll"),  # it goes by where it began
        SHUT.replace("y.stone is not p", "not isMine(y, p)"),  # that takes steps
        SHUT.replace("y.onEdge", "total mod y.toll = 1"),  # it can fail
        "any(x in neighbours(c) where x.stone is p)",
    ],
)
def test_what_is_small_or_goes_by_its_start_is_asked_one_by_one(question: str) -> None:
    assert nearby(question) is None


def test_small_boards_are_gone_through() -> None:
    assert nearby(SHUT, "square 5 by 5") is None


def test_what_is_beside_a_cell_in_two_ways_is_asked_twice() -> None:
    found = game(SHUT)
    loop = loop_of(found)
    around = around_of(*without_copies((loop,)))
    assert around is not None
    first = found.program.tables[around.table][: around.cells]
    found.program.tables[around.table] = first * around.ways
    assert find_nearby(found.program, loop) is None


@pytest.mark.parametrize("question", QUESTIONS)
@pytest.mark.parametrize("board", BOARDS)
def test_both_machines_come_to_the_same(board: str, question: str) -> None:
    found = game(question, board)
    assert found.native is not None
    assert compare(found.program, found.native, 2).decisions


@pytest.mark.parametrize("question", [NAMED, COUNTED])
def test_where_steps_run_out_both_fail_at_the_same_spot(question: str) -> None:
    often = f"repeat {limits.STEPS_PER_MOVE // 1500} times\n            "
    loop = "if holds(P1, last)\n                total += 1\n        "
    found = game(question, often=often + loop)
    assert found.native is not None
    assert compare(found.program, found.native, 1).failures


def test_what_is_written_in_between_is_seen() -> None:
    then = f"""for each e in Grid where e.stone is not me
                if {SHUT.replace(" p", " me").replace("neighbours(c)", "neighbours(e)")}
                    e.stone := me"""
    found = game("total < 50", then=then)
    assert found.native is not None
    assert compare(found.program, found.native, 2).decisions

"""Whether anything is in a row is asked of the whole board at once: see facts/anywhere.py.

As in test_native_shortcuts.py: that is done on a tiny ruleset, and not on another, as like it as
can be, on which it would be wrong. Then both machines come to the same, in as many steps.
"""

from __future__ import annotations

import pytest
from differential import compare

import interpreter
from interpreter import limits
from interpreter.embedding import Game
from interpreter.play.native.facts.anywhere import Lines, find_lines
from interpreter.program import ops
from interpreter.program.program import Program
from interpreter.program.touches import operations

RULES = """
game "T"
players 2

board Grid: {board}

the game has
    total: int

each Grid has
    mark: Player or none
    toll: 0..3

function has3(p: Player): bool = {question}

action place(c in Grid)
    when c.mark is none
    c.mark := me
    c.toll := 2

action turn1(c in Grid)
    when c.mark is next(me) and total < 40
    c.mark := me
    total += 1

play
    turns
        {often}choose
            place
            turn1
            otherwise
                nobody wins
        if has3(me)
            me wins
"""
LINE = "line(c through x where x.mark is p)"
ROW = f"any(c in Grid where c.mark is p and {LINE} >= 3)"
ALONE = f"any(c in Grid where {LINE} > 2)"
ALL = "any(c in Grid, d in GridDirection where c.mark is p and {} >= 2)"
RAY = ALL.format("count(x in ray(c, d) while x.mark is p)")
SOME = RAY.replace("GridDirection", "(north, northeast, east, southeast)")


def game(question: str, board: str = "square 5 by 4", often: str = "") -> Game:
    text = RULES.replace("{question}", question).replace("{board}", board)
    return interpreter.load_text(text.replace("{often}", often), backend="native")


def lines(found: Program) -> Lines | None:
    body = next(each.body for each in found.functions if each.name == "has3")
    loop = next(op for op in operations(body) if isinstance(op, ops.CountLoop))
    return find_lines(found, loop)


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        (ROW, 4),
        (ALONE, 4),
        (RAY, 4),
        (SOME, 4),
        (ROW.replace("c.mark is p", "c.toll = 2"), 0),  # steps depend on something else
        (ROW.replace("x.mark is p", "x.mark is not p"), 0),
        (RAY.replace("while x", "where x"), 0),  # with gaps
        (RAY.replace("c.mark is p and ", ""), 0),  # the first cell may have anything
        (ROW.replace(">= 3", "= 3"), 0),
        (f"not {ROW} and {ROW}", 4),
    ],
)
def test_rows_are_looked_for_all_at_once(question: str, rows: int) -> None:
    found = lines(game(question).program)
    assert (0 if found is None else len(found.rows)) == rows


def test_what_leads_over_the_edge_is_no_row() -> None:
    found = lines(game(ROW, "square 4 by 3").program)
    assert found is not None
    assert {(row.by, row.firsts.bit_count()) for row in found.rows} == {
        (4, 4), (5, 2), (1, 6), (3, 2)
    }  # fmt: skip


@pytest.mark.parametrize("board", ["hex radius 3", "ring 12"])
def test_steps_must_be_equally_long_and_come_to_an_end(board: str) -> None:
    assert lines(game(ROW, board).program) is None


@pytest.mark.parametrize("board", ["square 5 by 4", "hex 4 by 5", "square 9 by 8", "hex radius 2"])
@pytest.mark.parametrize("question", [ROW, ALONE, RAY, f"any(q in players where q is p and {ROW})"])
def test_both_machines_come_to_the_same(board: str, question: str) -> None:
    found = game(question, board)
    assert found.native is not None
    assert compare(found.program, found.native, 5).decisions


def test_where_steps_run_out_both_fail_at_the_same_spot() -> None:
    often = f"repeat {limits.STEPS_PER_MOVE // 60} times\n            "
    loop = (
        "if has3(P1) or " + ROW.replace("is p", "is P2") + "\n                total += 1\n        "
    )
    found = game(ROW, often=often + loop)
    assert found.native is not None
    assert compare(found.program, found.native, 1).failures

"""Shortcuts for rows and contents that are looked for on a whole board (facts/lines.py,
facts/compared.py).

As in test_native_shortcuts.py: each is taken on a tiny ruleset, and not on another, as like it as
can be, on which it would be wrong. That they change nothing, steps included, is tested with
tests/cases/native/straightRows.rules.
"""

from __future__ import annotations

import re

import pytest
from test_native_shortcuts import program

from interpreter.play.native.emit.module import emit_module
from interpreter.play.native.facts.compared import find_sought
from interpreter.play.native.facts.lines import Line, find_line
from interpreter.program import ops
from interpreter.program.program import Program
from interpreter.program.touches import operations


def _asking(condition: str, board: str = "") -> Program:
    lines = [
        board,
        "action try1(c in Grid)",
        "    a += c.toll",
        f"    if {condition}",
        "        b += 1",
    ]
    return program(*lines, "play", "    change()", "    turns", "        choose try1")


def _line(found: Program) -> Line | None:
    asked = [
        op for each in found.code for op in operations(each)
        if isinstance(op, ops.Binary) and isinstance(op.left, ops.Sequence)
    ]  # fmt: skip
    lines = [find_line(found, op) for op in asked]
    return next((each for each in lines if each is not None), None)


@pytest.mark.parametrize(
    ("condition", "at_once"),
    [
        ("line(c through x where x.mark is P1) >= 3", True),
        ("line(c through x where x.mark is not none) > 1", True),
        ("line(c through x where x.toll = a) >= 2", True),
        ("line(c through x where x.toll > a) >= 2", False),  # no content that can be compared
        ("line(c through x where x.mark is P1) >= a", False),  # nobody knows how long
        ("line(c through x where x.mark is P1) = 3", False),  # it may be too long
        ("line(c through x where x.mark is P1) >= 1", False),  # one cell tells
        ("line(c through x where x.mark is P1) >= 99", False),  # there is no such row
    ],
)
def test_whether_a_row_is_long_enough_is_asked_of_all_cells_at_once(
    condition: str, at_once: bool
) -> None:
    found = _asking(condition)
    assert (_line(found) is not None) == at_once
    assert ("@near" in emit_module(found)) == at_once


def test_all_rows_through_a_cell_are_known_and_what_they_cost() -> None:
    line = _line(_asking("line(c through x where x.mark is P1) >= 3"))
    assert line is not None
    corner, edge, middle = (set(line.sets[cell]) for cell in (0, 1, 4))
    assert corner == {0b111, 0b1001001, 0b100010001}
    assert edge == {0b111, 0b010010010}
    assert len(middle) == 4
    # Four axes with two sides each, and all cells that lie on one of them.
    assert [line.steps[cell] for cell in (0, 1, 4)] == [12 + 6, 12 + 6, 12 + 8]


def test_on_a_ring_both_sides_meet_the_same_cells() -> None:
    board = "board Round: ring 4\neach Round has\n    coin: 0..3"
    line = _line(_asking("line(Round[1] through x where x.coin = 1) >= 4", board))
    assert line is not None and set(line.sets[0]) >= {0b1111}
    assert all(bits >> 4 == 0 for bits in line.sets[0])


@pytest.mark.parametrize(
    ("condition", "at_once"),
    [
        ("any(x in Grid where x.mark is P2)", True),
        ("every(x in Grid has x.mark is not none)", True),
        ("every(x in Grid has x.toll = a)", True),
        ("any(x in Grid where x.toll > a)", False),  # no content that can be compared
        ("any(x in Grid where x.toll = 1 and x.mark is none)", False),  # of two sorts
        ("pick(x in Grid where x.toll = 1) is c", False),  # it is asked which
    ],
)
def test_whether_something_lies_anywhere_is_asked_of_all_cells_at_once(
    condition: str, at_once: bool
) -> None:
    found = _asking(condition)
    loops = [op for each in found.code for op in operations(each) if isinstance(op, ops.CountLoop)]
    assert any(find_sought(found, loop) is not None for loop in loops) == at_once
    compared = re.search(r"or <\d+ x i1>|bitcast <\d+ x i1>", emit_module(found))
    assert not at_once or compared is not None


def test_locals_that_others_read_are_left_alone() -> None:
    """Code that was made of a program, and is not in it, may share its locals with anybody."""
    found = _asking("any(x in Grid where x.mark is P2)")
    loops = [op for each in found.code for op in operations(each) if isinstance(op, ops.CountLoop)]
    (loop,) = (each for each in loops if find_sought(found, each) is not None)
    longer = ops.CountLoop(loop.local, loop.low, ops.Const(8), loop.body)
    assert find_sought(found, longer) is None

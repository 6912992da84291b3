"""Shortcuts for what hangs together, for positions that are written down, and for long trials.

As in test_native_shortcuts.py: each is taken on a tiny ruleset, and not on another, as like it as
can be, on which it would be wrong.
"""

from __future__ import annotations

import pytest
from test_native_shortcuts import code_of, generator

import interpreter
from interpreter.embedding import Game
from interpreter.play.native.facts import early, floods, writes
from interpreter.play.native.facts.digits import find_digits
from interpreter.play.native.facts.shape import Steps
from interpreter.program import ops
from interpreter.program.program import Program
from interpreter.program.touches import operations

HEAD = """
game "T"
players 2

board Grid: square 5 by 5

each Grid has
    stone: Player or none
    toll: 0..9

the game has
    a: int
    best: 0..99

history boards of the last 9
    c.stone for c in Grid

function hasRoom(c: Grid) = any(
    y in region(c through z where z.stone is c.stone),
    w in neighbours(y) where w.stone is none
)

procedure put(c: Grid, p: Player)
    c.stone := p
    for each x in neighbours(c) where x.stone is next(p)
        if not hasRoom(x)
            for each y in region(x through z where z.stone is next(p))
                y.stone := none
"""


def game(*lines: str) -> Game:
    return interpreter.load_text(HEAD + "\n" + "\n".join(lines) + "\n", backend="native")


def offering(condition: str, *steps: str) -> Program:
    lines = ["action try1(c in Grid)", f"    when {condition}", "    put(c, me)"]
    lines += [f"    {each}" for each in steps] or ["    remember boards"]
    return game(*lines, "play", "    turns", "        choose try1").program


def flood_of(found: Program) -> tuple[floods.Flood, tuple[ops.Statement, ...]]:
    body = found.functions[found.menus[0].entries[0].generator].body
    for op in operations(body):
        inside = getattr(op, "statements", getattr(op, "then", getattr(op, "body", ())))
        for first in range(len(inside)):
            flood = floods.find_flood(inside, first)
            if flood is not None:
                return flood, body
    raise AssertionError("there is no flood")


SAME = "region(c through z where z.stone is c.stone)"


@pytest.mark.parametrize(
    ("condition", "ends_early"),
    [
        (f"any(y in {SAME} where y.stone is none)", True),
        (f"count(y in {SAME} where y.stone is none) > 3", True),
        # the division can go wrong for a cell that an early end would not come to
        (f"any(y in {SAME} where 9 div y.toll > 2)", False),
        ("any(y in region(c through z where 9 div z.toll > 2) where y.toll > 0)", False),
        # a direction there always is, from a cell to the one beside it; but not two steps on
        (
            "any(y in region(c through z from w where direction(w, z) is east) where y.toll > 0)",
            True,
        ),
        (
            "any(y in region(c through z from w where step(z, east).toll > 1) where y.toll > 0)",
            False,
        ),
    ],
)
def test_a_flood_ends_early_if_nothing_can_go_wrong(condition: str, ends_early: bool) -> None:
    found = offering(condition)
    flood, body = flood_of(found)
    steps = Steps(found, knows_floods=True)
    assert early.can_end_early(found, steps.cells, flood, body, 0) == ends_early
    assert ("@way" in code_of(generator(found), found)) == (ends_early and "any" in condition)


def test_a_flood_that_changes_what_it_goes_by_is_not_cut_short() -> None:
    """Stones are taken while the group is gone through."""
    found = offering(
        "(any(y in region(c through z where z.stone is me) where y.toll > 0) after put(c, me))"
    )
    number = next(n for n, each in enumerate(found.functions) if each.name == "put")
    for op in operations(found.functions[number].body):
        inside = getattr(op, "then", ())
        for first in range(len(inside)):
            flood = floods.find_flood(inside, first)
            if flood is not None and any(
                isinstance(w, ops.SetMemoryAt) for w in operations(flood.visit)
            ):
                cells = Steps(found).cells
                body = found.functions[number].body
                assert not early.can_end_early(found, cells, flood, body, 1)
                return
    raise AssertionError("there is no such flood")


@pytest.mark.parametrize(
    ("condition", "asks"),
    [
        (f"any(y in {SAME} where y.toll = a)", True),
        (f"count(y in {SAME} where y.toll = a) > 0", False),
        (f"sum(y.toll for y in {SAME}) > 0", False),
    ],
)
def test_a_way_is_kept_only_where_any_cell_will_do(condition: str, asks: bool) -> None:
    flood, body = flood_of(offering(condition))
    assert early.only_asks(flood, body) == asks


def test_ways_that_were_kept_are_tried_anew() -> None:
    """The same question again and again, between states that have nothing to do with each other."""
    whole = game(
        f"action try1(c in Grid)\n    when not any(y in {SAME} where y.toll = a)",
        "    put(c, me)\n    c.toll := a mod 10\n    a += 1",
        "action other\n    a1.toll := 0\n    a := a + 3",
        "play\n    turns\n        choose try1 or other\n        a := a mod 10",
    )
    engine, machine = whole.native, whole.machine
    assert engine is not None
    for seed in range(12):
        m = machine.start(seed)
        for number in range(40):
            options = machine.options(m, None)
            assert engine.options(m) == options
            machine.take(m, options[(seed * 7 + number * 5) % len(options)], None)


def test_a_position_is_written_down_as_one_sum() -> None:
    found = offering("timesSeen(boards) = 0")
    loops = [op for each in found.functions for op in operations(each.body)]
    assert any(isinstance(op, ops.CountLoop) and find_digits(op) for op in loops)


@pytest.mark.parametrize(
    "digit",
    [
        ops.Binary("add", ops.Local(0), ops.Const(1)),  # it depends on the number so far
        ops.Within(ops.Local(1), 0, 3, "RR601", 0),  # it can go wrong
        ops.Call(0, ()),  # it may take long
        ops.Binary("add", ops.Local(1), ops.Const(1), 5),  # it can become too big
    ],
)
def test_digits_that_depend_on_each_other_are_not_added_up(digit: ops.Expr) -> None:
    def loop(part: ops.Expr) -> ops.CountLoop:
        so_far = ops.Binary("multiply", ops.Local(0), ops.Const(3))
        body = (ops.SetLocal(0, ops.Binary("add", so_far, part)),)
        return ops.CountLoop(1, ops.Const(0), ops.Const(9), body)

    assert find_digits(loop(ops.Local(1))) is not None
    assert find_digits(loop(digit)) is None


@pytest.mark.parametrize(
    ("steps", "single"),
    [
        ("put(c, me)", True),
        ("wipe()", True),
        ("raise1()", False),  # a copy of a few cells is quicker
    ],
)
def test_a_long_trial_keeps_what_it_writes(steps: str, single: bool) -> None:
    more = "procedure wipe()\n    for each x in Grid\n        x.stone := none\n        x.toll := 0"
    less = "procedure raise1()\n    a += 1"
    lines = ["action try1(c in Grid)", f"    when (a < 5 after {steps})", "    a += 1"]
    found = game(more, less, *lines, "play", "    turns", "        choose try1").program
    body = found.functions[found.menus[0].entries[0].generator].body
    (trial,) = (op for op in operations(body) if isinstance(op, ops.WhatIf))
    assert writes.are_single(found, trial.steps) == single


def test_a_trial_that_writes_more_than_there_is_room_for_is_put_back() -> None:
    """Every cell is written twice, and once more in a trial in a trial."""
    whole = game(
        "function most(c: Grid) = (sum(x.toll for x in Grid) after wipe(c))",
        "procedure wipe(c: Grid)\n    for each x in Grid\n        x.toll := 0",
        "        x.stone := none",
        "    for each x in Grid where x is not c\n        x.toll := position(x) mod 10",
        "action try1(c in Grid)\n    when (most(c) mod 3 != 1 after wipe(c))",
        "    put(c, me)\n    c.toll := 4",
        "action other\n    wipe(a1)",
        "play\n    turns\n        choose try1 or other",
    )
    engine, machine = whole.native, whole.machine
    assert engine is not None
    for seed in range(6):
        m = machine.start(seed)
        for number in range(15):
            options, before = machine.options(m, None), list(m)
            assert engine.options(m) == options
            assert m == before
            machine.take(m, options[(seed * 3 + number) % len(options)], None)

"""Shortcuts for what is looked for on a whole board by where it lies (facts/looking.py).

As in test_native_shortcuts.py: each is taken on a tiny ruleset, and not on another, as like it as
can be, on which it would be wrong or of no use. That they change nothing, steps included, is tested
with tests/cases/native/lookingForCells.rules.
"""

from __future__ import annotations

import re

import pytest
from test_native_shortcuts import code_of, generator, program

from interpreter.play.native.emit.module import emit_module
from interpreter.play.native.facts.looking import find_looking, is_told_by_arguments
from interpreter.play.native.facts.shape import steps_of
from interpreter.play.native.facts.tabled import FAILS, Tabled, find_tabled
from interpreter.program import ops
from interpreter.program.program import Program
from interpreter.program.touches import operations

FAR = "function far(x: Grid, y: Grid): int = abs(x.row - y.row) + abs(x.column - y.column)"
PLAY = ("play", "    change()", "    turns", "        choose try1")


def asking(condition: str, *more: str) -> tuple[Program, str]:
    """A program whose options ask for something, and the function that looks for it."""
    asked = f"function asked(x: Grid, n: int): bool = {condition}"
    option = ("action try1(c in Grid)", "    when asked(c, a)", "    a += 1")
    found = program(FAR, asked, *more, *option, *PLAY)
    number = next(n for n, each in enumerate(found.functions) if each.name == "asked")
    return found, code_of(f"free{number}", found)


@pytest.mark.parametrize(
    ("condition", "told"),
    [
        ("any(y in Grid where y.row = n and y.mark is none)", True),
        ("any(y in Grid where far(x, y) = 1 and y.mark is none)", True),
        ("any(y in Grid where y.mark is none and far(x, y) = 1)", True),  # nobody counts steps
        ("every(y in Grid has far(x, y) != 1 or y.mark is none)", True),
        ("count(y in Grid where y.row = small and y.toll > 1) > n", True),
        ("any(y in Grid where y.toll = n)", False),  # it looks at the state
        ("any(y in Grid where y is not x and y.toll = n)", False),  # that rules out one
        ("any(y in Grid where y.toll + a > n and far(x, y) = 1)", False),  # it may become too big
        ("any(k in 1..3 where k = n and a > 3)", False),  # there are few rounds
    ],
)
def test_rounds_that_tables_rule_out_are_passed_over(condition: str, told: bool) -> None:
    assert ("@find_free" in asking(condition)[1]) == told


def _first_loop(found: Program, name: str) -> ops.CountLoop:
    body = next(each.body for each in found.functions if each.name == name)
    return next(op for op in operations(body) if isinstance(op, ops.CountLoop))


@pytest.mark.parametrize(
    ("condition", "conditions"),
    [
        ("far(x, y) = 1 and y.row = n and y.mark is none", 2),
        ("far(x, y) = 1 and y.mark is none and y.row = n", 2),  # what lies there takes none
        ("y.mark is none and y.row = n and far(x, y) = 1", 1),  # it may not come to the last
        ("y.toll + a > n and y.row = n", 0),  # it may become too big
        ("y.mark is none and far(x, y) = 1", 0),
        # Steps would differ by whether the first is far.
        ("(far(x, y) = 1 or far(y, x) = 2) and y.mark is none", 0),
    ],
)
def test_where_steps_are_counted_each_condition_takes_as_many(
    condition: str, conditions: int
) -> None:
    found = asking(f"any(y in Grid where {condition})")[0]
    told = find_looking(found, _first_loop(found, "asked"), None, charged=True)
    assert (0 if told is None else len(told.tests)) == conditions


def test_what_passes_over_rounds_pays_for_them() -> None:
    found = program(
        FAR,
        "function near(x: Grid): int = count(y in Grid where far(x, y) = 1 and y.mark is none)",
        "play", "    change()", "    a := near(b2)", "    P1 chooses n in 1..3", "    a += n",
    )  # fmt: skip
    number = next(n for n, each in enumerate(found.functions) if each.name == "near")
    code = code_of(f"ample_f{number}", found)
    assert "@find_ample_f" in code and "@llvm.ctpop" in code


@pytest.mark.parametrize(
    ("row", "told"),
    [
        ("n", True),
        ("small", False),  # which the loop writes
        ("1", False),  # it depends on nothing: mostly that is setup
    ],
)
def test_a_loop_that_writes_goes_by_what_it_cannot_write(row: str, told: bool) -> None:
    found = program(
        "procedure sweep(n: int)",
        f"    for each y in Grid where y.row = {row}",
        "        y.toll := 1",
        "        small := 2",
        "play", "    change()", "    sweep(a)", "    P1 chooses n in 1..3", "    a += n",
    )  # fmt: skip
    number = next(n for n, each in enumerate(found.functions) if each.name == "sweep")
    assert ("@find_f" in code_of(f"f{number}", found)) == told


@pytest.mark.parametrize(
    ("value", "told"),
    [
        ("count(y in Grid where far(x, y) = n)", True),
        ("count(y in Grid where far(x, y) = n and y.toll < 2)", False),  # it looks at the state
        ("far(x, b2) + n", False),  # it is as quick without
    ],
)
def test_what_depends_on_arguments_alone_is_worked_out_once(value: str, told: bool) -> None:
    asked = f"function asked(x: Grid, n: int): int = {value}"
    option = ("action try1(c in Grid)", "    when asked(c, a) > 1", "    a += 1")
    found = program(FAR, asked, *option, *PLAY)
    number = next(n for n, each in enumerate(found.functions) if each.name == "asked")
    assert is_told_by_arguments(steps_of(found), number) == told
    assert (f"@find_free{number}_told(" in emit_module(found)) == told


def tabled(params: str, value: str, given: str) -> tuple[Tabled | None, str]:
    """What is known beforehand of a function that options ask, and its code."""
    asked = f"function asked({params}): int = {value}"
    option = ("action try1(c in Grid)", f"    when asked({given}) > 1", "    a += 1")
    found = program(FAR, asked, *option, *PLAY)
    number = next(n for n, each in enumerate(found.functions) if each.name == "asked")
    return find_tabled(steps_of(found), number), code_of(f"free{number}", found)


@pytest.mark.parametrize(
    ("params", "value", "given", "rows"),
    [
        ("x: Grid", "count(y in neighbours(x))", "c", 9),
        ("x: Grid or none", "count(y in Grid where y is not x)", "c", 10),
        ("x: Grid, d: GridDirection", "count(y in Grid where y is step(x, d))", "c, north", 72),
        ("x: Grid, p: Player", "count(y in Grid where far(x, y) = position(p))", "c, P1", 18),
        ("x: Grid, n: 2..4", "count(y in Grid where far(x, y) = n)", "c, small", 27),
        ("x: Grid, n: int", "count(y in Grid where far(x, y) = n)", "c, a", 0),
        ("x: Grid, n: 0..9999", "count(y in Grid where far(x, y) = n)", "c, small", 0),
        ("x: Grid, n: 0..400", "count(y in Grid where far(x, y) = n)", "c, small", 0),  # too slow
        ("x: Grid", "count(y in neighbours(x) where y.toll = 1)", "c", 0),  # it looks at the state
        ("x: Grid", "far(x, b2)", "c", 9),
        ("x: Grid", "x.row + x.column", "c", 0),  # it is as quick without
        ("x: Grid, n: 0..9", "abs(n - 3) + abs(n - 4) + abs(n - 5)", "c, small", 0),
    ],
)
def test_what_few_arguments_give_is_known_beforehand(
    params: str, value: str, given: str, rows: int
) -> None:
    found, code = tabled(params, value, given)
    assert (0 if found is None else len(found.values)) == rows
    assert ("@table" in code and "@find_" not in code and "@exact_free" in code) == (rows > 0)


def test_rows_tell_what_the_reference_machine_says_and_how_long_it_took() -> None:
    found = tabled("x: Grid", "count(y in neighbours(x))", "c")[0]
    assert found == Tabled(((0, 8),), (2, 3, 2, 3, 4, 3, 2, 3, 2), (4,) * 9)


def test_arguments_with_which_it_fails_have_no_row() -> None:
    value = "position(Grid[sum(x.row for x in Grid where x.column = n)])"
    found, code = tabled("n: 0..4", value, "small")
    assert found == Tabled(((0, 4),), (0, 6, 6, 6, 0), (FAILS, 9, 9, 9, FAILS))
    assert re.search(r"icmp sge i64 %t\d+, 0\n", code)
    assert "icmp sge" not in tabled("x: Grid", "count(y in neighbours(x))", "c")[1]


def test_options_are_looked_for_where_tables_say() -> None:
    found = program(
        "action try1(c in Grid, d in Grid)",
        "    when abs(c.row - d.row) + abs(c.column - d.column) = 1",
        "    when c.mark is me and d.mark is none",
        "    a += 1",
        *PLAY,
    )
    assert re.search(r"@find_g\d", code_of(generator(found), found))


def test_what_calls_itself_takes_any_number_of_steps() -> None:
    """Whether it is a shape that a shortcut is for is asked without an end to it."""
    found = program(
        "function onward(y: Grid, n: int): bool = n < 1 or y.toll < n and onward(y, n - 1)",
        "function asked(n: int): bool = any(y in Grid where onward(y, n) and y.mark is none)",
        "action try1(n in 1..3)",
        "    when asked(n)",
        "    a += 1",
        *PLAY,
    )
    assert find_looking(found, _first_loop(found, "asked"), None, charged=True) is None
    assert emit_module(found)

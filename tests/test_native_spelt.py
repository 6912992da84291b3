"""Values that stand in a table, by the locals that they go by: see facts/spelt.py.

As in test_native_shortcuts.py: that is done on a tiny ruleset, and not on another, as like it as
can be, on which it would be wrong. Then both machines come to the same, in as many steps.
"""

from __future__ import annotations

import pytest
from differential import compare

import interpreter
from interpreter import limits
from interpreter.embedding import Game
from interpreter.play.native.emit.module import emit_module
from interpreter.play.native.facts.hoisted import find_hoisted
from interpreter.play.native.facts.shape import Counter, steps_of
from interpreter.play.native.facts.spelt import find_spelt
from interpreter.play.native.facts.tabled import Tabled
from interpreter.program import ops
from interpreter.program.touches import operations

RULES = """
game "T"
players 2

board Grid: {board}

constant squares: list of int = 1, 4, 9

the game has
    total: int
    last: Grid

each Grid has
    mark: Player or none
    toll: 0..3

function holds(p: Player): bool = {question}

action go(from in Grid, to in Grid)
    when from.mark is me and to.mark is none
    when to in neighbours(from) or total mod 5 = 4
    from.mark := none
    to.mark := me
    last := to

action put(c in Grid)
    when c.mark is none
    c.mark := me
    c.toll := (c.toll + 1) mod 4
    last := c

play
    turns
        if total > 60
            nobody wins
        choose
            go
            put
        if holds(me)
            total += 2
        {often}total += 1
"""
BESIDE = "any(a in Grid, b in Grid where a.mark is p and b.mark is p and a in neighbours(b))"
EITHER = "any(a in Grid where a.mark is p, b in Grid where a in adjacent(b) or b.mark is p)"
LISTED = "any(a in Grid, b in Grid where a.mark is p and a.row + b.row in squares)"
COUNTED = "count(a in Grid where a.mark is p and count(d in (1, 2, 3) where d * d < a.row) = 2) > 1"
ALIKE = "count(a in Grid where every(b in Grid has a.onEdge) and a.mark is p) > 1"
TOLD = [BESIDE, EITHER]


def game(question: str, board: str = "square 4 by 4", often: str = "") -> Game:
    parts = {"question": question, "board": board, "often": often}
    text = RULES
    for name, part in parts.items():
        text = text.replace("{" + name + "}", part)
    return interpreter.load_text(text, backend="native")


def spelt(found: Game, name: str = "holds") -> list[Tabled]:
    function = next(each for each in found.program.functions if each.name == name)
    counter = Counter(steps_of(found.program), function.body, function.params, rough=False)
    values = (op for op in operations(function.body) if isinstance(op, ops.Sequence))
    told = (find_spelt(counter, each) for each in values)
    return [each[1] for each in told if each is not None]


@pytest.mark.parametrize("question", TOLD)
def test_what_only_tables_tell_stands_in_a_table(question: str) -> None:
    (found,) = spelt(game(question))
    assert len(found.values) == 16 * 16 and set(found.values) == {0, 1}
    assert len(set(found.steps)) == 1  # a loop pays for its rounds when it begins


def test_it_stands_there_where_options_are_made() -> None:
    found = game(BESIDE)
    (table,) = spelt(found, "options of go")
    values = ", ".join(f"i8 {each}" for each in table.values)
    assert f"[{values}]" in emit_module(found.program)


@pytest.mark.parametrize(
    "question",
    [
        "any(a in Grid, b in Grid where a.mark is p and any(x in neighbours(b) where x.mark is p))",
        "any(a in Grid, n in 0..total where a.mark is p and n in squares)",  # there are too many
        "any(a in Grid, b in Grid, n in 1..9 where a.toll > n and n * a.row + b.row in squares)",
        "any(a in Grid, b in Grid where a.mark is p and a.row mod (b.row - 1) in squares)",  # fails
    ],
)
def test_not_what_looks_at_the_state_or_may_fail_or_can_be_much(question: str) -> None:
    assert spelt(game(question)) == []


def test_not_what_is_written_in_another_way() -> None:
    """Where all rounds of a loop come out alike, its steps are told by the loop as it was."""
    program = game(ALIKE).program
    number = next(n for n, each in enumerate(program.functions) if each.name == "holds")
    steps = steps_of(program)
    plan = find_hoisted(steps, number, deep=False, counted=True)
    assert plan.hoisted
    counter = Counter(steps, program.functions[number].body, 1, rough=False)
    there = counter.standing_for(plan.body, plan.loops, plan.left)
    values = [op for op in operations(plan.body) if isinstance(op, ops.Sequence)]
    assert [find_spelt(there, each) for each in values] == [None] * len(values)


def test_not_on_a_board_with_too_many_pairs() -> None:
    assert spelt(game(BESIDE, "square 9 by 9")) == []


@pytest.mark.parametrize("question", [*TOLD, LISTED, COUNTED, ALIKE])
@pytest.mark.parametrize("board", ["square 4 by 4", "hex 3 by 4"])
def test_both_machines_come_to_the_same(question: str, board: str) -> None:
    found = game(question, board)
    assert found.native is not None
    assert compare(found.program, found.native, 3).decisions


def test_where_steps_run_out_both_fail_at_the_same_spot() -> None:
    often = f"repeat {limits.STEPS_PER_MOVE // 60} times\n            if holds(P1)\n"
    found = game(BESIDE, often=f"{often}                total += 0\n        ")
    assert found.native is not None
    assert compare(found.program, found.native, 1).failures

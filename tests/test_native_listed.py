"""Functions whose answers are kept while options are listed: see facts/listed.py.

As in test_native_shortcuts.py: that is done on a tiny ruleset, and not on another, as like it as
can be, on which it would be wrong. Then both machines offer the same, and fail alike.
"""

from __future__ import annotations

import pytest
from differential import has_failed, tried

import interpreter
from interpreter import limits
from interpreter.embedding import Game
from interpreter.play.native.emit.module import emit_module
from interpreter.play.native.facts.listed import Listed, find_listed
from interpreter.play.native.facts.shape import steps_of

RULES = """
game "T"
players 2

board Grid: square 4 by 4

the game has
    total: 0..99
    most: 0..9 = 2
    long: 0..9

each Grid has
    mark: Player or none

each player has
    men: 0..16

function half(c: Grid): int = (c.column - 1) div 2 + 1
function marks(p: Player, n: int): int = count(c in Grid where c.mark is p and half(c) = n)
function isFull(n: int): bool = marks(P1, n) + marks(P2, n) > 3 + most
function mayPut(c: Grid): bool = c.mark is none and not isFull(half(c))
function isOpen(c: Grid): bool = count(x in Grid where x.mark is c.mark) < 9
function few(p: Player): bool = p.men < 9
function isMiddle(n: int): bool = any(k in 1..9 where k * k = n)
function onlyAsks(c: Grid, p: Player): bool = c.row > 2 or marks(p, 2) < 4
function failing(n: int): bool = 9 div count(c in Grid where c.mark is none and half(c) = n) >= 0
function pays(n: int): bool = any(k in 0..long * 900000 where k > 9000000 + n)
function onward(n: int): bool = n < 1 or marks(P1, n) < 9 and onward(n - 1)

procedure put(p: Player, c: Grid)
    c.mark := p

action place(c in Grid)
    when {condition}
    c.mark := me
    me.men += 1
    most := (most + 1) mod 5

action other(n in 0..9)
    when n != most
    most := n
    long := n

action clear(c in Grid)
    when c.mark is not none
    c.mark := none

play
    turns
        choose place or other or clear
"""


def game(condition: str) -> Game:
    return interpreter.load_text(RULES.replace("{condition}", condition), backend="native")


def listed(found: Game) -> dict[str, Listed]:
    kept = find_listed(steps_of(found.program)).functions
    return {found.program.functions[number].name: each for number, each in kept.items()}


KEPT = [
    ("mayPut(c)", "isFull"),
    ("c.mark is none and not isFull((c.row + 1) div 2)", "isFull"),
    ("c.mark is none and marks(me, half(c)) < 3", "marks"),
    ("c.mark is none and any(p in players where marks(p, half(c)) > 1)", "marks"),
    ("c.mark is none or marks(me, most) = most", "marks"),  # one of each
    ("c.mark is none and failing(half(c))", "failing"),
]
NOT_KEPT = [
    ("mayPut(c) and onlyAsks(c, me)", "onlyAsks"),  # what it asks is kept
    ("c.mark is none and isOpen(c)", "isOpen"),  # it is asked once of each cell
    ("c.mark is none and few(me)", "few"),  # it is as quick to ask
    ("c.mark is none and isMiddle(half(c))", "isMiddle"),  # it looks at nothing
    ("c.mark is none and (isFull(half(c)) after put(me, c))", "isFull"),  # something is tried out
    ("mayPut(c) and not (isFull(1) after put(me, c))", "isFull"),
    ("c.mark is none and marks(me, total) < 3 and marks(me, 7 * c.row * c.column) < 3", "marks"),
]


@pytest.mark.parametrize(("condition", "name"), KEPT)
def test_what_is_asked_again_while_options_are_listed_is_kept(condition: str, name: str) -> None:
    found = game(condition)
    assert name in listed(found)
    number = next(n for n, each in enumerate(found.program.functions) if each.name == name)
    assert f"@listing_kept_free{number}(" in emit_module(found.program)


@pytest.mark.parametrize(("condition", "name"), NOT_KEPT)
def test_not_what_is_short_or_tried_out_or_asked_once(condition: str, name: str) -> None:
    assert name not in listed(game(condition))


def test_what_calls_itself_is_not_kept() -> None:
    found = game("c.mark is none and onward(half(c))")
    assert "listing_" not in emit_module(found.program)


def test_a_kept_function_asks_others_once_for_each_answer() -> None:
    assert set(listed(game("mayPut(c)"))) == {"isFull"}


def test_rows_are_told_apart_by_all_arguments() -> None:
    one, two = listed(game("any(p in players where marks(p, half(c)) > 1)"))["marks"].strides
    assert one != two


@pytest.mark.parametrize(
    "condition",
    [
        *(each for each, _ in (*KEPT, *NOT_KEPT)),
        "onward(half(c))",
        "c.mark is none and pays(half(c))",
        "isFull(half(c)) or isFull(3 - half(c)) or (isOpen(c) after put(me, c))",
    ],
)
def test_both_machines_agree(condition: str) -> None:
    whole = game(condition)
    machine, engine = whole.machine, whole.native
    assert engine is not None
    for seed in range(4):
        m = machine.start(seed)
        for number in range(25):
            options = tried(machine.options, m, None)
            assert tried(engine.options, m) == options
            if has_failed(options):
                break
            choice, native = options[(seed * 7 + number * 5) % len(options)], m[:]
            expected = tried(machine.take, m, choice, None)
            assert tried(engine.take, native, choice) == expected
            if has_failed(expected):
                break
            assert native == m


def test_what_is_not_asked_again_is_paid_for() -> None:
    """A condition that takes half of the steps there are for a move fails if it is asked of three
    cells, and so it does if it is asked once."""
    whole = game("long > 0 and (pays(half(c)) or isFull(half(c)))")
    engine, m = whole.native, whole.machine.start(0)
    assert engine is not None and "pays" in listed(whole)
    choice = next(each for each in whole.machine.options(m, None) if each[0] == 1 and each[1] == 3)
    assert limits.STEPS_PER_MOVE < 2 * 3 * 900000
    native = m[:]
    expected = tried(whole.machine.take, m, choice, None)
    assert expected[1] == "RR608" and tried(engine.take, native, choice) == expected

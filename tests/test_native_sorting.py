"""Places whose pieces are sorted before loops go through them: see facts/sorting.py.

As in test_native_shortcuts.py: that is done on a tiny ruleset, and not on another, as like it as
can be, on which it would be wrong. Then both machines offer the same.
"""

from __future__ import annotations

import pytest
from test_native_trials import go_through

import interpreter
from interpreter.play.native.emit.module import emit_module
from interpreter.play.native.facts.shape import Counter, steps_of
from interpreter.play.native.facts.sorting import Sorting, is_at_once, sorted_inside
from interpreter.program import ops
from interpreter.program.program import Program
from interpreter.program.touches import operations

RULES = """
game "T"
players 2

enum Colour: red, green, blue
kind Die: colour in Colour copies 4
kind Card: 1..6

the game has
    centre: set of Die, holds all
    deck: row of Card, holds all
    total: 0..99

each player has
    hand: set of Card
    held: set of Die
    points: 0..99

each Die has
    face: 1..6 = 1
    weight: 0..99

function other(p: Player): int = count(die in p.held where die.face = 2)

play
    turns
        choose take or turn or put or wait

action take(card in deck, die in centre)
    when {condition}
    move card to me.hand
    move die to me.held
    {more}

action turn(die in me.held, to in 1..6)
    when to != die.face and {asked}
    die.face := to

action put(die in me.held)
    when number of me.held > 2
    move die to centre
    if number of me.hand > 0
        move all from me.hand to deck

action wait(n in 1..3)
    for each die in centre
        die.face := 1 + (die.face + n) mod 6
"""
FACE, HELD = "die.face = card.value", "any(x in me.held where x.face = to)"


def source(condition: str = FACE, asked: str = HELD, more: str = "total := 1") -> str:
    text = RULES.replace("{condition}", condition).replace("{asked}", asked)
    return text.replace("{more}", more)


def sorted_in(found: Program, name: str) -> list[Sorting]:
    """The loops inside other ones of what offers an action that go by sorts."""
    function = next(each for each in found.functions if each.name == f"options of {name}")
    counter = Counter(steps_of(found), function.body, 0, rough=True)
    outer = next(op for op in operations(function.body) if isinstance(op, ops.CountLoop))
    return list(sorted_inside(counter, outer).values())


@pytest.mark.parametrize(
    ("condition", "found"),
    [
        (FACE, True),
        ("card.value = die.face", True),
        (f"{FACE} and die.weight < 9", True),
        ("die.face = 7 - card.value", True),
        # Another content than the one of the piece is asked for first, or none.
        (f"die.weight < 9 and {FACE}", False),
        ("die.face > card.value", False),
        ("die.face != card.value", False),
        # What is looked for is the same for all cards, or another one for each die.
        ("die.face = 3", False),
        ("die.face = card.value + die.weight", False),
        # It can be anything, or what is looked for may fail.
        ("die.weight = card.value", False),
        ("die.face = 12 div (card.value - 3)", False),
    ],
)
def test_what_is_looked_for_by_its_sort_is_found(condition: str, found: bool) -> None:
    program = interpreter.load_text(source(condition)).program
    assert bool(sorted_in(program, "take")) == found


@pytest.mark.parametrize(
    ("asked", "found", "at_once"),
    [
        (HELD, True, True),
        ("count(x in me.held where x.face = to) < 2", True, True),
        ("count(x in me.held where x.face = to and x.weight < 5) < 2", True, False),
        ("sum(x.weight for x in me.held where x.face = to) < 2", True, False),
        # The same for all that could be chosen.
        ("any(x in me.held where x.face = total)", False, False),
    ],
)
def test_what_is_counted_need_not_be_gone_through(asked: str, found: bool, at_once: bool) -> None:
    sortings = sorted_in(interpreter.load_text(source(asked=asked)).program, "turn")
    assert bool(sortings) == found
    assert any(map(is_at_once, sortings)) == at_once


def test_another_place_in_each_round_is_not_sorted() -> None:
    each = "count(p in players where any(x in p.held where x.face = to)) > 0"
    function = "any(p in players where any(x in p.held where x.face = p.points))"
    for asked in (each, function):
        found = interpreter.load_text(source(asked=asked)).program
        function_ = next(each for each in found.functions if each.name == "options of turn")
        counter = Counter(steps_of(found), function_.body, 0, rough=True)
        players = [
            op
            for op in operations(function_.body)
            if isinstance(op, ops.CountLoop) and op.high == ops.Const(2)
        ]
        assert players and not any(sorted_inside(counter, op) for op in players)


def test_native_code_goes_by_it() -> None:
    """A count is a number of bits."""
    counted = "count(x in me.held where x.face = to) < 2"
    plain = "count(x in me.held where x.weight = to) < 2"
    texts = [
        emit_module(interpreter.load_text(source(asked=asked)).program)
        for asked in (counted, plain)
    ]
    bits = [
        text[text.index("@g", text.index("define")) :].count("call i64 @llvm.ctpop.i64")
        for text in texts
    ]
    assert bits[0] > bits[1]


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        (HELD, True),
        (f"{HELD} and die.weight < 9", True),
        ("any(x in me.held where x.face = 7 - to)", True),
        # There may be no bit for what is asked for.
        ("any(x in me.held where x.face = to + 1)", False),
        # It is another question than whether there is any, or asked otherwise.
        ("any(x in me.held where x.face = to and x.weight < 9)", False),
        ("count(x in me.held where x.face = to) < 2", False),
        ("(to = 3 or any(x in me.held where x.face = to))", False),
        ("any(x in me.held where x.weight = to)", False),
    ],
)
def test_what_is_offered_if_there_is_any_is_written_without_a_jump(asked: str, found: bool) -> None:
    program = interpreter.load_text(source(asked=asked)).program
    names = [function.name for function in program.functions]
    text = emit_module(program)
    begin = text.index(f"@g{names.index('options of turn')}(", text.index("define"))
    assert ("store i64 5," in text[begin : text.index("\n}", begin)]) == found


@pytest.mark.parametrize(
    "condition",
    [FACE, "die.face = 7 - card.value", f"{FACE} and die.weight < 9", "die.face = card.value + 3"],
)
@pytest.mark.parametrize(
    "asked",
    [
        HELD,
        f"{HELD} and die.weight < 9",
        "any(x in me.held where x.face = 7 - to)",
        "any(x in me.held where x.face = to + 1)",
        "count(x in me.held where x.face = to) < 2",
        "count(x in centre where x.face = to and x.colour is die.colour) > 0",
        "sum(x.weight for x in me.held where x.face = to) < 2",
        "count(p in players where any(x in p.held where x.face = to)) > 0",
        "to <= 3 + other(me)",
    ],
)
def test_both_machines_offer_the_same(condition: str, asked: str) -> None:
    more = "die.weight := (die.weight + 7) mod 20"
    go_through(interpreter.load_text(source(condition, asked, more), backend="native"))

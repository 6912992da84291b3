"""What comes out alike in all rounds of a loop is done once before it: see facts/hoisted.py.

As in test_native_shortcuts.py: that is done on a tiny ruleset, and not on another, as like it as
can be, on which it would be wrong. Then both machines offer the same, and fail alike.
"""

from __future__ import annotations

import pytest
from differential import has_failed, tried

import interpreter
from interpreter import limits
from interpreter.embedding import Game
from interpreter.play.native.facts.hoisted import Hoisted, find_hoisted
from interpreter.play.native.facts.shape import steps_of
from interpreter.program.program import Program

RULES = """
game "T"
players 2

the game has
    total: 0..99
    least: 0..9 = 2
    none_of_it: 0..0

each player has
    men[0..9]: 0..9 = 3

function isRich(p: Player, n: int): bool = p.men[n] > 2 and count(k in 0..9 where p.men[k] > n) > 3
function isPoor(p: Player, n: int): bool = p.men[n] < 2
function failing(p: Player, n: int): bool = 9 div p.men[n] > 2
function long(p: Player, n: int): bool = any(k in n..n + least where p.men[k mod 10] > 2)
function pays(p: Player, n: int): bool = any(k in 0..p.men[n] * 900000 where k > 9000000)
function both(p: Player, a: int, b: int): bool = isRich(p, a) and p.men[b] > least

function careful(p: Player, a: int, b: int): bool
    let most = p.men[a]
    no if most = 0
    no if isPoor(p, b)
    isRich(p, a) otherwise

procedure go(p: Player, n: int)
    p.men[n] -= 1
    total := min(99, total + n)

function after(p: Player, a: int, b: int): bool = (
    p.men[a] > 1 and (isRich(p, b) after go(p, a))
)

action try1(a in 0..9, b in {domain})
    when {condition}
    go(me, a)
    next(me).men[b] := min(9, next(me).men[b] + 1)

action other(n in 0..9)
    when any(a in 0..9, b in {domain} where {looked})
    least := n mod 4
    me.men[n] := n mod 5

function counted(me: Player) = count(a in 0..9, b in {domain} where {looked})
function found(me: Player) = any(a in 0..9, b in {domain} where {looked})

action rest(n in 1..2)
    total := (total + n + counted(me) + (1 if found(me) else 0)) mod 90

play
    turns
        choose try1 or other or rest
"""


def game(condition: str, looked: str = "a = b", domain: str = "0..9") -> Game:
    text = RULES.replace("{condition}", condition).replace("{looked}", looked)
    return interpreter.load_text(text.replace("{domain}", domain), backend="native")


def hoisted(found: Program, name: str = "options of other") -> list[Hoisted]:
    number = next(n for n, each in enumerate(found.functions) if each.name == name)
    return list(find_hoisted(steps_of(found), number, deep=False).hoisted.values())


ALIKE = [
    "isRich(me, a) and me.men[b] > 1",
    "not (isPoor(me, a) or me.men[b] > 1)",
    "both(me, a, b)",
    "careful(me, a, b)",
    "failing(me, a) and me.men[b] > 1",  # it would fail in the first round, too
    "a < b or isRich(me, a)",
    "b > 9 or not both(me, a, b)",
    "long(me, a) and me.men[b] > 1",
    "pays(me, a) and me.men[b] > 1",
]
DIFFERENT = [
    "me.men[b] > 1 and isRich(me, a)",
    "me.men[b] > 1 and failing(me, a)",
    "failing(me, b) and isRich(me, a)",
    "isRich(me, b) and isRich(me, a)",
    "both(me, b, a)",
    "both(me, a, b) or isPoor(me, a)",
]
TRIED = [
    "(isRich(me, b) after go(me, a))",
    "not (isRich(me, b) after go(me, a))",
    "after(me, a, b)",
    "(isRich(me, b) after go(me, a)) and least < 9",
]
TRIED_EACH_TIME = [
    "(isRich(me, a) after go(me, b))",
    "after(me, b, a)",
    "(isRich(me, b) after go(me, a)) and me.men[b] > 1",  # it is looked at before the steps
    "(isRich(me, b) after go(me, a)) and 9 div least > 1",  # it may fail outside the trial
    "(isRich(me, b) after go(me, a)) and (isRich(me, b) after go(me, b))",
]


@pytest.mark.parametrize("condition", ALIKE[:5] + ALIKE[7:])
def test_conditions_that_come_out_alike_are_asked_once(condition: str) -> None:
    (found,) = hoisted(game("a = b", condition).program)
    assert found.first and found.trial is None


@pytest.mark.parametrize("condition", [*DIFFERENT, *ALIKE[5:7]])
def test_not_what_differs_or_is_asked_later(condition: str) -> None:
    assert hoisted(game("a = b", condition).program) == []


@pytest.mark.parametrize("condition", TRIED)
def test_what_is_tried_out_in_all_rounds_is_tried_once(condition: str) -> None:
    (found,) = hoisted(game("a = b", condition).program)
    assert found.trial is not None


@pytest.mark.parametrize("condition", TRIED_EACH_TIME)
def test_not_if_the_rest_of_a_round_is_outside_the_trial(condition: str) -> None:
    assert all(each.trial is None for each in hoisted(game("a = b", condition).program))


@pytest.mark.parametrize(("condition", "tried"), [("both(me, a, b)", False), (TRIED[2], True)])
def test_options_are_offered_alike(condition: str, tried: bool) -> None:
    (found,) = hoisted(game(condition).program, "options of try1")
    assert (found.trial is not None) == tried


def test_loops_that_write_ask_each_time() -> None:
    text = "procedure change(a: int)\n    for each b in 0..9\n        {}\n"
    body = "if isRich(P1, a) and P1.men[b] > 1\n            {}"
    for statement, many in (("P1.men[b] := 1", 0), ("stop", 1)):
        more = text.format(body.format(statement))
        rules = RULES.replace("{condition}", "a = b").replace("{looked}", "a = b")
        rules = rules.replace("{domain}", "0..9").replace("action rest(", f"{more}\naction rest(")
        rules = rules.replace(") mod 90\n", ") mod 90\n    change(3)\n")
        found = interpreter.load_text(rules, backend="native").program
        assert len(hoisted(found, "change")) == many


@pytest.mark.parametrize("condition", [*ALIKE[:-1], *DIFFERENT, *TRIED, *TRIED_EACH_TIME])
@pytest.mark.parametrize("domain", ["0..9", "1..none_of_it"])
def test_both_machines_agree(condition: str, domain: str) -> None:
    whole = game(condition, condition, domain)
    machine, engine = whole.machine, whole.native
    assert engine is not None
    for seed in range(3):
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
    """A condition that takes half of the steps there are for a move fails if it is asked in three
    rounds, and so it does if it is asked once."""
    whole = game("a = b", "a = 0 and pays(me, a) and me.men[b] > 1")
    engine = whole.native
    assert engine is not None and limits.STEPS_PER_MOVE < 2 * 3 * 900000
    expected = tried(whole.machine.start, 0)
    assert expected[1] == "RR608" and tried(engine.start, 0) == expected

"""Of entries that are offered for different contents of a cell one is asked: see
facts/exclusive.py.

As in test_native_shortcuts.py: that is done on a tiny ruleset, and not on another, as like it as
can be, on which it would be wrong. Then both machines offer the same.
"""

from __future__ import annotations

import pytest
from test_native_trials import go_through

import interpreter
from interpreter.play.native.emit.module import emit_module
from interpreter.play.native.facts.exclusive import find_exclusive

RULES = """
game "T"
players 2

enum Deed: gain, lose, swap, rest, none1

the game has
    total: 0..50

each player has
    points: 0..20 = 5

play
    turns
        choose act

action act(deed in Deed)
    looking ahead
        perform(me, deed)

procedure perform(p: Player, a: Deed)
    p chooses
        gain1(n in 1..3)
            when {first} and p.points + n < 18
            p.points += n
        lose1(n in 1..3)
            when {second}
            when p.points > n
            p.points -= n
        swap1
            when a is swap
            p.points := 20 - p.points
        rest1
            when a is {third}
            total := total mod 40 + 1
        {other}
        otherwise
            total := 0
"""
PLAIN = ("a is gain", "a is lose", "rest", "")


def source(first: str, second: str, third: str, other: str) -> str:
    text = RULES.replace("{first}", first).replace("{second}", second)
    return text.replace("{third}", third).replace("        {other}\n", other)


CASES = [
    (PLAIN, True),
    # Two are offered for the same.
    (("a is gain", "a is lose", "swap", ""), False),
    # One is offered for more than one.
    (("a is not lose", "a is lose", "rest", ""), False),
    (("(a is gain or a is swap)", "a is lose", "rest", ""), False),
    # Another cell is asked for, or something else first.
    (("total < 30", "a is lose", "rest", ""), False),
    (("total = 3", "a is lose", "rest", ""), False),
    (("p.points < 9 and a is gain", "a is lose", "rest", ""), False),
    # One is offered in any case.
    (("a is gain", "a is lose", "rest", "        idle1\n            total := 2\n"), False),
]


@pytest.mark.parametrize(("parts", "found"), CASES)
def test_entries_for_different_contents_are_found(
    parts: tuple[str, str, str, str], found: bool
) -> None:
    program = interpreter.load_text(source(*parts)).program
    (menu,) = (each for each in program.menus if len(each.entries) >= 4)
    exclusive = find_exclusive(program, menu)
    assert (exclusive is not None) == found
    if exclusive is not None:
        assert exclusive[1] == [0, 1, 2, 3]
    number = program.menus.index(menu)
    text = emit_module(program)
    begin = text.index(f"@find{number}(", text.index(f"define internal fastcc i64 @find{number}("))
    assert ("switch i64" in text[begin : text.index("\n}", begin)]) == found


@pytest.mark.parametrize("parts", [parts for parts, _ in CASES])
def test_both_machines_offer_the_same(parts: tuple[str, str, str, str]) -> None:
    go_through(interpreter.load_text(source(*parts), backend="native"))

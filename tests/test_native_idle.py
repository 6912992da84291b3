"""One trial tells of all options that differ in a piece nobody looks at: see facts/idle.py.

As in test_native_shortcuts.py: that is found in a tiny ruleset, and not in another, as like it as
can be, in which it would be wrong. Then both machines offer the same.
"""

from __future__ import annotations

import pytest
from test_native_trials import go_through

import interpreter
from interpreter.embedding import Game
from interpreter.play.native.facts.idle import find_idle

RULES = """
game "T"
players 2

kind Card: 1..5
kind Die: 1..6

the game has
    deck: row of Card, holds all
    centre: set of Die, holds all
    out: row of Die
    last: 0..9

each player has
    shown: row of Card
    taken: row of Die
    points: 0..20

play
    turns
        looking ahead
            choose play or wait

action play(card in deck, die in centre)
    move card to me.shown
    {move}
    perform(me, card.value)

action wait(n in 1..3)
    me.points := n
    move all from me.shown to deck
    move all from me.taken to centre
    move all from out to centre

procedure perform(p: Player, a: int)
    p chooses
        gain
            when a = 1 and p.points < 5
            p.points += 1
        swap(x in centre)
            when a = 2 and x.value = 2
            p.points := 2
        count1
            when a = 3 and number of p.taken < 2
            p.points := 3
        throw(x in centre)
            when a = 4 and p.points > 0
            move x to out
        follow
            when a = 5 and last != 4
            {follow}
"""
PLAIN = "move die to me.taken"


def game(move: str = PLAIN, follow: str = "p.points := 1") -> Game:
    text = RULES.replace("{move}", move).replace("{follow}", follow)
    return interpreter.load_text(text, backend="native")


@pytest.mark.parametrize(
    ("move", "found"),
    [
        (PLAIN, True),
        ("move die to out", True),
        # Which piece it is matters.
        (f"{PLAIN}\n    me.points := die.value", False),
        (f"{PLAIN}\n    last := die.value", False),
        ("if die.value > 3\n        move die to me.taken", False),
        # It is passed on.
        ("take(me, die)", False),
    ],
)
def test_pieces_that_are_only_moved_are_found(move: str, found: bool) -> None:
    more = "\nprocedure take(p: Player, d: Die)\n    move d to p.taken\n"
    text = RULES.replace("{move}", move).replace("{follow}", "p.points := 1") + more
    program = interpreter.load_text(text).program
    entries = find_idle(program).entries
    assert ((0, 0) in entries) == found


def test_without_looking_ahead_nothing_is_noted() -> None:
    text = RULES.replace("{move}", PLAIN).replace("{follow}", "p.points := 1")
    text = text.replace("looking ahead\n            choose", "choose")
    assert not find_idle(interpreter.load_text(text).program).entries


def test_what_reads_where_pieces_lie_is_noted() -> None:
    """Of the places of dice, by those who look there: who gains something looks nowhere."""
    found = game().program
    idle = find_idle(found)
    (noted,) = idle.kinds.values()
    bodies = (found.functions[each.generator].body for each in found.menus[1].entries)
    gain, swap, counting, throw, _ = map(idle.bits, bodies)
    places = {each.name: noted.places[each.first] for each in found.layout.places}
    centre = places["centre"]
    assert gain == 0
    assert swap & centre
    assert throw & centre
    assert counting
    assert not counting & centre
    assert idle.entries[0, 0].changed & counting


@pytest.mark.parametrize("move", [PLAIN, "move die to out", f"{PLAIN}\n    last := die.value"])
@pytest.mark.parametrize("follow", ["p.points := 1", "perform2(p)"])
def test_both_machines_offer_the_same(move: str, follow: str) -> None:
    text = RULES.replace("{move}", move).replace("{follow}", follow)
    more = """
procedure perform2(p: Player)
    p chooses
        more1(x in p.taken)
            when x.value > 3
            p.points := 4
        leave1
            when number of centre > 4
            p.points := 5
"""
    go_through(interpreter.load_text(text + more, backend="native"))
    plain = interpreter.load_text(text + more, backend="reference")
    whole = interpreter.load_text(text + more, backend="native")
    assert whole.native is not None
    state, other = plain.start(3), whole.start(3)
    for number in range(60):
        assert [str(each) for each in state.options()] == [str(each) for each in other.options()]
        pick = (7 * number + 3) % len(state.options())
        state, other = state.apply(state.options()[pick]), other.apply(other.options()[pick])

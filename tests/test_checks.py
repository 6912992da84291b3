"""The checks of the typed tree: walking, effects, and what they tell of rules.

What they tell is in cases/problems; the rules in cases/clean are right, and were once told to be
wrong.
"""

from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any, get_args

import pytest
from test_problems import SHIPPED

from interpreter.model.declare import declare
from interpreter.pipeline import check_rules
from interpreter.reading import read_rules, read_text
from interpreter.report.problem import Problems
from interpreter.typed import statements as s
from interpreter.typed import values as v
from interpreter.typed.build.whole import type_rules
from interpreter.typed.effects import Effects, Summaries
from interpreter.typed.rules import Rules
from interpreter.typed.walk import PLAIN, Node, Parts, alike, children, walk

CLEAN = sorted((Path(__file__).parent / "cases" / "clean").glob("*.rules"))


@pytest.mark.parametrize("path", CLEAN, ids=lambda path: path.stem)
def test_nothing_is_told_of_rules_that_are_right(path: Path) -> None:
    assert check_rules(read_rules(path)) == []


# ---- walking


def every_class() -> Iterator[type]:
    def flat(given: Any) -> Iterator[type]:
        for each in get_args(given) or (given,):
            if get_args(each):
                yield from flat(each)
            else:
                yield each

    yield from flat(Node)


def test_fields_hold_nodes_or_are_plain() -> None:
    """A field that is left out of PLAIN is taken to hold nodes, so its type must say so."""
    nodes = {each.__name__ for each in every_class()}
    nodes |= {"Value", "Domain", "Body", "Statement", "Question", "Local", "None", "..."}
    for kind in every_class():
        for field in fields(kind):
            written = str(field.type)
            if written in PLAIN or written.startswith("Literal["):
                continue
            parts = written.replace("tuple[", "").replace("]", "").replace(",", " |").split("|")
            assert {part.strip() for part in parts} <= nodes, (kind, field.name)


def typed(text: str) -> Rules:
    read = read_text(text, "t.rules")
    problems = Problems(read.problems.items())
    rules = type_rules(declare(read.declarations, read.data, 2, {}, problems), problems)
    assert not problems.has_errors, problems.items()
    return rules


PAY_DIRT = next(path for path in SHIPPED if path.stem == "payDirt")


@pytest.fixture(scope="module")
def big() -> Rules:
    read = read_rules(PAY_DIRT)
    problems = Problems()
    return type_rules(declare(read.declarations, read.data, 4, {}, problems), problems)


def test_all_nodes_are_gone_through(big: Rules) -> None:
    known = set(every_class())
    parts = Parts(big)
    assert big.play is not None
    assert {type(node) for node in walk(big.play)} <= known
    assert len(parts.of(s.Choose)) > 10
    assert all(type(child) in known for node in parts.of(s.Choose) for child in children(node))


# ---- effects

EFFECTS = """\
game "Test"
players 2
kind Card: ace 2, king 2
the game has
    deck: stack of Card, holds all
    market: row of Card
    spare: row of Card
    round, wins, turns1: int
each player has
    hand: hand of Card
    die: 1..6
    bids: int, per lap
function late(): bool = round > 3
group poor = p in players where p.bids < 2
procedure deal(p: Player)
    draw 1 from deck to p.hand
procedure ask(p: Player)
    p chooses c in p.hand
    move c to market
    leave lap
procedure tell()
    say "{wins}"
    wins += 1
action buy(c in market)
    when not late()
    move c to me.hand
    tell()
action pass1
    end game
play
    repeat as lap
        for each p in poor
            deal(p)
            ask(p)
        turns
            choose buy or pass1
            if can (deal(me))
                stop
"""


@pytest.fixture(scope="module")
def summaries() -> Summaries:
    return Summaries(typed(EFFECTS))


def names(things: set[Any]) -> set[str]:
    return {each for each in things if isinstance(each, str)}


def test_effects_of_procedures(summaries: Summaries) -> None:
    deal, ask, tell = (summaries.procedure(name) for name in ("deal", "ask", "tell"))
    assert names(deal.writes) == {"deck", "hand"}
    assert (deal.draws, deal.asks, deal.ends) == (True, False, False)
    assert names(ask.writes) == {"market"}
    assert ask.loses == {"deck", "market", "spare", "hand"}  # the card may lie anywhere
    assert ask.leaves == {"lap"}
    assert (ask.draws, ask.asks) == (False, True)
    assert (names(tell.reads), names(tell.tells), names(tell.writes)) == (set(), {"wins"}, {"wins"})


def test_effects_go_through_what_is_called(summaries: Summaries) -> None:
    buy = summaries.action("buy")
    assert names(buy.reads) == {"market", "round", "hand"}
    assert names(buy.writes) == {"hand", "wins"}
    assert names(buy.tells) == {"wins"}
    play = summaries.rules.play
    assert play is not None
    found = summaries.of(play.body)
    assert "bids" in found.reads  # by the group
    assert "bids" in found.writes  # which starts again with each lap
    assert (found.asks, found.draws, found.ends) == (True, True, True)


def test_what_is_tried_changes_nothing(summaries: Summaries) -> None:
    play = summaries.rules.play
    assert play is not None
    can = next(node for node in walk(play) if isinstance(node, v.Can))
    found = summaries.of([can])
    assert names(found.reads) == {"deck", "hand"}
    assert found.writes == set()
    assert not found.draws


def test_a_ring_of_procedures_has_one_answer() -> None:
    text = """\
game "Test"
players 2
the game has
    one, two, three: int
procedure first(n: int)
    one += n
    if n > 0
        second(n - 1)
procedure second(n: int)
    two += n
    if n > 0
        third(n - 1)
procedure third(n: int)
    three += n
    if n > 0
        first(n - 1)
play
    first(3)
"""
    summaries = Summaries(typed(text))
    for name in ("first", "second", "third"):
        assert names(summaries.procedure(name).writes) == {"one", "two", "three"}


def test_effects_change_what_they_write_or_lose() -> None:
    found = Effects(writes={"gold"}, loses={"deck"})
    assert found.changes({"gold", "hand"})
    assert found.changes({"deck"})
    assert not found.changes({"hand"})


# ---- alike


@pytest.mark.parametrize(
    ("left", "right", "same"),
    [
        ("count(c in deck where c is ace)", "count(c in deck where c is ace)", True),
        ("count(c in deck where c is ace)", "count(c in deck where c is king)", False),
        ("count(c in deck where c is ace)", "count(d in deck where d is ace)", False),
        ("gold + 1", "gold + 1", True),
        ("gold + 1", "gold + 2", False),
        ("limit", "3", False),  # it may be another number tomorrow
    ],
)
def test_alike(left: str, right: str, same: bool) -> None:
    rules = typed(f"""\
game "Test"
players 2
kind Card: ace 2, king 2
constant limit = 3
the game has
    deck: row of Card, holds all
    gold: int
play
    gold := {left}
    gold := {right}
""")
    assert rules.play is not None
    one, other = rules.play.body
    assert isinstance(one, s.Assign) and isinstance(other, s.Assign)
    assert alike(one.value, other.value) is same

"""What an editor asks about rules: what stands at a place, where it is declared and used, and which
names may be typed there. A place in the text is marked with `^` in the line below it."""

import pytest

from interpreter.model.declare import declare
from interpreter.reading import read_text
from interpreter.report.problem import Problems
from interpreter.report.source import Mark
from interpreter.typed import statements as s
from interpreter.typed import values as v
from interpreter.typed.answers import at, declared, names_at, refers_to, uses
from interpreter.typed.build.whole import type_rules
from interpreter.typed.rules import Rules

FILE = "t.rules"
TEXT = """\
game "Test"
players 2
enum Suit: hearts, spades
kind Card: ace 2, king 2
constant limit = 3
the game has
    deck: stack of Card, holds all
    total: int
each player has
    hand: hand of Card
    gold: int
function worth(c: Card): int = (2 if c is ace else 1)
group rich = q in players where q.gold > limit
procedure pay(p: Player, n: int)
    p.gold -= n
    total += n
action earn(c in me.hand)
    when worth(c) > 1
    me.gold += worth(c)
play
    repeat 3 times as round
        turns as lap
            let price = total + 1
            choose earn
            for each q in rich
                pay(q, price)
                price += 1
            me chooses x at spot in me.hand
            if count(k in Card where worth(k) > spot) > 2
                leave round
            leave lap
score p: p.gold
"""


def typed(text: str) -> Rules:
    rules = read_text(text, FILE)
    assert not rules.problems.has_errors
    problems = Problems()
    return type_rules(declare(rules.declarations, rules.data, 2, {}, problems), problems)


@pytest.fixture(scope="module")
def rules() -> Rules:
    return typed(TEXT)


def place(word: str, after: str = "", text: str = TEXT) -> tuple[str, int, int]:
    """Where a word stands: the first after some other words."""
    start = text.index(word, text.index(after) + len(after))
    line = text.count("\n", 0, start)
    return FILE, line + 1, start - text.rfind("\n", 0, start)


def written(mark: Mark | None, text: str = TEXT) -> str:
    assert mark is not None and mark.line == mark.end_line
    return text.split("\n")[mark.line - 1][mark.column - 1 : mark.end_column - 1]


# ---- what stands there


@pytest.mark.parametrize(
    ("word", "after", "kind"),
    [
        ("q.gold", "where ", v.LocalValue),  # `q` alone, the smallest
        (".gold", "where q", v.LocalValue),  # a cursor behind a word still means it
        ("gold > limit", "where q.", v.Read),
        ("limit", "gold > ", v.Constant),
        ("worth(c) > 1", "when ", v.Call),
        ("pay(q", "", s.Do),
        ("rich", "each q in ", v.InGroup),
        ("repeat", "", s.Repeat),
    ],
)
def test_smallest_node(rules: Rules, word: str, after: str, kind: type) -> None:
    assert type(at(rules, *place(word, after))) is kind


def test_nothing_stands_between(rules: Rules) -> None:
    assert at(rules, FILE, 1000, 1) is None
    assert at(rules, "other.rules", *place("repeat")[1:]) is None


# ---- where it is declared


@pytest.mark.parametrize(
    ("word", "after", "mark"),
    [
        ("q.gold", "where ", "q in players where q.gold > limit"),
        ("gold > limit", "where q.", "gold: int"),
        ("limit", "gold > ", "constant limit"),
        ("worth(c) > 1", "when ", "function worth(c: Card): int = (2 if c is ace else 1)"),
        ("pay(q", "", "procedure pay(p: Player, n: int)"),
        ("rich", "each q in ", "group rich = q in players where q.gold > limit"),
        ("price)", "pay(q, ", "let price"),
        ("earn", "choose ", "action earn(c in me.hand)"),
        ("round", "leave ", "repeat 3 times as round"),
        ("Card where", "", "kind Card: ace 2, king 2"),
        ("hand)", "c in me.", "hand: hand of Card"),
    ],
)
def test_declared(rules: Rules, word: str, after: str, mark: str) -> None:
    node = at(rules, *place(word, after))
    assert node is not None
    assert written(declared(rules, node)) == mark


def test_what_is_no_name_is_not_declared(rules: Rules) -> None:
    node = at(rules, *place("2 if"))
    assert isinstance(node, v.Constant)
    assert declared(rules, node) is None


# ---- where it is used


def used(rules: Rules, word: str, after: str = "") -> list[tuple[int, str]]:
    node = at(rules, *place(word, after))
    assert node is not None
    thing = refers_to(rules, node)
    assert thing is not None
    return [(mark.line, written(mark)) for mark in uses(rules, thing)]


def line_of(text: str) -> int:
    return place(text)[1]


def test_uses_of_a_local(rules: Rules) -> None:
    """Changing it is a use, and the value that it had before is not another."""
    assert used(rules, "price)", "pay(q, ") == [
        (line_of("pay(q, price)"), "price"),
        (line_of("price += 1"), "price"),
    ]


def test_uses_of_a_variable(rules: Rules) -> None:
    assert used(rules, "total + 1") == [
        (line_of("total += n"), "total"),
        (line_of("let price"), "total"),
    ]


def test_uses_of_what_is_called(rules: Rules) -> None:
    assert [line for line, _ in used(rules, "worth(c) > 1")] == [
        line_of("when worth(c)"),
        line_of("me.gold += worth(c)"),
        line_of("count(k in Card"),
    ]
    assert used(rules, "pay(q") == [(line_of("pay(q"), "pay(q, price)")]
    assert used(rules, "earn", "choose ") == [(line_of("choose earn"), "earn")]


def test_two_locals_of_one_name_are_two(rules: Rules) -> None:
    """`q` of the group is not `q` of the loop."""
    assert used(rules, "q.gold", "where ") == [(line_of("group rich"), "q")]
    assert used(rules, "q, price") == [(line_of("pay(q"), "q")]


# ---- what may be typed


def locals_at(rules: Rules, where: tuple[str, int, int]) -> dict[str, str]:
    names = names_at(rules, *where)
    return {each.name: str(each.type) for each in names if each.word == "local"}


def test_locals_on_a_line(rules: Rules) -> None:
    assert locals_at(rules, place("choose earn")) == {"me": "Player", "price": "int"}
    assert locals_at(rules, place("total + 1")) == {"me": "Player"}
    assert locals_at(rules, place("pay(q")) == {"me": "Player", "price": "int", "q": "Player"}
    assert locals_at(rules, place("me.gold += worth")) == {"me": "Player", "c": "Card"}
    assert locals_at(rules, place("total += n")) == {"p": "Player", "n": "int"}
    assert locals_at(rules, place("p.gold", "score p: ")) == {"p": "Player"}
    assert locals_at(rules, place("repeat")) == {}


def test_locals_inside_a_value(rules: Rules) -> None:
    inside, outside = place("worth(k)"), place("2", "> spot) > ")
    assert set(locals_at(rules, inside)) == {"me", "price", "x", "spot", "k"}
    assert set(locals_at(rules, outside)) == {"me", "price", "x", "spot"}


def test_locals_on_a_new_line() -> None:
    """A line that is still empty belongs to the block that its column says."""
    text = TEXT.replace("price += 1\n", "price += 1\n\n")
    found = typed(text)
    line = place("price += 1", text=text)[1] + 1
    assert set(locals_at(found, (FILE, line, 17))) == {"me", "price", "q"}
    assert set(locals_at(found, (FILE, line, 13))) == {"me", "price"}
    assert set(locals_at(found, (FILE, line, 9))) == set()


def test_declared_names(rules: Rules) -> None:
    found = {each.name: each for each in names_at(rules, *place("choose earn"))}
    words = {name: found[name].word for name in (
        "total", "deck", "limit", "Suit", "hearts", "Card", "ace", "worth", "rich", "pay", "earn",
        "next",
    )}  # fmt: skip
    assert words == {
        "total": "variable", "deck": "place", "limit": "constant", "Suit": "type",
        "hearts": "member", "Card": "type", "ace": "row", "worth": "function", "rich": "group",
        "pay": "procedure", "earn": "action", "next": "built-in",
    }  # fmt: skip
    assert str(found["worth"].type) == "int"
    assert str(found["rich"].type) == "Player"


# ---- rules with mistakes in them


def test_rules_with_mistakes() -> None:
    text = TEXT.replace("total + 1", "totl + 1").replace("pay(q, price)", "pay(q, prize)")
    found = typed(text)
    broken = at(found, *place("totl", text=text))
    assert isinstance(broken, v.Broken)
    assert declared(found, broken) is None
    assert set(locals_at(found, place("prize", text=text))) == {"me", "price", "q"}
    node = at(found, *place("q, prize", text=text))
    assert node is not None
    assert written(declared(found, node), text) == "q in rich"

"""Places that are passed to functions, groups and procedures: what comes out, on both machines."""

from __future__ import annotations

import textwrap

from test_answers import FILE, typed
from test_short_forms import HEAD, finish, game, problems, values

from interpreter.typed.answers import names_at

TABLE = """
    kind Card: 1..20
    kind Bone: red 5, blue 3
    the game has
        deck: stack of Card, holds all
        market: row of Card
        supply: pool of Bone, holds all
        a, b, c, d, e: int
    each player has
        hand: hand of Card
        pile[1..2]: row of Card
        face: slot of Card
        bones: pool of Bone
"""


def run(text: str) -> list[str | None]:
    return values(finish(TABLE + text), "a", "b", "c", "d", "e")


def test_one_function_for_places_of_all_sorts() -> None:
    assert run("""
    function total(h: place of Card): int = sum(x.value for x in h)
    function gap(h: place of Card, k: place of Card): int
        let more = total(h) - total(k)
        more if more > 0
        -more otherwise
    play
        move "3" to P1.hand
        move "4" to P2.pile[2]
        move "5" to P2.pile[2]
        move "7" to market
        a := total(P1.hand)
        b := P2.pile[2].total()
        c := gap(P1.hand, pile[P2, 2])
        d := sum(total(p.pile[n]) for p in players, n in 1..2) + total(deck)
        e := (total(market) if total(market) > total(P1.hand) else 0)
    """) == ["3", "9", "6", "200", "7"]


def test_a_group_and_a_procedure_take_places_and_pass_them_on() -> None:
    assert run("""
    group low(h: place of Card, most: int) = x in h where x.value <= most
    procedure swap(h: place of Card, k: place of Card, n: int)
        n += 1
        if number of h < n
            leave swap
        for each x at i in h where i <= n
            give(x, k)
        a += n
    procedure give(x: Card, k: place of Card)
        move x to k
        b += number of k
    play
        for each x in deck where x.value <= 5
            move x to market
        swap(market, P1.hand, 1)
        swap(market, P2.pile[1], 0)
        swap(P1.hand, P1.pile[2], 4)
        c := count(x in low(P1.hand, 1))
        d := count(x in low(market, 4))
        e := number of P2.pile[1]
    """) == ["3", "4", "1", "1", "1"]


def test_a_slot_that_is_passed_is_its_piece_and_a_pool_counts() -> None:
    assert run("""
    function worth(h: slot of Card): int = (0 if h is none else h.value)
    function reds(h: pool of Bone): int = h[red]
    procedure take(h: pool of Bone)
        move 2 of red from supply to h
        move 1 of blue from supply to h
    play
        move "9" to P2.face
        take(P1.bones)
        take(P2.bones)
        a := worth(P2.face) + worth(P1.face)
        b := reds(supply)
        c := reds(P1.bones) + P2.bones.reds()
        d := number of supply
    """) == ["9", "1", "4", "2", "0"]


def test_a_procedure_that_asks_is_given_places() -> None:
    state = game(
        TABLE
        + """
    procedure take(p: Player, h: place of Card, k: place of Card)
        repeat 2 times as taking
            p may choose x in h "take {x}"
            if x is none
                leave take
            move x to k
            a += 1
        b += 1
    play
        for each x in deck where x.value <= 3
            move x to market
        take(P1, market, P1.hand)
        take(P2, market, P2.pile[1])
    """
    ).start(seed=1)
    state = state.apply("choose(x: 2)").apply("pass")
    assert values(state, "a", "b") == ["1", "0"]
    assert [str(option) for option in state.options()] == ["choose(x: 1)", "choose(x: 3)", "pass"]
    state = state.apply("choose(x: 3)").apply("choose(x: 1)")
    assert values(state, "a", "b") == ["3", "1"]


def test_variables_start_again_with_each_copy() -> None:
    text = TABLE.replace("a, b,", "a: int, per count_\n        b,")
    assert values(
        finish(
            text
            + """
    procedure count_(h: place of Card)
        a += number of h + 1
        b := b * 10 + a
    play
        move "3" to P1.hand
        count_(P1.hand)
        count_(market)
    """
        ),
        "b",
    ) == ["21"]


def test_what_nobody_calls_is_understood_too() -> None:
    text = """
    function total(h: place of Card): int = sum(x.valeu for x in h)
    procedure fill(h: place of Card)
        draw 1 from deck to h
    play
        shuffle deck
    """
    found = problems(TABLE + text)
    assert any("RR308" in each and "valeu" in each for each in found)
    found = problems(TABLE + text.replace("valeu", "value"))
    assert any("RR416" in each and "`fill`" in each for each in found)


def test_an_editor_offers_the_names_as_they_are_written() -> None:
    text = HEAD + textwrap.dedent(
        TABLE
        + """
    function total(h: place of Card): int
        let n = 3
        n + number of h otherwise
    play
        a := total(P1.hand) + total(market)
    """
    )
    line = 1 + text.split("\n").index("    let n = 3")
    names = {each.name: each for each in names_at(typed(text), FILE, line, 8)}
    assert str(names["h"].type) == "place of Card"
    assert "total" in names and not [name for name in names if "(" in name or "#" in name]

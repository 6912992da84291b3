"""Kinds that are products, and fields that are worked out: what rows there are, what they are
called, and that both machines play with them alike."""

from __future__ import annotations

from pathlib import Path

from test_short_forms import HEAD, finish, game, problems, values

import interpreter

PACK = """
    enum Suit: clubs, hearts
    enum Rank: ten, jack, queen
    kind Card: suit in Suit by rank in Rank "{rank} of {suit}"
        points: 0..20 = (10 if rank is ten else 5 + bonus)
        bonus: 0..9 = (1 if suit is hearts else 0)
"""
HAND = """
    the game has
        pile: row of Card, holds all
    play
        P1 chooses card in pile "take the {card}"
        move card to box
"""


def words(text: str) -> list[tuple[str, str]]:
    """What can be chosen, as it is typed and as people read it."""
    return [(str(option), option.words) for option in game(text).start(seed=1).options()]


def test_rows_are_called_by_their_text_and_the_last_field_changes_first() -> None:
    pack = PACK.replace(" + bonus", "")
    assert words(pack + HAND) == [
        ("choose(card: tenOfClubs)", "take the ten of clubs"),
        ("choose(card: jackOfClubs)", "take the jack of clubs"),
        ("choose(card: queenOfClubs)", "take the queen of clubs"),
        ("choose(card: tenOfHearts)", "take the ten of hearts"),
        ("choose(card: jackOfHearts)", "take the jack of hearts"),
        ("choose(card: queenOfHearts)", "take the queen of hearts"),
    ]


def test_fields_without_a_name_are_called_after_their_type() -> None:
    text = """
    enum Suit: clubs, redHearts
    kind Card: Suit by 9..10
    """
    assert words(text + HAND + '        say "{card.suit} {card.value}"') == [
        ("choose(card: clubs9)", "take the clubs 9"),
        ("choose(card: clubs10)", "take the clubs 10"),
        ("choose(card: redHearts9)", "take the red hearts 9"),
        ("choose(card: redHearts10)", "take the red hearts 10"),
    ]


def test_a_name_never_begins_with_a_digit_and_numbers_stay_apart() -> None:
    text = """
        kind Tile: left in 0..1 by right in 10..11 where left + 10 <= right "{left}-{right}"
        the game has
            pile: row of Tile, holds all
        play
            P1 chooses tile in pile where tile is not tile0_10 "take {tile}"
            move tile to box
            move "1-11" to box
    """
    assert words(text) == [
        ("choose(tile: tile0_11)", "take 0-11"),
        ("choose(tile: tile1_11)", "take 1-11"),
    ]


def test_one_field_alone_keeps_its_values_as_names() -> None:
    text = """
        kind Card: rank in 2..3 copies playerCount
        the game has
            pile: row of Card, holds all
            total, size: int
        play
            P1 chooses card in pile
            total := sum(c.rank for c in pile)
            size := number of pile
    """
    state = game(text, players=3).start(seed=1)
    assert [str(option) for option in state.options()] == ["choose(card: 2)", "choose(card: 3)"]
    assert values(state.apply("choose(card: 2)"), "total", "size") == ["15", "6"]


def test_copies_may_differ_and_players_have_pieces_of_their_own() -> None:
    state = finish(
        """
        enum Colour: red, blue
        kind Card: colour in Colour by value in 0..2 copies (1 if value = 0 else 2)
        kind Pawn: owner in Player by 1..2
        the game has
            cards: set of Card, holds all
            pawns: set of Pawn, holds all
            reds, low, own, first: int
        play
            reds := count(c in cards where c.colour is red)
            low := count(c in cards where c.value = 0)
            own := count(x in pawns where x.owner is P3)
            first := P2_1.value
        """,
        players=3,
    )
    assert values(state, "reds", "low", "own", "first") == ["5", "2", "2", "1"]


def test_fields_are_worked_out_from_those_above_them() -> None:
    state = finish("""
        constant tens = 10
        enum Suit: clubs, hearts
        enum Colour: black, red
        kind Card: suit in Suit by rank in 1..13
            points: 1..20 = min(rank, tens) + (bonus if suit is hearts else 0)
            colour: Colour = (red if suit is hearts else black)
            place: int = position(suit)
            price[Suit]: int = points * 2
        kind Number: 1..4
            half: int = value div 2
        option bonus: 1..5 = 2
        the game has
            pile: set of Card, holds all
            points, reds, price, halves, places: int
        play
            points := sum(c.points for c in pile where c.rank >= 9)
            reds := count(c in pile where c.colour is red)
            price := hearts13.price[clubs]
            halves := sum(Number[n].half for n in 1..4)
            places := sum(c.place for c in pile)
    """)
    names = ("points", "reds", "price", "halves", "places")
    assert values(state, *names) == ["108", "13", "24", "4", "39"]


def test_rows_of_the_data_work_out_what_they_do_not_say(tmp_path: Path) -> None:
    rules = """
data "test.yaml"
kind Card from cards
    cost: int
    worth: int = cost * 10
the game has
    pile: row of Card, holds all
    a, b: int
play
    a := ox.worth
    b := goat.worth
"""
    (tmp_path / "test.yaml").write_text("cards: {ox: {cost: 3}, goat: {cost: 4, worth: 1}}\n")
    (tmp_path / "test.rules").write_text(HEAD + rules)
    state = interpreter.load(tmp_path / "test.rules", players=2).start(seed=1)
    assert values(state, "a", "b") == ["30", "1"]


def test_a_field_of_a_product_may_be_on_the_back() -> None:
    text = """
        enum Suit: clubs, hearts
        kind Card: suit in Suit by value in 1..2
            suit: Suit, on the back
        the game has
            deck: stack of Card, holds all
            held: hand of Card, seen by nobody
        play
            shuffle deck
            draw 1 from deck to held
            P1 chooses n in 1..2
            if any(c in held where c.suit is hearts)
                say "hearts {n}"
    """
    state = game(text).start(seed=1)  # the suit is no secret, so the rules may tell it
    (held,) = [place for place in state.view(1).places if place.member == "held"]
    assert held.pieces[0].name is None
    assert problems(text.replace("c.suit is hearts", "c.value = 1"))


def test_a_field_above_cannot_be_worked_out_from_one_below() -> None:
    assert problems(PACK + HAND) == [
        "test.rules:7:49: RR230 `bonus` is not known before the game starts"
    ]


def test_a_rank_is_a_name_without_its_bracket() -> None:
    state = finish("""
        kind Card: rank in 1..3
            double: int = 2 * rank
        the game has
            pile: set of Card, holds all
            sum_, first: int
        play
            sum_ := sum(c.rank + c.double for c in pile)
            first := rank(P2, most position(p) for p in players)
    """)
    assert values(state, "sum_", "first") == ["18", "1"]

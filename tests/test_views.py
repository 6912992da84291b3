"""Views and outcomes as data: what each entry is about, and no more than the table tells."""

import random
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from interpreter.embedding import State, load, load_text
from interpreter.view.places import PlaceView

RULESETS = Path(__file__).resolve().parent.parent / "rulesets"
GAMES = sorted(path.stem for path in RULESETS.glob("*.rules"))
COINS = """game "Coins"
players 2
kind Card: a, b, c
kind Coin: gold 4
the game has
    deck: stack of Card, holds all
    tray: row of Card, face down
    purse: row of Coin, holds all
each Card has
    pile: row of Coin
setup
    shuffle deck
    draw 2 from deck to tray
    move top(purse) to top(tray).pile
play
    P1 chooses n in 1..2
    reveal tray
    P1 chooses m in 1..2
"""
ONE_LEFT = """game "One left"
players 2
kind Chip: red 2, blue
the game has
    bag: bag of Chip, holds all
    table: row of Chip
each player has
    dice[1..2]: 1..6
play
    P1 chooses n in 1..2
    draw 3 from bag to table
    roll P2.dice[1]
"""


def place(state: State, name: str, seat: int | None = None) -> PlaceView:
    return next(each for each in state.view(seat).places if each.name == name)


@pytest.mark.parametrize("name", GAMES)
def test_no_two_places_have_one_name(name: str) -> None:
    chance = random.Random(1)
    state = load(RULESETS / f"{name}.rules", players=3 if name == "payDirt" else 2).start(seed=1)
    for _ in range(60):
        names = [each.name for each in state.view(None).places]
        assert len(names) == len(set(names))
        if state.is_over:
            break
        state = state.apply(chance.choice(state.options()))


def test_a_place_on_a_piece_goes_by_where_the_piece_lies() -> None:
    state = load(RULESETS / "payDirt.rules", players=3).start(seed=1)
    found = place(state, "ground[P2.land#1,3]")
    assert (found.index_words, found.count, found.owner) == (("P2.land#1", "3"), 1, 1)
    data = state.view(0).as_data()["places"]
    assert ["P2.land#1", "3"] in [each["index"] for each in data]


def test_what_lies_on_a_hidden_piece_does_not_name_it() -> None:
    """Coins lie on a card that nobody has seen: which one it is makes no difference."""
    states = [load_text(COINS, players=2).start(seed=seed) for seed in range(12)]
    assert len({str(state.view(0).as_data()) for state in states}) == 1
    assert place(states[0], "pile[tray#2]").count == 1
    assert place(states[0], "pile[tray#2]").index == (-1,)
    assert not any(each.name.startswith("pile[deck") for each in states[0].view(0).places)
    later = [state.apply(state.options()[0]) for state in states]
    assert len({place(state, "pile[tray#2]").index for state in later}) == 3  # now it can be named


def test_outcomes_name_what_they_are_about() -> None:
    state = load_text(ONE_LEFT, players=2).start(explicit_chance=True)
    state = state.apply(state.options()[0])
    assert {o.text: o.words for o in state.chance_outcomes()} == {
        "draw(bag: red)": "draw bag: red",
        "draw(bag: blue)": "draw bag: blue",
    }
    state = state.apply("draw(bag: red)").apply("draw(bag: red)")
    # The last chip of the bag is no matter of chance: the next stop is the die.
    assert [o.words for o in state.chance_outcomes()] == [
        f"roll P2.dice[1]: {n}" for n in range(1, 7)
    ]


def test_which_die_is_rolled() -> None:
    state = load(RULESETS / "nozoku.rules", players=2).start(explicit_chance=True)
    assert state.chance_outcomes()[2].words == "roll face[red]: 3"


def test_a_start_player_is_drawn_only_of_those_who_tie() -> None:
    game = load(RULESETS / "nozoku.rules", players=2)
    told = set()
    for seed in range(40):
        state = game.start(seed=seed)
        pips = [
            sum(int(dict(die.marks)["face"]) for die in place(state, f"P{seat}.held").pieces)
            for seat in (1, 2)
        ]
        drawn = any("start player at random" in line for line in state.log())
        assert drawn == (pips[0] == pips[1])
        told.add(drawn)
    assert told == {True, False}


def test_views_are_made_quickly() -> None:
    """Beside a plain Python loop in the same moment; ten times as slow would not pass."""
    sys.path.insert(0, str(Path(__file__).parent / "benchmarks"))
    import views

    game = load(views.PAY_DIRT, 3, backend="reference")
    found = views.measure(views.states_of(game, 60), rounds=5)
    assert found.ratio < 4 * views.MOST_YARDSTICKS


def test_a_kind_that_lies_as_before_is_not_put_in_order_again_and_one_that_moved_is() -> None:
    """What was found out for the last view of a seat must not be told of another state."""
    draw = random.Random(3)
    game = load(RULESETS / "payDirt.rules", 3, backend="reference")
    fresh = load(RULESETS / "payDirt.rules", 3, backend="reference")
    states = [game.start(seed=1)]
    while len(states) < 40:
        seat = states[-1].seats_to_act[0]
        states.append(states[-1].apply(draw.choice(states[-1].options(seat)), seat))
    in_order = [[state.view(seat).as_data() for seat in range(3)] for state in states]
    mixed = list(range(len(states)))
    draw.shuffle(mixed)
    for at in mixed:  # by a program that has seen other states before each
        state = replace(states[at], game=fresh)
        assert [state.view(seat).as_data() for seat in range(3)] == in_order[at]
        assert [state.view(seat).masked for seat in range(3)] == [
            states[at].view(seat).masked for seat in range(3)
        ]

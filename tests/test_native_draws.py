"""An outcome of chance that can be told without the others is drawn at once, and only then."""

from __future__ import annotations

import pytest

import interpreter
from interpreter.embedding import Game
from interpreter.play.native.facts.drawing import find_draw
from interpreter.play.native.facts.ranges import Cells
from interpreter.program import ops
from interpreter.program.program import Program
from interpreter.program.touches import operations

DECK = """
game "T"
players 2

kind Card: 1..7
kind Coin: 1..3 copies 2

the game has
    deck: stack of Card, holds all
    purse: stack of Coin, holds all
    n: int
    die: 1..6

each player has
    hand: hand of Card
    coins: set of Coin
"""


def game(*lines: str) -> Game:
    return interpreter.load_text(DECK + "\n" + "\n".join(lines) + "\n", backend="native")


def generator_of(found: Program) -> int:
    (number,) = {op.generator for op in found.code if isinstance(op, ops.Chance)}
    return number


@pytest.mark.parametrize(
    ("lines", "looks"),
    [
        ("play\n    shuffle deck\n    draw 3 from deck to P1.hand", False),
        ("play\n    roll die", False),
        ("play\n    roll die\n    roll die", False),
    ],
)
def test_all_alike_are_drawn_at_once(lines: str, looks: bool) -> None:
    found = game(lines).program
    for number in {op.generator for op in found.code if isinstance(op, ops.Chance)}:
        draw = find_draw(found, Cells(found), number)
        assert draw is not None
        assert (draw.looks is not None) == looks


COINS = (
    "play\n    shuffle purse\n    draw 2 from purse to P1.coins\n    draw 3 from purse to P2.coins"
)


def test_pieces_that_look_alike_are_one_outcome() -> None:
    found = game(COINS).program
    numbers = {op.generator for op in found.code if isinstance(op, ops.Chance)}
    draws = [find_draw(found, Cells(found), number) for number in numbers]
    assert all(draw is not None and draw.looks is not None for draw in draws)


def test_those_that_are_alike_must_follow_one_another() -> None:
    """Otherwise the first of them would not be found by going back."""
    found = game(COINS).program
    number = min(op.generator for op in found.code if isinstance(op, ops.Chance))
    draw = find_draw(found, Cells(found), number)
    assert draw is not None and draw.looks is not None
    looks = found.tables[draw.looks]
    found.tables[draw.looks] = (looks[-1], *looks[1:])
    assert find_draw(found, Cells(found), number) is None


def test_what_depends_on_a_condition_is_enumerated() -> None:
    found = game("play\n    n := random x in 1..6 where x != n").program
    number = generator_of(found)
    offers = [op for op in operations(found.functions[number].body) if isinstance(op, ops.Emit)]
    assert offers
    assert find_draw(found, Cells(found), number) is None


@pytest.mark.parametrize(
    "lines", [COINS, "play\n    shuffle deck\n    draw 7 from deck to P1.hand"]
)
def test_the_same_is_drawn_on_both_machines(lines: str) -> None:
    """Down to the last, which is not drawn: the stream stays where it is."""
    whole = game(lines)
    engine = whole.native
    assert engine is not None
    for seed in range(40):
        assert engine.start(seed) == whole.machine.start(seed)


def test_a_stack_that_does_not_lie_by_number_is_no_state() -> None:
    whole = game(
        "play\n    shuffle deck\n    P1 chooses x in 1..2\n    draw 7 from deck to P1.hand"
    )
    engine, kind = whole.native, whole.program.layout.kinds[0]
    assert engine is not None
    state = engine.start(1)
    assert engine.options(state)
    (deck,) = (each for each in whole.program.layout.places if each.name == "deck")
    first = deck.address + 3
    state[first], state[first + 1] = state[first + 1], state[first]
    for place in (first, first + 1):
        state[kind.position + state[place]] = place - first
    with pytest.raises(ValueError, match="no state"):
        engine.options(state)

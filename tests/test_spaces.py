"""What a seat sees and can do, in numbers: the same for all that looks the same to it."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

import interpreter
from interpreter.embedding import Game, State, load, load_text
from interpreter.play.masking import masked
from interpreter.play.spaces.actions import (
    MOST_ACTIONS,
    MOST_PLACES,
    NO_ACTION,
    action_text,
    actions_of,
    numbers,
)
from interpreter.play.spaces.columns import columns_of
from interpreter.play.spaces.observe import observe
from interpreter.play.spaces.rewards import rewards
from interpreter.reading import read_rules

ROOT = Path(__file__).resolve().parent.parent
RULESETS = sorted((ROOT / "rulesets").glob("*.rules")) + sorted(
    (ROOT / "rulesets" / "classics").glob("*.rules")
)
DECISIONS = 25


def named(path: Path) -> str:
    return path.stem


def walk(game: Game, seed: int, decisions: int = DECISIONS) -> list[State]:
    """The states of a random game, all seats of a sealed block in turn at random."""
    random, state = Random(seed), game.start(seed)
    found = [state]
    while not state.is_over and len(found) < decisions:
        seat = random.choice(state.seats_to_act)
        state = state.apply(random.choice(state.options(seat)), seat)
        found.append(state)
    return found


def offered(state: State, seat: int) -> dict[str, int]:
    """The numbers of a seat's options, by their texts."""
    choices = state.choices(seat)
    found = numbers(state.game.program, state.seen_by_chooser(seat), list(choices.values()))
    return dict(zip(map(str, choices), found, strict=True))


@pytest.mark.parametrize("path", RULESETS, ids=named)
def test_rows_lie_between_their_bounds(path: Path) -> None:
    game = load(path, players=read_rules(path).players[-1], backend="reference")
    columns = columns_of(game.program)
    assert len(set(columns.names)) == len(columns.names)
    for state in walk(game, seed=1):
        for seat in range(game.players):
            row = observe(game.machine, state.buffer, seat)
            bounded = zip(columns.names, columns.low, row, columns.high, strict=True)
            assert not [each for each in bounded if not each[1] <= each[2] <= each[3]]


@pytest.mark.parametrize("path", RULESETS, ids=named)
def test_an_action_is_one_option_and_reads_like_it(path: Path) -> None:
    game = load(path, players=read_rules(path).players[-1], backend="reference")
    verbs = {verb.name for verb in actions_of(game.program).verbs if verb.places > 1}
    for state in walk(game, seed=2):
        for seat in state.seats_to_act:
            found = offered(state, seat)
            assert len(set(found.values())) == len(found)
            for text, number in found.items():
                assert 0 <= number < actions_of(game.program).size
                if text.partition("(")[0] not in verbs:
                    assert action_text(game.program, number) == text


@pytest.mark.parametrize("path", RULESETS, ids=named)
def test_what_looks_the_same_has_the_same_numbers(path: Path) -> None:
    """A state that is imagined from a view agrees with all the view tells."""
    game = load(path, backend="reference")
    states = walk(game, seed=3)
    often = 2 if game.keeps_secrets else 4  # where games are told again, that takes long
    for state in states[:: max(1, len(states) // often)]:
        for seat in range(game.players):
            view = state.view(seat)
            other = interpreter.imagine(game, view, seed=11)
            seen = observe(game.machine, state.buffer, seat)
            assert observe(game.machine, other.buffer, seat) == seen
            if seat in state.seats_to_act and seat in other.seats_to_act:
                assert offered(other, seat) == offered(state, seat)


COPIES = """game "Copies"
players 2

enum Colour: red, blue

kind Token: colour in Colour copies 4

the game has
    pack: bag of Token, holds all

each Token has
    worn: 0..2

each player has
    hand: hand of Token
    shelf: row of Token, seen by owner

setup
    for each p in players
        repeat 2 times
            draw 1 from pack to p.hand
            draw 1 from pack to p.shelf

play
    turns
        choose
            rub(token in me.hand) "rub the {token}"
                when token.worn < 2
                token.worn += 1
            stopNow "stop"
                end game
"""


def test_which_copy_a_piece_is_tells_nothing() -> None:
    """States that differ only in which of several copies lies where have equal rows."""
    game = load_text(COPIES, backend="reference")
    found: dict[tuple[int, ...], set[tuple[int, ...]]] = {}
    for seed in range(60):
        state = game.start(seed)
        view = tuple(masked(game.program, state.buffer, 0).cells)
        found.setdefault(view, set()).add(tuple(observe(game.machine, state.buffer, 0)))
    assert len(found) > 3
    assert all(len(rows) == 1 for rows in found.values())


def test_copies_are_told_apart_by_what_is_kept_for_them() -> None:
    game = load_text(COPIES, backend="reference")
    texts = {text for seed in range(20) for text in offered(game.start(seed), 0)}
    assert {"rub(token: red[worn:0])", "stopNow"} <= texts


def test_a_hidden_hand_shows_how_many_it_holds() -> None:
    game = load(ROOT / "rulesets" / "classics" / "crazyEights.rules", backend="reference")
    columns, state = columns_of(game.program), game.start(4)
    row = dict(zip(columns.names, observe(game.machine, state.buffer, 0), strict=True))
    assert row["P2.hand.count"] == row["P2.hand[?]"] == 7
    own = [name for name in row if name.startswith("P1.hand[") and row[name]]
    assert len(own) == 7 and "P1.hand[?]" not in own


def test_an_argument_without_bounds_goes_by_its_order() -> None:
    game = load_text(
        """game "Bids"
players 2

each player has
    money: int = 500

action bid(n in 1..me.money) "bid {n}"
    me.money -= n
    end game

play
    turns
        choose bid
""",
        backend="reference",
    )
    (verb,) = actions_of(game.program).verbs
    assert verb.places == verb.size == MOST_PLACES
    found = offered(game.start(0), 0)
    assert found["bid(n: 1)"] == 0 and found["bid(n: 64)"] == MOST_PLACES - 1
    assert found["bid(n: 65)"] == NO_ACTION
    assert action_text(game.program, 2) == "bid(n: #3)"


def test_too_many_values_of_one_verb_go_by_their_order_too() -> None:
    game = load(ROOT / "rulesets" / "classics" / "checkers.rules", backend="reference")
    jump = next(verb for verb in actions_of(game.program).verbs if verb.name == "jump")
    assert jump.size <= MOST_ACTIONS
    assert [digit.stride > 0 for digit in jump.digits] == [True, True, False]


def test_there_is_no_action_beyond_the_last() -> None:
    game = load(ROOT / "rulesets" / "classics" / "ticTacToe.rules", backend="reference")
    with pytest.raises(ValueError, match="there is no action 9: they are 0 to 8"):
        action_text(game.program, 9)


def test_rewards_are_points_or_who_has_won() -> None:
    game = load(ROOT / "rulesets" / "classics" / "kuhnPoker.rules", backend="reference")
    state = walk(game, seed=5)[-1]
    assert state.is_over and sum(rewards(game.program, state.buffer, "score")) == 0
    assert tuple(rewards(game.program, state.buffer, "score")) == state.scores
    won = [1 if seat in state.winners else -1 for seat in range(2)]
    assert rewards(game.program, state.buffer, "outcome") == won
    assert rewards(game.program, game.start(0).buffer, "outcome") == [0, 0]


@pytest.mark.parametrize(
    "ending, expected",
    [("nobody wins", [0, 0]), ("me wins", [1, -1])],
)
def test_a_draw_is_worth_nothing(ending: str, expected: list[int]) -> None:
    text = f'game "G"\nplayers 2\n\naction go "go"\n    {ending}\n\naction stay "stay"\n\n'
    game = load_text(text + "play\n    turns\n        choose go or stay\n", backend="reference")
    state = game.start(0).apply("go")
    assert rewards(game.program, state.buffer, "outcome") == expected

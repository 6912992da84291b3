"""Our rulesets with hidden information against OpenSpiel's implementations of the same games."""

import random
from typing import Any

import pytest

pytest.importorskip("pyspiel")

from oracles.hidden import Partition, Twin, by_winners, our_counts, spiel_counts

LEDUC = [
    "jackOfSpades", "jackOfHearts", "queenOfSpades", "queenOfHearts", "kingOfSpades",
    "kingOfHearts",
]  # fmt: skip


def kuhn(players: int) -> Twin:
    return Twin(
        "kuhnPoker",
        f"kuhn_poker(players={players})",
        lambda action, _: ["pass", "bet"][action],
        lambda action, _: f"draw(deck: {action + 1})",
        players,
    )


def leduc() -> Twin:
    return Twin(
        "leducPoker",
        "leduc_poker",
        lambda action, _: ["fold", "call", "raise"][action],
        lambda action, _: f"draw(deck: {LEDUC[action]})",
    )


def liars_dice(dice: int = 1, faces: int = 6) -> Twin:
    def option(action: int, _: Any) -> str:
        if action == 2 * dice * faces:
            return "liar"
        return f"bid(amount: {action // faces + 1}, value: {action % faces + 1})"

    return Twin(
        "liarsDice",
        f"liars_dice(numdice={dice},dice_sides={faces})",
        option,
        lambda action, _: f"roll(dice: {action + 1})",
        options={"dicePerPlayer": dice, "faces": faces},
    )


def goofspiel(cards: int, order: str, bids: str = "hidden", players: int = 2) -> Twin:
    hidden = bids == "hidden"
    return Twin(
        "goofspiel",
        f"goofspiel(num_cards={cards},players={players},points_order={order},imp_info={hidden})",
        lambda action, _: f"choose(card: {action + 1})",
        lambda action, _: f"draw(prizes: {action + 1})",
        players,
        {"cards": cards, "order": order, "bids": bids},
        by_winners,
        ask_when_forced=False,
    )


RANKS = {
    "2": "two", "3": "three", "4": "four", "5": "five", "6": "six", "7": "seven", "8": "eight",
    "9": "nine", "T": "ten", "J": "jack", "Q": "queen", "K": "king", "A": "ace",
}  # fmt: skip
SUITS = {"C": "Clubs", "D": "Diamonds", "H": "Hearts", "S": "Spades"}


def card(action: int, there: Any) -> str:
    """`QC` or `CQ` -> `queenOfClubs`."""
    text = there.action_to_string(there.current_player(), action)
    rank, suit = text if text[0] in RANKS else reversed(text)
    return f"{RANKS[rank]}Of{SUITS[suit]}"


def oh_hell(players: int) -> Twin:
    def outcome(action: int, there: Any) -> str:
        match len(there.history()):
            case 0:
                return f"roll(tricks: {action})"
            case 1:
                return f"random(p: P{action + 1})"
            case _:
                return f"draw(deck: {card(action, there)})"

    def option(action: int, there: Any) -> str:
        return (
            f"foretell(n: {action - 52})" if action >= 52 else f"play(card: {card(action, there)})"
        )

    return Twin("ohHell", f"oh_hell(players={players})", option, outcome, players)


def hearts() -> Twin:
    def outcome(action: int, there: Any) -> str:
        if not there.history():
            return f"roll(seatsOn: {action})"
        return f"draw(deck: {card(action, there)})"

    def option(action: int, there: Any) -> str:
        """First comes the direction, then 52 cards are dealt and, if in any, twelve passed."""
        passing = there.history()[0] != 0 and len(there.history()) < 1 + 52 + 12
        return f"{'choose' if passing else 'play'}(card: {card(action, there)})"

    return Twin("hearts", "hearts", option, outcome, 4, one_by_one=True)


EVERY = [
    kuhn(2),
    kuhn(3),
    leduc(),
    liars_dice(),
    liars_dice(2, 4),
    goofspiel(13, "random", "shown"),
    goofspiel(13, "descending", "shown"),
    goofspiel(5, "ascending"),
    goofspiel(6, "random", "hidden"),
    goofspiel(5, "random", "hidden", 3),
]
# Much longer games, so fewer of them.
LONG = [(oh_hell(3), 10), (oh_hell(7), 10), (hearts(), 10)]


@pytest.mark.parametrize(("twin", "games"), [(twin, 200) for twin in EVERY] + LONG, ids=str)
def test_random_games(twin: Twin, games: int) -> None:
    for seed in range(games):
        for _ in twin.play(random.Random(seed)):
            pass


COUNTED = [
    kuhn(2),
    kuhn(3),
    liars_dice(1, 2),
    liars_dice(1, 3),
    pytest.param(leduc(), marks=pytest.mark.slow),
]


@pytest.mark.parametrize("twin", COUNTED, ids=str)
def test_as_many_histories(twin: Twin) -> None:
    counts = our_counts(twin.start().state)
    assert counts == spiel_counts(twin.theirs)


ENUMERATED = [
    kuhn(2),
    kuhn(3),
    liars_dice(1, 2),
    liars_dice(1, 3),
    goofspiel(3, "descending"),
    goofspiel(3, "random"),
    goofspiel(4, "descending"),
    pytest.param(goofspiel(3, "random", players=3), marks=pytest.mark.slow),
    pytest.param(leduc(), marks=pytest.mark.slow),
    pytest.param(liars_dice(1, 4), marks=pytest.mark.slow),
]


@pytest.mark.parametrize("twin", ENUMERATED, ids=str)
def test_same_information_sets(twin: Twin) -> None:
    partitions = [Partition() for _ in range(twin.players)]
    for position in twin.all():
        if position.is_decision:
            for seat, partition in enumerate(partitions):
                partition.add(*position.told(seat), position)
    for partition in partitions:
        assert 1 < len(partition.ours) < partition.histories  # something is hidden


SAMPLED = [leduc(), liars_dice(), goofspiel(5, "random"), goofspiel(4, "random", players=3)]


@pytest.mark.parametrize("twin", SAMPLED, ids=str)
def test_same_information_sets_in_random_games(twin: Twin) -> None:
    partitions = [Partition() for _ in range(twin.players)]
    for seed in range(150):
        for position in twin.play(random.Random(seed)):
            if position.is_decision:
                for seat, partition in enumerate(partitions):
                    partition.add(*position.told(seat), position)


def test_how_many_information_sets() -> None:
    """Known answers: 6 for each player of Kuhn poker."""
    twin = kuhn(2)
    sets = [set[str](), set[str]()]
    for position in twin.all():
        if position.is_decision:
            seat = position.state.seats_to_act[0]
            sets[seat].add(position.told(seat)[0])
    assert [len(found) for found in sets] == [6, 6]

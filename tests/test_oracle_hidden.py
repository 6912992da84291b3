"""Our rulesets with hidden information against OpenSpiel's implementations of the same games."""

import random
import re
from typing import Any

import pytest

pytest.importorskip("pyspiel")

from oracles.hidden import Partition, Twin, by_scores, by_winners, our_counts, spiel_counts

from interpreter.embedding import State

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


def named(text: str) -> str:
    """`QC` or `CQ` -> `queenOfClubs`."""
    rank, suit = text if text[0] in RANKS else reversed(text)
    return f"{RANKS[rank]}Of{SUITS[suit]}"


def card(action: int, there: Any) -> str:
    """The card that is the last word of what they call an action."""
    return named(there.action_to_string(there.current_player(), action).split()[-1])


def place_in_pack(name: str) -> tuple[int, int]:
    """Its rank, from two to fourteen, and its suit."""
    rank, suit = name.split("Of")
    return list(RANKS.values()).index(rank) + 2, list(SUITS.values()).index(suit)


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


def crazy_eights(players: int) -> Twin:
    def outcome(action: int, there: Any) -> str:
        if not there.history():
            seat = int(there.action_to_string(there.current_player(), action).split()[2])
            return f"random(p: P{seat + 1})"
        return f"draw(deck: {card(action, there)})"

    def option(action: int, there: Any) -> str:
        match there.action_to_string(there.current_player(), action).split():
            case ["Draw"]:
                return "drawCard"
            case ["Pass"]:
                return "pass"
            case ["Nominate", "suit", suit]:
                return f"choose(named: {SUITS[suit].lower()})"
            case _:
                return f"play(card: {card(action, there)})"

    def returns(state: State) -> list[float]:
        """They take the number of a card for its pips: the four of clubs counts 10."""
        found = by_scores(state)
        for seat in range(players):
            hands = [each for each in state.view(seat).places if each.member == "hand"]
            for piece in hands[seat].pieces:
                rank, suit = place_in_pack(piece.name or "")
                if rank != 8 and rank <= 10:
                    found[seat] += rank - (4 * (rank - 2) + suit + 2)
        return found

    return Twin(
        "crazyEights", f"crazy_eights(players={players})", option, outcome, players, returns=returns
    )


def cribbage(players: int) -> Twin:
    def option(action: int, there: Any) -> str:
        words = there.action_to_string(there.current_player(), action).split()
        if words == ["Pass"]:
            return "sayGo"
        cards = [named(word) for word in words[1:]]
        if "Phase: Play" in str(there):
            return f"play(card: {cards[0]})"
        if len(cards) == 1:
            return f"layOne(a: {cards[0]})"
        first, second = sorted(cards, key=lambda each: place_in_pack(each)[::-1])
        return f"layTwo(a: {first}, b: {second})"

    def returns(state: State) -> list[float]:
        winners = state.winners
        return [
            score + (1000 / len(winners) if seat in winners else -1000 / (players - len(winners)))
            for seat, score in enumerate(state.scores)
        ]

    return Twin(
        "cribbage",
        f"cribbage(players={players})",
        option,
        lambda action, there: f"draw(deck: {card(action, there)})",
        players,
        returns=returns,
        one_by_one=True,
    )


def phantom_tic_tac_toe(version: str, obstructed: str) -> Twin:
    def option(action: int, _: Any) -> str:
        return f"choose(c: {'abc'[action % 3]}{3 - action // 3})"

    game = f"phantom_ttt(gameversion={version})"
    return Twin("phantomTicTacToe", game, option, no_chance, options={"obstructed": obstructed})


def dark_hex(size: int, version: str, obstructed: str) -> Twin:
    def option(action: int, there: Any) -> str:
        return f"choose(cell: {there.action_to_string(there.current_player(), action)})"

    game = f"dark_hex(board_size={size},gameversion={version})"
    options: dict[str, str | int] = {"size": size, "obstructed": obstructed}
    return Twin("darkHex", game, option, no_chance, options=options)


def battleship(width: int, height: int, ships: int, shots: int) -> Twin:
    def option(action: int, there: Any) -> str:
        text = there.action_to_string(there.current_player(), action)
        row, column = (int(part) for part in re.findall(r"\d+", text)[1:])
        cell = f"{'abcdefghij'[column]}{height - row}"
        if "shoot" in text:
            return f"shoot(at: {cell})"
        return f"place(from: {cell}, way: {'across' if 'horizontally' in text else 'down'})"

    sizes = ";".join(str(n + 2) for n in range(ships))
    worth = ";".join("1" for _ in range(ships))
    game = (
        f"battleship(board_width={width},board_height={height},ship_sizes=[{sizes}],"
        f"ship_values=[{worth}],num_shots={shots},allow_repeated_shots=False,loss_multiplier=1.0)"
    )
    options: dict[str, str | int] = {
        "width": width, "height": height, "ships": ships, "shots": shots,
    }  # fmt: skip
    return Twin("battleship", game, option, no_chance, options=options)


def no_chance(action: int, there: Any) -> str:
    raise AssertionError(f"{action} of chance in\n{there}")


EVERY = [
    phantom_tic_tac_toe("classical", "again"),
    phantom_tic_tac_toe("abrupt", "over"),
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
LONG = [
    (oh_hell(3), 10),
    (oh_hell(7), 10),
    (hearts(), 10),
    (dark_hex(3, "cdh", "again"), 50),
    (dark_hex(4, "adh", "over"), 50),
    (battleship(4, 4, 2, 6), 20),
    (battleship(6, 5, 3, 20), 10),
    (crazy_eights(2), 20),
    (crazy_eights(5), 20),
    (cribbage(2), 6),
    (cribbage(3), 4),
    (cribbage(4), 4),
]


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


SAMPLED = [
    leduc(),
    liars_dice(),
    goofspiel(5, "random"),
    goofspiel(4, "random", players=3),
    dark_hex(3, "adh", "over"),
    battleship(4, 4, 2, 6),
]


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

"""What is written down of games: the same in native code as on the reference machine, rounds as the
rules count them, and games that are not changed by being looked at."""

from __future__ import annotations

from array import array
from pathlib import Path

import pytest

from interpreter.embedding import Game, load, load_text
from interpreter.play import chance
from interpreter.play.circling import Circling, circling_of, counted
from interpreter.play.failure import CODES, Failure
from interpreter.play.gathering import (
    ALWAYS,
    FREE,
    G_ERROR,
    G_FAVOURITE_SINCE,
    G_FAVOURITES,
    G_FORCED,
    G_LEADS,
    G_MOVES,
    G_OPENING,
    G_REPEATED,
    G_ROUNDS,
    G_SEALED,
    G_START,
    G_WINNERS,
    GAME_WIDTH,
    NEVER,
    RACE_WIDTH,
    ROUNDS_KEPT,
    SEAT_WIDTH,
    U_OFFERED,
    U_TAKEN,
    UNKNOWN,
    USE_WIDTH,
    Gatherer,
    allowed,
    is_watched,
    things_of,
)
from interpreter.play.machine import Machine
from interpreter.play.native.engine import Engine
from interpreter.play.native.gather import gather
from interpreter.program.layout import MENU, SEALING, STATUS

ROOT = Path(__file__).resolve().parent.parent
RULESETS = ROOT / "rulesets"
ENDLESS = """game "Endless"
players 2
the game has
    here: 0..1
action flip "flip"
    here := 1 - here
action wait "wait"
    here := here
play
    turns
        choose flip or wait
"""
# Whoever is idle gains without being asked, while others are about to choose.
GAINING = """game "Gaining"
players 3
the game has
    round: 0..6
    first: Player
each player has
    gold: 0..99
    idle: bool
setup
    first.idle := yes
play
    repeat while round < 6
        round := round + 1
        sealed for p
            if p.idle
                p.gold := p.gold + 3
            else
                p chooses amount in 0..3 "bid {amount}"
                p.gold := p.gold + amount
score p: p.gold
"""
# In a block that nobody has chosen in when it turns out that somebody cannot.
BREAKING = """game "Breaking"
players 2
the game has
    first: Player
each player has
    bid: 0..3
play
    sealed for p
        if p is not first
            p.bid := 7
        p chooses amount in 0..3 "bid {amount}"
        p.bid := amount
score p: p.bid
"""


def test_the_favourite_is_who_is_clearly_ahead() -> None:
    game = load_text(ENDLESS)
    told = Gatherer(game.machine, watched=False)
    assert told.game[G_FAVOURITES] == told.game[G_FAVOURITE_SINCE] == UNKNOWN
    for moves, (seat, share) in enumerate([(0, 0.6), (1, 0.5), (1, 0.65), (1, 0.75), (0, 0.3)]):
        told.expect(seat, share, moves)
    assert (told.game[G_FAVOURITES], told.game[G_FAVOURITE_SINCE]) == (1, 3)


def rows_of(
    machine: Machine, seeds: list[tuple[int, int]], manner: int = FREE, thing: int = -1
) -> tuple[list[int], ...]:
    """Games on the reference machine, as `gather` gives them."""
    program = machine.program
    uses = [0] * (USE_WIDTH * len(things_of(program).things))
    race = [0] * (RACE_WIDTH * ROUNDS_KEPT)
    rows: list[int] = []
    for number, (seed, choices) in enumerate(seeds):
        told = Gatherer(machine, watched=is_watched(number))
        streams = [chance.Stream(choices, seat) for seat in range(program.players)]
        m, error = [0] * program.layout.size, 0
        try:
            m = machine.start(seed)
            while seats := machine.seats_to_act(m):
                offered = machine.options(m, seats[0])
                seen, sealed = machine.seen_by_chooser(m, seats[0]), m[STATUS] == SEALING
                held = manner if seats[0] == number % program.players else FREE
                left = allowed(program, seen[MENU], offered, held, thing)
                index = left[streams[seats[0]].below(len(left))]
                told.pick(seen, seats[0], offered, index, sealed=sealed)
                machine.take(m, offered[index], seats[0])
        except Failure as failure:
            error = 1 + CODES.index(failure.code)
        rows += told.end(m, error, race, [uses] * program.players)
    return rows, uses, race


def packed(seeds: list[tuple[int, int]]) -> array[int]:
    return array("Q", [seed for pair in seeds for seed in pair])


def split(game: Game, rows: list[int]) -> list[list[int]]:
    width = GAME_WIDTH + SEAT_WIDTH * game.players
    return [rows[start : start + width] for start in range(0, len(rows), width)]


NAMES = [
    ("classics/ticTacToe", 2), ("classics/yacht", 3), ("classics/goofspiel", 3),
    ("classics/hearts", 4), ("classics/euchre", 4), ("classics/upAndDown", 3), ("nozoku", 2),
    ("payDirt", 3), ("queenRun", 2), ("dinosaurRush", 2),  # with cells that are no values
]  # fmt: skip


@pytest.mark.parametrize(("name", "players"), NAMES)
def test_native_code_writes_down_the_same(name: str, players: int) -> None:
    program = counted(load(RULESETS / f"{name}.rules", players).program)
    seeds = [(seed, 1000 - seed) for seed in range(3)]
    found = gather(Engine(program), packed(seeds))
    assert tuple(map(list, found)) == rows_of(Machine(program), seeds)


@pytest.mark.parametrize("text", [GAINING, BREAKING])
def test_sealed_bodies_are_written_down_as_if_nobody_had_begun(text: str) -> None:
    game, seeds = load_text(text), [(seed, seed) for seed in range(5)]
    found = gather(Engine(game.program), packed(seeds))
    assert tuple(map(list, found)) == rows_of(game.machine, seeds)


@pytest.mark.parametrize(("name", "players"), [("payDirt", 3), ("nozoku", 2)])
def test_a_game_is_not_changed_by_being_looked_at(name: str, players: int) -> None:
    game = load(RULESETS / f"{name}.rules", players)
    rows, _, _ = gather(Engine(counted(game.program)), packed([(seed, seed) for seed in range(40)]))
    for row, result in zip(split(game, list(rows)), game.playouts(range(40)), strict=True):
        assert (row[G_WINNERS], row[G_MOVES]) == (result.winner_bits, result.moves)
        assert tuple(row[GAME_WIDTH::SEAT_WIDTH]) == result.scores


def test_what_is_called_the_same_is_told_apart() -> None:
    things = things_of(load(RULESETS / "payDirt.rules", 3).program).things
    assert len({(thing.sort, thing.words) for thing in things}) == len(things)
    assert any(thing.words == f"Fuel Bill ({thing.name})" for thing in things)


def test_chunks_add_up() -> None:
    program = counted(load(RULESETS / "classics" / "pig.rules", 3).program)
    engine, seeds = Engine(program), [(seed, seed) for seed in range(40)]
    rows, uses, race = gather(engine, packed(seeds))
    parts = [gather(engine, packed(seeds[:7])), gather(engine, packed(seeds[7:]), 7)]
    assert list(rows) == [*parts[0][0], *parts[1][0]]
    for whole, first, second in ((uses, *(p[1] for p in parts)), (race, *(p[2] for p in parts))):
        assert list(whole) == [a + b for a, b in zip(first, second, strict=True)]


def test_rounds_are_those_the_rules_count_themselves() -> None:
    """These have a variable that says which round it is, and a loop that counts nothing."""
    players = 4
    program = counted(load(RULESETS / "nozoku.rules", players).program)
    machine = Machine(program)
    cell = next(each.address for each in program.layout.variables if each.name == "round")
    for seed in range(2):
        circling = Circling(circling_of(program))
        streams = [chance.Stream(seed, seat) for seat in range(players)]
        m = machine.start(seed)
        while seats := machine.seats_to_act(m):
            seen = machine.seen_by_chooser(m, seats[0])
            circling.look(seen)
            assert circling.rounds == m[cell]
            machine.take(m, streams[seats[0]].choose(machine.options(m, seats[0])), seats[0])


def test_turns_go_round_when_somebody_has_another() -> None:
    game = load(RULESETS / "classics" / "ticTacToe.rules")
    assert counted(game.program) is game.program  # turns need no counter
    rows, _, _ = gather(Engine(game.program), packed([(s, s) for s in range(20)]))
    for row in split(game, list(rows)):
        # The ninth mark is forced, so nobody is asked for it.
        assert row[G_ROUNDS] == (row[G_MOVES] + 1) // 2
        assert row[G_START] == 1 and row[G_SEALED] == 0 and row[G_LEADS] == -1
        assert row[G_FORCED] <= (row[G_MOVES] == 8)
        assert things_of(game.program).things[row[G_OPENING]].name == "place"


def test_what_was_offered_and_taken_is_counted_once_a_decision() -> None:
    game = load(RULESETS / "classics" / "ticTacToe.rules")
    rows, uses, _ = gather(Engine(game.program), packed([(s, s) for s in range(50)]))
    moves = sum(row[G_MOVES] for row in split(game, list(rows)))
    things = things_of(game.program).things
    place = [thing.name for thing in things].index("place")
    assert uses[place * USE_WIDTH + U_OFFERED] == uses[place * USE_WIDTH + U_TAKEN] == moves
    cells = [number for number, thing in enumerate(things) if thing.sort == "Grid"]
    assert len(cells) == 9
    assert sum(uses[cell * USE_WIDTH + U_TAKEN] for cell in cells) == moves


def test_games_without_end_are_cut_off_and_positions_seen_again() -> None:
    game = load_text(ENDLESS)
    found = gather(Engine(game.program), packed([(1, 1)]))
    row = split(game, list(found[0]))[0]
    assert CODES[row[G_ERROR] - 1] == "RR615" and row[G_WINNERS] == 0
    assert row[G_REPEATED] == row[G_MOVES] - 4  # two seats and two values are four positions
    assert tuple(map(list, found)) == rows_of(game.machine, [(1, 1)])


@pytest.mark.parametrize("manner", [NEVER, ALWAYS])
def test_a_player_can_be_held_back(manner: int) -> None:
    game = load(RULESETS / "classics" / "ticTacToe.rules")
    things, seeds = things_of(game.program).things, [(seed, seed) for seed in range(30)]
    middle = [thing.name for thing in things].index("b2")
    found = gather(Engine(game.program), packed(seeds), 0, (manner, middle))
    assert tuple(map(list, found)) == rows_of(game.machine, seeds, manner, middle)
    for number, row in enumerate(split(game, list(found[0]))):
        if row[G_START] == 1 + number % 2:  # the one who is held back begins
            assert (row[G_OPENING + 1] == middle) == (manner == ALWAYS)

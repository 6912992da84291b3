"""Pay Dirt: it checks clean, and random games of every size end.

Everything else about it is said by its scenarios, rulesets/payDirt.scenarios.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

import interpreter
from interpreter.embedding import Game, Option, State
from interpreter.pipeline import check_rules
from interpreter.reading import read_rules

RULES = Path(__file__).resolve().parent.parent / "rulesets" / "payDirt.rules"
MOST_MOVES = 2_000
Chooser = Callable[[list[Option], random.Random], Option]


@cache
def game(players: int) -> Game:
    return interpreter.load(RULES, players=players)


def test_it_checks_clean() -> None:
    assert [str(problem) for problem in check_rules(read_rules(RULES))] == []


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_random_games_end(players: int) -> None:
    for seed in range(10):
        state = play(game(players), seed, lambda options, chooser: chooser.choice(options))
        assert state.winners
        assert state.scores[state.winners[0]] == max(state.scores)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_busy_games_wash_gold(players: int) -> None:
    """Players who like to work get to the far corners: washing, selling, gear, breaking."""
    total = 0
    for seed in range(3):
        total += sum(play(game(players), seed, busily).scores)
    assert total > 0


def busily(options: list[Option], chooser: random.Random) -> Option:
    liked = ("slide", "load", "dig", "run", "ride", "shake", "buy", "call", "nightShift")
    pools = tuple(f"choose(post: {machine}Pool" for machine in ("excavator", "loader", "washPlant"))
    for wanted in (liked, pools):
        found = [option for option in options if str(option).startswith(wanted)]
        if found and chooser.random() < 0.9:
            return chooser.choice(found)
    return chooser.choice(options)


def play(rules: Game, seed: int, choose: Chooser) -> State:
    chooser = random.Random(seed)
    state = rules.start(seed)
    for _ in range(MOST_MOVES):
        if state.is_over:
            return state
        seat = chooser.choice(state.seats_to_act)
        state = state.apply(choose(state.options(seat), chooser), seat)
        assert not state.broken_invariants()
    raise AssertionError(f"after {MOST_MOVES} moves the game with seed {seed} is not over")


def test_the_start_player_is_drawn_among_all() -> None:
    """PD-R52"""
    assert {game(4).start(seed).seats_to_act[0] for seed in range(30)} == {0, 1, 2, 3}


@pytest.mark.parametrize("seat", [None, 0, 1, 2])
def test_dirt_shows_its_soil_and_nothing_else(seat: int | None) -> None:
    """PD-019, PD-R18: also to those who only look on, for whom no scenario can speak."""
    places = game(3).start(1).view(seat).places
    ground = [piece for place in places if place.member == "ground" for piece in place.pieces]
    assert len(ground) == 9
    assert all(piece.name is None and piece.label == "barren" for piece in ground)
    for place in places:
        if place.member == "stock":
            assert all(piece.name is None for piece in place.pieces)

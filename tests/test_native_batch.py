"""Many states at once from Python: stepping them, asking who decides and how games stand."""

from __future__ import annotations

import random
from array import array
from functools import cache
from typing import Any

import pytest
from differential import RULESETS

import interpreter
from interpreter.embedding import Backend, Game, State, load, load_text
from interpreter.play import chance
from interpreter.play.native.engine import Engine, Result
from interpreter.program.layout import KEY, MOVES

pytest.importorskip("llvmlite")

PATHS = {path.stem: path for path in RULESETS}
SEVERAL = [("connectFour", 2), ("goofspiel", 3), ("liarsDice", 3)]


@cache
def game(name: str, players: int = 2, backend: Backend = "native") -> Game:
    return load(PATHS[name], players, backend=backend)


def engine_of(of: Game) -> Engine:
    assert of.native is not None
    return of.native


# ---- stepping


@pytest.mark.parametrize("name, players", SEVERAL)
def test_a_batch_goes_as_its_games_one_by_one(name: str, players: int) -> None:
    of, rnd = game(name, players), random.Random(3)
    engine = engine_of(of)
    singles = [of.start(seed) for seed in range(8)]
    states = engine.start_many(range(8))
    while any(not state.is_over for state in singles):
        seats = engine.seats(states)
        assert list(seats) == [first_seat(state) for state in singles]
        picks = [rnd.randrange(count) if count else -1 for count in engine.count_options(states)]
        for number, (state, seat, pick) in enumerate(zip(singles, seats, picks, strict=True)):
            if not state.is_over:
                choice = of.machine.options(state.buffer, seat)[pick]
                copy = state.buffer.copy()
                of.machine.take(copy, choice, seat)
                singles[number] = State(of, copy, number, None, None, ())
        assert not any(engine.take_many(states, picks, threads=2))
        assert list(states) == [cell for state in singles for cell in state.buffer]
        for state, result in zip(singles, engine.results_of(states), strict=True):
            assert (result.winners, result.moves) == (state.winners, state.moves)
            assert result.scores == (state.scores if state.is_over else (0,) * players)
            assert result.failure is None
    assert set(engine.seats(states)) == {-1}


def first_seat(state: State) -> int:
    return state.seats_to_act[0] if state.seats_to_act else -1


def test_a_negative_number_leaves_a_state_as_it_is() -> None:
    engine = engine_of(game("ticTacToe"))
    states = engine.start_many(range(600))
    before = states[:]
    assert list(engine.take_many(states, [-1 - (n % 3) for n in range(600)])) == [0] * 600
    assert states == before
    engine.take_many(states, [-1, 0] * 300)
    size = engine.size
    changed = [
        states[n * size : (n + 1) * size] != before[n * size : (n + 1) * size] for n in range(600)
    ]
    assert changed == [False, True] * 300


def test_an_option_that_is_not_offered_is_told() -> None:
    engine = engine_of(game("ticTacToe"))
    states = engine.start_many(range(3))
    with pytest.raises(ValueError, match=r"^state 1 has 9 options, there is no option 99$"):
        engine.take_many(states, [0, 99, 0])
    assert list(engine.count_options(states)) == [8, 9, 8]  # the others have been stepped
    while max(counts := engine.count_options(states)) > 0:
        engine.take_many(states, [count - 1 for count in counts])
    with pytest.raises(ValueError, match=r"^state 2 has no options, there is no option 0$"):
        engine.take_many(states, [-1, -1, 0])


def test_what_is_no_state_is_told() -> None:
    engine = engine_of(game("ticTacToe"))
    states = array("q", [*engine.start(1), *[1 << 50] * engine.size])
    with pytest.raises(ValueError, match=r"^state 1 is no state of this game$"):
        engine.take_many(states, [0, 0])
    assert list(engine.count_options(states)) == [8, -1]


DIVIDES = """game "Divides"
players 2
the game has
    n: 0..9 = 3
play
    turns
        me chooses d in 0..1
        n := n div d
        if n = 3
            me wins
"""


def test_rules_that_break_down_are_a_number() -> None:
    engine = engine_of(load_text(DIVIDES))
    states = engine.start_many(range(3))
    errors = engine.take_many(states, [0, 1, -1])
    assert [engine.code_of(error) for error in errors] == ["RR602", None, None]
    assert list(engine.seats(states)) == [-1, -1, 0]
    failed, won, open_ = engine.results_of(states)
    assert (failed.winners, failed.scores, failed.failure) == ((), (0, 0), ("RR602", -1))
    assert (won.winners, won.scores, won.failure) == ((0,), (1, -1), None)
    assert (open_.winners, open_.scores, open_.failure) == ((), (0, 0), None)
    counts = engine.count_options(states)
    assert max(counts[:2]) <= 0  # so that `count - 1` passes it over
    assert list(engine.take_many(states, [count - 1 for count in counts])) == [0, 0, 0]


def test_a_game_that_cannot_start_has_nobody_to_decide() -> None:
    text = DIVIDES.replace("play\n", "setup\n    n := n div (n - 3)\nplay\n")
    engine = engine_of(load_text(text))
    states = engine.start_many(range(2))
    assert list(engine.seats(states)) == [-1, -1]
    assert [each.failure for each in engine.results_of(states)] == [("RR602", -1)] * 2


def test_there_is_a_code_for_every_failure() -> None:
    assert (Engine.code_of(0), Engine.code_of(1)) == (None, "RR601")
    for wrong in (-1, 99):
        with pytest.raises(ValueError, match=f"there is no failure {wrong}"):
            Engine.code_of(wrong)


# ---- wrong batches


def test_no_whole_number_of_states_is_refused() -> None:
    engine = engine_of(game("ticTacToe"))
    states = engine.start_many(range(2))[:-1]
    calls: list[Any] = [
        engine.count_options, engine.seats, engine.results_of,
        lambda given: engine.take_many(given, [0, 0]),
    ]  # fmt: skip
    for call in calls:
        with pytest.raises(ValueError, match="no whole number of states"):
            call(states)
        for wrong in (list(states), array("i", [0] * engine.size), None):
            with pytest.raises(TypeError, match="start_many"):
                call(wrong)
    whole = engine.start_many(range(2))
    with pytest.raises(ValueError, match="there are 2 states, but 3 numbers"):
        engine.take_many(whole, [0, 0, 0])
    nothing = array("q")
    assert not engine.seats(nothing) and not engine.results_of(nothing)
    assert not engine.count_options(nothing) and not engine.take_many(nothing, [])


@pytest.mark.parametrize("backend", ["native", "reference"])
def test_wrong_seeds_and_threads_are_refused(backend: Backend) -> None:
    of: Any = game("ticTacToe", backend=backend)
    for wrong in (5, (seed for seed in range(3))):
        with pytest.raises(TypeError, match=r"range\(1000\)"):
            of.playouts(wrong)
    for threads in (0, -1):
        with pytest.raises(ValueError, match=f"threads are 1 and more, not {threads}"):
            of.playouts(range(3), threads=threads)


def test_the_engine_refuses_them_alike() -> None:
    engine: Any = engine_of(game("ticTacToe"))
    states = engine.start_many(range(2))
    calls: list[Any] = [
        lambda threads: engine.playouts(range(2), threads),
        lambda threads: engine.start_many(range(2), threads),
        lambda threads: engine.count_options(states, threads),
        lambda threads: engine.take_many(states, [0, 0], threads),
        lambda threads: engine.try_options(engine.start(1), 2, threads=threads),
    ]
    for call in calls:
        with pytest.raises(ValueError, match="threads are 1 and more"):
            call(0)
    for call in (engine.playouts, engine.start_many):
        with pytest.raises(TypeError, match=r"range\(1000\)"):
            call(5)
    assert engine.playouts(array("i", [3, 4])) == engine.playouts([3, 4])


# ---- results


@pytest.mark.parametrize("name, players", SEVERAL)
def test_winners_are_seats(name: str, players: int) -> None:
    of = game(name, players)
    engine = engine_of(of)
    states = array("q", bytes(8 * engine.size * 20))
    rows = engine.playouts(range(20), states=states)
    found = of.playouts(range(20))
    assert found == engine.results(rows) == engine.results_of(states)
    reference = game(name, players, "reference").playouts(range(20))
    assert [each.winners for each in found] == [each.winners for each in reference]
    assert len({each.winners for each in found}) > 1
    for result in found:
        best = max(result.scores)
        for seat in result.winners:
            assert result.scores[seat] == best


def test_a_result_tells_its_winners() -> None:
    result = Result(0b1010, 7, 90, (0, 1, 0, 1), None)
    assert result.winners == (1, 3)
    told = "Result(winners=(1, 3), moves=7, steps=90, scores=(0, 1, 0, 1), failure=None)"
    assert repr(result) == told


# ---- other wrong questions


def test_a_seat_that_is_none_is_told() -> None:
    state: Any = game("goofspiel", 3).start(1)
    for seat in (7, 3, -1):
        for look in (state.view, state.log):
            with pytest.raises(ValueError, match=f"no seat {seat}: seats are 0 to 2"):
                look(seat)
    assert state.view().seat is None


def test_a_search_of_a_state_is_told_to_take_a_view() -> None:
    of = game("ticTacToe")
    state: Any = of.start(1)
    with pytest.raises(TypeError, match=r"state\.view\(seat\)"):
        interpreter.search(of, state)


def test_the_module_names_what_is_there() -> None:
    names = dir(interpreter)
    assert {"load", "search", "State"} <= set(names)
    for name in interpreter.__all__:
        assert name in names and hasattr(interpreter, name)
        assert name in str(interpreter.__doc__)


def test_games_are_played_on_from_a_state() -> None:
    """As many decisions as if each were played by itself."""
    engine = game("connectFour", 2).native
    assert engine is not None
    state = engine.start(1)
    alone = 0
    for seed in range(5):
        copy = list(state)
        copy[KEY] = chance.signed(chance.number(seed, 0))
        engine.playout(copy, chance.number(seed, 0))
        alone += copy[MOVES]
    assert engine.play_on(state, range(5)) == alone > 0
    with pytest.raises(ValueError, match="no state"):
        engine.play_on([-7] * engine.size, range(5))

"""Bots that think while people do: what they look at, what comes of it, and when they stop."""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from interpreter.bots.bot import Stream, Thinker, Unfailing, make_bot, random_bot
from interpreter.bots.budget import Budget
from interpreter.bots.preparing import Foresight, Preparing, Ready
from interpreter.bots.search import Estimate, looked_at
from interpreter.cli.seated import Wanted, preparing, seat_bots
from interpreter.embedding import Game, load
from interpreter.imagination import imagine
from interpreter.option import Option
from interpreter.terminal.sitting import Sitting
from interpreter.view.view import View

CASES = Path(__file__).parent / "cases" / "minds"
CLASSICS = Path(__file__).resolve().parents[1] / "rulesets" / "classics"


@cache
def game(name: str) -> Game:
    return load(CLASSICS / f"{name}.rules")


def even_mind(of: Game) -> Callable[..., list[Estimate]]:
    """It likes everything equally."""

    def mind(view: View, games: int, **_: Any) -> list[Estimate]:
        assert isinstance(view, View) and view.seat is not None
        options = looked_at(of, view, view.seat).options(view.seat)
        return [Estimate(each, 10, 0.5) for each in options]

    return mind


def foresight(name: str, seat: int = 1, seconds: float = 4.0) -> Foresight:
    """By a clock that goes on by one whenever it is looked at: a search takes a second."""
    ticks = count()
    of = game(name)
    return Foresight(of, seat, even_mind(of), seconds, clock=lambda: next(ticks))


def never() -> bool:
    return False


# ---- looking ahead


def test_every_answer_of_a_person_is_prepared() -> None:
    state, ahead = game("ticTacToe").start(1), foresight("ticTacToe")
    steps = sum(ahead.look_ahead(state.view(1), never) for _ in range(60))
    assert len(ahead.ready) == 9 and steps == 36  # four seconds each, and no more
    for option in state.options(0):
        found = ahead.of(state.apply(option, 0).view(1))
        assert found.share == 1 and len(found.found) == 8
    assert (ahead.asked, ahead.foreseen) == (9, 9)
    assert not ahead.look_ahead(state.view(1), never)


def test_what_is_new_is_looked_at_first() -> None:
    state, ahead = game("ticTacToe").start(1), foresight("ticTacToe")
    for _ in range(14):
        ahead.look_ahead(state.view(1), never)
    assert len(ahead.ready) == 9


def test_what_is_sealed_is_prepared_for_certain() -> None:
    state, ahead = game("goofspiel").start(1), foresight("goofspiel")
    assert ahead.look_ahead(state.view(1), never)
    assert ahead.of(state.view(1)).share
    assert ahead.of(state.apply(state.options(0)[0], 0).view(1)).share


def test_a_turn_of_several_choices_is_prepared_as_a_whole() -> None:
    of = load(CASES / "corridor.rules")
    ticks, state = count(), of.start(1)
    ahead = Foresight(of, 1, even_mind(of), 4.0, clock=lambda: next(ticks))
    while any(ahead.look_ahead(state.view(1), never) for _ in range(5)):
        pass
    while state.seats_to_act == (0,):
        state = state.apply("halt", 0)
    asked = 0
    while state.seats_to_act == (1,):
        ready = ahead.of(state.view(1))
        assert ready.share == 1
        state, asked = state.apply(ready.found[0].option, 1), asked + 1
    assert asked > 3


@pytest.mark.parametrize("name", ["kuhnPoker", "hearts", "liarsDice"])
def test_only_the_seat_s_own_view_is_gone_by(name: str) -> None:
    """Of states that look alike to it, a seat prepares the same, and finds the same."""
    state = game(name).start(3)
    if state.seats_to_act == (1,):
        state = state.apply(state.options(1)[0], 1)
    twin = next(
        found
        for found in (imagine(game(name), state.view(1), seed) for seed in range(50))
        if found.buffer != state.buffer
    )
    assert twin.view(1) == state.view(1)
    one, other = foresight(name), foresight(name)
    for _ in range(6):
        assert one.look_ahead(state.view(1), never) == other.look_ahead(twin.view(1), never)
    assert one.ready == other.ready and one.ready


def test_nothing_is_looked_at_once_it_is_over() -> None:
    state, ahead = game("ticTacToe").start(1), foresight("ticTacToe")
    assert not ahead.look_ahead(state.view(1), lambda: True)
    assert not ahead.ready


def test_it_is_given_up_where_nothing_can_be_foreseen() -> None:
    state, ahead = game("ticTacToe").start(1), foresight("ticTacToe")
    while ahead.pays:
        assert ahead.of(state.view(1)) == Ready()
    assert (ahead.asked, ahead.foreseen) == (30, 0)
    everybody = Preparing({1: ahead})
    everybody.begin(state)
    everybody.wait()
    assert not ahead.ready


def test_a_search_can_be_stopped() -> None:
    pytest.importorskip("llvmlite")
    state = game("connectFour").start(1)
    asked = count(1)
    bot = make_bot("search:1s", game("connectFour")).bot
    assert isinstance(bot, Thinker)
    ahead = Foresight(game("connectFour"), 1, bot.mind, 1e9)
    assert ahead.look_ahead(state.view(1), lambda: next(asked) > 12)
    (found,) = ahead.ready.values()
    assert 0 < sum(each.visits for each in found.found) < 1_000_000


# ---- what comes of it


def option(name: str) -> Option:
    return game("ticTacToe").option(f"place(cell: {name})")


def test_what_was_found_before_counts_with_what_is_found_now() -> None:
    ready = Ready(0.25, (Estimate(option("a1"), 30, 0.5), Estimate(option("b1"), 10, 1.0)))
    found = ready.with_those([Estimate(option("b1"), 30, 0.2), Estimate(option("c1"), 5, 0.4)])
    assert found == [Estimate(option("b1"), 40, 0.4), Estimate(option("c1"), 5, 0.4)]
    assert ready.left == 0.75 and Ready().left == 1 and 0 < Ready(9.0).left < 0.5
    assert Budget(0, 2.0).of_time(0.5) == Budget(0, 1.0) and Budget(7).of_time(0.5) == Budget(7)


def test_a_bot_goes_by_what_it_has_prepared() -> None:
    state = game("ticTacToe").start(1).apply("place(cell: b2)", 0)
    view, options = state.view(1), state.options(1)
    mind, ahead = even_mind(game("ticTacToe")), foresight("ticTacToe")
    bot = Thinker(mind, Budget(0, 0.001), foresight=ahead)
    assert bot(view, options, Stream(1, 1)) == options[0]
    ahead.ready[view.masked] = Ready(1.0, (Estimate(options[3], 1000, 0.9),))
    assert bot(view, options, Stream(1, 1)) == options[3]
    assert bot.so_far[0] == Estimate(options[3], 1010, (900 + 5) / 1010)
    assert (ahead.asked, ahead.foreseen) == (2, 1)


def test_only_bots_that_think_by_the_clock_prepare() -> None:
    pytest.importorskip("llvmlite")
    of = game("ticTacToe")
    for name in ("random", "first", "search:20", "beginner", "believing:1s"):
        assert preparing(of, {1: make_bot(name, of)}) is None, name
    bot = make_bot("search:1s", of, threads=4)
    found = preparing(of, {0: make_bot("random", of), 1: bot})
    assert found is not None and isinstance(bot.bot, Thinker)
    assert bot.bot.foresight is found.seats[1] and list(found.seats) == [1]
    assert found.seats[1].game is not of and found.seats[1].threads == 2
    others = seat_bots(Wanted(think="200"), of, {0}, at_terminal=True)
    assert preparing(of, others) is None


# ---- while somebody is asked


def test_preparing_ends_by_itself() -> None:
    state, ahead = game("ticTacToe").start(1), foresight("ticTacToe")
    everybody = Preparing({1: ahead})
    everybody.begin(state)
    everybody.wait()
    assert len(ahead.ready) == 9 and not everybody.failures


def test_an_answer_ends_it() -> None:
    looking = threading.Event()

    def mind(view: View, games: int, *, stop: Any = None, **given: Any) -> list[Estimate]:
        while stop is not None and not stop():
            looking.set()
        return even_mind(game("ticTacToe"))(view, games)

    state = game("ticTacToe").start(1)
    everybody = Preparing({1: Foresight(game("ticTacToe"), 1, mind, 1e9)})
    for _ in range(2):
        everybody.begin(state)
        assert looking.wait(60)
        everybody.begin(state)  # what was begun before ends
        looking.clear()
        assert looking.wait(60)
        everybody.end()
        everybody.wait(60)
        looking.clear()
    everybody.close()
    assert not everybody.failures


def test_a_failure_ends_no_game() -> None:
    def mind(view: View, games: int, **given: Any) -> list[Estimate]:
        raise RuntimeError("no idea")

    state = game("ticTacToe").start(1)
    everybody = Preparing({1: Foresight(game("ticTacToe"), 1, mind, 1.0)})
    for _ in range(3):
        everybody.begin(state)
        everybody.wait()
    everybody.close()
    assert everybody.failures == ["RuntimeError: no idea"]


class Heard(Preparing):
    """What a sitting says to those who prepare."""

    def __init__(self) -> None:
        super().__init__({})
        self.heard: list[str] = []

    def begin(self, state: Any) -> None:
        self.heard.append(f"begin {len(state.history())}")

    def end(self) -> None:
        self.heard.append("end")


def test_bots_prepare_while_a_person_is_asked() -> None:
    bot = Unfailing(random_bot, "random")
    heard = Heard()
    sitting = Sitting(
        game("ticTacToe").start(1), frozenset({0}), {1: (bot, Stream(1, 1))}, preparing=heard
    )
    assert sitting.go_on() is None
    assert heard.heard == ["begin 0"]
    sitting.take(sitting.state.options(0)[0], 0)
    assert heard.heard == ["begin 0", "end"]
    while sitting.go_on() is not None:
        pass
    assert heard.heard == ["begin 0", "end", "end", "begin 2"]
    assert sitting.undo(0) is None
    assert heard.heard[4:] == ["begin 0"]
    sitting.rest()
    assert heard.heard[5:] == ["end"]

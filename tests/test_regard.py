"""Bots that notice whether the others think, and what follows from that."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from interpreter.bots.bot import Stream, Thinker, Unfailing, decide, make_bot
from interpreter.bots.budget import Budget
from interpreter.bots.preparing import Foresight
from interpreter.bots.regard import Regard
from interpreter.bots.search import Estimate, search
from interpreter.embedding import Game, State, load
from interpreter.imagination import imagine

pytest.importorskip("llvmlite")

ROOT = Path(__file__).parent
NOTICING = "search:32768"


@cache
def game(path: str, players: int | None = None) -> Game:
    return load(ROOT / path, players)


def doors() -> Game:
    return game("cases/minds/doors.rules")


def played(of: Game, names: list[str], seed: int) -> tuple[State, list[Unfailing]]:
    """A game between bots up to its end."""
    bots = [make_bot(name, of) for name in names]
    streams = [Stream(seed, seat) for seat in range(of.players)]
    state = of.start(seed)
    while not state.is_over:
        seat = state.seats_to_act[0]
        state = state.apply(decide(bots[seat], state, seat, streams[seat]), seat)
    assert not any(bot.failures for bot in bots)
    return state, bots


def regard_of(bot: Unfailing) -> Regard:
    assert isinstance(bot.bot, Thinker) and bot.bot.regard is not None
    return bot.bot.regard


# ---- searches that take others for careless


def test_whoever_takes_others_for_careless_dares_more() -> None:
    """Behind a door that nobody who looks would miss is a loss."""
    state = doors().start(1)
    for _ in range(16):
        state = state.apply(state.options()[-1])
    view = state.view(0)

    def worth(careless: tuple[int, ...]) -> dict[str, float]:
        found = search(doors(), view, 4000, careless=careless)
        return {each.option.text: each.value for each in found}

    assert worth(())["dare"] < 0.25 and worth(())["content"] == 0.5
    assert worth((0, 0)) == worth(())
    assert worth((100, 0))["dare"] < 0.25  # of itself nobody thinks so
    assert 0.7 < worth((0, 100))["dare"] < 0.8
    assert 0.3 < worth((0, 50))["dare"] < 0.5


@pytest.mark.parametrize("name", ["goofspiel", "trickTaking", "pig", "liarsDice"])
def test_threads_do_not_matter_to_it(name: str) -> None:
    of = game(f"../rulesets/classics/{name}.rules")
    careless = tuple(range(30, 30 + of.players))
    state = of.start(3)
    view = state.view(state.seats_to_act[0])
    found = [
        search(of, view, 300, trees=7, threads=threads, careless=careless) for threads in (1, 2, 7)
    ]
    assert found[0] == found[1] == found[2]


# ---- who is taken for careless


def dares(other: str) -> int:
    """In how many of twelve games a bot takes the other for careless; then it dares more."""
    found = 0
    for seed in range(1, 13):
        state, bots = played(doors(), [NOTICING, other], seed)
        careless = regard_of(bots[0]).careless
        assert state.history()[16][1].text == ("dare" if careless else "content")
        found += bool(careless)
    return found


def test_who_chooses_anything_is_found_out_and_who_thinks_is_not_taken_for_careless() -> None:
    assert dares("random") >= 8
    assert dares("plain:500") <= 1


def test_of_several_it_is_known_who_it_is() -> None:
    """In pig, two of four think. Where there are many choices, few are judged."""
    pig = game("../rulesets/classics/pig.rules", 4)
    _, bots = played(pig, ["search:8192", "random", "plain:3000", "random"], 2)
    regard = regard_of(bots[0])
    careless = regard.careless
    assert min(careless[1], careless[3]) > 50 and careless[0] == careless[2] == 0
    assert max(regard.judged.values()) < len(regard.glimpses)


def test_sealed_choices_are_looked_at_when_they_come_to_light() -> None:
    """In goofspiel, what everybody bids is seen by all when all have bid."""
    goofspiel = game("../rulesets/classics/goofspiel.rules", 3)
    _, bots = played(goofspiel, [NOTICING, "random", "random"], 1)
    judged = regard_of(bots[0]).judged
    assert judged[1] > 8 and judged[2] > 8


def test_what_is_never_told_proves_nothing() -> None:
    """Where bids stay hidden, nobody is judged by them."""
    hidden = load(ROOT / "../rulesets/classics/goofspiel.rules", 2, {"bids": "hidden"})
    _, bots = played(hidden, [NOTICING, "random"], 1)
    assert regard_of(bots[0]).judged.keys() <= {0}


def test_the_same_is_thought_after_what_looks_the_same() -> None:
    """Twins: what the others hold is other, and what everybody was seen to do is the same."""
    of = game("../rulesets/classics/leducPoker.rules")
    state, found = of.start(5), []
    for twin in (state, *(imagine(of, state.view(0), seed) for seed in range(6))):
        bot, at = make_bot(NOTICING, of), twin
        for text in ("raise", "call", "call"):
            seat = at.seats_to_act[0]
            if seat == 0:
                bot.follow(at, 0)
            offered = {each.text: each for each in at.options(seat)}
            at = at.apply(offered.get(text) or next(iter(offered.values())), seat)
        bot.follow(at, 0)
        regard = regard_of(bot)
        regard.look(Budget(8192))
        found.append((at.view(0).masked, regard.found))
    alike = [each for each in found if each[0] == found[0][0]]
    assert len(alike) > 1 and all(each == alike[0] for each in alike)


def test_who_comes_late_or_sees_something_taken_back_begins_anew() -> None:
    state = doors().start(1)
    for number in (4, 1, 4, 2, 4):
        state = state.apply(f"choose(n: {number})")
    bot = make_bot(NOTICING, doors())
    bot.follow(state, 0)
    regard_of(bot).look(Budget(8192))
    assert regard_of(bot).judged == {0: 3, 1: 2}
    assert state.previous is not None
    bot.follow(state.previous, 0)
    assert regard_of(bot).judged == {}


# ---- who notices


def test_little_time_is_not_divided() -> None:
    for name, notices in (
        ("search:500", False), ("search:20ms", False), ("search:8192", True), ("best:100ms", True),
        ("plain:8192", False), ("believing:8192", False), ("strong", False),
    ):  # fmt: skip
        bot = make_bot(name, doors()).bot
        assert isinstance(bot, Thinker)
        assert (bot.regard is not None) == notices, name


def test_where_all_is_open_and_nothing_is_chance_everybody_is_taken_to_think() -> None:
    for name, notices in (("connectFour", False), ("pig", True), ("goofspiel", True)):
        bot = make_bot(NOTICING, game(f"../rulesets/classics/{name}.rules")).bot
        assert isinstance(bot, Thinker)
        assert (bot.regard is not None) == notices, name


def test_what_was_prepared_for_others_who_think_does_not_count() -> None:
    view = doors().start(1).view(0)
    option = doors().start(1).options()[0]

    def mind(*_: object, **given: object) -> list[Estimate]:
        asked.append(given["careless"])
        return [Estimate(option, 10, 0.5)]

    asked: list[object] = []
    ahead = Foresight(doors(), 0, mind, 0.01)
    assert ahead.look_ahead(view, lambda: False) and ahead.ready
    ahead.take_for((0, 80))
    assert not ahead.ready
    assert ahead.look_ahead(view, lambda: False)
    assert asked == [(), (0, 80)]

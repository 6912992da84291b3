"""How bots play what is special, each with a small ruleset of `tests/cases/minds`."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from interpreter.bots.beliefs import Believer
from interpreter.bots.bot import Stream, Thinker, decide, make_bot
from interpreter.bots.budget import Budget
from interpreter.bots.glimpses import Glimpse
from interpreter.bots.pacing import Trail
from interpreter.bots.search import Estimate
from interpreter.bots.thinking import think
from interpreter.embedding import Game, State, load
from interpreter.imagination import imagine
from interpreter.option import Option
from interpreter.view.view import View

pytest.importorskip("llvmlite")

CASES = Path(__file__).parent / "cases" / "minds"


@cache
def game(name: str, players: int | None = None) -> Game:
    return load(CASES / f"{name}.rules", players)


# ---- going to and fro


def whim(
    *likes: str,
    value: Callable[[str], float] = lambda text: 0.5,
    visits: Callable[[str], int] = lambda text: 100,
) -> Thinker:
    """A bot that takes what comes first in this list, and values options as is said."""
    of = game("corridor")

    def mind(view: View, games: int, **_: int) -> list[Estimate]:
        state = State(of, list(view.masked), 0, None, None, ())
        found = [
            Estimate(each, visits(each.text), value(each.text))
            for each in state.options(view.seat or 0)
        ]
        places = {text: number for number, text in enumerate(likes)}
        return sorted(found, key=lambda each: places.get(each.option.text, len(places)))

    return Thinker(mind, Budget(1), trail=Trail(of))


def turn(bot: Thinker) -> list[str]:
    """What a bot does in the first turn."""
    state, stream, found = game("corridor").start(1), Stream(1, 0), []
    while state.seats_to_act == (0,):
        option = decide(bot, state, 0, stream)
        found.append(option.text)
        state = state.apply(option, 0)
    return found


def test_nobody_goes_to_and_fro_for_nothing() -> None:
    assert turn(whim("go(c: a1)", "go(c: b1)", "halt")) == ["go(c: b1)", "halt"]
    pacing = Thinker(whim("go(c: a1)", "go(c: b1)", "halt").mind, Budget(1))
    assert turn(pacing) == ["go(c: b1)", "go(c: a1)"] * 4


def test_going_back_with_something_is_no_pacing() -> None:
    """Whoever has filled a jug has a reason to walk back the same way."""
    state, bot = game("corridor").start(1), whim("go(c: a1)", "go(c: b1)", "go(c: c1)", "halt")
    assert bot.trail is not None
    for text in ["go(c: b1)", "go(c: c1)", "go(c: d1)", "fill"]:
        option = next(each for each in state.options(0) if each.text == text)
        bot.trail.follow(state.view(0), option)
        state = state.apply(option, 0)
    for wanted in ("go(c: c1)", "go(c: b1)", "go(c: a1)"):
        option = decide(bot, state, 0, Stream(1, 0))
        assert option.text == wanted
        state = state.apply(option, 0)


def in_turns(bot: Thinker, turns: int) -> list[str]:
    """What a bot does that takes one step a turn or none, while the other one halts."""
    state, found, trail = game("corridor").start(1), list[str](), bot.trail
    assert trail is not None

    def halt(seat: int) -> Option:
        return next(each for each in state.options(seat) if each.text == "halt")

    for _ in range(turns):
        option = decide(bot, state, 0, Stream(1, 0))
        found.append(option.text)
        state = state.apply(option, 0)
        if option.text != "halt":
            trail.follow(state.view(0), halt(0))
            state = state.apply(halt(0), 0)
        state = state.apply(halt(1), 1)
    return found


def test_nobody_goes_to_and_fro_in_turns_one_after_the_other() -> None:
    """It would like best to go on like that. What it has hardly tried it does not take for as
    good."""
    likes = ("go(c: a1)", "go(c: b1)")
    assert in_turns(whim(*likes), 4) == ["go(c: b1)", "go(c: a1)", "halt", "halt"]
    hasty = whim(*likes, visits=lambda text: 100 if text in likes else 10)
    assert in_turns(hasty, 4) == ["go(c: b1)", "go(c: a1)"] * 2


def test_what_is_clearly_better_is_chosen_even_if_it_leads_back() -> None:
    better = whim(
        "go(c: a1)", "go(c: b1)", value=lambda text: 0.9 if text[-3:-1] in ("a1", "b1") else 0.1
    )
    assert turn(better) == ["go(c: b1)", "go(c: a1)"] * 4


def returns(name: str, seed: int) -> int:
    """How often a seat comes back to a cell in one walk in a game between bots."""
    of = game("corridor")
    bots = [make_bot(name, of) for _ in range(of.players)]
    streams = [Stream(seed, seat) for seat in range(of.players)]
    state, found, before = of.start(seed), 0, -1
    visited: list[object] = []
    while not state.is_over:
        (seat,) = state.seats_to_act
        option = decide(bots[seat], state, seat, streams[seat])
        state = state.apply(option, seat)
        if seat != before or not option.text.startswith("go"):
            visited.clear()
        found += option.text.startswith("go") and option.text in visited
        visited.append(option.text)
        before = seat
    return found


def test_searching_bots_do_not_pace() -> None:
    assert sum(returns("plain:30", seed) for seed in range(3)) > 5
    assert sum(returns("search:30", seed) for seed in range(3)) == 0


# ---- what is special


def played(name: str, bots: list[str], seed: int) -> State:
    """How a game between bots ends."""
    of = game(name, len(bots))
    minds = [make_bot(each, of) for each in bots]
    streams = [Stream(seed, seat) for seat in range(of.players)]
    state = of.start(seed)
    while not state.is_over:
        seat = state.seats_to_act[0]
        state = state.apply(decide(minds[seat], state, seat, streams[seat]), seat)
    assert not any(each.failures for each in minds)
    return state


def test_partners_give_to_each_other() -> None:
    """Once a game is decided it does not matter what anybody does; until then, it does."""
    given = []
    for seed in range(3):
        state = played("partners", ["search:300"] * 4, seed)
        given += [(seat, option.text) for seat, option in state.history()]
    to_partners = [text == f"give(p: P{(seat + 2) % 4 + 1})" for seat, text in given]
    assert len(given) == 24
    assert sum(to_partners) >= 18
    assert sum(text == "keep" for _, text in given) + sum(to_partners) >= 22


def test_whoever_plays_alone_against_chance_is_beaten_by_partners() -> None:
    for seed in range(4):
        assert played("partners", ["search:200", "random"] * 2, seed).winners == (0, 2)


def test_all_win_together() -> None:
    for seed in range(6):
        assert played("together", ["search:100"] * 3, seed).winners == (0, 1, 2)


def test_one_player_plays_for_points() -> None:
    """Winning is no matter: who is alone always wins."""
    assert [played("alone", ["search:300"], seed).scores for seed in range(3)] == [(9,)] * 3


def test_who_has_won_already_wants_points() -> None:
    for seed in range(3):
        assert played("points", ["search:200", "search:200"], seed).scores == (62, 12)


def test_nobody_answers_what_was_sealed() -> None:
    """What P2 shows is the same whatever P1 has shown in secret, and bots win as often."""
    of = game("fists")
    for seed in range(6):
        answers = set()
        for option in of.start(seed).options(0):
            state = of.start(seed).apply(option, 0)
            answers.add(decide(make_bot("search:60", of), state, 1, Stream(seed, 1)).text)
        assert len(answers) == 1
    won = [played("fists", ["search:60", "search:60"], seed).scores for seed in range(24)]
    assert 4 <= sum(ours > theirs for ours, theirs in won) <= 20


# ---- beliefs


HOARD = "hoard"


def hoard(state: State, seat: int) -> int:
    layout = state.game.program.layout
    address = next(each.address for each in layout.variables if each.name == HOARD)
    return state.buffer[address + seat]


def watched(texts: list[str], start: State) -> tuple[Believer, State]:
    """What P1 believes after these choices."""
    mind, state = Believer(start.game), start
    mind.watch(Glimpse(state, 0))
    for text in texts:
        (seat,) = state.seats_to_act
        state = state.apply(next(o for o in state.options(seat) if o.text == text), seat)
        mind.watch(Glimpse(state, 0))
    return mind, state


def expected(mind: Believer) -> float:
    """The hoard that P2 has, as far as is believed."""
    total = sum(each.weight for each in mind.held)
    return sum(each.weight * hoard(each.state, 1) for each in mind.held) / total


LONG, SHORT = ["raise"] * 4 + ["pass"], ["raise"] * 3 + ["pass"]


def test_bids_tell_of_what_is_secret() -> None:
    start = game("limits").start(1)
    (bold, _), (timid, _) = watched(LONG, start), watched(SHORT, start)
    assert expected(timid) < 3.1 < 3.9 < expected(bold)


def test_a_search_goes_by_what_it_believes() -> None:
    for texts, wanted in ((LONG, "much"), (SHORT, "little")):
        mind, state = watched(texts, game("limits").start(1))
        found = mind(state.view(0), 300, seed=1, trees=1, threads=1)
        assert found[0].option.text == wanted
        assert found[0].value > found[1].value + 0.05


def test_the_same_is_believed_of_what_looks_the_same() -> None:
    start = game("limits").start(1)
    others = [imagine(start.game, start.view(0), seed) for seed in range(8)]
    assert len({hoard(state, 1) for state in others}) > 3
    found = set()
    for state in others:
        mind, after = watched(LONG, state)
        judged = mind(after.view(0), 60, seed=1, trees=1, threads=1)
        found.add((expected(mind), *((each.option.text, each.visits) for each in judged)))
    assert len(found) == 1


def test_whoever_is_asked_late_believes_the_same() -> None:
    """At a table a bot is asked when it is its turn: then it looks at what has happened since."""
    start = game("limits").start(1)
    mind, state = watched(LONG, start)
    late = make_bot("believing:20", start.game)
    late.follow(state, 0)
    assert isinstance(late.bot, Thinker) and isinstance(late.bot.mind, Believer)
    assert expected(late.bot.mind) == expected(mind) and late.bot.mind.heard == mind.heard > 0
    assert state.previous is not None
    late.follow(state.previous, 0)  # somebody took back
    assert late.bot.mind.seen == state.previous.view(0)


def test_a_bot_that_is_seen_thinking_has_followed_the_game() -> None:
    from interpreter.cli.seated import Shown
    from interpreter.terminal.waiting import Awaited, Waiting

    start = game("limits").start(1)
    for shown in (
        lambda bot: Shown(bot, 0),
        lambda bot: Awaited(bot, 0, Waiting(), lambda seat: None, lambda: None),
    ):
        bot = make_bot("believing:20", start.game)
        decide(shown(bot), start, 0, Stream(1, 0))
        assert bot.followed is start


def test_bots_with_beliefs_follow_a_game() -> None:
    """In a match they see every moment, and never fail."""
    from interpreter.bots.match import play

    for name, players in (("limits", 2), ("partners", 4), ("fists", 2)):
        of = game(name, players)
        assert not any(play(of, ["believing:20"] * players, 1).failures)


def test_a_short_time_is_one_search_and_a_long_one_is_told_of_early() -> None:
    """Searches that only find out how fast games go here would take most of a short time."""
    asked: list[float | None] = []
    told: list[list[Estimate]] = []

    def mind(view: View, games: int, *, seconds: float | None = None, **given: Any) -> Any:
        asked.append(seconds)
        return [Estimate(options[0], 1, 0.5)]

    state = game("corridor").start(1)
    view, options = state.view(0), state.options(0)
    think(mind, view, Budget(0, 0.01), 1, tell=told.append)
    assert len(asked) == 1 and asked[0] is not None and 0.005 < asked[0] <= 0.01
    think(mind, view, Budget(0, 2.0), 1, tell=told.append)
    short, long = asked[1:]
    assert short is not None and long is not None and 5 * short < long <= 2.0
    assert len(told) == 3

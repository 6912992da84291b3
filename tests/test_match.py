"""Bots by name, and matches between them."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from interpreter.bots import bot as bots
from interpreter.bots import match as matches
from interpreter.bots.advice import Cost, hints, review
from interpreter.bots.bot import LEVELS, NAMES, Stream, Thinker, Unfailing, make_bot, make_mind
from interpreter.bots.budget import Budget, read_budget, small_budget
from interpreter.bots.ladder import Ladder, climb, tables
from interpreter.bots.match import Played, match, play, seating, standings, told, wilson
from interpreter.bots.rating import ratings, strengths
from interpreter.bots.search import Estimate, ranked
from interpreter.bots.story import chances, chapter_lines, chapters, play_through
from interpreter.bots.trained import LearnedPolicy, Plan, Table, TrainedMind
from interpreter.embedding import Game, Option, State, load, load_text
from interpreter.view.view import View

ROOT = Path(__file__).resolve().parent.parent
RULESETS = ROOT / "rulesets"


@cache
def game(name: str, players: int | None = None) -> Game:
    return load(RULESETS / f"{name}.rules", players)


def bare(games: Sequence[Played]) -> list[Played]:
    """Without what a clock has measured."""
    return [replace(each, seconds=()) for each in games]


# ---- names


@pytest.mark.parametrize(
    "text, found",
    [
        ("500", Budget(500)),
        ("2s", Budget(0, 2.0)),
        ("0.5s", Budget(0, 0.5)),
        ("200ms", Budget(0, 0.2)),
        ("1m", Budget(0, 60.0)),
        *((wrong, None) for wrong in ("0", "-5", "", "s", "2h", "nan", "inf", "1e3s", "9999m")),
    ],
)
def test_budgets_are_read(text: str, found: Budget | None) -> None:
    assert read_budget(text) == found
    if found is not None:
        assert read_budget(str(found)) == found


def test_what_comes_after_a_search_is_part_of_the_time() -> None:
    """But what took long once must not take all of it from then on; and games are counted."""
    assert Budget(0, 1.0).without(0.25) == Budget(0, 0.75)
    assert Budget(0, 1.0).without(7.0) == Budget(0, 0.5)
    assert Budget(9).without(1.0) == Budget(9)
    game = load("rulesets/classics/ticTacToe.rules")
    bot, state = make_bot("search:10ms", game), game.start(1)
    bots.decide(bot, state, 0, Stream(1, 0))
    assert isinstance(bot.bot, Thinker) and bot.bot.besides > 0


@pytest.mark.parametrize(
    "text, said",
    [
        ("serch", "Did you mean `search`"),
        ("nobody", "There is random, first, search"),
        ("search:many", "`500` games, `2s`"),
        ("search:", "how many games"),
        ("random:5", "takes no number"),
        ("beginner:5", "`best:500` does"),
        ("trained", "`best` takes the best bot that is there"),
    ],
)
def test_wrong_names_are_told_what_to_write(text: str, said: str) -> None:
    with pytest.raises(ValueError, match=re.escape(said)):
        make_bot(text, game("classics/ticTacToe"))


def test_all_names_play() -> None:
    of = game("classics/ticTacToe")
    for name in set(NAMES) - {"trained"}:
        played = play(of, [f"{name}:40" if name in ("search", "plain", "best") else name] * 2, 1)
        assert not any(played.failures), name
        assert sum(played.won) == 1


def test_the_best_is_what_was_trained_if_it_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    of = game("classics/ticTacToe")
    assert bots.best_name(of) == "search"

    def learned(view: View, games: int, **_: int) -> list[Estimate]:
        return []

    monkeypatch.setitem(bots.MINDS, "trained", lambda game: learned)
    assert bots.best_name(of) == "trained"
    found = make_bot("best:5", of).bot
    assert isinstance(found, Thinker) and found.mind is learned


def test_a_softened_bot_takes_what_it_has_tried_the_oftener_the_likelier() -> None:
    tried = {"a": 60, "b": 30, "c": 0}
    options = [Option(each) for each in tried]

    def mind(view: View, games: int, **_: int) -> list[Estimate]:
        return [Estimate(each, tried[each.text], 0.5) for each in options]

    stream, view = Stream(1, 0), game("classics/ticTacToe").start(1).view(0)
    taken = [Thinker(mind, Budget(1), 1)(view, options, stream).text for _ in range(300)]
    assert taken.count("a") > taken.count("b") > taken.count("c") >= 0
    squared = [Thinker(mind, Budget(1), 2)(view, options, stream).text for _ in range(300)]
    assert squared.count("a") > taken.count("a")
    assert {Thinker(mind, Budget(1))(view, options, stream).text for _ in range(9)} == {"a"}


def test_levels_look_at_ever_more_games() -> None:
    games = [each.games for each in LEVELS.values()]
    assert games == sorted(set(games))
    mastery = [each.mastery for each in LEVELS.values()]
    assert mastery == sorted(set(mastery)) and mastery[0] >= 0 and mastery[-1] < 100


def test_a_failing_bot_ends_no_game(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(view: View, options: Sequence[Option], stream: Stream) -> Option:
        if len(options) % 2:
            raise RuntimeError("I am lost")
        return Option("nonsense")

    def made(name: str, of: Game) -> Unfailing:
        return Unfailing(broken, name) if name == "broken" else make_bot(name, of)

    monkeypatch.setattr(matches, "make_bot", made)
    played = play(game("classics/ticTacToe"), ["broken", "random"], 3)
    assert sum(played.won) == 1 and not played.broken
    assert len(played.failures[0]) == played.choices[0] and not played.failures[1]
    lines = "\n".join(told(standings([played])))
    assert "took any option: RuntimeError: I am lost" in lines


# ---- matches


def test_every_deal_is_played_from_every_seat() -> None:
    names = ("a", "b", "c")
    assert {seating(names, number) for number in range(3)} == {
        ("a", "b", "c"), ("c", "a", "b"), ("b", "c", "a"),
    }  # fmt: skip
    games = list(match(game("classics/goofspiel", 3), ["first", "random", "random"], range(6), 7))
    assert [each.seed for each in games] == [7, 7, 7, 8, 8, 8]
    assert [each.names.index("first") for each in games] == [0, 1, 2, 0, 1, 2]


def test_intervals_are_wilsons() -> None:
    """Values from the literature: 81 of 263 (Newcombe, 1998), and none of 10."""
    assert wilson(81, 263) == pytest.approx((0.2553, 0.3662), abs=1e-4)
    assert wilson(0, 10) == pytest.approx((0.0, 0.2775), abs=1e-4)
    assert wilson(0, 0) == (0.0, 1.0)


def test_processes_play_the_same_games() -> None:
    names, of = ["search:30", "random"], game("classics/connectFour")
    alone = list(match(of, names, range(4), 5))
    assert bare(alone) == bare(list(match(of, names, range(4), 5, processes=2)))
    assert bare(alone)[2:] == bare(list(match(of, names, range(2, 4), 5)))


def test_a_match_names_a_bot_for_each_seat() -> None:
    with pytest.raises(ValueError, match="2 play, and 3 bots are named"):
        list(match(game("classics/ticTacToe"), ["random"] * 3, range(1)))


def test_what_has_been_won_is_added_up() -> None:
    games = list(match(game("classics/connectFour"), ["search:60", "first"], range(6)))
    found = {each.name: each for each in standings(games)}
    assert sum(each.won for each in found.values()) == len(games)
    assert found["search:60"].share > found["first"].share
    assert found["search:60"].seconds_a_choice > found["first"].seconds_a_choice


def test_a_match_from_the_command_line() -> None:
    lines: list[str] = []
    file = str(RULESETS / "classics" / "ticTacToe.rules")
    assert matches.main([file, "search:30, random", "--games", "2"], lines.append) == 0
    assert "2 games, seeds 1 to 1" in lines[0] and any("search:30" in line for line in lines)


def test_claims_are_checked() -> None:
    """The short version: little can be shown by so few games, but every claim is tried."""
    script = ROOT / "tests" / "benchmarks" / "strength.py"
    given = ["--only", "ticTacToe", "--only", "goofspiel", "--players", "2", "--games", "12"]
    given += ["--think", "100", "--processes", "1"]
    done = subprocess.run(
        [sys.executable, str(script), *given], capture_output=True, text=True, check=False
    )
    assert done.returncode in (0, 1), done.stderr
    random = next(line for line in done.stdout.splitlines() if line.startswith("random"))
    assert float(re.findall(r"([\d.]+) % won", random)[0]) > 60
    assert "equal, ticTacToe: holds: the best bot is plain search itself" in done.stdout
    assert "times their time" in done.stdout and "seeds 1 to 6" in done.stdout


# ---- ratings


def won(names: tuple[str, ...], winner: str, seed: int) -> Played:
    shares = tuple(float(name == winner) for name in names)
    nothing = (0,) * len(names)
    return Played(seed, names, shares, nothing, (0.0,) * len(names), nothing, ((),) * len(names), 1)


def test_ratings_are_those_of_bradley_and_terry() -> None:
    """Who wins three of four is three times as strong: 191 points. The draw that is supposed
    draws them a little together."""
    games = [won(("a", "b"), "b" if each % 4 == 0 else "a", each) for each in range(1000)]
    a, b = ratings(["b", "a"], games)
    assert (a.name, b.name) == ("a", "b")
    assert a.points - b.points == pytest.approx(191, abs=2)
    assert a.low < a.points < a.high and a.high - a.low < 80
    few = ratings(["a", "b"], games[:40])[0]
    assert few.high - few.low > a.high - a.low


def test_ratings_hold_for_tables_of_three() -> None:
    """One who wins half against two others is twice as strong as either."""
    games = [won(("a", "b", "b"), "a" if each % 2 else "b", each) for each in range(2000)]
    games = [replace(g, won=(0.0, 0.5, 0.5)) if g.won[0] == 0 else g for g in games]
    strong, weak = strengths(["a", "b"], games)
    assert strong / weak == pytest.approx(2, abs=0.02)


def test_a_ladder_stops_when_it_is_clear() -> None:
    ladder = Ladder(game("classics/ticTacToe"), ("search:50", "first"), 1)
    climb(ladder, 0.2, 40)
    assert ladder.widest <= 0.2 and len(ladder.games) < 40
    assert len(tables(("a", "b", "c"), 3)) == 6


# ---- advice and stories


def test_hints_go_by_what_the_seat_sees() -> None:
    of = game("classics/ticTacToe")
    state = of.start(1)
    for cell in ("a1", "b1", "a2", "b2"):
        state = state.apply(f"place(cell: {cell})")
    best = hints(of, state.view(0), make_mind("best", of), Budget(400))[0]
    assert best.option.text == "place(cell: a3)" and best.value == 1
    assert best.leads_to == ["the game is over: P1 wins"]


def test_chances_are_shares_of_games_whatever_a_mind_goes_by() -> None:
    """A policy says how much it likes an option, which is no chance to win."""
    of = game("classics/ticTacToe")
    state = of.start(1)
    for cell in ("a1", "b1", "a2", "b2"):
        state = state.apply(f"place(cell: {cell})")

    def whim(view: View, games: int, **_: int) -> list[Estimate]:
        return [Estimate(each, 5, 0.01) for each in state.options(0)]

    found = hints(of, state.view(0), whim, Budget(400))
    assert {each.option.text: each.value for each in found}["place(cell: a3)"] == 1


def test_of_options_tried_as_often_the_better_one_goes_first() -> None:
    tried = [Estimate(Option(text), visits, value) for text, visits, value in TIED]
    assert [each.option.text for each in ranked(tried)] == ["b", "a", "c"]
    assert ranked([]) == []


TIED = (("a", 2, 0.5), ("b", 2, 1.0), ("c", 1, 1.0))


def test_what_chance_brings_is_not_foretold() -> None:
    of = game("classics/pig")
    view = of.start(1).view(0)
    found = {each.option.words: each for each in hints(of, view, make_mind("best", of), Budget(50))}
    assert not found["roll"].leads_to


def test_a_review_finds_the_blunder() -> None:
    of = game("classics/ticTacToe")
    states = [of.start(1)]
    for cell in ("a1", "b2", "a2", "c3", "a3"):  # the fourth should have been a3
        states.append(states[-1].apply(f"place(cell: {cell})"))
    cost = review(states, make_mind("best", of), Budget(1000))[0]
    assert (cost.number, cost.seat, cost.best.option.text) == (4, 1, "place(cell: a3)")
    assert cost.sure > 0


def test_nobody_is_blamed_for_two_lost_games() -> None:
    of = game("classics/ticTacToe")
    chosen, best = of.start(1).options(0)[:2]

    def sure(visits: int) -> float:
        return Cost(1, 0, Estimate(chosen, visits, 0.0), Estimate(best, 200, 0.8)).sure

    assert sure(1) < 0 and sure(2) < 0 < sure(10)


TAKING = """\
game "Taking"
players 2

the game has
    pot: int = 1
    taken: int

play
    turns
        choose
            wait "wait"
                pot += 1
            takeAll "take all {pot}"
                when pot > 1
                pot := 1
                taken += 1
                if taken = 8
                    end game
"""


def test_a_story_has_few_chapters_and_keeps_secrets() -> None:
    of = game("nozoku", 2)
    players = {s: (make_bot("search:20", of), Stream(1, s)) for s in range(2)}
    state, moments = play_through(of.start(1), players)
    parts = chapters(moments)
    assert 2 < len(parts) <= 10
    assert [each for part in parts for each in part.moments] == moments
    lines = [line for group in chapter_lines(parts, 80) for line in group]
    assert lines and set(lines) <= set(state.log(None))
    assert all(len("; ".join(group)) <= 80 for group in chapter_lines(parts, 80))
    seen = [each for each in chances(parts, 2) if each is not None]
    assert seen and all(sum(each) == pytest.approx(1) for each in seen)


def test_a_story_tells_choices_that_say_what_is_at_stake() -> None:
    """Passing says the same each time; what is taken does not, though nothing is named with it."""
    of = load_text(TAKING)
    players = {s: (make_bot("random", of), Stream(1, s)) for s in range(2)}
    _, moments = play_through(of.start(1), players)
    told = {line for group in chapter_lines(chapters(moments), 80) for line in group}
    assert any("take all" in line for line in told)
    assert not any("wait" in line for line in told)


class AtOnce:
    """A mind that looks at no games."""

    searches = False

    def __init__(self) -> None:
        self.asked = 0

    def __call__(self, view: View, games: int, **_: int) -> list[Estimate]:
        self.asked += 1
        state = State(game("classics/ticTacToe"), list(view.masked), 0, None, None, ())
        return [Estimate(each, 10, 0.9) for each in state.options(view.seat or 0)]


def test_who_looks_at_no_games_tells_no_chances() -> None:
    of = game("classics/ticTacToe")
    pair = [Unfailing(Thinker(AtOnce(), Budget(1)), "at once"), make_bot("plain:20", of)]
    assert [each.tells_chances for each in pair] == [False, True]
    players = {seat: (bot, Stream(1, seat)) for seat, bot in enumerate(pair)}
    _, moments = play_through(of.start(1), players)
    assert {each.value is None for each in moments if each.seat == 0} == {True}
    assert any(each.value is not None for each in moments if each.seat == 1)


def test_who_knows_at_once_takes_no_time() -> None:
    of, mind = game("classics/ticTacToe"), AtOnce()
    state = of.start(1)
    bot = make_bot("best:1s", of)
    bot.bot = Thinker(mind, Budget(0, 1.0))
    bot(state.view(0), state.options(0), Stream(1, 0))
    assert mind.asked == 1


def test_who_is_held_back_looks_at_games(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is learned would be as strong with few games as with many."""
    of, learned = game("classics/ticTacToe"), AtOnce()
    monkeypatch.setitem(bots.MINDS, "trained", lambda game: learned)
    best, level = make_bot("best:5", of).bot, make_bot("best", of, level="easy").bot
    beginner = make_bot("beginner", of).bot
    assert isinstance(best, Thinker) and best.mind is learned
    for each in (level, beginner):
        assert isinstance(each, Thinker) and each.mind is not learned
    plan = Plan(guided=True, least=200)
    knowing = TrainedMind(of, plan, LearnedPolicy(of, Table(8, 1, bytes(256))))
    monkeypatch.setitem(bots.MINDS, "trained", lambda game: knowing)
    strong = make_bot("strong", of).bot
    assert isinstance(strong, Thinker) and strong.mind is not knowing


def test_who_is_held_back_plays_its_best_in_some_choices(monkeypatch: pytest.MonkeyPatch) -> None:
    """Between a search and what was learned there are levels: nothing is all or nothing."""
    of = game("classics/ticTacToe")
    view, asked = of.start(1).view(0), dict[str, int]()
    for name, level in LEVELS.items():
        learned = AtOnce()
        monkeypatch.setitem(bots.MINDS, "trained", lambda game, found=learned: found)
        held = make_bot(name, of).bot
        assert isinstance(held, Thinker)
        for seed in range(200):
            held.mind(view, 1, seed=seed, trees=1, threads=1)
        asked[name] = learned.asked
        assert abs(learned.asked - 2 * level.mastery) <= 20
    assert list(asked.values()) == sorted(set(asked.values())) and asked["beginner"] == 0


def test_the_small_budget_goes_by_no_clock() -> None:
    for name in ("nozoku", "classics/ticTacToe"):
        first, again = (small_budget(load(RULESETS / f"{name}.rules")) for _ in range(2))
        assert first == again and first is not None and first.games > 0

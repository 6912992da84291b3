"""Policies that are learned: what they look at, that they learn, and the files they are kept in."""

from __future__ import annotations

import json
import multiprocessing
import random
from array import array
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from itertools import pairwise
from mmap import mmap

import pytest

import interpreter
from interpreter.bots.bot import make_mind
from interpreter.bots.budget import Budget
from interpreter.bots.features import features, sights
from interpreter.bots.packing import BadBot
from interpreter.bots.rounds import within
from interpreter.bots.search import MOST_GAMES, root_state, search
from interpreter.bots.thinking import games_of, pace_of, think
from interpreter.bots.trained import (
    MAGIC,
    MOST_BYTES,
    LearnedJudge,
    LearnedPolicy,
    Plan,
    Table,
    Trained,
    TrainedMind,
    load_trained,
    not_used,
    read_trained,
    trained_mind,
    write_trained,
)  # fmt: skip
from interpreter.embedding import Game, State
from interpreter.learn.candidates import Candidate
from interpreter.learn.circle import EARLIER, ONESELF, RANDOM
from interpreter.learn.contest import Contest, Found
from interpreter.learn.crew import crew_for
from interpreter.learn.judgement import Judgement, Player
from interpreter.learn.practice import ROUND, Practice, Way, better_half
from interpreter.learn.teaching import Teaching
from interpreter.learn.train import Order, train
from interpreter.play import guided, policy
from interpreter.play.guided import PLAIN, WHOLE, Settings
from interpreter.play.judging import LinearJudge
from interpreter.play.native.emit import learning
from interpreter.play.native.judge import NativeJudge
from interpreter.play.native.learn import NativePolicy, Weights, quantised
from interpreter.play.native.lessons import Lessons
from interpreter.play.native.pages import empty_pages
from interpreter.program.layout import MOVES

BITS = 14  # few, so that tests are quick
GAMES = [
    "rulesets/payDirt.rules", "rulesets/nozoku.rules", "rulesets/dinosaurRush.rules",
    "rulesets/gaagaaGo.rules", "rulesets/classics/chess.rules", "rulesets/classics/darkHex.rules",
    "rulesets/classics/liarsDice.rules", "rulesets/classics/hearts.rules",
]  # fmt: skip
TINY = """
game "Take the more"
players 2
each player has
    coins: int
play
    for each n in 1..6
        for each p in players
            p chooses amount in 0..5 "take {amount}"
            p.coins += amount
score p: p.coins
winner p by most p.coins ties share
"""


def invented() -> bytes:
    draw = random.Random(7)
    return bytes(draw.randrange(256) for _ in range(1 << BITS))


def invented_judge() -> Table:
    """One to whom most positions are worth something, but not all."""
    draw = random.Random(8)
    weights = array("h", (draw.randrange(-4000, 6000) for _ in range(1 << BITS)))
    return Table(BITS, 1 << 12, weights.tobytes())


def as_trained(game: Game, weights: bytes) -> Trained:
    table = Table(BITS, 900, weights)
    return Trained(game.title, game.rules_hash, {game.players: Plan()}, {}, [], table)


def walk(game: Game, seed: int, most: int) -> Iterator[tuple[State, int]]:
    """Some decisions of a random game, early and late ones."""
    draw, state = random.Random(seed), game.start(seed)
    for number in range(12 * most):
        if state.is_over:
            return
        seat = draw.choice(state.seats_to_act)
        if number < most // 2 or number % 12 == 0:
            yield state, seat
        state = state.apply(draw.choice(state.options(seat)), seat)


@pytest.mark.parametrize("path", GAMES)
def test_native_code_weighs_as_the_reference_does(path: str) -> None:
    game = interpreter.load(path)
    words = list(features(game.program))
    words[policy.SHIFT], words[policy.SCALE] = 64 - BITS, 900
    weights = invented()
    reference = policy.Policy(words, memoryview(weights).cast("b"))
    native = NativePolicy(words, weights)
    for state, seat in walk(game, 3, 8):
        seen, choices = state.seen_by_chooser(seat), list(state.choices(seat).values())[:40]
        assert native.weigh(seen, seat, choices) == reference.weigh(seen, seat, choices)


@pytest.mark.parametrize("path", GAMES)
def test_a_policy_sees_only_what_its_seat_can_know(path: str) -> None:
    """What it says of each option is the same in a state that is imagined from the seat's view."""
    game = interpreter.load(path)
    learned = LearnedPolicy(game, Table(BITS, 900, invented()))

    def said(state: State, seat: int) -> dict[str, int]:
        choices = state.choices(seat)
        found = learned.weigh(state.seen_by_chooser(seat), seat, list(choices.values()))
        return {str(option): weight for option, weight in zip(choices, found, strict=True)}

    for number, (state, seat) in enumerate(walk(game, 5, 10)):
        imagined = root_state(game, state.view(seat), seat, number)
        assert said(imagined, seat) == said(state, seat)


def test_options_differ_in_what_is_said_of_them() -> None:
    game = interpreter.load("rulesets/payDirt.rules")
    learned = LearnedPolicy(game, Table(BITS, 900, invented()))
    state, seat = next((s, p) for s, p in walk(game, 1, 12) if len(s.options(p)) > 3)
    choices = list(state.choices(seat).values())
    found = learned.weigh(state.seen_by_chooser(seat), seat, choices)
    assert len(set(found)) > len(found) / 2  # copies of a piece are alike


# ---- learning


def tiny() -> Game:
    return interpreter.load_text(TINY)


def test_practice_makes_better() -> None:
    practice = Practice([tiny()], seed=1, bits=BITS)
    before = practice.wins(practice.weights, Weights(BITS))
    practice.practise(600)
    assert practice.compare() > 1.5
    assert practice.wins(practice.best, Weights(BITS)) > 1.8 > before
    assert practice.recent.score / practice.recent.games > 20


def test_who_goes_by_the_score_is_given_up_where_it_misleads() -> None:
    """Whoever has the fewest points wins here. What is practised can be gone on with, whichever
    beginning it is from."""
    game = interpreter.load_text(TINY.replace("by most", "by least"))
    lines: list[str] = []
    kept: list[bytes] = []
    order = Order([game], seed=1, practice=1200, tell=lines.append)
    order.keep = kept.append
    train(order)
    assert kept[-1].split()[0] != b"1"  # it is the beginning that goes by wins
    told = [line for line in lines if line.startswith("practice: ")]
    assert float(told[-1].split("wins ")[1].split("%")[0]) > 90
    again = replace(order, saved=kept[-1], practice=12, tell=lines.append)
    train(again)
    assert lines.count(f"going on after {1200:,} games of practice") == 1
    train(replace(again, saved=kept[-1][:-1]))
    assert sum("is damaged or of another kind" in line for line in lines) == 1


def test_practice_is_the_same_for_a_seed_and_goes_on_where_it_was() -> None:
    whole, first, other = (Practice([tiny()], seed, BITS) for seed in (1, 1, 2))
    whole.practise(120)
    other.practise(120)
    first.practise(60)
    saved = first.saved()
    again = Practice([tiny()], 1, BITS)
    assert again.restore(saved)
    again.practise(60)
    assert again.weights.cells == whole.weights.cells
    assert other.weights.cells != whole.weights.cells


def test_practice_among_others_goes_on_as_if_it_had_not_stopped() -> None:
    whole, first, again = (
        Practice([tiny()], 1, BITS, Way(among_others=True)) for _ in range(3)
    )  # fmt: skip
    whole.practise(ROUND * 20)
    first.practise(ROUND * 10)
    assert again.restore(first.saved())
    again.practise(ROUND * 10)
    assert again.saved() == whole.saved()


def test_half_of_the_rounds_are_against_others_and_more_against_whoever_wins_more() -> None:
    practice = Practice([tiny()], 1, BITS, Way(among_others=True))
    practice.practise(600)  # by then random players lose
    practice.compare()
    circle, met = practice.circles[0], Counter[str]()
    assert circle.others[0].lost > circle.others[1].lost
    for _ in range(200):
        met[circle.next().name] += 1
    assert met[ONESELF] == 100 and met[EARLIER] > met[RANDOM]
    assert practice.wins(practice.best, practice.random) > 1.8


def test_the_better_half_goes_on() -> None:
    practices = [Practice([tiny()], seed, BITS) for seed in (1, 2, 3)]
    for each in practices[1:]:
        each.practise(600)
        each.compare()
    assert set(better_half(practices)) == set(practices[1:])
    assert len(better_half(practices[:2])) == 1


def test_practice_does_not_go_on_from_something_else() -> None:
    practice = Practice([tiny()], 1, BITS)
    saved = practice.saved()
    others = (
        (b"[1, ", b"[9, "), (b"[[0.5,", b"[["), (b"[[0.5,", b'[["x",'), (b" 0.1,", b""),
    )  # fmt: skip
    changed = [saved.replace(*each, 1) for each in others]
    assert saved not in changed
    for bad in (b"", b"\n", b"1 2\n", b"{}\n", saved[:-1], *changed, b"x" * 99):
        assert not practice.restore(bad)
    assert not Practice([tiny()], 1, BITS, Way(among_others=True)).restore(saved)
    assert practice.restore(saved)


def test_how_sharply_to_choose_is_found_out() -> None:
    """Who knows what is good does it oftener; who is mistaken had better not."""
    practice = Practice([tiny()], 1, BITS)
    practice.practise(300)
    assert practice.how_sharply(practice.weights) > 100
    mistaken = practice.weights.sharper(-100)
    assert practice.how_sharply(mistaken) == 100


def test_weights_that_go_astray_are_given_up() -> None:
    practice = Practice([tiny()], 1, BITS)
    practice.practise(600)
    practice.compare()
    good = practice.best.cells[:]
    for place in range(0, len(practice.weights.cells), 2):
        practice.weights.cells[place] *= -1
    step = practice.step
    assert practice.compare() < 0.6
    assert practice.weights.cells == good and practice.step == step / 2


def test_training_ends_with_what_wins() -> None:
    lines: list[str] = []
    found = train(Order([tiny()], seed=1, practice=600, tell=lines.append))
    assert found.made["games"] == 600
    assert found.plans[2] != Plan() and found.proof[0]["won"] > found.proof[0]["games"] / 2
    assert any(line.startswith("practice: ") for line in lines)


def test_what_a_search_knows_can_be_taught() -> None:
    game = tiny()
    practice = Practice([game], 1, BITS)
    teaching = Teaching([game], practice.learners, PLAIN, seed=1)
    teaching.hold(150)
    assert teaching.count == 150 and len(teaching.kept_back[0]) in range(10, 30)
    taught = teaching.learn(Weights(BITS))
    assert practice.wins(taught, Weights(BITS)) > 1.5
    again = Teaching([game], practice.learners, PLAIN, seed=1)
    again.hold(150, processes=2)  # whoever holds them
    assert (again.count, again.kept_back) == (150, teaching.kept_back)
    assert again.learn(Weights(BITS)).cells == taught.cells


def test_lessons_are_taken_as_given() -> None:
    """Whatever a teacher says is learned, also that the least is the best; and who only looks on
    learns nothing."""
    game = tiny()
    practice = Practice([game], 1, BITS)
    lessons = Lessons(practice.learners[0])
    state = game.start(1)
    seat, options = 0, state.options(0)
    answer = [1.0, *[0.0] * (len(options) - 1)]
    assert not lessons.add(state.buffer, seat, answer[1:])
    assert lessons.add(state.buffer, seat, answer) and len(lessons) == 1
    practice.learners[0].set_real(learning.STEP, 0.5)
    weights = Weights(BITS)
    assert lessons.teach(weights, [0], changing=False) == pytest.approx(1 / len(options))
    assert weights.cells == Weights(BITS).cells
    for _ in range(20):
        lessons.teach(weights, [0])
    assert lessons.teach(weights, [0], changing=False) > 0.8


def test_what_does_not_win_is_not_used() -> None:
    """Weights that like what is worst, in a game that plain search plays perfectly."""
    game = tiny()
    practice = Practice([game], 1, BITS)
    practice.practise(600)
    for place in range(0, len(practice.weights.cells), 2):
        practice.weights.cells[place] *= -1
    weights, scale = quantised(practice.weights)
    contest = Contest(game, LearnedPolicy(game, Table(BITS, scale, weights)), 1)
    alone = contest.of_policy()
    assert alone.games == 12 and alone.share < 0.2 and not contest.is_better(alone)


def test_a_good_policy_is_used_alone_or_with_a_search_that_beats_it() -> None:
    game = tiny()
    practice = Practice([game], 1, BITS)
    practice.practise(600)
    weights, scale = quantised(practice.weights)
    contest = Contest(game, LearnedPolicy(game, Table(BITS, scale, weights)), 1, plain=20)
    best = contest.best().best
    assert best is not None
    assert best.against == ("the policy alone" if best.plan.searches else "plain search")
    guided = Candidate("search", Plan(Settings(prior=1.0), guided=True), 2.0)
    assert contest.least(guided) == 10  # the policy is good without them
    assert contest.least(replace(guided, plan=Plan(Settings(score=50)))) == Plan().least


def test_luck_of_a_race_proves_nothing() -> None:
    """Who comes out of a race must win deals that it has not played, and that nobody has learned
    from. Here all are as good as plain search, and the luckiest of them has won all its games."""
    game = tiny()
    contest = Contest(game, None, 1, plain=20)
    lucky = Candidate("lucky", Plan(), won=40.0, games=40)
    assert contest.is_better(lucky)
    proven = contest.proof(lucky, 1.0)
    assert proven.games == 60 and not contest.is_better(proven)
    assert lucky.games == 40 and proven.deal > lucky.deal


def test_time_that_is_left_is_used_for_more_games() -> None:
    """Where time is given it is used up, but no more of it than the answer needs."""
    now = [0.0]

    def clock() -> float:
        now[0] += 0.0005
        return now[0]

    contest = Contest(tiny(), None, 1, clock=clock, plain=20)
    equal = [Candidate("one", Plan()), Candidate("other", Plan())]
    assert contest.race(equal, 0.2).games > 44
    worse = Candidate("worse", Plan(Settings(exploration=50.0)), pace=20.0)
    proven = contest.proof(worse, 1.0)
    assert proven.games < 100 and contest.is_clear(proven) and now[0] < 0.9
    contest.stopping = lambda: True
    assert contest.proof(worse, 1.0).games == 24


def test_who_plays_the_games_of_a_contest_does_not_matter() -> None:
    found = []
    for processes in (1, 2):
        contest = Contest(tiny(), None, 1, plain=20)
        some = [Candidate("less", Plan(Settings(score=50))), Candidate("more", Plan(), pace=2.0)]
        with crew_for(contest, processes) as contest.crew:
            contest.match(some, 6, 1.0)
        found.append([(each.won, each.games) for each in some])
        assert contest.spent > 0
    assert found[0] == found[1]


def test_whoever_plays_alone_is_measured_by_points() -> None:
    """All such games are won, so wins say nothing: who takes more has done better."""
    text = TINY.replace("players 2", "players 1")
    contest = Contest(interpreter.load_text(text), None, 1, plain=40)
    assert contest.together and contest.fair == 0.5 and contest.measure.score
    assert not Contest(tiny(), None, 1).together
    points = Candidate("points", Plan(Settings(score=80)))
    wins = Candidate("wins", Plan())
    contest.match([points, wins], 24, 1.0)
    assert points.share == 0.5 and wins.share < 0.2
    assert contest.plan(Found()) == Plan(contest.measure)


def test_what_helps_with_few_games_is_tried_with_more() -> None:
    """What is not sure to be better with more games is not used with them."""
    contest = Contest(tiny(), None, 1, plain=200)
    few = Candidate("few", Plan(Settings(score=50)), pace=2.0)
    many = replace(few, name="many", more=8)
    at_once = Candidate("at once", Plan(PLAIN, searches=False))
    assert contest.plan(Found(few)) == contest.plan(Found(few, few, bounded=True))
    plan = contest.plan(Found(few, bounded=True))
    assert (plan.beyond, plan.then) == (565, Plan())
    plan = contest.plan(Found(few, many, bounded=True))
    assert plan.then is not None and plan.then.pace == 2.0 and not plan.asks_policy
    plan = contest.plan(Found(at_once, many, bounded=True))
    assert (plan.searches, plan.least, plan.pace) == (True, 282, 2.0) and plan.asks_policy


def test_a_policy_that_was_seen_to_win_with_few_games_only_is_used_with_few() -> None:
    """It gets no better with time, and a search does; one that wins nearly always may stay."""
    contest = Contest(tiny(), None, 1, plain=200)
    at_once = Candidate("at once", Plan(PLAIN, searches=False), won=30, games=50)
    found = contest.as_far_as_shown(at_once)
    assert found.changes and contest.plan(found) == Plan(least=565)
    masterly = replace(at_once, won=48)
    assert contest.plan(contest.as_far_as_shown(masterly)) == masterly.plan
    searching = Candidate("few", Plan(Settings(score=50)), won=30, games=50)
    assert contest.plan(contest.as_far_as_shown(searching)) == searching.plan


def test_a_policy_that_does_not_win_nearly_always_is_tried_with_more_games(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Or it would never be used by who has time, though a search may not get better with that."""
    contest = Contest(tiny(), None, 1, plain=200)
    at_once = Candidate("at once", Plan(PLAIN, searches=False), won=30, games=50)
    asked: list[tuple[str, int]] = []
    winning: list[float] = []

    def won(_: Contest, candidate: Candidate, end: float) -> Candidate:
        asked.append((candidate.name, candidate.more))
        return replace(candidate, won=winning[-1], games=60)

    monkeypatch.setattr(Contest, "proof", won)
    for wins, used in ((50, at_once.plan), (10, Plan(least=565))):
        winning.append(wins)
        assert replace(contest.plan(contest._found(at_once, [at_once], 0.0)), pace=1.0) == used
    masterly = replace(at_once, won=48)
    assert contest._found(masterly, [masterly], 0.0).best == masterly
    assert asked == [("at once", 8)] * 2


def test_a_plan_for_more_games_begins_where_there_is_time_for_them() -> None:
    game = tiny()
    view = game.start(1).view(0)
    plan = Plan(Settings(score=50), pace=2.0, beyond=100, then=Plan())
    mind = TrainedMind(game, plan, None)
    assert mind(view, 49, seed=1) == search(game, view, 49, seed=1, settings=plan.settings)
    assert mind(view, 50, seed=1) == search(game, view, 100, seed=1)
    mind(view, MOST_GAMES, seed=1, seconds=0.01)
    assert mind.rate > 1000  # and now it is known how fast games are here
    mind.rate = 1.0
    short = search(game, view, 8, seed=1, settings=plan.settings)
    assert [each.value for each in mind(view, 8, seed=1, seconds=60.0)] == [
        each.value for each in short
    ]
    mind.rate = 1000.0
    long = search(game, view, 16, seed=1)
    assert mind(view, 8, seed=1, seconds=60.0) == long
    trained = Trained("tiny", game.rules_hash, {2: plan})
    assert read_trained(write_trained(trained)).plans == trained.plans


def test_big_weights_are_kept_as_they_are() -> None:
    """A few say most of what a policy knows. What is small beside them may go."""
    weights = Weights(BITS)
    told = {3: 2.5, 90: -2.5, 200: 1.25, 500: 0.5, 501: 0.001}
    for place, weight in told.items():
        weights.cells[2 * place] = weight
    found, scale = quantised(weights)
    steps = memoryview(found).cast("b")
    kept = {place: steps[place] * scale / (1024 << policy.FINER) for place in told}
    assert kept == pytest.approx(told, abs=0.011)
    assert steps[501] == 0 and steps[3] == 127 == -steps[90]


def test_what_takes_longer_tries_fewer_games() -> None:
    """A budget that nobody has named for this bot is one of time, told in games of plain search."""
    game = tiny()
    mind = TrainedMind(game, Plan(Settings(prior=1.0), guided=True, pace=4.0), None)
    assert pace_of(mind) == 4.0 and pace_of(make_mind("plain", game)) == 1.0
    assert games_of(mind, 400) == 100 and games_of(make_mind("plain", game), 400) == 400
    # Where a policy chooses at once with fewer games, those are not left out for want of a few.
    knowing = TrainedMind(
        game, Plan(Settings(prior=1.0), guided=True, pace=4.0, least=30),
        LearnedPolicy(game, Table(BITS, 900, invented())),
    )  # fmt: skip
    assert [games_of(knowing, plain) for plain in (56, 60, 119, 160)] == [14, 30, 30, 40]


def test_no_time_is_spent_on_games_that_are_too_few() -> None:
    """Where few games are worth nothing, a round shows whether there will be more."""
    now = [0.0]

    def played(seconds: float, least: int) -> int:
        """Games that take a second each."""
        begun, games = now[0], 0
        for games in within(seconds, None, lambda: now[0], least)(1000):
            now[0] = begun + games
        return games

    assert played(100.0, 500) == 1 and played(100.0, 150) >= 100 and played(100.0, 0) >= 100


def test_few_games_are_not_worth_a_search() -> None:
    """With fewer than it has won with, the policy chooses at once, whether they are counted or the
    clock allows no more."""
    game = tiny()
    policy_of = LearnedPolicy(game, Table(BITS, 900, invented()))
    plan = Plan(Settings(prior=1.0, sharp=100), guided=True, least=40)
    view = game.start(1).view(0)
    mind = TrainedMind(game, plan, policy_of)
    alone = mind.at_once(view, 5)
    assert think(mind, view, Budget(39), 5) == alone == think(mind, view, Budget(0, 1e-6), 5)
    assert think(mind, view, Budget(40), 5) != alone != think(mind, view, Budget(0, 0.3), 5)
    trained = Trained("tiny", game.rules_hash, {2: plan, 3: Plan()}, policy=Table(BITS, 900))
    assert read_trained(write_trained(trained)).plans == trained.plans


# ---- judges


@pytest.mark.parametrize("path", GAMES)
def test_native_code_judges_as_the_reference_does(path: str) -> None:
    game = interpreter.load(path)
    words = list(sights(game.program))
    table = invented_judge()
    words[policy.SHIFT], words[policy.SCALE] = 64 - table.bits, table.scale
    reference = LinearJudge(words, memoryview(table.weights).cast("h"))
    native = NativeJudge(words, table.weights)
    found = []
    for number, (state, _) in enumerate(walk(game, 3, 8)):
        leads = [number * 100 - seat for seat in range(game.players)]
        found.append(native.worth(state.buffer, leads))
        assert found[-1] == reference.worth(state.buffer, leads)
    assert len({worth for each in found for worth in each} - {0, WHOLE}) > 1


def test_what_lies_on_a_piece_counts_for_whoever_has_it() -> None:
    """A judge sees it through the piece: the duck of a player has touched so many buoys."""
    game = interpreter.load("rulesets/gaagaaGo.rules")
    words = list(sights(game.program))
    kinds = [
        game.program.layout.kinds[number].name for number in range(len(game.program.layout.kinds))
    ]
    swimmer = words[policy.KINDS] + kinds.index("Swimmer") * policy.KIND
    assert words[swimmer + policy.LAID_COUNT] == 3  # one for each colour
    plain = list(features(game.program))
    assert not any(
        plain[plain[policy.KINDS] + number * policy.KIND + policy.LAID_COUNT]
        for number in range(len(kinds))
    )


def test_a_judge_learns_who_is_ahead() -> None:
    game = tiny()
    judgement = Judgement(1, BITS)
    judgement.learn(game)
    judge = LearnedJudge(game, judgement.table())
    state = game.start(1)
    for amount in ("5", "0", "5", "0", "5", "0"):
        seat = state.seats_to_act[0]
        state = state.apply(next(o for o in state.options(seat) if amount in str(o)), seat)
    leads = guided.leads(game.program, guided.standing(game.machine, state.buffer))
    first, second = judge.worth(state.buffer, leads)
    assert leads == [15, -15] and first > WHOLE * 0.8 and second < WHOLE * 0.2


def test_a_judge_learns_from_games_of_those_who_can_play() -> None:
    """What is to be expected among them is something else, and it comes out the same each time; who
    is watched learns nothing."""
    game = tiny()
    practice = Practice([game], 1, BITS)
    practice.practise(600)
    player = Player(practice.learners[0], practice.weights)
    before = practice.weights.copy()
    tables = []
    for _ in range(2):
        judgement = Judgement(1, BITS)
        judgement.learn(game, player=player)
        tables.append(judgement.table())
    by_chance = Judgement(1, BITS)
    by_chance.learn(game)
    assert tables[0] == tables[1] != by_chance.table()
    assert judgement.games > 1000 and practice.weights.cells == before.cells


def test_positions_of_a_game_are_kept_as_they_were() -> None:
    game = tiny()
    practice = Practice([game], 1, BITS)
    learner, weights = practice.learners[0], Weights(BITS)
    found = learner.watched(weights, 3, 1, 2, 4)
    assert found is not None
    states, winners = found[0], found[1]
    size = learner.engine.size
    moves = [states[number * size + MOVES] for number in range(len(states) // size)]
    assert moves and all(after - before == 2 for before, after in pairwise(moves))
    more = learner.watched(weights, 3, 1, 1, 4)
    assert more is not None and len(more[0]) == 4 * size and more[1] == winners
    learner.play(weights, range(2), 1)
    assert learner.job[learning.NOTED_COUNT] == 0  # only where it is asked for


def test_the_same_seed_gives_the_same_judge() -> None:
    tables = []
    for seed in (1, 1, 2):
        judgement = Judgement(seed, BITS)
        judgement.learn(tiny())
        tables.append(judgement.table())
    assert tables[0] == tables[1] != tables[2]


@pytest.mark.parametrize("score", [0, 30])
@pytest.mark.parametrize("name", ["goofspiel", "trickTaking", "oware"])
def test_both_machines_find_the_same_with_a_judge(name: str, score: int) -> None:
    path = f"rulesets/classics/{name}.rules"
    table = invented_judge()
    machines = [interpreter.load(path, backend=each) for each in ("native", "reference")]
    judges = [LearnedJudge(game, table) for game in machines]
    for number, (state, seat) in enumerate(walk(machines[0], 4, 4)):
        found = [
            [(str(each.option), each.visits, each.value) for each in search(
                game, state.view(seat), 30, seed=number,
                settings=Settings(cut=3, haste=9, score=score), judge=judge,
            )]
            for game, judge in zip(machines, judges, strict=True)
        ]  # fmt: skip
        assert found[0] == found[1]


# ---- files


def test_a_file_holds_everything() -> None:
    game = tiny()
    trained = Trained(
        game.title, game.rules_hash,
        {2: Plan(Settings(prior=1.5, sharp=100), guided=True), 3: Plan(searches=False)},
        {"seed": 1, "command": "rulerun train"}, [{"players": 2, "won": 3}],
        Table(BITS, 900, invented(), 150), invented_judge(),
    )  # fmt: skip
    data = write_trained(trained)
    assert read_trained(data) == trained
    assert write_trained(read_trained(data)) == data
    assert len(data) < 4 << BITS
    nothing = replace(trained, policy=Table(), judge=Table())
    assert read_trained(write_trained(nothing)) == nothing


PLAN_WORDS: dict[str, object] = {"searches": True, "guided": False, "settings": {}}
TWICE = PLAN_WORDS | {"beyond": 5, "then": PLAN_WORDS}


def test_hostile_files_are_refused() -> None:
    game = tiny()
    data = write_trained(as_trained(game, invented()))
    head = json.loads(data.split(b"\n")[1])
    packed = data.split(b"\n", 2)[2]

    def with_head(**changed: object) -> bytes:
        return MAGIC + json.dumps({**head, **changed}).encode() + b"\n" + packed

    assert read_trained(with_head()).policy.weights
    assert read_trained(with_head(plans={"2": TWICE})).plans[2].then == Plan()
    bad = [
        b"", MAGIC, MAGIC + b"{}\n", MAGIC + b"[" * 100_000 + b"\n", data[:-1], data + b"x",
        bytes(MOST_BYTES + 1), with_head(bits=63), with_head(bits=-1), with_head(bits=True),
        with_head(bits=BITS - 2), with_head(scale="9"), with_head(plans=[]),
        with_head(plans={"x": {}}),
        with_head(plans={"2": {"searches": True, "guided": False, "settings": {"cut": -1}}}),
        with_head(plans={"2": {"searches": True, "guided": False, "settings": {"nothing": 1}}}),
        with_head(plans={"2": {"searches": 1, "guided": False, "settings": {}}}),
        with_head(plans={"2": PLAN_WORDS | {"beyond": 5}}),
        with_head(plans={"2": PLAN_WORDS | {"then": PLAN_WORDS}}),
        with_head(plans={"2": PLAN_WORDS | {"beyond": -1, "then": PLAN_WORDS}}),
        with_head(plans={"2": TWICE | {"then": TWICE}}),
        with_head(title=7), with_head(proof=3), with_head(made=3), with_head(hash="0"),
        with_head(sharply=0.5), with_head(sharply=5000),
    ]  # fmt: skip
    for each in bad:
        with pytest.raises(BadBot):
            read_trained(each)


def test_damaged_files_are_refused_wherever_they_are_damaged() -> None:
    data = write_trained(as_trained(tiny(), invented()))
    draw = random.Random(3)
    for _ in range(60):
        place = draw.randrange(data.index(b"\n", len(MAGIC)) + 1, len(data))
        broken = bytearray(data)
        broken[place] ^= 1 << draw.randrange(8)
        with pytest.raises(BadBot):
            read_trained(bytes(broken))


def test_a_bot_is_found_beside_its_rules(tmp_path, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.setenv("RULERUN_BOTS", str(tmp_path / "none"))
    rules = tmp_path / "tiny.rules"
    rules.write_text(TINY)
    game = interpreter.load(str(rules))
    assert load_trained(game) is None and trained_mind(game) is None
    assert not_used(game) is None
    (tmp_path / "tiny.bot").write_bytes(b"nonsense")
    assert load_trained(game) is None
    assert not_used(game) == (tmp_path / "tiny.bot", "cannot be read as a trained bot")
    with pytest.raises(ValueError, match=r"^tiny.bot cannot be read .* no bot `trained`"):
        make_mind("trained", game)
    trained = replace(as_trained(game, invented()), plans={2: Plan(searches=False)})
    (tmp_path / "tiny.bot").write_bytes(write_trained(trained))
    mind = trained_mind(game)
    assert isinstance(mind, TrainedMind)
    state = game.start(1)
    found = mind(state.view(0), 10, seed=1, trees=1, threads=1)
    assert {each.option for each in found} == set(state.options(0))
    assert not_used(game) is None
    (tmp_path / "tiny.bot").write_bytes(write_trained(replace(trained, plans={3: Plan()})))
    assert not_used(game) == (tmp_path / "tiny.bot", "was not trained with 2 players")
    rules.write_text(TINY.replace("0..5", "0..4"))  # other rules: it was not made for them
    other = interpreter.load(str(rules))
    assert load_trained(other) is None
    told = not_used(other)
    assert told is not None and told[1] == "was trained for other rules than these are now"


def test_copies_of_a_process_have_memory_of_their_own() -> None:
    """What a search has left for the next one is copied with the process. If they shared it, they
    would write into each other's trees."""
    contest = Contest(interpreter.load_text(TINY), None, 1, plain=400)
    some = [Candidate("one", Plan(Settings(learned=3))), Candidate("two", Plan(), pace=1.5)]
    contest.match(some, 8, 1.0)
    alone = [(each.won, each.games) for each in some]
    again = [replace(each, won=0.0, games=0) for each in some]
    with crew_for(contest, 3) as contest.crew:
        contest.match(again, 8, 1.0)
    assert [(each.won, each.games) for each in again] == alone
    pages = empty_pages(8)
    pages[0] = 7
    with ProcessPoolExecutor(1, multiprocessing.get_context("fork")) as pool:
        assert pool.submit(_scribbled, pages_kept(pages)).result() == 7
    assert pages[0] == 7


_pages: list[mmap] = []


def pages_kept(pages: mmap) -> int:
    _pages[:] = [pages]
    return 0


def _scribbled(number: int) -> int:
    before = _pages[number][0]
    _pages[number][0] = 9
    return before

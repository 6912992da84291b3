"""Training a bot for a ruleset: practice, lessons, contests, and a file.

    rulerun train FILE.rules --players 3 --minutes 10

A policy practises against itself. Where that does not lead to a policy that beats a search, as in
games where all learn to help each other to points, the policy is taught by searches instead, and
a judge learns what positions are worth. Whatever comes of it, a contest says what is used: the
policy alone, a search that goes by it or by the judge, a search with other settings, or nothing but
plain search.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from interpreter.bots.trained import LearnedJudge, LearnedPolicy, Table, Trained
from interpreter.embedding import Game
from interpreter.learn.candidates import PLAIN_SEARCH, Candidate
from interpreter.learn.contest import Contest
from interpreter.learn.crew import crew_for
from interpreter.learn.judgement import Judgement, Player
from interpreter.learn.practice import BEGINNINGS, Practice, better_half
from interpreter.learn.teaching import Teaching
from interpreter.play.guided import Settings
from interpreter.play.native.learn import Weights, quantised

_PRACTICE = 0.35  # of the time
_LESSONS = 0.5  # up to here
_JUDGEMENT = 0.6  # up to here
LESSONS_AT_MOST = 60_000
_TRYING = 0.03  # of the time, to see what a policy is good for
_STRETCHES = 12  # after each of which weights are compared
_PROBE = 60  # games by which the pace of practice is found out


@dataclass(slots=True)
class Order:
    """What is to be trained: for how long, in minutes or in games of practice."""

    games: Sequence[Game]  # one for each number of players
    seed: int = 1
    minutes: float | None = None
    practice: int | None = None
    lessons: int = 0  # where games are counted
    command: str = ""
    tell: Callable[[str], None] = lambda text: None
    stopping: Callable[[], bool] = lambda: False
    processes: int = 1  # that play the games of contests
    clock: Callable[[], float] = time.monotonic
    saved: bytes | None = None  # of a practice that is to go on
    # What is to go on another day, whenever there is more of it: who is stopped loses little.
    keep: Callable[[bytes], None] = lambda saved: None


@dataclass(slots=True)
class _Course:
    order: Order
    begun: float
    lines: list[str] = field(default_factory=list)

    @property
    def passed(self) -> float:
        """The part of the time that is over; 0 where games are counted."""
        if self.order.minutes is None:
            return 0.0
        return (self.order.clock() - self.begun) / (60 * self.order.minutes)

    def clock(self, part: float) -> Callable[[], float] | None:
        """Tells how much of such a part of the time is over, which begins now; None where games
        are counted."""
        begun = self.passed
        return (lambda: (self.passed - begun) / part) if self.order.minutes is not None else None


def train(order: Order) -> Trained:
    """The bot that came of it."""
    course = _Course(order, order.clock())
    practice = _practise(course)
    trained = Trained(order.games[0].title, order.games[0].rules_hash)
    trained.made = {
        "command": order.command, "seed": order.seed, "games": practice.played,
    }  # fmt: skip
    known = _learn(course, practice, trained)
    for number, game in enumerate(order.games):
        order.tell(f"contest with {game.players} players: plain search has the other seats")
        clock = course.clock((1 - course.passed) / (len(order.games) - number))
        policy = LearnedPolicy(game, trained.policy)
        contest = Contest(game, policy, order.seed, order.tell, clock, order.stopping)
        contest.alone = known.get(game.players)
        if trained.judge.weights:
            contest.judge = LearnedJudge(game, trained.judge)
        with crew_for(contest, order.processes) as contest.crew:
            found = contest.best()
        trained.plans[game.players] = contest.plan(found)
        if found.best is None:
            order.tell("  nothing is sure to beat plain search here, so nothing learned is used")
            continue
        order.tell(f"  used from now on: {found.best.name}")
        if found.changes:
            name = found.more.name if found.more is not None else PLAIN_SEARCH
            order.tell(f"  with time for {contest.beyond:,} games before a choice or more: {name}")
        trained.proof += [
            {
                "players": game.players, "name": each.name, "games": each.games,
                "won": round(each.won, 3), "against": each.against, "pace": each.pace,
                "plainGames": contest.plain * each.more,
            }
            for each in (found.best, found.more) if each is not None
        ]  # fmt: skip
    if not any(plan.asks_policy for plan in trained.plans.values()):
        trained.policy = Table()  # nobody asks for it
    if not any(plan.asks_judge for plan in trained.plans.values()):
        trained.judge = Table()
    return trained


def _policy_table(practice: Practice, weights: Weights) -> Table:
    learned, scale = quantised(weights)
    return Table(weights.bits, scale, learned, practice.how_sharply(weights))


def _learn(course: _Course, practice: Practice, trained: Trained) -> dict[int, Candidate]:
    """The policy, practised or taught, whichever wins more, and the judge. What was found out about
    the policy on the way is handed back, by the number of players."""
    order = course.order
    fewest = min(order.games, key=lambda game: game.players)

    def tried(weights: Weights) -> tuple[Weights, Table, Contest]:
        table = _policy_table(practice, weights)
        policy = LearnedPolicy(fewest, table)
        clock = course.clock(_TRYING)
        contest = Contest(fewest, policy, order.seed, clock=clock, stopping=order.stopping)
        contest.of_policy()
        return weights, table, contest

    found = [tried(practice.best)]
    contest = found[0][2]
    if not contest.is_better(contest.of_policy()):
        taught = _taught(course, practice, contest.measure)
        if taught is not None:
            found.append(tried(taught))
    weights, trained.policy, contest = max(found, key=lambda each: each[2].of_policy().share)
    is_good = contest.is_better(contest.of_policy())
    trained.judge = _judge(course, practice, weights if is_good else None)
    return {fewest.players: contest.of_policy()}


def _judge(course: _Course, practice: Practice, weights: Weights | None) -> Table:
    """What a judge learns from games with each number of players: those of a good policy, or random
    ones."""
    order = course.order
    judgement = Judgement(order.seed)
    for number, game in enumerate(order.games):
        player = Player(practice.learners[number], weights) if weights is not None else None
        judgement.learn(game, lambda: course.passed >= _JUDGEMENT or order.stopping(), player)
    kind = "random games" if weights is None else "games of the policy"
    order.tell(f"judgement: learned from {judgement.games:,} {kind}")
    return judgement.table()


def _taught(course: _Course, practice: Practice, teacher: Settings) -> Weights | None:
    """What searches could teach; None if there was no time for it."""
    order = course.order
    most = order.lessons if order.minutes is None else LESSONS_AT_MOST

    def is_up() -> bool:
        return course.passed >= _LESSONS or order.stopping()

    order.tell("practice alone does not clearly beat a search: now it is taught by one")
    teaching = Teaching(order.games, practice.learners, teacher, order.seed)
    teaching.hold(most, is_up, order.processes)
    if not teaching.count:
        return None
    found = teaching.learn(Weights(practice.bits))
    order.tell(f"taught: {teaching.count:,} decisions of {teaching.played:,} games")
    return found


def _practise(course: _Course) -> Practice:
    order = course.order
    beginnings = [
        Practice(order.games, order.seed + number * 7919, way=way)
        for number, way in enumerate(BEGINNINGS)
    ]
    saved = order.saved or b""
    if restored := next((each for each in beginnings if each.restore(saved)), None):
        order.tell(f"going on after {restored.played:,} games of practice")
        beginnings = [restored]
    elif saved:
        order.tell("the practice that was kept is damaged or of another kind: it begins anew")
    stretch = max(1, (order.practice or 0) // _STRETCHES)
    done = 0
    while True:
        for each in beginnings:
            if order.minutes is None:
                each.practise(stretch)
            else:
                _for_a_while(course, each, _PRACTICE / _STRETCHES / len(beginnings))
            each.compare()
        done += 1
        if len(beginnings) > 1:
            beginnings = better_half(beginnings)
        practice = beginnings[0]
        order.keep(practice.saved())
        now = practice.progress()
        score = f", score {now.score:.2f}" if order.games[0].program.score >= 0 else ""
        order.tell(
            f"practice: {now.games:,} games{score}, wins {now.against_random:.0%} "
            "against random players"
        )
        if order.stopping() or course.passed >= _PRACTICE:
            return practice
        if order.minutes is None and done >= _STRETCHES:
            return practice


def _for_a_while(course: _Course, practice: Practice, part: float) -> None:
    end = course.passed + part
    while course.passed < min(end, _PRACTICE) and not course.order.stopping():
        practice.practise(_PROBE)

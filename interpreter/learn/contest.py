"""Contests: which way to choose wins most against plain search in the same time.

Each candidate has one seat, which goes round; plain search has all others. How many games of its
own a candidate may play before a choice is found out by the clock beforehand, and rounded, so that
it never has more time than plain search. The better half goes on to the next round, which is
longer; the last one left must win more than its fair share, or plain search stays what is used.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from interpreter.bots.budget import small_budget
from interpreter.bots.match import wilson
from interpreter.bots.search import search
from interpreter.bots.trained import LearnedJudge, LearnedPolicy, Plan, TrainedMind
from interpreter.embedding import Game, PlayError, State
from interpreter.play.chance import Stream
from interpreter.play.guided import PLAIN, WHOLE, Settings, shares

LEAST, MOST = 60, 200  # games that plain search plays before a choice
_ROUNDS = (8, 12, 24)  # games of each, and as many more as every seat needs for its turn
_CUTS = (10, 25, 60)  # choices after which a game may be cut off
_JUDGED = (4, 12, 30, 75)  # and after which it may be judged
_JUDGED_ON_TOP = (12, 60)  # and if good players have played until there
_PACES = (0.25, 0.35, 0.5, 0.7, 0.85, 1, 1.2, 1.5, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64)
_PROBES = 16  # choices by which the pace is found out
_LONGEST = 4000  # choices of one game
_ACCIDENT = 0.05
_LOST = 0.3  # of what somebody loses who wins a fair share: less is masterly
_ENOUGH = 12  # games, and so on: without them nothing is believed


_PLAIN = "plain search"


@dataclass(slots=True)
class Candidate:
    name: str
    plan: Plan
    pace: float = 1.0  # games of plain search that take as long as one of its own
    won: float = 0.0
    games: int = 0
    against: str = _PLAIN

    @property
    def share(self) -> float:
        return self.won / max(1, self.games)

    @property
    def lowest(self) -> float:
        """The lower end of the 95 % interval of its share (Wilson)."""
        return wilson(self.won, self.games)[0]


def shapes(game: Game) -> list[Candidate]:
    """How games that are tried may be played and judged. The rules' score is asked only where
    there is one; a game that is cut off early is judged by it alone."""
    found = [
        Candidate("games by what choices have brought", Plan(Settings(learned=3))),
        Candidate("less curious", Plan(Settings(exploration=0.4))),
        Candidate("no going to and fro in games", Plan(Settings(anew=3))),
    ]
    if game.program.score >= 0:
        both = Settings(learned=3, score=50)
        found += [
            Candidate("half by the score", Plan(Settings(score=50))),
            Candidate("by what choices have brought, half by the score", Plan(both)),
        ]
        found += [
            Candidate(f"by the score after {cut} choices", Plan(Settings(score=60, cut=cut)))
            for cut in _CUTS
        ]
    return found


def judged_shapes() -> list[Candidate]:
    """When a judge may be asked: a judgement says more than the end of a random game, but less
    than some choices more if it was made for quiet positions."""
    return [
        Candidate(f"judged after {cut} choices", Plan(Settings(cut=cut), judged=True))
        for cut in _JUDGED
    ]


def uses(shape: Plan) -> list[Candidate]:
    """What a policy may be good for: to choose at once, to say where a search looks first, or to
    play the games that are tried."""
    near, far = (
        replace(shape, settings=replace(shape.settings, prior=prior), guided=True)
        for prior in (0.4, 1.0)
    )
    by_policy = replace(far, settings=replace(far.settings, sharp=100))
    return [
        Candidate("the policy alone", Plan(PLAIN, searches=False)),
        Candidate("search where the policy points", far),
        Candidate("search that trusts the policy less", near),
        Candidate("search and games by the policy", by_policy),
    ]


def on_top(*, judged: bool) -> list[Candidate]:
    """How a search may make a good policy better: it plays its games by the policy, and looks
    closer at what the policy likes, or at other things, too. With a judge, games need not be played
    to their ends."""
    tried: list[tuple[str, Settings]] = [
        (word, Settings(prior=prior, sharp=sharp))
        for word, prior, sharp in (
            ("curious", 2.5, 100), ("less curious", 1.0, 100), ("with sharp games", 1.0, 200),
        )
    ]  # fmt: skip
    if judged:
        tried += [
            (f"judged after {cut} choices", Settings(prior=1.0, sharp=200, cut=cut))
            for cut in _JUDGED_ON_TOP
        ]
    return [
        Candidate(
            f"search on top of the policy, {word}",
            Plan(settings, guided=True, judged=settings.cut > 0),
            against="the policy alone",
        )
        for word, settings in tried
    ]


def plain_games(game: Game) -> int:
    """How many games plain search plays before a choice: fewer where games are long. It goes by no
    clock, so it is the same on any machine."""
    budget = small_budget(game)
    return max(LEAST, min(MOST, budget.games // 2)) if budget is not None else LEAST


@dataclass(slots=True)
class Contest:
    """Matches of one game with one number of players."""

    game: Game
    policy: LearnedPolicy | None
    seed: int
    tell: Callable[[str], None] = lambda text: None
    until: Callable[[], bool] = lambda: False  # whether time is up
    halfway: Callable[[], bool] = lambda: False
    plain: int = 0  # games that plain search plays before a choice
    judge: LearnedJudge | None = None
    rivals: TrainedMind | None = None  # who has the other seats, if not plain search
    alone: Candidate | None = None  # what the policy won without a search, if that is known
    _minds: dict[str, TrainedMind] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.plain = self.plain or plain_games(self.game)

    def best(self) -> Candidate | None:
        """What beats plain search, if anything does: first it is found out how games are best
        tried, then what the policy is good for on top of that. Where a search with the judge wins
        nearly always, nothing is left to be found out; where the policy does without any search,
        only whether a search makes it better."""
        shape = Plan()
        if self.policy is not None:
            alone = self.of_policy()
            self._tell(alone)
            if self.is_masterly(alone):
                return self._on_top_of(alone)
        tried = shapes(self.game)
        if self.judge is not None:
            judged = self.race(judged_shapes(), self.halfway)
            if self.is_masterly(judged):
                return judged
            tried = [judged] if self.halfway() else [judged, *tried]
        left = [self.race(tried, self.halfway)]
        if self.is_better(left[0]):
            shape = left[0].plan
        if self.policy is not None:
            left.append(self.race(uses(shape), self.until))
        # Of those that won as often, whoever needs no search goes first.
        left.sort(key=lambda each: (-each.lowest, each.plan.searches))
        for each in left:  # what has come so far is worth the time to prove it
            if each.games < self._enough:
                self.match(each, self._enough - each.games)
                self._tell(each)
            if self.is_better(each):
                return each
        return None

    def _on_top_of(self, alone: Candidate) -> Candidate:
        """Whether a search makes a policy better that wins nearly always: against plain search
        that could not be seen, so the policy itself has the other seats."""
        self.tell("  now the policy alone has the other seats")
        self.rivals = self._minds[alone.name]
        best = self.race(on_top(judged=self.judge is not None), self.until)
        self.rivals = None
        return best if self.is_better(best) else alone

    def least(self, candidate: Candidate) -> int:
        """With how many games it is to be used: those it won with, if there is a policy that needs
        none and is good, too."""
        known = candidate.plan.guided and self.alone is not None and self.is_better(self.alone)
        return self._games(candidate) if known else Plan().least

    def is_masterly(self, candidate: Candidate) -> bool:
        """Whether it loses so little that nothing better is worth looking for: with two players it
        wins 85 % of all games, with four 78 %."""
        lost = _LOST * (1 - 1 / self.game.players)
        return candidate.games >= self._enough and 1 - candidate.share <= lost

    def of_policy(self) -> Candidate:
        """What the policy wins without any search. Games are counted, so it comes out the same each
        time."""
        alone = self.alone or Candidate("the policy alone", Plan(PLAIN, searches=False), self.plain)
        self.alone, self._minds[alone.name] = alone, self._mind(alone)
        self.match(alone, self._enough - alone.games)
        return alone

    def race(self, left: list[Candidate], until: Callable[[], bool]) -> Candidate:
        """The one that wins most. The better half goes on to the next round, which is longer."""
        for each in left:
            if each.name not in self._minds:
                self._minds[each.name] = self._mind(each)
                each.pace = self._pace(each)
        for long in _ROUNDS:
            for each in left:
                self.match(each, self._in_turn(long), until)
                self._tell(each)
            # Who has played fewer games, for want of time, has shown less.
            left.sort(key=lambda each: (-each.lowest, each.plan.searches))
            if until() or self.is_masterly(left[0]):
                break
            left = left[: max(1, len(left) // 2)]
        return left[0]

    def _mind(self, candidate: Candidate) -> TrainedMind:
        return TrainedMind(self.game, candidate.plan, self.policy, self.judge)

    def _tell(self, each: Candidate) -> None:
        cost = f"{each.pace:g} times as slow a game" if each.plan.searches else "without a search"
        self.tell(f"  {each.name}: {each.share:.0%} of {each.games} games, {cost}")

    @property
    def _enough(self) -> int:
        return self._in_turn(_ENOUGH)

    def _in_turn(self, games: int) -> int:
        """So many games, and more until every seat has had its turn as often."""
        return -(-games // self.game.players) * self.game.players

    def is_better(self, candidate: Candidate) -> bool:
        """Whether it won more than its share, and hardly by accident."""
        fair = 1 / self.game.players
        return (
            candidate.games >= self._enough
            and candidate.share > fair
            and candidate.lowest >= fair - _ACCIDENT
        )

    def match(
        self, candidate: Candidate, games: int, until: Callable[[], bool] = lambda: False
    ) -> None:
        for _ in range(games):
            if until() and candidate.games >= self.game.players:
                return
            candidate.won += self._play(candidate, candidate.games)
            candidate.games += 1

    def _play(self, candidate: Candidate, number: int) -> float:
        """One game: every deal is played from every seat. What breaks down is won by nobody."""
        players = self.game.players
        own = number % players
        seed = self.seed + number // players
        streams = [Stream(seed, seat) for seat in range(players)]
        state = self.game.start(seed)
        try:
            for _ in range(_LONGEST):
                if state.is_over:
                    break
                seat = state.seats_to_act[0]
                number_drawn = streams[seat].below(1 << 62)
                state = self._step(state, seat, candidate if seat == own else None, number_drawn)
        except PlayError:
            return 0.0
        if not state.is_over:
            return 1 / players
        mask = sum(1 << seat for seat in state.winners)
        return shares(self.game.program, mask)[own] / WHOLE

    def _step(self, state: State, seat: int, candidate: Candidate | None, seed: int) -> State:
        options = state.options(seat)
        if len(options) == 1:
            return state.apply(options[0], seat)
        return state.apply(self._choose(state, seat, candidate, seed)[0].option, seat)

    def _choose(self, state: State, seat: int, candidate: Candidate | None, seed: int) -> Any:
        view = state.view(seat)
        if candidate is None and self.rivals is not None:
            return self.rivals(view, 1, seed=seed)
        if candidate is None:
            return search(self.game, view, self.plain, seed=seed)
        return self._minds[candidate.name](view, self._games(candidate), seed=seed)

    def _games(self, candidate: Candidate) -> int:
        """As many as fit into the time of plain search."""
        return max(1, int(self.plain / candidate.pace))

    def _pace(self, candidate: Candidate) -> float:
        """How many games of plain search take as long as one of its own, rounded up. It is tried
        all through a game: towards its end there is nothing left to cut off."""
        if not candidate.plan.searches:
            return self.plain
        mind = self._minds[candidate.name]
        choices = self._some_choices()
        spent = [0.0, 0.0]
        for number, (state, seat) in enumerate([choices[0], *choices]):
            view = state.view(seat)
            begun = time.thread_time()
            search(self.game, view, self.plain, seed=number)
            halfway = time.thread_time()
            mind(view, self.plain, seed=number)
            if number:  # the first search pays for what is made once
                spent[0] += halfway - begun
                spent[1] += time.thread_time() - halfway
        ratio = spent[1] / max(spent[0], 1e-9)
        return next((each for each in _PACES if each >= ratio * 0.95), _PACES[-1])

    def _some_choices(self) -> list[tuple[State, int]]:
        """Some of a random game, from its beginning to its end."""
        state, stream = self.game.start(self.seed), Stream(self.seed, 0)
        found: list[tuple[State, int]] = []
        for _ in range(_LONGEST):
            if state.is_over:
                break
            seat = state.seats_to_act[0]
            options = state.options(seat)
            if len(options) > 1:
                found.append((state, seat))
            state = state.apply(stream.choose(options), seat)
        return found[:: max(1, len(found) // _PROBES)]

"""Contests: which way to choose wins most against plain search in the same time.

Each candidate has one seat, which goes round; plain search has all others. How many games of its
own a candidate may play before a choice is found out by the clock beforehand, and rounded, so that
it never has more time than plain search. The better half goes on to the next round, which is
longer. Who is left at the end owes that to luck as well, so it counts for nothing: in a match of
new deals it must win more than its fair share, or plain search stays what is used.

Where all win and lose together, or one plays alone, a deal is played twice, once by the candidate
in all seats and once by plain search: whoever comes to more wins.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from math import isqrt

from interpreter.bots.budget import small_budget
from interpreter.bots.search import Estimate, search
from interpreter.bots.trained import LearnedJudge, LearnedPolicy, Plan, TrainedMind
from interpreter.bots.tuning import usual
from interpreter.embedding import Game, PlayError, State
from interpreter.learn.candidates import (
    POLICY_ALONE,
    Candidate,
    alone,
    for_points,
    has_secret_choices,
    judged_shapes,
    on_top,
    shapes,
    uses,
)  # fmt: skip
from interpreter.learn.crew import Crew
from interpreter.play.chance import Stream
from interpreter.play.guided import PLAIN, WHOLE, Settings, shares
from interpreter.view.view import View

_Chooser = Callable[[View, int], list[Estimate]]  # what a seat sees, and a seed

LEAST, MOST = 60, 200  # games that plain search plays before a choice
_ROUNDS = (8, 12, 24)  # games of each, and as many more as every seat needs for its turn
_SECONDS = 480  # of CPU time, where games are counted
_PROOF = 60  # games, where they are counted
_DOUBTFUL = 36  # games by which a policy is judged, where they are counted
_MOST_PROOF = 900  # games that are worth the time
# The first deals of races, of proofs, and of proofs with more games. Those of lessons come before.
_RACED, _PROVEN, _PROVEN_WITH_MORE = (1 << 20, 2 << 20, 3 << 20)
_MORE = 8  # times as many games as usual before a choice, to see whether that changes anything
# Up to where of the time something is looked for, and proven; the rest is for more games.
_POLICY, _JUDGED, _SHAPES, _USES, _PROOFS = 0.04, 0.14, 0.28, 0.46, 0.7
_PACES = (0.25, 0.35, 0.5, 0.7, 0.85, 1, 1.2, 1.5, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64)
_PROBES = 16  # choices by which the pace is found out
_LONGEST = 4000  # choices of one game
_ACCIDENT = 0.03
_LOST = 0.3  # of what somebody loses who wins a fair share: less is masterly
_ENOUGH = 12  # games, and so on: without them nothing is believed
_SEEN = 40  # random games that tell whether all win and lose together


def plain_games(game: Game) -> int:
    """How many games plain search plays before a choice: fewer where games are long. It goes by no
    clock, so it is the same on any machine."""
    budget = small_budget(game)
    return max(LEAST, min(MOST, budget.games // 2)) if budget is not None else LEAST


def is_together(game: Game) -> bool:
    """Whether nobody can win what another loses, as far as random games tell."""
    everybody = (1 << game.players) - 1
    ended = [each for each in game.playouts(range(_SEEN)) if each.failure is None]
    return game.players == 1 or all(each.winner_bits in (0, everybody) for each in ended)


@dataclass(frozen=True, slots=True)
class Found:
    """What a contest came to: what beats plain search, and what does where more games are tried, if
    the first is not to be used there as well (`bounded`)."""

    best: Candidate | None = None
    more: Candidate | None = None
    bounded: bool = False

    @property
    def changes(self) -> bool:
        """Whether it is something else, or plain search, where more games are tried."""
        if self.best is None or not self.bounded:
            return False
        return self.more is None or self.more.name != self.best.name


@dataclass(slots=True)
class Contest:
    """Matches of one game with one number of players."""

    game: Game
    policy: LearnedPolicy | None
    seed: int
    tell: Callable[[str], None] = lambda text: None
    clock: Callable[[], float] | None = None  # the part of the time that is over; None: no clock
    stopping: Callable[[], bool] = lambda: False
    crew: Crew = field(default_factory=Crew)
    plain: int = 0  # games that plain search plays before a choice
    judge: LearnedJudge | None = None
    alone: Candidate | None = None  # what the policy won without a search, if that is known
    together: bool = False
    spent: float = 0.0  # seconds of CPU time
    _minds: dict[str, TrainedMind] = field(default_factory=dict)
    # What rivals came to in all seats, where all play together: by who they are,
    # how many games they try, and the seed.
    _reached: dict[tuple[str, int, int], tuple[int, int]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.plain = self.plain or plain_games(self.game)
        self.together = is_together(self.game)

    @property
    def timed(self) -> bool:
        """Whether it may take all of its time, or only as much as some games do."""
        return self.clock is not None

    @property
    def passed(self) -> float:
        """The part of the time that is over."""
        if self.stopping():
            return 1.0
        return self.clock() if self.clock is not None else self.spent / _SECONDS

    @property
    def fair(self) -> float:
        return 0.5 if self.together else 1 / self.game.players

    @property
    def measure(self) -> Settings:
        """How plain search goes about it. Where nobody can be beaten, wins alone say nothing."""
        return usual(self.game) if self.together else PLAIN

    @property
    def aims(self) -> Settings:
        """How whoever has learned something goes about it."""
        return for_points(self.game, self.measure)

    @property
    def judges(self) -> bool:
        """Whether there is a judge that can help: all it knows of is wins."""
        return self.judge is not None and not self.measure.score

    def best(self) -> Found:
        """What beats plain search, if anything does. Whatever has come far is worth the time to
        prove it, the most promising first."""
        left, tried = self._promising(), list[Candidate]()
        begun = self.passed
        for number, each in enumerate(left, 1):
            now = self.passed
            end = _PROOFS if number == len(left) else now + (_PROOFS - now) / 2
            tried.append(self.proof(each, end))
            self._tell(tried[-1], "in the proof ")
            if self.is_better(tried[-1]):
                games = sum(proven.games for proven in tried)
                return self._found(tried[-1], left, (self.passed - begun) / games)
        doubtful = self._ordered([each for each in tried if each.share > self.fair])
        if not doubtful or self.passed >= 1:
            return Found()
        self._try(doubtful[0], 0, _PROOF, 1.0)  # there is time to have no doubt
        self._tell(doubtful[0], "in the proof ")
        return self.as_far_as_shown(doubtful[0]) if self.is_better(doubtful[0]) else Found()

    def as_far_as_shown(self, best: Candidate) -> Found:
        """What is better, without having been tried with more games before a choice. A search gets
        better with them as plain search does. A policy that needs none does not: unless it wins
        nearly always, it is used only where it was seen to win."""
        return Found(best, bounded=not best.plan.searches and not self.is_masterly(best))

    def _found(self, best: Candidate, left: Sequence[Candidate], long: float) -> Found:
        """What is better, and what is with more games before a choice, if there is time for that: a
        usual game takes so long a part of it."""
        # A search on top of a policy gets better with time, and the policy does not.
        order = sorted(
            left, key=lambda each: (each.against != POLICY_ALONE, each.name != best.name)
        )
        if self.timed and 1 - self.passed >= 2 * self._enough * _MORE * long:
            return Found(best, self._with_more(order), bounded=True)
        if not self.timed and not best.plan.searches:
            tried = order[:1] if order[0].against == POLICY_ALONE else []
            tried += [] if self.is_masterly(best) else [best]
            more = self._with_more(tried) if tried else None
            if more is not None:
                return Found(best, more, bounded=True)
        return self.as_far_as_shown(best)

    def _with_more(self, left: Sequence[Candidate]) -> Candidate | None:
        """What beats plain search if everybody may try more games before a choice: much that helps
        to choose in little time is in the way of those who have more."""
        self.tell(f"  now {_MORE * self.plain:,} games before a choice in place of {self.plain:,}")
        for number, each in enumerate(left, 1):
            now = self.passed
            end = 1.0 if number == len(left) else now + (1 - now) / 2
            tried = replace(each, more=_MORE)
            tried.pace = self._pace(tried)
            proven = self.proof(tried, end)
            self._tell(proven, "in the proof ")
            if self.is_better(proven):
                return proven
        return None

    def plan(self, found: Found) -> Plan:
        """How to choose from now on."""
        best, more = found.best, found.more
        if best is None:  # as if nothing had been tried
            return Plan(usual(self.game))
        plan = replace(best.plan, pace=best.pace, least=self.least(best))
        if not found.changes:
            return plan
        then = Plan(self.measure) if more is None else replace(more.plan, pace=more.pace)
        if not plan.searches:
            return replace(then, least=max(1, int(self.beyond / then.pace)))
        return replace(plan, beyond=self.beyond, then=then)

    @property
    def beyond(self) -> int:
        """Games of plain search from which on many are tried: halfway, as they go by factors."""
        return isqrt(self.plain * self.plain * _MORE)

    def _promising(self) -> list[Candidate]:
        """First it is found out how games are best tried, then what the policy is good for on top
        of that. Where a search with the judge wins nearly always, nothing is left to be found out;
        where the policy does without any search, only whether a search makes it better."""
        shape, found = Plan(self.measure), list[Candidate]()
        secret = has_secret_choices(self.game)
        if self.policy is not None:
            found.append(self.of_policy(_POLICY))
            self._tell(found[0])
            if self.is_masterly(found[0]):
                self.tell("  now the policy alone has the other seats")
                on_it = on_top(self.aims, judged=self.judges, secret=secret)
                best = self.race(on_it, _USES)
                return [best, *found] if best.share > self.fair else found
        tried = shapes(self.game, self.measure)
        if self.judges:
            found.append(self.race(judged_shapes(self.aims), _JUDGED))
            if self.is_masterly(found[-1]):
                return found[::-1]
            tried.append(found[-1])
        if self.passed < _SHAPES:
            found.append(self.race(tried, _SHAPES))
        if found and found[-1].plan.searches and self.is_better(found[-1]):
            shape = found[-1].plan
        if self.policy is not None:
            aimed = replace(shape, settings=for_points(self.game, shape.settings))
            found.append(self.race(uses(aimed, secret=secret), _USES))
        found = list({each.name: each for each in found}.values())
        return self._ordered([each for each in found if each.share > self.fair])

    def _ordered(self, found: Iterable[Candidate]) -> list[Candidate]:
        """Of those that won as often, whoever needs no search goes first; and who has played fewer
        games, for want of time, has shown less."""
        return sorted(found, key=lambda each: (-each.lowest, each.plan.searches))

    def least(self, candidate: Candidate) -> int:
        """With how many games it is to be used: those it won with, if there is a policy that needs
        none and is good, too."""
        known = candidate.plan.guided and self.alone is not None and self.is_better(self.alone)
        return self._games(candidate) if known else Plan().least

    def is_masterly(self, candidate: Candidate) -> bool:
        """Whether it loses so little that nothing better is worth looking for: with two players it
        wins 85 % of all games, with four 78 %."""
        lost = _LOST * (1 - self.fair)
        return candidate.games >= self._enough and 1 - candidate.share <= lost

    def is_better(self, candidate: Candidate) -> bool:
        """Whether it won more than its share, and hardly by accident."""
        return (
            candidate.games >= self._enough
            and candidate.share > self.fair
            and candidate.lowest >= self.fair - _ACCIDENT
        )

    def is_clear(self, candidate: Candidate) -> bool:
        """Whether more games would hardly change what is thought of it."""
        low, high = candidate.interval
        return low > self.fair + _ACCIDENT or high < self.fair

    # ---- playing

    def of_policy(self, end: float = 1.0) -> Candidate:
        """What the policy wins without any search."""
        self.alone = self.alone or alone()
        self._try(self.alone, self._enough, _DOUBTFUL, end)
        return self.alone

    def proof(self, candidate: Candidate, end: float) -> Candidate:
        """The candidate with what it wins of deals that nobody has played yet."""
        deal = _PROVEN if candidate.more == 1 else _PROVEN_WITH_MORE
        found = replace(candidate, won=0.0, games=0, deal=deal)
        self._try(found, 2 * self._enough, _PROOF, end)
        return found

    def _try(self, candidate: Candidate, least: int, counted: int, end: float) -> None:
        """Some games, and more until it is clear how it does, or time is up; where games are
        counted, until there are so many."""
        most = self._in_turn(_MOST_PROOF if self.timed else counted)
        while candidate.games < most:
            if candidate.games >= least and (self.passed >= end or self.is_clear(candidate)):
                return
            self.match([candidate], self.game.players * self.crew.hands, float("inf"))

    def race(self, left: list[Candidate], end: float) -> Candidate:
        """The one that wins most. The better half goes on to the next round, which is longer."""
        for each in left:
            if each.name not in self._minds:
                each.pace = self._pace(each)
        begun = self.passed
        for number, long in enumerate(_ROUNDS, 1):
            until = begun + (end - begun) * number / len(_ROUNDS)
            played, players = 0, self.game.players
            while played < self._in_turn(long) or (self.timed and self.passed < until):
                self.match(left, players, end)
                played += players
                if self.passed >= end:
                    break
            left = self._ordered(left)
            for each in left:
                self._tell(each)
            if self.passed >= end or self.is_masterly(left[0]):
                break
            left = left[: max(1, len(left) // 2)]
        return left[0]

    def match(self, candidates: Sequence[Candidate], games: int, end: float) -> None:
        """So many games more of each; nobody begins another one when time is up, but for those who
        have not had every seat yet."""
        begun = [(each, each.games) for each in candidates]
        due = (
            (each, played + number)
            for each, played in begun
            if self.passed < end or played < self.game.players
            for number in range(games)
        )
        for (each, _), result in self.crew.results(self, due):
            each.won += result.brought
            each.games += 1
            self.spent += result.seconds

    def mind(self, candidate: Candidate) -> TrainedMind:
        """Made once for each name."""
        if candidate.name not in self._minds:
            self._minds[candidate.name] = TrainedMind(
                self.game, candidate.plan, self.policy, self.judge
            )
        return self._minds[candidate.name]

    def _tell(self, each: Candidate, when: str = "") -> None:
        cost = (
            f"{each.pace:g} times the time of a game" if each.plan.searches else "without a search"
        )
        self.tell(f"  {when}{each.name}: {each.share:.0%} of {each.games} games, {cost}")

    @property
    def _enough(self) -> int:
        return self._in_turn(_ENOUGH)

    def _in_turn(self, games: int) -> int:
        """So many games, and more until every seat has had its turn as often."""
        return -(-games // self.game.players) * self.game.players

    # ---- one game

    def play(self, candidate: Candidate, number: int) -> float:
        """What it wins of one game. Every deal is played from every seat."""
        players, own = self.game.players, self._chooser(candidate)
        deal = candidate.deal or _RACED
        others = self._plain(candidate.more)
        if candidate.against == POLICY_ALONE:
            others = self._chooser(alone())
        if self.together:
            seed = self.seed + deal + number
            known = (candidate.against, candidate.more, seed)
            if known not in self._reached:
                self._reached[known] = self._reach([others] * players, seed)
            found, other = self._reach([own] * players, seed), self._reached[known]
            return 0.5 if found == other else float(found > other)
        seat = number % players
        seats = [own if each == seat else others for each in range(players)]
        state = self._ended(seats, self.seed + deal + number // players)
        return 0.0 if state is None else self._shares(state)[seat] / WHOLE

    def _reach(self, seats: Sequence[_Chooser], seed: int) -> tuple[int, int]:
        """What all come to: whether they win, and their score."""
        state = self._ended(seats, seed)
        return (0, 0) if state is None else (self._shares(state)[0], sum(state.scores or ()))

    def _shares(self, state: State) -> list[int]:
        """A game that has not come to its end is nobody's."""
        mask = sum(1 << seat for seat in state.winners) if state.is_over else 0
        return shares(self.game.program, mask)

    def _ended(self, seats: Sequence[_Chooser], seed: int) -> State | None:
        """A game to its end, if that is not too far; None if the rules break down."""
        streams = [Stream(seed, seat) for seat in range(self.game.players)]
        state = self.game.start(seed)
        try:
            for _ in range(_LONGEST):
                if state.is_over:
                    break
                seat = state.seats_to_act[0]
                drawn = streams[seat].below(1 << 62)
                options = state.options(seat)
                chosen = options[0]
                if len(options) > 1:
                    chosen = seats[seat](state.view(seat), drawn)[0].option
                state = state.apply(chosen, seat)
        except PlayError:
            return None
        return state

    def _plain(self, more: int) -> _Chooser:
        game, games, settings = self.game, self.plain * more, self.measure
        return lambda view, seed: search(game, view, games, seed=seed, settings=settings)

    def _chooser(self, candidate: Candidate) -> _Chooser:
        mind, games = self.mind(candidate), self._games(candidate)
        return lambda view, seed: mind(view, games, seed=seed)

    def _games(self, candidate: Candidate) -> int:
        """As many as fit into the time of plain search."""
        return max(1, int(self.plain * candidate.more / candidate.pace))

    def _pace(self, candidate: Candidate) -> float:
        """How many games of plain search take as long as one of its own, rounded up. It is tried
        all through a game: towards its end there is nothing left to cut off."""
        if not candidate.plan.searches:
            return self.plain
        mind, plain = self.mind(candidate), self._plain(candidate.more)
        choices = self._some_choices()
        spent = [0.0, 0.0]
        for number, (state, seat) in enumerate([choices[0], *choices]):
            view = state.view(seat)
            begun = time.thread_time()
            plain(view, number)
            halfway = time.thread_time()
            mind(view, self.plain * candidate.more, seed=number)
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

"""What a bot is, and the bots by name.

random          any option, each as likely as another
first           always the first option
search:500      a tree search of 500 games before each choice; search:2s thinks for two seconds
plain:500       the search with nothing learned and nothing tuned, to measure others by; the others
                do not go to and fro (`pacing.py`), this one may
believing:500   a search that goes by what others must hold for their choices to make sense
trained:500     a search guided by what was learned of this ruleset, where that is there
best:500        the trained one where there is one, else the search
beginner, easy, fair, strong    the best one, held back
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Protocol, runtime_checkable

from interpreter.bots.budget import FORMS, Budget, read_budget
from interpreter.bots.glimpses import glimpses_since
from interpreter.bots.pacing import Trail
from interpreter.bots.preparing import Foresight, Ready
from interpreter.bots.regard import Regard, is_worth_it
from interpreter.bots.search import Estimate, ranked, search
from interpreter.bots.thinking import (
    Follower,
    Mind,
    games_of,
    knows_at_once,
    looks_at_games,
    think,
)  # fmt: skip
from interpreter.bots.tuning import usual
from interpreter.embedding import Game, Option, State
from interpreter.play.chance import Stream as Stream
from interpreter.report.suggest import did_you_mean
from interpreter.view.view import View

SEARCH_GAMES = 1000  # that a searching bot plays in its head before it chooses, if not told


class Bot(Protocol):
    def __call__(self, view: View, options: Sequence[Option], stream: Stream) -> Option: ...


@runtime_checkable
class Following(Protocol):
    """A bot that is shown the game before it is asked, also one that is seen thinking."""

    def follow(self, state: State, seat: int) -> None: ...


def random_bot(view: View, options: Sequence[Option], stream: Stream) -> Option:
    """Any option, each as likely as another."""
    return stream.choose(options)


def first_bot(view: View, options: Sequence[Option], stream: Stream) -> Option:
    """Always the first option: for those who want to see the same thing again and again."""
    return options[0]


@dataclass(slots=True)
class Thinker:
    """A bot that takes what it judges best. A softened one takes an option the likelier the more
    often its search has tried it: `softness` 1 goes by the visits, 2 by their squares. With a trail
    it does not go to and fro; with foresight it may have thought of a choice before; with a regard
    for others it notices who chooses anything."""

    mind: Mind
    budget: Budget
    softness: int = 0
    threads: int = 1
    so_far: list[Estimate] = field(default_factory=list)  # of this choice; in the end, of all
    trail: Trail | None = None
    foresight: Foresight | None = None
    regard: Regard | None = None
    besides: float = 0.0  # seconds that the last choice took after its search

    def __call__(self, view: View, options: Sequence[Option], stream: Stream) -> Option:
        self.so_far = []
        if len(options) == 1:
            if self.trail is not None:
                self.trail.follow(view, options[0])
            return options[0]
        ready = Ready() if self.foresight is None else self.foresight.of(view)
        self.so_far = list(ready.found)
        budget = self.budget.of_time(ready.left).without(self.besides)
        seed = stream.below(1 << 62)
        careless: tuple[int, ...] = ()
        if self.regard is not None:
            budget = self.regard.look(budget)
            careless = self.regard.careless
        if self.foresight is not None:
            self.foresight.take_for(careless)

        def tell(now: list[Estimate]) -> None:
            self.so_far = ready.with_those(now)

        found = ready.with_those(think(self.mind, view, budget, seed, self.threads, tell, careless))
        self.so_far = found
        offered = [each for each in found if each.option in options]
        if not offered:
            return options[0]
        if self.softness:
            return self._softened(offered, stream)
        if self.trail is None:
            return offered[0].option
        begun = time.thread_time()
        best = self.trail.best(view, ranked(offered), options)
        self.besides = time.thread_time() - begun
        return best

    @property
    def followers(self) -> list[Follower]:
        """Of its parts, those that are shown every moment of the game."""
        return [each for each in (self.mind, self.regard) if isinstance(each, Follower)]

    @property
    def can_prepare(self) -> bool:
        """Whether thinking ahead makes sense: where a choice takes time, and that is no number of
        games, which must come out alike. Who follows the game as it goes has not followed one
        that is imagined."""
        by_clock = not self.budget.games and looks_at_games(self.mind)
        return by_clock and not isinstance(self.mind, Follower)

    def _softened(self, found: list[Estimate], stream: Stream) -> Option:
        weights = [(each.visits + 1) ** self.softness for each in found]
        drawn = stream.below(sum(weights))
        for each, weight in zip(found, weights, strict=True):
            drawn -= weight
            if drawn < 0:
                return each.option
        raise AssertionError("a number below the sum lies in one of its parts")


@dataclass(slots=True)
class Unfailing:
    """A bot whose failures end no game: then any option is taken, and it is counted."""

    bot: Bot
    name: str
    failures: list[str] = field(default_factory=list)
    followed: State | None = None  # how far it has followed the game

    def __call__(self, view: View, options: Sequence[Option], stream: Stream) -> Option:
        try:
            found = self.bot(view, options, stream)
            if found in options:
                return found
            self.failures.append(f"chose `{found}`, which is not offered")
        except Exception as error:  # whatever it is, the others want to go on playing
            self.failures.append(f"{type(error).__name__}: {error}")
        return stream.choose(options)

    def follow(self, state: State, seat: int) -> None:
        """For a bot that goes by what others do: every moment of the game since it was asked last,
        as its seat sees them."""
        if not isinstance(self.bot, Thinker) or not self.bot.followers:
            return
        since, self.followed = glimpses_since(self.followed, state, seat), state
        try:
            for follower in self.bot.followers:
                if since.anew:
                    follower.forget()
                for each in since.glimpses:
                    follower.watch(each)
        except Exception as error:  # whatever it is, the others want to go on playing
            self.failures.append(f"{type(error).__name__}: {error}")

    @property
    def told(self) -> str:
        """For people: `search (500 games a choice)`."""
        if isinstance(self.bot, Thinker) and self.name not in LEVELS:
            words = self.bot.budget.words if self.tells_chances else "trained to choose at once"
            return f"{self.name.partition(':')[0]} ({words})"
        return self.name

    @property
    def tells_chances(self) -> bool:
        """Whether its estimates come from games. A policy that chooses at once only says how much
        it likes an option."""
        return not isinstance(self.bot, Thinker) or looks_at_games(self.bot.mind)

    @property
    def so_far(self) -> list[Estimate]:
        """What it thinks of the options of its present or last choice, if it is one that thinks."""
        return self.bot.so_far if isinstance(self.bot, Thinker) else []


# ---- names


@dataclass(frozen=True, slots=True)
class Level:
    """How the best bot is held back: by fewer games, or where what was learned needs none, by
    playing as well as that in only so many percent of its choices."""

    games: int
    softness: int
    mastery: int
    words: str


# Each is meant to beat the one before it: `tests/benchmarks/strength.py --claim levels` tries it.
LEVELS = {
    "beginner": Level(16, 1, 0, "looks at 16 games a choice and often takes what it likes less"),
    "easy": Level(64, 1, 25, "looks at 64 games and often takes what it likes less"),
    "fair": Level(200, 2, 50, "looks at 200 games and now and then takes what it likes less"),
    "strong": Level(500, 0, 80, "looks at 500 games and takes what it likes best"),
}


def _plain(game: Game) -> Mind:
    return partial(search, game)


def _searching(game: Game) -> Mind:
    """Points count where rules have them: whoever plays alone or has won already wants more."""
    return partial(search, game, settings=usual(game))


def _believing(game: Game) -> Mind:
    from interpreter.bots.beliefs import Believer

    return Believer(game)


def _trained(game: Game) -> Mind | None:
    """What was learned of this ruleset, if that is there and was made for these rules."""
    from interpreter.bots.trained import trained_mind

    return trained_mind(game)


# What thinks, by name: made for a game, or None where there is no such thing.
MINDS: dict[str, Callable[[Game], Mind | None]] = {
    "search": _searching,
    "plain": _plain,
    "believing": _believing,
    "trained": _trained,
}
_BEST = ("trained", "search")  # the first that is there
_WITH_REGARD = (*_BEST, "best")  # who notices whether others think
_WITHOUT_NUMBER: dict[str, Bot] = {"random": random_bot, "first": first_bot}
NAMES = (*_WITHOUT_NUMBER, *MINDS, "best", *LEVELS)


def best_name(game: Game) -> str:
    """Which mind is the best one of this ruleset."""
    return next(name for name in _BEST if MINDS[name](game) is not None)


def make_mind(name: str, game: Game) -> Mind:
    """Raises ValueError with words for the user."""
    found = MINDS[best_name(game) if name == "best" else name](game)
    if found is None:
        from interpreter.bots.trained import not_used

        there = not_used(game)  # by its name only: a table in the browser tells it to anybody
        learned = f"nothing has been learned of {game.title} yet"
        why = learned if there is None else f"{there[0].name} {there[1]}"
        raise ValueError(
            f"{why}, so there is no bot `{name}`. `best` takes the best bot that is there."
        )
    return found


@dataclass(frozen=True, slots=True)
class _HeldBack:
    """Who has learned a game, but chooses by a search that has not, but for some choices."""

    learned: Mind
    search: Mind
    mastery: int  # percent

    def __call__(self, view: View, games: int, *, seed: int, **given: Any) -> list[Estimate]:
        if Stream(seed, 0).below(100) < self.mastery:
            return think(self.learned, view, Budget(games), seed)
        return self.search(view, games, seed=seed, **given)


def _held_back(name: str, game: Game, level: Level) -> Mind:
    """The mind of a bot that is not to play its best. Fewer games hold back a search; whoever goes
    by a policy is as good with few."""
    mind = make_mind(name, game)
    if looks_at_games(mind) and not knows_at_once(mind):
        return mind
    return _HeldBack(mind, make_mind("search", game), level.mastery)


def make_bot(
    text: str, game: Game, budget: Budget | None = None, *, level: str = "best", threads: int = 1
) -> Unfailing:
    """The bot of this name, for one seat of one game. The budget and the level are for names that
    say nothing of them. Raises ValueError with words for the user."""
    name, colon, number = text.strip().partition(":")
    if name not in NAMES:
        hint = did_you_mean(name, NAMES) or f"There is {', '.join(NAMES)}."
        raise ValueError(f"there is no bot `{name}`. {hint}")
    if colon and (name in _WITHOUT_NUMBER or name in LEVELS):
        raise ValueError(f"the bot `{name}` takes no number; `best:500` does")
    if name in _WITHOUT_NUMBER:
        return Unfailing(_WITHOUT_NUMBER[name], name)
    held_back = LEVELS.get(name if name in LEVELS else level)
    if held_back is not None and not colon:
        mind = _held_back("best" if name in LEVELS else name, game, held_back)
        return Unfailing(Thinker(mind, Budget(held_back.games), held_back.softness), text)
    own = read_budget(number) if colon else budget or Budget(SEARCH_GAMES)
    if own is None:
        raise ValueError(f"`{text}`: after the colon comes {FORMS}")
    mind = make_mind(name, game)
    if not colon and own.games:
        own = Budget(games_of(mind, own.games))
    # Whoever tries games sees no harm in going to and fro; a policy has learned not to.
    trail = Trail(game) if name != "plain" and looks_at_games(mind) else None
    notices = name in _WITH_REGARD and looks_at_games(mind) and is_worth_it(game, own)
    regard = Regard(game, mind) if notices else None
    return Unfailing(Thinker(mind, own, 0, threads, trail=trail, regard=regard), text)


def split_bots(text: str) -> list[str]:
    """`trained,search:500,random`: a name for each seat."""
    return [part.strip() for part in text.split(",")]


def decide(bot: Bot, state: State, seat: int, stream: Stream) -> Option:
    """The option a bot takes for a seat. It sees what the seat sees, and nothing else."""
    if isinstance(bot, Following):
        bot.follow(state, seat)
    return bot(state.view(seat), state.options(seat), stream)

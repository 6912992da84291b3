"""What to think of the others: whether they think, or choose anything.

A search takes the others to look for what is best for them. Against somebody who does not, it is
too careful, or dares too much, and the longer it thinks the more so. So a bot with a regard for
others looks at what they choose, as far as its seat was told, and asks how likely such a choice is
of somebody who thinks: by what was learned of the game, or by a short search that knows what the
chooser would see. How far choices can be foreseen like that is learned from the bot's own, of which
it is known that they were thought over: where those come as a surprise, surprises prove nothing of
others. Whoever is likelier to choose anything than to think does so in that share of the games that
the bot then tries (`careless` of `uct.Task`).

It goes by what the seat was told, so two games that look alike to it lead to the same regard. It
takes a part of the time of a choice. Where that is too little to judge by, everybody is taken to
think; and where there is neither chance nor anything hidden, since there whoever thinks beats
those who do not anyway, and there is nothing to be gained for the time it takes.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from math import exp, log

from interpreter.bots.budget import Budget
from interpreter.bots.glimpses import Glimpse
from interpreter.bots.search import Estimate, search
from interpreter.bots.thinking import Mind, known_at_once
from interpreter.bots.tuning import usual
from interpreter.embedding import Game, PlayError
from interpreter.imagination import imagine
from interpreter.play import uct
from interpreter.play.guided import HUNDRED
from interpreter.program import ops
from interpreter.program.layout import SEALING, STATUS
from interpreter.view.imagining import STRIDE
from interpreter.view.log import told_choice
from interpreter.view.view import View

_CARELESS = 0.25  # how likely somebody is to choose anything, before anything was seen
_SETTLED = 0.01  # who is less likely to is not looked at any more
_PART = 16  # of a choice's time goes to judging another one
_JUDGED = 4  # choices before each choice of one's own
_AT_FIRST = 8  # and of those who come late, or are made anew for every choice
_OWN = 16  # choices of one's own that are judged
_LEAST_OWN = 3  # of them, before others are taken for careless
_LEAST_GAMES = 256  # to judge a choice by
_LEAST_SECONDS = 0.004
_EXPLORATION = 0.3  # of that search, so that its visits tell good choices from bad ones
_IMAGINED = 4  # states, until one has the choice that was made
_KEPT = 64  # moments: what lies further back is not looked at
# How sharply somebody who thinks goes by what the judge says, each as likely as another before
# anything was seen.
_SHARPLY = (1.0, 0.5, 0.25, 0.1)
_BLUNDERS = 0.05  # of all choices: whoever thinks may overlook something
_UNLIKE_ME = 0.1  # of what is learned from one's own choices is left open: others think otherwise


@dataclass(frozen=True, slots=True)
class _Made:
    """What somebody has chosen, and what the viewer saw before."""

    before: View
    seat: int
    texts: tuple[str, ...]  # one, or of a sealed block all of the seat's, in no order


@dataclass(slots=True)
class Regard:
    """What one seat thinks of the others at its table."""

    game: Game
    mind: Mind
    glimpses: list[Glimpse] = field(default_factory=list)  # the earliest first
    new: int = 0  # of them, those that were not looked at
    # By seat, for each sharpness how much likelier its choices were if it thinks, as a logarithm.
    found: dict[int, list[float]] = field(default_factory=dict)
    judged: dict[int, int] = field(default_factory=dict)  # choices, by seat

    def watch(self, glimpse: Glimpse) -> None:
        self.glimpses.append(glimpse)
        self.new += 1

    def forget(self) -> None:
        """What comes next does not go on from what was seen."""
        self.glimpses, self.new = [], 0
        self.found.clear()
        self.judged.clear()

    @property
    def own(self) -> int:
        """The seat whose regard it is."""
        return self.glimpses[-1].seat

    @property
    def careless(self) -> tuple[int, ...]:
        """By seat, in how many percent of the games it is to choose anything; nothing if all are
        taken to think."""
        if not self.found or self.judged.get(self.own, 0) < _LEAST_OWN:
            return ()
        shares = [self._careless(seat) for seat in range(self.game.players)]
        percents = [round(HUNDRED * share) if share > 1 / 2 else 0 for share in shares]
        return tuple(percents) if any(percents) else ()

    def look(self, budget: Budget) -> Budget:
        """Look at what was chosen since the last time; what is left for the choice itself."""
        new, self.new = self.new, 0
        self.glimpses = self.glimpses[-_KEPT:]
        if not looks_back(budget):
            return budget
        begun, looked_at = time.thread_time(), 0
        part = Budget(budget.games // _PART, budget.seconds / _PART)
        waiting = self._waiting(min(new, len(self.glimpses)))
        most = _JUDGED if self.judged else _AT_FIRST
        while waiting and looked_at < most:
            # Whoever was looked at least comes first.
            seats = [self.judged.get(each.seat, 0) for each in waiting]
            made = waiting.pop(seats.index(min(seats)))
            if not self._is_settled(made.seat) and (likely := self._likely(made, part)):
                before = self.found.get(made.seat, [0.0] * len(_SHARPLY))
                self.found[made.seat] = [sum(each) for each in zip(before, likely, strict=True)]
                self.judged[made.seat] = self.judged.get(made.seat, 0) + 1
                looked_at += 1
        if budget.games:
            return Budget(budget.games - looked_at * part.games)
        return budget.without(time.thread_time() - begun)

    # ---- what was chosen

    def _waiting(self, new: int) -> list[_Made]:
        """Enough of the latest choices to pick from, the last first."""
        found: list[_Made] = []
        for made in self._made(new):
            if not self._is_settled(made.seat):
                found.append(made)
            if len(found) == self.game.players * _AT_FIRST:
                break
        return found

    def _made(self, new: int) -> Iterator[_Made]:
        """The choices that led to so many moments, the last first."""
        for at in range(len(self.glimpses) - 1, max(0, len(self.glimpses) - 1 - new), -1):
            told = self._told(at)
            before = self.glimpses[self._begun(at)].seen(self.game) if told else None
            for seat, texts in told.items():
                if before is not None and seat in before.to_act:
                    yield _Made(before, seat, tuple(texts))

    def _told(self, at: int) -> dict[int, list[str]]:
        """By seat, what was told of its choices when a moment came."""
        found: dict[int, list[str]] = {}
        for line in self.glimpses[at].news(self.game):
            told = told_choice(line)
            if told is not None:
                found.setdefault(told[0], []).append(told[1])
        return found

    def _begun(self, at: int) -> int:
        """The moment at which the choices that led to this one were asked for: where choices are
        sealed, the first of the block, since when nothing was told of others."""
        found = at - 1
        while found > 0 and self._is_sealing(found) and self._is_sealing(found - 1):
            if self._told(found).keys() - {self.own}:
                break
            found -= 1
        return found

    def _is_sealing(self, at: int) -> bool:
        return self.glimpses[at].seen(self.game).masked[STATUS] == SEALING

    # ---- what it tells of them

    def _careless(self, seat: int) -> float:
        """How likely a seat is to choose anything."""
        if seat not in self.found or seat == self.own:
            return 0.0
        own = self.found.get(self.own, [0.0] * len(_SHARPLY))
        weights = [exp(each - max(own)) for each in own]
        even = _UNLIKE_ME / len(weights)
        thinks = sum(
            (even + (1 - _UNLIKE_ME) * weight / sum(weights)) * exp(each)
            for weight, each in zip(weights, self.found[seat], strict=True)
        )
        return _CARELESS / (_CARELESS + (1 - _CARELESS) * thinks)

    def _is_settled(self, seat: int) -> bool:
        if seat == self.own:
            return self.judged.get(seat, 0) >= _OWN
        return seat in self.found and self._careless(seat) < _SETTLED

    def _likely(self, made: _Made, part: Budget) -> list[float]:
        """How much likelier a choice was for somebody who thinks than for one who chooses anything,
        as a logarithm, for each sharpness; nothing if that cannot be said."""
        found = self._asked(made)
        if found is None:
            return []
        view, chosen = found
        weights = {each.option.text: each.visits + 1 for each in self._judge(view, part)}
        if len(weights) < 2 or chosen not in weights:
            return []
        return [_likelier(weights, chosen, sharply) for sharply in _SHARPLY]

    def _asked(self, made: _Made) -> tuple[View, str] | None:
        """What the chooser may have seen when it was asked, and what it chose. Of several choices
        in secret it is not known in what order they were made: then only one may be possible."""
        if made.seat == self.own:
            return (made.before, made.texts[0]) if len(made.texts) == 1 else None
        for number in range(_IMAGINED):
            try:
                state = imagine(self.game, made.before, made.before.moves + number * STRIDE)
                offered = {option.text for option in state.options(made.seat)}
            except PlayError:  # rules may break down in what is only imagined
                return None
            chosen = [text for text in made.texts if text in offered]
            if len(chosen) == 1:
                return replace(state.view(made.seat), story=None), chosen[0]
            if chosen:
                return None
        return None

    def _judge(self, view: View, part: Budget) -> list[Estimate]:
        """By what was learned, if anything was; else by a short search."""
        settings = replace(usual(self.game), exploration=_EXPLORATION)
        games, seconds = (part.games, None) if part.games else (None, part.seconds)
        return known_at_once(self.mind, view, view.moves) or search(
            self.game, view, games, seconds=seconds, clock=time.thread_time, seed=view.moves,
            settings=settings,
        )  # fmt: skip


def is_worth_it(game: Game, budget: Budget) -> bool:
    """Whether it matters what others are like, and there is time to look at what they choose."""
    chance = any(isinstance(op, ops.Chance) for op in game.program.code)
    matters = game.players > 1 and (chance or uct.observers(game.program) > 1)
    return matters and looks_back(budget)


def looks_back(budget: Budget) -> bool:
    return budget.games >= _PART * _LEAST_GAMES or budget.seconds >= _PART * _LEAST_SECONDS


def _likelier(weights: dict[str, int], chosen: str, sharply: float) -> float:
    total = sum(weight**sharply for weight in weights.values())
    likely = len(weights) * weights[chosen] ** sharply / total
    return log((1 - _BLUNDERS) * likely + _BLUNDERS)

"""Thinking while others think: what a bot may be asked next is looked at before it is asked.

While a person thinks, bots have nothing to do. Each of them goes by its own view, as ever: it
imagines a state that looks like the real one, lets the others choose in it what they might well
choose, and goes on until it is to choose itself. What it would see at that moment is searched like
any view, and what comes of it is kept under just that (`masked`). If the moment comes, what was
found before counts together with what is found then, and so does the time that was spent.

Nobody here has a state of the game, only views of the bot's own seat, so nothing can be told that
it may not know. How much is prepared hangs on how long people take: this is for bots that think by
the clock, and not for those that try so many games and are to choose alike wherever they are.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from itertools import accumulate

from interpreter.bots.search import MOST_GAMES, Estimate
from interpreter.bots.thinking import Mind, known_at_once
from interpreter.embedding import Game, PlayError, State
from interpreter.imagination import Imaginer
from interpreter.option import Option
from interpreter.play.chance import Stream
from interpreter.view.view import View

_PART = 0.25  # of the time for a choice, before another moment is looked at
_LEAST = 0.1  # of that time, which a choice takes even if it was prepared
_GAMES = 48  # of the search that says what somebody else might choose
_STEPS = 200  # to tell the game again in order to imagine it
_CHOICES = 100  # of others until the seat is asked: what is further off will come otherwise
_DRAWN = 3  # moments, of which the one that is known least is looked at
_NOTHING_NEW = 20  # moments in a row: then what is likely has been prepared
_KEPT = 256  # moments; also what others might choose at so many
_IN_VAIN = 30  # choices in a row that were not foreseen: then they cannot be in this game
_LONGEST = 60.0  # seconds, for somebody who has left the room
_JOINED = 2.0  # seconds that whoever leaves the game waits for it

Stop = Callable[[], bool]


@dataclass(frozen=True, slots=True)
class Ready:
    """What is known of a moment before it comes. `share`: of the time that a choice is given."""

    share: float = 0.0
    found: tuple[Estimate, ...] = ()

    @property
    def left(self) -> float:
        """The share of the time that is still to be spent on it."""
        return max(_LEAST, 1.0 - self.share)

    def with_those(self, found: list[Estimate]) -> list[Estimate]:
        """These estimates together with what was found before, as if one search had made both."""
        if not self.found:
            return found
        before = {each.option: each for each in self.found}
        nothing = (0, 0.0)
        both: list[Estimate] = []
        for each in found:
            known = before.get(each.option)
            visits, value = nothing if known is None else (known.visits, known.value)
            total = each.visits + visits
            share = (each.value * each.visits + value * visits) / max(1, total)
            both.append(Estimate(each.option, total, share))
        return sorted(both, key=lambda each: -each.visits)


@dataclass(slots=True)
class Foresight:
    """The moments to come of one seat. It has a game and a mind of its own, so that it can go on in
    a thread; `worth` is how much of the bot's own time a second of it comes to."""

    game: Game
    seat: int
    mind: Mind
    seconds: float  # that the bot thinks before a choice
    threads: int = 1
    worth: float = 1.0
    clock: Callable[[], float] = time.monotonic
    ready: dict[tuple[int, ...], Ready] = field(default_factory=dict)
    careless: tuple[int, ...] = ()  # by seat, in how many percent of the games it chooses anything
    asked: int = 0  # how often the bot had to choose
    foreseen: int = 0  # and how often that was prepared
    in_vain: int = 0  # choices since the last one that was
    _stream: Stream = field(init=False)
    _likely: dict[tuple[int, ...], list[tuple[Option, int]]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._stream = Stream(0, self.seat)

    @property
    def pays(self) -> bool:
        """Whether it is worth going on with."""
        return self.in_vain < _IN_VAIN

    def of(self, view: View) -> Ready:
        """What is ready for a choice that the bot has to make now."""
        found = self.ready.get(view.masked, Ready())
        self.asked += 1
        self.foreseen += found.share > 0
        self.in_vain = 0 if found.share > 0 else self.in_vain + 1
        return found

    def take_for(self, careless: tuple[int, ...]) -> None:
        """Others are thought of like this from now on: what was found before counts no more."""
        if careless != self.careless:
            self.careless = careless
            self.ready.clear()

    def look_ahead(self, view: View, stop: Stop) -> bool:
        """Look at one moment that may come after what the seat sees now. False if there was nothing
        to be found: none came, or it has been looked at for long enough."""
        moment = self._least_known(view, stop)
        before = Ready() if moment is None else self.ready.get(moment.masked, Ready())
        if moment is None or before.share >= 1:
            return False
        begun = self.clock()
        end = begun + self.seconds * _PART
        found = self.mind(
            moment,
            MOST_GAMES,
            seed=self._stream.below(1 << 62),
            trees=self.threads,
            threads=self.threads,
            stop=lambda: stop() or self.clock() >= end,
            careless=self.careless,
        )
        share = before.share + self.worth * (self.clock() - begun) / self.seconds
        if len(self.ready) >= _KEPT:
            del self.ready[next(iter(self.ready))]
        self.ready[moment.masked] = Ready(share, tuple(before.with_those(found)))
        return True

    def _least_known(self, view: View, stop: Stop) -> View | None:
        """Of some moments that may come, a new one, or else the one that was looked at least."""
        found: dict[float, View] = {}
        for _ in range(_DRAWN):
            try:
                moment = self._moment(view, stop)
            except PlayError:  # rules may break down in what is only imagined
                continue
            if moment is not None:
                share = self.ready.get(moment.masked, Ready()).share
                found.setdefault(share, moment)
                if not share:
                    break
        return found[min(found)] if found else None

    def _moment(self, view: View, stop: Stop) -> View | None:
        """What the seat will see when it is to choose, if the others go on as they might. Where
        that has been looked at, it takes what it likes best, and may be asked again at once."""
        state = Imaginer(self.game, view).within(self._stream.below(1 << 62), _STEPS).state
        chosen = False
        for _ in range(_CHOICES):
            seats = state.seats_to_act
            if not seats or stop():
                return None
            seat = self.seat if self.seat in seats else seats[0]
            options = state.options(seat)
            if len(options) == 1:
                state = state.apply(options[0], seat)
                continue
            seen = _seen(state, seat)
            if seat == self.seat:
                known = self.ready.get(seen.masked, Ready())
                if known.share < 1:
                    return seen
                chosen = True
                state = state.apply(known.found[0].option, seat)
            elif chosen:
                return None
            else:
                state = state.apply(self._might_choose(seen), seat)
        return None

    def _might_choose(self, view: View) -> Option:
        """Half the time anything, half the time what looks good to whoever chooses."""
        if view.masked not in self._likely:
            if len(self._likely) >= _KEPT:
                self._likely.clear()
            found = self._judged(view)
            even = sum(each.visits for each in found) // len(found) + 1
            self._likely[view.masked] = [(each.option, each.visits + even) for each in found]
        likely = self._likely[view.masked]
        sums = list(accumulate(weight for _, weight in likely))
        point = self._stream.below(sums[-1])
        return next(
            option for (option, _), reached in zip(likely, sums, strict=True) if point < reached
        )

    def _judged(self, view: View) -> list[Estimate]:
        """By what was learned, if anything was; else by a short search."""
        seed = self._stream.below(1 << 62)
        known = known_at_once(self.mind, view, seed)
        return known or self.mind(view, _GAMES, seed=seed, trees=1, threads=1)


def _seen(state: State, seat: int) -> View:
    """What a seat sees in an imagined state, which has no story from the start on."""
    return replace(state.view(seat), story=None)


class Preparing:
    """The bots of a table, each looking ahead in turn, in a thread, while somebody is asked."""

    def __init__(self, seats: Mapping[int, Foresight]) -> None:
        self.seats = seats
        self.failures: list[str] = []
        self._over = threading.Event()
        self._thread: threading.Thread | None = None

    def begin(self, state: State) -> None:
        """Somebody is asked. Of the state only the views of the bots' seats are gone by."""
        self.end()
        views = {seat: state.view(seat) for seat, each in self.seats.items() if each.pays}
        if not views or self.failures:
            return
        before, over = self._thread, threading.Event()
        self._over = over
        self._thread = threading.Thread(
            target=self._prepare, args=(views, over.is_set, before), daemon=True
        )
        self._thread.start()

    def end(self) -> None:
        """Somebody has answered. Nobody waits for what is being looked at."""
        self._over.set()

    def wait(self, seconds: float | None = None) -> None:
        """Until there is nothing left to prepare, or `end` has been heard."""
        if self._thread is not None:
            self._thread.join(seconds)

    def close(self) -> None:
        """The game is left."""
        self.end()
        self.wait(_JOINED)

    def _prepare(self, views: dict[int, View], over: Stop, before: threading.Thread | None) -> None:
        if before is not None:  # it has been told to stop
            before.join()
        late = time.monotonic() + _LONGEST
        try:
            self._rounds(views, lambda: over() or time.monotonic() > late)
        except Exception as error:  # whatever it is, people want to go on playing
            self.failures.append(f"{type(error).__name__}: {error}")

    def _rounds(self, views: dict[int, View], stop: Stop) -> None:
        in_vain = dict.fromkeys(views, 0)
        while in_vain:
            for seat in list(in_vain):
                if stop():
                    return
                found = self.seats[seat].look_ahead(views[seat], stop)
                in_vain[seat] = 0 if found else in_vain[seat] + 1
                if in_vain[seat] >= _NOTHING_NEW:
                    del in_vain[seat]

"""Imagining: a full state that agrees with everything a view tells.

Hidden pieces are dealt anew (`view/imagining.py`), and so are dice that were rolled in secret. But
a secret that somebody has chosen hangs together with other secrets and with what everybody has seen
since. Where the rules keep such secrets, the game is told again from its start: everything that the
viewer cannot know goes as it happens to go, as long as the viewer would have seen just what it has
seen. A step that leads elsewhere is taken back, and if there is no other, the one before it is.
Some rules make that hopeless, since what was wrong shows long after it was put down. There games
are told without words (`drafts.py`), if these tell nothing that is not to be seen in the end; some
random games show whether it is so. If a game does not come out within bounds, what is secret is
drawn from its range like dice.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate
from weakref import WeakKeyDictionary

from interpreter.drafts import Drafts, Step, looks_alike
from interpreter.embedding import Game, PlayError, State
from interpreter.model.seats import seat_name
from interpreter.option import Option
from interpreter.play import chance
from interpreter.play.buffer import Buffer, Choice
from interpreter.play.memory import Memory
from interpreter.program.layout import ASK_WHEN_FORCED, KEY, MODE
from interpreter.view.imagining import Imagining
from interpreter.view.view import View

STEPS = 1000  # decisions that are tried out to tell a game again
_ANEW = 250  # after so many it is told from the start: the mistake may lie far back
_WITH_PIECES = 150  # where pieces are dealt unseen it comes out at once or hardly ever
_WITHOUT_WORDS = 8  # steps that take about as long as one with its words
_SHOWN_BY = 3  # random games that show whether it comes out in words, or better without them
_TRIED = 400  # steps with words in each of them
_DRAFTED = 4  # drafts of each of them
_LONGEST = 400  # decisions of such a game


def imagine(game: Game, view: View, seed: int) -> State:
    """A full state that agrees with everything a view tells; hidden things are dealt anew.

    >>> imagined = imagine(game, state.view(0), seed=4)
    >>> imagined.view(0) == state.view(0), imagined.view(1) == state.view(1)
    (True, False)
    """
    return Imaginer(game, view).within(seed).state


@dataclass(frozen=True, slots=True)
class Imagined:
    """A state that agrees with a view, and how it came about."""

    state: State
    steps: int = 0  # that were taken to tell the game again
    certain: bool = False  # nothing was drawn: it comes out like this each time
    doubtful: bool = False  # secrets were drawn like dice, though they hang together


class Imaginer:
    """States that agree with one view. What is found out for one of them serves the others."""

    def __init__(self, game: Game, view: View) -> None:
        self.game, self.view = game, view
        self._known = _Known()

    @cached_property
    def dealt(self) -> Imagining:
        """How hidden things are dealt anew."""
        return Imagining(self.game.machine, self.view)

    @cached_property
    def drafts(self) -> Drafts:
        return Drafts(self.game, self.view)

    def within(
        self, seed: int, steps: int = STEPS, enough: Callable[[], bool] = lambda: False
    ) -> Imagined:
        """A state, with so many steps to tell the game again, or until somebody has enough."""
        game, view, taken = self.game, self.view, 0
        if view.story is not None:
            telling = _Telling(game, view, self._known, seed, steps)
            found = self._told(telling, enough)
            if found is not None:
                return Imagined(_state(game, view, found, seed), telling.steps, telling.certain)
            taken = telling.steps
        dealt = self.dealt.state(seed)
        return Imagined(_state(game, view, dealt, seed), taken, doubtful=view.story is not None)

    def _told(self, telling: _Telling, enough: Callable[[], bool]) -> Buffer | None:
        """A game told again up to the present, with its words or without."""
        if self.view.seat is None or not goes_by_drafts(self.game):
            return telling.told()
        return telling.drafted(self.drafts, enough)


_by_drafts: WeakKeyDictionary[Game, bool] = WeakKeyDictionary()


def goes_by_drafts(game: Game) -> bool:
    """Whether games are told again without words: where that comes out more often than with them,
    and drafts that look like the present were also told as the viewer has heard. It is tried once
    for each game, in the same random games everywhere."""
    if game not in _by_drafts:
        tried = [each for seed in range(_SHOWN_BY) if (each := _tried(game, seed)) is not None]
        told, drafted = (sum(each) for each in zip(*tried, strict=True)) if tried else (0, 0)
        _by_drafts[game] = drafted > told
    return _by_drafts[game]


def _tried(game: Game, seed: int) -> tuple[int, int] | None:
    """Whether a random game that is well under way can be told again in words, and how many drafts
    there are of it; none if one was not told alike."""
    stream, states = chance.Stream(seed, 0), [game.start(seed)]
    with suppress(PlayError):
        while not states[-1].is_over and len(states) < _LONGEST:
            seat = states[-1].seats_to_act[0]
            states.append(states[-1].apply(stream.choose(states[-1].options(seat)), seat))
    view = states[(len(states) - 1) * 2 // 3].view(seed % game.players)
    if view.story is None:
        return None
    drafts, known = Drafts(game, view), _Known()
    if _Telling(game, view, known, seed, _TRIED).told() is not None:
        return _DRAFTED, 0
    for number in range(_DRAFTED):
        telling = _Telling(game, view, known, number, STEPS)
        if telling.drafted(drafts, lambda: False) is None or drafts.last is None:
            return 0, 0
        if not telling.agrees(drafts.last.steps):
            return _DRAFTED * _SHOWN_BY, 0
    return 0, _DRAFTED


def _state(game: Game, view: View, buffer: list[int], seed: int) -> State:
    """One that remembers what the viewer does."""
    names = frozenset((cell, buffer[cell]) for cell, _ in view.named)
    supposed = view.supposed
    memory = Memory.of_view(game.program, view.seat, supposed, names) if supposed else None
    return State(game, buffer, seed, None, None, (), memory=memory)


Way = tuple[int | None, Option]  # a seat, or none for chance, and what comes


@dataclass(slots=True)
class _Known:
    """What tellings of the same story have come to. States are told apart by being another object:
    all are kept here for as long."""

    after: dict[tuple[int, Way], State | None] = field(default_factory=dict)  # None: it broke down
    fits: dict[int, bool] = field(default_factory=dict)
    ends: dict[int, bool] = field(default_factory=dict)


class _Telling:
    """A game told again so that it looks the same to one viewer."""

    def __init__(self, game: Game, view: View, known: _Known, seed: int, most: int) -> None:
        assert view.story is not None
        self.game = game
        self.view = view
        self.known = known
        self.story = view.story
        self.key = chance.seed_key(seed) & (1 << 64) - 1
        self.counter = 0
        self.steps = 0
        self.certain = False  # whether it comes out like this each time
        dealt = any(kind.known >= 0 for kind in game.program.layout.kinds)
        self.most = min(most, _WITH_PIECES) if dealt else most

    def told(self) -> Buffer | None:
        while self.steps < self.most:
            self.steps += 1
            found = self._from_start()
            if found is not None:
                return found
        return None

    def _from_start(self) -> Buffer | None:
        mode = self.view.masked[MODE]
        start = self.game.told_start(bool(mode & ASK_WHEN_FORCED))
        here = [(start, self._ways_on(start))] if self._fits(start) else []
        most = min(self.most, self.steps + _ANEW)
        while here and self.steps < most:
            state, ways = here[-1]
            if self._is_the_end(state):
                self.certain = self.counter == 0
                return self._ended(state.buffer)
            after = self._one_on(state, ways)
            if after is None:
                here.pop()
            elif self._fits(after):
                here.append((after, self._ways_on(after)))
        return None

    def _ended(self, buffer: Buffer) -> Buffer:
        """A game that was told up to the present, ready to be gone on with."""
        found = list(buffer)
        found[MODE] = self.view.masked[MODE]
        found[KEY] = chance.signed(chance.number(self.key, self.counter))
        return found

    def drafted(self, drafts: Drafts, enough: Callable[[], bool]) -> Buffer | None:
        """The end of a draft that is made in about the time there is for telling it in words."""
        before = drafts.taken
        found = drafts.another(chance.Draws(self.key), self.most * _WITHOUT_WORDS, enough)
        self.steps += -(-(drafts.taken - before) // _WITHOUT_WORDS)  # rounded up
        if found is None:
            return None
        self.certain = not found.hidden
        return self._ended(found.end)

    def agrees(self, steps: Sequence[Step]) -> bool:
        """Whether a game of these steps looks the same to the viewer from its start to its end."""
        state = self.game.told_start(bool(self.view.masked[MODE] & ASK_WHEN_FORCED))
        for seat, choice in steps:
            option = self._option(state, seat, choice)
            if option is None or not self._fits(state):
                return False
            try:
                state = state.apply(option, seat)
            except PlayError:
                return False
        return self._fits(state) and self._is_the_end(state)

    def _option(self, state: State, seat: int | None, choice: Choice) -> Option | None:
        """What is called like this; nothing where another piece of the same looks is meant."""
        if seat is None:
            values = [value for _, value in self.game.machine.outcomes(state.buffer)]
            return state.chance_outcomes()[values.index(choice[0])]
        named = (each for each, taken in state.choices(seat).items() if taken == choice)
        return next(named, None)

    def _one_on(self, state: State, ways: list[Way]) -> State | None:
        """The state after the next way on that has not been tried; None if there is none."""
        while ways:
            way = ways.pop()
            self.steps += 1
            if (id(state), way) not in self.known.after:
                after: State | None = None
                with suppress(PlayError):
                    after = state.apply(way[1], way[0])
                self.known.after[id(state), way] = after
            found = self.known.after[id(state), way]
            if found is not None:
                return found
        return None

    def _ways_on(self, state: State) -> list[Way]:
        """What could be done now. The order of sealed choices does not matter: first the viewer
        chooses what it has chosen, so that the others have not yet where the game stands."""
        if state.is_chance:
            return [(None, outcome) for outcome in self._by_weight(state.chance_outcomes())]
        for seat in sorted(state.seats_to_act, key=lambda seat: seat != self.view.seat):
            found = self._shuffled(state, seat)
            if found:
                return [(seat, option) for option in found]
        return []

    def _shuffled(self, state: State, seat: int) -> list[Option]:
        """The options of a seat in a random order; of the viewer's own the one that it took."""
        found = state.options(seat)
        if seat == self.view.seat:
            seen = len(state.entries(self.view.seat))
            own = self.story[seen] if seen < len(self.story) else ""
            return [option for option in found if f"{seat_name(seat)}: {option.text}" == own]
        for last in range(len(found) - 1, 0, -1):
            other = self._below(last + 1)
            found[last], found[other] = found[other], found[last]
        return found

    def _by_weight(self, outcomes: list[Option]) -> list[Option]:
        """The likeliest tend to come last, where they are taken first."""
        found: list[Option] = []
        while outcomes:
            sums = list(accumulate(outcome.weight for outcome in outcomes))
            point = self._below(sums[-1])
            found.append(outcomes.pop(next(n for n, each in enumerate(sums) if point < each)))
        found.reverse()
        return found

    def _below(self, bound: int) -> int:
        value, self.counter = chance.below(self.key, self.counter, bound)
        return value

    def _fits(self, state: State) -> bool:
        """Whether the viewer has seen all this, in this order."""
        if id(state) not in self.known.fits:
            seen = [entry.text for entry in state.entries(self.view.seat)]
            self.known.fits[id(state)] = seen == list(self.story[: len(seen)])
        return self.known.fits[id(state)]

    def _is_the_end(self, state: State) -> bool:
        if id(state) not in self.known.ends:
            self.known.ends[id(state)] = self._looks_like_the_end(state)
        return self.known.ends[id(state)]

    def _looks_like_the_end(self, state: State) -> bool:
        """Whether the viewer could not tell this from where the game really stands."""
        if state.is_chance or len(state.entries(self.view.seat)) != len(self.story):
            return False
        return looks_alike(state.view(self.view.seat), self.view)

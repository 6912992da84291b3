"""Twins: two games that differ only in what one seat cannot know, played side by side.

One of the two is any random game. In the other, what the seat cannot know goes another way: other
cards are dealt out of its sight, other players put down other cards, seal other choices. What it
can see must happen in both; `sight` is the judge of that. As long as both are alike in what it may
see, every byte it is given must be the same. If the rules disclose something, that is their right:
the twins part, and nothing more can be said about them.

A round goes from one stop to the next: somebody decides, then chance brings what it brings. A
sealed block is one round, however many choices it takes, with the seat's own first.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, replace

from interpreter.embedding import Game, PlayError, State
from interpreter.option import IllegalOption, Option
from interpreter.play import words
from interpreter.play.knowledge import SPECTATOR
from interpreter.program import origins
from interpreter.program.layout import MENU, SEALING, STATUS
from interpreter.program.program import Param
from interpreter.prove.given import Given, differences, given, questions
from interpreter.prove.sight import Seen, is_open, may_look, seen_by, witnessed

Decisions = tuple[tuple[int, str], ...]  # seat and text, -1 for chance
_CHANCE = -1
_TRIES = 60  # decisions and outcomes tried to find a round for the other twin
_WAYS = 5  # ways in which another seat may decide that are tried


@dataclass(frozen=True, slots=True)
class Round:
    """What was decided in each twin from one stop to the next."""

    first: Decisions
    second: Decisions


@dataclass(frozen=True, slots=True)
class Pair:
    """Two moments that one viewer cannot tell apart, unless something leaks."""

    viewer: int | None
    first: State
    second: State
    rounds: tuple[Round, ...] = ()

    @property
    def seat(self) -> int:
        return SPECTATOR if self.viewer is None else self.viewer


@dataclass(frozen=True, slots=True)
class Leak:
    """Twins that were alike up to the last round and then differ in what the viewer is given."""

    pair: Pair
    parts: tuple[str, ...]
    told: tuple[Given, Given]
    made_up: State | None = None  # the moment the second was made up from, if it was


def beginning(game: Game, viewer: int | None, rnd: random.Random) -> Pair | None:
    """Two games begun: chance has brought what it brings before the first decision."""
    state = game.start(explicit_chance=True, ask_when_forced=True)
    return _round(Pair(viewer, state, state), (), [()], rnd)


def next_pair(
    pair: Pair, rnd: random.Random, known: frozenset[str] = frozenset()
) -> Pair | Leak | None:
    """One round more; None if the twins part or the rules break down."""
    first = pair.first
    if first.buffer[STATUS] == SEALING:
        return _sealed_round(pair, rnd, known)
    seat = first.seats_to_act[0]
    options = first.options(seat)
    chosen = rnd.choice(options)
    ways: list[Decisions] = [((seat, chosen.text),)]
    if seat != pair.viewer:
        ways = [((seat, text),) for text in _otherwise(pair, seat, chosen, rnd)]
    found = _round(pair, ((seat, chosen.text),), ways, rnd)
    if found is None and "toAct" not in known:
        return _asked_alone(pair, (seat, chosen.text), rnd)
    return found


def find_difference(pair: Pair, known: frozenset[str] = frozenset()) -> Leak | None:
    """What the viewer is given in both must be the same, but for parts of it that are known
    to differ."""
    asking = questions(pair.first, pair.viewer)
    one, two = (given(each, pair.viewer, asking) for each in (pair.first, pair.second))
    parts = differences(one, two, known)
    return Leak(pair, parts, (one, two)) if parts else None


# ---- a round


def _round(pair: Pair, taken: Decisions, ways: list[Decisions], rnd: random.Random) -> Pair | None:
    """Let the first twin decide and have its chance; find a way for the second to look alike."""
    first = _decided(pair.first, taken)
    if first is None:
        return None
    outcomes: list[tuple[int, str]] = []
    in_sight: list[bool] = []  # of each outcome, whether the viewer saw what it brought
    try:
        while first.is_chance:
            drawn = first.chance_outcomes()
            outcome = rnd.choices(drawn, [each.weight for each in drawn])[0]
            outcomes.append((_CHANCE, outcome.text))
            first = first.apply(outcome)
            news = witnessed(first.game.program, first.buffer, first.events, pair.seat)
            in_sight.append(_brought(outcome.text) in {str(event[-1]) for event in news})
    except PlayError:
        return None
    search = _Search(pair, first, [text for _, text in outcomes], in_sight, rnd)
    for way in ways:
        found = search.find(way)
        if found is not None:
            second, texts = found
            step = Round((*taken, *outcomes), (*way, *texts))
            return replace(pair, first=first, second=second, rounds=(*pair.rounds, step))
    # Better the very same than nothing: what was hidden before is still different.
    same = (*taken, *outcomes)
    second_too = _decided(pair.second, same)
    if second_too is None or not search.is_alike(second_too):
        return None
    step = Round(same, same)
    return replace(pair, first=first, second=second_too, rounds=(*pair.rounds, step))


class _Search:
    """Looks for outcomes of chance that make the second twin look like the first."""

    def __init__(
        self,
        pair: Pair,
        first: State,
        outcomes: list[str],
        in_sight: list[bool],
        rnd: random.Random,
    ) -> None:
        self.pair, self.rnd, self.outcomes, self.in_sight = pair, rnd, outcomes, in_sight
        self.program = first.game.program
        self.trace = seen_on_the_way(first, pair.first, pair.seat)
        self.now = seen_by(first, pair.seat)
        self.left = 0

    def find(self, way: Decisions) -> tuple[State, Decisions] | None:
        self.left = _TRIES + 3 * len(self.outcomes)
        start = _decided(self.pair.second, way)
        return None if start is None else self._on(start, 0)

    def is_alike(self, state: State) -> bool:
        """Whether a state of the second twin is alike for the viewer, and so was the way to it."""
        if state.is_chance or self.trace != seen_on_the_way(
            state, self.pair.second, self.pair.seat
        ):
            return False
        return seen_by(state, self.pair.seat) == self.now

    def _on(self, state: State, depth: int) -> tuple[State, Decisions] | None:
        if not state.is_chance:
            return (state, ()) if self.is_alike(state) else None
        trace = seen_on_the_way(state, self.pair.second, self.pair.seat)
        if trace != self.trace[: len(trace)]:
            return None
        for outcome in self._candidates(state, depth):
            self.left -= 1
            if self.left < 0:
                return None
            try:
                found = self._on(state.apply(outcome), depth + 1)
            except PlayError:
                continue
            if found is not None:
                return found[0], ((_CHANCE, outcome.text), *found[1])
        return None

    def _candidates(self, state: State, depth: int) -> list[Option]:
        """Something else first, then the same as in the first twin. What the viewer gets to see
        there should be left for it here, too."""
        outcomes = state.chance_outcomes()
        same = self.outcomes[depth] if depth < len(self.outcomes) else ""
        pairs = zip(self.outcomes[depth:], self.in_sight[depth:], strict=True)
        needed = {text for text, seen in pairs if seen}
        free = [each for each in outcomes if each.text not in needed]
        found = self.rnd.sample(free, min(1, len(free)))
        found += [each for each in outcomes if each.text == same]
        found += self.rnd.sample(outcomes, len(outcomes))
        if depth < len(self.in_sight) and self.in_sight[depth]:
            found.sort(key=lambda each: each.text != same)
        return list(dict.fromkeys(found))


def _brought(text: str) -> str:
    """What an outcome brings: `draw(deck: king)` the king."""
    return text.partition("(")[2].rpartition(")")[0].partition(": ")[2]


def seen_on_the_way(state: State, since: State, seat: int) -> Seen:
    """What a seat has witnessed since an earlier state."""
    steps: list[State] = []
    here: State | None = state
    while here is not None and here is not since:
        steps.append(here)
        here = here.previous
    return tuple(
        event
        for step in reversed(steps)
        for event in witnessed(step.game.program, step.buffer, step.events, seat)
    )


def _decided(state: State, decisions: Decisions) -> State | None:
    """The state after some decisions; None if they cannot be made or the rules break down."""
    try:
        for seat, text in decisions:
            state = state.apply(text, None if seat == _CHANCE else seat)
    except (IllegalOption, PlayError):
        return None
    return state


# ---- how another seat may decide


def _otherwise(pair: Pair, seat: int, chosen: Option, rnd: random.Random) -> list[str]:
    """Texts the other twin's decision may have so that it could look the same: another piece the
    viewer may not see, or another value that goes nowhere but into what is hidden from it."""
    second = pair.second
    if seat not in second.seats_to_act:
        return []
    try:
        offered = second.choices(seat)
    except PlayError:
        return []
    program = second.game.program
    menu = second.seen_by_chooser(seat)[MENU]
    if pair.first.seen_by_chooser(seat)[MENU] != menu:
        return [chosen.text]
    wanted = pair.first.choices(seat)[chosen]
    params = program.actions[program.menus[menu].entries[wanted[0]].action].params
    others: list[str] = []
    for option, choice in offered.items():
        same = all(
            x == y or _is_out_of_sight(pair, param, x, y)
            for param, x, y in zip(params, wanted[1:], choice[1:], strict=False)
        )
        if option.text == chosen.text or choice[0] != wanted[0]:
            continue
        if same or _stays_hidden(pair, seat, chosen, option):
            others.append(option.text)
    found = rnd.sample(others, min(_WAYS, len(others)))
    return [*found, chosen.text]


def _is_out_of_sight(pair: Pair, param: Param, one: int, two: int) -> bool:
    """Whether the pieces that a decision names in each twin lie where the viewer may not look."""
    if param.type.sort != "kind" or param.form not in ("row", "copy") or min(one, two) < 0:
        return False
    kind = words.kind_of(pair.first.game.program, param.type.name)
    places = pair.first.buffer[kind.where + one], pair.second.buffer[kind.where + two]
    return not any(may_look(kind, place, pair.seat) for place in places)


def _stays_hidden(pair: Pair, seat: int, one: Option, two: Option) -> bool:
    """Whether all that differs after two decisions is hidden from the viewer."""
    after = [_decided(pair.second, ((seat, option.text),)) for option in (one, two)]
    if after[0] is None or after[1] is None:
        return False
    program, seat = pair.first.game.program, pair.seat
    hidden = {
        variable.address + number
        for variable in program.layout.variables
        for number in range(variable.size)
        if not is_open(program, variable, number, seat)
    }
    pairs = zip(after[0].buffer, after[1].buffer, strict=True)
    changed = {cell for cell, (x, y) in enumerate(pairs) if x != y}
    changed -= _left_over(after[0]) & _left_over(after[1])
    return bool(changed) and changed <= hidden


def _left_over(state: State) -> set[int]:
    """The cells of frames that nothing will look at again."""
    program = state.game.program
    first = program.layout.frames
    found = set(range(first, first + program.layout.frames_size))
    for each, cells in origins.kept(program, state.buffer):
        found -= {each.routine.address, *cells}
    return found


# ---- sealed blocks


def _sealed_round(pair: Pair, rnd: random.Random, known: frozenset[str]) -> Pair | Leak | None:
    """The viewer answers first, the same in both. Then the others do, each twin in its own way,
    and as long as the block goes on nothing may change for the viewer."""
    own: list[tuple[int, str]] = []
    first, second = pair.first, pair.second
    while pair.viewer is not None and _is_sealing(first) and pair.viewer in first.seats_to_act:
        text = rnd.choice(first.options(pair.viewer)).text
        own.append((pair.viewer, text))
        after = [_decided(each, ((pair.viewer, text),)) for each in (first, second)]
        if after[0] is None or after[1] is None:
            return None
        first, second = after[0], after[1]
        if not _is_sealing(first) or not _is_sealing(second):
            break
        if seen_by(first, pair.seat) != seen_by(second, pair.seat):
            return None  # the rules have answered the viewer
        step = Round(tuple(own), tuple(own))
        now = replace(pair, first=first, second=second, rounds=(*pair.rounds, step))
        leak = find_difference(now, known)
        if leak is not None:
            return leak
    answers = _answers(pair, first, rnd)
    if answers is None:
        return None
    leak = _noticed(replace(pair, first=first, second=first), tuple(own), answers, known)
    if leak is not None:
        return leak
    ways = [way for _ in range(_WAYS) if (way := _answers(pair, second, rnd)) is not None]
    every = [(*own, *way) for way in [*ways, answers]]
    return _round(pair, (*own, *answers), every, rnd)


def _noticed(pair: Pair, own: Decisions, answers: Decisions, known: frozenset[str]) -> Leak | None:
    """Whether the viewer can tell that another has answered while the block goes on. (Only the
    last answer can be taken back, whoever gave it.)"""
    known |= {"undo"}
    here: State | None = pair.first
    for number, answer in enumerate(answers[:-1], 1):
        here = None if here is None else _decided(here, (answer,))
        if here is None or not _is_sealing(here):
            return None
        step = Round(own, (*own, *answers[:number]))
        leak = find_difference(replace(pair, second=here, rounds=(*pair.rounds, step)), known)
        if leak is not None:
            return leak
    return None


def _is_sealing(state: State) -> bool:
    return state.buffer[STATUS] == SEALING


def _answers(pair: Pair, state: State, rnd: random.Random) -> Decisions | None:
    """Answers of all others until the block is over."""
    found: list[tuple[int, str]] = []
    here: State | None = state
    program = state.game.program
    while here is not None and _is_sealing(here):
        seats = [seat for seat in here.seats_to_act if seat != pair.viewer]
        if not seats:
            break
        try:
            text = rnd.choice(here.options(seats[0])).text
        except PlayError:
            return None
        length = program.layout.sealed_length + seats[0]
        before = here.buffer[length]
        found.append((seats[0], text))
        here = _decided(here, (found[-1],))
        if here is None or here.buffer[length] <= before:
            break  # the last answer ended the block
    return None if here is None else tuple(found)


# ---- somebody is asked in one of them only


def _asked_alone(pair: Pair, decision: tuple[int, str], rnd: random.Random) -> Leak | None:
    """If the twins part because in one somebody is asked and in the other the rules go on without
    asking: does the same come about in the first as soon as the question is answered?"""
    after = [_decided(each, (decision,)) for each in (pair.first, pair.second)]
    if after[0] is None or after[1] is None or any(each.is_chance for each in after if each):
        return None
    one, two = after[0], after[1]
    if one.seats_to_act == two.seats_to_act or _is_sealing(one) or _is_sealing(two):
        return None
    step = Round((decision,), (decision,))
    for asking, going, since, other in (
        (one, two, pair.first, pair.second),
        (two, one, pair.second, pair.first),
    ):
        trace = seen_on_the_way(going, other, pair.seat)
        for seat in asking.seats_to_act:
            options = asking.options(seat)
            for option in rnd.sample(options, min(_WAYS, len(options))):
                answered = _decided(asking, ((seat, option.text),))
                if (
                    answered is not None
                    and answered.seats_to_act == going.seats_to_act
                    and seen_on_the_way(answered, since, pair.seat) == trace
                    and seen_by(answered, pair.seat) == seen_by(going, pair.seat)
                ):
                    found = replace(pair, first=one, second=two, rounds=(*pair.rounds, step))
                    told = given(one, pair.viewer), given(two, pair.viewer)
                    return Leak(found, ("toAct",), told)
    return None

"""The laws: what holds in every state of every ruleset, tried out in one random game.

`rulerun soak` asks whether the rules keep their promises: ranges, `always`, how long a game takes.
Here it is what is promised of all rules, whatever they say.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

from interpreter.embedding import Game, PlayError, State
from interpreter.imagination import imagine
from interpreter.model.seats import seat_name
from interpreter.option import IllegalOption
from interpreter.play import words
from interpreter.play.buffer import Choice
from interpreter.play.failure import Failure
from interpreter.play.verify import check_buffer
from interpreter.program.layout import MENU
from interpreter.prove.given import differences, given

_MODES: tuple[dict[str, bool], ...] = ({}, {"explicit_chance": True}, {"ask_when_forced": True})
_MOST = 3  # options of a state that are tried out
_KEPT = (
    "log",
    "information state",
    "undo",
    "supposed",
)  # belong to the past, which some states have not


def broken_laws(game: Game, seed: int, most: int, every: int = 1) -> Iterator[tuple[str, str]]:
    """Play a random game of so many decisions at most, and tell each law that does not hold in one
    of so many of its states, with the code of the problem that it is."""
    rnd = random.Random(seed)
    modes = _MODES[seed % len(_MODES)]
    try:
        state = game.start(seed, **modes)
        for number in range(most):
            looked_at = number % every == 0 or state.is_over
            if looked_at:
                yield from (("RR810", law) for law in _at(state, rnd))
            if looked_at and not state.is_chance:
                yield from (("RR806", law) for law in _imagined(state, rnd))
            if state.is_over:
                break
            state = _next(state, rnd)
    except (PlayError, Failure):
        return  # the rules break down: that is for `rulerun soak` to tell
    yield from (("RR810", law) for law in _told_again(game, state, seed, modes))


def _next(state: State, rnd: random.Random) -> State:
    if state.is_chance:
        outcomes = state.chance_outcomes()
        return state.apply(rnd.choices(outcomes, [each.weight for each in outcomes])[0])
    seat = rnd.choice(state.seats_to_act)
    return state.apply(rnd.choice(state.options(seat)), seat)


def _at(state: State, rnd: random.Random) -> Iterator[str]:
    """The laws of one state."""
    game = state.game
    restored = game.restore(state.save())
    if restored.buffer != state.buffer or restored.save() != state.save():
        yield "a state that was saved and restored is another one"
    for seat in state.seats_to_act:
        yield from _order(state, seat)
        options = state.options(seat)
        for option in rnd.sample(options, min(_MOST, len(options))):
            before = state.save()
            after = state.apply(option, seat)
            if state.save() != before:
                yield f"`{option}` changed the state it was applied to"
            if restored.apply(option.text, seat).buffer != after.buffer:
                yield f"`{option}` leads a copy of the state elsewhere"
            if after.can_undo and after.undo().save() != before:
                yield f"taking `{option}` back does not lead to where it was taken"


def _order(state: State, seat: int) -> Iterator[str]:
    """Options come in the order of the menu, none of them twice, and those of one text look the
    same to whoever takes them."""
    game = state.game
    m = state.seen_by_chooser(seat)
    choices = game.machine.options(state.buffer, seat)
    if [choice[0] for choice in choices] != sorted(choice[0] for choice in choices):
        yield "options do not come in the order of their menu"
    if len(set(choices)) < len(choices):
        yield "an option comes twice"
    by_text: dict[str, list[Choice]] = {}
    for choice in choices:
        action = words.entry_action(game.program, m[MENU], choice)
        text = words.option_text(game.program, m, action, choice[1:])
        by_text.setdefault(text, []).append(choice)
    for text, same in by_text.items():
        if len(same) > 1:
            one, two = (_look_after(state, seat, choice) for choice in (same[0], same[-1]))
            if differences(one, two, frozenset({"masked"})):
                yield f"there are two options `{text}`, and they are not the same"


def _look_after(state: State, seat: int, choice: Choice) -> dict[str, str]:
    copy = state.buffer.copy()
    try:
        state.game.machine.take(copy, choice, seat)
    except Failure as failure:
        return {"failure": failure.code}
    return given(State(state.game, copy, state.seed, None, None, ()), seat)


def _imagined(state: State, rnd: random.Random) -> Iterator[str]:
    """A state imagined from a view gives the same view and the same options."""
    game = state.game
    for seat in (*range(game.players), None):
        imagined = imagine(game, state.view(seat), rnd.getrandbits(32))
        if check_buffer(game.program, imagined.buffer):
            yield "an imagined state is not sound"
        bare = State(game, state.buffer, state.seed, None, None, ())
        parts = differences(given(bare, seat), given(imagined, seat), frozenset(_KEPT))
        if parts:
            who = "a spectator" if seat is None else seat_name(seat)
            yield f"what is imagined for {who} has other {', '.join(parts)}"


def _told_again(game: Game, state: State, seed: int, modes: dict[str, bool]) -> Iterator[str]:
    """The journal of a game is its seed and its decisions by their texts."""
    here = game.start(seed, **modes)
    for seat, option in state.history():
        try:
            here = here.apply(option.text, None if seat < 0 else seat)
        except (IllegalOption, PlayError):
            yield f"`{option}` of the journal cannot be taken again"
            return
    if here.save() != state.save():
        yield "the journal leads to another state"

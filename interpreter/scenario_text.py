"""Scenarios that are written by themselves: what was decided, chance and all, as text that passes.

A leak is shown as two of them, and any game up to any move can be kept as one.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence

from interpreter.embedding import State
from interpreter.model.seats import seat_name
from interpreter.play import words
from interpreter.reading import Rules
from interpreter.tree import nodes
from interpreter.variants import Variant

Taken = tuple[int, str]  # a seat and its option; of what chance brings, the seat is -1

_MOST_OPTIONS = 12  # that a scenario lists
_SIMPLE = re.compile(r"-?[0-9]+|[A-Za-z_][A-Za-z0-9_]*")


def scenario_lines(
    rules: Rules,
    title: str,
    variant: Variant,
    taken: Sequence[Taken],
    then: Iterable[str],
    *,
    forced: bool,
) -> list[str]:
    """A scenario that takes these steps from the very beginning; `forced`, if a choice with one
    option is among them."""
    lines = [f'scenario "{title}"', f"    players {variant.players}"]
    lines += [f"    option {name} = {value}" for name, value in variant.options.items()]
    if forced:
        lines.append("    with forced choices")
    if any(isinstance(each, nodes.Setup) for each in rules.declarations):
        lines.append("    scripted setup")
    if taken:
        lines.append("    when")
        lines += [f"        {step_text(seat, text)}" for seat, text in taken]
    return [*lines, *(f"    then {each}" for each in then)]


def all_taken(states: Iterable[State]) -> Iterator[Taken]:
    """What was decided on the way through these states, and what chance brought in between."""
    for state in states:
        if state.decision is not None:
            yield state.decision[0], state.decision[1].text
        program = state.game.program
        for event in state.events:
            if event.word == "chance":
                value = event.values[0]
                yield -1, words.outcome_text(program, event.before, event.number, value)


def expectations(state: State, viewer: int | None) -> list[str]:
    """What holds in a state: who has to act, and what a viewer is offered."""
    if state.is_over:
        return ["the game is over"]
    found = [asked_text(state)]
    if viewer in state.seats_to_act and viewer is not None:
        options = state.options(viewer)
        if len(options) <= _MOST_OPTIONS:
            found.append(f"{seat_name(viewer)} may only {offered_text(o.text for o in options)}")
    return found


def whole_expectations(state: State) -> list[str]:
    """The same for all who have to act; at the end, who wins and what each of them scores."""
    if not state.is_over:
        seats = state.seats_to_act
        return list(dict.fromkeys(line for seat in seats for line in expectations(state, seat)))
    scores = [f"{seat_name(seat)} scores {score}" for seat, score in enumerate(state.scores)]
    return [seats_text(state.winners, "win"), *scores]


def asked_text(state: State) -> str:
    return seats_text(state.seats_to_act, "choose")


def seats_text(seats: Sequence[int], word: str) -> str:
    """`P1, P2 choose`, `P1 wins`, `nobody loses`."""
    named = ", ".join(seat_name(seat) for seat in seats) or "nobody"
    return f"{named} {word if len(seats) > 1 else f'{word}s'}"


def offered_text(texts: Iterable[str]) -> str:
    return " or ".join(_offer(text) for text in texts)


def step_text(seat: int, text: str) -> str:
    """A decision as the line of a scenario."""
    verb, _, inside = text.partition("(")
    value = inside.rpartition(")")[0].partition(": ")[2]
    if seat < 0:
        return f"{verb} {quoted(value) if verb == 'roll' else json.dumps(value)}"
    if verb == "choose" and inside:
        return f"{seat_name(seat)} chooses {quoted(value)}"
    return f"{seat_name(seat)} {_offer(text)}"


def _offer(text: str) -> str:
    """An option as scenarios write it: what is no simple word stands in quotes."""
    verb, bracket, inside = text.partition("(")
    if not bracket:
        return verb
    if verb == "choose":
        return f"choose {quoted(inside.rpartition(')')[0].partition(': ')[2])}"
    parts: list[str] = []
    for part in re.split(r", (?=[A-Za-z_][A-Za-z0-9_]*: )", inside.rpartition(")")[0]):
        name, _, value = part.partition(": ")
        parts.append(f"{name}: {quoted(value)}")
    return f"{verb}({', '.join(parts)})"


def quoted(value: str) -> str:
    return value if _SIMPLE.fullmatch(value) else json.dumps(value, ensure_ascii=False)

"""Every byte a seat is given about a moment of a game, by what it is."""

from __future__ import annotations

import json
from collections.abc import Sequence

from interpreter.bots.search import search
from interpreter.embedding import PlayError, State
from interpreter.imagination import imagine
from interpreter.play import words
from interpreter.play.failure import Failure
from interpreter.program.layout import MENU
from interpreter.scene import scene_of
from interpreter.view.log import log_lines
from interpreter.view.view import View

Given = dict[str, str]
_GAMES = 8  # of the small search
_ASKED = 4  # rows of a kind somebody might ask about
_IMPLAUSIBLE = ("", "nothing(like: this)", "7")


def given(state: State, seat: int | None, asking: Sequence[str] = ()) -> Given:
    """What a seat is sent and can ask for: its view, what it is offered, its log, why it may not
    do what it may not do, whether it may take back what it did."""
    view = state.view(seat)
    data = view.as_data()
    found = {part: json.dumps(data[part]) for part in data}
    found["masked"] = json.dumps(view.masked)
    found["supposed"] = json.dumps([view.supposed, sorted(view.named)])
    found["options"] = json.dumps(offered(state, seat))
    found["scene"] = _drawn(state, seat)
    told = state.entries(seat)
    found["log"] = json.dumps(log_lines(told))
    found["information state"] = json.dumps([each.text for each in told])
    if seat is not None:
        own = state.decision is not None and state.decision[0] == seat
        found["undo"] = json.dumps(own and state.can_undo)
        found["reasons"] = json.dumps(reasons(state, seat, asking))
    return found


def _drawn(state: State, seat: int | None) -> str:
    try:
        return json.dumps(scene_of(state, seat))
    except PlayError as error:
        return error.problem.code


def offered(state: State, seat: int | None) -> list[list[str]] | str:
    """Texts and words of the options of a seat, or what breaks down when they are looked for."""
    if seat is None or seat not in state.seats_to_act:
        return []
    try:
        return [[option.text, option.words] for option in state.options(seat)]
    except PlayError as error:
        return error.problem.code


def reasons(state: State, seat: int, asking: Sequence[str]) -> list[list[str]]:
    """The answers to questions about what is not offered."""
    if seat not in state.seats_to_act:
        return []
    try:
        return [state.why_not(seat), *(state.why_not(seat, text) for text in asking)]
    except (PlayError, Failure) as error:
        return [[str(error)]]


def questions(state: State, seat: int | None) -> list[str]:
    """What a seat might ask why it cannot choose: some of what there is, and some nonsense."""
    if seat is None or seat not in state.seats_to_act:
        return []
    program = state.game.program
    menu = program.menus[state.seen_by_chooser(seat)[MENU]]
    names = dict.fromkeys(program.actions[entry.action].name for entry in menu.entries)
    found = [*names, *(f"{name}({value})" for name in names for value in (1, 7)), *_IMPLAUSIBLE]
    for entry in menu.entries:
        for param in program.actions[entry.action].params:
            if param.type.sort == "kind":
                found += words.kind_of(program, param.type.name).rows[:_ASKED]
    return list(dict.fromkeys(found))


def foreseen(state: State, seat: int) -> Given:
    """What thinking ahead for a seat sees: imagined states, and what a small search counts."""
    view = state.view(seat)
    found = {"imagined": json.dumps([imagine(state.game, view, n).buffer for n in range(2)])}
    if len(offered(state, seat)) > 1:  # who has no choice needs no search
        found["search"] = json.dumps(_counted(state, view))
    return found


def _counted(state: State, view: View) -> list[list[str | float]] | str:
    try:
        counted = search(state.game, view, _GAMES)
    except (PlayError, ValueError) as error:
        return str(error)  # if the rules leak, it may imagine that there is nothing to choose
    return [[each.option.text, each.visits, each.value] for each in counted]


def differences(one: Given, two: Given, known: frozenset[str] = frozenset()) -> tuple[str, ...]:
    """The parts in which they differ, but for those already known to. That what is made of all the
    rest differs where something else does is no news."""
    found = [part for part in one if one[part] != two.get(part)]
    for whole in ("scene", "masked"):
        if whole in found and len(found) > 1:
            found.remove(whole)
    return tuple(part for part in found if part not in known)

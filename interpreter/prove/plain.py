"""The same games as people play them: a single option is taken without asking.

Twins are played with all questions asked, so that their rounds correspond. At a real table some of
these are not asked. Whether they were is the business of whoever holds the cards, so it must not
show afterwards: not in how many moves there were, and not in what can be taken back.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace

from interpreter.embedding import Game, PlayError, State
from interpreter.option import IllegalOption
from interpreter.program.layout import MENU
from interpreter.prove.twins import Leak, Pair, find_difference


@dataclass(slots=True)
class Plain:
    """How far two games have come that are told again without the questions of one answer."""

    pair: Pair
    told: tuple[State, State]  # the moments of the twins up to which they were told

    def follow(self, twins: Pair, known: frozenset[str] = frozenset()) -> Leak | None:
        """Tell one round more, and compare; raises IllegalOption if it cannot be told."""
        undo: list[bool | None] = []
        heads: list[State] = []
        ends = (twins.first, twins.second)
        for plain, since, end in zip(
            (self.pair.first, self.pair.second), self.told, ends, strict=True
        ):
            after: bool | None = None
            for before, state in _steps(end, since):
                seat, option = state.decision if state.decision is not None else (0, None)
                if option is None or _is_forced(before, seat):
                    continue
                plain = plain.apply(option.text, None if seat < 0 else seat)
                if seat == twins.viewer and not plain.is_chance:
                    after = plain.can_undo
            heads.append(plain)
            undo.append(after)
        self.pair = replace(twins, first=heads[0], second=heads[1])
        self.told = ends
        if None not in undo and undo[0] != undo[1] and "undo" not in known:
            told = {"undo": json.dumps(undo[0])}, {"undo": json.dumps(undo[1])}
            return Leak(twins, ("undo",), told)
        if any(_is_pending_forced(end) for end in ends) or any(h.is_chance for h in heads):
            return None
        leak = find_difference(self.pair, known)
        return None if leak is None else replace(leak, pair=twins)


def plainly(game: Game, twins: Pair) -> Plain | None:
    """The beginning of both games, told again; None if it cannot be."""
    start = game.start(explicit_chance=True)
    plain = Plain(
        replace(twins, first=start, second=start), (_first(twins.first), _first(twins.second))
    )
    try:
        plain.follow(twins)
    except (IllegalOption, PlayError):
        return None
    return plain


def _first(state: State) -> State:
    while state.previous is not None:
        state = state.previous
    return state


def _steps(state: State, since: State) -> Iterator[tuple[State, State]]:
    found: list[tuple[State, State]] = []
    while state is not since and state.previous is not None:
        found.append((state.previous, state))
        state = state.previous
    yield from reversed(found)


def _is_forced(state: State, seat: int) -> bool:
    """Whether a decision would not be asked for at a real table."""
    if seat < 0:
        return False
    menu = state.game.program.menus[state.seen_by_chooser(seat)[MENU]]
    return len(state.options(seat)) == 1 and not menu.asked


def _is_pending_forced(state: State) -> bool:
    return any(_is_forced(state, seat) for seat in state.seats_to_act)

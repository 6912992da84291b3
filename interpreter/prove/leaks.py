"""Hunting for leaks in random games of one ruleset, with the eyes of one viewer.

The game and its twin are followed round by round. Besides, at every stop a made-up state is put in
place of the true one. Of each sort of leak the first is kept; then that sort is left out of
account, so that one leak does not cover up the next.
"""

from __future__ import annotations

import random
from contextlib import suppress
from dataclasses import replace

from interpreter.embedding import Game, PlayError, State
from interpreter.option import IllegalOption
from interpreter.play.failure import Failure
from interpreter.play.knowledge import SPECTATOR
from interpreter.prove.given import differences, foreseen
from interpreter.prove.plain import Plain, plainly
from interpreter.prove.twins import Leak, Pair, beginning, find_difference, next_pair
from interpreter.prove.vary import varied

_ROUNDS = 200  # of one game; what leaks later leaks sooner in another game
_FORESEEN = 6  # one moment in so many is also thought ahead from

# What a seat is given, by the problem it is if that part tells what should be hidden. A part that
# comes earlier explains those after it: who is not asked is not offered anything either.
SORTS: dict[str, tuple[str, ...]] = {
    "RR803": ("toAct",),
    "RR801": ("options", "reasons"),
    "RR805": (
        "variables",
        "places",
        "over",
        "winners",
        "scores",
        "seat",
        "title",
        "players",
        "schema",
        "scene",
    ),
    "RR802": ("log", "information state"),
    "RR804": ("moves", "undo"),
    "RR806": ("masked", "supposed", "imagined", "search"),
}


def sort_of(leak: Leak) -> str:
    return next(code for code, parts in SORTS.items() if set(parts) & set(leak.parts))


def hunt(game: Game, viewer: int | None, seed: int, most: int = _ROUNDS) -> list[Leak]:
    """Follow one game and its twin; the first leak of each sort."""
    hunter = _Hunter(game, viewer, seed)
    # Where the rules break down, that is for `rulerun soak` to tell.
    with suppress(PlayError, Failure, IllegalOption):
        hunter.follow(most)
    return hunter.leaks


class _Hunter:
    def __init__(self, game: Game, viewer: int | None, seed: int) -> None:
        self.game, self.viewer = game, viewer
        self.rnd = random.Random(seed)
        self.leaks: list[Leak] = []
        self.known: frozenset[str] = frozenset()
        self.plain: Plain | None = None

    def follow(self, most: int) -> None:
        pair = beginning(self.game, self.viewer, self.rnd)
        if pair is None:
            return
        self.plain = plainly(self.game, pair)
        for number in range(most):
            self._keep(find_difference(pair, self.known))
            self._keep(self._made_up(pair.first, ahead=number % _FORESEEN == 0))
            if pair.first.is_over:
                return
            found = next_pair(pair, self.rnd, self.known)
            if isinstance(found, Leak):
                self._keep(found)
                found = None
            if found is not None:
                pair = found
                self._keep(self._as_played(pair))
                continue
            # The twins have parted. The first goes on, and made-up states stay to be looked at.
            alone = _alone(pair.first, self.rnd)
            self.plain = None
            pair = replace(pair, first=alone, second=alone)

    def _keep(self, leak: Leak | None) -> None:
        if leak is None:
            return
        self.leaks.append(leak)
        sort = sort_of(leak)
        self.known |= set(SORTS[sort])
        if sort == "RR803":
            self.known |= set(SORTS["RR801"])

    def _as_played(self, pair: Pair) -> Leak | None:
        if self.plain is None:
            return None
        try:
            return self.plain.follow(pair, self.known)
        except (IllegalOption, PlayError):
            self.plain = None
            return None

    def _made_up(self, state: State, *, ahead: bool) -> Leak | None:
        """Put another state in place of this one; the viewer must be given the same."""
        seat = SPECTATOR if self.viewer is None else self.viewer
        other = varied(state.game.machine, state.buffer, seat, self.rnd)
        if other is None:
            return None
        first, second = (
            State(state.game, each, state.seed, None, None, ()) for each in (state.buffer, other)
        )
        pair = Pair(self.viewer, first, second)
        leak = find_difference(pair, self.known)
        if leak is None and ahead and self.viewer is not None and not state.is_over:
            one, two = foreseen(first, self.viewer), foreseen(second, self.viewer)
            parts = differences(one, two, self.known)
            leak = Leak(pair, parts, (one, two)) if parts else None
        return None if leak is None else replace(leak, made_up=state)


def _alone(state: State, rnd: random.Random) -> State:
    seat = rnd.choice(state.seats_to_act)
    state = state.apply(rnd.choice(state.options(seat)), seat)
    while state.is_chance:
        drawn = state.chance_outcomes()
        state = state.apply(rnd.choices(drawn, [each.weight for each in drawn])[0])
    return state

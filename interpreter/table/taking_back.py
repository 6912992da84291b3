"""Taking back a decision at a table where others may have decided since.

In a sealed block nobody may notice that another has chosen already. So there a seat takes back its
own choice as if the others had not chosen, and theirs stay.
"""

from __future__ import annotations

from dataclasses import dataclass

from interpreter.embedding import State
from interpreter.program.layout import DECIDED, SEALING, STATUS

# One answer for all reasons: which of them it is would tell who has chosen before whom.
STAYS = (
    "Nothing of yours can be taken back now: others have decided since, or something was revealed "
    "or drawn."
)


@dataclass(frozen=True, slots=True)
class TakenBack:
    """The table without some decisions, which are named by their numbers from 0."""

    state: State
    removed: list[int]


def taken_back(state: State, seat: int, persons: frozenset[int]) -> TakenBack | str:
    """The state without a seat's last decision, or why it stays. What bots have done since is
    taken back with it; what other people have done is not."""
    sealed: list[State] = []  # what others have chosen since in the same block, last to first
    removed: list[int] = []
    here, number = state, _count(state) - 1
    while True:
        if here.previous is None or here.decision is None:
            return STAYS
        who = here.decision[0]
        before = here.previous
        inside = _inside(here, before)
        if who != seat and inside:
            sealed.append(here)
        elif (sealed and not inside) or (who != seat and who in persons) or not here.can_undo:
            return STAYS
        else:
            removed.append(number)
            if who == seat:
                return TakenBack(_again(before, sealed), removed[::-1])
        here, number = before, number - 1


def _inside(here: State, before: State) -> bool:
    """Whether a decision was one of a sealed block that goes on: everybody can know of its choices
    when it is over."""
    sealing = here.buffer[STATUS] == SEALING == before.buffer[STATUS]
    return sealing and here.buffer[DECIDED] == before.buffer[DECIDED]


def _again(state: State, sealed: list[State]) -> State:
    for each in reversed(sealed):
        assert each.decision is not None
        seat, option = each.decision
        state = state.apply(option, seat)
    return state


def _count(state: State) -> int:
    count, trail = 0, state.trail
    while trail is not None:
        count, trail = count + 1, trail.before
    return count

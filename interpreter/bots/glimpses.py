"""What a seat has seen of a game so far, moment by moment: for bots that go by what others do."""

from __future__ import annotations

from dataclasses import dataclass

from interpreter.embedding import Game, State
from interpreter.view.log import step_entries
from interpreter.view.view import View, look

_FOLLOWED = 60  # moments of the past that are looked at: one who comes late must not take all day


class Glimpse:
    """What a seat sees of a state, and what it is told of the way there, for whoever asks. The
    state itself is nobody's business."""

    def __init__(self, state: State, seat: int) -> None:
        self._state, self.seat = state, seat
        self._seen: View | None = None
        self._news: tuple[str, ...] | None = None

    @property
    def view(self) -> View:
        return self._state.view(self.seat)

    # Who looks back while the game goes on does so by a game of its own, and tells nothing again.

    def seen(self, game: Game) -> View:
        """The view without the story that led to it."""
        if self._seen is None:
            state = self._state
            self._seen = look(game.machine, state.buffer, self.seat, state.memory, None)
        return self._seen

    def news(self, game: Game) -> tuple[str, ...]:
        """What the last choice has added to the seat's log."""
        if self._news is None:
            entries = step_entries(game.machine, self._state.steps_back(), self.seat)
            self._news = tuple(entry.text for entry in entries)
        return self._news


@dataclass(frozen=True, slots=True)
class Glimpses:
    """The glimpses since a bot was asked last, the earliest first."""

    glimpses: tuple[Glimpse, ...]
    anew: bool  # whether they do not go on from what was seen before


def glimpses_since(seen: State | None, state: State, seat: int) -> Glimpses:
    """One that comes late has seen the last of them, and no more."""
    found: list[Glimpse] = []
    at: State | None = state
    while at is not None and at is not seen and len(found) < _FOLLOWED:
        found.append(Glimpse(at, seat))
        at = at.previous
    return Glimpses(tuple(reversed(found)), at is not seen or seen is None)

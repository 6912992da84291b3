"""A step of play as data: from one stop of a game to the next.

States are made of more, and two floors above; whoever tells or judges what has happened needs no
more than this. Steps are made when somebody looks back, not while a game is played.
"""

from __future__ import annotations

from dataclasses import dataclass

from interpreter.play.buffer import Buffer, Choice
from interpreter.play.witness import Event
from interpreter.program.layout import CHANCE, STATUS


@dataclass(frozen=True, slots=True)
class Step:
    before: Buffer | None  # None: the game begins here, or is not known further back
    seat: int  # whose choice it was; nobody's (-1) at the beginning, and of what chance brought
    choice: Choice
    events: tuple[Event, ...]
    after: Buffer

    @property
    def chosen_in(self) -> Buffer | None:
        """The buffer that a seat chose in; None if no seat has chosen anything."""
        return None if self.before is None or self.before[STATUS] == CHANCE else self.before

"""Where a game under one version of the rules parts from the same game under another: both are
played side by side by the same bots with the same seeds, until a decision is not the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from interpreter.bots.bot import Stream, decide, make_bot
from interpreter.bots.match import seating
from interpreter.embedding import PlayError, State
from interpreter.lab.ready import Ready
from interpreter.lab.seeds import seeds_of
from interpreter.model.seats import seat_name
from interpreter.report.visible import visible
from interpreter.view.standing import asked_at

_LISTED = 4  # options, and reasons
_Asked = tuple[int, dict[str, str]]  # who, and options as programs and as people read them


@dataclass(frozen=True, slots=True)
class Parting:
    """The first decision that is not the same. Lines are those that ask; `words` say what is
    different there."""

    game: int
    seed: int
    decision: int  # from 1; how many were the same before, and one
    seat: int  # from 1, who decides under the new rules; 0 if nobody does
    old_file: str
    old_line: int
    new_file: str
    new_line: int
    words: tuple[str, ...]


class _Side:
    """A game under one version."""

    def __init__(self, ready: Ready, names: Sequence[str], seeds: tuple[int, int]) -> None:
        self.bots = [make_bot(name, ready.game) for name in names]
        self.streams = [Stream(seeds[1], seat) for seat in range(ready.game.players)]
        self.state = ready.game.start(seeds[0])
        self.broken = ""
        self.last = asked_at(ready.game.program, self.state.buffer)

    @property
    def asked(self) -> _Asked:
        """Who has to choose, and from what; nobody when it is over."""
        if self.broken or self.state.is_over:
            return -1, {}
        seat = self.state.seats_to_act[0]
        return seat, {option.text: option.words for option in self.state.options(seat)}

    def choose(self) -> str:
        """Make the next decision, and tell what it was."""
        seat = self.state.seats_to_act[0]
        chosen = decide(self.bots[seat], self.state, seat, self.streams[seat])
        try:
            self.state = self.state.apply(chosen, seat)
        except PlayError as error:
            self.broken = str(error)
        return chosen.text

    def place(self) -> tuple[str, int]:
        """The line that asks, or that has asked last."""
        seats = () if self.broken else self.state.seats_to_act
        if seats:
            seen = self.state.seen_by_chooser(seats[0])
            self.last = asked_at(self.state.game.program, seen)
        return self.last.file, self.last.line


def find_parting(old: Ready, new: Ready, study: int, number: int) -> Parting | None:
    """None if the game has the same decisions to its end."""
    arm = new.arm
    names = seating(arm.bots, number)
    [seeds] = seeds_of(study, range(number, number + 1), arm.repeats)
    sides = _Side(old, names, seeds), _Side(new, names, seeds)
    decision = 1
    while True:
        before, after = sides[0].asked, sides[1].asked
        places = sides[0].place(), sides[1].place()
        states = sides[0].state, sides[1].state
        words: list[str] = []
        if before != after or list(before[1]) != list(after[1]):
            words = _otherwise(before, after, states)
        elif before[0] < 0:
            return None
        else:
            chosen = sides[0].choose(), sides[1].choose()
            if chosen[0] != chosen[1]:
                who = seat_name(before[0])
                words = [f"{who} is offered the same, and chose {chosen[0]}; now {chosen[1]}"]
        if words:
            seen = tuple(visible(line) for line in words)
            return Parting(number, seeds[0], decision, after[0] + 1, *places[0], *places[1], seen)
        decision += 1


def _otherwise(old: _Asked, new: _Asked, states: tuple[State, State]) -> list[str]:
    if old[0] < 0 or new[0] < 0:
        ended, other = ("old", new) if old[0] < 0 else ("new", old)
        return [
            f"the game is over under the {ended} rules; else {seat_name(other[0])} would choose"
        ]
    if old[0] != new[0]:
        return [f"{seat_name(old[0])} had to choose; now {seat_name(new[0])} has"]
    lost = [text for text in old[1] if text not in new[1]]
    gained = [text for text in new[1] if text not in old[1]]
    who = seat_name(new[0])
    words = []
    if lost:
        words.append(f"{who} is no longer offered {_listed([old[1][each] for each in lost])}")
        words += states[1].why_not(new[0], lost[0])[:_LISTED]
    if gained:
        words.append(f"{who} is now offered {_listed([new[1][each] for each in gained])}")
        words += states[0].why_not(new[0], gained[0])[:_LISTED] if not lost else []
    retold = [text for text, told in new[1].items() if old[1].get(text, told) != told]
    if retold and not words:
        words.append(f"{who} was offered {_listed([old[1][each] for each in retold])}")
        words.append(f"{who} is now offered {_listed([new[1][each] for each in retold])}")
    return words or [f"{who} is offered the same in another order"]


def _listed(texts: Sequence[str]) -> str:
    more = f" and {len(texts) - _LISTED} more" if len(texts) > _LISTED else ""
    return ", ".join(f"`{text}`" for text in texts[:_LISTED]) + more

"""Drafts: games told again without their words, to find states that look like the present one.

Whoever tells a game again (`imagination.py`) step by step notices a mistake many steps after it was
made: what somebody put down in secret at the start does not agree with what came to light much
later. A draft is a whole game up to the present, played by the machine that is there: what the
viewer saw is chosen as it was, and what it did not see is drawn. How far the outcome is from what
the viewer sees tells how good the draft is. One of its hidden choices is then made otherwise, and
what comes out no worse is kept, until nothing is amiss. From there on, changes after which still
nothing is amiss lead to other games that may have been, each as likely as another.

That the present looks the same says nothing of what was only said on the way, so `imagination.py`
first tries out whether that could tell more.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import cast

from interpreter.embedding import Game, State
from interpreter.offering import offers_of
from interpreter.play.buffer import Buffer, Choice
from interpreter.play.chance import Draws
from interpreter.play.failure import Failure
from interpreter.play.guided import by_weight
from interpreter.program.layout import ASK_WHEN_FORCED, CHANCE, DECIDED, MODE, STATUS
from interpreter.view.log import told_choice
from interpreter.view.view import View

_UNSEEN = "?"  # stands in the log for what the viewer could not see
_LONGER = 8  # times as many steps as there were moves: what comes by chance is no move
_PATIENCE = 60  # changes that do not help, after which it is begun anew
_MIXED = 2  # times as many changes as there are hidden choices, from one draft to the next

# It cannot have gone like this. What was not offered is taken all the same at first
# (`_not_offered`), and leads anywhere, also to what is no state of the game.
_IMPOSSIBLE = (Failure, LookupError, ValueError, RuntimeError)

Step = tuple[int | None, Choice]  # whose choice it is, nobody's for chance; of chance the value


@dataclass(frozen=True, slots=True)
class _Mark:
    """Where a game stood before a hidden choice."""

    buffer: Buffer
    heard: tuple[int, ...]  # by seat, the lines of the story that have come up
    steps: int  # before it
    chosen: Choice


@dataclass(slots=True)
class Draft:
    """One way in which the game may have gone."""

    end: Buffer = field(default_factory=list)
    off: int = 0  # how far from what the viewer sees it came out
    steps: list[Step] = field(default_factory=list)
    hidden: list[_Mark] = field(default_factory=list)


class Drafts:
    """Drafts of the game that led to one view."""

    def __init__(self, game: Game, view: View) -> None:
        assert view.story is not None and view.seat is not None
        self.game, self.view, self.viewer = game, view, view.seat
        self.asked = game.native or game.machine
        self.lines: list[list[str]] = [[] for _ in range(game.players)]
        for line in view.story:
            told = told_choice(line)
            if told is not None and 0 <= told[0] < game.players:
                self.lines[told[0]].append(told[1])
        mode = view.masked[MODE]
        self.start = game.told_start(bool(mode & ASK_WHEN_FORCED)).buffer
        if game.native is not None:  # which works on arrays where they are
            self.start = cast(Buffer, array("q", self.start))
        self.known: dict[tuple[int, str], Choice] = {}  # what somebody chose, by how it was told
        self.last: Draft | None = None  # in which nothing is amiss
        self.best: Draft | None = None  # as long as there is none
        self.idle = 0  # changes since it got better
        self.taken = 0  # steps, of all drafts

    def another(self, stream: Draws, most: int, enough: Callable[[], bool]) -> Draft | None:
        """A draft in which nothing is amiss; None if so many steps do not lead to one, or somebody
        has enough."""
        end = self.taken + most

        def is_up() -> bool:
            return self.taken >= end or enough()

        if self.last is None:
            self.last = self._first(stream, is_up)
            return self.last
        for _ in range(_MIXED * len(self.last.hidden)):
            if is_up():
                break
            changed = self._changed(self.last, stream)
            if not changed.off:
                self.last = changed
        return self.last

    def _first(self, stream: Draws, is_up: Callable[[], bool]) -> Draft | None:
        """Better and better ones, up to one in which nothing is amiss. Who comes back goes on."""
        while not is_up():
            best = self.best
            if best is None or self.idle >= _PATIENCE:
                best, self.idle = self._told(stream), 0
            elif best.hidden:
                changed = self._changed(best, stream)
                self.idle = self.idle + 1 if changed.off >= best.off else 0
                best = changed if changed.off <= best.off else best
            self.best = best
            if not best.off:
                return best
            if not best.hidden:  # it cannot be told otherwise
                return None
        return None

    def _changed(self, draft: Draft, stream: Draws) -> Draft:
        """The same with one hidden choice made otherwise, and the later ones as far as possible as
        they were."""
        return self._told(stream, draft, stream.below(len(draft.hidden)))

    # ---- telling

    def _told(self, stream: Draws, before: Draft | None = None, at: int = -1) -> Draft:
        """A game with the hidden choices of another, but for the one at this place, from where it
        is gone on."""
        found, hidden = Draft(self.start[:]), list[_Mark]()
        heard = [0] * self.game.players
        if before is not None:
            hidden, mark = before.hidden, before.hidden[at]
            found = Draft(mark.buffer[:], 0, before.steps[: mark.steps], hidden[:at])
            heard = list(mark.heard)
        m = found.end
        moves = self.view.moves  # that all know of
        most = _LONGER * (moves + 1)
        try:
            while m[STATUS] == CHANCE or m[DECIDED] < moves:
                so_far = tuple(heard)
                seat, seen = self._next(m, heard)
                self.taken += 1
                if len(found.steps) > most:
                    raise LookupError
                if seen is None:
                    number = len(found.hidden)
                    was = hidden[number].chosen if number < len(hidden) else None
                    seen = self._hidden(m, seat, was, number == at, stream)
                    found.hidden.append(_Mark(m[:], so_far, len(found.steps), seen))
                found.steps.append((seat, seen))
                self._take(m, seat, seen)
            found.off = self._apart(m) or self._not_offered(found)
        except _IMPOSSIBLE:
            found.off = len(m) * (1 + max(0, moves - m[DECIDED]))
        return found

    def _next(self, m: Buffer, heard: list[int]) -> tuple[int | None, Choice | None]:
        """Who is to choose, and what it was, if the viewer saw that."""
        if m[STATUS] == CHANCE:
            return None, None
        seats = self.asked.seats_to_act(m)
        if not seats:
            raise LookupError
        own = self.viewer in seats and heard[self.viewer] < len(self.lines[self.viewer])
        others = [each for each in seats if each != self.viewer]
        seat = self.viewer if own or not others else others[0]
        lines, number = self.lines[seat], heard[seat]
        line = lines[number] if number < len(lines) else _UNSEEN
        seen = None if _UNSEEN in line else self._choice(m, seat, line)
        if seen is None and seat == self.viewer:
            raise LookupError
        if seen is not None or _UNSEEN in line:  # else it was told in no line
            heard[seat] += 1
        return seat, seen

    def _choice(self, m: Buffer, seat: int, line: str) -> Choice | None:
        """What was told like this."""
        if (seat, line) not in self.known:
            _, offers = offers_of(self.game, list(m), seat, self.asked)
            self.known |= {(seat, option.text): choice for option, choice in offers}
        return self.known.get((seat, line))

    def _hidden(
        self,
        m: Buffer,
        seat: int | None,
        was: Choice | None,
        change: bool,
        stream: Draws,
    ) -> Choice:
        choices = self._choices(m, seat)
        if was in choices and not change:
            assert was is not None
            return was
        if seat is None:
            return choices[by_weight([weight for weight, _ in self.asked.outcomes(m)], stream)]
        others = [each for each in choices if each != was] if change else choices
        return (others or choices)[stream.below(len(others or choices))]

    def _choices(self, m: Buffer, seat: int | None) -> list[Choice]:
        if seat is None:
            return [(value,) for _, value in self.asked.outcomes(m)]
        return self.asked.options(m, seat)

    def _not_offered(self, draft: Draft) -> int:
        """How many of the choices could not have been made. It is asked in the end only, of those
        in which nothing else is amiss: to list options takes longer than all the rest."""
        m, amiss = self.start[:], 0
        for seat, choice in draft.steps:
            amiss += choice not in self._choices(m, seat)
            self._take(m, seat, choice)
        return amiss

    def _take(self, m: Buffer, seat: int | None, choice: Choice) -> None:
        if seat is None:
            self.asked.take_outcome(m, choice[0])
        else:
            self.asked.take(m, choice, seat)

    def _apart(self, m: Buffer) -> int:
        """In how much the viewer would see something else than it does."""
        looks = State(self.game, list(m), 0, None, None, ()).view(self.viewer)
        pairs = zip(but_for_mode(looks.masked), but_for_mode(self.view.masked), strict=True)
        apart = sum(one != other for one, other in pairs)
        return apart or int(not looks_alike(looks, self.view))


def looks_alike(view: View, other: View) -> bool:
    """Whether a viewer could not tell one from the other."""
    if but_for_mode(view.masked) != but_for_mode(other.masked):
        return False
    return _told(view) == _told(other) or view.as_data() == other.as_data()


def _told(view: View) -> tuple[object, ...]:
    """All that the data of a view are made of."""
    told = view.moves, view.to_act, view.is_over, view.winners, view.losers, view.scores
    return *told, *but_for_mode(view.table)


def but_for_mode(cells: tuple[int, ...]) -> tuple[int, ...]:
    """Games that are told again stop at chance."""
    return cells[:MODE] + cells[MODE + 1 :]

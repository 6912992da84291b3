"""Not going to and fro: of options that look equally good, a bot leaves those that lead back.

A search sees no harm in a step that can be undone: the games after it come out the same. So whoever
plays remembers where the seat has been. It led back

- if everything that the seat has changed since an earlier choice is again as it was after that, and
  was not in between. What others have done meanwhile does not matter, nor do numbers that there is
  one of for all, such as that of the round; what somebody has got does;
- within a turn also if only numbers differ and nothing can be chosen that could not be chosen then:
  points for moving are used up, and nothing has come of it. A choice that changes nothing but
  numbers, such as taking something along, makes the way back a way on.

All is worked out from views, in the state that a view is made of (`masked`): it is the same for
all states that look alike to the seat.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from math import sqrt

from interpreter.bots.search import Estimate
from interpreter.embedding import Game, PlayError, State
from interpreter.option import Option
from interpreter.play.buffer import Buffer
from interpreter.program.layout import (
    COUNTER,
    DECIDED,
    KEY,
    MOVES,
    SEALED,
    STEPS,
    TOTAL_STEPS,
)  # fmt: skip
from interpreter.program.once import once_for_each_program
from interpreter.program.program import Program
from interpreter.view.view import View

_CLOCKS = (KEY, COUNTER, STEPS, TOTAL_STEPS, MOVES, DECIDED)  # never the same again
_TRIED = 8  # options that are looked at, the best ones first
_TRIED_AS_MUCH = 3  # times as many games of the best option are no more
_REMEMBERED = 48  # choices that may be undone

Position = tuple[int, ...]


@once_for_each_program
def _numbers(program: Program) -> list[int]:
    """Cells of variables that are numbers."""
    return [
        cell
        for variable in program.layout.variables
        if variable.type.sort == "int"
        for cell in range(variable.address, variable.address + variable.size)
    ]


@once_for_each_program
def _clocks(program: Program) -> list[int]:
    """Cells that tell moments apart at which everything is the same."""
    histories = [each for each in program.layout.variables if each.remembers]
    cells = (range(each.address, each.address + each.size) for each in histories)
    return [*_CLOCKS, *(cell for run in cells for cell in run)]


@once_for_each_program
def _passing(program: Program) -> list[int]:
    """Cells that go on by themselves, and in which nobody can get anything."""
    common = [
        each.address
        for each in program.layout.variables
        if each.type.sort == "int" and not each.indexes
    ]
    return [*_clocks(program), *common]


def _without(m: Sequence[int], cells: list[int]) -> Position:
    found = list(m)
    for cell in cells:
        found[cell] = 0
    return tuple(found)


@dataclass(frozen=True, slots=True)
class _Step:
    """A choice of the seat: what it changed, and how everything was after it."""

    changed: frozenset[int]
    after: Position


@dataclass(slots=True)
class Trail:
    """Where a seat has been in one game."""

    game: Game
    moves: int = 0  # when it last chose
    steps: deque[_Step] = field(default_factory=lambda: deque(maxlen=_REMEMBERED))
    expected: Position = ()  # after its last choice, if nobody else does anything
    # Of this turn: where it was, but for numbers, and what it could choose there.
    places: dict[Position, list[frozenset[str]]] = field(default_factory=dict)
    here: Position = ()

    def best(self, view: View, found: Sequence[Estimate], options: Sequence[Option]) -> Option:
        """The first of these estimates, or if that leads back, one that looks as good. Who goes to
        and fro within a turn gains nothing, so little is asked of another option; in turns one
        after the other it may be all there is to do, so another one must be as well tried."""
        assert view.seat is not None
        self._come_to(view, options)
        chosen: tuple[Option, View | None] | None = None
        for each in found[:_TRIED]:
            if not _may_be_as_good(found[0], each):
                continue
            after = self._after(view, each.option)
            if after is not None and self._leads_back(after):
                continue
            chosen = chosen or (each.option, after)
            if _TRIED_AS_MUCH * each.visits < found[0].visits:
                break
            if after is None or not self._undoes(self._step(view, after)):
                chosen = each.option, after
                break
        if chosen is None:
            chosen = found[0].option, self._after(view, found[0].option)
        self._go(view, chosen[1])
        return chosen[0]

    def follow(self, view: View, option: Option) -> None:
        """It chose what it had to."""
        self._come_to(view, [option])
        self._go(view, self._after(view, option))

    def _come_to(self, view: View, options: Sequence[Option]) -> None:
        program = self.game.program
        if view.moves < self.moves:  # another game
            self.steps.clear()
        self.moves = view.moves
        here = self._place(view.masked)
        went_on = self.expected and self.expected == _without(view.masked, _clocks(program))
        if not went_on or here == self.here:  # where only numbers change, something comes of it
            self.places.clear()
        self.here = here
        could = frozenset(option.text for option in options)
        self.places.setdefault(self.here, []).append(could)

    def _place(self, m: Sequence[int]) -> Position:
        program = self.game.program
        return _without(m, _clocks(program) + _numbers(program))

    def _after(self, view: View, option: Option) -> View | None:
        """How it looks after an option, if that is certain."""
        masked: Buffer = list(view.masked)
        try:
            after = State(self.game, masked, 0, None, None, ()).apply(option, view.seat)
            certain = after.buffer[COUNTER] == masked[COUNTER] and not after.buffer[SEALED]
            return after.view(view.seat) if certain and not after.is_over else None
        except (PlayError, ValueError):
            return None

    def _leads_back(self, after: View) -> bool:
        """Whether it has been there in this turn, and has got nothing since."""
        place = self._place(after.masked)
        if after.seat not in after.to_act or place == self.here or place not in self.places:
            return False
        state = State(self.game, list(after.masked), 0, None, None, ())
        could = frozenset(option.text for option in state.options(after.seat))
        return any(could <= before for before in self.places[place])

    def _step(self, view: View, after: View) -> _Step:
        before, then = (
            _without(each.masked, _passing(self.game.program)) for each in (view, after)
        )
        pairs = enumerate(zip(before, then, strict=True))
        return _Step(frozenset(cell for cell, (was, now) in pairs if was != now), then)

    def _undoes(self, step: _Step) -> bool:
        """Whether all that was changed since an earlier step would be as it was after that."""
        own, since = set(step.changed), list[_Step]()
        for earlier in reversed(self.steps):
            then = earlier.after
            if all(step.after[cell] == then[cell] for cell in own) and any(
                each.after[cell] != then[cell] for each in since for cell in own
            ):
                return True
            own |= earlier.changed
            since.append(earlier)
        return False

    def _go(self, view: View, after: View | None) -> None:
        """What cannot be known before may have brought something, so nothing is undone by it."""
        self.expected = ()
        if after is None:
            self.steps.clear()
        else:
            self.expected = _without(after.masked, _clocks(self.game.program))
            self.steps.append(self._step(view, after))


def _may_be_as_good(best: Estimate, other: Estimate) -> bool:
    """Whether so few games cannot tell that it is worse, 95 % of the time."""
    doubt = 1.96 * sqrt(sum(0.25 / max(1, each.visits) for each in (best, other)))
    return other.value >= best.value - doubt

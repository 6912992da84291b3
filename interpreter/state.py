"""A moment of a game: who may choose, what, what they see, and what comes of it.

The examples of this module go on from those of `embedding.py`: `game` is the game told there, and
`state` its start.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from interpreter import limits
from interpreter.breakdown import PlayError
from interpreter.offering import CHANCE_SEAT, options_of, outcomes
from interpreter.option import IllegalOption, Option
from interpreter.play import knowledge
from interpreter.play.buffer import Buffer, Choice
from interpreter.play.failure import Failure
from interpreter.play.memory import Memory
from interpreter.play.step import Step
from interpreter.play.witness import Event
from interpreter.program.layout import CHANCE, MOVES, OVER, STATUS, WINNERS
from interpreter.saving import pack_state
from interpreter.view.happenings import Entry
from interpreter.view.log import log_lines, step_entries
from interpreter.view.standing import names_under_way, phase_of, turn_of
from interpreter.view.taking_back import told_nothing
from interpreter.view.view import View, look
from interpreter.view.why import why_not

if TYPE_CHECKING:  # a game makes states
    from interpreter.embedding import Game


@dataclass(frozen=True, slots=True, eq=False)
class Trail:
    """The decisions so far, last to first."""

    before: Trail | None
    decision: tuple[int, Option]
    kept: int  # numbers held by the states that can still be gone back to


@dataclass(slots=True, eq=False)
class State:
    """A moment of a game. It is a value: nothing that is done with it changes it.

    >>> state.seats_to_act, state.is_over
    ((0,), False)
    >>> state.apply("pass").seats_to_act
    (1,)
    """

    game: Game
    buffer: Buffer
    seed: int
    previous: State | None
    decision: tuple[int, Option] | None  # seat and option that led here
    events: tuple[Event, ...]
    choice: Choice = ()  # the decision as the machine takes it
    trail: Trail | None = field(default=None, repr=False)
    memory: Memory | None = field(default=None, repr=False)  # where hidden pieces may lie
    _options: dict[int, dict[Option, Choice]] = field(default_factory=dict)
    told: dict[int, list[Entry]] = field(default_factory=dict, repr=False)  # of the log, by viewer

    # ---- whose decision

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.buffer[STATUS] == OVER

    @property
    def is_chance(self) -> bool:
        """Whether chance is to be decided by `apply`: only in games with `explicit_chance`."""
        return self.buffer[STATUS] == CHANCE

    @property
    def seats_to_act(self) -> tuple[int, ...]:
        """The seats (from 0) that may act now; several while choices are sealed."""
        return self.game.machine.seats_to_act(self.buffer)

    @property
    def under_way(self) -> tuple[str, ...]:
        """What the rules are doing, by the names of procedures and phases, the outermost first:
        `("play", "labour", "resolve")`."""
        return names_under_way(self.game.program, self.buffer)

    @property
    def phase(self) -> str:
        """The phase the game is in: what `play` is doing. Empty when it is over.

        >>> state.phase, state.turn
        ('play', 0)
        """
        return phase_of(self.under_way)

    @property
    def turn(self) -> int | None:
        """Whose turn it is, where the rules go on in `turns`; None elsewhere. Who may act is
        said by `seats_to_act`: that need not be the same seat."""
        return turn_of(self.game.program, self.buffer)

    @property
    def moves(self) -> int:
        """How many choices have been made by those who were asked; a single option is no choice."""
        return self.buffer[MOVES]

    # ---- options

    def options(self, seat: int | None = None) -> list[Option]:
        """What a seat may choose, in canonical order; nothing if it is not to act. `seat` is
        needed only when several may act; then the first of them is taken by default.

        >>> for option in state.options():
        ...     print(option.text, "|", option.words)
        buy(price: 1) | buy a lamp for 1
        buy(price: 2) | buy a lamp for 2
        buy(price: 3) | buy a lamp for 3
        pass | pass
        """
        seats = self.seats_to_act
        if not seats or (seat is not None and seat not in seats):
            return []
        who = seats[0] if seat is None else seat
        if who not in self._options:
            try:
                self._options[who] = options_of(self.game, self.buffer, who)
            except Failure as failure:
                raise PlayError(self.game.problem(failure, self.moves, self.seed)) from None
        return list(self._options[who])

    def choices(self, seat: int) -> dict[Option, Choice]:
        """The options of a seat with what the machine takes for each."""
        self.options(seat)
        return self._options.get(seat, {})

    def seen_by_chooser(self, seat: int) -> Buffer:
        """The buffer a seat's options refer to: while sealed, with its own choices made."""
        return self.game.machine.seen_by_chooser(self.buffer, seat)

    def apply(self, option: Option | str, seat: int | None = None) -> State:
        """The state after an option (or a chance outcome) is taken, by itself or by its text.
        Raises IllegalOption if it is not offered.

        >>> state.apply("buy(price: 2)").view()["money"]
        {0: 3, 1: 5}
        >>> state.apply("buy(price: 7)")
        Traceback (most recent call last):
        interpreter.option.IllegalOption: `buy(price: 7)` is not offered here
        """
        wanted = self.game.option(option) if isinstance(option, str) else option
        if self.is_chance:
            return self._apply_outcome(wanted)
        seats = self.seats_to_act
        if seat is None:
            seat = wanted.seat if wanted.seat in seats else (seats[0] if seats else None)
        for offered in self.options(seat):
            if offered == wanted and seat is not None:
                return self._take(offered, self._options[seat][offered], seat)
        raise IllegalOption(f"`{wanted}` is not offered here")

    def _take(self, option: Option, choice: Choice, seat: int) -> State:
        copy, memory = self.buffer.copy(), self._memory()
        with self.game.noting(self.moves + 1, self.seed, memory) as events:
            self.game.machine.take(copy, choice, seat)
        return self._next(copy, (seat, option), tuple(events), choice, memory)

    def _memory(self) -> Memory | None:
        return None if self.memory is None else self.memory.copy_at(self.buffer)

    def _next(
        self,
        buffer: Buffer,
        decision: tuple[int, Option],
        events: tuple[Event, ...],
        choice: Choice,
        memory: Memory | None,
    ) -> State:
        """The state after this one. When the states before take too much memory they are let
        go, and undo and the log reach back no further."""
        kept = self.trail.kept if self.trail is not None else 0
        kept += len(buffer) + sum(len(event.before) for event in events)
        previous = self
        if kept > limits.HISTORY_NUMBERS:
            previous, kept = replace(self, previous=None), 0
        trail = Trail(self.trail, decision, kept)
        return State(
            self.game, buffer, self.seed, previous, decision, events, choice, trail, memory
        )

    # ---- chance

    def chance_outcomes(self) -> list[Option]:
        """At a stop for chance: each outcome with its exact `weight` out of `total`, the die, the
        variable or the place it is `about`, and the `value` that comes.

        >>> for each in game.start(explicit_chance=True).chance_outcomes():
        ...     print(each.about, each.value, each.weight, "in", each.total)
        pile copper 2 in 5
        pile silver 2 in 5
        pile gold 1 in 5
        """
        return list(self._outcomes())

    def _outcomes(self) -> dict[Option, int]:
        if not self.is_chance:
            return {}
        return outcomes(self.game.machine, self.buffer)

    def _apply_outcome(self, option: Option) -> State:
        for outcome, value in self._outcomes().items():
            if outcome == option:
                copy, memory = self.buffer.copy(), self._memory()
                with self.game.noting(self.moves, self.seed, memory) as events:
                    self.game.machine.take_outcome(copy, value)
                decision = (CHANCE_SEAT, outcome)
                return self._next(copy, decision, tuple(events), (), memory)
        raise IllegalOption(f"`{option}` is no outcome of this chance")

    # ---- the end

    @property
    def scores(self) -> tuple[int, ...]:
        """What everybody has at the end; empty before."""
        start = self.game.program.layout.scores
        return tuple(self.buffer[start : start + self.game.players]) if self.is_over else ()

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats that have won; empty before the end, and after a draw."""
        if not self.is_over:
            return ()
        return tuple(s for s in range(self.game.players) if self.buffer[WINNERS] >> s & 1)

    @property
    def losers(self) -> tuple[int, ...]:
        """Whoever has not won; nobody after a draw."""
        if not self.is_over or not self.buffer[WINNERS]:
            return ()
        return tuple(s for s in range(self.game.players) if not self.buffer[WINNERS] >> s & 1)

    # ---- looking, saving, going back

    def view(self, seat: int | None = None) -> View:
        """What a seat may see; without a seat, what a spectator may see.

        >>> state.view(0)["hand"][0].names, state.view(1)["hand"][0].names
        (('copper',), (None,))
        """
        self.game.check_seat(seat)
        return look(self.game.machine, self.buffer, seat, self.memory, self._story(seat))

    def _story(self, seat: int | None) -> tuple[str, ...] | None:
        """All that a viewer has seen since the start, where states are imagined by it."""
        if not self.game.keeps_secrets:
            return None
        *_, first = self._path()
        if first.buffer[MOVES] or first.memory is None:
            return None  # the beginning is not known, or not known any more
        return tuple(entry.text for entry in self.entries(seat))

    def log(self, seat: int | None = None) -> list[str]:
        """What has happened so far, as a seat (or a spectator) has seen it.

        >>> for line in state.apply("buy(price: 2)").log(1):
        ...     print(line)
        P1 draws a lamp from the pile
        P2 draws gold from the pile
        P1: buy a lamp for 2
        P1 draws a lamp from the pile
        """
        self.game.check_seat(seat)
        return log_lines(self.entries(seat))

    def entries(self, seat: int | None) -> list[Entry]:
        """The log with all that counts, also where there are no words for it. What is found out
        for one state is kept for those after it."""
        viewer = knowledge.SPECTATOR if seat is None else seat
        path = list(self._path())
        for state in path:
            if viewer not in state.told:
                state.told[viewer] = step_entries(self.game.machine, state.steps_back(), viewer)
        return [entry for state in reversed(path) for entry in state.told[viewer]]

    def why_not(self, seat: int, text: str | None = None) -> list[str]:
        """Why a seat is not offered what it has typed, or else what it is not offered at all.

        >>> poor = game.position("P1.money := 1")
        >>> poor.why_not(0, "buy(price: 2)")
        ['buy a lamp for ...: `when me.money >= price` does not hold (rules:15)']
        """
        return why_not(self.game.machine, self.buffer, seat, text, self.game.written)

    @property
    def step(self) -> Step:
        """How the game came here from the stop before."""
        before = None if self.previous is None else self.previous.buffer
        seat = CHANCE_SEAT if self.decision is None else self.decision[0]
        return Step(before, seat, self.choice, self.events, self.buffer)

    def steps_back(self) -> Iterator[Step]:
        """How the game came here from its start, last to first, as far as that is kept."""
        return (each.step for each in self._path())

    def _path(self) -> Iterator[State]:
        """This state and those that led to it, as far as they are kept, last to first."""
        here: State | None = self
        while here is not None:
            yield here
            here = here.previous

    def with_values(self, values: Mapping[str, Any]) -> State:
        """The same moment with other values of variables: `{"money": {0: 6000}, "lap": 2}`. What
        has to do with pieces is for `game.position`. The past is not part of it.

        >>> state.with_values({"money": {0: 2}}).view()["money"]
        {0: 2, 1: 5}
        """
        from interpreter.position import with_values

        return with_values(self, values)

    def save(self) -> bytes:
        """The state as bytes, for `Game.restore`."""
        return pack_state(self.game.program, self.buffer, self.seed)

    @property
    def can_undo(self) -> bool:
        """Whether the last decision may be taken back: it called for no chance, told nobody
        anything hidden, and nobody else has acted since."""
        return told_nothing(self.game.program, self.step)

    def undo(self) -> State:
        """The state before the last decision, if that may be taken back; ValueError if not.

        >>> state.apply("pass").undo() == state
        True
        >>> state.apply("buy(price: 2)").can_undo  # it has drawn a lamp
        False
        """
        if not self.can_undo or self.previous is None:
            raise ValueError("this decision cannot be taken back: something was revealed by it")
        return self.previous

    def history(self) -> list[tuple[int, Option]]:
        """Every decision (and explicit chance outcome) that led here, first to last.

        >>> [(seat, option.text) for seat, option in state.apply("pass").history()]
        [(0, 'pass')]
        """
        found: list[tuple[int, Option]] = []
        trail = self.trail
        while trail is not None:
            found.append(trail.decision)
            trail = trail.before
        return found[::-1]

    def broken_invariants(self) -> list[str]:
        """Every `always` of the rules that does not hold here, in the rules' own words."""
        holds = self.game.machine.evaluate
        always = self.game.program.always
        return [text for function, text, _ in always if not holds(self.buffer, function, [])]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, State) and other.buffer == self.buffer

    def __hash__(self) -> int:
        return hash(tuple(self.buffer))

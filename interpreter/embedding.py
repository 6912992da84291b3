"""The engine for other programs: load a game, start it, look at it, apply options.

    import interpreter
    game = interpreter.load("rulesets/classics/ticTacToe.rules")
    state = game.start(seed=1)
    while not state.is_over:
        state = state.apply(state.options()[0])
    print(state.scores)

States are values: applying an option gives a new one and leaves the old as it was.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from interpreter import limits
from interpreter.breakdown import PlayError, problem_of
from interpreter.offering import CHANCE_SEAT, options_of, outcomes
from interpreter.option import IllegalOption, Option, read_option
from interpreter.pipeline import build
from interpreter.play import knowledge, words
from interpreter.play.buffer import Buffer, Choice
from interpreter.play.failure import Failure
from interpreter.play.machine import Machine
from interpreter.play.memory import Memory
from interpreter.play.step import Step
from interpreter.play.witness import Event
from interpreter.program.layout import (
    ASK_WHEN_FORCED,
    CHANCE,
    MOVES,
    OVER,
    STATUS,
    STOP_AT_CHANCE,
    WINNERS,
)  # fmt: skip
from interpreter.program.program import Program
from interpreter.reading import Rules, read_rules, read_text
from interpreter.report.problem import Problem, RulesError
from interpreter.saving import pack_state, unpack_state
from interpreter.tree.declarations import Function
from interpreter.view.happenings import Entry
from interpreter.view.log import log_lines, step_entries
from interpreter.view.standing import names_under_way, phase_of, turn_of
from interpreter.view.taking_back import told_nothing
from interpreter.view.view import View, look
from interpreter.view.why import Written, why_not

if TYPE_CHECKING:
    from interpreter.play.native.engine import Engine, Result

Backend = Literal["reference", "native", "auto"]


class Game:
    """A ruleset made ready for one number of players and one set of options."""

    def __init__(
        self, program: Program, rules: Rules | None = None, backend: Backend = "auto"
    ) -> None:
        self.program, self.rules = program, rules
        self.backend: Backend = backend
        self.machine = Machine(program)
        self._native: Engine | None = None
        self.plain_words = lru_cache(maxsize=4096)(partial(words.plain_words, program))
        self.keeps_secrets = knowledge.keeps_secrets(program)

    @property
    def title(self) -> str:
        return self.program.title

    @property
    def players(self) -> int:
        return self.program.players

    @property
    def options(self) -> dict[str, str | int]:
        """The options the game was loaded with, defaults included."""
        return dict(self.program.options)

    @property
    def written(self) -> Written:
        """What the rules and their rulebook say, for whoever asks why."""
        if self.rules is None:
            return Written()
        functions = [each for each in self.rules.declarations if isinstance(each, Function)]
        by_name = {each.name: each for each in functions}
        return Written(self.rules.sources, self.rules.clauses, by_name)

    @property
    def rules_hash(self) -> str:
        return self.program.rules_hash

    @property
    def native(self) -> Engine | None:
        """The game as machine code, compiled when it is first asked for; None without it."""
        if self._native is None and self.backend != "reference":
            from interpreter.play.native.backend import find_engine

            self._native = find_engine(self.program)
            if self._native is None:
                self.backend = "reference"
        return self._native

    def playouts(self, seeds: Sequence[int], threads: int = 1) -> list[Result]:
        """How random games end, one for each seed: the same on every backend."""
        from interpreter.play.native.engine import check_seeds, check_threads
        from interpreter.play.native.simulate import playouts

        check_seeds(seeds)
        check_threads(threads)
        return playouts(self.machine, self.native, seeds, threads)

    def start(
        self, seed: int = 0, *, explicit_chance: bool = False, ask_when_forced: bool = False
    ) -> State:
        """A new game. With `explicit_chance` it stops at every chance event that can come out in
        more than one way, for `chance_outcomes`; a single outcome is taken without a stop. With
        `ask_when_forced` single options are asked for too."""
        mode = STOP_AT_CHANCE * explicit_chance + ASK_WHEN_FORCED * ask_when_forced
        memory = Memory(self.program)
        with self.noting(0, seed, memory) as events:
            buffer = self.machine.start(seed, mode)
        memory.begin(buffer)
        return State(self, buffer, seed, None, None, tuple(events), memory=memory)

    def check_seat(self, seat: int | None) -> None:
        """Raises ValueError unless it is a seat, or None for a spectator."""
        if seat is not None and seat not in range(self.players):
            raise ValueError(f"there is no seat {seat}: seats are 0 to {self.players - 1}")

    def option(self, text: str) -> Option:
        """The option a text names; whether it is offered is a state's business."""
        return read_option(text)

    @property
    def scenarios(self) -> list[str]:
        """The titles of the scenarios that come with the rules."""
        return [each.title for each in self.rules.scenarios] if self.rules else []

    def scenario(self, title: str, *, explicit_chance: bool = False, played: bool = False) -> State:
        """Where a scenario begins; with `played`, where its steps lead. It says itself how many
        play and with which options, so the state has a game of its own. Raises KeyError for a
        title that is not among `scenarios`."""
        from interpreter.position import from_scenario

        if self.rules is None:
            raise KeyError(f"there is no scenario `{title}`: this game came without its rules")
        return from_scenario(self.rules, title, explicit_chance, played)

    def position(
        self, given: str, *, run: str = "play", seed: int = 1, explicit_chance: bool = False
    ) -> State:
        """A position after the setup, made by lines as they stand in a scenario after `given`
        (`P1.money := 6000`), and what is played from there. Raises RulesError if the lines have
        mistakes. The state has a game of its own."""
        from interpreter.position import from_lines

        if self.rules is None:
            raise ValueError("this game came without its rules, so nothing can be said in them")
        return from_lines(self, given, run, seed, explicit_chance)

    def restore(self, data: bytes) -> State:
        """A state from `State.save`. Its past, and with it undo, is not part of it. Raises
        ValueError for bytes that this game cannot have saved."""
        buffer, seed = unpack_state(self.program, data)
        state = State(self, buffer, seed, None, None, ())
        try:
            stuck = any(not state.options(seat) for seat in state.seats_to_act)
        except PlayError:
            stuck = False  # the rules break down here, which is told to whoever asks
        except (Failure, LookupError, AssertionError):
            stuck = True
        if stuck:
            raise ValueError("this is no state that was saved: nobody can go on from it")
        return state

    @contextmanager
    def noting(self, moves: int, seed: int, memory: Memory | None = None) -> Iterator[list[Event]]:
        """What the machine does meanwhile is noted for the log, and what is lost track of in a
        memory; a failure is told as a problem."""
        events: list[Event] = []
        self.machine.events, self.machine.memory = events, memory
        try:
            yield events
        except Failure as failure:
            raise PlayError(self.problem(failure, moves, seed)) from None
        finally:
            self.machine.events = self.machine.memory = None

    def problem(self, failure: Failure, moves: int, seed: int) -> Problem:
        """A failure while playing, told with its place and how to see it again."""
        name = self.rules.name if self.rules else self.title
        spent = failure.spent_by(self.machine.spending.most(self.program))
        return problem_of(spent, self.program, name, moves, seed)


@dataclass(frozen=True, slots=True, eq=False)
class Trail:
    """The decisions so far, last to first."""

    before: Trail | None
    decision: tuple[int, Option]
    kept: int  # numbers held by the states that can still be gone back to


@dataclass(slots=True, eq=False)
class State:
    """A moment of a game."""

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
        return self.buffer[STATUS] == OVER

    @property
    def is_chance(self) -> bool:
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
        """The phase the game is in: what `play` is doing. Empty when it is over."""
        return phase_of(self.under_way)

    @property
    def turn(self) -> int | None:
        """Whose turn it is, where the rules go on in `turns`; None elsewhere. Who may act is
        said by `seats_to_act`: that need not be the same seat."""
        return turn_of(self.game.program, self.buffer)

    @property
    def moves(self) -> int:
        return self.buffer[MOVES]

    # ---- options

    def options(self, seat: int | None = None) -> list[Option]:
        """What a seat may choose, in canonical order; nothing if it is not to act. `seat` is
        needed only when several may act; then the first of them is taken by default."""
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
        """The state after an option (or a chance outcome) is taken."""
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
        variable or the place it is `about`, and the `value` that comes."""
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
        start = self.game.program.layout.scores
        return tuple(self.buffer[start : start + self.game.players]) if self.is_over else ()

    @property
    def winners(self) -> tuple[int, ...]:
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
        """What a seat may see; without a seat, what a spectator may see."""
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
        """What has happened so far, as a seat (or a spectator) has seen it."""
        self.game.check_seat(seat)
        return log_lines(self.entries(seat))

    def entries(self, seat: int | None) -> list[Entry]:
        """The log with all that counts, also where there are no words for it. What is found out
        for one state is kept for those after it."""
        viewer = knowledge.SPECTATOR if seat is None else seat
        path = list(self._path())
        for state in path:
            if viewer not in state.told:
                story = (each.step for each in state._path())
                state.told[viewer] = step_entries(self.game.machine, story, viewer)
        return [entry for state in reversed(path) for entry in state.told[viewer]]

    def why_not(self, seat: int, text: str | None = None) -> list[str]:
        """Why a seat is not offered what it has typed, or else what it is not offered at all."""
        return why_not(self.game.machine, self.buffer, seat, text, self.game.written)

    @property
    def step(self) -> Step:
        """How the game came here from the stop before."""
        before = None if self.previous is None else self.previous.buffer
        seat = CHANCE_SEAT if self.decision is None else self.decision[0]
        return Step(before, seat, self.choice, self.events, self.buffer)

    def _path(self) -> Iterator[State]:
        """This state and those that led to it, as far as they are kept, last to first."""
        here: State | None = self
        while here is not None:
            yield here
            here = here.previous

    def with_values(self, values: Mapping[str, Any]) -> State:
        """The same moment with other values of variables: `{"money": {0: 6000}, "lap": 2}`. What
        has to do with pieces is for `game.position`. The past is not part of it."""
        from interpreter.position import with_values

        return with_values(self, values)

    def save(self) -> bytes:
        return pack_state(self.game.program, self.buffer, self.seed)

    @property
    def can_undo(self) -> bool:
        """Whether the last decision may be taken back: it called for no chance, told nobody
        anything hidden, and nobody else has acted since."""
        return told_nothing(self.game.program, self.step)

    def undo(self) -> State:
        """The state before the last decision, if that may be taken back."""
        if not self.can_undo or self.previous is None:
            raise ValueError("this decision cannot be taken back: something was revealed by it")
        return self.previous

    def history(self) -> list[tuple[int, Option]]:
        """Every decision (and explicit chance outcome) that led here, first to last."""
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


def load(
    path: str | Path,
    players: int | None = None,
    options: dict[str, str | int] | None = None,
    backend: Backend = "auto",
) -> Game:
    """Load a rule file. Raises RulesError with all problems if it has errors.

    Single steps, with their log, are taken by the reference machine, which starts at once;
    simulation is native code, compiled on demand, unless the backend is `reference`."""
    return _game(read_rules(path), players, options, backend)


def load_text(
    text: str,
    players: int | None = None,
    options: dict[str, str | int] | None = None,
    backend: Backend = "auto",
) -> Game:
    return _game(read_text(text), players, options, backend)


def _game(
    rules: Rules, players: int | None, options: dict[str, str | int] | None, backend: Backend
) -> Game:
    number = rules.players[0] if players is None else players
    program, problems = build(rules, number, options)
    if program is not None:
        return Game(program, rules, backend)
    raise RulesError([p for p in problems if p.severity == "error"])


__all__ = ["Game", "IllegalOption", "Option", "PlayError", "State", "load", "load_text"]

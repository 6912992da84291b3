"""The engine for other programs: load a game, start it, look at it, apply options.

    >>> import interpreter
    >>> game = interpreter.load_text('''
    ... game "Lamps"
    ... players 2
    ... kind Lamp: copper 2, silver 2, gold
    ... the game has
    ...     pile: stack of Lamp, holds all
    ... each player has
    ...     money: 0..9 = 5
    ...     hand: hand of Lamp
    ... setup
    ...     shuffle pile
    ...     draw 1 from pile to P1.hand
    ...     draw 1 from pile to P2.hand
    ... action buy(price in 1..3) "buy a lamp for {price}"
    ...     when me.money >= price
    ...     me.money := me.money - price
    ...     draw 1 from pile to me.hand
    ... play
    ...     turns
    ...         me may choose buy
    ...         if number of pile = 0
    ...             end game
    ... score p: number of p.hand + p.money
    ... ''')
    >>> state = game.start(seed=1)
    >>> after = state.apply("buy(price: 2)")
    >>> while not after.is_over:
    ...     after = after.apply(after.options()[0])
    >>> after.scores, after.winners
    ((5, 6), (1,))

States are values: applying an option gives a new one and leaves the old as it was. All examples in
the texts of `Game`, `State`, `Option` and `View` go on from this `game` and this `state`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache, lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from interpreter.amending import amend
from interpreter.breakdown import PlayError, problem_of
from interpreter.offering import plain_option
from interpreter.option import IllegalOption, Option, read_option
from interpreter.pipeline import build
from interpreter.play import knowledge, words
from interpreter.play.failure import Failure
from interpreter.play.machine import Machine
from interpreter.play.memory import Memory
from interpreter.play.witness import Event
from interpreter.program.layout import ASK_WHEN_FORCED, STOP_AT_CHANCE
from interpreter.program.program import Program
from interpreter.reading import Rules, read_rules, read_text
from interpreter.report.problem import Problem, RulesError
from interpreter.saving import unpack_state
from interpreter.state import State
from interpreter.tree.declarations import Function
from interpreter.view.why import Written

if TYPE_CHECKING:
    from interpreter.play.native.engine import Engine, Result

Backend = Literal["reference", "native", "auto"]


class Game:
    """A ruleset made ready for one number of players and one set of options.

    >>> game.title, game.players
    ('Lamps', 2)
    """

    def __init__(
        self, program: Program, rules: Rules | None = None, backend: Backend = "auto"
    ) -> None:
        self.program, self.rules = program, rules
        self.backend: Backend = backend
        self.machine = Machine(program)
        self._native: Engine | None = None
        self.plain_words = lru_cache(maxsize=4096)(partial(words.plain_words, program))
        self.plain_option = lru_cache(maxsize=4096)(partial(plain_option, program))
        # Where games that are told again begin (`imagination.py`), if single options are asked for.
        self.told_start = cache(
            lambda forced: self.start(explicit_chance=True, ask_when_forced=forced)
        )
        self.keeps_secrets = knowledge.keeps_secrets(program)

    @property
    def title(self) -> str:
        """What the game is called."""
        return self.program.title

    @property
    def players(self) -> int:
        """How many play. Their seats are numbers from 0."""
        return self.program.players

    @property
    def options(self) -> dict[str, str | int]:
        """The options the game was loaded with, defaults included.

        >>> short = interpreter.load_text('''
        ... game "Count"
        ... players 1
        ... option goal: 5..50 = 20
        ... play
        ...     P1 chooses n in 1..goal
        ... ''', options={"goal": 5})
        >>> short.options
        {'goal': 5}
        """
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
        """The same for the same rules only. Records and bots say by it what they are for."""
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

    def load_native_anew(self) -> None:
        """For a process that was copied: native code works in memory that both would share."""
        self._native = None

    def playouts(self, seeds: Sequence[int], threads: int = 1) -> list[Result]:
        """How random games end, one for each seed: the same on every backend.

        >>> [result.scores for result in game.playouts(range(3))]
        [(4, 5), (3, 6), (5, 5)]
        """
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
        `ask_when_forced` single options are asked for too.

        >>> game.start(seed=1) == game.start(seed=1)
        True
        >>> game.start(seed=1, explicit_chance=True).is_chance
        True
        """
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
        """The option a text names; whether it is offered is a state's business.

        >>> game.option("buy( price:2 )").text
        'buy(price: 2)'
        """
        return read_option(text)

    @property
    def scenarios(self) -> list[str]:
        """The titles of the scenarios that come with the rules: none do with a text.

        >>> game.scenarios
        []
        """
        return [each.title for each in self.rules.scenarios] if self.rules else []

    def scenario(self, title: str, *, explicit_chance: bool = False, played: bool = False) -> State:
        """Where a scenario begins; with `played`, where its steps lead. It says itself how many
        play and with which options, so the state has a game of its own. Raises KeyError for a
        title that is not among `scenarios`.

        >>> game.scenario("Nobody has written this")
        Traceback (most recent call last):
        KeyError: ...
        """
        from interpreter.position import from_scenario

        if self.rules is None:
            raise KeyError(f"there is no scenario `{title}`: this game came without its rules")
        return from_scenario(self.rules, title, explicit_chance, played)

    def position(
        self, given: str, *, run: str = "play", seed: int = 1, explicit_chance: bool = False
    ) -> State:
        """A position after the setup, made by lines as they stand in a scenario after `given`
        (`P1.money := 6000`), and what is played from there. Raises RulesError if the lines have
        mistakes. The state has a game of its own.

        >>> poor = game.position("P1.money := 1")
        >>> [option.text for option in poor.options()]
        ['buy(price: 1)', 'pass']
        """
        from interpreter.position import from_lines

        if self.rules is None:
            raise ValueError("this game came without its rules, so nothing can be said in them")
        return from_lines(self, given, run, seed, explicit_chance)

    def restore(self, data: bytes) -> State:
        """A state from `State.save`. Its past, and with it undo, is not part of it. Raises
        ValueError for bytes that this game cannot have saved.

        >>> game.restore(state.save()) == state
        True
        """
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


def load(
    path: str | Path,
    players: int | None = None,
    options: dict[str, str | int] | None = None,
    backend: Backend = "auto",
    settings: Sequence[str] = (),
) -> Game:
    """Load a rule file. Raises RulesError with all problems if it has errors. `settings` set
    constants and values of the data otherwise than the files say, as `--set` does.

    Single steps, with their log, are taken by the reference machine, which starts at once;
    simulation is native code, compiled on demand, unless the backend is `reference`.

    >>> interpreter.load("rulesets/classics/connectFour.rules").players
    2
    """
    rules = read_rules(path)
    amend(rules, settings)
    return _game(rules, players, options, backend)


def load_text(
    text: str,
    players: int | None = None,
    options: dict[str, str | int] | None = None,
    backend: Backend = "auto",
) -> Game:
    """The same for rules in a string, which have no data files beside them.

    >>> load_text('game "Wrong"\\nplayers 2\\nplay\\n    wait\\n')
    Traceback (most recent call last):
    interpreter.report.problem.RulesError: ...
    """
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

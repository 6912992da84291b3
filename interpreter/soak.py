"""Random games with every test on: what is wrong with the rules, or with us, shows sooner or later.

After every decision: every piece lies in one place and every value in its range, each `always`
of the rules holds, and somebody has a real choice. After every game: it ended within what the
rules promise, and its decisions played again lead to the very same state.

With native code many games can be played of which only some are tested at every step; of the
others it is known that they end, when, and that the last state is sound, and the tested ones must
end in the same state on both machines.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from dataclasses import dataclass

from interpreter.embedding import Game
from interpreter.model.seats import seat_name
from interpreter.pipeline import build
from interpreter.play import words
from interpreter.play.buffer import Buffer, Choice
from interpreter.play.chance import Stream
from interpreter.play.failure import Failure
from interpreter.play.verify import check_buffer
from interpreter.program.layout import MENU, OVER, STATUS
from interpreter.reading import Rules
from interpreter.report.problem import RulesError
from interpreter.variants import Variant

_THREADS = 2


@dataclass(frozen=True, slots=True)
class Soaked:
    """One game that was played: how many decisions it had, and what was wrong with it."""

    seed: int
    moves: int
    faults: tuple[str, ...]


def soak(rules: Rules, variant: Variant, games: int, seed: int, every: int = 1) -> Iterator[Soaked]:
    """Play games with the seeds from `seed` on; test one in `every` at each step."""
    program, problems = build(rules, variant.players, variant.options)
    if program is None:
        raise RulesError([problem for problem in problems if problem.severity == "error"])
    game = Game(program, rules)
    seeds = range(seed, seed + games)
    engine = game.native if every > 1 else None
    if engine is None:
        yield from (_tested(game, each, None) for each in seeds)
        return
    states = array("q", bytes(8 * engine.size * games))
    results = engine.results(engine.playouts(seeds, _THREADS, states))
    for number, (each, result) in enumerate(zip(seeds, results, strict=True)):
        last = list(states[number * engine.size : (number + 1) * engine.size])
        if number % every == 0:
            yield _tested(game, each, last)
            continue
        run = _Run(game, each)
        if result.failure is not None:
            run.broke(Failure(*result.failure), result.moves)
        else:
            run.look(last)
            run.look_at_length(result.moves)
        yield Soaked(each, result.moves, tuple(run.faults))


def _tested(game: Game, seed: int, last: Buffer | None) -> Soaked:
    """A game tested at each step; `last` is how it ended elsewhere, if it was played there."""
    run = _Run(game, seed)
    try:
        m = run.play()
        if last is not None and not run.faults and m != last:
            run.faults.append("native code leads to another state")
    except Failure as failure:
        run.broke(failure, run.moves)
    return Soaked(seed, run.moves, tuple(run.faults))


class _Run:
    """One game, played on the machine itself: words for people would take most of the time."""

    def __init__(self, game: Game, seed: int) -> None:
        self.game = game
        self.machine = game.machine
        self.program = game.program
        self.seed = seed
        self.streams = [Stream(seed, seat) for seat in range(game.players)]
        self.journal: list[tuple[int, str]] = []
        self.faults: list[str] = []

    @property
    def moves(self) -> int:
        return len(self.journal)

    def play(self) -> Buffer:
        m = self.machine.start(self.seed)
        while m[STATUS] != OVER and not self.faults:
            self.look(m)
            if not self.faults:
                self._decide(m)
        if not self.faults:
            self.look(m)
        self.look_at_length(self.moves)
        if not self.faults and self._again() != m:
            self.faults.append("its journal leads to another state")
        return m

    def broke(self, failure: Failure, moves: int) -> None:
        problem = self.game.problem(failure, moves, self.seed)
        self.faults.append(f"{problem.code} at line {problem.mark.line}: {problem.message}")

    def look_at_length(self, moves: int) -> None:
        most = self.program.most_moves
        if most is not None and moves > most:
            self.faults.append(f"it took {moves} moves, and the rules promise at most {most}")

    def look(self, m: Buffer) -> None:
        """Test a state where somebody is to choose, or that is the last."""
        self.faults += check_buffer(self.program, m)
        for function, text, _ in self.program.always:
            if not self.machine.evaluate(m, function, []):
                self.faults.append(f"this should always hold: {text}")
        if m[STATUS] != OVER and not self.machine.seats_to_act(m):
            self.faults.append("nobody is to choose, and the game is not over")

    def _decide(self, m: Buffer) -> None:
        seat = self.machine.seats_to_act(m)[0]
        seen = self.machine.seen_by_chooser(m, seat)
        options = self.machine.options(m, seat)
        if len(options) < 2 and not self.program.menus[seen[MENU]].asked:
            self.faults.append(f"{seat_name(seat)} is asked and has no choice")
            return
        choice = self.streams[seat].choose(options)
        self.journal.append((seat, self._text(seen, choice)))
        self.machine.take(m, choice, seat)

    def _text(self, m: Buffer, choice: Choice) -> str:
        action = words.entry_action(self.program, m[MENU], choice)
        return words.option_text(self.program, m, action, choice[1:])

    def _again(self) -> Buffer:
        """The journal of a game is its seed and the texts of its decisions."""
        m = self.machine.start(self.seed)
        for seat, text in self.journal:
            seen = self.machine.seen_by_chooser(m, seat)
            options = self.machine.options(m, seat)
            found = [choice for choice in options if self._text(seen, choice) == text]
            if not found:
                self.faults.append(f"`{text}` of its journal is not offered again")
                break
            self.machine.take(m, found[0], seat)
        return m

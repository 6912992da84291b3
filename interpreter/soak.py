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
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

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
from interpreter.report.problem import Problem, RulesError
from interpreter.report.source import Mark
from interpreter.tree import nodes
from interpreter.variants import Variant

_THREADS = 2


@dataclass(frozen=True, slots=True)
class Soaked:
    """One game that was played: how many decisions it had, and what was wrong with it."""

    seed: int
    moves: int
    problems: tuple[Problem, ...]

    @property
    def faults(self) -> tuple[str, ...]:
        """In words, for those who read of the game and not of the rules."""
        return tuple(
            f"{problem.code} at line {problem.mark.line}: {problem.message}"
            for problem in self.problems
        )


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
        yield Soaked(each, result.moves, tuple(run.problems))


def problems_of(rules: Rules, variant: Variant, played: Sequence[Soaked]) -> list[Problem]:
    """What is wrong with the rules: each thing once, with the first game that shows it."""
    first: dict[tuple[str, Mark], tuple[Soaked, Problem]] = {}
    games: Counter[tuple[str, Mark]] = Counter()
    for game in played:
        for key, problem in {(each.code, each.mark): each for each in game.problems}.items():
            first.setdefault(key, (game, problem))
            games[key] += 1
    found: list[Problem] = []
    for key, (game, problem) in first.items():
        where = f"with {variant}, seed {game.seed}, after move {game.moves}"
        often = f"in {games[key]} of {len(played)} games, first {where}"
        options = "".join(f" --option {name}={value}" for name, value in variant.options.items())
        again = f"rulerun soak {rules.name} --players {variant.players}{options} --seed {game.seed}"
        help_ = f"see it again with: {again} --games 1"
        message = f"{problem.message} ({often if games[key] > 1 else where})"
        if problem.help is not None:  # rules that broke down tell all this themselves
            message = problem.message
        found.append(replace(problem, message=message, help=help_))
    return found


def _tested(game: Game, seed: int, last: Buffer | None) -> Soaked:
    """A game tested at each step; `last` is how it ended elsewhere, if it was played there."""
    run = _Run(game, seed)
    try:
        m = run.play()
        if last is not None and not run.problems and m != last:
            run.unsound("native code leads to another state")
    except Failure as failure:
        run.broke(failure, run.moves)
    return Soaked(seed, run.moves, tuple(run.problems))


class _Run:
    """One game, played on the machine itself: words for people would take most of the time."""

    def __init__(self, game: Game, seed: int) -> None:
        assert game.rules is not None  # or there would be no lines to point at
        self.game, self.rules = game, game.rules
        self.machine = game.machine
        self.program = game.program
        self.seed = seed
        self.streams = [Stream(seed, seat) for seat in range(game.players)]
        self.journal: list[tuple[int, str]] = []
        self.problems: list[Problem] = []

    @property
    def moves(self) -> int:
        return len(self.journal)

    def play(self) -> Buffer:
        m = self.machine.start(self.seed)
        while m[STATUS] != OVER and not self.problems:
            self.look(m)
            if not self.problems:
                self._decide(m)
        if not self.problems:
            self.look(m)
        self.look_at_length(self.moves)
        if not self.problems and self._again() != m:
            self.unsound("its journal leads to another state")
        return m

    def broke(self, failure: Failure, moves: int) -> None:
        self.problems.append(self.game.problem(failure, moves, self.seed))

    def unsound(self, fault: str) -> None:
        """Something that no rules can bring about: it is our mistake, and stands at no line."""
        top = Mark.top(self.rules.name)
        self._found("RR839", f"a game is not as it should be: {fault}", top)

    def look_at_length(self, moves: int) -> None:
        most = self.program.most_moves
        if most is not None and moves > most:
            lines = self.rules.declarations
            promise = next(each.mark for each in lines if isinstance(each, nodes.EndsWithin))
            message = f"a game took {moves} moves, and the rules promise at most {most}"
            self._found("RR837", message, promise)

    def look(self, m: Buffer) -> None:
        """Test a state where somebody is to choose, or that is the last."""
        for fault in check_buffer(self.program, m):
            self.unsound(fault)
        for function, text, at in self.program.always:
            if not self.machine.evaluate(m, function, []):
                message = f"this should always hold: {text}"
                self._found("RR836", message, self.program.spots[at].mark)
        if m[STATUS] != OVER and not self.machine.seats_to_act(m):
            self.unsound("nobody is to choose, and the game is not over")

    def _found(self, code: str, message: str, mark: Mark) -> None:
        self.problems.append(Problem(code, message, mark))

    def _decide(self, m: Buffer) -> None:
        seat = self.machine.seats_to_act(m)[0]
        seen = self.machine.seen_by_chooser(m, seat)
        options = self.machine.options(m, seat)
        if len(options) < 2 and not self.program.menus[seen[MENU]].asked:
            self.unsound(f"{seat_name(seat)} is asked and has no choice")
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
                self.unsound(f"`{text}` of its journal is not offered again")
                break
            self.machine.take(m, found[0], seat)
        return m

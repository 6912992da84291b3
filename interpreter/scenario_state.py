"""A scenario that is being run, and what is asked of its state: who decides, what is offered."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from interpreter.embedding import Game, Option, State
from interpreter.model.seats import seat_name
from interpreter.play import words
from interpreter.play.buffer import FOUND
from interpreter.program.layout import CHANCE, OVER, STATUS
from interpreter.program.program import Program, Trial
from interpreter.report.problem import Problem
from interpreter.report.source import Mark
from interpreter.report.whole import read_count
from interpreter.scenario_offers import Failed, Offers
from interpreter.tree import nodes

MOST_TOLD = 12  # options that are told when another was wanted


@dataclass(frozen=True, slots=True)
class Edit:
    """A stretch of a text, and what should stand there."""

    mark: Mark
    text: str


@dataclass(frozen=True, slots=True)
class Amendment:
    """How the line of an expectation that fails would have to be written; without edits, it cannot
    be rewritten."""

    line: Mark
    edits: tuple[Edit, ...]
    problem: Problem = field(compare=False)


@dataclass(slots=True)
class Asking:
    game: Game
    scenario: nodes.Scenario
    trial: Trial
    seed: int | None = None
    begun: bool = False  # whether something has been run
    came: list[str] = field(default_factory=list)  # outcomes without an alternative, lately
    drawn: int = 0  # numbers taken from the stream of the seed
    waiting: list[nodes.Decision | nodes.Outcome] = field(default_factory=list)
    amendments: list[Amendment] | None = None  # where they are wanted, those found so far
    state: State = field(init=False)

    @property
    def program(self) -> Program:
        return self.game.program

    @property
    def title(self) -> str:
        return self.scenario.title

    def _seat(self, name: str, mark: Mark) -> int:
        number = (read_count(name[1:]) or 0) if name[:1] == "P" else 0
        if not 1 <= number <= self.game.players:
            seats = ", ".join(seat_name(seat) for seat in range(self.game.players))
            message = f"there is no seat `{name}`: the seats are {seats}"
            most = number if self.game.rules is None else self.game.rules.players[1]
            help_ = f"say `players {number}` above to have more of them" if number else None
            if number > most:
                help_ = f"this game has at most {most} seats: P1 to P{most}"
            raise Failed("RR272", message, self._word(name, mark), help_)
        return number - 1

    def _asked(self, name: str, mark: Mark, code: str = "RR272") -> Offers:
        """The choice of a seat that is asked now; to say anything of another would be empty."""
        seat = self._seat(name, mark)
        if seat not in self.state.seats_to_act:
            message = f"{name} is not asked here: {self._pending()}"
            raise Failed(code, message, self._word(name, mark), self._asked_help())
        return Offers(self.state, seat)

    def _word(self, word: str, line: Mark) -> Mark:
        """Where a word stands in the line of a scenario."""
        found = re.compile(rf"\b{re.escape(word)}\b").search(self._text(line), line.column - 1)
        if found is None:
            return line
        return Mark(line.file, line.line, found.start() + 1, line.line, found.end() + 1)

    def _text(self, line: Mark) -> str:
        sources = self.game.rules.sources if self.game.rules is not None else {}
        return sources[line.file].line(line.line) if line.file in sources else ""

    def _pending(self) -> str:
        state = self.state
        match state.buffer[STATUS]:
            case status if status == CHANCE:
                outcome = state.chance_outcomes()[0]
                return f"chance has to bring something, such as `{outcome}`"
            case status if status == OVER:
                return "the game is over"
            case status if status == FOUND:
                return "nothing is being run any more" if self.begun else "nothing is run yet"
        return f"{told_seats(state.seats_to_act)} to choose"

    def _asked_help(self) -> str | None:
        state = self.state
        if state.is_chance:
            return "script it (`draw`, `roll`, `random`), or let a `seed` decide"
        told = [
            f"{seat_name(seat)} {as_step(option)}"
            for seat in state.seats_to_act
            for option in state.options(seat)
        ]
        more = f" and {len(told) - MOST_TOLD} more" if len(told) > MOST_TOLD else ""
        parts = [f"what can be chosen: {'; '.join(told[:MOST_TOLD])}{more}"] if told else []
        taken = self._taken()
        if taken:
            parts.append(f"a single option was taken without asking: {'; '.join(taken)}")
        return "\n".join(parts) or None

    def _taken(self) -> list[str]:
        """What was forced since the last step."""
        found: list[str] = []
        for event in self.state.events:
            if event.word == "forced":
                action = words.entry_action(self.program, event.menu, (event.number,))
                text = words.option_text(self.program, event.before, action, event.values)
                found.append(f"{seat_name(event.seat)} {text}")
        return found


def told_seats(seats: tuple[int, ...]) -> str:
    if not seats:
        return "it is for nobody"
    return f"it is for {' and '.join(seat_name(seat) for seat in seats)}"


def as_step(option: Option) -> str:
    """An option as it would be written in a scenario."""
    text = str(option)
    if text.startswith("choose("):
        return f"chooses {text[7:-1].partition(': ')[2]}"
    return text

"""A scenario that is being run, and what is asked of its state: who decides, what is offered."""

from __future__ import annotations

from dataclasses import dataclass, field

from interpreter.embedding import Game, Option, State
from interpreter.model.seats import seat_name
from interpreter.play import words
from interpreter.play.buffer import FOUND, Buffer
from interpreter.program.layout import (
    CHANCE,
    MENU,
    OVER,
    STATUS,
)  # fmt: skip
from interpreter.program.program import Param, Program, Trial
from interpreter.report.problem import Problem
from interpreter.report.source import Mark
from interpreter.report.whole import read_count
from interpreter.tree import nodes
from interpreter.tree.phrases import say_value
from interpreter.tree.phrases_scenario import say_offer
from interpreter.tree.pieces import flat
from interpreter.view.why import Refusal, refusals

MOST_TOLD = 12  # options that are told when another was wanted


class Failed(Exception):
    def __init__(self, code: str, message: str, mark: Mark, help_: str | None = None) -> None:
        self.problem = Problem(code, message, mark, help=help_)


@dataclass(slots=True)
class Asking:
    game: Game
    scenario: nodes.Scenario
    trial: Trial
    seed: int | None = None
    drawn: int = 0  # numbers taken from the stream of the seed
    waiting: list[nodes.Decision | nodes.Outcome] = field(default_factory=list)
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
            raise Failed("RR272", message, mark, "say `players 4` above to have more of them")
        return number - 1

    def _pending(self) -> str:
        state = self.state
        match state.buffer[STATUS]:
            case status if status == CHANCE:
                outcome = state.chance_outcomes()[0]
                return f"chance has to bring something, such as `{outcome}`"
            case status if status == OVER:
                return "the game is over"
            case status if status == FOUND:
                return "what is run has come to its end"
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
        parts = [f"offered are: {'; '.join(told[:MOST_TOLD])}{more}"] if told else []
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

    # ---- options

    def _offered(self, seat: int, offer: nodes.Offer) -> list[Option]:
        """The options that an offer of the scenario can mean."""
        if seat not in self.state.seats_to_act:
            return []
        m = self.state.seen_by_chooser(seat)
        found: list[Option] = []
        for option, choice in self.state.choices(seat).items():
            action = words.entry_action(self.program, m[MENU], choice)
            values = choice[1 : 1 + len(action.params)]
            if action.name == offer.verb and self._fits(offer, action.params, values, m):
                found.append(option)
        return found

    def _fits(
        self, offer: nodes.Offer, params: tuple[Param, ...], values: tuple[int, ...], m: Buffer
    ) -> bool:
        if len(offer.arguments) > len(params):
            return False
        by_name = {param.name: (param, value) for param, value in zip(params, values, strict=True)}
        for number, argument in enumerate(offer.arguments):
            param, value = by_name.get(argument.name or params[number].name, (params[number], None))
            if value is None or not self._is_called(param, value, plain_text(argument.value), m):
                return False
        return True

    def _is_called(self, param: Param, value: int, text: str, m: Buffer) -> bool:
        called = words.argument_text(self.program, m, param, value)
        row, _, copy = text.partition("#")
        number = read_count(copy)
        if param.type.sort == "kind" and number is not None and param.form in ("row", "copy"):
            return called == self._called(param, row, number, m)
        names = [called, words.value_text(self.program, param.type, value)]
        names.append(words.label_text(self.program, param.type, value))
        return is_one_of(text, *names)

    def _called(self, param: Param, row: str, copy: int, m: Buffer) -> str | None:
        """What an option calls this copy of a row."""
        kind = words.kind_of(self.program, param.type.name)
        for number, names in enumerate(zip(kind.rows, kind.labels, strict=True)):
            copies = [piece for piece, of in enumerate(kind.row_of) if of == number]
            if row in names and 1 <= copy <= len(copies):
                return words.argument_text(self.program, m, param, copies[copy - 1])
        return None

    def _refusals(self, seat: int, offer: nodes.Offer) -> list[Refusal]:
        given = [(each.name, plain_text(each.value)) for each in offer.arguments]
        game, buffer = self.state.game, self.state.buffer
        return refusals(game.machine, buffer, seat, offer.verb, given, game.written)


def offer_text(offer: nodes.Offer) -> str:
    return flat(say_offer(offer))


def plain_text(expr: nodes.Expr) -> str:
    """What an argument says, without its quotes."""
    return expr.text if isinstance(expr, nodes.Quoted) else flat(say_value(expr))


def is_one_of(text: str, *names: str) -> bool:
    """Whether a text is one of the names; the number of a copy may be left out."""
    wanted = text.casefold()
    return any(wanted in (n.casefold(), n.casefold().partition("#")[0]) for n in names)


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

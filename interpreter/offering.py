"""What can come next at a stop: the options of a seat, or the outcomes of chance."""

from __future__ import annotations

from typing import TYPE_CHECKING

from interpreter.option import Option
from interpreter.play import words
from interpreter.program import ops
from interpreter.program.layout import MENU, PC
from interpreter.view.typed import python_value

if TYPE_CHECKING:
    from interpreter.embedding import Game
    from interpreter.play.buffer import Buffer, Choice
    from interpreter.play.machine import Machine
    from interpreter.play.native.engine import Engine
    from interpreter.program.program import Program

CHANCE_SEAT = -1


def options_of(
    game: Game, m: Buffer, seat: int, asked: Machine | Engine | None = None
) -> dict[Option, Choice]:
    """The options of a seat, with what the machine takes for each. Raises Failure. `asked`:
    whoever finds them, which is the machine unless somebody else is there already."""
    return dict(offers_of(game, m, seat, asked)[1])


def offers_of(
    game: Game, m: Buffer, seat: int, asked: Machine | Engine | None = None
) -> tuple[Buffer, list[tuple[Option, Choice]]]:
    """The same as a list, and the state that they refer to."""
    machine, program = game.machine, game.program
    asked = asked or machine
    seen = asked.seen_by_chooser(m, seat)
    menu = seen[MENU]
    found: dict[str, tuple[Option, Choice]] = {}
    for choice in asked.options(m, seat):
        plain = game.plain_option(menu, choice, seat)
        if plain is not None:
            found.setdefault(plain.text, (plain, choice))
            continue
        text, spoken = game.plain_words(menu, choice)
        action = words.entry_action(program, menu, choice)
        if text is None:
            text = words.option_text(program, seen, action, choice[1:])
        if spoken is None:
            knows = words.known_to(seat)
            spoken = words.option_words(machine, seen, action, choice[1:], knows)
        # Of pieces nobody can tell apart, the first is meant.
        found.setdefault(text, (Option(text, spoken, seat), choice))
    return seen, list(found.values())


def plain_option(program: Program, menu: int, choice: Choice, seat: int) -> Option | None:
    """An option that looks the same in all states; None if it does not."""
    text, spoken = words.plain_words(program, menu, choice)
    return None if text is None or spoken is None else Option(text, spoken, seat)


def outcomes(machine: Machine, m: Buffer) -> dict[Option, int]:
    """The outcomes of a chance event, with what the machine takes for each."""
    program, op = machine.program, machine.program.code[m[PC]]
    assert isinstance(op, ops.Chance)
    values: dict[str, int] = {}
    weights: dict[str, int] = {}
    for weight, value in machine.outcomes(m):
        text = words.outcome_text(program, m, op.event, value)
        values.setdefault(text, value)  # one stands for all that cannot be told apart
        weights[text] = weights.get(text, 0) + weight
    number, total = machine.chance_index(m, op, m[PC]), sum(weights.values())
    found: dict[Option, int] = {}
    for text, value in values.items():
        spoken = words.outcome_words(program, m, op, number, value)
        about = spoken.rpartition(": ")[0].partition(" ")[2]
        meaning = python_value(program, program.event_types[op.event], value)
        outcome = Option(text, spoken, CHANCE_SEAT, weights[text], total, about, meaning)
        found[outcome] = value
    return found

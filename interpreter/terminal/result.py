"""How a game ended, for one who looks at it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text

from interpreter.report.visible import visible
from interpreter.terminal.layers import player_name
from interpreter.view.ending import how_it_ended, why_they_won

if TYPE_CHECKING:
    from interpreter.embedding import State


def show_result(state: State, seat: int | None) -> list[Text]:
    """Who won, and what has decided it."""
    view = state.view(seat)
    if not view.is_over:
        return [Text("The game is not over.")]
    names = [player_name(each, seat) for each in range(view.players)]
    why = why_they_won(state.game.program, state.buffer, view, names)
    if seat is not None and (view.players == 1 or view.winners == (seat,)):
        names[seat] = "you"
    told = how_it_ended(view, state.game.program, names)
    won = told == "you win"
    lines = [Text("You win!", "bold green") if won else Text(_sentence(told), "bold")]
    return lines if why is None else [*lines, Text(visible(_sentence(why)))]


def _sentence(told: str) -> str:
    return f"{told[0].upper()}{told[1:]}."

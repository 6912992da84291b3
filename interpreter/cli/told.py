"""A game that bots have played, told on one screen: what happened, the table, why it was won."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from interpreter.cli.common import out, settings
from interpreter.model.seats import number_of_players, seat_name

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from interpreter.bots.bot import Unfailing
    from interpreter.bots.story import Chapter, Moment
    from interpreter.embedding import State

_WIDTH = 100
_LEAST = 40  # columns for what happened, however many seats there are


def tell_game(moments: Sequence[Moment]) -> None:
    """The story of a game that is over, and its last table."""
    from interpreter.bots.story import chances, chapter_lines, chapters
    from interpreter.cli.session import Session
    from interpreter.terminal.sitting import Sitting

    state = moments[-1].state
    parts = chapters(moments)
    seen = chances(parts, state.game.players)
    judged = any(each is not None for each in seen)
    heads = [seat_name(seat) for seat in range(state.game.players)] if judged else []
    start = f"{'moves':>9}  {''.join(f'{head:>4}' for head in heads)}  "
    lines = chapter_lines(parts, max(_LEAST, _WIDTH - len(start)))
    if judged:
        out("The numbers are their prospects in percent, as they saw them themselves.")
    if judged or any(lines):
        out(f"\n{start.rstrip()}")
    for part, told, each in zip(parts, lines, seen, strict=True):
        shown = "".join(f"{100 * chance:4.0f}" for chance in each or ())
        if shown or told:  # where nothing was worth telling, nothing is told
            out(f"{_moves(part):>9}  {shown:{4 * len(heads)}}  {'; '.join(told)}".rstrip())
    out("")
    session = Session(
        Sitting(state, frozenset(), {}), colour=settings().coloured(sys.stdout), write=out
    )
    session.show_table_of(None)
    why = _why(state, parts, seen)
    if why:
        out("\n".join([*why, ""]))


def _moves(part: Chapter) -> str:
    """The moves of a part of the game. What a game itself calls a round is another thing."""
    first, last = (part.moments[at].state.moves for at in (0, -1))
    return str(first) if first == last else f"{first}-{last}"


def heading(state: State, bots: Mapping[int, Unfailing]) -> str:
    """Who plays what; told first, as it may take a while."""
    from interpreter.report.visible import visible

    names = [bot.told for bot in bots.values()]
    who = names[0] if len(set(names)) == 1 else ", ".join(names)
    bots_play = "a bot" if state.game.players == 1 else "all of them bots"
    return visible(
        f"{state.game.title}, {number_of_players(state.game.players)}, {bots_play}: {who}."
    )


def _why(state: State, parts: Sequence[Chapter], seen: Sequence[list[float] | None]) -> list[str]:
    """Why the winner has won: by how much, and when it was decided."""
    from interpreter.bots.story import turning_point

    if len(state.winners) != 1 or state.game.players == 1:
        return []
    winner = state.winners[0]
    name = seat_name(winner)
    found: list[str] = []
    program = state.game.program
    if program.score >= 0:
        own, rest = (
            state.scores[winner],
            sorted(
                (each for seat, each in enumerate(state.scores) if seat != winner), reverse=True
            ),
        )
        if own != rest[0]:  # what decides between equals is told with the result
            found.append(f"{name} wins by {own} to {' and '.join(map(str, rest))}.")
    turn = turning_point(parts, seen, winner)
    if turn is not None:
        number, before, now = turn
        found.append(
            f"It turned in moves {_moves(parts[number])}: {name}'s prospects rose from "
            f"{100 * before:.0f}% to {100 * now:.0f}%."
        )
    return found

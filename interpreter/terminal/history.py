"""What has been decided so far, at a terminal: told, taken back, saved."""

from __future__ import annotations

from typing import TYPE_CHECKING

from interpreter.model.seats import seat_name
from interpreter.report.visible import visible

if TYPE_CHECKING:
    from interpreter.embedding import State


def taken_back(state: State, seat: int, humans: frozenset[int]) -> State | str:
    """The state before this seat's last decision, or why it cannot be taken back. What bots
    have done since is taken back with it; what other people have done is not."""
    from interpreter.view.taking_back import why_it_stays

    nothing = "You have decided nothing that could be taken back."
    if all(who != seat for who, _ in state.history()):
        return nothing  # whatever others have done
    while True:
        if state.previous is None or state.decision is None:
            return nothing
        who = state.decision[0]
        if who != seat and who in humans:
            return f"{seat_name(who)} has decided since, so it stays."
        stays = why_it_stays(state.game.program, state.step, seat)
        if stays is not None:
            return f"It cannot be taken back: {stays}."
        state = state.previous
        if who == seat:
            return state


def log_lines(state: State, seat: int | None, after: int = 0) -> tuple[list[str], int]:
    """What has happened since some entry, as far as a seat may know, and how many entries
    there are now."""
    from interpreter.view.happenings import told

    entries = state.entries(seat)
    return [visible(line) for line in told(entries[after:])], len(entries)


def rules_name(state: State) -> str:
    rules = state.game.rules
    return visible(rules.name) if rules else "GAME"


def save_record(state: State, path: str) -> None:
    """A record of the game so far."""
    from interpreter.record import Recorder

    with Recorder.create(path, state.game, state.seed) as recorder:
        for seat, option in state.history():
            recorder.append(seat, option.text)
        if state.is_over:
            recorder.finish(state)

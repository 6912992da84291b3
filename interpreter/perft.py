"""Counting the game tree: how many positions lie so many decisions deep.

Equal counts from two independent programs are strong evidence that both play the same game.
"""

from __future__ import annotations

from interpreter.embedding import Game, PlayError, State
from interpreter.play import words
from interpreter.play.buffer import Buffer, Choice
from interpreter.play.failure import Failure
from interpreter.program.layout import CHANCE, MENU, SEALED_DONE, SEALING, STATUS


def perft(game: Game, depth: int, chance: bool = True, seed: int = 0) -> list[int]:
    """The number of nodes at each depth from 0 to `depth`.

    Every decision counts as one step, also one with a single option. With `chance`, every
    chance event is a step as well and each of its outcomes a node of its own. Without,
    chance is drawn from the seed, so the counts are those of one deal. Sealed choices are
    made one after the other, in seat order. Orders of choosing that lead to equal positions
    are counted apart; so the last depth needs no position to be played out.
    """
    counts = [0] * (depth + 1)
    start = game.start(seed, explicit_chance=chance, ask_when_forced=True)
    try:
        _count(game, start.buffer, 0, counts)
    except Failure as failure:
        raise PlayError(game.problem(failure, start.moves, seed)) from None
    return counts


def divide(state: State, depth: int) -> dict[str, int]:
    """For each option here, the number of nodes `depth` steps from here that begin with it.
    Where two programs disagree, this leads to the position they disagree about."""
    found: dict[str, int] = {}
    for option in state.chance_outcomes() if state.is_chance else state.options():
        counts = [0] * depth
        try:
            _count(state.game, state.apply(option).buffer, 0, counts)
        except Failure as failure:
            problem = state.game.problem(failure, state.moves, state.seed)
            raise PlayError(problem) from None
        found[option.text] = counts[-1]
    return found


def _count(game: Game, m: Buffer, level: int, counts: list[int]) -> None:
    counts[level] += 1
    last = len(counts) - 1
    if level == last:
        return
    machine = game.machine
    if m[STATUS] == CHANCE:
        outcomes = machine.outcomes(m)
        if level + 1 == last:
            counts[last] += len(outcomes)
            return
        for _, value in outcomes:
            copy = m.copy()
            machine.take_outcome(copy, value)
            _count(game, copy, level + 1, counts)
        return
    seat = _sealing_seat(game, m) if m[STATUS] == SEALING else None
    choices = _distinct(game, m, seat)
    if level + 1 == last:
        counts[last] += len(choices)
        return
    for choice in choices:
        copy = m.copy()
        machine.take(copy, choice, seat)
        _count(game, copy, level + 1, counts)


def _sealing_seat(game: Game, m: Buffer) -> int:
    return next(seat for seat in range(game.players) if not m[SEALED_DONE] >> seat & 1)


def _distinct(game: Game, m: Buffer, seat: int | None) -> list[Choice]:
    """The options of a state: choices of pieces that look alike are one option."""
    choices = game.machine.options(m, seat)
    seen = m if seat is None else game.machine.sealed_view(m, seat)
    found: dict[str, Choice] = {}
    for choice in choices:
        text, _ = game.plain_words(seen[MENU], choice)
        if text is None:
            action = words.entry_action(game.program, seen[MENU], choice)
            text = words.option_text(game.program, seen, action, choice[1:])
        found.setdefault(text, choice)
    return list(found.values())


__all__ = ["divide", "perft"]

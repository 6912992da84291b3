"""Counting the game tree: how many positions lie so many decisions deep.

Equal counts from two independent programs are strong evidence that both play the same game.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable
from typing import TYPE_CHECKING

from interpreter.embedding import Game, PlayError, State
from interpreter.play import words
from interpreter.play.buffer import Buffer, Choice
from interpreter.play.failure import Failure
from interpreter.play.machine import Machine
from interpreter.program.layout import CHANCE, MENU, SEALED_DONE, SEALING, STATUS
from interpreter.program.program import Program

if TYPE_CHECKING:
    from interpreter.play.native.engine import Engine

Progress = Callable[[list[int]], None]
_SHALLOW = 2  # so little is counted before native code is there
_NUMBERS = 1_000_000  # of the positions that are looked at together


def perft(
    game: Game, depth: int, chance: bool = True, seed: int = 0, progress: Progress | None = None
) -> list[int]:
    """The number of nodes at each depth from 0 to `depth`.

    Every decision counts as one step, also one with a single option. With `chance`, every
    chance event is a step as well and each of its outcomes a node of its own. Without,
    chance is drawn from the seed, so the counts are those of one deal. Sealed choices are
    made one after the other, in seat order. Orders of choosing that lead to equal positions
    are counted apart; so the last depth needs no position to be played out.

    Native code counts, where there is some. `progress` is told the counts so far, now and then.
    """
    start = game.start(seed, explicit_chance=chance, ask_when_forced=True)
    tell = progress or (lambda counts: None)
    engine = game.native if depth > _SHALLOW else None
    if engine is not None and not chance and _no_two_read_the_same(game.program):
        counts = [1] + [0] * depth
        if _count_many(engine, array("q", start.buffer), 0, counts, tell):
            return counts
    counts = [0] * (depth + 1)
    try:
        _count(game, engine or game.machine, start.buffer, 0, counts, tell)
    except Failure as failure:
        raise PlayError(game.problem(failure, start.moves, seed)) from None
    return counts


def _no_two_read_the_same(program: Program) -> bool:
    """Whether every choice of every menu is an option of its own, without looking at its text."""
    for menu in program.menus:
        actions = [program.actions[entry.action] for entry in menu.entries]
        if len({action.name for action in actions}) < len(actions):
            return False
        if any(param.type.sort == "kind" for action in actions for param in action.params):
            return False
    return True


def _count_many(
    engine: Engine, states: array[int], level: int, counts: list[int], tell: Progress
) -> bool:
    """The same for many positions at once; whether the rules never broke down."""
    offered = engine.count_options(states)
    counts[level + 1] += sum(offered)
    tell(counts)
    if level + 2 == len(counts):
        return True
    size, most = engine.size, max(1, _NUMBERS // engine.size)
    waiting = [(number, pick) for number, count in enumerate(offered) for pick in range(count)]
    for first in range(0, len(waiting), most):
        some = waiting[first : first + most]
        children = array("q")
        for number, _ in some:
            children += states[number * size : (number + 1) * size]
        if any(engine.take_many(children, [pick for _, pick in some])):
            return False  # the plain way tells what has failed
        if not _count_many(engine, children, level + 1, counts, tell):
            return False
    return True


def divide(state: State, depth: int) -> dict[str, int]:
    """For each option here, the number of nodes `depth` steps from here that begin with it.
    Where two programs disagree, this leads to the position they disagree about."""
    found: dict[str, int] = {}
    game = state.game
    for option in state.chance_outcomes() if state.is_chance else state.options():
        counts = [0] * depth
        try:
            _count(game, game.machine, state.apply(option).buffer, 0, counts, lambda _: None)
        except Failure as failure:
            problem = game.problem(failure, state.moves, state.seed)
            raise PlayError(problem) from None
        found[option.text] = counts[-1]
    return found


def _count(
    game: Game,
    machine: Machine | Engine,
    m: Buffer,
    level: int,
    counts: list[int],
    tell: Progress,
) -> None:
    counts[level] += 1
    last = len(counts) - 1
    if level == last:
        return
    if m[STATUS] == CHANCE:
        outcomes = machine.outcomes(m)
        if level + 1 == last:
            counts[last] += len(outcomes)
            return
        for _, value in outcomes:
            copy = m.copy()
            machine.take_outcome(copy, value)
            _count(game, machine, copy, level + 1, counts, tell)
        return
    seat = _sealing_seat(game, m) if m[STATUS] == SEALING else None
    choices = _distinct(game, machine, m, seat)
    if level + 1 == last:
        counts[last] += len(choices)
        tell(counts)
        return
    for choice in choices:
        copy = m.copy()
        machine.take(copy, choice, seat)
        _count(game, machine, copy, level + 1, counts, tell)


def _sealing_seat(game: Game, m: Buffer) -> int:
    return next(seat for seat in range(game.players) if not m[SEALED_DONE] >> seat & 1)


def _distinct(game: Game, machine: Machine | Engine, m: Buffer, seat: int | None) -> list[Choice]:
    """The options of a state: choices of pieces that look alike are one option."""
    choices = machine.options(m, seat)
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

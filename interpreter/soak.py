"""Random games with every test on: what is wrong with the rules, or with us, shows sooner or later.

After every decision: every piece lies in one place and every value in its range, each `always`
of the rules holds, and somebody has a real choice. After every game: it ended within what the
rules promise, and its decisions played again lead to the very same state.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

from interpreter.embedding import Game, PlayError, State
from interpreter.pipeline import Rules, build
from interpreter.play.verify import check_buffer
from interpreter.program.layout import MENU
from interpreter.report.problem import RulesError
from interpreter.variants import Variant


@dataclass(frozen=True, slots=True)
class Soaked:
    """One game that was played: how many decisions it had, and what was wrong with it."""

    seed: int
    moves: int
    faults: tuple[str, ...]


def soak(rules: Rules, variant: Variant, games: int, seed: int) -> Iterator[Soaked]:
    """Play games with the seeds from `seed` on."""
    program, problems = build(rules, variant.players, variant.options)
    if program is None:
        raise RulesError([problem for problem in problems if problem.severity == "error"])
    game = Game(program, rules)
    for number in range(seed, seed + games):
        yield _one(game, number)


def _one(game: Game, seed: int) -> Soaked:
    choose = random.Random(seed)
    faults: list[str] = []
    moves = 0
    try:
        state = game.start(seed=seed)
        faults += _faults(state)
        while not state.is_over and not faults:
            seat = choose.choice(state.seats_to_act)
            state = state.apply(choose.choice(state.options(seat)), seat)
            moves = state.moves
            faults += _faults(state)
        most = game.program.most_moves
        if most is not None and moves > most:
            faults.append(f"it took {moves} moves, and the rules promise at most {most}")
        if not faults:
            faults += _again(game, state)
    except PlayError as error:
        problem = error.problem
        faults.append(f"{problem.code} at line {problem.mark.line}: {problem.message}")
    return Soaked(seed, moves, tuple(faults))


def _faults(state: State) -> list[str]:
    """What is wrong with a state where somebody is to choose, or that is the last."""
    found = check_buffer(state.game.program, state.buffer)
    found += [f"this should always hold: {text}" for text in state.broken_invariants()]
    if state.is_over:
        return found
    if not state.seats_to_act:
        return [*found, "nobody is to choose, and the game is not over"]
    for seat in state.seats_to_act:
        menu = state.game.program.menus[state.seen_by_chooser(seat)[MENU]]
        if len(state.options(seat)) < 2 and not menu.asked:
            found.append(f"P{seat + 1} is asked and has no choice")
    return found


def _again(game: Game, last: State) -> list[str]:
    """The journal of a game is its seed and the texts of its decisions."""
    state = game.start(seed=last.seed)
    for seat, option in last.history():
        state = state.apply(str(option), seat)
    return [] if state.buffer == last.buffer else ["its journal leads to another state"]

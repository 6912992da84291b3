"""Both machines, one game: the same buffers, options, steps and failures, decision by decision."""

from __future__ import annotations

import random
from typing import Any

from interpreter.embedding import Game
from interpreter.play.failure import Failure
from interpreter.play.native.engine import Engine
from interpreter.program.layout import ASK_WHEN_FORCED, CHANCE, OVER, STATUS, STOP_AT_CHANCE

_MODES = (0, STOP_AT_CHANCE, ASK_WHEN_FORCED)


def compare_machines(game: Game, engine: Engine, seed: int) -> str | None:
    """Play one random game on both; what differs first, in words."""
    rnd = random.Random(seed)
    mode = _MODES[seed % len(_MODES)]
    machine = game.machine
    left, right = _tried(machine.start, seed, mode), _tried(engine.start, seed, mode)
    moves = 0
    while left == right and isinstance(left, list) and left[STATUS] != OVER:
        if left[STATUS] == CHANCE:
            asked = _tried(machine.outcomes, left), _tried(engine.outcomes, right)
        else:
            seat = rnd.choice(machine.seats_to_act(left))
            asked = _tried(machine.options, left, seat), _tried(engine.options, right, seat)
        if asked[0] != asked[1]:
            return f"after {moves} moves native code offers {asked[1]}, not {asked[0]}"
        if not isinstance(asked[0], list):
            return None
        if left[STATUS] == CHANCE:
            value = rnd.choice(asked[0])[1]
            left = _tried(_after, machine.take_outcome, left, value)
            right = _tried(_after, engine.take_outcome, right, value)
        else:
            choice = rnd.choice(asked[0])
            left = _tried(_after, machine.take, left, choice, seat)
            right = _tried(_after, engine.take, right, choice, seat)
        moves += 1
    if left == right:
        return None
    if isinstance(left, list) and isinstance(right, list):
        cells = [cell for cell, (x, y) in enumerate(zip(left, right, strict=True)) if x != y]
        return f"after {moves} moves {len(cells)} cells differ, the first is {cells[0]}"
    told = ["a state" if isinstance(each, list) else each for each in (left, right)]
    return f"after {moves} moves native code comes to {told[1]}, not {told[0]}"


def _after(act: Any, m: list[int], *given: Any) -> list[int]:
    copy = list(m)
    act(copy, *given)
    return copy


def _tried(act: Any, *given: Any) -> Any:
    """The result, or the failure as data."""
    try:
        return act(*given)
    except Failure as failure:
        return failure.code, failure.at

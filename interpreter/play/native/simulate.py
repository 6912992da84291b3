"""Random games on whichever backend there is, with the same results on each."""

from __future__ import annotations

from collections.abc import Sequence

from interpreter.play.failure import Failure
from interpreter.play.machine import Machine
from interpreter.play.native.engine import Engine, Result
from interpreter.play.random_play import random_game
from interpreter.program.layout import (
    MOVES,
    STEPS,
    TOTAL_STEPS,
    WINNERS,
)  # fmt: skip


def playouts(
    machine: Machine, engine: Engine | None, seeds: Sequence[int], threads: int = 1
) -> list[Result]:
    """How the random game of each seed ends."""
    if engine is not None:
        return engine.results(engine.playouts(seeds, threads))
    return [_result(machine, seed) for seed in seeds]


def _result(machine: Machine, seed: int) -> Result:
    m: list[int] = []
    failure = None
    try:
        m = machine.start(seed)
        random_game(machine, m, seed)
    except Failure as caught:
        failure = caught.code, caught.at
        m = m or [0] * machine.program.layout.size
    first = machine.program.layout.scores
    scores = tuple(m[first : first + machine.program.players])
    # How far a move had come that broke down is nobody's business.
    steps = m[TOTAL_STEPS] + (0 if failure else m[STEPS])
    return Result(m[WINNERS], m[MOVES], steps, scores, failure)

"""Random games on whichever backend there is, with the same results on each.

Every seat draws from a stream of its own that depends on the seed and the seat only; of those
who may choose at once, the first does. So a seed is a game, on any backend and any number of
threads.
"""

from __future__ import annotations

from collections.abc import Sequence

from interpreter.play import chance
from interpreter.play.failure import Failure
from interpreter.play.machine import Machine
from interpreter.play.native.engine import Engine, Result
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


def random_game(machine: Machine, m: list[int], seed: int) -> None:
    """Go on with random choices to the end of the game, on the reference machine."""
    streams = [chance.Stream(seed, seat) for seat in range(machine.program.players)]
    while seats := machine.seats_to_act(m):
        machine.take(m, streams[seats[0]].choose(machine.options(m, seats[0])), seats[0])


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
    return Result(m[WINNERS], m[MOVES], m[TOTAL_STEPS] + m[STEPS], scores, failure)

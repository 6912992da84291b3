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
from interpreter.play.native.loops import BOT_SEEDS
from interpreter.program.layout import (
    DECISION,
    MOVES,
    SEALED_DONE,
    SEALING,
    SEAT,
    STATUS,
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


class Streams:
    """The random numbers of each seat."""

    def __init__(self, seed: int, players: int) -> None:
        start = chance.seed_key(seed ^ BOT_SEEDS) & (1 << 64) - 1
        self.keys = [chance.number(start, seat) for seat in range(players)]
        self.counters = [0] * players

    def below(self, seat: int, bound: int) -> int:
        number, self.counters[seat] = chance.below(self.keys[seat], self.counters[seat], bound)
        return number


def random_game(machine: Machine, m: list[int], seed: int) -> None:
    """Go on with random choices to the end of the game, on the reference machine."""
    players = range(machine.program.players)
    streams = Streams(seed, machine.program.players)
    while m[STATUS] in (DECISION, SEALING):
        seat = m[SEAT]
        if m[STATUS] == SEALING:
            seat = next(each for each in players if not m[SEALED_DONE] >> each & 1)
        options = machine.options(m, seat)
        machine.take(m, options[streams.below(seat, len(options))], seat)


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

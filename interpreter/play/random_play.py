"""A random game on the reference machine.

Every seat draws from a stream of its own that depends on the seed and the seat only; of those
who may choose at once, the first does. So a seed is a game, on any backend and any number of
threads.
"""

from __future__ import annotations

from interpreter.play import chance
from interpreter.play.buffer import Buffer
from interpreter.play.machine import Machine


def random_game(machine: Machine, m: Buffer, seed: int) -> None:
    """Go on with random choices to the end of the game."""
    streams = [chance.Stream(seed, seat) for seat in range(machine.program.players)]
    while seats := machine.seats_to_act(m):
        machine.take(m, streams[seats[0]].choose(machine.options(m, seats[0])), seats[0])

"""Where the time of random games goes: code that tells where it is, looked at now and then.

Every instruction and function of the program writes its number into a cell of the context when it
begins, and a function puts back who was before when it ends. Games run in one thread; this one
looks at the cell a thousand times a second. So what is measured runs as fast as ever, but for these
numbers.
"""

from __future__ import annotations

import threading
import time
from collections import Counter

from interpreter.play.native.emit import context
from interpreter.play.native.engine import Engine
from interpreter.program.program import Program

_PAUSE = 0.001
_GAMES = 64  # at a time, between two looks at the clock


def sample(program: Program, secs: float, seed: int = 0) -> tuple[Counter[int], int]:
    """How often each instruction or function (counted on after the instructions) was under way,
    and how many games were played."""
    engine = Engine(program, profiled=True)
    found: Counter[int] = Counter()
    ready, done = threading.Event(), threading.Event()
    cells, games = engine.context.cells, 0

    def play() -> None:
        nonlocal cells, games
        cells = engine.context.cells
        ready.set()
        end = time.process_time() + secs
        while time.process_time() < end:
            engine.playouts(range(seed + games, seed + games + _GAMES))
            games += _GAMES
        done.set()

    player = threading.Thread(target=play)
    player.start()
    ready.wait()
    while not done.wait(_PAUSE):
        found[cells[context.WHERE]] += 1
    player.join()
    return found, games

"""Playing a study: which games are missing, who plays them, when it is enough.

What is played hangs on the study alone. Workers take chunks in any order; whether an arm has enough
is asked only at *looks*, numbers of games that are the same everywhere, when all games before have
been played. So a study ends at the same game with any number of workers.
"""

from __future__ import annotations

import multiprocessing
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ProcessPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass, field
from math import ceil

import numpy

from interpreter.embedding import Game
from interpreter.lab.intervals import wilson
from interpreter.lab.play import Part, play_chunk
from interpreter.lab.ready import KEPT, make_ready
from interpreter.lab.spec import Arm, Chunk, Study
from interpreter.lab.store import Store
from interpreter.play.gathering import G_ERROR, G_WINNERS

RANDOM_CHUNK, THINKING_CHUNK = 1000, 2  # games that a worker takes at a time
_FIRST_LOOK = 50
Enough = Callable[[Arm, Sequence[Part]], bool]


@dataclass(slots=True)
class Progress:
    """How far a study has come."""

    study: Study
    arms: tuple[Arm, ...]
    parts: dict[int, list[Part]] = field(
        default_factory=dict
    )  # by arm, in the order of their games
    begun: float = field(default_factory=time.monotonic)
    there: int = 0  # games that were there before
    ended: set[int] = field(default_factory=set)  # arms that have enough

    def add(self, part: Part) -> None:
        several = self.parts.setdefault(part.chunk.arm, [])
        several.append(part)
        several.sort(key=lambda each: each.chunk.first)

    @property
    def played(self) -> int:
        return sum(each.chunk.count for several in self.parts.values() for each in several)

    @property
    def wanted(self) -> int:
        """Games, if no arm ends early."""
        return self.study.games * len(self.arms)

    @property
    def seconds_left(self) -> float | None:
        done = self.played - self.there
        if done <= 0:
            return None
        return (time.monotonic() - self.begun) * (self.wanted - self.played) / done


def looks(games: int, asked: bool) -> Iterator[int]:
    """After how many games it is asked whether that is enough: every fifty, later every tenth part
    more. If nobody asks, all games are played at once."""
    number = 0
    while number < games:
        number = min(games, max(number + _FIRST_LOOK, number * 11 // 10)) if asked else games
        yield number


def wins(arm: Arm, parts: Sequence[Part]) -> tuple[int, list[float]]:
    """Games that were decided, and how many of them each seat has won; what is shared counts in
    parts."""
    games, won = 0, [0.0] * arm.players
    for part in parts:
        rows = numpy.frombuffer(part.games, dtype=numpy.int64).reshape(part.chunk.count, -1)
        winners = rows[rows[:, G_ERROR] == 0, G_WINNERS] & (1 << arm.players) - 1
        bits = numpy.stack([winners >> seat & 1 for seat in range(arm.players)])
        several = numpy.maximum(bits.sum(axis=0), 1)
        games += len(winners)
        for seat in range(arm.players):
            won[seat] += float((bits[seat] / several).sum())
    return games, won


def narrow(until: float) -> Enough:
    """Whether the share won is known so well for every seat."""

    def enough(arm: Arm, parts: Sequence[Part]) -> bool:
        games, won = wins(arm, parts)
        pairs = [wilson(each, games) for each in won]
        return max((high - low) / 2 for low, high in pairs) <= until

    return enough


def wins_so_far(progress: Progress) -> tuple[int, float, float] | None:
    """Of the first arm: the seat, from 1, that is furthest from its share, what it wins, and half
    of the interval."""
    arm = progress.arms[0]
    games, won = wins(arm, progress.parts.get(arm.number, ()))
    if not games:
        return None
    seat = max(range(arm.players), key=lambda each: abs(won[each] / games - 1 / arm.players))
    low, high = wilson(won[seat], games)
    return seat + 1, won[seat] / games, (high - low) / 2


def play_study(
    study: Study,
    arms: tuple[Arm, ...],
    *,
    workers: int = 1,
    store: Store | None = None,
    enough: Enough | None = None,
    chunk: int = 0,
    tell: Callable[[Progress], None] = lambda progress: None,
    pool: Executor | None = None,
) -> Progress:
    """Play what is missing. Ctrl-C passes through; what was finished by then is in the store, and
    in the progress that `tell` was given."""
    progress = Progress(study, arms)
    asked = enough or (narrow(study.until) if study.until else None)
    ends = list(looks(study.games, asked is not None))
    for part in store.read() if store is not None else ():
        if part.chunk.arm < len(arms) and part.chunk.end <= study.games:
            _add_new(progress, part, ends)
    progress.there = progress.played
    tell(progress)
    with _pool(workers, study, arms) if pool is None else _given(pool) as hands:
        before = 0
        for look in ends:
            open_arms = [arm for arm in arms if arm.number not in progress.ended]
            missing = list(_missing(progress, open_arms, before, look, chunk, workers))
            for part in _played(study, arms, missing, hands):
                if store is not None:
                    store.add(part)
                progress.add(part)
                tell(progress)
            for arm in open_arms:
                several = [e for e in progress.parts.get(arm.number, ()) if e.chunk.end <= look]
                if asked is not None and asked(arm, several):
                    progress.ended.add(arm.number)
                    progress.parts[arm.number] = several
            if len(progress.ended) == len(arms):
                break
            before = look
    return progress


def _add_new(progress: Progress, part: Part, ends: Sequence[int]) -> None:
    """A part from disk, unless its games are there, or it reaches over a look: another run may have
    cut them otherwise, and sums cannot be cut."""
    others = progress.parts.get(part.chunk.arm, ())
    if any(part.chunk.first < end < part.chunk.end for end in ends):
        return
    if all(part.chunk.end <= o.chunk.first or o.chunk.end <= part.chunk.first for o in others):
        progress.add(part)


def _missing(
    progress: Progress, arms: Sequence[Arm], first: int, end: int, chunk: int, workers: int
) -> Iterator[Chunk]:
    """What is to be played of these games, the earliest of all arms first."""
    found: list[Chunk] = []
    for arm in arms:
        size = chunk or (RANDOM_CHUNK if arm.is_random else THINKING_CHUNK)
        size = max(1, min(size, ceil((end - first) / (2 * workers)))) if not chunk else size
        at = first
        for part in [*progress.parts.get(arm.number, ()), None]:
            until = end if part is None else min(part.chunk.first, end)
            while at < until:
                found.append(Chunk(arm.number, at, min(size, until - at)))
                at = found[-1].end
            at = at if part is None else max(at, part.chunk.end)
    return iter(sorted(found, key=lambda each: (each.first, each.arm)))


def _played(
    study: Study, arms: tuple[Arm, ...], chunks: Sequence[Chunk], hands: Executor | None
) -> Iterator[Part]:
    """In whatever order they are finished."""
    if hands is None:
        for each in chunks:
            yield play_chunk(study, arms[each.arm], each)
        return
    waiting: set[Future[Part]] = set()
    left = iter(chunks)
    try:
        while True:
            for each in left:
                waiting.add(hands.submit(play_chunk, study, arms[each.arm], each))
                if len(waiting) >= 64:  # what waits is not played after Ctrl-C
                    break
            if not waiting:
                return
            done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
            for future in done:
                yield future.result()
    finally:
        for future in waiting:
            future.cancel()


@contextmanager
def _pool(workers: int, study: Study, arms: Sequence[Arm]) -> Iterator[Executor | None]:
    """Processes that play; None for one, which is this process. What all of them need is made ready
    here, once. Copies of this process have it, and need no second to begin; but what other threads
    do at that moment would be copied half done."""
    if workers <= 1:
        yield None
        return
    games = [make_ready(study, arm).game for arm in arms[:KEPT]]
    for game in games:
        _ = game.native
    copied = sys.platform == "linux" and threading.active_count() == 1
    context = multiprocessing.get_context("fork" if copied else "spawn")
    pool = ProcessPoolExecutor(workers, context, _begin, (games if copied else [],))
    try:
        yield pool
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


@contextmanager
def _given(pool: Executor) -> Iterator[Executor | None]:
    yield pool


def _begin(games: Sequence[Game]) -> None:
    """A worker begins; these games were copied. Ctrl-C is for the one who asked for the games."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for game in games:
        game.load_native_anew()

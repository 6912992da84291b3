"""A crew: who plays the games of a contest, this process alone or copies of it beside each other.

What comes of a game does not depend on who plays it, so counted games come out the same with any
crew.
"""

from __future__ import annotations

import multiprocessing
import signal
import sys
import threading
import time
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Protocol

from interpreter.learn.candidates import Candidate


class Played(Protocol):
    """Whatever games are played of."""

    def play(self, candidate: Candidate, number: int) -> float: ...


@dataclass(frozen=True, slots=True)
class Result:
    won: float
    seconds: float  # of CPU time


@dataclass(slots=True)
class Crew:
    """Plays games; without a pool, one after the other in this process."""

    hands: int = 1
    pool: Executor | None = None

    def results(
        self, contest: Played, tasks: Iterable[tuple[Candidate, int]]
    ) -> Iterator[tuple[Candidate, Result]]:
        """What came of games, in their order. A task is asked for when somebody can begin it."""
        if self.pool is None:
            for candidate, number in tasks:
                yield candidate, _result(contest, candidate, number)
            return
        begun: deque[tuple[Candidate, Future[Result]]] = deque()
        for candidate, number in tasks:
            begun.append((candidate, self.pool.submit(_of_a_copy, candidate, number)))
            if len(begun) > self.hands:
                first, result = begun.popleft()
                yield first, result.result()
        for first, result in begun:
            yield first, result.result()


@contextmanager
def crew_for(contest: Played, processes: int) -> Iterator[Crew]:
    """Copies of this process know all that it knows, so nothing is loaded or sent; but what other
    threads do at that moment would be copied half done."""
    copied = sys.platform == "linux" and threading.active_count() == 1
    if processes <= 1 or not copied:
        yield Crew()
        return
    context = multiprocessing.get_context("fork")
    pool = ProcessPoolExecutor(processes, context, _begin, (contest,))
    try:
        yield Crew(processes, pool)
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


_copied: list[Played] = []  # the contest of this process, if it is a copy


def _begin(contest: Played) -> None:
    """A copy begins. Ctrl-C is for the one it was copied from."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _copied[:] = [contest]


def _of_a_copy(candidate: Candidate, number: int) -> Result:
    return _result(_copied[0], candidate, number)


def _result(contest: Played, candidate: Candidate, number: int) -> Result:
    begun = time.thread_time()
    won = contest.play(candidate, number)
    return Result(won, time.thread_time() - begun)

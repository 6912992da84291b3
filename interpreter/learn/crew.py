"""A crew: who plays the games of a contest or of lessons, this process alone or copies of it beside
each other.

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
from typing import Any, Generic, Protocol, TypeVar

Brought = TypeVar("Brought", covariant=True)


class Table(Protocol[Brought]):
    """Whatever games are played at."""

    def play(self, *task: Any) -> Brought: ...


@dataclass(frozen=True, slots=True)
class Result(Generic[Brought]):
    brought: Brought
    seconds: float  # of CPU time


@dataclass(slots=True)
class Crew:
    """Plays games; without a pool, one after the other in this process."""

    hands: int = 1
    pool: Executor | None = None

    def results(
        self, table: Table[Brought], tasks: Iterable[tuple[Any, ...]]
    ) -> Iterator[tuple[tuple[Any, ...], Result[Brought]]]:
        """What came of games, in their order. A task is asked for when somebody can begin it."""
        if self.pool is None:
            for task in tasks:
                yield task, _result(table, task)
            return
        begun: deque[tuple[tuple[Any, ...], Future[Result[Brought]]]] = deque()
        for task in tasks:
            begun.append((task, self.pool.submit(_of_a_copy, task)))
            if len(begun) > self.hands:
                first, result = begun.popleft()
                yield first, result.result()
        for first, result in begun:
            yield first, result.result()


@contextmanager
def crew_for(table: Table[Any], processes: int) -> Iterator[Crew]:
    """Copies of this process know all that it knows, so nothing is loaded or sent; but what other
    threads do at that moment would be copied half done."""
    copied = sys.platform == "linux" and threading.active_count() == 1
    if processes <= 1 or not copied:
        yield Crew()
        return
    context = multiprocessing.get_context("fork")
    pool = ProcessPoolExecutor(processes, context, _begin, (table,))
    try:
        yield Crew(processes, pool)
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


_copied: list[Table[Any]] = []  # the table of this process, if it is a copy


def _begin(table: Table[Any]) -> None:
    """A copy begins. Ctrl-C is for the one it was copied from."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _copied[:] = [table]


def _of_a_copy(task: tuple[Any, ...]) -> Result[Any]:
    return _result(_copied[0], task)


def _result(table: Table[Brought], task: tuple[Any, ...]) -> Result[Brought]:
    begun = time.thread_time()
    brought = table.play(*task)
    return Result(brought, time.thread_time() - begun)

"""What ends a check that no count has stopped: a clock, and a ceiling for memory.

Everything a rule file can ask for is counted (`report/work.py`, `limits.py`), and the counts are
far below these. They are for what was counted wrongly, and for a machine that has little to give.
"""

from __future__ import annotations

import gc
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import FrameType

from interpreter import limits
from interpreter.report.problem import Enough, Problem
from interpreter.report.source import Mark

_AGAIN = 0.5  # seconds: where an exception cannot be raised, it is tried again


class _TooLong(BaseException):
    """Not an Exception, so that nothing on the way takes it for its own."""


@contextmanager
def guarded(name: str) -> Iterator[None]:
    """Raises Enough if what is done inside takes too long or too much memory."""
    try:
        seconds = limits.CHECK_SECONDS * limits.SLOWER
        with _clock(seconds), _ceiling(limits.CHECK_BYTES), _no_collecting():
            yield
    except _TooLong:
        raise Enough(_problem(name, "these rules take too long to check")) from None
    except MemoryError:
        raise Enough(_problem(name, "these rules take too much memory to check")) from None


def _problem(name: str, message: str) -> Problem:
    help_ = "look whether boards, tables or groups can be smaller"
    return Problem("RR208", message, Mark.top(name), help=help_, limit=True)


@contextmanager
def _no_collecting() -> Iterator[None]:
    """Trees have no circles, so looking for them is a tenth of the time for nothing. What is there
    afterwards is not looked at either: a command has little more to do than to tell."""
    before = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if before:
            gc.freeze()
            gc.enable()


@contextmanager
def _clock(seconds: float) -> Iterator[None]:
    """Counts computing, not waiting. Signals reach the main thread only, and not every system has
    this one."""
    if (
        not hasattr(signal, "setitimer")
        or threading.current_thread() is not threading.main_thread()
    ):
        yield
        return

    def ring(number: int, frame: FrameType | None) -> None:
        raise _TooLong

    before = signal.signal(signal.SIGPROF, ring)
    signal.setitimer(signal.ITIMER_PROF, seconds, _AGAIN)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


@contextmanager
def _ceiling(more: int) -> Iterator[None]:
    """So much more memory than is in use now, where the system tells and keeps it."""
    try:
        import resource

        with open("/proc/self/statm", encoding="ascii") as file:
            used = int(file.read().split()[0]) * resource.getpagesize()
        before = resource.getrlimit(resource.RLIMIT_AS)
        bounds = [bound for bound in before if bound != resource.RLIM_INFINITY]
        resource.setrlimit(resource.RLIMIT_AS, (min([used + more, *bounds]), before[1]))
    except (ImportError, OSError, ValueError):
        yield
        return
    try:
        yield
    finally:
        with suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_AS, before)

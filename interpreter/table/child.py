"""The process in which rules run: it reads questions, writes answers, and may be ended any time.

    python -m interpreter.table.child

A question and an answer are JSON, after their length in four bytes. First it says that it is ready.
"""

from __future__ import annotations

import json
import os
import sys
from contextlib import suppress
from typing import Any, BinaryIO

_HEAD = 4
_MEMORY = 1024 * 1024 * 1024  # bytes of addresses beyond what is in use when nothing is loaded


def main() -> None:
    taken, given = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what anybody prints by mistake is no answer
    from interpreter.table.desk import Desk

    _bound()
    desk = Desk()
    _write(given, {"ready": True})
    while (question := _read(taken)) is not None:
        try:
            answer = desk.answer(question)
        except MemoryError:
            desk.games.clear()
            desk.tables.clear()
            answer = _stopped("The rules need more memory than they may have.")
        except RecursionError:
            answer = _stopped("The rules go deeper than they may.")
        _write(given, answer)


def _stopped(text: str) -> dict[str, Any]:
    return {"problem": {"text": text, "open": True}}


def _bound() -> None:
    """Memory is bounded here; time is bounded by whoever waits for an answer."""
    with suppress(ImportError, OSError, ValueError):
        import resource

        with open("/proc/self/statm", encoding="ascii") as file:
            used = int(file.read().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (used + _MEMORY, used + _MEMORY))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _read(stream: BinaryIO) -> dict[str, Any] | None:
    head = stream.read(_HEAD)
    if len(head) < _HEAD:
        return None
    found: dict[str, Any] = json.loads(stream.read(int.from_bytes(head, "big")))
    return found


def _write(stream: BinaryIO, answer: dict[str, Any]) -> None:
    data = json.dumps(answer, separators=(",", ":")).encode()
    stream.write(len(data).to_bytes(_HEAD, "big") + data)
    stream.flush()


if __name__ == "__main__":
    main()

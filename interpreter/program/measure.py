"""How big code is, without going through it as often as it is repeated.

An operation that is used in two places is one object there, so a few lines of rules can become code
that nobody could write out. Here each object is looked at once.
"""

from __future__ import annotations

from typing import Any

from interpreter.program.touches import parts


class Measure:
    """The size of code written out, and how deep it is nested. More than `most` is too big."""

    def __init__(self, most: int) -> None:
        self.most = most
        self._known: dict[int, tuple[int, int]] = {}

    def of(self, item: Any) -> tuple[int, int]:
        """Its operations, and how many stand inside each other at most."""
        try:
            return self._of(item)
        except RecursionError:  # nobody could go through it without being as deep
            return self.most + 1, self.most

    def _of(self, item: Any) -> tuple[int, int]:
        known = self._known
        size = depth = 0
        for part in parts(item):
            found = known.get(id(part)) or self._of(part)
            size += found[0]
            if found[1] > depth:
                depth = found[1]
        if type(item) is not tuple:
            size, depth = size + 1, depth + 1
        known[id(item)] = size, depth
        return size, depth


def first_spot(item: Any) -> int:
    """Where in the rules code comes from, if anything in it says so; else -1."""
    waiting, seen = [item], set[int]()
    while waiting:
        found = waiting.pop()
        if id(found) in seen:
            continue
        seen.add(id(found))
        at = getattr(found, "at", -1)
        if isinstance(at, int) and at >= 0:
            return at
        waiting += reversed(parts(found))
    return -1

"""How big code is, without going through it as often as it is repeated.

An operation that is used in two places is one object there, so a few lines of rules can become code
that nobody could write out. Here each object is looked at once.
"""

from __future__ import annotations

from typing import Any

from interpreter.program.verify import inner_fields


class Measure:
    """The size of code written out, and how deep it is nested; up to a size that is too big."""

    def __init__(self, most: int) -> None:
        self.most = most
        self._known: dict[int, tuple[int, int]] = {}

    def of(self, item: Any) -> tuple[int, int]:
        """Its operations, and how many stand inside each other at most."""
        waiting, known = [item], self._known
        while waiting:
            found = waiting[-1]
            if id(found) in known:
                waiting.pop()
                continue
            size = depth = 0
            before = len(waiting)
            for part in _parts(found):
                of_part = known.get(id(part))
                if of_part is None:
                    waiting.append(part)
                    continue
                size += of_part[0]
                if of_part[1] > depth:
                    depth = of_part[1]
            if len(waiting) > before:
                continue
            waiting.pop()
            own = not isinstance(found, tuple)
            known[id(found)] = size + own, depth + own
            if len(known) > self.most:
                return self.most + 1, depth
        return known[id(item)]


def _parts(item: Any) -> tuple[Any, ...]:
    if isinstance(item, tuple):
        return item
    kind: type = type(item)
    names = inner_fields(kind)
    return tuple([getattr(item, name) for name in names]) if names else ()


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
        waiting += reversed(_parts(found))
    return -1

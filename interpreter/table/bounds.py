"""How often somebody may do something: so much a second, and some more at once."""

from __future__ import annotations

_MOST_NAMES = 10_000


class Buckets:
    """One bucket for each name, filled as time goes by."""

    def __init__(self, rate: float, size: float) -> None:
        self.rate, self.size = rate, size
        self._left: dict[str, tuple[float, float]] = {}  # how much, and when that was so

    def take(self, name: str, now: float) -> bool:
        left, since = self._left.get(name, (self.size, now))
        left = min(self.size, left + self.rate * max(0.0, now - since))
        if left < 1:
            return False
        if len(self._left) >= _MOST_NAMES:
            self._left.clear()  # rather forget than grow without end
        self._left[name] = left - 1, now
        return True

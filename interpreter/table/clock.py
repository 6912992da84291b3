"""The clock of a table, if it has one: so long for each at first, and some more for each decision.

It runs only while one person is to choose in the open. In a sealed block it stands, for who has
chosen already is nobody's business. Nobody loses by it: whoever is out of time may be replaced.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(slots=True)
class Clock:
    seconds: float
    more: float
    left: list[float]
    running: int | None = None
    since: float = field(default=0.0)

    @classmethod
    def of(cls, setting: dict[str, int], players: int, left: list[float]) -> Clock:
        seconds = float(setting["seconds"])
        return cls(seconds, float(setting["more"]), left or [seconds] * players)

    def decided(self, seat: int, now: float) -> list[float]:
        """Somebody has decided; what everybody has left now."""
        if self.running == seat:
            self._count(now)
            self.left[seat] = min(self.seconds, self.left[seat] + self.more)
        return [round(each, 3) for each in self.left]

    def turn(self, seat: int | None, now: float) -> None:
        """It runs for this seat from now on, or for nobody."""
        if seat != self.running:
            self._count(now)
            self.running = seat
        self.since = now

    def is_out(self, seat: int, now: float) -> bool:
        gone = max(0.0, now - self.since) if self.running == seat else 0.0
        return self.left[seat] <= gone

    def shown(self, now: float) -> dict[str, Any]:
        self._count(now)
        left = [round(each, 1) for each in self.left]
        return {"seconds": self.seconds, "more": self.more, "left": left, "running": self.running}

    def _count(self, now: float) -> None:
        if self.running is not None:
            gone = max(0.0, now - self.since)  # a clock that was set back gives nobody time
            self.left[self.running] = max(0.0, self.left[self.running] - gone)
            self.since = max(self.since, now)

"""What one viewer of a table has been sent, so that it can be sent what is new, once."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

_MARKS = 500  # events that somebody who comes back may have missed


@dataclass(slots=True)
class Seen:
    """A viewer's table. An event is numbered only if it tells the viewer something: others may
    have chosen in secret, and a number that is skipped would tell."""

    seq: int
    scene: str
    moves: int
    undo: bool
    chunks: list[list[dict[str, Any]]]  # of the log: the beginning, and what each decision added
    marks: list[tuple[int, int]] = field(default_factory=list)  # of events: number, lines kept
    gone_since: float | None = None

    @property
    def lines(self) -> int:
        return sum(map(len, self.chunks))

    @property
    def log(self) -> list[dict[str, Any]]:
        return [line for chunk in self.chunks for line in chunk]

    def changed(self, view: dict[str, Any], gone: list[int]) -> bool:
        """Take over what is to be seen now; whether that is news. Decisions that are gone are told
        by how many there were from each to the last, for of a long game the beginning is let go."""
        before, kept = self.lines, self.lines
        if gone:
            at = [len(self.chunks) - each for each in gone]
            kept = sum(map(len, self.chunks[: at[0]]))
            self.chunks = [each for n, each in enumerate(self.chunks) if n not in at]
        self.chunks += view["chunks"]
        same = (self.scene, self.undo, before) == (view["scene"], view["undo"], self.lines)
        if same and kept == before:
            return False
        self.scene, self.moves, self.undo = view["scene"], view["moves"], view["undo"]
        self.seq += 1
        self.marks.append((self.seq, kept))
        del self.marks[:-_MARKS]
        return True

    def missed(self, since: int) -> int | None:
        """How many lines of the log somebody still has who has seen the events up to a number;
        None if that is not known any more."""
        if since > self.seq or (since != self.seq and not self._reaches(since)):
            return None
        return min([kept for number, kept in self.marks if number > since], default=self.lines)

    def _reaches(self, since: int) -> bool:
        return bool(self.marks) and self.marks[0][0] <= since + 1

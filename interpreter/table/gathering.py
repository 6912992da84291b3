"""Who sits at a table and looks on, and what each of them is told about it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from interpreter.model.seats import seat_name
from interpreter.table.clock import Clock
from interpreter.table.effects import Effect, Send
from interpreter.table.seen import Seen
from interpreter.table.sheet import PERSON, Entry, Sheet, story_of
from interpreter.table.tokens import commitment
from interpreter.table.wire import ALL, SPECTATOR, Raw, chained

Data = dict[str, Any]
GRACE = 60.0  # seconds somebody may be away before others may put a bot on the seat
_REMEMBERED = 256  # refusals
_ERA = 1_000  # events are numbered on from when the table was loaded, in milliseconds


@dataclass(slots=True)
class Guest:
    """A connection that has shown a key."""

    role: int
    viewer: int


class Gathering:
    def __init__(self, sheet: Sheet, entries: Iterable[Entry], era: int) -> None:
        self.sheet = sheet
        kept = list(entries)
        self.story = story_of(sheet, kept)
        self.entries = len(kept)
        self.digest = chained(self.story.decisions)
        self.seen: dict[int, Seen] = {}
        self.guests: dict[int, Guest] = {}
        self.acting: list[int] = []
        self.sealed = False
        self.over = False
        self.title, self.plan, self.look = "", "null", "null"  # the latter two as JSON
        self.clock: Clock | None = None
        if sheet.clock is not None:
            self.clock = Clock.of(sheet.clock, sheet.players, self.story.spent)
        self._refusals: dict[tuple[int, str], Data] = {}
        self._numbered = era * _ERA  # the highest number an event has had

    def _look_anew(self, viewer: int, view: Data) -> Seen:
        """A viewer begins to look; no number is given twice."""
        self._numbered += 1
        self.seen[viewer] = seen = Seen(
            self._numbered, view["scene"], view["moves"], view["undo"], view["chunks"]
        )
        return seen

    def _forget(self, viewer: int) -> None:
        self._numbered = max(self._numbered, self.seen.pop(viewer).seq)

    # ---- what each is told

    def _whole(self, conn: int, viewer: int, seen: Seen, now: float) -> Data:
        return {
            "type": "welcome",
            "seq": seen.seq,
            "plan": Raw(self.plan),
            "look": Raw(self.look),
            "scene": Raw(seen.scene),
            "log": seen.log,
            "undo": seen.undo,
            "over": self._revealed(),
            "table": self._about(conn, viewer, now),
        }

    def _about(self, conn: int, viewer: int, now: float) -> Data:
        sheet, role = self.sheet, self.guests[conn].role
        return {
            "id": sheet.id,
            "title": self.title,
            "seats": self._seats(),
            "you": None if viewer == SPECTATOR else viewer,
            "all": role == ALL,
            "seedHash": commitment(sheet.seed, sheet.salt),
            "chat": sheet.chat,
            "clock": self.clock.shown(now) if self.clock is not None else None,
            "rematch": self.story.following,
            "scenario": sheet.scenario,
        }

    def _event(self, seen: Seen, since: int, kept: int, now: float) -> Data:
        """What leads from one number to another; of the log, so many lines stay."""
        event: Data = {
            "type": "event",
            "since": since,
            "seq": seen.seq,
            "scene": Raw(seen.scene),
            "logFrom": kept,
            "log": seen.log[kept:],
            "undo": seen.undo,
            "over": self._revealed(),
        }
        if self.clock is not None:
            event["clock"] = self.clock.shown(now)
        return event

    def _revealed(self) -> Data | None:
        """At the end everybody may see that the seed is the one that was hashed at the start."""
        return {"seed": str(self.sheet.seed), "salt": self.sheet.salt} if self.over else None

    # ---- people

    def _here(self, viewer: int) -> bool:
        return any(guest.viewer == viewer for guest in self.guests.values())

    def _seats(self) -> list[Data]:
        everywhere = any(guest.role == ALL for guest in self.guests.values())
        return [
            {
                "seat": seat,
                "name": self.story.names.get(seat, seat_name(seat)),
                "who": who,
                "here": everywhere or self._here(seat),
            }
            for seat, who in enumerate(self.story.seats)
        ]

    def _people(self) -> list[Effect]:
        watching = sum(guest.viewer == SPECTATOR for guest in self.guests.values())
        message = {"type": "people", "seats": self._seats(), "spectators": watching}
        return [Send(tuple(self.guests), message)] if self.guests else []

    def _persons(self) -> list[int]:
        return [seat for seat, who in enumerate(self.story.seats) if who == PERSON]

    def _may_replace(self, seat: int, who: str, now: float) -> bool:
        if who == PERSON or self.story.seats[seat] != PERSON:
            return False
        if self.clock is not None and self.clock.is_out(seat, now):
            return True
        seen = self.seen.get(seat)
        gone = seen.gone_since if seen is not None else None
        return not self._here(seat) and (gone is None or now - gone > GRACE)

    def _refusal(self, role: int, client: str | None, lines: list[str]) -> Data:
        """Kept for a while: what was refused must not be done when it comes once more."""
        refusal = {"type": "refused", "id": client, "lines": lines}
        if client is not None:
            self._refusals[role, client] = refusal
            if len(self._refusals) > _REMEMBERED:
                del self._refusals[next(iter(self._refusals))]
        return refusal

    def _done(self, client: str) -> Data:
        return {"type": "done", "id": client}

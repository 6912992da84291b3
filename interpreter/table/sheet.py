"""What is kept of a table: its sheet, written when it is made, and entries, one after another."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

PERSON = "person"


@dataclass(frozen=True, slots=True)
class Sheet:
    """All that is settled when a table is made."""

    id: str
    file: str
    players: int
    options: dict[str, str | int]
    seats: tuple[str, ...]  # who takes each: a person, or `bot NAME`
    seed: int
    salt: str
    keys: dict[int, bytes]  # hashed tokens, by role
    scenario: str | None = None
    chat: bool = False
    clock: dict[str, int] | None = None  # seconds at first, and more for each decision


@dataclass(frozen=True, slots=True)
class Entry:
    """Something that happened and must not be forgotten. `client` is the id its sender gave it."""

    kind: str  # move, undo, seat, cut, next
    role: int  # whose key it was sent with; bots have none
    client: str | None
    body: dict[str, Any]
    at: float = 0.0


NOBODY = -9  # the role of what nobody sent


@dataclass(slots=True)
class Story:
    """What the entries of a table come to."""

    decisions: list[tuple[int, str]] = field(default_factory=list)
    seats: list[str] = field(default_factory=list)
    names: dict[int, str] = field(default_factory=dict)
    answered: set[tuple[int, str]] = field(default_factory=set)
    following: str | None = None  # the table of the rematch
    spent: list[float] = field(default_factory=list)

    def add(self, entry: Entry) -> None:
        if entry.client is not None:
            self.answered.add((entry.role, entry.client))
        body = entry.body
        match entry.kind:
            case "move":
                self.decisions.append((body["seat"], body["option"]))
            case "undo":
                gone = set(body["removed"])
                self.decisions = [
                    each for number, each in enumerate(self.decisions) if number not in gone
                ]
            case "cut":
                del self.decisions[body["at"] :]
            case "seat":
                self.seats[body["seat"]] = body.get("who", self.seats[body["seat"]])
                if "name" in body:
                    self.names[body["seat"]] = body["name"]
            case "next":
                self.following = body["table"]
        if "left" in body:
            self.spent = list(body["left"])


def story_of(sheet: Sheet, entries: Iterable[Entry]) -> Story:
    story = Story(seats=list(sheet.seats))
    for entry in entries:
        story.add(entry)
    return story

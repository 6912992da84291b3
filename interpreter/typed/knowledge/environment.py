"""What is known at one point of a body: of its names, of seats, and of places that were shown."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Literal

from interpreter.typed.knowledge.labels import (
    KNOWN,
    Known,
    Label,
    Seat,
    both,
    join,
    within,
)  # fmt: skip
from interpreter.typed.values import Local

# Places that were revealed, by name and owner: a seat, nobody in particular, or every player.
Shown = dict[tuple[str, Seat | Literal["every"] | None], Label]


@dataclass(slots=True)
class Environment:
    names: dict[Local, Known] = field(default_factory=dict)
    seats: dict[Local, Seat] = field(default_factory=dict)  # names for seats that have another
    shown: Shown = field(default_factory=dict)  # as long as nothing is added to them
    # Places of which some pieces may have been revealed since pieces came there.
    revealed: frozenset[str] = frozenset()

    def copy(self) -> Environment:
        return Environment(dict(self.names), dict(self.seats), dict(self.shown), self.revealed)

    def bind(self, local: Local, known: Known = KNOWN, seat: Seat | None = None) -> None:
        self.names[local] = known
        if seat is not None:
            self.seats[local] = seat

    def limited_to(self, outer: Environment) -> Environment:
        """What is left of it when the names of an inner block end."""
        inside = outer.names.keys()

        def kept(label: Label) -> Label:
            return within(label, inside)

        return Environment(
            {local: self.names[local].each(kept) for local in inside},
            dict(outer.seats),
            {key: kept(label) for key, label in self.shown.items()},
            self.revealed,
        )

    def added_to(self, places: Collection[object]) -> None:
        """What comes to a place that was revealed has not been revealed."""
        for key in [key for key in self.shown if key[0] in places]:
            del self.shown[key]
        self.revealed = frozenset(name for name in self.revealed if name not in places)

    def joined(self, other: Environment) -> Environment:
        """After two ways to come to the same point; both have the same names."""
        names = {local: both(known, other.names[local]) for local, known in self.names.items()}
        shown = {
            key: join(label, other.shown[key])
            for key, label in self.shown.items()
            if key in other.shown
        }
        return Environment(names, dict(self.seats), shown, self.revealed | other.revealed)


def joined(ways: list[Environment]) -> Environment | None:
    found: Environment | None = None
    for each in ways:
        found = each if found is None else found.joined(each)
    return found

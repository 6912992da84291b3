"""What a table wants to have done, in this order."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from interpreter.table.sheet import Entry

Data = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Send:
    to: tuple[int, ...]
    message: Data


@dataclass(frozen=True, slots=True)
class Ask:
    """A question to the rules; its answer comes by `answered`."""

    request: Data


@dataclass(frozen=True, slots=True)
class Keep:
    number: int
    entry: Entry


@dataclass(frozen=True, slots=True)
class Shut:
    """End a connection."""

    to: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Again:
    """Make a table for the rematch: its sheet is this one's with the seats rotated."""

    id: str
    client: str
    role: int
    conn: int


@dataclass(frozen=True, slots=True)
class Write:
    """Add a scenario to those of the game; then tell who wanted it, or why it could not be."""

    file: str
    text: str
    to: int
    message: Data


Effect = Send | Ask | Keep | Shut | Again | Write

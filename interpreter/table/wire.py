"""What goes over the wire: messages as text, and numbers both sides agree on."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from typing import Any

SPECTATOR = -1  # a viewer who has no seat; seats are numbered from 0
ALL = -2  # the key of somebody who plays all seats from one page
MOST_BYTES = 64 * 1024  # of a message from a browser


class Refused(Exception):
    """What somebody wants cannot be done, in words for them."""

    def __init__(self, *lines: str) -> None:
        super().__init__("\n".join(lines))
        self.lines = list(lines)


class Raw(str):
    """JSON that is already text: it is put into messages as it is."""


def encoded(message: dict[str, Any]) -> str:
    parts = (f"{json.dumps(name)}:{_value(value)}" for name, value in message.items())
    return "{" + ",".join(parts) + "}"


def _value(value: Any) -> str:
    if isinstance(value, Raw):
        return value
    return json.dumps(value, separators=(",", ":"))


def chained(decisions: Iterable[tuple[int, str]], before: str = "") -> str:
    """Names a list of decisions exactly; it can be carried on."""
    digest = before
    for seat, text in decisions:
        digest = hashlib.sha256(f"{digest} {seat} {text}".encode()).hexdigest()[:32]
    return digest

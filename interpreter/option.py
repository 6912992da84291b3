"""Options as other programs and people name them: by their canonical text."""

from __future__ import annotations

import re
from dataclasses import dataclass

from interpreter import limits

_TEXT = re.compile(r"^\s*([A-Za-z_][A-Za-z0-9_]*)\s*(\((.*)\))?\s*$", re.DOTALL)


class IllegalOption(ValueError):
    """An option that is not offered in this state."""


@dataclass(frozen=True, slots=True, eq=False)
class Option:
    """One thing that can be chosen. Two options are equal if their canonical texts are."""

    text: str
    words: str = ""
    seat: int | None = None
    weight: int = 1  # of a chance outcome

    def __str__(self) -> str:
        return self.text

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Option) and other.text == self.text

    def __hash__(self) -> int:
        return hash(self.text)


def read_option(text: str) -> Option:
    """The option a text names, tidied; whether it is offered is a state's business."""
    match = _TEXT.match(text)
    if match is None:
        raise IllegalOption(f"`{text}` is not an option; options look like verb(name: value)")
    verb, _, inner = match.groups()
    if not inner or not inner.strip():
        return Option(verb)
    parts = [part.strip() for part in _split(inner)]
    tidy = ", ".join(re.sub(r"\s*:\s*", ": ", part, count=1) for part in parts)
    return Option(f"{verb}({tidy})")


def arguments_of(option: Option) -> dict[str, str]:
    """The arguments of an option by their names, as they stand in its text."""
    match = _TEXT.match(option.text)
    parts = _split(match[3]) if match is not None and match[3] else []
    pairs = (part.partition(":") for part in parts)
    return {name.strip(): value.strip() for name, _, value in pairs}


def _split(text: str) -> list[str]:
    """At commas outside brackets."""
    parts, depth, start = [], 0, 0
    for position, sign in enumerate(text[: limits.TEXT_BYTES]):
        depth += (sign in "[(") - (sign in ")]")
        if sign == "," and depth == 0:
            parts.append(text[start:position])
            start = position + 1
    parts.append(text[start:])
    return parts

"""Options as other programs and people name them: by their canonical text."""

from __future__ import annotations

import re
from dataclasses import dataclass

from interpreter import limits
from interpreter.report.whole import read_whole
from interpreter.view.typed import Hidden

_TEXT = re.compile(r"^\s*([A-Za-z_][A-Za-z0-9_]*)\s*(\((.*)\))?\s*$", re.DOTALL)


class IllegalOption(ValueError):
    """An option that is not offered in this state."""


@dataclass(frozen=True, slots=True, eq=False)
class Option:
    """One thing that can be chosen. Two options are equal if their canonical texts are.

    >>> option = state.options()[1]
    >>> option.text, option.words
    ('buy(price: 2)', 'buy a lamp for 2')
    >>> option.action, option.arguments, option.seat
    ('buy', {'price': 2}, 0)
    """

    text: str
    words: str = ""
    seat: int | None = None
    # Of a chance outcome: its weight out of all, the die or the place it is about, what it brings.
    weight: int = 1
    total: int = 1
    about: str = ""
    value: int | bool | str | Hidden | None = None

    @property
    def probability(self) -> float:
        """How likely a chance outcome is; exactly it is `weight` in `total`.

        >>> game.start(explicit_chance=True).chance_outcomes()[0].probability
        0.4
        """
        return self.weight / self.total

    @property
    def action(self) -> str:
        """What is done, by its name in the rules: `buy` of `buy(card: lamp, price: 3)`."""
        return self.text.partition("(")[0]

    @property
    def arguments(self) -> dict[str, int | str]:
        """By their names, what it is done with: `{"card": "lamp", "price": 3}`."""
        inner = self.text.partition("(")[2].removesuffix(")")
        parts = (part.partition(":") for part in _split(inner)) if inner else ()
        found = {name.strip(): text.strip() for name, _, text in parts}
        return {
            name: text if (number := read_whole(text)) is None else number
            for name, text in found.items()
        }

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

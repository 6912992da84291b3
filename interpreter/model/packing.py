"""How a position is written down in few numbers: its values stand in words like digits.

A word is one 64-bit integer. It takes as many values as it has room for, each multiplied by how
many the next can be, so two positions are the same exactly when all their words are. Nothing is
guessed, as it would be with a checksum, and it takes no more: a board of 81 cells with three
values each needs three words.
"""

from __future__ import annotations

from collections.abc import Sequence

from interpreter.frozen import frozen

_ROOM = 2**63


@frozen
class Digits:
    """`many` values, each one of `size`."""

    many: int
    size: int

    @property
    def fills_words(self) -> bool:
        """Any number at all: it is a word as it is."""
        return self.size > _ROOM


@frozen
class Run:
    """The values of a part from `first` to below `end`, which stand in one word."""

    part: int
    first: int
    end: int
    word: int


def runs(parts: Sequence[Digits]) -> list[Run]:
    found: list[Run] = []
    word, room = -1, 0
    for number, part in enumerate(parts):
        at = 0
        while at < part.many and part.size > 1:
            if room < part.size:
                word, room = word + 1, _ROOM
            first = at
            while at < part.many and (room >= part.size or room == _ROOM):
                room //= part.size
                at += 1
            found.append(Run(number, first, at, word))
    return found


def word_count(parts: Sequence[Digits]) -> int:
    """At least one, so that there is something to compare."""
    return max((run.word for run in runs(parts)), default=0) + 1

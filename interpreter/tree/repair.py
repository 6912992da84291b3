"""A line that could not be read, changed by one word or sign so that it can.

The changes are tried out, so a help that writes the line anew is never one that cannot be read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from interpreter.tree.forms import form_of_call
from interpreter.tree.stuck import Stuck

# Signs that join what stands apart; operators would join anything, and mean nothing by it.
_SIGNS = ("COMMA", "COLON", "EQUAL", "RPAR")
_FILLING = (
    "a an the of to from in on at by with is are be has have do then that all each every any "
    "player players card cards piece pieces turn round game now and or for it its their his her "
    "my your as up down out must can should will shall please also only just again cell cells"
)
_FILLERS = frozenset(_FILLING.split())
_MOST_TRIED = 12
_LONGEST_TEXT = 20_000  # characters of a declaration that is read again
_LONGEST_LINE = 100  # characters of a line that is shown as a whole


class Repair(NamedTuple):
    message: str
    line: str  # as it can be read


def repair(stuck: Stuck) -> Repair | None:
    """The first small change after which this line can be read."""
    if stuck.place.reads is None or len(stuck.place.text) > _LONGEST_TEXT:
        return None
    if len(stuck.line) > _LONGEST_LINE:
        return None
    for tried, (message, line) in enumerate(_changes(stuck)):
        if tried == _MOST_TRIED:
            return None
        if _can_be_read(stuck, line):
            return Repair(message, line.strip())
    return None


def _can_be_read(stuck: Stuck, line: str) -> bool:
    lines = stuck.place.text.split("\n")
    lines[stuck.number - 1] = line
    assert stuck.place.reads is not None
    return stuck.place.reads("\n".join(lines)) > stuck.number


def _changes(stuck: Stuck) -> Iterator[tuple[str, str]]:
    """What is wrong with the line, and the line without it, the likeliest first."""
    if stuck.at_end:
        return
    line, at = stuck.line, stuck.column - 1
    left, word, right = line[:at].rstrip(), stuck.word, line[at + len(stuck.word) :].lstrip()
    rest = line[at:]
    yield from _brackets(stuck, left, rest)
    if word in _FILLERS or word in (",", ";", ":"):
        yield f"`{word}` does not belong here", f"{_apart(line[:at])}{right}"
    before = re.search(r"\b([A-Za-z]+)$", left)
    if before is not None and before[1] in _FILLERS:
        yield f"`{before[1]}` does not belong here", left[: before.start()] + rest
    spelling = stuck.place.spelling
    joins = {"PLUS", "AND"} <= stuck.accepted  # then `=` would compare what stands apart
    signs = {s for s in stuck.accepted if s in _SIGNS and not (joins and s == "EQUAL")}
    needed = [spelling[sort] for sort in sorted(signs)]
    if len(stuck.accepted) == 1 and not needed:
        needed = [spelling[sort] for sort in stuck.accepted if sort in spelling]
    for one in needed:
        gap = "" if one in (",", ":", ")") else " "
        is_sign = not re.match(r'[\w"]', word)
        if one != ")" and (is_sign or len(stuck.accepted) == 1):
            yield f"`{one}` is needed here, not `{word}`", f"{left}{gap}{one} {right}"
        yield f"`{one}` is missing before `{word}`", f"{left}{gap}{one} {rest}"
    if word.isidentifier() and len(stuck.words_before) > 1 and _is_strange(stuck, word):
        yield f"`{word}` does not belong here", f"{_apart(line[:at])}{right}"


def _brackets(stuck: Stuck, left: str, rest: str) -> Iterator[tuple[str, str]]:
    """`f x` for `f(x)`, and `roll(x)` for `roll x`."""
    called = re.search(r"([A-Za-z_]\w*)$", left)
    if called is None:
        return
    given = re.match(r"[\w.]+(?:\[[^\]]*\])?", rest)
    inside = re.match(r"\(([^()]*)\)", rest)
    if given is not None and form_of_call(called[1], stuck.place) is not None:
        message = f"what `{called[1]}` is given comes in brackets"
        yield message, f"{left}({given[0]}){rest[given.end() :]}"
    if inside is not None:
        message = f"`{called[1]}` has no brackets"
        yield message, f"{left} {inside[1]}{rest[inside.end() :]}"
        yield message, f"{left}{rest[inside.end() :]}"


def _apart(left: str) -> str:
    """What is left of a word that is taken out, with a space before what follows."""
    return left if left.endswith((" ", "(", "[")) or not left else f"{left} "


def _is_strange(stuck: Stuck, word: str) -> bool:
    """Whether no other line of the file has the word."""
    lines = stuck.place.layout.lines
    return sum(bool(re.search(rf"\b{word}\b", line)) for line in lines) == 1

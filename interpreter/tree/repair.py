"""A line that could not be read, changed by one word or sign so that it can.

The changes are tried out, so a help that writes the line anew is never one that cannot be read.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from interpreter.tree.forms import form_of_call, open_bracket
from interpreter.tree.stuck import Stuck

# Signs that join what stands apart; operators would join anything, and mean nothing by it.
_SIGNS = ("COMMA", "COLON", "EQUAL", "RPAR")
_FILLING = (
    "a an the of to from in on at by with is are be has have do then that all each every any "
    "player players card cards piece pieces turn round game now and or for it its their his her "
    "my your as up down out must can should will shall please also only just again"
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


def _changes(stuck: Stuck) -> list[tuple[str, str]]:
    line, at = stuck.line, stuck.column - 1
    left, word, right = line[:at], stuck.word, line[at + len(stuck.word) :]
    spelling = stuck.place.spelling
    words = {spelling[sort] for sort in stuck.accepted if spelling.get(sort, "").isalpha()}
    signs = [spelling[sort] for sort in sorted(stuck.accepted) if sort in _SIGNS]
    found: list[tuple[str, str]] = []
    if stuck.at_end:
        return found
    called = re.search(r"([A-Za-z_]\w*) $", left)
    if called is not None and form_of_call(called[1], stuck.place) is not None:
        given = re.match(r"[\w.]+(?:\[[^\]]*\])?", line[at:])
        if given is not None:
            end = at + given.end()
            message = f"what `{called[1]}` is given comes in brackets"
            found.append((message, f"{left.rstrip()}({given[0]}){line[end:]}"))
    verb = re.search(r"(\w+) ?$", left)
    if word == "(" and verb is not None:
        inside = re.match(r"\(([^()]*)\)", line[at:])
        if inside is not None:
            message = f"`{verb[1]}` has no brackets"
            rest = line[at + inside.end() :]
            found.append((message, f"{left.rstrip()} {inside[1]}{rest}"))
            found.append((message, f"{left.rstrip()}{rest}"))
    only = len(stuck.accepted) == 1
    if not re.match(r'[\w"]', word):
        for sign in signs:
            if sign != ")":
                gap = "" if sign in ",:" else " "
                written = f"{left.rstrip()}{gap}{sign} {right.lstrip()}"
                found.append((f"`{sign}` is needed here, not `{word}`", written))
        if only and words:
            (instead,) = words
            written = f"{left.rstrip()} {instead} {right.lstrip()}"
            found.append((f"`{instead}` is needed here, not `{word}`", written))
    elif only and words:
        (instead,) = words
        found.append((f"`{instead}` is needed here, not `{word}`", f"{left}{instead}{right}"))
    for sign in signs:
        gap = "" if sign in ",:)" else " "
        written = f"{left.rstrip()}{gap}{sign} {line[at:]}"
        found.append((f"`{sign}` is missing before `{word}`", written))
    if only and words:
        (instead,) = words
        written = f"{left.rstrip()} {instead} {line[at:]}"
        found.append((f"`{instead}` is missing before `{word}`", written))
    if word in _FILLERS or (word in ",;:" and open_bracket(left) is None):
        found.append((f"`{word}` does not belong here", f"{left}{right.lstrip()}"))
    before = re.search(r"\b([A-Za-z]+) $", left)
    if before is not None and before[1] in _FILLERS:
        rest = left[: before.start()] + line[at:]
        found.append((f"`{before[1]}` does not belong here", rest))
    return found

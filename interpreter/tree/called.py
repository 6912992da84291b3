"""A word before a bracket that only looks like one of the language: `lines(c through x ...)`.

The grammar takes an unknown word with brackets for a function, and stops inside them at the first
word that no function has. What stands there tells which of the words was meant.
"""

from __future__ import annotations

import re

from interpreter.report.problem import Problem
from interpreter.report.suggest import nearest
from interpreter.tree.forms import open_bracket
from interpreter.tree.stuck import Stuck

# What has brackets with words in them, by the words that can only stand there.
_TAKES = {
    "through": ("line", "region", "distance", "reach"),
    "within": ("reach",),
    "has": ("every",),
    "by": ("pick",),
    "for": ("sum", "max", "min"),
    "where": ("any", "count", "pick", "every"),
    "while": ("any", "count", "pick"),
    "until": ("any", "count", "pick"),
}
_KNOWN = frozenset(word for words in _TAKES.values() for word in words) | {"rank", "denseRank"}

# What they are called elsewhere.
_ELSEWHERE = {
    **dict.fromkeys(("all", "each", "forall", "forAll", "everyone"), "every"),
    **dict.fromkeys(("exists", "some", "anyone", "anybody", "exist", "has", "is"), "any"),
    **dict.fromkeys(("total", "add", "SUM", "sumOf", "points", "score"), "sum"),
    **dict.fromkeys(("highest", "largest", "biggest", "greatest", "maximum", "most"), "max"),
    **dict.fromkeys(("lowest", "smallest", "fewest", "minimum", "least"), "min"),
    **dict.fromkeys(
        ("number", "num", "howMany", "len", "size", "filter", "counted", "COUNTIF"), "count"
    ),
    **dict.fromkeys(
        ("best", "find", "first", "choose", "select", "argmax", "winner", "leader", "the", "sort"),
        "pick",
    ),
    **dict.fromkeys(("inARow", "inLine", "row", "run", "longest", "straight"), "line"),
    **dict.fromkeys(("connected", "area", "flood", "group", "chain", "component"), "region"),
    **dict.fromkeys(("path", "shortest", "steps", "dist"), "distance"),
    **dict.fromkeys(("reachable", "range", "moves", "cells"), "reach"),
}


def explain_called(stuck: Stuck) -> Problem | None:
    """Reading stopped at a word that only those of the language have in their brackets."""
    meant = _TAKES.get(stuck.word)
    opened = open_bracket(stuck.line[: stuck.column - 1])
    if meant is None or opened is None:
        return None
    column, word, inside = opened
    if word in _KNOWN:
        return None
    through = re.match(r"\s*\w+(?: at \w+)? in ", inside) is not None
    if stuck.word in ("where", "while", "until", "by", "has") and not through:
        return None
    near = _ELSEWHERE.get(word) or nearest(word, meant)
    near = near if near in meant else meant[0]
    if stuck.word == "where" and word in ("no", "none", "nothing"):
        help_ = f"ask whether there is not any: `not any({inside}where ...)`"
    elif stuck.word == "where" and near == "every":
        help_ = "it is called `every` here, and has `has` instead of `where`: `every(x in D has C)`"
    else:
        help_ = f"Did you mean `{near}`?"
        others = [each for each in meant if each != near]
        if others and word not in _ELSEWHERE and nearest(word, meant) is None:
            help_ += " There are also " + " and ".join(f"`{each}`" for each in others)
    message = f"there is no `{word}(...)` with `{stuck.word}` inside"
    mark = stuck.place.mark(stuck.number, column, len(word))
    return Problem("RR116", message, mark, help=help_)

"""What could stand where the parser got stuck, in words: the help when nothing better is known."""

from __future__ import annotations

from collections.abc import Mapping

from interpreter.report.problem import Problem
from interpreter.tree.stuck import Stuck

_SPOKEN = {
    "NAME": "a name",
    "INT": "a number",
    "STRING": 'a text in "quotes"',
    "_NL": "the end of the line",
    "PLACE_WORD": "a place such as `stack of`",
    "UP_TO": "`up to`",
    "END": "`at top` or `at bottom`",
    "COMPARE": "a comparison",
}


_VALUE = {"NAME", "INT", "LPAR", "MINUS", "NONE", "YES"}


_VALUES = _VALUE | (
    {"NO", "NOT", "NUMBER", "PLAYERS", "COUNT", "ANY", "EVERY", "SUM", "MIN", "MAX", "PICK"}
    | {"RANK", "DENSERANK", "REGION", "LINE", "REACH", "CAN"}
)


_OPERATORS = {
    "PLUS",
    "MINUS",
    "STAR",
    "DIV",
    "DIVUP",
    "MOD",
    "AND",
    "OR",
    "IS",
    "IN",
    "EQUAL",
    "COMPARE",
}


_SUFFIXES = {"DOT", "LSQB", "LPAR"}


_STEP_HELP = (
    "a step begins with a verb such as `choose`, `move` or `if`, gives a value with `:=`,\n"
    "or calls a procedure: `name(...)`"
)


_MOST_NAMED = 9  # a longer list of words helps nobody


def explain_rest(stuck: Stuck) -> Problem:
    if stuck.at_end:
        message = "the line ends too early"
    elif stuck.sort == "STRING":
        message = "a text cannot stand here"
    else:
        message = f"`{stuck.word}` cannot stand here"
    return stuck.problem("RR100", message, _accepted_help(stuck))


def _accepted_help(stuck: Stuck) -> str | None:
    begins = not stuck.words_before and "LET" in stuck.accepted
    if begins or (len(stuck.words_before) == 1 and "WINS" in stuck.accepted):
        return _STEP_HELP
    groups: list[str] = []
    rest = set(stuck.accepted) - {"_INDENT", "_DEDENT", "$END"}
    if rest >= _VALUE:
        groups.append("a value")
        rest -= _VALUES
    elif {"PLUS", "MINUS", "AND"} <= rest:
        groups.append("an operator such as `+`, `and` or `=`")
        rest -= _OPERATORS | _SUFFIXES
    named = sorted(_spoken(sort, stuck.place.spelling) for sort in rest)
    if not named and not groups:
        return None
    if len(named) == 1 and not groups:
        return f"type {named[0]} here" if stuck.at_end else f"type {named[0]} before it"
    if len(named) > _MOST_NAMED:
        named = [*named[:_MOST_NAMED], "..."]
    return "accepted here: " + ", ".join(groups + named)


def _spoken(sort: str, spelling: Mapping[str, str]) -> str:
    return _SPOKEN.get(sort) or f"`{spelling.get(sort, sort.lower())}`"

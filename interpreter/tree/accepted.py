"""What could stand where the parser got stuck, in words: the help when nothing better is known."""

from __future__ import annotations

from collections.abc import Mapping

from interpreter.report.problem import Problem
from interpreter.tree.forms import form_of, out_of_order
from interpreter.tree.repair import repair
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
    moved = out_of_order(stuck)
    if moved is not None:
        message = f"`{stuck.word}` comes before `given`, `run`, `when` and `then`"
        return stuck.problem("RR100", message, moved)
    form = form_of(stuck)
    mended = repair(stuck)
    if mended is not None:
        return stuck.problem("RR100", mended.message, f"write `{mended.line}`")
    accepted = _accepted(stuck)
    if stuck.at_end:
        message = "the line ends too early"
    elif stuck.sort == "STRING":
        message = "a text cannot stand here"
    else:
        message = f"`{stuck.word}` cannot stand here"
    if stuck.accepted == {"_NL"}:
        message += ": the line is complete before it"
    elif len(accepted) == 1:
        message += f": {accepted[0]} is missing"
    if form is not None:
        return stuck.problem("RR100", message, form)
    return stuck.problem("RR100", message, _accepted_help(stuck, accepted))


def _accepted(stuck: Stuck) -> list[str]:
    """What could stand here, in words."""
    groups: list[str] = []
    rest = set(stuck.accepted) - {"_INDENT", "_DEDENT", "$END"}
    if rest >= _VALUE:
        groups.append("a value")
        rest -= _VALUES
    elif {"PLUS", "MINUS", "AND"} <= rest:
        groups.append("an operator such as `+`, `and` or `=`")
        rest -= _OPERATORS | _SUFFIXES
    return groups + sorted(_spoken(sort, stuck.place.spelling) for sort in rest)


def _accepted_help(stuck: Stuck, accepted: list[str]) -> str | None:
    begins = not stuck.words_before and "LET" in stuck.accepted
    if begins or (len(stuck.words_before) == 1 and "WINS" in stuck.accepted):
        return _STEP_HELP
    if not accepted:
        return None
    if len(accepted) > _MOST_NAMED:
        accepted = [*accepted[:_MOST_NAMED], "..."]
    return "here can stand: " + ", ".join(accepted)


def _spoken(sort: str, spelling: Mapping[str, str]) -> str:
    return _SPOKEN.get(sort) or f"`{spelling.get(sort, sort.lower())}`"

"""Is every name that is introduced with `let` looked at?"""

from __future__ import annotations

from collections.abc import Sequence

from interpreter.report.problem import Problems
from interpreter.tree.marks import first_words
from interpreter.typed import statements as s
from interpreter.typed import values as v
from interpreter.typed.rules import Rules
from interpreter.typed.walk import Node, read_to_change


def check_lets(rules: Rules, parts: Sequence[Node], problems: Problems) -> None:
    """To change it is not to look at it."""
    to_change = {id(read_to_change(part)) for part in parts if isinstance(part, s.Assign)}
    looked_at = {
        part.local for part in parts if isinstance(part, v.LocalValue) and id(part) not in to_change
    }
    # What an event is told has other names in a reaction; nobody wrote a `let` for them.
    unwritten = {
        clause.mark for ability in rules.ruleset.abilities.values() for clause in ability.clauses
    }
    for part in parts:
        if isinstance(part, s.Let) and part.local not in looked_at and part.mark not in unwritten:
            message = f"`{part.local.name}` is never looked at"
            help_ = "use it below, or take it away"
            mark = first_words(part.mark, f"let {part.local.name}")
            problems.warning("RR441", message, mark, help=help_)

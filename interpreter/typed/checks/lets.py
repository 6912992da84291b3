"""Is every name that is introduced with `let` looked at?"""

from __future__ import annotations

from collections.abc import Sequence

from interpreter.report.problem import Problems
from interpreter.tree.marks import first_words
from interpreter.typed import statements as s
from interpreter.typed import values as v
from interpreter.typed.walk import Node


def check_lets(parts: Sequence[Node], problems: Problems) -> None:
    """To change it is not to look at it: an assignment holds the local itself, not its value."""
    looked_at = {part.local for part in parts if isinstance(part, v.LocalValue)}
    for part in parts:
        if isinstance(part, s.Let) and part.local not in looked_at:
            message = f"`{part.local.name}` is never looked at"
            help_ = "use it below, or take it away"
            mark = first_words(part.mark, f"let {part.local.name}")
            problems.warning("RR441", message, mark, help=help_)

"""Does anybody have to look ahead past chance? Nobody can know what will be drawn or rolled."""

from __future__ import annotations

from interpreter.report.problem import Problems
from interpreter.typed import statements as s
from interpreter.typed.stopping import statements_in
from interpreter.typed.walk import Parts


def check_ahead(parts: Parts, problems: Problems) -> None:
    """What a block calls may meet chance: then that way of going on is none."""
    for block in parts.of(s.LookingAhead):
        for each in statements_in(block.body):
            if isinstance(each, (s.Draw, s.Roll, s.AssignRandom)):
                message = "nobody can look ahead past chance"
                problems.error("RR426", message, each.mark, help="draw or roll before it")

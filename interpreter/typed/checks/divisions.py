"""Is anything divided by a written zero?"""

from __future__ import annotations

from interpreter.report.problem import Problems
from interpreter.typed import values as v
from interpreter.typed.walk import Parts


def check_divisions(parts: Parts, problems: Problems) -> None:
    for part in parts.of(v.Arithmetic):
        match part:
            case v.Arithmetic(
                word="divide" | "divideUp" | "modulo", right=v.Constant(value=0, named=None)
            ):
                message = "nothing can be divided by zero"
                help_ = "write the number to divide by"
                problems.error("RR334", message, part.right.mark, help=help_)
            case _:
                pass

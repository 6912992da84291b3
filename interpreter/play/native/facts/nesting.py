"""How many loops stand inside each other, through calls as well: LLVM puts those in place.

Optimising takes time that grows exponentially with that, and nothing stops it once it has begun.
"""

from __future__ import annotations

from typing import Any

from interpreter.program import ops
from interpreter.program.program import Program
from interpreter.program.verify import inner_fields


def loops_deep(program: Program) -> int:
    """The most loops around anything. A function that calls itself counts once."""
    known: dict[int, int] = {}

    def within(item: Any) -> int:
        deepest, waiting = 0, [(item, 0)]
        while waiting:
            found, depth = waiting.pop()
            if isinstance(found, tuple):
                waiting += [(part, depth) for part in found]
                continue
            kind: type = type(found)
            depth += kind in (ops.CountLoop, ops.While)
            if isinstance(found, ops.Call):
                deepest = max(deepest, depth + called(found.function))
            deepest = max(deepest, depth)
            waiting += [(getattr(found, name), depth) for name in inner_fields(kind) or ()]
        return deepest

    def called(number: int) -> int:
        if number not in known:
            known[number] = 0
            known[number] = within(program.functions[number].body)
        return known[number]

    functions = [called(number) for number in range(len(program.functions))]
    return max([*functions, *(within(item) for item in program.code)], default=0)

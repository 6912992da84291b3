"""Whether locals belong to a piece of code alone: nobody else, who shares the locals with it, looks
at what it leaves in them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from interpreter.program.program import Program
from interpreter.program.touches import operations, uses


def is_own(program: Program, code: Any, locals_: set[int]) -> bool:
    """Code that stands nowhere in the program was made of it, and nobody knows who shares its
    locals."""
    mine = uses(code, locals_)
    found = [
        around for around in _bodies(program) if any(each == code for each in operations(around))
    ]
    return bool(found) and all(uses(around, locals_) == mine for around in found)


def _bodies(program: Program) -> Iterator[Any]:
    """Each has locals of its own."""
    yield from program.code
    for function in program.functions:
        yield function.body

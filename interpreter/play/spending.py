"""Who uses up the steps of a long move: counted in its second half only, so others pay nothing.

A function is charged with its own steps, not with those of the functions it calls.
"""

from __future__ import annotations

from collections.abc import Callable

from interpreter import limits
from interpreter.program.layout import STEPS
from interpreter.program.program import Program

HALF = limits.STEPS_PER_MOVE // 2
_MUCH = HALF // 4


class Spending:
    def __init__(self) -> None:
        self.steps: dict[int, int] = {}  # by the number of the function
        self.inside = 0  # taken by what the function under way has called

    def clear(self) -> None:
        """Another move begins."""
        if self.steps:
            self.steps.clear()
        self.inside = 0

    def run(
        self, number: int, m: list[int], r: list[int], body: Callable[[list[int], list[int]], int]
    ) -> int:
        before, around = m[STEPS], self.inside
        self.inside = 0
        try:
            return body(m, r)
        finally:
            taken = m[STEPS] - before
            self.steps[number] = self.steps.get(number, 0) + taken - self.inside
            self.inside = around + taken

    def most(self, program: Program) -> str | None:
        """The function that has used up most, if it is much. (A loop without calls is told by its
        place.)"""
        if not self.steps:
            return None
        number = max(self.steps, key=lambda each: self.steps[each])
        return program.functions[number].name if self.steps[number] >= _MUCH else None

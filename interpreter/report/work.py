"""How much one check may do, counted and not timed: the same rules get the same answer anywhere."""

from __future__ import annotations

from dataclasses import dataclass, field

from interpreter import limits
from interpreter.report.problem import Enough, Problem
from interpreter.report.source import Mark


@dataclass(slots=True)
class Work:
    """What is left to do, and the place in the rules that is being worked on.

    One expression that is lowered costs one; what takes as long as many of them costs as many.
    """

    left: int = limits.WORK
    mark: Mark = field(default_factory=lambda: Mark.top("rules"))
    scenarios: bool = False

    def begin(self, mark: Mark, *, scenarios: bool) -> None:
        """Before the rules are built for players and options, with scenarios or without."""
        self.mark, self.scenarios = mark, scenarios

    def spend(self, amount: int) -> None:
        """Raises Enough when there is nothing left."""
        self.left -= amount
        if self.left < 0:
            raise Enough(self.exhausted())

    def spend_cells(self, cells: int) -> None:
        """For a table, by the size it has or would have: asked before it is made."""
        self.spend(1 + cells // limits.CELLS_OF_WORK)

    def exhausted(self) -> Problem:
        """What is told where it became too much."""
        message = "the rules become too much to check here"
        help_ = "let groups use fewer other groups, and let boards be smaller"
        if self.scenarios:
            message = "the scenarios become too many to check here"
            help_ = "let more of them have the same players and options, or split the file"
        return Problem("RR208", message, self.mark, help=help_, limit=True)

    def too_deep(self) -> Problem:
        """What is told when one thing leads to another, and on and on."""
        message = "functions, groups or procedures lead to each other too deeply here"
        help_ = "let fewer of them use each other, and declare what functions give"
        return Problem("RR208", message, self.mark, help=help_, limit=True)

"""Which floods may end early: as soon as what they were begun for is found.

A cell may be visited as soon as it is gone on from, and a flood may end when its visits do, if that
makes no difference: neither condition nor visits change anything, and nothing in them can go wrong,
on any step of the board. A value on a step that only tables tell is worked out for every step there
is: so it is known that there is a direction from a cell to the one beside it.

Where a visit only asks whether this is the cell that was looked for (`only_asks`), it does not
matter by which way it is found, nor which of several cells it is.

What must not be assumed: that nobody asks for the steps. A flood that ends early takes fewer than
the rules would, so it is right only where the code is free, and where it is certain beforehand that
the whole flood stays within the limit (`Steps.knows_floods`).
"""

from __future__ import annotations

from typing import Any

from interpreter.play.native.facts.floods import Flood
from interpreter.play.native.facts.ranges import Cells, Range, Ranges
from interpreter.play.native.facts.shape import body_can_fail, is_still
from interpreter.program import ops
from interpreter.program.program import Program
from interpreter.program.touches import locals_set, operations, uses


def can_end_early(program: Program, cells: Cells, flood: Flood, around: Any, params: int) -> bool:
    """Whether it makes no difference if cells are visited while others are still to be found.
    `around` is all code that shares its locals."""
    visit, own = flood.visit, {flood.size, flood.next, flood.here, flood.way, flood.target}
    own |= {flood.seen, flood.found, flood.visit.local}
    asked = (ops.Evaluate(flood.test),)
    if own & (locals_set(visit.body) | locals_set(asked)):
        return False
    if not is_still(program, (asked, visit.body)):
        return False
    ranges = _OnSteps(cells, flood, around, params)
    return not body_can_fail(program, cells, (asked, visit), ranges=ranges)


def only_asks(flood: Flood, around: Any) -> bool:
    """Whether a visit breaks off, noting the same for every cell, or leaves no trace."""
    *before, last = flood.visit.body
    match last:
        case ops.When(condition, (*noting, ops.Break()), ()):
            pass
        case _:  # it does something else
            return False
    if not all(isinstance(each, ops.SetLocal) for each in before):
        return False
    if not all(isinstance(n, ops.SetLocal) and isinstance(n.value, ops.Const) for n in noting):
        return False
    asking = (*before, ops.Evaluate(condition))
    passing = locals_set(asking)
    if any(isinstance(op, (ops.Break, ops.Return)) for op in operations(before)):
        return False
    return uses(around, passing) == uses((*asking, *noting), passing)


class _OnSteps(Ranges):
    """Bounds of what stands in a flood. What is made of tables and the two cells of a step is
    worked out for each step of the board."""

    def __init__(self, cells: Cells, flood: Flood, around: Any, params: int) -> None:
        self.flood = flood
        self.steps: list[tuple[int, int]] = []
        super().__init__(cells, around, params)
        table = cells.program.tables[flood.table]
        self.steps = [
            (here, table[way * flood.cells + here])
            for way in range(flood.ways)
            for here in range(flood.cells)
            if table[way * flood.cells + here] >= 0
        ]

    def of(self, op: ops.Expr) -> Range:
        if self.steps and self._is_told(op):
            found = [self._on(op, here, target) for here, target in self.steps]
            known = [each for each in found if each is not None]
            if len(known) == len(found):
                return min(known), max(known)
        return super().of(op)

    def _is_told(self, op: ops.Expr) -> bool:
        inside = list(operations(op))
        if not any(isinstance(each, ops.Lookup) for each in inside):
            return False
        step = (self.flood.here, self.flood.target)
        return all(
            isinstance(each, (ops.Const, ops.Lookup, ops.Binary))
            or (isinstance(each, ops.Local) and each.index in step)
            for each in inside
        )

    def _on(self, op: ops.Expr, here: int, target: int) -> int | None:
        """The value of an expression on a step, if it is plain enough."""
        match op:
            case ops.Const(value):
                return value
            case ops.Local(index):
                return here if index == self.flood.here else target
            case ops.Lookup(table, index):
                at, values = self._on(index, here, target), self.cells.program.tables[table]
                return values[at] if at is not None and 0 <= at < len(values) else None
            case ops.Binary("add" | "multiply" as word, left, right):
                one, two = self._on(left, here, target), self._on(right, here, target)
                if one is None or two is None:
                    return None
                return one + two if word == "add" else one * two
            case _:  # nobody asks for others
                return None

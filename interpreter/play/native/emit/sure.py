"""Where looking ahead need not look: what is left to do leads to the end, whatever is chosen.

From some instructions on, nothing is decided, drawn or able to fail until the end of `looking
ahead`, or until a routine goes back to where it was invoked and the same holds there. An option
that leads to such a place can be carried through, and need not be tried out.

It is right because a trial asks one thing only: whether the end is reached. What can fail is told
by facts/shape.py, with what the conditions of the option say (facts/conditions.py); a place with
room for all pieces of its kind is never full. Where a condition in the code leads two ways, both
must lead to the same end.

What must not be assumed: that there are steps left. `surely` says nothing when the longest of these
ways might reach the limit. Nor which `looking ahead` is under way: it is compared with the one that
the way leads to.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import assert_never

from interpreter import limits
from interpreter.play.native.emit.code import PASSED, STATE, Unit
from interpreter.play.native.emit.control import HALT
from interpreter.play.native.emit.text import I64, Fn
from interpreter.play.native.facts import conditions, shape
from interpreter.program import ops
from interpreter.program.layout import LOOK, STEPS
from interpreter.program.program import Program
from interpreter.program.touches import operations

_INSTRUCTION = limits.STEPS_AN_INSTRUCTION


@dataclass(frozen=True, slots=True)
class Way:
    """Where a place in the code leads to: the end of `looking ahead` that stands at `end`, or
    else the end of a routine; and the most steps until there."""

    end: int
    routine: int
    steps: int


class Ways:
    def __init__(self, unit: Unit) -> None:
        self.program = unit.program
        self.counted = unit.steps
        self.found: dict[int, Way | None] = {}
        self.entries: dict[int, list[ops.Entry]] = {}
        for menu in self.program.menus:
            for entry in menu.entries:
                self.entries.setdefault(entry.target.position, []).append(entry)

    def of_target(self, pc: int) -> Way | None:
        """The same where options lead to: their conditions hold there."""
        found = self.of(pc)
        op = self.program.code[pc]
        if found is not None or not isinstance(op, ops.Do) or not op.statements:
            return found
        later, (first, *others) = self.of(pc + 1), op.statements
        known = [conditions.known(self.program, entry) for entry in self.entries[pc]]
        if later is None or not _sets_once(first):
            return None
        if any(self._can_fail(first, each) for each in known):
            return None
        steps = self.counted.of(first) + sum(self._cost(each) for each in others)
        return _later(later, _INSTRUCTION + steps)

    def _can_fail(self, op: ops.Statement, known: conditions.Known) -> bool:
        cells = self.counted.cells
        ranges = conditions.KnownRanges(cells, op, known)
        return shape.body_can_fail(self.program, cells, op, ranges=ranges)

    def of(self, pc: int) -> Way | None:
        """The one way from here, or None if something else could happen."""
        if pc not in self.found:
            self.found[pc] = None  # loops
            self.found[pc] = self._way(pc)
        return self.found[pc]

    def _way(self, pc: int) -> Way | None:
        if pc >= len(self.program.code):
            return None
        op = self.program.code[pc]
        match op:
            case ops.Do(statements):
                costs = [self._cost(each) for each in statements]
                return _later(self.of(pc + 1), _INSTRUCTION + sum(costs))
            case ops.Goto(target):
                return _later(self.of(target.position), _INSTRUCTION)
            case ops.Unless(condition, target):
                one, other = self.of(pc + 1), self.of(target.position)
                if one is None or other is None or replace(one, steps=other.steps) != other:
                    return None
                steps = _INSTRUCTION + self._cost(ops.Evaluate(condition))
                return _later(one if one.steps > other.steps else other, steps)
            case ops.Finish(routine):
                return Way(-1, routine, _INSTRUCTION)
            case ops.LookEnd():
                return Way(pc, -1, _INSTRUCTION)
            case ops.Decide() | ops.Chance() | ops.Sealed() | ops.SealedEnd() | ops.LookAhead():
                return None  # more than one thing can happen here
            case ops.Invoke() | ops.Unwind() | ops.Over():
                return None  # it leads elsewhere, and is not followed
            case _:
                assert_never(op)

    def _cost(self, op: ops.Statement) -> int:
        """The most steps of a statement, or something huge if it can fail."""
        parts: list[ops.Expr] = []
        steps = 0
        match op:
            case ops.MovePiece(kind, piece, place):
                if not self._has_room(kind, place):
                    return shape.NEVER
                moved = self.program.layout.kinds[kind]
                parts, steps = [piece, place], 2 * len(moved.row_of) + moved.note_count
            case ops.Tell(_, values):
                parts, steps = list(values), self.program.layout.size
            case _:  # what any other costs, and whether it can fail, is told by its shape
                if shape.body_can_fail(self.program, self.counted.cells, op):
                    return shape.NEVER
                return self.counted.of(op)
        return steps + sum(self._cost(ops.Evaluate(part)) for part in parts)

    def _has_room(self, kind: int, place: ops.Expr) -> bool:
        """Whether all pieces of a kind fit into a place: then it is never full."""
        layout = self.program.layout
        capacities = layout.kinds[kind].instance_capacity
        pieces = len(layout.kinds[kind].row_of)
        match place:
            case ops.Const(number):
                return number == 0 or capacities[number] >= pieces
            case ops.Binary("add", _, ops.Const(first)):
                places = [each for each in layout.places if each.kind == kind]
                return any(each.first == first and each.capacity >= pieces for each in places)
            case _:  # any other may be any place
                return False


def _sets_once(op: ops.Statement) -> bool:
    """Whether a statement changes nothing before its last act."""
    inner = (ops.Call, ops.Sequence, ops.Can, ops.WhatIf)
    return isinstance(op, (ops.SetMemory, ops.SetMemoryAt)) and not any(
        isinstance(each, inner) for each in operations(op)
    )


def _later(way: Way | None, steps: int) -> Way | None:
    if way is None or steps + way.steps > limits.STEPS_PER_MOVE:
        return None
    return replace(way, steps=steps + way.steps)


def emit_surely(unit: Unit, ways: Ways) -> None:
    """`i64 surely(m, c, pc)`: 1 if going on at `pc` leads to the end of what is looked ahead to,
    else 0, which says nothing."""
    program = unit.program
    fn = Fn("surely", I64, [*STATE, (I64, "pc")])
    known = _known(program, ways)
    longest = max((way.steps for way in known.values()), default=0) * len(program.routines)
    here, left = fn.variable("%pc"), fn.variable(str(len(program.routines)))
    again, unsure = fn.label(), fn.label()
    most = limits.STEPS_PER_MOVE - longest
    with fn.when(fn.compare("sgt", fn.load("%m", STEPS), most), rare=True):
        fn.goto(unsure)
    fn.place(again)
    with fn.when(fn.compare("slt", fn.get(left), 0), rare=True):
        fn.goto(unsure)
    fn.set(left, fn.sub(fn.get(left), 1))
    found = fn.label()
    labels = {way: fn.label() for way in {replace(each, steps=0) for each in known.values()}}
    cases = {pc: labels[replace(way, steps=0)] for pc, way in known.items()}
    fn.switch(fn.get(here), unsure, {**cases, HALT: found})
    for way, label in labels.items():
        fn.place(label)
        if way.end >= 0:
            fn.ret(fn.widen(fn.compare("eq", fn.load("%m", LOOK), way.end + 1)))
        else:
            fn.set(here, fn.load("%m", program.routines[way.routine].address))
            fn.goto(again)
    fn.place(found)
    fn.ret("1")
    fn.place(unsure)
    fn.ret("0")
    unit.texts.append(fn.text())


def is_surely(unit: Unit, fn: Fn, ways: Ways, pc: int) -> str:
    """`surely` of a target from which the way is known. If it leads to the end of a routine, it is
    asked from where that goes back to."""
    way = ways.of_target(pc)
    here = str(pc)
    if way is not None and way.end < 0:
        here = fn.load("%m", unit.program.routines[way.routine].address)
    return fn.call("surely", I64, PASSED, f"i64 {here}")


def _known(program: Program, ways: Ways) -> dict[int, Way]:
    """From where options lead to, and from where routines go back to."""
    found = {pc: ways.of_target(pc) for pc in ways.entries}
    for pc, op in enumerate(program.code):
        if isinstance(op, ops.Invoke):
            found[pc + 1] = ways.of(pc + 1)
    return {pc: way for pc, way in found.items() if way is not None}

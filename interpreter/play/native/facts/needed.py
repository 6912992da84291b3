"""What a round of a loop needs to come to anything: a content of the cell that the round is about.

`action jump(c in Grid, d in GridDirection) when canJump(me, c, d)` asks a function about every cell
in every direction, and the function asks first whether `c.owner is p`. Where that does not hold,
nothing comes of any direction. So conditions are followed into the functions that they call and the
loops that they stand in, in the order in which they are asked, and those are collected that compare
the content of the cell of the outer loop with something that is the same in all rounds. Then the
contents of all cells are compared at once, and rounds without what they need are passed over
(emit/rounds.py).

It is right because nothing that can fail is asked before such a condition, and nothing after it if
it does not hold. Where steps are counted, only the condition is taken that is asked first of all:
then a round that is passed over takes the same steps every time, those of the loops and calls that
lead there. What must not be assumed: that the state is not written; then all rounds are gone
through.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from interpreter.play.native.facts.compared import Compared
from interpreter.play.native.facts.ranges import Ranges
from interpreter.play.native.facts.shape import Steps, body_can_fail, is_plain, is_still
from interpreter.program import ops
from interpreter.program.touches import TOUCHES, inner_fields, locals_read, locals_set, operations

_DEEPEST = 6  # calls in each other
_LONG = (ops.Call, ops.CountLoop, ops.While)


@dataclass(frozen=True, slots=True)
class Needed:
    """What the cell of a round must hold, or not."""

    compared: Compared
    steps: int = 0  # of a round without it, where steps are counted


@dataclass(frozen=True, slots=True)
class _Scope:
    """Where a condition stands: in the code of the loop, or in a function that it calls."""

    ranges: Ranges
    given: Mapping[int, ops.Expr | None] | None = None  # what its locals are to the code around

    def knowing(self, new: Mapping[int, ops.Expr | None]) -> _Scope:
        return self if self.given is None else _Scope(self.ranges, {**self.given, **new})


def find_needed(
    steps: Steps, loop: ops.CountLoop, ranges: Ranges, *, deep: bool, counting: bool = False
) -> list[Needed]:
    """`deep`: calls may nest too deep, so that none may be left out. `counting`: steps are."""
    if not any(isinstance(op, _LONG) for op in operations(loop.body)):
        return []  # a round is short
    if not is_still(steps.program, loop.body, offers=True):
        return []
    if counting and any(isinstance(op, ops.Return) for op in operations(loop.body)):
        return []  # nobody would pay for what was passed over
    finder = _Finder(steps, loop, _DEEPEST * (not deep), counting)
    finder.steps_of_round(loop.body, _Scope(ranges))
    found = list(dict.fromkeys(finder.found))
    return found[:1] if counting else found


class _Finder:
    """Goes through a round in the order in which it is carried out. All that follows conditions
    tells whether what comes next may be looked at: nothing can have failed before."""

    def __init__(self, steps: Steps, loop: ops.CountLoop, deepest: int, counting: bool) -> None:
        self.program, self.cells = steps.program, steps.cells
        self.loop, self.deepest = loop, deepest
        self.changed = locals_set(loop)
        self.same = {loop.local}  # locals that hold the number of the round
        self.found: list[Needed] = []
        self.counting, self.rounds, self.steps = counting, 1, 0  # that lead to a condition

    def steps_of_round(self, statements: tuple[ops.Statement, ...], scope: _Scope) -> None:
        """Of statements that do nothing unless conditions hold."""
        *before, last = statements
        for each in before:
            if not isinstance(each, ops.SetLocal) or not self._is_sure(each.value, scope):
                return
            self._note_copy(each, scope)
            scope = scope.knowing({each.index: self._told(each.value, scope)})
        match last:
            case ops.When(condition, then, ()):
                if self._holds(condition, True, scope) and then:
                    self.steps_of_round(then, scope)
            case ops.When(condition, (), otherwise):
                if self._holds(condition, False, scope):
                    self.steps_of_round(otherwise, scope)
            case ops.CountLoop(_, low, high, body) if all(
                self._is_sure(each, scope) for each in (low, high)
            ):
                if self.counting and not self._enter(low, high):
                    return
                self.steps_of_round(body, scope.knowing(dict.fromkeys(locals_set(last))))
            case _:  # something is done
                pass

    def _enter(self, low: ops.Expr, high: ops.Expr) -> bool:
        """A loop inside a round, if it is known how often it goes round."""
        if not isinstance(low, ops.Const) or not isinstance(high, ops.Const):
            return False
        self.rounds *= max(0, high.value - low.value)
        self.steps += self.rounds
        return True

    def _note_copy(self, op: ops.SetLocal, scope: _Scope) -> None:
        """In the code of the loop: another local that holds the number of the round."""
        if scope.given is None and isinstance(op.value, ops.Local) and op.value.index in self.same:
            setting = (TOUCHES[type(each)].locals_set(each) for each in operations(self.loop))
            if sum(op.index in each for each in setting) == 1:
                self.same.add(op.index)

    def _holds(self, op: ops.Expr, wanted: bool, scope: _Scope) -> bool:
        """A condition that must hold, or must not."""
        match op:
            case ops.Unary("not", operand):
                return self._holds(operand, not wanted, scope)
            case ops.Binary("and" | "or" as word, left, right) if (word == "and") == wanted:
                return self._holds(left, wanted, scope) and self._holds(right, wanted, scope)
            case ops.Binary("equal" | "unequal" as word, ops.MemoryAt() as cell, content):
                return self._compared(cell, content, (word == "equal") == wanted, scope)
            case ops.MemoryAt():
                return self._compared(op, ops.Const(0), not wanted, scope)
            case ops.Call() if wanted and self.deepest:
                self.deepest -= 1
                onward = self._call(op, scope)
                self.deepest += 1
                return onward
            case ops.Sequence(
                (ops.SetLocal(result, ops.Const(0)), ops.CountLoop() as loop), ops.Local(asked)
            ) if wanted and asked == result:
                self.steps_of_round((loop,), scope)
                return False
            case _:  # it may be anything
                return not self.counting and self._is_sure(op, scope)

    def _compared(self, cell: ops.MemoryAt, content: ops.Expr, equal: bool, scope: _Scope) -> bool:
        if not self._is_sure(cell, scope) or not self._is_sure(content, scope):
            return False
        index, held = self._told(cell.index, scope), self._told(content, scope)
        loop = self.loop
        match loop.low, loop.high, index:
            case ops.Const(low), ops.Const(high), ops.Local(number) if (
                number in self.same and low >= 0 and high <= cell.size
            ):
                if held is not None and not locals_read(held) & self.changed:
                    self.found.append(Needed(Compared(cell.base, equal, held), self.steps))
            case _:  # of another cell
                pass
        return not self.counting

    def _call(self, op: ops.Call, scope: _Scope) -> bool:
        if not all(self._is_sure(each, scope) for each in op.arguments):
            return False
        self.steps += self.rounds
        function = self.program.functions[op.function]
        inside = _Scope(
            Ranges(self.cells, function.body, function.params),
            {index: self._told(each, scope) for index, each in enumerate(op.arguments)},
        )
        for each in function.body:
            match each:
                case ops.SetLocal(index, new) if self._is_sure(new, inside):
                    inside = inside.knowing({index: self._told(new, inside)})
                case ops.When(condition, (ops.Return(ops.Const(0)),), ()):
                    if not self._holds(condition, False, inside):
                        return False
                case ops.Return(result):
                    return self._holds(result, True, inside)
                case _:  # it goes another way
                    return False
        return False

    def _told(self, op: ops.Expr, scope: _Scope) -> ops.Expr | None:
        """What a value of a function is to the code around; None if that cannot be told."""
        if scope.given is None:
            return op
        if isinstance(op, ops.Local):
            return scope.given.get(op.index)
        new: dict[str, Any] = {}
        for name in inner_fields(type(op)) or ():
            new[name] = self._told(getattr(op, name), scope)
            if new[name] is None:
                return None
        return replace(op, **new)

    def _is_sure(self, op: ops.Expr, scope: _Scope) -> bool:
        """Whether a value is plain and cannot fail."""
        asked = (ops.Evaluate(op),)
        return is_plain(op) and not body_can_fail(
            self.program, self.cells, asked, ranges=scope.ranges
        )

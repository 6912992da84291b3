"""Loops that look for something, and the rounds that tables rule out.

`not any(y in Grid where between(a, y, b) and y.man is not none)` goes through a whole board for the
few cells between two others, and which these are depends on nothing but `a` and `b`. Such a
condition is **told**: it is made of tables, the number of the round, and values that are the same
in all rounds (the *keys*). For each combination of keys it is found out once which rounds are worth
going through, and after that the others are passed over (emit/looking.py).

A function that looks at nothing but its arguments, and goes through a loop for that, is told as a
whole: its value is kept for each combination of arguments (`is_told_by_arguments`).

What must not be assumed: that calls never nest too deep, where functions call themselves: close to
that limit there is no shortcut. Nor that nobody asks for the steps. Where they are counted, a round
that is passed over still takes those of its conditions, up to the one that fails. So there
conditions at the beginning are told, each of which takes the same steps every time; and behind
others that take none and cannot go wrong, those that take none either. Where nobody counts, a
condition may be told that stands behind any others, if these cannot go wrong. Nor that the state
stands still: in a loop that writes, keys are locals only.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from interpreter.play.native.facts.ranges import Cells
from interpreter.play.native.facts.shape import (
    NEVER,
    Counter,
    Steps,
    body_can_fail,
    is_plain,
    is_still,
    looks_at_nothing,
)
from interpreter.program import ops
from interpreter.program.program import Program
from interpreter.program.touches import (
    TOUCHES,
    inner_fields,
    locals_read,
    locals_set,
    operations,
    with_called,
)

_LEAST_ROUNDS, _MOST_ROUNDS = 9, 512
MOST_KEYS = 3
_TOLD = (
    ops.Const, ops.Local, ops.Lookup, ops.Unary, ops.Binary, ops.Choice, ops.Within, ops.Sequence,
    ops.SetLocal, ops.When, ops.CountLoop, ops.Break, ops.Continue, ops.Call,
)  # fmt: skip
_LOOPS = (ops.CountLoop, ops.While)


@dataclass(frozen=True, slots=True)
class Test:
    """A condition of a round, what it must come to, and the steps that it takes."""

    condition: ops.Expr
    wanted: bool
    steps: int


@dataclass(frozen=True, slots=True)
class Looking:
    """What is told of the rounds of a loop. In its conditions, keys are locals from `first` on."""

    round: int  # the local that counts them
    before: tuple[ops.SetLocal, ...]
    tests: tuple[Test, ...]
    keys: tuple[ops.Expr, ...]
    first: int
    depth: int  # of calls in them


def find_looking(
    program: Program, loop: ops.CountLoop, counter: Counter | None, *, charged: bool = False
) -> Looking | None:
    """What is told of a loop, in code whose steps are counted (then there is no `counter`, unless
    they may be `charged` afterwards) or not."""
    match loop:
        case ops.CountLoop(_, ops.Const(low), ops.Const(high), (*before, ops.When() as last)) if (
            _LEAST_ROUNDS <= high - low <= _MOST_ROUNDS
        ):
            pass
        case _:  # it is short, or does something else
            return None
    if charged and any(isinstance(op, ops.Return) for op in operations(loop.body)):
        return None
    made = tuple(each for each in before if isinstance(each, ops.SetLocal))
    own = {loop.local, *(each.index for each in made)}
    if len(own) <= len(before) or own & locals_set(last):
        return None
    if not all(_is_made_of(each.value, own) for each in made):
        return None
    finder = _Finder(program, loop, own, None if charged else counter)
    tests = tuple(finder.tests(last, charged))
    if not any(map(_rules_out_many, tests)) or len(finder.keys) > MOST_KEYS:
        return None
    depth = depth_of_calls(program, tuple(each.condition for each in tests))
    return Looking(loop.local, made, tests, tuple(finder.keys), finder.first, depth)


def _is_made_of(op: ops.Expr, own: set[int]) -> bool:
    """Whether a value depends on locals of the round only."""
    looks = any(TOUCHES[type(each)].reads(each) for each in operations(op))
    return is_plain(op) and not looks and locals_read(op) <= own


def _rules_out_many(test: Test) -> bool:
    """That it is not a certain one rules out that one only."""
    match test.condition:
        case ops.Binary("unequal"):
            return not test.wanted
        case ops.Binary("equal"):
            return test.wanted
        case _:  # most others hold for few
            return True


class _Finder:
    """Goes through the conditions of a round in their order, and collects keys. There is a counter
    where nobody counts steps."""

    def __init__(
        self, program: Program, loop: ops.CountLoop, own: set[int], counter: Counter | None
    ) -> None:
        self.program, self.own, self.counter = program, own, counter
        self.changed = locals_set(loop)
        self.still = is_still(program, loop.body, offers=True)
        self.keys: dict[ops.Expr, int] = {}
        self.first = 1 + max(self.changed | locals_read(loop))

    def tests(self, last: ops.When, charged: bool) -> Iterator[Test]:
        sure = True  # all conditions so far have been asked in every round
        for condition, wanted in _conditions(last):
            steps = constant_steps(self.program, condition)
            told = None
            if self.counter is not None or steps == 0 or (charged and sure and steps is not None):
                told = self._test(condition, sure)
            if told is not None:
                yield Test(told, wanted, steps or 0)
            elif not self._may_be_passed(condition, steps):
                return
            sure = sure and told is not None

    def _test(self, condition: ops.Expr, sure: bool) -> ops.Expr | None:
        """A condition that is told, with keys as locals."""
        if not self.own & locals_read(condition):
            return None
        if self.counter is not None and not _is_settled(self.counter, condition):
            return None
        known = dict(self.keys)
        told: ops.Expr | None = self._told(condition, locals_set(condition), sure)
        if told is None or len(self.keys) > MOST_KEYS:
            self.keys, told = known, None
        return told

    def _may_be_passed(self, condition: ops.Expr, steps: int | None) -> bool:
        """Whether it makes no difference if a condition is not asked. Where steps are counted, it
        takes none, and what is told after it takes none either, since it may not come to that."""
        asked, counter = (ops.Evaluate(condition),), self.counter
        if not is_still(self.program, asked):
            return False
        if counter is None:
            return steps == 0 and not body_can_fail(self.program, Cells(self.program), asked)
        if not _is_settled(counter, condition):
            return False
        return not body_can_fail(self.program, counter.steps.cells, asked, ranges=counter.ranges)

    def _told(self, op: Any, inside: set[int], sure: bool) -> Any:
        """The same with keys as locals; None if it depends on anything else. `inside` are locals of
        the condition itself."""
        if type(op) is tuple:
            found = [self._told(each, inside, sure) for each in op]
            return None if None in found else tuple(found)
        if isinstance(op, ops.Expr) and not locals_read(op) & (self.changed | inside):
            key = self._key(op, sure)
            if key is not None:
                return key
        if isinstance(op, ops.Local) and op.index not in self.own | inside:
            return None
        if not isinstance(op, _TOLD) or TOUCHES[type(op)].reads(op):
            return None
        if isinstance(op, ops.Call) and not looks_at_nothing(self.program, op.function):
            return None
        new = {}
        for name in inner_fields(type(op)) or ():
            new[name] = self._told(getattr(op, name), inside, sure)
            if new[name] is None:
                return None
        return replace(op, **new)

    def _key(self, op: ops.Expr, sure: bool) -> ops.Expr | None:
        """What is the same in all rounds. A single value may be looked at before it is asked for;
        others only if that would be done anyway."""
        match op:
            case ops.Const():
                return op
            case ops.Local():
                pass
            case ops.Memory() if self.still:
                pass
            case ops.MemoryAt(_, index) if self.still and sure and is_plain(index):
                pass
            case _:  # there may be one in it
                return None
        return ops.Local(self.keys.setdefault(op, self.first + len(self.keys)))


def _is_settled(counter: Counter, condition: ops.Expr) -> bool:
    """Whether it never pays for steps as it goes: what is passed over would not."""
    return counter.unpaid(condition) == 0


def _conditions(op: ops.When) -> Iterator[tuple[ops.Expr, bool]]:
    """What must hold, or must not, for anything to be done in a round."""
    match op:
        case ops.When(condition, then, ()):
            yield from _all_of(condition, True)
            inner = then
        case ops.When(condition, (), otherwise):
            yield from _all_of(condition, False)
            inner = otherwise
        case _:  # something is done in any case
            return
    if len(inner) == 1 and isinstance(inner[0], ops.When):
        yield from _conditions(inner[0])


def _all_of(op: ops.Expr, wanted: bool) -> Iterator[tuple[ops.Expr, bool]]:
    match op:
        case ops.Unary("not", operand):
            yield from _all_of(operand, not wanted)
        case ops.Binary("and" | "or" as word, left, right) if (word == "and") == wanted:
            yield from _all_of(left, wanted)
            yield from _all_of(right, wanted)
        case _:  # one condition
            yield op, wanted


def depth_of_calls(program: Program, code: Any) -> int:
    """How deep calls in code stand in each other, at most. None of them calls itself."""
    called = {op.function for op in operations(code) if isinstance(op, ops.Call)}
    inside = (depth_of_calls(program, program.functions[number].body) for number in called)
    return 1 + max(inside) if called else 0


def is_told_by_arguments(steps: Steps, number: int) -> bool:
    """Whether it is worth keeping what a function gives: it looks at its arguments only, and goes
    through a loop for that."""
    program = steps.program
    inside = with_called(program, program.functions[number].body)
    return any(isinstance(op, _LOOPS) for op in inside) and goes_by_arguments(steps, number)


def goes_by_arguments(steps: Steps, number: int) -> bool:
    """Whether a function looks at its arguments only, which are few, and comes to an end."""
    program = steps.program
    return (
        0 < program.functions[number].params <= MOST_KEYS
        and looks_at_nothing(program, number)
        and steps.function(number) < NEVER
    )


def constant_steps(
    program: Program, op: ops.Expr, above: frozenset[int] = frozenset()
) -> int | None:
    """The steps that a value takes, if they are the same every time; `above` are the functions it
    stands in, none of which it may call again."""

    def all_of(parts: tuple[ops.Expr, ...], inside: frozenset[int] = above) -> int | None:
        found = [constant_steps(program, each, inside) for each in parts]
        known = [each for each in found if each is not None]
        return sum(known) if len(known) == len(found) else None

    match op:
        case ops.Binary("and" | "or", left, right):
            return all_of((left,)) if all_of((right,)) == 0 else None
        case ops.Choice(condition, then, otherwise):
            ways = {all_of((each,)) for each in (then, otherwise)}
            return all_of((condition,)) if ways == {0} else None
        case ops.Call(function, arguments):
            match program.functions[function].body:
                case (ops.Return(result), *_) if function not in above:
                    given, inside = all_of(arguments), all_of((result,), above | {function})
                    return None if given is None or inside is None else 1 + given + inside
                case _:  # it may go several ways
                    return None
        case ops.Sequence(statements, result):
            values = tuple(each.value for each in statements if isinstance(each, ops.SetLocal))
            straight = len(values) == len(statements)
            return all_of((*values, result)) if straight else None
        case ops.Can() | ops.WhatIf():
            return None
        case _:  # others take those of what is inside
            return all_of(tuple(getattr(op, name) for name in TOUCHES[type(op)].inner))

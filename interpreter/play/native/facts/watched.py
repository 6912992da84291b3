"""Answers that a trial leaves as they are: what was read to find them is written down.

Options are often tried out one after the other, `(isSafe(me) after go(a, b))`, and most trials
touch nothing that the answer depends on. So the answer is worked out once in the state as it stands
before all trials, and noted is which cells were looked at. A trial that has written none of them
has the same answer. It is right because code that looks at the same contents of the same cells,
with the same arguments, does the same; what was not looked at cannot matter, whatever it is called.

Found are the functions that may be asked like that: they write nothing, and it is known that they
end in time. Where one goes through a list and asks of each whether it is the one that was looked
for (`Elements`), what was read is noted for each of them, so that only those are asked again that
could have changed.

What must not be assumed: that the state before the trials is worked out without a failure, just
because the rules never ask there. What fails is asked in every trial. Nor that trials stand alone:
where one can stand in another, nothing is remembered.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from interpreter.play.native.facts import sets
from interpreter.play.native.facts.positions import Positions, find_positions, is_apart, stamps
from interpreter.play.native.facts.shape import NEVER, Steps, is_pure
from interpreter.program import ops, trials
from interpreter.program.program import Program
from interpreter.program.touches import TOUCHES, locals_read, locals_set, operations, with_called

_READABLE = (
    ops.Const, ops.Local, ops.LocalAt, ops.Memory, ops.MemoryAt, ops.Lookup, ops.Unary, ops.Binary,
    ops.Choice, ops.Call, ops.Sequence, ops.Within, ops.SetLocal, ops.SetLocalAt, ops.When,
    ops.CountLoop, ops.While, ops.Break, ops.Continue, ops.Return,
)  # fmt: skip
_LOOPS = (ops.CountLoop, ops.While)
_MOST_ELEMENTS = 64  # bits of a word
_BETWEEN = 8  # cells between two that are cleared too


@dataclass(frozen=True, slots=True)
class Elements:
    """A function that goes through elements until one is found. It gives `found` or `nothing`, or
    whether that is 0."""

    before: tuple[ops.Statement, ...]
    loop: ops.CountLoop
    low: int
    high: int
    found: int
    nothing: int
    negated: bool

    @property
    def answers(self) -> tuple[int, int]:
        """What the function gives if an element is found, and if none is."""
        if self.negated:
            return int(not self.found), int(not self.nothing)
        return self.found, self.nothing


@dataclass(frozen=True, slots=True)
class Watch:
    """Memory for what is known about one function."""

    start: int
    params: int
    elements: Elements | None
    positions: Positions | None
    sets: sets.Sets | None
    sets_start: int
    read: trials.Spans  # cells it can look at


class Watched:
    """The functions of a program whose answers are kept while options are tried out."""

    def __init__(self, steps: Steps) -> None:
        self.steps, self.program = steps, steps.program
        self.functions: dict[int, Watch] = {}
        self.size = 0
        if not _trials_stand_alone(self.program):
            return
        for number in sorted(self._asked()):
            if self._is_fit(number):
                self._add(number)

    def _trials(self) -> Iterator[ops.WhatIf]:
        for function in self.program.functions:
            for op in operations(function.body):
                if isinstance(op, ops.WhatIf):
                    yield op

    def _asked(self) -> set[int]:
        """Functions that are asked in a trial: by its value, and on the way by its steps."""
        found: set[int] = set()
        for op in self._trials():
            found |= _called(op.value)
            found |= _called_on_the_way(self.program, op.steps)
        return found

    def _is_fit(self, number: int) -> bool:
        program, steps = self.program, self.steps
        if not is_pure(program, number) or steps.function(number) >= NEVER:
            return False
        if steps.pays(number) and not steps.is_fine:
            return False
        inside = list(with_called(program, program.functions[number].body))
        if not all(isinstance(op, _READABLE) for op in inside):
            return False
        return any(isinstance(op, _LOOPS) for op in inside)

    def _add(self, number: int) -> None:
        program, function = self.program, self.program.functions[number]
        inside = with_called(program, function.body)
        spans = (
            (cells.start, len(cells)) for op in inside for cells in [TOUCHES[type(op)].reads(op)]
        )
        elements = find_elements(function.body)
        positions = find_positions(program, number)
        if positions is not None and not all(
            is_apart(program, positions, trials.kept(program, op.steps)) for op in self._trials()
        ):
            positions = None
        read = trials.merged(spans, _BETWEEN)
        found = sets.find_sets(program, number, counting=self.steps.pays(number))
        watch = Watch(self.size, function.params, elements, positions, found, self.size, read)
        self.size += memory_of(program, watch)
        if found is not None and found.counts:  # then there is both
            watch = replace(watch, sets_start=self.size)
            self.size += sets.memory_of(found)
        self.functions[number] = watch


# ---- what is kept, in cells: whether anything is known; then entries; last the marks of all cells
# of the state. An entry has what is known of it, its answer, which elements are to be asked again,
# what was paid for it, and its arguments. A list has one, whose answer is which elements were
# found, any other function many.
KNOWN, ENTRIES = 0, 1
STATE, ANSWER, ASK_AGAIN, PAID, ARGUMENTS = range(5)
NUMBER_OF_ENTRIES = 128


def width(watch: Watch) -> int:
    return ARGUMENTS + watch.params


def marks(watch: Watch) -> int:
    return ENTRIES + width(watch) * (1 if watch.elements else NUMBER_OF_ENTRIES)


def memory_of(program: Program, watch: Watch) -> int:
    if watch.sets is not None and not watch.sets.counts:
        return sets.memory_of(watch.sets)
    before = marks(watch) if watch.positions is None else stamps(watch.positions)
    return before + program.layout.size


def _trials_stand_alone(program: Program) -> bool:
    for function in program.functions:
        for op in operations(function.body):
            if isinstance(op, ops.WhatIf):
                inside = with_called(program, (op.steps, ops.Evaluate(op.value)))
                if any(isinstance(each, (ops.WhatIf, ops.Can)) for each in inside):
                    return False
    return True


def _called(code: Any) -> set[int]:
    return {op.function for op in operations(code) if isinstance(op, ops.Call)}


def _called_on_the_way(program: Program, steps: Any) -> set[int]:
    """What steps ask, and the functions by which they change something."""
    found, waiting = set[int](), _called(steps)
    while waiting:
        number = waiting.pop()
        if number not in found:
            found.add(number)
            if not is_pure(program, number):
                waiting |= _called(program.functions[number].body)
    return found


# ---- lists


def find_elements(body: tuple[ops.Statement, ...]) -> Elements | None:
    """If a function does nothing but go through a list until an element is found."""
    match body:
        case (ops.Return(ops.Unary("not", ops.Sequence() as list_)), *_):
            negated = True
        case (ops.Return(ops.Sequence() as list_), *_):
            negated = False
        case _:  # it does something else
            return None
    match list_:
        case ops.Sequence(
            (*before, ops.CountLoop(_, ops.Const(low), ops.Const(high)) as loop), ops.Local(result)
        ) if 0 < high - low <= _MOST_ELEMENTS:
            pass
        case _:  # it goes through something else
            return None
    noted = [each for each in before if isinstance(each, ops.SetLocal)]
    if len(noted) < len(before):
        return None
    first = {each.value for each in noted if each.index == result}
    then = {
        op.value for op in operations(loop) if isinstance(op, ops.SetLocal) and op.index == result
    }
    match (*first, *then):
        case (ops.Const(nothing), ops.Const(found)):
            pass
        case _:  # what is found is something else
            return None
    fits = (
        result not in locals_read(loop)
        and not locals_set(loop.body) & {loop.local, *locals_set(tuple(before))} - {result}
        and _ends_when_found(loop.body, result)
        and not _reads_before(loop.body, locals_set(loop.body) | {result}, {result})
    )
    if not fits:
        return None
    return Elements(tuple(before), loop, low, high, found, nothing, negated)


def _ends_when_found(body: tuple[ops.Statement, ...], result: int) -> bool:
    """Whether code breaks off right where it notes that something was found, and nowhere else."""
    for place, each in enumerate(body):
        match each:
            case ops.SetLocal(index) if index == result:
                if body[place + 1 :] != (ops.Break(),):
                    return False
            case ops.Break():
                before = body[place - 1] if place else None
                if not isinstance(before, ops.SetLocal) or before.index != result:
                    return False
            case ops.When(condition, then, otherwise):
                if not _is_straight(condition, result):
                    return False
                if not all(_ends_when_found(part, result) for part in (then, otherwise)):
                    return False
            case ops.SetLocal(_, value) if _is_straight(value, result):
                pass
            case _:  # what else it does may matter to others
                return False
    return True


def _is_straight(op: ops.Expr, result: int) -> bool:
    if result in locals_set(op):
        return False
    return not any(isinstance(each, (ops.Return, ops.SetLocalAt)) for each in operations(op))


def _reads_before(code: Any, own: set[int], known: set[int]) -> bool:
    """Whether code reads a local of its own that it may not have set yet; `known` are those that it
    has, and grow."""
    if isinstance(code, tuple):
        return any(_reads_before(part, own, known) for part in code)
    match code:
        case ops.Local(index):
            return index in own and index not in known
        case ops.SetLocal(index, value):
            if _reads_before(value, own, known):
                return True
            known.add(index)
            return False
        case ops.CountLoop(local, low, high, body):
            if _reads_before((low, high), own, known):
                return True
            return _reads_before(body, own, known | {local})
        case ops.When(condition, then, otherwise):
            if _reads_before(condition, own, known):
                return True
            return any(_reads_before(part, own, set(known)) for part in (then, otherwise))
        case ops.Binary("and" | "or", left, right):
            return _reads_before(left, own, known) or _reads_before(right, own, set(known))
        case ops.Choice(condition, then, otherwise):
            if _reads_before(condition, own, known):
                return True
            return any(_reads_before(part, own, set(known)) for part in (then, otherwise))
        case ops.While(condition, body):
            return _reads_before((condition, body), own, set(known))
        case _:  # of all others the parts are run one after the other
            touched = {*TOUCHES[type(code)].locals_read(code)} & own - known
            inner = tuple(getattr(code, name) for name in TOUCHES[type(code)].inner)
            return bool(touched) or _reads_before(inner, own, known)

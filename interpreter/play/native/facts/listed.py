"""Functions whose answers are kept while the options of an action are listed.

`when finished(boardOf(c))` is asked of every cell, and there are few boards. Nothing changes while
options are listed, so a function that only looks at the state gives the same answer each time it is
asked with the same arguments, from wherever that is: in the conditions, or in a function that they
ask. Found are the functions that are asked more often than there are arguments for them, as far as
can be told; it does not matter if that is wrong.

Callers are looked at before those they call: what is kept asks others once for each answer. How
many arguments there are is told by their bounds, which go along from the caller to what it calls;
what stands in one cell of the state is one argument, whatever it is.

What must not be assumed: that nothing changes where something is tried out. A generator that does
so keeps no answers, nor is anything kept of what can be asked in a trial elsewhere, for that is the
same code. And where calls may nest too deep, each of them is made.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter
from math import prod
from typing import Any

from interpreter.play.native.facts.ranges import Cells, Range, Ranges
from interpreter.play.native.facts.repeated import cells_read, is_long, often_in
from interpreter.play.native.facts.shape import Steps, is_pure
from interpreter.program import ops
from interpreter.program.program import Program
from interpreter.program.touches import operations, with_called

_MOST = 128  # answers that are kept of a function
_OFTEN, _ROUNDS = 4, 64  # calls for each of them, and rounds of loops that are counted on
_PARAMS = 4
_LONG = 64  # operations of a function, as often as they are done, for which it is worth keeping
_NESTED = 3  # functions whose bounds are looked for in each other
_WIDEST = 1 << 32  # how many arguments there are if nobody knows


@dataclass(frozen=True, slots=True)
class Listed:
    """Where the answers of one function stand: rows of when it was asked, with what, the answer
    and the steps that were paid for it. Arguments are multiplied by `strides` to find their row."""

    start: int
    rows: int
    strides: tuple[int, ...]

    @property
    def width(self) -> int:
        return 3 + len(self.strides)


@dataclass(slots=True)
class Listing:
    """Of a whole program. Before all rows stands a number that tells enumerations apart."""

    functions: dict[int, Listed]
    asking: frozenset[int]  # the generators and functions that ask them, on the way to them too
    size: int


def find_listed(steps: Steps) -> Listing:
    """What is kept while options are listed."""
    program, found = steps.program, Listing({}, frozenset(), 0)
    tried = _tried(program)
    generators = {entry.generator for menu in program.menus for entry in menu.entries}
    for number in sorted(generators):
        if not is_pure(program, number, offers=True) or number in tried:
            continue
        for function, strides in _asked_often(steps, number, tried):
            _add(found, function, strides)
    if found.functions:
        found.asking = frozenset(
            number
            for number in range(len(program.functions))
            if number not in tried
            and not found.functions.keys().isdisjoint(_called(program, number))
        )
    return found


def _add(found: Listing, function: int, strides: tuple[tuple[int, ...], int]) -> None:
    by, rows = strides
    known, found.size = found.functions.get(function), max(found.size, 1)
    if known is None or known.rows < rows:
        found.functions[function] = new = Listed(found.size, rows, by)
        found.size += rows * new.width


def _tried(program: Program) -> frozenset[int]:
    """Functions that are asked in a trial, and those that try something out."""
    found: set[int] = set()
    for number, function in enumerate(program.functions):
        for op in operations(function.body):
            if isinstance(op, ops.WhatIf):
                found |= {number, *_called_by(program, (op.steps, op.value))}
    return frozenset(found)


def _called(program: Program, number: int) -> set[int]:
    return _called_by(program, program.functions[number].body)


def _called_by(program: Program, code: Any) -> set[int]:
    return {op.function for op in with_called(program, code) if isinstance(op, ops.Call)}


@dataclass(slots=True)
class _Asked:
    """How often a function is asked, and with what: the bounds of each argument, and how many
    there are between them."""

    times: int = 0
    bounds: list[Range] | None = None
    counts: list[int] | None = None


def _asked_often(
    steps: Steps, generator: int, tried: frozenset[int]
) -> Iterator[tuple[int, tuple[tuple[int, ...], int]]]:
    program = steps.program
    asked: dict[int, _Asked] = {generator: _Asked(1, [], [])}
    for number in _callers_first(program, generator):
        own = asked.get(number)
        if own is None or own.bounds is None or own.counts is None:
            continue
        times, several = own.times, prod(own.counts)
        if number != generator and _is_kept(steps, number, tried, times, several):
            yield number, _strides(own.bounds, own.counts)
            times = several
        function = program.functions[number]
        ranges = _Told(steps.cells, function.body, function.params, tuple(own.bounds))
        for op, often in often_in(ranges, function.body, times, _ROUNDS):
            if isinstance(op, ops.Call):
                _note(asked.setdefault(op.function, _Asked()), ranges, own.counts, op, often)


def _is_kept(steps: Steps, number: int, tried: frozenset[int], times: int, several: int) -> bool:
    program = steps.program
    return (
        several <= _MOST
        and times >= _OFTEN * several
        and program.functions[number].params <= _PARAMS
        and number not in tried
        and is_long(program, number)
        and _is_long_itself(steps, number)
        and is_pure(program, number)
        and bool(cells_read(program, number))
    )


def _is_long_itself(steps: Steps, number: int) -> bool:
    """What only asks one other function is as short as that, if that is kept."""
    program = steps.program
    function = program.functions[number]
    asked = [op for op in operations(function.body) if isinstance(op, ops.Call)]
    if sum(is_long(program, call.function) for call in asked) > 1:
        return True
    ranges = Ranges(steps.cells, function.body, function.params)
    return sum(often for _, often in often_in(ranges, function.body, 1, _ROUNDS)) >= _LONG


def _callers_first(program: Program, generator: int) -> list[int]:
    """The functions that a generator can come to; none if one can come to itself."""
    order: TopologicalSorter[int] = TopologicalSorter()
    for number in (generator, *_called(program, generator)):
        order.add(number)
        for op in operations(program.functions[number].body):
            if isinstance(op, ops.Call):
                order.add(op.function, number)
    try:
        return list(order.static_order())
    except CycleError:
        return []


def _note(asked: _Asked, ranges: Ranges, counts: list[int], call: ops.Call, times: int) -> None:
    """One more call."""
    asked.times += times
    bounds = [ranges.of(each) for each in call.arguments]
    more = [_count(each, ranges, counts) for each in call.arguments]
    if asked.bounds is None or asked.counts is None:
        asked.bounds, asked.counts = bounds, more
        return
    both = zip(asked.bounds, bounds, strict=True)
    asked.bounds = [(min(a[0], b[0]), max(a[1], b[1])) for a, b in both]
    sums = (one + two for one, two in zip(asked.counts, more, strict=True))
    asked.counts = [min(each, _size(of)) for each, of in zip(sums, asked.bounds, strict=True)]


def _count(op: ops.Expr, ranges: Ranges, counts: list[int]) -> int:
    """How many different things an argument can be while options are listed."""
    match op:
        case ops.Const() | ops.Memory():
            return 1
        case ops.Local(index) if index < len(counts):
            return counts[index]
        case _:  # any other is told by its bounds
            return _size(ranges.of(op))


def _size(bounds: Range) -> int:
    return min(_WIDEST, bounds[1] - bounds[0] + 1)


def _strides(bounds: list[Range], counts: list[int]) -> tuple[tuple[int, ...], int]:
    """What arguments are multiplied by, and how many rows there are then: a power of two."""
    found, rows = [], 1
    for own, count in zip(bounds, counts, strict=True):
        found.append(rows)
        rows *= 1 << (min(_size(own), max(count, 2)) - 1).bit_length()
    return tuple(found), min(rows, _MOST)


class _Told(Ranges):
    """With what is known of parameters, and of what short functions give."""

    def __init__(
        self, cells: Cells, body: Any, params: int, given: tuple[Range, ...], nested: int = _NESTED
    ) -> None:
        self.nested = nested
        super().__init__(cells, body, params, given)

    def of(self, op: ops.Expr) -> Range:
        if isinstance(op, ops.Call) and self.nested:
            function = self.cells.program.functions[op.function]
            match function.body:
                case (ops.Return(result), *_):
                    given = tuple(self.of(each) for each in op.arguments)
                    inside = (self.cells, function.body, function.params, given, self.nested - 1)
                    return _Told(*inside).of(result)
                case _:  # it may give anything
                    pass
        return super().of(op)

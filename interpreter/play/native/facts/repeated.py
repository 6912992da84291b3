"""Functions that are asked again with the same arguments, while nothing that they read changes.

`rank`, sums of sums and what is asked of every pair of players call the same functions over and
over: for a dozen pairs of arguments, hundreds of times. Found are the calls in a piece of code (a
loop, or the body of a function) that may as well be answered from a table (emit/memory.py), by the
arguments that are not the same in all of them.

It is right because a function that only looks at the state answers the same as long as none of the
cells is written that it, or what it calls, can read. So the code around may write, but not there,
and it may not try anything out. Arguments that are no keys are the same in all calls, and nothing
in the code sets them.

It pays off where there are more calls than answers. How often a loop goes round is only guessed;
it does not matter if that is wrong. What is short is asked at once.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import prod
from typing import Any

from interpreter.play.native.facts.ranges import Ranges
from interpreter.play.native.facts.shape import Steps, is_pure
from interpreter.program import ops
from interpreter.program.once import once_for_each_program
from interpreter.program.program import Program
from interpreter.program.touches import TOUCHES, Cells, locals_set, parts, with_called

_MOST = 64  # answers that are kept
_OFTEN = 2  # calls for each of them
_ROUNDS, _FEW = 16, 4  # of loops: no more are counted on, and so many if nobody knows
_SHORT = 20  # operations that are no longer than to look for an answer
_LOOPS = (ops.CountLoop, ops.While, ops.Reach)


@dataclass(frozen=True, slots=True)
class Bounds:
    """Of an argument that answers are kept by."""

    position: int
    low: int
    size: int


@dataclass(frozen=True, slots=True)
class Repeated:
    """Calls of one function, and what tells their answers apart."""

    calls: tuple[ops.Call, ...]
    keys: tuple[Bounds, ...]


def find_repeated(steps: Steps, code: Any, *, free: bool) -> list[Repeated]:
    """The functions that code calls again and again. `free`: it counts no steps."""
    program = steps.program
    calls: dict[int, dict[ops.Call, int]] = {}
    ranges = Ranges(steps.cells, code, 0)
    for op, times in often_in(ranges, code, 1):
        if isinstance(op, ops.Call):
            own = calls.setdefault(op.function, {})
            own[op] = own.get(op, 0) + times
    often = [n for n, each in calls.items() if sum(each.values()) >= _OFTEN]
    asked = [n for n in often if is_long(program, n) and is_pure(program, n)]
    if free:  # what pays for its rounds would have to pay again
        asked = [n for n in asked if not steps.pays(n)]
    if not asked:
        return []
    found, around = [], _Around(program, code, ranges)
    for number in asked:
        keys = around.keys(tuple(calls[number]))
        if keys is None or around.changes(number):
            continue
        if sum(calls[number].values()) >= _OFTEN * prod(key.size for key in keys):
            found.append(Repeated(tuple(calls[number]), keys))
    return found


def often_in(
    ranges: Ranges, code: Any, rounds: int, most: int = _ROUNDS
) -> Iterator[tuple[Any, int]]:
    """Every operation in code, and how often it may be done, if no loop has more rounds than
    `most`."""
    if type(code) is not tuple:
        yield code, rounds
    inside = rounds
    if isinstance(code, ops.CountLoop):
        often = ranges.of(code.high)[1] - ranges.of(code.low)[0]
        inside = rounds * (max(1, min(often, most)) if often < 1 << 32 else _FEW)
    elif isinstance(code, (ops.While, ops.Reach)):
        inside = rounds * _FEW
    for part in parts(code):
        if part is not None:
            yield from often_in(ranges, part, inside, most)


class _Around:
    """The code that calls stand in."""

    def __init__(self, program: Program, code: Any, ranges: Ranges) -> None:
        self.program, self.code, self.ranges = program, code, ranges
        self.set = locals_set(code)
        self.written: frozenset[int] | None = frozenset()  # None: anything
        for op in with_called(program, code):
            row = TOUCHES[type(op)]
            if row.tries or self.written is None:
                self.written = None
                break
            self.written = self.written.union(*row.writes(op, program))

    def changes(self, number: int) -> bool:
        """Whether it may change the answers of a function."""
        return self.written is None or not self.written.isdisjoint(cells_read(self.program, number))

    def keys(self, calls: tuple[ops.Call, ...]) -> tuple[Bounds, ...] | None:
        """The arguments that differ; None if one of them can be anything."""
        found = []
        for position in range(len(calls[0].arguments)):
            given = {call.arguments[position] for call in calls}
            if len(given) == 1 and self._stands_still(next(iter(given))):
                continue
            known = [self.ranges.of(each) for each in given]
            ends = [(low, high) for low, high in known if high - low < _MOST]
            if not ends:
                return None
            low, high = min(low for low, _ in ends), max(high for _, high in ends)
            found.append(Bounds(position, low, high - low + 1))
        return tuple(found) if prod(key.size for key in found) <= _MOST else None

    def _stands_still(self, op: ops.Expr) -> bool:
        match op:
            case ops.Const():
                return True
            case ops.Memory(address):
                return self.written is not None and address not in self.written
            case ops.Local(index):
                return index not in self.set
            case _:  # any other may change with what it is made of
                return False


@once_for_each_program
def cells_read(program: Program, number: int) -> Cells:
    """By a function and what it calls."""
    found = with_called(program, program.functions[number].body)
    return frozenset(cell for op in found for cell in TOUCHES[type(op)].reads(op))


@once_for_each_program
def is_long(program: Program, number: int) -> bool:
    """Whether it takes longer to ask a function than to look for what it said."""
    inside = list(with_called(program, program.functions[number].body))
    return len(inside) > _SHORT or any(isinstance(op, _LOOPS) for op in inside)

"""What can be told of code before it is run: whether it is plain, how long it can take.

Plain code cannot call, loop or write to the state. It may be run where the reference machine
would skip it, as long as nothing comes of it: that avoids jumps, which cost more than a few
needless operations when nobody can foresee them.
"""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from typing import Any

from interpreter import limits
from interpreter.play.native.facts.ranges import Cells, Ranges
from interpreter.program import ops
from interpreter.program.program import Program
from interpreter.program.verify import operations

NEVER = 1 << 60  # more than any limit
_ENDLESS = limits.STEPS_PER_MOVE // 4  # a loop that may take so many steps pays as it goes
_PLAIN_SIZE = 24  # operations; beyond that a jump is cheaper
_PLAIN = (
    ops.Const, ops.Local, ops.LocalAt, ops.Memory, ops.MemoryAt, ops.Lookup, ops.Unary,
    ops.Choice, ops.Within,
)  # fmt: skip


def is_plain(op: ops.Expr, size: int = _PLAIN_SIZE) -> bool:
    found = list(operations(op))
    return len(found) <= size and all(_is_plain(each) for each in found)


def _is_plain(op: Any) -> bool:
    if isinstance(op, ops.Binary):
        if op.word == "shift":
            return op.at < 0
        return op.word not in ("divide", "divideUp", "modulo") or (
            isinstance(op.right, ops.Const) and op.right.value > 0
        )
    return isinstance(op, _PLAIN)


def is_plain_offer(statements: tuple[ops.Statement, ...]) -> bool:
    """Whether statements only offer options, under conditions that are plain."""
    offers = False
    for each in statements:
        match each:
            case ops.SetLocal(_, value) if is_plain(value):
                pass
            case ops.Emit(values) if all(is_plain(value) for value in values):
                offers = True
            case ops.When(condition, then, ()) if is_plain(condition) and is_plain_offer(then):
                offers = True
            case _:
                return False
    return offers and sum(1 for _ in operations(statements)) <= 2 * _PLAIN_SIZE


def is_foreseeable(op: ops.Expr) -> bool:
    """Whether a processor can guess a condition: it depends on constant tables and on where
    the loop is, not on what lies there in the state."""
    return not any(
        isinstance(each, (ops.MemoryAt, ops.LocalAt))
        and any(isinstance(part, ops.Local) for part in operations(each.index))
        for each in operations(op)
    )


def assigned(code: Any) -> set[int]:
    """The locals that code can set."""
    found: set[int] = set()
    for op in operations(code):
        match op:
            case ops.SetLocal(index):
                found.add(index)
            case ops.CountLoop(local):
                found.add(local)
            case _:
                pass
    return found


def most_offers(cells: Cells, body: tuple[ops.Statement, ...]) -> int:
    """The most options that a generator can offer."""
    return min(NEVER, _offers(Ranges(cells, body, 0), body))


def _offers(ranges: Ranges, statements: tuple[ops.Statement, ...]) -> int:
    total = 0
    for each in statements:
        match each:
            case ops.Emit():
                total += 1
            case ops.When(_, then, otherwise):
                total += max(_offers(ranges, then), _offers(ranges, otherwise))
            case ops.CountLoop(_, low, high, body):
                rounds = max(0, ranges.of(high)[1] - ranges.of(low)[0])
                total += rounds * _offers(ranges, body)
            case ops.While(_, body):
                total += NEVER * _offers(ranges, body)
            case _:
                pass
    return total


def is_sure(steps: Steps, number: int) -> bool:
    """Whether nothing can go wrong in a generator, not even take too long."""
    body = steps.program.functions[number].body
    return (
        steps.of(body) <= limits.STEPS_PER_MOVE
        and most_offers(steps.cells, body) <= limits.OPTIONS
        and not can_fail(steps.program, steps.cells, number)
    )


def can_fail(
    program: Program, cells: Cells, number: int, seen: frozenset[int] = frozenset()
) -> bool:
    """Whether something in a function can go wrong, however long it takes."""
    function = program.functions[number]
    return body_can_fail(program, cells, function.body, function.params, seen)


def body_can_fail(
    program: Program,
    cells: Cells,
    body: Any,
    params: int = 0,
    seen: frozenset[int] = frozenset(),
    ranges: Ranges | None = None,
) -> bool:
    ranges = ranges or Ranges(cells, body, params)
    for op in operations(body):
        match op:
            case ops.Within(value, low, high):
                first, last = ranges.of(value)
                if first < low or last > high:
                    return True
            case ops.Fail() | ops.Can() | ops.Tell() | ops.MovePiece():
                return True
            case ops.Binary("divide" | "divideUp" | "modulo", _, right):
                if ranges.of(right)[0] <= 0:
                    return True
            case ops.Binary(at=at) if at >= 0 and _may_overflow(ranges, op):
                return True
            case ops.Call(other):
                if other in seen or can_fail(program, cells, other, seen | {other}):
                    return True
            case _:
                pass
    return False


def _may_overflow(ranges: Ranges, op: ops.Binary) -> bool:
    one, two = ranges.of(op.left), ranges.of(op.right)
    match op.word:
        case "add":
            ends = [one[0] + two[0], one[1] + two[1]]
        case "subtract":
            ends = [one[0] - two[1], one[1] - two[0]]
        case "multiply":
            ends = [left * right for left in one for right in two]
        case _:
            return True
    return min(ends) < -limits.INT_MAX or max(ends) > limits.INT_MAX


class Steps:
    """The most steps that code can take, where that can be told.

    `rough` tells it without the loops that nobody knows the end of. Such a loop pays for each
    round as it goes, and gives up when that could be too much; then the code is run again in
    the form that counts exactly.
    """

    def __init__(self, program: Program) -> None:
        self.program = program
        self.cells = Cells(program)
        self.functions: dict[tuple[int, bool], int] = {}

    def function(self, number: int, rough: bool = False) -> int:
        key = number, rough
        if key not in self.functions:
            self.functions[key] = NEVER  # recursion
            function = self.program.functions[number]
            self.functions[key] = self.of(function.body, function.params, rough)
        return self.functions[key]

    def of(self, body: Any, params: int = 0, rough: bool = False) -> int:
        """Of a whole function, or of all code that shares its locals."""
        return min(NEVER, Counter(self, body, params, rough).of(body))


class Counter:
    """Counts the steps of one function."""

    def __init__(self, steps: Steps, around: Any, params: int, rough: bool) -> None:
        self.steps = steps
        self.around = around
        self.params = params
        self.rough = rough
        self.ranges = Ranges(steps.cells, around, params)

    def rounds(self, loop: ops.CountLoop | ops.While) -> int:
        """The most rounds of a loop, or something huge."""
        if isinstance(loop, ops.While):
            return _while_rounds(loop, self.around, self.params)
        return max(0, self.ranges.of(loop.high)[1] - self.ranges.of(loop.low)[0])

    def pays(self, loop: ops.CountLoop | ops.While) -> bool:
        """Whether a loop pays as it goes."""
        return self.rounds(loop) * (1 + self.once(loop)) > _ENDLESS

    def once(self, loop: ops.CountLoop | ops.While) -> int:
        """The most steps of one round."""
        if isinstance(loop, ops.While):
            return 1 + self.of(loop.condition) + self.of(loop.body)
        return 1 + self.of(loop.body)

    def of(self, code: Any) -> int:
        match code:
            case ops.CountLoop() | ops.While():
                ends = 0
                if isinstance(code, ops.CountLoop):
                    ends = self.of(code.low) + self.of(code.high)
                once = self.once(code)
                if self.rough and once < NEVER and self.pays(code):
                    return ends
                return min(NEVER, ends + (1 + self.rounds(code)) * once)
            case ops.Call(function, arguments):
                inside = self.steps.function(function, self.rough)
                return min(NEVER, 1 + inside + self.of(arguments))
            case ops.Can() | ops.MovePiece() | ops.ShufflePlace() | ops.Tell():
                return NEVER
            case tuple():
                return min(NEVER, sum(self.of(part) for part in code))
            case _ if is_dataclass(code) and not isinstance(code, type):
                parts = [getattr(code, field.name) for field in fields(code)]
                return min(NEVER, sum(self.of(part) for part in parts))
            case _:
                return 0


def is_pure(
    program: Program, number: int, seen: frozenset[int] = frozenset(), *, offers: bool = False
) -> bool:
    """Whether a function only looks at the state: asked twice, it answers the same."""
    return is_still(program, program.functions[number].body, seen, offers=offers)


def is_still(
    program: Program, body: Any, seen: frozenset[int] = frozenset(), *, offers: bool = False
) -> bool:
    """Whether the state stands still while code is run."""
    for op in operations(body):
        match op:
            case ops.Emit() if offers:
                pass
            case ops.SetMemory() | ops.SetMemoryAt() | ops.Emit() | ops.Can() | ops.Tell():
                return False
            case ops.MovePiece() | ops.ShufflePlace() | ops.Know():
                return False
            case ops.Call(other):
                if other in seen or not is_pure(program, other, seen | {other}):
                    return False
            case _:
                pass
    return True


def _while_rounds(loop: ops.While, around: Any, given: int) -> int:
    """A loop that counts a local up to a constant ends after so many rounds."""
    if any(isinstance(op, ops.Continue) for op in operations(loop.body)):
        return NEVER
    for part in _conjuncts(loop.condition):
        match part:
            case ops.Binary("less", ops.Local(index), ops.Const(limit)) if index >= given:
                step = ops.SetLocal(index, ops.Binary("add", ops.Local(index), ops.Const(1)))
                if step in loop.body and all(
                    op == step or (isinstance(op.value, ops.Const) and op.value.value >= 0)
                    for op in operations(around)
                    if isinstance(op, ops.SetLocal) and op.index == index
                ):
                    loops = (op for op in operations(around) if isinstance(op, ops.CountLoop))
                    if index not in {op.local for op in loops}:
                        return limit
            case _:
                pass
    return NEVER


def _conjuncts(op: ops.Expr) -> list[ops.Expr]:
    if isinstance(op, ops.Binary) and op.word == "and":
        return [*_conjuncts(op.left), *_conjuncts(op.right)]
    return [op]

"""What can be told of code before it is run: whether it is plain, how long it can take.

Plain code cannot call, loop or write to the state. It may be run where the reference machine
would skip it, as long as nothing comes of it: that avoids jumps, which cost more than a few
needless operations when nobody can foresee them.
"""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from typing import Any

from interpreter.play.native.ranges import Cells, Ranges
from interpreter.program import ops
from interpreter.program.program import Program
from interpreter.program.verify import operations

NEVER = 1 << 60  # more than any limit
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
        return op.word not in ("divide", "divideUp", "modulo", "shift") or (
            isinstance(op.right, ops.Const) and op.right.value > 0 and op.word != "shift"
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


def most_offers(statements: tuple[ops.Statement, ...]) -> int:
    """The most options that statements can offer."""
    total = 0
    for each in statements:
        match each:
            case ops.Emit():
                total += 1
            case ops.When(_, then, otherwise):
                total += max(most_offers(then), most_offers(otherwise))
            case ops.CountLoop(_, low, high, body):
                inner = most_offers(body)
                if isinstance(low, ops.Const) and isinstance(high, ops.Const):
                    total += inner * max(0, high.value - low.value)
                elif inner:
                    return NEVER
            case ops.While(_, body):
                if most_offers(body):
                    return NEVER
            case _:
                pass
    return min(total, NEVER)


def can_fail(program: Program, code: Any, seen: frozenset[int] = frozenset()) -> bool:
    """Whether something in the code can go wrong, however long it takes."""
    for op in operations(code):
        match op:
            case ops.Within() | ops.Fail() | ops.Can() | ops.Tell() | ops.MovePiece():
                return True
            case ops.Binary("divide" | "divideUp" | "modulo", _, right):
                if not (isinstance(right, ops.Const) and right.value > 0):
                    return True
            case ops.Binary(at=at) if at >= 0:
                return True
            case ops.Call(function):
                if function in seen or can_fail(
                    program, program.functions[function].body, seen | {function}
                ):
                    return True
            case _:
                pass
    return False


class Steps:
    """The most steps that code can take, where that can be told."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.cells = Cells(program)
        self.functions: dict[int, int] = {}

    def function(self, number: int) -> int:
        if number not in self.functions:
            self.functions[number] = NEVER  # recursion
            function = self.program.functions[number]
            self.functions[number] = self.of(function.body, function.params)
        return self.functions[number]

    def of(self, body: Any, params: int = 0) -> int:
        """Of a whole function, or of all code that shares its locals."""
        return min(NEVER, _Counter(self, body, params).of(body))


class _Counter:
    def __init__(self, steps: Steps, around: Any, params: int) -> None:
        self.steps = steps
        self.around = around
        self.params = params
        self.ranges = Ranges(steps.cells, around, params)

    def of(self, code: Any) -> int:
        match code:
            case ops.CountLoop(_, low, high, body):
                rounds = max(0, self.ranges.of(high)[1] - self.ranges.of(low)[0])
                ends = self.of(low) + self.of(high)
                return min(NEVER, ends + rounds * (1 + self.of(body)))
            case ops.While(condition, body):
                each = self.of(condition) + self.of(body) + 1
                return min(NEVER, (1 + _while_rounds(code, self.around, self.params)) * each)
            case ops.Call(function, arguments):
                return 1 + self.steps.function(function) + self.of(arguments)
            case ops.Can() | ops.MovePiece() | ops.ShufflePlace() | ops.Tell():
                return NEVER
            case tuple():
                return min(NEVER, sum(self.of(part) for part in code))
            case _ if is_dataclass(code) and not isinstance(code, type):
                parts = [getattr(code, field.name) for field in fields(code)]
                return sum(self.of(part) for part in parts)
            case _:
                return 0


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

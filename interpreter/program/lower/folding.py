"""What is known before a game begins is worked out while lowering."""

from __future__ import annotations

from interpreter import limits
from interpreter.model.types import (
    Type,
)  # fmt: skip
from interpreter.program import ops


def bounds_of(word: str, left: Type, right: Type) -> tuple[int, int] | None:
    """The range of a result, so that most sums need no test for overflow while playing."""
    if left.sort != "int" or right.sort != "int" or left.optional or right.optional:
        return None
    match word:
        case "add":
            return left.low + right.low, left.high + right.high
        case "subtract":
            return left.low - right.high, left.high - right.low
        case "multiply":
            ends = [a * b for a in (left.low, left.high) for b in (right.low, right.high)]
            return min(ends), max(ends)
        case "modulo" if right.low > 0:
            return 0, right.high - 1
        case "divide" | "divideUp" if right.low > 0:
            return min(left.low, 0), max(left.high, 0)
        case _:
            return None


def fold(op: ops.Binary) -> ops.Expr:
    """Numbers known before the game are computed before the game."""
    if not isinstance(op.left, ops.Const) or not isinstance(op.right, ops.Const):
        return op
    left, right = op.left.value, op.right.value
    result: int | None = None
    match op.word:
        case "add":
            result = left + right
        case "subtract":
            result = left - right
        case "multiply":
            result = left * right
        case "divide" if right:
            result = left // right
        case "modulo" if right:
            result = left % right
        case _:
            return op
    if result is None or abs(result) > limits.INT_MAX:
        return op
    return ops.Const(result)


def times(op: ops.Expr, size: int) -> ops.Expr:
    if size == 1:
        return op
    return fold(ops.Binary("multiply", op, ops.Const(size)))

"""What is known before a game begins is worked out while lowering."""

from __future__ import annotations

from interpreter import limits
from interpreter.program import ops


def fold(op: ops.Binary) -> ops.Expr:
    """Numbers known before the game are computed before the game."""
    if not isinstance(op.left, ops.Const) or not isinstance(op.right, ops.Const):
        return op
    left, right = op.left.value, op.right.value
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
    if abs(result) > limits.INT_MAX:
        return op
    return ops.Const(result)


def times(op: ops.Expr, size: int) -> ops.Expr:
    if size == 1:
        return op
    return fold(ops.Binary("multiply", op, ops.Const(size)))

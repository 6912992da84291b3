"""What is known before a game begins is worked out while lowering."""

from __future__ import annotations

from interpreter.program import ops
from interpreter.typed.build.known import worked_out


def fold(op: ops.Binary) -> ops.Expr:
    """Numbers known before the game are computed before the game."""
    if not isinstance(op.left, ops.Const) or not isinstance(op.right, ops.Const):
        return op
    result = worked_out(op.word, op.left.value, op.right.value)
    return op if result is None else ops.Const(result)


def times(op: ops.Expr, size: int) -> ops.Expr:
    if size == 1:
        return op
    return fold(ops.Binary("multiply", op, ops.Const(size)))

"""What the types leave open is tested while playing: a possible `none`, a number out of range."""

from __future__ import annotations

from interpreter import limits
from interpreter.model.types import Type
from interpreter.program import ops
from interpreter.program.lower.builder import Builder
from interpreter.report.source import Mark


def fit(builder: Builder, op: ops.Expr, of: Type, wanted: Type, mark: Mark) -> ops.Expr:
    """A value of one type where another is needed."""
    if of.sort == "none":
        return ops.Const(wanted.none)
    if of.optional and not wanted.optional:
        least = -limits.INT_MAX if of.sort == "int" else 0
        op = ops.Within(op, least, limits.INT_MAX, "RR603", builder.spot(mark))
    if wanted.sort == "int" and not (wanted.low <= of.low and of.high <= wanted.high):
        if wanted.optional and of.optional:
            return op  # the range of an optional number is tested where it is used
        op = ops.Within(op, wanted.low, wanted.high, "RR604", builder.spot(mark))
    return op

"""Keys that put things in order: `most value, least age`."""

from __future__ import annotations

from interpreter.program import ops
from interpreter.program.lower.scope import Scope
from interpreter.typed.values import Keys


def sort_keys(scope: Scope, keys: Keys) -> list[ops.Expr]:
    """The keys of one element, turned so that the least comes first."""
    found: list[ops.Expr] = []
    for key in keys.keys:
        op = scope.value(key.value)
        if key.word == "most":
            op = ops.Unary("negate", op, scope.builder.spot(key.mark))
        found.append(op)
    return found

"""What can be gone through, as a loop that does something with each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from interpreter import limits
from interpreter.model.types import Type, whole
from interpreter.program import ops
from interpreter.program.lower import references
from interpreter.program.lower.builder import Body, Scope, Value

Act = Callable[[Value, Value], Body]


POSITION = whole(0, limits.COLLECTION_ITEMS)


@dataclass(slots=True)
class Domain:
    """A loop waiting for its body. `bound`: how many elements it can have at most."""

    type: Type
    bound: int
    loop: Callable[[Act], Body]
    place: references.PlaceRef | None = None
    # Where elements can be computed from their position alone, `count` and `element` say how.
    count: ops.Expr | None = None
    element: Callable[[ops.Expr], ops.Expr] | None = None
    position_offset: int = 1


def counted(
    scope: Scope,
    type_: Type,
    count: ops.Expr,
    element: Callable[[ops.Expr], ops.Expr],
    bound: int | None = None,
    before: Body = (),
) -> Domain:
    def loop(act: Act) -> Body:
        index = scope.locals.new()
        at = ops.Binary("add", ops.Local(index), ops.Const(1))
        body = act(Value(element(ops.Local(index)), type_), Value(at, POSITION))
        return (*before, ops.CountLoop(index, ops.Const(0), count, body))

    if bound is None:
        bound = count.value if isinstance(count, ops.Const) else limits.COLLECTION_ITEMS
    return Domain(type_, bound, loop, count=count, element=element)

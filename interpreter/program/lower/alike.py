"""Pieces that look alike in one place are one option: only the first of them is offered."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from interpreter.model.ruleset import KindInfo, Variable
from interpreter.program import ops
from interpreter.program.lower import folding, loops
from interpreter.program.lower.builder import Body, Scope, Value

_BITS = 62  # of a number that are never its sign


@dataclass(frozen=True, slots=True)
class FirstOnly:
    """`before` comes ahead of the loop through the pieces. `guard` lets a body be carried out for
    a piece, at its position, if none like it has come so far."""

    before: Body
    guard: Callable[[Value, Value, Body], Body]


def first_only(scope: Scope, domain: loops.Domain) -> FirstOnly | None:
    """What is needed where some pieces can look alike, else None."""
    ruleset = scope.builder.ruleset
    kind = ruleset.kinds[domain.type.name]
    assert domain.place is not None
    if all(row.copies <= 1 for row in kind.rows) or domain.place.place.word == "slot":
        return None
    variables = [
        each
        for each in ruleset.variables.values()
        if len(each.dimensions) == 1 and each.dimensions[0].type == domain.type
    ]
    spans = [_span(scope, each) for each in variables]
    known = [each for each in spans if each is not None]
    looks = len(kind.rows)
    for _, size in known:
        looks *= size
    if len(known) == len(variables) and looks <= _BITS:
        return _marked_off(scope, kind, list(zip(variables, known, strict=True)))
    return _compared(scope, domain, kind, variables)


def _span(scope: Scope, variable: Variable) -> tuple[int, int] | None:
    """The lowest value of a variable and how many there can be, if these are few."""
    type_ = variable.type
    size = scope.builder.ruleset.type_size(type_)
    if size is None or size > _BITS:
        return None
    if type_.optional:
        return None if type_.sort == "int" else (type_.none, size + 1)
    return (type_.low if type_.sort == "int" else 0), size


def _marked_off(
    scope: Scope, kind: KindInfo, variables: list[tuple[Variable, tuple[int, int]]]
) -> FirstOnly:
    """There are few ways to look: each has a bit, which is set when a piece looks like that."""
    seen = scope.locals.new()
    rows = scope.builder.table(kind.components)

    def guard(piece: Value, _: Value, body: Body) -> Body:
        look: ops.Expr = ops.Lookup(rows, piece.op)
        for variable, (low, size) in variables:
            held: ops.Expr = ops.MemoryAt(variable.address, piece.op, variable.size)
            if low:
                held = ops.Binary("subtract", held, ops.Const(low))
            look = ops.Binary("add", folding.times(look, size), held)
        bit = scope.locals.new()
        fresh = ops.Binary("bitAnd", ops.Local(seen), ops.Local(bit))
        mark = ops.SetLocal(seen, ops.Binary("bitOr", ops.Local(seen), ops.Local(bit)))
        return (
            ops.SetLocal(bit, ops.Binary("shift", ops.Const(1), look)),
            ops.When(ops.Binary("equal", fresh, ops.Const(0)), (mark, *body)),
        )

    return FirstOnly((ops.SetLocal(seen, ops.Const(0)),), guard)


def _compared(
    scope: Scope, domain: loops.Domain, kind: KindInfo, variables: list[Variable]
) -> FirstOnly:
    """Each piece is compared with those before it."""
    place = domain.place
    assert place is not None
    rows = scope.builder.table(kind.components)

    def guard(piece: Value, at: Value, body: Body) -> Body:
        index, seen = scope.locals.new(), scope.locals.new()
        other = place.content(ops.Local(index))
        same: ops.Expr = ops.Binary("equal", ops.Lookup(rows, other), ops.Lookup(rows, piece.op))
        for variable in variables:
            mine = ops.MemoryAt(variable.address, piece.op, variable.size)
            theirs = ops.MemoryAt(variable.address, other, variable.size)
            same = ops.Binary("and", same, ops.Binary("equal", mine, theirs))
        earlier = ops.Binary("subtract", at.op, ops.Const(1))
        found = (ops.SetLocal(seen, ops.Const(1)), ops.Break())
        return (
            ops.SetLocal(seen, ops.Const(0)),
            ops.CountLoop(index, ops.Const(0), earlier, (ops.When(same, found),)),
            ops.When(ops.Local(seen), (), body),
        )

    return FirstOnly((), guard)

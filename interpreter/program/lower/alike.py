"""Pieces that look alike in one place are one option: only the first of them is offered."""

from __future__ import annotations

from interpreter.model.ruleset import Variable
from interpreter.program import ops
from interpreter.program.lower import folding, loops
from interpreter.program.lower.builder import Body, Scope, Value
from interpreter.program.verify import operations
from interpreter.tree import nodes

_BITS = 62  # of a number that are never its sign


class FirstOnly:
    """Lets the body of a loop through pieces be carried out for the first of those that look alike.

    `before` comes ahead of the loop, once its body is there.
    """

    def __init__(self, scope: Scope, domain: loops.Domain, binder: nodes.Binder) -> None:
        ruleset = scope.builder.ruleset
        self.builder = scope.builder
        self.locals = scope.locals
        self.domain = domain
        self.kind = ruleset.kinds[domain.type.name]
        self.rows = self.builder.table(self.kind.components)
        self.variables = [
            each
            for each in ruleset.variables.values()
            if len(each.dimensions) == 1 and each.dimensions[0].type == domain.type
        ]
        self.plain = binder.where is None and binder.stays is None and binder.position is None
        self.before: Body = ()

    def guard(self, piece: Value, at: Value, conditions: list[ops.Expr], body: Body) -> Body:
        """The body for a piece at its position, under conditions that have been looked at."""
        spans = self._spans()
        if self.plain and spans is not None and all(self._sees_look(piece, c) for c in conditions):
            return self._mark_off(piece, spans, body)
        return self._compare(piece, at, body)

    def _spans(self) -> list[tuple[int, int]] | None:
        """For each variable of a piece its lowest value and how many there can be, if there are
        few ways to look."""
        found = []
        looks = len(self.kind.rows)
        for variable in self.variables:
            span = self._span(variable)
            if span is None:
                return None
            looks *= span[1]
            found.append(span)
        return found if looks <= _BITS else None

    def _span(self, variable: Variable) -> tuple[int, int] | None:
        type_ = variable.type
        size = self.builder.ruleset.type_size(type_)
        if size is None or size > _BITS:
            return None
        if type_.optional:
            return None if type_.sort == "int" else (type_.none, size + 1)
        return (type_.low if type_.sort == "int" else 0), size

    def _sees_look(self, piece: Value, condition: ops.Expr) -> bool:
        """Whether a condition holds of all pieces that look alike, or of none."""
        addresses = {variable.address for variable in self.variables}
        uses = 0
        for op in operations(condition):
            match op:
                case ops.MemoryAt(base, index) if index == piece.op and base in addresses:
                    uses += 1
                case ops.Lookup(table, index) if index == piece.op and self._is_by_row(table):
                    uses += 1
                case _ if op == piece.op:
                    uses -= 1
                case _:  # any other does not name the piece
                    pass
        return uses == 0

    def _is_by_row(self, table: int) -> bool:
        found: dict[int, int] = {}
        values = self.builder.program.tables[table]
        rows = self.kind.components
        return len(values) == len(rows) and all(
            found.setdefault(row, value) == value for row, value in zip(rows, values, strict=True)
        )

    def _mark_off(self, piece: Value, spans: list[tuple[int, int]], body: Body) -> Body:
        """Each way to look has a bit, which is set when a piece looks like that."""
        seen, bit = self.locals.new(), self.locals.new()
        look: ops.Expr = ops.Lookup(self.rows, piece.op)
        for variable, (low, size) in zip(self.variables, spans, strict=True):
            held: ops.Expr = ops.MemoryAt(variable.address, piece.op, variable.size)
            if low:
                held = ops.Binary("subtract", held, ops.Const(low))
            look = ops.Binary("add", folding.times(look, size), held)
        both = ops.Binary("bitAnd", ops.Local(seen), ops.Local(bit))
        mark = ops.SetLocal(seen, ops.Binary("bitOr", ops.Local(seen), ops.Local(bit)))
        self.before = (ops.SetLocal(seen, ops.Const(0)),)
        return (
            ops.SetLocal(bit, ops.Binary("shift", ops.Const(1), look)),
            ops.When(ops.Binary("equal", both, ops.Const(0)), (mark, *body)),
        )

    def _compare(self, piece: Value, at: Value, body: Body) -> Body:
        """Each piece is compared with those before it."""
        assert self.domain.place is not None
        index, seen = self.locals.new(), self.locals.new()
        other = self.domain.place.content(ops.Local(index))
        mine: ops.Expr = ops.Lookup(self.rows, piece.op)
        same: ops.Expr = ops.Binary("equal", ops.Lookup(self.rows, other), mine)
        for variable in self.variables:
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


def first_only(scope: Scope, domain: loops.Domain, binder: nodes.Binder) -> FirstOnly | None:
    """What is needed where some pieces can look alike, else None."""
    kind = scope.builder.ruleset.kinds[domain.type.name]
    assert domain.place is not None
    if all(row.copies <= 1 for row in kind.rows) or domain.place.place.word == "slot":
        return None
    return FirstOnly(scope, domain, binder)

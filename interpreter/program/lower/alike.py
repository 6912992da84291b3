"""Pieces that look alike in one place are one option: only the first of them is offered."""

from __future__ import annotations

from interpreter.model.ruleset import Variable
from interpreter.program import ops
from interpreter.program.lower.builder import Body
from interpreter.program.lower.folding import times
from interpreter.program.lower.references import PlaceRef
from interpreter.program.lower.scope import Domain, Scope
from interpreter.program.verify import operations
from interpreter.typed.values import Binder

_BITS = 62  # of a number that are never its sign


class FirstOnly:
    """Lets the body of a loop through pieces be carried out for the first of those that look alike.

    `before` comes ahead of the loop, once its body is there.
    """

    def __init__(self, scope: Scope, binder: Binder, place: PlaceRef) -> None:
        ruleset = scope.builder.ruleset
        self.scope = scope
        self.place = place
        self.kind = ruleset.kinds[place.place.kind]
        self.rows = scope.builder.table(self.kind.components)
        self.variables = [
            each
            for each in ruleset.variables.values()
            if len(each.dimensions) == 1 and each.dimensions[0].type == binder.domain.type
        ]
        self.plain = not binder.tests and binder.position is None
        self.before: Body = ()

    def guard(self, piece: ops.Expr, at: ops.Expr, conditions: list[ops.Expr], body: Body) -> Body:
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
        size = self.scope.builder.ruleset.type_size(type_)
        if size is None or size > _BITS:
            return None
        if type_.optional:
            return None if type_.sort == "int" else (type_.none, size + 1)
        return (type_.low if type_.sort == "int" else 0), size

    def _sees_look(self, piece: ops.Expr, condition: ops.Expr) -> bool:
        """Whether a condition holds of all pieces that look alike, or of none."""
        addresses = {variable.address for variable in self.variables}
        uses = 0
        for op in operations(condition):
            match op:
                case ops.MemoryAt(base, index) if index == piece and base in addresses:
                    uses += 1
                case ops.Lookup(table, index) if index == piece and self._is_by_row(table):
                    uses += 1
                case _ if op == piece:
                    uses -= 1
                case _:  # any other does not name the piece
                    pass
        return uses == 0

    def _is_by_row(self, table: int) -> bool:
        found: dict[int, int] = {}
        values = self.scope.builder.program.tables[table]
        rows = self.kind.components
        return len(values) == len(rows) and all(
            found.setdefault(row, value) == value for row, value in zip(rows, values, strict=True)
        )

    def _mark_off(self, piece: ops.Expr, spans: list[tuple[int, int]], body: Body) -> Body:
        """Each way to look has a bit, which is set when a piece looks like that."""
        seen, bit = self.scope.register(), self.scope.register()
        look: ops.Expr = ops.Lookup(self.rows, piece)
        for variable, (low, size) in zip(self.variables, spans, strict=True):
            held: ops.Expr = ops.MemoryAt(variable.address, piece, variable.size)
            if low:
                held = ops.Binary("subtract", held, ops.Const(low))
            look = ops.Binary("add", times(look, size), held)
        both = ops.Binary("bitAnd", seen, bit)
        mark = ops.SetLocal(seen.index, ops.Binary("bitOr", seen, bit))
        self.before = (ops.SetLocal(seen.index, ops.Const(0)),)
        return (
            ops.SetLocal(bit.index, ops.Binary("shift", ops.Const(1), look)),
            ops.When(ops.Binary("equal", both, ops.Const(0)), (mark, *body)),
        )

    def _compare(self, piece: ops.Expr, at: ops.Expr, body: Body) -> Body:
        """Each piece is compared with those before it."""
        index, seen = self.scope.register(), self.scope.register()
        other = self.place.content(index)
        mine: ops.Expr = ops.Lookup(self.rows, piece)
        same: ops.Expr = ops.Binary("equal", ops.Lookup(self.rows, other), mine)
        for variable in self.variables:
            mine = ops.MemoryAt(variable.address, piece, variable.size)
            theirs = ops.MemoryAt(variable.address, other, variable.size)
            same = ops.Binary("and", same, ops.Binary("equal", mine, theirs))
        earlier = ops.Binary("subtract", at, ops.Const(1))
        found = (ops.SetLocal(seen.index, ops.Const(1)), ops.Break())
        return (
            ops.SetLocal(seen.index, ops.Const(0)),
            ops.CountLoop(index.index, ops.Const(0), earlier, (ops.When(same, found),)),
            ops.When(seen, (), body),
        )


def first_only(scope: Scope, binder: Binder, domain: Domain) -> FirstOnly | None:
    """What is needed where some pieces of a place can look alike, else None."""
    assert domain.place is not None
    place = domain.place.place
    kind = scope.builder.ruleset.kinds[place.kind]
    if all(row.copies <= 1 for row in kind.rows) or place.word == "slot":
        return None
    return FirstOnly(scope, binder, domain.place)

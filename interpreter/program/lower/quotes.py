"""Pieces and rows in quotes: by their id or their printed name, of several copies with a number."""

from __future__ import annotations

from interpreter.model.ruleset import KindInfo
from interpreter.model.types import Sort, Type, named
from interpreter.program import ops
from interpreter.program.lower import fitting
from interpreter.program.lower.builder import BROKEN, Scope, Value
from interpreter.report.suggest import did_you_mean
from interpreter.report.whole import read_count
from interpreter.tree import nodes


def quoted(scope: Scope, expr: nodes.Quoted, wanted: Type | None) -> Value:
    """`"Claims Lawyer"`, `"P-03"`, `"gravel#2"`."""
    kinds = scope.builder.ruleset.kinds.values()
    name, sign, number = expr.text.rpartition("#")
    if not sign:
        name = expr.text
    found = [value for kind in kinds for value in _rows(kind, name, number if sign else None)]
    if wanted is not None:
        found = [v for v in found if fitting.same_family(v.type, wanted)] or found
    if len({value.type for value in found}) == 1:
        return found[0]
    if found:
        families = ", ".join(sorted({str(value.type) for value in found}))
        message = f'"{expr.text}" could be several things: {families}'
        scope.builder.error("RR307", message, expr.mark, "use the id of the one you mean")
        return BROKEN
    known = [word for kind in kinds for row in kind.rows for word in (row.name, row.label)]
    help_ = did_you_mean(name, known) or "write the id or the name of a row of the data"
    scope.builder.error("RR300", f'nothing here is called "{expr.text}"', expr.mark, help_)
    return BROKEN


def _rows(kind: KindInfo, name: str, number: str | None) -> list[Value]:
    found: list[Value] = []
    copy = None if number is None else read_count(number)
    for row, info in enumerate(kind.rows):
        if name not in (info.name, info.label):
            continue
        sort: Sort = "table" if not kind.physical else "row" if kind.tracked else "kind"
        if number is None:
            found.append(Value(ops.Const(row), Type(sort, kind.name)))
        elif sort == "row" and copy is not None and 1 <= copy <= info.copies:
            piece = kind.components.index(row) + copy - 1
            found.append(Value(ops.Const(piece), named("kind", kind.name)))
    return found

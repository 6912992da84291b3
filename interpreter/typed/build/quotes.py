"""Pieces and rows in quotes: by their id or their printed name, of several copies with a number."""

from __future__ import annotations

from interpreter.model.ruleset import KindInfo
from interpreter.model.types import Sort, Type, named
from interpreter.report.source import Mark
from interpreter.report.suggest import did_you_mean
from interpreter.report.whole import read_count
from interpreter.tree import nodes
from interpreter.typed import values as v
from interpreter.typed.build import fitting, instead
from interpreter.typed.build.scope import Scope


def quoted(scope: Scope, expr: nodes.Quoted, wanted: Type | None) -> v.Value:
    """`"Claims Lawyer"`, `"P-03"`, `"gravel#2"`."""
    kinds = scope.ruleset.kinds.values()
    name, sign, number = expr.text.rpartition("#")
    if not sign:
        name = expr.text
    copy = number if sign else None
    found = [value for kind in kinds for value in _rows(kind, name, copy, expr.mark)]
    if wanted is not None:
        found = [each for each in found if fitting.same_family(each.type, wanted)] or found
    if len({value.type for value in found}) == 1:
        return found[0]
    if found:
        families = ", ".join(sorted({str(value.type) for value in found}))
        message = f'"{expr.text}" could be several things: {families}'
        scope.error("RR307", message, expr.mark, "use the id of the one you mean")
        return scope.broken(expr.mark)
    broken = scope.builder.problems.has_errors and any(not kind.rows for kind in kinds)
    if broken or any(kind.name in scope.ruleset.broken for kind in kinds):
        return scope.broken(expr.mark)  # perhaps a row that could not be read, which is told
    known = [word for kind in kinds for row in kind.rows for word in (row.name, row.label)]
    near = did_you_mean(name, known)
    help_ = near or "write the id or the name of a row of the data"
    any_type = wanted is None or wanted.sort == "unknown"
    if scope.builder.members.called(expr.text):
        help_ = f"it has no quotes: write `{expr.text}`"
    elif _says(expr.text) or (any_type and near is None and not scope.builder.testing):
        return _no_value(scope, expr)
    elif wanted is not None and wanted.sort == "int":
        help_ = "a number is written in digits, without quotes"
    elif not known and scope.ruleset.kinds:
        help_ = instead.empty_help(next(iter(scope.ruleset.kinds)))
    elif not known:
        return _no_value(scope, expr)
    scope.error("RR300", f'nothing here is called "{expr.text}"', expr.mark, help_)
    return scope.broken(expr.mark)


def _says(text: str) -> bool:
    """Whether this is part of a sentence, and surely not what something is called."""
    return "{" in text or text != text.strip() or not text


def _no_value(scope: Scope, expr: nodes.Quoted) -> v.Value:
    help_ = "texts are only said and printed: write two actions or two entries of a menu, each\n"
    help_ += "with its own text and its own `when`; if these are names, make an `enum` of them"
    scope.error("RR353", "a text is not a value", expr.mark, help_)
    return scope.broken(expr.mark)


def _rows(kind: KindInfo, name: str, number: str | None, mark: Mark) -> list[v.Constant]:
    found: list[v.Constant] = []
    copy = None if number is None else read_count(number)
    for row, info in enumerate(kind.rows):
        if name not in (info.name, info.label):
            continue
        sort: Sort = "table" if not kind.physical else "row" if kind.tracked else "kind"
        called = v.Named("row", info.name, kind.name, kind.mark)
        if number is None:
            found.append(v.Constant(row, called, type=Type(sort, kind.name), mark=mark))
        elif sort == "row" and copy is not None and 1 <= copy <= info.copies:
            piece = kind.components.index(row) + copy - 1
            found.append(v.Constant(piece, called, type=named("kind", kind.name), mark=mark))
    return found

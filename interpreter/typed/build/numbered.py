"""From a value to its number and back: `position(c)`, and the n-th of all, as in `Grid[n]`; and the
cell of a board in a column and a row, as in `Grid[2, 3]`."""

from __future__ import annotations

from interpreter.model.types import PLAYER, Type, whole
from interpreter.report.source import Mark
from interpreter.tree import nodes
from interpreter.typed import values as v
from interpreter.typed.build import fitting
from interpreter.typed.build.known import constant_of
from interpreter.typed.build.scope import Scope

NUMBERED = ("enum", "board", "direction", "player", "kind", "table", "row")


def nth(scope: Scope, of: Type, called: str, expr: nodes.Index) -> v.Value:
    """`Suit[2]`, `players[n]`; of pieces it is the n-th row."""
    if len(expr.arguments) == 2 and of.sort == "board":
        return _in_column_and_row(scope, of, called, expr)
    if len(expr.arguments) != 1:
        flat = of.sort == "board" and scope.ruleset.boards[of.name].is_flat
        either = "1 index or 2" if flat else "1 index"
        message = f"`{called}` needs {either}, not {len(expr.arguments)}"
        written = f"write `{called}[n]`"
        told = _space_help(scope, of.name) if of.sort == "board" else written
        scope.error("RR311", message, expr.mark, told)
        return scope.broken(expr.mark)
    count = _count(scope, of)
    number = fitting.number(scope, expr.arguments[0], f"the index of `{called}`")
    known = constant_of(number)
    if known is not None and not 1 <= known <= count:
        message = f"there is no number {known} among {called}: there are {count}"
        help_ = f"choose from 1 to {count}" if count else None
        scope.error("RR336", message, expr.arguments[0].mark, help_)
        return scope.broken(expr.mark)
    if of.sort == "kind" and scope.ruleset.kinds[of.name].tracked:
        of = Type("row", of.name)
    index = fitting.fit(scope, number, whole(1, count), expr.arguments[0].mark)
    return v.Builtin("nth", (index,), type=of, mark=expr.mark)


def _in_column_and_row(scope: Scope, of: Type, called: str, expr: nodes.Index) -> v.Value:
    """`Grid[2, 3]`: there may be no such cell, so it is one or none."""
    if not scope.ruleset.boards[of.name].is_flat:
        message = f"the cells of `{called}` lie in no columns and rows"
        scope.error("RR311", message, expr.mark, _space_help(scope, of.name))
        return scope.broken(expr.mark)
    column, row = (
        fitting.number(scope, written, f"the {word} of `{called}`")
        for word, written in zip(("column", "row"), expr.arguments, strict=True)
    )
    return v.Builtin("cellAt", (column, row), type=of.or_none(), mark=expr.mark)


def brackets_help(scope: Scope, expr: nodes.Expr) -> str:
    """What is meant by brackets that follow other brackets, or no name at all."""
    match expr:
        case nodes.Index(target=nodes.Index(target=nodes.Name(name=name))):
            if name in scope.ruleset.boards:
                return _space_help(scope, name)
            return f"several indexes stand in one pair of brackets: `{name}[1, 2]`"
        case nodes.Call(target=nodes.Players()):
            return "write `players` without brackets"
        case _:
            return "they follow a name, as in `gold[p]` and `worth(c)`"


def _space_help(scope: Scope, board: str) -> str:
    """How a space is found by where it lies."""
    info = scope.ruleset.boards[board]
    beside = f"; the one beside `c` is `step(c, {info.directions[0]})`" if info.directions else ""
    told = f"`{board}[n]` is the n-th space{beside}"
    if info.is_flat:
        told += f";\nby column and row, it is `{board}[2, 3]`"
    return told


def _count(scope: Scope, of: Type) -> int:
    if of.sort in ("kind", "table"):
        return len(scope.ruleset.kinds[of.name].rows)
    size = scope.ruleset.type_size(of)
    assert size is not None
    return size


def position(
    scope: Scope, given: list[v.Value], written: list[nodes.Expr], mark: Mark
) -> tuple[tuple[v.Value, ...], Type] | None:
    """The number of a value among all of its type, from 1; of a piece, that of its row."""
    value = fitting.comparable(scope, given[0], written[0].mark)
    type_ = value.type
    if type_.sort not in NUMBERED:
        if type_.sort != "unknown":
            message = f"{fitting.spoken(type_)} has no position"
            help_ = "a player has one, a member of an enum, a cell, a direction, a piece or a row"
            scope.error("RR302", message, written[0].mark, help_)
        return None
    value = fitting.certain(scope, value, written[0].mark)
    if type_.sort == "kind" and scope.ruleset.kinds[type_.name].tracked:
        row = Type("row", type_.name)
        value = v.RowOf(value, type=row, mark=value.mark)
    of = PLAYER if type_.sort == "player" else type_
    kind = scope.ruleset.kinds.get(of.name)
    count = _count(scope, of) if kind is None else len(kind.rows)
    return (value,), whole(1, max(1, count))

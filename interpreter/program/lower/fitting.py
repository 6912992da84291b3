"""Whether a value is of the sort that is wanted, and what to say if it is not."""

from __future__ import annotations

from interpreter import limits
from interpreter.model.types import (
    UNKNOWN,
    Type,
    fits,
    named,
)  # fmt: skip
from interpreter.program import ops
from interpreter.program.lower import sight
from interpreter.program.lower.builder import BROKEN, Scope, Value
from interpreter.program.lower.references import PlaceRef
from interpreter.report.source import Mark


def fit(scope: Scope, value: Value, wanted: Type, mark: Mark, what: str = "this") -> ops.Expr:
    if value.type.sort == "place" and wanted.sort == "kind":
        value = content(scope, value, mark)
    if value.type.sort == "row" and wanted.sort == "kind":
        value = only_piece(scope, value)
    if not fits(value.type, wanted):
        help_ = _wanted_help(scope, wanted)
        if value.type.sort == "none":
            help_ = f"declare it as `{wanted} or none` if it may be absent"
        message = f"{what} should be {spoken(wanted)}, but it is {spoken(value.type)}"
        scope.builder.error("RR302", message, mark, help_)
        return ops.Const(0)
    op: ops.Expr = value.op
    if value.type.sort == "none":
        return ops.Const(wanted.none)
    if value.type.optional and not wanted.optional:
        op = _certain(scope, value, mark)
    if wanted.sort == "int" and not (
        wanted.low <= value.type.low and value.type.high <= wanted.high
    ):
        if wanted.optional and value.type.optional:
            return op  # the range of an optional number is tested where it is used
        op = ops.Within(op, wanted.low, wanted.high, "RR604", scope.builder.spot(mark))
    return op


def _certain(scope: Scope, value: Value, mark: Mark) -> ops.Expr:
    spot = scope.builder.spot(mark)
    if value.type.sort == "int":
        return ops.Within(value.op, -limits.INT_MAX, limits.INT_MAX, "RR603", spot)
    return ops.Within(value.op, 0, limits.INT_MAX, "RR603", spot)


def only_piece(scope: Scope, value: Value) -> Value:
    """The name of a row that has one copy names that piece."""
    kind = scope.builder.ruleset.kinds[value.type.name]
    if kind.components.count(value.op.value) != 1:
        return value
    return Value(ops.Const(kind.components.index(value.op.value)), named("kind", kind.name))


def comparable(scope: Scope, value: Value, mark: Mark) -> Value:
    """One value: the piece in a slot, and never a list."""
    if value.type.sort == "list":
        message = "a list is no single value"
        scope.builder.error("RR212", message, mark, "go through it with `in`")
        return BROKEN
    return content(scope, value, mark) if value.type.sort == "place" else value


def same_family(value: Type, wanted: Type) -> bool:
    if value.sort == "row":
        return wanted.sort in ("row", "kind", "place") and value.name in (
            wanted.name, wanted.of.name if wanted.of else "",
        )  # fmt: skip
    return value.sort == wanted.sort and value.name == wanted.name


def content(scope: Scope, value: Value, mark: Mark) -> Value:
    """The piece in a slot, or none."""
    ref = value.op
    assert isinstance(ref, PlaceRef)
    if ref.place.word != "slot":
        help_ = f"say which: `for each x in {ref.place.name}`, or let somebody choose one"
        if ref.place.ordered:
            help_ = f"say which: `top({ref.place.name})`, or go through them with `in`"
        message = f"`{ref.place.name}` may hold several pieces"
        scope.builder.error("RR312", message, mark, help_)
        return BROKEN
    sight.check_visible(scope, ref, mark)
    sight.check_sealed_read(scope, ref.place.name, ref.place.dimensions, ref.index, mark)
    return Value(ref.content(ops.Const(0)), named("kind", ref.place.kind).or_none(), ref)


def _wanted_help(scope: Scope, wanted: Type) -> str | None:
    """What could be typed where something of this type is needed."""
    match wanted.sort:
        case "bool":
            return "ask something, such as `... > 0` or `... is none`"
        case "player":
            return "a player is `me`, `next(me)`, or a name from `for each p in players`"
        case "enum":
            members = scope.builder.ruleset.enums[wanted.name]
            return f"it is one of {', '.join(members[:12])}" if members else None
        case "direction":
            ways = scope.builder.ruleset.boards[wanted.name].directions
            return f"it is one of {', '.join(ways[:12])}"
        case _:
            return None


def spoken(type_: Type) -> str:
    match type_.sort:
        case "int":
            return "a number" + (" or none" if type_.optional else "")
        case "bool":
            return "yes or no"
        case "player":
            return "a player" + (" or none" if type_.optional else "")
        case "none":
            return "none"
        case "place":
            return f"a place of {type_.of}"
        case "list":
            return f"a list of {type_.of}"
        case "row":
            return f"a row of {type_.name}"
        case _:
            return f"a {type_}" if type_ != UNKNOWN else "unknown"


def counted(number: int, word: str) -> str:
    many = f"{word}es" if word.endswith("x") else f"{word}s"
    return f"no {word}" if number == 0 else f"{number} {word if number == 1 else many}"

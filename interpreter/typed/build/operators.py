"""Expressions with signs: sums, comparisons, conditions, the least and the most of some."""

from __future__ import annotations

from interpreter import limits
from interpreter.model.types import BOOL, INT, UNKNOWN, Type, join, whole
from interpreter.report.source import Mark
from interpreter.tree import nodes
from interpreter.tree.phrases import SUM, say_value
from interpreter.tree.pieces import flat
from interpreter.typed import values as v
from interpreter.typed.build import fitting, instead
from interpreter.typed.build.fitting import spoken
from interpreter.typed.build.known import bounds_of
from interpreter.typed.build.lookup import find_name, hidden_by
from interpreter.typed.build.scope import Scope

_COMPARE: dict[str, v.CompareWord] = {
    "=": "equal", "is": "equal", "!=": "unequal", "is not": "unequal",
    "<": "less", "<=": "atMost", ">": "more", ">=": "atLeast",
}  # fmt: skip


_ARITHMETIC: dict[str, v.ArithmeticWord] = {
    "+": "add", "-": "subtract", "*": "multiply",
    "div": "divide", "divUp": "divideUp", "mod": "modulo",
}  # fmt: skip


def negate(scope: Scope, expr: nodes.Unary) -> v.Value:
    operand = fitting.number(scope, expr.operand)
    type_ = INT
    if isinstance(operand, v.Constant):
        type_ = whole(-operand.value, -operand.value)
    return v.Negate(operand, type=type_, mark=expr.mark)


def binary(scope: Scope, expr: nodes.Binary) -> v.Value:
    if expr.operator in ("and", "or"):
        left = fitting.condition(scope, expr.left)
        if _lists_values(scope, expr):
            return v.Broken(type=BOOL, mark=expr.mark)
        right = fitting.condition(scope, expr.right)
        return v.Logic(
            "and" if expr.operator == "and" else "or", left, right, type=BOOL, mark=expr.mark
        )
    if expr.operator in _COMPARE:
        return _compare(scope, expr)
    left = fitting.fit(
        scope, scope.value(expr.left), INT, expr.left.mark, f"the left of `{expr.operator}`"
    )
    right = fitting.fit(
        scope, scope.value(expr.right), INT, expr.right.mark, f"the right of `{expr.operator}`"
    )
    return arithmetic(_ARITHMETIC[expr.operator], left, right, expr)


def _lists_values(scope: Scope, expr: nodes.Binary) -> bool:
    """Whether this is `x = 3 or 4`; then it is told how to ask for several values."""
    first = expr.left
    if isinstance(first, nodes.Binary) and first.operator in ("and", "or"):
        first = first.right
    plain = (
        nodes.Number, nodes.Name, nodes.Quoted, nodes.NoneValue, nodes.Dot, nodes.Index, nodes.Call,
    )  # fmt: skip
    if not isinstance(first, nodes.Binary) or not isinstance(expr.right, plain):
        return False
    if first.operator not in _COMPARE:
        return False
    compared = scope.value(first.left).type
    value = scope.value(expr.right, compared)
    if value.type.sort in ("bool", "unknown"):
        return False
    asked = f"{flat(say_value(first.left))} {first.operator} {flat(say_value(expr.right))}"
    message = f"after `{expr.operator}` comes a condition, not a value"
    scope.error("RR302", message, expr.right.mark, f"ask again: `{expr.operator} {asked}`")
    return True


def arithmetic(
    word: v.ArithmeticWord, left: v.Value, right: v.Value, expr: nodes.Node
) -> v.Arithmetic:
    bounds = bounds_of(word, _inside(left), _inside(right))
    safe = bounds is not None and bounds[0] > -limits.INT_MAX and bounds[1] < limits.INT_MAX
    type_ = whole(*bounds) if bounds is not None and safe else INT
    return v.Arithmetic(word, left, right, safe, type=type_, mark=expr.mark)


def _inside(value: v.Value) -> Type:
    """The type a value had before it was fitted: an optional number has no bounds to rely on."""
    return value.value.type if isinstance(value, v.Fit) else value.type


# ---- comparing


def _compare(scope: Scope, expr: nodes.Binary) -> v.Value:
    nothing = v.Broken(type=BOOL, mark=expr.mark)
    if _is_open_name(scope, expr.left):
        right = scope.value(expr.right)
        left = scope.value(expr.left, right.type)
    else:
        left = scope.value(expr.left)
        if _asks_how_many(scope, expr, left):
            return nothing
        right = scope.value(expr.right, left.type)
        if _asks_what_lies(scope, expr, left, right):
            return nothing
    left = fitting.comparable(scope, left, expr.left.mark)
    right = fitting.comparable(scope, right, expr.right.mark)
    word = _COMPARE[expr.operator]
    if "row" in (left.type.sort, right.type.sort) and left.type.name == right.type.name:
        return v.Compare(word, _row(scope, left), _row(scope, right), type=BOOL, mark=expr.mark)
    if join(left.type, right.type) is None:
        message = f"{spoken(left.type)} is never {spoken(right.type)}: they cannot be compared"
        help_ = _hides(scope, left, right) or _hides(scope, right, left)
        help_ = help_ or _named_alike(scope, expr.left, right.type)
        help_ = help_ or _named_alike(scope, expr.right, left.type)
        help_ = help_ or _seat_help(expr, left.type, right.type)
        help_ = help_ or _field_help(scope, expr, left.type, right.type)
        scope.error("RR303", message, expr.mark, help_ or "compare two things of one type")
        return nothing
    ordered = word not in ("equal", "unequal")
    if ordered and left.type.sort not in ("int", "enum", "unknown"):
        message = f"`{expr.operator}` compares numbers and enum members, not {spoken(left.type)}"
        help_ = "compare something they have, such as `p.gold < q.gold`, or use `is`"
        scope.error("RR304", message, expr.mark, help_)
        return nothing
    never = not left.type.optional and left.type.sort not in ("unknown", "none")
    if isinstance(right, v.Nothing) and never:
        message = f"this is never none: it is always {spoken(left.type)}"
        help_, notes = _never_none_help(scope, expr, left)
        scope.builder.problems.warning("RR305", message, expr.mark, help=help_, notes=notes)
    if ordered:
        left = fitting.certain(scope, left, expr.left.mark)
        right = fitting.certain(scope, right, expr.right.mark)
    return v.Compare(word, left, right, type=BOOL, mark=expr.mark)


def _never_none_help(
    scope: Scope, expr: nodes.Binary, value: v.Value
) -> tuple[str, tuple[tuple[Mark, str], ...]]:
    """Most who ask this have forgotten to declare that it may be none, or mean what it has."""
    help_ = "take the condition away, or declare it with `or none`"
    had = instead.had_or_none(scope, value.type)
    if isinstance(value, v.LocalValue) and had:
        shown = flat(say_value(expr.left, SUM))
        asked = [f"`{shown}.{name} {expr.operator} none`" for name in had]
        return f"say what of it may be none: {' or '.join(asked[:3])}", ()
    if value.type.sort == "int":
        sign = "=" if expr.operator == "is" else "!="
        help_ = (
            f"to ask whether it is 0, write `{flat(say_value(expr.left, SUM))} {sign} 0`;\n{help_}"
        )
    match value:
        case v.Read(variable=declared) | v.FieldOf(info=declared):
            type_ = str(declared.type)
            help_ = f"if it may be absent, declare it so: `{declared.name}: {type_} or none`;"
            notes = ((declared.mark, "it is declared here"),)
            return f"{help_}\notherwise take the condition away", notes
        case _:
            return help_, ()


def _hides(scope: Scope, value: v.Value, other: v.Value) -> str | None:
    """Whether a name of one's own stands where the member it hides was meant."""
    if not isinstance(value, v.LocalValue):
        return None
    hidden = hidden_by(scope, value.local, other.type)
    name = value.local.name
    return hidden and f"`{name}` is {hidden} too, but here a name that was made above: rename that"


def _named_alike(scope: Scope, expr: nodes.Expr, wanted: Type) -> str | None:
    """Whether something declared stands where a member of the same name was meant."""
    name = expr.name if isinstance(expr, nodes.Name) else ""
    if any(each.type.name == wanted.name for each in scope.builder.members.called(name)):
        return f"`{name}` alone means another thing here: write `{wanted.name}.{name}`"
    return None


def _seat_help(expr: nodes.Binary, left: Type, right: Type) -> str | None:
    """How `p = 1` is asked, of the player at a seat."""
    match expr.right:
        case nodes.Number(value=0) if left.optional and expr.operator in ("=", "is"):
            return f"what is absent is `none`: `{flat(say_value(expr.left))} is none`"
        case nodes.Number(value=0) if left.optional and expr.operator in ("!=", "is not"):
            return f"what is absent is `none`: `{flat(say_value(expr.left))} is not none`"
        case nodes.Number(value=seat) if left.sort == "player" and right.sort == "int":
            who = flat(say_value(expr.left))
            sign = {"is": "=", "is not": "!="}.get(expr.operator, expr.operator)
            word = {"=": "is", "!=": "is not"}.get(sign)
            by_name = f"`{who} {word} P{seat}`, or " if word is not None and seat > 0 else ""
            return f"a player has a number by seat: {by_name}`position({who}) {sign} {seat}`"
        case _:
            return None


def _field_help(scope: Scope, expr: nodes.Binary, left: Type, right: Type) -> str | None:
    """`card is red`: what the piece has, and not the piece itself, is red."""
    for written, of, other, wanted in (
        (expr.left, left, expr.right, right), (expr.right, right, expr.left, left),
    ):  # fmt: skip
        known = instead.had_by(scope, of, wanted)
        if known:
            shown = flat(say_value(written, SUM))
            asked = [f"`{shown}.{name} {expr.operator} {flat(say_value(other))}`" for name in known]
            return "say what of it is compared: " + " or ".join(asked[:3])
    return None


def _asks_how_many(scope: Scope, expr: nodes.Binary, left: v.Value) -> bool:
    """Whether this is `deck = 0`, `deck is none` or `deck is empty`, of a place that may hold
    several pieces; then it is told how to ask this."""
    if not isinstance(left, v.PlaceAt) or left.place.word == "slot":
        return False
    sign = {"is": "=", "is not": "!="}.get(expr.operator, expr.operator)
    match expr.right:
        case nodes.Number(value=value):
            asked = f"{sign} {value}"
        case nodes.NoneValue():
            asked = "> 0" if sign == "!=" else "= 0"
        case nodes.Name(name="empty") if find_name(scope, "empty") is None:
            asked = "> 0" if sign == "!=" else "= 0"
        case _:
            return False
    place = flat(say_value(expr.left))
    message = f"`{place}` may hold several pieces"
    help_ = f"to ask how many there are, write `number of {place} {asked}`"
    scope.error("RR312", message, expr.left.mark, help_)
    return True


def _asks_what_lies(scope: Scope, expr: nodes.Binary, left: v.Value, right: v.Value) -> bool:
    """Whether this is `P1.shelf = lamp`, of a place that may hold several pieces; it is told."""
    if not isinstance(left, v.PlaceAt) or left.place.word == "slot":
        return False
    if isinstance(right, v.PlaceAt) or right.type.name != left.place.kind:
        return False
    place, piece = flat(say_value(expr.left)), flat(say_value(expr.right))
    unlike = "not " if _COMPARE[expr.operator] == "unequal" else ""
    help_ = f"to ask whether it lies there, write `{unlike}{piece} in {place}`"
    scope.error("RR312", f"`{place}` may hold several pieces", expr.mark, help_)
    return True


def _row(scope: Scope, value: v.Value) -> v.Value:
    """The row of a piece, or of a row's name as it was written."""
    kind = scope.ruleset.kinds[value.type.name]
    if value.type.sort == "row" or not kind.tracked:
        return value
    type_ = Type("row", kind.name, optional=value.type.optional)
    return v.RowOf(value, type=type_, mark=value.mark)


def _is_open_name(scope: Scope, expr: nodes.Expr) -> bool:
    """A bare enum member or `none`: the other side says what it is."""
    if isinstance(expr, nodes.NoneValue):
        return True
    return isinstance(expr, nodes.Name) and find_name(scope, expr.name) is None


def if_else(scope: Scope, expr: nodes.IfElse, wanted: Type | None) -> v.Value:
    test = fitting.condition(scope, expr.condition)
    then = fitting.comparable(scope, scope.value(expr.then, wanted), expr.then.mark)
    otherwise = scope.value(expr.otherwise, wanted or then.type)
    otherwise = fitting.comparable(scope, otherwise, expr.otherwise.mark)
    joined = join(then.type, otherwise.type)
    if joined is None:
        message = f"this is sometimes {spoken(then.type)}, sometimes {spoken(otherwise.type)}"
        help_ = "write two values of one type, before `if` and after `else`"
        scope.error("RR303", message, expr.mark, help_)
        return scope.broken(expr.mark)
    return v.IfElse(test, then, otherwise, type=joined, mark=expr.mark)


def extreme(scope: Scope, expr: nodes.Extreme) -> v.Value:
    values: list[v.Value] = []
    type_: Type | None = None
    for part in expr.values:
        value = scope.value(part)
        values.append(fitting.fit(scope, value, INT, part.mark))
        type_ = value.type if type_ is None else join(type_, value.type) or INT
    return v.Extreme(expr.word, tuple(values), type=type_ or UNKNOWN, mark=expr.mark)

"""Expressions: each is typed and lowered in one step, to an operation that gives an integer."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import assert_never

from interpreter import limits
from interpreter.model.ruleset import Dimension, FieldInfo, Place, Variable
from interpreter.model.types import (
    BOOL,
    INT,
    NONE,
    NONE_NAMED,
    PLAYER,
    UNKNOWN,
    Sort,
    Type,
    fits,
    join,
    named,
    whole,
)  # fmt: skip
from interpreter.program import ops
from interpreter.program.lower import aggregates, builtins, quotes, sight
from interpreter.program.lower.builder import BROKEN, Scope, Value
from interpreter.report.source import Mark
from interpreter.report.suggest import did_you_mean
from interpreter.tree import nodes
from interpreter.tree.marks import name_mark

_COMPARE: dict[str, ops.BinaryWord] = {
    "=": "equal", "is": "equal", "!=": "unequal", "is not": "unequal",
    "<": "less", "<=": "atMost", ">": "more", ">=": "atLeast",
}  # fmt: skip
_SPACE = re.compile(r"[a-z]{1,2}[0-9]+")  # what spaces of a square or hex board are called
_ARITHMETIC: dict[str, ops.BinaryWord] = {
    "+": "add", "-": "subtract", "*": "multiply",
    "div": "divide", "divUp": "divideUp", "mod": "modulo",
}  # fmt: skip


def lower(scope: Scope, expr: nodes.Expr, wanted: Type | None = None) -> Value:
    """The value of an expression. `wanted` settles names that several enums share."""
    scope.builder.count_expression(expr.mark)
    match expr:
        case nodes.Number():
            if expr.value > limits.INT_MAX:
                help_ = "count in a bigger unit: no number may need more than 64 bits"
                scope.builder.error("RR231", "this number is too big", expr.mark, help_)
            return Value(ops.Const(expr.value), whole(expr.value, expr.value))
        case nodes.Truth():
            return Value(ops.Const(int(expr.value)), BOOL)
        case nodes.NoneValue():
            none = wanted.none if wanted is not None else -1
            return Value(ops.Const(none), NONE)
        case nodes.Quoted():
            return quotes.quoted(scope, expr, wanted)
        case nodes.Name() | nodes.Dot() | nodes.Index() | nodes.Call():
            return _access_value(scope, expr, wanted)
        case nodes.Unary():
            return _unary(scope, expr)
        case nodes.Binary():
            return _binary(scope, expr)
        case nodes.MemberOf():
            return aggregates.member_of(scope, expr)
        case nodes.IfElse():
            return _if_else(scope, expr, wanted)
        case nodes.Players():
            help_ = "use it after `in`, or ask for `number of players`"
            scope.builder.error("RR301", "`players` is not a value", expr.mark, help_)
            return BROKEN
        case nodes.Quantified():
            return aggregates.quantified(scope, expr)
        case nodes.Every():
            return aggregates.every(scope, expr)
        case nodes.Aggregate():
            return aggregates.aggregate(scope, expr)
        case nodes.Extreme():
            return _extreme(scope, expr)
        case nodes.Pick():
            return aggregates.pick(scope, expr)
        case nodes.Rank():
            return aggregates.rank(scope, expr)
        case nodes.Through(word="line"):
            return aggregates.line(scope, expr)
        case nodes.Through() | nodes.Reach():
            help_ = "use it after `in`: `count(x in region(...))`"
            scope.builder.error("RR301", f"`{_word(expr)}` is not a value", expr.mark, help_)
            return BROKEN
        case nodes.Can():
            return builtins.can(scope, expr)
        case _:
            assert_never(expr)


def lower_as(scope: Scope, expr: nodes.Expr, wanted: Type, what: str = "this") -> ops.Expr:
    """The value of an expression where a certain type is needed.

    What cannot be seen from the types, a possible `none` or a number out of its range, is
    tested while playing.
    """
    value = lower(scope, expr, wanted)
    return fit(scope, value, wanted, expr.mark, what)


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


def condition(scope: Scope, expr: nodes.Expr) -> ops.Expr:
    return lower_as(scope, expr, BOOL, "a condition")


# ---- operators


def _unary(scope: Scope, expr: nodes.Unary) -> Value:
    match expr.operator:
        case "not":
            return Value(ops.Unary("not", condition(scope, expr.operand)), BOOL)
        case "-":
            operand = lower(scope, expr.operand)
            op = fit(scope, operand, INT, expr.operand.mark)
            if isinstance(op, ops.Const):
                return Value(ops.Const(-op.value), whole(-op.value, -op.value))
            return Value(ops.Unary("negate", op, scope.builder.spot(expr.mark)), INT)
        case "number of":
            return aggregates.number_of(scope, expr.operand)
        case _:
            assert_never(expr.operator)


def _binary(scope: Scope, expr: nodes.Binary) -> Value:
    if expr.operator in ("and", "or"):
        left = condition(scope, expr.left)
        right = condition(scope, expr.right)
        word: ops.BinaryWord = "and" if expr.operator == "and" else "or"
        return Value(ops.Binary(word, left, right), BOOL)
    if expr.operator in _COMPARE:
        return _compare(scope, expr)
    left_value = lower(scope, expr.left)
    right_value = lower(scope, expr.right)
    left_op = fit(scope, left_value, INT, expr.left.mark, f"the left of `{expr.operator}`")
    right_op = fit(scope, right_value, INT, expr.right.mark, f"the right of `{expr.operator}`")
    word = _ARITHMETIC[expr.operator]
    bounds = _bounds(word, left_value.type, right_value.type)
    safe = bounds is not None and bounds[0] > -limits.INT_MAX and bounds[1] < limits.INT_MAX
    at = -1 if safe else scope.builder.spot(expr.mark)
    type_ = whole(*bounds) if bounds is not None and safe else INT
    return Value(_fold(ops.Binary(word, left_op, right_op, at)), type_)


def _bounds(word: str, left: Type, right: Type) -> tuple[int, int] | None:
    """The range of a result, so that most sums need no test for overflow while playing."""
    if left.sort != "int" or right.sort != "int" or left.optional or right.optional:
        return None
    match word:
        case "add":
            return left.low + right.low, left.high + right.high
        case "subtract":
            return left.low - right.high, left.high - right.low
        case "multiply":
            ends = [a * b for a in (left.low, left.high) for b in (right.low, right.high)]
            return min(ends), max(ends)
        case "modulo" if right.low > 0:
            return 0, right.high - 1
        case "divide" | "divideUp" if right.low > 0:
            return min(left.low, 0), max(left.high, 0)
        case _:
            return None


def _fold(op: ops.Binary) -> ops.Expr:
    """Numbers known before the game are computed before the game."""
    if not isinstance(op.left, ops.Const) or not isinstance(op.right, ops.Const):
        return op
    left, right = op.left.value, op.right.value
    result: int | None = None
    match op.word:
        case "add":
            result = left + right
        case "subtract":
            result = left - right
        case "multiply":
            result = left * right
        case "divide" if right:
            result = left // right
        case "modulo" if right:
            result = left % right
        case _:
            return op
    if result is None or abs(result) > limits.INT_MAX:
        return op
    return ops.Const(result)


def _compare(scope: Scope, expr: nodes.Binary) -> Value:
    if _is_open_name(scope, expr.left):
        right = lower(scope, expr.right)
        left = lower(scope, expr.left, right.type)
    else:
        left = lower(scope, expr.left)
        right = lower(scope, expr.right, left.type)
    left, right = (
        _comparable(scope, left, expr.left.mark),
        _comparable(scope, right, expr.right.mark),
    )
    word = _COMPARE[expr.operator]
    if "row" in (left.type.sort, right.type.sort) and left.type.name == right.type.name:
        sight.check_piece(scope, left, expr.left.mark)
        sight.check_piece(scope, right, expr.right.mark)
        return Value(ops.Binary(word, _row(scope, left), _row(scope, right)), BOOL)
    if join(left.type, right.type) is None:
        message = f"{spoken(left.type)} is never {spoken(right.type)}: they cannot be compared"
        help_ = "compare two things of one type"
        scope.builder.error("RR303", message, expr.mark, help_)
        return Value(ops.Const(0), BOOL)
    if word not in ("equal", "unequal") and left.type.sort not in ("int", "enum", "unknown"):
        message = f"`{expr.operator}` compares numbers and enum members, not {spoken(left.type)}"
        help_ = "compare something they have, such as `p.gold < q.gold`, or use `is`"
        scope.builder.error("RR304", message, expr.mark, help_)
    # A bare `none` is written for the type it is compared with.
    left_op, right_op = left.op, right.op
    if left.type.sort == "none":
        left_op = ops.Const(right.type.none)
    if right.type.sort == "none":
        right_op = ops.Const(left.type.none)
        if not left.type.optional and left.type.sort not in ("unknown", "none"):
            message = f"this is never none: it is always {spoken(left.type)}"
            help_ = "take the condition away, or declare it with `or none`"
            scope.builder.problems.warning("RR305", message, expr.mark, help=help_)
    if word not in ("equal", "unequal"):
        left_op = fit(scope, left, left.type.certain(), expr.left.mark)
        right_op = fit(scope, right, right.type.certain(), expr.right.mark)
    return Value(ops.Binary(word, left_op, right_op), BOOL)


def _comparable(scope: Scope, value: Value, mark: Mark) -> Value:
    """One value: the piece in a slot, and never a list."""
    if value.type.sort == "list":
        message = "a list is no single value"
        scope.builder.error("RR212", message, mark, "go through it with `in`")
        return BROKEN
    return content(scope, value, mark) if value.type.sort == "place" else value


def _row(scope: Scope, value: Value) -> ops.Expr:
    """The row of a piece, or of a row's name as it was written."""
    kind = scope.builder.ruleset.kinds[value.type.name]
    op: ops.Expr = value.op
    if value.type.sort == "row" or not kind.tracked:
        return op
    row = ops.Lookup(scope.builder.table(kind.components), value.op)
    if not value.type.optional:
        return row
    some = ops.Binary("atLeast", value.op, ops.Const(0))
    return ops.Choice(some, row, ops.Const(NONE_NAMED))


def _is_open_name(scope: Scope, expr: nodes.Expr) -> bool:
    """A bare enum member or `none`: the other side says what it is."""
    if isinstance(expr, nodes.NoneValue):
        return True
    return isinstance(expr, nodes.Name) and find_name(scope, expr.name) is None


def _if_else(scope: Scope, expr: nodes.IfElse, wanted: Type | None) -> Value:
    test = condition(scope, expr.condition)
    then = _comparable(scope, lower(scope, expr.then, wanted), expr.then.mark)
    otherwise = lower(scope, expr.otherwise, wanted or then.type)
    otherwise = _comparable(scope, otherwise, expr.otherwise.mark)
    joined = join(then.type, otherwise.type)
    if joined is None:
        message = f"this is sometimes {spoken(then.type)}, sometimes {spoken(otherwise.type)}"
        help_ = "write two values of one type, before `if` and after `else`"
        scope.builder.error("RR303", message, expr.mark, help_)
        return BROKEN
    then_op = ops.Const(joined.none) if then.type.sort == "none" else then.op
    else_op = ops.Const(joined.none) if otherwise.type.sort == "none" else otherwise.op
    return Value(ops.Choice(test, then_op, else_op), joined)


def _extreme(scope: Scope, expr: nodes.Extreme) -> Value:
    result: ops.Expr | None = None
    type_ = INT
    for part in expr.values:
        value = lower(scope, part)
        op = fit(scope, value, INT, part.mark)
        if result is None:
            result, type_ = op, value.type
        else:
            result = ops.Binary(expr.word, result, op)
            type_ = join(type_, value.type) or INT
    assert result is not None
    return Value(result, type_)


# ---- names, dots, indexes and calls


def find_name(scope: Scope, name: str) -> object | None:
    """Whatever a bare name means before enum members are considered."""
    ruleset = scope.builder.ruleset
    if name in scope.names:
        return scope.names[name]
    for table in (
        ruleset.variables, ruleset.places, ruleset.constants, ruleset.options,
        ruleset.functions, ruleset.groups, ruleset.procedures,
    ):  # fmt: skip
        if name in table:
            return table[name]
    if name in builtins.FUNCTIONS or name in ("playerCount", "box"):
        return name
    return None


def _access_value(scope: Scope, expr: nodes.Expr, wanted: Type | None) -> Value:
    match expr:
        case nodes.Name():
            return _name(scope, expr, wanted)
        case nodes.Dot():
            return access(scope, expr.name, [lower(scope, expr.target)], [expr.target], expr)
        case nodes.Index(target=nodes.Dot() as dot):
            first = lower(scope, dot.target)
            written = [dot.target, *expr.arguments]
            return _indexed(scope, dot.name, [first], written, expr)
        case nodes.Index(target=nodes.Name(name=name)):
            return _indexed(scope, name, [], list(expr.arguments), expr)
        case nodes.Call(target=nodes.Name(name=name)):
            return _called(scope, name, [], list(expr.arguments), expr)
        case nodes.Call(target=nodes.Dot() as dot):
            first = lower(scope, dot.target)
            return _called(scope, dot.name, [first], [dot.target, *expr.arguments], expr)
        case _:
            help_ = "they follow a name, as in `gold[p]` and `worth(c)`"
            scope.builder.error("RR306", "brackets cannot follow this", expr.mark, help_)
            return BROKEN


def _name(scope: Scope, expr: nodes.Name, wanted: Type | None) -> Value:
    name = expr.name
    ruleset = scope.builder.ruleset
    if name in scope.names:
        return scope.names[name].value
    if name in ruleset.options:
        given = ruleset.options[name]
        if isinstance(given, bool):
            return Value(ops.Const(int(given)), BOOL)
        if name in ruleset.enums:
            return Value(ops.Const(given), named("enum", name))
        return Value(ops.Const(given), whole(given, given))
    if name == "playerCount":
        return Value(ops.Const(ruleset.players), whole(ruleset.players, ruleset.players))
    if (
        name in ruleset.variables or name in ruleset.places or name in ruleset.constants
        or name in ruleset.functions
    ):  # fmt: skip
        return access(scope, name, [], [], expr)
    found = _member(scope, name, wanted)
    if found is not None:
        return found
    _unknown_name(scope, expr, wanted)
    return BROKEN


def _member(scope: Scope, name: str, wanted: Type | None) -> Value | None:
    """An enum member, a row, a direction or a cell called by its bare name."""
    found = members_called(scope, name)
    if wanted is not None:
        fitting = [value for value in found if same_family(value.type, wanted)]
        found = fitting or found
    if len(found) > 1:  # cards and their abilities often share a name, and the card is meant
        found = [value for value in found if value.type.name != "ability"] or found
    if len(found) > 1 and len({value.type for value in found}) > 1:
        return None
    return found[0] if found else None


def same_family(value: Type, wanted: Type) -> bool:
    if value.sort == "row":
        return wanted.sort in ("row", "kind", "place") and value.name in (
            wanted.name, wanted.of.name if wanted.of else "",
        )  # fmt: skip
    return value.sort == wanted.sort and value.name == wanted.name


def members_called(scope: Scope, name: str) -> list[Value]:
    ruleset = scope.builder.ruleset
    found: list[Value] = []
    for enum, members in ruleset.enums.items():
        if name in members:
            found.append(Value(ops.Const(members.index(name)), named("enum", enum)))
    for kind in ruleset.kinds.values():
        for number, row in enumerate(kind.rows):
            if row.name == name:
                sort: Sort = "table" if not kind.physical else "row" if kind.tracked else "kind"
                found.append(Value(ops.Const(number), Type(sort, kind.name)))
    for board in ruleset.boards.values():
        if name in board.directions:
            number = board.directions.index(name)
            found.append(Value(ops.Const(number), named("direction", board.name)))
        if name in board.cells:
            found.append(Value(ops.Const(board.cells.index(name)), named("board", board.name)))
    return found


def _unknown_name(scope: Scope, expr: nodes.Name, wanted: Type | None) -> None:
    if expr.name in scope.builder.ruleset.broken:
        return
    if _SPACE.fullmatch(expr.name) and any(
        not board.cells for board in scope.builder.ruleset.boards.values()
    ):
        return  # a space of a board that has none because of a mistake already told
    found = members_called(scope, expr.name)
    if found:
        families = ", ".join(sorted({str(value.type) for value in found}))
        message = f"`{expr.name}` could be a member of several: {families}"
        help_ = "rename one of them, or compare it with something of the right type"
        scope.builder.error("RR307", message, expr.mark, help_)
        return
    ruleset = scope.builder.ruleset
    known = [
        *scope.names, *ruleset.variables, *ruleset.places, *ruleset.constants,
        *ruleset.functions, *ruleset.options, "playerCount",
    ]  # fmt: skip
    for members in ruleset.enums.values():
        known.extend(members)
    for kind in ruleset.kinds.values():
        known.extend(row.name for row in kind.rows)
    near = did_you_mean(expr.name, known)
    near = near or "declare it under `the game has`, as a `constant`, or with `let` above"
    if expr.name == "me":
        near = "`me` is the player whose turn or choice it is; here nobody is. Name a player"
    scope.builder.error("RR300", f"nothing here is called `{expr.name}`", expr.mark, near)


def access(
    scope: Scope,
    name: str,
    given: list[Value],
    written: list[nodes.Expr],
    expr: nodes.Expr,
) -> Value:
    """`name` applied to values: a field, a variable, a place, a constant or a function."""
    ruleset = scope.builder.ruleset
    first = given[0] if given else None
    if first is not None:
        if first.type.sort == "unknown":
            return BROKEN
        if first.type.sort == "place" and name not in builtins.OF_PLACE:
            first = content(scope, first, expr.mark)
            given = [first, *given[1:]]
        found = find_field(scope, first, name)
        if found is not None:
            return _field(scope, found, given, written, expr)
        if name in builtins.PROPERTIES:
            property_ = builtins.property_of(scope, name, first, expr.mark)
            if property_ is not None:
                return property_
    if name in ruleset.variables:
        variable = ruleset.variables[name]
        index = index_of(scope, variable.dimensions, given, written, name, expr)
        return BROKEN if index is None else load(scope, variable, index, expr.mark)
    if name in ruleset.places:
        place = ruleset.places[name]
        scope.builder.used_names.add(name)
        dims = place.dimensions
        if place.word == "pool" and len(given) == len(dims) + 1:
            return _pool_count(scope, place, given, written, expr)
        index = index_of(scope, dims, given, written, name, expr)
        return BROKEN if index is None else _place_value(place, index)
    if name in ruleset.constants:
        constant = ruleset.constants[name]
        index = index_of(scope, constant.dimensions, given, written, name, expr)
        if index is None:
            return BROKEN
        if not constant.dimensions:
            type_ = constant.type
            if type_ == INT:
                type_ = whole(constant.values[0], constant.values[0])
            return Value(ops.Const(constant.values[0]), type_)
        return Value(ops.Lookup(scope.builder.table(constant.values), index), constant.type)
    if name in ruleset.functions:
        return builtins.call_function(scope, name, given, written, expr.mark)
    if name in builtins.FUNCTIONS:
        return builtins.call_builtin(scope, name, given, written, expr.mark)
    _no_such(scope, name, first, expr)
    return BROKEN


def _no_such(scope: Scope, name: str, first: Value | None, expr: nodes.Expr) -> None:
    ruleset = scope.builder.ruleset
    if name in ruleset.broken:
        return
    alone = isinstance(expr, (nodes.Call, nodes.Index)) and isinstance(expr.target, nodes.Name)
    if first is None or alone:
        known = [*ruleset.variables, *ruleset.places, *ruleset.constants, *ruleset.functions]
        known += builtins.FUNCTIONS
        help_ = did_you_mean(name, known)
        if help_ is None and isinstance(expr, nodes.Call):
            help_ = f"declare it: `function {name}(...) = ...`"
        message = f"nothing here is called `{name}`"
        scope.builder.error("RR300", message, name_mark(expr), help_)
        return
    things: list[Variable | Place] = [*ruleset.variables.values(), *ruleset.places.values()]
    known = [
        thing.name
        for thing in things
        if thing.dimensions and fits(first.type, thing.dimensions[0].type)
    ]
    if first.type.name in ruleset.kinds:
        known += ruleset.kinds[first.type.name].fields
    if first.type.name in ruleset.boards:
        known += ruleset.boards[first.type.name].fields
    help_ = did_you_mean(name, known)
    if help_ is None and known:
        help_ = "it has " + ", ".join(sorted(known)[:12])
    if help_ is None:
        owner = "player" if first.type.sort == "player" else first.type.name
        help_ = f"declare it: `each {owner} has`" if owner else None
    message = f"{spoken(first.type)} has no `{name}`"
    scope.builder.error("RR308", message, name_mark(expr), help_)


def _indexed(
    scope: Scope, name: str, given: list[Value], written: list[nodes.Expr], expr: nodes.Expr
) -> Value:
    ruleset = scope.builder.ruleset
    if name in ruleset.functions or name in builtins.FUNCTIONS:
        help_ = f"write `{name}(...)` with round brackets"
        scope.builder.error("RR309", f"`{name}` is a function", name_mark(expr), help_)
        return BROKEN
    return access(scope, name, _rest(scope, name, given, written), written, expr)


def _rest(scope: Scope, name: str, given: list[Value], written: list[nodes.Expr]) -> list[Value]:
    """Lower the remaining arguments, each for the type its position wants."""
    wanted = _wanted_types(scope, name, given)
    values = list(given)
    for position in range(len(given), len(written)):
        want = wanted[position] if position < len(wanted) else None
        values.append(lower(scope, written[position], want))
    return values


def _wanted_types(scope: Scope, name: str, given: list[Value]) -> list[Type]:
    ruleset = scope.builder.ruleset
    if given:
        field = find_field(scope, given[0], name)
        if field is not None:
            return [given[0].type, *(d.type for d in field[0].dimensions)]
    if name in ruleset.variables:
        return [dimension.type for dimension in ruleset.variables[name].dimensions]
    if name in ruleset.places:
        place = ruleset.places[name]
        types = [dimension.type for dimension in place.dimensions]
        return [*types, named("kind", place.kind)] if place.word == "pool" else types
    if name in ruleset.constants:
        return [dimension.type for dimension in ruleset.constants[name].dimensions]
    if name in ruleset.functions:
        return builtins.param_types(scope, ruleset.functions[name].params)
    return []


def _called(
    scope: Scope, name: str, given: list[Value], written: list[nodes.Expr], expr: nodes.Expr
) -> Value:
    ruleset = scope.builder.ruleset
    if name in ruleset.variables or name in ruleset.places or name in ruleset.constants:
        help_ = f"write `{name}[...]` with square brackets"
        scope.builder.error("RR309", f"`{name}` is not a function", name_mark(expr), help_)
        return BROKEN
    if name in ruleset.procedures or name in ruleset.actions:
        help_ = "a value comes from a `function`; call this on a line of its own"
        scope.builder.error(
            "RR310", f"`{name}` does something and gives no value", expr.mark, help_
        )
        return BROKEN
    if name in ruleset.groups or name in builtins.DOMAINS:
        help_ = "use it after `in`"
        scope.builder.error("RR301", f"`{name}` is not a single value", expr.mark, help_)
        return BROKEN
    return access(scope, name, _rest(scope, name, given, written), written, expr)


# ---- fields


def find_field(scope: Scope, of: Value, name: str) -> tuple[FieldInfo, str] | None:
    ruleset = scope.builder.ruleset
    if of.type.sort in ("kind", "table", "row"):
        info = ruleset.kinds[of.type.name].fields.get(name)
        return None if info is None else (info, "kind")
    if of.type.sort == "board":
        info = ruleset.boards[of.type.name].fields.get(name)
        return None if info is None else (info, "board")
    return None


def _field(
    scope: Scope,
    found: tuple[FieldInfo, str],
    given: list[Value],
    written: list[nodes.Expr],
    expr: nodes.Expr,
) -> Value:
    info, family = found
    builder = scope.builder
    of = given[0]
    size = 1
    for dimension in info.dimensions:
        size *= dimension.size
    subject = fit(scope, of, of.type.certain(), written[0].mark)
    index: ops.Expr = subject
    by_list = info.type.sort == "list" and len(given) == len(info.dimensions) + 2
    if info.dimensions:
        inner_given = given[1 : 1 + len(info.dimensions)]
        inner_written = written[1 : 1 + len(info.dimensions)]
        inner = index_of(scope, info.dimensions, inner_given, inner_written, info.name, expr)
        if inner is None:
            return BROKEN
        index = ops.Binary("add", _times(index, size), inner)
    elif len(given) > 1 and not by_list:
        message = f"`{info.name}` takes no index"
        builder.error("RR311", message, expr.mark, f"write `{info.name}` without brackets")
        return BROKEN
    sight.check_field(scope, info, of, expr.mark)

    def column(values: list[int]) -> int:
        if family == "board":
            builder.read_fields.add((of.type.name, info.name))
            return builder.table(values)
        kind = builder.ruleset.kinds[of.type.name]
        if of.type.sort == "row":
            builder.read_fields.add((kind.name, info.name))
            return builder.table(values)
        return builder.field_table(kind, info, values)

    if info.type.sort == "list":
        start = ops.Lookup(column(info.starts), index)
        length = ops.Lookup(column(info.lengths), index)
        pool = builder.table(info.pool)
        if by_list:
            assert info.type.of is not None
            position = fit(scope, given[-1], INT, written[-1].mark)
            local, value = scope.fresh(INT)
            spot = builder.spot(expr.mark)
            inside = ops.Binary(
                "and",
                ops.Binary("atLeast", value.op, ops.Const(1)),
                ops.Binary("atMost", value.op, length),
            )
            check = ops.When(inside, (), (ops.Fail("RR603", spot),))
            at = ops.Binary("add", start, ops.Binary("subtract", value.op, ops.Const(1)))
            body = (ops.SetLocal(local, position), check)
            return Value(ops.Sequence(body, ops.Lookup(pool, at)), info.type.of)
        return Value(ListRef(start, length, pool, _longest(info)), info.type)
    return Value(ops.Lookup(column(info.values), index), info.type)


class ListRef:
    """A constant list met while lowering; only domains, indexes and `number of` take it."""

    def __init__(self, start: ops.Expr, length: ops.Expr, pool: int, longest: int) -> None:
        self.start = start
        self.length = length
        self.pool = pool
        self.longest = longest


def _longest(info: FieldInfo) -> int:
    return max(info.lengths, default=0)


# ---- variables and places


def index_of(
    scope: Scope,
    dimensions: tuple[Dimension, ...],
    given: list[Value],
    written: list[nodes.Expr],
    name: str,
    expr: nodes.Expr,
) -> ops.Expr | None:
    """The position of one entry in a table with these dimensions."""
    if len(given) != len(dimensions):
        message = f"`{name}` needs {counted(len(dimensions), 'index')}, not {len(given)}"
        help_ = None
        if dimensions:
            help_ = f"write `{name}[{', '.join(str(d.type) for d in dimensions)}]`"
        scope.builder.error("RR311", message, expr.mark, help_)
        return None
    position: ops.Expr = ops.Const(0)
    for dimension, value, part in zip(dimensions, given, written, strict=True):
        wanted = dimension.type
        op = fit(scope, value, replace(wanted, optional=False), part.mark, f"the index of `{name}`")
        if dimension.offset:
            op = _fold(ops.Binary("subtract", op, ops.Const(dimension.offset)))
        if isinstance(position, ops.Const) and position.value == 0:
            position = op
        else:
            position = ops.Binary("add", _times(position, dimension.size), op)
    return position


def _times(op: ops.Expr, size: int) -> ops.Expr:
    if size == 1:
        return op
    return _fold(ops.Binary("multiply", op, ops.Const(size)))


def load(scope: Scope, variable: Variable, index: ops.Expr, mark: Mark) -> Value:
    scope.builder.used_names.add(variable.name)
    sight.check_secret(scope, variable, index, mark)
    sight.check_sealed_read(scope, variable.name, variable.dimensions, index, mark)
    if isinstance(index, ops.Const):
        return Value(ops.Memory(variable.address + index.value), variable.type)
    return Value(ops.MemoryAt(variable.address, index, variable.size), variable.type)


class PlaceRef:
    """A place met while lowering: which one, and which of its instances."""

    def __init__(self, place: Place, index: ops.Expr) -> None:
        self.place = place
        self.index = index

    @property
    def number(self) -> ops.Expr:
        """The instance number among all places of its kind."""
        return _fold(ops.Binary("add", self.index, ops.Const(self.place.first)))

    def address(self, offset: int = 0) -> tuple[int, ops.Expr]:
        """Base and index of a cell of the instance, for MemoryAt."""
        base = self.place.address + offset
        return base, _times(self.index, self.place.stride)

    def cell(self, offset: int) -> ops.Expr:
        base, index = self.address(offset)
        if isinstance(index, ops.Const):
            return ops.Memory(base + index.value)
        return ops.MemoryAt(base, index, self.place.stride * self.place.size)

    def content(self, position: ops.Expr) -> ops.Expr:
        base, index = self.address(3)
        whole_index = _fold(ops.Binary("add", index, position))
        if isinstance(whole_index, ops.Const):
            return ops.Memory(base + whole_index.value)
        return ops.MemoryAt(base, whole_index, self.place.stride * self.place.size)


def _place_value(place: Place, index: ops.Expr) -> Value:
    of = named("kind", place.kind)
    return Value(PlaceRef(place, index), Type("place", place.name, of=of))


def _pool_count(
    scope: Scope, place: Place, given: list[Value], written: list[nodes.Expr], expr: nodes.Expr
) -> Value:
    index = index_of(scope, place.dimensions, given[:-1], written[:-1], place.name, expr)
    if index is None:
        return BROKEN
    row = fit(scope, given[-1], named("kind", place.kind), written[-1].mark)
    position = ops.Binary("add", _times(index, place.stride), row)
    whole_size = place.stride * place.size
    return Value(
        ops.MemoryAt(place.address, position, whole_size), whole(0, limits.COLLECTION_ITEMS)
    )


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


def lower_place(scope: Scope, expr: nodes.Expr, what: str) -> PlaceRef | None:
    """A place is needed here, such as after `to`."""
    if isinstance(expr, nodes.Name) and expr.name == "box" and "box" not in scope.names:
        return None
    value = lower(scope, expr)
    if isinstance(value.op, PlaceRef):
        return value.op
    if value.type.sort != "unknown":
        known = list(scope.builder.ruleset.places)
        help_ = f"places here: {', '.join(known)}" if known else None
        message = f"{what} should be a place, but it is {spoken(value.type)}"
        scope.builder.error("RR313", message, expr.mark, help_)
    return None


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


def is_box(scope: Scope, expr: nodes.Expr) -> bool:
    return isinstance(expr, nodes.Name) and expr.name == "box" and "box" not in scope.names


def player(scope: Scope, expr: nodes.Expr, what: str = "this") -> ops.Expr:
    return lower_as(scope, expr, PLAYER, what)


def _word(expr: nodes.Through | nodes.Reach) -> str:
    return expr.word if isinstance(expr, nodes.Through) else "reach"


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

"""Names, dots, indexes and calls: which of the many things with names is meant."""

from __future__ import annotations

import re

from interpreter.model.ruleset import Place, Variable
from interpreter.model.types import (
    BOOL,
    INT,
    PLAYER,
    Sort,
    Type,
    fits,
    named,
    whole,
)  # fmt: skip
from interpreter.program import ops
from interpreter.program.lower import (
    builtins,
    expressions,
    fitting,
    reading,
)
from interpreter.program.lower.builder import BROKEN, Scope, Value
from interpreter.program.lower.references import PlaceRef
from interpreter.report.suggest import did_you_mean
from interpreter.tree import nodes
from interpreter.tree.foreign import NAMES, OF_PLACES
from interpreter.tree.marks import name_mark
from interpreter.tree.phrases import say_value
from interpreter.tree.pieces import flat

_SPACE = re.compile(r"[a-z]{1,2}[0-9]+")  # what spaces of a square or hex board are called
_SEAT = re.compile(r"P[1-9][0-9]?")


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


def access_value(scope: Scope, expr: nodes.Expr, wanted: Type | None) -> Value:
    match expr:
        case nodes.Name():
            return _name(scope, expr, wanted)
        case nodes.Dot():
            return access(
                scope, expr.name, [expressions.lower(scope, expr.target)], [expr.target], expr
            )
        case nodes.Index(target=nodes.Dot() as dot):
            first = expressions.lower(scope, dot.target)
            written = [dot.target, *expr.arguments]
            return _indexed(scope, dot.name, [first], written, expr)
        case nodes.Index(target=nodes.Name(name=name)):
            return _indexed(scope, name, [], list(expr.arguments), expr)
        case nodes.Call(target=nodes.Name(name=name)):
            return _called(scope, name, [], list(expr.arguments), expr)
        case nodes.Call(target=nodes.Dot() as dot):
            first = expressions.lower(scope, dot.target)
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
    found = _member(scope, name, wanted) or _seat(scope, name)
    if found is not None:
        return found
    _unknown_name(scope, expr, wanted)
    return BROKEN


def _seat(scope: Scope, name: str) -> Value | None:
    """`P1`, `P2` and so on are the seats of the table."""
    number = int(name[1:]) if _SEAT.fullmatch(name) else 0
    if not 1 <= number <= scope.builder.ruleset.players:
        return None
    return Value(ops.Const(number - 1), PLAYER)


def _member(scope: Scope, name: str, wanted: Type | None) -> Value | None:
    """An enum member, a row, a direction or a cell called by its bare name."""
    found = members_called(scope, name)
    if wanted is not None:
        found = [value for value in found if fitting.same_family(value.type, wanted)] or found
    if len(found) > 1:  # cards and their abilities often share a name, and the card is meant
        found = [value for value in found if value.type.name != "ability"] or found
    if len(found) > 1 and len({value.type for value in found}) > 1:
        return None
    return found[0] if found else None


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
    if _SEAT.fullmatch(expr.name):
        message = f"there is no seat `{expr.name}`: {ruleset.players} play here"
        help_ = "a rule must hold for every number of players; a scenario says `players 4`"
        scope.builder.error("RR300", message, expr.mark, help_)
        return
    known = [
        *scope.names, *ruleset.variables, *ruleset.places, *ruleset.constants,
        *ruleset.functions, *ruleset.options, "playerCount",
    ]  # fmt: skip
    for members in ruleset.enums.values():
        known.extend(members)
    for kind in ruleset.kinds.values():
        known.extend(row.name for row in kind.rows)
    near = NAMES.get(expr.name) or did_you_mean(expr.name, known)
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
            if _asks_of_place(scope, name, first, written[0], expr):
                return BROKEN
            first = fitting.content(scope, first, expr.mark)
            if first is BROKEN:
                return BROKEN
            given = [first, *given[1:]]
        found = reading.find_field(scope, first, name)
        if found is not None:
            return reading.read_field(scope, found, given, written, expr)
        if name in builtins.PROPERTIES:
            property_ = builtins.property_of(scope, name, first, expr.mark)
            if property_ is not None:
                return property_
    if name in ruleset.variables:
        variable = ruleset.variables[name]
        index = reading.index_of(scope, variable.dimensions, given, written, name, expr)
        return BROKEN if index is None else reading.load(scope, variable, index, expr.mark)
    if name in ruleset.places:
        place = ruleset.places[name]
        scope.builder.used_names.add(name)
        dims = place.dimensions
        if place.word == "pool" and len(given) == len(dims) + 1:
            return reading.pool_count(scope, place, given, written, expr)
        index = reading.index_of(scope, dims, given, written, name, expr)
        return BROKEN if index is None else reading.place_value(place, index)
    if name in ruleset.constants:
        constant = ruleset.constants[name]
        index = reading.index_of(scope, constant.dimensions, given, written, name, expr)
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


def _asks_of_place(
    scope: Scope, name: str, first: Value, written: nodes.Expr, expr: nodes.Expr
) -> bool:
    """Whether this is `deck.count` or `isEmpty(deck)`, as many write it elsewhere; it is told."""
    if name not in OF_PLACES or find_name(scope, name) is not None:
        return False
    if isinstance(first.op, PlaceRef) and first.op.place.word == "slot":
        return False
    help_ = "write " + OF_PLACES[name].format(place=flat(say_value(written)))
    scope.builder.error("RR308", f"a place has no `{name}`", name_mark(expr), help_)
    return True


def _no_such(scope: Scope, name: str, first: Value | None, expr: nodes.Expr) -> None:
    ruleset = scope.builder.ruleset
    if name in ruleset.broken:
        return
    alone = isinstance(expr, (nodes.Call, nodes.Index)) and isinstance(expr.target, nodes.Name)
    if first is None or alone:
        known = [*ruleset.variables, *ruleset.places, *ruleset.constants, *ruleset.functions]
        known += builtins.FUNCTIONS
        help_ = NAMES.get(name) or did_you_mean(name, known)
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
    message = f"{fitting.spoken(first.type)} has no `{name}`"
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
        values.append(expressions.lower(scope, written[position], want))
    return values


def _wanted_types(scope: Scope, name: str, given: list[Value]) -> list[Type]:
    ruleset = scope.builder.ruleset
    if given:
        field = reading.find_field(scope, given[0], name)
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

"""The words the language brings along: one row each, and calls of declared functions."""

from __future__ import annotations

from collections.abc import Callable

from interpreter import limits
from interpreter.model.boards import distance_steps, distances
from interpreter.model.names import named_type, type_help
from interpreter.model.ruleset import BoardInfo
from interpreter.model.types import BOOL, INT, PLAYER, UNKNOWN, Type, named, whole
from interpreter.program import ops
from interpreter.program.lower import (
    board_domains,
    expressions,
    fitting,
    references,
    sight,
)
from interpreter.program.lower.builder import BROKEN, Locals, Scope, Value
from interpreter.report.source import Mark
from interpreter.tree import nodes
from interpreter.tree.marks import declared_mark, part

# What can stand after `in`, and how many values it takes.
DOMAINS = {
    "playersFrom": 1,
    "playersAfter": 1,
    "neighbours": 1,
    "adjacent": 1,
    "diagonals": 1,
    "ray": 2,
}
# Asked with a dot, of cells and pieces.
PROPERTIES = ("row", "column", "onEdge")
# Functions that take a place, rather than the piece in it.
OF_PLACE = ("top", "bottom")

_MOST_DISTANCE_STEPS = 400 * 400 * 8  # of a board with eight ways from each of its 400 cells

Builtin = Callable[[Scope, list[Value], list[nodes.Expr], Mark], Value]


def param_types(scope: Scope, params: tuple[nodes.Param, ...]) -> list[Type]:
    return [written_type(scope, param.type) for param in params]


def written_type(scope: Scope, written: nodes.Type) -> Type:
    """A type as written in a body; declare.py has reported what is wrong with it already
    only for declarations, so unknown names are reported here."""
    ruleset = scope.builder.ruleset
    match written:
        case nodes.TypeRange():
            low = expressions.lower(scope, written.low)
            high = expressions.lower(scope, written.high)
            if isinstance(low.op, ops.Const) and isinstance(high.op, ops.Const):
                found = whole(low.op.value, high.op.value)
            else:
                found = INT
        case nodes.TypeList():
            scope.builder.error("RR212", "a list cannot be passed on", written.mark)
            return UNKNOWN
        case nodes.TypeName(name=name):
            type_ = named_type(name, ruleset)
            if type_ is None:
                message = f"there is no type `{name}`"
                mark = part(written.mark, 0, len(name))
                scope.builder.error("RR210", message, mark, type_help(name, ruleset))
                return UNKNOWN
            found = type_
    return found.or_none() if written.optional else found


# ---- declared functions


def call_function(
    scope: Scope, name: str, given: list[Value], written: list[nodes.Expr], mark: Mark
) -> Value:
    builder = scope.builder
    builder.used_names.add(name)
    declared = builder.ruleset.functions[name]
    types = param_types(scope, declared.params)
    if len(given) != len(types):
        message = f"`{name}` takes {fitting.counted(len(types), 'value')}, not {len(given)}"
        builder.error("RR311", message, mark)
        return BROKEN
    arguments = tuple(
        fitting.fit(scope, value, type_, part.mark, f"`{param.name}` of `{name}`")
        for value, type_, part, param in zip(given, types, written, declared.params, strict=True)
    )
    number = function_number(scope, name)
    result = builder.function_types.get(name)
    if result is None:
        message = f"`{name}` calls itself, so its result must be declared"
        help_ = f"write `function {name}(...): int = ...`"
        builder.error("RR324", message, declared_mark(declared), help_)
        builder.function_types[name] = UNKNOWN
        return BROKEN
    sight.check_call(scope, name, given, mark)
    return Value(ops.Call(number, arguments, builder.spot(mark)), result)


def function_number(scope: Scope, name: str) -> int:
    """Lower a function the first time it is called."""
    builder = scope.builder
    if name in builder.functions:
        return builder.functions[name]
    declared = builder.ruleset.functions[name]
    number = builder.function(name, len(declared.params))
    builder.functions[name] = number
    inner = Scope(builder, Locals())
    for param, type_ in zip(declared.params, param_types(inner, declared.params), strict=True):
        inner.bind(param.name, inner.fresh(type_)[1])
    phase, builder.phase = builder.phase, name
    wanted: Type | None = None
    if isinstance(declared, nodes.Function) and declared.result is not None:
        wanted = written_type(inner, declared.result)
        builder.function_types[name] = wanted
    if isinstance(declared, nodes.Quantity):
        builder.function_types[name] = INT
        body = _quantity_body(inner, declared)
    elif declared.value is not None:
        body = _short_body(inner, declared, wanted)
    else:
        body = _cases_body(inner, declared, wanted or UNKNOWN)
    builder.phase = phase
    function = builder.program.functions[number]
    function.body = (*builder.took_part(declared), *body)
    function.locals = inner.locals.count
    return number


def _short_body(
    scope: Scope, declared: nodes.Function, wanted: Type | None
) -> tuple[ops.Statement, ...]:
    assert declared.value is not None
    value = expressions.lower(scope, declared.value, wanted)
    if isinstance(value.op, (references.PlaceRef, references.ListRef)):
        if isinstance(value.op, references.PlaceRef):
            value = fitting.content(scope, value, declared.value.mark)
        else:
            scope.builder.error("RR212", "a list cannot be passed on", declared.value.mark)
            value = BROKEN
    if wanted is not None:
        op = fitting.fit(scope, value, wanted, declared.value.mark, "the result")
        return (ops.Return(op),)
    type_ = value.type
    if type_.sort == "row":
        type_ = named("kind", type_.name)
    scope.builder.function_types[declared.name] = (
        INT if type_.sort == "int" and not type_.optional else type_
    )
    return (ops.Return(value.op),)


def _cases_body(scope: Scope, declared: nodes.Function, wanted: Type) -> tuple[ops.Statement, ...]:
    body: list[ops.Statement] = []
    for let in declared.lets:
        value = expressions.lower(scope, let.value)
        if value.type.sort == "place":
            value = fitting.content(scope, value, let.value.mark)
        local, bound = scope.fresh(value.type)
        body.append(ops.SetLocal(local, value.op))
        scope.bind(let.name, bound)
    for position, case in enumerate(declared.cases):
        result = expressions.lower_as(scope, case.value, wanted, "the result")
        last = position == len(declared.cases) - 1
        told = scope.builder.took_part(case)
        if case.condition is None:
            body += [*told, ops.Return(result)]
            if not last:
                help_ = "`otherwise` takes everything that is left, so put it last"
                mark = declared.cases[position + 1].mark
                scope.builder.error("RR325", "this case is never looked at", mark, help_)
                break
        else:
            test = expressions.condition(scope, case.condition)
            body.append(ops.When(test, (*told, ops.Return(result))))
            if last:
                help_ = "end the cases with a line `... otherwise`"
                message = f"`{declared.name}` has no value when no case fits"
                scope.builder.error("RR326", message, case.mark, help_)
    return tuple(body)


def _quantity_body(scope: Scope, declared: nodes.Quantity) -> tuple[ops.Statement, ...]:
    from interpreter.program.lower import abilities

    value = expressions.lower_as(scope, declared.value, INT, "a quantity")
    local, current = scope.fresh(INT)
    changes = abilities.modifiers(scope, declared, local)
    return (ops.SetLocal(local, value), *changes, ops.Return(current.op))


# ---- built-in functions


def call_builtin(
    scope: Scope, name: str, given: list[Value], written: list[nodes.Expr], mark: Mark
) -> Value:
    wanted, build = FUNCTIONS[name]
    if len(given) != wanted:
        message = f"`{name}` takes {fitting.counted(wanted, 'value')}, not {len(given)}"
        scope.builder.error("RR311", message, mark)
        return BROKEN
    return build(scope, given, written, mark)


def property_of(scope: Scope, name: str, of: Value, mark: Mark) -> Value | None:
    if of.type.sort != "board":
        return None
    board = scope.builder.ruleset.boards[of.type.name]
    cell = fitting.fit(scope, of, of.type.certain(), mark)
    key = (name, board.name)
    table = scope.builder.once(key, lambda: scope.builder.table(_property_values(board, name)))
    sizes = {"column": board.width, "row": board.height}
    type_ = whole(1, sizes[name]) if name in sizes else BOOL
    return Value(ops.Lookup(table, cell), type_)


def _property_values(board: BoardInfo, name: str) -> list[int]:
    least_x = min((x for x, _ in board.coordinates), default=0)
    least_y = min((y for _, y in board.coordinates), default=0)
    if name == "column":
        return [x - least_x + 1 for x, _ in board.coordinates]
    if name == "row" and board.shape == "square":
        return [board.height - (y - least_y) for _, y in board.coordinates]
    if name == "row":
        return [y - least_y + 1 for _, y in board.coordinates]
    return [
        int(any(board.steps[way][number] < 0 for way in board.orthogonal))
        for number in range(len(board.cells))
    ]


def _step(scope: Scope, given: list[Value], written: list[nodes.Expr], mark: Mark) -> Value:
    found = _cell_and_direction(scope, given, written)
    if found is None:
        return BROKEN
    name, cell, direction = found
    board = scope.builder.ruleset.boards[name]
    table = board_domains.step_table(scope, board, list(range(len(board.directions))))
    index = ops.Binary("add", ops.Binary("multiply", direction, ops.Const(len(board.cells))), cell)
    return Value(ops.Lookup(table, index), named("board", name).or_none())


def _cell_and_direction(
    scope: Scope, given: list[Value], written: list[nodes.Expr]
) -> tuple[str, ops.Expr, ops.Expr] | None:
    cell, direction = given
    if cell.type.sort != "board":
        if cell.type != UNKNOWN:
            message = f"a space of a board is needed here, not {fitting.spoken(cell.type)}"
            scope.builder.error("RR302", message, written[0].mark)
        return None
    name = cell.type.name
    if direction.type.sort != "direction" and isinstance(written[1], nodes.Name):
        direction = expressions.lower(scope, written[1], named("direction", name))
    cell_op = fitting.fit(scope, cell, cell.type.certain(), written[0].mark)
    wanted = named("direction", name)
    return name, cell_op, fitting.fit(scope, direction, wanted, written[1].mark, "the way")


def _opposite(scope: Scope, given: list[Value], written: list[nodes.Expr], mark: Mark) -> Value:
    if given[0].type.sort != "direction":
        scope.builder.error("RR302", "a direction is needed here", mark)
        return BROKEN
    board = scope.builder.ruleset.boards[given[0].type.name]
    way = fitting.fit(scope, given[0], given[0].type.certain(), mark)
    return Value(ops.Lookup(scope.builder.table(board.opposite), way), given[0].type.certain())


def _turn(scope: Scope, given: list[Value], written: list[nodes.Expr], mark: Mark) -> Value:
    """A direction turned clockwise by so many of the board's directions."""
    if given[0].type.sort != "direction":
        scope.builder.error("RR302", "a direction is needed here", mark)
        return BROKEN
    count = len(scope.builder.ruleset.boards[given[0].type.name].directions)
    way = fitting.fit(scope, given[0], given[0].type.certain(), written[0].mark)
    by = fitting.fit(scope, given[1], INT, written[1].mark)
    spot = scope.builder.spot(mark)
    turned = ops.Binary("modulo", ops.Binary("add", way, by, spot), ops.Const(count))
    return Value(turned, given[0].type.certain())


def _distance(scope: Scope, given: list[Value], written: list[nodes.Expr], mark: Mark) -> Value:
    start, end = given
    if start.type.sort != "board" or end.type.name != start.type.name:
        scope.builder.error("RR302", "two spaces of one board are needed here", mark)
        return BROKEN
    board = scope.builder.ruleset.boards[start.type.name]
    if distance_steps(board) > _MOST_DISTANCE_STEPS:
        message = "this board is too large for `distance`"
        scope.builder.error("RR327", message, mark, "use `reach` with a budget")
        return BROKEN
    first = fitting.fit(scope, start, start.type.certain(), written[0].mark)
    second = fitting.fit(scope, end, end.type.certain(), written[1].mark)
    index = ops.Binary("add", ops.Binary("multiply", first, ops.Const(len(board.cells))), second)
    table = scope.builder.once(("distances", board.name), lambda: _distance_table(scope, board))
    return Value(ops.Lookup(table, index), whole(-1, 10_000))


def _distance_table(scope: Scope, board: BoardInfo) -> int:
    scope.builder.work.spend_cells(distance_steps(board))
    return scope.builder.table(distances(board))


def _seat_shift(shift: int) -> Builtin:
    def build(scope: Scope, given: list[Value], written: list[nodes.Expr], mark: Mark) -> Value:
        players = scope.builder.ruleset.players
        seat = fitting.fit(scope, given[0], PLAYER, written[0].mark)
        moved = ops.Binary("add", seat, ops.Const(shift % players))
        return Value(ops.Binary("modulo", moved, ops.Const(players)), PLAYER)

    return build


def _clockwise(scope: Scope, given: list[Value], written: list[nodes.Expr], mark: Mark) -> Value:
    """Steps clockwise from one player to another."""
    players = scope.builder.ruleset.players
    start = fitting.fit(scope, given[0], PLAYER, written[0].mark)
    end = fitting.fit(scope, given[1], PLAYER, written[1].mark)
    gap = ops.Binary("modulo", ops.Binary("subtract", end, start), ops.Const(players))
    return Value(gap, whole(0, players - 1))


def _abs(scope: Scope, given: list[Value], written: list[nodes.Expr], mark: Mark) -> Value:
    value = fitting.fit(scope, given[0], INT, written[0].mark)
    local, held = scope.fresh(INT)
    negative = ops.Unary("negate", held.op)
    result = ops.Binary("max", held.op, negative)
    return Value(ops.Sequence((ops.SetLocal(local, value),), result), whole(0, limits.INT_MAX))


def _end(last: bool) -> Builtin:
    """The piece at the top (the last put there) or the bottom of a stack or row."""

    def build(scope: Scope, given: list[Value], written: list[nodes.Expr], mark: Mark) -> Value:
        ref = given[0].op
        if not isinstance(ref, references.PlaceRef) or not ref.place.ordered:
            message = "a stack or a row is needed here"
            if isinstance(ref, references.PlaceRef):
                message = f"the pieces in `{ref.place.name}` lie in no order"
            help_ = "stacks and rows have a top and a bottom"
            scope.builder.error("RR313", message, written[0].mark, help_)
            return BROKEN
        sight.check_visible(scope, ref, mark)
        if ref.place.word == "stack" and ref.place.seen == "nobody":
            message = "a face-down stack has no order until something is drawn from it"
            help_ = f"draw it: `draw 1 from {ref.place.name} to ...`"
            scope.builder.error("RR328", message, mark, help_)
        count = ref.cell(0)
        position = ops.Binary("subtract", count, ops.Const(1)) if last else ops.Const(0)
        some = ops.Binary("more", count, ops.Const(0))
        op = ops.Choice(some, ref.content(position), ops.Const(-1))
        return Value(op, named("kind", ref.place.kind).or_none(), ref)

    return build


def _holder(scope: Scope, given: list[Value], written: list[nodes.Expr], mark: Mark) -> Value:
    """The player in whose place a piece lies, or none."""
    value = given[0]
    if value.type.sort == "row":
        value = fitting.only_piece(scope, value)
    if value.type.sort != "kind" or not scope.builder.ruleset.kinds[value.type.name].tracked:
        scope.builder.error("RR302", "a piece is needed here", mark)
        return BROKEN
    sight.check_whereabouts(scope, value, mark)
    piece = fitting.fit(scope, value, value.type.certain(), written[0].mark)
    return Value(
        ops.Lookup(_instance_table(scope, value.type.name), _where(scope, value.type.name, piece)),
        PLAYER.or_none(),
    )


def _instance_table(scope: Scope, kind: str) -> int:
    owners = [-1]
    for place in scope.builder.ruleset.places.values():
        if place.kind != kind or place.word == "pool":
            continue
        owned = bool(place.dimensions) and place.dimensions[0].type.sort == "player"
        span = place.size // place.dimensions[0].size if owned else 1
        owners.extend(number // span if owned else -1 for number in range(place.size))
    return scope.builder.table(owners)


def _where(scope: Scope, kind: str, piece: ops.Expr) -> ops.Expr:
    number = scope.builder.kind_numbers[kind]
    layout = scope.builder.program.layout.kinds[number]
    return ops.MemoryAt(layout.where, piece, len(layout.row_of))


FUNCTIONS: dict[str, tuple[int, Builtin]] = {
    "step": (2, _step),
    "opposite": (1, _opposite),
    "turn": (2, _turn),
    "distance": (2, _distance),
    "next": (1, _seat_shift(1)),
    "previous": (1, _seat_shift(-1)),
    "clockwise": (2, _clockwise),
    "abs": (1, _abs),
    "top": (1, _end(True)),
    "bottom": (1, _end(False)),
    "holder": (1, _holder),
}


# ---- lookahead


def can(scope: Scope, expr: nodes.Can) -> Value:
    """`can (a(...) then b(...))`: tried out on a copy as a routine of its own."""
    from interpreter.program.lower import routines

    return routines.can(scope, expr)

"""Names, dots, indexes and calls: which of the many things with names is meant."""

from __future__ import annotations

from dataclasses import replace

from interpreter import limits
from interpreter.model.names import named_type
from interpreter.model.ruleset import Dimension, FieldInfo, Place
from interpreter.model.types import BOOL, INT, PLAYER, Type, named, whole
from interpreter.tree import nodes
from interpreter.tree.foreign import OF_PLACES
from interpreter.tree.marks import name_mark
from interpreter.tree.phrases import say_value
from interpreter.tree.pieces import flat
from interpreter.typed import values as v
from interpreter.typed.build import (
    builtins,
    fitting,
    functions,
    histories,
    instead,
    numbered,
)  # fmt: skip
from interpreter.typed.build.copies import takes_place
from interpreter.typed.build.lookup import find_name
from interpreter.typed.build.scope import Scope, local_value
from interpreter.typed.build.unknown import SEAT, is_type, no_such, type_for_value, unknown_name


def access_value(scope: Scope, expr: nodes.Expr, wanted: Type | None) -> v.Value:
    match expr:
        case nodes.Name():
            return _name(scope, expr, wanted)
        case nodes.Dot(target=nodes.Name(name=name)) if is_type(scope, name):
            found = _member_of(scope, name, expr)
            return found or type_for_value(scope, name, expr.target.mark)
        case nodes.Dot():
            return _access(scope, expr.name, [_owner(scope, expr)], [expr.target], expr)
        case nodes.Index(target=nodes.Dot() as dot):
            first = _owner(scope, dot)
            written = [dot.target, *expr.arguments]
            return _indexed(scope, dot.name, [first], written, expr)
        case nodes.Index(target=nodes.Players()):
            return numbered.nth(scope, PLAYER, "players", expr)
        case nodes.Index(target=nodes.Name(name=name)) if name in scope.places:
            return _of_pool(scope, scope.places[name], expr)
        case nodes.Index(target=nodes.Name(name=name)):
            of = _numbered_type(scope, name)
            if of is not None:
                return numbered.nth(scope, of, name, expr)
            return _indexed(scope, name, [], list(expr.arguments), expr)
        case nodes.Call(target=nodes.Name(name=name)):
            return _called(scope, name, [], list(expr.arguments), expr)
        case nodes.Call(target=nodes.Dot() as dot):
            first = scope.value(dot.target)
            return _called(scope, dot.name, [first], [dot.target, *expr.arguments], expr)
        case _:
            help_ = numbered.brackets_help(scope, expr)
            scope.error("RR306", "brackets cannot follow this", expr.mark, help_)
            return scope.broken(expr.mark)


def _owner(scope: Scope, dot: nodes.Dot) -> v.Value:
    """What stands before a dot; if only one type has what stands behind it, that is wanted."""
    return scope.value(dot.target, instead.owner_type(scope, dot.name))


def _member_of(scope: Scope, name: str, expr: nodes.Dot) -> v.Value | None:
    """`Part.head`: a member of one type, where several have a member called so."""
    for each in scope.builder.members.called(expr.name):
        if each.type.name == name:
            return each.constant(expr.mark)
    return None


def _numbered_type(scope: Scope, name: str) -> Type | None:
    """The type of which `Name[n]` is the n-th value."""
    found = None if find_name(scope, name) is not None else named_type(name, scope.ruleset)
    return found if found is not None and found.sort in numbered.NUMBERED else None


# ---- bare names


def _name(scope: Scope, expr: nodes.Name, wanted: Type | None) -> v.Value:
    name, ruleset = expr.name, scope.ruleset
    if name in scope.places:
        return replace(scope.places[name], mark=expr.mark)
    if name in scope.names:
        return local_value(scope.names[name], expr.mark)
    if name in ruleset.options:
        given = ruleset.options[name]
        type_ = whole(int(given), int(given))
        if isinstance(given, bool):
            type_ = BOOL
        elif name in ruleset.enums:
            type_ = named("enum", name)
        called = v.Named("option", name, name, ruleset.declared.get(name))
        return v.Constant(int(given), called, type=type_, mark=expr.mark)
    if name == "playerCount":
        players = ruleset.players
        called = v.Named("players", name, "")
        return v.Constant(players, called, type=whole(players, players), mark=expr.mark)
    if (
        name in ruleset.variables or name in ruleset.places or name in ruleset.constants
        or name in ruleset.functions
    ):  # fmt: skip
        return _access(scope, name, [], [], expr)
    found = _member(scope, expr, wanted) or _seat(scope, expr)
    if found is None:
        unknown_name(scope, expr, wanted)
        return scope.broken(expr.mark)
    return found


def _seat(scope: Scope, expr: nodes.Name) -> v.Value | None:
    """`P1`, `P2` and so on are the seats of the table."""
    number = int(expr.name[1:]) if SEAT.fullmatch(expr.name) else 0
    if not 1 <= number <= scope.ruleset.players:
        return None
    called = v.Named("seat", expr.name, "")
    return v.Constant(number - 1, called, type=PLAYER, mark=expr.mark)


def _member(scope: Scope, expr: nodes.Name, wanted: Type | None) -> v.Value | None:
    """An enum member, a row, a direction or a cell called by its bare name."""
    found = scope.builder.members.called(expr.name)
    if wanted is not None:
        found = [each for each in found if fitting.same_family(each.type, wanted)] or found
    if len(found) > 1:  # cards and their abilities often share a name, and the card is meant
        found = [each for each in found if each.type.name != "ability"] or found
    return found[0].constant(expr.mark) if len(found) == 1 else None


# ---- names with something in front of them or in brackets


def _indexed(
    scope: Scope, name: str, given: list[v.Value], written: list[nodes.Expr], expr: nodes.Expr
) -> v.Value:
    built_in = name in builtins.FUNCTIONS and not _is_declared(scope, name, given)
    if name in scope.ruleset.functions or built_in:
        help_ = f"write `{name}(...)` with round brackets"
        scope.error("RR309", f"`{name}` is a function", name_mark(expr), help_)
        return scope.broken(expr.mark)
    return _access(scope, name, _rest(scope, name, given, written), written, expr)


def _is_declared(scope: Scope, name: str, given: list[v.Value]) -> bool:
    """Whether a ruleset has something of its own that takes an index and is called so."""
    ruleset = scope.ruleset
    if name in ruleset.variables or name in ruleset.places or name in ruleset.constants:
        return True
    of = given[0] if given else None
    if isinstance(of, v.PlaceAt):  # a slot stands for the piece in it
        return name in ruleset.kinds[of.place.kind].fields
    return of is not None and _find_field(scope, of, name) is not None


def _called(
    scope: Scope, name: str, given: list[v.Value], written: list[nodes.Expr], expr: nodes.Expr
) -> v.Value:
    ruleset = scope.ruleset
    if name == histories.TIMES_SEEN and name not in ruleset.functions:
        return histories.times_seen(scope, written, expr.mark)
    if name in ruleset.variables or name in ruleset.places or name in ruleset.constants:
        inside = ", ".join(flat(say_value(each)) for each in written) or "..."
        message = f"`{name}` is not a function"
        help_ = f"write `{name}[{inside}]` with square brackets"
        if name in builtins.FUNCTIONS:
            message = f"`{name}` is what is declared here, and not the function of this name"
            help_ += f",\nor call yours something else, to use the function `{name}`"
        scope.error("RR309", message, name_mark(expr), help_)
        return scope.broken(expr.mark)
    if name in ruleset.procedures or name in ruleset.actions:
        help_ = "a value comes from a `function`; call this on a line of its own"
        scope.error("RR310", f"`{name}` does something and gives no value", expr.mark, help_)
        return scope.broken(expr.mark)
    if name in ruleset.groups or name in builtins.DOMAINS:
        scope.error("RR301", f"`{name}` is not a single value", expr.mark, "use it after `in`")
        return scope.broken(expr.mark)
    return _access(scope, name, _rest(scope, name, given, written), written, expr)


def _rest(
    scope: Scope, name: str, given: list[v.Value], written: list[nodes.Expr]
) -> list[v.Value]:
    """The remaining arguments, each for the type its position wants."""
    wanted = _wanted_types(scope, name, given)
    values = list(given)
    for position in range(len(given), len(written)):
        want = wanted[position] if position < len(wanted) else None
        if name in builtins.DIRECTED and not wanted and position == 1:
            want = builtins.direction_of(values[0])
        values.append(scope.value(written[position], want))
    return values


def _wanted_types(scope: Scope, name: str, given: list[v.Value]) -> list[Type]:
    ruleset = scope.ruleset
    if given:
        info = _find_field(scope, given[0], name)
        if info is not None:
            return [given[0].type, *(d.type for d in info.dimensions)]
    if name in ruleset.variables:
        return [dimension.type for dimension in ruleset.variables[name].dimensions]
    if name in ruleset.places:
        place = ruleset.places[name]
        types = [dimension.type for dimension in place.dimensions]
        return [*types, named("kind", place.kind)] if place.word == "pool" else types
    if name in ruleset.constants:
        return [dimension.type for dimension in ruleset.constants[name].dimensions]
    if name in ruleset.functions:
        return [scope.written_type(each.type) for each in ruleset.functions[name].params]
    return []


def _access(
    scope: Scope, name: str, given: list[v.Value], written: list[nodes.Expr], expr: nodes.Expr
) -> v.Value:
    """`name` applied to values: a field, a variable, a place, a constant or a function."""
    ruleset = scope.ruleset
    if name in ruleset.histories:
        return histories.no_value(scope, name, expr.mark)
    first = given[0] if given else None
    if first is not None:
        if first.type.sort == "unknown":
            return scope.broken(expr.mark)
        if isinstance(first, v.PlaceAt) and not _is_of_place(scope, name):
            if _asks_of_place(scope, name, first, written[0], expr) or instead.asks_of_pieces(
                scope, name, first, written[0]
            ):
                return scope.broken(expr.mark)
            first = fitting.content(scope, first, expr.mark)
            if isinstance(first, v.Broken):
                return first
            given = [first, *given[1:]]
        info = _find_field(scope, first, name)
        if info is not None:
            return _field(scope, info, given, written, expr)
        if name in builtins.PROPERTIES and first.type.sort == "board":
            return builtins.property_of(scope, name, first, expr.mark)
    if name in ruleset.variables:
        variable = ruleset.variables[name]
        entry = indexes(scope, variable.dimensions, given, written, name, expr)
        if entry is None:
            return scope.broken(expr.mark)
        return v.Read(variable, entry, type=variable.type, mark=expr.mark)
    if name in ruleset.places:
        return _place(scope, ruleset.places[name], given, written, expr)
    if name in ruleset.constants:
        return _constant(scope, name, given, written, expr)
    if name in ruleset.functions:
        return functions.call(scope, name, given, written, expr.mark)
    if name in builtins.FUNCTIONS:
        return builtins.call(scope, name, given, written, expr.mark)
    no_such(scope, name, first, expr)
    return scope.broken(expr.mark)


def _is_of_place(scope: Scope, name: str) -> bool:
    """Whether this is asked of a place, and not of the piece in a slot."""
    function = scope.ruleset.functions.get(name)
    of_place = function is not None and takes_place(function.params[:1])
    return of_place or name in builtins.OF_PLACE


def _constant(
    scope: Scope, name: str, given: list[v.Value], written: list[nodes.Expr], expr: nodes.Expr
) -> v.Value:
    constant = scope.ruleset.constants[name]
    entry = indexes(scope, constant.dimensions, given, written, name, expr)
    if entry is None:
        return scope.broken(expr.mark)
    if constant.dimensions:
        return v.ConstantAt(constant, entry, type=constant.type, mark=expr.mark)
    value, type_ = constant.values[0], constant.type
    if type_ == INT:
        type_ = whole(value, value)
    called = v.Named("constant", name, "", scope.ruleset.declared.get(name))
    return v.Constant(value, called, type=type_, mark=expr.mark)


def _place(
    scope: Scope,
    place: Place,
    given: list[v.Value],
    written: list[nodes.Expr],
    expr: nodes.Expr,
) -> v.Value:
    dims, count = place.dimensions, len(place.dimensions)
    of_row = place.word == "pool" and len(given) == count + 1
    if isinstance(expr, nodes.Index) and len(given) == count + 1 and not of_row:
        *owners, _ = expr.arguments
        whose = nodes.Index(expr.target, tuple(owners), mark=expr.mark) if owners else expr.target
        shown = flat(say_value(whose))
        help_ = instead.numberless_help(place, shown)
        scope.error("RR311", f"`{shown}` takes no index", expr.mark, help_)
        return scope.broken(expr.mark)
    entry = indexes(
        scope, dims, given[:count] if of_row else given, written[:count] if of_row else written,
        place.name, expr,
    )  # fmt: skip
    if entry is None:
        return scope.broken(expr.mark)
    found = fitting.place_at(place, entry, expr.mark)
    return _pool_count(scope, found, given[-1], written[-1], expr) if of_row else found


def _of_pool(scope: Scope, place: v.PlaceAt, expr: nodes.Index) -> v.Value:
    """`h[red]`, where `h` is a pool that was passed."""
    if place.place.word != "pool" or len(expr.arguments) != 1:
        help_ = (
            "the place that is passed is one already; only a pool has an index, the row to count"
        )
        scope.error("RR311", "this place takes no index", expr.mark, help_)
        return scope.broken(expr.mark)
    row = scope.value(expr.arguments[0], named("kind", place.place.kind))
    found = replace(place, mark=expr.target.mark)
    return _pool_count(scope, found, row, expr.arguments[0], expr)


def _pool_count(
    scope: Scope, place: v.PlaceAt, given: v.Value, written: nodes.Expr, expr: nodes.Expr
) -> v.Value:
    row = fitting.fit(scope, given, named("kind", place.place.kind), written.mark)
    return v.PoolCount(place, row, type=whole(0, limits.COLLECTION_ITEMS), mark=expr.mark)


def _asks_of_place(
    scope: Scope, name: str, first: v.PlaceAt, written: nodes.Expr, expr: nodes.Expr
) -> bool:
    """Whether this is `deck.count` or `isEmpty(deck)`, as many write it elsewhere; it is told."""
    if name not in OF_PLACES or find_name(scope, name) is not None:
        return False
    if first.place.word == "slot":
        return False
    help_ = "write " + OF_PLACES[name].format(place=flat(say_value(written)))
    scope.error("RR308", f"a place has no `{name}`", name_mark(expr), help_)
    return True


# ---- fields and indexes


def _find_field(scope: Scope, of: v.Value, name: str) -> FieldInfo | None:
    if of.type.sort in ("kind", "table", "row"):
        return scope.ruleset.kinds[of.type.name].fields.get(name)
    if of.type.sort == "board":
        return scope.ruleset.boards[of.type.name].fields.get(name)
    return None


def _field(
    scope: Scope,
    info: FieldInfo,
    given: list[v.Value],
    written: list[nodes.Expr],
    expr: nodes.Expr,
) -> v.Value:
    count = len(info.dimensions)
    subject = fitting.certain(scope, given[0], written[0].mark)
    by_list = info.type.sort == "list" and len(given) == count + 2
    inner: tuple[v.Value, ...] | None = ()
    if info.dimensions:
        rest = slice(1, 1 + count) if len(given) in (1 + count, 2 + count) else slice(1, None)
        inner = indexes(scope, info.dimensions, given[rest], written[rest], info.name, expr)
    elif len(given) > 1 and not by_list:
        message = f"`{info.name}` takes no index"
        scope.error("RR311", message, expr.mark, f"write `{info.name}` without brackets")
        inner = None
    if inner is None:
        return scope.broken(expr.mark)
    if info.type.sort != "list":
        return v.FieldOf(info, subject, inner, type=info.type, mark=expr.mark)
    found = v.ListOf(info, subject, inner, type=info.type, mark=expr.mark)
    if not by_list:
        return found
    assert info.type.of is not None
    position = fitting.fit(scope, given[-1], INT, written[-1].mark)
    return v.ListItem(found, position, type=info.type.of, mark=expr.mark)


def _of_the_game(scope: Scope, expr: nodes.Dot) -> None:
    """All that is asked so is told at once: mostly the line `each player has` was forgotten."""
    message = "this is declared for the game, and asked of a player"
    help_ = (
        f"if there is one for all, write `{expr.name}` alone; if each player has one,\n"
        "write the line `each player has` above its declaration"
    )
    scope.error("RR288", message, expr.mark, help_)


def indexes(
    scope: Scope,
    dimensions: tuple[Dimension, ...],
    given: list[v.Value],
    written: list[nodes.Expr],
    name: str,
    expr: nodes.Expr,
) -> tuple[v.Value, ...] | None:
    """Each index of an entry, of the type that its dimension takes."""
    if len(given) != len(dimensions) and name in scope.ruleset.broken:
        return None  # declared twice, which is told
    if len(given) != len(dimensions):
        message = f"`{name}` needs {fitting.counted(len(dimensions), 'index')}, not {len(given)}"
        if not dimensions and isinstance(expr, nodes.Dot):
            if given[0].type.sort == "player":
                _of_the_game(scope, expr)
                return None
            owner = flat(say_value(expr.target))
            message = f"`{name}` belongs to the game, not to `{owner}`"
        elif not dimensions:
            message = f"`{name}` takes no index"
        elif not given and dimensions[0].type.sort == "int":
            message = f"`{name}` is several: it has an index"
        elif not given:
            message = f"`{name}` does not say whose it is"
        help_ = instead.entry_help(scope, name, dimensions, given, written)
        if not dimensions and isinstance(expr, nodes.Dot):
            help_ = instead.alone_help(name, given[0].type)
        if not given:
            help_ += "".join(
                f";\nthe one of {each.type.name} is `{each.type.name}.{name}`"
                for each in scope.builder.members.called(name)
            )
        scope.error("RR311", message, expr.mark, help_)
        return None
    return tuple(
        fitting.fit(scope, value, dimension.type.certain(), part.mark, f"the index of `{name}`")
        for dimension, value, part in zip(dimensions, given, written, strict=True)
    )

"""What stands after `in`: everything that can be gone through, and the names that go through it."""

from __future__ import annotations

from typing import Literal, cast

from interpreter import limits
from interpreter.model.boards import directions_around
from interpreter.model.names import named_type
from interpreter.model.ruleset import BoardInfo, ConstantInfo, Place
from interpreter.model.types import INT, PLAYER, UNKNOWN, Type, join, named, whole
from interpreter.report.source import Mark
from interpreter.tree import nodes
from interpreter.tree.forms import builtin_help
from interpreter.tree.marks import part
from interpreter.tree.phrases import say_value
from interpreter.tree.pieces import flat
from interpreter.typed import rules as r
from interpreter.typed import values as v
from interpreter.typed.build import builtins, fitting
from interpreter.typed.build.copies import (
    bind_params,
    copy_name,
    given_places,
    passed,
    place_argument,
    takes_place,
)
from interpreter.typed.build.known import constant_of
from interpreter.typed.build.lookup import check_shadow, find_name, warn_hiding
from interpreter.typed.build.scope import Scope

_POSITION = whole(0, limits.COLLECTION_ITEMS)


def domain(scope: Scope, written: nodes.Domain) -> v.Domain:
    mark = written.mark
    if isinstance(written, nodes.Range):
        return _range(scope, written)
    if isinstance(written, nodes.Listed):
        return _listed(scope, written)
    if isinstance(written, nodes.Players):
        return v.AllPlayers(type=PLAYER, bound=scope.ruleset.players, mark=mark)
    if isinstance(written, nodes.Name) and written.name not in scope.names:
        found = _all_of(scope, written.name, mark)
        if found is not None:
            return found
    if isinstance(written, nodes.Through) and written.word == "region":
        return _region(scope, written)
    if isinstance(written, nodes.Reach):
        return _reach(scope, written)
    if isinstance(written, nodes.Name) and written.name not in scope.names:
        constant = scope.ruleset.constants.get(written.name)
        if constant is not None and constant.listed:
            return _in_constant(scope, constant, mark)
    if isinstance(written, (nodes.Call, nodes.Name)):
        inside = _group(scope, written)
        if inside is not None:
            return inside
    if (
        isinstance(written, nodes.Call)
        and isinstance(written.target, nodes.Name)
        and written.target.name in builtins.DOMAINS
    ):
        return _builtin(scope, written.target.name, written)
    if _is_several(scope, written):
        return _nowhere(mark)
    value = scope.value(written)
    if isinstance(value, v.PlaceAt):
        bound = 1 if value.place.word == "slot" else value.place.capacity
        return v.InPlace(value, type=named("kind", value.place.kind), bound=bound, mark=mark)
    if isinstance(value, v.ListOf):
        assert value.type.of is not None
        longest = max(value.info.lengths, default=0)
        return v.InList(value, type=value.type.of, bound=longest, mark=mark)
    if value.type != UNKNOWN:
        help_ = "go through players, a type, a board, a place, a list or a range such as 1..5"
        better = _between_help(written) or fitting.holding_help(value)
        help_ = better or _inside_help(scope, value.type, written) or help_
        message = f"{fitting.spoken(value.type)} is one thing and cannot be gone through"
        scope.error("RR320", message, mark, help_)
    return _nowhere(mark)


def _is_several(scope: Scope, written: nodes.Domain) -> bool:
    """Whether this is `d in dice` or `d in me.dice`, a variable with an index; it is told."""
    if not isinstance(written, nodes.Name | nodes.Dot) or written.name in scope.names:
        return False
    variable = scope.ruleset.variables.get(written.name)
    owners = int(isinstance(written, nodes.Dot))
    if variable is None or len(variable.dimensions) != owners + 1:
        return False
    shown, type_ = flat(say_value(written)), variable.dimensions[-1].type
    one, every, entry = "x", type_.name, f"{shown}[x]"
    if type_.sort == "int":
        one = next(name for name in ("n", "k", "index") if find_name(scope, name) is None)
        every, entry = f"{type_.low}..{type_.high}", f"{shown}[{one}]"
    elif type_.sort == "player":
        one, every, entry = "p", "players", f"p.{shown}"
    message = f"`{shown}` is several, which are gone through by their index"
    help_ = f"go through `{one} in {every}`, and write `{entry}` for each of them"
    scope.error("RR311", message, written.mark, help_)
    return True


def _between_help(written: nodes.Domain) -> str | None:
    """`1-3`, as people write "from one to three"."""
    match written:
        case nodes.Binary(
            operator="-", left=nodes.Number(value=low), right=nodes.Number(value=high)
        ):
            return f"a range has two points between its ends: `{low}..{high}`"
        case _:
            return None


def _inside_help(scope: Scope, type_: Type, written: nodes.Expr) -> str | None:
    """`card in best`: a player is no place, but has some; so have boards and pieces."""
    shown = flat(say_value(written))
    if type_.sort == "int" and not type_.optional:
        if shown == "playerCount":
            return "go through the players themselves: `in players`"
        return f"numbers up to it are `1..{shown}`" if shown.isalnum() else f"write `1 .. {shown}`"
    places = fitting.places_of(scope, type_, shown)
    return (
        "say which of its places: " + " or ".join(f"`{each}`" for each in places[:3])
        if places
        else None
    )


def _nowhere(mark: Mark) -> v.Nowhere:
    return v.Nowhere(type=UNKNOWN, bound=1, mark=mark)


def _all_of(scope: Scope, name: str, mark: Mark) -> v.Domain | None:
    ruleset = scope.ruleset
    if name in ("int", "bool", "player") or name in ruleset.options:
        return None
    type_ = named_type(name, ruleset)
    if type_ is None:
        return None
    size = ruleset.type_size(type_)
    assert size is not None
    return v.AllOf(type=type_, bound=size, mark=mark)


def _range(scope: Scope, written: nodes.Range) -> v.Domain:
    low, high = scope.value(written.low), scope.value(written.high)
    if low.type.sort == "enum" and low.type == high.type:
        type_ = low.type
    else:
        type_ = whole(low.type.low, max(high.type.high, low.type.low))
        if low.type.optional or high.type.optional or low.type.sort != "int":
            type_ = INT
        low = fitting.fit(scope, low, INT, written.low.mark, "the start of a range")
        high = fitting.fit(scope, high, INT, written.high.mark, "the end of a range")
    step: v.Value | None = None
    if written.step is not None:
        step = fitting.value_as(
            scope, written.step, whole(1, limits.INT_MAX), "the step of a range"
        )
    bound = limits.COLLECTION_ITEMS
    first, last = constant_of(low), constant_of(high)
    if isinstance(written.low, nodes.Number) and isinstance(written.high, nodes.Number):
        _warn_if_empty(scope, written, written.low.value, written.high.value)
    if first is not None and last is not None and step is None:
        bound = max(0, last - first + 1)
    elif type_.sort == "int" and type_.high - type_.low < bound:
        bound = type_.high - type_.low + 1
    return v.Range(low, high, step, type=type_, bound=bound, mark=written.mark)


def _warn_if_empty(scope: Scope, written: nodes.Range, first: int, last: int) -> None:
    if last < first:
        message = f"there is no number from {first} to {last}, so this goes through nothing"
        help_ = f"write the smaller one first: `{last}..{first}`"
        scope.builder.problems.warning("RR337", message, written.mark, help=help_)


def _listed(scope: Scope, written: nodes.Listed) -> v.Domain:
    """Values one after the other. The first that is no bare name says what the others are."""
    wanted = _first_type(scope, written)
    values: list[v.Value] = []
    for each in written.values:
        value = fitting.single(scope, scope.value(each, wanted), each.mark)
        value = fitting.certain(scope, value, each.mark)
        found = value.type if wanted is None else join(wanted, value.type)
        if found is None:
            assert wanted is not None
            message = f"this is {fitting.spoken(value.type)}, and not {fitting.spoken(wanted)}"
            scope.error("RR303", message, each.mark, "list values of one type")
            return _nowhere(written.mark)
        wanted = found
        values.append(value)
    assert wanted is not None
    known = [constant_of(value) for value in values]
    for position, each in enumerate(written.values):
        if known[position] is not None and known[position] in known[:position]:
            help_ = "take one of them away"
            scope.error("RR202", "this stands twice in the list", each.mark, help_)
    return v.Listed(tuple(values), type=wanted.certain(), bound=len(values), mark=written.mark)


def _in_constant(scope: Scope, constant: ConstantInfo, mark: Mark) -> v.Domain:
    """The values of a constant that is a list."""
    called = v.Named("constant", constant.name, "", scope.ruleset.declared.get(constant.name))
    type_ = constant.type
    values = tuple(v.Constant(each, called, type=type_, mark=mark) for each in constant.values)
    return v.Listed(values, type=type_, bound=len(values), mark=mark)


def _first_type(scope: Scope, written: nodes.Listed) -> Type | None:
    """The type of the first value that is no bare name: such a name may be that of several."""
    for each in written.values:
        if not isinstance(each, nodes.Name) or each.name in scope.names:
            return fitting.single(scope, scope.value(each), each.mark).type.certain()
    return None


# ---- groups


def _group(scope: Scope, written: nodes.Call | nodes.Name) -> v.Domain | None:
    target = written.target if isinstance(written, nodes.Call) else written
    arguments = written.arguments if isinstance(written, nodes.Call) else ()
    if isinstance(target, nodes.Dot):
        arguments = (target.target, *arguments)
    if not isinstance(target, (nodes.Name, nodes.Dot)):
        return None
    group = scope.ruleset.groups.get(target.name)
    if group is None:
        return None
    if group.name in scope.unfolding:
        help_ = "say where its members come from: players, a board, a place or a range"
        scope.error("RR321", f"`{group.name}` is defined by itself", written.mark, help_)
        return _nowhere(written.mark)
    if len(arguments) != len(group.params):
        wanted = fitting.counted(len(group.params), "value")
        message = f"`{group.name}` takes {wanted}, not {len(arguments)}"
        scope.error("RR311", message, written.mark)
        return _nowhere(written.mark)
    types = [scope.written_type(param.type) for param in group.params]
    given = [
        place_argument(scope, param, param.type, scope.value(argument, type_), group.name)
        if isinstance(param.type, nodes.GivenPlace)
        else fitting.value_as(scope, argument, type_, f"`{param.name}`")
        for param, type_, argument in zip(group.params, types, arguments, strict=True)
    ]
    if takes_place(group.params) and any(isinstance(each, v.Broken) for each in given):
        return _nowhere(written.mark)
    key, places, values = passed(group.name, given)
    inner = type_group(scope, group, places).binder.domain
    return v.InGroup(key, tuple(values), type=inner.type, bound=inner.bound, mark=written.mark)


def type_group(scope: Scope, group: nodes.Group, places: tuple[Place, ...] = ()) -> r.Group:
    """A group is typed when it is first gone through; what it leads back to is told."""
    builder = scope.builder
    name = copy_name(group.name, places)
    if name not in builder.rules.groups:
        builder.begun.add(group.name)
        inner = Scope(builder, unfolding=(*scope.unfolding, group.name))
        params = bind_params(inner, group, places)
        binder = bind(inner, group.binder)[0]
        given = given_places(inner, group.params)
        builder.rules.groups[name] = r.Group(
            name, params, binder, given, mark=group.mark, cites=group.cites
        )
    return builder.rules.groups[name]


# ---- boards


def board_of(scope: Scope, expr: nodes.Expr) -> tuple[BoardInfo, v.Value] | None:
    value = scope.value(expr)
    if value.type.sort != "board":
        if value.type != UNKNOWN:
            message = f"a space of a board is needed here, not {fitting.spoken(value.type)}"
            scope.error("RR302", message, expr.mark)
        return None
    board = scope.ruleset.boards[value.type.name]
    return board, fitting.certain(scope, value, expr.mark)


def _builtin(scope: Scope, name: str, call: nodes.Call) -> v.Domain:
    wanted = builtins.DOMAINS[name]
    if len(call.arguments) != wanted:
        message = f"`{name}` takes {fitting.counted(wanted, 'value')}, not {len(call.arguments)}"
        scope.error("RR311", message, call.mark, builtin_help(name))
        return _nowhere(call.mark)
    if name in ("playersFrom", "playersAfter"):
        start = fitting.player(scope, call.arguments[0])
        bound = scope.ruleset.players - (1 if name == "playersAfter" else 0)
        word = cast(Literal["playersFrom", "playersAfter"], name)
        return v.Seats(word, start, type=PLAYER, bound=bound, mark=call.mark)
    where = board_of(scope, call.arguments[0])
    if where is None:
        return _nowhere(call.mark)
    board, cell = where
    type_ = named("board", board.name)
    if name == "ray":
        way = named("direction", board.name)
        direction = fitting.value_as(scope, call.arguments[1], way, "the direction of a ray")
        longest = board.longest_ray
        return v.Ray(board, cell, direction, type=type_, bound=longest, mark=call.mark)
    around = cast(Literal["neighbours", "adjacent", "diagonals"], name)
    ways = len(directions_around(board, name))
    return v.Around(around, board, cell, type=type_, bound=ways, mark=call.mark)


def _region(scope: Scope, written: nodes.Through) -> v.Domain:
    where = board_of(scope, written.start)
    if where is None:
        return _nowhere(written.mark)
    board, start = where
    type_ = named("board", board.name)
    inner, local, origin = bind_step(scope, written, type_)
    test = fitting.condition(inner, written.where)
    bound = len(board.cells)
    return v.Region(board, start, local, origin, test, type=type_, bound=bound, mark=written.mark)


def _reach(scope: Scope, written: nodes.Reach) -> v.Domain:
    where = board_of(scope, written.start)
    if where is None:
        return _nowhere(written.mark)
    board, start = where
    type_ = named("board", board.name)
    budget = fitting.number(scope, written.within, "the budget")
    inner, local, origin = bind_step(scope, written, type_)
    costs = fitting.value_as(inner, written.costs, INT.or_none(), "a price")
    found = v.Reach(
        board, start, budget, local, origin, costs, type=type_, bound=len(board.cells),
        mark=written.mark,
    )  # fmt: skip
    return found


def bind_step(
    scope: Scope, written: nodes.Through | nodes.Reach | nodes.Way, type_: Type
) -> tuple[Scope, v.Local, v.Local | None]:
    """The names of a step: the cell it leads to, and perhaps the one it comes from."""
    inner = scope.inner()
    local = inner.bind(written.name, type_, "element", written.mark)
    if written.origin is None:
        return inner, local, None
    if written.origin == written.name:
        message = f"`{written.name}` cannot be both ends of a step"
        scope.error("RR203", message, written.mark, "choose another name")
    return inner, local, inner.bind(written.origin, type_, "element", written.mark)


# ---- binders


def bind(scope: Scope, written: nodes.Binder) -> tuple[v.Binder, Scope]:
    """The binder, and the scope in which its names are in force."""
    found = scope.domain(written.domain)
    check_shadow(scope, written)
    return bind_to(scope, written, found)


def bind_to(scope: Scope, written: nodes.Binder, found: v.Domain) -> tuple[v.Binder, Scope]:
    inner = scope.inner()
    element = inner.bind(written.name, found.type, "element", written.mark)
    warn_hiding(scope, element, part(written.mark, 0, len(written.name)))
    position: v.Local | None = None
    if written.position is not None:
        type_ = _position_type(scope, found)
        position = inner.bind(written.position, type_, "position", written.mark)
    stays = fitting.condition(inner, written.stays) if written.stays is not None else None
    ends = fitting.condition(inner, written.ends) if written.ends is not None else None
    where = fitting.condition(inner, written.where) if written.where is not None else None
    return v.Binder(element, position, found, stays, ends, where, written.mark), inner


def _position_type(scope: Scope, found: v.Domain) -> Type:
    match found:
        case v.Reach():
            return whole(0, limits.INT_MAX)
        case v.InGroup():
            return _position_type(scope, scope.builder.rules.groups[found.group].binder.domain)
        case _:
            return _POSITION

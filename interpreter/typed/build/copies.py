"""Functions, groups and procedures that are given places: `function total(h: hand of Card)`.

A place is no value that could be kept, and what may be known of its pieces is declared with it. So
there is a copy of the body for each place that is passed, and inside it the parameter is another
name for that place. What the place is indexed by, such as its owner, is passed as values: in the
copy for `total(p.hand)`, `h` is the hand of a parameter. From here on there are only ordinary
functions with ordinary places.
"""

from __future__ import annotations

from collections.abc import Sequence

from interpreter import limits
from interpreter.model.ruleset import Place
from interpreter.report.problem import Enough, Problem
from interpreter.tree import nodes
from interpreter.tree.marks import declared_mark
from interpreter.tree.phrases import say_type
from interpreter.tree.pieces import flat
from interpreter.tree.walk import walk
from interpreter.typed import values as v
from interpreter.typed.build import fitting
from interpreter.typed.build.scope import Scope, local_value

Declared = nodes.Function | nodes.Quantity | nodes.Group | nodes.Procedure


def takes_place(params: Sequence[nodes.Param]) -> bool:
    return any(isinstance(param.type, nodes.GivenPlace) for param in params)


def fits_place(place: Place, wanted: nodes.GivenPlace) -> bool:
    return place.kind == wanted.kind and wanted.word in ("place", place.word)


def place_argument(
    scope: Scope, param: nodes.Param, wanted: nodes.GivenPlace, value: v.Value, of: str
) -> v.Value:
    """The place that is passed, or what is broken after telling why it cannot be."""
    if isinstance(value, v.PlaceAt) and fits_place(value.place, wanted):
        return value
    if value.type.sort != "unknown":
        found = fitting.spoken(value.type)
        if isinstance(value, v.PlaceAt):
            found = f"the {value.place.word} of {value.place.kind} `{value.place.name}`"
        message = f"`{param.name}` of `{of}` should be a {flat(say_type(wanted))}, not {found}"
        scope.error("RR347", message, value.mark, _help(scope, wanted))
    return scope.broken(value.mark)


def _help(scope: Scope, wanted: nodes.GivenPlace) -> str:
    fit = [f"`{p.name}`" for p in scope.ruleset.places.values() if fits_place(p, wanted)]
    told = f"it can be {' or '.join(fit)}" if fit else "no place of the game is one"
    return (
        told if wanted.word == "place" else f"{told}; to take any, write `place of {wanted.kind}`"
    )


def passed(name: str, arguments: Sequence[v.Value]) -> tuple[str, tuple[Place, ...], list[v.Value]]:
    """What the copy for these arguments is called, its places, and the values it is given."""
    places = tuple(each.place for each in arguments if isinstance(each, v.PlaceAt))
    values: list[v.Value] = []
    for each in arguments:
        values += each.indexes if isinstance(each, v.PlaceAt) else (each,)
    return copy_name(name, places), places, values


def copy_name(name: str, places: Sequence[Place]) -> str:
    return f"{name}({', '.join(place.name for place in places)})" if places else name


def bind_params(
    scope: Scope,
    declared: Declared,
    places: Sequence[Place] = (),
    *,
    settable: bool = False,
) -> tuple[v.Local, ...]:
    """Bind the parameters of a declaration, those that are places to these."""
    if places:
        _count(scope, declared)
    found: list[v.Local] = []
    given = iter(places)
    for param in declared.params:
        type_ = scope.written_type(param.type)
        if not isinstance(param.type, nodes.GivenPlace):
            local = scope.bind(param.name, type_, "parameter", param.mark, settable=settable)
            found.append(local)
            continue
        scope.bind(param.name, type_, "parameter", param.mark)
        place = next(given)
        indexes: list[v.Local] = []
        for number, dimension in enumerate(place.dimensions, 1):
            called = f"{param.name}#{number}"
            indexes.append(v.Local(called, dimension.type.certain(), "parameter", param.mark))
        entry = tuple(local_value(local, param.mark) for local in indexes)
        scope.places[param.name] = fitting.place_at(place, entry, param.mark)
        found += indexes
    return tuple(found)


def _count(scope: Scope, declared: Declared) -> None:
    """Raises Enough when more is written once more than a whole ruleset may have."""
    builder = scope.builder
    builder.copies += sum(1 for _ in walk(declared))
    if builder.copies > limits.COPIES:
        message = f"`{declared.name}` is given so many places that the rules become too long"
        help_ = "there is a copy of it for each place: pass fewer of them, or make it shorter"
        mark = declared_mark(declared)
        raise Enough(Problem("RR349", message, mark, help=help_, limit=True))


def given_places(scope: Scope, params: Sequence[nodes.Param]) -> tuple[v.Local, ...]:
    """The names that stand for places."""
    return tuple(scope.names[param.name] for param in params if param.name in scope.places)


def first_places(scope: Scope, params: Sequence[nodes.Param]) -> tuple[Place, ...] | None:
    """Places that could be passed to what nobody calls: it should be understood even so."""
    found: list[Place] = []
    for param in params:
        if isinstance(param.type, nodes.GivenPlace):
            wanted = param.type
            fit = [p for p in scope.ruleset.places.values() if fits_place(p, wanted)]
            if not fit:
                if scope.written_type(wanted).sort != "unknown":
                    message = f"no place of the game is a {flat(say_type(wanted))}"
                    help_ = f"declare one, or write `place of {wanted.kind}`"
                    scope.error("RR347", message, param.mark, help_)
                return None
            found.append(fit[0])
    return tuple(found)

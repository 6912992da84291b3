"""Functions and quantities that the rules declare: their bodies, and calls of them.

A function is typed when it is first called, because its result may not be declared; what calls
itself must declare it.
"""

from __future__ import annotations

from interpreter.model.ruleset import Place
from interpreter.model.types import INT, UNKNOWN, Type
from interpreter.report.source import Mark
from interpreter.tree import nodes
from interpreter.tree.marks import declared_mark
from interpreter.tree.phrases import say_type
from interpreter.tree.pieces import flat
from interpreter.typed import rules as r
from interpreter.typed import statements as s
from interpreter.typed import values as v
from interpreter.typed.build import fitting, instead
from interpreter.typed.build.copies import (
    bind_params,
    copy_name,
    given_places,
    passed,
    place_argument,
    takes_place,
)
from interpreter.typed.build.lookup import check_new
from interpreter.typed.build.modifiers import modifiers
from interpreter.typed.build.scope import Copied, Scope


def call(
    scope: Scope, name: str, given: list[v.Value], written: list[nodes.Expr], mark: Mark
) -> v.Value:
    builder = scope.builder
    declared = scope.ruleset.functions[name]
    types = [scope.written_type(each.type) for each in declared.params]
    if len(given) != len(types):
        message = f"`{name}` takes {fitting.counted(len(types), 'value')}, not {len(given)}"
        takes = ", ".join(f"{each.name}: {flat(say_type(each.type))}" for each in declared.params)
        scope.error("RR311", message, mark, f"it is declared as `{name}({takes})`")
        return scope.broken(mark)
    if instead.tell_swapped(scope, name, types, given, written):
        return scope.broken(mark)
    arguments = [
        place_argument(scope, param, param.type, value, name)
        if isinstance(param.type, nodes.GivenPlace)
        else fitting.fit(scope, value, type_, part.mark, f"`{param.name}` of `{name}`")
        for value, type_, part, param in zip(given, types, written, declared.params, strict=True)
    ]
    if any(isinstance(each, v.Broken) for each in arguments) and takes_place(declared.params):
        return scope.broken(mark)
    key, places, values = passed(name, arguments)
    if isinstance(declared, nodes.Function) and declared.result is not None:
        result: Type | None = scope.written_type(declared.result)
        if places:
            builder.copied[key] = Copied(declared, places)
    else:
        type_function(scope, name, places)
        result = builder.results.get(key)
    if result is None:
        message = f"`{name}` calls itself, so its result must be declared"
        help_ = f"write `function {name}(...): int = ...`"
        scope.error("RR324", message, declared_mark(declared), help_)
        builder.results[key] = UNKNOWN
        return scope.broken(mark)
    return v.Call(key, tuple(values), type=result, mark=mark)


def type_function(scope: Scope, called: str, places: tuple[Place, ...] = ()) -> None:
    """Type a function, or the copy of it for these places."""
    builder = scope.builder
    name = copy_name(called, places)
    if name in builder.begun:
        return
    builder.begun |= {name, called}
    declared = scope.ruleset.functions[called]
    inner = Scope(builder, procedure=called)
    params = bind_params(inner, declared, places)
    if isinstance(declared, nodes.Quantity):
        builder.results[name] = INT
        value = fitting.number(inner, declared.value, "a quantity")
        changes = modifiers(inner, declared)
        builder.rules.functions[name] = r.Quantity(
            name, params, value, changes, mark=declared.mark, cites=declared.cites
        )
        return
    wanted: Type | None = None
    if declared.result is not None:
        wanted = inner.written_type(declared.result)
        builder.results[name] = wanted
    short: v.Value | None = None
    lets: tuple[s.Let, ...] = ()
    cases: tuple[r.Case, ...] = ()
    if declared.value is not None:
        short = _short(inner, name, declared.value, wanted)
    else:
        lets, cases = _cases(inner, declared, wanted or UNKNOWN)
    builder.rules.functions[name] = r.Function(
        name, params, builder.results.get(name, UNKNOWN), short, lets, cases,
        given_places(inner, declared.params), mark=declared.mark, cites=declared.cites,
    )  # fmt: skip


def _short(scope: Scope, name: str, written: nodes.Expr, wanted: Type | None) -> v.Value:
    value = scope.value(written, wanted)
    if isinstance(value, v.ListOf):
        scope.error("RR212", "a list cannot be passed on", written.mark)
        value = scope.broken(written.mark)
    if wanted is not None:
        return fitting.fit(scope, value, wanted, written.mark, "the result")
    value = fitting.single(scope, value, written.mark)
    type_ = value.type
    is_number = type_.sort == "int" and not type_.optional
    scope.builder.results.setdefault(name, INT if is_number else type_)
    return value


def _cases(
    scope: Scope, declared: nodes.Function, wanted: Type
) -> tuple[tuple[s.Let, ...], tuple[r.Case, ...]]:
    lets: list[s.Let] = []
    for let in declared.lets:
        value = fitting.single(scope, scope.value(let.value), let.value.mark)
        check_new(scope, let.name, declared_mark(let))
        local = scope.bind(let.name, value.type, "let", declared_mark(let))
        lets.append(s.Let(local, value, mark=let.mark, cites=let.cites))
    cases: list[r.Case] = []
    for position, case in enumerate(declared.cases):
        result = fitting.value_as(scope, case.value, wanted, "the result")
        last = position == len(declared.cases) - 1
        test: v.Value | None = None
        if case.condition is not None:
            test = fitting.condition(scope, case.condition)
        cases.append(r.Case(result, test, mark=case.mark, cites=case.cites))
        if case.condition is None and not last:
            help_ = "`otherwise` takes everything that is left, so put it last"
            mark = declared.cases[position + 1].mark
            scope.error("RR325", "this case is never looked at", mark, help_)
            break
        if case.condition is not None and last:
            help_ = "end the cases with a line `... otherwise`"
            message = f"`{declared.name}` has no value when no case fits"
            scope.error("RR326", message, case.mark, help_)
    return tuple(lets), tuple(cases)

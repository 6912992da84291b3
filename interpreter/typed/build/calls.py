"""Calls of procedures, on a line of their own or inside `can`."""

from __future__ import annotations

from interpreter.model.types import BOOL, Type
from interpreter.report.source import Mark
from interpreter.report.suggest import did_you_mean
from interpreter.tree import nodes
from interpreter.tree.foreign import DONE_TO_PLACES, NAMES, OF_NUMBERS
from interpreter.tree.phrases import say_type, say_value
from interpreter.tree.pieces import flat
from interpreter.typed import values as v
from interpreter.typed.build import builtins, fitting, instead
from interpreter.typed.build.copies import passed, place_argument, takes_place
from interpreter.typed.build.scope import Copied, Scope


def called_name(call: nodes.Expr) -> str | None:
    match call:
        case nodes.Name(name=name):
            return name
        case nodes.Call(target=nodes.Name(name=name)) | nodes.Dot(name=name):
            return name
        case nodes.Call(target=nodes.Dot(name=name)):
            return name
        case _:
            return None


def _written(call: nodes.Expr) -> list[nodes.Expr]:
    match call:
        case nodes.Call(target=nodes.Dot() as dot):
            return [dot.target, *call.arguments]
        case nodes.Call():
            return list(call.arguments)
        case nodes.Dot():
            return [call.target]
        case _:
            return []


def procedure_call(
    scope: Scope, call: nodes.Expr, mark: Mark
) -> tuple[str, tuple[v.Value, ...]] | None:
    """The procedure that is called, and what it is given."""
    name = called_name(call)
    ruleset = scope.ruleset
    procedure = ruleset.procedures.get(name or "")
    if procedure is None or name is None:
        if not _is_method(scope, call):
            _no_procedure(scope, name, mark, _as_given(call))
        return None
    written = _written(call)
    params = procedure.params if isinstance(procedure, nodes.Procedure) else ()
    if len(written) != len(params):
        message = f"`{name}` takes {fitting.counted(len(params), 'value')}, not {len(written)}"
        takes = ", ".join(f"{param.name}: {flat(say_type(param.type))}" for param in params)
        help_ = f"it is declared as `{name}({takes})`" if params else f"write `{name}()`"
        if not isinstance(procedure, nodes.Procedure):
            help_ = f"a phase is given nothing: write `{name}`"
        scope.error("RR311", message, call.mark, help_)
        return None
    types = [scope.written_type(param.type) for param in params]
    given = [scope.value(part, type_) for part, type_ in zip(written, types, strict=True)]
    if instead.tell_swapped(scope, name, types, given, written):
        return None
    arguments = [
        place_argument(scope, param, param.type, value, name)
        if isinstance(param.type, nodes.GivenPlace)
        else fitting.fit(scope, value, type_, part.mark, f"`{param.name}` of `{name}`")
        for value, part, type_, param in zip(given, written, types, params, strict=True)
    ]
    if takes_place(params) and any(isinstance(each, v.Broken) for each in arguments):
        return None
    key, places, values = passed(name, arguments)
    if places and isinstance(procedure, nodes.Procedure):
        scope.builder.copied[key] = Copied(procedure, places)
    return key, tuple(values)


def _is_method(scope: Scope, call: nodes.Expr) -> bool:
    """Whether this is `stones.add(1)` or `deck.shuffle()`, as elsewhere; then it is told."""
    match call:
        case nodes.Call(target=nodes.Dot(name=name) as dot, arguments=given):
            pass
        case nodes.Dot(name=name) as dot:
            given = ()
        case _:
            return False
    if name not in OF_NUMBERS and name not in DONE_TO_PLACES:
        return False
    value = scope.value(dot.target)
    table = DONE_TO_PLACES if isinstance(value, v.PlaceAt) else OF_NUMBERS
    if name not in table or value.type.sort not in ("place", "int"):
        return False
    x = flat(say_value(dot.target))
    y = flat(say_value(given[0])) if given else ("1" if table is OF_NUMBERS else "card")
    help_ = f"write {table[name].format(x=x, y=y)}"
    scope.error("RR317", f"`{name}` is not a procedure or a phase", call.mark, help_)
    return True


def _as_given(call: nodes.Expr) -> str:
    """`p.bid(n)`, if `p.bid := n` is meant."""
    match call:
        case nodes.Call(arguments=(value,)):
            return f"{flat(say_value(call.target))} := {flat(say_value(value))}"
        case _:
            return ""


def _no_procedure(scope: Scope, name: str | None, mark: Mark, given: str = "") -> None:
    """`given`: how a variable that is called with a value is given it."""
    ruleset = scope.ruleset
    message = f"`{name}` is not a procedure or a phase"
    help_ = NAMES.get(name or "") or did_you_mean(name or "", list(ruleset.procedures))
    if name in ruleset.actions:
        near = f"{help_} Otherwise let" if help_ else "let"
        who = next(iter(instead.players_here(scope)), "me")
        asked = "choose" if who == "me" else f"{who} chooses"
        message, help_ = f"`{name}` is an action", f"{near} somebody choose it: `{asked} {name}`"
    elif name in ruleset.functions or name in builtins.FUNCTIONS:
        message = f"`{name}` gives a value, and nothing is done with it"
        help_ = f"keep it or ask it: `let x = {name}(...)`, `if {name}(...) > 0`"
    elif name is None:
        message = "this does nothing"
        help_ = "a step gives a value with `:=`, or calls a procedure: `name(...)`"
    elif help_ is None and (name in ruleset.variables or name in scope.names):
        help_ = f"to give it a value, write `{given or f'{name} := ...'}`"
    elif help_ is None:
        help_ = f"declare it, `phase {name}` or `procedure {name}()`, with its steps indented"
    scope.error("RR317", message, mark, help_)


def can(scope: Scope, expr: nodes.Can) -> v.Value:
    """`can (a(...) then b(...))`: whether the steps can be carried out."""
    steps = _steps(scope, expr.steps)
    if steps is None:
        return v.Broken(type=BOOL, mark=expr.mark)
    return v.Can(steps, type=BOOL, mark=expr.mark)


def what_if(scope: Scope, expr: nodes.WhatIf, wanted: Type | None) -> v.Value:
    """`(value after a(...) then b(...))`: what it would be if the steps were carried out."""
    value = fitting.comparable(scope, scope.value(expr.value, wanted), expr.value.mark)
    steps = _steps(scope, expr.steps)
    if steps is None:
        return scope.broken(expr.mark)
    return v.WhatIf(value, steps, type=value.type, mark=expr.mark)


def _steps(scope: Scope, written: tuple[nodes.Expr, ...]) -> tuple[v.Step, ...] | None:
    steps: list[v.Step] = []
    for step in written:
        found = procedure_call(scope, step, step.mark)
        if found is None:
            return None
        steps.append(v.Step(found[0], found[1], step.mark))
    return tuple(steps)

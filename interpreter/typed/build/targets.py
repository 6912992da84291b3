"""What a statement gives a value to."""

from __future__ import annotations

from interpreter.model.ruleset import Variable
from interpreter.model.types import UNKNOWN
from interpreter.report.suggest import did_you_mean
from interpreter.tree import nodes
from interpreter.tree.foreign import NAMES
from interpreter.tree.marks import name_mark
from interpreter.tree.phrases import say_value
from interpreter.tree.pieces import flat
from interpreter.typed import values as v
from interpreter.typed.build import fitting, histories
from interpreter.typed.build.lookup import find_name
from interpreter.typed.build.names import indexes
from interpreter.typed.build.scope import Scope


def entry(
    scope: Scope, target: nodes.Expr, value: nodes.Expr | None = None
) -> tuple[Variable, tuple[v.Value, ...]] | None:
    """The variable a statement changes, and which entry of it."""
    name: str | None = None
    written: list[nodes.Expr] = []
    match target:
        case nodes.Name():
            name = target.name
        case nodes.Dot():
            name, written = target.name, [target.target]
        case nodes.Index(target=nodes.Name(name=inner)):
            name, written = inner, list(target.arguments)
        case nodes.Index(target=nodes.Dot() as dot):
            name, written = dot.name, [dot.target, *target.arguments]
        case _:
            pass
    ruleset = scope.ruleset
    if name is None and _is_called(scope, target):
        return None
    if name in ruleset.histories:
        histories.no_value(scope, name, target.mark)
        return None
    variable = ruleset.variables.get(name or "")
    if variable is None:
        if name in ruleset.broken:
            return None
        if name in ruleset.places:
            help_ = f"pieces are moved: `{_moved(scope, value)} to {flat(say_value(target))}`"
            scope.error("RR316", f"`{name}` is a place, not a value", target.mark, help_)
        elif isinstance(target, nodes.Dot) and (
            near := did_you_mean(name or "", ruleset.variables)
        ):
            scope.error("RR300", f"nothing here is called `{name}`", name_mark(target), near)
        elif name is not None and find_name(scope, name) is not None:
            help_ = "values are given to what is declared with `has`, and to names made by `let`"
            scope.error("RR316", f"`{name}` cannot be given a value", target.mark, help_)
        else:
            near = NAMES.get(name or "") or did_you_mean(
                name or "", [*ruleset.variables, *scope.names]
            )
            if near is None and isinstance(target, nodes.Name) and value is not None:
                near = f"to give a value a name, write `let {name} = {flat(say_value(value))}`;\n"
                near += "what lasts is declared under `the game has` or `each ... has`"
            near = near or "declare it under `the game has` or `each ... has`, or use `let`"
            scope.error("RR300", f"nothing here is called `{name}`", name_mark(target), near)
            if isinstance(target, nodes.Name):  # what is asked of it below is no second mistake
                scope.bind(target.name, UNKNOWN, "let", target.mark, settable=True)
        return None
    given = [
        scope.value(part, dimension.type)
        for part, dimension in zip(written, variable.dimensions, strict=False)
    ]
    given += [scope.value(part) for part in written[len(given) :]]
    if given and isinstance(given[0], v.PlaceAt):
        given[0] = fitting.content(scope, given[0], written[0].mark)
    found = indexes(scope, variable.dimensions, given, written, variable.name, target)
    return None if found is None else (variable, found)


def _is_called(scope: Scope, target: nodes.Expr) -> bool:
    """Whether this is `dice(n)`, which elsewhere is an entry of a list; then it is told."""
    match target:
        case nodes.Call(target=nodes.Name(name=name)) | nodes.Call(target=nodes.Dot(name=name)):
            pass
        case _:
            return False
    shown = flat(say_value(target.target))
    message, help_ = f"`{shown}(...)` is no variable", "only variables are given values"
    if name in scope.ruleset.variables:
        message = "an index comes in square brackets"
        index = ", ".join(flat(say_value(each)) for each in target.arguments)
        help_ = f"write `{shown}[{index}]`" if index else f"write `{shown}`"
    scope.error("RR316", message, target.mark, help_)
    return True


def _moved(scope: Scope, value: nodes.Expr | None) -> str:
    """How what was to be given to a place gets there, as far as `to`."""
    match value:
        case None:
            return "move ..."
        case nodes.Number(value=number):
            return f"draw {number} from ..."
        case nodes.Call(target=nodes.Name(name="draw" | "deal"), arguments=given):
            many = flat(say_value(given[0])) if given else "1"
            stacks = (each.name for each in scope.ruleset.places.values() if each.word == "stack")
            return f"draw {many} from {next(stacks, 'deck')}"
        case nodes.Name(name=name) | nodes.Dot(name=name) if name in scope.ruleset.places:
            return f"move all from {flat(say_value(value))}"
        case _:
            return f"move {flat(say_value(value))}"

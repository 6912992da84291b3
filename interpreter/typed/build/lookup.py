"""What a bare name means before members of enums are considered, and names that are new."""

from __future__ import annotations

from interpreter.model.types import Type
from interpreter.report.source import Mark
from interpreter.tree import nodes
from interpreter.tree.marks import part
from interpreter.tree.reserved import RESERVED, reserved_problem
from interpreter.typed import values as v
from interpreter.typed.build import builtins
from interpreter.typed.build.scope import Scope


def find_name(scope: Scope, name: str) -> object | None:
    ruleset = scope.ruleset
    if name in scope.names:
        return scope.names[name]
    for table in (
        ruleset.variables, ruleset.places, ruleset.constants, ruleset.options,
        ruleset.functions, ruleset.groups, ruleset.procedures,
    ):  # fmt: skip
        if name in table:
            return table[name]
    if name in builtins.YIELDING:
        return None
    if name in builtins.FUNCTIONS or name in ("playerCount", "box"):
        return name
    return None


def check_new(scope: Scope, name: str, mark: Mark, value: str | None = None) -> None:
    """A name that a statement makes must not mean anything yet. `value`: what a `let` gives it."""
    if name in RESERVED:
        scope.builder.problems.add(reserved_problem(name, mark))
    elif find_name(scope, name) is not None:
        help_ = "choose another name"
        variable = scope.ruleset.variables.get(name)
        if name in scope.names and scope.names[name].settable:
            help_ = f"to give it a new value write `{name} := {value or '...'}`"
        elif variable is not None and value is not None:
            target = f"p.{name}" if variable.dimensions else name
            help_ = (
                f"to give `{name}` a new value, write `{target} := {value}` without `let`;\n"
                "for something else, choose another name"
            )
        scope.error("RR203", f"`{name}` is already the name of something else", mark, help_)


def hidden_by(scope: Scope, local: v.Local, wanted: Type) -> str | None:
    """The row, member or space that a name of one's own hides, if it is one of this type."""
    for each in scope.builder.members.called(local.name):
        if each.type.name == wanted.name and each.type.name:
            return f"{_SPOKEN.get(each.named.word, 'a name')} of {each.type.name}"
    return None


def warn_hiding(scope: Scope, local: v.Local, mark: Mark) -> None:
    """Nobody notices if both are of one type; otherwise using one for the other is an error."""
    hidden = hidden_by(scope, local, local.type)
    if hidden is not None:
        message = f"`{local.name}` is also {hidden}, which cannot be named here any more"
        help_ = "choose another name"
        scope.builder.problems.warning("RR338", message, mark, help=help_)


_SPOKEN = {"member": "a member", "row": "a row", "direction": "a direction", "cell": "a space"}


def check_shadow(scope: Scope, binder: nodes.Binder) -> None:
    """The same for the names of a binder."""
    for name, offset in ((binder.name, 0), (binder.position, len(f"{binder.name} at "))):
        if name is None:
            continue
        mark = part(binder.mark, offset, len(name))
        if name in RESERVED:
            scope.builder.problems.add(reserved_problem(name, mark))
        elif name in scope.names:
            scope.error("RR203", f"`{name}` is already in use here", mark, "choose another name")
        elif find_name(scope, name) is not None:
            message = f"`{name}` is already the name of something else"
            scope.error("RR203", message, mark, "choose another name")

"""What a bare name means before members of enums are considered, and names that are new."""

from __future__ import annotations

from interpreter.report.source import Mark
from interpreter.tree import nodes
from interpreter.tree.marks import part
from interpreter.tree.reserved import RESERVED, reserved_help
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
    if name in builtins.FUNCTIONS or name in ("playerCount", "box"):
        return name
    return None


def check_new(scope: Scope, name: str, mark: Mark) -> None:
    """A name that a statement makes must not mean anything yet."""
    if name in RESERVED:
        scope.error("RR201", f"`{name}` is a word of the language", mark, reserved_help(name))
    elif find_name(scope, name) is not None:
        help_ = "choose another name"
        if name in scope.names and scope.names[name].settable:
            help_ = f"to give it a new value write `{name} := ...`"
        scope.error("RR203", f"`{name}` is already the name of something else", mark, help_)


def check_shadow(scope: Scope, binder: nodes.Binder) -> None:
    """The same for the names of a binder."""
    for name, offset in ((binder.name, 0), (binder.position, len(f"{binder.name} at "))):
        if name is None:
            continue
        mark = part(binder.mark, offset, len(name))
        if name in RESERVED:
            message = f"`{name}` is a word of the language"
            scope.error("RR201", message, mark, reserved_help(name))
        elif name in scope.names:
            scope.error("RR203", f"`{name}` is already in use here", mark, "choose another name")
        elif find_name(scope, name) is not None:
            message = f"`{name}` is already the name of something else"
            scope.error("RR203", message, mark, "choose another name")

"""Names that nothing has, or that what stands before the dot does not have: what was meant."""

from __future__ import annotations

import re

from interpreter.model.ruleset import Place, Variable
from interpreter.model.types import BOOL, PLAYER, Type, fits
from interpreter.report.source import Mark
from interpreter.report.suggest import did_you_mean
from interpreter.tree import nodes
from interpreter.tree.foreign import NAMES, PLAYERS
from interpreter.tree.marks import name_mark
from interpreter.tree.phrases import say_value
from interpreter.tree.pieces import flat
from interpreter.typed import values as v
from interpreter.typed.build import builtins, instead
from interpreter.typed.build.fitting import spoken
from interpreter.typed.build.lookup import find_name
from interpreter.typed.build.scope import Scope

_SPACE = re.compile(r"[a-z]{1,2}[0-9]+")  # what spaces of a square or hex board are called
SEAT = re.compile(r"P[1-9][0-9]?")


def is_type(scope: Scope, name: str) -> bool:
    """Whether this is a type, and nothing else of this name can be meant."""
    ruleset = scope.ruleset
    types = name == "Player" or name in ruleset.enums or name in ruleset.boards
    types = types or name in ruleset.kinds
    return types and find_name(scope, name) is None


def type_for_value(scope: Scope, name: str, mark: Mark) -> v.Value:
    help_ = instead.type_help(scope, name)
    scope.error("RR301", f"`{name}` is a type and not a single value", mark, help_)
    return scope.broken(mark)


def unknown_name(scope: Scope, expr: nodes.Name, wanted: Type | None) -> None:
    ruleset = scope.ruleset
    if expr.name in ruleset.broken:
        return
    if _SPACE.fullmatch(expr.name) and any(not board.cells for board in ruleset.boards.values()):
        return  # a space of a board that has none because of a mistake already told
    if wanted is not None and wanted.sort == "place" and expr.name in ruleset.kinds:
        places = [each.name for each in ruleset.places.values() if each.kind == expr.name]
        help_ = f"name a place of {expr.name}: {', '.join(f'`{each}`' for each in places[:4])}"
        message = f"`{expr.name}` is a kind, and no place"
        scope.error("RR301", message, expr.mark, help_)
        return
    if is_type(scope, expr.name):
        type_for_value(scope, expr.name, expr.mark)
        return
    empty = next((kind.name for kind in ruleset.kinds.values() if not kind.rows), None)
    if empty is not None and scope.builder.problems.has_errors:
        return  # perhaps one of its rows, which could not be read
    found = scope.builder.members.called(expr.name)
    if found:
        families = sorted({str(each.type) for each in found})
        message = f"`{expr.name}` could be a member of several: {', '.join(families)}"
        help_ = f"say which one is meant, `{families[0]}.{expr.name}`, or rename one of them"
        scope.error("RR307", message, expr.mark, help_)
        return
    if SEAT.fullmatch(expr.name):
        message = f"there is no seat `{expr.name}`: {ruleset.players} play here"
        help_ = "a rule must hold for every number of players; a scenario says `players 4`"
        scope.error("RR300", message, expr.mark, help_)
        return
    known = [
        *scope.names, *ruleset.variables, *ruleset.places, *ruleset.constants,
        *ruleset.functions, *ruleset.options, "playerCount",
    ]  # fmt: skip
    for members in ruleset.enums.values():
        known.extend(members)
    for kind in ruleset.kinds.values():
        known.extend(row.name for row in kind.rows)
    for board in ruleset.boards.values():
        known.extend(board.cells)
    near = NAMES.get(expr.name) or instead.role_help(scope, expr.name)
    if expr.name in PLAYERS and "me" not in scope.names:
        near = instead.local_help(scope, expr.name, PLAYER)
    near = near or instead.seat_help(expr.name) or instead.board_help(scope, expr.name)
    near = near or instead.piece_help(scope, expr.name)
    if near is None and wanted is not None and wanted.sort == "place":
        known = [*scope.places, *ruleset.places]
        near = did_you_mean(expr.name, known) or instead.place_help(scope, expr.name, wanted)
    if near is None and wanted is not None:
        near = did_you_mean(expr.name, list(scope.names))
        near = near or instead.local_help(scope, expr.name, wanted)
    near = near or did_you_mean(expr.name, known)
    if near is None and empty is not None:
        near = instead.empty_help(empty)
    if near is None and len(expr.name) <= 2 and scope.names:
        near = "names here: " + ", ".join(f"`{name}`" for name in scope.names)
    type_ = "bool" if wanted == BOOL else "int"
    near = near or (
        f"declare it: `{expr.name}: {type_}` under `the game has`, or `let {expr.name} = ...` above"
    )
    if expr.name == "winner" and scope.builder.testing:
        near = "who has won is expected with `then P1 wins`"
    if expr.name == "me":
        near = "`me` is the player whose turn or choice it is; here nobody is. "
        near += instead.others_help(scope, expr.mark)
    scope.error("RR300", f"nothing here is called `{expr.name}`", expr.mark, near)


def no_such(scope: Scope, name: str, first: v.Value | None, expr: nodes.Expr) -> None:
    ruleset = scope.ruleset
    if name in ruleset.broken:
        return
    alone = isinstance(expr, (nodes.Call, nodes.Index)) and isinstance(expr.target, nodes.Name)
    if first is None or alone:
        known = [*ruleset.variables, *ruleset.places, *ruleset.constants, *ruleset.functions]
        known += builtins.FUNCTIONS
        help_ = instead.range_help(name, expr) or NAMES.get(name) or did_you_mean(name, known)
        if help_ is None and isinstance(expr, nodes.Call):
            help_ = f"declare it: `function {name}(...) = ...`"
        scope.error("RR300", f"nothing here is called `{name}`", name_mark(expr), help_)
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
    written = flat(say_value(expr.target)) if isinstance(expr, nodes.Dot) else ""
    help_ = instead.asked_of(first.type, name, written) if written else None
    help_ = help_ or instead.owner_help(scope, name, first.type) or did_you_mean(name, known)
    if name in builtins.DOMAINS and isinstance(expr, nodes.Dot):
        help_ = f"write `{name}({written})`, after `in`"
    if help_ is None and known:
        help_ = "it has " + ", ".join(sorted(known)[:12])
    if help_ is None:
        owner = "player" if first.type.sort == "player" else first.type.name
        help_ = f"declare it: `each {owner} has`" if owner else None
    scope.error("RR308", f"{spoken(first.type)} has no `{name}`", name_mark(expr), help_)

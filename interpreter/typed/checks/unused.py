"""Is what is declared ever used? If not, usually a name was meant elsewhere.

Names that nothing mentions at all, such as those of constants and functions, are told from the tree
(model/check.py), because they may also be mentioned in declarations.
"""

from __future__ import annotations

from collections.abc import Collection

from interpreter.model.ruleset import FieldInfo, KindInfo
from interpreter.model.types import Type
from interpreter.model.worked_out import mentions
from interpreter.report.problem import Problems
from interpreter.report.source import Mark
from interpreter.tree import nodes
from interpreter.tree.marks import first_words
from interpreter.tree.walk import walk
from interpreter.typed import statements as s
from interpreter.typed import values as v
from interpreter.typed.build.builtins import PROPERTIES
from interpreter.typed.effects import Summaries
from interpreter.typed.rules import Function, Rules, declared_name
from interpreter.typed.walk import Parts, roots


def check_unused(rules: Rules, parts: Parts, summaries: Summaries, problems: Problems) -> None:
    _check_led_to(rules, summaries, problems)
    _check_fields(rules, parts, problems)
    _check_variables(rules, parts, problems)
    _check_functions(rules, problems)


def _check_led_to(rules: Rules, summaries: Summaries, problems: Problems) -> None:
    used = summaries.reachable(roots(rules))
    for copy, procedure in rules.procedures.items():
        name = declared_name(copy)
        is_ours = procedure.word == "phase" or _is_ours(rules, procedure.mark)
        if ("procedure", copy) not in used and is_ours and name not in rules.ruleset.in_scenarios:
            message = f"nothing ever leads to the {procedure.word} `{name}`"
            help_ = f"write `{name}` where it belongs in `play`, or take it away"
            if procedure.word != "phase":
                help_ = f"write `{name}(...)` where it belongs, or take it away"
            mark = first_words(procedure.mark, f"{procedure.word} {name}")
            problems.warning("RR416", message, mark, help=help_)
    for name, action in rules.actions.items():
        if ("action", name) not in used and _is_ours(rules, action.mark):
            message = f"nobody can ever choose the action `{name}`"
            help_ = f"offer it: `choose {name}`"
            mark = first_words(action.mark, f"action {name}")
            problems.warning("RR417", message, mark, help=help_)


def _is_ours(rules: Rules, mark: Mark) -> bool:
    """Procedures and actions of an included file are a library: nobody need use all of it."""
    return rules.play is None or mark.file == rules.play.mark.file


# ---- fields


def _check_fields(rules: Rules, parts: Parts, problems: Problems) -> None:
    read = {id(each.info) for each in parts.of(v.FieldOf)}
    read |= {id(each.info) for each in parts.of(v.ListOf)}
    starts = _names_in_starts(rules)
    for kind in rules.ruleset.kinds.values():
        worked = [info.worked for info in kind.fields.values() if info.worked is not None]
        for info in kind.fields.values():
            is_read = id(info) in read or info.name in starts
            is_read |= any(mentions(expr, [info.name]) for expr in worked)
            _check_field(kind, info, is_read, problems)


def _names_in_starts(rules: Rules) -> set[str]:
    """Starting values are worked out before there is a typed tree."""
    starts = [variable.start for variable in rules.ruleset.variables.values()]
    every = (part for start in starts if start is not None for part in walk(start))
    return {part.name for part in every if isinstance(part, nodes.Dot)}


def _check_field(kind: KindInfo, info: FieldInfo, is_read: bool, problems: Problems) -> None:
    if not is_read and info.name not in (kind.ability_field, *kind.factors):
        message = f"no rule reads the field `{info.name}` of {kind.name}"
        help_ = "read it in a rule, or take it away here and in the data"
        problems.warning("RR418", message, info.mark, help=help_)
    if is_read and _is_empty(info):
        message = f"rules read the field `{info.name}`, but no row of {kind.name} has one"
        help_ = "write it in the data, at least in one row"
        problems.warning("RR440", message, info.mark, help=help_)


def _is_empty(info: FieldInfo) -> bool:
    if info.type.sort == "list":
        return bool(info.lengths) and not any(info.lengths)
    if not info.type.optional or info.has_default:
        return False
    return bool(info.values) and all(value == info.type.none for value in info.values)


# ---- variables


def _check_variables(rules: Rules, parts: Parts, problems: Problems) -> None:
    read = {each.variable.name for each in parts.of(v.Read)}
    changed = {each.variable.name for each in parts.of(s.Entry)}
    for name, variable in rules.ruleset.variables.items():
        if name.startswith("used_"):
            continue  # the language's own, for `once per`
        if name not in read and name not in changed:
            message = f"`{name}` is never used"
            help_ = "use it in a rule, or take it away"
            problems.warning("RR419", message, variable.mark, help=help_)
        elif name not in changed:  # the other way round it may be there for people to see
            message = f"`{name}` never changes: no rule gives it a value"
            help_ = f"give it one with `{name} := ...`, or make it a `constant`"
            if variable.remembers:
                message = f"nothing is ever put into the history `{name}`"
                help_ = f"write `remember {name}` where a position counts as seen"
            problems.warning("RR443", message, variable.mark, help=help_)


# ---- functions


def _check_functions(rules: Rules, problems: Problems) -> None:
    """`suit(card)` and `card.suit` are the same, and a field comes before a function."""
    for name, function in rules.functions.items():
        of = function.params[0].type if function.params else None
        if of is not None and name in _fields_of(rules, of):
            word = "function" if isinstance(function, Function) else "quantity"
            message = f"`{name}` is a field of {of.name} already, so this {word} is never used"
            help_ = f"`{name}(x)` is the same as `x.{name}`: give the {word} another name"
            mark = first_words(function.mark, f"{word} {name}")
            problems.warning("RR360", message, mark, help=help_)


def _fields_of(rules: Rules, of: Type) -> Collection[str]:
    match of.sort:
        case "kind":
            return rules.ruleset.kinds[of.name].fields
        case "board":
            return (*rules.ruleset.boards[of.name].fields, *PROPERTIES)
        case _:
            return ()

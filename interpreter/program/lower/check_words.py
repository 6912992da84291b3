"""Words that lead nowhere: unused names, options offered twice, conditions without a doubt."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from interpreter.model.ruleset import Ruleset
from interpreter.model.types import Type
from interpreter.program.lower import analysis
from interpreter.program.lower.effects import all_bodies, loop_name, name_of, wholes
from interpreter.report.problem import Problems
from interpreter.report.suggest import did_you_mean
from interpreter.tree import nodes
from interpreter.tree.marks import action_mark, declared_mark, last_word
from interpreter.tree.walk import walk


def check_words(ruleset: Ruleset, problems: Problems) -> None:
    _check_scopes(ruleset, problems)
    for body in all_bodies(ruleset):
        for statement in analysis.statements_in(body):
            if isinstance(statement, (nodes.ChooseActions, nodes.ChooseBlock)):
                _check_menu(statement, ruleset, problems)
    for whole in wholes(ruleset):
        parts = list(walk(whole))
        _check_lets(parts, problems)
        for condition in _conditions(parts):
            _check_condition(condition, ruleset, problems)
        _check_divisions(parts, problems)


# ---- `per round`, `as round`


def _check_scopes(ruleset: Ruleset, problems: Problems) -> None:
    loops = {
        name
        for body in all_bodies(ruleset)
        for each in analysis.statements_in(body)
        if (name := loop_name(each))
    }
    known = loops | set(ruleset.procedures) | {"game"}
    for variable in ruleset.variables.values():
        if variable.scope is not None and variable.scope not in known:
            message = (
                f"`{variable.name}` starts again per `{variable.scope}`, but nothing is called so"
            )
            help_ = _scope_help(variable.scope, known)
            problems.error("RR435", message, variable.mark, help=help_)
    for ability in ruleset.abilities.values():
        if ability.once_per is not None and ability.once_per not in known:
            message = f"this works once per `{ability.once_per}`, but nothing is called so"
            problems.error(
                "RR435", message, ability.mark, help=_scope_help(ability.once_per, known)
            )


def _scope_help(scope: str, known: set[str]) -> str:
    if scope == "turn":
        return "turns that were given a name of their own are called by that name"
    return did_you_mean(scope, known) or (
        f"name the loop: `repeat ... as {scope}`, `turns as {scope}`, or `phase {scope}`"
    )


def check_labels(ruleset: Ruleset, problems: Problems) -> None:
    used = {variable.scope for variable in ruleset.variables.values()}
    used |= {ability.once_per for ability in ruleset.abilities.values()}
    loops: list[nodes.ForEach | nodes.Repeat | nodes.Turns] = []
    for body in all_bodies(ruleset):
        for each in analysis.statements_in(body):
            if isinstance(each, nodes.Leave):
                used.add(each.name)
            elif isinstance(each, (nodes.ForEach, nodes.Repeat, nodes.Turns)):
                loops.append(each)
    for loop in loops:
        if loop.label is not None and loop.label not in used:
            message = f"no rule speaks of `{loop.label}`"
            help_ = f"a name is needed for `leave {loop.label}` and `per {loop.label}` only"
            mark = last_word(loop.mark, f"as {loop.label}")
            problems.warning("RR436", message, mark, help=help_)


# ---- menus


def _check_menu(
    menu: nodes.ChooseActions | nodes.ChooseBlock, ruleset: Ruleset, problems: Problems
) -> None:
    if isinstance(menu, nodes.ChooseActions):
        for number, name in enumerate(menu.actions):
            if name in menu.actions[:number]:
                message = f"`{name}` is offered twice"
                problems.error("RR437", message, action_mark(menu, number), help="name it once")
        return
    seen: dict[tuple[str, tuple[str, ...]], nodes.Option] = {}
    for option in menu.options:
        binders = option.binders
        if option.name in ruleset.actions and not binders:
            binders = ruleset.actions[option.name].binders
        key = (option.name, tuple(binder.name for binder in binders))
        first = seen.get(key)
        if first is not None and not _told_apart(first, option):
            message = f"`{option.name}` is offered twice, and nobody could tell which is meant"
            notes = ((first.mark, "the first is here"),)
            help_ = "rename one of them, or give them conditions that exclude each other"
            problems.error("RR437", message, option.mark, help=help_, notes=notes)
        seen.setdefault(key, option)
    passing = seen.get(("pass", ()))
    if menu.chooser.may and passing is not None:
        message = "`may choose` already offers to pass"
        help_ = "write `chooses` instead of `may choose`, or take this option away"
        problems.error("RR437", message, passing.mark, help=help_)


def _told_apart(one: nodes.Option, other: nodes.Option) -> bool:
    """Conditions may see to it that only one of them is offered, or their domains differ."""
    return bool(one.whens and other.whens) or one.binders != other.binders


# ---- local names


def _check_lets(parts: list[nodes.Node], problems: Problems) -> None:
    lets: list[nodes.Let] = []
    mentioned: Counter[str] = Counter()
    for node in parts:
        match node:
            case nodes.Let():
                lets.append(node)
            case nodes.Name():
                mentioned[node.name] += 1
            case nodes.Assign(target=nodes.Name(name=name)):
                mentioned[name] -= 1  # to change it is not to look at it
            case _:
                pass
    for let in lets:
        if mentioned[let.name] <= 0:
            message = f"`{let.name}` is never looked at"
            help_ = "use it below, or take it away"
            problems.warning("RR441", message, declared_mark(let), help=help_)


# ---- conditions


def _conditions(parts: Iterable[nodes.Node]) -> Iterator[nodes.Expr]:
    for node in parts:
        found: Iterable[nodes.Expr | None] = ()
        match node:
            case nodes.Arm() | nodes.When() | nodes.IfElse() | nodes.Case():
                found = (node.condition,)
            case nodes.Every() | nodes.Always():
                found = (node.condition,)
            case nodes.Binder():
                found = (node.where, node.stays)
            case nodes.Turns() | nodes.Through():
                found = (node.where,)
            case nodes.Repeat(how="until" | "while"):
                found = (node.value,)
            case _:
                pass
        yield from (each for each in found if each is not None)


def _check_condition(condition: nodes.Expr, ruleset: Ruleset, problems: Problems) -> None:
    match condition:
        case nodes.Binary(operator="and" | "or"):
            _check_condition(condition.left, ruleset, problems)
            _check_condition(condition.right, ruleset, problems)
        case nodes.Unary(operator="not"):
            _check_condition(condition.operand, ruleset, problems)
        case _:
            known = _known(condition, ruleset)
            if known is not None:
                answer = "yes" if known else "no"
                message = f"this is always `{answer}`, so it decides nothing"
                help_ = "compare with something that changes, or take the condition away"
                problems.warning("RR438", message, condition.mark, help=help_)


def _known(condition: nodes.Expr, ruleset: Ruleset) -> bool | None:
    """The answer if the text alone tells it. Options and constants may be set otherwise
    tomorrow, so what they settle is nothing to complain about."""
    match condition:
        case nodes.Truth():
            return condition.value
        case nodes.Binary(operator=word) if word in _ORDERS:
            if condition.left == condition.right:
                return _ORDERS[word][1]
            left, right = _span(condition.left, ruleset), _span(condition.right, ruleset)
            if left is None or right is None:
                return None
            below, equal, above = _ORDERS[word]
            possible = set()
            if left[0] < right[1]:
                possible.add(below)
            if left[0] <= right[1] and right[0] <= left[1]:
                possible.add(equal)
            if left[1] > right[0]:
                possible.add(above)
            return possible.pop() if len(possible) == 1 else None
        case _:
            return None


# What a comparison says when the left is less, equal, more.
_ORDERS: dict[str, tuple[bool, bool, bool]] = {
    "=": (False, True, False), "is": (False, True, False),
    "!=": (True, False, True), "is not": (True, False, True),
    "<": (True, False, False), "<=": (True, True, False),
    ">": (False, False, True), ">=": (False, True, True),
}  # fmt: skip


def _span(expr: nodes.Expr, ruleset: Ruleset) -> tuple[int, int] | None:
    """The least and the most a value can be, where the rules say so in numbers."""
    match expr:
        case nodes.Number():
            return expr.value, expr.value
        case nodes.Unary(operator="-", operand=nodes.Number(value=value)):
            return -value, -value
        case nodes.Quantified(word="count") | nodes.Unary(operator="number of"):
            return 0, 1 << 62
        case nodes.Name() | nodes.Dot() | nodes.Index():
            variable = ruleset.variables.get(name_of(expr) or "")
            if variable is None or not variable.plain_range or _is_field(variable.name, ruleset):
                return None
            return _bounds(variable.type)
        case _:
            return None


def _bounds(type_: Type) -> tuple[int, int] | None:
    if type_.sort != "int" or type_.optional:
        return None
    return type_.low, type_.high


def _is_field(name: str, ruleset: Ruleset) -> bool:
    return any(name in kind.fields for kind in ruleset.kinds.values()) or any(
        name in board.fields for board in ruleset.boards.values()
    )


def _check_divisions(parts: Iterable[nodes.Node], problems: Problems) -> None:
    for node in parts:
        if not isinstance(node, nodes.Binary) or node.operator not in ("div", "divUp", "mod"):
            continue
        if node.right == nodes.Number(0):
            message = "nothing can be divided by zero"
            help_ = "write the number to divide by"
            problems.error("RR334", message, node.right.mark, help=help_)

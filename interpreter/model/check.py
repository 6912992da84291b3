"""What is declared and then never mentioned again, found in the tree alone."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from interpreter.report.problem import Problems
from interpreter.tree import nodes
from interpreter.tree.marks import declared_mark
from interpreter.tree.walk import walk

_SEAT = re.compile(r"P[0-9]{1,2}")
_SPOKEN = {
    nodes.Constant: "constant",
    nodes.Setting: "option",
    nodes.Function: "function",
    nodes.Quantity: "quantity",
    nodes.Group: "group",
    nodes.Enum: "enum",
}


def check_mentioned(
    declarations: Iterable[nodes.Declaration],
    main_file: str,
    scenarios: Iterable[nodes.Node],
    problems: Problems,
) -> None:
    """Warn of names that nothing mentions. Included files are libraries: nobody need use all
    that they offer."""
    declared = list(declarations)
    mentioned = {name for each in (*declared, *scenarios) for name in _mentioned(each)}
    for each in declared:
        word = _SPOKEN.get(type(each))
        if word is None or each.mark.file != main_file:
            continue
        assert isinstance(
            each,
            (
                nodes.Constant, nodes.Setting, nodes.Function, nodes.Quantity, nodes.Group,
                nodes.Enum,
            ),
        )  # fmt: skip
        if each.name in mentioned:
            continue
        if isinstance(each, nodes.Enum) and mentioned & set(each.members):
            continue
        message = f"no rule uses the {word} `{each.name}`"
        help_ = f"write `{each.name}` where it belongs, or take it away"
        problems.warning("RR419", message, declared_mark(each), help=help_)


def names_for(
    scenarios: Iterable[nodes.Node], declarations: Iterable[nodes.Declaration]
) -> frozenset[str]:
    """What scenarios mention, and what that mentions in turn: helpers that only they need."""
    bodies = {
        each.name: each
        for each in declarations
        if isinstance(each, nodes.Procedure | nodes.Phase | nodes.Function | nodes.Group)
    }
    found: set[str] = set()
    waiting: list[nodes.Node] = list(scenarios)
    while waiting:
        for name in _mentioned(waiting.pop()):
            if name not in found and name in bodies:
                waiting.append(bodies[name])
            found.add(name)
    return frozenset(found)


def needed(
    declarations: Iterable[nodes.Declaration], scenarios: Iterable[nodes.Scenario], players: int
) -> list[nodes.Declaration]:
    """All declarations but procedures and functions that name a seat which is not at this table,
    and that nothing calls: what is made for four need not be understood by two."""
    declared = list(declarations)
    helpers: dict[str, nodes.Declaration] = {}
    for each in declared:
        if isinstance(each, nodes.Procedure | nodes.Function) and _names_a_seat(each, players):
            helpers[each.name] = each
    if not helpers:
        return declared
    waiting: list[nodes.Node] = [*scenarios, *(e for e in declared if e not in helpers.values())]
    while waiting:
        for name in _mentioned(waiting.pop()):
            if name in helpers:
                waiting.append(helpers.pop(name))
    return [each for each in declared if each not in helpers.values()]


def _names_a_seat(declaration: nodes.Declaration, players: int) -> bool:
    """Whether a seat is named that is not there."""
    names = (node.name for node in walk(declaration) if isinstance(node, nodes.Name))
    return any(_SEAT.fullmatch(name) and int(name[1:]) > players for name in names)


def _mentioned(declaration: nodes.Node) -> Iterator[str]:
    for node in walk(declaration):
        match node:
            case nodes.Name() | nodes.Dot() | nodes.TypeName():
                yield node.name
            case nodes.Has():
                yield from node.owners
            case nodes.Modify():
                yield node.quantity
            case _:
                pass

"""What an editor asks about a place in a text: what stands there, where it is declared, where else
it is used, and which names may be typed.

All of it works for rules with mistakes in them, as far as they were understood. A place is a file,
a line and a column, counted from 1 as in marks.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal, TypeVar

from interpreter.frozen import frozen
from interpreter.model.ruleset import ConstantInfo, FieldInfo, KindInfo, Place, Variable
from interpreter.model.types import INT, Type, named
from interpreter.report.source import Mark
from interpreter.typed import rules as r
from interpreter.typed import statements as s
from interpreter.typed import values as v
from interpreter.typed.build.builtins import DOMAINS, FUNCTIONS
from interpreter.typed.effects import loop_name
from interpreter.typed.in_force import Names, bound, names_in_force
from interpreter.typed.walk import Node, read_to_change, walk_all, wholes

T = TypeVar("T")
Loop = s.ForEach | s.Repeat | s.Turns
Declared = r.Function | r.Quantity | r.Group | r.Procedure | s.Offer
Thing = v.Local | Variable | Place | FieldInfo | ConstantInfo | KindInfo | v.Named | Declared | Loop


# ---- what stands there


def at(rules: r.Rules, file: str, line: int, column: int) -> Node | None:
    """The smallest node there; None between all nodes."""
    best: Node | None = None
    least: tuple[int, int] | None = None
    for node in _everything(rules):
        mark = mark_of(node)
        if mark is None or not covers(mark, file, line, column):
            continue
        size = (mark.end_line - mark.line, mark.end_column - mark.column)
        if least is None or size <= least:  # of two alike the inner one
            best, least = node, size
    return best


def covers(mark: Mark, file: str, line: int, column: int) -> bool:
    """Whether a place lies in a mark; its end belongs to it, because a cursor stands behind."""
    start, end = (mark.line, mark.column), (mark.end_line, mark.end_column)
    return mark.file == file and start <= (line, column) <= end


def mark_of(node: Node) -> Mark | None:
    """Where a node was written. What scenarios ask has the marks of its values."""
    match node:
        case r.Holds() | r.Scores() | r.SeesPiece() | r.SeesPlace() | r.SeesEntry():
            return None
        case r.Operand() | r.Witnesses():
            return None
        case _:
            return node.mark


def _everything(rules: r.Rules) -> Iterator[Node]:
    yield from walk_all(wholes(rules))
    yield from walk_all(rules.scenarios)


# ---- what it refers to


def refers_to(rules: r.Rules, node: Node) -> Thing | None:
    """What a node speaks of by its name, if it is a name."""
    ruleset = rules.ruleset
    match node:
        case v.LocalValue() | s.Let():
            return node.local
        case v.Binder():
            return node.element
        case v.Read() | s.Entry():
            return node.variable
        case s.Assign() | s.AssignRandom():
            return node.target if isinstance(node.target, v.Local) else node.target.variable
        case v.PlaceAt():
            return node.place
        case v.Content() | v.PoolCount() | v.InPlace():
            return node.place.place
        case v.FieldOf() | v.ListOf():
            return node.info
        case v.ListItem() | v.InList():
            return node.list.info
        case v.ConstantAt():
            return node.constant
        case v.Constant(named=v.Named(word="constant", name=name)):
            return ruleset.constants.get(name)
        case v.Constant():
            return node.named
        case v.AllOf():
            return ruleset.kinds.get(node.type.name)
        case v.Call():
            return rules.functions.get(node.function)
        case v.InGroup():
            return rules.groups.get(node.group)
        case s.Do() | v.Step():
            return rules.procedures.get(node.procedure)
        case s.Declared():
            return rules.actions.get(node.action)
        case s.Leave():
            return rules.procedures.get(node.name) or _loop_called(rules, node.name)
        case v.Fit():
            return refers_to(rules, node.value)
        case r.Function() | r.Quantity() | r.Group() | r.Procedure():
            return node
        case s.Offer() if rules.actions.get(node.name) is node:
            return node
        case _:  # what names nothing that was declared
            return None


def _loop_called(rules: r.Rules, name: str) -> Loop | None:
    for node in _everything(rules):
        if isinstance(node, s.ForEach | s.Repeat | s.Turns) and loop_name(node) == name:
            return node
    return None


def declared(rules: r.Rules, node: Node) -> Mark | None:
    """Where what a node refers to is declared."""
    thing = refers_to(rules, node)
    if isinstance(thing, ConstantInfo):
        return rules.ruleset.declared.get(thing.name)
    return None if thing is None else thing.mark


def uses(rules: r.Rules, thing: Thing) -> list[Mark]:
    """Where a thing is spoken of, in the order of the text; its declaration is none of them."""
    found: set[Mark] = set()
    to_change: set[int] = set()
    for node in _everything(rules):
        match node:
            case s.Assign():
                to_change.add(id(read_to_change(node)))
                mark = node.target_mark
            case s.AssignRandom():
                mark = node.target_mark
            case s.Do():
                mark = node.call_mark
            case r.Function() | r.Quantity() | r.Group() | r.Procedure() | s.Offer():
                continue
            case s.Let() | v.Binder():
                continue
            case _:  # whatever else is written down in one place
                written = mark_of(node)
                if written is None or id(node) in to_change:
                    continue
                mark = written
        other = refers_to(rules, node)
        if other is thing or (isinstance(thing, v.Named) and other == thing):
            found.add(mark)
    return sorted(found, key=lambda mark: (mark.file, mark.line, mark.column, mark.end_column))


# ---- what may be typed


@frozen
class Name:
    """`type` is that of its value, and None for what has none."""

    name: str
    word: Literal[
        "local", "variable", "place", "constant", "option", "member", "row", "type", "function",
        "group", "procedure", "action", "built-in",
    ]  # fmt: skip
    type: Type | None
    mark: Mark | None


def names_at(rules: r.Rules, file: str, line: int, column: int) -> list[Name]:
    """The names that mean something there: the locals in force first, then what is declared."""
    inside = names_in_force(rules, file, line, column)
    for node in _everything(rules):
        mark = mark_of(node)
        if mark is not None and covers(mark, file, line, column):
            inside |= _bound_inside(node)
    found = [Name(name, "local", local.type, local.mark) for name, local in inside.items()]
    return [*found, *_declared_names(rules)]


def _bound_inside(node: Node) -> Names:
    """Names that a value gives to what it goes through, for the rest of that value."""
    match node:
        case v.Binder():
            return bound(node)
        case v.Aggregate():
            names = bound(node.binder)
            for each in node.more:
                names |= bound(each)
            return names
        case v.Quantified() | v.Every() | v.Pick() | v.Rank():
            return bound(node.binder)
        case v.Line():
            return {node.local.name: node.local}
        case v.Region() | v.Reach() | v.Way():
            ends = (node.local, node.origin)
            return {each.name: each for each in ends if each is not None}
        case _:
            return {}


def _copied_once(declared: dict[str, T]) -> Iterable[tuple[str, T]]:
    """By the names they were declared with: there may be copies for places that are passed."""
    return {r.declared_name(name): each for name, each in declared.items()}.items()


def _declared_names(rules: r.Rules) -> Iterator[Name]:
    ruleset = rules.ruleset
    where = ruleset.declared.get
    for variable in ruleset.variables.values():
        yield Name(variable.name, "variable", variable.type, variable.mark)
    for place in ruleset.places.values():
        type_ = Type("place", place.name, of=named("kind", place.kind))
        yield Name(place.name, "place", type_, place.mark)
    for constant in ruleset.constants.values():
        yield Name(constant.name, "constant", constant.type, where(constant.name))
    for option in ruleset.options:
        yield Name(option, "option", None, where(option))
    for enum, members in ruleset.enums.items():
        yield Name(enum, "type", None, where(enum))
        yield from (Name(each, "member", named("enum", enum), where(enum)) for each in members)
    for kind in ruleset.kinds.values():
        type_ = named("kind" if kind.physical else "table", kind.name)
        yield Name(kind.name, "type", None, kind.mark)
        yield from (Name(row.name, "row", type_, kind.mark) for row in kind.rows)
    for board in ruleset.boards.values():
        yield Name(board.name, "type", None, board.mark)
    for name, function in _copied_once(rules.functions):
        result = function.result if isinstance(function, r.Function) else INT
        yield Name(name, "function", result, function.mark)
    for name, group in _copied_once(rules.groups):
        yield Name(name, "group", group.binder.domain.type, group.mark)
    for name, procedure in _copied_once(rules.procedures):
        yield Name(name, "procedure", None, procedure.mark)
    for name, action in rules.actions.items():
        yield Name(name, "action", None, action.mark)
    yield from (Name(name, "built-in", None, None) for name in (*FUNCTIONS, *DOMAINS))

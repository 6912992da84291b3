"""Going through typed trees without recursion, for whatever asks something of all their nodes.

What a node refers to (a variable, a place, a local, a type) is not inside it, so it is not gone
through: names lead anywhere, and a tree must end.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import fields
from functools import cache
from typing import Any, TypeVar

from interpreter.typed import rules as r
from interpreter.typed import statements as s
from interpreter.typed import values as v
from interpreter.typed.seats import bare

Declaration = (
    r.Function
    | r.Quantity
    | r.Group
    | r.Procedure
    | r.Setup
    | r.Play
    | r.Score
    | r.Winner
    | r.Always
    | r.Holding
    | r.Scenario
)
Part = (
    v.Binder | v.Key | v.Keys | v.Step | v.Kept | s.Text | s.Entry | s.Box | s.Arm | s.When
    | s.Offer | s.Declared | r.Case | r.Modifier | r.Operand | r.Witnesses | r.Run | r.Question
)  # fmt: skip
Node = v.Value | v.Domain | s.Statement | Part | Declaration
T = TypeVar("T")


def children(node: Node) -> list[Node]:
    """The nodes directly inside this one, in the order of its fields."""
    found: list[Node] = []
    kind: type = type(node)
    for name in _names(kind):
        value = getattr(node, name)
        if type(value) is tuple:
            for item in value:
                if type(item) is tuple:  # a body among others
                    found += item
                elif item is not None:
                    found.append(item)
        elif value is not None and type(value) is not v.Local:
            found.append(value)
    return found


def walk(node: Node) -> Iterator[Node]:
    """The node and everything inside it, in the order of the fields."""
    waiting = [node]
    while waiting:
        found = waiting.pop()
        yield found
        waiting += reversed(children(found))


def walk_all(nodes: Iterable[Node]) -> Iterator[Node]:
    for node in nodes:
        yield from walk(node)


# Types of fields that never hold a node, as they are written.
PLAIN = frozenset({
    "Mark", "Mark | None", "bool", "int", "str", "str | None", "tuple[str, ...]", "Type",
    "Named | None", "Local", "Local | None", "tuple[Local, ...]", "Place", "Variable", "FieldInfo",
    "ConstantInfo", "BoardInfo", "ArithmeticWord", "CompareWord", "tuple[Form, ...]",
})  # fmt: skip


@cache
def _names(kind: type) -> tuple[str, ...]:
    return tuple(
        each.name
        for each in fields(kind)
        if each.type not in PLAIN and not str(each.type).startswith("Literal[")
    )


# ---- everything


class Parts:
    """All nodes of the rules by what they are: gone through once, and asked by every check."""

    def __init__(self, rules: r.Rules) -> None:
        self._by_kind: dict[type, list[Any]] = {}
        for node in walk_all(wholes(rules)):
            kind: type = type(node)
            self._by_kind.setdefault(kind, []).append(node)

    def of(self, kind: type[T]) -> list[T]:
        return self._by_kind.get(kind, [])

    def bodies(self) -> Iterator[s.Body]:
        """Every run of statements, those inside others too."""
        for kind, nodes in self._by_kind.items():
            for name in _bodies(kind):
                yield from (getattr(node, name) or () for node in nodes)


def all_bodies(rules: r.Rules) -> Iterator[s.Body]:
    """Every run of statements that stands in no other."""
    for setup in rules.setup:
        yield setup.body
    if rules.play is not None:
        yield rules.play.body
    for procedure in rules.procedures.values():
        yield procedure.body
    for action in rules.actions.values():
        yield action.body


def roots(rules: r.Rules) -> Iterator[Declaration]:
    """What is carried out or asked without being called by anything."""
    yield from rules.holdings
    yield from rules.setup
    for each in (rules.play, rules.score, rules.winner):
        if each is not None:
            yield each
    yield from rules.always


def wholes(rules: r.Rules) -> Iterator[Declaration | s.Offer]:
    """Every declaration with statements or values in it; scenarios are no rules."""
    yield from roots(rules)
    yield from rules.functions.values()
    yield from rules.groups.values()
    yield from rules.actions.values()
    yield from rules.procedures.values()


def read_to_change(node: s.Assign) -> v.Value | None:
    """What `+=` and `-=` start from: it is read for nothing but to be changed."""
    value = bare(node.value)
    if node.operator == ":=" or not isinstance(value, v.Arithmetic):
        return None
    return bare(value.left)


@cache
def _bodies(kind: type) -> tuple[str, ...]:
    return tuple(each.name for each in fields(kind) if each.type in ("Body", "Body | None"))


# ---- comparing


def alike(one: Node, other: Node) -> bool:
    """Whether two nodes say the same. Locals that are bound inside are the same by their names,
    because no name means two things at one place. What was not understood is like nothing."""
    waiting = [(one, other)]
    while waiting:
        left, right = waiting.pop()
        if type(left) is not type(right) or isinstance(left, v.Broken | v.Nowhere):
            return False
        if _said(left) != _said(right):
            return False
        inside, there = children(left), children(right)
        if len(inside) != len(there):
            return False
        waiting += zip(inside, there, strict=True)
    return True


def _said(node: Node) -> list[Any]:
    """What a node says apart from the nodes inside it. Where it stands does not count; what a
    constant is called does, because its value may be another tomorrow."""
    kind: type = type(node)
    said = [_named(getattr(node, name)) for name in _compared(kind)]
    return [*said, node.named] if isinstance(node, v.Constant) else said


def _named(value: Any) -> Any:
    if type(value) is tuple:
        return [_named(each) for each in value]
    return (value.name, value.type) if type(value) is v.Local else value


@cache
def _compared(kind: type) -> tuple[str, ...]:
    inside = set(_names(kind))
    return tuple(each.name for each in fields(kind) if each.compare and each.name not in inside)

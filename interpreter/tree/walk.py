"""Going through a tree without recursion, for what must work on any tree, however deep."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from functools import cache

from interpreter import limits
from interpreter.tree import nodes


def children(node: nodes.Node) -> list[nodes.Node]:
    """The nodes directly inside this one, in the order of its fields."""
    found: list[nodes.Node] = []
    kind: type = type(node)
    for name in _names(kind):
        value = getattr(node, name)
        if isinstance(value, nodes.Node):
            found.append(value)
        elif isinstance(value, tuple):
            found += [item for item in value if isinstance(item, nodes.Node)]
    return found


def walk(node: nodes.Node) -> Iterator[nodes.Node]:
    """The node and everything inside it, in the order of the text."""
    waiting = [node]
    while waiting:
        found = waiting.pop()
        yield found
        waiting += reversed(children(found))


def find_deeper(node: nodes.Node, limit: int) -> nodes.Node | None:
    """A node with more than `limit` nodes around it, or None."""
    waiting = [(node, 0)]
    while waiting:
        found, depth = waiting.pop()
        if depth > limit:
            return found
        # Each branch of an `if` stands inside the `else` of those before it, once it is lowered.
        arms = limits.BRANCHES // limit if isinstance(found, nodes.If) else 0
        for number, child in enumerate(children(found)):
            waiting.append((child, depth + 1 + (number // arms if arms else 0)))
    return None


# Types of fields that never hold a node, as they are written.
_PLAIN = frozenset({"Mark", "bool", "int", "str", "str | None", "tuple[str, ...]"})


@cache
def _names(kind: type) -> tuple[str, ...]:
    return tuple(field.name for field in fields(kind) if field.type not in _PLAIN)

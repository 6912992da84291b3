"""Marked values, as they are read from YAML: the nodes of a data file."""

from collections.abc import Iterable
from typing import Any

from interpreter.frozen import frozen
from interpreter.report.source import Mark

Plain = str | int | bool | None


@frozen
class Scalar:
    """A single value. `text` is what was written, without quotes."""

    value: Plain
    mark: Mark
    text: str


@frozen
class Sequence:
    items: tuple["Node", ...]
    mark: Mark


@frozen
class Mapping:
    entries: tuple[tuple[Scalar, "Node"], ...]
    mark: Mark

    def key(self, name: str) -> Scalar | None:
        """The key itself, for its mark."""
        return next((key for key, _ in self.entries if key.value == name), None)

    def get(self, name: str) -> "Node | None":
        return next((value for key, value in self.entries if key.value == name), None)


Node = Scalar | Sequence | Mapping


def plain(node: Node) -> Any:
    """The same data as dicts, lists and values, without marks."""
    match node:
        case Scalar():
            return node.value
        case Sequence():
            return [plain(item) for item in node.items]
        case Mapping():
            return {key.text: plain(value) for key, value in node.entries}


def find(node: Node, path: Iterable[str | int]) -> Node:
    """The node at a path of keys and indexes, or the last one on the way that exists."""
    for step in path:
        found: Node | None = None
        match node:
            case Mapping():
                found = node.get(str(step))
            case Sequence() if isinstance(step, int) and 0 <= step < len(node.items):
                found = node.items[step]
        if found is None:
            break
        node = found
    return node

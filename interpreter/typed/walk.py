"""Going through a value of the typed tree and everything inside it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from functools import cache

from interpreter.typed.values import Binder, Key, Keys, Local, LocalValue, Step, Through, Typed

_NODES = (Typed, Through, Binder, Keys, Key, Step)


def walk(node: object) -> Iterator[object]:
    """The node and every node inside it, in the order they are written. Groups and functions are
    not looked into: they stand elsewhere."""
    waiting = [node]
    while waiting:
        found = waiting.pop()
        if isinstance(found, tuple):
            waiting += reversed(found)
        elif isinstance(found, _NODES):
            yield found
            kind: type = type(found)
            waiting += [getattr(found, name) for name in reversed(_parts(kind))]


def locals_in(node: object) -> Iterator[Local]:
    """The locals whose values are asked for, wherever they are bound."""
    return (each.local for each in walk(node) if isinstance(each, LocalValue))


@cache
def _parts(kind: type) -> tuple[str, ...]:
    return tuple(field.name for field in fields(kind) if field.name not in ("type", "mark"))

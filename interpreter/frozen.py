"""Frozen dataclasses that are quick to declare, for the many small classes of a tree.

`dataclass(frozen=True, slots=True)` compiles six methods for each class, which is half of the time
that importing the interpreter takes. One of these has one, `__init__`, and shares the rest. That it
does not change is seen to by the type checker, not at run time.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, fields
from operator import attrgetter
from typing import Any, TypeVar, dataclass_transform, overload

T = TypeVar("T")


@overload
def frozen(cls: type[T], /) -> type[T]: ...
@overload
def frozen(*, kw_only: bool = False) -> Callable[[type[T]], type[T]]: ...
@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def frozen(cls: type[Any] | None = None, /, *, kw_only: bool = False) -> Any:
    if cls is None:
        return lambda given: _made(given, kw_only)
    return _made(cls, kw_only)


def _made(cls: type[Any], kw_only: bool) -> type[Any]:
    cls.__doc__ = cls.__doc__ or cls.__name__  # or else dataclass works out a signature for it
    made: Any = dataclass(slots=True, eq=False, repr=False, kw_only=kw_only)(cls)
    compared = [each.name for each in fields(made) if each.compare]
    shown = [each.name for each in fields(made) if each.repr]
    key: Callable[[Any], Any] = attrgetter(*compared) if compared else _nothing

    def equal(self: Any, other: object) -> Any:
        if other.__class__ is not self.__class__:
            return NotImplemented
        return key(self) == key(other)

    made.__eq__ = equal
    made.__hash__ = lambda self: hash(key(self))
    made.__repr__ = lambda self: _told(self, shown)
    found: type[Any] = made
    return found


def _nothing(_: object) -> tuple[()]:
    return ()


def _told(given: Any, names: list[str]) -> str:
    parts = ", ".join(f"{name}={getattr(given, name)!r}" for name in names)
    return f"{type(given).__qualname__}({parts})"

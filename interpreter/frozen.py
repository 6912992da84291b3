"""Frozen dataclasses that are quick to declare, for the many small classes of a tree.

`dataclass(frozen=True, slots=True)` compiles six methods for each class, which is half of the time
that importing the interpreter takes. One of these has one, `__init__`, and shares the rest. To
`dataclasses` it is one of theirs: `fields` and `replace` work. That it does not change is seen to
by the type checker, not at run time.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import MISSING, Field, dataclass, field, fields
from inspect import get_annotations
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
    found = _fields(cls, kw_only)
    own = get_annotations(cls)
    body = {name: each for name, each in cls.__dict__.items() if name not in _NOT_KEPT | own.keys()}
    positional = [name for name, each in found.items() if not each.kw_only]
    body |= {
        "__slots__": tuple(own),
        "__dataclass_fields__": found,  # so that `fields` and `replace` know it
        "__match_args__": tuple(positional),
    }
    made: Any = type(cls.__name__, cls.__bases__, body)
    made.__qualname__ = cls.__qualname__
    made.__init__ = _init(found)
    compared = [name for name, each in found.items() if each.compare]
    shown = [name for name, each in found.items() if each.repr]
    key: Callable[[Any], Any] = attrgetter(*compared) if compared else _nothing

    def equal(self: Any, other: object) -> Any:
        if other.__class__ is not self.__class__:
            return NotImplemented
        return key(self) == key(other)

    made.__eq__ = equal
    made.__hash__ = lambda self: hash(key(self))
    made.__repr__ = lambda self: _told(self, shown)
    kept: type[Any] = made
    return kept


_NOT_KEPT = {"__dict__", "__weakref__"}  # of a class without slots


def _fields(cls: type[Any], kw_only: bool) -> dict[str, Any]:
    """The fields of the classes it is made of, then its own, as `dataclass` writes them down."""
    found: dict[str, Any] = {}
    for base in reversed(cls.__mro__[1:]):
        found |= getattr(base, "__dataclass_fields__", {})
    for name, type_ in get_annotations(cls).items():
        default = cls.__dict__.get(name, MISSING)
        each: Any = default if isinstance(default, Field) else field(default=default)
        each.name, each.type, each._field_type = name, type_, _FIELD
        if each.kw_only is MISSING:
            each.kw_only = kw_only
        found[name] = each
    return found


@dataclass
class _Example:
    field: int


_FIELD: Any = fields(_Example)[0]._field_type  # type: ignore[attr-defined]


def _init(found: dict[str, Any]) -> Any:
    """`__init__`, written out: it is called for every node of every tree."""
    given: dict[str, Any] = {"_MISSING": MISSING}
    plain: list[str] = ["self"]
    by_name: list[str] = []
    lines: list[str] = []
    for name, each in found.items():
        value = name
        taken = name
        if each.default_factory is not MISSING:
            given[f"_{name}"] = each.default_factory
            taken, value = f"{name}=_MISSING", f"_{name}() if {name} is _MISSING else {name}"
        elif each.default is not MISSING:
            given[f"_{name}"] = each.default
            taken = f"{name}=_{name}"
        (by_name if each.kw_only else plain).append(taken)
        lines.append(f"    self.{name} = {value}\n")
    parameters = ", ".join([*plain, *(["*", *by_name] if by_name else [])])
    exec(f"def __init__({parameters}):\n{''.join(lines) or '    pass'}", given)
    return given["__init__"]


def _nothing(_: object) -> tuple[()]:
    return ()


def _told(given: Any, names: list[str]) -> str:
    parts = ", ".join(f"{name}={getattr(given, name)!r}" for name in names)
    return f"{type(given).__qualname__}({parts})"

"""The types of the language. Every value is one 64-bit integer; its type says how to read it.

Named values count from 0 in the order of their declaration; `none` is -1 for them and the
least 64-bit integer for numbers, which no sum can reach without an overflow error.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from interpreter import limits
from interpreter.frozen import frozen

Sort = Literal[
    "int", "bool", "player", "enum", "kind", "table", "board", "direction",
    "row", "list", "place", "void", "none", "unknown",
]  # fmt: skip

NONE_NAMED = -1
NONE_INT = limits.INT_MIN


@frozen
class Type:
    sort: Sort
    name: str = ""
    optional: bool = False
    low: int = -limits.INT_MAX
    high: int = limits.INT_MAX
    of: Type | None = None

    def __str__(self) -> str:
        ending = " or none" if self.optional else ""
        match self.sort:
            case "int":
                if (self.low, self.high) == (-limits.INT_MAX, limits.INT_MAX):
                    return "int" + ending
                return f"{self.low}..{self.high}{ending}"
            case "list":
                return f"list of {self.of}"
            case "place":
                return f"place of {self.of}"
            case "player":
                return "Player" + ending
            case "direction":
                return f"direction of {self.name}{ending}"
            case "bool" | "void" | "none" | "unknown":
                return {"bool": "yes or no", "void": "nothing"}.get(self.sort, self.sort)
            case _:
                return self.name + ending

    @property
    def none(self) -> int:
        return NONE_INT if self.sort == "int" else NONE_NAMED

    def or_none(self) -> Type:
        return replace(self, optional=True)

    def certain(self) -> Type:
        return replace(self, optional=False)


INT = Type("int")
BOOL = Type("bool", low=0, high=1)
PLAYER = Type("player", "Player")
VOID = Type("void")
NONE = Type("none", optional=True)
UNKNOWN = Type("unknown")  # stands for what was already reported, and fits everything


def whole(low: int, high: int) -> Type:
    return Type("int", low=low, high=high)


def named(sort: Sort, name: str) -> Type:
    return Type(sort, name)


def fits(value: Type, wanted: Type) -> bool:
    """Whether a value of one type may stand where another is wanted.

    `none` and the bounds of a range are tested while playing, so they do not count here.
    """
    if "unknown" in (value.sort, wanted.sort):
        return True
    if value.sort == "none":
        return wanted.optional
    if value.sort != wanted.sort:
        return False
    if value.sort in ("int", "bool", "player"):
        return True
    if value.sort in ("list", "place"):
        return value.of == wanted.of
    return value.name == wanted.name


def join(left: Type, right: Type) -> Type | None:
    """The type of a value that may be either."""
    if left.sort == "unknown" or right.sort == "none":
        return left if right.sort != "none" else left.or_none()
    if right.sort == "unknown":
        return right
    if left.sort == "none":
        return right.or_none()
    if not fits(left, right):
        return None
    joined = left
    if left.sort == "int":
        joined = replace(left, low=min(left.low, right.low), high=max(left.high, right.high))
    return replace(joined, optional=left.optional or right.optional)

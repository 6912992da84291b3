"""The part of the tree that has a value: names, numbers, operators, and ways to go through things.

See nodes.py, which has the rest and names all of them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from interpreter.report.source import Mark

NOWHERE = Mark("", 1, 1, 1, 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    mark: Mark = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Line(Node):
    """A node that begins a line: it may cite clauses and be commented on."""

    cites: tuple[str, ...] = ()
    before: tuple[str, ...] = ()
    after: str | None = None


# --------------------------------------------------------------------------- expressions


@dataclass(frozen=True, slots=True)
class Number(Node):
    value: int


@dataclass(frozen=True, slots=True)
class Truth(Node):
    value: bool


@dataclass(frozen=True, slots=True)
class NoneValue(Node):
    pass


@dataclass(frozen=True, slots=True)
class Quoted(Node):
    """A piece or a row by its id or its name, where that is no plain word."""

    text: str


@dataclass(frozen=True, slots=True)
class Name(Node):
    name: str


@dataclass(frozen=True, slots=True)
class Dot(Node):
    target: Expr
    name: str


@dataclass(frozen=True, slots=True)
class Index(Node):
    target: Expr
    arguments: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Call(Node):
    target: Expr
    arguments: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Unary(Node):
    operator: Literal["not", "-", "number of"]
    operand: Expr


@dataclass(frozen=True, slots=True)
class Binary(Node):
    operator: Literal[
        "or",
        "and",
        "is",
        "is not",
        "=",
        "!=",
        "<",
        "<=",
        ">",
        ">=",
        "+",
        "-",
        "*",
        "div",
        "divUp",
        "mod",
    ]
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class MemberOf(Node):
    element: Expr
    domain: Domain


@dataclass(frozen=True, slots=True)
class IfElse(Node):
    condition: Expr
    then: Expr
    otherwise: Expr


@dataclass(frozen=True, slots=True)
class Players(Node):
    pass


@dataclass(frozen=True, slots=True)
class Range(Node):
    low: Expr
    high: Expr
    step: Expr | None = None


@dataclass(frozen=True, slots=True)
class Binder(Node):
    """`name at position in domain while ... where ...`."""

    name: str
    position: str | None
    domain: Domain
    stays: Expr | None
    where: Expr | None


@dataclass(frozen=True, slots=True)
class Quantified(Node):
    word: Literal["count", "any"]
    binder: Binder


@dataclass(frozen=True, slots=True)
class Every(Node):
    binder: Binder
    condition: Expr


@dataclass(frozen=True, slots=True)
class Aggregate(Node):
    word: Literal["sum", "min", "max"]
    value: Expr
    binder: Binder
    otherwise: Expr | None = None


@dataclass(frozen=True, slots=True)
class Extreme(Node):
    word: Literal["min", "max"]
    values: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Key(Node):
    word: Literal["most", "least"]
    value: Expr


@dataclass(frozen=True, slots=True)
class Keys(Node):
    keys: tuple[Key, ...]
    ties: Literal["in order", "none", "share"]


@dataclass(frozen=True, slots=True)
class Pick(Node):
    binder: Binder
    keys: Keys


@dataclass(frozen=True, slots=True)
class Rank(Node):
    word: Literal["rank", "denseRank"]
    subject: Expr
    key: Key
    binder: Binder


@dataclass(frozen=True, slots=True)
class Through(Node):
    """`region(start through x where ...)` and `line(start through x where ...)`."""

    word: Literal["region", "line"]
    start: Expr
    name: str
    where: Expr


@dataclass(frozen=True, slots=True)
class Reach(Node):
    start: Expr
    within: Expr
    name: str
    costs: Expr


@dataclass(frozen=True, slots=True)
class Can(Node):
    steps: tuple[Expr, ...]


Expr = (
    Number
    | Truth
    | NoneValue
    | Quoted
    | Name
    | Dot
    | Index
    | Call
    | Unary
    | Binary
    | MemberOf
    | IfElse
    | Players
    | Quantified
    | Every
    | Aggregate
    | Extreme
    | Pick
    | Rank
    | Through
    | Reach
    | Can
)
Domain = Expr | Range

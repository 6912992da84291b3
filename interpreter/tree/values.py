"""The part of the tree that has a value: names, numbers, operators, and ways to go through things.

See nodes.py, which has the rest and names all of them.
"""

from __future__ import annotations

from dataclasses import field
from typing import Literal

from interpreter.records import record
from interpreter.report.source import Mark

NOWHERE = Mark("", 1, 1, 1, 1)


@record(kw_only=True)
class Node:
    mark: Mark = field(default=NOWHERE, compare=False, repr=False)


@record(kw_only=True)
class Line(Node):
    """A node that begins a line: it may cite clauses and be commented on."""

    cites: tuple[str, ...] = ()
    before: tuple[str, ...] = ()
    after: str | None = None


# --------------------------------------------------------------------------- expressions


@record
class Number(Node):
    value: int


@record
class Truth(Node):
    value: bool


@record
class NoneValue(Node):
    pass


@record
class Quoted(Node):
    """A piece or a row by its id or its name, where that is no plain word."""

    text: str


@record
class Name(Node):
    name: str


@record
class Dot(Node):
    target: Expr
    name: str


@record
class Index(Node):
    target: Expr
    arguments: tuple[Expr, ...]


@record
class Call(Node):
    target: Expr
    arguments: tuple[Expr, ...]


@record
class Unary(Node):
    operator: Literal["not", "-", "number of"]
    operand: Expr


@record
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


@record
class MemberOf(Node):
    element: Expr
    domain: Domain


@record
class IfElse(Node):
    condition: Expr
    then: Expr
    otherwise: Expr


@record
class Players(Node):
    pass


@record
class Range(Node):
    low: Expr
    high: Expr
    step: Expr | None = None


@record
class Binder(Node):
    """`name at position in domain while ... where ...`."""

    name: str
    position: str | None
    domain: Domain
    stays: Expr | None
    where: Expr | None


@record
class Quantified(Node):
    word: Literal["count", "any"]
    binder: Binder


@record
class Every(Node):
    binder: Binder
    condition: Expr


@record
class Aggregate(Node):
    word: Literal["sum", "min", "max"]
    value: Expr
    binder: Binder
    otherwise: Expr | None = None


@record
class Extreme(Node):
    word: Literal["min", "max"]
    values: tuple[Expr, ...]


@record
class Key(Node):
    word: Literal["most", "least"]
    value: Expr


@record
class Keys(Node):
    keys: tuple[Key, ...]
    ties: Literal["in order", "none", "share"]


@record
class Pick(Node):
    binder: Binder
    keys: Keys


@record
class Rank(Node):
    word: Literal["rank", "denseRank"]
    subject: Expr
    key: Key
    binder: Binder


@record
class Through(Node):
    """`region(start through x where ...)` and `line(start through x where ...)`."""

    word: Literal["region", "line"]
    start: Expr
    name: str
    where: Expr


@record
class Reach(Node):
    start: Expr
    within: Expr
    name: str
    costs: Expr


@record
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

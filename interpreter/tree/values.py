"""The part of the tree that has a value: names, numbers, operators, and ways to go through things.

See nodes.py, which has the rest and names all of them.
"""

from __future__ import annotations

from dataclasses import field
from typing import Literal

from interpreter.frozen import frozen
from interpreter.report.source import Mark

NOWHERE = Mark("", 1, 1, 1, 1)


@frozen(kw_only=True)
class Node:
    mark: Mark = field(default=NOWHERE, compare=False, repr=False)


@frozen(kw_only=True)
class Line(Node):
    """A node that begins a line: it may cite clauses and be commented on."""

    cites: tuple[str, ...] = ()
    before: tuple[str, ...] = ()
    after: str | None = None


# --------------------------------------------------------------------------- expressions


@frozen
class Number(Node):
    value: int


@frozen
class Truth(Node):
    value: bool


@frozen
class NoneValue(Node):
    pass


@frozen
class Quoted(Node):
    """A piece or a row by its id or its name, where that is no plain word."""

    text: str


@frozen
class Name(Node):
    name: str


@frozen
class Dot(Node):
    target: Expr
    name: str


@frozen
class Index(Node):
    target: Expr
    arguments: tuple[Expr, ...]


@frozen
class Call(Node):
    target: Expr
    arguments: tuple[Expr, ...]


@frozen
class Unary(Node):
    operator: Literal["not", "-", "number of"]
    operand: Expr


@frozen
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


@frozen
class MemberOf(Node):
    element: Expr
    domain: Domain


@frozen
class IfElse(Node):
    condition: Expr
    then: Expr
    otherwise: Expr


@frozen
class Players(Node):
    pass


@frozen
class Range(Node):
    low: Expr
    high: Expr
    step: Expr | None = None


@frozen
class Listed(Node):
    """`(north, south)` after `in`."""

    values: tuple[Expr, ...]


@frozen
class Binder(Node):
    """`name at position in domain while ... where ...`, or with `until` in place of `while`."""

    name: str
    position: str | None
    domain: Domain
    stays: Expr | None
    where: Expr | None
    ends: Expr | None = None


@frozen
class Quantified(Node):
    """`more`: binders inside the first, here and below."""

    word: Literal["count", "any"]
    binder: Binder
    more: tuple[Binder, ...] = ()


@frozen
class Every(Node):
    binder: Binder
    condition: Expr
    more: tuple[Binder, ...] = ()


@frozen
class Aggregate(Node):
    word: Literal["sum", "min", "max"]
    value: Expr
    binder: Binder
    otherwise: Expr | None = None
    more: tuple[Binder, ...] = ()


@frozen
class Extreme(Node):
    word: Literal["min", "max"]
    values: tuple[Expr, ...]


@frozen
class Key(Node):
    word: Literal["most", "least"]
    value: Expr


@frozen
class Keys(Node):
    keys: tuple[Key, ...]
    ties: Literal["in order", "none", "share"]


@frozen
class Pick(Node):
    """Without keys it is the only one."""

    binder: Binder
    keys: Keys | None


@frozen
class Rank(Node):
    word: Literal["rank", "denseRank"]
    subject: Expr
    key: Key
    binder: Binder


@frozen
class Through(Node):
    """`region(start through x where ...)` and `line(start through x where ...)`."""

    word: Literal["region", "line"]
    start: Expr
    name: str
    where: Expr


@frozen
class Reach(Node):
    start: Expr
    within: Expr
    name: str
    costs: Expr


@frozen
class Can(Node):
    steps: tuple[Expr, ...]


@frozen
class WhatIf(Node):
    """`(value after step then step)`: what it would be if these were carried out."""

    value: Expr
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
    | WhatIf
)
Domain = Expr | Range | Listed

# --------------------------------------------------------------------------------- texts


@frozen
class Text(Node):
    """`"pay {n} gold"`: what is said as it stands, and between two such parts a gap to be filled
    with a value. So there is one part more than there are gaps."""

    parts: tuple[str, ...]
    gaps: tuple[Expr, ...] = ()

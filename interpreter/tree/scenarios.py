"""The part of the tree that tests rules: scenarios and what they are made of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from interpreter.tree.statements import Statement
from interpreter.tree.values import Expr, Line, Node


@dataclass(frozen=True, slots=True)
class Head(Line):
    """What a scenario starts from, apart from the position."""

    word: Literal[
        "players", "option", "seed", "without setup", "scripted setup", "with forced choices"
    ]
    name: str | None = None
    value: Expr | None = None


@dataclass(frozen=True, slots=True)
class Given(Line):
    body: tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class Run(Line):
    body: tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class Argument(Node):
    name: str | None
    value: Expr


@dataclass(frozen=True, slots=True)
class Offer(Node):
    """Something that can be chosen: `raise(bid: 4000)`, or `choose 4000`."""

    verb: str
    arguments: tuple[Argument, ...]


@dataclass(frozen=True, slots=True)
class Decision(Line):
    seat: str
    offer: Offer


@dataclass(frozen=True, slots=True)
class Outcome(Line):
    """What chance brings."""

    word: Literal["draw", "roll", "random"]
    values: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Steps(Line):
    """`when` with one step on its line, or with several under it."""

    steps: tuple[Decision | Outcome, ...]


@dataclass(frozen=True, slots=True)
class Holds(Line):
    condition: Expr


@dataclass(frozen=True, slots=True)
class Offers(Line):
    seat: str
    word: Literal["may", "may not", "may only"]
    offers: tuple[Offer, ...]


@dataclass(frozen=True, slots=True)
class Seats(Line):
    """Exactly these seats choose, or win."""

    word: Literal["choose", "win"]
    seats: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Sees(Line):
    seat: str
    sees: bool
    what: Expr


@dataclass(frozen=True, slots=True)
class Reads(Line):
    """Words that an option has for a seat, or (nobody's) that were said to all."""

    seat: str | None
    reads: bool
    text: str


@dataclass(frozen=True, slots=True)
class Scores(Line):
    seat: str
    value: Expr


@dataclass(frozen=True, slots=True)
class Ends(Line):
    over: bool


Expectation = Holds | Offers | Seats | Sees | Reads | Scores | Ends
Part = Given | Run | Steps | Expectation


@dataclass(frozen=True, slots=True)
class Scenario(Line):
    title: str
    heads: tuple[Head, ...]
    parts: tuple[Part, ...]

"""The part of the tree that tests rules: scenarios and what they are made of."""

from __future__ import annotations

from typing import Literal

from interpreter.records import record
from interpreter.tree.statements import Statement
from interpreter.tree.values import Expr, Line, Node


@record
class Head(Line):
    """What a scenario starts from, apart from the position."""

    word: Literal[
        "players", "option", "seed", "without setup", "scripted setup", "with forced choices"
    ]
    name: str | None = None
    value: Expr | None = None


@record
class Given(Line):
    body: tuple[Statement, ...]


@record
class Run(Line):
    body: tuple[Statement, ...]


@record
class Argument(Node):
    name: str | None
    value: Expr


@record
class Offer(Node):
    """Something that can be chosen: `raise(bid: 4000)`, or `choose 4000`."""

    verb: str
    arguments: tuple[Argument, ...]


@record
class Decision(Line):
    seat: str
    offer: Offer


@record
class Outcome(Line):
    """What chance brings."""

    word: Literal["draw", "roll", "random"]
    values: tuple[Expr, ...]


@record
class Steps(Line):
    """`when` with one step on its line, or with several under it."""

    steps: tuple[Decision | Outcome, ...]


@record
class Holds(Line):
    condition: Expr


@record
class Offers(Line):
    seat: str
    word: Literal["may", "may not", "may only"]
    offers: tuple[Offer, ...]


@record
class Seats(Line):
    """Exactly these seats choose, or win."""

    word: Literal["choose", "win"]
    seats: tuple[str, ...]


@record
class Sees(Line):
    seat: str
    sees: bool
    what: Expr


@record
class Reads(Line):
    """Words that an option has for a seat, or (nobody's) that were said to all."""

    seat: str | None
    reads: bool
    text: str


@record
class Scores(Line):
    seat: str
    value: Expr


@record
class Ends(Line):
    over: bool


Expectation = Holds | Offers | Seats | Sees | Reads | Scores | Ends
Part = Given | Run | Steps | Expectation


@record
class Scenario(Line):
    title: str
    heads: tuple[Head, ...]
    parts: tuple[Part, ...]

"""The part of the tree that tests rules: scenarios and what they are made of."""

from __future__ import annotations

from typing import Literal

from interpreter.frozen import frozen
from interpreter.tree.statements import Statement
from interpreter.tree.values import Expr, Line, Node


@frozen
class Head(Line):
    """What a scenario starts from, apart from the position."""

    word: Literal[
        "players", "option", "seed", "without setup", "scripted setup", "with forced choices"
    ]
    name: str | None = None
    value: Expr | None = None


@frozen
class Given(Line):
    body: tuple[Statement, ...]


@frozen
class Run(Line):
    body: tuple[Statement, ...]


@frozen
class Argument(Node):
    name: str | None
    value: Expr


@frozen
class Offer(Node):
    """Something that can be chosen: `raise(bid: 4000)`, or `choose 4000`."""

    verb: str
    arguments: tuple[Argument, ...]


@frozen
class Decision(Line):
    seat: str
    offer: Offer


@frozen
class Outcome(Line):
    """What chance brings."""

    word: Literal["draw", "roll", "random"]
    values: tuple[Expr, ...]


@frozen
class Steps(Line):
    """`when` with one step on its line, or with several under it."""

    steps: tuple[Decision | Outcome, ...]


@frozen
class Holds(Line):
    condition: Expr


@frozen
class Offers(Line):
    seat: str
    word: Literal["may", "may not", "may only"]
    offers: tuple[Offer, ...]


@frozen
class Seats(Line):
    """Exactly these seats choose, win or lose; `everybody` stands for all of them."""

    word: Literal["choose", "win", "lose"]
    seats: tuple[str, ...]


@frozen
class Sees(Line):
    seat: str
    sees: bool
    what: Expr


@frozen
class Reads(Line):
    """Words that an option has for a seat, or (nobody's) that were said to all."""

    seat: str | None
    reads: bool
    text: str


@frozen
class Scores(Line):
    seat: str
    value: Expr


@frozen
class Ends(Line):
    over: bool


Expectation = Holds | Offers | Seats | Sees | Reads | Scores | Ends
Part = Given | Run | Steps | Expectation


@frozen
class Scenario(Line):
    title: str
    heads: tuple[Head, ...]
    parts: tuple[Part, ...]

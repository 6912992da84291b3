"""The part of the tree that tests rules: scenarios and what they are made of."""

from __future__ import annotations

from typing import Literal

from interpreter.frozen import frozen
from interpreter.tree.statements import Statement
from interpreter.tree.values import Expr, Line, Node, Range


@frozen
class Head(Line):
    """What a scenario starts from, apart from the position. With several values, or a range of
    players, it is run with each of them."""

    word: Literal[
        "players", "option", "seed", "without setup", "scripted setup", "with forced choices"
    ]
    name: str | None = None
    values: tuple[Expr | Range, ...] = ()


@frozen
class Given(Line):
    body: tuple[Statement, ...]


@frozen
class Run(Line):
    body: tuple[Statement, ...]


@frozen
class RunWhole(Line):
    """The whole setup or play of the rules is run."""

    what: Literal["setup", "play"]


@frozen
class Argument(Node):
    """Of a range, every number in it is meant."""

    name: str | None
    value: Expr | Range


@frozen
class Offer(Node):
    """Something that can be chosen: `raise(bid: 4000)`, or `choose 4000`."""

    verb: str
    arguments: tuple[Argument, ...]


@frozen
class Decision(Line):
    """Each of these seats takes the same option, so many times; `everybody` stands for all of
    them, in the order in which they are asked."""

    seats: tuple[str, ...]
    offer: Offer
    times: int = 1


@frozen
class Outcome(Line):
    """What chance brings."""

    word: Literal["draw", "roll", "random"]
    values: tuple[Expr, ...]


@frozen
class StepCall(Line):
    """Steps that have a name are taken."""

    name: str
    arguments: tuple[Argument, ...]


Step = Decision | Outcome | StepCall


@frozen
class Steps(Line):
    """`when` with one step on its line, or with several under it."""

    steps: tuple[Step, ...]


@frozen
class NamedSteps(Line):
    """Steps for several scenarios; what stands for a parameter is put in its place."""

    name: str
    params: tuple[str, ...]
    steps: tuple[Step, ...]


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
Part = Given | Run | RunWhole | Steps | Expectation


@frozen
class Scenario(Line):
    """`beginning` is the title of the scenario that it goes on from."""

    title: str
    beginning: str | None
    heads: tuple[Head, ...]
    parts: tuple[Part, ...]

"""The part of the tree that does something: the statements of a body, each with its line."""

from __future__ import annotations

from typing import Literal

from interpreter.records import record
from interpreter.tree.values import Binder, Expr, Keys, Line, Node


@record
class Assign(Line):
    target: Expr
    operator: Literal[":=", "+=", "-="]
    value: Expr


@record
class AssignRandom(Line):
    target: Expr
    binder: Binder


@record
class Let(Line):
    name: str
    value: Expr


@record
class Do(Line):
    """A call of a procedure, an event or a phase."""

    call: Expr


@record
class Jump(Line):
    word: Literal["stop", "skip", "again"]


@record
class Leave(Line):
    name: str


@record
class Arm(Line):
    condition: Expr
    body: tuple[Statement, ...]


@record
class Otherwise(Line):
    body: tuple[Statement, ...]


@record
class If(Node):
    arms: tuple[Arm, ...]
    otherwise: Otherwise | None


@record
class ForEach(Line):
    binder: Binder
    keys: Keys | None
    label: str | None
    body: tuple[Statement, ...]


@record
class Repeat(Line):
    how: Literal["forever", "times", "until", "while"]
    value: Expr | None
    label: str | None
    body: tuple[Statement, ...]


@record
class Turns(Line):
    name: str | None
    start: Expr | None
    where: Expr | None
    label: str | None
    body: tuple[Statement, ...]


@record
class Sealed(Line):
    name: str
    body: tuple[Statement, ...]


@record
class LookingAhead(Line):
    body: tuple[Statement, ...]


@record
class Chooser(Node):
    """Who chooses (nobody named: `me`), and whether passing is allowed. `always`: asked even
    if there is nothing but passing, so that not being asked tells the others nothing."""

    seat: Expr | None
    may: bool
    always: bool = False


@record
class ChooseActions(Line):
    chooser: Chooser
    actions: tuple[str, ...]


@record
class ChooseValue(Line):
    chooser: Chooser
    binder: Binder
    text: str | None


@record
class When(Line):
    condition: Expr


@record
class Option(Line):
    name: str
    binders: tuple[Binder, ...]
    text: str | None
    whens: tuple[When, ...]
    body: tuple[Statement, ...]


@record
class ChooseBlock(Line):
    chooser: Chooser
    options: tuple[Option, ...]
    otherwise: Otherwise | None


@record
class Shuffle(Line):
    place: Expr


@record
class Draw(Line):
    up_to: bool
    amount: Expr
    source: Expr
    target: Expr


@record
class Move(Line):
    what: Expr
    target: Expr
    end: Literal["top", "bottom"] | None


@record
class MoveAll(Line):
    source: Expr
    target: Expr


@record
class MoveSome(Line):
    up_to: bool
    amount: Expr
    row: Expr
    source: Expr
    target: Expr


@record
class Roll(Line):
    target: Expr


@record
class Reveal(Line):
    what: Expr
    to: Expr | None


@record
class Hide(Line):
    what: Expr


@record
class Wins(Line):
    who: Expr | None


@record
class EndGame(Line):
    pass


@record
class Say(Line):
    text: str


Statement = (
    Assign
    | AssignRandom
    | Let
    | Do
    | Jump
    | Leave
    | If
    | ForEach
    | Repeat
    | Turns
    | Sealed
    | LookingAhead
    | ChooseActions
    | ChooseValue
    | ChooseBlock
    | Shuffle
    | Draw
    | Move
    | MoveAll
    | MoveSome
    | Roll
    | Reveal
    | Hide
    | Wins
    | EndGame
    | Say
)

"""The part of the tree that does something: the statements of a body, each with its line."""

from __future__ import annotations

from typing import Literal

from interpreter.frozen import frozen
from interpreter.tree.values import Binder, Expr, Keys, Line, Node, Text


@frozen
class Assign(Line):
    target: Expr
    operator: Literal[":=", "+=", "-="]
    value: Expr


@frozen
class AssignRandom(Line):
    target: Expr
    binder: Binder


@frozen
class Let(Line):
    name: str
    value: Expr


@frozen
class LetRandom(Line):
    """`let x = random p in players`."""

    name: str
    binder: Binder


@frozen
class Do(Line):
    """A call of a procedure, an event or a phase."""

    call: Expr


@frozen
class Jump(Line):
    word: Literal["stop", "skip", "again"]


@frozen
class Leave(Line):
    name: str


@frozen
class Arm(Line):
    condition: Expr
    body: tuple[Statement, ...]


@frozen
class Otherwise(Line):
    body: tuple[Statement, ...]


@frozen
class If(Node):
    arms: tuple[Arm, ...]
    otherwise: Otherwise | None


@frozen
class ForEach(Line):
    binder: Binder
    keys: Keys | None
    label: str | None
    body: tuple[Statement, ...]


@frozen
class Repeat(Line):
    how: Literal["forever", "times", "until", "while"]
    value: Expr | None
    label: str | None
    body: tuple[Statement, ...]


@frozen
class Turns(Line):
    name: str | None
    start: Expr | None
    where: Expr | None
    label: str | None
    body: tuple[Statement, ...]


@frozen
class Sealed(Line):
    name: str
    where: Expr | None
    body: tuple[Statement, ...]


@frozen
class LookingAhead(Line):
    body: tuple[Statement, ...]


@frozen
class Chooser(Node):
    """Who chooses (nobody named: `me`), and whether passing is allowed. `always`: asked even
    if there is nothing but passing, so that not being asked tells the others nothing."""

    seat: Expr | None
    may: bool
    always: bool = False


@frozen
class ChooseActions(Line):
    chooser: Chooser
    actions: tuple[str, ...]


@frozen
class ChooseValue(Line):
    chooser: Chooser
    binder: Binder
    text: Text | None


@frozen
class When(Line):
    condition: Expr


@frozen
class Option(Line):
    name: str
    binders: tuple[Binder, ...]
    text: Text | None
    whens: tuple[When | Let, ...]  # a `let` stands here if a `when` follows it
    body: tuple[Statement, ...]


@frozen
class ChooseBlock(Line):
    chooser: Chooser
    options: tuple[Option, ...]
    otherwise: Otherwise | None


@frozen
class Shuffle(Line):
    place: Expr


@frozen
class Draw(Line):
    up_to: bool
    amount: Expr
    source: Expr
    target: Expr


@frozen
class Move(Line):
    what: Expr
    target: Expr
    end: Literal["top", "bottom"] | None


@frozen
class MoveAll(Line):
    source: Expr
    target: Expr


@frozen
class MoveSome(Line):
    up_to: bool
    amount: Expr
    row: Expr
    source: Expr
    target: Expr


@frozen
class Roll(Line):
    target: Expr


@frozen
class Reveal(Line):
    what: Expr
    to: Expr | None


@frozen
class Remember(Line):
    """Of a history: the position as it is now."""

    name: str


@frozen
class Hide(Line):
    what: Expr


@frozen
class Wins(Line):
    who: Expr | None


@frozen
class Loses(Line):
    who: Expr


@frozen
class Together(Line):
    """Some win or lose together; everybody, if nobody is named."""

    word: Literal["win", "lose"]
    who: Binder | None


@frozen
class EndGame(Line):
    pass


@frozen
class Say(Line):
    text: Text
    to: Expr | None


Statement = (
    Assign
    | AssignRandom
    | Let
    | LetRandom
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
    | Remember
    | Wins
    | Loses
    | Together
    | EndGame
    | Say
)

"""The part of the tree that does something: the statements of a body, each with its line."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from interpreter.tree.values import Binder, Expr, Keys, Line, Node


@dataclass(frozen=True, slots=True)
class Assign(Line):
    target: Expr
    operator: Literal[":=", "+=", "-="]
    value: Expr


@dataclass(frozen=True, slots=True)
class AssignRandom(Line):
    target: Expr
    binder: Binder


@dataclass(frozen=True, slots=True)
class Let(Line):
    name: str
    value: Expr


@dataclass(frozen=True, slots=True)
class Do(Line):
    """A call of a procedure, an event or a phase."""

    call: Expr


@dataclass(frozen=True, slots=True)
class Jump(Line):
    word: Literal["stop", "skip", "again"]


@dataclass(frozen=True, slots=True)
class Leave(Line):
    name: str


@dataclass(frozen=True, slots=True)
class Arm(Line):
    condition: Expr
    body: tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class Otherwise(Line):
    body: tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class If(Node):
    arms: tuple[Arm, ...]
    otherwise: Otherwise | None


@dataclass(frozen=True, slots=True)
class ForEach(Line):
    binder: Binder
    keys: Keys | None
    label: str | None
    body: tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class Repeat(Line):
    how: Literal["forever", "times", "until", "while"]
    value: Expr | None
    label: str | None
    body: tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class Turns(Line):
    name: str | None
    start: Expr | None
    where: Expr | None
    label: str | None
    body: tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class Sealed(Line):
    name: str
    body: tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class LookingAhead(Line):
    body: tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class Chooser(Node):
    """Who chooses (nobody named: `me`), and whether passing is allowed. `always`: asked even
    if there is nothing but passing, so that not being asked tells the others nothing."""

    seat: Expr | None
    may: bool
    always: bool = False


@dataclass(frozen=True, slots=True)
class ChooseActions(Line):
    chooser: Chooser
    actions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ChooseValue(Line):
    chooser: Chooser
    binder: Binder
    text: str | None


@dataclass(frozen=True, slots=True)
class When(Line):
    condition: Expr


@dataclass(frozen=True, slots=True)
class Option(Line):
    name: str
    binders: tuple[Binder, ...]
    text: str | None
    whens: tuple[When, ...]
    body: tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class ChooseBlock(Line):
    chooser: Chooser
    options: tuple[Option, ...]
    otherwise: Otherwise | None


@dataclass(frozen=True, slots=True)
class Shuffle(Line):
    place: Expr


@dataclass(frozen=True, slots=True)
class Draw(Line):
    up_to: bool
    amount: Expr
    source: Expr
    target: Expr


@dataclass(frozen=True, slots=True)
class Move(Line):
    what: Expr
    target: Expr
    end: Literal["top", "bottom"] | None


@dataclass(frozen=True, slots=True)
class MoveAll(Line):
    source: Expr
    target: Expr


@dataclass(frozen=True, slots=True)
class MoveSome(Line):
    up_to: bool
    amount: Expr
    row: Expr
    source: Expr
    target: Expr


@dataclass(frozen=True, slots=True)
class Roll(Line):
    target: Expr


@dataclass(frozen=True, slots=True)
class Reveal(Line):
    what: Expr
    to: Expr | None


@dataclass(frozen=True, slots=True)
class Hide(Line):
    what: Expr


@dataclass(frozen=True, slots=True)
class Wins(Line):
    who: Expr | None


@dataclass(frozen=True, slots=True)
class EndGame(Line):
    pass


@dataclass(frozen=True, slots=True)
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

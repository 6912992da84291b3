"""The tree: one frozen class for each thing a person can write in a rule file.

Nodes say what was written, not what it means: names are not resolved and nothing is typed.
Every node knows its mark; marks do not take part in comparison, so two trees are equal when
they say the same. Nodes that stand on a line of their own also carry that line's comments
and clause citations, so that the formatter can print a file from its tree alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from interpreter.tree.values import (
    NOWHERE as NOWHERE,
)
from interpreter.tree.values import (
    Aggregate as Aggregate,
)
from interpreter.tree.values import (
    Binary as Binary,
)
from interpreter.tree.values import (
    Binder as Binder,
)
from interpreter.tree.values import (
    Call as Call,
)
from interpreter.tree.values import (
    Can as Can,
)
from interpreter.tree.values import (
    Domain as Domain,
)
from interpreter.tree.values import (
    Dot as Dot,
)
from interpreter.tree.values import (
    Every as Every,
)
from interpreter.tree.values import (
    Expr as Expr,
)
from interpreter.tree.values import (
    Extreme as Extreme,
)
from interpreter.tree.values import (
    IfElse as IfElse,
)
from interpreter.tree.values import (
    Index as Index,
)
from interpreter.tree.values import (
    Key as Key,
)
from interpreter.tree.values import (
    Keys as Keys,
)
from interpreter.tree.values import (
    Line as Line,
)
from interpreter.tree.values import (
    MemberOf as MemberOf,
)
from interpreter.tree.values import (
    Name as Name,
)
from interpreter.tree.values import (
    Node as Node,
)
from interpreter.tree.values import (
    NoneValue as NoneValue,
)
from interpreter.tree.values import (
    Number as Number,
)
from interpreter.tree.values import (
    Pick as Pick,
)
from interpreter.tree.values import (
    Players as Players,
)
from interpreter.tree.values import (
    Quantified as Quantified,
)
from interpreter.tree.values import (
    Quoted as Quoted,
)
from interpreter.tree.values import (
    Range as Range,
)
from interpreter.tree.values import (
    Rank as Rank,
)
from interpreter.tree.values import (
    Reach as Reach,
)
from interpreter.tree.values import (
    Through as Through,
)
from interpreter.tree.values import (
    Truth as Truth,
)
from interpreter.tree.values import (
    Unary as Unary,
)

# ---------------------------------------------------------------------------- statements


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

# -------------------------------------------------------------------------------- types


@dataclass(frozen=True, slots=True)
class TypeName(Node):
    name: str
    optional: bool = False


@dataclass(frozen=True, slots=True)
class TypeRange(Node):
    low: Expr
    high: Expr
    optional: bool = False


@dataclass(frozen=True, slots=True)
class TypeList(Node):
    of: TypeName | TypeRange | TypeList
    optional: bool = False


@dataclass(frozen=True, slots=True)
class PlaceType(Node):
    word: Literal["stack", "row", "set", "hand", "slot", "bag", "pool"]
    kind: str


Type = TypeName | TypeRange | TypeList
Dimension = TypeName | TypeRange

# ------------------------------------------------------------------------- declarations


@dataclass(frozen=True, slots=True)
class Game(Line):
    title: str


@dataclass(frozen=True, slots=True)
class PlayerRange(Line):
    least: int
    most: int


@dataclass(frozen=True, slots=True)
class Data(Line):
    file: str


@dataclass(frozen=True, slots=True)
class Clauses(Line):
    file: str


@dataclass(frozen=True, slots=True)
class Include(Line):
    file: str


@dataclass(frozen=True, slots=True)
class Setting(Line):
    """`option size: 3..12 = 8`: chosen before the game starts."""

    name: str
    values: Range | tuple[str, ...]
    default: Expr


@dataclass(frozen=True, slots=True)
class Require(Line):
    condition: Expr
    text: str


@dataclass(frozen=True, slots=True)
class Enum(Line):
    name: str
    members: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Row(Node):
    name: str
    copies: int


@dataclass(frozen=True, slots=True)
class RowsFrom(Node):
    path: tuple[str, ...]
    defaults: tuple[str, ...] | None


@dataclass(frozen=True, slots=True)
class RowsListed(Node):
    rows: tuple[Row, ...]


Rows = RowsListed | Range | RowsFrom


@dataclass(frozen=True, slots=True)
class Field(Line):
    name: str
    dimensions: tuple[Dimension, ...]
    type: Type
    default: Expr | None
    hidden: bool
    on_back: bool


@dataclass(frozen=True, slots=True)
class Kind(Line):
    """`kind` declares physical components, `table` rows that are only looked up."""

    word: Literal["kind", "table"]
    name: str
    rows: Rows | None
    fields: tuple[Field, ...]


@dataclass(frozen=True, slots=True)
class Shape(Node):
    word: Literal["square", "hex", "hex radius", "line", "ring"]
    sizes: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class ShapeFrom(Node):
    word: Literal["square", "hex", "graph"]
    path: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Board(Line):
    name: str
    shape: Shape | ShapeFrom
    where: Expr | None
    fields: tuple[Field, ...]


@dataclass(frozen=True, slots=True)
class Constant(Line):
    name: str
    dimensions: tuple[Dimension, ...]
    type: Type | None
    value: Expr | None
    path: tuple[str, ...] | None


@dataclass(frozen=True, slots=True)
class Attribute(Node):
    """Something said of a member after a comma, such as `face down` or `up to 3`."""

    word: Literal[
        "secret",
        "clamped",
        "active",
        "face up",
        "face down",
        "seen by",
        "up to",
        "per",
        "holds all",
        "refilled from",
    ]
    name: str | None = None
    value: Expr | None = None


@dataclass(frozen=True, slots=True)
class Member(Line):
    names: tuple[str, ...]
    dimensions: tuple[Dimension, ...]
    type: Type | PlaceType
    start: Expr | None
    attributes: tuple[Attribute, ...]


@dataclass(frozen=True, slots=True)
class Has(Line):
    """`the game has` (no owners) or `each X, Y has`."""

    owners: tuple[str, ...]
    members: tuple[Member, ...]


@dataclass(frozen=True, slots=True)
class Param(Node):
    name: str
    type: Type


@dataclass(frozen=True, slots=True)
class Group(Line):
    name: str
    params: tuple[Param, ...]
    binder: Binder


@dataclass(frozen=True, slots=True)
class Case(Line):
    value: Expr
    condition: Expr | None


@dataclass(frozen=True, slots=True)
class Function(Line):
    name: str
    params: tuple[Param, ...]
    result: Type | None
    value: Expr | None
    lets: tuple[Let, ...]
    cases: tuple[Case, ...]


@dataclass(frozen=True, slots=True)
class Quantity(Line):
    name: str
    params: tuple[Param, ...]
    value: Expr


@dataclass(frozen=True, slots=True)
class Procedure(Line):
    """`procedure` or `event`; abilities react to events only."""

    word: Literal["procedure", "event"]
    name: str
    params: tuple[Param, ...]
    body: tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class Action(Line):
    name: str
    binders: tuple[Binder, ...]
    text: str | None
    whens: tuple[When, ...]
    body: tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class Phase(Line):
    name: str
    body: tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class Modify(Line):
    quantity: str
    params: tuple[str, ...]
    value: Expr
    when: Expr | None


@dataclass(frozen=True, slots=True)
class React(Line):
    word: Literal["before", "after", "instead of"]
    may: bool
    event: str
    params: tuple[str, ...]
    when: Expr | None
    body: tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class Ability(Line):
    name: str
    once_per: str | None
    clauses: tuple[Modify | React, ...]


@dataclass(frozen=True, slots=True)
class Setup(Line):
    body: tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class Play(Line):
    body: tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class Score(Line):
    name: str
    value: Expr


@dataclass(frozen=True, slots=True)
class Winner(Line):
    name: str
    keys: Keys


@dataclass(frozen=True, slots=True)
class Always(Line):
    condition: Expr
    text: str | None


# ------------------------------------------------------------------------------ scenarios


@dataclass(frozen=True, slots=True)
class Head(Line):
    """What a scenario starts from, apart from the position."""

    word: Literal["players", "option", "seed", "without setup", "scripted setup"]
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


@dataclass(frozen=True, slots=True)
class EndsWithin(Line):
    """How many decisions a game takes at most."""

    moves: Expr


Declaration = (
    Game
    | PlayerRange
    | Data
    | Clauses
    | Include
    | Setting
    | Require
    | Enum
    | Kind
    | Board
    | Constant
    | Has
    | Group
    | Function
    | Quantity
    | Procedure
    | Action
    | Phase
    | Ability
    | Setup
    | Play
    | Score
    | Winner
    | Always
    | EndsWithin
    | Scenario
)


@dataclass(frozen=True, slots=True)
class Tree(Node):
    declarations: tuple[Declaration, ...]
    closing: tuple[str, ...] = ()

"""The tree: one frozen class for each thing a person can write in a rule file.

Nodes say what was written, not what it means: names are not resolved and nothing is typed.
Every node knows its mark; marks do not take part in comparison, so two trees are equal when
they say the same. Nodes that stand on a line of their own also carry that line's comments
and clause citations, so that the formatter can print a file from its tree alone.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from interpreter.report.source import Mark

NOWHERE = Mark("", 1, 1, 1, 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    mark: Mark = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Line(Node):
    """A node that begins a line: it may cite clauses and be commented on."""

    cites: tuple[str, ...] = ()
    before: tuple[str, ...] = ()
    after: str | None = None


# --------------------------------------------------------------------------- expressions


@dataclass(frozen=True, slots=True)
class Number(Node):
    value: int


@dataclass(frozen=True, slots=True)
class Truth(Node):
    value: bool


@dataclass(frozen=True, slots=True)
class NoneValue(Node):
    pass


@dataclass(frozen=True, slots=True)
class Name(Node):
    name: str


@dataclass(frozen=True, slots=True)
class Dot(Node):
    target: Expr
    name: str


@dataclass(frozen=True, slots=True)
class Index(Node):
    target: Expr
    arguments: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Call(Node):
    target: Expr
    arguments: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Unary(Node):
    operator: Literal["not", "-", "number of"]
    operand: Expr


@dataclass(frozen=True, slots=True)
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


@dataclass(frozen=True, slots=True)
class MemberOf(Node):
    element: Expr
    domain: Domain


@dataclass(frozen=True, slots=True)
class IfElse(Node):
    condition: Expr
    then: Expr
    otherwise: Expr


@dataclass(frozen=True, slots=True)
class Players(Node):
    pass


@dataclass(frozen=True, slots=True)
class Range(Node):
    low: Expr
    high: Expr
    step: Expr | None = None


@dataclass(frozen=True, slots=True)
class Binder(Node):
    """`name at position in domain while ... where ...`."""

    name: str
    position: str | None
    domain: Domain
    stays: Expr | None
    where: Expr | None


@dataclass(frozen=True, slots=True)
class Quantified(Node):
    word: Literal["count", "any"]
    binder: Binder


@dataclass(frozen=True, slots=True)
class Every(Node):
    binder: Binder
    condition: Expr


@dataclass(frozen=True, slots=True)
class Aggregate(Node):
    word: Literal["sum", "min", "max"]
    value: Expr
    binder: Binder
    otherwise: Expr | None = None


@dataclass(frozen=True, slots=True)
class Extreme(Node):
    word: Literal["min", "max"]
    values: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Key(Node):
    word: Literal["most", "least"]
    value: Expr


@dataclass(frozen=True, slots=True)
class Keys(Node):
    keys: tuple[Key, ...]
    ties: Literal["in order", "none", "share"]


@dataclass(frozen=True, slots=True)
class Pick(Node):
    binder: Binder
    keys: Keys


@dataclass(frozen=True, slots=True)
class Rank(Node):
    word: Literal["rank", "denseRank"]
    subject: Expr
    key: Key
    binder: Binder


@dataclass(frozen=True, slots=True)
class Through(Node):
    """`region(start through x where ...)` and `line(start through x where ...)`."""

    word: Literal["region", "line"]
    start: Expr
    name: str
    where: Expr


@dataclass(frozen=True, slots=True)
class Reach(Node):
    start: Expr
    within: Expr
    name: str
    costs: Expr


@dataclass(frozen=True, slots=True)
class Can(Node):
    steps: tuple[Expr, ...]


Expr = (
    Number
    | Truth
    | NoneValue
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
)


@dataclass(frozen=True, slots=True)
class Tree(Node):
    declarations: tuple[Declaration, ...]
    closing: tuple[str, ...] = ()

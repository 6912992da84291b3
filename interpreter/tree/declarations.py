"""The part of the tree that declares something: types, things, rules and the whole file."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from interpreter.tree.scenarios import Scenario
from interpreter.tree.statements import Let, Statement, When
from interpreter.tree.values import Binder, Expr, Keys, Line, Node, Range

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
        "not shown",
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
    text: str | None = None  # what the owner reads who may do this


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

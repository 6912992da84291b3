"""The part of the tree that declares something: types, things, rules and the whole file."""

from __future__ import annotations

from typing import Literal

from interpreter.records import record
from interpreter.tree.scenarios import Scenario
from interpreter.tree.statements import Let, Statement, When
from interpreter.tree.values import Binder, Expr, Keys, Line, Node, Range

# -------------------------------------------------------------------------------- types


@record
class TypeName(Node):
    name: str
    optional: bool = False


@record
class TypeRange(Node):
    low: Expr
    high: Expr
    optional: bool = False


@record
class TypeList(Node):
    of: TypeName | TypeRange | TypeList
    optional: bool = False


@record
class PlaceType(Node):
    word: Literal["stack", "row", "set", "hand", "slot", "bag", "pool"]
    kind: str


Type = TypeName | TypeRange | TypeList
Dimension = TypeName | TypeRange

# ------------------------------------------------------------------------- declarations


@record
class Game(Line):
    title: str


@record
class PlayerRange(Line):
    least: int
    most: int


@record
class Data(Line):
    file: str


@record
class Clauses(Line):
    file: str


@record
class Include(Line):
    file: str


@record
class Setting(Line):
    """`option size: 3..12 = 8`: chosen before the game starts."""

    name: str
    values: Range | tuple[str, ...]
    default: Expr


@record
class Require(Line):
    condition: Expr
    text: str


@record
class Enum(Line):
    name: str
    members: tuple[str, ...]


@record
class Row(Node):
    name: str
    copies: int


@record
class RowsFrom(Node):
    path: tuple[str, ...]
    defaults: tuple[str, ...] | None


@record
class RowsListed(Node):
    rows: tuple[Row, ...]


Rows = RowsListed | Range | RowsFrom


@record
class Field(Line):
    name: str
    dimensions: tuple[Dimension, ...]
    type: Type
    default: Expr | None
    hidden: bool
    on_back: bool


@record
class Kind(Line):
    """`kind` declares physical components, `table` rows that are only looked up."""

    word: Literal["kind", "table"]
    name: str
    rows: Rows | None
    fields: tuple[Field, ...]


@record
class Shape(Node):
    word: Literal["square", "hex", "hex radius", "line", "ring"]
    sizes: tuple[Expr, ...]


@record
class ShapeFrom(Node):
    word: Literal["square", "hex", "graph"]
    path: tuple[str, ...]


@record
class Board(Line):
    name: str
    shape: Shape | ShapeFrom
    where: Expr | None
    fields: tuple[Field, ...]


@record
class Constant(Line):
    name: str
    dimensions: tuple[Dimension, ...]
    type: Type | None
    value: Expr | None
    path: tuple[str, ...] | None


@record
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


@record
class Member(Line):
    names: tuple[str, ...]
    dimensions: tuple[Dimension, ...]
    type: Type | PlaceType
    start: Expr | None
    attributes: tuple[Attribute, ...]


@record
class Has(Line):
    """`the game has` (no owners) or `each X, Y has`."""

    owners: tuple[str, ...]
    members: tuple[Member, ...]


@record
class Param(Node):
    name: str
    type: Type


@record
class Group(Line):
    name: str
    params: tuple[Param, ...]
    binder: Binder


@record
class Case(Line):
    value: Expr
    condition: Expr | None


@record
class Function(Line):
    name: str
    params: tuple[Param, ...]
    result: Type | None
    value: Expr | None
    lets: tuple[Let, ...]
    cases: tuple[Case, ...]


@record
class Quantity(Line):
    name: str
    params: tuple[Param, ...]
    value: Expr


@record
class Procedure(Line):
    """`procedure` or `event`; abilities react to events only."""

    word: Literal["procedure", "event"]
    name: str
    params: tuple[Param, ...]
    body: tuple[Statement, ...]


@record
class Action(Line):
    name: str
    binders: tuple[Binder, ...]
    text: str | None
    whens: tuple[When, ...]
    body: tuple[Statement, ...]


@record
class Phase(Line):
    name: str
    body: tuple[Statement, ...]


@record
class Modify(Line):
    quantity: str
    params: tuple[str, ...]
    value: Expr
    when: Expr | None


@record
class React(Line):
    word: Literal["before", "after", "instead of"]
    may: bool
    event: str
    params: tuple[str, ...]
    when: Expr | None
    body: tuple[Statement, ...]
    text: str | None = None  # what the owner reads who may do this


@record
class Ability(Line):
    name: str
    once_per: str | None
    clauses: tuple[Modify | React, ...]


@record
class Setup(Line):
    body: tuple[Statement, ...]


@record
class Play(Line):
    body: tuple[Statement, ...]


@record
class Score(Line):
    name: str
    value: Expr


@record
class Winner(Line):
    name: str
    keys: Keys


@record
class Always(Line):
    condition: Expr
    text: str | None


@record
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


@record
class Tree(Node):
    declarations: tuple[Declaration, ...]
    closing: tuple[str, ...] = ()

"""The part of the tree that declares something: types, things, rules and the whole file."""

from __future__ import annotations

from typing import Literal

from interpreter.frozen import frozen
from interpreter.tree.scenarios import NamedSteps, Scenario
from interpreter.tree.statements import Let, Statement, When
from interpreter.tree.values import Binder, Expr, Keys, Line, Node, Range, Text

# -------------------------------------------------------------------------------- types


@frozen
class TypeName(Node):
    name: str
    optional: bool = False


@frozen
class TypeRange(Node):
    low: Expr
    high: Expr
    optional: bool = False


@frozen
class TypeList(Node):
    of: TypeName | TypeRange | TypeList
    optional: bool = False


@frozen
class PlaceType(Node):
    word: Literal["stack", "row", "set", "hand", "slot", "bag", "pool"]
    kind: str


Type = TypeName | TypeRange | TypeList
Dimension = TypeName | TypeRange

# ------------------------------------------------------------------------- declarations


@frozen
class Game(Line):
    title: str


@frozen
class PlayerRange(Line):
    least: int
    most: int


@frozen
class Data(Line):
    file: str


@frozen
class Clauses(Line):
    file: str


@frozen
class Include(Line):
    file: str


@frozen
class Setting(Line):
    """`option size: 3..12 = 8`: chosen before the game starts."""

    name: str
    values: Range | tuple[str, ...]
    default: Expr
    printed: tuple[str, ...] = ()  # as in `Enum`


@frozen
class Require(Line):
    condition: Expr
    text: str


@frozen
class Enum(Line):
    """`printed`: what people read, if that is said of any member; "" where it is not."""

    name: str
    members: tuple[str, ...]
    printed: tuple[str, ...] = ()


@frozen
class Row(Node):
    name: str
    copies: int
    printed: str = ""


@frozen
class RowsFrom(Node):
    path: tuple[str, ...]
    defaults: tuple[str, ...] | None


@frozen
class RowsListed(Node):
    rows: tuple[Row, ...]


@frozen
class Factor(Node):
    """`suit in Suit`: a field that takes every value of a type. Without a name it is called after
    the type."""

    name: str | None
    of: Dimension


@frozen
class RowsProduct(Node):
    """`suit in Suit by rank in 1..13`: a row for each way to put them together."""

    factors: tuple[Factor, ...]
    where: Expr | None
    copies: Expr | None
    text: Text | None


Rows = RowsListed | Range | RowsFrom | RowsProduct


@frozen
class Field(Line):
    name: str
    dimensions: tuple[Dimension, ...]
    type: Type
    default: Expr | None
    hidden: bool
    on_back: bool


@frozen
class Kind(Line):
    """`kind` declares physical components, `table` rows that are only looked up."""

    word: Literal["kind", "table"]
    name: str
    rows: Rows | None
    fields: tuple[Field, ...]


@frozen
class Shape(Node):
    word: Literal["square", "hex", "hex radius", "line", "ring"]
    sizes: tuple[Expr, ...]


@frozen
class ShapeFrom(Node):
    word: Literal["square", "hex", "graph"]
    path: tuple[str, ...]


@frozen
class Board(Line):
    name: str
    shape: Shape | ShapeFrom
    where: Expr | None
    fields: tuple[Field, ...]


@frozen
class Constant(Line):
    """`more`: the other values of a table or a list, after the first."""

    name: str
    dimensions: tuple[Dimension, ...]
    type: Type | None
    value: Expr | None
    path: tuple[str, ...] | None
    more: tuple[Expr, ...] = ()


@frozen
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


@frozen
class Member(Line):
    names: tuple[str, ...]
    dimensions: tuple[Dimension, ...]
    type: Type | PlaceType
    start: Expr | None
    attributes: tuple[Attribute, ...]
    printed: tuple[str, ...] = ()  # as in `Enum`


@frozen
class Has(Line):
    """`the game has` (no owners) or `each X, Y has`."""

    owners: tuple[str, ...]
    members: tuple[Member, ...]


@frozen
class GivenPlace(Node):
    """`hand of Card`, or `place of Card` for a place of any sort: a place that is passed on."""

    word: Literal["place", "stack", "row", "set", "hand", "slot", "bag", "pool"]
    kind: str


@frozen
class Kept(Line):
    """A part of a position: one value, or one for each element."""

    value: Expr
    binders: tuple[Binder, ...]


@frozen
class History(Line):
    """The last positions that `remember` was said of. What is kept is what makes two the same."""

    name: str
    size: Expr
    attributes: tuple[Attribute, ...]
    kept: tuple[Kept, ...]


@frozen
class Param(Node):
    name: str
    type: Type | GivenPlace


@frozen
class Group(Line):
    name: str
    params: tuple[Param, ...]
    binder: Binder


@frozen
class Case(Line):
    value: Expr
    condition: Expr | None


@frozen
class Function(Line):
    name: str
    params: tuple[Param, ...]
    result: Type | None
    value: Expr | None
    lets: tuple[Let, ...]
    cases: tuple[Case, ...]


@frozen
class Quantity(Line):
    name: str
    params: tuple[Param, ...]
    value: Expr


@frozen
class Procedure(Line):
    """`procedure` or `event`; abilities react to events only."""

    word: Literal["procedure", "event"]
    name: str
    params: tuple[Param, ...]
    body: tuple[Statement, ...]


@frozen
class Action(Line):
    name: str
    binders: tuple[Binder, ...]
    text: Text | None
    whens: tuple[When | Let, ...]
    body: tuple[Statement, ...]


@frozen
class Phase(Line):
    name: str
    body: tuple[Statement, ...]


@frozen
class Modify(Line):
    quantity: str
    params: tuple[str, ...]
    value: Expr
    when: Expr | None


@frozen
class React(Line):
    word: Literal["before", "after", "instead of"]
    may: bool
    event: str
    params: tuple[str, ...]
    when: Expr | None
    body: tuple[Statement, ...]
    text: Text | None = None  # what the owner reads who may do this


@frozen
class Ability(Line):
    name: str
    once_per: str | None
    clauses: tuple[Modify | React, ...]


@frozen
class Setup(Line):
    body: tuple[Statement, ...]


@frozen
class Play(Line):
    body: tuple[Statement, ...]


@frozen
class Score(Line):
    name: str
    value: Expr


@frozen
class Winner(Line):
    name: str
    keys: Keys


@frozen
class Always(Line):
    condition: Expr
    text: str | None


@frozen
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
    | History
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
    | NamedSteps
)


@frozen
class Remark(Node):
    """Comments with an empty line below, above the declaration of that number, counted from 0: they
    are about more than this declaration, such as about the whole game."""

    above: int
    comments: tuple[str, ...]


@frozen
class Tree(Node):
    declarations: tuple[Declaration, ...]
    closing: tuple[str, ...] = ()
    remarks: tuple[Remark, ...] = ()

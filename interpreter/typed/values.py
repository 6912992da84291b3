"""The part of the typed tree that has a value: what an expression is, once all names are settled.

Every value knows its type and where it was written. A name is replaced by what it refers to: a
`Local` of the body, a variable, a place, a field, a function, or a constant. What must be tested
while playing stands in the tree as `Fit`. What was already reported is `Broken`, so that a tree can
be built for a file with mistakes in it.

A place and a list are values of a sort here (`PlaceAt`, `ListOf`), though no variable can hold one:
what stands around them says what is done with them.
"""

from __future__ import annotations

from dataclasses import field
from typing import Literal

from interpreter.frozen import frozen
from interpreter.model.ruleset import BoardInfo, ConstantInfo, FieldInfo, Place, Variable
from interpreter.model.types import Type
from interpreter.report.source import Mark
from interpreter.typed.known import Broken as Broken
from interpreter.typed.known import Constant as Constant
from interpreter.typed.known import Local as Local
from interpreter.typed.known import LocalSort as LocalSort
from interpreter.typed.known import Named as Named
from interpreter.typed.known import Nothing as Nothing
from interpreter.typed.known import Typed as Typed

# ------------------------------------------------------------------------------- reading


@frozen
class LocalValue(Typed):
    local: Local


@frozen
class Read(Typed):
    """One entry of a variable."""

    variable: Variable
    indexes: tuple[Value, ...]


@frozen
class ConstantAt(Typed):
    """One entry of a constant with indexes."""

    constant: ConstantInfo
    indexes: tuple[Value, ...]


@frozen
class FieldOf(Typed):
    """A column of the data: of a piece, a row (of sort `row` or `table`) or a cell."""

    info: FieldInfo
    of: Value
    indexes: tuple[Value, ...]


@frozen
class ListOf(Typed):
    """A column whose entries are lists."""

    info: FieldInfo
    of: Value
    indexes: tuple[Value, ...]


@frozen
class ListItem(Typed):
    """The n-th of a list, counted from 1."""

    list: ListOf
    position: Value


@frozen
class PlaceAt(Typed):
    """A place: which one, and which of its instances."""

    place: Place
    indexes: tuple[Value, ...]


@frozen
class Content(Typed):
    """The piece in a slot, or none."""

    place: PlaceAt


@frozen
class PoolCount(Typed):
    """How many of a row lie in a pool."""

    place: PlaceAt
    row: Value


@frozen
class RowOf(Typed):
    """The row of a piece, to be compared with the name of a row."""

    piece: Value


@frozen
class Call(Typed):
    """A declared function or quantity. It is looked up in `Rules.functions`, because functions may
    call each other."""

    function: str
    arguments: tuple[Value, ...]


@frozen
class Builtin(Typed):
    """A function that the language brings along: a row of `builtins.FUNCTIONS`."""

    name: str
    arguments: tuple[Value, ...]


@frozen
class Property(Typed):
    """`row`, `column` or `onEdge` of a cell."""

    name: Literal["row", "column", "onEdge"]
    board: BoardInfo
    cell: Value


# ------------------------------------------------------------------------------- working


@frozen
class Fit(Typed):
    """A value where a certain type is needed; what the types leave open is tested while playing."""

    value: Value


@frozen
class Not(Typed):
    operand: Value


@frozen
class Negate(Typed):
    operand: Value


@frozen
class Logic(Typed):
    word: Literal["and", "or"]
    left: Value
    right: Value


ArithmeticWord = Literal["add", "subtract", "multiply", "divide", "divideUp", "modulo"]
CompareWord = Literal["equal", "unequal", "less", "atMost", "more", "atLeast"]


@frozen
class Arithmetic(Typed):
    """`safe`: the bounds of both sides show that the result needs no test for overflow."""

    word: ArithmeticWord
    left: Value
    right: Value
    safe: bool


@frozen
class Compare(Typed):
    """Both sides are of one type; one of them may be `Nothing`."""

    word: CompareWord
    left: Value
    right: Value


@frozen
class IfElse(Typed):
    condition: Value
    then: Value
    otherwise: Value


@frozen
class Extreme(Typed):
    word: Literal["min", "max"]
    values: tuple[Value, ...]


@frozen
class MemberOf(Typed):
    """`rows`: the element is a row, and what is gone through are pieces."""

    element: Value
    domain: Domain
    rows: bool


@frozen
class NumberOf(Typed):
    domain: Domain


@frozen
class Quantified(Typed):
    word: Literal["count", "any"]
    binder: Binder


@frozen
class Every(Typed):
    binder: Binder
    condition: Value


@frozen
class Aggregate(Typed):
    """`more`: binders inside the first, each inside the one before."""

    word: Literal["sum", "min", "max"]
    value: Value
    binder: Binder
    otherwise: Value | None
    more: tuple[Binder, ...] = ()


@frozen
class Key:
    word: Literal["most", "least"]
    value: Value
    mark: Mark = field(compare=False, repr=False)


@frozen
class Keys:
    keys: tuple[Key, ...]
    ties: Literal["in order", "none", "share"]
    mark: Mark = field(compare=False, repr=False)


@frozen
class Pick(Typed):
    binder: Binder
    keys: Keys


@frozen
class Rank(Typed):
    word: Literal["rank", "denseRank"]
    subject: Value
    key: Key
    binder: Binder


@frozen
class Line(Typed):
    """The longest straight row of cells through one cell, all of which satisfy the condition."""

    board: BoardInfo
    start: Value
    local: Local
    where: Value


@frozen
class Way(Typed):
    """How many steps the shortest way takes on which every step satisfies the condition; -1 if
    there is none. `origin`: the cell that a step comes from."""

    board: BoardInfo
    start: Value
    end: Value
    local: Local
    origin: Local | None
    where: Value


@frozen
class Step:
    """A procedure that is tried out, with its arguments as they are when it is asked."""

    procedure: str
    arguments: tuple[Value, ...]
    mark: Mark = field(compare=False, repr=False)


@frozen
class Can(Typed):
    steps: tuple[Step, ...]


@frozen
class WhatIf(Typed):
    """A value as it would be if the steps were carried out, which never stop."""

    value: Value
    steps: tuple[Step, ...]


@frozen
class Kept:
    """A part of a position: a value, for each of what the binders go through, which is known before
    a game begins."""

    value: Value
    binders: tuple[Binder, ...]
    mark: Mark = field(compare=False, repr=False)


@frozen
class TimesSeen(Typed):
    """How often the position as it is now was remembered. `history`: where that is kept."""

    history: Read
    kept: tuple[Kept, ...]


Value = (
    Constant
    | Nothing
    | Broken
    | LocalValue
    | Read
    | ConstantAt
    | FieldOf
    | ListOf
    | ListItem
    | PlaceAt
    | Content
    | PoolCount
    | RowOf
    | Call
    | Builtin
    | Property
    | Fit
    | Not
    | Negate
    | Logic
    | Arithmetic
    | Compare
    | IfElse
    | Extreme
    | MemberOf
    | NumberOf
    | Quantified
    | Every
    | Aggregate
    | Pick
    | Rank
    | Line
    | Way
    | Can
    | WhatIf
    | TimesSeen
)

# -------------------------------------------------------------- what can be gone through


@frozen(kw_only=True)
class Through:
    """`type`: of each element. `bound`: how many there can be at most."""

    type: Type
    bound: int
    mark: Mark = field(compare=False, repr=False)


@frozen
class Nowhere(Through):
    """What was reported already."""


@frozen
class AllPlayers(Through):
    pass


@frozen
class AllOf(Through):
    """Every value of a type: an enum, a kind, a table, the cells of a board."""


@frozen
class Range(Through):
    """Numbers, or the members of an enum from one to another."""

    low: Value
    high: Value
    step: Value | None


@frozen
class Listed(Through):
    """Values that are written one after the other, all of the type of the elements."""

    values: tuple[Value, ...]


@frozen
class InPlace(Through):
    place: PlaceAt


@frozen
class InList(Through):
    list: ListOf


@frozen
class InGroup(Through):
    """A declared group with its arguments; its own binder is in `Rules.groups`."""

    group: str
    arguments: tuple[Value, ...]


@frozen
class Seats(Through):
    """`playersFrom(p)` and `playersAfter(p)`."""

    word: Literal["playersFrom", "playersAfter"]
    start: Value


@frozen
class Around(Through):
    """The cells beside one."""

    word: Literal["neighbours", "adjacent", "diagonals"]
    board: BoardInfo
    cell: Value


@frozen
class Ray(Through):
    board: BoardInfo
    cell: Value
    direction: Value


@frozen
class Region(Through):
    """Flood from a cell through neighbours that satisfy the condition. `origin`: the cell that a
    step comes from; where it has a name, the start is not tested."""

    board: BoardInfo
    start: Value
    local: Local
    origin: Local | None
    where: Value


@frozen
class Reach(Through):
    """Cheapest ways within a budget; the position of a cell is its price."""

    board: BoardInfo
    start: Value
    within: Value
    local: Local
    origin: Local | None
    costs: Value


Domain = (
    Nowhere | AllPlayers | AllOf | Range | Listed | InPlace | InList | InGroup | Seats | Around
    | Ray | Region | Reach
)  # fmt: skip


@frozen
class Binder:
    """`element at position in domain while stays where where`, or `until ends`: the first for
    which that holds is the last one."""

    element: Local
    position: Local | None
    domain: Domain
    stays: Value | None
    ends: Value | None
    where: Value | None
    mark: Mark = field(compare=False, repr=False)

    @property
    def tests(self) -> tuple[Value, ...]:
        """What decides which elements are gone through, in the order it is looked at."""
        found = (self.stays, self.ends, self.where)
        return tuple(each for each in found if each is not None)

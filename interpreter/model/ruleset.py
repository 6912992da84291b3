"""What a ruleset declares, resolved and specialised: plain data for the lowering."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

from interpreter.frozen import frozen
from interpreter.model.types import Type
from interpreter.report.source import Mark
from interpreter.report.visible import spaced
from interpreter.tree import nodes


@frozen
class Dimension:
    """One index of a variable: the type it takes and the values it runs over."""

    type: Type
    size: int
    offset: int = 0


@dataclass(slots=True)
class FieldInfo:
    name: str
    type: Type
    dimensions: tuple[Dimension, ...]
    hidden: bool
    mark: Mark
    on_back: bool = False  # seen wherever the piece lies
    default: int | None = None
    worked: nodes.Expr | None = None  # a default that is worked out from other fields of its row
    values: list[int] = field(default_factory=list)  # row-major: row, then dimensions
    starts: list[int] = field(default_factory=list)  # for lists: where in `pool`
    lengths: list[int] = field(default_factory=list)
    pool: list[int] = field(default_factory=list)

    @property
    def has_default(self) -> bool:
        return self.default is not None or self.worked is not None


@dataclass(slots=True)
class RowInfo:
    name: str
    label: str
    copies: int = 1
    sign: str = ""  # how the terminal draws it
    note: str = ""  # what is printed on it


@dataclass(slots=True)
class KindInfo:
    name: str
    physical: bool
    mark: Mark
    rows: list[RowInfo] = field(default_factory=list)
    fields: dict[str, FieldInfo] = field(default_factory=dict)
    fungible: bool = False  # lives in pools: counted, not tracked piece by piece
    placed: bool = False  # some place holds this kind
    ability_field: str | None = None
    nested: bool = False  # its rows are written where they are used, inside other rows
    factors: tuple[str, ...] = ()  # the fields of which its rows are a product
    source: str = ""  # the part of the data its rows come from

    @property
    def plural(self) -> str:
        """What several are called: so the author calls the data, if it is the same word."""
        same = self.source[:3].casefold() == self.name[:3].casefold()
        return spaced(self.source) if same else ""

    @property
    def components(self) -> list[int]:
        """The row of each component, copies side by side."""
        return [row for row, info in enumerate(self.rows) for _ in range(info.copies)]

    @property
    def tracked(self) -> bool:
        """Each piece has an identity and a place of its own."""
        return self.physical and not self.fungible

    @property
    def hidden(self) -> bool:
        return any(info.hidden for info in self.fields.values())


@dataclass(slots=True)
class BoardInfo:
    name: str
    shape: str
    mark: Mark
    cells: list[str]
    coordinates: list[tuple[int, int]]
    directions: list[str]
    steps: list[list[int]]  # steps[direction][cell], -1 off the board
    orthogonal: list[int]  # the directions `neighbours` uses
    axes: list[int]  # one direction of each opposite pair
    opposite: list[int]
    fields: dict[str, FieldInfo] = field(default_factory=dict)
    rows: list[RowInfo] = field(default_factory=list)  # of a board from data: one a cell
    width: int = 0
    height: int = 0
    longest_ray: int = 0  # how many cells it has

    @property
    def is_flat(self) -> bool:
        """Whether its cells lie in columns and rows."""
        return self.shape in ("square", "hex")


@dataclass(slots=True)
class Variable:
    name: str
    dimensions: tuple[Dimension, ...]
    type: Type
    start: nodes.Expr | None
    mark: Mark
    secret: bool = False  # not everybody sees it
    unseen: bool = False  # not even its owner
    clamped: bool = False
    scope: str | None = None
    plain_range: bool = False  # its bounds are written as numbers
    remembers: bool = False  # a history: how many were remembered, then their numbers
    address: int = -1

    @property
    def size(self) -> int:
        return size_of(self.dimensions)


@frozen
class History:
    """What was remembered lies in a variable of the same name, whose size is known when the parts
    of a position have their types."""

    written: nodes.History
    size: int
    variable: Variable


PlaceWord = Literal["stack", "row", "set", "hand", "slot", "bag", "pool"]


@dataclass(slots=True)
class Place:
    name: str
    word: PlaceWord
    dimensions: tuple[Dimension, ...]
    kind: str
    mark: Mark
    capacity: int
    seen: Literal["all", "owner", "nobody"]
    active: bool = False
    refill: str | None = None
    holds_all: bool = False
    holds_where: nodes.Expr | None = None
    by_position: bool = False  # somebody chooses unseen pieces of it, told apart by where they lie
    first: int = -1  # instance number of the first of `size` instances
    address: int = -1

    @property
    def size(self) -> int:
        return size_of(self.dimensions)

    @property
    def ordered(self) -> bool:
        return self.word in ("stack", "row", "slot")

    @property
    def stride(self) -> int:
        """Integers per instance: count, size of the unordered part, how many lie under it,
        contents; pools count rows only."""
        return self.capacity if self.word == "pool" else self.capacity + 3


@frozen
class ConstantInfo:
    """A list is a table by position, from 1, that can also be gone through."""

    name: str
    type: Type
    dimensions: tuple[Dimension, ...]
    values: tuple[int, ...]
    listed: bool = False


@dataclass(slots=True)
class Ruleset:
    title: str
    players: int
    options: dict[str, Any]
    enums: dict[str, list[str]] = field(default_factory=dict)
    labels_of: dict[str, dict[str, str]] = field(default_factory=dict)  # of enums: printed names
    kinds: dict[str, KindInfo] = field(default_factory=dict)
    boards: dict[str, BoardInfo] = field(default_factory=dict)
    constants: dict[str, ConstantInfo] = field(default_factory=dict)
    variables: dict[str, Variable] = field(default_factory=dict)
    places: dict[str, Place] = field(default_factory=dict)
    histories: dict[str, History] = field(default_factory=dict)
    functions: dict[str, nodes.Function | nodes.Quantity] = field(default_factory=dict)
    groups: dict[str, nodes.Group] = field(default_factory=dict)
    procedures: dict[str, nodes.Procedure | nodes.Phase] = field(default_factory=dict)
    actions: dict[str, nodes.Action] = field(default_factory=dict)
    abilities: dict[str, nodes.Ability] = field(default_factory=dict)
    setup: list[nodes.Setup] = field(default_factory=list)
    play: nodes.Play | None = None
    score: nodes.Score | None = None
    winner: nodes.Winner | None = None
    always: list[nodes.Always] = field(default_factory=list)
    most_moves: int | None = None
    labels: set[str] = field(default_factory=set)
    printed: dict[str, str] = field(default_factory=dict)  # of variables and places
    not_shown: set[str] = field(default_factory=set)  # members that people need not see
    in_scenarios: frozenset[str] = frozenset()  # names that scenarios mention
    broken: set[str] = field(default_factory=set)  # declared, but with a mistake already told
    file: str = ""  # the one that names the game
    declared: dict[str, Mark] = field(default_factory=dict)  # where each name is declared

    def member_labels(self, enum: str) -> tuple[str, ...]:
        """What people read of the members of an enum: what is printed, or the name in words."""
        printed = self.labels_of.get(enum, {})
        return tuple(printed.get(member) or spaced(member) for member in self.enums[enum])

    def type_size(self, type_: Type) -> int | None:
        """How many values a type has, if that is a known small number."""
        match type_.sort:
            case "player":
                return self.players
            case "bool":
                return 2
            case "enum":
                return len(self.enums[type_.name])
            case "kind" | "table":
                kind = self.kinds[type_.name]
                return len(kind.components) if kind.tracked else len(kind.rows)
            case "board":
                return len(self.boards[type_.name].cells)
            case "direction":
                return len(self.boards[type_.name].directions)
            case "int":
                return type_.high - type_.low + 1
            case _:
                return None


def size_of(dimensions: tuple[Dimension, ...]) -> int:
    size = 1
    for dimension in dimensions:
        size *= dimension.size
    return size

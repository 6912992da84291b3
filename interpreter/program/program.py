"""A whole program: code, tables, layout and the words needed to speak about them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from interpreter.frozen import frozen
from interpreter.model.types import Type
from interpreter.program.layout import Layout
from interpreter.program.ops import Function, Instruction, Label, Menu, Routine
from interpreter.report.source import Mark


@frozen
class Param:
    """An argument of an option. `form` says how a piece is named: by its row, when its
    chooser sees it in one place (`copy`: copies differ by what lies on them and are counted),
    or by place and position."""

    name: str
    type: Type
    form: Literal["value", "row", "copy", "place"] = "value"


@frozen
class Action:
    name: str
    params: tuple[Param, ...]
    text: Saying | None


@frozen
class Saying:
    """A text with gaps: literal parts and, between them, values of these types.

    In an action's text a value is computed by a function of the action's arguments.
    """

    parts: tuple[str, ...]
    types: tuple[Type, ...]
    functions: tuple[int, ...] = ()
    private: bool = False  # a line for one seat, which is one value more


@frozen
class Spot:
    """A place in the rules that can fail while playing."""

    mark: Mark
    phase: str
    cites: tuple[str, ...] = ()


@frozen
class Part:
    """An operand of an expectation, as it was written; or what its function emits: the elements
    that a quantifier has found or broken at, which are called so."""

    text: str
    function: int
    type: Type
    elements: Literal["found", "broken"] | None = None


@frozen
class Probe:
    """A question to a state: a function without arguments.

    With a `kind` the answer is one of its pieces, or the number of a `place` for them; with `cell`
    it is the address of a variable.
    """

    function: int
    parts: tuple[Part, ...] = ()
    kind: str | None = None
    cell: bool = False
    place: bool = False


@frozen
class Trial:
    """A scenario: the routine that makes its position, those that are run one after the other,
    and a probe for each of its parts that asks something."""

    given: int
    runs: tuple[int, ...]
    probes: tuple[Probe | None, ...]


@frozen
class BoardWords:
    name: str
    shape: str
    cells: tuple[str, ...]
    coordinates: tuple[tuple[int, int], ...]
    directions: tuple[str, ...]
    labels: tuple[str, ...] = ()  # printed names, where they are not the names


NAMELESS = "is ahead in what decides then"  # what has no name in the rules


@frozen
class Judged:
    """One thing that decides who has won: a function of a seat, whose least value is the best, and
    what the best of it does, in words: `has the most gold`."""

    function: int
    best: str


@dataclass(slots=True, eq=False, weakref_slot=True)
class Program:
    """Nothing here is worked out later on: see `once.py`."""

    title: str
    players: int
    options: dict[str, str | int]
    layout: Layout = field(default_factory=Layout)
    tables: list[tuple[int, ...]] = field(default_factory=list)
    functions: list[Function] = field(default_factory=list)
    routines: list[Routine] = field(default_factory=list)
    code: list[Instruction] = field(default_factory=list)
    menus: list[Menu] = field(default_factory=list)
    actions: list[Action] = field(default_factory=list)
    events: list[str] = field(default_factory=list)  # what chance is asked for, in words
    event_types: list[Type] = field(default_factory=list)
    sayings: list[Saying] = field(default_factory=list)
    spots: list[Spot] = field(default_factory=list)
    enums: dict[str, tuple[str, ...]] = field(default_factory=dict)
    labels: dict[str, tuple[str, ...]] = field(
        default_factory=dict
    )  # for people, of enums and tables
    printed: dict[str, str] = field(default_factory=dict)  # of variables and places
    boards: dict[str, BoardWords] = field(default_factory=dict)
    signs: dict[str, tuple[str, ...]] = field(default_factory=dict)  # of rows and cells
    start: Label = field(default_factory=Label)
    initial: list[tuple[int, int]] = field(default_factory=list)  # cells that do not start as 0
    score: int = -1  # function of a seat
    winners: int = -1  # function giving a bit mask
    judged: list[Judged] = field(default_factory=list)  # what it goes by, the weightiest first
    always: list[tuple[int, str, int]] = field(default_factory=list)
    not_shown: frozenset[str] = frozenset()  # members that people need not see
    most_moves: int | None = None  # decisions of a game, as its author says
    cited: list[tuple[Mark, tuple[str, ...]]] = field(default_factory=list)  # if watched
    trials: list[Trial] = field(default_factory=list)
    rules_hash: str = ""

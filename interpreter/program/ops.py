"""The operations a ruleset is lowered to.

Three layers, each closed:
- expressions give one 64-bit integer;
- statements change the buffer or the locals of the code they stand in, and never stop;
- instructions are what a game is resumed at: they may stop for a decision or for chance.

A function has locals of its own and may be called from anywhere. A routine may stop, so its
variables are cells of the buffer at fixed addresses: routines never recurse, hence each needs
its frame only once, and frames that cannot be alive together share their addresses. Nothing
here needs Python: no strings, no objects, no dictionaries at run time.

`at` is an index into `Program.marks`, for the message when it fails; -1: it cannot, as is shown.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from interpreter.frozen import frozen
from interpreter.model.types import Type

# ---------------------------------------------------------------------------- expressions


@frozen
class Const:
    value: int


@frozen
class Local:
    index: int


@frozen
class LocalAt:
    """One of `size` locals that stand together."""

    base: int
    index: Expr
    size: int


@frozen
class Memory:
    address: int


@frozen
class MemoryAt:
    base: int
    index: Expr
    size: int
    at: int = -1


@frozen
class Lookup:
    """A constant table. `none` is asked for before, so the index lies inside it."""

    table: int
    index: Expr


UnaryWord = Literal["negate", "not"]
BinaryWord = Literal[
    "add", "subtract", "multiply", "divide", "divideUp", "modulo",
    "equal", "unequal", "less", "atMost", "more", "atLeast",
    "and", "or", "min", "max", "bitAnd", "bitOr", "shift",
]  # fmt: skip


@frozen
class Unary:
    word: UnaryWord
    operand: Expr
    at: int = -1


@frozen
class Binary:
    """`and` and `or` look at the right side only if the left leaves the question open."""

    word: BinaryWord
    left: Expr
    right: Expr
    at: int = -1


@frozen
class Choice:
    condition: Expr
    then: Expr
    otherwise: Expr


@frozen
class Call:
    function: int
    arguments: tuple[Expr, ...]
    at: int = -1


@frozen
class Sequence:
    """Run statements, then give the result."""

    statements: tuple[Statement, ...]
    result: Expr


@frozen
class Within:
    """The value itself, which must lie between the bounds; otherwise failure `code`."""

    value: Expr
    low: int
    high: int
    code: str
    at: int


@frozen
class Can:
    """Whether a routine can be carried through to its end, tried out on a copy."""

    routine: int
    arguments: tuple[Expr, ...]
    at: int


@frozen
class WhatIf:
    """The value after some statements, whose changes are put back when it is known. All cells that
    they can write are kept meanwhile (trials.py), which costs a step for every few of them."""

    steps: tuple[Statement, ...]
    value: Expr
    at: int


Expr = (
    Const | Local | LocalAt | Memory | MemoryAt | Lookup | Unary | Binary | Choice | Call
    | Sequence | Within | Can | WhatIf
)  # fmt: skip

# ----------------------------------------------------------------------------- statements


@frozen
class SetLocal:
    index: int
    value: Expr


@frozen
class SetLocalAt:
    base: int
    index: Expr
    size: int
    value: Expr


@frozen
class SetMemory:
    address: int
    value: Expr


@frozen
class SetMemoryAt:
    base: int
    index: Expr
    size: int
    value: Expr
    at: int = -1


@frozen
class When:
    condition: Expr
    then: tuple[Statement, ...]
    otherwise: tuple[Statement, ...] = ()


@frozen
class CountLoop:
    """For each whole number from low to below high; costs that many steps at its start."""

    local: int
    low: Expr
    high: Expr
    body: tuple[Statement, ...]
    at: int = -1


@frozen
class While:
    """Costs one step each time round."""

    condition: Expr
    body: tuple[Statement, ...]
    at: int = -1


@frozen
class Reach:
    """For each cell of a board that can be reached within the budget, in order, but for the start.

    The price of each lies in the `cells` locals from `prices` on, -1 where there is no way. The
    table `ways` has for every direction the cell beside each cell, or -1. `cost` is what it costs
    to enter the cell in the local `target` from the one in `origin` (-1: nobody asks for that);
    below zero says that it cannot be entered.

    Prices are settled in rounds over all cells, until none falls any more. That costs a step for
    each cell before and after, one for each round and each cell in it, and one for each direction
    that is looked in.
    """

    local: int
    budget: Expr
    start: Expr
    cells: int
    ways: int
    directions: int
    target: int
    cost: Expr
    prices: int
    body: tuple[Statement, ...]
    at: int
    origin: int = -1


@frozen
class Break:
    pass


@frozen
class Continue:
    pass


@frozen
class Return:
    value: Expr


@frozen
class Emit:
    """Offer an option (its arguments) or a chance outcome (weight first)."""

    values: tuple[Expr, ...]


@frozen
class Fail:
    code: str
    at: int


@frozen
class Evaluate:
    """Call a function for what it does."""

    value: Expr


@frozen
class MovePiece:
    """`whole`: it is one of all the pieces of a place, which go together."""

    kind: int
    piece: Expr
    place: Expr
    bottom: bool
    at: int
    whole: bool = False


@frozen
class ShufflePlace:
    kind: int
    place: Expr


@frozen
class Know:
    """Let the seats of a bit mask know a piece, or (`forget`) leave only what they may see."""

    kind: int
    piece: Expr
    seats: Expr
    forget: bool = False


@frozen
class Tell:
    """A line for the log: `Program.sayings[saying]` with these values."""

    saying: int
    values: tuple[Expr, ...]


@frozen
class Cite:
    """A line is carried out; only in programs that are built to be watched."""

    line: int  # in Program.cited


Statement = (
    SetLocal | SetLocalAt | SetMemory | SetMemoryAt | When | CountLoop | While | Reach | Break
    | Continue | Return | Emit | Fail | Evaluate | MovePiece | ShufflePlace | Know | Tell | Cite
)  # fmt: skip

# --------------------------------------------------------------------------- instructions


@dataclass(slots=True)
class Label:
    """A place in the code, known once it is reached."""

    position: int = -1


@frozen
class Do:
    statements: tuple[Statement, ...]
    locals: int
    at: int = -1


@frozen
class Goto:
    target: Label


@frozen
class Unless:
    """Go on if the condition holds, else to the target."""

    condition: Expr
    target: Label
    locals: int
    at: int = -1


@frozen
class Invoke:
    routine: int
    arguments: tuple[Expr, ...]
    locals: int
    at: int = -1


@frozen
class Finish:
    """Leave a routine: clear its frame and go back to where it was invoked."""

    routine: int


@frozen
class Decide:
    """Stop for a decision of `seat`, unless there is nothing or only one thing to choose."""

    menu: int
    seat: Expr
    otherwise: Label | None
    locals: int
    at: int


@frozen
class Chance:
    """Draw an outcome by weight and put it into a cell of the buffer.

    `variable` and `index` say where the outcome is going to be kept, if that is a variable:
    who may see it depends on that. `pool` and `index` say to which pool it is drawn.
    """

    generator: int
    address: int
    event: int
    at: int
    variable: int = -1  # of `Layout.variables`
    index: Expr | None = None
    pool: int = -1  # of `Layout.places`


@frozen
class Sealed:
    """All seats decide at once, unseen. Each runs the body by itself with its own choices;
    when all are complete, the bodies are carried out in seat order. `asked` is the bit mask of
    those that the rules ask, if not all: the bodies of the others come to their end at once."""

    seat: int
    body: Label
    end: Label
    at: int
    asked: Memory | None = None


@frozen
class SealedEnd:
    pass


@frozen
class LookAhead:
    """From here to `end`, offer only what can be carried through to `end`."""

    end: Label


@frozen
class LookEnd:
    pass


@frozen
class Unwind:
    """Leave every routine above `routine` and go on at the target inside it."""

    routine: int
    target: Label


@frozen
class Over:
    """The game ends; `decided`: the winners are already written down."""

    decided: bool


Instruction = (
    Do | Goto | Unless | Invoke | Finish | Decide | Chance | Sealed | SealedEnd | LookAhead
    | LookEnd | Unwind | Over
)  # fmt: skip

# -------------------------------------------------------------------------------- program


@dataclass(slots=True)
class Function:
    name: str
    params: int
    locals: int = 0
    body: tuple[Statement, ...] = ()
    bounds: tuple[tuple[int, int], ...] = ()  # of its arguments, as declared, if all have some


@dataclass(slots=True)
class Routine:
    name: str
    params: int
    entry: Label = field(default_factory=Label)
    end: Label = field(default_factory=Label)
    size: int = 1  # cell 0 is the return address
    address: int = -1
    calls: set[int] = field(default_factory=set)
    root: bool = False
    pieces: list[tuple[int, str]] = field(default_factory=list)  # cells that name a piece
    lets: list[int] = field(default_factory=list)  # cells that `let` has given names to
    types: list[tuple[int, Type]] = field(default_factory=list)  # of its cells
    turns: list[tuple[Label, Label, int]] = field(default_factory=list)  # from, to, whose cell


@frozen
class Guard:
    """One `when` of an option, or that an argument is in its `domain`: of its arguments."""

    function: int
    at: int
    cites: tuple[str, ...]
    domain: bool = False
    parts: tuple[tuple[int, int], ...] = ()  # of what `and` joins: a function and a spot for each


@dataclass(slots=True)
class Entry:
    """One action of a menu: its generator emits the arguments of each option."""

    action: int
    generator: int
    cells: tuple[int, ...]
    target: Label
    guards: tuple[Guard, ...]
    at: int


@dataclass(slots=True)
class Menu:
    name: str
    entries: list[Entry] = field(default_factory=list)
    passes: bool = False  # the last entry is the pass that `may choose` adds
    asked: bool = False  # also when there is only one thing to choose

"""Where everything lies in the buffer, and how its integers are to be read.

The buffer begins with a header of fixed cells, then come scores, sealed choices, variables,
places, pieces and the frames of routines. A layout is computed for one ruleset, number of
players and set of options; every backend uses the same one.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import prod

from interpreter.frozen import frozen
from interpreter.model.types import Type

# ---- the header
STATUS = 0
PC = 1  # where a stopped game goes on
SEAT = 2  # who decides
MENU = 3  # what is decided: a menu, or for chance a generator
KEY = 4  # the random stream: a key and a counter
COUNTER = 5
STEPS = 6  # since the last decision
TOTAL_STEPS = 7
MOVES = 8  # decisions taken so far, of those who were asked
MODE = 9  # bit 0: stop for chance; bit 1: ask even if there is only one option
LOOK = 10  # inside `looking ahead`: 1 + the position of its end
SEALED = 11  # inside `sealed`: 1 + the position of its instruction
SEALED_DONE = 12  # seats whose sealed choices are complete, as a bit mask
SEALED_SEAT = 13  # 1 + the seat whose sealed body is being run
SEALED_READ = 14  # how many of that seat's choices have been used
WINNERS = 15  # bit mask; the bit after the last seat: the game has won, and all have lost
ERROR = 16  # 1 + index of the failure code
ERROR_AT = 17
DECIDED = 18  # choices everybody can know of: asked or not, and one a seat of a sealed block
HEADER = 19

RUNNING, DECISION, CHANCE, SEALING, OVER, FAILED = range(6)

# ---- a place: how many pieces, how many of them have no order, how many lie under those
UNORDERED, UNDER, CONTENTS = 1, 2, 3

STOP_AT_CHANCE = 1
ASK_WHEN_FORCED = 2


@frozen
class Index:
    """One dimension of a member: how its values are named, and where they start."""

    type: Type
    size: int
    offset: int


@frozen
class VariableLayout:
    name: str
    address: int
    indexes: tuple[Index, ...]
    type: Type
    secret: bool  # not everybody sees it
    unseen: bool = False  # not even its owner
    readers: int = -1  # of a note (notes.py): cells with those who can read it
    remembers: bool = False  # a history: numbers that mean nothing to anybody

    @property
    def size(self) -> int:
        return prod(index.size for index in self.indexes)

    def is_open_to(self, number: int, seat: int) -> bool:
        """Whether a seat sees an entry."""
        if not self.secret:
            return True
        return not self.unseen and number // (self.size // self.indexes[0].size) == seat


def indexes_of(number: int, indexes: tuple[Index, ...]) -> tuple[int, ...]:
    """The indexes of an entry or an instance by its number."""
    found: list[int] = []
    for index in reversed(indexes):
        number, part = divmod(number, index.size)
        found.append(part + index.offset)
    return tuple(reversed(found))


@frozen
class PlaceLayout:
    """`stride` integers for each instance: count, size of the unordered part, how many lie
    under it, contents; a pool has one count for each row instead."""

    name: str
    word: str
    kind: int
    address: int
    first: int  # number of the first instance among the places of this kind
    stride: int
    capacity: int
    indexes: tuple[Index, ...]
    seen: str

    @property
    def size(self) -> int:
        return prod(index.size for index in self.indexes)


def everyone(players: int) -> int:
    """All seats and the spectators, as a bit mask: for these the bit after the last seat."""
    return (2 << players) - 1


@frozen
class KindLayout:
    """Pieces of one kind. `where` and `position` have one cell a piece; `known`, if not -1,
    a bit mask of the seats that know the piece, with the spectators as one seat more: what every
    player happens to know is not in the open for that. Instance 0 is the box."""

    name: str
    rows: tuple[str, ...]
    labels: tuple[str, ...]
    row_of: tuple[int, ...]
    where: int
    position: int
    known: int
    fungible: bool
    hidden_fields: bool
    public_label: tuple[str, ...]  # how a row looks to somebody who may not see all of it
    # By instance number:
    instance_address: tuple[int, ...] = ()
    instance_capacity: tuple[int, ...] = ()
    instance_viewers: tuple[int, ...] = ()  # seats that see the contents, as a bit mask
    instance_sorted: tuple[bool, ...] = ()  # sets keep their pieces in order of number
    instance_names: tuple[str, ...] = ()
    players: int = 0
    back: tuple[str, ...] = ()  # how the back of a row looks; empty: they all look the same
    notes: tuple[tuple[int, int, int], ...] = ()  # where they are, where their readers, how many
    # Instances of places of which it is tested while playing whether one player knows a piece.
    told: frozenset[int] = frozenset()
    plural: str = ""  # what several are called, if the name of their data says so

    @property
    def everyone(self) -> int:
        """All seats and the spectators, as a bit mask."""
        return everyone(self.players)

    @property
    def has_copies(self) -> bool:
        return len(self.row_of) > len(set(self.row_of))

    @property
    def note_count(self) -> int:
        return sum(number for _, _, number in self.notes)


@dataclass(slots=True)
class Layout:
    size: int = HEADER
    players: int = 0
    scores: int = 0
    sealed_length: int = 0  # how many choices each seat has made
    sealed_choices: int = 0
    sealed_capacity: int = 0  # choices a seat
    sealed_width: int = 0  # integers a choice: the entry, its values, and last the menu
    variables: list[VariableLayout] = field(default_factory=list)
    places: list[PlaceLayout] = field(default_factory=list)
    kinds: list[KindLayout] = field(default_factory=list)
    frames: int = 0
    frames_size: int = 0

    def sealed_row(self, seat: int, number: int) -> int:
        """Where a sealed choice of a seat is written down."""
        return self.sealed_choices + (seat * self.sealed_capacity + number) * self.sealed_width

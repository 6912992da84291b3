"""What a seat sees as a row of numbers: which column has what, and between which bounds.

A row begins with who looks and what is asked, then come variables and places.

- A variable has a column for each entry, with its value as it is in the state; what names a piece
  has the look of that piece.
- A place whose pieces lie in order has a column for how many there are, and one for each position:
  0 where nothing lies, else the look of the piece, and beside it what is kept for that piece and
  what lies on it. Pieces of it that have been shuffled stand there in the order of their looks.
- A place whose pieces lie in no order (`hand`, `set`, `bag`) has a column for each look: how many
  pieces look so. Where something is kept for its pieces, there is a column for each look with each
  value of that, as long as there are not too many.
- A pool has a column for each row: how many there are.

The look of a piece is 1 + its row if the seat can name it, and after that come the looks of pieces
that it cannot name: their public sides, then their backs.

What the seat cannot see is one less than the least value its column can have. Left out is what the
rules keep for themselves: histories, abilities that have been used, and what `let` remembers from
one decision to the next. Of that the mask of actions tells.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from math import prod

from interpreter import limits
from interpreter.frozen import frozen
from interpreter.play import words
from interpreter.play.spaces.domains import (
    LEAST,
    Mark,
    bounds,
    goes_by_name,
    is_countable,
    is_internal,
    kind_number,
    marks_of,
)
from interpreter.program.layout import Index, KindLayout, PlaceLayout, VariableLayout, indexes_of
from interpreter.program.once import once_for_each_program
from interpreter.program.program import Program

SEAT, TURN, ACTING, DECISION, FIRST = range(5)  # the columns every row begins with
CELLS, NAMES, ORDERED, LOOSE = range(4)  # what a part does
EVERYBODY, NOBODY = -1, -2  # whose an entry is, if it is not one seat's
_MOST_MARKED = 512  # columns for the pieces of a place in no order
MOST_COLUMNS = 1 << 20


@frozen
class Part:
    """Some columns, and the cells they are read from. Of what belongs to a piece, the cells are
    `step` further on for each piece."""

    word: int
    at: int  # the first column; of what belongs to a piece in a place, from the look of the piece
    address: int
    step: int
    count: int  # cells, or how many pieces a place can hold
    low: int
    high: int
    owner: int = EVERYBODY
    kind: int = 0  # of the pieces
    readers: int = -1  # of names, cells that tell who can read them
    stride: int = 1  # columns from one position to the next
    below: tuple[Part, ...] = ()  # for each piece that lies in order
    marks: tuple[Mark, ...] = ()  # by which pieces in no order are counted


@frozen
class Looks:
    """How the pieces of a kind look, by their row: to those who can name them, to those who see the
    place they lie in, to all others. 0 is no piece."""

    names: tuple[str, ...]
    sides: tuple[int, ...]
    backs: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Columns:
    """`blank` is a row of which nothing is seen yet. Every number in a column lies between its
    `low` and `high`."""

    names: tuple[str, ...]
    low: tuple[int, ...]
    high: tuple[int, ...]
    blank: tuple[int, ...]
    parts: tuple[Part, ...]


@once_for_each_program
def looks_of(program: Program, kind: int) -> Looks:
    layout = program.layout.kinds[kind]
    names = list(layout.rows)
    sides = _looks(names, layout.public_label if layout.hidden_fields else ())
    backs = _looks(names, layout.back) or (_new(names, "?"),) * len(layout.rows)
    return Looks(tuple(names), sides or backs, backs)


def _looks(names: list[str], shown: tuple[str, ...]) -> tuple[int, ...]:
    """A look for each that is different."""
    new = {each: _new(names, f"? {each}") for each in dict.fromkeys(shown)}
    return tuple(new[each] for each in shown)


def _new(names: list[str], name: str) -> int:
    names.append(name)
    return len(names)


@once_for_each_program
def columns_of(program: Program) -> Columns:
    table = _Table(program)
    for name, high in (
        ("seat", program.players - 1),
        ("turn", program.players + 1),
        ("acting", 1),
        ("decision", len(program.menus)),
    ):
        table.column(name, 0, high, 0)
    parts: list[Part] = []
    for variable in program.layout.variables:
        parts += table.variable(variable)
    for place in program.layout.places:
        parts += table.place(place)
    low = [min(pair) for pair in zip(table.low, table.blank, strict=True)]
    head = tuple(table.names), tuple(low), tuple(table.high)
    return Columns(*head, tuple(table.blank), tuple(parts))


class _Table:
    def __init__(self, program: Program) -> None:
        self.program = program
        self.kinds = program.layout.kinds
        self.names: list[str] = []
        self.low: list[int] = []
        self.high: list[int] = []
        self.blank: list[int] = []

    def column(self, name: str, low: int, high: int, blank: int) -> None:
        if len(self.names) >= MOST_COLUMNS:
            raise ValueError(f"what a seat sees takes more than {MOST_COLUMNS:,} numbers")
        self.names.append(name)
        self.low.append(low)
        self.high.append(high)
        self.blank.append(blank)

    # ---- variables

    def variable(self, variable: VariableLayout) -> Iterator[Part]:
        """Entries side by side that belong to the same seat."""
        if is_internal(variable) or self._hosts(variable.indexes):
            return
        owners = [EVERYBODY] * variable.size
        if variable.secret:
            seats = range(self.program.players)
            for number in range(variable.size):
                open_to = [seat for seat in seats if variable.is_open_to(number, seat)]
                owners[number] = open_to[0] if open_to else NOBODY
        first = 0
        for number in range(1, variable.size + 1):
            if number == variable.size or owners[number] != owners[first]:
                if owners[first] != NOBODY:
                    yield self._entries(variable, range(first, number), owners[first])
                first = number

    def _entries(self, variable: VariableLayout, numbers: range, owner: int) -> Part:
        at, cells = len(self.names), len(numbers)
        names = [words.entry_text(self.program, variable, number) for number in numbers]
        address = variable.address + numbers.start
        if variable.type.sort == "kind" and not self._kind(variable).fungible:
            number = kind_number(self.program, variable.type.name)
            high = len(looks_of(self.program, number).names)
            for name in names:
                self.column(name, 0, high, 0 if owner == EVERYBODY else -1)
            readers = variable.readers + numbers.start if variable.readers >= 0 else -1
            return Part(NAMES, at, address, 0, cells, 0, high, owner, number, readers)
        low, high = self._bounds(variable)
        for name in names:
            self.column(name, low, high, low - 1 if owner != EVERYBODY else low)
        return Part(CELLS, at, address, 0, cells, low, high, owner)

    def _bounds(self, variable: VariableLayout) -> tuple[int, int]:
        low, high = bounds(self.program, variable.type)
        return (low, high) if variable.type.sort == "int" else (-1, high)

    def _kind(self, variable: VariableLayout) -> KindLayout:
        return words.kind_of(self.program, variable.type.name)

    def _hosts(self, indexes: tuple[Index, ...]) -> list[int]:
        """Which of the indexes are pieces that have no open number."""
        return [
            number
            for number, index in enumerate(indexes)
            if index.type.sort == "kind"
            and not goes_by_name(words.kind_of(self.program, index.type.name))
        ]

    # ---- places

    def place(self, place: PlaceLayout) -> Iterator[Part]:
        if self._hosts(place.indexes):
            return
        if place.word == "pool":
            for number in range(place.size):
                yield self._pool(place, number)
            return
        kind = self.kinds[place.kind]
        for number in range(place.size):
            name = kind.instance_names[place.first + number]
            yield from self._contents(place, name, place.address + number * place.stride, 0, 0)

    def _pool(self, place: PlaceLayout, number: int) -> Part:
        at, kind = len(self.names), self.kinds[place.kind]
        index = [
            words.value_text(self.program, each.type, part)
            for each, part in zip(place.indexes, indexes_of(number, place.indexes), strict=True)
        ]
        for row in kind.rows:
            name = f"{place.name}[{','.join([*index, row])}]"
            self.column(name, 0, limits.COLLECTION_ITEMS, 0)
        address = place.address + number * place.stride
        return Part(CELLS, at, address, 0, place.stride, 0, limits.COLLECTION_ITEMS)

    def _contents(
        self, place: PlaceLayout, name: str, address: int, step: int, start: int
    ) -> Iterator[Part]:
        """The pieces of a place. `start` is the column that parts of it are counted from."""
        kind = self.kinds[place.kind]
        if place.capacity > 1:
            at = len(self.names) - start
            self.column(f"{name}.count", 0, place.capacity, 0)
            yield Part(CELLS, at, address, step, 1, 0, place.capacity)
        make = self._loose if kind.instance_sorted[place.first] else self._ordered
        yield make(place, name, address, step, start)

    def _loose(self, place: PlaceLayout, name: str, address: int, step: int, start: int) -> Part:
        kind, looks = self.kinds[place.kind], looks_of(self.program, place.kind)
        marks: tuple[Mark, ...] = ()
        for mark in () if goes_by_name(kind) else marks_of(self.program, kind.name):
            whole = len(looks.names) * prod(each.size for each in (*marks, mark))
            if is_countable(mark.low, mark.high) and whole <= _MOST_MARKED:
                marks = (*marks, mark)
        at = len(self.names) - start
        for number, look in enumerate(looks.names):
            copies = kind.row_of.count(number) if number < len(kind.rows) else place.capacity
            for values in product(*(range(each.low, each.high + 1) for each in marks)):
                told = "".join(
                    f" {mark.name} {value}" for mark, value in zip(marks, values, strict=True)
                )
                self.column(f"{name}[{look}{told}]", 0, min(copies, place.capacity), 0)
        return Part(
            LOOSE, at, address, step, place.capacity, 0, place.capacity,
            kind=place.kind, marks=marks,
        )  # fmt: skip

    def _ordered(self, place: PlaceLayout, name: str, address: int, step: int, start: int) -> Part:
        high = len(looks_of(self.program, place.kind).names)
        at = len(self.names) - start
        below: tuple[Part, ...] = ()
        for position in range(1, place.capacity + 1):
            here, first = f"{name}#{position}", len(self.names)
            self.column(here, 0, high, 0)
            below = tuple(self._upon(place.kind, here, first))
        stride = (len(self.names) - start - at) // max(1, place.capacity)
        return Part(
            ORDERED, at, address, step, place.capacity, 0, high,
            kind=place.kind, stride=stride, below=below,
        )  # fmt: skip

    def _upon(self, kind: int, name: str, start: int) -> Iterator[Part]:
        """What is kept for a piece, and what lies on it."""
        if goes_by_name(self.kinds[kind]):
            return
        for variable in self.program.layout.variables:
            hosts = self._hosts(variable.indexes)
            if is_internal(variable) or variable.secret or len(hosts) != 1:
                continue
            for text, offset, step in self._of_piece(variable.indexes, hosts[0], kind):
                yield self._mark(variable, f"{name}.{variable.name}{text}", offset, step, start)
        for place in self.program.layout.places:
            hosts = self._hosts(place.indexes)
            if len(hosts) != 1:
                continue
            for text, offset, step in self._of_piece(place.indexes, hosts[0], kind):
                address, further = place.address + offset * place.stride, step * place.stride
                here = f"{name}.{place.name}{text}"
                if place.word != "pool":
                    yield from self._contents(place, here, address, further, start)
                    continue
                at, rows = len(self.names) - start, self.kinds[place.kind].rows
                for row in rows:
                    self.column(f"{here}[{row}]", 0, limits.COLLECTION_ITEMS, 0)
                yield Part(CELLS, at, address, further, len(rows), 0, limits.COLLECTION_ITEMS)

    def _mark(
        self, variable: VariableLayout, name: str, offset: int, step: int, start: int
    ) -> Part:
        at, address = len(self.names) - start, variable.address + offset
        if variable.type.sort == "kind" and not self._kind(variable).fungible:
            number = kind_number(self.program, variable.type.name)
            high = len(looks_of(self.program, number).names)
            self.column(name, 0, high, 0)
            readers = variable.readers + offset if variable.readers >= 0 else -1
            return Part(NAMES, at, address, step, 1, 0, high, EVERYBODY, number, readers)
        low, high = self._bounds(variable)
        self.column(name, low, high, max(low - 1, LEAST - 1))
        return Part(CELLS, at, address, step, 1, low, high)

    def _of_piece(
        self, indexes: tuple[Index, ...], host: int, kind: int
    ) -> Iterator[tuple[str, int, int]]:
        """For each entry that a piece of this kind has of something that is kept for it: the other
        indexes in words, where it stands for the first piece, and how far it is to the next."""
        if indexes[host].type.name != self.kinds[kind].name:
            return
        spans = [
            prod(each.size for each in indexes[number + 1 :]) for number in range(len(indexes))
        ]
        others = [number for number in range(len(indexes)) if number != host]
        for at in product(*(range(indexes[number].size) for number in others)):
            offset = sum(part * spans[number] for part, number in zip(at, others, strict=True))
            named = [
                words.value_text(self.program, indexes[number].type, part + indexes[number].offset)
                for part, number in zip(at, others, strict=True)
            ]
            yield f"[{','.join(named)}]" if named else "", offset, spans[host]

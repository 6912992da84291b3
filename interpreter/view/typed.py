"""The members of a view as Python values: `view["money"][0]`, `view["hand"][1]`.

Seats are numbers from 0; numbers are `int`, yes and no are `bool`, names are `str`, none is `None`.
What the seat may not see is `HIDDEN`, which is neither true nor false.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, TypeAlias

from interpreter.model.types import Type
from interpreter.play import knowledge, words
from interpreter.play.buffer import Buffer
from interpreter.program.layout import Index, VariableLayout
from interpreter.program.program import Program
from interpreter.view.places import PlaceView


class Hidden(Enum):
    """What stands where a seat may not see a value. To use it as a condition is a mistake.

    >>> secretive = interpreter.load_text('''
    ... game "Plans"
    ... players 2
    ... each player has
    ...     plan: 1..6, secret
    ... play
    ...     roll P2.plan
    ...     P1 chooses n in 1..2
    ... ''')
    >>> secretive.start().view(0)["plan"][1] is interpreter.HIDDEN
    True
    """

    HIDDEN = "hidden"

    def __repr__(self) -> str:
        return "HIDDEN"

    def __bool__(self) -> bool:
        raise ValueError("this value is hidden from the seat: compare it with `is HIDDEN` first")


HIDDEN = Hidden.HIDDEN
Key: TypeAlias = "int | str"
Value: TypeAlias = "int | bool | str | Hidden | None"


def python_value(program: Program, type_: Type, value: int) -> Value:
    """A number of the buffer as what it means."""
    if value == type_.none and (type_.optional or value < 0):
        return None
    match type_.sort:
        case "int" | "player":
            return value
        case "bool":
            return bool(value)
        case _:
            return words.value_text(program, type_, value)


def index_keys(program: Program, index: Index) -> list[Key]:
    """What one dimension of a member is asked with."""
    numbers = range(index.offset, index.offset + index.size)
    if index.type.sort in ("int", "player", "bool"):
        return list(numbers)
    return [words.value_text(program, index.type, each) for each in numbers]


class Entries(Mapping[Key, Any]):
    """The entries of a variable: a dictionary, by seat, number or name. With several indexes each
    entry is a dictionary again; `entries[0, "shop"]` is short for `entries[0]["shop"]`.

    >>> money = state.view(0)["money"]
    >>> money[1], list(money), sum(money.values())
    (5, [0, 1], 10)
    """

    __slots__ = ("_found", "name")

    def __init__(self, name: str, found: dict[Key, Any]) -> None:
        self.name = name
        self._found = found

    def __getitem__(self, key: Key | tuple[Key, ...]) -> Any:
        if isinstance(key, tuple):
            found: Any = self
            for part in key:
                found = found[part]
            return found
        if key in self._found:
            return self._found[key]
        known = ", ".join(map(repr, self._found))
        raise KeyError(f"`{self.name}` has no entry {key!r}; there is {known}")

    def __iter__(self) -> Iterator[Key]:
        return iter(self._found)

    def __len__(self) -> int:
        return len(self._found)

    def __repr__(self) -> str:
        return repr(self._found)


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece as a seat sees it. `name` is that of its row, or None if it cannot be told; `label`
    is what people read, for a hidden piece its back; `marks` is what the rules keep for it.

    >>> state.view(0)["hand"][0][0]
    Piece(name='copper', label='copper', marks={}, count=1)
    """

    name: str | None
    label: str
    marks: Mapping[str, str]
    count: int = 1  # in a pool, how many there are of it


@dataclass(frozen=True, slots=True)
class Place:
    """What a seat sees in a place: a sequence of pieces, from the bottom up where they have an
    order. Of a pool, one piece stands for all of its row.

    >>> hand = state.view(0)["hand"][0]
    >>> hand.count, hand.names, "gold" in hand
    (1, ('copper',), False)
    """

    name: str
    owner: int | None
    count: int
    pieces: tuple[Piece, ...]

    @property
    def names(self) -> tuple[str | None, ...]:
        """The names of its pieces, None for those that cannot be told."""
        return tuple(piece.name for piece in self.pieces for _ in range(piece.count))

    def __getitem__(self, at: int) -> Piece:
        return self.pieces[at]

    def __iter__(self) -> Iterator[Piece]:
        return iter(self.pieces)

    def __len__(self) -> int:
        return len(self.pieces)

    def __contains__(self, wanted: object) -> bool:
        """By a piece, or by its name."""
        return wanted in self.pieces or (wanted is not None and wanted in self.names)


def variable(program: Program, m: Buffer, layout: VariableLayout, viewer: int) -> Any:
    """A variable for a viewer: its value, or its entries."""
    numbers = range(layout.size)
    values: list[Any] = [_entry(program, m, layout, number, viewer) for number in numbers]
    for index in reversed(layout.indexes):
        keys = index_keys(program, index)
        starts = range(0, len(values), len(keys))
        values = [
            Entries(layout.name, dict(zip(keys, values[start:], strict=False))) for start in starts
        ]
    return values[0]


def _entry(program: Program, m: Buffer, layout: VariableLayout, number: int, viewer: int) -> Value:
    cell = layout.address + number
    if not layout.is_open_to(number, viewer):
        return HIDDEN
    if layout.readers >= 0 and m[cell] >= 0:
        kind = words.kind_of(program, layout.type.name)
        if not knowledge.reads(m, kind, cell, viewer):
            return HIDDEN
    return python_value(program, layout.type, m[cell])


def place(seen: PlaceView) -> Place:
    pool = seen.word == "pool"
    pieces = tuple(
        Piece(each.name, each.label, {}, int(dict(each.marks)["count"]))
        if pool
        else Piece(each.name, each.label, dict(each.marks))
        for each in seen.pieces
    )
    return Place(seen.name, seen.owner, seen.count, pieces)


def places(program: Program, name: str, seen: Sequence[PlaceView]) -> Any:
    """The places of a name: one, or a dictionary of them, by seat, number or name. A place on a
    piece goes by where that lies, such as `tray#2`."""
    indexes = next(each.indexes for each in program.layout.places if each.name == name)
    if not indexes:
        return place(seen[0])
    found: dict[Key, Any] = {}
    for each in seen:
        keys = [
            number if index.type.sort in ("int", "player", "bool") else word
            for index, number, word in zip(indexes, each.index, each.index_words, strict=True)
        ]
        inner = found
        for key in keys[:-1]:
            inner = inner.setdefault(key, {})
        inner[keys[-1]] = place(each)
    return _entries(name, found)


def _entries(name: str, found: dict[Key, Any]) -> Entries:
    return Entries(
        name,
        {
            key: _entries(name, each) if isinstance(each, dict) else each
            for key, each in found.items()
        },
    )

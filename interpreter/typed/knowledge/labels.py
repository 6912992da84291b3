"""Labels: which seats can know a value, and where the secret in it comes from.

A seat is named by what the rules call it: a name of the body, somebody so many places further on, a
seat by its number, or what a variable holds at this moment. Two seats count as one only if they are
called the same. So a label errs on one side: who is not in it may still know the value.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import field
from typing import Literal

from interpreter.frozen import frozen
from interpreter.report.source import Mark
from interpreter.typed.values import Local

# ---- seats


@frozen
class SeatOf:
    """The player that a name stands for, or one so many places further on."""

    local: Local
    shift: int = 0


@frozen
class SeatNumber:
    number: int


@frozen
class SeatIn:
    """What a variable holds right now; later on it may be somebody else."""

    variable: str
    indexes: tuple[object, ...]
    shift: int = 0


Seat = SeatOf | SeatNumber | SeatIn


def moved(seat: Seat, by: int, players: int) -> Seat:
    match seat:
        case SeatOf():
            return SeatOf(seat.local, (seat.shift + by) % players)
        case SeatNumber():
            return SeatNumber((seat.number + by) % players)
        case SeatIn():
            return SeatIn(seat.variable, seat.indexes, (seat.shift + by) % players)


# ---- labels


@frozen
class Hearer:
    """Somebody for whom something is read: who chooses, who hears what is said, or whose sealed
    block it is. The number tells it from every other time that something is read for a seat."""

    number: int
    seat: Seat


@frozen
class Source:
    """Something not everybody can know, and where it is read. `test`: where it could be tested
    while playing that everybody does know it, because the rules reveal such pieces. `own`: where
    it could be tested that the one does for whom it is read, and the number of that hearer."""

    word: Literal["field", "secret", "pieces", "whereabouts", "chosen"]
    name: str  # of the field, the variable or the place; of whereabouts, of the kind
    mark: Mark
    test: Mark | None = field(default=None, compare=False)
    # Compared, so that what was read for somebody else does not become one with this.
    own: tuple[int, Mark] | None = None
    through: Mark | None = field(default=None, compare=False)  # the call or group that reads it


@frozen
class Label:
    """`who`: the seats that can know it; None for everybody, empty for nobody."""

    who: frozenset[Seat] | None
    sources: tuple[Source, ...] = field(default=(), compare=False)

    @property
    def is_open(self) -> bool:
        return self.who is None

    def known_to(self, seat: Seat) -> bool:
        return self.who is None or seat in self.who


OPEN = Label(None)


def join(*labels: Label) -> Label:
    """What is made of several values is known to those who know all of them."""
    found = OPEN
    for label in labels:
        if found.who is None:
            found = label
        elif label.who is not None and label is not found:
            # Of two that are the same, the later one says how it can be tested now.
            sources = {each: each for each in (*found.sources, *label.sources)}
            found = Label(found.who & label.who, tuple(sources.values())[:_SOURCES])
    return found


_SOURCES = 4  # remembered of one label: more would not help whoever reads the message


def lower(one: Label, other: Label) -> Label:
    """The better known of two, where either is enough to know something."""
    if one.who is None or other.who is None:
        return OPEN
    return Label(one.who | other.who, one.sources)


def gained(label: Label, seat: Seat | None) -> Label:
    """Somebody more knows it; None: everybody does."""
    if seat is None or label.who is None:
        return OPEN
    return Label(label.who | {seat}, label.sources)


def read_through(label: Label, test: Mark | None, given: Collection[Source] = ()) -> Label:
    """What is read by something that is called is tested for this call, or not at all; but not what
    it is `given`."""
    if label.who is None or not label.sources:
        return label
    sources = tuple(each if each in given else _read_through(each, test) for each in label.sources)
    return Label(label.who, sources)


def _read_through(source: Source, test: Mark | None) -> Source:
    own = None if source.own is None or test is None else (source.own[0], test)
    return Source(source.word, source.name, source.mark, source.test and test, own, test)


def kept_long(label: Label) -> Label:
    """What is written down may be read for somebody else than the one it was tested for."""
    sources = tuple(
        Source(each.word, each.name, each.mark, each.test, None, each.through)
        for each in label.sources
    )
    return Label(label.who, sources)


def sources_of(known: Iterable[Known]) -> set[Source]:
    return {
        source
        for each in known
        for label in (each.value, each.at, each.marks, each.face, each.inner)
        for source in label.sources
    }


# ---- what is known of a value


@frozen
class Known:
    """What is known of a value, and by whom. For a piece there are several things to know; for
    every other value they are all the same."""

    value: Label  # the value, or which piece is meant as far as one can point at it
    at: Label  # where the piece lies
    marks: Label  # what lies on the piece
    face: Label  # what the piece is
    inner: Label  # what its hidden fields say

    def under(self, label: Label) -> Known:
        """The same, decided by something else, too."""
        if label.who is None:
            return self
        return self.each(lambda own: join(own, label))

    def each(self, change: Callable[[Label], Label]) -> Known:
        if self.value is self.at is self.marks is self.face is self.inner:
            return plain(change(self.value))
        return Known(
            change(self.value), change(self.at), change(self.marks), change(self.face),
            change(self.inner),
        )  # fmt: skip


def plain(label: Label) -> Known:
    return Known(label, label, label, label, label)


KNOWN = plain(OPEN)


def both(one: Known, other: Known) -> Known:
    if one is other or other is KNOWN:
        return one
    if one is KNOWN:
        return other
    return Known(
        join(one.value, other.value), join(one.at, other.at), join(one.marks, other.marks),
        join(one.face, other.face), join(one.inner, other.inner),
    )  # fmt: skip


def either(one: Known, other: Known) -> Known:
    """The same value, known in two ways."""
    return Known(
        lower(one.value, other.value), lower(one.at, other.at), lower(one.marks, other.marks),
        lower(one.face, other.face), lower(one.inner, other.inner),
    )  # fmt: skip


def same_piece(one: Known, other: Known) -> Label:
    """Two pieces are told apart by what they are, or by what can be seen of each where it lies. It
    is not enough to know the place: in a hand, one could be the other."""
    return lower(join(one.face, other.face), join(one.marks, other.marks))


# ---- seats that cannot be named any more


def renamed(label: Label, names: Mapping[Seat, Seat]) -> Label:
    """A label in the words of another body; seats that it has no word for are left out."""
    if label.who is None:
        return label
    who = frozenset(
        each if isinstance(each, SeatNumber) else names[each]
        for each in label.who
        if isinstance(each, SeatNumber) or each in names
    )
    return Label(who, label.sources)


def within(label: Label, locals_: Collection[Local]) -> Label:
    """A label that outlives the names of an inner block."""
    if label.who is None or all(_stays(each, locals_) for each in label.who):
        return label
    return Label(frozenset(s for s in label.who if _stays(s, locals_)), label.sources)


def _stays(seat: Seat, locals_: Collection[Local]) -> bool:
    match seat:
        case SeatOf():
            return seat.local in locals_
        case SeatNumber() | SeatIn():
            return True

"""The places of a view: what a seat sees in each, and what the place is the place of.

A place that belongs to a piece goes by where the piece lies, such as `pile[tray#2]`: copies of a
row have one name, and a piece that lies face down has none that may be told. Such places come in
the order in which their pieces lie, and those on pieces out of sight are left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from interpreter.play import borne, knowledge, words
from interpreter.play.buffer import Buffer
from interpreter.play.pieces import UNDER, UNORDERED
from interpreter.program.layout import Index, KindLayout, PlaceLayout, VariableLayout, indexes_of
from interpreter.program.once import once_for_each_program
from interpreter.program.program import Program


@dataclass(frozen=True, slots=True)
class PieceView:
    """A piece as seen: its row's name and label if known, else how its back looks."""

    name: str | None
    label: str
    marks: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class PlaceView:
    name: str
    member: str  # the declared name
    word: str
    index: tuple[int, ...]  # in numbers; of a piece its row, or -1 if it cannot be named
    index_words: tuple[str, ...]  # a piece is called by where it lies
    count: int
    pieces: tuple[PieceView, ...]
    owner: int | None  # of a place that belongs to a piece: whoever has the piece


def owner_of(indexes: tuple[Index, ...], at: tuple[int, ...]) -> int | None:
    return at[0] if indexes and indexes[0].type.sort == "player" else None


def places(program: Program, m: Buffer, viewer: int) -> list[PlaceView]:
    return _Table(program, m, viewer).places()


def where_pieces_lie(program: Program, m: Buffer, viewer: int) -> dict[tuple[str, int], str]:
    """By kind and piece, where a viewer finds it on the table: `hand#2`, the second of the pieces
    in the view of that place. Whoever asks must not tell a viewer of pieces it cannot point at."""
    table = _Table(program, m, viewer, found={})
    table.places()
    assert table.found is not None
    return table.found


@dataclass(frozen=True, slots=True)
class _Site:
    """What the rules fix about a place, whatever lies there. Of places on pieces the names are
    not fixed, as they go by where the pieces lie."""

    at: tuple[int, ...]
    parts: tuple[str, ...]
    empty: PlaceView
    hosts: tuple[tuple[int, KindLayout], ...]  # indexes that are pieces


@once_for_each_program
def _sites(program: Program) -> list[tuple[PlaceLayout, list[_Site]]]:
    """Every place with its instances."""
    return [
        (place, [_site(program, place, number) for number in range(place.size)])
        for place in program.layout.places
    ]


def _site(program: Program, place: PlaceLayout, number: int) -> _Site:
    at = indexes_of(number, place.indexes)
    parts = tuple(
        words.value_text(program, index.type, part)
        for index, part in zip(place.indexes, at, strict=True)
    )
    found = ((n, _host_of(program, index)) for n, index in enumerate(place.indexes))
    hosts = tuple((n, kind) for n, kind in found if kind is not None)
    owner, name = owner_of(place.indexes, at), _name(place, parts)
    empty = PlaceView(name, place.name, place.word, at, parts, 0, (), owner)
    return _Site(at, parts, empty, hosts)


class _Table:
    """What lies on the table, for one pair of eyes."""

    __slots__ = ("_bearing", "_lie", "_marks", "found", "m", "program", "viewer")

    def __init__(
        self,
        program: Program,
        m: Buffer,
        viewer: int,
        found: dict[tuple[str, int], str] | None = None,
    ) -> None:
        self.program, self.m, self.viewer = program, m, viewer
        # By kind and piece, where a viewer sees it lie: the place, its number there, the words.
        self._lie: dict[tuple[str, int], tuple[int, int, str]] = {}
        self._bearing = _bearing(program)
        self._marks: dict[str, list[VariableLayout]] = {}
        self.found = found  # the same of all pieces, seen or not; None if nobody asks

    def places(self) -> list[PlaceView]:
        every = _sites(self.program)
        seen: dict[int, list[PlaceView]] = {}
        on_pieces: list[tuple[PlaceLayout, list[_Site]]] = []
        for place, sites in every:
            if sites and sites[0].hosts:
                on_pieces.append((place, sites))
            else:
                seen[id(place)] = [
                    self._filled(place, number, site.empty) for number, site in enumerate(sites)
                ]
        # Pieces may lie on pieces that lie on pieces.
        while on_pieces:
            found = len(self._lie)
            seen |= {id(place): self._on_pieces(place, sites) for place, sites in on_pieces}
            if len(self._lie) == found or not _lie_deeper(self.program):
                break
        return [each for place, _ in every for each in seen[id(place)]]

    def _filled(self, place: PlaceLayout, number: int, empty: PlaceView) -> PlaceView:
        """A place with what lies there, which has been seen when it was empty."""
        if place.word == "pool":
            count, pieces = self._pool(place, number)
        else:
            count, pieces = self._row(place, number, empty.name)
        if not count:
            return empty
        return PlaceView(
            empty.name,
            empty.member,
            empty.word,
            empty.index,
            empty.index_words,
            count,
            pieces,
            empty.owner,
        )

    def _on_pieces(self, place: PlaceLayout, sites: list[_Site]) -> list[PlaceView]:
        """In the order in which the pieces lie; those out of sight are left out."""
        found = [self._on_piece(place, number, site) for number, site in enumerate(sites)]
        order = sorted((each for each in found if each is not None), key=lambda each: each[0])
        return [shown for _, shown in order]

    def _on_piece(
        self, place: PlaceLayout, number: int, site: _Site
    ) -> tuple[list[tuple[int, int]], PlaceView] | None:
        """A place, after what tells its order; None where it is out of sight."""
        owner, parts, numbers = site.empty.owner, list(site.parts), list(site.at)
        order = [(part, 0) for part in site.at]
        for n, kind in site.hosts:
            piece = site.at[n]
            lies = self._lie.get((kind.name, piece))
            if lies is None:
                return None
            order[n], parts[n] = lies[:2], lies[2]
            knows = knowledge.knows(self.m, kind, piece, self.viewer)
            numbers[n] = kind.row_of[piece] if knows else -1  # a copy's number tells where it was
            if owner is None:
                owner = self._owner(kind, piece)
        name = _name(place, parts)
        empty = PlaceView(name, place.name, place.word, tuple(numbers), tuple(parts), 0, (), owner)
        return order, self._filled(place, number, empty)

    def _owner(self, kind: KindLayout, piece: int) -> int | None:
        holder = self.m[kind.where + piece]
        for place in self.program.layout.places:
            same = self.program.layout.kinds[place.kind] is kind
            if same and place.first <= holder < place.first + place.size:
                at = indexes_of(holder - place.first, place.indexes)
                return owner_of(place.indexes, at)
        return None

    def _row(self, place: PlaceLayout, number: int, name: str) -> tuple[int, tuple[PieceView, ...]]:
        m, kind, instance = self.m, self.program.layout.kinds[place.kind], place.first + number
        count = m[kind.instance_address[instance]]
        if not count:
            return 0, ()
        seen = [
            (piece, self._piece(kind, piece, instance))
            for piece in words.contents(m, kind, instance)
        ]
        if count > 1:
            loose = _loose(m, kind, instance)
            seen[loose] = sorted(seen[loose], key=lambda each: self._look(kind, *each))
        if self.found is not None:
            for position, (piece, _) in enumerate(seen, 1):
                self.found[kind.name, piece] = f"{name}#{position}"
        if kind.name in self._bearing:
            for position, (piece, _) in enumerate(seen, 1):
                if knowledge.shows_marks(m, kind, piece, self.viewer):
                    self._lie[kind.name, piece] = (instance, position, f"{name}#{position}")
        return count, tuple(view for _, view in seen)

    def _look(self, kind: KindLayout, piece: int, view: PieceView) -> tuple[object, ...]:
        """What there is to tell pieces apart that lie in no order: also how much lies on them."""
        return (
            view.name is None,
            view.name or view.label,
            view.marks,
            borne.counts_on(self.program, self.m, kind, piece),
        )

    def _pool(self, place: PlaceLayout, number: int) -> tuple[int, tuple[PieceView, ...]]:
        kind = self.program.layout.kinds[place.kind]
        start = place.address + number * place.stride
        counts = self.m[start : start + place.stride]
        pieces = tuple(
            PieceView(kind.rows[row], f"{count} {kind.labels[row]}", (("count", str(count)),))
            for row, count in enumerate(counts)
            if count
        )
        return sum(counts), pieces

    def _piece(self, kind: KindLayout, piece: int, instance: int) -> PieceView:
        program, m, viewer = self.program, self.m, self.viewer
        row = kind.row_of[piece]
        if kind.name not in self._marks:
            self._marks[kind.name] = _marks_of(program, kind)
        kept = self._marks[kind.name]
        marks = tuple(
            (variable.name, words.value_text(program, variable.type, m[variable.address + piece]))
            for variable in kept
        )
        if knowledge.knows(m, kind, piece, viewer):
            if not kept:
                return _faces(program, kind.name)[row]
            return PieceView(kind.rows[row], kind.labels[row], marks)
        if kind.hidden_fields and knowledge.sees_place(kind, instance, viewer):
            return PieceView(None, kind.public_label[row], marks)
        if not knowledge.shows_marks(m, kind, piece, viewer):
            marks = ()
        return PieceView(None, knowledge.back_of(kind, piece) or words.HIDDEN, marks)


def _marks_of(program: Program, kind: KindLayout) -> list[VariableLayout]:
    """What is kept for each piece of a kind and can be seen on it."""
    return [
        variable
        for variable in program.layout.variables
        if len(variable.indexes) == 1
        and variable.indexes[0].type.sort == "kind"
        and variable.indexes[0].type.name == kind.name
        and not variable.name.startswith("used_")
        and not variable.secret
    ]


@once_for_each_program
def _faces(program: Program, name: str) -> list[PieceView]:
    """The rows of a kind of which nothing is kept that could be seen."""
    kind = words.kind_of(program, name)
    return [PieceView(row, label) for row, label in zip(kind.rows, kind.labels, strict=True)]


@once_for_each_program
def _bearing(program: Program) -> frozenset[str]:
    """Kinds whose pieces have places on them."""
    hosts = (_host(program, place) for place in program.layout.places)
    return frozenset(kind.name for kind in hosts if kind is not None)


@once_for_each_program
def _lie_deeper(program: Program) -> bool:
    """Whether pieces that lie on pieces may have others on them."""
    hosts = [(place, _host(program, place)) for place in program.layout.places]
    bearing = [host for _, host in hosts if host is not None]
    kinds = [program.layout.kinds[place.kind] for place, host in hosts if host is not None]
    return any(kind is host for kind in kinds for host in bearing)


def _host(program: Program, place: PlaceLayout) -> KindLayout | None:
    """The kind whose pieces have such a place each."""
    found = (_host_of(program, index) for index in place.indexes)
    return next((kind for kind in found if kind is not None), None)


def _host_of(program: Program, index: Index) -> KindLayout | None:
    if index.type.sort != "kind":
        return None
    kind = words.kind_of(program, index.type.name)
    return None if kind.fungible else kind


def _name(place: PlaceLayout, parts: Sequence[str]) -> str:
    if place.word != "pool" and place.indexes and place.indexes[0].type.sort == "player":
        rest, name = parts[1:], f"{parts[0]}.{place.name}"
    else:
        rest, name = parts, place.name
    return f"{name}[{','.join(rest)}]" if rest else name


def _loose(m: Buffer, kind: KindLayout, instance: int) -> slice:
    """The pieces of a place that lie in no order anybody could see."""
    if kind.instance_sorted[instance]:
        return slice(None)
    address = kind.instance_address[instance]
    under = m[address + UNDER]
    return slice(under, under + m[address + UNORDERED])

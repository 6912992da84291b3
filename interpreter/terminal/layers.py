"""What lies on which cell of which board, as signs, and the legend that explains them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from interpreter.model.seats import seat_name
from interpreter.play.words import HIDDEN
from interpreter.program.program import BoardWords
from interpreter.report.visible import small, visible
from interpreter.scene.values import Data
from interpreter.terminal.boards import SIDES, WALL, Sign, Wall, has_sides
from interpreter.terminal.seen import Lying, Member, Piece, Seen, Told
from interpreter.terminal.symbols import (
    ARROWS,
    COLOURS,
    colour_of,
    player_sign,
    player_style,
    short_signs,
)

_FEW = 4  # counted pieces that are drawn one by one


@dataclass(slots=True)
class Layer:
    """A board to draw: the one of everybody, or one for each player."""

    board: BoardWords
    owner: int | None
    cells: dict[int, list[Sign]] = field(default_factory=dict)
    walls: set[Wall] = field(default_factory=set)
    legend: dict[str, Legend] = field(default_factory=dict)
    members: list[str] = field(default_factory=list)
    standing: list[str] = field(default_factory=list)  # who or what stands there, in words

    @property
    def has_parted(self) -> bool:
        """Whether somebody stands where something else is shown, which a slash parts."""
        return any(
            after.stands and not before.stands
            for signs in self.cells.values()
            for before, after in pairwise(signs)
        )

    def add(self, cell: int, sign: Sign, told: str) -> None:
        if sign.text:
            self.cells.setdefault(cell, []).append(sign)
        if told:
            self.explain(sign, told)

    def explain(self, sign: Sign, told: str) -> None:
        plain = sign.text.rstrip("".join(ARROWS.values()))
        self.legend.setdefault(f"{plain} {told}", Legend(plain, told, sign.style))


@dataclass(frozen=True, slots=True)
class Legend:
    sign: str
    told: str
    style: str


class People:
    """How the players are called and coloured: in a colour of their own, if the game gives
    them one."""

    def __init__(self, seen: Seen) -> None:
        self.seat, self.players = seen.seat, seen.players
        self.styles = [player_style(seat) for seat in range(seen.players)]
        for member in seen.members.values():
            if member.sorts != ["player"] or member.type["sort"] != "enum" or member.is_place:
                continue
            names = [each["name"] for each in seen.plan["names"][member.type["name"]]]
            if not names or not all(name in COLOURS for name in names):
                continue
            for each in seen.values:
                if each.member is member and isinstance(each.value, str):
                    self.styles[each.index[0]] = COLOURS[each.value]
            return

    def name(self, seat: int) -> str:
        return player_name(seat, self.seat)

    def style(self, seat: int) -> str:
        return self.styles[seat]

    def sign(self, seat: int) -> Sign:
        return Sign(player_sign(seat, self.players), f"bold {self.styles[seat]}")


def player_name(seat: int, you: int | None) -> str:
    return f"{seat_name(seat)} (you)" if seat == you else seat_name(seat)


class Layers:
    def __init__(self, seen: Seen, people: People) -> None:
        self.seen = seen
        self.people = people
        self.layers: dict[tuple[str, int | None], Layer] = {}
        self.on_boards: set[str] = set()  # members that boards show
        self.drawn: set[str] = set()  # variables of pieces that boards show
        self._fill()
        order = list(seen.boards)  # as they are declared
        self.layers = dict(sorted(self.layers.items(), key=lambda item: order.index(item[0][0])))

    def of(self, owner: int | None) -> list[Layer]:
        return [layer for layer in self.layers.values() if layer.owner == owner]

    def _fill(self) -> None:
        self._put_walls()
        owners = [(each["board"], each["owner"]) for each in self.seen.scene["boards"]]
        for member in self.seen.members.values():
            for board, owner in owners:
                if board == member.board and (owner is None) == ("player" not in member.sorts):
                    self.on_boards.add(member.name)
                    if self._is_secret(member, owner):
                        self._bare(board, owner)
                    else:
                        self._put_member(member, self._layer(board, owner, member))
        self._put_pawns()
        self._put_pieces()
        for layer in self.layers.values():  # who faces some way covers the ground
            for cell, signs in layer.cells.items():
                if any(sign.text[-1:] in ARROWS.values() for sign in signs):
                    layer.cells[cell] = [sign for sign in signs if not sign.ground]
        for (name, _), layer in self.layers.items():
            for cell, printed in enumerate(self.seen.plan["boards"][name]["cells"]):
                if printed.get("sign") and not layer.cells.get(cell):
                    layer.add(cell, Sign(printed["sign"]), printed["label"])

    def _put_member(self, member: Member, layer: Layer) -> None:
        """What is kept for the cells of a board, or lies there."""
        for told, owner, cell in self.seen.on_cells:
            if told.member is member and owner == layer.owner and not told.is_hidden:
                for sign, words in self._value_signs(told):
                    layer.add(cell, sign, words)
        for place in self.seen.places:
            if place.member is member and place.owner == layer.owner and place.cell is not None:
                for sign, words in self._piece_signs(place):
                    layer.add(place.cell, sign, words)

    def _is_secret(self, member: Member, owner: int | None) -> bool:
        """Whether all that is kept for the cells of a board is hidden: then nothing is told of."""
        told = [each for each, of, _ in self.seen.on_cells if each.member is member and of == owner]
        return bool(told) and all(each.is_hidden for each in told)

    def _bare(self, board: str, owner: int | None) -> Layer:
        return self.layers.setdefault((board, owner), Layer(self.seen.boards[board], owner))

    def _layer(self, board: str, owner: int | None, member: Member) -> Layer:
        self.on_boards.add(member.name)
        layer = self._bare(board, owner)
        if member.name not in layer.members:
            layer.members.append(member.name)
            if not member.is_place and member.type["sort"] == "player":
                for seat in range(self.seen.players):
                    layer.explain(self.people.sign(seat), self.people.name(seat))
        return layer

    def _put_walls(self) -> None:
        """A yes or no of a cell and a direction is about the side of that cell. Corners have no
        side: whoever says yes of one is told in words."""
        for board, member in _sides(self.seen).items():
            told = [each for each in self.seen.values if each.member is member]
            walls = [(each.index[0], each.index[1]) for each in told if each.value is True]
            if told and all(side in SIDES for _, side in walls):
                layer = self._layer(board, None, member)
                layer.explain(Sign(WALL), member.words)
                layer.walls.update(walls)

    # ---- values of cells

    def _value_signs(self, told: Told) -> Iterable[tuple[Sign, str]]:
        member, value = told.member, told.value
        match member.type["sort"]:
            case "player":
                yield self.people.sign(value), self.people.name(value)
            case "bool":
                initials = [each.name for each in self._variables() if each.type["sort"] == "bool"]
                yield Sign(short_signs(initials)[member.name]), member.words
            case "int":
                numbers, others = self._beside(member)
                if len(numbers) > 1 and value != 0:
                    initial = short_signs(numbers)[member.name].lower()
                    yield Sign(f"{initial}{value}"), ""
                    yield Sign(""), f"{initial} {member.words}"
                elif value != 0 or not (len(numbers) > 1 or others):
                    yield Sign(str(value)), ""
            case "board":
                yield Sign(f">{visible(self.seen.raw(told))}"), ""
            case "direction":
                sign = ARROWS.get(value) or self._signs(member.type)[value]
                yield Sign(sign), "" if value in ARROWS else visible(value)
            case _:
                sign = self._signs(member.type)[value]
                if self._is_second(member):
                    sign = sign.lower()
                yield Sign(sign, colour_of(value), True), self.seen.words(told)

    def _variables(self) -> list[Member]:
        return [each for each in self.seen.members.values() if not each.is_place]

    def _beside(self, member: Member) -> tuple[list[str], bool]:
        """The numbers that are kept for each cell of a board, and whether pieces lie there."""
        there = [each for each in self.seen.members.values() if each.board == member.board]
        numbers = [e.name for e in there if not e.is_place and e.type["sort"] == "int"]
        return numbers, any(each.is_place for each in there)

    def _is_second(self, member: Member) -> bool:
        """Not the first of the variables of a board that show names: in small letters."""
        if any(each.get("sign") for each in self._rows(member.type)):
            return False
        named = [
            each.name
            for each in self._variables()
            if each.board == member.board and each.type["sort"] in ("enum", "table", "kind", "row")
        ]
        return named[0] != member.name

    def _rows(self, type_: Data) -> list[Data]:
        """What is printed for each value of a type."""
        plan, name = self.seen.plan, type_["name"]
        if type_["sort"] in ("enum", "table"):
            return list(plan["names"][name])
        if type_["sort"] == "direction":
            return [{"name": each} for each in plan["boards"][name]["directions"]]
        return list(plan["kinds"][name]["rows"])

    def _signs(self, type_: Data) -> dict[str, str]:
        rows = self._rows(type_)
        return _with_own(rows, [each["name"] for each in rows])

    # ---- pieces

    def _piece_signs(self, place: Lying) -> Iterable[tuple[Sign, str]]:
        if place.member.word == "pool":
            for piece in place.pieces:
                sign, style = self.row_sign(place.member.kind, piece), colour_of(piece.label)
                if place.count <= _FEW and len(sign) == 1:
                    yield from [(Sign(sign, style), piece.label)] * piece.count
                else:
                    yield Sign(str(piece.count)), ""
                    yield Sign(sign, style), piece.label
            return
        pieces = list(place.pieces)
        if place.member.word == "stack":
            pieces = pieces[-1:]
        for piece in pieces[-3:]:
            yield self._piece_sign(place, piece)
        if place.count > len(pieces[-3:]):
            yield Sign(f"/{place.count}"), ""

    def row_sign(self, kind: str, piece: Piece) -> str:
        if piece.row is None:
            return HIDDEN
        rows = self.seen.plan["kinds"][kind]["rows"]
        labels = [each["label"] for each in rows]
        unique = len(set(labels)) == len(rows)
        return _with_own(rows, labels if unique else [each["name"] for each in rows])[piece.row]

    def _piece_sign(self, place: Lying, piece: Piece) -> tuple[Sign, str]:
        sign, style, owner = self.row_sign(place.member.kind, piece), "", place.owner
        told = "hidden" if piece.row is None else piece.label
        marked = [
            mark.value
            for mark in piece.marks
            if mark.member.type["sort"] == "player" and isinstance(mark.value, int)
        ]
        if marked:
            owner = marked[-1]
            if self.seen.players > 2:
                sign += str(owner + 1)
            else:
                sign = sign.upper() if owner == 0 else sign.lower()
        elif piece.row is not None:
            style = colour_of(piece.label)
        if owner is not None:
            style = f"bold {self.people.style(owner)}"
            told = f"{told} ({self.people.name(owner).replace(' (you)', ', you')})"
        return Sign(sign, style), told

    # ---- what stands on a board by a variable

    def _put_pawns(self) -> None:
        """Variables that name a cell of a board: somebody or something stands there."""
        for told in self.seen.values:
            member = told.member
            if member.type["sort"] != "board" or not isinstance(told.value, int):
                continue
            if member.sorts not in ([], ["player"]):
                continue
            if member.sorts:
                seat = told.index[0]
                sign, words = self.people.sign(seat), self.people.name(seat)
                sign = self._towards(sign, member, seat)
            else:
                sign, words = Sign(visible(member.name)[:1].upper(), "bold"), member.words
            self._put(member, told.value, sign, words, member.words)

    def _put_pieces(self) -> None:
        """Pieces that name the cell they stand on by a variable of their own."""
        for place in self.seen.places:
            for piece in place.pieces:
                for mark in piece.marks:
                    if mark.member.type["sort"] != "board" or not isinstance(mark.value, int):
                        continue
                    sign, told = self._piece_sign(place, piece)
                    text = f"{sign.text}{arrow_of(piece, mark.member.type['name'])}"
                    self.drawn.add(mark.member.name)
                    sign = Sign(text, sign.style or "bold")
                    self._put(mark.member, mark.value, sign, told, small(place.member.kind))

    def _towards(self, sign: Sign, member: Member, seat: int) -> Sign:
        """With an arrow, if the player also has a direction on this board."""
        ways = [
            each.value
            for each in self.seen.values
            if each.owner == seat
            and len(each.index) == 1
            and each.member.type["sort"] == "direction"
            and each.member.type["name"] == member.type["name"]
            and isinstance(each.value, str)
            and each.value in ARROWS
        ]
        return Sign(f"{sign.text}{ARROWS[ways[0]]}" if ways else sign.text, sign.style)

    def _put(self, member: Member, cell: int, sign: Sign, told: str, what: str) -> None:
        layer = self._bare(member.type["name"], None)
        if what not in layer.standing:
            layer.standing.append(what)
        layer.add(cell, replace(sign, stands=True), told)


def _with_own(rows: Sequence[Data], labels: Sequence[str]) -> dict[str, str]:
    """The signs the data give, and short beginnings of the names for the rest."""
    rest = [label for label, row in zip(labels, rows, strict=True) if not row.get("sign")]
    short = short_signs(rest)
    return {
        row["name"]: row.get("sign") or short[label]
        for row, label in zip(rows, labels, strict=True)
    }


def arrow_of(piece: Piece, board: str) -> str:
    """Which way a piece faces on a board."""
    for mark in piece.marks:
        type_ = mark.member.type
        if type_["sort"] == "direction" and type_["name"] == board and mark.value in ARROWS:
            return ARROWS[mark.value]
    return ""


def _sides(seen: Seen) -> dict[str, Member]:
    """By board, the yes or no that is kept for each side of its cells. It is drawn there if the
    board is one of squares that are drawn line by line; if there are two of them, nobody could
    tell one from the other, and neither is."""
    found: dict[str, list[Member]] = {}
    for member in seen.members.values():
        if member.type["sort"] == "bool" and member.sorts == ["board", "direction"]:
            found.setdefault(member.indexes[0]["name"], []).append(member)
    return {
        board: members[0]
        for board, members in found.items()
        if len(members) == 1 and has_sides(seen.boards[board])
    }

"""What lies on which cell of which board, as signs, and the legend that explains them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from interpreter.model.seats import seat_name
from interpreter.model.types import Type
from interpreter.play.words import HIDDEN, member_words
from interpreter.program.layout import Index, PlaceLayout, VariableLayout
from interpreter.program.program import BoardWords, Program
from interpreter.report.visible import spaced, visible
from interpreter.terminal.boards import SIDES, WALL, Sign, Wall, has_sides
from interpreter.terminal.symbols import (
    ARROWS,
    COLOURS,
    colour_of,
    player_sign,
    player_style,
    short_signs,
)
from interpreter.view.places import PieceView, PlaceView
from interpreter.view.view import View

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

    def __init__(self, view: View, program: Program) -> None:
        self.view = view
        self.styles = [player_style(seat) for seat in range(view.players)]
        for variable in program.layout.variables:
            if len(variable.indexes) != 1 or variable.indexes[0].type.sort != "player":
                continue
            if variable.type.sort != "enum":
                continue
            names = program.enums[variable.type.name]
            if not names or not all(name in COLOURS for name in names):
                continue
            for each in view.variables:
                if each.member == variable.name and each.value in COLOURS:
                    self.styles[each.index[0]] = COLOURS[each.value]
            return

    def name(self, seat: int) -> str:
        return player_name(seat, self.view.seat)

    def style(self, seat: int) -> str:
        return self.styles[seat]

    def sign(self, seat: int) -> Sign:
        return Sign(player_sign(seat, self.view.players), f"bold {self.styles[seat]}")


def player_name(seat: int, you: int | None) -> str:
    return f"{seat_name(seat)} (you)" if seat == you else seat_name(seat)


class Layers:
    def __init__(self, view: View, program: Program, people: People) -> None:
        self.view = view
        self.program = program
        self.people = people
        self.variables = {each.name: each for each in program.layout.variables}
        self.places = {each.name: each for each in program.layout.places}
        self.layers: dict[tuple[str, int | None], Layer] = {}
        self.on_boards: set[str] = set()  # members that boards show
        self.drawn: set[str] = set()  # variables of pieces that boards show
        self._fill()
        order = list(program.boards)  # as they are declared
        self.layers = dict(sorted(self.layers.items(), key=lambda item: order.index(item[0][0])))

    def of(self, owner: int | None) -> list[Layer]:
        return [layer for layer in self.layers.values() if layer.owner == owner]

    def _fill(self) -> None:
        self._put_walls()
        for variable in self.view.variables:
            described = self.variables[variable.member]
            at = board_at(described.indexes)
            if at is not None and variable.value is not None:
                layer = self._layer(at, described.indexes, variable.index, variable.member)
                cell = _cell(at, described.indexes, variable.index)
                for sign, told in self._value_signs(described, variable.value):
                    layer.add(cell, sign, told)
        for place in self.view.places:
            described_place = self.places[place.member]
            at = board_at(described_place.indexes)
            if at is not None:
                layer = self._layer(at, described_place.indexes, place.index, place.member)
                for sign, told in self._piece_signs(described_place, place):
                    layer.add(_cell(at, described_place.indexes, place.index), sign, told)
        self._put_pawns()
        self._put_pieces()
        for layer in self.layers.values():  # who faces some way covers the ground
            for cell, signs in layer.cells.items():
                if any(sign.text[-1:] in ARROWS.values() for sign in signs):
                    layer.cells[cell] = [sign for sign in signs if not sign.ground]
        for (name, _), layer in self.layers.items():
            for cell, own in enumerate(self.program.signs.get(name, ())):
                if own and not layer.cells.get(cell):
                    label = layer.board.labels[cell]
                    layer.add(cell, Sign(visible(own)), visible(label))

    def _layer(
        self, board: str, indexes: tuple[Index, ...], at: tuple[int, ...], member: str
    ) -> Layer:
        owner = next(
            (part for i, part in zip(indexes, at, strict=True) if i.type.sort == "player"), None
        )
        self.on_boards.add(member)
        key = (board, owner)
        if key not in self.layers:
            self.layers[key] = Layer(self.program.boards[board], owner)
        layer = self.layers[key]
        if member not in layer.members:
            layer.members.append(member)
            described = self.variables.get(member)
            if described is not None and described.type.sort == "player":
                for seat in range(self.view.players):
                    layer.explain(self.people.sign(seat), self.people.name(seat))
        return layer

    def _put_walls(self) -> None:
        """A yes or no of a cell and a direction is about the side of that cell. Corners have no
        side: whoever says yes of one is told in words."""
        for board, member in _sides(self.program).items():
            told = [each for each in self.view.variables if each.member == member]
            directions = self.program.boards[board].directions
            walls = [
                (each.index[0], directions[each.index[1]]) for each in told if each.value == "yes"
            ]
            if told and all(side in SIDES for _, side in walls):
                indexes = self.variables[member].indexes
                layer = self._layer(board, indexes, told[0].index, member)
                layer.explain(Sign(WALL), self.member(member))
                layer.walls.update(walls)

    # ---- values of cells

    def _value_signs(self, variable: VariableLayout, value: str) -> Iterable[tuple[Sign, str]]:
        if value == "none" or (value == "no" and variable.type.sort == "bool"):
            return
        match variable.type.sort:
            case "player":
                seat = int(value[1:]) - 1
                yield self.people.sign(seat), self.people.name(seat)
            case "bool":
                initials = [v.name for v in self.variables.values() if v.type.sort == "bool"]
                yield Sign(short_signs(initials)[variable.name]), self.member(variable.name)
            case "int":
                numbers, others = self._beside(variable)
                if len(numbers) > 1 and value != "0":
                    initial = short_signs(numbers)[variable.name].lower()
                    yield Sign(f"{initial}{value}"), ""
                    yield Sign(""), f"{initial} {self.member(variable.name)}"
                elif value != "0" or not (len(numbers) > 1 or others):
                    yield Sign(value), ""
            case "board":
                yield Sign(f">{visible(value)}"), ""
            case "direction":
                sign = ARROWS.get(value) or self._signs(variable.type)[value]
                yield Sign(sign), "" if value in ARROWS else visible(value)
            case _:
                sign = self._signs(variable.type)[value]
                if self._is_second(variable):
                    sign = sign.lower()
                label = self.label(variable.type, value)
                yield Sign(sign, colour_of(value), True), visible(label)

    def _beside(self, variable: VariableLayout) -> tuple[list[str], bool]:
        """The numbers that are kept for each cell of a board, and whether pieces lie there."""
        board = board_at(variable.indexes)
        numbers = [
            each.name
            for each in self.variables.values()
            if each.type.sort == "int" and board_at(each.indexes) == board
        ]
        return numbers, any(board_at(each.indexes) == board for each in self.places.values())

    def _is_second(self, variable: VariableLayout) -> bool:
        """Not the first of the variables of a board that show names: in small letters."""
        if self.program.signs.get(variable.type.name):
            return False
        named = [
            each.name
            for each in self.variables.values()
            if board_at(each.indexes) == board_at(variable.indexes)
            and each.type.sort in ("enum", "table", "kind", "row")
        ]
        return named[0] != variable.name

    def member(self, name: str) -> str:
        return visible(member_words(self.program, name))

    def label(self, type_: Type, value: str) -> str:
        """A value of a view in words for people."""
        rows: Sequence[str] = ()
        labels: Sequence[str] = ()
        if type_.sort in ("enum", "table"):
            rows, labels = self.program.enums[type_.name], self.program.labels[type_.name]
        elif type_.sort == "board":
            rows = self.program.boards[type_.name].cells
            labels = self.program.boards[type_.name].labels
        elif type_.sort in ("kind", "row"):
            kind = next(k for k in self.program.layout.kinds if k.name == type_.name)
            rows, labels = kind.rows, kind.labels
        if labels and value in rows:
            return labels[rows.index(value)]
        return spaced(value) if type_.sort != "int" else value

    def _signs(self, type_: Type) -> dict[str, str]:
        program = self.program
        if type_.sort in ("enum", "table"):
            names: Sequence[str] = program.enums[type_.name]
        elif type_.sort == "direction":
            names = program.boards[type_.name].directions
        else:
            names = next(k.rows for k in program.layout.kinds if k.name == type_.name)
        return self._with_own(type_.name, names, names)

    def _with_own(self, name: str, rows: Sequence[str], labels: Sequence[str]) -> dict[str, str]:
        """The signs the data give, and short beginnings of the names for the rest."""
        own = self.program.signs.get(name, ("",) * len(rows))
        rest = [label for label, sign in zip(labels, own, strict=True) if not sign]
        short = short_signs(rest)
        return {
            row: visible(sign) or short[label]
            for row, label, sign in zip(rows, labels, own, strict=True)
        }

    # ---- pieces

    def _piece_signs(self, place: PlaceLayout, seen: PlaceView) -> Iterable[tuple[Sign, str]]:
        kind = self.program.layout.kinds[place.kind]
        if place.word == "pool":
            for piece in seen.pieces:
                count = int(dict(piece.marks)["count"])
                sign = self.row_sign(place.kind, piece)
                label = kind.labels[kind.rows.index(str(piece.name))]
                style, told = colour_of(label), visible(label)
                if seen.count <= _FEW and len(sign) == 1:
                    yield from [(Sign(sign, style), told)] * count
                else:
                    yield Sign(str(count)), ""
                    yield Sign(sign, style), told
            return
        pieces = list(seen.pieces)
        if place.word == "stack":
            pieces = pieces[-1:]
        for piece in pieces[-3:]:
            yield self._piece_sign(place, piece, seen.owner)
        if seen.count > len(pieces[-3:]):
            yield Sign(f"/{seen.count}"), ""

    def row_sign(self, number: int, piece: PieceView) -> str:
        kind = self.program.layout.kinds[number]
        if piece.name is None:
            return HIDDEN
        unique = len(set(kind.labels)) == len(kind.rows)
        return self._with_own(kind.name, kind.rows, kind.labels if unique else kind.rows)[
            piece.name
        ]

    def _piece_sign(
        self, place: PlaceLayout, piece: PieceView, owner: int | None
    ) -> tuple[Sign, str]:
        sign, style = self.row_sign(place.kind, piece), ""
        told = "hidden" if piece.name is None else visible(piece.label)
        marked = [
            int(value[1:]) - 1
            for mark, value in piece.marks
            if self.variables[mark].type.sort == "player" and value != "none"
        ]
        if marked:
            owner = marked[-1]
            if self.view.players > 2:
                sign += str(owner + 1)
            else:
                sign = sign.upper() if owner == 0 else sign.lower()
        elif piece.name is not None:
            style = colour_of(piece.label)
        if owner is not None:
            style = f"bold {self.people.style(owner)}"
            told = f"{told} ({self.people.name(owner).replace(' (you)', ', you')})"
        return Sign(sign, style), told

    # ---- what stands on a board by a variable

    def _put_pawns(self) -> None:
        """Variables that name a cell of a board: somebody or something stands there."""
        for variable in self.view.variables:
            described = self.variables[variable.member]
            sorts = [index.type.sort for index in described.indexes]
            if described.type.sort != "board" or variable.value in (None, "none"):
                continue
            if sorts not in ([], ["player"]):
                continue
            if sorts:
                seat = variable.index[0]
                sign, told = self.people.sign(seat), self.people.name(seat)
                sign = self._towards(sign, described, seat)
            else:
                sign = Sign(visible(variable.member)[:1].upper(), "bold")
                told = self.member(variable.member)
            self._put(described, str(variable.value), sign, told)

    def _put_pieces(self) -> None:
        """Pieces that name the cell they stand on by a variable of their own."""
        for place in self.view.places:
            if place.word == "pool":
                continue
            for piece in place.pieces:
                for mark, value in piece.marks:
                    described = self.variables[mark]
                    if described.type.sort != "board" or value == "none":
                        continue
                    layout = self.places[place.member]
                    sign, told = self._piece_sign(layout, piece, place.owner)
                    arrow = arrow_of(self.variables, piece, described.type.name)
                    self.drawn.add(mark)
                    text = f"{sign.text}{arrow}"
                    self._put(described, value, Sign(text, sign.style or "bold"), told)

    def _towards(self, sign: Sign, described: VariableLayout, seat: int) -> Sign:
        """With an arrow, if the player also has a direction on this board."""
        ways = [
            each.value
            for each in self.view.variables
            if each.owner == seat
            and len(each.index) == 1
            and each.value in ARROWS
            and self.variables[each.member].type.sort == "direction"
            and self.variables[each.member].type.name == described.type.name
        ]
        return Sign(f"{sign.text}{ARROWS[str(ways[0])]}" if ways else sign.text, sign.style)

    def _put(self, described: VariableLayout, value: str, sign: Sign, told: str) -> None:
        board = self.program.boards[described.type.name]
        layer = self.layers.setdefault((board.name, None), Layer(board, None))
        layer.add(board.cells.index(value), replace(sign, stands=True), told)


def arrow_of(variables: dict[str, VariableLayout], piece: PieceView, board: str) -> str:
    """Which way a piece faces on a board."""
    for mark, value in piece.marks:
        type_ = variables[mark].type
        if type_.sort == "direction" and type_.name == board and value in ARROWS:
            return ARROWS[value]
    return ""


def _sides(program: Program) -> dict[str, str]:
    """By board, the yes or no that is kept for each side of its cells. It is drawn there if the
    board is one of squares that are drawn line by line; if there are two of them, nobody could
    tell one from the other, and neither is."""
    found: dict[str, list[str]] = {}
    for variable in program.layout.variables:
        sorts = [index.type.sort for index in variable.indexes]
        if variable.type.sort == "bool" and sorts == ["board", "direction"]:
            found.setdefault(variable.indexes[0].type.name, []).append(variable.name)
    return {
        board: names[0]
        for board, names in found.items()
        if len(names) == 1 and has_sides(program.boards[board])
    }


def board_at(indexes: tuple[Index, ...]) -> str | None:
    """The board a member lies on: indexed by its cells, or by a player and its cells."""
    sorts = [index.type.sort for index in indexes]
    if sorts in (["board"], ["player", "board"], ["board", "player"]):
        return indexes[sorts.index("board")].type.name
    return None


def _cell(board: str, indexes: tuple[Index, ...], at: tuple[int, ...]) -> int:
    return next(part for index, part in zip(indexes, at, strict=True) if index.type.name == board)

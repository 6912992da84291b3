"""The table as one seat sees it, as text for a terminal: boards, numbers, players' areas.

Everything comes from a view; the program only tells how things are to be read: which board
a member lies on, what its values are. All names pass through `visible`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from interpreter.model.types import Type
from interpreter.play.words import HIDDEN, label_text
from interpreter.program.layout import Index, PlaceLayout, VariableLayout
from interpreter.program.program import BoardWords, Program
from interpreter.report.visible import visible
from interpreter.view.boards import Sign, draw_board
from interpreter.view.symbols import player_sign, player_style, short_signs, spaced
from interpreter.view.view import PieceView, PlaceView, VariableView, View, indexes_of

_NOTHING = ("none", "no", "0")
_WIDE = 12  # values of one member that are shown in full; of more, only what is not nothing


def show_table(view: View, program: Program, columns: int) -> Group:
    """Everything on the table, ready to print."""
    return Group(*_Table(view, program, columns).parts())


def player_name(seat: int, you: int | None) -> str:
    return f"P{seat + 1} (you)" if seat == you else f"P{seat + 1}"


def show_result(view: View) -> Text:
    """Who won, in words."""
    if not view.is_over:
        return Text("The game is not over.")
    names = [player_name(seat, view.seat) for seat in view.winners]
    if not names:
        return Text("Nobody wins.", "bold")
    verb = "wins" if len(names) == 1 and view.winners[0] != view.seat else "win"
    if names == [player_name(view.winners[0], view.seat)] and view.winners[0] == view.seat:
        return Text("You win!", "bold green")
    return Text(f"{' and '.join(names)} {verb}.", "bold")


@dataclass(slots=True)
class _Layer:
    """A board to draw: the one of everybody, or one for each player."""

    board: BoardWords
    owner: int | None
    cells: dict[int, list[Sign]] = field(default_factory=dict)
    legend: dict[str, str] = field(default_factory=dict)
    members: list[str] = field(default_factory=list)

    def add(self, cell: int, sign: Sign) -> None:
        self.cells.setdefault(cell, []).append(sign)


class _Table:
    def __init__(self, view: View, program: Program, columns: int) -> None:
        self.view = view
        self.program = program
        self.columns = columns
        self.variables = {each.name: each for each in program.layout.variables}
        self.places = {each.name: each for each in program.layout.places}
        self.layers: dict[tuple[str, int | None], _Layer] = {}
        self.on_boards: set[str] = set()  # members that boards show

    def parts(self) -> list[RenderableType]:
        self._fill_boards()
        order = list(self.program.boards)  # as they are declared
        self.layers = dict(sorted(self.layers.items(), key=lambda item: order.index(item[0][0])))
        parts: list[RenderableType] = []
        for layer in self.layers.values():
            if layer.owner is None:
                parts += [self._board(layer), Text()]
        singles, lines = self._game_lines()
        if singles:
            parts += [*_flow(singles, self.columns), Text()]
        if lines:
            parts += [_pairs(lines), Text()]
        numbers = self._numbers()
        if numbers is not None:
            parts += [numbers, Text()]
        for seat in range(self.view.players):
            parts += self._area(seat)
        return parts[:-1]  # without the last empty line

    # ---- boards

    def _fill_boards(self) -> None:
        shown = [name for name, each in self.variables.items() if self._board_at(each.indexes)]
        several = len(shown) > 2
        for place in self.view.places:
            described_place = self.places[place.member]
            at = self._board_at(described_place.indexes)
            if at is not None:
                layer = self._layer(at, described_place.indexes, place.index, place.member)
                for sign, told in self._piece_signs(described_place, place):
                    layer.add(self._cell(at, described_place.indexes, place.index), sign)
                    if told:
                        layer.legend.setdefault(sign.text, told)
        for variable in self.view.variables:
            described = self.variables[variable.member]
            at = self._board_at(described.indexes)
            if at is not None and variable.value is not None:
                layer = self._layer(at, described.indexes, variable.index, variable.member)
                for sign, told in self._value_signs(described, variable.value, several):
                    layer.add(self._cell(at, described.indexes, variable.index), sign)
                    layer.legend.setdefault(sign.text, told)
        self._put_pawns()

    def _board_at(self, indexes: tuple[Index, ...]) -> str | None:
        """The board a member lies on: indexed by its cells, or by a player and its cells."""
        sorts = [index.type.sort for index in indexes]
        if sorts in (["board"], ["player", "board"], ["board", "player"]):
            return indexes[sorts.index("board")].type.name
        return None

    def _cell(self, board: str, indexes: tuple[Index, ...], at: tuple[int, ...]) -> int:
        return next(
            part for index, part in zip(indexes, at, strict=True) if index.type.name == board
        )

    def _layer(
        self, board: str, indexes: tuple[Index, ...], at: tuple[int, ...], member: str
    ) -> _Layer:
        owner = next(
            (part for i, part in zip(indexes, at, strict=True) if i.type.sort == "player"), None
        )
        self.on_boards.add(member)
        key = (board, owner)
        if key not in self.layers:
            self.layers[key] = _Layer(self.program.boards[board], owner)
        layer = self.layers[key]
        if member not in layer.members:
            layer.members.append(member)
            described = self.variables.get(member)
            if described is not None and described.type.sort == "player":
                for seat in range(self.view.players):
                    sign, told = self._player(seat)
                    layer.legend[sign.text] = told
        return layer

    def _value_signs(
        self, variable: VariableLayout, value: str, several: bool
    ) -> Iterable[tuple[Sign, str]]:
        if value == "none" or (value == "no" and variable.type.sort == "bool"):
            return
        match variable.type.sort:
            case "player":
                yield self._player(int(value[1:]) - 1)
            case "bool":
                initials = [v.name for v in self.variables.values() if v.type.sort == "bool"]
                yield Sign(short_signs(initials)[variable.name]), spaced(variable.name)
            case "int":
                if value != "0" or not several:
                    yield Sign(value), ""
            case "board":
                yield Sign(f">{visible(value)}"), ""
            case _:
                yield Sign(self._signs(variable.type)[value]), visible(value)

    def _signs(self, type_: Type) -> dict[str, str]:
        program = self.program
        if type_.sort in ("enum", "table"):
            names: Sequence[str] = program.enums[type_.name]
        elif type_.sort == "direction":
            names = program.boards[type_.name].directions
        else:
            names = next(k.rows for k in program.layout.kinds if k.name == type_.name)
        return short_signs(names)

    def _player(self, seat: int) -> tuple[Sign, str]:
        sign = Sign(player_sign(seat, self.view.players), f"bold {player_style(seat)}")
        return sign, player_name(seat, self.view.seat)

    def _piece_signs(self, place: PlaceLayout, seen: PlaceView) -> Iterable[tuple[Sign, str]]:
        if place.word == "pool":
            for piece in seen.pieces:
                count = dict(piece.marks)["count"]
                yield Sign(f"{count}{self._row_sign(place, piece)}"), visible(piece.label)
            return
        pieces = list(seen.pieces)
        if place.word == "stack":
            pieces = pieces[-1:]
        for piece in pieces[-3:]:
            yield self._piece_sign(place, piece)
        if seen.count > len(pieces[-3:]):
            yield Sign(f"/{seen.count}"), ""

    def _row_sign(self, place: PlaceLayout, piece: PieceView) -> str:
        kind = self.program.layout.kinds[place.kind]
        if piece.name is None:
            return HIDDEN
        unique = len(set(kind.labels)) == len(kind.rows)
        signs = short_signs(kind.labels if unique else kind.rows)
        return signs[kind.labels[kind.rows.index(piece.name)] if unique else piece.name]

    def _piece_sign(self, place: PlaceLayout, piece: PieceView) -> tuple[Sign, str]:
        sign, style = self._row_sign(place, piece), ""
        told = "hidden" if piece.name is None else visible(piece.label)
        for mark, value in piece.marks:
            if self.variables[mark].type.sort == "player" and value != "none":
                seat = int(value[1:]) - 1
                style = f"bold {player_style(seat)}"
                whose = player_name(seat, self.view.seat)
                told = f"{told} of {whose}"
                if self.view.players > 2:
                    sign += str(seat + 1)
                else:
                    sign = sign.upper() if seat == 0 else sign.lower()
        return Sign(sign, style), told

    def _put_pawns(self) -> None:
        """Variables that name a cell of a board: somebody or something stands there."""
        for variable in self.view.variables:
            described = self.variables[variable.member]
            sorts = [index.type.sort for index in described.indexes]
            if described.type.sort != "board" or variable.value in (None, "none"):
                continue
            if sorts not in ([], ["player"]):
                continue
            board = self.program.boards[described.type.name]
            layer = self.layers.setdefault((board.name, None), _Layer(board, None))
            if sorts:
                sign, told = self._player(variable.index[0])
            else:
                sign = Sign(visible(variable.member)[:1].upper(), "bold")
                told = spaced(variable.member)
            layer.add(board.cells.index(str(variable.value)), sign)
            layer.legend.setdefault(sign.text, told)

    def _board(self, layer: _Layer) -> Group:
        lines = draw_board(layer.board, layer.cells, self.columns - 2)
        legend = [f"{sign} {told}" for sign, told in layer.legend.items() if told not in ("", sign)]
        told = "   ".join(legend)
        if len(layer.members) > 1:
            told = f"each cell: {', '.join(spaced(m) for m in layer.members)}   {told}".rstrip()
        elif not told and layer.members:
            told = spaced(layer.members[0])
        parts: list[RenderableType] = []
        if len(self.program.boards) > 1:
            parts.append(Text(spaced(layer.board.name[:1].lower() + layer.board.name[1:]), "bold"))
        parts += [Padding(line, (0, 0, 0, 2)) for line in lines]
        if told:
            parts.append(Padding(Text(told, "dim"), (0, 0, 0, 2)))
        return Group(*parts)

    # ---- numbers

    def _game_lines(self) -> tuple[list[Text], list[tuple[Text, Text]]]:
        """What belongs to nobody: single values, and what has more to it."""
        singles: list[Text] = []
        lines: list[tuple[Text, Text]] = []
        grouped: dict[str, list[VariableView]] = {}
        for variable in self.view.variables:
            described = self.variables[variable.member]
            if variable.member in self.on_boards or _of_players(described.indexes):
                continue
            if described.indexes:
                grouped.setdefault(variable.member, []).append(variable)
            elif described.type.sort != "board" or variable.value == "none":
                name = Text(f"{spaced(variable.member)} ", "dim")
                singles.append(name + self._value(variable))
        for member, entries in grouped.items():
            lines.append((Text(spaced(member), "dim"), Text(_entries(entries))))
        return singles, lines + self._place_lines(None)

    def _place_lines(self, seat: int | None) -> list[tuple[Text, Text]]:
        """The places of a seat, or of nobody; those of one thing on one line."""
        found: dict[str, list[tuple[str, Text]]] = {}
        for place in self.view.places:
            if place.member in self.on_boards or self._owner(place) != seat:
                continue
            described = self.places[place.member]
            names = self._index_names(place)
            if names and not place.count:
                continue
            last = names.pop() if names else ""
            head = " ".join([spaced(place.member), *names])
            if any(index.type.sort == "kind" for index in described.indexes):
                head += self._distinct(place)
            found.setdefault(visible(head), []).append((last, self._contents(place)))
        lines: list[tuple[Text, Text]] = []
        for head, parts in found.items():
            text = Text()
            for last, contents in parts:
                text.append("; " if text.plain else "")
                text.append(f"{visible(last)} " if last else "", "dim")
                text.append_text(contents)
            lines.append((Text(head, "dim"), text))
        return lines

    def _index_names(self, place: PlaceView) -> list[str]:
        """What the place is the place of, besides its player."""
        return [
            spaced(label_text(self.program, index.type, part))
            for index, part in zip(self.places[place.member].indexes, place.index, strict=True)
            if index.type.sort != "player"
        ]

    def _owner(self, place: PlaceView) -> int | None:
        """Whose a place is; one that belongs to a piece goes with the piece."""
        if place.owner is not None:
            return place.owner
        held = self._holder(place)
        if held is None:
            return None
        holder, number = held
        at = indexes_of(number, holder.indexes)
        return at[0] if _of_players(holder.indexes) else None

    def _holder(self, place: PlaceView) -> tuple[PlaceLayout, int] | None:
        """The place, and the number in it, where the piece lies that this place belongs to."""
        for index, piece in zip(self.places[place.member].indexes, place.index, strict=True):
            if index.type.sort != "kind":
                continue
            number = next(
                n for n, k in enumerate(self.program.layout.kinds) if k.name == index.type.name
            )
            kind = self.program.layout.kinds[number]
            if kind.fungible:
                return None
            instance = self.view.masked[kind.where + piece]
            for other in self.program.layout.places:
                if other.kind == number and other.first <= instance < other.first + other.size:
                    return other, instance - other.first
        return None

    def _distinct(self, place: PlaceView) -> str:
        """Two pieces may have one name: then each has a number."""
        same = dict.fromkeys(
            other.index[:-1]
            for other in self.view.places
            if other.member == place.member
            and other.name.rpartition(",")[0] == place.name.rpartition(",")[0]
            and self._owner(other) == self._owner(place)
        )
        if len(same) < 2 or place.index[:-1] not in same:
            return ""
        return f" #{list(same).index(place.index[:-1]) + 1}"

    def _numbers(self) -> Table | None:
        """One row for each player, one column for each of their variables."""
        members = [
            each
            for each in self.program.layout.variables
            if _of_players(each.indexes)
            and each.name not in self.on_boards
            and not each.name.startswith("used_")
            and each.name in {variable.member for variable in self.view.variables}
        ]
        by_player: dict[tuple[str, int], list[VariableView]] = {}
        for variable in self.view.variables:
            if variable.owner is not None:
                by_player.setdefault((variable.member, variable.owner), []).append(variable)
        if not members and not self.view.is_over:
            return None
        names = [Text(spaced(member.name), "dim") for member in members]
        columns: list[list[Text]] = []
        for seat in range(self.view.players):
            cells: list[Text] = []
            for member in members:
                entries = by_player.get((member.name, seat), [])
                single = len(member.indexes) == 1
                cells.append(self._value(entries[0]) if single else Text(_entries(entries)))
            if self.view.is_over:
                cells.append(Text(str(self.view.scores[seat]), "bold"))
            columns.append(cells)
        if self.view.is_over:
            names.append(Text("score", "bold"))
        seats = [self._seat(seat) for seat in range(self.view.players)]
        widths = [
            max(name.cell_len, *(c[n].cell_len for c in columns)) + 2
            for n, name in enumerate(names)
        ]
        table = Table.grid(padding=(0, 2, 0, 0))
        if sum(widths) + 14 <= self.columns:
            table.add_row(Text(), *names)
            for seat_name, cells in zip(seats, columns, strict=True):
                table.add_row(seat_name, *cells)
        else:  # too many columns: rather one for each player
            table.add_row(Text(), *seats)
            for number, name in enumerate(names):
                table.add_row(name, *(cells[number] for cells in columns))
        return table

    def _seat(self, seat: int) -> Text:
        to_act = seat in self.view.to_act
        name = Text("> " if to_act else "  ")
        name.append(player_name(seat, self.view.seat), f"bold {player_style(seat)}")
        if any(layer.owner is None for layer in self.layers.values()) and self.view.players == 2:
            name.append(f" {player_sign(seat, 2)}", "dim")
        return name

    def _value(self, variable: VariableView) -> Text:
        if variable.value is None:
            return Text(HIDDEN, "dim")
        type_ = self.variables[variable.member].type
        if type_.sort == "player" and variable.value != "none":
            seat = int(variable.value[1:]) - 1
            return Text(player_name(seat, self.view.seat), player_style(seat))
        return Text(visible(variable.value))

    # ---- areas

    def _area(self, seat: int) -> list[RenderableType]:
        """What lies before a player: an own board, then the places."""
        parts: list[RenderableType] = []
        for layer in self.layers.values():
            if layer.owner == seat:
                parts.append(self._board(layer))
        rows = [(Text("    ") + name, told) for name, told in self._place_lines(seat)]
        if rows:
            parts.append(_pairs(rows))
        return [self._seat(seat), *parts, Text()] if parts else []

    def _contents(self, place: PlaceView) -> Text:
        if not place.count:
            return Text("empty", "dim")
        if place.word == "pool":
            return Text(", ".join(visible(piece.label) for piece in place.pieces))
        hidden = sum(piece.name is None and piece.label == HIDDEN for piece in place.pieces)
        if hidden == place.count:
            return Text(f"{place.count} hidden", "dim")
        if place.word == "stack" and place.count > 1:
            top = place.pieces[-1]
            told = "hidden" if top.name is None else self._piece(top)
            return Text(f"{place.count}, on top {told}")
        known = [piece for piece in place.pieces if piece.label != HIDDEN or piece.name]
        if place.word in ("hand", "set", "bag"):
            rows = self.program.layout.kinds[self.places[place.member].kind].rows
            known.sort(key=lambda piece: rows.index(piece.name) if piece.name else len(rows))
        counted = Counter(self._piece(piece) for piece in known)
        parts = [f"{number} x {told}" if number > 1 else told for told, number in counted.items()]
        text = Text(", ".join(parts))
        if hidden:
            text.append(f", {hidden} hidden", "dim")
        return text

    def _piece(self, piece: PieceView) -> str:
        marks = [
            spaced(name) if value == "yes" else f"{spaced(name)} {value}"
            for name, value in piece.marks
            if value not in _NOTHING
        ]
        shown = f"{piece.label} ({', '.join(marks)})" if marks else piece.label
        return visible(shown)


def _pairs(rows: Iterable[tuple[Text, Text]]) -> Table:
    """Names and what they stand for, side by side."""
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(no_wrap=True)
    table.add_column()
    for name, value in rows:
        table.add_row(name, value)
    return table


def _of_players(indexes: tuple[Index, ...]) -> bool:
    return bool(indexes) and indexes[0].type.sort == "player"


def _entries(entries: Sequence[VariableView]) -> str:
    """The values of an indexed member: in order if they are few numbers, else by name."""
    names = [",".join(each.index_words[each.owner is not None :]) for each in entries]
    values = [HIDDEN if each.value is None else visible(each.value) for each in entries]
    if len(entries) <= _WIDE and all(name.isdigit() for name in names):
        return " ".join(values)
    pairs = [
        f"{spaced(visible(name))} {value}"
        for name, value in zip(names, values, strict=True)
        if value not in _NOTHING or len(entries) <= _WIDE // 2
    ]
    return ", ".join(pairs) or "nothing"


def _flow(items: Iterable[Text], columns: int) -> list[Text]:
    """One after the other, as many on a line as fit."""
    lines = [Text()]
    for item in items:
        if lines[-1].plain and lines[-1].cell_len + 3 + item.cell_len > columns:
            lines.append(Text())
        lines[-1].append("   " if lines[-1].plain else "")
        lines[-1].append_text(item)
    return lines

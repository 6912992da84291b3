"""The table as one seat sees it, as text for a terminal: boards, numbers, players' areas.

Everything comes from a view; the program only tells how things are to be read: which board
a member lies on, what its values are. All names pass through `visible`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from interpreter.model.seats import seat_name
from interpreter.play.words import HIDDEN, label_text
from interpreter.program.layout import Index
from interpreter.program.program import Program
from interpreter.report.visible import small, visible
from interpreter.terminal.arranged import APART, flow, listed, pairs
from interpreter.terminal.boards import OFFERED, Sign, draw_board, mark_offered, within
from interpreter.terminal.layers import Layer, Layers, People, arrow_of, player_name
from interpreter.terminal.symbols import COLOURS, colour_of, player_sign
from interpreter.view.places import PieceView, PlaceView
from interpreter.view.view import VariableView, View

__all__ = ["player_name", "show_parts", "show_table"]

COMMON, NUMBERS = "common", "players"  # sections of a table
_NOTHING = ("none", "no", "0")
_BESIDE = 4  # numbers of a player that are told beside the name
_WIDE = 12  # values of one member that are shown in full; of more, only what is not nothing
_TALL, _BROAD = 10, 38  # a board beside which something can stand, and the room for that
_FEW = 8  # spaces of a board of a player that are rather listed than drawn
_LONG = 8  # pieces in a row after which only the last are named


def show_table(view: View, program: Program, columns: int) -> Group:
    """Everything on the table, ready to print."""
    return Group(*show_parts(view, program, columns))


def show_parts(
    view: View, program: Program, columns: int, offered: Iterable[tuple[str, int]] = ()
) -> tuple[Group, Group]:
    """The boards of everybody, and all the rest. `offered`: cells of boards to choose from."""
    table = Drawn(view, program, columns, offered)
    return Group(*table.common_boards()), Group(*table.parts())


def _shown(view: View, program: Program) -> View:
    """Without what the rules keep for themselves, and what nobody sees."""
    unseen = {each.name for each in program.layout.variables if each.unseen}
    return view.without(program.not_shown | unseen)


class Drawn:
    """A view, part by part."""

    def __init__(
        self,
        view: View,
        program: Program,
        columns: int,
        offered: Iterable[tuple[str, int]] = (),
    ) -> None:
        view = _shown(view, program)
        self.view = view
        self.program = program
        self.columns = columns
        self.people = People(view, program)
        self.boards = Layers(view, program, self.people)
        self.variables = self.boards.variables
        self.places = self.boards.places
        self.is_beside = False  # what belongs to everybody is told beside the board
        for layer in self.boards.of(None):
            cells = [cell for board, cell in offered if board == layer.board.name]
            if len(cells) * 2 > len(layer.board.cells):
                continue  # nearly everywhere
            if mark_offered(layer.board, layer.cells, cells):
                layer.explain(Sign(OFFERED, "bold"), "to choose")

    def common_boards(self, rows: int | None = None, brief: bool = False) -> list[RenderableType]:
        """Beside a single tall board there is room for what else belongs to everybody. With so few
        rows, a board is folded if that helps, or only a part of it is shown; `brief`: without what
        its signs mean, if that takes more than a line."""
        layers = self.boards.of(None)
        parts: list[RenderableType] = []
        for layer in layers:
            lines, legend = self._board(layer, rows)
            if rows is not None and not lines:
                continue
            across = max(line.cell_len for line in lines) + 4
            if len(layers) == 1 and len(lines) >= _TALL and across + _BROAD <= self.columns:
                self.is_beside = True
                room = self.columns - across
                table = Table.grid(padding=(0, 4, 0, 0))
                table.add_column(no_wrap=True)
                table.add_column()
                side = [*flow(legend, room), Text(), *self._common_parts(room)]
                table.add_row(Group(*lines), Group(*side[:-1]))  # without the last empty line
                parts += [table, Text()]
            else:
                parts += lines
                told = flow(legend, self.columns - 2)
                if brief and len(told) > 1:
                    told = [Text(f"({len(legend)} signs: `table` explains them)", "dim")]
                parts += [Padding(line, (0, 0, 0, 2)) for line in told]
                parts.append(Text())
        return parts

    def _common_parts(self, columns: int) -> list[RenderableType]:
        parts: list[RenderableType] = []
        singles, lines = self._game_lines()
        if singles:
            parts += [*flow(singles, columns), Text()]
        if lines:
            parts.append(pairs(lines, columns))
        unseen, empty = self._unseen(), self._empty()
        if unseen:
            parts.append(Text(f"unseen: {', '.join(unseen)}", "dim"))
        if empty:
            parts.append(Text(f"empty: {', '.join(empty)}", "dim"))
        if lines or empty or unseen:
            parts.append(Text())
        return parts

    def parts(self) -> list[RenderableType]:
        parts: list[RenderableType] = []
        for _, section in self.sections():
            parts += [*section, Text()]
        return parts[:-1]  # without the last empty line

    def sections(self) -> list[tuple[str, list[RenderableType]]]:
        """All that is not on the boards of everybody, by what it is: what belongs to nobody, the
        numbers of the players, and what lies before each of them."""
        found: list[tuple[str, list[RenderableType]]] = []
        common = [] if self.is_beside else self._common_parts(self.columns)
        if common:
            found.append((COMMON, common[:-1]))
        areas = {seat: self._area(seat) for seat in range(self.view.players)}
        names, columns = self._numbers()
        told = [self._told(seat, names, columns) for seat in areas]
        beside = all(areas.values()) and max(text.cell_len for text in told) <= self.columns
        if names and not (beside and self._few_numbers()):
            found.append((NUMBERS, [self._number_table(names, columns)]))
            told = [self._seat(seat) for seat in areas]
        # Where one's own things lie is nearest to where one types.
        for seat in sorted(areas, key=lambda each: each == self.view.seat):
            if areas[seat]:
                found.append((seat_name(seat), [told[seat], *areas[seat]]))
        return found

    def _few_numbers(self) -> bool:
        """Whether players have so few numbers that these are told beside their names. It does not
        hang on what they are, so that the table keeps its form."""
        members = [
            each.name
            for each in self.program.layout.variables
            if _of_players(each.indexes) and each.name not in self.program.not_shown
        ]
        return sum(name not in self.boards.on_boards for name in members) <= _BESIDE

    def _board(self, layer: Layer, rows: int | None = None) -> tuple[list[Text], list[Text]]:
        """The lines of a board, and the items of its legend."""
        lines = draw_board(layer.board, layer.cells, self.columns - 2, layer.walls)
        if rows is not None:
            lines = within(layer.board, lines, self.columns - 2, rows)
        lines = [Text("  ") + each for each in lines]
        legend: list[Text] = []
        for each in layer.legend.values():
            if each.told != each.sign and not each.told.startswith(f"{each.sign} "):
                space = " " if each.sign else ""
                told = (f"{space}{each.told}", "dim")
                legend.append(Text.assemble((each.sign, each.style), told))
        members = ", ".join(self.boards.member(member) for member in layer.members)
        if len(layer.members) > 1:
            legend.append(Text(f"each cell: {members}", "dim"))
        elif not legend and layer.members:
            legend.append(Text(members, "dim"))
        if len(self.program.boards) > 1:
            lines.insert(0, Text(small(layer.board.name), "bold"))
        return lines, legend

    # ---- numbers

    def _game_lines(self) -> tuple[list[Text], list[tuple[Text, Text]]]:
        """What belongs to nobody: single values, and what has more to it."""
        singles: list[Text] = []
        lines: list[tuple[Text, Text]] = []
        grouped: dict[str, list[VariableView]] = {}
        for variable in self.view.variables:
            described = self.variables[variable.member]
            if variable.member in self.boards.on_boards or _of_players(described.indexes):
                continue
            if described.indexes:
                grouped.setdefault(variable.member, []).append(variable)
            elif variable.value not in ("none", "no") and described.type.sort != "board":
                name = Text(f"{self.boards.member(variable.member)} ", "dim")
                singles.append(Text.assemble(name, self._value(variable)))
        for member, entries in grouped.items():
            lines.append((Text(self.boards.member(member), "dim"), self._entries(entries)))
        return singles, lines + self._place_lines(None)

    def _common(self) -> list[PlaceView]:
        """The places of everybody of which there is only one."""
        return [
            place
            for place in self.view.places
            if not self.places[place.member].indexes and place.member not in self.boards.on_boards
        ]

    def _empty(self) -> list[str]:
        return [self.boards.member(each.member) for each in self._common() if not each.count]

    def _unseen(self) -> list[str]:
        """Decks and bags of which nobody sees more than how much is left."""
        found = [each for each in self._common() if _is_unseen(each)]
        return [f"{self.boards.member(each.member)} {each.count}" for each in found]

    def _place_lines(self, seat: int | None) -> list[tuple[Text, Text]]:
        """The places of a seat, or of nobody; those of one thing on one line."""
        found: dict[str, list[tuple[str, Text]]] = {}
        for place in self.view.places:
            if place.member in self.boards.on_boards or place.owner != seat:
                continue
            described = self.places[place.member]
            indexes = zip(described.indexes, self._index_names(place), strict=True)
            names = [name for index, name in indexes if index.type.sort != "player"]
            if not place.count or (_is_unseen(place) and not described.indexes):
                continue
            last = names.pop() if names else ""
            head = " ".join([self.boards.member(place.member), *names])
            if any(index.type.sort == "kind" for index in described.indexes):
                head += self._distinct(place)
            found.setdefault(visible(head), []).append((last, self._contents(place)))
        lines: list[tuple[Text, Text]] = []
        for head, parts in found.items():
            text = Text()
            within = any(";" in contents.plain for _, contents in parts)
            for last, contents in parts:
                text.append((APART if within else "; ") if text.plain else "")
                text.append(f"{visible(last)} " if last else "", "dim")
                text.append_text(contents)
            lines.append((Text(head, "dim"), text))
        return lines

    def _index_names(self, member: PlaceView | VariableView) -> list[str]:
        """What a place or a variable is that of, in words."""
        of_place = isinstance(member, PlaceView)
        described = self.places[member.member] if of_place else self.variables[member.member]
        return [
            label_text(self.program, index.type, part) if part >= 0 else text
            for index, part, text in zip(
                described.indexes, member.index, member.index_words, strict=True
            )
        ]

    def _distinct(self, place: PlaceView) -> str:
        """Two pieces may have one name: then each has a number."""
        same = dict.fromkeys(
            other.index_words[:-1]
            for other in self.view.places
            if other.member == place.member
            and self._index_names(other)[:-1] == self._index_names(place)[:-1]
            and other.owner == place.owner
        )
        if len(same) < 2 or place.index_words[:-1] not in same:
            return ""
        return f" #{list(same).index(place.index_words[:-1]) + 1}"

    def _numbers(self) -> tuple[list[Text], list[list[Text]]]:
        """The variables of players that say something, and for each player the values."""
        members = [
            each
            for each in self.program.layout.variables
            if _of_players(each.indexes)
            and each.name not in self.program.not_shown
            and each.name not in self.boards.on_boards
            and not each.name.startswith("used_")
            and any(
                v.member == each.name and v.value not in ("none", "no") for v in self.view.variables
            )
        ]
        by_player: dict[tuple[str, int], list[VariableView]] = {}
        for variable in self.view.variables:
            if variable.owner is not None:
                by_player.setdefault((variable.member, variable.owner), []).append(variable)
        if len(members) > 2 * _BESIDE:  # then leave out where everybody has nothing
            members = [
                each
                for each in members
                if any(
                    v.member == each.name and v.value not in _NOTHING for v in self.view.variables
                )
            ]
        names = [Text(self.boards.member(member.name), "dim") for member in members]
        columns: list[list[Text]] = []
        for seat in range(self.view.players):
            cells: list[Text] = []
            for member in members:
                entries = by_player.get((member.name, seat), [])
                single = len(member.indexes) == 1
                cells.append(self._value(entries[0]) if single else self._entries(entries))
            if self.view.is_over:
                cells.append(Text(str(self.view.scores[seat]), "bold"))
            columns.append(cells)
        if self.view.is_over:
            names.append(Text("score", "bold"))
        return names, columns

    def _number_table(self, names: list[Text], columns: list[list[Text]]) -> Table:
        """One row for each player, one column for each variable."""
        seats = [self._seat(seat) for seat in range(self.view.players)]
        widths = [
            max(name.cell_len, *(c[n].cell_len for c in columns)) for n, name in enumerate(names)
        ]
        room = self.columns - sum(widths) - max(seat.cell_len for seat in seats)
        apart = 2 if room >= 2 * len(names) + 2 else 1
        table = Table.grid(padding=(0, apart, 0, 0))
        if room > len(names):
            table.add_row(Text(), *names)
            for seat, cells in zip(seats, columns, strict=True):
                table.add_row(seat, *cells)
        else:  # too many columns: rather one for each player
            table = Table.grid(padding=(0, 2, 0, 0))
            table.add_row(Text(), *seats)
            for number, name in enumerate(names):
                table.add_row(name, *(cells[number] for cells in columns))
        return table

    def _told(self, seat: int, names: list[Text], columns: list[list[Text]]) -> Text:
        """A player with all numbers on one line."""
        text = self._seat(seat)
        for name, value in zip(names, columns[seat], strict=True):
            text = text + Text("   ") + name + Text(" ") + value
        return text

    def _seat(self, seat: int) -> Text:
        to_act = seat in self.view.to_act
        name = Text("> " if to_act else "  ")
        name.append(player_name(seat, self.view.seat), f"bold {self.people.style(seat)}")
        if self.view.players == 2 and any(
            each.told == self.people.name(seat)
            for layer in self.boards.of(None)
            for each in layer.legend.values()
        ):
            name.append(f" {player_sign(seat, 2)}", "dim")
        return name

    def _value(self, variable: VariableView) -> Text:
        if variable.value is None:
            return Text(HIDDEN, "dim")
        type_ = self.variables[variable.member].type
        if type_.sort == "player" and variable.value != "none":
            seat = int(variable.value[1:]) - 1
            return Text(self.people.name(seat), self.people.style(seat))
        if variable.value in ("none", "no"):
            return Text("-" if variable.value == "none" else "no", "dim")
        return Text(visible(self.boards.label(type_, variable.value)), colour_of(variable.value))

    # ---- areas

    def _area(self, seat: int) -> list[RenderableType]:
        """What lies before a player: an own board, then the places."""
        parts: list[RenderableType] = []
        lines: list[tuple[Text, Text]] = []
        for layer in self.boards.of(seat):
            if len(layer.board.cells) <= _FEW and len({y for _, y in layer.board.coordinates}) <= 1:
                lines += self._cell_lines(layer, seat)
            else:
                drawn, legend = self._board(layer)
                told = flow(legend, self.columns - 2) if legend else []
                parts += [*drawn, *(Padding(line, (0, 0, 0, 2)) for line in told)]
        lines += self._place_lines(seat)
        if lines and seat == self.view.seat:
            rows = [(Text("    ") + name, told) for name, told in lines]
            parts.append(pairs(rows, self.columns))
        elif lines:  # what lies before the others takes less room
            items = [Text.assemble(name, " ", told) for name, told in lines]
            parts += [Padding(line, (0, 0, 0, 4)) for line in flow(items, self.columns - 4)]
        return parts

    def _cell_lines(self, layer: Layer, seat: int) -> list[tuple[Text, Text]]:
        """A small board of a player, space by space: what lies there in words."""
        told: dict[int, list[str]] = {number: [] for number in range(len(layer.board.cells))}
        for place in self.view.places:
            if place.member in layer.members and place.owner == seat and place.count:
                told[place.index[-1]].append(self._contents(place).plain)
        for variable in self.view.variables:
            described = self.variables[variable.member]
            if variable.member not in layer.members or variable.owner != seat:
                continue
            if variable.value is not None and variable.value not in _NOTHING:
                value = self.boards.label(described.type, variable.value)
                name = self.boards.member(variable.member)
                told[variable.index[-1]].append(name if value == "yes" else f"{name} {value}")
        labels = layer.board.labels or layer.board.cells
        return [
            (Text(visible(labels[number]), "dim"), Text(", ".join(parts) or "-"))
            for number, parts in told.items()
            if parts or seat == self.view.seat
        ]

    def _contents(self, place: PlaceView) -> Text:
        if place.word == "pool":
            return self._in_colours(place, listed([visible(each.label) for each in place.pieces]))
        hidden = sum(piece.name is None and piece.label == HIDDEN for piece in place.pieces)
        if hidden == place.count:
            return Text(f"{place.count} hidden", "dim")
        if place.word == "stack" and place.count > 1:
            top = place.pieces[-1]
            told = "hidden" if top.name is None else self._piece(top)
            return Text(f"{place.count}, on top {told}")
        if place.word == "row" and place.count > _LONG and place.owner is None:
            last = [self._piece(piece) for piece in place.pieces[-2:]]
            return Text(f"{place.count}, the last: ") + listed(last)
        known = [piece for piece in place.pieces if piece.label != HIDDEN or piece.name]
        if place.word in ("hand", "set", "bag"):
            rows = self.program.layout.kinds[self.places[place.member].kind].rows
            known.sort(key=lambda piece: rows.index(piece.name) if piece.name else len(rows))
        counted = Counter(self._piece(piece) for piece in known)
        parts = [f"{number} x {told}" if number > 1 else told for told, number in counted.items()]
        text = self._in_colours(place, listed(parts))
        if hidden:
            text.append(f", {hidden} hidden", "dim")
        return text

    def _in_colours(self, place: PlaceView, text: Text) -> Text:
        """Pieces that are called by colours are shown in them."""
        for label in set(self.program.layout.kinds[self.places[place.member].kind].labels):
            if label in COLOURS:
                text.highlight_regex(rf"\b{label}\b( [0-9]+)?", COLOURS[label])
        return text

    def _piece(self, piece: PieceView) -> str:
        """A piece with what lies on it. Where it stands and the only number of a piece need
        no name: `red 3`, `Ann c5→`."""
        bare: list[str] = []
        marks: list[str] = []
        numbers = [n for n, _ in piece.marks if self.variables[n].type.sort == "int"]
        stands = any(self.variables[name].type.sort == "board" for name, _ in piece.marks)
        for name, value in piece.marks:
            type_ = self.variables[name].type
            if value in _NOTHING:
                continue
            if name in self.boards.drawn:
                where = self.boards.label(type_, value)
                bare.append(f"{where}{arrow_of(self.variables, piece, type_.name)}")
            elif type_.sort == "direction" and stands:
                continue  # told with where it stands, or it stands nowhere
            elif numbers == [name]:
                bare.append(value)
            elif type_.sort == "bool":
                marks.append(self.boards.member(name))
            else:
                marks.append(f"{self.boards.member(name)} {self.boards.label(type_, value)}")
        shown = " ".join([piece.label, *bare])
        return visible(f"{shown} ({', '.join(marks)})" if marks else shown)

    def _entries(self, entries: Sequence[VariableView]) -> Text:
        """The values of an indexed member: in order if they are few numbers, else by name."""
        type_ = self.variables[entries[0].member].type
        names = [",".join(self._index_names(each)[each.owner is not None :]) for each in entries]
        values = [
            HIDDEN if each.value is None else visible(self.boards.label(type_, each.value))
            for each in entries
        ]
        if len(entries) <= _WIDE and all(name.isdigit() for name in names):
            return Text(" ".join(values))
        numbers = type_.sort == "int" and len(entries) <= _WIDE // 2 and set(values) != {"0"}
        pairs = [
            f"{visible(name)} {value}"
            for name, value in zip(names, values, strict=True)
            if value not in _NOTHING or (numbers and entries[0].owner is None)
        ]
        return Text(", ".join(pairs)) if pairs else Text("-", "dim")


def _is_unseen(place: PlaceView) -> bool:
    return bool(place.pieces) and all(
        piece.name is None and piece.label == HIDDEN for piece in place.pieces
    )


def _of_players(indexes: tuple[Index, ...]) -> bool:
    return bool(indexes) and indexes[0].type.sort == "player"

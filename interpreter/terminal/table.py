"""The table as one seat sees it, as text for a terminal: boards, numbers, players' areas.

Everything comes from a scene and its plan, as in a browser (`seen.py`), whose texts are fit to be
printed already.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from interpreter.model.seats import seat_name
from interpreter.play.words import HIDDEN
from interpreter.program.program import Program
from interpreter.report.visible import small
from interpreter.terminal.arranged import APART, flow, listed, pairs
from interpreter.terminal.boards import OFFERED, Sign, draw_board, mark_offered, within
from interpreter.terminal.layers import Layer, Layers, People, arrow_of, player_name
from interpreter.terminal.seen import Lying, Member, Piece, Seen, Told
from interpreter.terminal.symbols import COLOURS, colour_of, player_sign
from interpreter.view.view import View

__all__ = ["player_name", "show_parts", "show_table"]

COMMON, NUMBERS = "common", "players"  # sections of a table
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
    table = Drawn(Seen(view, program), columns, offered)
    return Group(*table.common_boards()), Group(*table.parts())


class Drawn:
    """A scene, part by part."""

    def __init__(self, seen: Seen, columns: int, offered: Iterable[tuple[str, int]] = ()) -> None:
        self.seen = seen
        self.columns = columns
        self.people = People(self.seen)
        self.boards = Layers(self.seen, self.people)
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
        areas = {seat: self._area(seat) for seat in range(self.seen.players)}
        names, columns = self._numbers()
        told = [self._told(seat, names, columns) for seat in areas]
        beside = all(areas.values()) and max(text.cell_len for text in told) <= self.columns
        if names and not (beside and self._few_numbers()):
            found.append((NUMBERS, [self._number_table(names, columns)]))
            told = [self._seat(seat) for seat in areas]
        # Where one's own things lie is nearest to where one types.
        for seat in sorted(areas, key=lambda each: each == self.seen.seat):
            if areas[seat]:
                found.append((seat_name(seat), [told[seat], *areas[seat]]))
        return found

    def _few_numbers(self) -> bool:
        """Whether players have so few numbers that these are told beside their names. It does not
        hang on what they are, so that the table keeps its form."""
        members = [each for each in self.seen.members.values() if _is_number(each)]
        return sum(each.name not in self.boards.on_boards for each in members) <= _BESIDE

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
        members = ", ".join(self.seen.members[member].words for member in layer.members)
        parted = bool(layer.members) and layer.has_parted
        if parted:
            members += f" / {', '.join(layer.standing)}"
        if len(layer.members) > 1 or parted:
            legend.append(Text(f"each cell: {members}", "dim"))
        elif not legend and layer.members:
            legend.append(Text(members, "dim"))
        if len(self.seen.boards) > 1:
            lines.insert(0, Text(small(layer.board.name), "bold"))
        return lines, legend

    # ---- numbers

    def _game_lines(self) -> tuple[list[Text], list[tuple[Text, Text]]]:
        """What belongs to nobody: single values, and what has more to it."""
        singles: list[Text] = []
        lines: list[tuple[Text, Text]] = []
        grouped: dict[str, list[Told]] = {}
        for told in self.seen.values:
            member = told.member
            if member.name in self.boards.on_boards or member.is_of_players:
                continue
            if member.indexes:
                grouped.setdefault(member.name, []).append(told)
            elif told.says_something and member.type["sort"] != "board":
                name = Text(f"{member.words} ", "dim")
                singles.append(Text.assemble(name, self._value(told)))
        for entries in grouped.values():
            lines.append((Text(entries[0].member.words, "dim"), self._entries(entries)))
        return singles, lines + self._place_lines(None)

    def _common(self) -> list[Lying]:
        """The places of everybody of which there is only one."""
        return [place for place in self.seen.places if not place.member.indexes]

    def _empty(self) -> list[str]:
        return [each.member.words for each in self._common() if not each.count]

    def _unseen(self) -> list[str]:
        """Decks and bags of which nobody sees more than how much is left."""
        found = [each for each in self._common() if _is_unseen(each)]
        return [f"{each.member.words} {each.count}" for each in found]

    def _place_lines(self, seat: int | None) -> list[tuple[Text, Text]]:
        """The places of a seat, or of nobody; those of one thing on one line."""
        found: dict[str, list[tuple[str, Text]]] = {}
        for place in self.seen.places:
            member = place.member
            if member.name in self.boards.on_boards or place.owner != seat:
                continue
            if not place.count or (_is_unseen(place) and not member.indexes):
                continue
            indexes = zip(member.sorts, self.seen.index_names(place), strict=True)
            names = [name for sort, name in indexes if sort != "player"]
            last = names.pop() if names else ""
            head = " ".join([member.words, *names])
            if "kind" in member.sorts:
                head += self._distinct(place)
            found.setdefault(head, []).append((last, self._contents(place)))
        lines: list[tuple[Text, Text]] = []
        for head, parts in found.items():
            text = Text()
            within = any(";" in contents.plain for _, contents in parts)
            for last, contents in parts:
                text.append((APART if within else "; ") if text.plain else "")
                text.append(f"{last} " if last else "", "dim")
                text.append_text(contents)
            lines.append((Text(head, "dim"), text))
        return lines

    def _distinct(self, place: Lying) -> str:
        """Two pieces may have one name: then each has a number."""
        names = self.seen.index_names(place)[:-1]
        same = dict.fromkeys(
            other.index[:-1]
            for other in self.seen.places
            if other.member is place.member
            and self.seen.index_names(other)[:-1] == names
            and other.owner == place.owner
        )
        if len(same) < 2 or place.index[:-1] not in same:
            return ""
        return f" #{list(same).index(place.index[:-1]) + 1}"

    def _numbers(self) -> tuple[list[Text], list[list[Text]]]:
        """The variables of players that say something, and for each player the values."""
        told: dict[str, list[Told]] = {}
        for each in self.seen.values:
            if _is_number(each.member) and each.member.name not in self.boards.on_boards:
                told.setdefault(each.member.name, []).append(each)
        told = {k: v for k, v in told.items() if any(each.says_something for each in v)}
        if len(told) > 2 * _BESIDE:  # then leave out where everybody has nothing
            told = {k: v for k, v in told.items() if not all(each.is_nothing for each in v)}
        members = [self.seen.members[name] for name in told]
        names = [Text(member.words, "dim") for member in members]
        columns: list[list[Text]] = []
        for seat in range(self.seen.players):
            cells: list[Text] = []
            for member in members:
                entries = [each for each in told[member.name] if each.owner == seat]
                single = len(member.indexes) == 1
                cells.append(self._value(entries[0]) if single else self._entries(entries))
            if self.seen.is_over:
                cells.append(Text(str(self.seen.scores[seat]), "bold"))
            columns.append(cells)
        if self.seen.is_over:
            names.append(Text("score", "bold"))
        return names, columns

    def _number_table(self, names: list[Text], columns: list[list[Text]]) -> Table:
        """One row for each player, one column for each variable."""
        seats = [self._seat(seat) for seat in range(self.seen.players)]
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
        to_act = seat in self.seen.to_act
        name = Text("> " if to_act else "  ")
        name.append(player_name(seat, self.seen.seat), f"bold {self.people.style(seat)}")
        if self.seen.players == 2 and any(
            each.told == self.people.name(seat)
            for layer in self.boards.of(None)
            for each in layer.legend.values()
        ):
            name.append(f" {player_sign(seat, 2)}", "dim")
        return name

    def _value(self, told: Told) -> Text:
        if told.is_hidden:
            return Text(HIDDEN, "dim")
        if not told.says_something:
            return Text("-" if told.value is None else "no", "dim")
        if told.member.type["sort"] == "player":
            return Text(self.people.name(told.value), self.people.style(told.value))
        return Text(self.seen.words(told), colour_of(self.seen.raw(told)))

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
        if lines and seat == self.seen.seat:
            rows = [(Text("    ") + name, told) for name, told in lines]
            parts.append(pairs(rows, self.columns))
        elif lines:  # what lies before the others takes less room
            items = [Text.assemble(name, " ", told) for name, told in lines]
            parts += [Padding(line, (0, 0, 0, 4)) for line in flow(items, self.columns - 4)]
        return parts

    def _cell_lines(self, layer: Layer, seat: int) -> list[tuple[Text, Text]]:
        """A small board of a player, space by space: what lies there in words."""
        told: dict[int, list[str]] = {number: [] for number in range(len(layer.board.cells))}
        for place in self.seen.places:
            if place.member.name in layer.members and place.owner == seat and place.count:
                told[place.index[-1]].append(self._contents(place).plain)
        for each, owner, cell in self.seen.on_cells:
            if each.member.name not in layer.members or owner != seat:
                continue
            if not each.is_hidden and not each.is_nothing:
                value, name = self.seen.words(each), each.member.words
                told[cell].append(name if value == "yes" else f"{name} {value}")
        labels = layer.board.labels or layer.board.cells
        return [
            (Text(labels[number], "dim"), Text(", ".join(parts) or "-"))
            for number, parts in told.items()
            if parts or seat == self.seen.seat
        ]

    def _contents(self, place: Lying) -> Text:
        word = place.member.word
        if word == "pool":
            told = [f"{each.count} {each.label}" for each in place.pieces]
            return self._in_colours(place, listed(told))
        hidden = sum(piece.is_hidden for piece in place.pieces)
        if hidden == place.count:
            return Text(f"{place.count} hidden", "dim")
        if word == "stack" and place.count > 1:
            top = place.pieces[-1]
            return Text(
                f"{place.count}, on top {'hidden' if top.row is None else self._piece(top)}"
            )
        if word == "row" and place.count > _LONG and place.owner is None:
            last = [self._piece(piece) for piece in place.pieces[-2:]]
            return Text(f"{place.count}, the last: ") + listed(last)
        known = [piece for piece in place.pieces if not piece.is_hidden]
        if word in ("hand", "set", "bag"):
            rows = [each["name"] for each in self.seen.plan["kinds"][place.member.kind]["rows"]]
            known.sort(key=lambda piece: rows.index(piece.row) if piece.row else len(rows))
        counted = Counter(self._piece(piece) for piece in known)
        parts = [f"{number} x {told}" if number > 1 else told for told, number in counted.items()]
        text = self._in_colours(place, listed(parts))
        if hidden:
            text.append(f", {hidden} hidden", "dim")
        return text

    def _in_colours(self, place: Lying, text: Text) -> Text:
        """Pieces that are called by colours are shown in them."""
        for row in self.seen.plan["kinds"][place.member.kind]["rows"]:
            if row["label"] in COLOURS:
                label = row["label"]
                text.highlight_regex(rf"\b{label}\b( [0-9]+)?", COLOURS[label])
        return text

    def _piece(self, piece: Piece) -> str:
        """A piece with what lies on it. Where it stands and the only number of a piece need
        no name: `red 3`, `Ann c5→`."""
        bare: list[str] = []
        marks: list[str] = []
        numbers = [mark for mark in piece.marks if mark.member.type["sort"] == "int"]
        stands = any(mark.member.type["sort"] == "board" for mark in piece.marks)
        for mark in piece.marks:
            type_, value = mark.member.type, self.seen.words(mark)
            if mark.is_nothing:
                continue
            if mark.member.name in self.boards.drawn:
                bare.append(f"{value}{arrow_of(piece, type_['name'])}")
            elif type_["sort"] == "direction" and stands:
                continue  # told with where it stands, or it stands nowhere
            elif numbers == [mark]:
                bare.append(value)
            elif type_["sort"] == "bool":
                marks.append(mark.member.words)
            else:
                marks.append(f"{mark.member.words} {value}")
        shown = " ".join([piece.label, *bare])
        return f"{shown} ({', '.join(marks)})" if marks else shown

    def _entries(self, entries: Sequence[Told]) -> Text:
        """The values of an indexed member: in order if they are few and counted from 1, so that
        each can be told by its place; else by name."""
        owned = entries[0].owner is not None
        names = [",".join(self.seen.index_names(each)[owned:]) for each in entries]
        values = [self.seen.words(each) for each in entries]
        numbered = all(name.lstrip("-").isdigit() for name in names)
        if numbered and len(entries) <= _WIDE and names[0] == "1":
            return Text(" ".join(values))
        colon = ":" if numbered else ""  # else `2 5` would look like two values
        few = entries[0].member.type["sort"] == "int" and len(entries) <= _WIDE // 2
        numbers = few and not owned and set(values) != {"0"}
        pairs = [
            f"{name}{colon} {value}"
            for name, value, each in zip(names, values, entries, strict=True)
            if numbers or not each.is_nothing
        ]
        return Text(", ".join(pairs)) if pairs else Text("-", "dim")


def _is_unseen(place: Lying) -> bool:
    return bool(place.pieces) and all(piece.is_hidden for piece in place.pieces)


def _is_number(member: Member) -> bool:
    """Whether it is kept for each player."""
    return member.is_of_players and not member.is_place

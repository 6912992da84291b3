"""Declaring things with a shape: kinds, tables, boards and constants, with their data."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

from interpreter import limits
from interpreter.data import yaml_tree
from interpreter.data.validate import validate_node
from interpreter.model import boards, products, rows
from interpreter.model.declare_names import NameDeclarer
from interpreter.model.ruleset import (
    BoardInfo,
    ConstantInfo,
    Dimension,
    FieldInfo,
    KindInfo,
    RowInfo,
    size_of,
)  # fmt: skip
from interpreter.model.static import static_value
from interpreter.model.types import INT, Type, named, whole
from interpreter.model.worked_out import check_effort, mentions
from interpreter.report.source import Mark
from interpreter.report.suggest import did_you_mean
from interpreter.report.visible import spaced
from interpreter.tree import nodes
from interpreter.tree.marks import declared_mark, part


class ShapeDeclarer(NameDeclarer):
    """Fields, boards and constants, in the order they are written; then the rows."""

    def _name_rows(self, each: nodes.Kind) -> None:
        """Let it be known what the rows of a kind are called; what they say is read later."""
        kind = self.ruleset.kinds.get(each.name)
        if kind is None or self.data is None or not isinstance(each.rows, nodes.RowsFrom):
            return
        node = self.data.at(each.rows.path)
        defaults = self.data.at(each.rows.defaults) if each.rows.defaults is not None else None
        most = limits.COLLECTION_ITEMS // 10
        if node is None or rows.count(node) > most:
            return
        found = rows.peek_rows(kind.name, node, defaults)
        if sum(row.copies for row in found) <= most:
            kind.rows = found

    def _is_table(self, each: nodes.Kind, listed: nodes.RowsListed) -> bool:
        """Whether this is `kind Card: cards`, where `cards` is a table of the data; it is told."""
        if self.data is None or len(listed.rows) != 1:
            return False
        name = listed.rows[0].name
        if self.data.at((name,)) is None:
            return False
        message = f"`{name}` is a table of the data, and here it would be a piece"
        help_ = f"read the rows with `from`: `kind {each.name} from {name}`"
        self.problems.error("RR233", message, listed.mark, help=help_)
        return True

    def _shape(self, each: nodes.Declaration) -> None:
        match each:
            case nodes.Kind() if each.name in self.ruleset.kinds:
                kind = self.ruleset.kinds[each.name]
                kind.fields = self._fields(each.fields, products.factor_names(each.rows))
                self._check_sight(each.fields, of_pieces=each.word == "kind")
                for info in kind.fields.values():
                    if info.type == named("enum", "ability") or info.type.name == "ability":
                        kind.ability_field = info.name
                if isinstance(each.rows, nodes.RowsListed):
                    if self._is_table(each, each.rows):
                        return
                    kind.rows = [
                        RowInfo(r.name, r.printed or spaced(r.name), r.copies)
                        for r in each.rows.rows
                    ]
                    self._limit_pieces(kind, declared_mark(each))
                elif isinstance(each.rows, nodes.RowsProduct):
                    self._product(each, kind, each.rows)
                elif isinstance(each.rows, nodes.Range):
                    of = nodes.TypeRange(each.rows.low, each.rows.high, mark=each.rows.mark)
                    factor = nodes.Factor(None, of, mark=each.rows.mark)
                    rows = nodes.RowsProduct((factor,), None, None, None, mark=each.rows.mark)
                    self._product(each, kind, rows)
            case nodes.Board() if each.name in self.ruleset.boards:
                self._board(each)
            case nodes.Constant() if self._claim(each.name, declared_mark(each)):
                if self._needs_rows(each):
                    self.waiting.append(each)
                else:
                    self._constant(each)
            case _:
                pass

    def _product(self, each: nodes.Kind, kind: KindInfo, rows: nodes.RowsProduct) -> None:
        """Rows for all values of some types. A field may be declared once more among the others,
        to say who sees it."""
        types: dict[str, Type] = {}
        for factor in rows.factors:
            name, type_ = products.factor_name(factor), self.type_of(factor.of)
            if type_.sort == "unknown":
                return
            if type_.sort not in ("int", "enum", "player") or type_.optional:
                message = f"`{type_}` cannot be gone through here"
                help_ = "rows are made from enums, ranges such as 1..13, and `Player`"
                self.problems.error("RR344", message, factor.mark, help=help_)
                return
            if name in types:
                message = f"two fields of this row are called `{name}`"
                help_ = "give each a name of its own: `left in 0..6 by right in 0..6`"
                self.problems.error("RR200", message, factor.mark, help=help_)
                return
            types[name] = type_
            declared = kind.fields.get(name)
            if declared is None:
                kind.fields[name] = FieldInfo(name, type_, (), False, factor.mark)
            elif declared.type != type_ or declared.dimensions or declared.has_default:
                message = f"`{name}` already has a value in every row"
                help_ = f"declare it to say who sees it: `{name}: {type_}, on the back`"
                self.problems.error("RR346", message, declared.mark, help=help_)
                return
        kind.factors = tuple(types)
        kind.fields = {**{name: kind.fields[name] for name in types}, **kind.fields}
        ways = math.prod(self.ruleset.type_size(type_) or 0 for type_ in types.values())
        if ways > limits.COLLECTION_ITEMS // 10:
            self._too_many_pieces(each.name, rows.mark)
            return
        for info in kind.fields.values():
            info.dimensions = self._table(info.dimensions, ways, info.mark)
        products.fill_product(self.ruleset, kind, rows, types, self.problems)
        self._limit_pieces(kind, declared_mark(each))

    def _fields(
        self, written: tuple[nodes.Field, ...], others: Iterable[str] = ()
    ) -> dict[str, FieldInfo]:
        """The fields as they are declared; their defaults may speak of them, and of `others`."""
        fields: dict[str, FieldInfo] = {}
        of_row = {*others, *(each.name for each in written)}
        for each in written:
            type_ = self.type_of(each.type)
            dims = self._table(self.dimensions(each.dimensions), 1, each.mark)
            info = FieldInfo(each.name, type_, dims, each.hidden, each.mark, each.on_back)
            if each.name in fields:
                notes = ((fields[each.name].mark, "it is declared here"),)
                message = f"the field `{each.name}` is declared twice"
                mark = part(each.mark, 0, len(each.name))
                help_ = "rename one of them"
                self.problems.error("RR200", message, mark, notes=notes, help=help_)
            if each.default is not None:
                if isinstance(each.default, nodes.NoneValue):
                    info.default = type_.none
                elif mentions(each.default, of_row):
                    info.worked = each.default
                else:
                    info.default = static_value(each.default, self.ruleset, self.problems) or 0
            fields[each.name] = info
        return fields

    def _check_sight(self, written: tuple[nodes.Field, ...], of_pieces: bool) -> None:
        """Only a piece has a face and a back, and what is on its back is one value."""
        for each in written:
            if (each.hidden or each.on_back) and not of_pieces:
                message = f"`{each.name}` belongs to no piece, so there is no side to see it on"
                help_ = "leave it away: rows of tables and cells of boards are open to all"
                self.problems.error("RR251", message, each.mark, help=help_)
            elif each.on_back and (each.dimensions or isinstance(each.type, nodes.TypeList)):
                message = f"`{each.name}` holds several values; a back shows one"
                help_ = "put a field of its own on the back, of an enum for instance"
                self.problems.error("RR251", message, each.mark, help=help_)

    def _board(self, each: nodes.Board) -> None:
        shape = each.shape
        if isinstance(shape, nodes.ShapeFrom):
            self._board_from(each, shape)
            return
        sizes = [static_value(size, self.ruleset, self.problems) for size in shape.sizes]
        numbers = [size for size in sizes if size is not None]
        if len(numbers) < len(sizes):
            return
        cells = numbers[0] * numbers[-1] if len(numbers) == 2 else numbers[0]
        if shape.word == "hex radius":
            cells = 3 * cells * (cells + 1) + 1
        if not self._room_for(cells if min(numbers) > 0 else 0, shape.mark):
            return
        match shape.word:
            case "square":
                board = boards.square_board(each.name, numbers[0], numbers[1], each.mark)
            case "hex":
                board = boards.hex_rhombus(each.name, numbers[0], numbers[1], each.mark)
            case "hex radius":
                board = boards.hex_radius(each.name, numbers[0], each.mark)
            case "line" | "ring":
                ring = shape.word == "ring"
                board = boards.line_board(each.name, numbers[0], each.mark, ring=ring)
        if each.fields:
            message = f"the cells of `{each.name}` come from its size, so they have no data to read"
            help_ = f"declare what each of them has under `each {each.name} has`"
            self.problems.error("RR253", message, each.fields[0].mark, help=help_)
        kept = board if each.where is None else self._board_where(each, board, each.where)
        if kept is not None:
            self.ruleset.boards[each.name] = kept

    def _board_where(
        self, each: nodes.Board, board: BoardInfo, where: nodes.Expr
    ) -> BoardInfo | None:
        """The board without the cells for which a condition on their columns and rows fails."""
        if not board.is_flat:
            message = f"a {board.shape} has no gaps"
            help_ = "make it shorter, or list its cells in the data: `graph from spaces`"
            self.problems.error("RR253", message, where.mark, help=help_)
            return None
        kept: list[int] = []
        for cell, (column, row) in enumerate(boards.where_cells_lie(board)):
            names = {"column": column, "row": row}
            holds = static_value(where, self.ruleset, self.problems, names)
            if holds is None:
                return None
            if holds:
                kept.append(cell)
        if not kept:
            self._no_space_left(each)
            return None
        names_kept = [board.cells[cell] for cell in kept]
        places = [board.coordinates[cell] for cell in kept]
        return boards.placed_board(each.name, board.shape, names_kept, places, each.mark)

    def _no_space_left(self, each: nodes.Board) -> None:
        message = f"no space of `{each.name}` is left: its `where` holds for none of them"
        help_ = "look at the condition, and at what it asks of each space"
        self.problems.error(
            "RR250", message, each.where.mark if each.where else each.mark, help=help_
        )

    def _room_for(self, cells: int, mark: Mark) -> bool:
        """Whether a board may have so many cells."""
        self.cells += cells
        if cells > 0 and self.cells <= limits.CELLS:
            return True
        message = f"a board has from 1 to {limits.CELLS} spaces, and so have all together"
        help_ = f"this one would have {max(cells, 0)}"
        self.problems.error("RR239", message, mark, help=help_, limit=cells > 0)
        return False

    def _board_from(self, each: nodes.Board, shape: nodes.ShapeFrom) -> None:
        node = rows.find_data(self.data, shape.path, shape.mark, self.problems)
        if node is None:
            return
        if rows.count(node) > limits.CELLS:
            self._room_for(rows.count(node), shape.mark)
            return
        fields = self._fields(each.fields)
        self._check_sight(each.fields, of_pieces=False)
        axes = ("q", "r") if shape.word == "hex" else ("x", "y")
        extra = dict(fields)
        if shape.word == "graph":
            text = Type("list", of=INT)
            extra["neighbours"] = FieldInfo("neighbours", text, (), False, each.mark)
        else:
            for axis in axes:
                extra[axis] = FieldInfo(axis, whole(-1000, 1000), (), False, each.mark)
        kind = KindInfo(each.name, False, each.mark, fields=extra)
        if shape.word == "graph":
            found = self._graph_rows(each.name, node, fields)
        else:
            found = rows.read_rows(self.ruleset, kind, node, None, self.problems)
        kept = [row for row in found if self._keeps(each, row[1], extra)]
        if kept and not self._room_for(len(kept), shape.mark):
            return
        if found and not kept:
            self._no_space_left(each)
            return
        names = [name for name, _, _ in kept]
        if shape.word == "graph":
            at = {name: number for number, name in enumerate(names)}
            ways = [
                [at[str(to)] for to in values.get("neighbours", ()) if str(to) in at]
                for _, values, _ in kept
            ]
            board = boards.graph_board(each.name, names, ways, each.mark)
        else:
            places = [(values[axes[0]], values[axes[1]]) for _, values, _ in kept]
            if shape.word == "square":
                top = max((y for _, y in places), default=0)
                places = [(x, top - y) for x, y in places]
            board = boards.placed_board(each.name, shape.word, names, places, each.mark)
        if not self._effort(fields, len(kept), each.mark):
            return
        for _, values, where in kept:
            rows.fill_row(self.ruleset, fields, values, where.mark, self.problems)
        board.fields = fields
        board.rows = [rows.row_info(name, values, extra) for name, values, _ in kept]
        self.ruleset.boards[each.name] = board

    def _graph_rows(
        self, board: str, node: yaml_tree.Node, fields: dict[str, FieldInfo]
    ) -> list[tuple[str, dict[str, Any], yaml_tree.Node]]:
        row = rows.row_schema(self.ruleset, fields)
        anything = {"type": "array", "items": {"type": ["string", "integer"]}}
        row["properties"] = {**row["properties"], "neighbours": anything}
        schema = {"type": "object", "additionalProperties": row}
        found = validate_node(node, schema)
        self.problems.extend(found)
        if found or not isinstance(node, yaml_tree.Mapping):
            self.ruleset.broken |= rows.names_of(node) | {board}
            return []
        self._check_neighbours(node)
        return [(str(key.value), yaml_tree.plain(value), value) for key, value in node.entries]

    def _check_neighbours(self, node: yaml_tree.Mapping) -> None:
        cells = [str(key.value) for key, _ in node.entries]
        for key, value in node.entries:
            for number, to in enumerate(yaml_tree.plain(value).get("neighbours", ())):
                if str(to) not in cells:
                    mark = yaml_tree.find(value, ("neighbours", number)).mark
                    message = f"there is no cell `{to}` that `{key.value}` could lie beside"
                    listed = ", ".join(f"`{each}`" for each in cells[:12])
                    help_ = did_you_mean(str(to), cells) or f"the cells are {listed}"
                    self.problems.error("RR286", message, mark, help=help_)

    def _keeps(
        self, each: nodes.Board, values: dict[str, Any], fields: dict[str, FieldInfo]
    ) -> bool:
        if each.where is None:
            return True
        known: dict[str, int] = {}
        for name, info in fields.items():
            if not info.dimensions and info.type.sort != "list":
                value, default = values.get(name), info.default
                if value is None and info.worked is not None:
                    continue  # worked out for the cells that are kept
                if value is None and default is not None:
                    known[name] = default
                    continue
                known[name] = rows.encode(self.ruleset, info.type, value, self.problems, each.mark)
        return bool(static_value(each.where, self.ruleset, self.problems, known))

    def _needs_rows(self, each: nodes.Constant) -> bool:
        """Whether a constant speaks of the rows of a kind, which are read after the shapes, or
        lists the cells of a board."""
        parts: list[nodes.Type] = [*each.dimensions, *([] if each.type is None else [each.type])]
        waits = {*self.ruleset.kinds, *(self.ruleset.boards if each.value is not None else ())}
        while parts:
            part = parts.pop()
            if isinstance(part, nodes.TypeList):
                parts.append(part.of)
            elif isinstance(part, nodes.TypeName) and part.name.removesuffix("Direction") in waits:
                return True
        return False

    def _constant(self, each: nodes.Constant) -> None:
        dims = self._table(self.dimensions(each.dimensions), 1, each.mark)
        if each.more or (each.value is not None and isinstance(each.type, nodes.TypeList)):
            self._many(each, dims)
            return
        if each.value is not None:
            type_ = self.type_of(each.type) if each.type is not None else INT
            known = rows.value_numbers(self.ruleset, type_)
            value = static_value(each.value, self.ruleset, self.problems, known)
            values = (value if value is not None else 0,) * size_of(dims)
            self.ruleset.constants[each.name] = ConstantInfo(each.name, type_, dims, values)
            return
        assert each.path is not None
        type_ = self.type_of(each.type) if each.type is not None else INT
        node = rows.find_data(self.data, each.path, each.mark, self.problems)
        plain = None if node is None else yaml_tree.plain(node)
        index = None if dims else self._enum_of(plain)
        if index is not None:
            message = f"`{each.name}` is one value, and the data has one for each {index}"
            such = f"constant {each.name}[{index}]: {type_} from {'.'.join(each.path)}"
            self.problems.error("RR252", message, each.mark, help=f"give it an index: `{such}`")
            dims = self.dimensions((nodes.TypeName(index, mark=each.mark),))
        info = FieldInfo(each.name, type_, dims, False, each.mark)
        if node is not None and type_.sort != "list":
            schema = rows.row_schema(self.ruleset, {each.name: info})["properties"][each.name]
            found = validate_node(node, schema)
            self.problems.extend(found)
            if not found:
                rows.fill_field(self.ruleset, info, plain, node.mark, self.problems)
        values = tuple(info.values) or (0,) * size_of(dims)
        self.ruleset.constants[each.name] = ConstantInfo(each.name, type_, dims, values)

    def _enum_of(self, plain: object) -> str | None:
        """The enum whose members are the keys of a table in the data."""
        if not isinstance(plain, dict) or not plain:
            return None
        enums = self.ruleset.enums.items()
        return next((name for name, members in enums if plain.keys() <= set(members)), None)

    def _many(self, each: nodes.Constant, dims: tuple[Dimension, ...]) -> None:
        """A table or a list whose values stand in the rules, row by row."""
        type_ = self.type_of(each.type) if each.type is not None else INT
        parts = [part for part in (each.value, *each.more) if part is not None]
        is_list = type_.sort == "list" and type_.of is not None
        if is_list and not dims:
            assert type_.of is not None
            type_, dims = type_.of, (Dimension(whole(1, len(parts)), len(parts), 1),)
        wanted = size_of(dims)
        if not dims:
            message = f"`{each.name}` is one value, and {len(parts)} are written"
            help_ = f"give it an index, `{each.name}[1..{len(parts)}]`, or make it a `list of` them"
            self.problems.error("RR252", message, each.mark, help=help_)
            parts = parts[:1]
        elif wanted != len(parts):
            message = f"`{each.name}` has {wanted} values, and {len(parts)} are written"
            help_ = "write them row by row: the last index changes first"
            self.problems.error("RR252", message, each.mark, help=help_)
        values = [self._static_of(part, type_) for part in parts]
        values = (values + [0] * wanted)[:wanted]
        self.ruleset.constants[each.name] = ConstantInfo(
            each.name, type_, dims, tuple(values), is_list
        )

    def _static_of(self, written: nodes.Expr, type_: Type) -> int:
        """A value of a type that must be known before the game starts."""
        if isinstance(written, nodes.NoneValue) and type_.optional:
            return type_.none
        known = rows.value_numbers(self.ruleset, type_)
        others = (self.ruleset.constants, self.ruleset.options, known)
        unknown = isinstance(written, nodes.Name) and all(written.name not in o for o in others)
        if known and (unknown or isinstance(written, nodes.Number | nodes.Truth)):
            message = f"this should be one of `{type_}`"
            help_ = f"it is one of {', '.join([*known][:12])}"
            self.problems.error("RR302", message, written.mark, help=help_)
            return 0
        value = static_value(written, self.ruleset, self.problems, known)
        if value is not None and type_.sort == "int" and not type_.low <= value <= type_.high:
            message = f"{value} is not a number from {type_.low} to {type_.high}"
            self.problems.error("RR302", message, written.mark)
        return value or 0

    def _kind_rows(self, each: nodes.Kind) -> None:
        kind = self.ruleset.kinds.get(each.name)
        if kind is None or not isinstance(each.rows, nodes.RowsFrom):
            if kind is not None and isinstance(each.rows, nodes.RowsListed):
                for info in kind.fields.values():
                    info.dimensions = self._table(info.dimensions, len(kind.rows), info.mark)
                for _ in kind.rows:
                    rows.fill_row(self.ruleset, kind.fields, {}, None, self.problems)
            return
        node = rows.find_data(self.data, each.rows.path, each.rows.mark, self.problems)
        if node is None:
            return
        if rows.count(node) > limits.COLLECTION_ITEMS // 10:
            self._too_many_pieces(each.name, declared_mark(each))
            return
        defaults = None
        if each.rows.defaults is not None:
            defaults = rows.find_data(self.data, each.rows.defaults, each.rows.mark, self.problems)
        found = rows.read_rows(self.ruleset, kind, node, defaults, self.problems)
        for info in kind.fields.values():
            info.dimensions = self._table(info.dimensions, len(found), info.mark)
        if self._effort(kind.fields, len(found), declared_mark(each)):
            rows.fill_kind(self.ruleset, kind, found, self.problems)
        self._limit_pieces(kind, declared_mark(each))

    def _effort(self, fields: dict[str, FieldInfo], count: int, mark: Mark) -> bool:
        worked = [info.worked for info in fields.values()]
        return check_effort(worked, count, mark, self.problems)

    def _limit_pieces(self, kind: KindInfo, mark: Mark) -> None:
        if sum(row.copies for row in kind.rows) > limits.COLLECTION_ITEMS // 10:
            self._too_many_pieces(kind.name, mark)
            kind.rows = [RowInfo(row.name, row.label) for row in kind.rows[:1]]

    def _too_many_pieces(self, name: str, mark: Mark) -> None:
        most = limits.COLLECTION_ITEMS // 10
        message = f"there are more than {most} pieces of {name}"
        help_ = "pieces that are all alike are better counted, in a variable or a `pool`"
        self.problems.error("RR238", message, mark, help=help_, limit=True)

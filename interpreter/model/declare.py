"""From the tree and its data to the ruleset of one game: everything named, sized and placed.

What goes in: the declarations of all files, the data, a number of players and the options.
What comes out: a `Ruleset` in which every enum, kind, board, constant, variable and place is
resolved. Bodies (functions, actions, phases) are only collected; the lowering reads them.
Problems are collected, never raised, and what is broken is left out or given a stand-in, so
that one mistake does not hide the next.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from interpreter import limits
from interpreter.data import yaml_tree
from interpreter.data.validate import validate_node
from interpreter.model import boards, rows
from interpreter.model.members import declare_place, declare_variable
from interpreter.model.names import type_help
from interpreter.model.rows import DataFile
from interpreter.model.ruleset import (
    BoardInfo,
    ConstantInfo,
    Dimension,
    FieldInfo,
    KindInfo,
    RowInfo,
    Ruleset,
    size_of,
)  # fmt: skip
from interpreter.model.static import static_value
from interpreter.model.types import BOOL, INT, PLAYER, Type, named, whole
from interpreter.report.problem import Problems
from interpreter.report.source import Mark
from interpreter.report.suggest import did_you_mean
from interpreter.tree import nodes
from interpreter.tree.marks import declared_mark, member_mark, part
from interpreter.tree.parse import RESERVED


def declare(
    declarations: Iterable[nodes.Declaration],
    data: DataFile | None,
    players: int,
    options: dict[str, str | int],
    problems: Problems,
) -> Ruleset:
    return _Declarer(list(declarations), data, players, options, problems).run()


class _Declarer:
    def __init__(
        self,
        declarations: list[nodes.Declaration],
        data: DataFile | None,
        players: int,
        options: dict[str, str | int],
        problems: Problems,
    ) -> None:
        self.declarations = declarations
        self.data = data
        self.problems = problems
        self.given = options
        self.ruleset = Ruleset("", players, {})
        self.names: dict[str, Mark] = {}
        self.cells = 0  # of all boards so far
        self.waiting: list[nodes.Constant] = []

    def run(self) -> Ruleset:
        ruleset = self.ruleset
        ruleset.enums["ability"] = [
            each.name for each in self.declarations if isinstance(each, nodes.Ability)
        ]
        for each in self.declarations:
            self._collect(each)
        self._find_pools()
        for each in self.declarations:
            self._shape(each)
        for each in self.declarations:
            if isinstance(each, nodes.Kind):
                self._kind_rows(each)
        for constant in self.waiting:
            self._constant(constant)
        for each in self.declarations:
            if isinstance(each, nodes.Has):
                self._has(each)
        for each in self.declarations:
            if isinstance(each, nodes.EndsWithin):
                ruleset.most_moves = static_value(each.moves, ruleset, self.problems)
        for each in self.declarations:
            if isinstance(each, nodes.Require):
                value = static_value(each.condition, ruleset, self.problems)
                if value == 0:
                    help_ = "the rules require this: choose other options or players"
                    self.problems.error("RR236", each.text, each.condition.mark, help=help_)
        self._check_data_used()
        return ruleset

    def _find_pools(self) -> None:
        """What lies in pools is counted by row; whoever indexes by it must know that early."""
        for each in self.declarations:
            for member in each.members if isinstance(each, nodes.Has) else ():
                if isinstance(member.type, nodes.PlaceType) and member.type.word == "pool":
                    kind = self.ruleset.kinds.get(member.type.kind)
                    if kind is not None:
                        kind.fungible = True

    # ---- names

    def _claim(self, name: str, mark: Mark) -> bool:
        """Take a name for good; two things of one name would confuse every reader."""
        if name in RESERVED:
            help_ = "choose another name"
            self.problems.error("RR201", f"`{name}` is a word of the language", mark, help=help_)
            return False
        if name in self.names:
            notes = ((self.names[name], "it is declared here"),)
            message = f"`{name}` is declared twice"
            self.problems.error("RR200", message, mark, notes=notes, help="rename one of them")
            return False
        self.names[name] = mark
        return True

    def _collect(self, each: nodes.Declaration) -> None:
        ruleset = self.ruleset
        match each:
            case nodes.Game():
                ruleset.title, ruleset.file = each.title, each.mark.file
            case nodes.Setting():
                self._setting(each)
            case nodes.Enum() if self._claim(each.name, declared_mark(each)):
                ruleset.enums[each.name] = list(dict.fromkeys(each.members))
                first_at: dict[str, int] = {}
                for number, member in enumerate(each.members):
                    first_number = first_at.setdefault(member, number)
                    if member not in RESERVED and first_number == number:
                        continue
                    mark = member_mark(each, number)
                    if member in RESERVED:
                        message = f"`{member}` is a word of the language"
                        self.problems.error("RR201", message, mark, help="choose another name")
                    if first_number != number:
                        first = member_mark(each, first_number)
                        notes = ((first, "the first is here"),)
                        message = f"`{member}` stands twice in this list"
                        help_ = "take one of them away"
                        self.problems.error("RR202", message, mark, notes=notes, help=help_)
            case nodes.Kind() if self._claim(each.name, declared_mark(each)):
                kind = KindInfo(each.name, each.word == "kind", each.mark)
                kind.nested = each.word == "table" and each.rows is None
                ruleset.kinds[each.name] = kind
            case nodes.Board() if self._claim(each.name, declared_mark(each)):
                ruleset.boards[each.name] = BoardInfo(
                    each.name, "none", each.mark, [], [], [], [], [], [], []
                )
            case nodes.Function() | nodes.Quantity() if self._claim(each.name, declared_mark(each)):
                ruleset.functions[each.name] = each
            case nodes.Group() if self._claim(each.name, declared_mark(each)):
                ruleset.groups[each.name] = each
            case nodes.Procedure() | nodes.Phase() if self._claim(each.name, declared_mark(each)):
                ruleset.procedures[each.name] = each
            case nodes.Action() if self._claim(each.name, declared_mark(each)):
                ruleset.actions[each.name] = each
            case nodes.Ability() if self._claim(each.name, declared_mark(each)):
                ruleset.abilities[each.name] = each
            case nodes.Setup():
                ruleset.setup.append(each)
            case nodes.Play():
                if ruleset.play is not None:
                    self._twice("play", each.mark, ruleset.play.mark)
                ruleset.play = each
            case nodes.Score():
                if ruleset.score is not None:
                    self._twice("score", each.mark, ruleset.score.mark)
                ruleset.score = each
            case nodes.Winner():
                if ruleset.winner is not None:
                    self._twice("winner", each.mark, ruleset.winner.mark)
                ruleset.winner = each
            case nodes.Always():
                ruleset.always.append(each)
            case _:
                pass

    def _twice(self, word: str, mark: Mark, first: Mark) -> None:
        notes = ((first, "the first is here"),)
        message = f"there can be only one `{word}`"
        help_ = "put both into one, or take one away"
        self.problems.error("RR200", message, mark, notes=notes, help=help_)

    def _setting(self, each: nodes.Setting) -> None:
        if not self._claim(each.name, declared_mark(each)):
            return
        given = self.given.get(each.name)
        if isinstance(each.values, nodes.Range):
            low = static_value(each.values.low, self.ruleset, self.problems) or 0
            high = static_value(each.values.high, self.ruleset, self.problems) or 0
            default = static_value(each.default, self.ruleset, self.problems) or 0
            value = (
                int(given) if given is not None and str(given).lstrip("-").isdigit() else default
            )
            if not low <= value <= high:
                message = f"option `{each.name}` goes from {low} to {high}, so it cannot be {value}"
                mark = each.default.mark if given is None else declared_mark(each)
                self.problems.error("RR237", message, mark, help=f"choose from {low} to {high}")
                value = low
            self.ruleset.options[each.name] = value
            return
        names = list(each.values)
        default_name = _default_name(each.default)
        if default_name not in names:
            message = f"option `{each.name}` has no value `{default_name}` to begin with"
            help_ = did_you_mean(default_name, names) or f"it has {', '.join(names)}"
            self.problems.error("RR237", message, each.default.mark, help=help_)
            default_name = names[0]
        chosen = default_name if given is None else str(given)
        if chosen not in names:
            message = f"option `{each.name}` has no value `{chosen}`; it has {', '.join(names)}"
            near = did_you_mean(chosen, names)
            self.problems.error("RR237", message, declared_mark(each), help=near)
            chosen = default_name
        if set(names) == {"yes", "no"}:
            self.ruleset.options[each.name] = chosen == "yes"
        else:
            self.ruleset.enums[each.name] = names
            self.ruleset.options[each.name] = names.index(chosen)

    # ---- shapes: fields, boards, constants, in the order they are written

    def _shape(self, each: nodes.Declaration) -> None:
        match each:
            case nodes.Kind() if each.name in self.ruleset.kinds:
                kind = self.ruleset.kinds[each.name]
                kind.fields = self._fields(each.fields)
                self._check_sight(each.fields, of_pieces=each.word == "kind")
                for info in kind.fields.values():
                    if info.type == named("enum", "ability") or info.type.name == "ability":
                        kind.ability_field = info.name
                if isinstance(each.rows, nodes.RowsListed):
                    kind.rows = [RowInfo(r.name, r.name, r.copies) for r in each.rows.rows]
                    self._limit_pieces(kind, declared_mark(each))
                elif isinstance(each.rows, nodes.Range):
                    self._numbered(each, kind)
            case nodes.Board() if each.name in self.ruleset.boards:
                self._board(each)
            case nodes.Constant() if self._claim(each.name, declared_mark(each)):
                if self._needs_rows(each):
                    self.waiting.append(each)
                else:
                    self._constant(each)
            case _:
                pass

    def _numbered(self, each: nodes.Kind, kind: KindInfo) -> None:
        assert isinstance(each.rows, nodes.Range)
        low = static_value(each.rows.low, self.ruleset, self.problems)
        high = static_value(each.rows.high, self.ruleset, self.problems)
        if low is None or high is None:
            return
        if high < low:
            message = f"there is nothing from {low} to {high}"
            help_ = "write the smaller number first"
            self.problems.error("RR238", message, each.rows.mark, help=help_)
            return
        if high - low >= limits.COLLECTION_ITEMS // 10:
            self._too_many_pieces(each.name, each.rows.mark)
            return
        kind.rows = [RowInfo(str(n), str(n)) for n in range(low, high + 1)]
        info = FieldInfo("value", whole(low, high), (), False, each.mark)
        info.values = list(range(low, high + 1))
        kind.fields = {"value": info, **kind.fields}

    def _fields(self, written: tuple[nodes.Field, ...]) -> dict[str, FieldInfo]:
        fields: dict[str, FieldInfo] = {}
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
        self.ruleset.boards[each.name] = board

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
            found = self._graph_rows(node, fields)
        else:
            found = rows.read_rows(self.ruleset, kind, node, None, self.problems)
        kept = [row for row in found if self._keeps(each, row[1], extra)]
        if kept and not self._room_for(len(kept), shape.mark):
            return
        if found and not kept:
            message = f"no space of `{each.name}` is left: its `where` holds for none of them"
            help_ = "look at the condition, and at what the data say of each space"
            self.problems.error(
                "RR250", message, each.where.mark if each.where else each.mark, help=help_
            )
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
        for _, values, where in kept:
            for name, info in fields.items():
                rows.fill_field(self.ruleset, info, values.get(name), where.mark, self.problems)
        board.fields = fields
        board.rows = [rows.row_info(name, values, extra) for name, values, _ in kept]
        self.ruleset.boards[each.name] = board

    def _graph_rows(
        self, node: yaml_tree.Node, fields: dict[str, FieldInfo]
    ) -> list[tuple[str, dict[str, Any], yaml_tree.Node]]:
        row = rows.row_schema(self.ruleset, fields)
        anything = {"type": "array", "items": {"type": ["string", "integer"]}}
        row["properties"] = {**row["properties"], "neighbours": anything}
        schema = {"type": "object", "additionalProperties": row}
        found = validate_node(node, schema, node.mark.file)
        self.problems.extend(found)
        if found or not isinstance(node, yaml_tree.Mapping):
            return []
        return [(str(key.value), yaml_tree.plain(value), value) for key, value in node.entries]

    def _keeps(
        self, each: nodes.Board, values: dict[str, Any], fields: dict[str, FieldInfo]
    ) -> bool:
        if each.where is None:
            return True
        known: dict[str, int] = {}
        for name, info in fields.items():
            if not info.dimensions and info.type.sort != "list":
                value, default = values.get(name), info.default
                if value is None and default is not None:
                    known[name] = default
                    continue
                known[name] = rows.encode(self.ruleset, info.type, value, self.problems, each.mark)
        return bool(static_value(each.where, self.ruleset, self.problems, known))

    def _needs_rows(self, each: nodes.Constant) -> bool:
        """Whether a constant speaks of the rows of a kind, which are read after the shapes."""
        parts = [*each.dimensions, *([] if each.type is None else [each.type])]
        return any(
            isinstance(part, nodes.TypeName) and part.name in self.ruleset.kinds for part in parts
        )

    def _table(self, dims: tuple[Dimension, ...], count: int, mark: Mark) -> tuple[Dimension, ...]:
        """The dimensions of a table for each of `count` rows, none if it would be too big."""
        size = size_of(dims) * count
        if size <= limits.COLLECTION_ITEMS:
            return dims
        message = f"this would be a table of {size} numbers"
        help_ = f"at most {limits.COLLECTION_ITEMS} are accepted: give it smaller indexes"
        self.problems.error("RR240", message, mark, help=help_, limit=True)
        return ()

    def _constant(self, each: nodes.Constant) -> None:
        dims = self._table(self.dimensions(each.dimensions), 1, each.mark)
        if each.value is not None:
            value = static_value(each.value, self.ruleset, self.problems)
            type_ = self.type_of(each.type) if each.type is not None else INT
            values = (value if value is not None else 0,) * size_of(dims)
            self.ruleset.constants[each.name] = ConstantInfo(each.name, type_, dims, values)
            return
        assert each.path is not None
        type_ = self.type_of(each.type) if each.type is not None else INT
        node = rows.find_data(self.data, each.path, each.mark, self.problems)
        info = FieldInfo(each.name, type_, dims, False, each.mark)
        if node is not None and type_.sort != "list":
            schema = rows.row_schema(self.ruleset, {each.name: info})["properties"][each.name]
            found = validate_node(node, schema, node.mark.file)
            self.problems.extend(found)
            if not found:
                plain = yaml_tree.plain(node)
                rows.fill_field(self.ruleset, info, plain, node.mark, self.problems)
        values = tuple(info.values) or (0,) * size_of(dims)
        self.ruleset.constants[each.name] = ConstantInfo(each.name, type_, dims, values)

    def _kind_rows(self, each: nodes.Kind) -> None:
        kind = self.ruleset.kinds.get(each.name)
        if kind is None or not isinstance(each.rows, nodes.RowsFrom):
            if kind is not None and each.rows is not None and each.fields and kind.rows:
                for info in kind.fields.values():
                    if info.values or info.starts:
                        continue
                    info.dimensions = self._table(info.dimensions, len(kind.rows), info.mark)
                    for _ in kind.rows:
                        rows.fill_field(self.ruleset, info, None, info.mark, self.problems)
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
        rows.fill_kind(self.ruleset, kind, found, self.problems)
        self._limit_pieces(kind, declared_mark(each))

    def _limit_pieces(self, kind: KindInfo, mark: Mark) -> None:
        if sum(row.copies for row in kind.rows) > limits.COLLECTION_ITEMS // 10:
            self._too_many_pieces(kind.name, mark)
            kind.rows = [RowInfo(row.name, row.label) for row in kind.rows[:1]]

    def _too_many_pieces(self, name: str, mark: Mark) -> None:
        most = limits.COLLECTION_ITEMS // 10
        message = f"there are more than {most} pieces of {name}"
        help_ = "pieces that are all alike are better counted, in a variable or a `pool`"
        self.problems.error("RR238", message, mark, help=help_, limit=True)

    # ---- types

    def type_of(self, written: nodes.Type) -> Type:
        match written:
            case nodes.TypeRange():
                low = static_value(written.low, self.ruleset, self.problems)
                high = static_value(written.high, self.ruleset, self.problems)
                if low is None or high is None:
                    return INT
                if high < low:
                    message = f"there is no number from {low} to {high}"
                    help_ = f"write the smaller one first: `{high}..{low}`"
                    self.problems.error("RR238", message, written.mark, help=help_)
                    high = low
                range_type = whole(low, high)
                return range_type.or_none() if written.optional else range_type
            case nodes.TypeList():
                return Type("list", of=self.type_of(written.of))
            case nodes.TypeName():
                return self._named_type(written)

    def _named_type(self, written: nodes.TypeName) -> Type:
        name = written.name
        ruleset = self.ruleset
        simple = {"int": INT, "bool": BOOL, "Player": PLAYER, "player": PLAYER}
        if name in simple:
            found = simple[name]
        elif name in ruleset.enums:
            found = named("enum", name)
        elif name in ruleset.kinds:
            found = named("kind" if ruleset.kinds[name].physical else "table", name)
        elif name in ruleset.boards:
            found = named("board", name)
        elif name.endswith("Direction") and name[: -len("Direction")] in ruleset.boards:
            found = named("direction", name[: -len("Direction")])
        else:
            mark = part(written.mark, 0, len(name))
            message = f"there is no type `{name}`"
            self.problems.error("RR210", message, mark, help=type_help(name, ruleset))
            return Type("unknown")
        return found.or_none() if written.optional else found

    def dimensions(self, written: Iterable[nodes.Dimension]) -> tuple[Dimension, ...]:
        found: list[Dimension] = []
        for each in written:
            type_ = self.type_of(each)
            size = self.ruleset.type_size(type_)
            if type_.sort == "unknown":
                continue
            if size is None or size > limits.COLLECTION_ITEMS:
                help_ = "index by players, an enum, a board, a kind or a range such as 1..5"
                message = f"`{type_}` has too many values to be an index"
                self.problems.error("RR211", message, each.mark, help=help_)
                continue
            offset = type_.low if type_.sort == "int" else 0
            found.append(Dimension(type_, size, offset))
        return tuple(found)

    # ---- variables and places

    def _has(self, each: nodes.Has) -> None:
        owners = [nodes.TypeName(name, mark=each.mark) for name in each.owners]
        owner_dims = self.dimensions(owners)
        for member in each.members:
            dims = owner_dims + self.dimensions(member.dimensions)
            total = size_of(dims)
            if total * 8 > limits.STATE_BYTES:
                message = f"this would keep {total} numbers, more than a game may"
                help_ = "give it fewer or smaller indexes"
                self.problems.error("RR240", message, member.mark, help=help_, limit=True)
                self.ruleset.broken.update(member.names)
                continue
            for name in member.names:
                if not self._claim(name, member.mark):
                    continue
                if isinstance(member.type, nodes.PlaceType):
                    declare_place(self.ruleset, name, member, member.type, dims, self.problems)
                else:
                    type_ = self.type_of(member.type)
                    declare_variable(self.ruleset, name, member, type_, dims, self.problems)

    def _check_data_used(self) -> None:
        if self.data is None or not isinstance(self.data.root, yaml_tree.Mapping):
            return
        if self.problems.has_errors:
            return  # what was not understood may be what should have read it
        for key, _ in self.data.root.entries:
            if str(key.value) not in self.data.used and str(key.value) not in ("meta", "source"):
                message = f"no declaration reads `{key.value}` from the data"
                help_ = f"read it with `from {key.value}`, or take it away"
                self.problems.warning("RR248", message, key.mark, help=help_)


def _default_name(expr: nodes.Expr) -> str:
    match expr:
        case nodes.Name(name=name):
            return name
        case nodes.Truth(value=value):
            return "yes" if value else "no"
        case nodes.Number(value=number):
            return str(number)
        case _:
            return ""

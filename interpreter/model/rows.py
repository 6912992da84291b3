"""Rows of kinds, tables, boards and constants: from the data file to columns of integers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from interpreter.data import yaml_tree
from interpreter.data.validate import validate_node
from interpreter.model.ruleset import Dimension, FieldInfo, KindInfo, RowInfo, Ruleset, size_of
from interpreter.model.seats import seat_name
from interpreter.model.types import NONE_INT, NONE_NAMED, Type
from interpreter.model.worked_out import worked_value
from interpreter.report.problem import Problems
from interpreter.report.source import Mark
from interpreter.report.suggest import did_you_mean
from interpreter.report.visible import spaced
from interpreter.report.whole import read_count

MOST_COPIES = 1000

# Columns with a meaning of their own, allowed in every table without being declared.
RESERVED = {
    "id": {"type": ["string", "integer"]},
    "name": {"type": "string"},
    "copies": {"type": "integer", "minimum": 0, "maximum": MOST_COPIES},
    "sign": {"type": "string", "minLength": 1, "maxLength": 2},
    "source": {},
    "note": {},
    "text": {"type": "string"},
}


@dataclass(slots=True)
class DataFile:
    """A ruleset's YAML, and which of its top-level parts some declaration has asked for."""

    name: str
    root: yaml_tree.Node
    used: set[str] = field(default_factory=set)

    def at(self, path: tuple[str, ...]) -> yaml_tree.Node | None:
        self.used.add(path[0])
        node: yaml_tree.Node = self.root
        for step in path:
            if not isinstance(node, yaml_tree.Mapping):
                return None
            inner = {str(key.value): value for key, value in node.entries}.get(step)
            if inner is None:
                return None
            node = inner
        return node

    def lost(self, path: tuple[str, ...]) -> tuple[str, list[str]]:
        """The step of a path that leads nowhere, and the names that stand in its place."""
        node: yaml_tree.Node = self.root
        for step in path:
            if not isinstance(node, yaml_tree.Mapping):
                return step, []
            entries = {str(key.value): value for key, value in node.entries}
            if step not in entries:
                return step, list(entries)
            node = entries[step]
        return path[-1], []


def find_data(
    data: DataFile | None, path: tuple[str, ...], mark: Mark, problems: Problems
) -> yaml_tree.Node | None:
    if data is None:
        help_ = 'name the file with `data "myGame.yaml"` at the top'
        problems.error(
            "RR232", "this comes from the data, but no data file is named", mark, help=help_
        )
        return None
    node = data.at(path)
    if node is None:
        step, known = data.lost(path)
        near = did_you_mean(step, known)
        if near is None and known:
            near = f"name a table of the file: {', '.join(f'`{one}`' for one in known[:12])}"
        problems.error("RR233", f"the data has no `{'.'.join(path)}`", mark, help=near)
    return node


def count(node: yaml_tree.Node) -> int:
    """How many rows there are, whatever they hold."""
    if isinstance(node, yaml_tree.Mapping):
        return len(node.entries)
    return len(node.items) if isinstance(node, yaml_tree.Sequence) else 0


def row_schema(ruleset: Ruleset, fields: dict[str, FieldInfo], depth: int = 0) -> dict[str, Any]:
    """The JSON Schema of one row with these fields."""
    properties: dict[str, Any] = {}
    for name, info in fields.items():
        value = value_schema(ruleset, info.type, depth)
        for dimension in reversed(info.dimensions):
            keys = index_names(ruleset, dimension)
            mapped: dict[str, Any] = {"type": "object", "properties": dict.fromkeys(keys, value)}
            mapped["additionalProperties"] = False
            if dimension.type.sort == "int":  # a list stands for the entries of a range in order
                listed = {"type": "array", "items": value, "maxItems": dimension.size}
                mapped = {"anyOf": [mapped, listed]}
            value = mapped
        properties[name] = value
    properties = {**properties, **{name: RESERVED[name] for name in RESERVED if name not in fields}}
    return {
        "type": "object",
        "properties": properties,
        "additionalProperties": False,
        "$comment": _declare_field(ruleset, fields),
    }


def _declare_field(ruleset: Ruleset, fields: dict[str, FieldInfo]) -> str:
    if ruleset.abilities and not any(info.type.name == "ability" for info in fields.values()):
        return (
            " Or declare it as a field in the rules: `{}: ability or none` if it names an ability, "
            "otherwise `{}: int` or of another type."
        )
    return " Or declare it as a field in the rules: `{}: int`, or of another type."


def value_schema(ruleset: Ruleset, type_: Type, depth: int = 0) -> dict[str, Any]:
    schema: dict[str, Any]
    match type_.sort:
        case "int":
            schema = {"type": "integer", "minimum": type_.low, "maximum": type_.high}
        case "bool":
            schema = {"enum": [True, False, "yes", "no"]}
        case "list":
            assert type_.of is not None
            return {"type": "array", "items": value_schema(ruleset, type_.of, depth)}
        case "table" if ruleset.kinds[type_.name].nested:
            if depth > 4:
                return {}
            schema = row_schema(ruleset, ruleset.kinds[type_.name].fields, depth + 1)
        case "unknown":
            return {}  # there is no such type, which is told
        case _ if type_.name in ruleset.broken:
            return {}  # what its values are called is not sure
        case _:
            schema = {"enum": value_names(ruleset, type_)}
            if type_.name == "ability":
                schema["title"] = "ability"
                schema["$comment"] = " Or declare it in the rules: `ability {}`."
            elif type_.sort == "enum":
                schema["title"] = type_.name
                schema["$comment"] = f" Or add it to `enum {type_.name}` in the rules."
    if type_.optional:
        if "enum" in schema:
            return {**schema, "enum": [*schema["enum"], "none", "never", None]}
        return {"anyOf": [schema, {"enum": ["none", "never", None]}]}
    return schema


def value_names(ruleset: Ruleset, type_: Type) -> list[Any]:
    match type_.sort:
        case "enum":
            return list(ruleset.enums[type_.name])
        case "kind" | "table":
            return [_scalar(row.name) for row in ruleset.kinds[type_.name].rows]
        case "board":
            return [_scalar(cell) for cell in ruleset.boards[type_.name].cells]
        case "direction":
            return list(ruleset.boards[type_.name].directions)
        case _:
            return []


def value_numbers(ruleset: Ruleset, type_: Type) -> dict[str, int]:
    """The integer that stands for each value of a type that is called by a name."""
    if type_.sort == "player":
        return {seat_name(seat): seat for seat in range(ruleset.players)}
    names = [str(name) for name in value_names(ruleset, type_)]
    if type_.sort == "kind" and ruleset.kinds[type_.name].tracked:
        components = ruleset.kinds[type_.name].components
        return {name: components.index(row) for row, name in enumerate(names) if row in components}
    return {name: number for number, name in enumerate(names)}


def index_names(ruleset: Ruleset, dimension: Dimension) -> list[str]:
    if dimension.type.sort == "int":
        return [str(dimension.offset + number) for number in range(dimension.size)]
    if dimension.type.sort == "player":
        return [str(number + 1) for number in range(dimension.size)]
    if dimension.type.sort == "kind" and ruleset.kinds[dimension.type.name].tracked:
        kind = ruleset.kinds[dimension.type.name]
        return [kind.rows[row].name for row in kind.components]  # an entry for each copy
    return [str(name) for name in value_names(ruleset, dimension.type)]


def _scalar(name: str) -> str | int:
    number = read_count(name)
    return name if number is None else number


def table_schema(ruleset: Ruleset, fields: dict[str, FieldInfo]) -> dict[str, Any]:
    """Rows may be written as a list, or as a mapping from the row's name to the rest."""
    row = row_schema(ruleset, fields)
    if fields:
        return {
            "anyOf": [
                {"type": "array", "items": row},
                {"type": "object", "additionalProperties": row},
            ]
        }
    plain = {"type": ["string", "integer"]}
    listed = {"type": "array", "items": {"anyOf": [plain, row]}}
    counted = {"type": "object", "additionalProperties": {"type": "integer", "minimum": 0}}
    mapped = {"type": "object", "additionalProperties": row}
    return {"anyOf": [listed, counted, mapped]}


def read_rows(
    ruleset: Ruleset,
    kind: KindInfo,
    node: yaml_tree.Node,
    defaults: yaml_tree.Node | None,
    problems: Problems,
) -> list[tuple[str, dict[str, Any], yaml_tree.Node]]:
    """Validate a table and return its rows as (name, values, where), defaults filled in."""
    found = validate_node(node, table_schema(ruleset, kind.fields))
    if defaults is not None:
        found += validate_node(defaults, row_schema(ruleset, kind.fields))
    for problem in found:
        problems.add(problem)
    if found:
        ruleset.broken |= names_of(node) | {kind.name}
        return []
    rows = list_rows(kind.name, node, defaults)
    seen: dict[str, Mark] = {}
    for name, _, where in rows:
        if name in seen:
            notes = ((seen[name], "the first is here"),)
            message = f"two rows are called `{name}`"
            help_ = "rename one, or write the row once with `copies`"
            problems.error("RR234", message, where.mark, notes=notes, help=help_)
        seen.setdefault(name, where.mark)
    return rows


def list_rows(
    kind: str, node: yaml_tree.Node, defaults: yaml_tree.Node | None
) -> list[tuple[str, dict[str, Any], yaml_tree.Node]]:
    """The rows of a table as (name, values, where), whether they are valid or not."""
    base = yaml_tree.plain(defaults) if defaults is not None else {}
    rows: list[tuple[str, dict[str, Any], yaml_tree.Node]] = []
    if isinstance(node, yaml_tree.Mapping):
        for key, value in node.entries:
            plain = yaml_tree.plain(value)
            values = {"copies": plain} if isinstance(plain, int) else plain
            rows.append((str(key.value), _merge(base, values), value))
    elif isinstance(node, yaml_tree.Sequence):
        for number, item in enumerate(node.items, 1):
            plain = yaml_tree.plain(item)
            values = plain if isinstance(plain, dict) else {"id": plain}
            name = values.get("id", f"{kind[0].lower()}{kind[1:]}{number}")
            rows.append((str(name), _merge(base, values), item))
    return rows


def peek_rows(kind: str, node: yaml_tree.Node, defaults: yaml_tree.Node | None) -> list[RowInfo]:
    """What the rows are called and how many copies there are, before anything else is read: so
    cells of boards and rows of other tables may name them, in whatever order they are declared."""
    rows: list[RowInfo] = []
    for name, values, _ in list_rows(kind, node, defaults):
        copies = values.get("copies", 1)
        sure = type(copies) is int and 0 <= copies <= MOST_COPIES
        rows.append(RowInfo(name, name, copies if sure else 1))
    return rows


def names_of(node: yaml_tree.Node) -> set[str]:
    """What the rows of a table are called, if nothing else is sure about them."""
    if isinstance(node, yaml_tree.Mapping):
        return {key.text for key, _ in node.entries}
    items = node.items if isinstance(node, yaml_tree.Sequence) else ()
    named = [item.get("id") if isinstance(item, yaml_tree.Mapping) else item for item in items]
    return {each.text for each in named if isinstance(each, yaml_tree.Scalar)}


def _merge(base: Any, row: Any) -> dict[str, Any]:
    """A row over its defaults; maps inside merge entry by entry."""
    merged = dict(base) if isinstance(base, dict) else {}
    for key, value in row.items() if isinstance(row, dict) else ():
        if isinstance(value, dict) and isinstance(merged.get(key), dict):
            merged[key] = {**merged[key], **value}
        else:
            merged[key] = value
    return merged


def fill_kind(
    ruleset: Ruleset,
    kind: KindInfo,
    rows: list[tuple[str, dict[str, Any], yaml_tree.Node]],
    problems: Problems,
) -> None:
    """Write rows into the kind's columns."""
    kind.rows = [row_info(name, values, kind.fields) for name, values, _ in rows]
    for _, values, where in rows:
        fill_row(ruleset, kind.fields, values, where.mark, problems)


def row_info(name: str, values: dict[str, Any], fields: dict[str, FieldInfo]) -> RowInfo:
    """What a row says with the columns that every table may have."""
    free = {key: value for key, value in values.items() if key not in fields}
    told = [str(free[key]) for key in ("text", "note") if isinstance(free.get(key), str)]
    return RowInfo(
        name,
        str(free.get("name", spaced(name))),
        int(free.get("copies", 1)),
        str(free.get("sign", "")),
        " ".join(told),
    )


def fill_row(
    ruleset: Ruleset,
    fields: Mapping[str, FieldInfo],
    values: Mapping[str, Any],
    mark: Mark | None,
    problems: Problems,
    given: Mapping[str, FieldInfo] | None = None,
) -> None:
    """One row more in the columns; what it does not say may be worked out from what it says, and
    from fields that are `given` already."""
    above = dict(given or {})
    for name, info in fields.items():
        default = info.default
        if info.worked is not None and (values.get(name) is None or info.dimensions):
            default = worked_value(ruleset, info, above, mark or info.mark, problems)
        fill_field(ruleset, info, values.get(name), mark or info.mark, problems, default)
        above[name] = info


def fill_field(
    ruleset: Ruleset,
    info: FieldInfo,
    value: Any,
    mark: Mark,
    problems: Problems,
    default: int | None = None,
) -> None:
    size = size_of(info.dimensions)
    cells: list[Any] = [None] * size
    if info.dimensions:
        _spread(ruleset, info.dimensions, value or {}, 0, cells)
    else:
        cells = [value]
    for number, cell in enumerate(cells):
        if info.type.sort == "list":
            info.starts.append(len(info.pool))
            items = cell if isinstance(cell, list) else []
            info.lengths.append(len(items))
            assert info.type.of is not None
            info.pool.extend(encode(ruleset, info.type.of, item, problems, mark) for item in items)
        elif cell is None and default is not None:
            info.values.append(default)
        elif cell is None and not info.type.optional:
            help_ = (
                f"write it, or give the field a default: `{info.name}: {info.type} = ...`;\n"
                f"if a row may lack it, declare `{info.name}: {info.type} or none`"
            )
            message = f"this row has no `{info.name}`"
            if info.dimensions and value:
                at = _indexes_at(ruleset, info.dimensions, number)
                message = f"`{info.name}` has no value for " + ", ".join(f"`{i}`" for i in at)
                count = info.dimensions[-1].size
                help_ = f"add it: there are {count} values in a row"
                help_ += f"; if some may lack one, declare it `{info.type} or none`"
                if len(at) == 1 and not isinstance(value, list):
                    help_ = (
                        f"add `{at[0]}: ...`; if some may lack one, "
                        f"declare it `{info.type} or none`"
                    )
            problems.error("RR235", message, mark, help=help_)
            info.values.append(0)
        else:
            info.values.append(encode(ruleset, info.type, cell, problems, mark))


def _indexes_at(ruleset: Ruleset, dimensions: tuple[Dimension, ...], number: int) -> list[str]:
    """What an entry is found by, from its number among all of them."""
    found: list[str] = []
    for dimension in reversed(dimensions):
        number, at = divmod(number, dimension.size)
        found.insert(0, str(index_names(ruleset, dimension)[at]))
    return found


def _spread(
    ruleset: Ruleset,
    dimensions: tuple[Dimension, ...],
    value: Any,
    offset: int,
    cells: list[Any],
) -> None:
    """Write a (nested) mapping into a flat list of cells."""
    first, rest = dimensions[0], dimensions[1:]
    names = index_names(ruleset, first)
    if isinstance(value, list):
        value = dict(zip(names, value, strict=False))
    for key, inner in value.items() if isinstance(value, dict) else ():
        for number, name in enumerate(names):
            if name != str(key):
                continue
            position = offset + number * size_of(rest)
            if rest:
                _spread(ruleset, rest, inner, position, cells)
            else:
                cells[position] = inner


def encode(ruleset: Ruleset, type_: Type, value: Any, problems: Problems, mark: Mark) -> int:
    """One value of the data as the integer that stands for it."""
    if value is None or (type_.optional and value in ("none", "never")):
        return NONE_INT if type_.sort == "int" else NONE_NAMED
    if type_.sort == "bool":
        return int(value in (True, "yes"))
    if type_.sort == "int":
        return int(value)
    if type_.sort == "table" and isinstance(value, dict):
        kind = ruleset.kinds[type_.name]
        name = f"{type_.name}{len(kind.rows) + 1}"
        kind.rows.append(row_info(name, value, kind.fields))
        fill_row(ruleset, kind.fields, value, mark, problems)
        return len(kind.rows) - 1
    names = [str(name) for name in value_names(ruleset, type_)]
    number = names.index(str(value)) if str(value) in names else 0
    if type_.sort == "kind" and ruleset.kinds[type_.name].tracked:
        components = ruleset.kinds[type_.name].components
        return components.index(number) if number in components else NONE_NAMED
    return number

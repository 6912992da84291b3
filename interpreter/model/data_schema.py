"""The JSON Schema of a ruleset's data file: a property for each path that a declaration reads."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from interpreter.model import rows
from interpreter.model.ruleset import FieldInfo, Ruleset
from interpreter.tree import nodes

Json = dict[str, Any]
_FREE = ("meta", "source")  # parts of the data that no declaration need read
_PLACE = {"type": "integer", "minimum": -1000, "maximum": 1000}


def data_schema(title: str, declarations: Iterable[nodes.Declaration], ruleset: Ruleset) -> Json:
    root: Json = _object()
    root["properties"] = {name: {} for name in _FREE}
    for each in declarations:
        for path, schema, required in _read_paths(each, ruleset):
            _put(root, path, schema, required)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"The data of {title}",
        **root,
    }


def _read_paths(
    each: nodes.Declaration, ruleset: Ruleset
) -> Iterable[tuple[tuple[str, ...], Json, bool]]:
    match each:
        case nodes.Kind(rows=nodes.RowsFrom() as source) if each.name in ruleset.kinds:
            fields = ruleset.kinds[each.name].fields
            defaults = source.defaults
            told = f"The rows of `{each.name}`."
            schema = rows.table_schema(ruleset, fields)
            yield source.path, {"description": told, **_required(schema, fields, defaults)}, True
            if defaults is not None:
                row = rows.row_schema(ruleset, fields)
                yield defaults, {"description": f"What rows of `{each.name}` lack.", **row}, True
        case nodes.Board(shape=nodes.ShapeFrom() as shape) if each.name in ruleset.boards:
            told = f"The cells of `{each.name}`."
            schema = _cells(ruleset, shape, ruleset.boards[each.name].fields)
            yield shape.path, {"description": told, **schema}, True
        case nodes.Constant(path=tuple() as path) if each.name in ruleset.constants:
            constant = ruleset.constants[each.name]
            info = FieldInfo(each.name, constant.type, constant.dimensions, False, each.mark)
            schema = rows.row_schema(ruleset, {each.name: info})["properties"][each.name]
            yield path, {"description": f"The constant `{each.name}`.", **schema}, True
        case _:
            pass


def _required(schema: Json, fields: dict[str, FieldInfo], defaults: object) -> Json:
    """Say in each form of a table which fields a row must have."""
    needed = [
        name
        for name, info in fields.items()
        if not info.has_default
        and not info.dimensions
        and not info.type.optional
        and info.type.sort != "list"
    ]
    if defaults is not None or not needed:
        return schema
    for form in schema["anyOf"]:
        key = "items" if form["type"] == "array" else "additionalProperties"
        form[key] = {**form[key], "required": needed}
    return schema


def _cells(ruleset: Ruleset, shape: nodes.ShapeFrom, fields: dict[str, FieldInfo]) -> Json:
    if shape.word == "graph":
        row = rows.row_schema(ruleset, fields)
        names = {"type": "array", "items": {"type": ["string", "integer"]}}
        row["properties"] = {**row["properties"], "neighbours": names}
        return {"type": "object", "additionalProperties": row}
    axes = ("q", "r") if shape.word == "hex" else ("x", "y")
    schema = rows.table_schema(ruleset, fields)
    if not fields:
        row = rows.row_schema(ruleset, fields)
        schema = {
            "anyOf": [
                {"type": "array", "items": row},
                {"type": "object", "additionalProperties": row},
            ]
        }
    for form in schema["anyOf"]:
        key = "items" if form["type"] == "array" else "additionalProperties"
        inner = form[key]
        properties = {**inner["properties"], **dict.fromkeys(axes, _PLACE)}
        form[key] = {**inner, "properties": properties, "required": list(axes)}
    return schema


def _put(root: Json, path: tuple[str, ...], schema: Json, required: bool) -> None:
    """Write a schema at a path, making the objects on the way."""
    here = root
    for step in path[:-1]:
        _require(here, step)
        here = here["properties"].setdefault(step, _object())
        if "properties" not in here:  # one declaration reads a part of what another reads whole
            return
    if path[-1] not in here["properties"]:
        here["properties"][path[-1]] = schema
    if required:
        _require(here, path[-1])


def _require(here: Json, name: str) -> None:
    needed = here.setdefault("required", [])
    if name not in needed:
        needed.append(name)


def _object() -> Json:
    return {"type": "object", "properties": {}, "additionalProperties": False}

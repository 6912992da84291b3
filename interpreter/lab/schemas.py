"""The schemas of what the lab writes, made from the classes and columns themselves.

python -m interpreter.lab.schemas study > schemas/study.schema.json
python -m interpreter.lab.schemas findings > schemas/findings.schema.json
python -m interpreter.lab.schemas comparison > schemas/comparison.schema.json
"""

from __future__ import annotations

import json
import sys
from dataclasses import fields, is_dataclass
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from interpreter.lab import comparison, findings, spec
from interpreter.lab.columns import TABLES, Column

_DIALECT = "https://json-schema.org/draft/2020-12/schema"
_PLAIN: dict[Any, str] = {int: "integer", float: "number", str: "string", bool: "boolean"}
_COLUMNS = {
    "BIGINT": "integer", "INTEGER": "integer", "DOUBLE": "number", "VARCHAR": "string",
    "BOOLEAN": "boolean",
}  # fmt: skip


def study_schema() -> dict[str, Any]:
    """Of study.json, with a definition for a row of each table."""
    found = _of(spec.Manifest)
    head = {"schema": {"const": spec.SCHEMA}, "identity": {"type": "string"}}
    found["properties"] = {**head, **found["properties"]}
    found["required"] = list(found["properties"])
    return {
        "$schema": _DIALECT,
        "title": "A study: study.json, and in $defs a row of each of its tables",
        **found,
        "$defs": {name: _row(columns) for name, columns in TABLES.items()},
    }


def findings_schema() -> dict[str, Any]:
    found = _of(findings.Findings)
    found["properties"] = {"schema": {"const": findings.SCHEMA}, **found["properties"]}
    found["required"] = list(found["properties"])
    return {"$schema": _DIALECT, "title": "What a study has found", **found}


def comparison_schema() -> dict[str, Any]:
    found = _of(comparison.Comparison)
    found["properties"] = {"schema": {"const": comparison.SCHEMA}, **found["properties"]}
    found["required"] = list(found["properties"])
    return {"$schema": _DIALECT, "title": "Two versions of the rules compared", **found}


def _of(type_: Any) -> dict[str, Any]:
    if is_dataclass(type_):
        return _of_class(type_)
    if type_ in _PLAIN:
        return {"type": _PLAIN[type_]}
    if type_ is NoneType:
        return {"type": "null"}
    origin, inner = get_origin(type_), get_args(type_)
    if origin is Literal:
        return {"enum": list(inner)}
    if origin in (Union, UnionType):
        return {"anyOf": [_of(each) for each in inner]}
    if origin is tuple and inner[-1] is Ellipsis:
        return {"type": "array", "items": _of(inner[0])}
    if origin is tuple:
        return {"type": "array", "prefixItems": [_of(each) for each in inner], "items": False}
    raise TypeError(f"there is no schema for {type_}")


def _of_class(type_: Any) -> dict[str, Any]:
    hints = get_type_hints(type_)
    properties = {each.name: _of(hints[each.name]) for each in fields(type_)}
    told = " ".join((type_.__doc__ or "").split())
    found = _object(properties)
    return found if told.startswith(f"{type_.__name__}(") else {"description": told, **found}


def _object(properties: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _row(columns: tuple[Column, ...]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for each in columns:
        sort = _COLUMNS[each.sort]
        told = [sort, "null"] if each.may_lack else sort
        found[each.name] = {"type": told, "description": each.words}
    return _object(found)


SCHEMAS = {"study": study_schema, "findings": findings_schema, "comparison": comparison_schema}

if __name__ == "__main__":
    made = SCHEMAS[sys.argv[1]]()
    sys.stdout.write(json.dumps(made, indent=2, ensure_ascii=False) + "\n")

"""Whether data surely fits a JSON Schema, told without loading a validator.

Nearly all data fits. What this does not know, or what does not fit, is left to validate.py, which
also explains it; so `False` only says: look closer.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

_TYPES: dict[str, type] = {
    "object": dict,
    "array": list,
    "string": str,
    "integer": int,
    "boolean": bool,
    "null": type(None),
}


def fits(found: Any, schema: Any) -> bool:
    """Only true if a validator of draft 2020-12 would find nothing wrong."""
    if isinstance(schema, bool):
        return schema
    for word, wanted in schema.items():
        test = _TESTS.get(word)
        if test is None or not test(found, wanted, schema):
            return False
    return True


def _type(found: Any, wanted: Any, schema: Mapping[str, Any]) -> bool:
    names = [wanted] if isinstance(wanted, str) else wanted
    return any(type(found) is _TYPES.get(name) for name in names)


def _same(found: Any, wanted: Any) -> bool:
    """Plain values only, because `1`, `1.0` and `true` are hard to tell apart."""
    return (
        type(found) is type(wanted)
        and isinstance(found, (str, int, type(None)))
        and (found == wanted)
    )


def _properties(found: Any, wanted: Any, schema: Mapping[str, Any]) -> bool:
    if not isinstance(found, dict):
        return True
    return all(fits(found[name], inner) for name, inner in wanted.items() if name in found)


def _others(found: Any, wanted: Any, schema: Mapping[str, Any]) -> bool:
    if not isinstance(found, dict):
        return True
    known = schema.get("properties", ())
    return all(fits(value, wanted) for name, value in found.items() if name not in known)


_TESTS: dict[str, Callable[[Any, Any, Mapping[str, Any]], bool]] = {
    "$schema": lambda found, wanted, schema: True,
    "$comment": lambda found, wanted, schema: True,
    "title": lambda found, wanted, schema: True,
    "description": lambda found, wanted, schema: True,
    "type": _type,
    "enum": lambda found, wanted, schema: any(_same(found, each) for each in wanted),
    "const": lambda found, wanted, schema: _same(found, wanted),
    "anyOf": lambda found, wanted, schema: any(fits(found, each) for each in wanted),
    "properties": _properties,
    "additionalProperties": _others,
    "pattern": lambda found, wanted, schema: (
        not isinstance(found, str) or re.search(wanted, found) is not None
    ),
    "propertyNames": lambda found, wanted, schema: (
        not isinstance(found, dict) or all(fits(name, wanted) for name in found)
    ),
    "required": lambda found, wanted, schema: (
        not isinstance(found, dict) or all(name in found for name in wanted)
    ),
    "items": lambda found, wanted, schema: (
        not isinstance(found, list) or all(fits(each, wanted) for each in found)
    ),
    "minItems": lambda found, wanted, schema: not isinstance(found, list) or len(found) >= wanted,
    "maxItems": lambda found, wanted, schema: not isinstance(found, list) or len(found) <= wanted,
    "minLength": lambda found, wanted, schema: not isinstance(found, str) or len(found) >= wanted,
    "maxLength": lambda found, wanted, schema: not isinstance(found, str) or len(found) <= wanted,
    "minimum": lambda found, wanted, schema: (
        type(found) is not float and (not isinstance(found, int) or found >= wanted)
    ),
    "maximum": lambda found, wanted, schema: (
        type(found) is not float and (not isinstance(found, int) or found <= wanted)
    ),
}

"""The exact JSON form of a tree, and the schema of that form, by reflection over the nodes.

A node is an object with one key, its class in camelCase, so that a schema can dispatch on the
key: `{"dot": {"target": {"name": {"name": "me"}}, "name": "gold"}}`. Fields are in camelCase
too. What says nothing is left out: no value, an empty list, `false`, a default. Marks are not
part of the form. `schemas/ruleset.schema.json` is written by

    python -m interpreter.tree.document > schemas/ruleset.schema.json
"""

from __future__ import annotations

import json
import re
import types
from collections.abc import Mapping
from dataclasses import MISSING, Field, dataclass, fields
from functools import cache
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from interpreter import limits
from interpreter.data.validate import validate
from interpreter.report.problem import Problem
from interpreter.report.source import Mark, Source, too_long
from interpreter.tree import nodes
from interpreter.tree.format import format_tree
from interpreter.tree.lines import too_deep
from interpreter.tree.parse import parse

SCHEMA = "rulerun/ruleset@1"

Json = dict[str, Any]


def to_document(tree: nodes.Tree) -> Json:
    document: Json = {"schema": SCHEMA}
    document["declarations"] = [_to_json(declaration) for declaration in tree.declarations]
    if tree.closing:
        document["closing"] = list(tree.closing)
    if tree.remarks:
        document["remarks"] = [_to_json(remark) for remark in tree.remarks]
    return document


def from_document(document: Mapping[str, Any]) -> nodes.Tree:
    """The tree of a document that fits the schema."""
    declarations = tuple(_from_json(item) for item in document["declarations"])
    remarks = tuple(_from_json(item) for item in document.get("remarks", ()))
    return nodes.Tree(declarations, tuple(document.get("closing", ())), remarks)


def read_document(text: str, name: str = "<json>") -> nodes.Tree | list[Problem]:
    """The tree of a text nobody vouches for, or what is wrong with it.

    The schema knows shapes only. That the tree can also be written as rules is tried out, so
    that nothing goes on from here that the grammar would not let pass.
    """
    if len(text) > limits.RULESET_BYTES:
        return [too_long(name, limits.RULESET_BYTES)]
    source = Source(name, text)
    document = _read_json(source)
    if isinstance(document, Problem):
        return [document]
    findings = validate(document, schema())
    if findings:
        top = Mark.top(name)
        return [Problem("RR132", f"{_spoken(path)}: {told}", top) for path, told in findings]
    return _check_sayable(from_document(document), name)


def _check_sayable(tree: nodes.Tree, name: str) -> nodes.Tree | list[Problem]:
    text = format_tree(tree)
    again, problems = parse(Source(name, text))
    writable = "\0" not in text and text.encode(errors="replace").decode() == text
    if again == tree and not problems and writable:
        return tree
    reason = problems[0].message if problems else "a part of it has no place in a rule file"
    message = f"this tree cannot be written as rules: {reason}"
    help_ = "write the rules as text and export them, to see what is accepted"
    return [Problem("RR133", message, Mark.top(name), help=help_)]


def _spoken(path: tuple[str | int, ...]) -> str:
    return "at " + "/".join(str(step) for step in path) if path else "at the top"


# ------------------------------------------------------------------- nodes as they are made


@dataclass(frozen=True, slots=True)
class _Slot:
    """A field of a node: what it is called here and there, and what it may hold."""

    field: str
    key: str
    type: Any
    default: Any  # left out when it is this; MISSING when it is always said


def _camel(name: str) -> str:
    first, *rest = name.split("_")
    return first[:1].lower() + first[1:] + "".join(word.capitalize() for word in rest)


@cache
def _slots(kind: type) -> tuple[_Slot, ...]:
    hints = get_type_hints(kind)
    return tuple(
        _Slot(one.name, _camel(one.name), hints[one.name], _default(kind, one, hints[one.name]))
        for one in fields(kind)
        if one.name != "mark"
    )


def _default(kind: type, one: Field[Any], hint: Any) -> Any:
    if one.default is not MISSING:
        return one.default
    if types.NoneType in get_args(hint):
        return None
    if get_origin(hint) is tuple:
        return MISSING if _least(kind.__name__, one.name) else ()
    # `yes` and `no` are told by their value alone, so that it is always said.
    return False if hint is bool and kind is not nodes.Truth else MISSING


@cache
def _kinds() -> dict[str, type]:
    """Every class that can stand in a document, by its tag."""
    found = [value for value in vars(nodes).values() if isinstance(value, type)]
    kinds = [kind for kind in found if issubclass(kind, nodes.Node)]
    abstract = (nodes.Node, nodes.Line, nodes.Tree)
    return {_camel(kind.__name__): kind for kind in kinds if kind not in abstract}


def _to_json(value: Any) -> Any:
    if isinstance(value, tuple):
        return [_to_json(item) for item in value]
    if not isinstance(value, nodes.Node):
        return value
    kind: type = type(value)
    said: Json = {}
    for slot in _slots(kind):
        content = getattr(value, slot.field)
        if slot.default is MISSING or content != slot.default:
            said[slot.key] = _to_json(content)
    return {_camel(kind.__name__): said}


def _from_json(value: Any) -> Any:
    if isinstance(value, list):
        return tuple(_from_json(item) for item in value)
    if not isinstance(value, dict):
        return value
    ((tag, said),) = value.items()
    kind = _kinds()[tag]
    content = {
        slot.field: _from_json(said[slot.key]) if slot.key in said else slot.default
        for slot in _slots(kind)
    }
    return kind(**content)


# ---------------------------------------------------------------------------- reading JSON

# A node is two objects, one for its tag and one for its fields; a declaration has NESTING nodes
# inside each other, and the document itself is one more object.
_OBJECTS = 2 * (limits.NESTING + 1) + 1
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL)


def _read_json(source: Source) -> Any:
    """The data, or a problem."""
    deep = _find_too_deep(source)
    if deep is not None:
        return deep
    try:
        return json.loads(
            source.text,
            object_pairs_hook=_no_duplicates,
            parse_float=_refuse_number,
            parse_constant=_refuse_number,
        )
    except json.JSONDecodeError as error:
        mark = source.mark(error.pos, min(error.pos + 1, len(source.text)))
        help_ = "look at the brackets, quotes and commas before this place"
        return Problem("RR130", f"this is not JSON: {error.msg}", mark, help=help_)
    except ValueError as error:  # also numbers of thousands of digits
        return Problem("RR131", str(error), Mark.top(source.name))


def _find_too_deep(source: Source) -> Problem | None:
    """Counted before anything recursive looks at the text."""
    objects = lists = 0
    text = _STRING.sub(lambda found: " " * len(found[0]), source.text)
    for found in re.finditer(r"[\[\]{}]", text):
        objects += {"{": 1, "}": -1}.get(found[0], 0)
        lists += {"[": 1, "]": -1}.get(found[0], 0)
        if objects > _OBJECTS or lists > _OBJECTS:
            return too_deep(source.mark(found.start(), found.end()))
    return None


def _no_duplicates(pairs: list[tuple[str, Any]]) -> Json:
    found = dict(pairs)
    if len(found) != len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"the name `{twice}` is given twice in one object")
    return found


def _refuse_number(digits: str) -> Any:
    raise ValueError(f"the number {digits[:40]} is not whole, and only whole numbers are accepted")


# ------------------------------------------------------------------------------ the schema

# Python's `$` also matches before a last newline; this ends a text in every dialect.
_END = r"(?![\s\S])"
_STRINGS: dict[str, Json] = {
    "name": {"type": "string", "pattern": rf"^[A-Za-z_][A-Za-z0-9_]*{_END}"},
    "text": {"type": "string", "pattern": rf'^[^"\t\r\n]*{_END}'},
    "comment": {"type": "string", "pattern": rf"^([^\s]([^\r\n]*[^\s])?)?{_END}"},
    "cite": {"type": "string", "pattern": rf"^[A-Z][A-Z0-9]*-R?[0-9]+{_END}"},
}
# What the strings of some fields are; all others are names.
_STRING_FIELDS = {
    "text": "text",
    "parts": "text",
    "title": "text",
    "printed": "text",
    "beginning": "text",
    "file": "text",
    "before": "comment",
    "after": "comment",
    "closing": "comment",
    "comments": "comment",
    "cites": "cite",
}
# Lists of which the grammar wants at least so many; all others may be empty.
_LEAST = {
    ("Text", "parts"): 1,
    ("Index", "arguments"): 1,
    ("Extreme", "values"): 2,
    ("Keys", "keys"): 1,
    ("Can", "steps"): 1,
    ("If", "arms"): 1,
    ("ChooseActions", "actions"): 1,
    ("ChooseBlock", "options"): 1,
    ("Setting", "values"): 1,
    ("Enum", "members"): 1,
    ("RowsFrom", "path"): 1,
    ("RowsFrom", "defaults"): 1,
    ("RowsListed", "rows"): 1,
    ("RowsProduct", "factors"): 1,
    ("Shape", "sizes"): 1,
    ("ShapeFrom", "path"): 1,
    ("Constant", "path"): 1,
    ("Member", "names"): 1,
    ("Has", "members"): 1,
    ("Ability", "clauses"): 1,
    ("Scenario", "parts"): 1,
    ("Steps", "steps"): 1,
    ("NamedSteps", "steps"): 1,
    ("Decision", "seats"): 1,
    ("Outcome", "values"): 1,
    ("Offers", "offers"): 1,
    ("Remark", "comments"): 1,
}
_MAY_BE_EMPTY = ("Option", "Action")  # the others with a body are nothing without


def _least(kind: str, field: str) -> int:
    if field == "body":
        return 0 if kind in _MAY_BE_EMPTY else 1
    return _LEAST.get((kind, field), 0)


@cache
def schema() -> Json:
    """The closed JSON Schema (draft 2020-12) of documents."""
    kinds = sorted(_kinds().items())
    definitions = {tag: _node_schema(kind) for tag, kind in kinds}
    definitions |= {_camel(name) + "Text": shape for name, shape in _STRINGS.items()}
    told = json.dumps(definitions) + "#/$defs/anyDeclaration"
    definitions |= {
        name: _one_of(members) for members, name in _unions().items() if f"#/$defs/{name}" in told
    }
    comments = {"type": "array", "items": {"$ref": "#/$defs/commentText"}}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A ruleset as a tree",
        "type": "object",
        "properties": {
            "schema": {"const": SCHEMA},
            "declarations": {"type": "array", "items": {"$ref": "#/$defs/anyDeclaration"}},
            "closing": comments,
            "remarks": {"type": "array", "items": _one_of(frozenset({nodes.Remark}))},
        },
        "required": ["schema", "declarations"],
        "additionalProperties": False,
        "$defs": dict(sorted(definitions.items())),
    }


def _node_schema(kind: type) -> Json:
    slots = _slots(kind)
    shape: Json = {"type": "object"}
    shape["properties"] = {slot.key: _shape(slot.type, kind, slot.field) for slot in slots}
    required = [slot.key for slot in slots if slot.default is MISSING]
    if required:
        shape["required"] = required
    return {**shape, "additionalProperties": False}


def _shape(hint: Any, kind: type, field: str) -> Json:
    """What one field accepts."""
    if hint is str:
        return {"$ref": f"#/$defs/{_STRING_FIELDS.get(field, 'name')}Text"}
    if hint is int:
        return {"type": "integer", "minimum": 0, "maximum": limits.INT_MAX}
    if hint is bool:
        return {"type": "boolean"}
    if get_origin(hint) is Literal:
        return {"enum": list(get_args(hint))}
    if get_origin(hint) is tuple:
        items = _shape(get_args(hint)[0], kind, field)
        least = _least(kind.__name__, field)
        return {"type": "array", "items": items} | ({"minItems": least} if least else {})
    if get_origin(hint) in (Union, types.UnionType):
        return _union_shape(get_args(hint), kind, field)
    return _one_of(frozenset({hint}))


def _union_shape(members: tuple[Any, ...], kind: type, field: str) -> Json:
    rest = [member for member in members if member is not types.NoneType]
    if len(rest) == 1:
        return _shape(rest[0], kind, field)
    if all(isinstance(member, type) and get_origin(member) is None for member in rest):
        name = _unions().get(frozenset(rest))
        return {"$ref": f"#/$defs/{name}"} if name else _one_of(frozenset(rest))
    # An object or a list: what is said of objects does not concern lists, and the other way.
    shape: Json = {}
    for member in rest:
        shape |= _shape(member, kind, field)
    return shape | {"type": ["object", "array"]}


@cache
def _unions() -> dict[frozenset[type], str]:
    """The unions that have a name in nodes.py."""
    found = {
        name: value for name, value in vars(nodes).items() if isinstance(value, types.UnionType)
    }
    return {frozenset(get_args(union)): f"any{name}" for name, union in found.items()}


def _one_of(members: frozenset[type]) -> Json:
    """A node of one of these classes, told by its only key: no alternatives to try out."""
    tags = sorted(_camel(member.__name__) for member in members)
    return {
        "type": "object",
        "properties": {tag: {"$ref": f"#/$defs/{tag}"} for tag in tags},
        "minProperties": 1,
        "maxProperties": 1,
        "additionalProperties": False,
    }


def schema_text() -> str:
    return json.dumps(schema(), indent=2) + "\n"


if __name__ == "__main__":
    print(schema_text(), end="")

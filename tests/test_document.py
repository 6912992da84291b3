"""The JSON form of a tree: exact, closed, and safe to read from anybody."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from interpreter import limits
from interpreter.report.hints import hint
from interpreter.report.problem import Problem
from interpreter.report.source import Source
from interpreter.resources import schemas_folder
from interpreter.tree import nodes
from interpreter.tree.document import (
    from_document,
    read_document,
    schema,
    schema_text,
    to_document,
)
from interpreter.tree.format import format_tree
from interpreter.tree.parse import parse

CASES = sorted((Path(__file__).parent / "cases").glob("*/*.rules"))


def tree_of(text: str) -> nodes.Tree:
    tree, problems = parse(Source("t.rules", text))
    assert not problems, problems
    return tree


def refused(document: Any) -> list[Problem]:
    text = document if isinstance(document, str) else json.dumps(document)
    found = read_document(text, "t.json")
    assert isinstance(found, list) and found
    return found


def ruleset(*declarations: Any, **more: Any) -> dict[str, Any]:
    return {"schema": "rulerun/ruleset@1", "declarations": list(declarations), **more}


# --- There and back -------------------------------------------------------------------------


@pytest.mark.parametrize("path", CASES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_round_trip(path: Path) -> None:
    tree = tree_of(path.read_text(encoding="utf-8"))
    document = to_document(tree)
    assert from_document(document) == tree
    again = read_document(json.dumps(document))
    assert again == tree
    assert isinstance(again, nodes.Tree)
    assert format_tree(again) == format_tree(tree)


def test_compact() -> None:
    tree = tree_of("phase p\n    if yes\n        me.gold := -1\n    draw 1 from a to b\n")
    (phase,) = to_document(tree)["declarations"]
    condition, draw = phase["phase"]["body"]
    (arm,) = condition["if"]["arms"]
    assert arm["arm"]["condition"] == {"truth": {"value": True}}
    assert arm["arm"]["body"] == [
        {
            "assign": {
                "target": {"dot": {"target": {"name": {"name": "me"}}, "name": "gold"}},
                "operator": ":=",
                "value": {"unary": {"operator": "-", "operand": {"number": {"value": 1}}}},
            }
        }
    ]
    assert set(draw["draw"]) == {"amount", "source", "target"}
    assert to_document(tree_of("always no\n"))["declarations"] == [
        {"always": {"condition": {"truth": {"value": False}}}}
    ]


# --- The schema -----------------------------------------------------------------------------


def test_schema_file_is_current() -> None:
    path = schemas_folder() / "ruleset.schema.json"
    command = "python -m interpreter.tree.document > schemas/ruleset.schema.json"
    assert path.is_file() and path.read_text(encoding="utf-8") == schema_text(), (
        f"renew it with: {command}"
    )


def test_schema_is_closed_and_tries_no_alternatives() -> None:
    Draft202012Validator.check_schema(schema())
    for part in parts(schema()):
        assert not {"oneOf", "anyOf", "allOf"} & set(part)
        if "properties" in part and "type" in part:
            assert part["additionalProperties"] is False


def parts(value: Any) -> Any:
    if isinstance(value, dict):
        yield value
        value = list(value.values())
    if isinstance(value, list):
        for item in value:
            yield from parts(item)


def test_everything_in_the_schema_is_reached() -> None:
    definitions = schema()["$defs"]
    text = json.dumps(schema())
    unused = [name for name in definitions if f'"#/$defs/{name}"' not in text]
    assert not unused


# --- What is refused ------------------------------------------------------------------------

GAME = {"game": {"title": "A"}}
STOP = {"jump": {"word": "stop"}}


@pytest.mark.parametrize(
    "document",
    [
        [],
        {},
        ruleset(unknown=1),
        {"schema": "rulerun/ruleset@2", "declarations": []},
        ruleset({"game": {"title": "A"}, "data": {"file": "b"}}),
        ruleset({"gaem": {"title": "A"}}),
        ruleset({"game": {"title": 'say "A"'}}),
        ruleset({"game": {"title": "two\nlines"}}),
        ruleset({"game": {"title": "A", "cites": ["lower-1"]}}),
        ruleset({"game": {"title": "A", "mark": {}}}),
        ruleset({"phase": {"name": "two words", "body": [STOP]}}),
        ruleset({"phase": {"name": "p\n", "body": [STOP]}}),
        ruleset({"phase": {"name": "p", "body": []}}),
        ruleset({"always": {"condition": {"number": {"value": -1}}}}),
        ruleset({"always": {"condition": {"number": {"value": 2**63}}}}),
        ruleset({"always": {"condition": {"number": {"value": True}}}}),
        ruleset({"always": {"condition": {"range": {}}}}),
        ruleset({"always": {"condition": {}}}),
        ruleset({"setting": {"name": "a", "values": [], "default": {"noneValue": {}}}}),
        ruleset(GAME, closing=["two\nlines"]),
        ruleset(GAME, closing=[" spaces "]),
        ruleset(GAME, remarks=[{"remark": {"above": 0, "comments": []}}]),
    ],
)
def test_shape(document: Any) -> None:
    assert {problem.code for problem in refused(document)} == {"RR132"}


@pytest.mark.parametrize(
    "declaration",
    [
        {"phase": {"name": "p", "body": [{"do": {"call": {"name": {"name": "if"}}}}]}},
        {"always": {"condition": {"name": {"name": "not"}}}},
        {"constant": {"name": "a"}},
        {"function": {"name": "f"}},
        {"has": {"cites": ["A-1"], "members": []}},
        {"action": {"name": "a", "text": {"text": {"parts": ["a", "b"]}}}},
        {"action": {"name": "a", "text": {"text": {"parts": ["a"], "gaps": [{"players": {}}]}}}},
        {"action": {"name": "a", "text": {"text": {"parts": ["{a}"]}}}},
        {"action": {"name": "a", "text": {"text": {"parts": ["{"]}}}},
        {
            "action": {
                "name": "a",
                "text": {"text": {"parts": ["", ""], "gaps": [{"name": {"name": "not"}}]}},
            }
        },
        {
            "action": {
                "name": "a",
                "text": {"text": {"parts": ["", ""], "gaps": [{"quoted": {"text": "a"}}]}},
            }
        },
        {"game": {"title": "\ud800"}},
        {"game": {"title": "\0"}},
        {"game": {"title": "A", "after": "#\u2028 "}},
    ],
)
def test_no_rules_say_this(declaration: Any) -> None:
    assert {problem.code for problem in refused(ruleset(declaration))} <= {"RR132", "RR133"}


@pytest.mark.parametrize(
    ("text", "code", "line", "column"),
    [
        ("", "RR130", 1, 1),
        ("{\n  'a': 1}", "RR130", 2, 3),
        ("[1, 2", "RR130", 1, 6),
        ('{"schema": 1.5}', "RR131", 1, 1),
        ('{"schema": NaN}', "RR131", 1, 1),
        ('{"a": 1, "a": 2}', "RR131", 1, 1),
        ('{"a": ' + "9" * 5000 + "}", "RR131", 1, 1),
        ("[" * 100_000, "RR112", 1, 132),
        ('{"a":' * 100_000, "RR112", 1, 656),
        ('"' + "[" * 1000, "RR112", 1, 133),
    ],
)
def test_not_json(text: str, code: str, line: int, column: int) -> None:
    (problem,) = refused(text)
    assert (problem.code, problem.mark.line, problem.mark.column) == (code, line, column)


def test_too_long() -> None:
    (problem,) = refused(" " * (limits.RULESET_BYTES + 1))
    assert problem.code == "RR003" and problem.limit


def test_texts() -> None:
    tree = tree_of('action buy(c in market) "buy {c}!"\n')
    (action,) = to_document(tree)["declarations"]
    gap = {"name": {"name": "c"}}
    assert action["action"]["text"] == {"text": {"parts": ["buy ", "!"], "gaps": [gap]}}
    plain = tree_of('action rest "rest"\n')
    assert to_document(plain)["declarations"][0]["action"]["text"] == {"text": {"parts": ["rest"]}}
    for each in (tree, plain):
        assert read_document(json.dumps(to_document(each))) == each


def test_as_deep_as_a_text() -> None:
    calls = limits.NESTING - 1
    deepest = tree_of("constant x = " + "f(" * calls + "a" + ")" * calls + "\n")
    text = json.dumps(to_document(deepest))
    assert read_document(text) == deepest
    leaf = '{"name": {"name": "a"}}'
    deeper = text.replace(leaf, '{"unary": {"operator": "not", "operand": ' + leaf + "}}")
    assert deeper != text
    assert refused(deeper)[0].code == "RR112"


@settings(max_examples=150, deadline=None)
@given(st.text(max_size=60))
def test_any_text(text: str) -> None:
    read_document(text)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.sampled_from(["p", "if", "a b", ""]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(sorted(schema()["$defs"])), inner, max_size=3)
    ),
    max_leaves=15,
)


@settings(max_examples=150, deadline=None)
@given(JSON)
def test_any_document(value: Any) -> None:
    found = read_document(json.dumps(ruleset(value)))
    assert isinstance(found, (nodes.Tree, list))


@pytest.mark.parametrize("code", ["RR130", "RR131", "RR132", "RR133"])
def test_examples_of_the_hint_pages(code: str) -> None:
    page = hint(code)
    assert page is not None
    wrong = page.split("```json wrong\n")[1].split("```")[0]
    right = page.split("```json right\n")[1].split("```")[0]
    assert {problem.code for problem in refused(wrong)} == {code}
    assert isinstance(read_document(right), nodes.Tree)

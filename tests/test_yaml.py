"""YAML files: what is read, what is refused and where, and how data is held against a schema."""

import re
import time
from typing import Any

import pytest
import yaml
from hostile.slowness import allowed
from hypothesis import given
from hypothesis import strategies as st

from interpreter import limits
from interpreter.data import yaml_reader
from interpreter.data.validate import validate, validate_node
from interpreter.data.yaml_reader import compose
from interpreter.data.yaml_tree import Mapping, Node, Scalar, Sequence, find, plain
from interpreter.report.hints import all_codes, hint
from interpreter.report.problem import Problem
from interpreter.report.source import Mark, Source


def good(text: str) -> Node:
    node, problems = compose(Source("t.yaml", text))
    assert problems == []
    assert node is not None
    return node


def data(text: str) -> Any:
    return plain(good(text))


def bad(text: str) -> Problem:
    """The one problem of a text."""
    _, problems = compose(Source("t.yaml", text))
    (problem,) = problems
    return problem


def told(problem: Problem) -> tuple[str, int, int]:
    return problem.code, problem.mark.line, problem.mark.column


# --- What is read ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text", ["no", "on", "yes", "off", "012", "1:30", "2026-01-01", "-", "0o8", "1_000", "1.2.3"]
)
def test_words_of_older_yaml_stay_text(text: str) -> None:
    assert data(f"a: {text}x")["a"] == f"{text}x"
    assert data(f"[{text}]" if text != "-" else '["-"]') == [text]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("", None),
        ("~", None),
        ("null", None),
        ("true", True),
        ("False", False),
        ("0", 0),
        ("-7", -7),
        ("+7", 7),
        ("0x1F", 31),
        ("0o17", 15),
        ("9223372036854775807", limits.INT_MAX),
        ("-9223372036854775808", limits.INT_MIN),
        ("'7'", "7"),
        ('"true"', "true"),
        ("''", ""),
        ("Harbour of 3", "Harbour of 3"),
        ("tRUE", "tRUE"),
    ],
)
def test_scalars(text: str, value: object) -> None:
    read = data(f"a: {text}\n")["a"]
    assert (read, type(read)) == (value, type(value))


def test_block_texts_are_text() -> None:
    assert data("a: |\n  12\nb: >\n  1\n  2\n") == {"a": "12\n", "b": "1 2\n"}


def test_keys_are_text() -> None:
    assert data("1: a\ntrue: b\n~: c\n") == {"1": "a", "true": "b", "~": "c"}


def test_collections() -> None:
    text = "cards:\n  - {name: Harbour, costs: [1, 2]}\n  - name: Lake\n    costs: []\n"
    assert data(text) == {
        "cards": [{"name": "Harbour", "costs": [1, 2]}, {"name": "Lake", "costs": []}]
    }


@pytest.mark.parametrize("text", ["", "\n", "# nothing\n", "---\n"])
def test_nothing(text: str) -> None:
    assert data(text) is None


def test_document_marks_and_byte_order_mark() -> None:
    assert data("---\na: 1\n...\n") == {"a": 1}
    assert data("\ufeffa: 1\n") == {"a": 1}


def test_without_the_c_parser(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(yaml_reader, "_LOADER", yaml.SafeLoader)
    assert data("a: [1, no, '2']\n") == {"a": [1, "no", "2"]}
    assert told(bad("a: 1\nb: &x 2\n")) == ("RR022", 2, 4)
    assert bad("[" * 1000).code == "RR010"
    assert told(bad("a: b: c")) == ("RR020", 1, 4)


# --- Marks ----------------------------------------------------------------------------------

MARKED = "é: 日本\ncards:\n  - {name: Harbour}\n  - name: Lake\n    cost: 3\nend: 1\n"


def test_marks() -> None:
    root = good(MARKED)
    assert isinstance(root, Mapping)
    assert root.entries[0][0].mark == Mark("t.yaml", 1, 1, 1, 2)
    assert root.entries[0][1].mark == Mark("t.yaml", 1, 4, 1, 6)
    assert find(root, ["cards", 0]).mark == Mark("t.yaml", 3, 5, 3, 20)
    assert find(root, ["cards", 1, "cost"]).mark == Mark("t.yaml", 5, 11, 5, 12)


def test_block_collections_end_with_their_last_value() -> None:
    root = good(MARKED)
    assert find(root, ["cards", 1]).mark == Mark("t.yaml", 4, 5, 5, 12)
    assert find(root, ["cards"]).mark == Mark("t.yaml", 3, 3, 5, 12)
    assert root.mark == Mark("t.yaml", 1, 1, 6, 7)


def test_marks_after_characters_that_end_lines_elsewhere() -> None:
    root = good("a: 'x\u2028y\x85z'\nb: 1\n")
    assert find(root, ["b"]).mark == Mark("t.yaml", 2, 4, 2, 5)


def test_find_stops_at_the_last_node_there_is() -> None:
    root = good("a: [1, 2]\n")
    assert isinstance(root, Mapping)
    assert find(root, []) is root
    assert find(root, ["nowhere", 3]) is root
    assert find(root, ["a", 7]) is root.get("a")
    assert find(root, ["a", "x"]) is root.get("a")
    assert isinstance(find(root, ["a"]), Sequence)
    assert find(root, ["a", 1]) == Scalar(2, Mark("t.yaml", 1, 8, 1, 9), "2")


def test_mapping_lookup() -> None:
    root = good("a: 1\n")
    assert isinstance(root, Mapping)
    key, value = root.key("a"), root.get("a")
    assert key is not None
    assert (key.mark.column, plain(value) if value else None) == (1, 1)
    assert root.key("b") is root.get("b") is None


# --- What is refused ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "code", "line", "column"),
    [
        ("a: &x 1\n", "RR022", 1, 4),
        ("- a\n- *x\n", "RR022", 2, 3),
        ("a: **bold**\n", "RR022", 1, 5),
        ("a: !!int '3'\n", "RR023", 1, 4),
        ("a: !custom {b: 1}\n", "RR023", 1, 4),
        ("a: 1\n<<: {b: 2}\n", "RR024", 2, 1),
        ("a: 1\nb: 2\na: 3\n", "RR025", 3, 1),
        ("a: {b: 1, 'b': 2}\n", "RR025", 1, 11),
        ("1: a\n0x1: b\n'1': c\n", "RR025", 3, 1),
        ("a: 1\n---\nb: 2\n", "RR026", 2, 1),
        ("? [a]\n: b\n", "RR027", 1, 3),
        ("{{a}}: b\n", "RR027", 1, 1),
        ("a: 1.5\n", "RR028", 1, 4),
        ("a: [1, -.5e3]\n", "RR028", 1, 8),
        ("a: 1e3\n", "RR028", 1, 4),
        ("a: .inf\n", "RR028", 1, 4),
        ("a: 9223372036854775808\n", "RR029", 1, 4),
        ("a: -9223372036854775809\n", "RR029", 1, 4),
        ("a: 0xFFFFFFFFFFFFFFFF\n", "RR029", 1, 4),
        (f"a: {'9' * 10_000}\n", "RR029", 1, 4),
        ("a:\n\t- b\n", "RR021", 2, 1),
        ("a: x\x01y\n", "RR005", 1, 5),
        ("a: \ud800\n", "RR005", 1, 4),
    ],
)
def test_refused(text: str, code: str, line: int, column: int) -> None:
    assert told(bad(text)) == (code, line, column)
    assert bad(text).help
    assert not bad(text).limit


@pytest.mark.parametrize(
    ("text", "line", "column", "words"),
    [
        ("a: b: c", 1, 4, "has a `: ` in it"),
        ("a: b\n c: d", 2, 1, "indented by 1 space"),
        ("a: 1\nfoo\nb: 2", 2, 1, "missing after `foo`"),
        ("- a\nb: 1", 2, 1, "begin with `- `"),
        ("a:\n  - b\n c", 3, 2, "table around"),
        ("a: [1, 2\nb: 3", 1, 4, "`[` is never closed"),
        ("a: {b: 1", 1, 9, "`{` is not closed"),
        ("a: 'x\n", 1, 4, "has no end"),
        ("a: @x", 1, 4, "cannot begin"),
        ('a: "\\q"', 1, 5, "double quotes"),
        ("a: }", 1, 4, "missing"),
        ("[a]]", 1, 4, "already ended"),
        ("a: |x", 1, 5, "not YAML"),
        ("%YAML 2.0\n---\na", 1, 1, "not YAML"),
    ],
)
def test_syntax(text: str, line: int, column: int, words: str) -> None:
    problem = bad(text)
    assert told(problem) == ("RR020", line, column)
    assert words in problem.message


def test_syntax_tells_where_it_began() -> None:
    ((mark, _),) = bad("a: 1\nb: [1, 2}").notes
    assert mark == Mark("t.yaml", 2, 4, 2, 5)


def test_duplicate_key_points_at_the_first() -> None:
    ((mark, _),) = bad("a: 1\nb: 2\na: 3\n").notes
    assert mark == Mark("t.yaml", 1, 1, 1, 2)


def test_a_quoted_merge_key_is_a_name() -> None:
    assert data('"<<": 1\n') == {"<<": 1}


def test_a_merge_key_is_only_refused_as_a_key() -> None:
    assert data("a: <<\n") == {"a": "<<"}


def test_several_problems_in_one_go() -> None:
    node, problems = compose(Source("t.yaml", "a: 1.5\na: &x 2\nb: *x\n"))
    assert [problem.code for problem in problems] == ["RR028", "RR025", "RR022", "RR022"]
    assert isinstance(node, Mapping)


def test_problems_are_bounded() -> None:
    _, problems = compose(Source("t.yaml", "a: 1\n" * 1000))
    assert len(problems) == limits.SYNTAX_PROBLEMS


# --- Bombs ----------------------------------------------------------------------------------


def quickly(text: str) -> Problem:
    began = time.process_time()  # not the clock: others may be using the machine
    problem = bad(text)
    assert time.process_time() - began < allowed(limits.CHECK_SECONDS)
    return problem


@pytest.mark.parametrize("text", ["[" * 50_000, "{a: " * 50_000, "- " * 50_000, "? " * 50_000])
def test_depth_bomb(text: str) -> None:
    problem = quickly(text)
    assert problem.limit or problem.code == "RR027"
    assert problem.mark.line == 1


def test_depth_is_exact() -> None:
    deepest = "[" * limits.YAML_DEPTH + "]" * limits.YAML_DEPTH
    good(deepest)
    assert told(bad(f"[{deepest}]")) == ("RR010", 1, limits.YAML_DEPTH + 1)


def test_merge_bomb() -> None:
    levels = ["a0: &a0 {x: 1}"]
    for level in range(1, 8):
        aliases = ", ".join([f"*a{level - 1}"] * 9)
        levels.append(f"a{level}: &a{level}\n  <<: [{aliases}]")
    began = time.process_time()
    _, problems = compose(Source("t.yaml", "\n".join(levels)))
    assert time.process_time() - began < allowed(limits.CHECK_SECONDS)
    assert {problem.code for problem in problems} == {"RR022", "RR024"}


def test_a_list_that_holds_itself() -> None:
    _, problems = compose(Source("t.yaml", "&a [*a]"))
    assert [problem.code for problem in problems] == ["RR022", "RR022"]


def test_a_million_items() -> None:
    problem = quickly("[" + "1," * 1_000_000 + "]")
    assert (problem.code, problem.limit) == ("RR003", True)
    problem = quickly("[" + "1," * 500_000 + "]")
    assert (problem.code, problem.limit) == ("RR011", True)


def test_a_long_text() -> None:
    assert data("a: " + "x" * limits.YAML_SCALAR_BYTES)
    problem = quickly("a: " + "x" * (limits.YAML_SCALAR_BYTES + 1))
    assert (problem.code, problem.limit) == ("RR012", True)
    assert quickly("a: " + "é" * (limits.YAML_SCALAR_BYTES // 2 + 1)).code == "RR012"


def test_size_counts_bytes() -> None:
    assert quickly("# " + "é" * (limits.YAML_BYTES // 2)).code == "RR003"


@given(st.text(alphabet="ab01-:[]{},&*!|>'\"%@`#?~<. \t\n\\é\u2028\x85", max_size=60))
def test_any_text_gives_a_tree_or_problems(text: str) -> None:
    source = Source("t.yaml", text)
    node, problems = compose(source)
    assert node is not None or problems
    for problem in problems:
        assert 1 <= problem.mark.line <= len(source.lines)
        assert 1 <= problem.mark.column <= len(source.line(problem.mark.line)) + 1
    if node is not None:
        plain(node)


@given(st.text(max_size=40))
def test_wild_text_never_raises(text: str) -> None:
    compose(Source("t.yaml", text))


# --- The examples of the hint pages ---------------------------------------------------------

EXAMPLES = [
    (code, kind, example)
    for code in all_codes()
    for kind, example in re.findall(
        r"^```yaml (wrong|right)\n(.*?)^```$", hint(code) or "", re.MULTILINE | re.DOTALL
    )
]


@pytest.mark.parametrize(("code", "kind", "example"), EXAMPLES)
def test_hint_examples(code: str, kind: str, example: str) -> None:
    _, problems = compose(Source("t.yaml", example))
    expected = {code} if kind == "wrong" else set()
    assert {problem.code for problem in problems} == expected


# --- Schemas --------------------------------------------------------------------------------

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "cards": {"type": "array", "minItems": 1, "items": {"$ref": "#/$defs/card"}},
        "title": {"type": "string", "maxLength": 10},
    },
    "required": ["cards"],
    "additionalProperties": False,
    "$defs": {
        "card": {
            "type": "object",
            "properties": {
                "name": {"type": "string", "pattern": "^[A-Z]"},
                "cost": {"type": "integer", "minimum": 0},
                "suit": {"enum": ["red", "green", None]},
                "effect": {
                    "oneOf": [
                        {"type": "string"},
                        {"type": "array", "items": {"type": "integer"}},
                    ]
                },
            },
            "patternProperties": {"^x-": True},
            "required": ["name"],
            "additionalProperties": False,
        }
    },
}


def faults(text: str) -> list[tuple[int, int, str, str | None]]:
    problems = validate_node(good(text), SCHEMA)
    assert {problem.code for problem in problems} <= {"RR040"}
    assert {problem.mark.file for problem in problems} <= {"t.yaml"}
    return [
        (problem.mark.line, problem.mark.column, problem.message, problem.help)
        for problem in problems
    ]


def test_what_fits() -> None:
    assert faults("cards:\n  - {name: Lake, cost: 3, suit: red, x-note: any, effect: [1]}\n") == []


@pytest.mark.parametrize(
    ("text", "line", "column", "message", "help"),
    [
        (
            "cards:\n  - name: Lake\n    cots: 3\n",
            3,
            5,
            "`cots` is found, and this name is not accepted here.",
            "Did you mean `cost`?",
        ),
        (
            "cards: [{name: Lake, zebra: 3}]",
            1,
            22,
            "`zebra` is found, and this name is not accepted here.",
            "Accepted here: `name`, `cost`, `suit`, `effect`.",
        ),
        ("cards:\n  - {cost: 3}", 2, 5, "`name` is missing here.", None),
        ("title: x\n", 1, 1, "`cards` is missing here.", None),
        (
            "cards:\n  - {name: Lake, cost: 'x'}\n",
            2,
            24,
            "This should be a whole number, not the text `x`.",
            None,
        ),
        (
            "cards: [{name: Lake, cost: -1}]",
            1,
            28,
            "This should be 0 or more, not `-1`.",
            None,
        ),
        (
            "cards: [{name: Lake, suit: rde}]",
            1,
            28,
            "The text `rde` is found, and it is not accepted here.",
            "Accepted here: `red`, `green`, `null`.",
        ),
        (
            "cards: [{name: Lake, suit: gren}]",
            1,
            28,
            "The text `gren` is found, and it is not accepted here.",
            "Did you mean `green`?",
        ),
        (
            "cards: [{name: Lake, effect: {a: 1}}]",
            1,
            30,
            "This should be text or a list, not a table.",
            None,
        ),
        (
            "cards: [{name: Lake, effect: [1, x]}]",
            1,
            34,
            "This should be a whole number, not the text `x`.",
            None,
        ),
        (
            "cards: []",
            1,
            8,
            "This should be a list of 1 or more, not an empty list.",
            None,
        ),
        (
            "cards: [{name: lake}]",
            1,
            16,
            "This should be text like `^[A-Z]`, not the text `lake`.",
            None,
        ),
        (
            "- 1",
            1,
            1,
            "This should be a table of `name: value`, not a list of 1.",
            None,
        ),
        ("", 1, 1, "This should be a table of `name: value`, not nothing.", None),
    ],
)
def test_what_does_not_fit(
    text: str, line: int, column: int, message: str, help: str | None
) -> None:
    assert faults(text) == [(line, column, message, help)]


def test_faults_come_by_place() -> None:
    rows = "".join(f"  - {{name: Lake, cost: x{number}}}\n" for number in range(12))
    text = f"title: 3\ncards:\n{rows}"
    assert [line for line, *_ in faults(text)] == [1, *range(3, 15)]
    document = {"cards": [{"name": "A", "cost": "x"}] * 11}
    paths = [path for path, _ in validate(document, SCHEMA)]
    assert paths == [("cards", number, "cost") for number in range(11)]


def test_several_missing_names_are_all_told() -> None:
    schema = {"required": ["a", "b"]}
    assert validate({"b": 1}, schema) == [((), "`a` is missing here.")]
    (problem,) = validate_node(good("{}"), schema)
    assert problem.message == "`a` and `b` are missing here."


@pytest.mark.parametrize(
    ("document", "schema", "message"),
    [
        (1, {"const": True}, "This should be `true`, not `1`."),
        ([1, 1], {"uniqueItems": True}, "The same item stands twice in this list."),
        (
            {"zz": 1},
            {"unevaluatedProperties": False},
            "`zz` is found, and this name is not accepted here.",
        ),
        (1, {"type": ["string", "null"]}, "This should be text or nothing, not `1`."),
        (1, {"not": {}}, "This is not accepted here: 1 should not be valid under {}."),
        ("x" * 99, {"maxLength": 3}, None),
    ],
)
def test_messages(document: Any, schema: dict[str, Any], message: str | None) -> None:
    ((path, found),) = validate(document, schema)
    assert path == ()
    assert message is None or found == message
    assert len(found) < 150


def test_schemas_are_never_fetched() -> None:
    with pytest.raises(Exception, match=r"elsewhere\.invalid"):
        validate(1, {"$ref": "http://elsewhere.invalid/schema"})

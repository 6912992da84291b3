"""The quick look at data says yes only where the validator finds nothing."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from interpreter.data.fits import fits

PLAIN = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-2, 3),
    st.sampled_from([0.0, 1.0, 1.5]),
    st.sampled_from(["", "a", "b", "long"]),
)
DATA = st.recursive(
    PLAIN,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("abc"), inner),
    max_leaves=8,
)
KINDS = ["object", "array", "string", "integer", "number", "boolean", "null"]


def schemas(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.fixed_dictionaries(
        {},
        optional={
            "type": st.sampled_from(KINDS)
            | st.lists(st.sampled_from(KINDS), min_size=1, max_size=2),
            "enum": st.lists(PLAIN, min_size=1, max_size=3),
            "const": PLAIN,
            "anyOf": st.lists(inner, min_size=1, max_size=2),
            "properties": st.dictionaries(st.sampled_from("abc"), inner, max_size=2),
            "additionalProperties": inner,
            "required": st.lists(st.sampled_from("abc"), max_size=2, unique=True),
            "items": inner,
            "minItems": st.integers(0, 2),
            "maxItems": st.integers(0, 2),
            "minLength": st.integers(0, 2),
            "maxLength": st.integers(0, 2),
            "minimum": st.integers(-1, 2),
            "maximum": st.integers(-1, 2),
            "pattern": st.sampled_from(["^a", "b$", "o"]),
            "propertyNames": inner,
            "not": inner,
        },
    )


SCHEMAS = st.recursive(st.booleans() | st.just({}), schemas, max_leaves=4)


@given(DATA, SCHEMAS)
def test_what_fits_is_valid(document: Any, schema: Any) -> None:
    if fits(document, schema):
        assert Draft202012Validator(schema).is_valid(document)


@pytest.mark.parametrize(
    ("document", "schema"),
    [
        ([{"a": 1}, {}], {"type": "array", "items": {"properties": {"a": {"maximum": 1}}}}),
        ({"a": "x"}, {"type": ["object"], "required": ["a"], "properties": {"a": {"enum": ["x"]}}}),
        (None, {"anyOf": [{"type": "integer"}, {"enum": ["none", None]}]}),
        ({"A-1": ""}, {"type": "object", "propertyNames": {"pattern": "^[A-Z]-[0-9]$"}}),
        ({"a": 3}, {"type": "object", "additionalProperties": {"type": "integer", "minimum": 0}}),
    ],
)
def test_usual_data_is_seen_to_fit(document: Any, schema: Any) -> None:
    assert fits(document, schema)

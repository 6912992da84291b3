"""The formatter: one text for one tree, whatever the text it came from."""

import random
from pathlib import Path

import pytest
from conftest import Golden
from hypothesis import given, settings
from hypothesis import strategies as st
from test_tree import mutate

from interpreter.report.source import Source
from interpreter.tree import format as formatter
from interpreter.tree import nodes
from interpreter.tree.format import FormatterBug, format_source, format_tree
from interpreter.tree.parse import parse
from interpreter.tree.pieces import WIDTH
from interpreter.tree.walk import walk

CASES = sorted((Path(__file__).parent / "cases" / "format").glob("*.rules"))


def formatted(text: str) -> str:
    result, problems = format_source(Source("t.rules", text))
    assert not problems, problems
    return result


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_format(path: Path, golden: Golden) -> None:
    golden(path.with_suffix(".txt"), formatted(path.read_text(encoding="utf-8")))


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_tree_and_text_stay(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    once = formatted(text)
    assert parse(Source("t.rules", once))[0] == parse(Source("t.rules", text))[0]
    assert formatted(once) == once


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_comments_survive(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert sorted(comments(formatted(text))) == sorted(comments(text))


def comments(text: str) -> list[str]:
    outside = [line.split('"')[-1] if '"' in line else line for line in text.split("\n")]
    return [line.split("#", 1)[1].strip() for line in outside if "#" in line]


def test_lines_are_short_where_they_can_be() -> None:
    text = (CASES[0].parent / "long_lines.rules").read_text(encoding="utf-8")
    code = [line.split("  #")[0] for line in formatted(text).split("\n")]
    assert max(map(len, code)) <= WIDTH


def test_problems_leave_the_text_alone() -> None:
    text = "phase  p\n    gold = 3\n"
    result, problems = format_source(Source("t.rules", text))
    assert result == text
    assert [problem.code for problem in problems] == ["RR101"]


def test_nothing() -> None:
    assert formatted("") == formatted("\n\n") == ""
    assert formatted("#a\n") == "# a\n"


def test_choice_after_choice_needs_no_brackets() -> None:
    plain = "constant a = (1 if b else 2 if c else 3 if d else 4)\n"
    clear = "constant a = (1 if b else (2 if c else (3 if d else 4)))\n"
    assert parse(Source("t.rules", plain)) == parse(Source("t.rules", clear))
    assert formatted(plain) == formatted(clear) == clear


def test_endless_choice_after_choice_is_too_deep() -> None:
    text = f"constant a = ({'1 if b else ' * 4000}2)\n"
    assert [problem.code for problem in format_source(Source("t.rules", text))[1]] == ["RR112"]


def test_index_is_not_read_as_a_citation() -> None:
    """`row[N-1]` at the end of a line cites clause N-1; with spaces it is an index."""
    assert formatted("constant a = row[N - 1]\n") == "constant a = row[N - 1]\n"
    assert formatted("constant a = row[N-1]\n") == "constant a = row  [N-1]\n"


def test_changed_meaning_is_our_bug(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(formatter, "format_tree", lambda tree: 'game "B"\n')
    with pytest.raises(FormatterBug, match="changed its meaning"):
        format_source(Source("t.rules", 'game "A"\n'))


def test_two_results_are_our_bug(monkeypatch: pytest.MonkeyPatch) -> None:
    results = iter(['game "A"\n', 'game  "A"\n'])
    monkeypatch.setattr(formatter, "format_tree", lambda tree: next(results))
    with pytest.raises(FormatterBug, match="twice"):
        format_source(Source("t.rules", 'game "A"\n'))


# --- Any expression -------------------------------------------------------------------------

OPERATORS = ["or", "and", "is", "is not", "=", "!=", "<", "<=", ">", ">=", "+", "-", "*", "div"]


def extend(inner: st.SearchStrategy[nodes.Expr]) -> st.SearchStrategy[nodes.Expr]:
    def binary(operator: str, left: nodes.Expr, right: nodes.Expr) -> nodes.Expr:
        return nodes.Binary(operator, left, right)  # type: ignore[arg-type]

    def unary(operator: str, operand: nodes.Expr) -> nodes.Expr:
        return nodes.Unary(operator, operand)  # type: ignore[arg-type]

    ranges = st.builds(nodes.Range, inner, inner, st.none() | inner)
    domains = st.one_of(inner, ranges)
    position = st.none() | st.just("i")
    some = st.none() | inner
    binders = st.one_of(
        st.builds(nodes.Binder, st.just("x"), position, domains, some, some),
        st.builds(nodes.Binder, st.just("x"), position, domains, st.none(), some, inner),
    )
    arguments = st.lists(inner, min_size=1, max_size=3).map(tuple)
    return st.one_of(
        st.builds(binary, st.sampled_from([*OPERATORS, "divUp", "mod"]), inner, inner),
        st.builds(unary, st.sampled_from(["not", "-", "number of"]), inner),
        st.builds(nodes.Dot, inner, st.just("longFieldName")),
        st.builds(nodes.Index, inner, arguments),
        st.builds(nodes.Call, inner, arguments),
        st.builds(nodes.MemberOf, inner, domains),
        st.builds(nodes.IfElse, inner, inner, inner),
        st.builds(nodes.Every, binders, inner),
        st.builds(nodes.Quantified, st.sampled_from(["count", "any"]), binders),
        st.builds(nodes.Aggregate, st.sampled_from(["min", "max"]), inner, binders, inner),
        st.builds(nodes.Can, arguments),
        st.builds(nodes.WhatIf, inner, arguments),
    )


LEAVES: list[nodes.Expr] = [
    nodes.Name("aRatherLongName"),
    nodes.Name("n"),
    nodes.Number(12),
    nodes.Truth(True),
    nodes.NoneValue(),
    nodes.Players(),
]
EXPRESSIONS = st.recursive(st.sampled_from(LEAVES), extend, max_leaves=25)


@settings(max_examples=300, deadline=None)
@given(EXPRESSIONS)
def test_any_expression(expr: nodes.Expr) -> None:
    stop = nodes.Jump("stop")
    arm = nodes.Arm(expr, (nodes.Let("x", expr, cites=("A-001",)), stop), after="why")
    tree = nodes.Tree((nodes.Phase("p", (nodes.If((arm,), None),)), nodes.Always(expr, "no")))
    text = format_tree(tree)
    again, problems = parse(Source("t.rules", text))
    assert not problems
    assert again == tree
    assert format_tree(again) == text


# --- Any layout -----------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(5))
def test_spaces_do_not_matter(seed: int) -> None:
    """Wider gaps, blank lines and deeper indentation give the same text; only below a comment
    between declarations a blank line says something."""
    rng = random.Random(seed)
    for path in CASES:
        text = formatted(path.read_text(encoding="utf-8"))
        loose = [line for original in text.split("\n") for line in loosened(original, rng)]
        assert formatted("\n".join(loose)) == text


def loosened(line: str, rng: random.Random) -> list[str]:
    code = line.lstrip(" ")
    indent = (len(line) - len(code)) * 2
    if '"' not in code and "#" not in code:
        code = "".join(sign + " " * rng.randrange(3) if sign in " ,()" else sign for sign in code)
    return [" " * indent + code] + [""] * (rng.randrange(2) if line[:1] != "#" else 0)


@pytest.mark.parametrize("seed", range(5))
def test_whatever_parses_can_be_formatted(seed: int) -> None:
    """Accidents make texts that nobody would write; the formatter proves itself on them."""
    rng = random.Random(seed)
    for _ in range(60):
        paragraphs = rng.choice(CASES).read_text(encoding="utf-8").split("\n\n")
        format_source(Source("t.rules", mutate(rng.choice(paragraphs) + "\n", rng)))


def test_every_comment_of_a_tree_is_printed() -> None:
    for path in CASES:
        tree, _ = parse(Source("t.rules", path.read_text(encoding="utf-8")))
        text = format_tree(tree)
        for node in walk(tree):
            if isinstance(node, nodes.Line):
                for comment in (*node.before, *filter(None, [node.after])):
                    assert f"# {comment}" in text

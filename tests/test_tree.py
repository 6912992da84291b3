"""The grammar and the parser: everything is exercised, nothing makes them raise."""

import json
import os
import random
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from conftest import Golden
from hypothesis import given, settings
from hypothesis import strategies as st
from lark import Lark, Token, UnexpectedInput
from lark.indenter import DedentError

from interpreter import limits
from interpreter.report.problem import Problem
from interpreter.report.source import Mark, Source
from interpreter.tree import nodes
from interpreter.tree.document import to_document
from interpreter.tree.lines import DECLARATIONS, read_lines
from interpreter.tree.parse import GRAMMAR, _Indentation, _parser, keywords, parse
from interpreter.tree.stuck import GluedWords
from interpreter.tree.walk import walk

CASES = Path(__file__).parent / "cases"
GOOD = sorted([*(CASES / "tree").glob("*.rules"), *(CASES / "format").glob("*.rules")])
TREES = sorted((CASES / "tree").glob("*.rules"))
TEXTS = [path.read_text(encoding="utf-8") for path in GOOD]


def tree_of(text: str) -> nodes.Tree:
    tree, problems = parse(Source("t.rules", text))
    assert not problems, problems
    return tree


# --- The grammar ----------------------------------------------------------------------------


def test_grammar_is_strict() -> None:
    """Two words of the grammar never fight for the same text."""
    Lark(
        GRAMMAR.read_text(encoding="utf-8"),
        parser="lalr",
        lexer="contextual",
        strict=True,
        postlex=_Indentation(),
        maybe_placeholders=True,
        start=["declaration", "expr"],
    )


def test_every_alternative_has_a_case() -> None:
    rules = _parser().lark.rules
    named = {
        rule.alias or rule.origin.name
        for rule in rules
        if not rule.origin.name.startswith("_") and (rule.alias or not rule.options.expand1)
    }
    missing = named - set(alternatives())
    assert not missing, "write these in a file under tests/cases/format"


def alternatives() -> Iterator[str]:
    """Every rule and alias that reading the cases uses."""
    for text in TEXTS:
        for chunk in read_lines(Source("t.rules", text)).chunks:
            found = _parser().lark.parse(chunk.text, start="declaration")
            yield from (str(subtree.data) for subtree in found.iter_subtrees())


def test_every_node_has_a_case() -> None:
    seen = {type(node).__name__ for text in TEXTS for node in walk(tree_of(text))}
    known = {
        name
        for name, value in vars(nodes).items()
        if isinstance(value, type) and issubclass(value, nodes.Node)
    }
    assert known - seen == {"Node", "Line"}


def test_declaration_words_are_those_of_the_grammar() -> None:
    state = _parser().lark.parse_interactive("", start="declaration")
    spelling = _parser().spelling
    accepted = state.accepts()  # type: ignore[no-untyped-call]
    assert {spelling[word] for word in accepted} == set(DECLARATIONS)
    assert set(DECLARATIONS) <= keywords()


# --- Trees ----------------------------------------------------------------------------------


@pytest.mark.parametrize("path", TREES, ids=lambda path: path.stem)
def test_tree(path: Path, golden: Golden) -> None:
    document = to_document(tree_of(path.read_text(encoding="utf-8")))
    golden(path.with_suffix(".txt"), json.dumps(document, indent=1) + "\n")


@pytest.mark.parametrize("text", TEXTS, ids=[path.stem for path in GOOD])
def test_marks_lie_inside_the_file(text: str) -> None:
    lines = text.split("\n")
    for node in walk(tree_of(text)):
        if node.mark is not nodes.NOWHERE:
            assert 1 <= node.mark.line <= node.mark.end_line <= len(lines)
            assert 1 <= node.mark.column <= len(lines[node.mark.line - 1]) + 1


def test_marks_of_names_show_the_name() -> None:
    text = "phase p\n    if a\n        foo(\n            b,\n            c.d\n        )\n"
    lines = text.split("\n")
    names = [node for node in walk(tree_of(text)) if isinstance(node, nodes.Name)]
    assert [name.name for name in names] == ["a", "foo", "b", "c"]
    for name in names:
        mark = name.mark
        assert lines[mark.line - 1][mark.column - 1 : mark.end_column - 1] == name.name


def test_equals_compares_everywhere() -> None:
    tree = tree_of("constant a: 0..3 = b = c\nalways x = 3\n")
    constant, always = tree.declarations
    assert isinstance(constant, nodes.Constant) and isinstance(constant.value, nodes.Binary)
    assert isinstance(always, nodes.Always) and isinstance(always.condition, nodes.Binary)
    assert constant.value.operator == always.condition.operator == "="


def test_line_ends_of_other_systems() -> None:
    text = 'game "A"\nphase p\n    stop\n'
    assert tree_of(text.replace("\n", "\r\n")) == tree_of(text) == tree_of(text.replace("\n", "\r"))


@pytest.mark.parametrize("text", ["", "\n\n", "# only a comment\n", "   \n"])
def test_nothing_is_a_tree(text: str) -> None:
    assert tree_of(text).declarations == ()


# --- Expressions alone ----------------------------------------------------------------------


def said_in(text: str) -> tuple[nodes.Text, list[Problem]]:
    tree, problems = parse(Source("t.rules", text))
    (found,) = (
        node for each in tree.declarations for node in walk(each) if type(node) is nodes.Text
    )
    return found, problems


def test_text() -> None:
    text, problems = said_in('phase p\n    say "{a + 1} of {b}!"\n')
    assert not problems
    gap = nodes.Binary("+", nodes.Name("a"), nodes.Number(1))
    assert text == nodes.Text(("", " of ", "!"), (gap, nodes.Name("b")))


TEXTS_WITH_GAPS = {
    "a step": 'phase p\n    say "{me} has {number of me.hand} cards"\n',
    "wide signs": 'phase p\n    say "金貨 {me.gold}、𝔘 {worth(me, 3)}"\n',
    "an action": 'action buy(c in market) "buy {c} for {price(c) - 1}"  # {c}\n',
    "a choice": 'phase p\n    me chooses c in deck "take {  c . cost  }"\n',
    "an option": 'phase p\n    choose\n        take(c in deck) "take {c}"  [A-001]\n',
    "a line that goes on": (
        "phase p\n    choose\n"
        '        take(\n            c in deck,  # "{n}"\n            d in deck\n'
        '        ) "take {c} and {d}"\n'
    ),
    "an ability": 'ability a\n    may instead of loss(p) "keep {p}\'s {card}"\n        stop\n',
}


@pytest.mark.parametrize("name", TEXTS_WITH_GAPS)
def test_values_in_texts_have_their_own_marks(name: str) -> None:
    written = TEXTS_WITH_GAPS[name]
    text, problems = said_in(written)
    assert not problems and text.gaps
    quoted = under(text.mark, written)
    assert quoted[0] == quoted[-1] == '"'
    inside = re.findall(r"\{(.*?)\}", quoted)
    assert [under(gap.mark, written) for gap in text.gaps] == [each.strip() for each in inside]
    for node in (node for gap in text.gaps for node in walk(gap)):
        if isinstance(node, nodes.Name):
            assert under(node.mark, written) == node.name


def under(mark: Mark, text: str) -> str:
    assert mark.line == mark.end_line
    return text.split("\n")[mark.line - 1][mark.column - 1 : mark.end_column - 1]


@pytest.mark.parametrize(
    ("gap", "code", "marked"),
    [
        ("{}", "RR115", "{}"),
        ("{ }", "RR115", "{ }"),
        ("{a +}", "RR115", "}"),
        ("{a b}", "RR115", "b"),
        ("{(}", "RR115", "}"),
        ("{§}", "RR106", "§"),
        ("{a := 2}", "RR115", ":="),
        ("{* 2}", "RR100", "*"),
        ("{a / 2}", "RR105", "/"),
        ("{a", "RR108", "{"),
        ("a}", "RR108", "}"),
    ],
)
def test_what_cannot_be_read_stays_in_the_text(gap: str, code: str, marked: str) -> None:
    written = f'phase p\n    say "金 {{me}} {gap} {{you}}"\n'
    text, (problem,) = said_in(written)
    assert text == nodes.Text(("金 ", f" {gap} ", ""), (nodes.Name("me"), nodes.Name("you")))
    assert (problem.code, under(problem.mark, written)) == (code, marked)


def test_gaps_of_a_line_with_a_tab_are_not_told_of() -> None:
    text, problems = said_in('phase p\n\tsay "{a +} {b}"\n')
    assert [problem.code for problem in problems] == ["RR109"]
    assert text == nodes.Text(("{a +} {b}",))


def test_many_bad_gaps() -> None:
    lines = ('    say "' + "{a +} " * 5 + '"\n') * 1000
    _, problems = parse(Source("t.rules", "phase p\n" + lines))
    assert {problem.code for problem in problems} == {"RR115"}
    assert [problem.mark.line for problem in problems] == [2] * 5 + [3] * 5 + [4] * 5 + [5] * 5


# --- Limits ---------------------------------------------------------------------------------

DEEP = {
    "parentheses": "constant x = " + "(" * 5000 + "1" + ")" * 5000,
    "lists": "constant x = " + "a[" * 5000 + "1" + "]" * 5000,
    "signs": "constant x = " + "-" * 5000 + "1",
    "not": "constant x = " + "not " * 5000 + "a",
    "sum": "constant x = 1" + " + 1" * 5000,
    "dots": "constant x = a" + ".b" * 5000,
    "types": "constant x: " + "list of " * 5000 + "A = 1",
    "blocks": "phase p\n" + "".join("    " * n + "if a\n" for n in range(1, 300)),
    "a text": 'phase p\n    say "{' + "- " * 5000 + '1}"',
    "brackets that stay open": "constant x = " + "(\n" * 5000,
}


@pytest.mark.parametrize("name", DEEP)
def test_too_deep(name: str) -> None:
    _, problems = parse(Source("t.rules", DEEP[name] + "\n"))
    assert [problem.code for problem in problems] == ["RR112"]
    assert problems[0].limit


def test_too_many_digits_too_deep() -> None:
    _, problems = parse(Source("t.rules", "constant x = 1" + " + 1" * 5000 + " + " + "9" * 30))
    assert {problem.code for problem in problems} == {"RR112", "RR121"}


def test_too_many_words() -> None:
    line = "always " + "a or " * 50 + "a\n"
    _, problems = parse(Source("t.rules", line * (limits.TOKENS // 100 + 10)))
    assert [problem.code for problem in problems] == ["RR113"]
    assert problems[0].limit


def test_too_many_words_in_texts() -> None:
    line = '    say "' + "{a}" * 50 + '"\n'
    _, problems = parse(Source("t.rules", "phase p\n" + line * (limits.TOKENS // 100)))
    assert [problem.code for problem in problems] == ["RR113"]
    assert problems[0].limit


def test_not_too_many_problems() -> None:
    _, problems = parse(Source("t.rules", "phse p\n" * 500))
    assert len(problems) == limits.SYNTAX_PROBLEMS


# --- Broken texts ---------------------------------------------------------------------------


def check_never_raises(text: str) -> None:
    """A text gives a tree that says all of it, or problems that lie in it."""
    tree, problems = parse(Source("t.rules", text))
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    for problem in problems:
        # RR201 is what declarations say of such a name; here the line cannot even be read.
        assert problem.code.startswith("RR1") or problem.code == "RR201", problem
        assert problem.message
        assert problem.mark.file == "t.rules"
        assert 1 <= problem.mark.line <= len(lines), problem
        assert 1 <= problem.mark.column <= len(lines[problem.mark.line - 1]) + 1, problem
    if not problems:
        code = sum(1 for line in lines if line[:1].strip() and line[0] not in "#)]")
        assert code == 0 or tree.declarations


def mutate(text: str, rng: random.Random) -> str:
    """One small accident: a character, a word or a line lost, doubled, swapped or foreign."""
    parts = rng.choice([list(text), words_of(text), text.splitlines(keepends=True)])
    if not parts:
        return text
    at = rng.randrange(len(parts))
    match rng.randrange(4):
        case 0:
            del parts[at]
        case 1:
            parts.insert(at, parts[at])
        case 2:
            other = rng.randrange(len(parts))
            parts[at], parts[other] = parts[other], parts[at]
        case _:
            parts.insert(at, rng.choice(["\t", '"', "(", ")", "]", "/", "=", ":", "\n", " ", "é"]))
    return "".join(parts)


def words_of(text: str) -> list[str]:
    parts = [""]
    for character in text:
        joins = character.isalnum() and parts[-1][-1:].isalnum()
        parts += [character] if not joins else []
        parts[-1] += character if joins else ""
    return parts[1:]


@pytest.mark.parametrize("seed", range(15))
def test_mutated_texts(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(100):
        text = rng.choice(TEXTS)
        for _ in range(rng.randrange(1, 4)):
            text = mutate(text, rng)
        check_never_raises(text)


WORDS = sorted(keywords()) + list(":=()[],.#+-*<\"\n\t é'") + ["\n    ", "\n        ", "..", "12"]


@settings(max_examples=200, deadline=None)
@given(st.lists(st.sampled_from(WORDS), max_size=40))
def test_words_in_any_order(words: list[str]) -> None:
    check_never_raises(" ".join(words))


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=80))
def test_any_text(text: str) -> None:
    check_never_raises(text)


@settings(max_examples=200, deadline=None)
@given(st.sampled_from(TEXTS), st.randoms(use_true_random=False))
def test_accidents(text: str, rng: random.Random) -> None:
    check_never_raises(mutate(text, rng))


def test_our_lexer_and_our_shortcut_read_as_lark_does(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rules as they are and with slips: the same words, trees, places and errors."""
    from interpreter.tree import tables

    ours = tables.load_parser(_Indentation())
    monkeypatch.setattr(tables, "_PLUGINS", {})
    larks = tables.load_parser(_Indentation())
    rnd = random.Random(8)
    for text in TEXTS:
        for chunk in read_lines(Source("t.rules", text)).chunks:
            at = rnd.randrange(len(chunk.text))
            slip = chunk.text[:at] + rnd.choice(' \n.x[(+=3"') + chunk.text[at + 1 :]
            for written in (chunk.text, slip):
                assert _all_that_is_read(ours, written) == _all_that_is_read(larks, written)


def _all_that_is_read(parser: Lark, text: str) -> object:
    try:
        tree = parser.parse(text, start="declaration")
    except (DedentError, GluedWords, UnexpectedInput) as error:
        return type(error), str(error)
    tokens = tree.scan_values(lambda value: isinstance(value, Token))
    return (
        tree,
        [(token.type, token.start_pos, token.end_line, token.end_column) for token in tokens],
        [sorted(vars(part.meta).items()) for part in tree.iter_subtrees()],
    )


def test_the_shipped_tables_are_those_of_the_grammar() -> None:
    from interpreter.tree import tables

    made = json.loads(tables.TABLES.read_text("utf-8"))["made"]
    wanted = tables.made_from(tables.GRAMMAR.read_text("utf-8"))
    assert made.split()[0] == wanted.split()[0], "renew them: python -m interpreter.tree.tables"


def test_the_same_grammar_gives_the_same_tables() -> None:
    """In whatever order a process goes through its sets; and those that are shipped are these."""
    from interpreter.tree import tables

    one, two = (tables_made_with(hash_seed) for hash_seed in ("1", "2"))
    differs = one != two  # said by itself: to show where would take minutes
    assert not differs
    shipped = tables.TABLES.read_text("utf-8")
    renewed = one == shipped or json.loads(one)["made"] != json.loads(shipped)["made"]
    assert renewed, "renew them: python -m interpreter.tree.tables"


def tables_made_with(hash_seed: str) -> str:
    code = """
from interpreter.tree import parse, tables
print(tables.tables_text(parse._Indentation()), end="")
"""
    run = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONHASHSEED": hash_seed},
        capture_output=True,
        text=True,
        check=True,
    )
    return run.stdout

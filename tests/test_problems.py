"""Every problem as a text file: its code stands on the guilty line, its message in a file beside.

A line that ends in `#! RR101` must have this problem, and no other line may have an error. The
whole message is in `<name>.txt`; `python -m pytest tests/test_problems.py --update` writes it.
Cases in the area `syntax` are parsed only, all others are checked.
"""

import importlib
import re
from pathlib import Path

import pytest
from conftest import Golden

from interpreter.report.hints import all_codes, hint
from interpreter.report.problem import Problem
from interpreter.report.render import render
from interpreter.report.source import Source
from interpreter.tree.parse import parse

FOLDER = Path(__file__).parent / "cases" / "problems"
CASES = sorted(FOLDER.glob("*/*.rules"))
TREE = Path(__file__).resolve().parent.parent / "interpreter" / "tree"
EXPECTED = re.compile(r"#! (RR\d{3}(?: RR\d{3})*)$")
# A file of a hundred thousand words, a value alone, and documents have tests of their own.
WITHOUT_CASE = {"RR113", "RR115", "RR130", "RR131", "RR132", "RR133"}


def problems_of(area: str, source: Source) -> list[Problem]:
    if area == "syntax":
        return parse(source)[1]
    pipeline = importlib.import_module("interpreter.pipeline")
    problems: list[Problem] = pipeline.check_source(source)
    return problems


def expected_of(text: str) -> set[tuple[int, str]]:
    found: set[tuple[int, str]] = set()
    for number, line in enumerate(text.split("\n"), 1):
        if marked := EXPECTED.search(line):
            found |= {(number, code) for code in marked[1].split()}
    return found


def case_name(path: Path) -> str:
    return f"{path.parent.name}/{path.stem}"


@pytest.mark.parametrize("path", CASES, ids=case_name)
def test_problem(path: Path, golden: Golden) -> None:
    source = Source(path.name, path.read_text(encoding="utf-8"))
    problems = problems_of(path.parent.name, source)
    expected = expected_of(source.text)
    assert expected, "end the guilty line with `#! <code>`"
    told = {(problem.mark.line, problem.code) for problem in problems}
    errors = {(p.mark.line, p.code) for p in problems if p.severity == "error"}
    assert expected <= told
    assert errors <= expected
    golden(path.with_suffix(".txt"), render(problems, {source.name: source}))


def test_goldens_have_cases() -> None:
    orphans = [path for path in FOLDER.glob("*/*.txt") if not path.with_suffix(".rules").is_file()]
    assert not orphans


def test_every_syntax_problem_has_a_case() -> None:
    modules = [path.read_text(encoding="utf-8") for path in TREE.glob("*.py")]
    codes = {code for text in modules for code in re.findall(r'"(RR1\d\d)"', text)}
    told = {code for path in CASES for _, code in expected_of(path.read_text(encoding="utf-8"))}
    missing = codes - told - WITHOUT_CASE
    assert not missing, "write a file for each under tests/cases/problems/syntax"


# --- The examples of the hint pages ---------------------------------------------------------

EXAMPLES = [
    pytest.param(code, kind, example, id=f"{code}-{kind}-{number}")
    for code in all_codes()
    if code.startswith("RR1")
    for number, (kind, example) in enumerate(
        re.findall(r"^```rules (wrong|right)\n(.*?)^```$", hint(code) or "", re.M | re.S)
    )
]


@pytest.mark.parametrize(("code", "kind", "example"), EXAMPLES)
def test_hint_example(code: str, kind: str, example: str) -> None:
    found = {problem.code for problem in problems_of("syntax", Source("t.rules", example))}
    assert found == ({code} if kind == "wrong" else set())

"""Every problem as a text file: its code stands on the guilty line, its message in a file beside.

A line that ends in `#! RR101` must have this problem, and no other line may have an error. The
whole message is in `<name>.txt`; `python -m pytest tests/test_problems.py --update` writes it.
Cases in the area `syntax` are parsed only, all others are checked, with the files beside them
that they name; the guilty line may stand in one of those.
"""

import re
from collections.abc import Iterable
from pathlib import Path

import pytest
from conftest import Golden

from interpreter.pipeline import check_rules
from interpreter.reading import read_rules, read_text
from interpreter.report.hints import all_codes, hint
from interpreter.report.problem import Problem
from interpreter.report.render import render
from interpreter.report.source import Source
from interpreter.tree.parse import parse

FOLDER = Path(__file__).parent / "cases" / "problems"
CASES = sorted(FOLDER.glob("*/*.rules"))
PACKAGE = Path(__file__).resolve().parent.parent / "interpreter"
EXPECTED = re.compile(r"#! (RR\d{3}(?: RR\d{3})*)$")
# Documents, and files that are too long or no text, have tests of their own.
WITHOUT_CASE = {"RR002", "RR003", "RR011", "RR012", "RR113", "RR130", "RR131", "RR132", "RR133"}
# What only somebody who starts a game can do wrong has tests of its own.
WITHOUT_CASE |= {"RR207"}
# What a scenario finds out is in cases/scenarios.
WITHOUT_CASE |= {"RR270", "RR272", "RR273", "RR274", "RR275", "RR276"}


def check(path: Path) -> tuple[list[Problem], dict[str, Source]]:
    text = path.read_text(encoding="utf-8")
    if path.parent.name == "syntax":
        source = Source(path.name, text)
        return parse(source)[1], {source.name: source}
    rules = read_text(text, path.name, path.parent)
    return check_rules(rules), rules.sources


def expected_of(sources: Iterable[Source]) -> set[tuple[str, int, str]]:
    found: set[tuple[str, int, str]] = set()
    for source in sources:
        for number, line in enumerate(source.lines, 1):
            if marked := EXPECTED.search(line):
                found |= {(source.name, number, code) for code in marked[1].split()}
    return found


def case_name(path: Path) -> str:
    return f"{path.parent.name}/{path.stem}"


@pytest.mark.parametrize("path", CASES, ids=case_name)
def test_problem(path: Path, golden: Golden) -> None:
    problems, sources = check(path)
    expected = expected_of(sources.values())
    assert expected, "end the guilty line with `#! <code>`"
    told = {(p.mark.file, p.mark.line, p.code): p.severity for p in problems}
    assert expected <= set(told)
    assert {place for place, severity in told.items() if severity == "error"} <= expected
    golden(path.with_suffix(".txt"), render(problems, sources))


def test_goldens_have_cases() -> None:
    orphans = [path for path in FOLDER.glob("*/*.txt") if not path.with_suffix(".rules").is_file()]
    assert not orphans


def test_every_problem_has_a_case() -> None:
    modules = [path.read_text(encoding="utf-8") for path in PACKAGE.rglob("*.py")]
    codes = {code for text in modules for code in re.findall(r'"(RR[0-5]\d\d)"', text)}
    files = [*FOLDER.rglob("*.rules"), *FOLDER.rglob("*.yaml")]
    texts = [path.read_text(encoding="utf-8", errors="replace") for path in files]
    told = {code for text in texts for code in re.findall(r"#! .*(RR\d{3})", text)}
    missing = codes - told - WITHOUT_CASE
    assert not missing, "write a file for each under tests/cases/problems"


SHIPPED = sorted((PACKAGE.parent / "rulesets").rglob("*.rules"))


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_shipped_rules_are_clean(path: Path) -> None:
    """The checker warns of nothing in rules that are right: false alarms teach to ignore it."""
    rules = read_rules(path)
    assert render(check_rules(rules), rules.sources) == ""


# --- The examples of the hint pages ---------------------------------------------------------

EXAMPLES = [
    pytest.param(code, kind, example, id=f"{code}-{kind}-{number}")
    for code in all_codes()
    if code[2] in "12345"
    for number, (kind, example) in enumerate(
        re.findall(r"^```rules (wrong|right)\n(.*?)^```$", hint(code) or "", re.M | re.S)
    )
]


@pytest.mark.parametrize(("code", "kind", "example"), EXAMPLES)
def test_hint_example(code: str, kind: str, example: str) -> None:
    if code.startswith("RR1"):
        problems = parse(Source("t.rules", example))[1]
    else:
        problems = check_rules(read_text(example, "t.rules"))
    found = {problem.code for problem in problems}
    assert found == ({code} if kind == "wrong" else set())

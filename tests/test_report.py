"""Problems: reading sources, collecting, near names, every output format, the hint pages."""

import io
import json
import os
import re
import sys
import threading
from pathlib import Path
from xml.etree import ElementTree

import pytest

from interpreter.report.hints import all_codes, hint, title
from interpreter.report.problem import Problem, Problems, RulesError
from interpreter.report.render import FORMATS, Format, render
from interpreter.report.source import Mark, Source, read_source
from interpreter.report.suggest import did_you_mean, nearest
from interpreter.report.visible import visible, width

TEXT = "cards:\n  - name: Harbour\n    cots: 3\n"
SOURCE = Source("game.yaml", TEXT)
SOURCES = {"game.yaml": SOURCE}
PROBLEM = Problem(
    "RR040",
    "`cots` is found, and this name is not accepted here.",
    Mark("game.yaml", 3, 5, 3, 9),
    help="Did you mean `cost`?",
)
WARNING = Problem("RR025", "Twice.", Mark("game.yaml", 1, 1, 1, 6), "warning")


# --- Sources --------------------------------------------------------------------------------


def read(path: Path | str, limit: int = 100) -> Source:
    source = read_source(path, limit)
    assert isinstance(source, Source), source
    return source


def refused(path: Path | str, limit: int = 100) -> Problem:
    problem = read_source(path, limit)
    assert isinstance(problem, Problem)
    return problem


def test_lines_and_marks() -> None:
    assert SOURCE.line(2) == "  - name: Harbour"
    assert SOURCE.line(4) == SOURCE.line(0) == SOURCE.line(99) == ""
    start = TEXT.index("cots")
    assert SOURCE.mark(start, start + 4) == Mark("game.yaml", 3, 5, 3, 9)
    assert SOURCE.mark(len(TEXT), len(TEXT)) == Mark("game.yaml", 4, 1, 4, 1)
    assert Source("empty", "").mark(0, 0) == Mark.top("empty")


def test_lines_end_at_newlines_only() -> None:
    assert Source("x", "a\u2028b\x0cc\nd").line(2) == "d"


def test_read_drops_byte_order_mark_and_carriage_returns(tmp_path: Path) -> None:
    path = tmp_path / "a.rules"
    path.write_bytes(b"\xef\xbb\xbfone\r\ntwo\rthree\n")
    assert read(path) == Source(str(path), "one\ntwo\nthree\n")


def test_read_of_exactly_the_limit(tmp_path: Path) -> None:
    path = tmp_path / "a.rules"
    path.write_bytes(b"x" * 100)
    assert read(path, 100).text == "x" * 100
    problem = refused(path, 99)
    assert (problem.code, problem.limit) == ("RR003", True)


def test_read_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"hello")))
    assert read("-") == Source("<stdin>", "hello")
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"hello")))
    assert read_source("-", 9, name="my.rules") == Source("my.rules", "hello")


def test_read_of_a_device_without_end_stops() -> None:
    assert refused("/dev/zero", 1000).code == "RR003"


def test_read_of_a_pipe(tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)

    def write() -> None:
        with open(path, "wb", buffering=0) as pipe:
            pipe.write(b"one\n")
            pipe.write(b"two\n")

    writer = threading.Thread(target=write)
    writer.start()
    assert read(path).text == "one\ntwo\n"
    writer.join()


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    assert refused(tmp_path / "missing.rules").code == "RR001"
    assert refused(tmp_path).code == "RR002"
    assert refused("bad\0path").code == "RR002"
    (tmp_path / "file").write_text("x")
    assert refused(tmp_path / "file" / "below").code == "RR002"


def test_bytes_that_are_no_text(tmp_path: Path) -> None:
    path = tmp_path / "a.rules"
    path.write_bytes("é\r\nab".encode() + b"\xffcd")
    assert (refused(path).code, str(refused(path).mark)) == ("RR004", f"{path}:2:3")
    path.write_bytes(b"one\ntw\0o")
    assert (refused(path).code, str(refused(path).mark)) == ("RR005", f"{path}:2:3")


# --- Problems -------------------------------------------------------------------------------


def test_items_are_sorted_by_place_and_told_once() -> None:
    problems = Problems()
    later, earlier = Mark("a", 10, 1, 10, 2), Mark("a", 9, 5, 9, 6)
    problems.error("RR102", "later", later)
    problems.warning("RR101", "earlier", earlier)
    problems.error("RR102", "told again", later)
    problems.error("RR103", "another at the same place", later)
    assert [problem.message for problem in problems.items()] == [
        "earlier",
        "later",
        "another at the same place",
    ]


def test_warnings_are_no_errors() -> None:
    problems = Problems()
    assert not problems.has_errors
    problems.add(WARNING)
    assert not problems.has_errors
    problems.extend([PROBLEM])
    assert problems.has_errors


def test_limit_travels_with_the_problem() -> None:
    problems = Problems()
    problems.error("RR003", "long", Mark.top("a"), limit=True)
    assert problems.items()[0].limit


def test_rules_error_says_everything() -> None:
    error = RulesError([PROBLEM, WARNING])
    assert error.problems == [PROBLEM, WARNING]
    assert str(error).splitlines() == [
        "game.yaml:3:5: RR040 `cots` is found, and this name is not accepted here.",
        "game.yaml:1:1: RR025 warning: Twice.",
    ]


# --- Near names -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("word", "match"),
    [
        ("cots", "cost"),
        ("COST", "cost"),
        ("trun", "Turn"),
        ("palyer", "player"),
        ("harbour", None),
        ("", None),
        ("c", None),
        ("x" * 100_000, None),
    ],
)
def test_nearest(word: str, match: str | None) -> None:
    assert nearest(word, {"cost", "Turn", "player", "phase", "y" * 100_000}) == match


def test_did_you_mean() -> None:
    assert did_you_mean("cots", ["cost"]) == "Did you mean `cost`?"
    assert did_you_mean("zebra", ["cost"]) is None


# --- Visible text ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain", "plain"),
        ("a\nb\tc", "a b c"),
        ("\x1b[31mred", "␛[31mred"),
        ("\x7f", "␡"),
        ("\x9b31m", "<U+009B>31m"),
        ("a\u202eb\u2066", "a<U+202E>b<U+2066>"),
        ("\udcff", "<U+DCFF>"),
        ("Ünïcödé 日本 🎲", "Ünïcödé 日本 🎲"),
    ],
)
def test_visible(text: str, shown: str) -> None:
    assert visible(text) == shown


def test_width() -> None:
    assert [width(text) for text in ("ab", "日本", "e\u0301")] == [2, 4, 1]


# --- Formats --------------------------------------------------------------------------------


def test_full() -> None:
    problem = Problem(
        PROBLEM.code,
        PROBLEM.message,
        PROBLEM.mark,
        notes=((Mark("game.yaml", 1, 1, 1, 6), "The table begins here."),),
        help="Did you mean `cost`?\nNames are listed in the reference.",
    )
    assert render([problem, WARNING], SOURCES, "full", colour=False) == (
        "error[RR040]: `cots` is found, and this name is not accepted here.\n"
        " --> game.yaml:3:5\n"
        "  |\n"
        "3 |     cots: 3\n"
        "  |     ^^^^\n"
        "note: The table begins here.\n"
        " --> game.yaml:1:1\n"
        "  |\n"
        "1 | cards:\n"
        "  | -----\n"
        "help: Did you mean `cost`?\n"
        "      Names are listed in the reference.\n"
        "\n"
        "warning[RR025]: Twice.\n"
        " --> game.yaml:1:1\n"
        "  |\n"
        "1 | cards:\n"
        "  | ^^^^^\n"
        "\n"
        "Found 1 error and 1 warning. `rulerun explain RR040` tells more.\n"
    )


def snippet(line: str, column: int, end_column: int, end_line: int = 1) -> list[str]:
    mark = Mark("x", 1, column, end_line, end_column)
    text = render([Problem("XX999", "m", mark)], {"x": Source("x", line)}, "full", colour=False)
    return [row.removeprefix("1 | ").removeprefix("  | ") for row in text.splitlines()[3:5]]


def test_full_keeps_signs_under_the_text() -> None:
    assert snippet("\ta: b", 2, 3) == ["    a: b", "    ^"]
    assert snippet("日本: b", 5, 6) == ["日本: b", "      ^"]
    assert snippet("日本: b", 1, 3) == ["日本: b", "^^^^"]
    assert snippet("a\x1bb: c", 3, 4) == ["a␛b: c", "  ^"]
    assert snippet("a\u202eb: c", 3, 4) == ["a<U+202E>b: c", "         ^"]


def test_full_marks_places_without_text() -> None:
    assert snippet("abc", 4, 4) == ["abc", "   ^"]
    assert snippet("abc", 90, 99) == ["abc", "   ^"]


def test_full_marks_the_first_of_several_lines_to_its_end() -> None:
    assert snippet("ab: [\n 1]", 5, 3, end_line=2) == ["ab: [", "    ^"]
    assert snippet("ab: [1,\n 1]", 5, 3, end_line=2) == ["ab: [1,", "    ^^^"]


def test_full_crops_long_lines() -> None:
    shown, signs = snippet("x" * 500_000 + "here" + "y" * 500_000, 500_001, 500_005)
    assert len(shown) <= 102
    assert shown[0] == shown[-1] == "…"
    assert shown[signs.index("^") : signs.index("^") + 4] == "here"
    assert signs.strip() == "^^^^"


def test_full_without_the_source() -> None:
    text = render([PROBLEM], {}, "full", colour=False)
    assert text.splitlines()[:2] == [f"error[RR040]: {PROBLEM.message}", " --> game.yaml:3:5"]


def test_colour_is_plain_codes_and_only_when_asked() -> None:
    coloured = render([PROBLEM, WARNING], SOURCES, "full", colour=True)
    plain = render([PROBLEM, WARNING], SOURCES, "full", colour=False)
    assert "\x1b[1;31merror[RR040]\x1b[0m" in coloured
    assert re.sub(r"\x1b\[[0-9;]*m", "", coloured) == plain


def test_concise() -> None:
    assert render([PROBLEM, WARNING], SOURCES, "concise", colour=False) == (
        "game.yaml:3:5: RR040 `cots` is found, and this name is not accepted here.\n"
        "game.yaml:1:1: RR025 warning: Twice.\n"
    )


def test_json() -> None:
    document = json.loads(render([PROBLEM, WARNING], SOURCES, "json", colour=False))
    assert document["schema"] == "rulerun/check@1"
    assert (document["errors"], document["warnings"]) == (1, 1)
    assert document["problems"][0] == {
        "code": "RR040",
        "severity": "error",
        "message": PROBLEM.message,
        "file": "game.yaml",
        "line": 3,
        "column": 5,
        "end_line": 3,
        "end_column": 9,
        "notes": [],
        "help": "Did you mean `cost`?",
        "limit": False,
    }


def test_github() -> None:
    problem = Problem("RR040", "50% off", Mark("a,b:c.yaml", 3, 5, 3, 9), help="Or not.")
    assert render([problem], {}, "github", colour=False) == (
        "::error title=rulerun (RR040),file=a%2Cb%3Ac.yaml,line=3,col=5,endLine=3,endColumn=9"
        "::50%25 off%0AOr not.\n"
    )


def test_github_gives_no_columns_for_several_lines() -> None:
    problem = Problem("RR040", "m", Mark("a", 3, 5, 4, 9), "warning")
    assert render([problem], {}, "github", colour=False) == (
        "::warning title=rulerun (RR040),file=a,line=3,endLine=4::m\n"
    )


def test_sarif(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    name = str(tmp_path / "my rules" / "game.yaml")
    mark = Mark(name, 3, 5, 3, 9)
    problem = Problem("RR040", "m", mark, notes=((mark, "See here."),), help="h")
    document = json.loads(
        render([problem, problem, WARNING], {name: Source(name, TEXT)}, "sarif", colour=False)
    )
    assert document["version"] == "2.1.0"
    (run,) = document["runs"]
    assert [rule["id"] for rule in run["tool"]["driver"]["rules"]] == ["RR025", "RR040"]
    first, second, third = run["results"]
    assert (first["ruleId"], first["ruleIndex"], first["level"]) == ("RR040", 1, "error")
    assert third["level"] == "warning"
    place = first["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "my%20rules/game.yaml"
    assert place["region"] == {"startLine": 3, "startColumn": 5, "endLine": 3, "endColumn": 9}
    assert first["relatedLocations"][0]["message"]["text"] == "See here."
    assert first["partialFingerprints"] != second["partialFingerprints"]


def test_fingerprints_survive_lines_added_above() -> None:
    def fingerprint(text: str, line: int) -> str:
        problem = Problem("RR040", "m", Mark("a", line, 5, line, 9))
        document = json.loads(render([problem], {"a": Source("a", text)}, "gitlab", colour=False))
        return str(document[0]["fingerprint"])

    assert fingerprint(TEXT, 3) == fingerprint("# new\n" + TEXT, 4) != fingerprint(TEXT, 2)


def test_junit() -> None:
    sources = {**SOURCES, "good.yaml": Source("good.yaml", "")}
    root = ElementTree.fromstring(render([PROBLEM, WARNING], sources, "junit", colour=False))
    bad, good = root
    assert (bad.get("name"), bad.get("tests"), bad.get("failures")) == ("game.yaml", "2", "1")
    assert [case.get("name") for case in bad] == ["RR040 3:5", "RR025 1:1"]
    failure = bad.find("testcase/failure")
    assert failure is not None
    assert failure.get("message") == PROBLEM.message
    assert (good.get("name"), good.get("tests"), good.get("failures")) == ("good.yaml", "1", "0")


def test_gitlab() -> None:
    first, second = json.loads(render([PROBLEM, WARNING], SOURCES, "gitlab", colour=False))
    assert first["check_name"] == "RR040"
    assert first["location"] == {"path": "game.yaml", "lines": {"begin": 3, "end": 3}}
    assert (first["severity"], second["severity"]) == ("major", "minor")


@pytest.mark.parametrize("format", FORMATS)
def test_no_format_prints_controls(format: Format) -> None:
    evil = "\x1b[2J\x9b\u202e\ufffe\udc80\0"
    mark = Mark(f"a{evil}", 1, 1, 1, 3)
    problem = Problem("RR040", f"m{evil}", mark, notes=((mark, evil),), help=f"h{evil}")
    text = render([problem], {f"a{evil}": Source(f"a{evil}", evil)}, format, colour=False)
    assert not set(text) & (set(evil) - set("[2J"))
    text.encode()
    if format == "junit":
        ElementTree.fromstring(text)


@pytest.mark.parametrize("format", FORMATS)
def test_no_problems(format: Format) -> None:
    text = render([], SOURCES, format, colour=False)
    if format in ("json", "sarif", "gitlab"):
        json.loads(text)
    elif format == "junit":
        assert ElementTree.fromstring(text)[0].get("failures") == "0"
    else:
        assert text == ""


# --- Hints ----------------------------------------------------------------------------------


def test_hint() -> None:
    page = hint("rr025")
    assert page is not None
    assert page == hint("RR025")
    assert title("RR025") == "A name is given twice in one table"


@pytest.mark.parametrize("code", ["", "RR000", "../hints/RR025", "RR025.md", "RR025\0"])
def test_no_hint(code: str) -> None:
    assert hint(code) is None
    assert title(code) is None


@pytest.mark.parametrize("code", all_codes())
def test_hint_pages_teach(code: str) -> None:
    assert re.fullmatch(r"RR\d{3}", code)
    page = hint(code)
    assert page is not None
    assert page.startswith("# ")
    if code.startswith("RR7"):
        return  # a record is written by the program: there is nothing to type in another way
    if code in ("RR804", "RR805", "RR806", "RR810", "RR811", "RR839"):
        return  # what is found is a mistake of ours then, and no rules can help it
    assert re.search(r"^```\w+ wrong$", page, re.MULTILINE)
    assert re.search(r"^```\w+ right$", page, re.MULTILINE)


def test_every_code_in_the_source_has_a_page() -> None:
    package = Path(__file__).resolve().parent.parent / "interpreter"
    used = {
        code
        for module in package.rglob("*.py")
        for code in re.findall(r'"(RR\d{3})"', module.read_text(encoding="utf-8"))
    }
    assert used
    assert used - set(all_codes()) == set(), "write interpreter/report/hints/<code>.md for these"

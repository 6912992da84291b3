"""Validating rulesets in CI: every command in every form, judged by the schema of the form; the one
command for all of it, its settings, comments that silence, mending, watching, and what other tools
are given to copy."""

from __future__ import annotations

import json
import os
import re
import shlex
import signal
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import xmlschema
import yaml
from conftest import Done, Rulerun

from interpreter.cli.config import Ci, Config
from interpreter.pipeline import check_rules
from interpreter.reading import read_text
from interpreter.report.hints import hint
from interpreter.report.render import FORMATS

ROOT = Path(__file__).resolve().parent.parent
SCHEMAS = Path(__file__).parent / "schemas"
README = (ROOT / "README.md").read_text(encoding="utf-8")
GOOD = """\
game "Stones"
players 2
clauses "book.yaml"

the game has
    stones: int = 7

action take(n in 1..3) "take {n}"  [ST-01]
    when n <= stones
    stones -= n

play
    turns
        choose take
        if stones = 0
            me wins  [ST-02]

scenario "One is taken"  [ST-01, ST-02]
    given
        stones := 3
    run play
    when P1 take(1)
    then stones = 2
    then P2 chooses
"""
BOOK = "ST-01: You take one to three stones.\nST-02: Whoever takes the last stone wins.\n"
QUICK = ("--prove-games", "1", "--prove-rounds", "2", "--soak-games", "2")
COMMANDS = {
    "check": ["check"],
    "test": ["test", "stones.rules"],
    "clauses": ["clauses", "stones.rules", "--strict", "--games", "0"],
    "soak": ["soak", "stones.rules", "--games", "5"],
    "prove": ["prove", "stones.rules", "--games", "1", "--no-native"],
    "ci": ["ci", *QUICK],
}
Place = tuple[str, int, str]  # a file, a line of it, and a code


def write(name: str, text: str) -> str:
    Path(name).parent.mkdir(parents=True, exist_ok=True)
    Path(name).write_text(text, encoding="utf-8")
    return name


def line_of(text: str, part: str) -> int:
    (found,) = [number for number, line in enumerate(text.split("\n"), 1) if part in line]
    return found


# --- What each form says, once its schema is content ------------------------------------------


def errors_in(form: str, text: str) -> set[Place]:
    return {"full": _full, "concise": _concise, "json": _json, "github": _github}.get(
        form, {"sarif": _sarif, "junit": _junit, "gitlab": _gitlab}.get(form, _full)
    )(text)


def _full(text: str) -> set[Place]:
    found = re.findall(r"^error\[(RR\d+)\]: .*\n +--> (.*):(\d+):\d+$", text, re.MULTILINE)
    return {(file, int(line), code) for code, file, line in found}


def _concise(text: str) -> set[Place]:
    found = [re.fullmatch(r"(.*?):(\d+):\d+: (RR\d+) (.*)", line) for line in text.splitlines()]
    assert all(found)
    told = [each for each in found if each and not each[4].startswith("warning: ")]
    return {(each[1], int(each[2]), each[3]) for each in told}


def _json(text: str) -> set[Place]:
    document = json.loads(text)
    assert re.fullmatch(r"rulerun/\w+@1", document["schema"])
    told = [each for each in document["problems"] if each["severity"] == "error"]
    assert document["errors"] == len(told)
    return {(each["file"], each["line"], each["code"]) for each in told}


def _github(text: str) -> set[Place]:
    form = r"::(error|warning) title=rulerun \((RR\d+)\),file=([^,:]+),line=(\d+)(?:,\w+=\d+)*::.+"
    found = [re.fullmatch(form, line) for line in text.splitlines()]
    assert all(found)
    return {(each[3], int(each[4]), each[2]) for each in found if each and each[1] == "error"}


def _sarif(text: str) -> set[Place]:
    document = json.loads(text)
    judged_by("sarif-2.1.0.json", document)
    (run,) = document["runs"]
    places = set()
    for result in run["results"]:
        assert run["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == result["ruleId"]
        place = result["locations"][0]["physicalLocation"]
        if result["level"] == "error":
            uri, region = place["artifactLocation"]["uri"], place["region"]
            places.add((uri, region["startLine"], result["ruleId"]))
    return places


def _junit(text: str) -> set[Place]:
    xmlschema.XMLSchema(str(SCHEMAS / "junit-10.xsd")).validate(text)
    root = xmlschema.XMLResource(text).root
    for suite in root:
        cases = suite.findall("testcase")
        assert int(suite.get("tests")) == len(cases) > 0
        assert int(suite.get("failures")) == sum(c.find("failure") is not None for c in cases)
    failures = root.findall(".//failure")
    places = [_concise((each.text or "").split("\n")[0]) for each in failures]
    assert all(
        place[2] == each.get("type") for each, (place,) in zip(failures, places, strict=True)
    )
    return set().union(*places)


def _gitlab(text: str) -> set[Place]:
    document = json.loads(text)
    judged_by("codequality.schema.json", document)
    assert len({each["fingerprint"] for each in document}) == len(document)
    told = [each for each in document if each["severity"] == "major"]
    places = [(each["location"], each["check_name"]) for each in told]
    return {(place["path"], place["lines"]["begin"], code) for place, code in places}


def judged_by(schema: str, document: Any) -> None:
    rules = json.loads((SCHEMAS / schema).read_text(encoding="utf-8"))
    judge = jsonschema.validators.validator_for(rules)
    judge.check_schema(rules)
    judge(rules, format_checker=judge.FORMAT_CHECKER).validate(document)


def test_the_schemas_refuse_what_is_wrong() -> None:
    with pytest.raises(jsonschema.ValidationError):
        judged_by("sarif-2.1.0.json", {"version": "2.1.0", "runs": [{"results": []}]})
    with pytest.raises(jsonschema.ValidationError):
        judged_by("codequality.schema.json", [{"description": "x"}])
    with pytest.raises(xmlschema.XMLSchemaValidationError):
        _junit("<testsuites><testcase/></testsuites>")


def told(done: Done, form: str) -> set[Place]:
    """What is told; to people, rules that are refused are told on the other stream."""
    return errors_in(form, done.out + done.err if form == "full" else done.out)


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("command", COMMANDS)
def test_a_broken_ruleset(rulerun: Rulerun, command: str, form: str) -> None:
    text = GOOD.replace("when n <= stones", "when n <= stonse")
    write("stones.rules", text)
    write("book.yaml", BOOK)
    done = rulerun(*COMMANDS[command], "--output-format", form)
    assert done.code == 1
    assert told(done, form) == {("stones.rules", line_of(text, "stonse"), "RR300")}


WRONG = [
    ("test", "then stones = 2", "then stones = 5", "RR275"),
    ("soak", "play\n", 'always stones >= 5 "five stay"\n\nplay\n', "RR836"),
    ("soak", "play\n", "ends within 2 moves\n\nplay\n", "RR837"),
    ("soak", "        choose take", "        choose take\n        stones -= 1 div stones", "RR602"),
]
PLACES = {"RR275": "= 5", "RR836": "always", "RR837": "ends within", "RR602": "div"}


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize(("command", "old", "new", "code"), WRONG, ids=lambda each: str(each)[:6])
def test_what_is_found_by_trying(
    rulerun: Rulerun, command: str, old: str, new: str, code: str, form: str
) -> None:
    """At the line that fails, and not where the scenario or the file begins."""
    text = GOOD.replace(old, new, 1)
    write("stones.rules", text)
    write("book.yaml", BOOK)
    wanted = {("stones.rules", line_of(text, PLACES[code]), code)}
    done = rulerun(*COMMANDS[command], "--output-format", form)
    assert (done.code, told(done, form)) == (1, wanted)
    done = rulerun("ci", "--skip", "prove", "--skip", "fmt", *QUICK, "--output-format", form)
    assert done.code == 1 and wanted <= told(done, form)


@pytest.mark.parametrize("form", FORMATS)
def test_clauses_that_are_missing(rulerun: Rulerun, form: str) -> None:
    write("stones.rules", GOOD)
    write("book.yaml", BOOK + "ST-03: The loser tidies up.\n")
    assert rulerun("clauses", "stones.rules", "--games", "0", "--output-format", form).code == 0
    assert rulerun("ci", *QUICK).code == 0
    wanted = {("book.yaml", 3, "RR834"), ("book.yaml", 3, "RR835")}
    done = rulerun(*COMMANDS["clauses"], "--output-format", form)
    assert done.code == 1
    if form == "full":  # people are shown the clauses themselves
        assert "ST-03" in done.out and "CITED NOWHERE" in done.out
    else:
        assert told(done, form) == wanted
    done = rulerun("ci", "--strict", *QUICK, "--output-format", form)
    assert (done.code, told(done, form)) == (1, wanted)


@pytest.mark.parametrize("form", FORMATS)
def test_a_leak(rulerun: Rulerun, form: str) -> None:
    leak = Path(__file__).parent / "leaks" / "secret-asked.rules"
    path = write("leak.rules", leak.read_text(encoding="utf-8"))
    done = rulerun("prove", path, "--games", "4", "--no-native", "--output-format", form)
    places = told(done, form)
    assert done.code == 1 and places
    assert all(file == path and line > 1 and code[:4] == "RR80" for file, line, code in places)


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("command", COMMANDS)
def test_all_is_well(rulerun: Rulerun, command: str, form: str) -> None:
    write("stones.rules", GOOD)
    write("book.yaml", BOOK)
    done = rulerun(*COMMANDS[command], "--output-format", form)
    assert (done.code, told(done, form)) == (0, set())


def test_what_was_tried_is_counted(rulerun: Rulerun) -> None:
    write("stones.rules", GOOD + GOOD[GOOD.index("\nscenario") :].replace("One", "Another"))
    write("book.yaml", BOOK)
    root = xmlschema.XMLResource(rulerun("ci", *QUICK, "--output-format", "junit").out).root
    suites = {suite.get("name"): [case.get("name") for case in suite] for suite in root}
    assert suites["test stones.rules"] == ["One is taken", "Another is taken"]
    assert suites["clauses book.yaml"] == ["ST-01", "ST-02"]
    assert suites["soak stones.rules"] == ["Stones, 2 players"]
    assert {"stones.rules", "fmt stones.rules", "prove stones.rules"} <= set(suites)


# --- ci ---------------------------------------------------------------------------------------


def steps(done: Done) -> dict[str, int]:
    return {each["name"]: each["tried"] for each in json.loads(done.out)["steps"]}


def test_layout_is_part_of_it(rulerun: Rulerun) -> None:
    text = GOOD.replace("when n <= stones", "when n  <= stones")
    write("stones.rules", text)
    write("book.yaml", BOOK)
    done = rulerun("ci", *QUICK, "--output-format", "concise")
    assert done.code == 1
    assert told(done, "concise") == {("stones.rules", line_of(text, "n  <="), "RR833")}
    assert rulerun("fmt").code == 0
    assert rulerun("ci", *QUICK).out == "All is well.\n"


def test_reports_are_written(rulerun: Rulerun) -> None:
    write("stones.rules", GOOD.replace("then stones = 2", "then stones = 5"))
    write("book.yaml", BOOK)
    wanted = [f"--report={form}=report.{form}" for form in FORMATS]
    done = rulerun("ci", *QUICK, *wanted)
    assert done.code == 1
    assert all(
        errors_in(form, Path(f"report.{form}").read_text()) == told(done, "full")
        for form in FORMATS
    )
    assert rulerun("ci", "--report", "pdf=x").code == 2
    assert rulerun("ci", *QUICK, "--report", "json=no/such/folder").code == 2


def test_settings(rulerun: Rulerun) -> None:
    write("games/stones.rules", GOOD)
    write("games/book.yaml", BOOK)
    write("games/slow.rules", GOOD.replace('clauses "book.yaml"\n', ""))
    write("other/broken.rules", "game\n")
    ci = 'paths = ["games"]\nprove-games = 0\nsoak-games = 3\nwithout-games = ["slow.rules"]\n'
    write("pyproject.toml", f"[tool.rulerun.ci]\n{ci}")
    done = rulerun("ci", "--json")
    assert (done.code, steps(done)["prove"], steps(done)["soak"]) == (0, 0, 3)
    assert steps(rulerun("ci", "--json", "--soak-games", "5"))["soak"] == 5
    assert rulerun("ci", "other").code == 1
    assert "soak" not in steps(rulerun("ci", "--json", "--skip", "soak"))
    write("rulerun.toml", '[ci]\npaths = ["games"]\nsteps = ["fmt", "check"]\n')
    assert steps(rulerun("ci", "--json")) == {"check": 2, "fmt": 2}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "[ci]\nsoak-game = 1",
            "there is no setting `soak-game` in `ci`. Did you mean `soak-games`?",
        ),
        ("[ci]\nsoak-games = -1", "`soak-games` must be a number from 0"),
        ("[ci]\nsoak-games = true", "`soak-games` must be a number from 0"),
        ('[ci]\nsteps = ["lint"]', "`steps` must be a list of some of check, fmt"),
        ('[ci]\npaths = "games"', "`paths` must be a list of files"),
        ("ci = 3", "`ci` must be a table"),
        ("strikt = true", "Did you mean `strict`?"),
    ],
)
def test_wrong_settings(rulerun: Rulerun, text: str, said: str) -> None:
    write("stones.rules", GOOD)
    write("rulerun.toml", text)
    done = rulerun("ci")
    assert done.code == 2 and said in done.err


def test_nothing_to_validate_is_wrong_use(rulerun: Rulerun) -> None:
    assert rulerun("ci").code == 2
    assert rulerun("ci", "gone.rules").code == 2


def test_without_checking(rulerun: Rulerun) -> None:
    """What is wrong shows in a later step, too."""
    write("stones.rules", GOOD.replace("when n <= stones", "when n <= stonse"))
    write("book.yaml", BOOK)
    done = rulerun("ci", "--skip", "check", *QUICK, "--output-format", "concise")
    assert done.code == 1 and {code for _, _, code in told(done, "concise")} == {"RR300"}


# --- Comments that silence --------------------------------------------------------------------

UNUSED = 'game "T"\nplayers 2\n\nconstant goal = 10{}\n\nplay\n    nobody wins\n'


def checked(text: str) -> list[tuple[int, str]]:
    return [(each.mark.line, each.code) for each in check_rules(read_text(text, "t.rules"))]


@pytest.mark.parametrize(
    ("comment", "codes"),
    [
        ("", ["RR419"]),
        ("  # noqa: RR419 for the long game", []),
        ("  # the goal  # noqa: rr419, RR419 for the long game", []),
        ("  # noqa: RR419", ["RR831"]),
        ("  # noqa", ["RR419", "RR832"]),
        ("  # noqa for the long game", ["RR419", "RR832"]),
        ("  # noqa: RR999 no such thing", ["RR419", "RR832"]),
        ("  # noqa: RR444 another", ["RR419", "RR830"]),
        ("  # noqa: RR419, RR444 one too many", ["RR830"]),
    ],
)
def test_noqa(comment: str, codes: list[str]) -> None:
    assert checked(UNUSED.format(comment)) == [(4, code) for code in codes]


def test_an_error_cannot_be_silenced(rulerun: Rulerun) -> None:
    text = UNUSED.format("").replace("10", "goall  # noqa: RR230 I know")
    found = check_rules(read_text(text, "t.rules"))
    assert ("RR830", "warning") in [(each.code, each.severity) for each in found]
    assert any(each.severity == "error" for each in found)
    write("t.rules", UNUSED.format("  # noqa: RR444 left over"))
    assert rulerun("check").code == 0
    assert rulerun("check", "--strict").code == 1


def test_a_line_that_goes_on_is_one_line() -> None:
    text = UNUSED.format("").replace("10", "(1 +\n    9)  # noqa: RR419 for the long game")
    assert checked(text) == []
    assert checked(text.replace("# noqa", '# "noqa')) == [(4, "RR419")]


def test_a_text_is_no_comment() -> None:
    text = UNUSED.format("").replace(
        "nobody wins", 'say "# noqa: RR419 this is said"\n    nobody wins'
    )
    assert checked(text) == [(4, "RR419")]


def test_the_tables_have_comments_too(rulerun: Rulerun) -> None:
    rules = 'game "T"\nplayers 2\ndata "t.yaml"\n\nplay\n    nobody wins\n'
    write("t.rules", rules)
    write("t.yaml", "dice: 3\n")
    assert "RR248" in rulerun("check", "--output-format", "concise").out
    write("t.yaml", "dice: 3  # noqa: RR248 our printer reads it\n")
    assert rulerun("check", "--strict").out == ""


@pytest.mark.parametrize("code", ["RR830", "RR831", "RR832", "RR833", "RR836", "RR837"])
def test_hint_pages_tell_the_truth(rulerun: Rulerun, code: str) -> None:
    examples = re.findall(r"^```rules (wrong|right)\n(.*?)^```$", hint(code) or "", re.M | re.S)
    assert [kind for kind, _ in examples] == ["wrong", "right"]
    for kind, text in examples:
        write("t.rules", text)
        only = () if code == "RR833" else ("--skip", "fmt")
        done = rulerun("ci", "--skip", "prove", *only, "--output-format", "concise")
        assert (code in done.out) is (kind == "wrong"), done.out
        assert kind == "wrong" or done.out == ""


def test_hint_pages_on_clauses_tell_the_truth(rulerun: Rulerun) -> None:
    write("book.yaml", "T-01: Nobody wins.\n")
    for code in ("RR834", "RR835"):
        examples = re.findall(r"^```rules (\w+)\n(.*?)^```$", hint(code) or "", re.M | re.S)
        for kind, text in examples:
            write("t.rules", text)
            done = rulerun("clauses", "t.rules", "--games", "0", "--output-format", "concise")
            assert (code in done.out) is (kind == "wrong")


# --- Mending ----------------------------------------------------------------------------------

MENDED = [
    ("when n <= stones", "when n <= stonse"),
    ("when n <= stones", "when n ≤ stones"),
    ("when n <= stones", "when n =< stones"),
    ("when n <= stones and n != 4", "when n<=stones&&n≠4"),
    ("when n <= stones or n = 1", "when n <= stones || n == 1"),
    ("when n <= stones and n = 1 * 1", "when n ≤ stonse and n == 1 × 1"),
    ("when n <= stones", "when n <= stones  # noqa: RR419 long ago"),
    ("when n <= stones  # as it should be", "when n <= stones  # as it should be  # noqa: RR419 x"),
]


@pytest.mark.parametrize(("right", "wrong"), MENDED)
def test_fix(rulerun: Rulerun, right: str, wrong: str) -> None:
    write("stones.rules", GOOD.replace("when n <= stones", wrong))
    write("book.yaml", BOOK)
    done = rulerun("check", "--fix")
    assert (done.code, done.out) == (0, "")
    assert Path("stones.rules").read_text() == GOOD.replace("when n <= stones", right) or (
        rulerun("fmt").code == 0
        and Path("stones.rules").read_text() == GOOD.replace("when n <= stones", right)
    )
    said = re.findall(
        r"^fixed stones.rules:9:\d+: `.+` (?:became `.+`|was taken away) \(RR\d+\)$",
        done.err,
        re.MULTILINE,
    )
    assert said and f"Fixed {len(said)} problem" in done.err
    assert rulerun("fmt").code == rulerun("check", "--strict").code == 0


def test_words_that_begin_lines_are_mended(rulerun: Rulerun) -> None:
    text = GOOD.replace("action take", "acton take").replace(
        "            me wins  [ST-02]",
        "            me wins  [ST-02]\n        elif stones = 1\n            next(me) wins",
    )
    write("stones.rules", text.replace('clauses "book.yaml"', 'clauses "bok.yaml"'))
    write("book.yaml", BOOK)
    done = rulerun("check", "--fix")
    assert done.code == 0 and done.err.count("fixed ") == 3
    assert "else if stones = 1" in Path("stones.rules").read_text()


def test_what_is_not_clear_stays(rulerun: Rulerun) -> None:
    """Two names that are as near, a slip that could be two things, and a warning."""
    two = GOOD.replace("stones: int = 7", "stones: int = 7\n    stoves: int = 7")
    for text in (
        two.replace("when n <= stones", "when n <= stoes and n <= stoves"),
        GOOD.replace("stones -= n", "stones = n"),
        GOOD.replace("stones: int = 7", "stones: int = 7\n    spare: int = 1"),
    ):
        write("stones.rules", text)
        write("book.yaml", BOOK)
        done = rulerun("check", "--fix")
        assert done.out and "Fixed 0 problems" in done.err
        assert Path("stones.rules").read_text() == text


def test_fix_is_for_files(rulerun: Rulerun) -> None:
    assert rulerun("check", "--fix", "-", stdin=GOOD).code == 2
    write("stones.rules", GOOD)
    assert rulerun("check", "--fix", "--watch").code == 2


# --- Watching ---------------------------------------------------------------------------------


@pytest.mark.parametrize("command", ["check", "test"])
def test_watch(tmp_path: Path, command: str) -> None:
    (tmp_path / "book.yaml").write_text(BOOK)
    rules = tmp_path / "stones.rules"
    rules.write_text(GOOD)
    with subprocess.Popen(
        [sys.executable, "-m", "interpreter", command, "--watch", "stones.rules"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        # Whoever runs the tests in the background has them ignore Ctrl-C, and their children too.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    ) as process:
        assert process.stdout is not None

        def until_it_waits() -> str:
            lines = ""
            while "Ctrl-C ends it" not in lines:
                line = process.stdout.readline()  # type: ignore[union-attr]
                assert line, lines
                lines += line
            return lines

        assert "RR300" not in until_it_waits()
        rules.write_text(GOOD.replace("when n <= stones", "when n <= stonse"))
        assert "RR300" in until_it_waits()
        (tmp_path / "stones.rules").write_text(GOOD)
        assert "RR300" not in until_it_waits()
        process.send_signal(signal.SIGINT)
        assert process.stdout.read() == ""
        assert process.wait() == 0


def test_watching_needs_files(rulerun: Rulerun) -> None:
    assert rulerun("check", "--watch", "-").code == 2
    write("stones.rules", GOOD)
    assert rulerun("test", "--watch", "--update", "stones.rules").code == 2


# --- What other tools are given ---------------------------------------------------------------


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A fresh repository with a broken ruleset."""
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "stones.rules").write_text(GOOD.replace("n <= stones", "n <= stonse"))
    (folder / "book.yaml").write_text(BOOK)
    subprocess.run(["git", "init", "-q", str(folder)], check=True)
    return folder


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """Where `rulerun` is installed, and installing anything is left out."""
    tools = tmp_path / "tools"
    tools.mkdir()
    for name, line in (
        ("rulerun", f'exec {shlex.quote(sys.executable)} -m interpreter "$@"'),
        ("pip", "exit 0"),
        (
            "python3",  # `python3 -m venv FOLDER`
            'mkdir -p "$3/bin" && cp "$(dirname "$0")/rulerun" "$(dirname "$0")/pip" "$3/bin"',
        ),
    ):
        (tools / name).write_text(f"#!/bin/bash\n{line}\n")
        (tools / name).chmod(0o755)
    path = f"{tools}{os.pathsep}{os.environ['PATH']}"
    return {**os.environ, "PATH": path, "PYTHONPATH": str(ROOT)}


def test_the_action(project: Path, environment: dict[str, str], tmp_path: Path) -> None:
    """Its steps are run as GitHub runs them."""
    action = yaml.safe_load((ROOT / ".github/actions/rulerun/action.yml").read_text())
    assert action["runs"]["using"] == "composite"
    given = {
        **environment,
        "RUNNER_TEMP": str(tmp_path),
        "GITHUB_ACTION_PATH": str(ROOT / ".github/actions/rulerun"),
        "GITHUB_OUTPUT": str(tmp_path / "output"),
    }
    inputs = {"paths": "stones.rules", "arguments": "--strict --skip prove"}
    assert set(inputs) == set(action["inputs"])
    done = None
    for step in action["runs"]["steps"]:
        assert step["shell"] == "bash" and "${{" not in step["run"]
        more = {
            name: re.sub(r"\$\{\{ inputs\.(\w+) \}\}", lambda found: inputs[found[1]], value)
            for name, value in step.get("env", {}).items()
        }
        done = subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
            cwd=project, env={**given, **more}, capture_output=True, text=True, check=False,
        )  # fmt: skip
        if done.returncode:
            break
    assert done is not None and done.returncode == 1, done
    assert _github(done.stdout) == {("stones.rules", 9, "RR300")}
    outputs = dict(line.split("=", 1) for line in (tmp_path / "output").read_text().splitlines())
    assert set(outputs) == set(action["outputs"])
    assert _sarif(Path(outputs["sarif"]).read_text()) == _github(done.stdout)
    assert _junit(Path(outputs["junit"]).read_text()) == _github(done.stdout)
    assert (ROOT / ".github/actions/rulerun/../../../pyproject.toml").is_file()  # what it installs


def readme(language: str) -> list[str]:
    section = README.partition("## In CI")[2].partition("\n## ")[0]
    return re.findall(rf"^```{language}\n(.*?)^```$", section, re.MULTILINE | re.DOTALL)


def test_the_job_for_gitlab(project: Path, environment: dict[str, str]) -> None:
    (job,) = [yaml.safe_load(block)["rulerun"] for block in readme("yaml") if "script:" in block]
    script = "\n".join(job["script"])
    done = subprocess.run(
        ["bash", "-e", "-c", script], cwd=project, env=environment, check=False, capture_output=True
    )
    assert done.returncode == 1
    reports = job["artifacts"]["reports"]
    wanted = {("stones.rules", 9, "RR300")}
    assert _gitlab((project / reports["codequality"]).read_text()) == wanted
    assert _junit((project / reports["junit"]).read_text()) == wanted


def test_the_hooks(project: Path, environment: dict[str, str]) -> None:
    hooks = {
        each["id"]: each for each in yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())
    }
    (copied,) = [yaml.safe_load(block) for block in readme("yaml") if "repos:" in block]
    assert {each["id"] for each in copied["repos"][0]["hooks"]} <= set(hooks)
    assert set(re.findall(r"`(rulerun-\w+)`", README)) == set(hooks)
    for name, hook in hooks.items():
        assert re.search(hook["files"], "stones.rules")
        files = ["stones.rules"] if hook.get("pass_filenames", True) else []
        done = subprocess.run(
            [*hook["entry"].split(), *files], cwd=project, env=environment, check=False,
            capture_output=True,
        )  # fmt: skip
        assert done.returncode == (0 if name == "rulerun-fmt" else 1)


def test_the_usage_line_names_the_action() -> None:
    (line,) = [block for block in readme("yaml") if block.startswith("- uses:")]
    folder = re.fullmatch(r"- uses: OWNER/rulerun/(.+)@main\n", line)
    assert folder is not None and (ROOT / folder[1] / "action.yml").is_file()
    assert line.strip() in (ROOT / folder[1] / "action.yml").read_text()


def test_the_settings_that_are_told_are_the_defaults() -> None:
    (text,) = readme("toml")
    told_ci = tomllib.loads(text)["ci"]
    defaults = Ci()
    assert {key.replace("-", "_"): value for key, value in told_ci.items()} == {
        name: list(value) if isinstance(value := getattr(defaults, name), tuple) else value
        for name in Ci.__dataclass_fields__
    }
    told_here = {key.replace("-", "_") for key in tomllib.loads(text)}
    assert told_here == set(Config.__dataclass_fields__) - {"file"}


def test_the_example_is_what_is_printed(project: Path, environment: dict[str, str]) -> None:
    (example,) = [block for block in readme("") if block.startswith("$ rulerun ci")]
    games = project.parent / "games"
    project.rename(games)
    text = (games / "stones.rules").read_text()
    (games / "stones.rules").write_text(text[: text.index("\nscenario")])
    command, _, shown = example.partition("\n")
    done = subprocess.run(
        command.removeprefix("$ ").split(), cwd=games.parent, env=environment, check=False,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    )  # fmt: skip
    times = re.compile(r"\d+\.\d s")
    assert times.sub("", done.stdout) == times.sub("", shown)


def test_the_gate_validates_our_rulesets() -> None:
    """As is said, with the settings of this repository, and without asking for less."""
    gate = (ROOT / ".ci" / "run").read_text()
    line = re.search(r"^python3 -m venv .*pytest.*$", README, re.MULTILINE)
    assert line is not None and line[0] in gate
    assert re.search(r"^\.venv/bin/rulerun ci --strict$", gate, re.MULTILINE)
    config = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["rulerun"]
    assert config["ci"]["paths"] == ["rulesets"] and "steps" not in config["ci"]

"""Scenarios: those that ship pass, those of the cases fail where they say, and every clause of the
rulebooks is cited and tested."""

import json
import re
from pathlib import Path

import pytest
from conftest import Golden

from interpreter.clauses import count_games, read_clauses
from interpreter.cli.main import run
from interpreter.pipeline import check_rules
from interpreter.reading import read_rules, read_text
from interpreter.report.render import render
from interpreter.scenario import run_scenarios, scenario_cites

ROOT = Path(__file__).resolve().parent.parent
CASES = Path(__file__).parent / "cases" / "scenarios"
SHIPPED = sorted((ROOT / "rulesets").rglob("*.scenarios"))
CLASSICS = [
    path
    for path in sorted((ROOT / "rulesets" / "classics").glob("*.rules"))
    if "\nscenario " in path.read_text(encoding="utf-8")
]
BOOKS = sorted((ROOT / "rulesets" / "clauses").glob("*.yaml"))
EXPECTED = re.compile(r"#! (RR\d{3})$")


@pytest.mark.parametrize("path", SHIPPED + CLASSICS, ids=lambda path: path.stem)
def test_shipped_scenarios_pass(path: Path) -> None:
    rules = read_rules(path)
    results = run_scenarios(rules)
    failed = [problem for result in results for problem in result.problems]
    assert results and not failed, render(failed, rules.sources)


def test_every_rulebook_has_scenarios() -> None:
    assert len(BOOKS) == 5
    assert {path.stem for path in BOOKS} <= {path.stem for path in SHIPPED}


@pytest.mark.parametrize("path", BOOKS, ids=lambda path: path.stem)
def test_every_clause_is_cited_and_tested(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rules = ROOT / "rulesets" / f"{path.stem}.rules"
    assert run(["clauses", str(rules), "--strict", "--missing", "--games", "0"]) == 0
    assert capsys.readouterr().out == ""


def test_passing(capsys: pytest.CaptureFixture[str]) -> None:
    path = CASES / "passing.scenarios"
    rules = read_rules(path)
    results = run_scenarios(rules)
    failed = [problem for result in results for problem in result.problems]
    assert not failed, render(failed, rules.sources)
    assert run(["test", str(path)]) == 0
    assert f"{len(results)} of {len(results)} scenarios passed" in capsys.readouterr().out


@pytest.mark.parametrize("name", ["failing", "empty"])
def test_failing(name: str, golden: Golden) -> None:
    """Each scenario fails once, on the line that says so: for what it expects, or because it would
    expect nothing."""
    path = CASES / f"{name}.scenarios"
    rules = read_rules(path)
    source = rules.sources[str(path)]
    expected = {
        (number, marked[1])
        for number, line in enumerate(source.lines, 1)
        if (marked := EXPECTED.search(line))
    }
    results = run_scenarios(rules)
    problems = [problem for result in results for problem in result.problems]
    passed = {result.title for result in results if result.passed}
    assert passed <= {"It only holds with two (2 players)"}
    assert len(problems) == len(expected)
    assert {(problem.mark.line, problem.code) for problem in problems} == expected
    text = render(problems, rules.sources).replace(str(CASES), "scenarios")
    golden(CASES / f"{name}.txt", text)


def test_one_for_itself_passes_as_in_company() -> None:
    rules = read_rules(CASES / "passing.scenarios")
    for scenario in rules.scenarios:
        assert run_scenarios(rules, [scenario])[0].passed


def test_the_example_of_the_readme_passes() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    examples = re.findall(r"^```\n(scenario .*?)^```$", text, re.MULTILINE | re.DOTALL)
    assert examples
    folder = ROOT / "rulesets"
    rules = read_text('include "payDirt.rules"\n\n' + "\n".join(examples), "readme", folder)
    assert all(result.passed for result in run_scenarios(rules))


# --- The commands ---------------------------------------------------------------------------


def test_no_scenario_is_a_failure(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "empty.rules").write_text('game "Empty"\nplayers 2\nplay\n    nobody wins\n')
    assert run(["test", str(tmp_path)]) == 1
    assert "no scenarios" in capsys.readouterr().err


def test_folders_and_rule_files_stand_for_their_scenarios(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run(["test", str(CASES / "market.rules"), "-k", "MK-01"]) == 0
    assert "1 of 1 scenarios passed" in capsys.readouterr().out
    assert run(["test", str(CASES)]) == 1


MANY = """
procedure four()
    P4.coins := 1

scenario "Two"
    run P1 chooses n in 1..3
    then P1 may choose 3

scenario "Four"
    players 4
    given four
    run P1 chooses n in 1..3
    then P4.coins = 1
    then P1 may choose 1
"""


def guild(folder: Path, text: str) -> str:
    """A file of scenarios of the guild."""
    for name in ("guild.rules", "guild.yaml"):
        (folder / name).write_text((CASES / name).read_text())
    (folder / "some.scenarios").write_text(f'include "guild.rules"\n{text}')
    return str(folder / "some.scenarios")


def test_seats_matter_only_where_they_are_used(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = guild(tmp_path, MANY)
    assert run(["test", path]) == 0
    assert run(["check", path]) == 0
    path = guild(tmp_path, MANY.replace("    players 4\n", ""))
    capsys.readouterr()
    assert run(["test", path, "-v"]) == 1
    out = capsys.readouterr().out
    assert out.index("passed  Two") < out.index("FAILED  Four") < out.index("`P4`")
    assert "1 of 2 scenarios passed" in out


def test_a_mistake_of_the_rules_is_one_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = guild(tmp_path, MANY)
    rules = tmp_path / "guild.rules"
    rules.write_text(rules.read_text().replace("me.coins += d.face", "me.coins += d.fase"))
    assert run(["test", path]) == run(["check", path]) == 1
    out = capsys.readouterr().out
    assert "FAILED" not in out and out.count("fase") == 4  # twice each: the message and the line


def test_a_mistake_in_one_scenario_leaves_the_others_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = guild(tmp_path, MANY + MANY.replace("1..3", "1..tree").partition("\n\n")[2])
    assert run(["test", path]) == 1
    out = capsys.readouterr().out
    assert out.count("FAILED") == 2 and "2 of 4 scenarios passed" in out


def test_a_table_that_cannot_be_is_told_with_the_scenario(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = guild(tmp_path, MANY.replace("players 4", "players 9"))
    assert run(["test", path]) == 1
    out = capsys.readouterr().out
    assert "2 to 4 players, not 9" in out and "1 of 2 scenarios passed" in out


def test_a_failure_names_the_table(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = MANY.replace("players 4", "players 3..4").replace("P4.coins := 1", "P3.coins := 1")
    path = guild(tmp_path, text.replace("then P4.coins = 1", "then playerCount = 3"))
    assert run(["test", path, "-v"]) == 1
    out = capsys.readouterr().out
    assert "passed  Four (3 players)" in out and "FAILED  Four (4 players)" in out
    assert "2 of 3 scenarios passed" in out
    assert run(["test", path, "--json"]) == 1
    told = json.loads(capsys.readouterr().out)["scenarios"]
    assert [each.get("table") for each in told] == [None, "3 players", "4 players"]


def test_one_scenario_for_several_options(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rules = 'game "T"\nplayers 2..3\noption mode: short, long = short\noption goal: 1..9 = 5\n'
    rules += "each player has\n    gold: int\nplay\n    P1.gold := goal\n    nobody wins\n\n"
    rules += (
        'scenario "All"\n    players 2..3\n    option mode = short, long\n    option goal = 3\n'
    )
    (tmp_path / "t.rules").write_text(rules + "    then P1.gold = 3 or mode is long\n")
    assert run(["test", str(tmp_path / "t.rules"), "-v"]) == 0
    out = capsys.readouterr().out
    assert out.count("passed  All (") == 4 and "passed  All (3 players, mode = long)" in out


def doubled(depth: int) -> str:
    """Steps that become twice as many with each of these."""
    text = "steps s0\n    P1 chooses 1\n"
    return text + "".join(f"steps s{n}\n    s{n - 1}\n    s{n - 1}\n" for n in range(1, depth + 1))


def chain(length: int) -> str:
    text = 'scenario "0"\n    then P1.coins = 5\n'
    for n in range(1, length + 1):
        text += f'scenario "{n}" after "{n - 1}"\n    then P1.coins = 5\n'
    return text


STEPS = 'scenario "x"\n    run work\n    when {}\n    then P1 chooses\n'


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (chain(20), "RR280"),
        ('scenario "x"\n    players 2..99\n    then P1 chooses\n', "RR282"),
        (doubled(15) + STEPS.format("s15"), "RR284"),
        (doubled(21) + STEPS.format("s21"), "RR283"),
        (STEPS.format("P1 rest 201 times"), "RR284"),
    ],
    ids=["chain", "tables", "steps", "depth", "times"],
)
def test_nothing_unfolds_without_end(tmp_path: Path, text: str, code: str) -> None:
    rules = read_rules(guild(tmp_path, text))
    found = [problem.code for result in run_scenarios(rules) for problem in result.problems]
    assert found == [code]
    assert [each.code for each in check_rules(rules) if each.severity == "error"] == [code]


def test_clauses_on_steps_count() -> None:
    rules = read_rules(CASES / "passing.scenarios")
    steps = [each for each in rules.scenarios if each.title == "Steps cite clauses"]
    assert [cite for each in steps for cite in scenario_cites(each)] == ["MK-03", "MK-02"]


def test_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["test", str(CASES / "failing.scenarios"), "--json"]) == 1
    told = json.loads(capsys.readouterr().out)
    assert told["schema"] == "rulerun/test@1"
    first = told["scenarios"][0]
    assert (first["title"], first["passed"]) == ("Nothing is expected", False)


def test_a_missing_file(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["test", "nowhere.scenarios"]) == 2


def test_clauses(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("market.rules", "passing.scenarios"):
        text = (CASES / name).read_text()
        (tmp_path / name).write_text(text)
    book = (CASES / "market.yaml").read_text()
    (tmp_path / "market.yaml").write_text(
        book + "MK-04: {text: The eldest begins., notModelled: Nobody knows how old you are.}\n"
    )
    path = str(tmp_path / "market.rules")
    assert run(["clauses", path, "--games", "6"]) == 0
    out, err = capsys.readouterr()
    assert "MK-03" in out and "CITED NOWHERE" in out and "not modelled: Nobody knows" in out
    assert "2 cited" in err and "3 tested" in err and "1 marked as not modelled" in err
    assert "1 missing: MK-03" in err
    assert run(["clauses", path, "--strict", "--games", "0"]) == 1


def test_which_clauses_take_part() -> None:
    """A line takes part when it is carried out; a choice when it is made."""
    rules = read_rules(CASES / "market.rules")
    clauses = read_clauses(rules)
    played = count_games(rules, clauses, 40, seed=1)
    assert played == 40
    assert clauses["MK-02"].games == 40  # a condition is looked at in each
    assert 0 < clauses["MK-01"].games < 40  # not everybody buys
    assert clauses["MK-03"].games == 0  # nothing cites it

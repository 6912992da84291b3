"""`rulerun test --update`: what fails is shown with what it would have to say, and rewritten."""

import shutil
from pathlib import Path

import click
import pytest
from conftest import Golden

from interpreter.cli.amend import found_in
from interpreter.cli.main import run
from interpreter.reading import read_rules
from interpreter.scenario import run_scenarios

CASES = Path(__file__).parent / "cases"


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Scenarios that expect something else, in a folder of their own."""
    for name in ("scenarios/market.rules", "scenarios/market.yaml", "amended/before.scenarios"):
        shutil.copy(CASES / name, tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path / "before.scenarios"


def test_all_that_can_be_is_rewritten(
    file: Path, golden: Golden, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["test", "before.scenarios", "--update", "--yes"]) == 1
    shown = capsys.readouterr().out.partition("FAILED")[0]
    golden(CASES / "amended" / "shown.txt", shown)
    golden(CASES / "amended" / "after.scenarios", file.read_text(encoding="utf-8"))


def test_what_was_rewritten_holds(file: Path) -> None:
    """What still fails is what was said to be beyond rewriting, and nothing is left to rewrite."""
    run(["test", "before.scenarios", "--update", "--yes"])
    results = run_scenarios(read_rules(file), amending=True)
    left = [each for _, each in found_in(results)]
    assert left and not any(each.edits for each in left)


def test_nothing_is_written_unless_it_is_accepted(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = file.read_text(encoding="utf-8")
    assert run(["test", "before.scenarios", "--update"]) == 1
    out, err = capsys.readouterr()
    assert "+    then P1 scores 10\n" in out and "0 of" in err and "--yes" in err
    assert file.read_text(encoding="utf-8") == before


def test_a_terminal_is_asked_for_each(
    file: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    answers = iter([True, False])
    monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
    monkeypatch.setattr(click, "confirm", lambda *_, **__: next(answers))
    run(["test", "before.scenarios", "--update", "-k", "Tables or something"])
    assert "There are no scenarios here" in capsys.readouterr().err
    run(["test", "before.scenarios", "--update", "-k", "Chance is pending"])
    assert "1 of 1 expectation rewritten" in capsys.readouterr().err
    text = file.read_text(encoding="utf-8")
    assert "then die = 3" in text and "then price = 4" in text
    run(["test", "before.scenarios", "--update", "-k", "Tables"])
    assert "0 of 1 expectation rewritten" in capsys.readouterr().err
    assert file.read_text(encoding="utf-8") == text


def test_a_file_that_passes_is_left_alone(capsys: pytest.CaptureFixture[str]) -> None:
    path = CASES / "scenarios" / "passing.scenarios"
    before = path.stat().st_mtime_ns
    assert run(["test", str(path), "--update", "--yes"]) == 0
    assert "rewritten" not in capsys.readouterr().err and path.stat().st_mtime_ns == before


@pytest.mark.parametrize("wrong", [["--yes"], ["--update", "--json"]])
def test_wrong_use(file: Path, wrong: list[str]) -> None:
    assert run(["test", "before.scenarios", *wrong]) == 2

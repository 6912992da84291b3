"""Any game up to any move becomes a scenario that passes."""

import random
from pathlib import Path

import pytest

from interpreter.cli.main import run
from interpreter.embedding import Game, State, load
from interpreter.reading import read_rules, read_text
from interpreter.report.render import render
from interpreter.scenario import run_scenarios
from interpreter.scenario_text import all_taken, scenario_lines, whole_expectations
from interpreter.variants import variants

ROOT = Path(__file__).resolve().parent.parent
SHIPPED = sorted((ROOT / "rulesets").rglob("*.rules"))
LONGEST = 120  # decisions


def played(game: Game, seed: int, *, forced: bool) -> list[State]:
    """The states of a game in which everybody chooses at random."""
    rnd = random.Random(seed)
    states = [game.start(seed, ask_when_forced=forced)]
    while not states[-1].is_over and len(states) < LONGEST:
        seat = rnd.choice(states[-1].seats_to_act)
        states.append(states[-1].apply(rnd.choice(states[-1].options(seat)), seat))
    return states


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_any_game_up_to_any_move_is_a_scenario_that_passes(path: Path) -> None:
    rules = read_rules(path)
    variant = variants(rules)[0]
    told: list[str] = [f'include "{path.name}"', ""]
    for forced in (False, True):
        states = played(load(path, variant.players, variant.options), 7, forced=forced)
        for last in {0, len(states) // 3, len(states) - 1}:
            then = whole_expectations(states[last])
            title = f"{forced} {last}"
            taken = list(all_taken(states[: last + 1]))
            told += scenario_lines(rules, title, variant, taken, then, forced=forced)
    again = read_text("\n".join([*told, ""]), "told.scenarios", path.parent)
    results = run_scenarios(again)
    problems = [problem for result in results for problem in result.problems]
    assert results and not problems, render(problems[:3], again.sources)


def test_a_record_is_printed_as_a_scenario(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(["nim", "--seed", "2", "--seat", "0", "--record", "some.record"]) == 0
    capsys.readouterr()
    assert run(["replay", "some.record", "--scenario", "--until", "2"]) == 0
    half = capsys.readouterr().out
    assert half.startswith('scenario "some, decision 2"\n') and half.count("\n        P") == 2
    assert run(["replay", "some.record", "--scenario"]) == 0
    whole = capsys.readouterr().out
    assert " wins\n" in whole and " scores " in whole
    nim = next(path for path in SHIPPED if path.stem == "nim")
    (tmp_path / "nim.rules").write_text(nim.read_text(encoding="utf-8"), encoding="utf-8")
    (tmp_path / "nim.scenarios").write_text(f'include "nim.rules"\n\n{half}\n{whole}')
    assert run(["test", "nim.scenarios"]) == 0
    assert "2 of 2 scenarios passed" in capsys.readouterr().out
    assert run(["fmt", "--check", "nim.scenarios"]) == 0

"""Two versions of the rules compared: what is declared otherwise, how figures shift, where games
part."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import jsonschema
import numpy as np
import pytest
from conftest import Rulerun
from scipy import stats

from interpreter.lab import ready
from interpreter.lab.changes import changes
from interpreter.lab.comparison import compare
from interpreter.lab.spec import Study
from interpreter.reading import read_rules

ROOT = Path(__file__).resolve().parent.parent
RULES = """game "Draws"
players 2
data "draws.yaml"

constant turnsEach = 3  # how long it is

kind Chip from chips
    worth: int

each player has
    points: int
    secret: 0..9

the game has
    die: 1..6

action throw "roll"
    roll die
    me.points += die

action rest "rest"
    me.points += 3

play
    repeat turnsEach times
        for each p in players
            p chooses throw or rest

score p: p.points
"""
DATA = "chips:\n  - {id: red, worth: 1}\n  - {id: blue, worth: 5}\n"


def written(folder: Path, rules: str = RULES, data: str = DATA) -> str:
    folder.mkdir(exist_ok=True, parents=True)
    (folder / "draws.rules").write_text(rules, encoding="utf-8")
    (folder / "draws.yaml").write_text(data, encoding="utf-8")
    return str(folder / "draws.rules")


@pytest.fixture(autouse=True)
def _anew() -> None:
    ready.forget()


def told(tmp_path: Path, rules: str, data: str = DATA) -> list[tuple[str, str, str]]:
    both = written(tmp_path / "old"), written(tmp_path / "new", rules, data)
    found = changes(*(read_rules(each) for each in both))
    return [(each.kind, each.sort, each.name) for each in found]


def test_what_is_written_otherwise_but_means_the_same(tmp_path: Path) -> None:
    rules = RULES.replace("# how long it is", "# rounds").replace(
        "\naction rest", "\n\n\naction rest"
    )
    first, second = rules.index("action throw"), rules.index("action rest")
    last = rules.index("play\n")
    moved = rules[:first] + rules[second:last] + rules[first:second] + rules[last:]
    assert told(tmp_path, moved) == []


def test_each_declaration_and_value_is_told_by_itself(tmp_path: Path) -> None:
    rules = (
        RULES.replace("turnsEach = 3", "turnsEach = 4")
        .replace("    secret: 0..9\n", "    coins: int\n")
        .replace("+= 3", "+= 4")
        .replace("score p", "always die >= 1\n\nscore p")
    )
    data = DATA.replace("worth: 5", "worth: 6") + "  - {id: green, worth: 2}\n"
    assert told(tmp_path, rules, data) == [
        ("changed", "constant", "turnsEach"), ("added", "each player has", "coins"),
        ("changed", "action", "rest"), ("added", "always", ""),
        ("removed", "each player has", "secret"),
        ("changed", "data", "chips.blue.worth"), ("added", "data", "chips.green.id"),
        ("added", "data", "chips.green.worth"),
    ]  # fmt: skip


def test_shifts_are_paired_and_games_part_where_the_rules_do(tmp_path: Path) -> None:
    """A rest is worth 4 instead of 3: half of three choices each, so 1.5 points more on the mean.
    Nothing else can change, and no decision is another."""
    old, new = written(tmp_path / "old"), written(tmp_path / "new", RULES.replace("+= 3", "+= 4"))
    studies = Study(old, (2,), 600), Study(new, (2,), 600)
    found = compare(studies, ("old", "new"))
    schema = json.loads((ROOT / "schemas/comparison.schema.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator(schema).validate(found.as_data())
    [arm] = found.arms
    shifts = {(each.name, each.of): each for each in arm.shifts}
    score = shifts["score", "1"]
    assert score.low < 1.5 < score.high
    # Rests alone differ from game to game; unpaired, the dice would too.
    expected = 1.96 * np.sqrt(3 / 4 / 600)
    assert score.high - score.low == pytest.approx(2 * expected, rel=0.1)
    assert shifts["moves", ""].shift == 0 and shifts["moves", ""].chance == 1
    assert arm.partings == ()  # the same is offered and chosen, to the end
    assert 0 < arm.alike < 0.1 * 600  # nobody rested


def test_intervals_of_shifts_cover(tmp_path: Path) -> None:
    old, new = written(tmp_path / "old"), written(tmp_path / "new", RULES.replace("+= 3", "+= 4"))
    covered = 0
    for seed in range(60):
        pair = Study(old, (2,), 60, seed), Study(new, (2,), 60, seed)
        [arm] = compare(pair, ("old", "new"), shown=0).arms
        [score] = [each for each in arm.shifts if (each.name, each.of) == ("score", "1")]
        covered += score.low <= 1.5 <= score.high
    assert covered >= stats.binom.ppf(0.001, 60, 0.95)


def test_the_first_decision_that_is_another_is_told_with_its_line(rulerun: Rulerun) -> None:
    choice = "            p chooses throw or rest or wait"
    rules = RULES.replace("            p chooses throw or rest", choice)
    rules = rules.replace("play\n", 'action wait "wait"\n    me.points += 0\n\nplay\n')
    written(Path("old"), rules)
    later = rules.replace('action rest "rest"', 'action rest "rest"\n    when die <= 3')
    written(Path("new"), later)
    done = rulerun("compare", "old/draws.rules", "new/draws.rules", "--games", "50", "--json")
    assert done.code == 0, done.err
    document = json.loads(done.out)
    line = 1 + later.splitlines().index(choice)
    partings = document["arms"][0]["partings"]
    assert partings and {each["new_line"] for each in partings} == {line}
    assert any("no longer offered `rest`" in words for words in partings[0]["words"])
    done = rulerun("compare", "old/draws.rules", "new/draws.rules", "--games", "50")
    assert "changed  action rest  (draws.rules:21)" in done.out
    assert f"now at draws.rules:{line}" in done.out


def test_settings_and_revisions(rulerun: Rulerun) -> None:
    def git(*words: str) -> None:
        told = ["git", "-c", "user.name=t", "-c", "user.email=t@t", *words]
        subprocess.run(told, check=True, capture_output=True)

    written(Path("games"))
    git("init", "-q")
    git("add", "games")
    git("commit", "-qm", "first")
    written(Path("games"), data=DATA.replace("worth: 5", "worth: 7"))
    for arguments in (["HEAD", "games/draws.rules"], ["HEAD:games/draws.rules"]):
        done = rulerun("compare", *arguments, "--games", "20")
        assert done.code == 0, done.err
        assert "games/draws.rules at HEAD, compared with games/draws.rules" in done.out
        assert "changed  data chips.blue.worth: 5 -> 7" in done.out
        assert "20 games under both, 20 came out the same" in done.out
    done = rulerun("compare", "games/draws.rules", "--set", "turnsEach=4", "--games", "20")
    assert "+ constant turnsEach = 4" in done.out and "  decisions  " in done.out
    for wrong in (["games/draws.rules"], ["HEAD~9:games/draws.rules"], ["--upload-pack=x:a.rules"],
                  ["HEAD:games/nothing.rules"], ["HEAD:../etc/passwd"]):  # fmt: skip
        done = rulerun("compare", *wrong, "--games", "20")
        assert done.code == 2, (wrong, done.out)

"""The lab: what a study is, and the schemas of what it writes."""

import json
from pathlib import Path

import pytest

from interpreter.lab.findings import ArmFindings, Figure, Findings, Remark, Use, read_findings
from interpreter.lab.schemas import SCHEMAS
from interpreter.lab.seeds import key_of, seeds_of
from interpreter.lab.spec import Manifest, Restraint, Study, seated, told_bots
from interpreter.play import chance

ROOT = Path(__file__).resolve().parent.parent


def made_up() -> Study:
    """Two constants, three numbers of players, mixed bots."""
    return Study(
        "game.rules",
        (2, 3, 4),
        100,
        bots=("best", "random"),
        vary=(("money", ("1", "2")), ("cards", ("5", "6", "7"))),
    )


@pytest.mark.parametrize("name", SCHEMAS)
def test_schemas_say_what_the_classes_are(name: str) -> None:
    path = ROOT / "schemas" / f"{name}.schema.json"
    command = f"python -m interpreter.lab.schemas {name} > schemas/{name}.schema.json"
    assert json.loads(path.read_text(encoding="utf-8")) == SCHEMAS[name](), f"renew it: {command}"


def test_a_sweep_is_an_arm_for_each_way_to_play() -> None:
    arms = made_up().arms()
    assert len(arms) == 3 * 2 * 3
    assert [arm.number for arm in arms] == list(range(18))
    assert arms[1].settings == ("money=1", "cards=6")
    assert arms[-1].players == 4 and arms[-1].bots == ("best", "random", "random", "random")
    assert arms[-1].title == "4 players, money=2, cards=7, best against 3 random"


def test_restraints_and_luck_are_arms_more() -> None:
    restraint = Restraint("never", "action", "dig")
    arms = Study("game.rules", (2,), 10, restraints=(restraint,), luck=4).arms()
    assert [(arm.restraint, arm.repeats) for arm in arms] == [(None, 1), (restraint, 1), (None, 4)]
    assert all(arm.is_random for arm in arms)


def test_bots_that_are_left_sit_in_the_seats_that_are() -> None:
    assert seated(("best", "random"), 3) == ("best", "random", "random")
    assert told_bots(("best", "random", "random")) == "best against 2 random"
    with pytest.raises(ValueError, match="3 bots are named, but 2 play"):
        seated(("a", "b", "c"), 2)


def test_a_study_goes_on_with_more_games_but_not_with_others() -> None:
    few, many = made_up(), made_up()
    many = Study(**{**{n: getattr(many, n) for n in Study.__slots__}, "games": 500, "until": 0.02})
    assert few.identity("a") == many.identity("a") != few.identity("b")
    other = Study(**{**{n: getattr(few, n) for n in Study.__slots__}, "seed": 2})
    assert other.identity("a") != few.identity("a")


def test_seeds_hang_on_the_study_and_the_number_alone() -> None:
    seeds = [seed for seed, _ in seeds_of(1, range(1000))]
    assert len(set(seeds)) == 1000 and all(0 <= seed < 1 << 62 for seed in seeds)
    assert seeds == [chance.number(key_of(1), number) >> 2 for number in range(1000)]
    assert seeds_of(1, range(7, 8)) == [(seeds[7], seeds[7])] != seeds_of(2, range(7, 8))
    deals, choices = zip(*seeds_of(1, range(8), 4), strict=True)
    assert len(set(deals)) == 2 and len(set(choices)) == 8


def test_what_is_written_is_as_the_schemas_say() -> None:
    from jsonschema import Draft202012Validator

    study = made_up()
    arms = study.arms()
    manifest = Manifest(
        study, "A game", "abc", arms, ("abc",) * len(arms), (5,) * len(arms), "0", False
    )
    Draft202012Validator(SCHEMAS["study"]()).validate(manifest.as_data())
    figure = Figure("moves", "", 3.0, 2.0, 4.0, 10, "number", 1.0, (1.0, 2.0, 3.0, 4.0, 5.0))
    use = Use("random", "action", "dig", "dig", 5, 0, 0, 5, None, 0.5, None, None, None, None, None)
    arm = ArmFindings(
        0, "2 players", 2, ("random",) * 2, 10, "abc", (figure,), (use,), (), (),
        (Remark("never taken", "action dig", "nobody ever digs"),),
    )  # fmt: skip
    found = Findings("A game", "game.rules", 1, 12.0, True, (arm,))
    Draft202012Validator(SCHEMAS["findings"]()).validate(found.as_data())
    assert read_findings(found.as_data()) == found
    assert arm.figure("moves") == figure and arm.figure("rounds") is None

"""Constants and rows that are set for one command (`--set`)."""

import json
from pathlib import Path

import pytest

from interpreter.amending import amend
from interpreter.embedding import load
from interpreter.pipeline import build
from interpreter.program.program import Program
from interpreter.reading import read_rules
from interpreter.report.problem import Problem

_RULES = """\
game "Shop"
players 2
data "shop.yaml"

option haste: no, yes = yes
constant coins = 5
constant twice = coins * 2
constant worth[Ware]: int from worth

kind Ware from wares
    price: int
    heavy: bool = no

each player has
    purse: int = coins
    savings: int = twice

the game has
    shelf: set of Ware, holds all

play
    for each p in players
        p chooses ware in shelf where ware.price <= p.purse "buy {ware}"
        p.purse -= ware.price
        p.savings += worth[ware]
        move ware to box
    end game

score p: p.savings + p.purse
"""
_DATA = """\
wares:
  - {id: lamp, price: 3}
  - {id: rope, price: 2}
  - {id: tent, price: 4, heavy: yes}
worth: {lamp: 5, rope: 1, tent: 9}
"""


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    (tmp_path / "shop.rules").write_text(_RULES)
    (tmp_path / "shop.yaml").write_text(_DATA)
    return tmp_path / "shop.rules"


def _built(shop: Path, *settings: str) -> tuple[Program | None, list[Problem]]:
    rules = read_rules(shop)
    amend(rules, settings)
    return build(rules, 2)


def _program(shop: Path, *settings: str) -> Program:
    program, problems = _built(shop, *settings)
    assert program is not None, [str(each) for each in problems]
    return program


def _scores(program: Program) -> list[int]:
    """After both have bought what is first on the shelf."""
    from interpreter.embedding import Game

    state = Game(program).start(seed=1)
    while not state.is_over:
        state = state.apply(state.options()[0])
    return list(state.scores)


def test_a_constant_is_set_with_all_that_goes_by_it(shop: Path) -> None:
    plain, richer = _scores(_program(shop)), _scores(_program(shop, "coins = 7"))
    assert [b - a for a, b in zip(plain, richer, strict=True)] == [6, 6]  # 2 more, and twice that


@pytest.mark.parametrize("name", ["wares.lamp.price", "Ware.lamp.price", "wares.1.price"])
def test_a_row_of_the_data_is_set(shop: Path, name: str) -> None:
    assert _scores(_program(shop, f"{name}=1"))[0] == _scores(_program(shop))[0] + 2


def test_what_comes_from_the_data_goes_by_the_name_of_the_constant(shop: Path) -> None:
    assert _scores(_program(shop, "worth.lamp=15"))[0] == _scores(_program(shop))[0] + 10


def test_a_field_that_was_left_to_its_default_can_be_set(shop: Path) -> None:
    assert _program(shop, "wares.rope.heavy=yes").rules_hash != _program(shop).rules_hash


def test_what_a_variable_starts_with_is_set(shop: Path) -> None:
    plain, richer = _scores(_program(shop)), _scores(_program(shop, "savings=100"))
    assert [b - a for a, b in zip(plain, richer, strict=True)] == [90, 90]
    program, problems = _built(shop, "purse=lamp oil")
    assert program is None and problems[0].code == "RR891"
    assert problems[0].mark.column == len("variable ") + 1


def test_several_settings_go_together(shop: Path) -> None:
    both = _scores(_program(shop, "coins=7", "wares.lamp.price=1"))
    assert both[0] == _scores(_program(shop))[0] + 6 + 2


@pytest.mark.parametrize(
    ("setting", "code", "told", "column"),
    [
        ("coin=7", "RR890", "Did you mean `coins`?", 1),
        ("wares.lmap.price=7", "RR890", "Did you mean `lamp`?", 1),
        ("ware.lamp.price=7", "RR890", "Did you mean `wares`?", 1),
        ("wares.lamp.price.high=7", "RR890", "no `high`", 1),
        ("wares=7", "RR890", None, 1),
        ("haste=no", "RR890", "`--option haste=no`", 1),
        ("coins=", "RR891", "sets nothing", 10),
        ("coins", "RR891", "sets nothing", 10),
        ("=4", "RR891", "sets nothing", 1),
        ("coins=a lot", "RR891", "no value for a constant", 10),
        ("wares.lamp.price=[", "RR891", "cannot be read", 1),
        ("coins=lamp oil", "RR891", "no value", 10),
    ],
)
def test_what_cannot_be_set_is_told(
    shop: Path, setting: str, code: str, told: str | None, column: int
) -> None:
    program, problems = _built(shop, setting)
    assert program is None
    found = next(each for each in problems if each.severity == "error")
    if told is None:  # the data no longer fits the rules, which point at the setting
        assert found.mark.file == "--set"
        return
    assert (found.code, found.mark.file, found.mark.column) == (code, "--set", column)
    assert told in f"{found.message} {found.help}"


def test_a_value_that_does_not_fit_is_marked_where_it_was_typed(shop: Path) -> None:
    _, problems = _built(shop, "coins=7", "wares.lamp.price=dear")
    mark = problems[0].mark
    assert (mark.file, mark.line, mark.column) == ("--set", 2, len("wares.lamp.price = ") + 1)


def test_the_command_line(shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from interpreter.cli.main import run

    told = {}
    for money in (5, 7):
        given = [str(shop), "--bot", "first", "--seed", "1", "--json", "--set", f"coins={money}"]
        assert run(["play", *given]) == 0
        told[money] = json.loads(capsys.readouterr().out)["scores"]
    assert [b - a for a, b in zip(told[5], told[7], strict=True)] == [6, 6]
    assert run(["play", str(shop), "--set", "coin=3"]) == 1
    assert "Did you mean `coins`?" in capsys.readouterr().err
    for verb in (["prove", "--games", "1"], ["soak", "--games", "2"], ["bench"], ["check"]):
        expected = 2 if verb == ["check"] else 0
        assert run([*verb, str(shop), "--set", "coins=6"]) == expected, verb


def test_a_record_has_what_was_set(shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from interpreter.cli.main import run
    from interpreter.record import load_game_for, read_record, replay

    record = shop.with_name("a.record")
    given = ["play", str(shop), "--bot", "first", "--seed", "1", "--json", "--set", "coins=7"]
    assert run([*given, "--record", str(record)]) == 0
    played = json.loads(capsys.readouterr().out)
    found = read_record(record)
    assert found.set_otherwise == ("coins=7",)
    state = replay(load_game_for(found, shop), found)
    assert list(state.scores) == played["scores"]
    assert load(shop, settings=["coins=7"]).rules_hash == played["rules"]
    assert run(["replay", str(record), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["scores"] == played["scores"]
    assert run(["replay", str(record), "--scenario"]) == 0
    assert "`--set coins=7`" in capsys.readouterr().err
    # Half of it is gone on with under the same rules; what was set cannot be said again.
    half = shop.with_name("half.record")
    half.write_bytes(b"".join(record.read_bytes().splitlines(keepends=True)[:2]))
    assert run(["play", str(shop), "--resume", str(half), "--set", "coins=5"]) == 2
    assert run(["play", str(shop), "--resume", str(half), "--bot", "first", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["scores"] == played["scores"]


def test_scenarios_can_be_tried_with_other_values(shop: Path) -> None:
    from interpreter.cli.main import run

    scenarios = shop.with_name("shop.scenarios")
    scenarios.write_text(
        'include "shop.rules"\n\nscenario "Rich"\n    players 2\n    then P1.purse = 7\n'
    )
    assert run(["test", str(scenarios)]) == 1
    assert run(["test", str(scenarios), "--set", "coins=7"]) == 0

"""Looks: those that ship are right, and what is wrong with one is told where it stands."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.cli.check import check_file
from interpreter.scene.look import SHAPES, look_of

ROOT = Path(__file__).resolve().parent.parent
LOOKS = sorted((ROOT / "rulesets").rglob("*.look.yaml"))
GAMES = sorted(path for path in (ROOT / "rulesets").glob("*.rules"))


def written(folder: Path, look: str) -> Path:
    rules = folder / "t.rules"
    rules.write_text('game "T"\nplayers 2\n\nenum Ground: tar, sand\n\nthe game has\n'
                     "    ground: Ground\n\nplay\n    nobody wins\n", encoding="utf-8")  # fmt: skip
    (folder / "t.look.yaml").write_text(look, encoding="utf-8")
    return rules


def told(rules: Path) -> list[tuple[str, int, str]]:
    _, problems = check_file(str(rules))
    of_look = [each for each in problems if each.mark.file.endswith(".look.yaml")]
    return [(each.code, each.mark.line, each.help or "") for each in of_look]


@pytest.mark.parametrize("look", LOOKS, ids=lambda path: path.name)
def test_looks_that_ship_are_right(look: Path) -> None:
    rules = look.with_name(look.name.removesuffix(".look.yaml") + ".rules")
    assert told(rules) == []
    assert look_of(rules) is not None


def test_every_game_has_a_look() -> None:
    assert [path for path in GAMES if look_of(path) is None] == []


def test_a_name_the_rules_do_not_have(tmp_path: Path) -> None:
    look = "names:\n  Ground:\n    tra: {colour: red}\n"
    [(code, line, help_)] = told(written(tmp_path, look))
    assert (code, line) == ("RR900", 3)
    assert "tar" in help_


def test_a_symbol_that_is_drawn_nowhere(tmp_path: Path) -> None:
    look = "names:\n  Ground:\n    tar: {symbol: stra}\n    sand: {symbol: star}\n"
    [(code, line, help_)] = told(written(tmp_path, look))
    assert (code, line) == ("RR901", 3)
    assert "star" in help_


@pytest.mark.parametrize(
    "look",
    [
        "theme: {table: 'url(http://elsewhere)'}\n",
        "symbols: {tent: '<script>'}\n",
        "onclick: alert(1)\n",
    ],
)
def test_a_look_holds_no_code_and_asks_no_other_host(tmp_path: Path, look: str) -> None:
    rules = written(tmp_path, look)
    assert [code for code, _, _ in told(rules)] == ["RR040"]
    assert look_of(rules) is None


def test_the_page_draws_the_shapes_that_a_look_may_name() -> None:
    page = (ROOT / "interpreter/table/page/look.js").read_text(encoding="utf-8")
    quoted = ", ".join(f'"{shape}"' for shape in SHAPES)
    assert f"SHAPES = [{quoted}]" in page

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


PLAIN = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24">{}</svg>'


def test_a_picture_beside_the_look_is_taken_apart(tmp_path: Path) -> None:
    rules = written(tmp_path, "symbols: {tent: tent.svg}\n")
    inside = '<title>A tent</title><g fill="#aa3300"><path d="M12 3L22 20H2Z"/></g>'
    (tmp_path / "tent.svg").write_text(PLAIN.format(inside), encoding="utf-8")
    assert told(rules) == []
    look = look_of(rules)
    assert look is not None
    path = {"name": "path", "with": {"d": "M12 3L22 20H2Z"}}
    group = {"name": "g", "with": {"fill": "#aa3300"}, "parts": [path]}
    assert look["symbols"] == {"tent": {"box": [0, 0, 24, 24], "with": {}, "parts": [group]}}


@pytest.mark.parametrize(
    "picture",
    [
        PLAIN.format("<script>alert(1)</script>"),
        PLAIN.format("<style>path { fill: red }</style>"),
        PLAIN.format('<path d="M0 0" onclick="alert(1)"/>'),
        PLAIN.format('<path d="M0 0" style="fill: red"/>'),
        PLAIN.format('<path d="M0 0" fill="url(http://elsewhere/)"/>'),
        PLAIN.format('<path d="M0 0" fill="url(#other)"/>'),
        PLAIN.format('<image href="http://elsewhere/"/>'),
        PLAIN.format('<use href="#other"/>'),
        PLAIN.format('<a href="http://elsewhere/"><path d="M0 0"/></a>'),
        PLAIN.format("<foreignObject/>"),
        PLAIN.format('<animate attributeName="d"/>'),
        PLAIN.format("<g>" * 20 + "</g>" * 20),
        PLAIN.format('<path d="M0 0"/>' * 300),
        PLAIN.format('<path d="M0 0"/>' + " " * 20_000),
        '<!DOCTYPE svg [<!ENTITY a "b">]>' + PLAIN.format(""),
        '<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"/>',
        PLAIN.replace("0 0 24 24", "0 0 24").format(""),
        PLAIN.format("<path"),
        None,
    ],
)
def test_a_picture_that_could_do_something_is_refused(tmp_path: Path, picture: str | None) -> None:
    rules = written(tmp_path, "symbols: {tent: tent.svg}\n")
    if picture is not None:
        (tmp_path / "tent.svg").write_text(picture, encoding="utf-8")
    assert [(code, line) for code, line, _ in told(rules)] == [("RR902", 1)]
    assert look_of(rules) is None


@pytest.mark.parametrize("file", ["../tent.svg", "/tent.svg", "http://elsewhere/tent.svg", ".svg"])
def test_a_picture_lies_beside_its_look(tmp_path: Path, file: str) -> None:
    assert [code for code, _, _ in told(written(tmp_path, f"symbols: {{tent: '{file}'}}\n"))] == [
        "RR040"
    ]

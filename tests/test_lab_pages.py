"""Reports of the lab: that charts say what the figures say, that pages are whole by themselves, and
that people can read, sort and search them in a real browser."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any, Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page

from interpreter.cli.main import run
from interpreter.embedding import load
from interpreter.lab.boards import boards_of
from interpreter.lab.findings import Figure, Opening, read_findings
from interpreter.lab.pages import words
from interpreter.lab.pages.colours import COLOURS, STEPS, contrast
from interpreter.lab.pages.drawing import WIDTH, Scale, fitted, text_width, ticks
from interpreter.lab.pages.icicle import icicle
from interpreter.lab.pages.lines import Point, Series, curves
from interpreter.lab.pages.markup import Markup, el
from interpreter.lab.pages.material import material_of
from interpreter.lab.pages.rows import Bar, bars, changes
from interpreter.lab.pages.writing import NotToDraw, write_comparison, write_report
from interpreter.lab.study import open_study
from tests.browser import ROOT
from tests.studied import HOSTILE, comparison, study

PHONE = 390
CLASSICS = ROOT / "rulesets" / "classics"
SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def one(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("one")
    study(folder)
    return write_report(open_study(folder), folder)


@pytest.fixture(scope="module")
def sweep(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sweep")
    study(folder, sweep=True)
    return write_report(open_study(folder), folder)


@pytest.fixture(scope="module")
def compared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_comparison(comparison(), tmp_path_factory.mktemp("compared"))


def opened(browser: Browser, path: Path, **more: Any) -> tuple[Page, list[str]]:
    """The page, without a network, and all that went wrong or was asked for."""
    told: list[str] = []
    context = browser.new_context(offline=True, **more)
    page = context.new_page()
    page.on("console", lambda each: told.append(each.text))
    page.on("pageerror", lambda error: told.append(str(error)))
    page.on("dialog", lambda dialog: told.append(dialog.message))
    page.on("request", lambda request: told.append(request.url))
    page.goto(path.as_uri())
    assert told.pop(0) == path.as_uri()
    return page, told


# ---- charts say what figures say


def rects(drawing: Any, sort: str) -> list[dict[str, float]]:
    tree = ElementTree.fromstring(drawing.file("x").partition("\n")[2])
    return [
        {name: float(each.get(name, 0)) for name in ("x", "y", "width", "height")}
        for each in tree.iter(f"{SVG}rect")
        if sort in (each.get("class") or "").split()
    ]


def test_bars_are_as_long_as_their_shares() -> None:
    some = [Bar("a", 0.4, 0.38, 0.42, ""), Bar("b", 0.1, 0.08, 0.12, "")]
    more, less = (
        rects(bars(some, 0.25, "told"), "fill-more"),
        rects(bars(some, 0.25, "told"), "fill-less"),
    )
    assert len(more) == len(less) == 1
    assert more[0]["width"] / less[0]["width"] == pytest.approx(4, rel=0.01)


def test_what_may_be_fair_has_no_colour() -> None:
    drawn = bars([Bar("a", 0.3, 0.24, 0.36, "")], 0.25, "told").inline()
    assert "fill-same" in drawn and "fill-more" not in drawn and "fill-less" not in drawn


def test_changes_that_may_be_nothing_are_grey_and_round() -> None:
    drawn = changes([Bar("a", 0.1, -0.1, 0.3, "")], "told", ("less", "more")).inline()
    assert "<circle" in drawn and "fill-same" in drawn
    drawn = changes([Bar("a", 0.1, 0.05, 0.15, "")], "told", ("less", "more")).inline()
    assert "<circle" not in drawn and "fill-more" in drawn


def test_lines_go_through_their_points() -> None:
    points = tuple(Point(x, y) for x, y in ((1, 10), (2, 30), (3, 20)))
    drawn = curves([Series("a", points)], ("x", "y"), "told").inline()
    (way,) = re.findall(r'<polyline points="([^"]+)"', drawn)
    heights = [float(pair.split(",")[1]) for pair in way.split()]
    assert heights[1] < heights[2] < heights[0]  # the higher the value, the nearer to the top
    assert (heights[0] - heights[2]) / (heights[0] - heights[1]) == pytest.approx(0.5, abs=0.01)


def test_first_choices_are_as_high_as_they_are_frequent() -> None:
    given = [Opening(("a",), 60, 0.9), Opening(("b",), 20, 0.5), Opening(("a", "c"), 60, 0.9)]
    drawing = icicle(given, 100, 0.5, "told")
    assert "and others, 20" in drawing.body  # of games that began otherwise
    boxes = {
        title.split(":")[0]: float(height)
        for height, title in re.findall(
            r'<rect[^>]* height="([\d.]+)"[^>]*><title>([^<]+)</title>', drawing.body
        )
    }
    assert (boxes["a"] + 1.5) / (boxes["b"] + 1.5) == pytest.approx(3, rel=0.01)
    assert boxes["a"] == boxes["c"]


def test_lengths_are_all_counted(one: Path) -> None:
    results = open_study(one.parent)
    material = material_of(results)
    for (arm, name), spread in material.spreads.items():
        figure = next(each for each in results.findings.arms if each.arm == arm).figure(name)
        assert figure is not None
        assert sum(each.games for each in spread.bins) + spread.beyond == figure.games
        assert all(a.high == b.low for a, b in zip(spread.bins, spread.bins[1:], strict=False))
    assert sum(material.outcomes[0].values()) == results.findings.arms[0].games


def test_ticks_are_round_and_inside() -> None:
    assert ticks(0, 1) == [0, 0.2, 0.4, 0.6, 0.8, 1.0]
    assert ticks(3, 4, whole=True) == [3, 4]
    assert ticks(5, 5) == [5]
    assert Scale(0, 10, 100, 200).at(5) == 150 and Scale(0, 10, 100, 200).held(50) == 200


def test_words_fit_where_they_are_put() -> None:
    assert fitted("short", 200) == "short"
    cut = fitted("far too long a label for this", 80)
    assert cut.endswith("…") and text_width(cut) <= 80
    told = fitted("Mosquito Swarm (H-01a)", 90)  # which of those that are called so
    assert told.endswith("… (H-01a)") and text_width(told) <= 90


def test_numbers_in_words() -> None:
    assert words.percent(0.314) == "31\xa0%" and words.percent(0.0123) == "1.2\xa0%"
    assert words.change(-0.0312) == "−3.1" and words.change(0.00001) == "0.0"
    assert words.listed(["a", "b", "c"]) == "a, b and c"
    share = Figure("wins", "1", 0.31, 0.29, 0.33, 2400, "share")
    assert words.told(share) == "31\xa0% ±2"
    assert words.needed(share, 0.01) == 9600  # half as wide takes four times as many
    assert words.needed(share, 0.05) == 2400


@pytest.mark.parametrize("paper", [0, 1], ids=["light", "dark"])
def test_words_on_colours_can_be_read(paper: int) -> None:
    for letter in "hd":
        for step in range(STEPS):
            ground, ink = COLOURS[f"{letter}{step}"][paper], COLOURS[f"on-{letter}{step}"][paper]
            assert contrast(ground, ink) >= 4.5
    for name in ("ink", "soft"):
        assert contrast(COLOURS[name][paper], COLOURS["paper"][paper]) >= 4.5
    for name in ("s1", "s2", "s3", "s4", "s5", "s6", "more", "less", "same"):
        assert contrast(COLOURS[name][paper], COLOURS["paper"][paper]) >= 3


def test_data_is_escaped() -> None:
    assert el("p", "<b>", title='"&') == '<p title="&quot;&amp;">&lt;b&gt;</p>'
    assert el("p", Markup("<b></b>"), hidden=True, id=None) == "<p hidden><b></b></p>"


@pytest.mark.parametrize("name", ["ticTacToe", "hex", "oware"])
def test_cells_of_boards_have_places_of_their_own(name: str) -> None:
    found = boards_of(load(CLASSICS / f"{name}.rules"))
    assert found
    for board in found:
        places = {(cell.x, cell.y) for cell in board.cells}
        assert len(places) == len(board.cells) > 1


# ---- files


def test_every_plot_is_a_file(one: Path) -> None:
    files = {path.stem for path in (one.parent / "plots").glob("*.svg")}
    shown = set(re.findall(r'<figure id="([^"]+)"', one.read_text(encoding="utf-8")))
    assert files == shown and {"wins", "minutes", "race", "openings", "changes"} <= files
    for path in (one.parent / "plots").glob("*.svg"):
        tree = ElementTree.fromstring(path.read_text(encoding="utf-8"))
        assert tree.tag == f"{SVG}svg" and float(tree.get("width", 0)) == WIDTH
        assert not [each for each in tree.iter() if each.tag == f"{SVG}script"]


def test_plots_as_pictures(tmp_path: Path, compared: Path) -> None:
    write_comparison(comparison(), tmp_path, png=True)
    found = [*(tmp_path / "plots").glob("*.png")]
    assert len(found) == len([*(compared.parent / "plots").glob("*.svg")]) > 1
    assert all(path.read_bytes().startswith(b"\x89PNG") for path in found)


def test_a_report_is_the_same_again(one: Path, tmp_path: Path) -> None:
    again = write_report(open_study(one.parent), tmp_path)
    assert again.read_bytes() == one.read_bytes()


def test_the_command_makes_reports(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "study"
    command = ["study", str(CLASSICS / "ticTacToe.rules"), "--games", "60", "--out", str(folder)]
    assert run(command) == 0
    made = folder / "report.html"
    assert "Tic-tac-toe" in made.read_text(encoding="utf-8")
    assert read_findings(json.loads((folder / "findings.json").read_text())).boards
    made.unlink()
    assert run(["report", str(folder)]) == 0
    assert str(made) in capsys.readouterr().out and made.is_file()
    assert run(["report", str(tmp_path)]) == 2
    assert "is no study" in capsys.readouterr().err


def test_what_is_no_comparison_is_refused(tmp_path: Path) -> None:
    with pytest.raises(NotToDraw, match="no comparison"):
        write_comparison({"schema": "rulerun/findings@1"}, tmp_path)
    with pytest.raises(NotToDraw, match="not whole"):
        write_comparison({"schema": "rulerun/comparison@1"}, tmp_path)
    assert not [*tmp_path.iterdir()]


# ---- in a browser


@pytest.mark.parametrize("name", ["one", "sweep", "compared"])
def test_pages_need_nothing_and_nobody(
    browser: Browser, name: str, request: pytest.FixtureRequest
) -> None:
    """No request, no error, and names in the data stay text."""
    page, told = opened(browser, request.getfixturevalue(name))
    page.wait_for_load_state("networkidle")
    assert told == []
    assert page.locator("svg.plot").count() > 2
    assert "<script>alert" in page.inner_text("body")
    assert page.locator("script").count() == 1
    assert HOSTILE not in page.content()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", ["one", "sweep", "compared"])
def test_axe_finds_nothing(
    browser: Browser, name: str, scheme: Literal["light", "dark"], request: pytest.FixtureRequest
) -> None:
    page, _ = opened(browser, request.getfixturevalue(name), color_scheme=scheme)
    found = Axe().run(page)
    assert not found.violations_count, found.generate_report()


@pytest.mark.parametrize("name", ["one", "sweep", "compared"])
def test_nothing_sticks_out_on_a_phone(
    browser: Browser, name: str, request: pytest.FixtureRequest
) -> None:
    size: Any = {"width": PHONE, "height": 800}
    page, _ = opened(browser, request.getfixturevalue(name), viewport=size)
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE


def column(page: Page, table: str, number: int) -> list[str]:
    rows = page.locator(f"{table} tbody tr:visible")
    return rows.evaluate_all(f"rows => rows.map((row) => row.cells[{number}].innerText)")


def test_the_table_can_be_sorted(browser: Browser, one: Path) -> None:
    page, told = opened(browser, one)
    head = page.locator("#all-uses thead th", has_text="offered").nth(1)
    head.locator("button").click()
    numbers = [int(each.replace(",", "")) for each in column(page, "#all-uses", 4)]
    assert numbers == sorted(numbers, reverse=True) and numbers[0] > numbers[-1]
    assert head.get_attribute("aria-sort") == "descending"
    head.locator("button").click()
    numbers = [int(each.replace(",", "")) for each in column(page, "#all-uses", 4)]
    assert numbers == sorted(numbers)
    page.locator("#all-uses thead th", has_text="what").locator("button").click()
    names = column(page, "#all-uses", 0)
    order = [names.index(each) for each in ("a1", "a2", "buy", "Winch of the Deep North")]
    assert order == sorted(order)
    assert told == []


def test_the_table_can_be_searched(browser: Browser, one: Path) -> None:
    page, _ = opened(browser, one)
    find, shown = page.locator(".finder .find"), page.locator(".finder .shown")
    find.fill("claims LAW")
    assert set(column(page, "#all-uses", 0)) == {"Claims Lawyer"}
    assert re.fullmatch(r"2 of \d+ rows", shown.inner_text())
    find.fill("")
    page.locator(".filter[data-by=sort]").select_option("Field")
    assert set(column(page, "#all-uses", 8)) == {"field"}
    find.fill("nothing is called so")
    assert column(page, "#all-uses", 0) == []


def test_one_way_to_play_is_shown_at_a_time(browser: Browser, sweep: Path) -> None:
    page, _ = opened(browser, sweep)
    assert page.locator(".arm").count() == 6 and page.locator(".arm:visible").count() == 1
    page.locator(".ways-nav a").nth(3).click()
    page.locator("#arm-3").wait_for(state="visible")  # the page hears of it a little later
    assert page.locator(".arm:visible").get_attribute("id") == "arm-3"
    assert page.locator(".ways-nav a[aria-current]").count() == 1
    page.emulate_media(media="print")
    assert page.locator(".arm:visible").count() == 6
    assert page.locator(".ways-nav:visible, .theme:visible, .table-tools:visible").count() == 0


def test_light_and_dark(browser: Browser, one: Path) -> None:
    page, _ = opened(browser, one, color_scheme="light")
    ground = "getComputedStyle(document.body).backgroundColor"
    light = page.evaluate(ground)
    page.locator(".theme").click()
    assert page.evaluate(ground) != light
    page.locator(".theme").click()
    assert page.evaluate(ground) == light


def test_everything_is_there_without_scripts(browser: Browser, sweep: Path) -> None:
    page, _ = opened(browser, sweep, java_script_enabled=False)
    assert page.locator(".arm:visible").count() == 6
    assert page.locator(".theme:visible, .table-tools:visible").count() == 0
    assert page.locator("#arm-0-all-uses tbody tr:visible").count() > 50

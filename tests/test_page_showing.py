"""What the page shows besides the table, in a real browser: where a choice leads, that it is final,
the sides of dice, and boards of every shape."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from playwright.sync_api import Browser, Page

from tests.browser import ROOT, House, served
from tests.test_page import RULES, UNSEEN, WAIT, now, play, two_players, wait_until_drawn

GAMES = ["gaagaaGo", "nozoku"]
CLASSICS = ["chess", "oware"]
PIGLET = UNSEEN.with_name("piglet.rules")


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    files = [RULES / f"{name}.rules" for name in GAMES]
    files += [RULES / "classics" / f"{name}.rules" for name in CLASSICS]
    files += [UNSEEN, PIGLET]
    with served(files, tmp_path_factory.mktemp("house") / "tables.sqlite") as found:
        yield found


def ghosts(page: Page) -> int:
    page.wait_for_function("() => document.querySelector('.felt g.ghost')", timeout=WAIT)
    return page.locator(".felt g.ghost").count()


def test_a_choice_shows_what_it_leads_to(browser: Browser, house: House) -> None:
    first, _ = two_players(browser, house, "chess")
    first.locator('[data-say="g1"].lit').click()
    first.locator('[data-say="f3"].lit').hover()
    assert ghosts(first) == 1
    assert first.locator('[data-say="f3"] g.ghost').count() == 1
    assert first.locator('[data-say="g1"] .leaving').count() == 1
    first.locator('[data-say="a5"]').hover()
    assert first.locator(".ghost").count() == 0
    assert first.title().startswith("●"), "nothing was played"


def test_ways_that_a_card_describes_are_drawn(browser: Browser, house: House) -> None:
    pages = two_players(browser, house, "gaagaaGo")
    for _ in range(12):
        lit = [page for page in pages if page.locator(".mine .card.lit").count()]
        if lit:
            break
        play(pages, 1)
    card = lit[0].locator(".mine .card.lit").first
    card.hover()
    lit[0].wait_for_function("() => document.querySelector('.route')", timeout=WAIT)


def rolling(pages: list[Page]) -> Page:
    """The page of whoever is to choose."""
    while True:
        for page in pages:
            if page.title().startswith("●") and page.locator('[data-option^="rollOn"]').count():
                return page
        pages[0].wait_for_timeout(30)


def test_what_is_final_asks_once(browser: Browser, house: House) -> None:
    pages = two_players(browser, house, "piglet", ask="once")
    page = rolling(pages)
    before = now(page)
    page.locator('[data-option^="rollOn"]').click()
    confirm = page.locator(".confirm")
    confirm.wait_for(timeout=WAIT)
    assert "cannot be taken back" in confirm.inner_text()
    assert now(page) == before, "nothing is played before it is said again"
    page.get_by_role("button", name="Choose again").click()
    assert page.locator(".confirm").count() == 0
    page.locator('[data-option^="rollOn"]').click()
    confirm.wait_for(timeout=WAIT)
    page.wait_for_function("() => document.activeElement.dataset.key === 'confirm'", timeout=WAIT)
    page.keyboard.press("Enter")  # the button that does it has the focus
    wait_until_drawn(page, before)
    while rolling(pages) is not page:  # a one was rolled
        play([rolling(pages)], 1)
    again = now(page)
    page.locator('[data-option^="rollOn"]').click()
    wait_until_drawn(page, again)
    assert page.locator(".confirm").count() == 0, "the same kind of choice is not asked about again"


def test_what_can_be_taken_back_asks_nothing(browser: Browser, house: House) -> None:
    pages = two_players(browser, house, "piglet", ask="always")
    page = rolling(pages)
    before = now(page)
    page.locator('[data-option="hold"]').click()
    wait_until_drawn(page, before)
    assert page.locator(".confirm").count() == 0


def test_who_wants_it_so_is_never_asked(browser: Browser, house: House) -> None:
    page = rolling(two_players(browser, house, "piglet", ask="once"))
    page.get_by_label("Before what cannot be taken back").select_option("never")
    before = now(page)
    page.locator('[data-option^="rollOn"]').click()
    wait_until_drawn(page, before)
    assert page.locator(".confirm").count() == 0


def test_the_sides_of_dice_are_those_of_the_rules(browser: Browser, house: House) -> None:
    """The page knows how dice are made; the rules have the same as a table."""
    data: dict[str, Any] = yaml.safe_load((RULES / "nozoku.yaml").read_text(encoding="utf-8"))
    page = browser.new_context().new_page()
    page.goto(house.address)
    script = "async ([top, near]) => (await import('/static/sides.js')).rightOf(top, near) ?? null"
    for top in range(1, 7):
        for near in range(1, 7):
            expected = data["rightOf"][top].get(near)
            assert page.evaluate(script, [top, near]) == expected, (top, near)


def test_everybody_reads_their_side_of_a_die(browser: Browser, house: House) -> None:
    pages = two_players(browser, house, "nozoku")
    for _ in range(60):
        play(pages, 1)
        told = re.findall(r"P\d sees a (\d)", pages[0].locator(".log").inner_text())
        dice = pages[0].locator(".readers > span")
        if dice.count() and told:
            assert dice.all_inner_texts() == [told[-1]]
            return
    raise AssertionError("nobody had a die on a card")


@pytest.mark.parametrize(("game", "shape"), [("oware", "ring"), ("ferryFair", "graph")])
def test_boards_without_rows_are_played_by_clicking(
    browser: Browser, house: House, game: str, shape: str
) -> None:
    pages = two_players(browser, house, game)
    boards = pages[0].locator("svg.board.round")
    assert boards.count() == (1 if shape == "ring" else 2)
    spots = boards.first.locator(".spot").evaluate_all(
        "all => all.map(e => { const b = e.getBoundingClientRect();"
        " return [Math.round(b.x), Math.round(b.y)]; })"
    )
    assert len({tuple(spot) for spot in spots}) == len(spots), "no two cells on one another"
    assert play(pages, 10) == 10


def test_rules_nobody_has_seen_are_played_to_the_end(browser: Browser, house: House) -> None:
    pages = two_players(browser, house, "ferryFair")
    play(pages, 200, seed=1)
    for page in pages:
        page.wait_for_function("() => document.title.includes('over')", timeout=WAIT)
        assert "win" in page.locator(".ending").inner_text()


def test_a_picture_beside_a_look_is_drawn(browser: Browser, tmp_path: Path) -> None:
    rules = tmp_path / "one.rules"
    rules.write_text(
        'game "One"\nplayers 2\n\nboard Grid: square 2 by 2\n\nenum Man: pawn\n\n'
        "each Grid has\n    man: Man or none\n\n"
        'action put(c in Grid) "put on {c}"\n    when c.man is none\n    c.man := pawn\n'
        "    if every(x in Grid has x.man is not none)\n        nobody wins\n\n"
        "play\n    turns\n        choose put\n",
        encoding="utf-8",
    )
    look = "symbols: {tent: tent.svg}\nnames: {Man: {pawn: {symbol: tent}}}\n"
    (tmp_path / "one.look.yaml").write_text(look, encoding="utf-8")
    (tmp_path / "tent.svg").write_text(
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 48 48">'
        '<ellipse cx="24" cy="24" rx="20" ry="12" fill="#aa3300"/></svg>',
        encoding="utf-8",
    )
    with served([rules], tmp_path / "tables.sqlite") as house:
        first, second = two_players(browser, house, "one")
        before = now(second)
        first.locator(".spot.lit").first.click()
        wait_until_drawn(second, before)
        assert second.locator('svg.board ellipse[fill="#aa3300"]').count() == 1


def test_the_page_is_measured_by_a_command() -> None:
    script = ROOT / "tests" / "benchmarks" / "page.py"
    asked = [sys.executable, str(script), "--game", "hex", "--players", "2", "--clicks", "2"]
    printed = subprocess.run(asked, capture_output=True, text=True, check=True, timeout=600).stdout
    found = json.loads(printed)
    assert found["clicks"] == 2 and found["click to drawn, median ms"] > 0
    assert found["bytes"] < 300_000

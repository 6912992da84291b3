"""Playing together and designing, in a real browser: all that a table offers is clicked once."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from interpreter.record import read_record
from tests.browser import House, served
from tests.test_page import WAIT, now, seated, sitting, wait_until_drawn

STONES = """game "Ten Stones"
players 2..3

the game has
    stones: 0..10 = 10

action take(n in 1..3) "take {n}"
    when n <= stones
    stones -= n
    if stones = 0
        me wins

play
    turns
        choose take

scenario "Three are left"
    given
        stones := 3
    run play
    then P1 may take(3)
"""


@pytest.fixture
def rules(tmp_path: Path) -> Path:
    path = tmp_path / "stones.rules"
    path.write_text(STONES, encoding="utf-8")
    return path


@pytest.fixture
def house(rules: Path) -> Iterator[House]:
    with served([rules], rules.with_name("tables.sqlite"), 0, "--watch") as found:
        yield found


def sit(browser: Browser, house: House, link: str) -> Page:
    context = sitting(browser, "never")
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    return seated(context, house.link(link))


def both(browser: Browser, house: House, **more: Any) -> tuple[dict[str, Any], list[Page]]:
    table = house.table("stones", 2, **more)
    return table, [sit(browser, house, each["link"]) for each in table["links"]]


def take(pages: list[Page], number: int) -> None:
    """Whoever is to choose takes so many, and everybody has seen it."""
    for page in pages:
        page.wait_for_function("() => !document.body.classList.contains('sending')", timeout=WAIT)
    acting = next(page for page in pages if page.title().startswith("●"))
    before = [now(page) for page in pages]
    acting.locator(f'[data-option="take(n: {number})"]').click(timeout=WAIT)
    for page, seen in zip(pages, before, strict=True):
        wait_until_drawn(page, seen)


def lying(page: Page, number: int) -> None:
    """So many stones are on the track, or will be in a moment."""
    stone = page.locator('[data-key="stones stone"]', has_text=re.compile(f"^{number}$"))
    stone.wait_for(timeout=WAIT)


def play_out(pages: list[Page]) -> None:
    for number in (3, 3, 3, 1):
        if "over" not in pages[0].title():
            take(pages, number)
    for page in pages:
        page.wait_for_function("() => document.title.includes('over')", timeout=WAIT)


def test_spectators_tabs_and_chat(browser: Browser, house: House) -> None:
    table, pages = both(browser, house, chat=True)
    watching = sit(browser, house, table["spectators"])
    second_tab = sit(browser, house, table["links"][0]["link"])
    everybody = [*pages, watching, second_tab]
    take([second_tab, pages[1], watching, pages[0]], 2)
    for page in everybody:
        assert "take 2" in page.locator(".log").inner_text()
        lying(page, 8)
    assert not watching.locator(".decision .option").count(), "who watches chooses nothing"
    pages[1].locator('[data-key="chat"]').fill("Well done")
    pages[1].keyboard.press("Enter")
    for page in everybody:
        page.get_by_text("Well done").wait_for(timeout=WAIT)


def test_a_bot_takes_a_seat_and_hands_it_back(browser: Browser, house: House) -> None:
    _, [first, second] = both(browser, house)
    first.get_by_role("button", name="Let a bot play for me").click()
    second.wait_for_function("() => document.title.startsWith('●')", timeout=WAIT)
    assert "bot" in second.locator(".mat", has_text="P1").inner_text()
    first.get_by_role("button", name="Play myself again").click()
    before = now(first)
    second.locator(".decision .option").first.click()
    wait_until_drawn(first, before)
    first.wait_for_function("() => document.title.startsWith('●')", timeout=WAIT)
    assert first.locator(".decision .option").count()


def test_a_clock_runs_for_whoever_is_to_choose(browser: Browser, house: House) -> None:
    _, [first, second] = both(browser, house, clock={"seconds": 600, "more": 5})
    own = first.locator('[data-clock="0"]')
    assert re.fullmatch(r"(10:00|0\d:\d\d)", own.inner_text())
    shown = own.inner_text()
    first.wait_for_function(
        "shown => document.querySelector('[data-clock=\"0\"]').textContent < shown",
        arg=shown,
        timeout=WAIT,
    )
    assert second.locator('[data-clock="1"]').inner_text() == "10:00"


def test_after_the_game(browser: Browser, house: House, tmp_path: Path) -> None:
    table, pages = both(browser, house)
    first = pages[0]
    play_out(pages)
    slider = first.get_by_label("Replay", exact=True)
    slider.fill("1")
    lying(first, 7)
    first.get_by_role("button", name="Link to this move").click()
    first.get_by_text("is copied").wait_for(timeout=WAIT)
    link = first.evaluate("navigator.clipboard.readText()")
    assert "?at=1#" in link
    again = seated(sitting(browser, "never"), link)
    lying(again, 7)
    first.get_by_role("button", name="Review by a bot").click()
    first.locator('.reviewed, .hint:has-text("changed nothing")').wait_for(timeout=2 * WAIT)
    with first.expect_download() as download:
        first.get_by_role("button", name="Record").click()
    download.value.save_as(tmp_path / "game.record")
    assert len(read_record(tmp_path / "game.record").decisions) == 3  # the last was forced
    first.get_by_role("button", name="Rematch").click()
    for page in pages:
        page.get_by_role("link", name="To the rematch").wait_for(timeout=WAIT)
    pages[1].get_by_role("link", name="To the rematch").click()
    pages[1].wait_for_url("**/t/*", timeout=WAIT)
    pages[1].wait_for_function("() => document.title.startsWith('●')", timeout=WAIT)
    assert table["table"] not in pages[1].url, "the second begins, at another table"


def test_changed_rules_go_on_or_say_where_they_part(
    browser: Browser, house: House, rules: Path
) -> None:
    page = sit(browser, house, house.table("stones", 2)["all"])
    take([page], 3)
    rules.write_text(STONES.replace("1..3)", "1..4)"), encoding="utf-8")
    page.locator('[data-option="take(n: 4)"]').wait_for(timeout=WAIT)
    lying(page, 7)
    rules.write_text(STONES.replace("1..3)", "1..2)"), encoding="utf-8")
    page.locator(".note-line.bad").wait_for(timeout=WAIT)
    told = page.locator(".note-line.bad").inner_text()
    assert "Decision 1" in told and "stones.rules:" in told
    page.get_by_role("button", name="Go on from before decision 1").click()
    lying(page, 10)


def test_a_rule_that_fails_says_its_line(browser: Browser, house: House, rules: Path) -> None:
    page = sit(browser, house, house.table("stones", 2)["all"])
    rules.write_text(STONES.replace("stones -= n", "stones -= 20 * n"), encoding="utf-8")
    page.wait_for_timeout(1500)  # until the file has been looked at
    page.locator('[data-option="take(n: 1)"]').click(timeout=WAIT)
    page.locator(".note-line.bad").wait_for(timeout=WAIT)
    line = 1 + STONES.splitlines().index("    stones -= n")
    assert f"stones.rules:{line}" in page.locator(".note-line.bad").inner_text()


def test_designers_begin_from_scenarios_and_keep_them(
    browser: Browser, house: House, rules: Path
) -> None:
    lobby = browser.new_context().new_page()
    lobby.goto(house.address)
    lobby.locator('[data-game="stones"]').click(timeout=WAIT)
    lobby.get_by_text("More").click()
    lobby.get_by_label("Begin from").select_option("Three are left")
    lobby.get_by_role("button", name="Lay the table").click()
    link = lobby.locator(".links li", has_text="All seats").locator("a")
    page = sit(browser, house, link.get_attribute("href") or "")
    lying(page, 3)
    page = sit(browser, house, house.table("stones", 2)["all"])
    take([page], 2)
    page.on("dialog", lambda dialog: dialog.accept("Two were taken"))
    page.get_by_role("button", name="Keep as a scenario").click()
    page.get_by_text("Kept").wait_for(timeout=WAIT)
    kept = rules.with_suffix(".scenarios").read_text(encoding="utf-8")
    assert "Two were taken" in kept and "take(2)" in kept.replace("n: ", "")


def test_a_scenario_for_others_says_so(browser: Browser, house: House) -> None:
    lobby = browser.new_context().new_page()
    lobby.goto(house.address)
    lobby.locator('[data-game="stones"]').click(timeout=WAIT)
    lobby.get_by_label("Players").select_option("3")
    lobby.get_by_text("More").click()
    lobby.get_by_label("Begin from").select_option("Three are left")
    lobby.get_by_role("button", name="Lay the table").click()
    lobby.get_by_text("This scenario is for 2 players.").wait_for(timeout=WAIT)

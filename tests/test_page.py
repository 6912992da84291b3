"""The page, in a real browser: games are played by clicking, on a phone and by keyboard."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, BrowserContext, Page, ViewportSize

from tests.browser import ROOT, House, served

RULES = ROOT / "rulesets"
PAGE = ROOT / "interpreter" / "table" / "page"
FIVE = ["dinosaurRush", "gaagaaGo", "nozoku", "payDirt", "queenRun"]
CLASSICS = ["chess", "hex", "oware", "yacht"]
UNSEEN = ROOT / "tests" / "cases" / "browser" / "ferryFair.rules"  # by the manual, without a look
DESK: ViewportSize = {"width": 1280, "height": 800}
WAIT = 30_000  # milliseconds; far beyond what is needed, for machines that are busy


ANYTHING = (
    "() => document.querySelector('.felt .lit, .decision .options > .option, .number > .option')"
)


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    files = [RULES / f"{name}.rules" for name in FIVE]
    files += [RULES / "classics" / f"{name}.rules" for name in CLASSICS]
    files.append(UNSEEN)
    with served(files, tmp_path_factory.mktemp("house") / "tables.sqlite") as found:
        yield found


def seated(context: BrowserContext, address: str) -> Page:
    """A page at a table; anything that goes wrong in it fails the test."""
    page = context.new_page()
    page.on("pageerror", lambda error: pytest.fail(f"the page failed: {error}"))
    page.goto(address)
    page.locator(".mat").first.wait_for(timeout=WAIT)
    return page


def wait_until_drawn(page: Page, before: str) -> None:
    """The table has changed since, so what was chosen has come back from the server."""
    page.wait_for_function(
        "before => document.querySelector('.log').innerText + document.title !== before"
        " || document.querySelector('.note-line.bad')",
        arg=before,
        timeout=WAIT,
    )


def now(page: Page) -> str:
    return str(page.evaluate("document.querySelector('.log').innerText + document.title"))


def click_one(page: Page, draw: random.Random) -> None:
    """Choose something: by what is lit if anything is, until the choice is made."""
    before = now(page)
    for _ in range(8):
        lit = page.locator(".felt .lit")
        buttons = page.locator(".decision :is(.options, .number) > .option")
        page.wait_for_function(ANYTHING, timeout=WAIT)  # it may just be drawn anew
        on_table, beside = lit.count(), buttons.count()
        if on_table and (draw.random() < 0.7 or not beside):
            chosen = lit.nth(draw.randrange(on_table))
        else:
            chosen = buttons.nth(draw.randrange(beside))
        chosen.dispatch_event("click")
        page.wait_for_timeout(30)
        if "And then?" not in page.locator(".decision").inner_text():
            break
    wait_until_drawn(page, before)
    assert not page.locator(".note-line.bad.shown").count(), page.locator(".note-line").inner_text()


def play(pages: list[Page], moves: int, seed: int = 3) -> int:
    """Two players click until so many choices are made or the game is over."""
    draw, made = random.Random(seed), 0
    while made < moves and "over" not in pages[0].title():
        acting = next((page for page in pages if page.title().startswith("●")), None)
        if acting is None:
            pages[0].wait_for_timeout(30)
            continue
        click_one(acting, draw)
        made += 1
    return made


def two_players(browser: Browser, house: House, game: str, ask: str = "never") -> list[Page]:
    table = house.table(game, 2)
    links = [house.link(each["link"]) for each in table["links"]]
    return [seated(sitting(browser, ask), link) for link in links]


def sitting(browser: Browser, ask: str) -> BrowserContext:
    """Somebody who is asked before what cannot be taken back as often as they like."""
    context = browser.new_context(reduced_motion="reduce", viewport=DESK)
    context.add_init_script(f"localStorage.setItem('rulerun.ask', '{ask}')")
    return context


@pytest.mark.parametrize("game", FIVE)
def test_two_players_play_by_clicking(browser: Browser, house: House, game: str) -> None:
    pages = two_players(browser, house, game)
    made = play(pages, 30)
    assert made == 30 or "over" in pages[0].title()
    assert pages[0].locator(".log li").count() > 0


# What looks no different when it can be chosen: there must be no such thing.
UNLIT = """() => {
  const look = (element) => [element, ...element.children].map((each) => {
    const { outline, filter, backgroundColor, stroke } = getComputedStyle(each);
    return [outline, filter, backgroundColor, stroke].join();
  }).join();
  return [...document.querySelectorAll('.felt [data-at]')].filter((element) => {
    element.classList.remove('lit', 'maybe');
    const before = look(element);
    element.classList.add('lit');
    return look(element) === before;
  }).map((element) => element.getAttribute('class'));
}"""


def test_whatever_can_be_chosen_is_lit(browser: Browser, house: House) -> None:
    for game in ("payDirt", "dinosaurRush", "yacht"):
        page = seated(
            sitting(browser, "never"), house.link(house.table(game, 2)["links"][0]["link"])
        )
        assert page.evaluate(UNLIT) == [], game
        page.context.close()


def test_a_move_is_made_from_one_cell_to_another(browser: Browser, house: House) -> None:
    first, second = two_players(browser, house, "chess")
    first.locator('[data-say="e2"].lit').click()
    assert first.locator('[data-say="e2"].picked').count() == 1
    lit = first.locator(".spot.lit").evaluate_all("all => all.map(e => e.dataset.say).sort()")
    assert lit == ["e3", "e4"]
    before = now(second)
    first.locator('[data-say="e4"].lit').click()
    wait_until_drawn(second, before)
    assert "pawn" in (second.locator('[data-say="e4"]').get_attribute("aria-label") or "")
    assert second.title().startswith("● Your turn")


def test_what_is_not_lit_says_why(browser: Browser, house: House) -> None:
    first, _ = two_players(browser, house, "chess")
    first.locator('[data-say="a8"]').click()
    first.locator(".note-line.why").wait_for(timeout=WAIT)
    assert first.locator(".note-line.why p").count() > 1


def test_all_can_be_done_by_keyboard(browser: Browser, house: House) -> None:
    first, second = two_players(browser, house, "hex")
    for page in (first, second, first):
        page.wait_for_function("() => document.title.startsWith('●')", timeout=WAIT)
        before = now(page)
        for _ in range(200):
            page.keyboard.press("Tab")
            if page.evaluate("document.activeElement.classList.contains('lit')"):
                break
        page.keyboard.press("ArrowDown")
        page.keyboard.press("ArrowRight")
        assert page.evaluate("document.activeElement.classList.contains('lit')")
        page.keyboard.press("Enter")
        wait_until_drawn(page, before)
    second.locator(".thing").nth(2).wait_for(timeout=WAIT)  # one is of the other page
    assert second.locator(".thing").count() == 3


def test_a_phone_shows_the_table_without_scrolling_aside(browser: Browser, house: House) -> None:
    for game in ("yacht", "queenRun", "payDirt"):
        context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True)
        page = seated(context, house.link(house.table(game, 2)["links"][0]["link"]))
        wide = page.evaluate("[document.documentElement, document.querySelector('.felt')]"
                             ".map(e => e.scrollWidth - e.clientWidth)")  # fmt: skip
        assert wide == [0, 0], game
        context.close()


def test_the_lobby_lays_a_table(browser: Browser, house: House) -> None:
    page = browser.new_context().new_page()
    page.goto(house.address)
    page.locator('[data-game="yacht"]').click(timeout=WAIT)
    page.get_by_label("Seat 2").select_option(index=1)
    page.get_by_role("button", name="Lay the table").click()
    link = page.locator(".links a").first
    link.wait_for(timeout=WAIT)
    assert re.fullmatch(r"/t/[\w-]+#[\w-]+", link.get_attribute("href") or "")


def test_a_wrong_link_says_so(browser: Browser, house: House) -> None:
    page = browser.new_context().new_page()
    page.goto(house.link("/t/nowhere#nothing"))
    page.locator(".trouble").wait_for(timeout=WAIT)


def test_the_table_comes_back_after_the_server_was_killed(browser: Browser, tmp_path: Path) -> None:
    files = [RULES / "classics" / "hex.rules"]
    with served(files, tmp_path / "tables.sqlite") as house:
        pages = two_players(browser, house, "hex")
        assert play(pages, 2) == 2
        port = int(house.address.rstrip("/").rpartition(":")[2])
    pages[0].wait_for_selector("body.cut", timeout=WAIT)
    with served(files, tmp_path / "tables.sqlite", port):
        pages[0].wait_for_selector("body:not(.cut)", timeout=WAIT)
        pages[1].wait_for_selector("body:not(.cut)", timeout=WAIT)
        assert play(pages, 2) == 2
        assert pages[0].locator(".thing").count() == 4


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(
    browser: Browser, house: House, scheme: Literal["light", "dark"]
) -> None:
    context = browser.new_context(color_scheme=scheme, reduced_motion="reduce")
    links = [house.table(game, 2)["links"][0]["link"] for game in ("payDirt", "gaagaaGo", "chess")]
    for link in ["/", *links]:
        page = context.new_page()
        page.goto(house.link(link))
        page.locator(".mat, .game").first.wait_for(timeout=WAIT)
        found = Axe().run(page)
        assert not found.violations_count, found.generate_report()


def test_the_page_is_small() -> None:
    assert sum(path.stat().st_size for path in PAGE.iterdir()) < 300_000

"""The page in a browser, on loopback: how long from a click to the table drawn anew, how long until
a first table is drawn, and how much is loaded for it.

    python tests/benchmarks/page.py                          Pay Dirt with four players, 60 clicks
    python tests/benchmarks/page.py --game chess --players 2 --clicks 20

Prints one line of JSON, in milliseconds and bytes, with the load of the machine beside it: times in
a browser mean little on a machine that has other things to do.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import statistics
import sys
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT)]

from playwright.sync_api import Browser, Page, sync_playwright  # noqa: E402

from tests.browser import FLAGS, House, chromium, served  # noqa: E402

GAME = ROOT / "rulesets" / "payDirt.rules"
_WAIT = 120_000
_FIRST = 5  # tables that are opened anew
Data = dict[str, Any]

# The moment a table is first there, as the page's own clock has it.
_WATCH = """
localStorage.setItem('rulerun.ask', 'never');
new MutationObserver((_, observer) => {
  if (!document.querySelector('.mat')) return;
  observer.disconnect();
  requestAnimationFrame(() => { window.firstTable = performance.now(); });
}).observe(document, { childList: true, subtree: true });
"""

# A click, and how long until the frame with the new table is painted.
_CLICK = """async (at) => {
  const lit = [...document.querySelectorAll('.felt .lit')];
  const options = [...document.querySelectorAll('.decision :is(.options, .number) > .option')];
  const all = [...lit, ...options];
  if (!all.length) return null;
  const felt = document.querySelector('.felt');
  const drawn = new Promise((done) => {
    const observer = new MutationObserver(() => {
      observer.disconnect();
      const painted = new MessageChannel();
      painted.port1.onmessage = () => done(performance.now());
      requestAnimationFrame(() => painted.port2.postMessage(null)); // dealt with after the frame
    });
    observer.observe(felt, { attributeFilter: ['data-seq'] });
  });
  const begun = performance.now();
  all[at % all.length].dispatchEvent(new MouseEvent('click', { bubbles: true }));
  if (document.querySelector('.decision h2')?.textContent === 'And then?') return -1;
  return (await drawn) - begun;
}"""


def opened(browser: Browser, link: str) -> tuple[Page, float, int]:
    """A page at a table with an empty cache, when it was there, and how many bytes it took."""
    page = browser.new_context(viewport={"width": 1280, "height": 800}).new_page()
    page.add_init_script(_WATCH)
    page.goto(link)
    page.wait_for_function("() => window.firstTable", timeout=_WAIT)
    loaded = page.evaluate(
        "['navigation', 'resource'].flatMap((each) => performance.getEntriesByType(each))"
        ".reduce((sum, each) => sum + each.transferSize, 0)"
    )
    return page, float(page.evaluate("window.firstTable")), int(loaded)


def click(pages: list[Page], draw: random.Random) -> float | None:
    """One choice of whoever is to choose, in milliseconds; None when the game is over."""
    while True:
        for page in pages:
            if not page.title().startswith("●"):
                continue
            took = page.evaluate(_CLICK, draw.randrange(1000))
            if took is not None and took >= 0:
                return float(took)
        if "over" in pages[0].title():
            return None
        pages[0].wait_for_timeout(20)


def measure(house: House, browser: Browser, game: str, players: int, clicks: int) -> Data:
    links = [each["link"] for each in house.table(game, players)["links"]]
    first = [opened(browser, house.link(links[0])) for _ in range(_FIRST)]
    for page, _, _ in first:
        page.context.close()
    pages = [opened(browser, house.link(link))[0] for link in links]
    draw = random.Random(1)
    times: list[float] = []
    while len(times) < clicks:
        took = click(pages, draw)
        if took is None:
            break
        times.append(took)
    return {
        "game": game,
        "players": players,
        "clicks": len(times),
        "click to drawn, median ms": round(statistics.median(times), 1),
        "click to drawn, p90 ms": round(sorted(times)[len(times) * 9 // 10], 1),
        "first table, median ms": round(statistics.median(took for _, took, _ in first)),
        "bytes": first[0][2],
        "load": round(os.getloadavg()[0], 1),
        "cores": os.cpu_count(),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--game", default=str(GAME))
    parser.add_argument("--players", type=int, default=4)
    parser.add_argument("--clicks", type=int, default=60)
    asked = parser.parse_args()
    path = Path(asked.game)
    if not path.is_file():
        path = ROOT / "rulesets" / "classics" / f"{asked.game}.rules"
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
        with served([path], Path(folder) / "tables.sqlite") as house:
            print(json.dumps(measure(house, browser, path.stem, asked.players, asked.clicks)))
        browser.close()


if __name__ == "__main__":
    main()

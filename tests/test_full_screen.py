"""The full screen: a game with mouse and keys, without a terminal."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

import interpreter
from interpreter.bots.bot import Bot, Stream, Unfailing, random_bot
from interpreter.bots.search import Estimate
from interpreter.embedding import Option, State
from interpreter.record import Recorder
from interpreter.resources import rulesets_folder
from interpreter.terminal.sitting import Sitting
from interpreter.view.view import View

textual = pytest.importorskip("textual")

from textual.pilot import Pilot  # noqa: E402
from textual.widgets import Input, OptionList, Static  # noqa: E402

from interpreter.terminal.full.app import GameApp  # noqa: E402
from interpreter.terminal.full.pages import Cover, Page  # noqa: E402

Script = Callable[[GameApp, Pilot[None]], Coroutine[Any, Any, None]]


def sitting(name: str, *humans: int, recorder: Recorder | None = None) -> Sitting:
    game = interpreter.load(next(rulesets_folder().rglob(f"{name}.rules")))
    seats = [seat for seat in range(game.players) if seat not in humans]
    bots = {seat: (random_bot, Stream(1, seat)) for seat in seats}
    return Sitting(game.start(1), frozenset(humans), bots, recorder)


def play(table: Sitting, script: Script, size: tuple[int, int] = (80, 24)) -> GameApp:
    app = GameApp(table)

    async def run() -> None:
        async with app.run_test(size=size) as pilot:
            await settle(app, pilot)
            await script(app, pilot)

    asyncio.run(run())
    if app.failure is not None:
        raise app.failure
    return app


async def settle(app: GameApp, pilot: Pilot[None]) -> None:
    """Until the bots have chosen and all is drawn."""
    await app.workers.wait_for_complete()
    await pilot.pause()
    await pilot.pause()


def text_of(app: GameApp, name: str) -> str:
    return str(app.query_one(name, Static).render())


def test_choosing_by_typing_and_by_keys() -> None:
    async def script(app: GameApp, pilot: Pilot[None]) -> None:
        assert "you choose" in text_of(app, "#title")
        await pilot.press(*"b2", "enter")
        await settle(app, pilot)
        assert app.sitting.state.history()[0][1].text == "place(cell: b2)"
        second = app.shown[1].option
        await pilot.press("down", "enter")
        await settle(app, pilot)
        assert app.sitting.state.history()[2][1] == second

    play(sitting("ticTacToe", 0), script)


def test_clicking_a_cell_of_the_board() -> None:
    async def script(app: GameApp, pilot: Pilot[None]) -> None:
        lines = text_of(app, "#drawn").split("\n")
        row = next(n for n, line in enumerate(lines) if line.strip().startswith("2 "))
        column = lines[row].index("·")
        await pilot.click("#drawn", offset=(column, row))
        await settle(app, pilot)
        assert app.sitting.state.history()[0][1].text == "place(cell: a2)"

    play(sitting("ticTacToe", 0), script)


def test_taking_back_and_asking_why(tmp_path: Path) -> None:
    table = sitting("ticTacToe", 0)
    table.recorder = Recorder.create(tmp_path / "game.record", table.state.game, 1)

    async def script(app: GameApp, pilot: Pilot[None]) -> None:
        await pilot.press(*"b2", "enter")
        await settle(app, pilot)
        await pilot.press("question_mark", *" b2", "enter")
        await pilot.pause()
        assert isinstance(app.screen, Page) and "cell.mark is none" in app.screen.lines[0].plain
        await pilot.press("escape")
        await pilot.press("ctrl+z")
        await settle(app, pilot)
        assert not app.sitting.state.history()
        assert table.recorder is not None and table.recorder.decisions == 0

    play(table, script)


def test_typing_narrows_the_list() -> None:
    async def script(app: GameApp, pilot: Pilot[None]) -> None:
        assert len(app.shown) == 40
        await pilot.press(*"elf")
        assert {choice.words.split()[2] for choice in app.shown} == {"elf"}
        await pilot.press("escape")
        assert len(app.shown) == 40 and app.query_one(Input).value == ""

    play(sitting("queenRun", 0), script)


@pytest.mark.parametrize("size", [(80, 24), (100, 40)])
@pytest.mark.parametrize("name", ["dinosaurRush", "gaagaaGo", "nozoku", "payDirt", "queenRun"])
def test_the_parts_keep_their_places(name: str, size: tuple[int, int]) -> None:
    """Whatever is to choose, everything is where it was, and nothing lies below the screen."""

    def places(app: GameApp) -> list[object]:
        return [app.query_one(part).region for part in ("#table", "#log", "#choices", "#typed")]

    async def script(app: GameApp, pilot: Pilot[None]) -> None:
        first = places(app)
        assert app.query_one("#typed").region.bottom < size[1]
        for _ in range(3):
            await pilot.press("enter")
            await settle(app, pilot)
            assert places(app) == first
        assert app.query_one(OptionList).option_count

    play(sitting(name, 0), script, size)


def test_a_whole_game_says_why_it_is_won() -> None:
    table = sitting("pig", 0)

    async def script(app: GameApp, pilot: Pilot[None]) -> None:
        for _ in range(400):
            if app.sitting.state.is_over:
                break
            await pilot.press(*"hold" if len(app.shown) > 1 else (), "enter")
            await settle(app, pilot)
        assert app.sitting.state.is_over
        assert "the end" in text_of(app, "#title")
        await pilot.press("enter")

    app = play(table, script)
    assert not app.is_running


def test_two_players_do_not_see_each_others_cards() -> None:
    async def script(app: GameApp, pilot: Pilot[None]) -> None:
        await pilot.press("enter")
        await settle(app, pilot)
        assert isinstance(app.screen, Cover)
        await pilot.press("enter")
        await settle(app, pilot)
        assert app.viewer == 1 and not isinstance(app.screen, Cover)

    play(sitting("kuhnPoker", 0, 1), script)


@dataclass(slots=True)
class Slow:
    """A bot that likes the last option and does not come to an end by itself."""

    enough: threading.Event = field(default_factory=threading.Event)

    def __call__(self, view: View, options: Sequence[Option], stream: Stream) -> Option:
        self.enough.wait(20)
        return options[0]


class Liking(Unfailing):
    """It has looked at something already."""

    @property
    def so_far(self) -> list[Estimate]:
        return [Estimate(self.options[-1], 1, 0.5)]

    options: Sequence[Option] = ()

    def __call__(self, view: View, options: Sequence[Option], stream: Stream) -> Option:
        self.options = options
        return Unfailing.__call__(self, view, options, stream)


async def until(pilot: Pilot[None], true: Callable[[], bool]) -> None:
    for _ in range(200):
        if true():
            return
        await pilot.pause(0.05)
    raise AssertionError("it does not come true")


def thinking(bot: Bot) -> Sitting:
    table = sitting("ticTacToe", 0)
    table.bots = {1: (Liking(bot, "slow"), Stream(1, 1))}
    return table


def test_a_bot_is_seen_thinking_and_can_be_hurried() -> None:
    slow = Slow()

    async def script(app: GameApp, pilot: Pilot[None]) -> None:
        await pilot.press(*"b2", "enter")
        await until(pilot, lambda: "P2 is thinking" in text_of(app, "#title"))
        assert "P1: " in text_of(app, "#told")  # one's own choice is there already
        assert not app.shown
        await pilot.press("ctrl+c")
        await settle(app, pilot)
        assert app.sitting.state.history()[1][1].text == "place(cell: c1)"
        assert "you choose" in text_of(app, "#title")
        slow.enough.set()

    play(thinking(slow), script)


def test_whoever_leaves_does_not_wait_for_a_bot() -> None:
    slow = Slow()

    async def script(app: GameApp, pilot: Pilot[None]) -> None:
        await pilot.press(*"b2", "enter")
        await until(pilot, lambda: app.thinking is not None)
        await pilot.press("ctrl+q")
        await until(pilot, lambda: app.thinking is None)
        assert len(app.sitting.state.history()) == 1

    play(thinking(slow), script)
    slow.enough.set()


def test_a_hint_is_told_unless_somebody_has_chosen_meanwhile() -> None:
    known, table = threading.Event(), sitting("ticTacToe", 0)

    def hinting(state: State, seat: int) -> Callable[[], list[str]]:
        def found() -> list[str]:
            known.wait(20)
            return [f"  5  {len(state.options(seat))} things to choose"]

        return found

    table.hinting = hinting

    async def script(app: GameApp, pilot: Pilot[None]) -> None:
        await pilot.press("f6")
        await pilot.press(*"b2", "enter")
        known.set()
        await settle(app, pilot)
        assert not isinstance(app.screen, Page)
        await pilot.press(*"hint", "enter")
        await settle(app, pilot)
        assert isinstance(app.screen, Page) and "7 things" in app.screen.lines[0].plain

    play(table, script)

"""The screen of a game: the table, what has happened, what can be chosen, a line to type on.

The parts keep their places from turn to turn. Bots think in a thread of their own, so that the
screen answers meanwhile.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from rich.text import Text
from textual import events, on, work
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.widgets import Footer, Input, OptionList, Static
from textual.widgets.option_list import Option as Line

from interpreter.bots.bot import Unfailing
from interpreter.embedding import State
from interpreter.model.seats import seat_name
from interpreter.report.visible import visible
from interpreter.terminal.boards import CELL
from interpreter.terminal.choices import (
    Choice,
    asked_about,
    find_choices,
    listed_choices,
    what_numbers,
)
from interpreter.terminal.full.pages import HELP, Cover, Page
from interpreter.terminal.history import log_lines, save_record
from interpreter.terminal.laid_out import cells_offered, coloured
from interpreter.terminal.layers import People
from interpreter.terminal.result import show_result
from interpreter.terminal.screen import fitted, scrolled, sections_of
from interpreter.terminal.seen import Seen
from interpreter.terminal.sitting import Sitting
from interpreter.terminal.waiting import Awaited, LeftError, Waiting


def play_full(sitting: Sitting) -> bool:
    """Play on the full screen; whether it was left before its end."""
    app = GameApp(sitting)
    app.run()
    if app.failure is not None:
        raise app.failure
    return not sitting.state.is_over


class GameApp(App[None]):
    CSS = """
    #title { height: 1; padding: 0 1; background: $primary; color: $text; text-style: bold; }
    #table { height: 1fr; min-height: 5; padding: 0 1; }
    #log { height: 3; padding: 0 1; border-top: solid $primary-darken-1; }
    #choices { height: 8; padding: 0 1; border: none; border-top: solid $primary-darken-1; }
    #typed { height: 1; border: none; padding: 0 1; }
    .tall #log { height: 6; }
    .tall #choices { height: 11; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f1", "help", "Help"),
        Binding("f2", "log", "Log"),
        Binding("f3", "why", "Why not"),
        Binding("f4", "skip", "Skip"),
        Binding("f5", "table", "Table"),
        Binding("f6", "hint", "Hint"),
        Binding("ctrl+z", "undo", "Undo"),
        Binding("up", "move(-1)", "", show=False, priority=True),
        Binding("down", "move(1)", "", show=False, priority=True),
        Binding("pageup", "scroll(-1)", "", show=False, priority=True),
        Binding("pagedown", "scroll(1)", "", show=False, priority=True),
        Binding("escape", "clear", "", show=False),
        Binding("ctrl+c", "hurry", "", show=False, priority=True),
        Binding("ctrl+q", "leave", "Leave", priority=True),
    ]
    ENABLE_COMMAND_PALETTE = False

    def __init__(self, sitting: Sitting) -> None:
        super().__init__()
        self.sitting = sitting
        self.failure: BaseException | None = None
        self.viewer = sitting.only_human  # whose table is shown
        self.shown: list[Choice] = []  # what the list has now
        self.pointed: tuple[str, int] | None = None  # a cell that was clicked
        self.thinking: int | None = None  # the bot that takes a while
        self.waiting = Waiting()
        for number, (bot, stream) in sitting.bots.items():
            if isinstance(bot, Unfailing):
                awaited = Awaited(bot, number, self.waiting, self._slow, self._chosen)
                sitting.bots[number] = (awaited, stream)

    def compose(self) -> ComposeResult:
        yield Static(id="title")
        with VerticalScroll(id="table"):
            yield Static(id="drawn")
        with VerticalScroll(id="log"):
            yield Static(id="told")
        yield OptionList(id="choices", markup=False)
        yield Input(id="typed", placeholder="a number, some words, or click; F1 helps")
        yield Footer()

    def on_mount(self) -> None:
        self.query_one("#table").can_focus = False
        self.query_one("#log").can_focus = False
        self.query_one(OptionList).can_focus = False
        self.query_one(Input).focus()
        self.go_on()

    def on_resize(self, event: events.Resize) -> None:
        self.screen.set_class(event.size.height >= 34, "tall")
        self.call_after_refresh(self.show)

    # ---- the game

    @work(thread=True, exclusive=True)
    def go_on(self) -> None:
        """Let bots choose until somebody has to be asked."""
        try:
            while self.sitting.go_on() is not None:
                pass
        except LeftError:
            return
        except Exception as error:  # it is told when the screen is gone
            self.failure = error
            self.call_from_thread(self.exit)
            return
        self.call_from_thread(self.ask)

    def _slow(self, seat: int) -> None:
        """A bot takes a while: the table is shown as it is by now, and who is thinking. The thread
        that plays waits for that, so nobody changes the game meanwhile."""
        self.thinking = seat
        self.call_from_thread(self.show)

    def _chosen(self) -> None:
        self.thinking = None

    def ask(self) -> None:
        seat = self.sitting.to_ask
        if seat is None or seat == self.viewer:
            self.show()
            return
        covered = self.viewer is not None and self.sitting.has_secrets
        self.viewer = seat
        if covered:
            self.push_screen(Cover(seat_name(seat)), lambda _: self.show())
        else:
            self.show()

    def take(self, choice: Choice) -> None:
        seat = self.sitting.to_ask
        if seat is None:
            return
        self.act(lambda: self.sitting.take(choice.option, seat))

    def act(self, what: Callable[[], object]) -> None:
        """Do something that changes the game, and go on."""
        try:
            what()
        except Exception as error:
            self.failure = error
            self.exit()
            return
        self.pointed = None
        self.query_one(Input).clear()
        self.go_on()

    # ---- showing

    def show(self) -> None:
        state, seat = self.sitting.state, self.viewer
        program, view = state.game.program, state.view(seat)
        choices = self._choices()
        when = "the end" if view.is_over else f"move {view.moves + 1}"
        self.query_one("#title", Static).update(
            Text(visible(f"{view.title} · {when} · {self._whose(seat)}"))
        )
        table = self.query_one("#table", VerticalScroll)
        columns, rows = max(40, table.size.width - 2), max(5, table.size.height)
        sections = sections_of(view, program, columns, cells_offered(choices))
        drawn = scrolled(sections, rows, columns)
        self.query_one("#drawn", Static).update(Text("\n", no_wrap=True).join(drawn))
        table.scroll_home(animate=False)
        styles = People(Seen(view, program)).styles
        lines = [coloured(line, styles) for line in log_lines(state, seat)[0]]
        self.query_one("#told", Static).update(Text("\n").join(lines[-200:]))
        self.query_one("#log", VerticalScroll).scroll_end(animate=False)
        self._list(choices)

    def _whose(self, seat: int | None) -> str:
        state = self.sitting.state
        view = state.view(seat)
        if view.is_over:
            return show_result(state, seat)[0].plain
        if self.sitting.to_ask is None:
            if self.thinking is not None:
                return f"{seat_name(self.thinking)} is thinking… (Ctrl-C: choose now)"
            waiting = " and ".join(seat_name(each) for each in state.seats_to_act)
            return f"{waiting} to choose …"
        alone = self.sitting.only_human is not None
        return "you choose" if alone else f"{seat_name(self.sitting.to_ask)} chooses"

    def _choices(self) -> list[Choice]:
        seat = self.sitting.to_ask
        return [] if seat is None else listed_choices(self.sitting.state, seat)

    def _list(self, choices: list[Choice]) -> None:
        """What can be chosen, of it what has the words typed and the cell that was clicked."""
        listed = self.query_one(OptionList)
        listed.clear_options()
        typed = self.query_one(Input).value.strip()
        found = choices
        if self.pointed is not None:
            found = [each for each in found if self.pointed in each.cells] or choices
        if typed and asked_about(typed) is None:
            found = find_choices(found, typed) or _beginning(found, typed) or found
        self.shown = found
        edge = max((len(each.typed) for each in found), default=1)
        for choice in found:
            line = Text.assemble((f"{choice.typed:>{edge}}  ", "bold"), choice.words)
            listed.add_option(Line(line))
        if self.sitting.state.is_over:
            listed.add_options([Line(line) for line in self._ending()])
        if listed.option_count:
            listed.highlighted = 0

    def _ending(self) -> list[Text]:
        told = show_result(self.sitting.state, self.viewer)
        return [Text("The game is over."), *told, Text("Enter leaves.")]

    # ---- choosing

    @on(OptionList.OptionSelected)
    def _clicked(self, event: OptionList.OptionSelected) -> None:
        if self.sitting.state.is_over:
            self.exit()
        elif event.option_index < len(self.shown):
            self.take(self.shown[event.option_index])

    @on(Input.Changed)
    def _typing(self, event: Input.Changed) -> None:
        self._list(self._choices())

    @on(Input.Submitted)
    def _entered(self, event: Input.Submitted) -> None:
        """Enter: a command, what was typed, or what is highlighted."""
        typed = event.value.strip()
        if self.sitting.state.is_over and not typed:
            self.exit()
            return
        choices = self._choices()
        word, _, rest = typed.partition(" ")
        meant = find_choices(choices, typed) if typed else []
        command = _COMMANDS.get(word.casefold())
        asked = asked_about(typed)
        if asked is not None and len(meant) != 1:
            self.query_one(Input).clear()
            self._why(asked)
        elif command is not None and len(meant) != 1:
            self.query_one(Input).clear()
            command(self, rest.strip())
        elif len(meant) == 1:
            self.take(meant[0])
        elif typed and not meant:
            numbers = what_numbers(choices)
            self.notify(f"`{typed}` is not offered. Numbers are {numbers}; ? {typed} tells why.")
        else:
            at = self.query_one(OptionList).highlighted
            if at is not None and at < len(self.shown):
                self.take(self.shown[at])

    def on_click(self, event: events.Click) -> None:
        """A cell of a board: what can be done with it; at once, if that is only one thing."""
        cell = event.style.meta.get(CELL)
        if cell is None:
            return
        name, number = cell
        with_it = [each for each in self._choices() if (name, number) in each.cells]
        last = [each for each in with_it if each.cells[-1] == (name, number)]
        if self.pointed is not None:  # first from where, then where to
            last = [each for each in last if self.pointed in each.cells] or last
        if len(with_it) == 1 or (len(last) == 1 and self.pointed is not None):
            self.take((with_it if len(with_it) == 1 else last)[0])
            return
        self.pointed = (name, number) if with_it else None
        self._list(self._choices())

    # ---- keys and commands

    def action_move(self, by: int) -> None:
        listed = self.query_one(OptionList)
        if by < 0:
            listed.action_cursor_up()
        else:
            listed.action_cursor_down()

    def action_scroll(self, by: int) -> None:
        table = self.query_one("#table", VerticalScroll)
        if by < 0:
            table.scroll_page_up(animate=False)
        else:
            table.scroll_page_down(animate=False)

    def action_clear(self) -> None:
        self.pointed = None
        self.query_one(Input).clear()
        self._list(self._choices())

    def action_hurry(self) -> None:
        """Ctrl-C: who waits for a bot wants it to choose, all others want to leave."""
        if self.thinking is None:
            self.action_leave()
        else:
            self.waiting.hurry.set()

    def action_leave(self) -> None:
        self.waiting.left.set()
        self.exit()

    def action_help(self) -> None:
        self.push_screen(Page("Help", [Text(line) for line in HELP.splitlines()]))

    def action_log(self) -> None:
        lines = log_lines(self.sitting.state, self.viewer)[0]
        state = self.sitting.state
        styles = People(Seen(state.view(self.viewer), state.game.program)).styles
        told = [Text(f"{n:4}  ") + coloured(line, styles) for n, line in enumerate(lines, 1)]
        self.push_screen(Page("What has happened", told, at_end=True))

    def action_table(self) -> None:
        """All of the table, with what its signs mean."""
        state = self.sitting.state
        columns = self.size.width * 9 // 10 - 4
        offered = cells_offered(self._choices())
        view = state.view(self.viewer)
        whole = fitted(sections_of(view, state.game.program, columns, offered), None)
        self.push_screen(Page("The table", whole))

    def action_hint(self) -> None:
        self._hint("")

    def _hint(self, rest: str) -> None:
        seat, hinting = self.sitting.to_ask, self.sitting.hinting
        if seat is None or hinting is None:
            return
        self.sitting.rest()
        self.notify("A bot is thinking …")
        self._look_for(hinting(self.sitting.state, seat), self.sitting.state)

    @work(thread=True, exclusive=True, group="hint")
    def _look_for(self, hinted: Callable[[], list[str]], asked: State) -> None:
        """Somebody may choose before the hint is there: then nobody needs it."""
        lines = [Text(visible(line)) for line in hinted()]

        def tell() -> None:
            if self.sitting.state is asked:
                self.push_screen(Page("Hint", lines))
                self.sitting.prepare()

        self.call_from_thread(tell)

    def action_why(self) -> None:
        self._why("")

    def action_undo(self) -> None:
        self._undo("")

    def action_skip(self) -> None:
        self._skip("")

    def _why(self, words: str) -> None:
        seat = self.sitting.to_ask
        if seat is not None:
            lines = self.sitting.state.why_not(seat, words or None)
            self.push_screen(Page("Why not", [Text(visible(line)) for line in lines]))

    def _undo(self, rest: str) -> None:
        seat = self.sitting.to_ask
        if seat is None:
            return
        refused = self.sitting.undo(seat)
        if refused is not None:
            self.notify(refused)
        self.action_clear()
        self.ask()

    def _skip(self, rest: str) -> None:
        seat = self.sitting.to_ask
        if seat is None:
            return
        refused = self.sitting.skip(seat, rest)
        if refused is not None:
            self.notify(refused)
        self.go_on()

    def _look(self, words: str) -> None:
        found = self.sitting.described(words) if words else []
        told = found or ["Nothing is called that." if words else "Say what: look WORDS"]
        self.push_screen(Page("Look", [Text(line) for line in told]))

    def _save(self, path: str) -> None:
        from interpreter.record import RecordError

        if not path:
            self.notify("Say where to: save FILE")
            return
        try:
            save_record(self.sitting.state, path)
        except RecordError as error:
            self.notify(visible(error.problem.message))
            return
        self.notify(f"Saved to {path}.")


def _beginning(choices: list[Choice], typed: str) -> list[Choice]:
    """Those that a number will mean when it is whole."""
    return [each for each in choices if each.typed.startswith(typed)]


_COMMANDS: dict[str, Callable[[GameApp, str], None]] = {
    "help": lambda app, rest: app.action_help(),
    "log": lambda app, rest: app.action_log(),
    "table": lambda app, rest: app.action_table(),
    "look": GameApp._look,
    "undo": GameApp._undo,
    "hint": GameApp._hint,
    "skip": GameApp._skip,
    "save": GameApp._save,
    "quit": lambda app, rest: app.action_leave(),
    "q": lambda app, rest: app.action_leave(),
}

"""A game at a terminal, line by line: shows the table, asks, explains, takes back, saves.

The table and the prompts go to the error stream, so that the result alone is on the output. What
is needed to choose fits into the window: the table is shortened where it has to be, and `table`
shows the rest. Into a pipe all is written.
"""

from __future__ import annotations

import shutil
import sys
import textwrap
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from io import StringIO
from typing import TYPE_CHECKING, TextIO

from rich.console import Console, RenderableType
from rich.padding import Padding
from rich.rule import Rule
from rich.text import Text

from interpreter.cli.common import warn
from interpreter.model.seats import seat_name
from interpreter.report.visible import visible
from interpreter.report.whole import read_count, read_whole
from interpreter.terminal.choices import (
    Choice,
    asked_about,
    find_choices,
    listed_choices,
    what_numbers,
)
from interpreter.terminal.history import log_lines, rules_name, save_record
from interpreter.terminal.laid_out import cells_offered, log_line, option_pages
from interpreter.terminal.layers import People
from interpreter.terminal.result import show_result
from interpreter.terminal.screen import fitted, lines_of, sections_of
from interpreter.terminal.seen import Seen
from interpreter.terminal.sitting import Sitting
from interpreter.terminal.table import player_name

if TYPE_CHECKING:
    from interpreter.embedding import State

HELP = """\
To choose
  a number        that option; where a number is chosen, that number
  some words      the option with these words, if there is only one
  Enter           more of the options, if not all were shown
  skip            pass, and go on passing as long as you are offered the same
  skip phase      pass whatever can be passed in this part of the game
  skip all        pass whatever can be passed, until you have to choose
  undo            take back your last decision, if nothing was revealed since
  hint            what a bot would choose, with its chances and what it leads to
To see
  look WORDS      what a card, a piece or a space with these words in its name says
  table           all of the table; table board, table p2 and so on a part of it
  log             what has happened so far; log 10 shows the last ten lines
  ?               why something cannot be chosen;  ? WORDS  asks about one thing
  v               the exact names of the options, or no longer
To leave
  save FILE       write the game so far to a file of yours
  quit            leave the game; `rulerun resume` goes on with it
Bots that think by the clock do so while you think; with --idle they rest.
"""
_LINE = 4_096  # characters of one answer


@dataclass(slots=True)
class Session:
    sitting: Sitting
    quiet: bool = False
    verbose: bool = False
    colour: bool = False
    stdin: TextIO = field(default_factory=lambda: sys.stdin)
    window: bool = False  # whether what is written is read in a window of some size
    exact_names: bool = False
    seen: dict[int, int] = field(default_factory=dict)  # entries of the log shown to a seat
    last_human: int | None = None
    left: bool = False
    pages: list[list[Text]] = field(default_factory=list)  # of options, not yet shown
    above: int = 0  # lines of the window that are taken already
    write: Callable[..., None] = warn

    @property
    def state(self) -> State:
        return self.sitting.state

    def run(self) -> State:
        """Play until the game is over or somebody leaves it."""
        sitting = self.sitting
        if sitting.humans and not self.quiet:
            welcome = lines_of(
                Text(f"{sitting.welcome()} Type help for what you can type."), self._columns()
            )
            self._lines(welcome)
            self.above = len(welcome)
        while not self.state.is_over and not self.left:
            done = sitting.go_on()
            if done is not None and self.verbose and not sitting.humans:
                seat, option = done
                warn(f"{self.state.moves}  {seat_name(seat)}  {visible(option.words)}")
            elif done is None and sitting.to_ask is not None:
                self._human(sitting.to_ask)
        if self.state.is_over and sitting.humans:
            only = sitting.only_human
            self.show_table_of(only, self._rows(6), self._news(only))
            self._lines(show_result(self.state, only))
        return self.state

    # ---- asking

    def _human(self, seat: int) -> None:
        if self.last_human not in (None, seat) and self.sitting.has_secrets:
            self._pass_the_keyboard(seat)
        self.last_human = seat
        state = self.state
        choices = listed_choices(state, seat)
        self._show_all(seat, choices)
        while True:
            answer = self._ask(seat)
            if answer is None:
                self.left = True
                return
            words = answer.split(None, 1)
            if not words:
                self._more(choices)
                continue
            command = _COMMANDS.get(words[0].casefold())
            meant = find_choices(choices, answer)
            asked = asked_about(answer)
            if asked is not None and not _is_exact(meant, answer):
                self._ask_why(seat, asked)
            elif command is not None and not _is_exact(meant, answer):
                command(self, seat, words[1] if len(words) > 1 else "")
                if self.left or self.state is not state:
                    return
            elif len(meant) == 1:
                self.sitting.take(meant[0].option, seat)
                return
            elif meant:
                self._list(meant, None)
            else:
                self._not_offered(seat, choices, answer)

    def _not_offered(self, seat: int, choices: list[Choice], answer: str) -> None:
        number = read_whole(answer)
        if number is not None:
            warn(f"There is no option {number}; there are {what_numbers(choices)}.")
            return
        warn(f"`{visible(answer)}` is not offered. ? tells why, help what you can type.")
        names = {action.name for action in self.state.game.program.actions}
        if answer.partition("(")[0].strip() in names:
            self._ask_why(seat, answer)

    def _ask(self, seat: int) -> str | None:
        alone = self.sitting.only_human is not None
        prompt = f"{player_name(seat, seat) if alone else seat_name(seat)}> "
        try:
            if self.stdin is sys.stdin and sys.stdin.isatty() and sys.stdout.isatty():
                return _typed(prompt)
            warn(prompt, end="")
            line = self.stdin.readline(_LINE)
            if not self.stdin.isatty():
                warn(visible(line.rstrip("\n")))  # what a terminal would have shown
            return line.strip() if line else None
        except EOFError:
            warn("")
            return None

    def _list(self, choices: list[Choice], rows: int | None) -> None:
        self.pages = option_pages(choices, self._columns(), rows, self.exact_names)
        self._more(choices)

    def _more(self, choices: list[Choice]) -> None:
        """The next page of the options."""
        if not self.pages:
            return
        page, *self.pages = self.pages
        self._lines(page)
        left = sum(len(each) for each in self.pages)
        if left:
            total = f"{len(choices)} to choose from"
            self._print(Text(f"({total}: Enter shows more, or type some words)", "dim"))

    # ---- showing

    def _show_all(self, seat: int, choices: list[Choice]) -> None:
        """The table, the news, the options: all that is needed to choose, in one window."""
        window = self._window()
        news = self._news(seat)
        room = None if window is None else max(4, window * 3 // 5 - 1)
        pages = option_pages(choices, self._columns(), room, self.exact_names)
        if len(pages) > 1 and window is not None:  # rather less of them, and more of the table
            pages = option_pages(choices, self._columns(), window // 2, self.exact_names)
        options = len(pages[0]) + (len(pages) > 1)
        rows = None if window is None else window - options - self.above
        self.above = 0
        self.show_table_of(seat, rows, news, cells_offered(choices))
        self.pages = pages
        self._more(choices)

    def show_table_of(
        self,
        seat: int | None,
        rows: int | None = None,
        news: Iterable[Text] = (),
        offered: Iterable[tuple[str, int]] = (),
    ) -> None:
        """The table and the news on so many lines, or on as many as it takes."""
        view = self.state.view(seat)
        when = "the end" if view.is_over else f"move {view.moves + 1}"
        title = Text(visible(f"{view.title} · {when}"), "bold")
        self._print(Rule(title, align="left", style="dim"))
        told = list(news)
        room = None if rows is None else rows - 1 - len(told)
        sections = sections_of(view, self.state.game.program, self._columns(), offered)
        self._lines(fitted(sections, room))
        if rows is None:
            self.write("")
        self._lines(told)  # nearest to where one types, so that it is not missed
        if rows is None and told:
            self.write("")

    def _news(self, seat: int | None) -> list[Text]:
        """What has happened since this seat was asked last, if anything."""
        known = self.seen.get(-1 if seat is None else seat, 0)
        fresh, self.seen[-1 if seat is None else seat] = log_lines(self.state, seat, known)
        if not fresh or self.quiet:
            return []
        window = self._window()
        most = 20 if window is None else max(3, window // 7)
        if len(fresh) > most:  # then who passed is no news
            fresh = [line for line in fresh if not line.endswith(": pass")]
        styles = self._styles(seat)
        found: list[list[Text]] = [
            lines_of(log_line("  ", line, styles), self._columns()) for line in fresh
        ]
        if sum(map(len, found)) <= most:
            return [line for lines in found for line in lines]
        shown: list[Text] = []
        while found and len(shown) + len(found[-1]) < most:
            shown = found.pop() + shown
        return [Text(f"  ... {len(found)} lines before; `log` shows all", "dim"), *shown]

    def _styles(self, seat: int | None) -> list[str]:
        return People(Seen(self.state.view(seat), self.state.game.program)).styles

    def _lines(self, lines: Iterable[Text]) -> None:
        """Lines that stay lines: in a window, what is too long is cut off."""
        for line in lines:
            self._print(line, no_wrap=self.window)

    def _print(self, what: RenderableType, *, no_wrap: bool = False) -> None:
        self.write(self._rendered(what, no_wrap), end="", drawn=True)

    def _rendered(self, what: RenderableType, no_wrap: bool) -> str:
        text = StringIO()
        console = Console(
            file=text,
            width=self._columns(),
            color_system="standard" if self.colour else None,
            force_terminal=self.colour,
            highlight=False,
            markup=False,
            emoji=False,
        )
        console.print(what, no_wrap=no_wrap, overflow="ellipsis" if no_wrap else None)
        return "\n".join(line.rstrip() for line in text.getvalue().split("\n"))

    def _paged(self, lines: list[Text]) -> None:
        """What may be longer than the window, a window at a time."""
        window = self._window()
        size = len(lines) if window is None else max(1, window - 1)
        for first in range(0, len(lines), max(1, size)):
            self._lines(lines[first : first + size])
            if first + size < len(lines):
                warn("(Enter: more; q: enough) ", end="")
                if self.stdin.readline(_LINE).strip().casefold().startswith("q"):
                    return

    def _columns(self) -> int:
        return max(40, min(shutil.get_terminal_size().columns, 140))

    def _window(self) -> int | None:
        """The lines of the window, without the one where one types."""
        return shutil.get_terminal_size().lines - 1 if self.window else None

    def _rows(self, less: int) -> int | None:
        window = self._window()
        return None if window is None else window - less

    def _pass_the_keyboard(self, seat: int) -> None:
        if self.stdin.isatty():
            warn("\n" * 60, end="")
            name = seat_name(seat)
            warn(f"It is {name}'s turn. Press Enter when only {name} can see this.", "")
            self.stdin.readline(_LINE)

    # ---- commands

    def _help(self, seat: int, rest: str) -> None:
        self._paged([Text(line) for line in HELP.splitlines()])

    def _ask_why(self, seat: int, rest: str) -> None:
        asked = rest.strip()
        told = self.state.why_not(seat, asked or None)
        lines = (lines_of(log_line("  ", visible(line), ()), self._columns()) for line in told)
        self._paged([line for each in lines for line in each])

    def _undo(self, seat: int, rest: str) -> None:
        refused = self.sitting.undo(seat)
        if refused is not None:
            self._refuse(refused)
            return
        warn("Taken back.")
        self.seen[seat] = min(self.seen.get(seat, 0), log_lines(self.state, seat)[1])

    def _table(self, seat: int, rest: str) -> None:
        """All of the table, or the part of this name."""
        view = self.state.view(seat)
        offered = cells_offered(listed_choices(self.state, seat))
        sections = sections_of(view, self.state.game.program, self._columns(), offered)
        wanted = rest.strip().casefold()
        found = [each for each in sections if not wanted or each.name.casefold() == wanted]
        if not found:
            names = ", ".join(section.name.casefold() for section in sections)
            self._refuse(f"There is no such part of the table; there are {names}.")
            return
        self._paged(fitted(found, None))
        if not wanted:
            self._list(listed_choices(self.state, seat), self._rows(1))

    def _log(self, seat: int, rest: str) -> None:
        lines = log_lines(self.state, seat)[0]
        wanted = read_count(rest.strip())
        first = 0 if wanted is None else max(0, len(lines) - wanted)
        styles = self._styles(seat)
        self._paged(
            [
                line
                for number, told in enumerate(lines[first:], first + 1)
                for line in lines_of(log_line(f"{number:4}  ", told, styles), self._columns())
            ]
        )

    def _skip(self, seat: int, rest: str) -> None:
        refused = self.sitting.skip(seat, rest)
        if refused is not None:
            self._refuse(refused)

    def _refuse(self, why: str) -> None:
        """Said on as many lines as it takes: a terminal would break words."""
        warn(textwrap.fill(why, max(20, self._columns() - 1)))

    def _hint(self, seat: int, rest: str) -> None:
        from interpreter.cli.seated import hint_lines

        self.sitting.rest()
        for line in hint_lines(self.state, seat):
            self._print(Text(visible(line)))
        self.sitting.prepare()

    def _look(self, seat: int, rest: str) -> None:
        found = self.sitting.described(rest)
        for line in found:
            self._print(Padding(Text(line), (0, 0, 0, 2)))
        if not found:
            warn("Nothing is called that." if rest else "Say what: look WORDS")

    def _exact(self, seat: int, rest: str) -> None:
        self.exact_names = not self.exact_names
        self._list(listed_choices(self.state, seat), self._rows(1))

    def _save(self, seat: int, rest: str) -> None:
        from interpreter.record import RecordError

        path = rest.strip()
        if not path:
            warn("Say where to: save FILE")
            return
        try:
            save_record(self.state, path)
        except RecordError as error:
            warn(visible(error.problem.message))
            return
        warn(f"Saved. Go on with: rulerun {rules_name(self.state)} --resume {path}")

    def _quit(self, seat: int, rest: str) -> None:
        self.left = True


def _is_exact(meant: list[Choice], answer: str) -> bool:
    """A number, or exactly what one option says: then it is no command."""
    wanted = answer.strip().casefold()
    return len(meant) == 1 and wanted in (
        meant[0].typed,
        meant[0].option.text.casefold(),
        meant[0].words.casefold(),
    )


_COMMANDS: dict[str, Callable[[Session, int, str], None]] = {
    "help": Session._help,
    "h": Session._help,
    "skip": Session._skip,
    "undo": Session._undo,
    "u": Session._undo,
    "table": Session._table,
    "hint": Session._hint,
    "look": Session._look,
    "log": Session._log,
    "v": Session._exact,
    "save": Session._save,
    "quit": Session._quit,
    "q": Session._quit,
    "exit": Session._quit,
}


def _typed(prompt: str) -> str:
    import contextlib

    with contextlib.suppress(ImportError):
        import readline  # noqa: F401  (arrow keys and history)
    sys.stderr.flush()
    return input(prompt)[:_LINE].strip()

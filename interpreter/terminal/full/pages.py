"""Screens that lie over the game for a while: a text to read, and a cover between two players."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Static

HELP = """\
To choose
  click, or up and down and Enter; or type its number, or some of its words
  click a cell of the board    what can be done with it
  where a number is chosen, type that number
  F4, skip                     pass, and go on passing while you are offered the same
  skip phase, skip all         pass whatever can be passed, for longer
  Ctrl-Z, undo                 take back your last decision, if nothing was revealed since
  F6, hint                     what a bot would choose, with its chances and what it leads to
To see
  PageUp, PageDown, the wheel  the rest of the table
  look WORDS                   what a card, a piece or a space says
  F5, table                    all of the table, with what its signs mean
  F2, log                      what has happened
  F3, ? WORDS                  why something cannot be chosen
To leave
  save FILE                    write the game so far to a file of yours
  Ctrl-Q, quit                 leave the game; `rulerun resume` goes on with it
Bots that think by the clock do so while you think; with --idle they rest. While you wait for
one, Ctrl-C makes it choose at once.
"""


class Page(ModalScreen[None]):
    """Some lines, until they have been read."""

    CSS = """
    Page { align: center middle; }
    #page { width: 90%; height: auto; max-height: 90%; padding: 0 1; background: $surface;
            border: solid $primary; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        ("escape", "dismiss", "Close"),
        ("enter", "dismiss", "Close"),
        ("q", "dismiss", "Close"),
    ]

    def __init__(self, title: str, lines: Sequence[Text], at_end: bool = False) -> None:
        super().__init__()
        self.heading, self.lines, self.at_end = title, lines, at_end

    def compose(self) -> ComposeResult:
        with VerticalScroll(id="page") as page:
            page.border_title = f"{self.heading} (Esc closes)"
            yield Static(Text("\n").join(self.lines))

    def on_mount(self) -> None:
        page = self.query_one("#page", VerticalScroll)
        page.focus()
        if self.at_end:
            page.scroll_end(animate=False)


class Cover(ModalScreen[None]):
    """Hides the table of one player until another sits before the screen."""

    CSS = """
    Cover { align: center middle; background: $background; }
    #cover { width: auto; padding: 2 4; border: solid $primary; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [("enter", "dismiss", "Go on")]

    def __init__(self, name: str) -> None:
        super().__init__()
        self.player = name

    def compose(self) -> ComposeResult:
        told = f"It is {self.player}'s turn. Press Enter when only {self.player} can see this."
        yield Static(told, id="cover", markup=False)

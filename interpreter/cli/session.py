"""A game at a terminal: shows the table, asks, explains, takes back, saves.

The table and the prompts go to the error stream, so that the result alone is on the output.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TextIO

from rich.console import Console, RenderableType
from rich.padding import Padding
from rich.rule import Rule
from rich.text import Text

from interpreter.bots.bot import Bot, Stream, decide
from interpreter.cli.common import warn
from interpreter.cli.history import log_lines, rules_name, save_record, taken_back
from interpreter.cli.laid_out import (
    cells_offered,
    changes,
    grouped,
    in_columns,
    is_option,
    log_line,
    word_list,
)
from interpreter.model.seats import seat_name
from interpreter.play.words import setting_words
from interpreter.program.layout import MENU
from interpreter.program.liveness import active_routines
from interpreter.report.visible import visible
from interpreter.report.whole import read_count
from interpreter.terminal.layers import People
from interpreter.terminal.table import player_name, show_parts, show_result

if TYPE_CHECKING:
    from interpreter.embedding import Option, State
    from interpreter.model.ruleset import Ruleset
    from interpreter.record import Recorder

HELP = """\
To choose
  a number        that option
  some words      the option with these words, if there is only one
  skip            pass, and go on passing as long as you are offered the same
  skip phase      pass whatever can be passed in this part of the game
  skip all        pass whatever can be passed, until you have to choose
  undo            take back your last decision, if nothing was revealed since
  hint            what a bot would choose, with its chances and what it leads to
To see
  look WORDS      what a card, a piece or a space with these words in its name says
  table           the table again
  log             what has happened so far; log 10 shows the last ten lines
  ?               why something cannot be chosen;  ? WORDS  asks about one thing
  v               the exact names of the options, or no longer
To leave
  save FILE       write the game so far; `rulerun GAME --resume FILE` goes on with it
  quit            leave the game; it is not saved by itself
"""
_FEW = 5  # lines of the table that are told as changes
_RUN = 40  # then they are named without their numbers
_LISTED = 400  # options shown at once; the rest are found by their words
_LINE = 4_096  # characters of one answer


@dataclass(frozen=True, slots=True)
class Skip:
    """How long somebody wants to pass: while the options, or the phase, are these."""

    options: frozenset[str] | None = None
    phase: str | None = None


@dataclass(slots=True)
class Session:
    state: State
    humans: frozenset[int]
    bots: dict[int, tuple[Bot, Stream]]
    recorder: Recorder | None = None
    quiet: bool = False
    verbose: bool = False
    colour: bool = False
    stdin: TextIO = field(default_factory=lambda: sys.stdin)
    exact_names: bool = False
    seen: dict[int, int] = field(default_factory=dict)  # entries of the log shown to a seat
    last_human: int | None = None
    left: bool = False
    shown: tuple[int | None, str, str] | None = None  # the table as it was shown last, and to whom
    skipping: dict[int, Skip] = field(default_factory=dict)
    ruleset: Ruleset | None = None  # made when somebody looks at a card
    write: Callable[..., None] = warn

    def run(self) -> State:
        """Play until the game is over or somebody leaves it."""
        if self.humans and not self.quiet:
            self._print(Text(self._welcome()))
        while not self.state.is_over and not self.left:
            acting = [seat for seat in self.state.seats_to_act if seat in self.humans]
            if acting:
                self._human(acting[0])
            else:
                seat = self.state.seats_to_act[0]
                bot, stream = self.bots[seat]
                self._take(decide(bot, self.state, seat, stream), seat)
        if self.state.is_over and self.humans:
            only = self._only_human()
            self._news(only)
            self.show_table_of(only)
            self._print(show_result(self.state.view(only), self.state.game.program))
        if self.recorder is not None and self.state.is_over:
            self.recorder.finish(self.state)
        return self.state

    def _welcome(self) -> str:
        game = self.state.game
        yours = " and ".join(seat_name(seat) for seat in sorted(self.humans))
        chosen = "".join(f", {setting_words(game.program, name)}" for name in game.options)
        said = f"{game.title}, {game.players} players{chosen}. You are {yours}."
        return f"{visible(said)} Type help for what you can type."

    def _take(self, option: Option, seat: int) -> None:
        before = self.state
        self.state = before.apply(option, seat)
        if self.recorder is not None:
            self.recorder.append(seat, option.text)
        if self.verbose and not self.humans:
            warn(f"{before.moves + 1}  {seat_name(seat)}  {visible(option.words)}")

    # ---- asking

    def _human(self, seat: int) -> None:
        if self.last_human not in (None, seat) and self._has_secrets():
            self._pass_the_keyboard(seat)
        self.last_human = seat
        options = self.state.options(seat)
        if self._skips(seat, options):
            return
        self.show_table_of(seat, whole=False)
        if self._news(seat):  # nearest to where one types, so that it is not missed
            self.write("")
        self._list(options)
        while True:
            answer = self._ask(seat)
            if answer is None:
                self._leave()
                return
            words = answer.split(None, 1)
            if not words:
                continue
            command = _COMMANDS.get(words[0].casefold())
            if command is not None and not is_option(options, answer):
                command(self, seat, words[1] if len(words) > 1 else "")
                if self.left or seat not in self.state.seats_to_act:
                    return
                if self.state.options(seat) != options:
                    return  # taken back: ask anew
                continue
            found = self._find(options, answer)
            if found is not None:
                self._take(found, seat)
                return

    def _skips(self, seat: int, options: list[Option]) -> bool:
        """Pass for somebody who has said so, unless there is something new to choose."""
        if seat not in self.skipping:
            return False
        skip = self.skipping[seat]
        found = self._passing(seat)
        if found is None and skip.phase is not None and skip.phase == self._phase():
            return False  # this has to be chosen; after that it goes on
        new = skip.options is not None and skip.options != {o.text for o in options}
        if found is None or new or skip.phase not in (None, self._phase()):
            del self.skipping[seat]
            return False
        self._take(found, seat)
        return True

    def _phase(self) -> str:
        """The part of the game we are in: the outermost of the routines under way."""
        under_way = active_routines(self.state.game.program, self.state.buffer)
        return " ".join(each.routine.name for each in under_way[-2:])

    def _passing(self, seat: int) -> Option | None:
        """The option that passes, where the rules say that somebody may choose. An action that
        happens to be called so is another thing."""
        menu = self.state.game.program.menus[self.state.seen_by_chooser(seat)[MENU]]
        if not menu.passes:
            return None
        last = len(menu.entries) - 1
        choices = self.state.choices(seat)
        return next((option for option, choice in choices.items() if choice[0] == last), None)

    def _ask(self, seat: int) -> str | None:
        prompt = f"{player_name(seat, seat) if len(self.humans) == 1 else seat_name(seat)}> "
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

    def _find(self, options: list[Option], answer: str) -> Option | None:
        number = read_count(answer)
        if number is not None:
            if 1 <= number <= len(options):
                return options[number - 1]
            warn(f"There is no option {number}; there are 1 to {len(options)}.")
            return None
        wanted = answer.casefold()
        exact = [o for o in options if wanted in (o.text.casefold(), o.words.casefold())]
        if len(exact) == 1:
            return exact[0]
        parts = wanted.split()
        fitting = [o for o in options if all(p in word_list(o) for p in parts)]
        if not fitting:
            fitting = [
                o for o in options if all(p in f"{o.words} {o.text}".casefold() for p in parts)
            ]
        if len(fitting) == 1:
            return fitting[0]
        if not fitting:
            warn(f"`{visible(answer)}` is not offered. ? tells why, help what you can type.")
            self._why(answer, only_named=True)
            return None
        self._list(options, fitting)
        return None

    def _list(self, options: list[Option], fitting: list[Option] | None = None) -> None:
        """Numbered, in columns; with the exact names if wanted."""
        chosen = options if fitting is None else fitting
        numbers = {option.text: number for number, option in enumerate(options, 1)}
        edge = len(str(len(options)))
        for head, group in grouped(chosen, self.exact_names):
            shown: list[Text] = []
            for option, words in group[:_LISTED]:
                line = Text.assemble((f"{numbers[option.text]:>{edge}}  ", "bold"), words)
                if self.exact_names:
                    line.append(f"  {visible(option.text)}", "dim")
                shown.append(line)
            if head:
                self.write(f"{head} ...")
            single = not any(" " in words for _, words in group)
            if head and single and len(group) > _RUN and fitting is None:
                said = "  ".join(words for _, words in group[:_LISTED])
                self._print(Padding(Text(said), (0, 0, 0, 2)))
                self.write(f"({len(group)} to choose from: type one of them)")
                continue
            self._print(in_columns(shown, self._columns()))
            if len(group) > _LISTED:
                more = len(group) - _LISTED
                self.write(f"... and {more} more: type some words of the one you want.")

    # ---- showing

    def show_table_of(self, seat: int | None, whole: bool = True) -> None:
        view = self.state.view(seat)
        when = "the end" if view.is_over else f"move {view.moves + 1}"
        title = Text(visible(f"{view.title} · {when}"), "bold")
        offered = cells_offered(self.state, seat) if seat is not None else []
        boards, rest = show_parts(view, self.state.game.program, self._columns(), offered)
        shown = self._rendered(boards), self._rendered(rest)
        changed = None if whole else self._changed(seat, shown)
        self.shown = seat, *shown
        self._print(Rule(title, align="left", style="dim"))
        if changed is None:
            self.write("".join(shown).rstrip("\n") + "\n", drawn=True)
        elif changed:
            self.write("\n".join(changed), drawn=True)
            self._print(Text("(nothing else has changed; `table` shows all)\n", "dim"))

    def _changed(self, seat: int | None, now: tuple[str, str]) -> list[str] | None:
        """What is new of a table that was shown a moment ago; None if it is too much."""
        before = self.shown
        decided = self.state.decision
        if before is None or before[0] != seat or decided is None or decided[0] != seat:
            return None
        if now[0] != before[1] or not now[1]:
            return None
        return changes(before[2], now[1], _FEW)

    def _news(self, seat: int | None) -> bool:
        """What has happened since this seat was asked last, if anything."""
        known = self.seen.get(-1 if seat is None else seat, 0)
        fresh, self.seen[-1 if seat is None else seat] = log_lines(self.state, seat, known)
        if fresh and not self.quiet:
            most = max(8, min(20, shutil.get_terminal_size().lines // 2 - 4))
            if len(fresh) > most:  # then who passed is no news
                fresh = [line for line in fresh if not line.endswith(": pass")]
            if len(fresh) > most + 2:
                warn(f"... {len(fresh) - most} lines before; `log` shows all")
                fresh = fresh[-most:]
            styles = self._styles(seat)
            for line in fresh:
                self._print(log_line("  ", line, styles))
        return bool(fresh) and not self.quiet

    def _styles(self, seat: int | None) -> list[str]:
        return People(self.state.view(seat), self.state.game.program).styles

    def _print(self, what: RenderableType) -> None:
        self.write(self._rendered(what), end="", drawn=True)

    def _rendered(self, what: RenderableType) -> str:
        from io import StringIO

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
        console.print(what)
        return "\n".join(line.rstrip() for line in text.getvalue().split("\n"))

    def _columns(self) -> int:
        return max(40, min(shutil.get_terminal_size().columns, 140))

    def _only_human(self) -> int | None:
        return next(iter(self.humans)) if len(self.humans) == 1 else None

    def _has_secrets(self) -> bool:
        layout = self.state.game.program.layout
        return any(kind.known >= 0 for kind in layout.kinds) or any(
            variable.secret for variable in layout.variables
        )

    def _pass_the_keyboard(self, seat: int) -> None:
        if self.stdin.isatty():
            warn("\n" * 60, end="")
            name = seat_name(seat)
            warn(f"It is {name}'s turn. Press Enter when only {name} can see this.", "")
            self.stdin.readline(_LINE)

    # ---- commands

    def _help(self, seat: int, rest: str) -> None:
        warn(HELP, end="")

    def _ask_why(self, seat: int, rest: str) -> None:
        self._why(rest.strip() or None)

    def _why(self, text: str | None, only_named: bool = False) -> None:
        seat = self.last_human
        assert seat is not None
        if only_named:
            assert text is not None
            menu_names = {a.name for a in self.state.game.program.actions}
            if text.partition("(")[0].strip() not in menu_names:
                return
        elif text is not None and text.strip().casefold() == "undo":
            text = None
        for line in self.state.why_not(seat, text):
            self._print(log_line("  ", visible(line), ()))

    def _undo(self, seat: int, rest: str) -> None:
        if self.recorder is not None:
            warn("This game is being recorded, and what is recorded stays.")
            return
        found = taken_back(self.state, seat, self.humans)
        if isinstance(found, str):
            warn(found)
            return
        self.state = found
        warn("Taken back.")
        self.seen[seat] = min(self.seen.get(seat, 0), log_lines(self.state, seat)[1])

    def _table_again(self, seat: int, rest: str) -> None:
        self.show_table_of(seat)
        self._list(self.state.options(seat))

    def _log(self, seat: int, rest: str) -> None:
        lines = log_lines(self.state, seat)[0]
        wanted = read_count(rest.strip())
        first = 0 if wanted is None else max(0, len(lines) - wanted)
        styles = self._styles(seat)
        for number, line in enumerate(lines[first:], first + 1):
            self._print(log_line(f"{number:4}  ", line, styles))

    def _skip(self, seat: int, rest: str) -> None:
        options = self.state.options(seat)
        found = self._passing(seat)
        if found is None:
            warn("Here you have to choose; nothing can be passed.")
            return
        match rest.strip().casefold():
            case "all":
                self.skipping[seat] = Skip()
            case "phase":
                self.skipping[seat] = Skip(phase=self._phase())
            case "":
                self.skipping[seat] = Skip(options=frozenset(o.text for o in options))
            case _:
                warn("skip, skip phase or skip all; help tells what they do.")
                return
        self._take(found, seat)

    def _hint(self, seat: int, rest: str) -> None:
        from interpreter.cli.seated import hint_lines

        for line in hint_lines(self.state, seat):
            self._print(Text(visible(line)))

    def _look(self, seat: int, rest: str) -> None:
        """What is printed on a card. Everybody may know what cards there are."""
        from interpreter.model.declare import declare
        from interpreter.model.listing import describe_rows
        from interpreter.report.problem import Problems

        game = self.state.game
        if game.rules is not None and self.ruleset is None:
            declarations, data = game.rules.declarations, game.rules.data
            self.ruleset = declare(declarations, data, game.players, game.options, Problems())
        found = [] if self.ruleset is None else describe_rows(self.ruleset, rest)
        for line in found[:20]:
            self._print(Padding(Text(visible(line)), (0, 0, 0, 2)))
        if not found:
            warn("Nothing is called that." if rest else "Say what: look WORDS")

    def _exact(self, seat: int, rest: str) -> None:
        self.exact_names = not self.exact_names
        self._list(self.state.options(seat))

    def _save(self, seat: int, rest: str) -> None:
        from interpreter.record import RecordError

        if not rest.strip():
            warn("Say where to: save FILE")
            return
        try:
            save_record(self.state, rest.strip())
        except RecordError as error:
            warn(visible(error.problem.message))
            return
        warn(f"Saved. Go on with: rulerun {rules_name(self.state)} --resume {rest.strip()}")

    def _quit(self, seat: int, rest: str) -> None:
        self._leave()

    def _leave(self) -> None:
        self.left = True


_COMMANDS: dict[str, Callable[[Session, int, str], None]] = {
    "help": Session._help,
    "h": Session._help,
    "?": Session._ask_why,
    "skip": Session._skip,
    "undo": Session._undo,
    "u": Session._undo,
    "table": Session._table_again,
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

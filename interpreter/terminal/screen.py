"""The table on a screen of so many lines: what matters most in full, of the rest the beginning.

The sections of a table always stand in the same order. Where there is not room for all of them,
each gets its least, and what is left goes to them by rank: the boards, what lies before oneself,
the numbers, what belongs to everybody, the others. `table NAME` shows one of them whole.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from io import StringIO

from rich.console import Console, Group, RenderableType
from rich.text import Text

from interpreter.model.seats import seat_name
from interpreter.program.program import Program
from interpreter.terminal.boards import CUT, LEAST
from interpreter.terminal.seen import Seen
from interpreter.terminal.table import COMMON, NUMBERS, Drawn
from interpreter.view.view import View

BOARD = "board"
_PART = 7  # lines of a board that are shown in any case
_OWN = 4  # and of what lies before oneself


@dataclass(frozen=True, slots=True)
class Section:
    name: str
    rank: int  # those with less are given room first
    least: int
    whole: list[Text]
    draw: Callable[[int], list[Text]]  # on at most so many lines

    @property
    def dense(self) -> list[Text]:
        """Without empty lines."""
        return [line for line in self.whole if line.plain.strip()]


def lines_of(what: RenderableType, columns: int) -> list[Text]:
    """What would be printed, line by line, with its styles."""
    console = Console(
        file=StringIO(), width=columns, color_system="truecolor", force_terminal=True,
        highlight=False, markup=False, emoji=False, legacy_windows=False,
    )  # fmt: skip
    found: list[Text] = []
    for segments in console.render_lines(what, pad=False):
        line = Text(no_wrap=True)
        for segment in segments:
            line.append(segment.text, segment.style)
        line.rstrip()
        found.append(line)
    return found


def sections_of(
    view: View, program: Program, columns: int, offered: Iterable[tuple[str, int]] = ()
) -> list[Section]:
    seen, offered = Seen(view, program), list(offered)

    def boards(rows: int | None, brief: bool = False) -> list[Text]:
        drawn = Drawn(seen, columns, offered)
        return _trimmed(lines_of(Group(*drawn.common_boards(rows, brief)), columns))

    drawn = Drawn(seen, columns, offered)
    found: list[Section] = []
    if drawn.boards.of(None):
        whole = boards(None)
        drawn.common_boards()  # it is known after that what stands beside a board

        def shrunk(rows: int) -> list[Text]:
            dense = [line for line in whole if line.plain.strip()]
            if len(dense) <= rows:
                return dense
            for brief in (False, True):
                for most in range(rows, LEAST - 1, -1):  # legends take some lines, too
                    lines = [line for line in boards(most, brief) if line.plain.strip()]
                    if len(lines) <= rows and (brief or not _is_cut(lines)):
                        return lines
            return whole[:rows]

        found.append(Section(BOARD, 0, min(len(whole), _PART), whole, shrunk))
    own = None if view.seat is None else seat_name(view.seat)
    for name, parts in drawn.sections():
        lines = _trimmed(lines_of(Group(*parts), columns))
        rank = {own: 1, NUMBERS: 2, COMMON: 3}.get(name, 4)
        least = min(len(lines), {own: _OWN, NUMBERS: view.players + 1}.get(name, 1))
        found.append(Section(name, rank, least, lines, _beginning(name, lines, columns)))
    return found


def _beginning(name: str, whole: list[Text], columns: int) -> Callable[[int], list[Text]]:
    lines = [line for line in whole if line.plain.strip()]

    def draw(rows: int) -> list[Text]:
        if len(lines) <= rows:
            return lines
        lines_left = len(lines) - rows
        note = Text(f"   (and {lines_left} more: table {name.casefold()})", "dim")
        shown = lines[:rows]
        if shown:  # at the end of a line, where there is room
            shown[-1] = shown[-1].copy()
            shown[-1].truncate(columns - note.cell_len, overflow="ellipsis")
            shown[-1].append_text(note)
        return shown

    return draw


def _trimmed(lines: list[Text]) -> list[Text]:
    while lines and not lines[-1].plain.strip():
        lines = lines[:-1]
    return lines


def scrolled(sections: list[Section], rows: int, columns: int) -> list[Text]:
    """The table for a window of so many lines that scrolls: first what fits into it, and if that
    is not all, all of it after that."""
    whole = fitted(sections, None)
    if len(whole) <= rows:
        return whole
    first = fitted(sections, rows)
    line = Text(f"{' all of the table ':─^{columns}}", "dim")
    return [*first, *(Text() for _ in range(rows - len(first))), line, *whole]


def fitted(sections: list[Section], rows: int | None) -> list[Text]:
    """The sections on so many lines; without a number, all of them whole."""
    if rows is None:
        return _joined([section.whole for section in sections], apart=True)
    if sum(len(section.whole) for section in sections) + len(sections) - 1 <= rows:
        return _joined([section.whole for section in sections], apart=True)
    given = {section.name: section.least for section in sections}
    left = rows - sum(given.values())
    for section in sorted(sections, key=lambda each: -each.rank):  # a very small window
        less = min(max(-left, 0), given[section.name])
        given[section.name] -= less
        left += less
    drawn: dict[str, list[Text]] = {}
    for section in sorted(sections, key=lambda each: each.rank):
        least = given[section.name]
        drawn[section.name] = section.draw(least + min(left, len(section.dense) - section.least))
        left -= len(drawn[section.name]) - least  # a board may take less room than it was given
    parts = [drawn[section.name] for section in sections]
    apart = sum(map(len, parts)) + len(parts) - 1 <= rows
    return _joined(parts, apart)


def _is_cut(lines: list[Text]) -> bool:
    """Whether a part of a board is missing."""
    return any(line.plain.lstrip().startswith(CUT) for line in lines)


def _joined(parts: list[list[Text]], apart: bool) -> list[Text]:
    found: list[Text] = []
    for part in parts:
        if found and apart and part:
            found.append(Text())
        found += part
    return found

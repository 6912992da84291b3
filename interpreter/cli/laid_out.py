"""How options and lines of the log are laid out at a terminal, and which option is meant."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.console import Group
from rich.table import Table
from rich.text import Text

from interpreter.model.seats import seat_name
from interpreter.play.words import entry_action
from interpreter.program.layout import MENU
from interpreter.report.visible import visible
from interpreter.report.whole import read_count

if TYPE_CHECKING:
    from interpreter.embedding import Option, State

_MANY = 12  # options of one action: then their common words are told once


def word_list(option: Option) -> set[str]:
    signs = "".join(c if c.isalnum() else " " for c in f"{option.words} {option.text}".casefold())
    return set(signs.split())


def grouped(options: list[Option], exact: bool) -> list[tuple[str, list[tuple[Option, str]]]]:
    """Many options that begin alike are listed under their common words."""
    groups: dict[str, list[Option]] = {}
    for option in options:
        groups.setdefault(option.text.partition("(")[0], []).append(option)
    found: list[tuple[str, list[tuple[Option, str]]]] = []
    for group in groups.values():
        words = [visible(option.words or option.text) for option in group]
        head = ""
        if len(group) > _MANY and not exact:
            head = _common_words(words)
            words = [each[len(head) :].strip() for each in words]
        pairs = list(zip(group, words, strict=True))
        if head or not found or found[-1][0]:
            found.append((head, pairs))
        else:
            found[-1][1].extend(pairs)
    return found


def _common_words(texts: list[str]) -> str:
    common: list[str] = []
    for same in zip(*(text.split(" ")[:-1] for text in texts), strict=False):
        if len(set(same)) > 1:
            break
        common.append(same[0])
    return " ".join(common)


def in_columns(items: list[Text], columns: int) -> Group:
    """Down the first column, then the next, all of one width."""
    size = max((item.cell_len for item in items), default=0) + 3
    across = max(1, columns // size)
    down = -(-len(items) // across)
    lines: list[Text] = []
    for row in range(down):
        line = Text()
        for item in items[row::down]:
            line.append_text(item)
            line.append(" " * (size - item.cell_len))
        lines.append(line)
    return Group(*lines)


def log_line(edge: str, line: str, styles: Sequence[str]) -> Table:
    """A line of the log, in the colours of the players; what is too long goes on indented."""
    text = Text(line)
    for seat, style in enumerate(styles):
        text.highlight_regex(rf"\b{seat_name(seat)}\b", style)
    table = Table.grid(padding=0)
    table.add_column(no_wrap=True)
    table.add_column()
    table.add_row(edge, text)
    return table


def is_option(options: list[Option], answer: str) -> bool:
    """A number, or exactly what an option says: then it is no command."""
    wanted = answer.casefold()
    return read_count(answer) is not None or any(
        wanted in (option.text.casefold(), option.words.casefold()) for option in options
    )


def changes(before: str, after: str, most: int) -> list[str] | None:
    """The lines of a text that are new, each with the head of its block; None if it is too
    much. Blocks are parted by empty lines; an indented first line is a head."""
    known = before.split("\n")
    if abs(len(known) - len(after.split("\n"))) > 1:
        return None
    found: list[str] = []
    count = 0
    for block in after.split("\n\n"):
        lines = block.split("\n")
        fresh = [line for line in lines if line not in known]
        count += len(fresh)
        if fresh and lines[0] not in fresh and lines[0][:1] in " >":
            found.append(lines[0])
        found += fresh
    return found if count <= most else None


def cells_offered(state: State, seat: int) -> list[tuple[str, int]]:
    """The cells that a seat's options lead to: of each option the last that it names."""
    if seat not in state.seats_to_act:
        return []
    program = state.game.program
    menu = state.seen_by_chooser(seat)[MENU]
    found: dict[tuple[str, int], None] = {}
    for choice in state.choices(seat).values():
        params = entry_action(program, menu, choice).params
        cells = [
            (param.type.name, value)
            for param, value in zip(params, choice[1:], strict=False)
            if param.type.sort == "board" and value >= 0
        ]
        found.update(dict.fromkeys(cells[-1:]))
    return list(found)

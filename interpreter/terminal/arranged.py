"""Lists and pairs on the lines of a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.table import Table
from rich.text import Text

APART = " | "  # between things whose names have commas and semicolons


def pairs(rows: Sequence[tuple[Text, Text]], columns: int) -> Table:
    """Names and what they stand for, side by side."""
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(no_wrap=True)
    table.add_column()
    room = columns - 4 - max(name.cell_len for name, _ in rows)
    for name, value in rows:
        table.add_row(name, between_items(value, room))
    return table


def between_items(text: Text, columns: int) -> Text:
    """A list on several lines that break between its items."""
    separator = next((each for each in (APART, "; ") if each in text.plain), ", ")
    lines = [Text()]
    for item in text.split(separator, include_separator=True, allow_blank=False):
        if lines[-1].plain and lines[-1].cell_len + len(item.plain.rstrip()) > columns:
            lines[-1].rstrip()
            lines.append(Text())
        lines[-1].append_text(item)
    return Text("\n").join(lines)


def listed(items: Sequence[str]) -> Text:
    """Parted by what is not in them."""
    within = "".join(items)
    return Text((APART if ";" in within else "; " if "," in within else ", ").join(items))


def flow(items: Iterable[Text], columns: int, apart: str = "   ") -> list[Text]:
    """One after the other, as many on a line as fit."""
    lines = [Text()]
    for item in items:
        if lines[-1].plain and lines[-1].cell_len + len(apart) + item.cell_len > columns:
            lines.append(Text())
        lines[-1].append(apart if lines[-1].plain else "")
        lines[-1].append_text(item)
    return lines

"""How options and lines of the log are laid out at a terminal."""

from __future__ import annotations

from collections.abc import Sequence

from rich.table import Table
from rich.text import Text

from interpreter.model.seats import seat_name
from interpreter.report.visible import visible
from interpreter.terminal.arranged import flow
from interpreter.terminal.choices import Choice

_MANY = 12  # options of one action: then their common words are told once
_RUN = 40  # options in one word of many: then they are named without their numbers
Worded = tuple[Choice, str]  # an option, and those of its words that are told
_ALIKE = 3  # options that differ in one word only and share a line


def option_pages(
    choices: Sequence[Choice], columns: int, rows: int | None, exact: bool = False
) -> list[list[Text]]:
    """The options, with what is typed for each, on pages of so many lines. They are listed one by
    one; where that takes too many lines, those that differ in one word only share a line."""
    lines = _one_by_one(choices, columns, exact)
    if rows is None or len(lines) <= rows:
        return [lines]
    if not exact:
        shorter = _by_what_differs(choices, columns)
        lines = shorter if len(shorter) < len(lines) else lines
    if len(lines) <= rows:
        return [lines]
    each = max(1, rows - 1)  # one line says that there is more
    return [lines[first : first + each] for first in range(0, len(lines), each)]


def _typed(choice: Choice, edge: int) -> Text:
    return Text(f"{choice.typed:>{edge}}  ", "bold")


def _edge(choices: Sequence[Choice]) -> int:
    return max((len(choice.typed) for choice in choices), default=1)


def _one_by_one(choices: Sequence[Choice], columns: int, exact: bool) -> list[Text]:
    edge = _edge(choices)
    lines: list[Text] = []
    for head, group in _grouped(choices, exact):
        if head:
            lines.append(Text(f"{head} ..."))
        if head and len(group) > _RUN and not any(" " in words for _, words in group):
            lines += [Text("  ") + line for line in _named([w for _, w in group], columns - 2)]
            continue
        shown: list[Text] = []
        for choice, words in group:
            line = _typed(choice, edge) + Text(words)
            if exact:
                line.append(f"  {visible(choice.option.text)}", "dim")
            shown.append(line)
        lines += in_columns(shown, columns)
    return lines


def _grouped(choices: Sequence[Choice], exact: bool) -> list[tuple[str, list[tuple[Choice, str]]]]:
    """Many options that begin alike are listed under their common words."""
    groups: dict[str, list[Choice]] = {}
    for choice in choices:
        groups.setdefault(choice.action, []).append(choice)
    found: list[tuple[str, list[Worded]]] = []
    for group in groups.values():
        words = [choice.words for choice in group]
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


def _by_what_differs(choices: Sequence[Choice], columns: int) -> list[Text]:
    """`go to ...: 3 left  4 right`."""
    edge = _edge(choices)
    lines: list[Text] = []
    for head, group in _grouped(choices, False):
        if head:
            lines.append(Text(f"{head} ..."))
        single: list[Text] = []
        for run, place in _runs(group):
            if len(run) < _ALIKE:
                single += [_typed(choice, edge) + Text(words) for choice, words in run]
                continue
            lines += in_columns(single, columns)
            single = []
            lines += _run_lines(run, place, columns)
        lines += in_columns(single, columns)
    return lines


def _run_lines(run: list[Worded], place: int, columns: int) -> list[Text]:
    words = run[0][1].split(" ")
    said = " ".join([*words[:place], "...", *words[place + 1 :]])
    head = Text("" if said == "..." else f"{said}:  ")
    ways = [said.split(" ")[place].strip(",.;:()") for _, said in run]
    if len(run) > _RUN and len(set(ways)) == len(ways):
        rest = _named(ways, columns - 4)
    else:
        items = [
            Text(way, "bold")
            if choice.typed in way
            else Text.assemble((choice.typed, "bold"), f" {way}")
            for (choice, _), way in zip(run, ways, strict=True)
        ]
        rest = flow(items, columns - 4, "  ")
    if len(rest) == 1 and head.cell_len + rest[0].cell_len <= columns:
        return [head + rest[0]]
    return [*([head] if head.plain else []), *(Text("    ") + line for line in rest)]


def _runs(group: Sequence[Worded]) -> list[tuple[list[Worded], int]]:
    """Options one after the other that differ in the same one word, and which word that is."""
    found: list[tuple[list[Worded], int]] = []
    for choice, words in group:
        if found:
            run, place = found[-1]
            differs = _differs(run[0][1].split(" "), words.split(" "))
            same = run[0][0].action == choice.action and (len(run) == 1 or place == differs)
            if same and differs is not None:
                found[-1] = ([*run, (choice, words)], differs)
                continue
        found.append(([(choice, words)], 0))
    return found


def _differs(one: list[str], two: list[str]) -> int | None:
    """The only word in which two texts differ."""
    places = [n for n, (a, b) in enumerate(zip(one, two, strict=False)) if a != b]
    return places[0] if len(one) == len(two) and len(places) == 1 else None


def _named(words: list[str], columns: int) -> list[Text]:
    """Options that are typed by their one word, as many on a line as fit."""
    lines = flow([Text(word, "bold") for word in words], columns)
    return [*lines, Text(f"({len(words)} to choose from: type one of them)", "dim")]


def in_columns(items: list[Text], columns: int) -> list[Text]:
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
        line.rstrip()
        lines.append(line)
    return lines


def log_line(edge: str, line: str, styles: Sequence[str]) -> Table:
    """A line of the log, in the colours of the players; what is too long goes on indented."""
    table = Table.grid(padding=0)
    table.add_column(no_wrap=True)
    table.add_column()
    table.add_row(edge, coloured(line, styles))
    return table


def coloured(line: str, styles: Sequence[str]) -> Text:
    text = Text(line)
    for seat, style in enumerate(styles):
        text.highlight_regex(rf"\b{seat_name(seat)}\b", style)
    return text


def cells_offered(choices: Sequence[Choice]) -> list[tuple[str, int]]:
    """The cells that options lead to: of each option the last that it names."""
    return list(dict.fromkeys(choice.cells[-1] for choice in choices if choice.cells))

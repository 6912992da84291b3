"""Boards drawn as text: squares with files and ranks, hexagons in shifted rows, tracks, networks.

A cell is a list of signs with styles. An empty cell shows a dot where the edge of the board
tells its name, and otherwise its name.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from rich.style import Style
from rich.text import Text

from interpreter.program.program import BoardWords
from interpreter.report.visible import visible, width
from interpreter.terminal.symbols import ARROWS

EMPTY = "·"
OFFERED = "+"
CELL = "cell"  # what is drawn of a cell carries its board and its number under this name
CUT = "(more lines:"  # how the line begins that says so
NAME_STYLE = "dim"
LEAST = 5  # lines, with less of which no part of a board is worth showing
_FOLDS = 4  # parts a board may be folded into
_CHESS = re.compile(r"([a-z]+)([0-9]+)")
_POINTED = "".join(ARROWS.values())


@dataclass(frozen=True, slots=True)
class Sign:
    text: str
    style: str = ""
    ground: bool = False  # what a cell is, not what stands on it
    stands: bool = False  # somebody or something that can go elsewhere


Cells = Mapping[int, Sequence[Sign]]
Wall = tuple[int, str]  # a cell, and the side of it
WALL = "│"
_ACROSS, _CROSSED = "─", "┼"
SIDES = ("north", "east", "south", "west")


def draw_board(
    board: BoardWords, cells: Cells, columns: int, walls: Collection[Wall] = ()
) -> list[Text]:
    """The lines of a board that is at most so many columns wide; if it does not fit, its
    cells are listed."""
    match board.shape:
        case "square":
            lines = _square(board, cells, walls)
        case "hex":
            lines = _hex(board, cells)
        case "line" | "ring":
            return _track(board, cells, columns)
        case _:
            return _listed(board, cells, columns)
    if any(line.cell_len > columns for line in lines):
        return _listed(board, cells, columns)
    return lines


def within(board: BoardWords, lines: list[Text], columns: int, rows: int) -> list[Text]:
    """A board on at most so many lines: folded, the lower part to the right, if it is so narrow;
    else only what is around where something can be done, with a line that says so."""
    if len(lines) <= rows or rows < LEAST:
        return lines if len(lines) <= rows else []
    foot = lines[-1:] if board.shape == "square" and _chess_names(board) is not None else []
    body = lines[: len(lines) - len(foot)]
    for parts in range(2, _FOLDS + 1):
        tall = -(-len(body) // parts)
        wide = max(line.cell_len for line in lines) + 3
        fits = tall + len(foot) <= rows and wide * parts - 3 <= columns
        if foot and fits:
            strips = [body[first : first + tall] for first in range(0, len(body), tall)]
            return _side_by_side([strip + foot for strip in strips], wide)
    unit = 2 if board.shape in ("square", "hex") and not _are_chess(board) else 1
    room = (rows - len(foot) - 1) // unit * unit  # names and what stands below them stay together
    weights = [
        sum("bold" in str(s.style) or "underline" in str(s.style) for s in line.spans)
        for line in body
    ]
    starts = range(0, len(body) - room + 1, unit)
    first = max(starts, key=lambda start: (sum(weights[start : start + room]), -start))
    above, below = first, len(body) - first - room
    told = " and ".join(
        f"{count} {where}" for count, where in ((above, "above"), (below, "below")) if count
    )
    note = Text(f"{CUT} {told}; `table board` shows all)", NAME_STYLE)
    return [*body[first : first + room], *foot, note]


def _are_chess(board: BoardWords) -> bool:
    return all(_CHESS.fullmatch(name) for name in board.cells)


def _stands_out(style: str) -> bool:
    """Whether somebody stands there, or something can be chosen."""
    return "bold" in style or "underline" in style


def _side_by_side(strips: list[list[Text]], wide: int) -> list[Text]:
    tall = max(len(strip) for strip in strips)
    lines: list[Text] = []
    for row in range(tall):
        line = Text()
        for number, strip in enumerate(strips):
            # The last strip may be shorter; its foot stands level with the others.
            at = row - (tall - len(strip))
            line.append(" " * (number * wide - line.cell_len))
            line = line + (strip[at] if at >= 0 else Text())
        lines.append(line)
    return lines


def mark_offered(board: BoardWords, cells: dict[int, list[Sign]], offered: Iterable[int]) -> bool:
    """Show where something may be chosen: cells that tell their names when they are empty do so
    even if there is a sign for their ground; else what lies there is underlined. Whether an empty
    cell was marked."""
    marked = False
    names = _names(board)
    named = board.shape == "hex" and _are_chess(board)
    for cell in offered:
        signs = cells.get(cell, [])
        if named and all(sign.ground for sign in signs):
            style = signs[0].style if signs else ""
            cells[cell] = [Sign(names[cell], f"bold underline {style}".strip(), True)]
        elif signs:
            cells[cell] = [replace(each, style=f"underline {each.style}".strip()) for each in signs]
        else:
            marked = True
            cells[cell] = [Sign(OFFERED, "bold")]
    return marked


def _names(board: BoardWords) -> list[str]:
    """As they are printed on the board."""
    return [visible(name) for name in board.labels or board.cells]


def _content(board: BoardWords, cells: Cells, cell: int, empty: str) -> Text:
    """What a cell shows. It carries which cell it is, for whoever points at it."""
    text = Text()
    before = ""
    for sign in cells.get(cell, ()):
        apart = (bool(before) and sign.stands) or _need_parting(before, sign.text)
        text.append("/" if apart else "")
        text.append(sign.text, sign.style)
        before = sign.text
    if not text.plain:
        text.append(empty, NAME_STYLE)
    text.stylize(Style(meta={CELL: (board.name, cell)}))
    return text


def _need_parting(one: str, two: str) -> bool:
    """Whether two signs side by side would read as one."""
    if not one or one.isdigit() or two.isdigit():
        return False
    return any(len(each.rstrip(_POINTED)) > 1 for each in (one, two))


def _widest(board: BoardWords, cells: Cells, empty: Sequence[str]) -> int:
    return max(
        (_content(board, cells, n, empty[n]).cell_len for n in range(len(board.cells))), default=1
    )


def _pad(text: Text, size: int) -> Text:
    """Centred, a little to the left if it cannot be exact."""
    space = max(0, size - text.cell_len)
    return Text(" " * (space // 2)) + text + Text(" " * (space - space // 2))


def _chess_names(board: BoardWords) -> tuple[dict[int, str], dict[int, str]] | None:
    """The letter of each file and the number of each rank, if cells are named that way."""
    files: dict[int, str] = {}
    ranks: dict[int, str] = {}
    for name, (x, y) in zip(board.cells, board.coordinates, strict=True):
        match = _CHESS.fullmatch(name)
        if match is None:
            return None
        if files.setdefault(x, match[1]) != match[1] or ranks.setdefault(y, match[2]) != match[2]:
            return None
    return files, ranks


def has_sides(board: BoardWords) -> bool:
    """Whether walls can be drawn between its cells."""
    return board.shape == "square" and _chess_names(board) is not None


def _square(board: BoardWords, cells: Cells, walls: Collection[Wall]) -> list[Text]:
    at = {place: number for number, place in enumerate(board.coordinates)}
    xs = range(min(x for x, _ in at), max(x for x, _ in at) + 1)
    ys = range(min(y for _, y in at), max(y for _, y in at) + 1)
    chess = _chess_names(board)
    if chess is None:
        rows = [[(x - xs[0], at[x, y]) for x in xs if (x, y) in at] for y in ys]
        return _named_rows(board, cells, rows, 2)
    files, ranks = chess
    dots = [EMPTY] * len(board.cells)
    size = max([_widest(board, cells, dots), *(len(name) for name in files.values())])
    edge = max(len(rank) for rank in ranks.values())
    closed = _closed(board, walls)
    lines: list[Text] = []
    for y in ys:
        if across := _walls_above(xs, y, closed, size):
            lines.append(Text(" " * (edge + 1) + across))
        line = Text.assemble((f"{ranks.get(y, ''):>{edge}} ", NAME_STYLE))
        for x in xs:
            number = at.get((x, y))
            content = Text("") if number is None else _content(board, cells, number, EMPTY)
            line = line + Text(WALL if (x, y, "west") in closed else " ") + _pad(content, size)
        line.append(WALL if (xs[-1] + 1, y, "west") in closed else "")
        line.rstrip()
        lines.append(line)
    if across := _walls_above(xs, ys[-1] + 1, closed, size):
        lines.append(Text(" " * (edge + 1) + across))
    letters = "".join(f" {files.get(x, ''):^{size}}" for x in xs)
    lines.append(Text((" " * (edge + 1) + letters).rstrip(), NAME_STYLE))
    return lines


def _closed(board: BoardWords, walls: Collection[Wall]) -> set[tuple[int, int, str]]:
    """Every wall as one on the west or the north of what lies there, seen from either side."""
    found: set[tuple[int, int, str]] = set()
    for cell, side in walls:
        x, y = board.coordinates[cell]
        match side:
            case "east":
                found.add((x + 1, y, "west"))
            case "south":
                found.add((x, y + 1, "north"))
            case _:
                found.add((x, y, side))
    return found


def _walls_above(xs: range, y: int, closed: set[tuple[int, int, str]], size: int) -> str:
    """The line between two rows, empty if no wall lies there. Walls that touch are joined."""
    if not any((x, y, "north") in closed for x in xs):
        return ""
    line = ""
    for x in range(xs[0], xs[-1] + 2):
        flat = (x - 1, y, "north") in closed and (x, y, "north") in closed
        upright = (x, y - 1, "west") in closed and (x, y, "west") in closed
        line += _CROSSED if flat and upright else _ACROSS if flat else WALL if upright else " "
        line += (_ACROSS if (x, y, "north") in closed else " ") * size
    return line.rstrip()


def _hex(board: BoardWords, cells: Cells) -> list[Text]:
    """Each row is half a cell further right than the one above, as pointy hexagons lie."""
    at = {place: number for number, place in enumerate(board.coordinates)}
    left = min(2 * q + r for q, r in at)
    rows = [
        [(2 * q + r - left, at[q, r]) for q in range(min(at)[0], max(at)[0] + 1) if (q, r) in at]
        for r in range(min(r for _, r in at), max(r for _, r in at) + 1)
    ]
    if not _are_chess(board):
        return _named_rows(board, cells, rows, 1)
    # The neighbours' names tell that of an occupied cell.
    names = _names(board)
    size = max(_widest(board, cells, names), *(width(name) for name in names))
    return [_shifted(row, size, lambda n: _content(board, cells, n, names[n])) for row in rows]


def _named_rows(
    board: BoardWords, cells: Cells, rows: list[list[tuple[int, int]]], unit: int
) -> list[Text]:
    """Cells with names of their own: the name above, what lies there below it."""
    names = _names(board)
    dots = [EMPTY] * len(names)
    size = max(_widest(board, cells, dots), *(width(name) for name in names))
    lines: list[Text] = []
    for row in rows:
        wide = [(column * unit, number) for column, number in row]
        lines.append(_shifted(wide, size, lambda n: Text(names[n], NAME_STYLE)))
        lines.append(_shifted(wide, size, lambda n: _content(board, cells, n, EMPTY)))
    return lines


def _shifted(row: list[tuple[int, int]], size: int, cell: Callable[[int], Text]) -> Text:
    """Cells at columns that count in halves of a cell."""
    stride = size + 1 + (size + 1) % 2  # even, so that half of it is exact
    line = Text()
    for column, number in row:
        line.append(" " * (column * stride // 2 - line.cell_len))
        line = line + _pad(cell(number), size)
    line.rstrip()
    return line


def _track(board: BoardWords, cells: Cells, columns: int) -> list[Text]:
    names = _names(board)
    dots = [EMPTY] * len(names)
    size = max(_widest(board, cells, dots), *(width(name) for name in names))
    each = max(1, (columns - 4) // (size + 1))
    lines: list[Text] = []
    for start in range(0, len(names), each):
        numbers = range(start, min(start + each, len(names)))
        head = Text(" ".join(f"{names[n]:^{size}}" for n in numbers).rstrip(), NAME_STYLE)
        row = Text()
        for n in numbers:
            row = row + _pad(_content(board, cells, n, EMPTY), size) + Text(" ")
        row.rstrip()
        if board.shape == "ring" and numbers[-1] == len(names) - 1:
            row = row + Text(f"  (then {names[0]} again)", NAME_STYLE)
        lines += [head, row]
    return lines


def _listed(board: BoardWords, cells: Cells, columns: int) -> list[Text]:
    """Cell by cell: what is not empty, then the names of what is."""
    names = _names(board)
    lines: list[Text] = []
    line = Text()
    for number, name in enumerate(names):
        if not cells.get(number):
            continue
        item = Text.assemble((f"{name} ", NAME_STYLE), _content(board, cells, number, ""))
        if line.plain and line.cell_len + 3 + item.cell_len > columns:
            lines.append(line)
            line = Text()
        line = line + Text("   " if line.plain else "") + item
    if line.plain:
        lines.append(line)
    empty = [name for n, name in enumerate(names) if not cells.get(n)]
    if empty:
        shown = Text(f"empty: {', '.join(empty)}", NAME_STYLE)
        lines += _wrapped(shown, columns)
    return lines


def _wrapped(text: Text, columns: int) -> list[Text]:
    import textwrap

    return [Text(part, NAME_STYLE) for part in textwrap.wrap(text.plain, max(20, columns))][:6]

"""Charts that tell amounts by how strong a colour is: boards, tiles, and things by settings. The
amount is written wherever there is room, so that nobody has to go by the colour alone."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from interpreter.lab.findings import Board, Cell
from interpreter.lab.pages.colours import STEPS, balance_of, step_of
from interpreter.lab.pages.drawing import (
    SMALL,
    WIDTH,
    Drawing,
    fitted,
    rect,
    shape,
    text,
    text_width,
    wrapped,
)
from interpreter.lab.pages.markup import Markup, el, join

_LEGEND = 34.0
_ROOT = math.sqrt(3) / 2


@dataclass(frozen=True, slots=True)
class Heat:
    """How much of something there is. None: it could not be, and is left empty."""

    label: str
    part: float | None  # of the most there is, 0 to 1; of tiles, from -1 to 1 around the usual
    told: str  # in it, if there is room
    hint: str


def board(plan: Board, heats: dict[str, Heat], ends: tuple[str, str], told: str) -> Drawing:
    """The cells of a board where they lie."""
    xs, ys = [cell.x for cell in plan.cells], [cell.y for cell in plan.cells]
    wide, high = max(xs) - min(xs) + 1, max(ys) - min(ys) + 1
    if plan.shape == "hex":
        high += 2 * (0.5 / _ROOT - 0.5)
    size = min((WIDTH - 8) / wide, 64.0, 620.0 / high)
    left = (WIDTH - size * wide) / 2 + (0.5 - min(xs)) * size
    top = 4 + (0.5 - min(ys)) * size + (size * (0.5 / _ROOT - 0.5) if plan.shape == "hex" else 0)
    parts = [
        _cell(
            plan.shape, cell, heats.get(cell.name), left + cell.x * size, top + cell.y * size, size
        )
        for cell in plan.cells
    ]
    bottom = size * high + 14
    return Drawing(bottom + _LEGEND, join(*parts, _legend(bottom, ends)), told)


def _cell(kind: str, cell: Cell, heat: Heat | None, x: float, y: float, size: float) -> Markup:
    part = heat.part if heat is not None else None
    colour, ink = ("none", "soft") if part is None else _step(part)
    title = el("title", heat.hint if heat is not None else f"{cell.label}: never offered")
    inner = size - max(1.0, size * 0.05)
    return join(
        _outline(
            kind, x, y, inner, f"fill-{colour}" + (" line-line w1" if part is None else ""), title
        ),
        _inside(cell, heat, x, y, size, ink),
    )


def _outline(kind: str, x: float, y: float, size: float, classes: str, title: Markup) -> Markup:
    if kind == "round":
        return el("circle", title, cx=x, cy=y, r=size / 2, class_=classes)
    if kind == "hex":
        radius = size / 2 / _ROOT
        angles = [math.pi / 3 * number + math.pi / 6 for number in range(6)]
        corners = [(x + radius * math.cos(a), y + radius * math.sin(a)) for a in angles]
        points = " ".join(f"{cx:.1f},{cy:.1f}" for cx, cy in corners)
        return el("polygon", title, points=points, class_=classes)
    half = size / 2
    return el("rect", title, x=x - half, y=y - half, width=size, height=size, rx=2, class_=classes)


def _inside(cell: Cell, heat: Heat | None, x: float, y: float, size: float, ink: str) -> Markup:
    """The name of a cell and its amount, as far as they fit."""
    told = heat.told if heat is not None and heat.part is not None else ""
    room = size - 5
    lines = cell.label.split() if size >= 46 else [cell.label]
    name_fits = all(text_width(each, SMALL) <= room for each in lines) and size >= 20
    told_fits = bool(told) and text_width(told, SMALL) <= room and size >= 20
    if name_fits and told_fits and size >= 32 and len(lines) <= 2:
        down = y - 3 - 6.5 * (len(lines) - 1)
        return join(
            *(
                text(x, down + 13 * number, each, anchor="middle", small=True, colour=ink)
                for number, each in enumerate(lines)
            ),
            text(x, down + 13 * len(lines) + 1, told, anchor="middle", small=True, colour=ink,
                 strong=True),
        )  # fmt: skip
    if told_fits and heat is not None:
        return text(x, y + 4, told, anchor="middle", small=True, colour=ink)
    return (
        text(x, y + 4, cell.label, anchor="middle", small=True, colour=ink)
        if name_fits and len(lines) == 1
        else join()
    )


def _step(part: float) -> tuple[str, str]:
    step = step_of(part)
    return f"h{step}", f"on-h{step}"


def _legend(y: float, ends: tuple[str, str]) -> Markup:
    """From little to much."""
    wide = 15.0
    start = text_width(ends[0], SMALL) + 10
    steps = [
        rect(start + number * wide, y + 4, wide, 11, f"fill-h{number}") for number in range(STEPS)
    ]
    return join(
        text(2, y + 14, ends[0], small=True, colour="soft"),
        *steps,
        text(start + STEPS * wide + 8, y + 14, ends[1], small=True, colour="soft"),
    )


def tiles(heats: Sequence[Heat], ends: tuple[str, str], told: str) -> Drawing:
    """Things that lie nowhere, one beside the other: cards, words, rows of tables. What is usual
    is pale, so that what stands out is seen."""
    longest = max(text_width(heat.label, SMALL) for heat in heats)
    columns = 5 if longest < 64 else 4 if longest < 150 else 3
    wide, high = WIDTH / columns, 46.0 if longest < WIDTH / columns - 12 else 60.0
    parts = []
    for number, heat in enumerate(heats):
        x, y = (number % columns) * wide, number // columns * high
        parts.append(_tile(heat, x, y, wide, high))
    bottom = -(-len(heats) // columns) * high + 6
    return Drawing(bottom + _LEGEND, join(*parts, _balance(bottom, ends)), told)


def _tile(heat: Heat, x: float, y: float, wide: float, high: float) -> Markup:
    step = balance_of(heat.part or 0.0, 1.0)
    colour, ink = ("none", "soft") if heat.part is None else (f"d{step}", f"on-d{step}")
    classes = f"fill-{colour} line-line w1"
    lines = wrapped(heat.label, wide - 12, 2 if high > 50 else 1, SMALL)
    told = fitted(heat.told, wide - 10, SMALL)
    return join(
        rect(x + 1, y + 1, wide - 2, high - 3, classes, heat.hint, r=4),
        *(
            text(x + 7, y + 16 + 13.5 * number, each, small=True, colour=ink)
            for number, each in enumerate(lines)
        ),
        text(x + 7, y + high - 9, told, small=True, colour=ink, strong=heat.part is not None),
    )


@dataclass(frozen=True, slots=True)
class Entry:
    """One field of a matrix: a value from -most to most, or an amount."""

    value: float | None
    told: str
    hint: str


def matrix(
    rows: Sequence[tuple[str, Sequence[Entry]]],
    columns: Sequence[tuple[str, ...]],
    heads: Sequence[str],
    balance: bool,
    ends: tuple[str, str],
    told: str,
) -> Drawing:
    """Things by settings. A column is named by a value for each of the heads. With `balance`,
    colours tell more from less than nothing."""
    left = min(140.0, max(text_width(label) for label, _ in rows) + 10)
    wide, high, top = (WIDTH - left) / len(columns), 26.0, 10.0 + 17 * len(heads)
    most = max((abs(e.value) for _, row in rows for e in row if e.value is not None), default=1.0)
    parts = [_heads(columns, heads, left, wide)]
    for number, (label, row) in enumerate(rows):
        y = top + high * number
        parts.append(text(left - 8, y + 17, fitted(label, left - 10), anchor="end"))
        for column, entry in enumerate(row):
            parts.append(_entry(entry, left + wide * column, y, wide, high, most, balance))
    bottom = top + high * len(rows) + 6
    legend = _balance(bottom, ends) if balance else _legend(bottom, ends)
    return Drawing(bottom + _LEGEND, join(*parts, legend), told)


def _heads(
    columns: Sequence[tuple[str, ...]], heads: Sequence[str], left: float, wide: float
) -> Markup:
    parts = []
    for number, head in enumerate(heads):
        y = 16.0 + 17 * number
        parts.append(text(left - 8, y, fitted(head, left - 10, SMALL), anchor="end", small=True,
                          colour="soft"))  # fmt: skip
        parts += [
            text(left + wide * (column + 0.5), y, fitted(values[number], wide - 2, SMALL),
                 anchor="middle", small=True, colour="soft")
            for column, values in enumerate(columns)
        ]  # fmt: skip
    return join(*parts)


def _entry(
    entry: Entry, x: float, y: float, wide: float, high: float, most: float, balance: bool
) -> Markup:
    if entry.value is None:
        return join(
            rect(x + 1, y + 1, wide - 2, high - 2, "fill-none line-line w1", entry.hint, r=2),
            text(x + wide / 2, y + 17, fitted(entry.told, wide - 4, SMALL), anchor="middle",
                 small=True, colour="soft"),
        )  # fmt: skip
    step = balance_of(entry.value, most) if balance else step_of(entry.value / most if most else 0)
    letter = "d" if balance else "h"
    return join(
        rect(x + 1, y + 1, wide - 2, high - 2, f"fill-{letter}{step}", entry.hint, r=2),
        text(x + wide / 2, y + 17, fitted(entry.told, wide - 4, SMALL), anchor="middle",
             small=True, colour=f"on-{letter}{step}"),
    )  # fmt: skip


def _balance(y: float, ends: tuple[str, str]) -> Markup:
    wide = 15.0
    start = text_width(ends[0], SMALL) + 24
    steps = [
        rect(start + number * wide, y + 4, wide, 11, f"fill-d{number}") for number in range(STEPS)
    ]
    return join(
        shape("down", 7, y + 10, 4, "fill-less"),
        text(16, y + 14, ends[0], small=True, colour="soft"),
        *steps,
        text(start + STEPS * wide + 8, y + 14, ends[1], small=True, colour="soft"),
        shape("triangle", start + STEPS * wide + 16 + text_width(ends[1], SMALL), y + 10, 4,
              "fill-more"),
    )  # fmt: skip

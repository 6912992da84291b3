"""Charts with a row for each thing: bars with intervals, boxes, changes around nothing, parts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from interpreter.lab.pages import words
from interpreter.lab.pages.drawing import (
    SMALL,
    WIDTH,
    Drawing,
    Scale,
    fitted,
    line,
    rect,
    shape,
    text,
    text_width,
    ticks,
)
from interpreter.lab.pages.markup import Markup, join

_ROW = 30.0
_FOOT = 26.0


@dataclass(frozen=True, slots=True)
class Bar:
    """A value with its interval, and what is known of how it is spread."""

    label: str
    value: float
    low: float
    high: float
    told: str  # beside it
    quantiles: tuple[float, ...] = ()
    hint: str = ""  # when it is pointed at


@dataclass(frozen=True, slots=True)
class _Frame:
    """Room for labels on the left and for what is told on the right."""

    left: float
    right: float
    top: float
    bottom: float

    @property
    def height(self) -> float:
        return self.bottom + _FOOT


def _frame(rows: Sequence[Bar], top: float, step: float = _ROW) -> _Frame:
    left = min(138.0, max((text_width(row.label) for row in rows), default=0) + 12)
    right = WIDTH - max((text_width(row.told, SMALL) for row in rows), default=0) - 10
    return _Frame(left, right, top, top + step * len(rows))


def _grid(frame: _Frame, scale: Scale, unit: str, whole: bool = False) -> Markup:
    """Thin lines with their values below."""
    room = frame.right - frame.left
    marks = ticks(scale.low, scale.high, max(2, int(room / 55)), whole)
    return join(
        *(
            join(
                line(scale.at(each), frame.top, scale.at(each), frame.bottom, "line-line w1"),
                text(scale.at(each), frame.bottom + 16, _tick(each, unit, marks), anchor="middle",
                     colour="soft", small=True),
            )
            for each in marks
        )
    )  # fmt: skip


def _tick(value: float, unit: str, marks: Sequence[float]) -> str:
    step = marks[1] - marks[0] if len(marks) > 1 else 1
    if unit == "share":
        return words.percent(value, 0 if step >= 0.01 else 1)
    if unit == "change":
        return words.signed(100 * value, 0 if step >= 0.01 else 1)
    digits = 0 if step >= 1 and step == int(step) else 1 if step >= 0.1 else 2
    return words.signed_zero(value, digits)


def _label(frame: _Frame, row: Bar, middle: float) -> Markup:
    told = fitted(row.label, frame.left - 10)
    return join(
        text(frame.left - 8, middle + 4.5, told, anchor="end"),
        text(WIDTH - 2, middle + 4.5, row.told, anchor="end", small=True, colour="soft"),
    )


def bars(rows: Sequence[Bar], fair: float | None, told: str) -> Drawing:
    """Shares with their intervals, and a broken line where they would all be if all were equal."""
    frame = _frame(rows, 24.0 if fair is not None else 8.0)
    most = max([row.high for row in rows] + [fair or 0.0, 0.05])
    scale = Scale(0, min(1.0, most * 1.06), frame.left, frame.right)
    parts = [_grid(frame, scale, "share")]
    for number, row in enumerate(rows):
        middle = frame.top + _ROW * (number + 0.5)
        colour = _leaning(row, fair)
        parts += [
            rect(frame.left, middle - 9, scale.at(row.value) - frame.left, 18,
                 f"fill-{colour}", row.hint or row.told, r=2),
            _interval(scale, row, middle, "line-ink"),
            _label(frame, row, middle),
        ]  # fmt: skip
    if fair is not None:
        at = scale.at(fair)
        parts += [
            line(at, frame.top - 4, at, frame.bottom, "line-ink w1 dash"),
            text(at, frame.top - 9, f"fair is {words.percent(fair)}", anchor="middle", small=True,
                 colour="soft"),
        ]  # fmt: skip
    return Drawing(frame.height, join(*parts), told)


def _leaning(row: Bar, fair: float | None) -> str:
    """Blue where it is clearly more than fair, orange where it is clearly less."""
    if fair is None:
        return "s1"
    return "more" if row.low > fair else "less" if row.high < fair else "same"


def _interval(scale: Scale, row: Bar, middle: float, colour: str, size: float = 5) -> Markup:
    low, high = scale.held(row.low), scale.held(row.high)
    style = f"{colour} w2"
    return join(
        line(low, middle, high, middle, style),
        line(low, middle - size, low, middle + size, style),
        line(high, middle - size, high, middle + size, style),
    )


def boxes(rows: Sequence[Bar], unit: str, told: str) -> Drawing:
    """How values are spread: a box for the middle half of all games, a line through it for the
    median, thin lines to where 5 and 95 % are, and a dot for the mean."""
    frame = _frame(rows, 8.0)
    ends = [each for row in rows for each in (*row.quantiles, row.value)]
    low, high = min(ends), max(ends)
    if low > 0 and low < 0.4 * high:
        low = 0.0
    pad = (high - low) * 0.03 or 1.0
    scale = Scale(low - (pad if low else 0), high + pad, frame.left, frame.right)
    parts = [_grid(frame, scale, unit, whole=unit in ("score", "number"))]
    for number, row in enumerate(rows):
        middle = frame.top + _ROW * (number + 0.5)
        if len(row.quantiles) == 5:
            least, lower, median, upper, most = (scale.at(each) for each in row.quantiles)
            parts += [
                line(least, middle, lower, middle, "line-soft w1"),
                line(upper, middle, most, middle, "line-soft w1"),
                line(least, middle - 4, least, middle + 4, "line-soft w1"),
                line(most, middle - 4, most, middle + 4, "line-soft w1"),
                rect(lower, middle - 9, max(1.5, upper - lower), 18, "fill-pale line-s1 w1",
                     row.hint or row.told, r=2),
                line(median, middle - 9, median, middle + 9, "line-s1 w25"),
            ]  # fmt: skip
        parts += [
            shape("diamond", scale.at(row.value), middle, 3.6, "fill-ink line-paper w1"),
            _label(frame, row, middle),
        ]
    return Drawing(frame.height, join(*parts), told)


def changes(rows: Sequence[Bar], told: str, words_for: tuple[str, str]) -> Drawing:
    """Changes of a share, more to the right of nothing and less to the left, with intervals. What
    may be nothing is grey and round; what is clear has a colour and points to its side."""
    frame = _frame(rows, 24.0, 24.0)
    most = max([abs(each) for row in rows for each in (row.low, row.high)] + [0.01])
    most = min(most, 2.2 * max([abs(row.value) for row in rows] + [most / 2.2]))
    scale = Scale(-most * 1.04, most * 1.04, frame.left, frame.right)
    zero = scale.at(0)
    parts = [
        _grid(frame, scale, "change"),
        line(zero, frame.top, zero, frame.bottom, "line-rule w1"),
        text(zero - 7, frame.top - 9, f"◂ {words_for[0]}", small=True, colour="soft",
             anchor="end"),
        text(zero + 7, frame.top - 9, f"{words_for[1]} ▸", small=True, colour="soft"),
    ]  # fmt: skip
    for number, row in enumerate(rows):
        middle = frame.top + 24 * (number + 0.5)
        colour, kind = ("same", "circle")
        if row.low > 0:
            colour, kind = "more", "triangle"
        elif row.high < 0:
            colour, kind = "less", "down"
        parts += [
            line(scale.held(row.low), middle, scale.held(row.high), middle, f"line-{colour} w2"),
            shape(kind, scale.held(row.value), middle, 5, f"fill-{colour}", row.hint or row.told),
            _label(frame, row, middle),
        ]
    return Drawing(frame.height, join(*parts), told)


@dataclass(frozen=True, slots=True)
class Part:
    label: str
    share: float


def parts_of_all(parts: Sequence[Part], told: str) -> Drawing:
    """One bar that is all, divided, with each part named below."""
    found, x, y = [], 2.0, 56.0
    names = ("s1", "s5", "s3", "s4", "s2", "s6")
    for number, each in enumerate(parts):
        wide = each.share * (WIDTH - 4)
        colour = names[number % len(names)]
        said = f"{each.label}: {words.percent(each.share)}"
        found.append(rect(x, 8, max(wide - 1.5, 0.8), 26, f"fill-{colour}", said, r=2))
        x += wide
        found += [
            shape("square", 9, y - 4, 5, f"fill-{colour}"),
            text(22, y, fitted(each.label, WIDTH - 110)),
            text(WIDTH - 2, y, words.percent(each.share), anchor="end", strong=True),
        ]
        y += 21
    return Drawing(y - 6, join(*found), told)

"""Charts along a way: how often each length came, and lines over rounds or settings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from interpreter.lab.pages import words
from interpreter.lab.pages.colours import SERIES
from interpreter.lab.pages.drawing import (
    SHAPES,
    SMALL,
    WIDTH,
    Drawing,
    Scale,
    fitted,
    line,
    path,
    rect,
    shape,
    text,
    text_width,
    ticks,
)
from interpreter.lab.pages.markup import Markup, join

_HEIGHT = 250.0


@dataclass(frozen=True, slots=True)
class Bin:
    """How many games came to lie from `low` to below `high`."""

    low: float
    high: float
    games: int


@dataclass(frozen=True, slots=True)
class Point:
    x: float
    y: float
    low: float | None = None
    high: float | None = None
    faint: bool = False  # few games tell of it


@dataclass(frozen=True, slots=True)
class Series:
    label: str
    points: tuple[Point, ...]


def histogram(
    bins: Sequence[Bin], quantiles: tuple[float, ...], name: str, told: str, unit: str = "number"
) -> Drawing:
    """How often each came; the middle half of all games is strong, and the median is marked."""
    left, right, top, bottom = 8.0, WIDTH - 8, 34.0, _HEIGHT - 44
    across = Scale(bins[0].low, bins[-1].high, left, right)
    most = max(each.games for each in bins)
    total = sum(each.games for each in bins)
    parts: list[Markup] = []
    for each in bins:
        x, end = across.at(each.low), across.at(each.high)
        high = (bottom - top) * each.games / most
        inside = len(quantiles) == 5 and quantiles[1] < each.high and each.low <= quantiles[3]
        said = f"{_range(each, unit)}: {words.count(each.games)} games, " + words.percent(
            each.games / total
        )
        gap = min(1.0, (end - x) / 6)
        parts.append(
            rect(x + gap, bottom - high, end - x - 2 * gap, high,
                 "fill-s1" if inside else "fill-pale", said)
        )  # fmt: skip
    parts.append(line(left, bottom, right, bottom, "line-rule w1"))
    whole = unit == "number" or unit == "score"
    for mark in ticks(bins[0].low, bins[-1].high, 7, whole):
        at = across.at(mark)
        if mark > bins[-1].high - 1e-9 and whole and bins[-1].high - bins[-1].low == 1:
            continue  # the end of the last whole number is no number of its own
        shift = 0.5 if whole and bins[0].high - bins[0].low == 1 else 0.0
        at = across.at(mark + shift)
        parts.append(text(at, bottom + 16, words.trimmed(mark), anchor=_anchor(at), colour="soft",
                          small=True))  # fmt: skip
    parts.append(text(WIDTH / 2, _HEIGHT - 8, name, anchor="middle", colour="soft", small=True))
    if len(quantiles) == 5:
        parts.append(_median(across, quantiles, top, bottom, unit))
    return Drawing(_HEIGHT, join(*parts), told)


def _range(each: Bin, unit: str) -> str:
    if unit != "minutes" and each.high - each.low == 1:
        return words.count(each.low)
    return f"{words.trimmed(each.low)} to {words.trimmed(each.high)}"


def _median(
    across: Scale, quantiles: tuple[float, ...], top: float, bottom: float, unit: str
) -> Markup:
    at = across.held(quantiles[2] + (0.5 if unit == "number" else 0))
    label = f"median {words.amount(quantiles[2], unit)}"
    anchor = _anchor(at, text_width(label, SMALL) / 2)
    return join(
        line(at, top - 6, at, bottom, "line-ink w2"),
        text(at, top - 12, label, anchor=anchor, strong=True, small=True),
    )


def _anchor(at: float, half: float = 16) -> str:
    return "start" if at < half else "end" if at > WIDTH - half else "middle"


def curves(
    series: Sequence[Series],
    names: tuple[str, str],
    told: str,
    unit: str = "number",
    labels: dict[float, str] | None = None,
) -> Drawing:
    """Lines with a band for what is uncertain; each has its shape, and its name at its end.
    `labels` name the places on the way across, where these are not numbers."""
    across, up, frame = _scales(series, unit)
    parts = [_axes(frame, across, up, names, unit, labels)]
    parts += [_band(each, across, up, SERIES[n % len(SERIES)]) for n, each in enumerate(series)]
    for number, each in enumerate(series):
        colour = SERIES[number % len(SERIES)]
        parts.append(_curve(each, across, up, colour, SHAPES[number % len(SHAPES)], unit))
    parts.append(_names(series, up, frame))
    return Drawing(_HEIGHT + 10, join(*parts), told)


def _scales(
    series: Sequence[Series], unit: str
) -> tuple[Scale, Scale, tuple[float, float, float, float]]:
    points = [point for each in series for point in each.points]
    ends = [y for p in points for y in (p.y, p.low, p.high) if y is not None]
    low, high = min(ends), max(ends)
    if low > 0 and low < 0.55 * high:
        low = 0.0
    pad = (high - low) * 0.06 or max(abs(high) * 0.1, 0.01)
    low, high = (low if low == 0 else low - pad), high + pad
    if unit == "share":
        low, high = max(0.0, low), min(1.0, high)
    marks = ticks(low, high, 5)
    left = max(text_width(_value(each, unit, marks), SMALL) for each in marks) + 10
    room = max(text_width(each.label, SMALL) + 22 if each.label else 10 for each in series)
    frame = (left, WIDTH - min(room, 150), 30.0, _HEIGHT - 34)
    xs = [point.x for point in points]
    return (
        Scale(min(xs), max(xs), frame[0] + 8, frame[1] - 8),
        Scale(low, high, frame[3], frame[2]),
        frame,
    )


def _value(value: float, unit: str, marks: Sequence[float]) -> str:
    """With as many places as the step from one mark to the next has."""
    scale = 100 if unit == "share" else 1
    step = scale * (marks[1] - marks[0] if len(marks) > 1 else 1)
    digits = next((n for n in range(4) if abs(step * 10**n - round(step * 10**n)) < 1e-6), 4)
    if unit == "share":
        return words.percent(value, digits)
    return words.signed_zero(value, digits)


def _axes(
    frame: tuple[float, float, float, float],
    across: Scale,
    up: Scale,
    names: tuple[str, str],
    unit: str,
    labels: dict[float, str] | None,
) -> Markup:
    left, right, _, bottom = frame
    parts = [text(2, 14, names[1], colour="soft", small=True)]
    steps = ticks(up.low, up.high, 5)
    for mark in steps:
        parts += [
            line(left, up.at(mark), right, up.at(mark), "line-line w1"),
            text(left - 6, up.at(mark) + 4, _value(mark, unit, steps), anchor="end", colour="soft",
                 small=True),
        ]  # fmt: skip
    marks = (
        {mark: words.trimmed(mark) for mark in ticks(across.low, across.high, 6, whole=True)}
        if labels is None
        else labels
    )
    room = (right - left) / max(1, len(marks))
    for mark, label in marks.items():
        at = across.at(mark)
        parts += [
            line(at, bottom, at, bottom + 4, "line-rule w1"),
            text(at, bottom + 17, fitted(label, max(room, 28), SMALL), anchor="middle",
                 colour="soft", small=True),
        ]  # fmt: skip
    parts.append(
        text((left + right) / 2, bottom + 37, names[0], anchor="middle", colour="soft", small=True)
    )
    return join(*parts)


def _band(each: Series, across: Scale, up: Scale, colour: str) -> Markup:
    banded = [p for p in each.points if p.low is not None and p.high is not None]
    if len(banded) < 2:
        return join()
    edge = [(across.at(p.x), up.held(p.high or 0.0)) for p in banded]
    edge += [(across.at(p.x), up.held(p.low or 0.0)) for p in reversed(banded)]
    return path(edge, f"fill-{colour} band", closed=True)


def _curve(each: Series, across: Scale, up: Scale, colour: str, kind: str, unit: str) -> Markup:
    parts: list[Markup] = []
    strong = [p for p in each.points if not p.faint]
    faint = [strong[-1], *(p for p in each.points if p.faint)] if strong else list(each.points)
    for points, style in ((strong, ""), (faint, " faint dash")):
        if len(points) > 1:
            way = [(across.at(p.x), up.at(p.y)) for p in points]
            parts.append(path(way, f"line-{colour} w25 no-fill round{style}"))
    every = max(1, len(each.points) // 12)
    for number, p in enumerate(each.points):
        if number % every and number != len(each.points) - 1:
            continue
        said = f"{each.label} {words.trimmed(p.x)}: {_told(p, unit)}".strip()
        style = f"fill-{colour}" + (" faint" if p.faint else "")
        parts.append(shape(kind, across.at(p.x), up.at(p.y), 4, style, said))
    return join(*parts)


def _told(point: Point, unit: str) -> str:
    said = words.amount(point.y, unit)
    if point.low is None or point.high is None:
        return said
    half = (point.high - point.low) / 2
    return f"{said} " + (words.points(half) if unit == "share" else f"±{words.small(half)}")


def _names(series: Sequence[Series], up: Scale, frame: tuple[float, float, float, float]) -> Markup:
    """Beside the ends of the lines, moved apart where these come together."""
    order = sorted(range(len(series)), key=lambda number: up.at(series[number].points[-1].y))
    places: dict[int, float] = {}
    last = -1e9
    for number in order:
        last = max(up.at(series[number].points[-1].y) + 4, last + 15)
        places[number] = last
    over = max(0.0, last - frame[3] - 4)
    parts = []
    for number, y in places.items():
        if not series[number].label:
            continue
        colour, kind = SERIES[number % len(SERIES)], SHAPES[number % len(SHAPES)]
        label = fitted(series[number].label, WIDTH - frame[1] - 18, SMALL)
        parts += [
            shape(kind, frame[1] + 9, y - over - 4, 4, f"fill-{colour}"),
            text(frame[1] + 18, y - over, label, small=True),
        ]
    return join(*parts)

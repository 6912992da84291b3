"""A drawing, and what all charts are put together from: scales, ticks, texts that fit, shapes.

Charts are as wide as a phone held upright, which is a third of a page on a screen and half of one
on paper: so their words can be read on all of them, and nothing has to be drawn twice.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from interpreter.lab.pages.colours import file_styles
from interpreter.lab.pages.markup import Markup, el, join
from interpreter.report.visible import visible

WIDTH = 390.0
TEXT = 13.0
SMALL = 11.5
_NAMESPACE = "http://www.w3.org/2000/svg"
_NARROW, _WIDE = "iljtfrI.,:;'|!()[]{}/ -", "mwMW@%—<>=+~#&"


@dataclass(frozen=True, slots=True)
class Drawing:
    """Marks by classes of colours, inside a frame of its own size."""

    height: float
    body: Markup
    told: str  # what can be seen, for whoever cannot see it
    width: float = WIDTH

    def inline(self) -> Markup:
        """For a page that has the styles."""
        return el(
            "svg", self.body, viewBox=self._box, width=self.width, height=self.height,
            role="img", aria_label=self.told, class_="plot",
        )  # fmt: skip

    def file(self, title: str) -> Markup:
        """A file of its own, on white paper, with its title above."""
        top = 34.0
        paper = el(
            "rect", x=0, y=0, width=self.width, height=self.height + top, class_="fill-paper"
        )
        head = text(8, 22, fitted(title, self.width - 16, 15), strong=True)
        inner = el("g", self.body, transform=f"translate(0,{top:g})")
        return join(
            Markup('<?xml version="1.0" encoding="UTF-8"?>\n'),
            el(
                "svg", el("title", f"{title}. {self.told}"), el("style", Markup(file_styles())),
                paper, head, inner,
                xmlns=_NAMESPACE, viewBox=f"0 0 {self.width:g} {self.height + top:g}",
                width=self.width, height=self.height + top,
            ),
            Markup("\n"),
        )  # fmt: skip

    @property
    def _box(self) -> str:
        return f"0 0 {self.width:g} {self.height:g}"


@dataclass(frozen=True, slots=True)
class Scale:
    """From values to places."""

    low: float
    high: float
    start: float
    end: float

    def at(self, value: float) -> float:
        span = self.high - self.low
        part = (value - self.low) / span if span else 0.5
        return self.start + part * (self.end - self.start)

    def held(self, value: float) -> float:
        """The same, but not beyond the ends."""
        return self.at(min(self.high, max(self.low, value)))


def ticks(low: float, high: float, about: int = 5, whole: bool = False) -> list[float]:
    """Round numbers from `low` to `high`, about so many."""
    if high <= low:
        return [low]
    rough = (high - low) / max(1, about)
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(each * power for each in (1, 2, 2.5, 5, 10) if each * power >= rough * 0.999)
    if whole:
        step = max(1.0, float(math.ceil(step)))
    first = math.ceil(low / step - 1e-9)
    last = math.floor(high / step + 1e-9)
    return [round(each * step, 10) + 0.0 for each in range(first, last + 1)]


def text_width(words: str, size: float = TEXT) -> float:
    """About as wide as words come out in the fonts pages are shown in, rather more than less."""
    total = 0.0
    for sign in words:
        if sign in _NARROW:
            total += 0.36
        elif sign in _WIDE:
            total += 0.93
        elif sign.isupper():
            total += 0.7
        elif ord(sign) > 0x2E80:
            total += 1.05
        else:
            total += 0.61
    return total * size


def fitted(words: str, width: float, size: float = TEXT) -> str:
    """As much of the words as there is room for, as they will be written."""
    words = visible(words)
    if text_width(words, size) <= width:
        return words
    # What stands in brackets tells apart what is called the same, so it is kept if it can be.
    start = words.rfind(" (") if words.endswith(")") else -1
    end = words[start:] if start > 0 and text_width(words[start:], size) < 0.7 * width else ""
    kept = words.removesuffix(end)
    while kept and text_width(f"{kept}…{end}", size) > width:
        kept = kept[:-1]
    return f"{kept.rstrip()}…{end}" if kept else ""


def wrapped(words: str, width: float, lines: int, size: float = TEXT) -> list[str]:
    """The words on so many lines at most."""
    found = [""]
    for word in visible(words).split():
        longer = f"{found[-1]} {word}".strip()
        if text_width(longer, size) <= width or not found[-1]:
            found[-1] = longer
        elif len(found) < lines:
            found.append(word)
        else:
            found[-1] = longer  # too long: it is cut below
    return [fitted(line, width, size) for line in found]


def text(
    x: float,
    y: float,
    words: str,
    *,
    anchor: str = "start",
    colour: str = "ink",
    small: bool = False,
    strong: bool = False,
    turn: bool = False,
) -> Markup:
    classes = f"t fill-{colour}" + (" t-small" if small else "") + (" t-strong" if strong else "")
    return el(
        "text", words, x=x, y=y, class_=classes,
        text_anchor=None if anchor == "start" else anchor,
        transform=f"rotate(-90 {x:g} {y:g})" if turn else None,
    )  # fmt: skip


def line(x1: float, y1: float, x2: float, y2: float, classes: str) -> Markup:
    return el("line", x1=x1, y1=y1, x2=x2, y2=y2, class_=classes)


def rect(
    x: float, y: float, width: float, height: float, classes: str, told: str = "", r: float = 0
) -> Markup:
    title = el("title", told) if told else None
    return el(
        "rect", title, x=x, y=y, width=max(0.0, width), height=max(0.0, height),
        rx=r or None, class_=classes,
    )  # fmt: skip


def path(points: list[tuple[float, float]], classes: str, closed: bool = False) -> Markup:
    steps = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    return el("polygon" if closed else "polyline", points=steps, class_=classes)


# A shape for each series, so that colours are not needed to tell them apart.
SHAPES = ("circle", "square", "triangle", "diamond", "down", "cross")


def shape(kind: str, x: float, y: float, size: float, classes: str, told: str = "") -> Markup:
    title = el("title", told) if told else None
    if kind == "circle":
        return el("circle", title, cx=x, cy=y, r=size, class_=classes)
    corners = {
        "square": ((-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)),
        "triangle": ((0, -1.15), (1.1, 0.85), (-1.1, 0.85)),
        "down": ((0, 1.15), (1.1, -0.85), (-1.1, -0.85)),
        "diamond": ((0, -1.3), (1.3, 0), (0, 1.3), (-1.3, 0)),
        "cross": (
            (-1.1, -0.35), (-0.35, -0.35), (-0.35, -1.1), (0.35, -1.1), (0.35, -0.35), (1.1, -0.35),
            (1.1, 0.35), (0.35, 0.35), (0.35, 1.1), (-0.35, 1.1), (-0.35, 0.35), (-1.1, 0.35),
        ),
    }[kind]  # fmt: skip
    points = " ".join(f"{x + dx * size:.1f},{y + dy * size:.1f}" for dx, dy in corners)
    return el("polygon", title, points=points, class_=classes)

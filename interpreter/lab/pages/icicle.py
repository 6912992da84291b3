"""What is chosen first, then second, then third: a column for each, as high as often it was. The
colour tells how those have fared who chose first."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

from interpreter.lab.findings import Opening
from interpreter.lab.pages import words
from interpreter.lab.pages.colours import balance_of
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
from interpreter.lab.pages.markup import Markup, join

_LEAST = 15.0  # high enough for a line of words
_HIGHEST = 520.0
_HEAD = 22.0
_ORDINALS = ("first", "second", "third", "fourth", "fifth")
_CLEAR = 1.96


@dataclass(slots=True)
class _Node:
    label: str
    games: float = 0
    won: float = 0  # games
    inner: dict[str, _Node] = field(default_factory=dict)
    others: bool = False  # whether this stands for several


def icicle(openings: Sequence[Opening], games: int, fair: float, told: str) -> Drawing:
    """Of so many games. Those that began otherwise than any of the openings are named below, and
    take no room: it is for what can be read."""
    root = _tree(openings)
    high = _height(root)
    most = max((abs(each.won / each.games - fair) for each in root.inner.values()), default=0.1)
    unit = high / root.games
    root = _grouped(root, unit)
    depth = _depth(root)
    frame = _Frame(WIDTH / depth, unit, fair, max(most, 0.05), max(games, root.games))
    parts = [
        text(frame.wide * number + 4, 13, f"{_ORDINALS[number]} choice", small=True, colour="soft")
        for number in range(depth)
    ]
    parts.append(_draw(root, frame, 0, _HEAD))
    bottom = _HEAD + high + 8
    if games > root.games:
        rest = f"and others, {words.percent(1 - root.games / games)} of all games"
        parts.append(text(6, bottom + 9, rest, small=True, colour="soft"))
        bottom += 20
    return Drawing(bottom + 22, join(*parts, _legend(bottom)), told)


@dataclass(frozen=True, slots=True)
class _Frame:
    wide: float
    unit: float  # of height, for a game
    fair: float
    most: float
    games: float


def _tree(openings: Sequence[Opening]) -> _Node:
    """Paths may be given with or without their beginnings: these are added up where they lack."""
    root = _Node("")
    given = {each.path: each for each in openings}
    whole = [
        each
        for each in openings
        if not any(len(other) > len(each.path) and other[: len(each.path)] == each.path
                   for other in given)
    ]  # fmt: skip
    for each in whole:
        _add(root, each)
    for each in openings:
        node = root
        for label in each.path:
            node = node.inner[label]
        if each.games > node.games:
            node.won += (each.games - node.games) * each.won
            node.games = each.games
    root.games = sum(each.games for each in root.inner.values())
    return root


def _add(root: _Node, opening: Opening) -> None:
    node = root
    for label in opening.path:
        node = node.inner.setdefault(label, _Node(label))
        node.games += opening.games
        node.won += opening.games * opening.won


def _depth(node: _Node) -> int:
    return max((1 + _depth(each) for each in node.inner.values()), default=0)


def _height(root: _Node) -> float:
    """So high that what is chosen in one game of fifty has its line, but no higher than a page."""
    return min(_HIGHEST, max(170.0, 26.0 * _leaves(root)))


def _leaves(node: _Node) -> int:
    return sum(_leaves(each) for each in node.inner.values()) or 1


def _grouped(node: _Node, unit: float) -> _Node:
    """The most chosen first; those too small for a line are one together, and where there is
    nothing else there is nothing."""
    order = sorted(node.inner.values(), key=lambda each: (-each.games, each.label))
    shown = [_grouped(each, unit) for each in order if each.games * unit >= _LEAST]
    small = [each for each in order if each.games * unit < _LEAST]
    rest = node.games - sum(each.games for each in shown)
    if shown and rest * unit >= _LEAST:
        unknown = node.games - sum(each.games for each in order)
        label = f"{len(small)} others" if unknown < 1 else "others"
        shown.append(_Node(label, rest, 0.0, {}, True))
    return _Node(node.label, node.games, node.won, {each.label: each for each in shown})


def _draw(node: _Node, frame: _Frame, column: int, top: float) -> Markup:
    parts: list[Markup] = []
    y = top
    for each in node.inner.values():
        high = each.games * frame.unit
        parts.append(_box(each, frame, column, y, high))
        parts.append(_draw(each, frame, column + 1, y))
        y += high
    return join(*parts)


def _box(node: _Node, frame: _Frame, column: int, y: float, high: float) -> Markup:
    share = node.won / node.games if node.games else 0.0
    error = _CLEAR * math.sqrt(frame.fair * (1 - frame.fair) / max(1.0, node.games))
    clear = abs(share - frame.fair) > error and not node.others
    step = balance_of(share - frame.fair if clear else 0.0, frame.most)
    of_all = words.percent(node.games / frame.games)
    hint = f"{node.label}: {words.count(node.games)} games, {of_all} of all"
    if not node.others:
        hint += f"; whoever chose first won {words.percent(share)} {words.points(error)}"
    x = frame.wide * column
    colour = "none" if node.others else f"d{step}"
    ink = "soft" if node.others else f"on-d{step}"
    box = rect(x + 0.75, y + 0.75, frame.wide - 1.5, high - 1.5, f"fill-{colour}", hint, r=2)
    if high < _LEAST - 1:
        return box
    return join(box, _label(node.label, of_all, x, y, frame.wide, high, ink))


def _label(
    label: str, share: str, x: float, y: float, wide: float, high: float, ink: str
) -> Markup:
    room = wide - 12
    if high < 32:
        left = room - text_width(share, SMALL) - 6
        base = y + high / 2 + 4
        return join(
            text(x + 6, base, fitted(label, left, SMALL), small=True, colour=ink),
            text(x + wide - 6, base, share, small=True, colour=ink, anchor="end", strong=True),
        )
    lines = wrapped(label, room, max(1, int((high - 20) // 14)), SMALL)
    return join(
        *(
            text(x + 6, y + 15 + 14 * number, each, small=True, colour=ink)
            for number, each in enumerate(lines)
        ),
        text(x + 6, y + 15 + 14 * len(lines), share, small=True, colour=ink, strong=True),
    )


def _legend(y: float) -> Markup:
    said = (("more", "triangle", "who began wins more"), ("less", "down", "less"))
    parts, x = [], 6.0
    for colour, kind, label in said:
        parts += [
            shape(kind, x + 2, y + 9, 4.5, f"fill-{colour}"),
            text(x + 12, y + 13, label, small=True, colour="soft"),
        ]
        x += text_width(label, SMALL) + 28
    parts.append(text(x, y + 13, "pale: no clear difference", small=True, colour="soft"))
    return join(*parts)

"""Where the cells of a game's boards lie, for those who draw how often each was used."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from interpreter.embedding import Game
from interpreter.lab.findings import Board, Cell
from interpreter.scene.plan import plan_of
from interpreter.scene.values import Data

_ROOT = math.sqrt(3) / 2
_LONGEST = 14  # cells of a row, of those that go on in the next
_Place = tuple[float, float]


def all_boards(games: Iterable[Game]) -> tuple[Board, ...]:
    """Of several ways to play; where a board is not the same in all, its biggest form."""
    found: dict[str, Board] = {}
    for game in games:
        for board in boards_of(game):
            known = found.get(board.name)
            if known is None or len(known.cells) < len(board.cells):
                found[board.name] = board
    return tuple(found.values())


def boards_of(game: Game) -> tuple[Board, ...]:
    """Those whose cells have a place of their own; cells of others can only be listed."""
    found = (_board(name, plan) for name, plan in plan_of(game)["boards"].items())
    return tuple(board for board in found if board is not None)


def _board(name: str, plan: Data) -> Board | None:
    cells = plan["cells"]
    raw = [(float(cell["x"]), float(cell["y"])) for cell in cells]
    match plan["shape"]:
        case "hex":
            shape, places = "hex", _hexes(raw, plan["joins"])
        case "ring":
            shape, places = "round", _ring(len(cells))
        case "line":
            shape, places = "square", _line(len(cells))
        case "graph":
            shape, places = "round", _scaled(raw, plan["joins"])
        case _:
            shape, places = "square", raw
    if len(cells) < 2 or len(set(places)) < len(cells):
        return None
    return Board(
        name,
        shape,
        tuple(
            Cell(cell["name"], cell["label"], round(x, 4), round(y, 4))
            for cell, (x, y) in zip(cells, places, strict=True)
        ),
    )


def _hexes(raw: list[_Place], joins: Sequence[Sequence[int]]) -> list[_Place]:
    """Rules write slanting columns or shifted rows; whichever brings neighbours together is
    meant."""
    ways = (
        [(x + y / 2, y * _ROOT) for x, y in raw],
        [(x - y / 2, y * _ROOT) for x, y in raw],
        [(x + abs(y % 2) / 2, y * _ROOT) for x, y in raw],
        [(x - abs(y % 2) / 2, y * _ROOT) for x, y in raw],
    )
    return max(
        ways,
        key=lambda way: sum(abs(math.dist(way[a], way[b]) - 1) < 0.01 for a, b in joins),
    )


def _ring(count: int) -> list[_Place]:
    radius = count / (2 * math.pi) + 0.25
    angles = [2 * math.pi * number / count - math.pi / 2 for number in range(count)]
    return [(radius * math.cos(angle), radius * math.sin(angle)) for angle in angles]


def _line(count: int) -> list[_Place]:
    """In rows that turn at their ends, as tracks are printed."""
    wide = count if count <= _LONGEST else math.ceil(math.sqrt(count * 2))
    rows = [divmod(number, wide) for number in range(count)]
    return [(float(wide - 1 - column if row % 2 else column), float(row)) for row, column in rows]


def _scaled(raw: list[_Place], joins: Sequence[Sequence[int]]) -> list[_Place]:
    """Nothing, where a graph says no places: they are then all in one line."""
    if len(set(raw)) < len(raw) or all(y == 0 for _, y in raw):
        return []
    least = min(math.dist(a, b) for number, a in enumerate(raw) for b in raw[:number])
    lengths = sorted(math.dist(raw[a], raw[b]) for a, b in joins)
    usual = lengths[len(lengths) // 2] if lengths else least
    scale = 1.25 / max(min(usual, least * 2), 1e-9)
    return [(x * scale, y * scale) for x, y in raw]

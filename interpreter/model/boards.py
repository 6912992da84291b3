"""The geometry of boards: cells, directions and steps, computed once before a game starts."""

from __future__ import annotations

from collections import deque

from interpreter.model.ruleset import BoardInfo
from interpreter.model.types import Type
from interpreter.report.source import Mark

# Compass directions clockwise from north; rows count from the top or from the bottom as
# the shape says. (dx, dy) with y growing to the south.
SQUARE = {
    "north": (0, -1), "northeast": (1, -1), "east": (1, 0), "southeast": (1, 1),
    "south": (0, 1), "southwest": (-1, 1), "west": (-1, 0), "northwest": (-1, -1),
}  # fmt: skip
# Axial coordinates (q, r) of pointy-topped hexagons, clockwise from east.
HEX = {
    "east": (1, 0), "southeast": (0, 1), "southwest": (-1, 1),
    "west": (-1, 0), "northwest": (0, -1), "northeast": (1, -1),
}  # fmt: skip


def square_board(name: str, columns: int, rows: int, mark: Mark) -> BoardInfo:
    """Cells are named as on a chessboard, `a1` at the bottom left, and listed row by row
    from the top, the way a reader's eye goes over the board."""
    cells: list[str] = []
    places: list[tuple[int, int]] = []
    for y in range(rows):
        for x in range(columns):
            cells.append(f"{_letter(x)}{rows - y}")
            places.append((x, y))
    return _from_offsets(name, "square", mark, cells, places, SQUARE)


def hex_rhombus(name: str, columns: int, rows: int, mark: Mark) -> BoardInfo:
    cells: list[str] = []
    places: list[tuple[int, int]] = []
    for r in range(rows):
        for q in range(columns):
            cells.append(f"{_letter(q)}{r + 1}")
            places.append((q, r))
    return _from_offsets(name, "hex", mark, cells, places, HEX)


def hex_radius(name: str, radius: int, mark: Mark) -> BoardInfo:
    cells: list[str] = []
    places: list[tuple[int, int]] = []
    for r in range(-radius, radius + 1):
        for q in range(-radius, radius + 1):
            if abs(q + r) <= radius:
                cells.append(f"{_letter(q + radius)}{r + radius + 1}")
                places.append((q, r))
    return _from_offsets(name, "hex", mark, cells, places, HEX)


def line_board(name: str, length: int, mark: Mark, *, ring: bool) -> BoardInfo:
    cells = [str(number + 1) for number in range(length)]
    places = [(number, 0) for number in range(length)]
    if ring:
        directions = ["clockwise", "counterclockwise"]
        forward = [(cell + 1) % length for cell in range(length)]
        backward = [(cell - 1) % length for cell in range(length)]
    else:
        directions = ["forward", "backward"]
        forward = [cell + 1 if cell + 1 < length else -1 for cell in range(length)]
        backward = [cell - 1 for cell in range(length)]
    board = BoardInfo(
        name, "ring" if ring else "line", mark, cells, places, directions,
        [forward, backward], [0, 1], [0], [1, 0], width=length, height=1, longest_ray=length - 1,
    )  # fmt: skip
    return board


def placed_board(
    name: str, shape: str, cells: list[str], places: list[tuple[int, int]], mark: Mark
) -> BoardInfo:
    """A square or hex board whose cells are listed in the data."""
    return _from_offsets(name, shape, mark, cells, places, SQUARE if shape == "square" else HEX)


def graph_board(name: str, cells: list[str], neighbours: list[list[int]], mark: Mark) -> BoardInfo:
    """Any network: the n-th direction of a cell leads to its n-th neighbour."""
    most = max((len(row) for row in neighbours), default=0)
    directions = [f"way{number + 1}" for number in range(most)]
    steps = [[row[d] if d < len(row) else -1 for row in neighbours] for d in range(most)]
    ways = list(range(most))
    places = [(number, 0) for number in range(len(cells))]
    board = BoardInfo(
        name, "graph", mark, cells, places, directions, steps, ways, ways, ways,
        width=len(cells), height=1, longest_ray=_longest_ray(steps),
    )  # fmt: skip
    return board


def _from_offsets(
    name: str,
    shape: str,
    mark: Mark,
    cells: list[str],
    places: list[tuple[int, int]],
    offsets: dict[str, tuple[int, int]],
) -> BoardInfo:
    at = {place: cell for cell, place in enumerate(places)}
    directions = list(offsets)
    steps = [[at.get((x + dx, y + dy), -1) for x, y in places] for dx, dy in offsets.values()]
    count = len(directions)
    opposite = [(direction + count // 2) % count for direction in range(count)]
    orthogonal = [0, 2, 4, 6] if shape == "square" else list(range(6))
    axes = list(range(count // 2))
    width = max((x for x, _ in places), default=0) - min((x for x, _ in places), default=0) + 1
    height = max((y for _, y in places), default=0) - min((y for _, y in places), default=0) + 1
    board = BoardInfo(
        name, shape, mark, cells, places, directions, steps, orthogonal, axes, opposite,
        width=width, height=height, longest_ray=_longest_ray(steps),
    )  # fmt: skip
    return board


def distance_steps(board: BoardInfo) -> int:
    """How long it takes to find all distances: that grows with the square of the board."""
    return len(board.cells) ** 2 * len(board.orthogonal)


def distances(board: BoardInfo) -> list[int]:
    """Fewest steps between any two cells over `neighbours`, -1 where there is no way."""
    size = len(board.cells)
    table: list[int] = []
    for start in range(size):
        found = [-1] * size
        found[start] = 0
        queue = deque([start])
        while queue:
            cell = queue.popleft()
            for direction in board.orthogonal:
                target = board.steps[direction][cell]
                if target >= 0 and found[target] < 0:
                    found[target] = found[cell] + 1
                    queue.append(target)
        table.extend(found)
    return table


def straight_directions(board: BoardInfo) -> list[int]:
    """For every cell, the first direction in which each cell lies straight from it, or -1."""
    size = len(board.cells)
    table = [-1] * (size * size)
    for way in reversed(range(len(board.directions))):
        for start in range(size):
            for cell in ray(board, way, start):
                if cell != start:
                    table[start * size + cell] = way
    return table


def far_most(board: BoardInfo, number: Type) -> int:
    """How many steps in one direction need be told apart if their number is of this type: as many
    as lead from any cell beyond the edge, or once round a ring, where the next lead there again."""
    enough = len(board.cells) - 1 if board.shape == "ring" else board.longest_ray + 1
    return min(enough, number.high)


def far_steps(board: BoardInfo, most: int) -> int:
    """How big a table of them is."""
    return (most + 1) * len(board.directions) * len(board.cells)


def farther(board: BoardInfo, before: list[list[int]]) -> list[list[int]]:
    """Where one step more leads, by direction and cell."""
    return [
        [steps[cell] if cell >= 0 else -1 for cell in reached]
        for steps, reached in zip(board.steps, before, strict=True)
    ]


def where_cells_lie(board: BoardInfo) -> list[tuple[int, int]]:
    """The column and the row of each cell, both from 1; on square boards row 1 is at the bottom."""
    left = min((x for x, _ in board.coordinates), default=0)
    top = min((y for _, y in board.coordinates), default=0)
    if board.shape == "square":
        return [(x - left + 1, board.height - (y - top)) for x, y in board.coordinates]
    return [(x - left + 1, y - top + 1) for x, y in board.coordinates]


def directions_around(board: BoardInfo, word: str) -> list[int]:
    """The directions that `neighbours`, `adjacent` and `diagonals` look into."""
    every = range(len(board.directions))
    match word:
        case "neighbours":
            return board.orthogonal
        case "diagonals":
            return [way for way in every if way not in board.orthogonal]
        case _:
            return list(every)


def ray(board: BoardInfo, way: int, start: int) -> list[int]:
    """The cells of a ray. A ring has no edge: a ray ends when it has been all the way round."""
    found: list[int] = []
    here = board.steps[way][start]
    while here >= 0 and len(found) < len(board.cells) - 1:
        found.append(here)
        here = board.steps[way][here]
    return found


def _longest_ray(steps: list[list[int]]) -> int:
    return max((_longest(way) for way in steps), default=0)


def _longest(steps: list[int]) -> int:
    """Each cell is looked at about once: what is known of the cell behind it is enough."""
    most = max(0, len(steps) - 1)
    known: list[int | None] = [None] * len(steps)
    for start in range(len(steps)):
        passed: list[int] = []
        here = start
        while here >= 0 and known[here] is None and len(passed) <= most:
            passed.append(here)
            here = steps[here]
        beyond = 0 if here < 0 else 1 + (most if known[here] is None else known[here] or 0)
        for cell in reversed(passed):
            known[cell] = min(most, beyond)
            beyond += 1
    return max((length or 0 for length in known), default=0)


def _letter(number: int) -> str:
    """a..z, then aa, ab: spreadsheets taught everybody how columns are named."""
    name = ""
    number += 1
    while number:
        number, rest = divmod(number - 1, 26)
        name = chr(ord("a") + rest) + name
    return name

"""The geometry of boards, against a slower way to find the same."""

import random

import pytest

from interpreter.model import boards
from interpreter.model.ruleset import BoardInfo
from interpreter.report.source import Mark

MARK = Mark.top("boards")


def network(seed: int) -> BoardInfo:
    """Ways that lead anywhere: off the board, into rings, and along them."""
    chance = random.Random(seed)
    size = chance.randint(1, 9)
    ways = [[chance.randrange(size) for _ in range(chance.randint(0, 3))] for _ in range(size)]
    return boards.graph_board("Net", [str(cell) for cell in range(size)], ways, MARK)


@pytest.mark.parametrize(
    "board",
    [
        boards.square_board("Square", 5, 7, MARK),
        boards.hex_radius("Hex", 3, MARK),
        boards.hex_rhombus("Hex", 4, 3, MARK),
        boards.line_board("Line", 9, MARK, ring=False),
        boards.line_board("Ring", 9, MARK, ring=True),
        boards.line_board("Dot", 1, MARK, ring=True),
        *(network(seed) for seed in range(100)),
    ],
)
def test_the_longest_ray_is_the_longest_of_all(board: BoardInfo) -> None:
    ways, cells = range(len(board.directions)), range(len(board.cells))
    lengths = [len(boards.ray(board, way, cell)) for way in ways for cell in cells]
    assert board.longest_ray == max(lengths, default=0)


@pytest.mark.parametrize(
    "board",
    [
        boards.square_board("Square", 5, 7, MARK),
        boards.hex_radius("Hex", 3, MARK),
        boards.line_board("Line", 9, MARK, ring=False),
        boards.line_board("Ring", 9, MARK, ring=True),
    ],
)
def test_many_steps_are_one_step_after_the_other(board: BoardInfo) -> None:
    rows = [list(range(len(board.cells))) for _ in board.directions]
    for number in range(board.longest_ray + 2):
        for way, steps in enumerate(board.steps):
            for start in range(len(board.cells)):
                here = start
                for _ in range(number):
                    here = steps[here] if here >= 0 else -1
                assert rows[way][start] == here
        rows = boards.farther(board, rows)

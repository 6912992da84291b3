"""Both ways to move pieces up and down in a place come to the same: see emit/shifting.py."""

from __future__ import annotations

import ctypes
import random
from collections.abc import Iterable
from typing import Any

import pytest

from interpreter.play.native import build
from interpreter.play.native.emit.shifting import shifting, shifting_at_once

MOST = 40
EMPTY = -1


def _exported(way: str) -> str:
    given = "ptr %first, i64 %low, i64 %count, ptr %at"
    more = "ptr %first, i64 %low, i64 %count, i64 %below, ptr %at"
    return way + (
        f"define i64 @close({given}) {{\n"
        f"  call fastcc void @close_gap({given})\n  ret i64 0\n}}\n"
        f"define i64 @open({more}) {{\n"
        f"  %found = call fastcc i64 @make_room({more})\n  ret i64 %found\n}}\n"
        "declare i64 @llvm.ctpop.i64(i64)\n!2 = distinct !{!2}\n"
    )


def _ways() -> list[str]:
    return [shifting()] + [shifting_at_once()] * build.writes_many_places()


@pytest.mark.parametrize("sorted_", [True, False])
def test_all_ways_move_the_same_pieces(sorted_: bool) -> None:
    pytest.importorskip("llvmlite")
    cells = ctypes.POINTER(ctypes.c_int64)
    number = ctypes.c_int64
    for way in _ways():
        engine = build.linked(build.compile_text(_exported(way)))
        close, make_room = (
            ctypes.CFUNCTYPE(number, cells, *given, cells)(engine.get_function_address(name))
            for name, given in (("close", [number] * 2), ("open", [number] * 3))
        )
        drawing = random.Random(1)
        for _ in range(400):
            pieces = drawing.sample(range(MOST), drawing.randrange(1, MOST - 1))
            if sorted_:
                pieces.sort()
            first, at, edges = _laid(pieces)
            gap = drawing.randrange(len(pieces))
            gone = pieces.pop(gap)
            close(first, gap, len(pieces), at)
            _check(first, at, pieces, range(len(pieces)))
            assert edges() == (7, 7)
            if sorted_:
                found = make_room(first, 0, len(pieces), gone, at)
                assert found == gap
            else:
                assert make_room(first, gap, len(pieces), EMPTY, at) == gap
            rest = [place for place in range(len(pieces) + 1) if place != gap]
            _check(first, at, pieces, rest)
            assert edges() == (7, 7)


def _laid(pieces: list[int]) -> tuple[Any, Any, Any]:
    """Cells with something on either side that nobody may touch."""
    room = (ctypes.c_int64 * (MOST + 2))(7, *pieces, *[EMPTY] * (MOST - len(pieces)), 7)
    at = (ctypes.c_int64 * MOST)()
    for place, piece in enumerate(pieces):
        at[piece] = place
    first = ctypes.cast(ctypes.byref(room, 8), ctypes.POINTER(ctypes.c_int64))
    return first, at, lambda: (room[0], room[MOST + 1])


def _check(first: Any, at: Any, pieces: list[int], places: Iterable[int]) -> None:
    assert [first[place] for place in places] == pieces
    assert [at[piece] for piece in pieces] == list(places)

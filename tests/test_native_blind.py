"""Blind games on boards that are kept as sets of cells (facts/kept.py, facts/words.py).

As in test_native_shortcuts.py: each is taken on a tiny ruleset, and not on another, as like it as
can be, on which it would be wrong. That it changes nothing is tested with
tests/cases/native/keptBoards.rules.
"""

from __future__ import annotations

import ctypes
import random

import pytest
from test_native_shortcuts import code_of, has_function

import interpreter
from interpreter.play.native import build
from interpreter.play.native.emit.blind import nth_bit, nth_bit_by_deposit
from interpreter.play.native.facts.kept import boards_kept
from interpreter.play.native.facts.words import word_of_menu
from interpreter.program.program import Program

_GAME = """
game "T"
players 2

board Grid: square 4 by 3

each Grid has
    mark: Player or none
    toll: 0..9

the game has
    a: int

procedure clear(c: Grid)
    if c.toll = 3
        c.mark := none

procedure fill(c: Grid)
    c.mark := P1

action try1(c in Grid)
    when {condition}
    {step}
    a += 1

play
    turns
        {choice}
        if a > 30
            nobody wins
"""


def _program(
    condition: str = "c.mark is none", step: str = "c.mark := me", choice: str = "choose try1"
) -> Program:
    text = _GAME.format(condition=condition, step=step, choice=choice)
    return interpreter.load_text(text).program


@pytest.mark.parametrize(
    ("condition", "kept"),
    [
        ("c.mark is none", True),
        ("c.mark is not me", True),
        ("c.mark is none and c.row > 1", True),
        ("c.row = 3 or step(c, north).mark is not none", True),
        ("c.row = 3 or step(c, north).mark is not none and c.mark is none", True),
        ("step(c, north).mark is not none", False),  # on the edge it fails
        ("a > 3 or step(c, north).mark is not none", False),  # no table tells
        ("c.mark is none and a > 3", False),  # it looks elsewhere
        ("c.toll = 3", False),  # there are many contents
        ("any(x in neighbours(c) where x.mark is none)", False),  # of several cells
    ],
)
def test_options_are_bits_where_each_cell_tells_by_itself(condition: str, kept: bool) -> None:
    found = _program(condition)
    assert bool(boards_kept(found)) == kept
    assert has_function("blind", found) == kept
    if kept:
        assert "@nth_bit" in code_of("blind", found)


@pytest.mark.parametrize(
    ("step", "kept"),
    [
        ("c.mark := me", True),
        ("c.mark := me\n    a += number of region(c through x where x.mark is me)", True),
        ("a += number of region(c through x where x.mark is me)\n    c.mark := me", False),
        ("a1.mark := me", False),  # one cell that is always the same is written otherwise
        ("clear(c)", False),  # a function does not know of the words
        ("if (c.toll after fill(c)) > 3\n        a += 1", False),  # it is put back
    ],
)
def test_only_what_the_game_itself_writes_is_kept(step: str, kept: bool) -> None:
    assert bool(boards_kept(_program(step=step))) == kept


def test_only_what_is_chosen_alone_is_a_bit() -> None:
    several = 'choose\n            try1\n            rest "rest"\n                a += 1'
    found = _program(choice=several)
    assert word_of_menu(found, 0) is None and not boards_kept(found)


def test_both_ways_to_find_a_bit_find_the_same() -> None:
    pytest.importorskip("llvmlite")
    ways = [nth_bit()]
    if build.spreads_bits():
        ways.append(nth_bit_by_deposit())
    for way in ways:
        engine = build.linked(build.compile_text(_exported(way)))
        asked = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_uint64, ctypes.c_int64)(
            engine.get_function_address("asked")
        )
        drawing = random.Random(1)
        for _ in range(300):
            word = drawing.getrandbits(64) & drawing.getrandbits(64)
            places = [place for place in range(64) if word >> place & 1]
            for number, place in enumerate(places):
                assert asked(word, number) == place


def _exported(way: str) -> str:
    return way + (
        "define i64 @asked(i64 %word, i64 %n) {\n"
        "  %found = call fastcc i64 @nth_bit(i64 %word, i64 %n)\n  ret i64 %found\n}\n"
        "declare i64 @llvm.ctpop.i64(i64)\ndeclare i64 @llvm.cttz.i64(i64, i1)\n"
    )

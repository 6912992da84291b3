"""What it takes to make native code: no more than in proportion to the rules."""

from __future__ import annotations

import re
import time
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from threading import Barrier

import pytest

import interpreter
from interpreter.play.native import build
from interpreter.play.native.build import compile_text
from interpreter.play.native.emit.module import emit_module
from interpreter.play.native.engine import Engine
from interpreter.play.native.passes import put_in_place
from interpreter.program.program import Program

pytest.importorskip("llvmlite")

CLASSICS = Path(interpreter.__file__).parents[1] / "rulesets" / "classics"
SHOP = """
action buy{n}(c in Grid, k in 1..3)
    when c.toll = k and me.gold >= k + {n} mod 3
    me.gold -= k
    c.toll := (c.toll + {n}) mod 4
    c.mark := me

procedure visit{n}(p: Player)
    for each c in Grid where c.mark is p
        c.toll := min(3, c.toll + 1)
    p chooses
        stay{n}(c in Grid where c.toll < {n} mod 4) "stay {n} at {{c}}"
            c.toll += 1
        leave{n} "leave {n}"
            p.gold := 5
"""
HEAD = """
game "Shops"
players 2
board Grid: square 3 by 3
each Grid has
    toll: 0..3
    mark: Player or none
each player has
    gold: 0..9 = 5
"""


@cache
def shops(number: int) -> Program:
    """Rules with so many shops, one like the other."""
    offered = " or ".join(f"buy{n}" for n in range(number))
    play = ["play", "    repeat 3 times", "        for each me in players"]
    play += [f"            me may choose {offered}"]
    play += [f"            visit{n}(me)" for n in range(number)]
    rules = HEAD + "".join(SHOP.format(n=n) for n in range(number)) + "\n".join(play)
    return interpreter.load_text(f"{rules}\n    nobody wins\n").program


def test_code_grows_no_faster_than_rules() -> None:
    few, many = (emit_module(shops(number)).count("\n") for number in (6, 24))
    assert many <= 4.2 * few


def test_compiling_takes_no_longer_than_in_proportion() -> None:
    taken = []
    for number in (6, 24):
        text = emit_module(shops(number))
        before = time.process_time()
        compile_text(text)
        taken.append(time.process_time() - before)
    assert taken[1] <= 2 * 4 * taken[0]  # twice the proportion, for what else goes on here


def test_what_only_calls_other_code_is_left_as_it_is() -> None:
    """It takes no part in a game; what does is optimised."""
    text = emit_module(shops(3))
    plain = set(re.findall(r"^define [^\n]*@(\w+)\([^\n]*\) nounwind optnone", text, re.M))
    assert {"pick", "count", "starts", "take", "options", "outcomes", "tries"} <= plain
    assert not plain & {"run", "playouts", "playout_here", "take_here", "options_here", "start"}


def test_what_looks_over_states_is_not_written_out() -> None:
    """Its loops are run for each state that comes from outside, and stay short."""
    text = emit_module(shops(3))
    short = set(re.findall(r"^define [^\n]*@(\w+)\([^\n]*\) nounwind noinline optsize", text, re.M))
    assert short == {"valid", "option_row", "total"}


def test_many_decisions_share_the_code_that_chooses() -> None:
    shared = re.compile(r"^define [^\n]*@choose\([^\n]* noinline ", re.M)
    assert shared.search(emit_module(shops(3)))
    assert not shared.search(emit_module(shops(1)))  # in place, it is quicker


# ---- long code


TEXT = """
@kept = internal constant ptr @once_and_kept

define internal fastcc i64 @small(i64 %a) nounwind  {
  ret i64 %a
}

define internal fastcc i64 @stays(i64 %a) nounwind noinline {
  ret i64 %a
}

define internal fastcc i64 @once_and_kept(i64 %a) nounwind  {
LINES  ret i64 %a
}

define internal fastcc i64 @once(i64 %a) nounwind  {
LINES  ret i64 %a
}

define internal fastcc i64 @twice(i64 %a) nounwind  {
LINES  ret i64 %a
}

define i64 @outside(i64 %a) nounwind  {
  %1 = call fastcc i64 @small(i64 %a)
  %2 = call fastcc i64 @stays(i64 %1)
  %3 = call fastcc i64 @once(i64 %2)
  %4 = call fastcc i64 @twice(i64 %3)
  %5 = call fastcc i64 @twice(i64 %4)
  %6 = call fastcc i64 @once_and_kept(i64 %5)
  ret i64 %6
}
""".replace("LINES", "".join(f"  %x{n} = add i64 %a, {n}\n" for n in range(30)))


def test_what_is_small_or_called_once_is_put_in_place() -> None:
    said = put_in_place(TEXT)
    assert re.findall(r"@(\w+)\([^\n]*alwaysinline", said) == ["small", "once"]
    assert said.replace(" alwaysinline", "") == TEXT


@pytest.mark.parametrize("name", ["ticTacToe", "trickTaking", "phantomTicTacToe", "chess"])
def test_long_code_plays_the_same_games(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    program = interpreter.load(CLASSICS / f"{name}.rules").program
    usual = Engine(program).playouts(range(40))
    monkeypatch.setattr(build, "_LONG", 0)
    assert Engine(program, cached=False).playouts(range(40)) == usual


CALLS_ITSELF = """
game "Sums"
players 1
function one(n: int): int
    0 if n <= 0
    n + other(n - 1) otherwise
function other(n: int): int
    0 if n <= 0
    n + one(n - 1) otherwise
play
    P1 chooses n in 1..40
    P1 chooses k in 1..40 where one(k) > n and other(n) >= 0
    P1 wins
"""


def test_what_calls_itself_cannot_be_put_in_place_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    program = interpreter.load_text(CALLS_ITSELF).program
    usual = Engine(program).playouts(range(20))
    monkeypatch.setattr(build, "_LONG", 0)
    assert Engine(program, cached=False).playouts(range(20)) == usual


def test_code_for_all_games_is_made_once_whoever_asks_at_the_same_time() -> None:
    """What a thread goes by must not be gone because another has made the same."""
    together, made = Barrier(2), []

    def make() -> object:
        made.append(object())
        return made[-1]

    asked = build._for_good(make)

    def ask(_: int) -> object:
        together.wait()
        return asked()

    with ThreadPoolExecutor(2) as pool:
        first, second = pool.map(ask, range(2))
    assert first is second and len(made) == 1

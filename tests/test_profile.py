"""`rulerun profile` finds what takes the time; other code does not tell where it is."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("llvmlite")

import interpreter
from interpreter.cli.profile import profile
from interpreter.play.native.emit import context
from interpreter.play.native.emit.module import emit_module

HEAVY = """
game "T"
players 2

the game has
    n: int

# It looks at the state, so it is worked out again every time.
function heavy(k: int) = sum(x * y mod 7 for x in 1..60, y in 1..60 where (x + n + k) mod 3 = 1)

function light(k: int) = k + 1

action go(k in 1..3)
    when light(k) > 1
    n += heavy(k) mod 5

play
    repeat 5 times
        P1 chooses go
    nobody wins
"""


def test_what_takes_the_time_comes_first() -> None:
    game = interpreter.load_text(HEAVY, backend="native")
    shares, games, samples = profile(game, 0.4)
    assert games > 0 and samples > 10
    assert sum(each.share for each in shares) == pytest.approx(1)
    assert shares[0].what == "heavy"
    assert "function heavy" in shares[0].text
    assert [each.share for each in shares] == sorted((s.share for s in shares), reverse=True)


def test_only_profiled_code_tells_where_it_is() -> None:
    program = interpreter.load_text(HEAVY).program
    telling = f"ptr %c, i64 {context.WHERE}\n"
    assert telling in emit_module(program, profiled=True)
    assert telling not in emit_module(program)


def test_it_is_told_as_json(tmp_path: Path) -> None:
    path = tmp_path / "t.rules"
    path.write_text(HEAVY, encoding="utf-8")
    command = [sys.executable, "-m", "interpreter", "profile", str(path), "--secs", "0.1", "--json"]
    told = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    assert told["schema"] == "rulerun/profile@1"
    assert told["samples"] > 0
    assert {"share", "what", "file", "line", "text"} <= set(told["shares"][0])

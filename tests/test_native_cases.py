"""Rulesets on which native code takes its shortcuts, and where they once led astray."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from differential import RULESETS, compare

from interpreter.embedding import load
from interpreter.play.native.emit import context
from interpreter.play.native.engine import Engine

pytest.importorskip("llvmlite")

CASES = sorted((Path(__file__).parent / "cases" / "native").glob("*.rules"))


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_shortcuts_change_nothing(path: Path) -> None:
    """Pieces that look alike in few and in many ways, or that a condition tells apart all the same;
    routes that are looked for while others are; sealed bodies that are carried out at once;
    cheapest ways, found in the order of their prices."""
    program = load(path).program
    compare(program, Engine(program, cached=False, level=1), 3)


_TIGHT = """
import sys
from interpreter import limits
limits.STEPS_PER_MOVE = int(sys.argv[2])
from differential import compare
from interpreter.embedding import load
from interpreter.play.native.engine import Engine
program = load(sys.argv[1]).program
compare(program, Engine(program, cached=False, level=1), 3)
"""


@pytest.mark.parametrize(
    ("name", "most"),
    [("freedoms", 45_000), ("freedoms", 30_000), ("lookingForCells", 3000), ("straightRows", 300)],
)
def test_what_goes_on_too_long_ends_at_the_same_step(name: str, most: int) -> None:
    """Where hardly any steps are left, shortcuts pay for what they pass over."""
    path = next(path for path in CASES if path.stem == name)
    here = Path(__file__).parent
    given = {**os.environ, "PYTHONPATH": os.pathsep.join([str(here), str(here.parent)])}
    found = subprocess.run(
        [sys.executable, "-c", _TIGHT, str(path), str(most)],
        env=given, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert found.returncode == 0, found.stderr


def test_a_full_log_is_a_limit_and_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a trial writes is noted; where that is too much, the game fails, or is the same."""
    path = next(path for path in RULESETS if path.stem == "nozoku")
    program = load(path).program
    whole = Engine(program)
    wanted = whole.results(whole.playouts(range(40)))
    failed = 0
    for most in (20, 40, 80, 4000):
        monkeypatch.setattr(context, "_LOGGED", most)
        short = Engine(program)
        for found, right in zip(short.results(short.playouts(range(40))), wanted, strict=True):
            assert found == right or (found.failure is not None and found.failure[0] == "RR614")
            failed += found.failure is not None
    assert 0 < failed < 160

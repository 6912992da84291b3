"""Rulesets on which native code takes its shortcuts, and where they once led astray."""

from __future__ import annotations

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

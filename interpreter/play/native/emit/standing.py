"""The scores of the moment, for games that are cut off before their end."""

from __future__ import annotations

from interpreter.play.native.emit.code import PASSED, STATE, Unit
from interpreter.play.native.emit.text import I64, PAIR, PTR, Fn


def emit_standing(unit: Unit) -> None:
    """`scores_now(m, c, scores)`: what each seat would score if the game ended now; nothing where
    the rules have no score or break down."""
    program = unit.program
    fn = Fn("scores_now", I64, [*STATE, (PTR, "scores")], exported=True)
    for seat in range(program.players):
        fn.store("%scores", seat, 0)
    if program.score >= 0:
        name = unit.function(program.score)
        found = []
        for seat in range(program.players):
            pair = fn.call(name, PAIR, PASSED, "i64 0", "i64 0", f"i64 {seat}")
            failed = fn.compare("slt", fn.op(f"extractvalue {PAIR} {pair}, 1"), 0)
            with fn.when(failed, rare=True):
                fn.ret("0")
            found.append(fn.op(f"extractvalue {PAIR} {pair}, 0"))
        for seat, score in enumerate(found):
            fn.store("%scores", seat, score)
    fn.ret("0")
    unit.texts.append(fn.text())

"""Flat Monte Carlo in native code: what random games after each option come to.

For hidden games the caller imagines states first, and adds up what comes of each of them.
"""

from __future__ import annotations

from interpreter.play.native.code import Unit
from interpreter.play.native.text import I64, PTR, Fn
from interpreter.program.layout import KEY, SEAT, WINNERS

WHOLE = 27_720  # a win; those who win together share it, exactly, up to twelve
TRY_WINS, TRY_SCORE, TRY_FAILED, TRY_WIDTH = 0, 1, 2, 3


def emit_tries(unit: Unit) -> None:
    """`tries(m, c, option, first, n, seed, row, copy)`: take an option and play n random games
    from there, numbered from `first`. The row gets wins and scores of whoever decides, and how
    many games failed. What is random after the option depends on the number of the game."""
    program = unit.program
    head = [(PTR, "m"), (PTR, "c"), (I64, "option"), (I64, "first"), (I64, "n"), (I64, "seed")]
    fn = Fn("tries", I64, [*head, (PTR, "row"), (PTR, "copy")], exported=True)
    seat = fn.load("%m", SEAT)
    with fn.when(fn.compare("uge", seat, program.players), rare=True):
        fn.ret("-1")
    start = fn.call("number", I64, "i64 %seed", "i64 %option")
    with fn.count(0, "%n") as index:
        fn.copy("%copy", "%m", program.layout.size)
        number = fn.add("%first", index)
        key = fn.call("number", I64, f"i64 {start}", f"i64 {number}")
        fn.store("%copy", KEY, key)
        given = (f"{PTR} %copy", f"{PTR} %c")
        failed = fn.variable(
            fn.op(f"call i64 @take_option({', '.join(given)}, i64 %option, i64 {seat})")
        )
        with fn.when(fn.compare("sge", fn.get(failed), 0)):
            fn.set(failed, fn.op(f"call i64 @playout({', '.join(given)}, i64 {key})"))
        bad = fn.compare("slt", fn.get(failed), 0)
        fn.choose(
            bad,
            lambda: fn.store("%row", TRY_FAILED, fn.add(fn.load("%row", TRY_FAILED), 1)),
            lambda: _count(unit, fn, seat),
        )
    fn.ret("0")
    unit.texts.append(fn.text())


def _count(unit: Unit, fn: Fn, seat: str) -> None:
    winners = fn.load("%copy", WINNERS)
    bits = fn.op(f"call i64 @llvm.ctpop.i64(i64 {winners})")
    won = fn.both(fn.op(f"lshr i64 {winners}, {seat}"), 1)
    share = fn.op(f"udiv i64 {WHOLE}, {fn.op(f'call i64 @llvm.umax.i64(i64 {bits}, i64 1)')}")
    fn.store("%row", TRY_WINS, fn.add(fn.load("%row", TRY_WINS), fn.mul(won, share)))
    score = fn.load(fn.at("%copy", unit.program.layout.scores), seat)
    fn.store("%row", TRY_SCORE, fn.add(fn.load("%row", TRY_SCORE), score))

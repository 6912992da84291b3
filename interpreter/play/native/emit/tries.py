"""Random games from a state on: what they come to after each option, and as many as one likes.

For hidden games the caller imagines states first, and adds up what comes of each of them.
"""

from __future__ import annotations

from interpreter.play.guided import WHOLE
from interpreter.play.native.emit import context
from interpreter.play.native.emit.code import Unit
from interpreter.play.native.emit.text import AS_IT_IS, I64, PTR, Fn
from interpreter.play.native.emit.valid import check_state
from interpreter.program.layout import KEY, MOVES, SEAT, WINNERS

TRY_WINS, TRY_SCORE, TRY_FAILED, TRY_WIDTH = 0, 1, 2, 3


def emit_tries(unit: Unit) -> None:
    """`tries(m, c, option, first, n, seed, row, copy)`: take an option and play n random games
    from there, numbered from `first`. The row gets wins and scores of whoever decides, and how
    many games failed. What is random after the option depends on the number of the game."""
    program = unit.program
    unit.texts.append(_onward(unit))
    head = [(PTR, "m"), (PTR, "c"), (I64, "option"), (I64, "first"), (I64, "n"), (I64, "seed")]
    fn = Fn("tries", I64, [*head, (PTR, "row"), (PTR, "copy")], exported=True, attributes=AS_IT_IS)
    seat = fn.load("%m", SEAT)
    with fn.when(fn.compare("uge", seat, program.players), rare=True):
        fn.ret("-1")
    start = fn.call("number", I64, "i64 %seed", "i64 %option")
    with fn.count(0, "%n") as index:
        number = fn.add("%first", index)
        key = fn.call("number", I64, f"i64 {start}", f"i64 {number}")
        failed = fn.variable(_one(unit, fn, key, seat))
        if unit.sealed:  # once more in the plain way: see sealed.py
            with fn.when(fn.compare("slt", fn.get(failed), 0), rare=True):
                fn.store("%c", context.PLAIN, 1)
                fn.set(failed, _one(unit, fn, key, seat))
                fn.store("%c", context.PLAIN, 0)
        fn.choose(
            fn.compare("slt", fn.get(failed), 0),
            lambda: fn.store("%row", TRY_FAILED, fn.add(fn.load("%row", TRY_FAILED), 1)),
            lambda: _count(unit, fn, seat),
        )
    fn.ret("0")
    unit.texts.append(fn.text())


def _onward(unit: Unit) -> str:
    """`onward(m, c, first, n, copy)`: n random games from a state on, on a copy of it, by seeds
    from `first` on. How many decisions they took, or -1 if the state is none."""
    head = [(PTR, "m"), (PTR, "c"), (I64, "first"), (I64, "n"), (PTR, "copy")]
    fn = Fn("onward", I64, head, exported=True, attributes=AS_IT_IS)
    check_state(fn)
    decisions, given = fn.variable("0"), f"{PTR} %copy, {PTR} %c"
    before = fn.load("%m", MOVES)
    with fn.count(0, "%n") as index:
        key = fn.call("number", I64, f"i64 {fn.add('%first', index)}", "i64 0")
        fn.copy("%copy", "%m", unit.program.layout.size)
        fn.store("%copy", KEY, key)
        fn.op(f"call i64 @playout_here({given}, i64 {key})")
        made = fn.sub(fn.load("%copy", MOVES), before)
        fn.set(decisions, fn.add(fn.get(decisions), made))
    fn.ret(fn.get(decisions))
    return fn.text()


def _one(unit: Unit, fn: Fn, key: str, seat: str) -> str:
    """One game on the copy; below 0 after a failure."""
    fn.copy("%copy", "%m", unit.program.layout.size)
    fn.store("%copy", KEY, key)
    given = f"{PTR} %copy, {PTR} %c"
    failed = fn.variable(fn.op(f"call i64 @take_option({given}, i64 %option, i64 {seat})"))
    with fn.when(fn.compare("sge", fn.get(failed), 0)):
        fn.set(failed, fn.op(f"call i64 @playout({given}, i64 {key})"))
    return fn.get(failed)


def _count(unit: Unit, fn: Fn, seat: str) -> None:
    """Add up what a game brought (`guided.shares`)."""
    won = fn.load("%copy", WINNERS)
    everyone = (1 << unit.program.players) - 1
    winners = fn.select(fn.compare("eq", won, 0), everyone, won)
    bits = fn.op(f"call i64 @llvm.ctpop.i64(i64 {winners})")
    own = fn.both(fn.op(f"lshr i64 {winners}, {seat}"), 1)
    share = fn.op(f"udiv i64 {WHOLE}, {bits}")
    if unit.program.winners < 0:
        share = fn.select(fn.compare("eq", won, 0), share, WHOLE)
    fn.store("%row", TRY_WINS, fn.add(fn.load("%row", TRY_WINS), fn.mul(own, share)))
    score = fn.load(fn.at("%copy", unit.program.layout.scores), seat)
    fn.store("%row", TRY_SCORE, fn.add(fn.load("%row", TRY_SCORE), score))

"""What games that are played to find something out call: one decision on, and the scores of the
moment. They rely on the state, and on the options that lie on the arena since the last stop."""

from __future__ import annotations

from interpreter.play.native.emit import context
from interpreter.play.native.emit.code import PASSED, STATE, Unit
from interpreter.play.native.emit.sealed import book, by_menu, row_of
from interpreter.play.native.emit.text import I64, PAIR, PTR, Fn
from interpreter.program.layout import DECIDED, MENU, SEALING, SEAT, STATUS


def emit_onward(unit: Unit) -> None:
    unit.texts += [_onward(unit), _standing(unit)]


def _onward(unit: Unit) -> str:
    """`onward(m, c, option, seat)`: take an option by its number and go on to the next stop. For a
    sealed choice `options` has just been asked."""
    fn = Fn("onward", I64, [*STATE, (I64, "option"), (I64, "seat")], exported=True)
    area = fn.load("%c", context.TOP, PTR)
    if unit.sealed:
        width = unit.program.layout.sealed_width
        row = fn.slot(f"[{width} x i64]")
        with fn.when(fn.compare("eq", fn.load("%m", STATUS), SEALING)):
            copy = fn.load("%c", context.BASE, PTR)
            fn.clear(row, 0, width)
            row_of(unit, fn, fn.load(copy, MENU), area, "%option", row)
            fn.store("%c", context.TOP, copy, PTR)
            book(unit, fn)
            given = (PASSED, f"{PTR} {row}", "i64 %seat", "i1 false")
            fn.ret(fn.call("record", I64, *given))
    menu = fn.load("%m", MENU)
    book(unit, fn)
    fn.store("%m", DECIDED, fn.add(fn.load("%m", DECIDED), 1))
    fn.store("%m", SEAT, 0)
    fn.store("%m", MENU, 0)
    for number, label in by_menu(unit, fn, menu).items():
        fn.place(label)
        pc = fn.call(f"enter{number}", I64, PASSED, f"{PTR} {area}", "i64 %option")
        fn.ret(fn.call("run", I64, PASSED, f"i64 {pc}", "i64 0", "i1 false"))
    return fn.text()


def _standing(unit: Unit) -> str:
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
    return fn.text()

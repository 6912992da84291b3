"""Games in which nobody chooses but chance: a form of `run` for them, where that gains much.

`i64 blind(m, c, pc, depth)` plays to the end. Whoever chooses in other games is shown a list of
options; here nobody reads it. Of options that are cells of a board, which is kept as sets of bits
(facts/kept.py), all that matters is how many there are, and which is the one that is drawn.

It is right because a bit stands for the option in its place, in the order of the list. Where there
is nothing to choose, or only one thing, the list is made as ever.
"""

from __future__ import annotations

from interpreter.play.native.emit.code import PASSED, STATE, Code, Unit
from interpreter.play.native.emit.control import Run
from interpreter.play.native.emit.expressions import value
from interpreter.play.native.emit.kept import Drawn, KeptBoards, found_in_words
from interpreter.play.native.emit.statements import block
from interpreter.play.native.emit.text import I64, Fn
from interpreter.play.native.facts.kept import Kept, boards_kept, written_first
from interpreter.play.native.facts.words import asked_of, word_of_menu, words_of_menu
from interpreter.program import ops
from interpreter.program.layout import PC


def is_played_blindly(unit: Unit) -> bool:
    """Whether there is such a form."""
    plain = not (unit.looks or unit.sealed or unit.tries or unit.profiled)
    return plain and bool(boards_kept(unit.program))


def emit_blind(unit: Unit) -> None:
    if is_played_blindly(unit):
        unit.texts.append(_Blind(unit).text())


class _Blind(Run):
    name, chooser, sim = "blind", "choose_blindly", "true"
    kept: KeptBoards

    def head(self) -> list[tuple[str, str]]:
        return [*STATE, (I64, "pc"), (I64, "d")]

    def begin(self) -> None:
        self.kept = KeptBoards(self.fn, boards_kept(self.program))

    def prepare(self, code: Code) -> None:
        code.kept = self.kept

    def _do(self, code: Code, pc: int, statements: tuple[ops.Statement, ...]) -> None:
        """What writes such a board is put in place, and the rest is as ever."""
        first = max(written_first(self.program, each, statements) for each in self._boards())
        if first:
            code.make_locals(statements[:first])
            block(code, statements[:first])
        rest = statements[first:]
        if rest and self._apart(code, f"rest{pc}" if first else f"do{pc}", rest) is None:
            code.make_locals(rest)
            block(code, rest)
        self._goto(pc + 1)

    def _boards(self) -> list[Kept]:
        return list(self.kept.boards.values())

    def decide_at_once(self, code: Code, pc: int, op: ops.Decide) -> None:
        fn, word = self.fn, word_of_menu(self.program, op.menu)
        if word is None or not all(each.base in self.kept.boards for each in asked_of(word)):
            return
        found = found_in_words(
            self.kept, word, words_of_menu(self.program, op.menu), lambda it: value(code, it)
        )
        bits = Drawn(fn, found)
        with fn.when(fn.compare("sgt", bits.count, 1)):
            fn.store("%m", PC, pc)
            code.make_locals(op.seat)
            given = (f"i64 {value(code, op.seat)}", f"i64 {bits.count}")
            steps = f"i64 {fn.get(self.steps)}"
            picked = fn.call(self.chooser, I64, PASSED, *given, steps)
            self.fail_unless_chosen(code, picked)
            fn.set(self.steps, "0")
            (entry,) = self.program.menus[op.menu].entries
            fn.write("%m", entry.cells[0], bits.bit(picked))
            self._goto(entry.target.position)


# ---- one bit out of many


def nth_bit() -> str:
    """`i64 nth_bit(word, n)`: the number of the bit that is set after n others."""
    fn = Fn("nth_bit", I64, [(I64, "word"), (I64, "n")], attributes="alwaysinline")
    word, left, place, width = "%word", "%n", "0", 32
    while width:
        low = fn.both(word, (1 << width) - 1)
        here = fn.op(f"call i64 @llvm.ctpop.i64(i64 {low})")
        later = fn.compare("sge", left, here)
        left = fn.select(later, fn.sub(left, here), left)
        shift = fn.select(later, width, 0)
        word = fn.op(f"lshr i64 {word}, {shift}")
        place = fn.add(place, shift)
        width //= 2
    fn.ret(place)
    return fn.text()


def nth_bit_by_deposit() -> str:
    """The same for processors that can spread bits."""
    fn = Fn("nth_bit", I64, [(I64, "word"), (I64, "n")], attributes="alwaysinline")
    one = fn.op("shl i64 1, %n")
    bit = fn.op(f"call i64 @llvm.x86.bmi.pdep.64(i64 {one}, i64 %word)")
    fn.ret(fn.op(f"call i64 @llvm.cttz.i64(i64 {bit}, i1 true)"))
    return fn.text() + "declare i64 @llvm.x86.bmi.pdep.64(i64, i64)\n"

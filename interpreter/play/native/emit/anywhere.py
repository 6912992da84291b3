"""Whether there are cells of a content in a row, asked of the whole board: see facts/anywhere.py.

If there are none, the loop that looks for them is passed over, and where steps are counted those
are paid that it would have taken. If there are, it is gone through like any other.
"""

from __future__ import annotations

from functools import reduce

from interpreter import limits
from interpreter.play.native.emit.code import Code
from interpreter.play.native.emit.rounds import all_with
from interpreter.play.native.facts.anywhere import Lines, Row, find_lines
from interpreter.play.native.facts.compared import Compared
from interpreter.program import ops


def pass_over_lines(code: Code, loop: ops.CountLoop) -> str | None:
    """The label to be put behind a loop, if it is passed over where nothing is in a row."""
    if code.mask is not None or code.fn.marking is not None or (code.form and code.form.exact):
        return None
    lines = find_lines(code.unit.program, loop)
    if lines is None or (code.counter is not None and code.counter.unpaid(loop.body)):
        return None
    fn, end, none, onward = code.fn, code.fn.label(), code.fn.label(), code.fn.label()
    held = _Held(code, lines)
    missing = held.has_none()
    if not code.free and not code.ample:
        most = limits.STEPS_PER_MOVE - lines.flat - sum(lines.steps)
        missing = fn.op(f"and i1 {missing}, {fn.compare('sle', fn.get(code.steps), most)}")
    fn.branch(missing, none, onward)
    fn.place(none)
    if not code.free:
        code.spend(held.steps(), -1)
    fn.goto(end)
    fn.place(onward)
    return end


class _Held:
    """The cells with the content."""

    def __init__(self, code: Code, lines: Lines) -> None:
        self.fn, self.lines = code.fn, lines
        self.type = f"i{64 * -(-lines.cells // 64)}"
        compared = Compared(lines.base, True, lines.content)
        self.words = all_with(code, compared, 0, lines.cells)
        self.cells = self._joined()

    def _joined(self) -> str:
        if len(self.words) == 1:
            return self.words[0]
        wide = [self.fn.op(f"zext i64 {word} to {self.type}") for word in self.words]
        moved = [self._op("shl", word, 64 * place) for place, word in enumerate(wide)]
        return reduce(lambda one, two: self._op("or", one, two), moved)

    def has_none(self) -> str:
        """Whether there are not so many in a row."""
        found = [self._in_row(row) for row in self.lines.rows]
        some = reduce(lambda one, two: self._op("or", one, two), found)
        return self.fn.op(f"icmp eq {self.type} {some}, 0")

    def _in_row(self, row: Row) -> str:
        """The first cells of rows: two and two of them make one of four, and so on."""
        found, length = self.cells, 1
        while length < self.lines.length:
            more = min(length, self.lines.length - length)
            found = self._op("and", found, self._op("lshr", found, more * row.by))
            length += more
        return self._op("and", found, row.firsts)

    def steps(self) -> str:
        """That the loop takes if it finds nothing: by the digits of what each cell costs."""
        fn, steps, total = self.fn, self.lines.steps, str(self.lines.flat)
        for digit in range(max(steps).bit_length()):
            having = sum(1 << cell for cell, cost in enumerate(steps) if cost >> digit & 1)
            for place, word in enumerate(self.words):
                mask = having >> 64 * place & (1 << 64) - 1
                if mask:
                    some = fn.both(word, mask if mask < 1 << 63 else mask - (1 << 64))
                    number = fn.op(f"call i64 @llvm.ctpop.i64(i64 {some})")
                    total = fn.add(total, fn.op(f"shl i64 {number}, {digit}"))
        return total

    def _op(self, word: str, left: str, right: str | int) -> str:
        return self.fn.op(f"{word} {self.type} {left}, {right}")

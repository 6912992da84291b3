"""Writing down the options of a generator, several at once where that can be done.

In a loop that is written out, each option is a constant under a condition. Of four that follow one
another a table tells, by which of the conditions hold, how they stand side by side: that takes one
store instead of four, and LLVM can work out the four conditions together.

It is right because an option that does not hold is overwritten by the next, or lies behind the last
that counts; there is room for that behind all options.

What must not be assumed: that options wait for ever. They keep their order only if whatever else
writes an option, or jumps, settles first what still waits. And only where there cannot be too many
options is it enough not to count them one by one.
"""

from __future__ import annotations

from interpreter import limits
from interpreter.play.native.emit.code import Code
from interpreter.play.native.emit.text import I64, PTR

_LANES = 4
_ROW = f"<{_LANES} x i64>"


def standing_table() -> str:
    """For each set of lanes: their numbers, side by side; what stands behind does not matter."""
    rows: list[str] = []
    for chosen in range(1 << _LANES):
        lanes = [lane for lane in range(_LANES) if chosen >> lane & 1]
        numbers = lanes + [0] * (_LANES - len(lanes))
        rows.append(f"{_ROW} <{', '.join(f'i64 {number}' for number in numbers)}>")
    kind = f"[{1 << _LANES} x {_ROW}]"
    return f"@standing = internal unnamed_addr constant {kind} [{', '.join(rows)}], align 32"


class Offers:
    """The options of one generator, written from `%o` on."""

    def __init__(self, code: Code, count: str, few: bool) -> None:
        self.code = code
        self.count = count
        self.few = few  # there cannot be too many
        self.waiting: list[tuple[str, int]] = []  # conditions and options that come next

    def add(self, values: tuple[str, ...]) -> None:
        if self.code.unrolling and self.few and self._joins(values):
            assert self.code.mask is not None
            self.waiting.append((self.code.mask, int(values[0])))
            if len(self.waiting) == _LANES:
                self._write_waiting()
            return
        self.settle()
        self._write(values, self.code.mask)

    def settle(self) -> None:
        """Write what still waits, one by one."""
        for mask, value in self.waiting:
            self._write((str(value),), mask)
        self.waiting = []

    def _joins(self, values: tuple[str, ...]) -> bool:
        """Whether an option can wait for others, with those that wait already."""
        if self.code.mask is None or len(values) != 1 or not values[0].isdigit():
            return False
        return not self.waiting or int(values[0]) == self.waiting[-1][1] + 1

    def _write(self, values: tuple[str, ...], mask: str | None) -> None:
        fn = self.code.fn
        now = fn.get(self.count)
        if not self.few:
            self.code.fail_if(fn.compare("sge", now, limits.OPTIONS), "RR609", -1)
        row = fn.at("%o", fn.mul(now, len(values)))
        for offset, value in enumerate(values):
            fn.store(row, offset, value)
        # Under a mask the option is written anyway, and counts only if it is one.
        one = "1" if mask is None else fn.widen(mask)
        fn.set(self.count, fn.op(f"add nuw nsw i64 {now}, {one}"))

    def _write_waiting(self) -> None:
        fn, bits = self.code.fn, f"<{_LANES} x i1>"
        lanes = "poison"
        for lane, (mask, _) in enumerate(self.waiting):
            lanes = fn.op(f"insertelement {bits} {lanes}, i1 {mask}, i64 {lane}")
        chosen = fn.op(f"zext i{_LANES} {fn.op(f'bitcast {bits} {lanes} to i{_LANES}')} to i64")
        place = fn.op(f"getelementptr inbounds {_ROW}, {PTR} @standing, i64 {chosen}")
        numbers = fn.op(f"load {_ROW}, {PTR} {place}, align 32, !invariant.load !1")
        first = ", ".join([f"i64 {self.waiting[0][1]}"] * _LANES)
        now = fn.get(self.count)
        options = fn.op(f"add nuw nsw {_ROW} {numbers}, <{first}>")
        fn.line(f"store {_ROW} {options}, {PTR} {fn.at('%o', now)}, align 8")
        more = fn.op(f"call {I64} @llvm.ctpop.i64(i64 {chosen})")
        fn.set(self.count, fn.op(f"add nuw nsw i64 {now}, {more}"))
        self.waiting = []

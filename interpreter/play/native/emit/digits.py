"""A number of many digits as one sum: see facts/digits.py."""

from __future__ import annotations

from interpreter.play.chance import signed
from interpreter.play.native.emit.code import Code
from interpreter.play.native.emit.expressions import local, value
from interpreter.play.native.emit.text import PTR
from interpreter.play.native.facts.digits import Digits
from interpreter.program import ops

_WRAPPED = (1 << 64) - 1


def emit_digits(code: Code, loop: ops.CountLoop, digits: Digits) -> None:
    fn = code.fn
    assert isinstance(loop.low, ops.Const)
    assert isinstance(loop.high, ops.Const)
    low, high = loop.low.value, loop.high.value
    powers = [signed(digits.base**place & _WRAPPED) for place in range(high - low + 1)]
    table = code.unit.table(tuple(powers[high - low - 1 :: -1]))
    before = value(code, ops.Local(digits.number))
    code.forget(loop)
    total = fn.variable("0")
    with fn.count(low, high) as now:
        fn.set(local(code, loop.local), now)
        digit = value(code, digits.digit)
        place = fn.op(
            f"getelementptr inbounds {table.type}, {PTR} {table.name}, i64 {fn.sub(now, low)}"
        )
        power = fn.op(f"load {table.type}, {PTR} {place}, !invariant.load !1")
        if table.type != "i64":
            power = fn.op(f"sext {table.type} {power} to i64")
        fn.set(total, fn.add(fn.get(total), fn.mul(digit, power)))
    start = fn.mul(before, powers[-1])
    fn.set(local(code, digits.number), fn.add(start, fn.get(total)))
    code.forget(loop)

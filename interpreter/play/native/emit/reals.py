"""Numbers with a fraction in native code, by operations that are the same everywhere."""

from __future__ import annotations

import struct

from interpreter.play.native.emit.text import Fn

DOUBLE = "double"
_LOG_2_E = 1.4426950408889634
# Of two to a power from 0 to 1, the first terms of its series.
_SERIES = (
    1.0, 0.6931471805599453, 0.24022650695910072, 0.05550410866482158, 0.009618129107628477,
    0.0013333558146428443, 0.00015403530393381608, 0.00001525273380405984,
)  # fmt: skip


def real(value: float) -> str:
    return f"0x{struct.unpack('>Q', struct.pack('>d', value))[0]:016X}"


def calculate(fn: Fn, word: str, left: str, right: str) -> str:
    return fn.op(f"{word} double {left}, {right}")


def to_real(fn: Fn, value: str) -> str:
    return fn.op(f"sitofp i64 {value} to double")


def emit_exp() -> str:
    """`double exp(x)` for x up to 0, by a series of our own."""
    fn = Fn("exp", DOUBLE, [(DOUBLE, "x")])
    with fn.when(fn.op(f"fcmp olt double %x, {real(-40.0)}")):
        fn.ret(real(0.0))
    power = calculate(fn, "fmul", "%x", real(_LOG_2_E))
    whole = fn.op(f"call double @llvm.floor.f64(double {power})")
    rest = calculate(fn, "fsub", power, whole)
    found = real(_SERIES[-1])
    for term in reversed(_SERIES[:-1]):
        found = calculate(fn, "fadd", calculate(fn, "fmul", found, rest), real(term))
    exponent = fn.add(fn.op(f"fptosi double {whole} to i64"), 1023)
    scale = fn.op(f"bitcast i64 {fn.op(f'shl i64 {exponent}, 52')} to double")
    fn.ret(calculate(fn, "fmul", found, scale))
    return fn.text()

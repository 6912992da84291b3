"""Numbers with a fraction in native code, by operations that are the same everywhere."""

from __future__ import annotations

import struct

from interpreter.play.native.emit.text import I64, Fn
from interpreter.play.uct import LOG_2

DOUBLE = "double"
LANES = 4  # numbers that are calculated with at once
REALS, WHOLES = f"<{LANES} x double>", f"<{LANES} x i64>"
SEVERAL = f"""
declare {WHOLES} @llvm.ctlz.v{LANES}i64({WHOLES}, i1)
declare {REALS} @llvm.sqrt.v{LANES}f64({REALS})
"""
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
    scale = _power_of_2(fn, fn.op(f"fptosi double {whole} to i64"))
    fn.ret(calculate(fn, "fmul", found, scale))
    return fn.text()


def emit_log() -> str:
    """`double log(n)` of a whole number: near the logarithm, straight between the powers of 2."""
    fn = Fn("log", DOUBLE, [(I64, "n")])
    doubled = fn.sub(63, fn.op("call i64 @llvm.ctlz.i64(i64 %n, i1 true)"))
    inverse = _power_of_2(fn, fn.sub(0, doubled))  # exact, and sooner there than a quotient
    ratio = calculate(fn, "fmul", to_real(fn, "%n"), inverse)
    rest = calculate(fn, "fsub", ratio, real(1.0))
    fn.ret(calculate(fn, "fmul", real(LOG_2), calculate(fn, "fadd", to_real(fn, doubled), rest)))
    return fn.text()


def _power_of_2(fn: Fn, exponent: str) -> str:
    bits = fn.op(f"shl i64 {fn.add(exponent, 1023)}, 52")
    return fn.op(f"bitcast i64 {bits} to double")


def pair(fn: Fn, one: str, other: str) -> str:
    """Two numbers that are calculated with at once."""
    first = fn.op(f"insertelement <2 x double> poison, double {one}, i64 0")
    return fn.op(f"insertelement <2 x double> {first}, double {other}, i64 1")


def together(fn: Fn, values: list[str]) -> str:
    found = "poison"
    for lane, value in enumerate(values):
        found = fn.op(f"insertelement {WHOLES} {found}, i64 {value}, i64 {lane}")
    return found


def everywhere(value: float | int) -> str:
    """The same number in all places."""
    one = f"double {real(value)}" if isinstance(value, float) else f"i64 {value}"
    return f"<{', '.join([one] * LANES)}>"


def to_reals(fn: Fn, values: str) -> str:
    return fn.op(f"sitofp {WHOLES} {values} to {REALS}")


def logs(fn: Fn, numbers: str) -> str:
    """`log` of several whole numbers."""
    zeros = fn.op(f"call {WHOLES} @llvm.ctlz.v{LANES}i64({WHOLES} {numbers}, i1 true)")
    doubled = fn.op(f"sub {WHOLES} {everywhere(63)}, {zeros}")
    power = fn.op(f"sub {WHOLES} {everywhere(1023)}, {doubled}")
    bits = fn.op(f"shl {WHOLES} {power}, {everywhere(52)}")
    inverse = fn.op(f"bitcast {WHOLES} {bits} to {REALS}")
    ratio = fn.op(f"fmul {REALS} {to_reals(fn, numbers)}, {inverse}")
    rest = fn.op(f"fsub {REALS} {ratio}, {everywhere(1.0)}")
    all_ = fn.op(f"fadd {REALS} {to_reals(fn, doubled)}, {rest}")
    return fn.op(f"fmul {REALS} {everywhere(LOG_2)}, {all_}")

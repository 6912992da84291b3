"""A table of weights in native code: adding up what belongs to a key, and changing it."""

from __future__ import annotations

from interpreter.play.native.emit.policy import place_of
from interpreter.play.native.emit.reals import DOUBLE, calculate, real
from interpreter.play.native.emit.text import I64, PTR, VOID, Fn

VALUE_KEY = 0x2545F4914F6CDD1D


def sum_real() -> str:
    """`double sum_real(weights, shift, contexts, count, key)`."""
    head = [(PTR, "weights"), (I64, "shift"), (PTR, "contexts"), (I64, "count"), (I64, "key")]
    fn = Fn("sum_real", DOUBLE, head)
    total = fn.variable(real(0.0), DOUBLE)
    with fn.count(0, "%count") as number:
        place = place_of(fn, fn.load("%contexts", number), "%key", "%shift")
        at = fn.op(f"getelementptr inbounds [2 x float], ptr %weights, i64 {place}")
        weight = fn.op(f"fpext float {fn.op(f'load float, ptr {at}, align 4')} to double")
        fn.set(total, calculate(fn, "fadd", fn.get(total, DOUBLE), weight), DOUBLE)
    fn.ret(fn.get(total, DOUBLE))
    return fn.text()


def pull() -> str:
    """`pull(weights, shift, contexts, count, key, by, step)`: every weight of a key a step."""
    head = [(PTR, "weights"), (I64, "shift"), (PTR, "contexts"), (I64, "count"), (I64, "key")]
    fn = Fn("pull", VOID, [*head, (DOUBLE, "by"), (DOUBLE, "step")])
    far = fn.op("call double @llvm.fabs.f64(double %by)")
    with fn.when(fn.op(f"fcmp olt double {far}, {real(1e-3)}")):
        fn.ret()
    square = calculate(fn, "fmul", "%by", "%by")
    way = calculate(fn, "fmul", "%by", "%step")
    with fn.count(0, "%count") as number:
        place = place_of(fn, fn.load("%contexts", number), "%key", "%shift")
        at = fn.op(f"getelementptr inbounds [2 x float], ptr %weights, i64 {place}")
        more = fn.op(f"getelementptr inbounds float, ptr {at}, i64 1")
        weight, pulled = (
            fn.op(f"fpext float {fn.op(f'load float, ptr {each}, align 4')} to double")
            for each in (at, more)
        )
        now = calculate(fn, "fadd", pulled, square)
        root = fn.op(f"call double @llvm.sqrt.f64(double {now})")
        new = calculate(fn, "fadd", weight, calculate(fn, "fdiv", way, root))
        for value, target in ((new, at), (now, more)):
            fn.line(
                f"store float {fn.op(f'fptrunc double {value} to float')}, ptr {target}, align 4"
            )
    fn.ret()
    return fn.text()


def learn_value() -> str:
    """`learn_value(weights, shift, contexts, count, by)`: what was expected, set right."""
    head = [(PTR, "weights"), (I64, "shift"), (PTR, "contexts"), (I64, "count"), (DOUBLE, "by")]
    fn = Fn("learn_value", VOID, head)
    with fn.count(0, "%count") as number:
        place = place_of(fn, fn.load("%contexts", number), str(VALUE_KEY), "%shift")
        at = fn.op(f"getelementptr inbounds [2 x float], ptr %weights, i64 {place}")
        weight = fn.op(f"fpext float {fn.op(f'load float, ptr {at}, align 4')} to double")
        new = calculate(fn, "fadd", weight, "%by")
        fn.line(f"store float {fn.op(f'fptrunc double {new} to float')}, ptr {at}, align 4")
    fn.ret()
    return fn.text()

"""The small functions that all native code shares: failing, dividing, random numbers, choosing."""

from __future__ import annotations

from interpreter import limits
from interpreter.play.native.emit import context
from interpreter.play.native.emit.code import STATE, Unit
from interpreter.play.native.emit.text import I64, PTR, VOID, Fn
from interpreter.program import ops
from interpreter.program.layout import DECIDED, MENU, MOVES, SEAT, STATUS, TOTAL_STEPS

BROKEN, TOO_LONG = -2, -3  # why nothing was chosen
_FEW = 3  # decisions that have all their code in place
_GAMMA = -0x61C8864680B583EB  # as signed 64 bits; see chance.py
_MIX = (-0x40A7B892E31B1A47, -0x6B2FB644ECCEEE15)

DECLARATIONS = """
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
declare i64 @llvm.smin.i64(i64, i64)
declare i64 @llvm.smax.i64(i64, i64)
declare i64 @llvm.umin.i64(i64, i64)
declare i64 @llvm.cttz.i64(i64, i1)
declare i128 @llvm.cttz.i128(i128, i1)
declare i256 @llvm.cttz.i256(i256, i1)
declare i64 @llvm.ctpop.i64(i64)
declare i64 @llvm.umax.i64(i64, i64)
declare i64 @llvm.sadd.sat.i64(i64, i64)
declare i64 @llvm.ssub.sat.i64(i64, i64)
declare void @llvm.assume(i1)
declare { i64, i1 } @llvm.sadd.with.overflow.i64(i64, i64)
declare { i64, i1 } @llvm.ssub.with.overflow.i64(i64, i64)
declare { i64, i1 } @llvm.smul.with.overflow.i64(i64, i64)
!0 = !{!"branch_weights", i32 1, i32 100000}
!1 = !{}
!2 = distinct !{!2, !3, !4}
!3 = !{!"llvm.loop.unroll.disable"}
!4 = !{!"llvm.loop.vectorize.enable", i1 false}
"""


def emit_runtime(unit: Unit) -> None:
    unit.texts += [
        _fail(),
        _locate(),
        _divide(),
        _divide_up(),
        _modulo(),
        random_number(),
        random_below(),
        _choose(unit),
        _choose_blindly(unit),
    ]


def _fail() -> str:
    fn = Fn("fail", VOID, [(PTR, "c"), (I64, "code"), (I64, "at")], attributes="cold noinline")
    fn.store("%c", context.ERROR, "%code")
    fn.store("%c", context.AT, "%at")
    fn.ret()
    return fn.text()


def _locate() -> str:
    """Give a failure that has no spot yet the one of the code around it."""
    fn = Fn("locate", VOID, [(PTR, "c"), (I64, "at")], attributes="cold noinline")
    with fn.when(fn.compare("slt", fn.load("%c", context.AT), 0)):
        fn.store("%c", context.AT, "%at")
    fn.ret()
    return fn.text()


def _divide() -> str:
    """Rounded down. The processor traps on the lowest number divided by -1."""
    fn = Fn("divide", I64, [(I64, "l"), (I64, "r")])
    with fn.when(fn.compare("eq", "%r", -1)):
        fn.ret(fn.sub(0, "%l"))
    down = fn.op("sdiv i64 %l, %r")
    rest = fn.op("srem i64 %l, %r")
    uneven = fn.compare("ne", rest, 0)
    signs = fn.compare("slt", fn.op(f"xor i64 {rest}, %r"), 0)
    fn.ret(fn.select(fn.op(f"and i1 {uneven}, {signs}"), fn.sub(down, 1), down))
    return fn.text()


def _divide_up() -> str:
    fn = Fn("divide_up", I64, [(I64, "l"), (I64, "r")])
    down = fn.call("divide", I64, f"i64 {fn.sub(0, '%l')}", "i64 %r")
    fn.ret(fn.sub(0, down))
    return fn.text()


def _modulo() -> str:
    """The sign is the divisor's."""
    fn = Fn("modulo", I64, [(I64, "l"), (I64, "r")])
    with fn.when(fn.compare("eq", "%r", -1)):
        fn.ret("0")
    rest = fn.op("srem i64 %l, %r")
    uneven = fn.compare("ne", rest, 0)
    signs = fn.compare("slt", fn.op(f"xor i64 {rest}, %r"), 0)
    fn.ret(fn.select(fn.op(f"and i1 {uneven}, {signs}"), fn.add(rest, "%r"), rest))
    return fn.text()


def random_number() -> str:
    """The random number of a stream at a position (`chance.number`)."""
    fn = Fn("number", I64, [(I64, "key"), (I64, "counter")], attributes="alwaysinline")
    z = fn.add("%key", fn.mul(fn.add("%counter", 1), _GAMMA))
    for shift, factor in ((30, _MIX[0]), (27, _MIX[1])):
        z = fn.mul(fn.op(f"xor i64 {z}, {fn.op(f'lshr i64 {z}, {shift}')}"), factor)
    fn.ret(fn.op(f"xor i64 {z}, {fn.op(f'lshr i64 {z}, 31')}"))
    return fn.text()


def random_at(fn: Fn, key: str | int, counter: str | int) -> str:
    return fn.call("number", I64, f"i64 {key}", f"i64 {counter}")


def pick_option(fn: Fn, m: str, seat: str, count: str, *, sealed: bool) -> str:
    """The option that is chosen in a simulation of those on the arena: drawn from the stream of the
    seat, or what somebody else says; they may say -1 to stop here, if it is no sealed choice."""
    picked, who = fn.slot(), fn.load("%c", context.PICK, PTR)
    with_what = f"{PTR} {fn.load('%c', context.PICK_FOR, PTR)}, {PTR} {m}, i64 {seat}"
    asked = f"call i64 {who}({with_what}, i64 {count}, i64 {int(sealed)})"
    fn.choose(
        fn.op(f"icmp eq {PTR} {who}, null"),
        lambda: fn.set(picked, _drawn(fn, seat, count)),
        lambda: fn.set(picked, fn.op(asked)),
    )
    return fn.get(picked)


def _drawn(fn: Fn, seat: str, count: str) -> str:
    """A number below the count, from the stream of a seat."""
    stream = fn.at("%c", fn.add(fn.mul(seat, 2), context.KEYS))
    return fn.call("draw", I64, f"{PTR} {stream}", f"i64 {count}")


def _choose(unit: Unit) -> str:
    """`i64 choose(m, c, seat, count, steps)`: the option that is chosen in a simulation, and the
    bookkeeping of a decision that is taken at once. Or -1: to stop here, BROKEN, TOO_LONG. Where
    many decisions need it there is only one of it."""
    fn = _chooser(unit, "choose")
    picked = pick_option(fn, "%m", "%seat", "%count", sealed=False)
    with fn.when(fn.compare("slt", picked, 0), rare=True):
        fn.ret("-1")
    _book(fn)
    fn.ret(picked)
    return fn.text()


def _choose_blindly(unit: Unit) -> str:
    """`i64 choose_blindly(m, c, seat, count, steps)`: the same where nobody is asked but chance."""
    fn = _chooser(unit, "choose_blindly")
    picked = _drawn(fn, "%seat", "%count")
    _book(fn)
    fn.ret(picked)
    return fn.text()


def _chooser(unit: Unit, name: str) -> Fn:
    stops = sum(isinstance(op, ops.Decide) for op in unit.program.code)
    head = [*STATE, (I64, "seat"), (I64, "count"), (I64, "steps")]
    fn = Fn(name, I64, head, attributes="noinline" * (stops > _FEW))
    with fn.when(fn.compare("uge", "%seat", unit.program.players), rare=True):
        fn.ret(BROKEN)
    return fn


def _book(fn: Fn) -> None:
    """A decision is taken."""
    total = fn.add(fn.load("%m", TOTAL_STEPS), "%steps")
    moves = fn.add(fn.load("%m", MOVES), 1)
    fn.store("%m", TOTAL_STEPS, total)
    fn.store("%m", MOVES, moves)
    fn.store("%m", DECIDED, fn.add(fn.load("%m", DECIDED), 1))
    many = fn.compare("sgt", moves, limits.MOVES_PER_GAME)
    long = fn.compare("sgt", total, limits.STEPS_PER_GAME)
    with fn.when(fn.op(f"or i1 {many}, {long}"), rare=True):
        fn.ret(TOO_LONG)
    for cell in (SEAT, MENU, STATUS):
        fn.store("%m", cell, 0)


def random_below() -> str:
    """`chance.below` on a stream: its key, then its counter. The remainder, which takes a
    slow division, is worked out only where it can matter."""
    fn = Fn("draw", I64, [(PTR, "stream"), (I64, "bound")], attributes="inlinehint")
    key = fn.load("%stream", 0)
    counter = fn.variable(fn.load("%stream", 1))
    again, unsure, done = fn.label(), fn.label(), fn.label()
    fn.place(again)
    now = fn.get(counter)
    number = fn.call("number", I64, f"i64 {key}", f"i64 {now}")
    fn.set(counter, fn.add(now, 1))
    wide = fn.op(f"zext i64 {number} to i128")
    bound = fn.op("zext i64 %bound to i128")
    product = fn.op(f"mul i128 {wide}, {bound}")
    low = fn.op(f"trunc i128 {product} to i64")
    fn.branch(fn.compare("ult", low, "%bound"), unsure, done, rare=True)
    fn.place(unsure)
    rest = fn.op(f"urem i64 {fn.sub(0, '%bound')}, %bound")
    fn.branch(fn.compare("ult", low, rest), again, done)
    fn.place(done)
    fn.store("%stream", 1, fn.get(counter))
    high = fn.op(f"trunc i128 {fn.op(f'lshr i128 {product}, 64')} to i64")
    fn.ret(high)
    return fn.text()

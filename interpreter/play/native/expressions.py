"""Expressions as LLVM IR: the same cases, in the same order, as the reference machine's."""

from __future__ import annotations

from typing import assert_never

from interpreter import limits
from interpreter.play.native import context
from interpreter.play.native.code import PASSED, Code
from interpreter.play.native.text import PTR
from interpreter.program import layout, ops

_HIGH = limits.INT_MAX

_TESTS = {
    "equal": "eq", "unequal": "ne", "less": "slt", "atMost": "sle", "more": "sgt",
    "atLeast": "sge",
}  # fmt: skip
_CHECKED = {"add": "sadd", "subtract": "ssub", "multiply": "smul"}
_PLAIN = {"add": "add", "subtract": "sub", "multiply": "mul", "bitAnd": "and", "bitOr": "or"}


def value(code: Code, op: ops.Expr) -> str:
    fn = code.fn
    match op:
        case ops.Const(number):
            return str(number)
        case ops.Local(index):
            return fn.get(_local(code, index))
        case ops.LocalAt(base, index):
            return fn.load(local_place(code, base, value(code, index)))
        case ops.Memory(address):
            assert address != layout.STEPS, "steps are kept in a register"
            return fn.load("%m", address)
        case ops.MemoryAt(base, index, size, _):
            return fn.load(memory_place(code, base, index, size))
        case ops.Lookup(number, index, _):
            return _lookup(code, code.unit.program.tables[number], value(code, index))
        case ops.Unary(word="negate"):
            return fn.sub(0, value(code, op.operand))
        case ops.Unary() | ops.Binary(word="and" | "or"):
            return fn.widen(test(code, op))
        case ops.Binary():
            return fn.widen(test(code, op)) if op.word in _TESTS else _binary(code, op)
        case ops.Choice():
            return _choice(code, op)
        case ops.Call(function, arguments, at):
            return code.call(function, [value(code, part) for part in arguments], at)
        case ops.Sequence(statements, result):
            from interpreter.play.native.statements import block

            block(code, statements)
            return value(code, result)
        case ops.Within(part, low, high, failure, at):
            return _within(code, value(code, part), low, high, failure, at)
        case ops.Can(routine, arguments, at):
            return _can(code, routine, [value(code, part) for part in arguments], at)
        case _:
            assert_never(op)


def test(code: Code, op: ops.Expr) -> str:
    """The same where only yes or no matters, as one bit."""
    fn = code.fn
    match op:
        case ops.Const(number):
            return "true" if number else "false"
        case ops.Unary(word="not"):
            return fn.op(f"xor i1 {test(code, op.operand)}, true")
        case ops.Binary(word="and" | "or"):
            return _short(code, op)
        case ops.Binary() if op.word in _TESTS:
            left = value(code, op.left)
            return fn.compare(_TESTS[op.word], left, value(code, op.right))
        case _:
            return fn.compare("ne", value(code, op), 0)


def _short(code: Code, op: ops.Binary) -> str:
    """The right side is looked at only if the left leaves the question open."""
    fn = code.fn
    slot = fn.slot("i1")
    left = test(code, op.left)
    fn.set(slot, left, "i1")
    more, end = fn.label(), fn.label()
    if op.word == "and":
        fn.branch(left, more, end)
    else:
        fn.branch(left, end, more)
    fn.place(more)
    fn.set(slot, test(code, op.right), "i1")
    fn.place(end)
    return fn.get(slot, "i1")


def _choice(code: Code, op: ops.Choice) -> str:
    fn = code.fn
    slot = fn.slot()
    fn.choose(
        test(code, op.condition),
        lambda: fn.set(slot, value(code, op.then)),
        lambda: fn.set(slot, value(code, op.otherwise)),
    )
    return fn.get(slot)


def _local(code: Code, index: int) -> str:
    return code.scalars[index] if index in code.scalars else code.arrays[index][0]


set_local_place = _local


def local_place(code: Code, base: int, index: str) -> str:
    slot, extent = code.arrays[base]
    code.fail_if(code.fn.compare("uge", index, extent), context.BROKEN, -1)
    return code.fn.at(slot, index)


def memory_place(code: Code, base: int, index: ops.Expr, size: int) -> str:
    """The address of a cell. Its index was shown to be in range by the lowering; native code
    trusts nobody, because it would write anywhere."""
    room = min(size, code.unit.program.layout.size - base)
    if isinstance(index, ops.Const):
        assert 0 <= index.value < room
        return code.fn.at("%m", base + index.value)
    found = value(code, index)
    code.fail_if(code.fn.compare("uge", found, room), context.BROKEN, -1)
    return code.fn.at(code.fn.at("%m", base), found)


def _lookup(code: Code, values: tuple[int, ...], index: str) -> str:
    fn, table = code.fn, code.unit.table(values)
    code.fail_if(fn.compare("uge", index, table.size), context.BROKEN, -1)
    place = fn.op(f"getelementptr inbounds {table.type}, {PTR} {table.name}, i64 {index}")
    found = fn.op(f"load {table.type}, {PTR} {place}, !invariant.load !1")
    return found if table.type == "i64" else fn.op(f"sext {table.type} {found} to i64")


def _within(code: Code, found: str, low: int, high: int, failure: str, at: int) -> str:
    fn = code.fn
    if low > limits.INT_MIN:
        code.fail_if(fn.compare("slt", found, low), failure, at)
    if high < _HIGH:
        code.fail_if(fn.compare("sgt", found, high), failure, at)
    return found


def _binary(code: Code, op: ops.Binary) -> str:
    fn = code.fn
    left, right = value(code, op.left), value(code, op.right)
    match op.word:
        case "min":
            return fn.op(f"call i64 @llvm.smin.i64(i64 {left}, i64 {right})")
        case "max":
            return fn.op(f"call i64 @llvm.smax.i64(i64 {left}, i64 {right})")
        case "divide" | "divideUp" | "modulo":
            return _divided(code, op, left, right)
        case "shift":
            return _shifted(code, left, right, op.at)
        case "add" | "subtract" | "multiply" if op.at >= 0:
            pair = fn.op(
                f"call {{ i64, i1 }} @llvm.{_CHECKED[op.word]}.with.overflow.i64"
                f"(i64 {left}, i64 {right})"
            )
            found = fn.op(f"extractvalue {{ i64, i1 }} {pair}, 0")
            over = fn.op(f"extractvalue {{ i64, i1 }} {pair}, 1")
            code.fail_if(over, "RR601", op.at)
            code.fail_if(fn.compare("eq", found, limits.INT_MIN), "RR601", op.at)
            return found
        case _:
            return fn.op(f"{_PLAIN[op.word]} i64 {left}, {right}")


def _divided(code: Code, op: ops.Binary, left: str, right: str) -> str:
    """Rounded down (or up), as on paper. By a known divisor nothing can go wrong."""
    fn = code.fn
    constant = isinstance(op.right, ops.Const) and op.right.value > 0
    if not constant:
        code.fail_if(fn.compare("eq", right, 0), "RR602", op.at)
        name = {"divide": "divide", "divideUp": "divide_up", "modulo": "modulo"}[op.word]
        return fn.call(name, "i64", f"i64 {left}", f"i64 {right}")
    if op.word == "modulo":
        rest = fn.op(f"srem i64 {left}, {right}")
        return fn.select(fn.compare("slt", rest, 0), fn.add(rest, right), rest)
    given = fn.sub(0, left) if op.word == "divideUp" else left
    down = fn.op(f"sdiv i64 {given}, {right}")
    rest = fn.op(f"srem i64 {given}, {right}")
    down = fn.select(fn.compare("slt", rest, 0), fn.sub(down, 1), down)
    return fn.sub(0, down) if op.word == "divideUp" else down


def _shifted(code: Code, left: str, right: str, at: int) -> str:
    fn = code.fn
    code.fail_if(fn.compare("ugt", right, 63), context.BROKEN if at < 0 else "RR601", at)
    found = fn.op(f"shl i64 {left}, {right}")
    if at >= 0:
        back = fn.op(f"ashr i64 {found}, {right}")
        code.fail_if(fn.compare("ne", back, left), "RR601", at)
        code.fail_if(fn.compare("eq", found, limits.INT_MIN), "RR601", at)
    return found


def _can(code: Code, routine: int, given: list[str], at: int) -> str:
    fn = code.fn
    fn.store("%m", layout.STEPS, fn.get(code.steps))  # the copy starts with the same steps
    numbers = [f"i64 {part}" for part in given]
    found = fn.call(f"can{routine}", "i64", PASSED, f"i64 {code.depth}", f"i64 {at}", *numbers)
    code.leave_if(fn.compare("slt", found, 0))
    return found

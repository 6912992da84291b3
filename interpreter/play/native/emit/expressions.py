"""Expressions as LLVM IR: the same cases, in the same order, as the reference machine's.

Constants are folded here already, so that unrolled loops stay small. What is behind `and`, `or`
and `if` is computed in any case when it is plain, and failures in it are masked (shape.py).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, assert_never

from interpreter import limits
from interpreter.play.native.emit import context
from interpreter.play.native.emit.code import PASSED, Code
from interpreter.play.native.emit.text import PTR
from interpreter.play.native.facts.sets import asks_for_none, asks_for_some
from interpreter.play.native.facts.shape import is_plain
from interpreter.play.native.facts.words import WORKED_OUT
from interpreter.program import layout, ops

_HIGH = limits.INT_MAX
_TESTS = {
    "equal": "eq", "unequal": "ne", "less": "slt", "atMost": "sle", "more": "sgt",
    "atLeast": "sge",
}  # fmt: skip
_CHECKED = {"add": "sadd", "subtract": "ssub", "multiply": "smul"}
_PLAIN = {"add": "add", "subtract": "sub", "multiply": "mul", "bitAnd": "and", "bitOr": "or"}
_FOLDED: dict[str, Callable[[int, int], int]] = {
    **WORKED_OUT,
    "subtract": lambda left, right: left - right,
    "min": min,
    "max": max,
}


def number(operand: str) -> int | None:
    """The constant an operand is, if it is one."""
    return int(operand) if operand.lstrip("-").isdigit() else None


def folded(word: str, left: str, right: str) -> int | None:
    one, two = number(left), number(right)
    if one is None or two is None:
        return None
    if word == "divide" and two > 0:
        return one // two
    if word == "modulo" and two > 0:
        return one % two
    if word not in _FOLDED:
        return None
    found = int(_FOLDED[word](one, two))
    return found if -_HIGH <= found <= _HIGH else None


def value(code: Code, op: ops.Expr) -> str:
    fn = code.fn
    match op:
        case ops.Const(constant):
            return str(constant)
        case ops.Local(index):
            return code.known[index] if index in code.known else fn.get(local(code, index))
        case ops.LocalAt(base, index, _):
            return fn.load(local_place(code, base, value(code, index)))
        case ops.Memory(address):
            assert address != layout.STEPS, "steps are kept in a register"
            return fn.look(fn.at("%m", address))
        case ops.MemoryAt(base, index, size, _):
            place = memory_place(code, base, index, size)
            pieces = 0
            if code.occupied is not None and code.mask is None:
                pieces = code.occupied.pieces_at(base, index)
            facts = code.unit.range_of("i64", 0, pieces - 1) if pieces else ""
            return fn.look(place, facts)
        case ops.Lookup(table, index):
            return looked_up(code, table, value(code, index))
        case ops.Unary(word="negate"):
            return fn.sub(0, value(code, op.operand))
        case ops.Unary() | ops.Binary(word="and" | "or"):
            return _bit(code, test(code, op))
        case ops.Binary():
            return _bit(code, test(code, op)) if op.word in _TESTS else _binary(code, op)
        case ops.Choice():
            return _choice(code, op)
        case ops.Call(function, arguments, at):
            given = [value(code, part) for part in arguments]
            if op in code.memory:
                keys = [given[key] for key in code.memory[op].keys if isinstance(key, int)]
                return _remembered(code, op, keys, lambda: code.call(function, given, at))
            return code.call(function, given, at)
        case ops.Sequence():
            if op in code.memory:
                keys = [
                    value(code, key) for key in code.memory[op].keys if not isinstance(key, int)
                ]
                return _remembered(code, op, keys, lambda: _sequence(code, op))
            spelt = _spelt(code, op)
            return _sequence(code, op) if spelt is None else spelt
        case ops.Within(part, low, high, failure, at):
            return _within(code, value(code, part), low, high, failure, at)
        case ops.Can(routine, arguments, at):
            return _can(code, routine, [value(code, part) for part in arguments], at)
        case ops.WhatIf():
            return _what_if(code, op)
        case _:
            assert_never(op)


def test(code: Code, op: ops.Expr) -> str:
    """The same where only yes or no matters, as one bit."""
    fn = code.fn
    match op:
        case ops.Unary(word="not"):
            return negated(code, test(code, op.operand))
        case ops.Binary(word="and" | "or"):
            return _short(code, op)
        case ops.Binary() if op.word in _TESTS:
            asked = _whether(code, op)
            if asked is None and isinstance(op.left, ops.Sequence):
                asked = ask_for_line(code, op)
            if asked is not None:
                return asked
            left, right = value(code, op.left), value(code, op.right)
            known = folded(op.word, left, right)
            if known is not None:
                return "true" if known else "false"
            return fn.compare(_TESTS[op.word], left, right)
        case _:  # any other gives a number
            found = value(code, op)
            known = number(found)
            if known is not None:
                return "true" if known else "false"
            return fn.compare("ne", found, 0)


def _whether(code: Code, op: ops.Binary) -> str | None:
    """In a trial, if it is only asked whether a count is 0: see facts/sets.py."""
    none = asks_for_none(op)
    call = none or asks_for_some(op)
    if call is None or not code.trying or not code.free:
        return None
    watch = code.unit.watched.functions.get(call.function)
    if watch is None or watch.sets is None or not watch.sets.counts:
        return None
    given = [value(code, part) for part in call.arguments]
    found = code.call(call.function, given, call.at, whether=True)
    return code.fn.compare("ne" if none is None else "eq", found, 0)


def ask_for_line(code: Code, op: ops.Binary) -> str | None:
    """If it is only asked whether a straight row is long enough: see facts/lines.py."""
    from interpreter.play.native.emit.lines import has_line, line_at_once

    line = line_at_once(code, op)
    return None if line is None else has_line(code, op, line)


def negated(code: Code, bit: str) -> str:
    opposite = {"true": "false", "false": "true"}
    return opposite[bit] if bit in opposite else code.fn.op(f"xor i1 {bit}, true")


def masked(code: Code, bit: str) -> str:
    """A condition under those around it."""
    return bit if code.mask is None else code.fn.op(f"and i1 {code.mask}, {bit}")


def _bit(code: Code, bit: str) -> str:
    return {"true": "1", "false": "0"}.get(bit) or code.fn.widen(bit)


def _short(code: Code, op: ops.Binary) -> str:
    """The right side is looked at only if the left leaves the question open."""
    fn = code.fn
    left = test(code, op.left)
    if left in ("true", "false"):
        settled = left == ("false" if op.word == "and" else "true")
        return left if settled else test(code, op.right)
    if is_plain(op.right):
        around = code.mask
        code.mask = masked(code, left if op.word == "and" else negated(code, left))
        right = test(code, op.right)
        code.mask = around
        return fn.op(f"{op.word} i1 {left}, {right}")
    slot = fn.slot("i1")
    fn.set(slot, left, "i1")
    more, end = fn.label(), fn.label()
    if op.word == "and":
        fn.branch(left, more, end)
    else:
        fn.branch(left, end, more)
    fn.place(more)
    fn.set(slot, test(code, op.right), "i1")
    fn.place(end)
    code.forget(op.right)
    return fn.get(slot, "i1")


def _choice(code: Code, op: ops.Choice) -> str:
    fn = code.fn
    bit = test(code, op.condition)
    if bit in ("true", "false"):
        return value(code, op.then if bit == "true" else op.otherwise)
    if is_plain(op.then) and is_plain(op.otherwise):
        around = code.mask
        code.mask = masked(code, bit)
        then = value(code, op.then)
        code.mask = around
        code.mask = masked(code, negated(code, bit))
        otherwise = value(code, op.otherwise)
        code.mask = around
        return fn.select(bit, then, otherwise)
    slot = fn.slot()
    known = code.known

    def one_way(part: ops.Expr) -> None:
        code.known = dict(known)
        fn.set(slot, value(code, part))
        code.forget(part)

    fn.choose(bit, lambda: one_way(op.then), lambda: one_way(op.otherwise))
    code.known = known
    code.forget((op.then, op.otherwise))
    return fn.get(slot)


def local(code: Code, index: int) -> str:
    return code.scalars[index] if index in code.scalars else code.arrays[index][0]


def local_place(code: Code, base: int, index: str) -> str:
    slot, extent = code.arrays[base]
    return code.fn.at(slot, _inside(code, index, extent))


def memory_place(code: Code, base: int, index: ops.Expr, size: int) -> str:
    """The address of a cell. Its index was shown to be in range by the lowering; native code
    trusts nobody, because it would write anywhere."""
    room = min(size, code.unit.program.layout.size - base)
    found = _inside(code, value(code, index), room)
    known = number(found)
    if known is not None:
        return code.fn.at("%m", base + known)
    return code.fn.at(code.fn.at("%m", base), found)


def _inside(code: Code, index: str, size: int) -> str:
    """An index that is certainly in range: any other fails, or is replaced if it does not
    matter."""
    known = number(index)
    if known is not None and 0 <= known < size:
        return index
    outside = code.fn.compare("uge", index, size)
    code.fail_if(outside, context.BROKEN, -1)
    return index if code.mask is None else code.fn.select(outside, 0, index)


def looked_up(code: Code, number_: int, index: str) -> str:
    values = code.unit.program.tables[number_]
    known = number(index)
    if known is not None and -len(values) <= known < len(values):
        return str(values[known])
    inside = _inside(code, _from_the_end(code, index, len(values)), len(values))
    return found_at(code, values, inside)


def found_at(code: Code, values: tuple[int, ...], inside: str) -> str:
    """What stands in a table, at an index that lies inside it."""
    if len(set(values)) == 1:
        return str(values[0])
    fn, table = code.fn, code.unit.table(values)
    place = fn.op(f"getelementptr inbounds {table.type}, {PTR} {table.name}, i64 {inside}")
    found = fn.op(f"load {table.type}, {PTR} {place}, !invariant.load !1{table.range}")
    return found if table.type == "i64" else fn.op(f"sext {table.type} {found} to i64")


def _from_the_end(code: Code, index: str, size: int) -> str:
    """The reference machine counts a negative index from the end of a table, as Python does. The
    lowering asks for `none` before it looks anything up, so only a bad state comes here."""
    fn = code.fn
    if code.mask is not None:
        return fn.select(fn.compare("slt", index, 0), fn.add(index, size), index)
    slot = fn.variable(index)
    with fn.when(fn.compare("slt", index, 0), rare=True):
        fn.set(slot, fn.add(index, size))
    return fn.get(slot)


def _within(code: Code, found: str, low: int, high: int, failure: str, at: int) -> str:
    fn = code.fn
    known = number(found)
    if known is not None and low <= known <= high:
        return found
    if low > limits.INT_MIN:
        code.fail_if(fn.compare("slt", found, low), failure, at)
    if high < _HIGH:
        code.fail_if(fn.compare("sgt", found, high), failure, at)
    return found


def _binary(code: Code, op: ops.Binary) -> str:
    fn = code.fn
    left, right = value(code, op.left), value(code, op.right)
    known = folded(op.word, left, right)
    if known is not None:
        return str(known)
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
            return checked(code, op.word, left, right, op.at)
        case _:
            return fn.op(f"{_PLAIN[op.word]} i64 {left}, {right}")


def checked(
    code: Code, word: Literal["add", "subtract", "multiply"], left: str, right: str, at: int
) -> str:
    """A sum, difference or product; what is too big fails."""
    fn = code.fn
    name = f"@llvm.{_CHECKED[word]}.with.overflow.i64"
    pair = fn.op(f"call {{ i64, i1 }} {name}(i64 {left}, i64 {right})")
    found = fn.op(f"extractvalue {{ i64, i1 }} {pair}, 0")
    over = fn.op(f"extractvalue {{ i64, i1 }} {pair}, 1")
    lowest = fn.compare("eq", found, limits.INT_MIN)
    code.fail_if(fn.op(f"or i1 {over}, {lowest}"), "RR601", at)
    return found


def _divided(code: Code, op: ops.Binary, left: str, right: str) -> str:
    """Rounded down (or up), as on paper. By a known divisor nothing can go wrong."""
    fn = code.fn
    known = number(right)
    if known is None or known <= 0:
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
    if code.mask is not None:
        right = fn.both(right, 63)
    found = fn.op(f"shl i64 {left}, {right}")
    if at >= 0:
        back = fn.op(f"ashr i64 {found}, {right}")
        code.fail_if(fn.compare("ne", back, left), "RR601", at)
        code.fail_if(fn.compare("eq", found, limits.INT_MIN), "RR601", at)
    return found


def _sequence(code: Code, op: ops.Sequence) -> str:
    from interpreter.play.native.emit.statements import block

    block(code, op.statements)
    return value(code, op.result)


def _spelt(code: Code, op: ops.Sequence) -> str | None:
    """If it stands in a table: see facts/spelt.py."""
    from interpreter.play.native.emit.spelt import look_up_value

    return look_up_value(code, op, lambda: _sequence(code, op))


def _remembered(code: Code, op: ops.Expr, keys: list[str], answer: Callable[[], str]) -> str:
    """An answer that may have been found before; see memory.py."""
    fn, memo = code.fn, code.memory[op]
    index, inside = "0", "true"
    for key, low, size in zip(keys, memo.lows, memo.sizes, strict=True):
        part = fn.sub(key, low)
        index = part if index == "0" else fn.add(fn.mul(index, size), part)
        fits = fn.compare("ult", part, size)
        inside = fits if inside == "true" else fn.op(f"and i1 {inside}, {fits}")
    found, hit, before = fn.slot(), fn.variable("false", "i1"), fn.get(code.steps)
    place = fn.op(f"getelementptr i8, {PTR} {memo.known}, i64 {index}")
    with fn.when(inside):
        fn.set(hit, fn.op(f"trunc i8 {fn.op(f'load i8, {PTR} {place}')} to i1"), "i1")
        if memo.costs is not None:  # what takes too long is asked again, to fail where it does
            after = fn.add(before, fn.load(memo.costs, index))
            short = fn.compare("sle", after, limits.STEPS_PER_MOVE)
            fn.set(hit, fn.op(f"and i1 {fn.get(hit, 'i1')}, {short}"), "i1")
    known = code.known

    def recall() -> None:
        fn.set(found, fn.load(memo.values, index))
        if memo.costs is not None:
            fn.set(code.steps, fn.add(before, fn.load(memo.costs, index)))

    def ask() -> None:
        code.known = dict(known)
        fn.set(found, answer())
        with fn.when(inside):
            fn.store(memo.values, index, fn.get(found))
            fn.line(f"store i8 1, {PTR} {place}")
            if memo.costs is not None:
                fn.store(memo.costs, index, fn.sub(fn.get(code.steps), before))

    fn.choose(fn.get(hit, "i1"), recall, ask)
    code.known = known
    code.forget(op)
    return fn.get(found)


def _what_if(code: Code, op: ops.WhatIf) -> str:
    from interpreter.play.native.emit.statements import block
    from interpreter.play.native.emit.trials import Trial

    with Trial(code, op) as trial:
        with trial.stepping():
            block(code, op.steps)
        trial.forget_answers()
        code.fn.set(trial.found, value(code, op.value))
    return code.fn.get(trial.found)


def _can(code: Code, routine: int, given: list[str], at: int) -> str:
    fn = code.fn
    before = fn.load("%m", layout.STEPS)
    fn.store("%m", layout.STEPS, fn.get(code.steps))  # the trial starts with the same steps
    numbers = [f"i64 {part}" for part in given]
    found = fn.call(f"can{routine}", "i64", PASSED, f"i64 {code.depth}", f"i64 {at}", *numbers)
    fn.store("%m", layout.STEPS, before)
    code.leave_if(fn.compare("slt", found, 0))
    return found

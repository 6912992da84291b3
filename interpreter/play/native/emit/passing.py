"""Loops between decisions that go on at once with the next round in which something is done: see
facts/passing.py."""

from __future__ import annotations

from interpreter import limits
from interpreter.play.native.emit.code import Code
from interpreter.play.native.emit.compared import compare_cells
from interpreter.play.native.emit.expressions import value
from interpreter.play.native.emit.idle import note_instruction
from interpreter.play.native.facts.passing import LENGTH, Named, Passed, find_passed

_ROUND = LENGTH * limits.STEPS_AN_INSTRUCTION


def pass_rounds(code: Code, pc: int) -> None:
    """Before an instruction that may begin such a loop."""
    passed = find_passed(code.unit.program, pc)
    if passed is None:
        return
    fn, now = code.fn, code.fn.load("%m", passed.index)
    end, steps = fn.load("%m", passed.end), fn.get(code.steps)
    most = limits.STEPS_PER_MOVE - _ROUND * (passed.rounds + 1)
    fits = fn.compare("ult", now, end)
    for each in (fn.compare("ule", end, passed.rounds), fn.compare("sle", steps, most)):
        fits = fn.op(f"and i1 {fits}, {each}")
    with fn.when(fits):
        for offset in range(1, LENGTH):
            note_instruction(code.unit, fn, pc + offset, code.unit.program.code[pc + offset])
        onward = _next_round(code, passed, now, end)
        with fn.when(fn.compare("ne", onward, now)):
            fn.write("%m", passed.index, onward)
            fn.write("%m", passed.element, fn.sub(onward, 1))
            fn.set(code.steps, fn.add(steps, fn.mul(fn.sub(onward, now), _ROUND)))


def _next_round(code: Code, passed: Passed, now: str, end: str) -> str:
    """The first from now on in which the condition holds, or the end."""
    fn, holds = code.fn, code.fn.op(f"shl i64 -1, {now}")
    for compared in passed.compared:
        (word,) = compare_cells(fn, compared, 0, passed.rounds, value(code, compared.content))
        holds = fn.both(holds, word)
    for named in passed.named:
        holds = fn.both(holds, _bits(code, named))
    first = fn.op(f"call i64 @llvm.cttz.i64(i64 {holds}, i1 false)")
    return fn.op(f"call i64 @llvm.smin.i64(i64 {first}, i64 {end})")


def _bits(code: Code, named: Named) -> str:
    """The rounds with the right number; what is no round has no bit."""
    fn, content = code.fn, value(code, named.content)
    inside = fn.compare("ult", content, 64)
    bit = fn.op(f"shl i64 1, {fn.select(inside, content, 0)}")
    found = fn.select(inside, bit, 0)
    return found if named.equal else fn.op(f"xor i64 {found}, -1")

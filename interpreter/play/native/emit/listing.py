"""Answers that are kept while options are listed: see facts/listed.py.

A function has a form in front of it that looks whether it was asked the same in this enumeration. A
row says in which one it was asked, so that there is nothing to clear: each enumeration has a number
of its own. What was paid for an answer is paid again.
"""

from __future__ import annotations

from dataclasses import replace

from interpreter import limits
from interpreter.play.native.emit import context
from interpreter.play.native.emit.code import PASSED, Code, Form, Unit
from interpreter.play.native.emit.text import PAIR, PTR, Fn


def list_anew(unit: Unit, fn: Fn) -> None:
    """Options are going to be listed: nothing is known of this state."""
    area = _area(unit, fn)
    fn.store(area, 0, fn.add(fn.load(area), 1))


def _area(unit: Unit, fn: Fn) -> str:
    """It lies behind what is known before trials, and begins with the number of the enumeration."""
    return fn.at(fn.load("%c", context.WATCHED, PTR), unit.watched.size)


def keep_answer(code: Code, form: Form) -> None:
    """Give what was answered, or ask and keep it."""
    fn, unit = code.fn, code.unit
    listed, pays = unit.listed.functions[form.number], unit.steps.pays(form.number)
    given = [f"%a{index}" for index in range(len(listed.strides))]
    index, area = "0", _area(unit, fn)
    for argument, stride in zip(given, listed.strides, strict=True):
        index = fn.add(index, fn.mul(argument, stride))
    row = fn.mul(fn.both(index, listed.rows - 1), listed.width)
    place, now = fn.at(fn.at(area, listed.start), row), fn.load(area)
    same = fn.compare("eq", fn.load(place), now)
    for offset, argument in enumerate(given, 3):
        equal = fn.compare("eq", fn.load(place, offset), argument)
        same = fn.op(f"and i1 {same}, {equal}")
    with fn.when(same):
        after = fn.add("%s", fn.load(place, 2)) if pays else "%s"
        if pays:
            over = fn.compare("sgt", after, limits.STEPS_PER_MOVE)
            code.fail_if(over, context.RETRY, -1)
        fn.set(code.steps, after)
        code.returning(fn.load(place, 1))
    asked = unit.form(replace(form, kept=False))
    pair = fn.call(asked, PAIR, PASSED, "i64 %s", "i64 %d", *(f"i64 {each}" for each in given))
    found, after = (fn.op(f"extractvalue {PAIR} {pair}, {part}") for part in range(2))
    code.leave_if(fn.compare("slt", after, 0))
    fn.store(place, 0, now)
    for offset, content in enumerate((found, fn.sub(after, "%s"), *given), 1):
        fn.store(place, offset, content)
    fn.set(code.steps, after)
    code.returning(found)

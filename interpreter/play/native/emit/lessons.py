"""Lessons in native code: decisions with a teacher's answer, from which a policy learns.

A decision is written down once, as contexts and keys, which do not hang on the weights. So it can
be gone through as often as it takes, and nothing has to be played for that.
"""

from __future__ import annotations

from interpreter.play.native.emit import context
from interpreter.play.native.emit.learning import (
    CONTEXT,
    COUNT,
    GAMES,
    LESSONS,
    OPTIONS,
    OWN_SHARE,
    STATE,
    TARGETS,
    WEIGHTS,
    first_option,
    job_field,
    next_option,
)  # fmt: skip
from interpreter.play.native.emit.reals import DOUBLE, calculate, real
from interpreter.play.native.emit.text import I64, PTR, VOID, Fn
from interpreter.program.layout import SEALING, STATUS

# A lesson: the decision as it was written down, and how likely the teacher is to take each option.
DECISION, ANSWER, LESSON = range(3)


def emit_lessons() -> str:
    return "\n".join([_note(), _right(), _teach()])


def _note() -> str:
    """`i64 note(job, seat, log)`: write down what a seat is to decide in the state of the job;
    how many options it has, -1 if it has none."""
    fn = Fn("note", I64, [(PTR, "job"), (I64, "seat"), (PTR, "log")], exported=True)
    m, c = job_field(fn, STATE, PTR), job_field(fn, CONTEXT, PTR)
    n = fn.op(f"call i64 {job_field(fn, OPTIONS, PTR)}({PTR} {m}, {PTR} {c}, i64 %seat)")
    with fn.when(fn.compare("sle", n, 0), rare=True):
        fn.ret("-1")
    sealed = fn.compare("eq", fn.load(m, STATUS), SEALING)
    scratch = fn.load(c, context.BASE, PTR)
    seen = fn.op(f"select i1 {sealed}, {PTR} {scratch}, {PTR} {m}")
    fn.call("gather", VOID, f"{PTR} %job", f"{PTR} {seen}", f"i64 {n}")
    given = (f"{PTR} {seen}", "i64 %seat", f"i64 {n}", f"{PTR} %log")
    end = fn.call("look", PTR, f"{PTR} %job", *given)
    start, stop = (fn.op(f"ptrtoint {PTR} {each} to i64") for each in ("%log", end))
    # The caller has to know how much room it took, and finds it where the chosen option goes.
    fn.store("%log", 0, fn.sub(stop, start))
    fn.ret(n)
    return fn.text()


def _right() -> str:
    """`double right(log, answer)`: how likely the teacher's choice is by the chances in the log."""
    fn = Fn("right", DOUBLE, [(PTR, "log"), (PTR, "answer")])
    place = fn.variable(first_option(fn), PTR)
    total = fn.variable(real(0.0), DOUBLE)
    with fn.count(0, fn.load("%log", COUNT)) as option:
        here = fn.get(place, PTR)
        part = calculate(fn, "fmul", fn.load(here, 0, DOUBLE), fn.load("%answer", option, DOUBLE))
        fn.set(total, calculate(fn, "fadd", fn.get(total, DOUBLE), part), DOUBLE)
        next_option(fn, place, here)
    fn.ret(fn.get(total, DOUBLE))
    return fn.text()


def _teach() -> str:
    """`i64 teach(job, changing)`: go through the lessons of a job, and set the weights right if
    they are to change."""
    fn = Fn("teach", I64, [(PTR, "job"), (I64, "changing")], exported=True)
    lessons, weights = job_field(fn, LESSONS, PTR), job_field(fn, WEIGHTS, PTR)
    with fn.count(0, job_field(fn, GAMES)) as number:
        lesson = fn.at(lessons, fn.mul(number, LESSON))
        log, answer = fn.load(lesson, DECISION, PTR), fn.load(lesson, ANSWER, PTR)
        fn.call("weigh_real", VOID, f"{PTR} %job", f"{PTR} {weights}", f"{PTR} {log}")
        found = fn.call("right", DOUBLE, f"{PTR} {log}", f"{PTR} {answer}")
        before = job_field(fn, OWN_SHARE, DOUBLE)
        fn.store("%job", OWN_SHARE, calculate(fn, "fadd", before, found), DOUBLE)
        with fn.when(fn.compare("ne", "%changing", 0)):
            fn.store("%job", TARGETS, answer, PTR)
            given = (f"double {real(1.0)}", f"double {real(0.0)}")
            fn.call("learn", VOID, f"{PTR} %job", f"{PTR} {log}", *given)
    fn.store("%job", TARGETS, "null", PTR)
    fn.ret("0")
    return fn.text()

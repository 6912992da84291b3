"""Judging positions in native code (`play/judging.py`), and learning to do so from games whose ends
are known. The code is the same for every game."""

from __future__ import annotations

from interpreter.play import guided, judging, policy
from interpreter.play.native.emit.contexts import push
from interpreter.play.native.emit.learning import (
    GAMES,
    LESSONS,
    OWN_SHARE,
    STEP,
    WEIGHTS,
    WORDS,
    job_field,
)  # fmt: skip
from interpreter.play.native.emit.policy import place_of
from interpreter.play.native.emit.reals import DOUBLE, calculate, to_real
from interpreter.play.native.emit.runtime import random_at
from interpreter.play.native.emit.text import I64, PTR, VOID, Fn

# A lesson: what was seen, a list that begins with its length, and what the game then brought.
SEEN, BROUGHT, LESSON = range(3)


def emit_judging() -> str:
    return "\n".join([_see(), _judge(), _teach()])


def _see() -> str:
    """`see(words, m, seat, lead, found)`: all that a judgement goes by."""
    head = [(PTR, "words"), (PTR, "m"), (I64, "seat"), (I64, "lead"), (PTR, "found")]
    fn = Fn("see", VOID, head, exported=True)
    given = (f"{PTR} %words", f"{PTR} %m", "i64 %seat", f"{PTR} %found")
    fn.call("contexts", VOID, *given)
    most = policy.MOST_CONTEXTS - 1
    count = fn.load("%found")
    kept = fn.op(f"call i64 @llvm.smin.i64(i64 {count}, i64 {most})")
    fn.store("%found", 0, kept)
    lead = fn.call("rounded", I64, "i64 %lead")
    push(fn, "%found", random_at(fn, str(judging.AHEAD), lead), policy.MOST_CONTEXTS)
    fn.ret()
    return fn.text()


def _judge() -> str:
    """`judge(words, m, leads, out)`: what each seat is to expect of the game."""
    head = [(PTR, "words"), (PTR, "m"), (PTR, "leads"), (PTR, "out")]
    fn = Fn("judge", VOID, head, exported=True)
    found = fn.slot(f"[{policy.MOST_CONTEXTS + 1} x i64]")
    weights = fn.load("%words", policy.WEIGHTS, PTR)
    shift, scale = fn.load("%words", policy.SHIFT), fn.load("%words", policy.SCALE)
    players = fn.load("%words", policy.PLAYERS)
    key = fn.add(players, judging.KEY)
    with fn.count(0, players) as seat:
        lead = fn.load("%leads", seat)
        given = (f"i64 {seat}", f"i64 {lead}", f"{PTR} {found}")
        fn.line(f"call void @see({', '.join((f'{PTR} %words', f'{PTR} %m', *given))})")
        total = fn.variable("0")
        with fn.count(1, fn.add(fn.load(found), 1)) as number:
            place = place_of(fn, fn.load(found, number), key, shift)
            at = fn.op(f"getelementptr inbounds i16, ptr {weights}, i64 {place}")
            weight = fn.op(f"sext i16 {fn.op(f'load i16, ptr {at}, align 2')} to i64")
            fn.set(total, fn.add(fn.get(total), weight))
        scaled = fn.op(f"ashr i64 {fn.mul(fn.get(total), scale)}, {judging.FINE}")
        low = fn.op(f"call i64 @llvm.smax.i64(i64 {scaled}, i64 0)")
        fn.store("%out", seat, fn.op(f"call i64 @llvm.smin.i64(i64 {low}, i64 {guided.WHOLE})"))
    fn.ret()
    return fn.text()


def _teach() -> str:
    """`i64 teach_judge(job, changing)`: go through the lessons of a job, and set the weights right
    if they are to change. What comes back in the job is the sum of the squares of all errors."""
    fn = Fn("teach_judge", I64, [(PTR, "job"), (I64, "changing")], exported=True)
    lessons, weights = job_field(fn, LESSONS, PTR), job_field(fn, WEIGHTS, PTR)
    words = job_field(fn, WORDS, PTR)
    shift, key = fn.load(words, policy.SHIFT), fn.add(fn.load(words, policy.PLAYERS), judging.KEY)
    with fn.count(0, job_field(fn, GAMES)) as number:
        lesson = fn.at(lessons, fn.mul(number, LESSON))
        found, brought = fn.load(lesson, SEEN, PTR), fn.load(lesson, BROUGHT, DOUBLE)
        contexts, many = fn.at(found, 1), fn.load(found)
        table = (f"{PTR} {weights}", f"i64 {shift}", f"{PTR} {contexts}", f"i64 {many}")
        value = fn.call("sum_real", DOUBLE, *table, f"i64 {key}")
        error = calculate(fn, "fsub", brought, value)
        square = calculate(fn, "fmul", error, error)
        before = job_field(fn, OWN_SHARE, DOUBLE)
        fn.store("%job", OWN_SHARE, calculate(fn, "fadd", before, square), DOUBLE)
        with fn.when(fn.compare("ne", "%changing", 0)):
            step = calculate(fn, "fdiv", job_field(fn, STEP, DOUBLE), to_real(fn, many))
            given = (f"i64 {key}", f"double {error}", f"double {step}")
            fn.call("pull", VOID, *table, *given)
    fn.ret("0")
    return fn.text()

"""Loops whose rounds begin alike, and what is asked, or tried out, once before them: see
facts/hoisted.py.

In free code, a loop that pays as it goes pays for all its rounds when it is come to, by what a
round took in the rules. What is done once pays by itself, and then once more for each other round,
so that as much is paid as if it had been done in each of them. Where steps are counted, those that
it took are paid again at the end, for the rounds that there were.
"""

from __future__ import annotations

from collections.abc import Callable

from interpreter.play.native.emit.code import Code
from interpreter.play.native.emit.expressions import test, value
from interpreter.play.native.emit.trials import Trial
from interpreter.play.native.facts.hoisted import Hoisted, Item
from interpreter.program import ops

Block = Callable[[Code, tuple[ops.Statement, ...]], None]


def emit_hoisted(code: Code, op: ops.When, hoisted: Hoisted, block: Block) -> None:
    """The statement that stands for a loop."""
    fn, inner = code.fn, hoisted.inner
    assert code.mask is None and code.counter is not None and (code.free or code.ample)
    code.settle()
    code.forget(op)
    block(code, hoisted.ends)
    low, high = value(code, inner.low), value(code, inner.high)
    rounds = fn.sub(high, low)
    some, passed, end = fn.label(), fn.label(), fn.label()
    fn.branch(fn.compare("slt", low, high), some, end)
    fn.place(some)
    before = fn.get(code.steps)
    code.pay(hoisted.loop, rounds, code.counter.plain)
    for item in hoisted.first:
        _emit_item(code, item, rounds, passed, block)
    once = fn.sub(fn.get(code.steps), before)
    if hoisted.reached is not None:
        block(code, (ops.SetLocal(hoisted.reached.index, inner.high),))
    if hoisted.trial is None:
        block(code, (inner,))
    else:
        _emit_trial(code, hoisted.trial, inner, rounds, block)
    code.settle()
    if code.ample:
        gone = rounds
        if hoisted.reached is not None:  # the last round is the one that it broke off in
            reached = value(code, hoisted.reached)
            broke = fn.widen(fn.compare("slt", reached, high))
            gone = fn.add(fn.sub(reached, low), broke)
        code.spend(fn.mul(once, fn.sub(gone, 1)), -1)
    fn.goto(end)
    fn.place(passed)
    if code.ample:
        again = fn.mul(fn.sub(fn.get(code.steps), before), fn.sub(rounds, 1))
        code.spend(fn.add(rounds, again), -1)
    fn.place(end)
    code.forget(op)


def _emit_item(code: Code, item: Item, rounds: str, passed: str, block: Block) -> None:
    fn, before = code.fn, code.fn.get(code.steps)
    if isinstance(item, ops.SetLocal):
        block(code, (item,))
        _pay_again(code, item, before, rounds)
        return
    if item.steps:
        code.spend(item.steps, -1)
    bit = test(code, item.condition)
    code.settle()
    _pay_again(code, item.condition, before, rounds)
    onward = fn.label()
    ways = (onward, passed) if item.wanted else (passed, onward)
    fn.branch(bit, *ways)
    fn.place(onward)


def _emit_trial(
    code: Code, op: ops.WhatIf, inner: ops.CountLoop, rounds: str, block: Block
) -> None:
    with Trial(code, op) as trial:
        before = code.fn.get(code.steps)
        with trial.stepping():
            block(code, op.steps)
        _pay_again(code, op.steps, before, rounds)
        trial.forget_answers()
        block(code, (inner,))


def _pay_again(code: Code, done: object, before: str, rounds: str) -> None:
    """In free code: what was paid since then, for each other round."""
    fn = code.fn
    assert code.counter is not None
    if code.free and code.counter.unpaid(done):
        paid = fn.sub(fn.get(code.steps), before)
        code.pay_steps(fn.mul(paid, fn.sub(rounds, 1)))

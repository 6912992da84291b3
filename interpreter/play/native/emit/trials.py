"""A value after some steps: what they can write is kept beside the state, and put back.

What is kept lies one above the other in memory of its own, because trials stand in each other: all
cells that the steps can write, or, where they write few of many (facts/writes.py), each cell that
they do write, as a pair of its offset and what it held. Then functions have a form of their own in
trials. What was kept is put back after a failure too. While looking ahead, what was written in
between is taken out of the log again: it is put back already.

What must not be assumed: that the state stands still while options are enumerated. Answers that a
search for ways has remembered (reaching.py) are worth nothing between the steps and the end of a
trial, nor after it; and where steps search themselves, no search remembers anything.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from types import TracebackType

from interpreter.play.native.emit import context
from interpreter.play.native.emit.code import PASSED, STATE, Code, Unit
from interpreter.play.native.emit.text import PTR, VOID, Fn
from interpreter.play.native.facts import routes, writes
from interpreter.program import ops, trials


def emit_trials(unit: Unit) -> None:
    """`keep(m, c, place)`: keep what a cell of the state holds. `put_back(m, c, mark)`: put back
    what was kept since the free part began at `mark`, the last first."""
    if trials.room(unit.program):
        unit.texts += [_keep(), _put_back()]


def _keep() -> str:
    fn = Fn("keep", VOID, [*STATE, (PTR, "place")], attributes="inlinehint")
    end = fn.load("%c", context.TRIALS, PTR)
    place, start = (fn.op(f"ptrtoint ptr {each} to i64") for each in ("%place", "%m"))
    fn.store(end, 0, fn.sub(place, start))
    fn.store(end, 1, fn.load("%place"))
    fn.store("%c", context.TRIALS, fn.at(end, 2), PTR)
    fn.ret()
    return fn.text()


def _put_back() -> str:
    fn = Fn("put_back", VOID, [*STATE, (PTR, "mark")], attributes="inlinehint")
    end = fn.variable(fn.load("%c", context.TRIALS, PTR), PTR)
    with fn.loop(lambda: fn.op(f"icmp ugt ptr {fn.get(end, PTR)}, %mark")):
        pair = fn.at(fn.get(end, PTR), -2)
        fn.store(fn.at("%m", fn.load(pair, 0), "i8"), 0, fn.load(pair, 1))
        fn.set(end, pair, PTR)
    fn.store("%c", context.TRIALS, "%mark", PTR)
    fn.ret()
    return fn.text()


class Trial:
    """What is emitted inside it is carried out in a trial; `found` is a slot for its value."""

    def __init__(self, code: Code, op: ops.WhatIf) -> None:
        self.code = code
        self.spans = trials.kept(code.unit.program, op.steps)
        self.keeping = writes.are_few(code.unit.program, op.steps)
        self.found = code.fn.slot()
        self.at = op.at
        self.failed = code.fn.label()
        self.outer = code.failed, code.fails, code.round

    def __enter__(self) -> Trial:
        code, fn = self.code, self.code.fn
        code.spend(trials.cost(self.spans), self.at)
        self.area = fn.load("%c", context.TRIALS, PTR)
        if not self.keeping:
            here = 0
            for first, number in self.spans:
                fn.copy(fn.at(self.area, here), fn.at("%m", first), number)
                here += number
            fn.store("%c", context.TRIALS, fn.at(self.area, here), PTR)
        self.log = fn.load("%c", context.LOG, PTR) if code.unit.looks else ""
        # Nobody leaves a trial half way through, however many options there are.
        code.failed, code.fails, code.round = self.failed, {}, None
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: object, trace: TracebackType | None
    ) -> None:
        code, fn = self.code, self.code.fn
        code.failed, code.fails, code.round = self.outer
        end = fn.label()
        self._put_back()
        fn.goto(end)
        fn.place(self.failed)
        self._put_back()
        fn.goto(code.failed)
        fn.place(end)

    @contextmanager
    def stepping(self) -> Iterator[None]:
        """The steps are emitted inside it."""
        fn = self.code.fn
        around, fn.keeping = fn.keeping, self.keeping
        yield
        fn.keeping = around

    def _put_back(self) -> None:
        fn, here = self.code.fn, 0
        if self.keeping:
            fn.call("put_back", VOID, PASSED, f"{PTR} {self.area}")
        else:
            for first, number in self.spans:
                fn.copy(fn.at("%m", first), fn.at(self.area, here), number)
                here += number
            fn.store("%c", context.TRIALS, self.area, PTR)
        if self.log:
            fn.store("%c", context.LOG, self.log, PTR)
        self.forget_answers()

    def forget_answers(self) -> None:
        """The state has changed: after the steps, and when they have been put back."""
        code = self.code
        if code.free and code.unit.routes.shared:
            kept = code.fn.load("%c", context.ROUTES, PTR)
            for start in code.unit.routes.starts.values():
                code.fn.store(kept, start + routes.VALID, 0)

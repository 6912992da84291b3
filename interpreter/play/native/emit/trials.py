"""A value after some steps: what they can write is kept beside the state, and put back.

The cells that are kept lie one above the other in memory of their own, because trials stand in each
other. They are put back after a failure too. While looking ahead, what was written in between is
taken out of the log again: it is put back already.

What must not be assumed: that the state stands still while options are enumerated. Answers that a
search for ways has remembered (reaching.py) are worth nothing between the steps and the end of a
trial, nor after it; and where steps search themselves, no search remembers anything.
"""

from __future__ import annotations

from types import TracebackType

from interpreter.play.native.emit import context
from interpreter.play.native.emit.code import Code
from interpreter.play.native.emit.text import PTR
from interpreter.play.native.facts import routes
from interpreter.program import ops, trials


class Trial:
    """What is emitted inside it is carried out in a trial; `found` is a slot for its value."""

    def __init__(self, code: Code, op: ops.WhatIf) -> None:
        self.code = code
        self.spans = trials.kept(code.unit.program, op.steps)
        self.found = code.fn.slot()
        self.at = op.at
        self.failed = code.fn.label()
        self.outer = code.failed, code.fails, code.round

    def __enter__(self) -> Trial:
        code, fn = self.code, self.code.fn
        code.spend(trials.cost(self.spans), self.at)
        self.area = fn.load("%c", context.TRIALS, PTR)
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

    def _put_back(self) -> None:
        fn, here = self.code.fn, 0
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

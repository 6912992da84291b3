"""A value after some steps: what they can write is kept beside the state, and put back.

What is kept lies one above the other in memory of its own, because trials stand in each other: all
cells that the steps can write, or, where they write few of many (facts/writes.py), each cell that
they do write, as a pair of its offset and what it held. Where that may become too many, there is
room for some; then the whole state is kept as it is at that moment, and put back before the rest.
Functions that keep what they write have a form of their own. What was kept is put back after a
failure too. While looking ahead, what was written in between is taken out of the log again: it is
put back already.

What must not be assumed: that the state stands still while options are enumerated. Answers that a
search for ways has remembered (reaching.py) are worth nothing between the steps and the end of a
trial, nor after it; and where steps search themselves, no search remembers anything.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import TracebackType

from interpreter import limits
from interpreter.play.native.emit import context
from interpreter.play.native.emit.code import PASSED, STATE, Code, Unit
from interpreter.play.native.emit.text import I64, PTR, VOID, Fn
from interpreter.play.native.facts import routes, writes
from interpreter.program import ops, trials
from interpreter.program.layout import HEADER
from interpreter.program.program import Program
from interpreter.program.touches import operations, parts

_ROOM = 32  # cells that are kept one by one where nobody knows how many are written


def emit_trials(unit: Unit) -> None:
    """`keep(m, c, place)`: keep what a cell of the state holds. `put_back(m, c, mark)`: put back
    what was kept since the free part began at `mark`, the last first."""
    if trials.room(unit.program):
        unit.texts += [_keep(), _keep_whole(unit), _put_back(unit)]


def room(program: Program) -> int:
    """Cells that are kept at once by trials, at most."""
    bodies = (*program.code, *(function.body for function in program.functions))
    deepest = max((_nested(body) for body in bodies), default=0)
    whole = deepest * (limits.CALL_DEPTH + 1) * (2 * _ROOM + program.layout.size)
    return trials.room(program) + whole


def _nested(code: object) -> int:
    """How many trials stand in each other in code, without what it calls."""
    if not any(isinstance(op, ops.WhatIf) for op in operations(code)):
        return 0
    return isinstance(code, ops.WhatIf) + max(_nested(part) for part in parts(code))


def _keep() -> str:
    fn = Fn("keep", VOID, [*STATE, (PTR, "place")], attributes="inlinehint")
    end = fn.load("%c", context.TRIALS, PTR)
    with fn.when(fn.op(f"icmp eq ptr {end}, {fn.load('%c', context.KEEP_END, PTR)}"), rare=True):
        fn.call("keep_whole", VOID, PASSED)
        fn.ret()
    place, start = (fn.op(f"ptrtoint ptr {each} to i64") for each in ("%place", "%m"))
    fn.store(end, 0, fn.sub(place, start))
    fn.store(end, 1, fn.load("%place"))
    fn.store("%c", context.TRIALS, fn.at(end, 2), PTR)
    fn.ret()
    return fn.text()


def _keep_whole(unit: Unit) -> str:
    """There is no more room for single cells: keep all of them, once."""
    fn = Fn("keep_whole", VOID, STATE, attributes="cold noinline")
    with fn.when(fn.compare("ne", fn.load("%c", context.KEEP_WHOLE), 0)):
        fn.ret()
    end, size = fn.load("%c", context.TRIALS, PTR), unit.program.layout.size - HEADER
    fn.copy(end, fn.at("%m", HEADER), size)
    fn.store("%c", context.KEEP_WHOLE, 1)
    for cell in (context.TRIALS, context.KEEP_END):
        fn.store("%c", cell, fn.at(end, size), PTR)
    fn.ret()
    return fn.text()


def _put_back(unit: Unit) -> str:
    fn = Fn("put_back", VOID, [*STATE, (PTR, "mark")], attributes="inlinehint")
    end, size = fn.variable(fn.load("%c", context.TRIALS, PTR), PTR), unit.program.layout.size
    with fn.when(fn.compare("ne", fn.load("%c", context.KEEP_WHOLE), 0), rare=True):
        whole = fn.at(fn.load("%c", context.KEEP_END, PTR), HEADER - size)
        fn.copy(fn.at("%m", HEADER), whole, size - HEADER)
        fn.set(end, whole, PTR)
    with fn.loop(lambda: fn.op(f"icmp ugt ptr {fn.get(end, PTR)}, %mark")):
        pair = fn.at(fn.get(end, PTR), -2)
        fn.store(fn.at("%m", fn.load(pair, 0), "i8"), 0, fn.load(pair, 1))
        fn.set(end, pair, PTR)
    fn.store("%c", context.TRIALS, "%mark", PTR)
    fn.ret()
    return fn.text()


def swap() -> str:
    """`swap(m, c, first, end, by)`: exchange what a trial has kept for what the state holds, from
    the first pair on."""
    head = [*STATE, (PTR, "first"), (PTR, "end"), (I64, "by")]
    fn = Fn("swap", VOID, head)
    pair = fn.variable("%first", PTR)
    with fn.loop(lambda: fn.op(f"icmp ne ptr {fn.get(pair, PTR)}, %end")):
        now = fn.get(pair, PTR)
        place = fn.at("%m", fn.load(now, 0), "i8")
        kept, held = fn.load(now, 1), fn.load(place)
        fn.store(place, 0, kept)
        fn.store(now, 1, held)
        fn.set(pair, fn.at(now, "%by"), PTR)
    fn.ret()
    return fn.text()


def swapped(fn: Fn, ask: Callable[[], None]) -> None:
    """What is asked inside finds the state as it was before the trial that is under way."""
    first, end = (fn.load("%c", each, PTR) for each in (context.TRIAL, context.TRIALS))
    last, before = fn.at(end, -2), fn.at(first, -2)
    fn.call("swap", VOID, PASSED, f"{PTR} {last}", f"{PTR} {before}", "i64 -2")
    ask()
    fn.call("swap", VOID, PASSED, f"{PTR} {first}", f"{PTR} {end}", "i64 2")


class Trial:
    """What is emitted inside it is carried out in a trial; `found` is a slot for its value."""

    def __init__(self, code: Code, op: ops.WhatIf) -> None:
        self.code = code
        self.spans = trials.kept(code.unit.program, op.steps)
        self.few = writes.are_few(code.unit.program, op.steps)
        self.keeping = self.few or writes.are_single(code.unit.program, op.steps)
        self.found = code.fn.slot()
        self.at = op.at
        self.failed = code.fn.label()
        self.outer = code.failed, code.fails, code.round, code.trying

    def __enter__(self) -> Trial:
        code, fn = self.code, self.code.fn
        code.spend(trials.cost(self.spans), self.at)
        self.area = fn.load("%c", context.TRIALS, PTR)
        self.around = fn.load("%c", context.KEEP_END, PTR), fn.load("%c", context.KEEP_WHOLE)
        if self.keeping:
            end = "null" if self.few else fn.at(self.area, 2 * _ROOM)
            fn.store("%c", context.KEEP_END, end, PTR)
            fn.store("%c", context.KEEP_WHOLE, 0)
            if code.free and code.unit.watched.functions:
                fn.store("%c", context.TRIAL, self.area, PTR)
        else:
            here = 0
            for first, number in self.spans:
                fn.copy(fn.at(self.area, here), fn.at("%m", first), number)
                here += number
            fn.store("%c", context.TRIALS, fn.at(self.area, here), PTR)
        self.log = fn.load("%c", context.LOG, PTR) if code.unit.looks else ""
        # Nobody leaves a trial half way through, however many options there are.
        code.failed, code.fails, code.round = self.failed, {}, None
        code.trying = self.keeping
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: object, trace: TracebackType | None
    ) -> None:
        code, fn = self.code, self.code.fn
        code.failed, code.fails, code.round, code.trying = self.outer
        end = fn.label()
        self._put_back()
        fn.goto(end)
        fn.place(self.failed)
        self._put_back()
        fn.call("locate", VOID, f"{PTR} %c", f"i64 {self.at}")  # if nobody else knows where
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
            fn.store("%c", context.KEEP_END, self.around[0], PTR)
            fn.store("%c", context.KEEP_WHOLE, self.around[1])
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

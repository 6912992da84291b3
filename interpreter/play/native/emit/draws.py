"""Chance: which of the outcomes on the arena comes up, by weight, from the state's stream.

Where the outcome can be told without the others (facts/drawing.py), nothing is put on the arena.
"""

from __future__ import annotations

from collections.abc import Callable

from interpreter.play.native.emit import context
from interpreter.play.native.emit.code import Code
from interpreter.play.native.emit.expressions import local, looked_up, value
from interpreter.play.native.emit.text import I64, PTR
from interpreter.play.native.facts.drawing import Draw, find_draw
from interpreter.program import ops
from interpreter.program.layout import COUNTER, KEY, MODE, STOP_AT_CHANCE
from interpreter.program.touches import operations


def drawn(code: Code, op: ops.Chance, area: str, found: str) -> str:
    """Which of the outcomes comes up."""
    fn = code.fn
    stream = fn.at("%m", KEY)
    assert COUNTER == KEY + 1
    body = code.unit.program.functions[op.generator].body
    weights = {each.values[0] for each in operations(body) if isinstance(each, ops.Emit)}
    if weights == {ops.Const(1)}:
        return fn.call("draw", I64, f"{PTR} {stream}", f"i64 {found}")
    total = fn.variable("0")
    with fn.count(0, found) as index:
        fn.set(total, fn.add(fn.get(total), fn.load(area, fn.mul(index, 2))))
    code.fail_if(fn.compare("sle", fn.get(total), 0), context.BROKEN, -1)
    point = fn.variable(fn.call("draw", I64, f"{PTR} {stream}", f"i64 {fn.get(total)}"))
    index_ = fn.variable("0")
    last = fn.sub(found, 1)
    again, body_, end = fn.label(), fn.label(), fn.label()
    fn.place(again)
    left = fn.sub(fn.get(point), fn.load(area, fn.mul(fn.get(index_), 2)))
    fn.set(point, left)
    here = fn.compare("slt", left, 0)
    ended = fn.compare("sge", fn.get(index_), last)
    fn.branch(fn.op(f"or i1 {here}, {ended}"), end, body_)
    fn.place(body_)
    fn.set(index_, fn.add(fn.get(index_), 1))
    fn.goto(again)
    fn.place(end)
    return fn.get(index_)


def draw_at_once(code: Code, op: ops.Chance, onward: Callable[[], None]) -> bool:
    """Draw without going through all outcomes, unless somebody wants to stop; whether it can be
    done."""
    fn, unit = code.fn, code.unit
    draw = find_draw(unit.program, unit.steps.cells, op.generator)
    if draw is None:
        return False
    stops = fn.both(fn.load("%m", MODE), STOP_AT_CHANCE)
    with fn.when(fn.compare("eq", stops, 0)):
        fn.write("%m", op.address, _outcome(code, op, draw))
        onward()
    return True


def _outcome(code: Code, op: ops.Chance, draw: Draw) -> str:
    """The outcome itself; what there is only one of is not drawn."""
    fn = code.fn
    code.make_locals(code.unit.program.functions[op.generator].body)
    low, high = value(code, draw.low), value(code, draw.high)
    number = fn.sub(high, low)
    code.fail_if(fn.compare("sle", number, 0), "RR606", op.at)

    def outcome(index: str) -> str:
        fn.set(local(code, draw.local), index)
        return value(code, draw.value)

    def look(index: str) -> str:
        assert draw.looks is not None
        return looked_up(code, draw.looks, outcome(index))

    several = fn.compare("ne", number, 1)
    if draw.looks is not None:
        several = fn.compare("ne", look(low), look(fn.sub(high, 1)))
    index_ = fn.variable(low)
    with fn.when(several):
        drawn_ = fn.call("draw", I64, f"{PTR} {fn.at('%m', KEY)}", f"i64 {number}")
        fn.set(index_, fn.add(low, drawn_))
    if draw.looks is not None:  # all that are alike are the first of them
        same, again, end = look(fn.get(index_)), fn.label(), fn.label()
        fn.place(again)
        onward, back = fn.label(), fn.sub(fn.get(index_), 1)
        fn.branch(fn.compare("sgt", fn.get(index_), low), onward, end)
        fn.place(onward)
        before = fn.label()
        fn.branch(fn.compare("eq", look(back), same), before, end)
        fn.place(before)
        fn.set(index_, back)
        fn.goto(again)
        fn.place(end)
    return outcome(fn.get(index_))

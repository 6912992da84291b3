"""Loops of a trial that ask all neighbours of a cell whether they touch nothing: mostly it can be
told before they begin that none of them is such a one (`find_asking` in facts/sets.py)."""

from __future__ import annotations

from interpreter.play.native.emit import context
from interpreter.play.native.emit.code import Code
from interpreter.play.native.emit.sets import Group, note_if_new
from interpreter.play.native.emit.text import PTR
from interpreter.play.native.facts.sets import Asking, find_asking
from interpreter.play.native.facts.shape import body_can_fail
from interpreter.program import ops
from interpreter.program.touches import locals_set, uses


def asking_loop(code: Code, loop: ops.CountLoop) -> Asking | None:
    """If a loop of a trial mostly comes to nothing, which can be told before it begins."""
    if not (code.trying and code.free and code.fn.keeping) or code.counter is None:
        return None
    functions = code.unit.watched.functions
    known = {number: watch.sets for number, watch in functions.items() if watch.sets is not None}
    asking = find_asking(code.unit.program, loop, known)
    if asking is None:
        return None
    own, around = locals_set(loop), code.counter.around
    if uses(around, own) != uses(loop, own):
        return None
    cells, ranges = code.unit.steps.cells, code.counter.ranges
    contents = (each.value for each in asking.contents)
    read = tuple(map(ops.Evaluate, (*contents, *asking.given)))
    return None if body_can_fail(code.unit.program, cells, read, ranges=ranges) else asking


def pass_over(code: Code, asking: Asking, end: str) -> None:
    """Go to `end` if none of the neighbours can be one that was asked for."""
    fn, unit = code.fn, code.unit
    watch = unit.watched.functions[asking.function]
    sets = watch.sets
    assert sets is not None
    group = Group(code, sets, fn.at(fn.load("%c", context.WATCHED, PTR), watch.sets_start))
    note_if_new(code, group, asking.function)
    near = unit.near(group.type, asking.near)
    plain, passed = fn.label(), fn.label()
    may, asked = group.may_touch_nothing(asking, near, plain)
    fn.branch(may, plain, passed)
    fn.place(passed)
    if unit.steps.pays(asking.function):
        code.pay_steps(fn.mul(group.counted(asked), group.most_steps(group.most_of_any())))
    fn.goto(end)
    fn.place(plain)

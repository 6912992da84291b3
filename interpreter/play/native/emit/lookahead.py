"""Looking ahead: trials on the state itself, which is put back after each of them.

What a trial writes is noted in a log (undo.py); the header is kept aside as a whole. The arena's
top is put back too, also after a failure that is caught; other failures end the call from outside,
which starts anew.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from interpreter import limits
from interpreter.play.native.emit import context
from interpreter.play.native.emit.code import PASSED, STATE, Unit, spot_near
from interpreter.play.native.emit.control import FOUND, HALT
from interpreter.play.native.emit.idle import Alike
from interpreter.play.native.emit.menus import ALL, room, rows_size
from interpreter.play.native.emit.sure import Ways, emit_surely, is_surely
from interpreter.play.native.emit.text import I64, PTR, VOID, Fn
from interpreter.play.native.emit.undo import emit_log
from interpreter.play.native.facts.idle import find_idle
from interpreter.program import ops
from interpreter.program.layout import (
    DECISION,
    HEADER,
    LOOK,
    MENU,
    OVER,
    STATUS,
)  # fmt: skip
from interpreter.program.touches import operations


def emit_search(unit: Unit) -> None:
    """Only what the program needs."""
    program = unit.program
    ways = Ways(unit)
    if unit.looks:
        emit_log(unit)
        emit_surely(unit, ways)
        _emit_search(unit, ways)
    bodies = [*program.code, *(function.body for function in program.functions)]
    tried = {op.routine for body in bodies for op in operations(body) if isinstance(op, ops.Can)}
    for routine in sorted(tried):
        _emit_can(unit, routine)
    if any(isinstance(op, ops.LookAhead) for op in program.code):
        for number in range(len(program.menus)):
            _emit_filter(unit, number, ways)
    if any(isinstance(op, ops.Unwind) for op in program.code):
        _emit_unwind(unit)


class _Trial:
    """Something is tried out on the state itself, which is put back after it."""

    def __init__(self, fn: Fn) -> None:
        self.fn = fn
        self.header = fn.slot(f"[{HEADER} x i64]")
        fn.copy(self.header, "%m", HEADER)
        self.before = fn.load("%c", context.LOG, PTR)
        with fn.when(fn.op(f"icmp eq ptr {self.before}, null")):
            fn.store("%c", context.LOG, fn.load("%c", context.LOG_BASE, PTR), PTR)
        self.mark = fn.load("%c", context.LOG, PTR)

    def undo(self) -> None:
        self.fn.call("rewind", VOID, f"{PTR} %m", f"{PTR} %c", f"{PTR} {self.mark}")
        self.fn.copy("%m", self.header, HEADER)

    def end(self) -> None:
        self.fn.store("%c", context.LOG, self.before, PTR)


def _emit_can(unit: Unit, number: int) -> None:
    """`i64 can(m, c, depth, at, ...)`: 1 if the routine can be carried through, 0 or -1."""
    routine = unit.program.routines[number]
    names = [f"a{index}" for index in range(routine.params)]
    head = [*STATE, (I64, "d"), (I64, "at"), *((I64, name) for name in names)]
    fn = Fn(f"can{number}", I64, head, attributes="noinline", noting=True)
    trial = _Trial(fn)
    fn.write("%m", routine.address, HALT)
    for offset, name in enumerate(names, 1):
        fn.write("%m", routine.address + offset, f"%{name}")
    fn.store("%m", LOOK, 0)
    with fn.when(fn.compare("eq", fn.load("%c", context.SEARCHING), 0)):
        fn.store("%c", context.NODES, 0)
    given = (PASSED, f"i64 {routine.entry.position}", "i64 0", "i64 %d")
    found = fn.call("search", I64, *given)
    with fn.when(fn.compare("slt", found, 0), rare=True):
        fn.call("locate", VOID, f"{PTR} %c", "i64 %at")
    trial.undo()
    trial.end()
    fn.ret(found)
    unit.texts.append(fn.text())


def _emit_search(unit: Unit, ways: Ways) -> None:
    """`i64 search(m, c, pc, level, depth)`: 1 if some choices lead to the end, 0 or -1. The
    state is left as it comes out; who calls this puts it back."""
    head = [*STATE, (I64, "pc"), (I64, "level"), (I64, "d")]
    fn = Fn("search", I64, head, attributes="noinline")
    nodes = fn.add(fn.load("%c", context.NODES), 1)
    fn.store("%c", context.NODES, nodes)
    many = fn.compare("sgt", nodes, limits.SEARCH_NODES)
    deep = fn.compare("sgt", "%level", limits.SEARCH_DEPTH)
    with fn.when(fn.op(f"or i1 {many}, {deep}"), rare=True):
        _give_up(unit, fn)
    old = fn.load("%c", context.TOP, PTR)
    searching = fn.load("%c", context.SEARCHING)
    fn.store("%c", context.SEARCHING, fn.add(searching, 1))
    result = fn.variable("0")
    failed, end, ran = fn.label(), fn.label(), fn.label()
    bad = fn.call("run", I64, PASSED, "i64 %pc", "i64 %d", "i1 false")
    logged = fn.load("%c", context.LOG, PTR)
    full = fn.op(f"icmp uge ptr {logged}, {fn.load('%c', context.LOG_END, PTR)}")
    with fn.when(full, rare=True):  # not all of it can be put back
        _give_up(unit, fn)
    fn.branch(fn.compare("slt", bad, 0), failed, ran)
    fn.place(ran)
    status = fn.load("%m", STATUS)
    with fn.when(fn.compare("ne", status, DECISION)):
        found = fn.compare("eq", status, FOUND)
        over = fn.compare("eq", status, OVER)
        fn.set(result, fn.widen(fn.op(f"or i1 {found}, {over}")))
        fn.goto(end)
    labels = {number: fn.label() for number in range(len(unit.program.menus))}
    fn.switch(fn.load("%m", MENU), failed, labels)
    for number, label in labels.items():
        fn.place(label)
        # `run` has left the options of this stop on the arena.
        found = fn.load("%c", context.COUNT)
        with fn.when(_is_sure(unit, fn, unit.program.menus[number], ways, old)):
            fn.store("%c", context.NODES, fn.add(fn.load("%c", context.NODES), 1))
            fn.set(result, "1")
            fn.goto(end)
        after = fn.at(old, rows_size(unit, fn, unit.program.menus[number], old))
        room(unit, fn, after, context.area(unit.program))
        fn.store("%c", context.TOP, after, PTR)
        trial = _Trial(fn)
        again, body, more, rest = (fn.label() for _ in range(4))
        # Of those that were found before there were enough, the first two are the first two of all.
        first = fn.op(f"call i64 @llvm.smin.i64(i64 {found}, i64 2)")
        next_, last = fn.variable("0"), fn.variable(first)
        fn.place(again)
        option = fn.get(next_)
        fn.branch(fn.compare("slt", option, fn.get(last)), body, more)
        fn.place(more)  # these were perhaps not all
        fn.branch(fn.compare("sge", option, 2), rest, end)
        fn.place(rest)
        fn.store("%c", context.TOP, old, PTR)
        given = (f"{PTR} {old}", "i64 %d", "i64 -1", ALL)
        all_ = fn.call(f"find{number}", I64, PASSED, *given)
        with fn.when(fn.compare("slt", all_, 0), rare=True):
            fn.goto(failed)
        with fn.when(fn.compare("sle", all_, option)):
            fn.goto(end)
        fn.set(last, all_)
        longer = fn.at(old, rows_size(unit, fn, unit.program.menus[number], old))
        room(unit, fn, longer, context.area(unit.program))
        fn.store("%c", context.TOP, longer, PTR)
        fn.place(body)
        pc = fn.call(f"enter{number}", I64, PASSED, f"{PTR} {old}", f"i64 {option}")
        deeper = fn.add("%level", 1)
        got = fn.call("search", I64, PASSED, f"i64 {pc}", f"i64 {deeper}", "i64 %d")
        fn.set(result, got)
        with fn.when(fn.compare("ne", got, 0)):
            fn.goto(end)
        trial.undo()
        fn.set(next_, fn.add(option, 1))
        fn.goto(again)
    fn.place(failed)
    # A dead end, where somebody must choose and cannot, is only a way that does not lead on.
    dead = fn.compare("eq", fn.load("%c", context.ERROR), context.code_number("RR607"))
    fn.set(result, fn.select(dead, 0, -1))
    with fn.when(dead):
        fn.store("%c", context.ERROR, 0)
    fn.place(end)
    fn.store("%c", context.SEARCHING, searching)
    fn.store("%c", context.TOP, old, PTR)
    fn.ret(fn.get(result))
    unit.texts.append(fn.text())


def _give_up(unit: Unit, fn: Fn) -> None:
    """There is too much to look at."""
    spots = unit.table(tuple(spot_near(unit, pc) for pc in range(len(unit.program.code))))
    place = fn.op(f"getelementptr inbounds {spots.type}, {PTR} {spots.name}, i64 %pc")
    spot = fn.op(f"load {spots.type}, {PTR} {place}")
    if spots.type != I64:
        spot = fn.op(f"sext {spots.type} {spot} to i64")
    number = context.code_number("RR614")
    fn.call("fail", VOID, f"{PTR} %c", f"i64 {number}", f"i64 {spot}")
    fn.ret("-1")


def _is_sure(unit: Unit, fn: Fn, menu: ops.Menu, ways: Ways, area: str) -> str:
    """Whether the first of the options at `area` needs no trial, nor breaks a limit."""
    sure = fn.variable("0")
    known = [ways.of_target(entry.target.position) for entry in menu.entries]
    same = {each if each is None else replace(each, steps=0) for each in known}
    first = menu.entries[0].target.position
    if len(same) == 1:  # it does not matter which entry it is
        if None not in same:
            fn.set(sure, is_surely(unit, fn, ways, first))
    else:
        end = fn.label()
        for position, entry in enumerate(menu.entries):
            with fn.when(fn.compare("sgt", fn.load(area, position), 0)):
                if known[position] is not None:
                    fn.set(sure, is_surely(unit, fn, ways, entry.target.position))
                fn.goto(end)
        fn.place(end)
    few = fn.compare("slt", fn.load("%c", context.NODES), limits.SEARCH_NODES)
    flat = fn.compare("slt", "%level", limits.SEARCH_DEPTH)
    near = fn.op(f"and i1 {few}, {flat}")
    return fn.op(f"and i1 {near}, {fn.compare('ne', fn.get(sure), 0)}")


def _emit_filter(unit: Unit, number: int, ways: Ways) -> None:
    """`i64 filter(m, c, o, count, depth)`: of the options at `o`, keep only those that can be
    carried through to the end of `looking ahead`; how many are left, or -1."""
    menu, idle = unit.program.menus[number], find_idle(unit.program)
    head = [*STATE, (PTR, "o"), (I64, "n"), (I64, "d")]
    fn = Fn(f"filter{number}", I64, head, attributes="noinline", noting=True)
    fn.store("%c", context.NODES, 0)
    old = fn.load("%c", context.TOP, PTR)
    after = fn.at("%o", rows_size(unit, fn, menu, "%o"))
    room(unit, fn, after, context.area(unit.program))
    fn.store("%c", context.TOP, after, PTR)
    ends = [fn.load("%o", position) for position in range(len(menu.entries))]
    kept = fn.variable("0")
    first = fn.at("%o", len(menu.entries))
    source, target = fn.variable(first, PTR), fn.variable(first, PTR)
    trial = _Trial(fn)
    before = "0"
    for position, entry in enumerate(menu.entries):
        width = len(entry.cells)
        tried_from = fn.variable(before)
        if ways.of_target(entry.target.position) is not None:
            asked = partial(is_surely, unit, fn, ways, entry.target.position)
            rows = before, ends[position], len(entry.cells)
            _keep_sure(fn, asked, rows, (source, target, kept), tried_from)
        moved = idle.entries.get((number, position))
        alike = None if moved is None else Alike(unit, fn, entry, moved)
        with fn.count(fn.get(tried_from), ends[position]):
            row = fn.get(source, PTR)
            found = _tried(fn, trial, entry, row, alike)
            with fn.when(fn.compare("ne", found, 0)):
                place = fn.get(target, PTR)
                for offset in range(width):
                    fn.store(place, offset, fn.load(row, offset))
                fn.set(target, fn.at(place, width), PTR)
                fn.set(kept, fn.add(fn.get(kept), 1))
            fn.set(source, fn.at(row, width), PTR)
        fn.store("%o", position, fn.get(kept))
        before = ends[position]
    trial.end()
    fn.store("%c", context.TOP, old, PTR)
    fn.ret(fn.get(kept))
    unit.texts.append(fn.text())


def _tried(fn: Fn, trial: _Trial, entry: ops.Entry, row: str, alike: Alike | None) -> str:
    """Whether an option can be carried through, by a trial or by what the one before has told."""
    found = fn.slot()

    def try_out() -> None:
        if alike is not None:
            alike.begin()
        for offset, cell in enumerate(entry.cells):
            fn.write("%m", cell, fn.load(row, offset))
        given = (PASSED, f"i64 {entry.target.position}", "i64 0", "i64 %d")
        now = fn.call("search", I64, *given)
        trial.undo()
        with fn.when(fn.compare("slt", now, 0), rare=True):
            trial.end()
            fn.ret("-1")
        fn.set(found, now)
        if alike is not None:
            alike.end(row, now)

    if alike is None:
        try_out()
    else:
        fn.choose(alike.is_known(row), lambda: fn.set(found, alike.recall()), try_out)
    return fn.get(found)


def _keep_sure(
    fn: Fn,
    asked: Callable[[], str],
    rows: tuple[str, str, int],
    slots: tuple[str, str, str],
    tried_from: str,
) -> None:
    """Keep all options of an entry if none of them needs a trial."""
    source, target, kept = slots
    first, end, width = rows
    number = fn.sub(end, first)
    with fn.when(fn.compare("ne", number, 0)):
        nodes = fn.add(fn.load("%c", context.NODES), number)
        few = fn.compare("sle", nodes, limits.SEARCH_NODES)
        with fn.when(fn.op(f"and i1 {few}, {fn.compare('ne', asked(), 0)}")):
            fn.store("%c", context.NODES, nodes)
            size = fn.mul(number, width)
            old, new = fn.get(source, PTR), fn.get(target, PTR)
            with fn.when(fn.op(f"icmp ne ptr {old}, {new}")), fn.count(0, size) as index:
                fn.store(new, index, fn.load(old, index))
            fn.set(source, fn.at(old, size), PTR)
            fn.set(target, fn.at(new, size), PTR)
            fn.set(kept, fn.add(fn.get(kept), number))
            fn.set(tried_from, end)


def _emit_unwind(unit: Unit) -> None:
    """`i64 unwind(m, c, here, wanted)`: leave routine after routine up to the wanted one; 1 if
    the outermost was only tried out, -1 if there is no way back."""
    fn = Fn("unwind", I64, [*STATE, (I64, "here"), (I64, "wanted")], noting=unit.looks)
    here = fn.variable("%here")
    routines = unit.program.routines
    labels = {number: fn.label() for number in range(len(routines))}
    again, lost, found = fn.label(), fn.label(), fn.label()
    fn.place(again)
    done = fn.compare("eq", fn.get(here), "%wanted")
    more = fn.label()
    fn.branch(done, found, more)
    fn.place(more)
    back = fn.slot()
    fn.switch(fn.get(here), lost, labels)
    after = fn.label()
    for number, routine in enumerate(routines):
        fn.place(labels[number])
        fn.set(back, fn.load("%m", routine.address))
        fn.wipe("%m", routine.address, routine.size)
        fn.goto(after)
    fn.place(after)
    pc = fn.get(back)
    with fn.when(fn.compare("eq", pc, HALT)):
        fn.store("%m", STATUS, FOUND)
        fn.ret("1")
    with fn.when(fn.compare("slt", pc, 0)):
        fn.goto(lost)
    fn.set(here, "0")
    for number, routine in enumerate(routines):
        with fn.when(fn.compare("sge", pc, routine.entry.position)):
            fn.set(here, str(number))
    fn.goto(again)
    fn.place(found)
    fn.ret("0")
    fn.place(lost)
    fn.ret("-1")
    unit.texts.append(fn.text())

"""Code that runs on copies of the state: looking ahead, and sealed bodies.

Copies lie on the arena. Whoever bumps its top puts it back, also after a failure that is
caught; other failures end the call from outside, which starts with an empty arena.
"""

from __future__ import annotations

from interpreter.play.native import context
from interpreter.play.native.code import PASSED, STATE, Unit
from interpreter.play.native.control import FOUND, HALT, SCRATCH, spot_near
from interpreter.play.native.menus import room, rows_size
from interpreter.play.native.text import I64, PTR, VOID, Fn
from interpreter.program import ops
from interpreter.program.layout import (
    DECISION,
    LOOK,
    MENU,
    MODE,
    OVER,
    SEALED,
    SEALED_DONE,
    SEALED_READ,
    SEALED_SEAT,
    SEALING,
    STATUS,
)  # fmt: skip
from interpreter.program.verify import operations

_SEARCH_NODES = 20_000
_SEARCH_DEPTH = 64


def emit_search(unit: Unit) -> None:
    """Only what the program needs."""
    program = unit.program
    if unit.looks:
        _emit_search(unit)
    bodies = [*program.code, *(function.body for function in program.functions)]
    tried = {op.routine for body in bodies for op in operations(body) if isinstance(op, ops.Can)}
    for routine in sorted(tried):
        _emit_can(unit, routine)
    if any(isinstance(op, ops.LookAhead) for op in program.code):
        for number in range(len(program.menus)):
            _emit_filter(unit, number)
    if unit.sealed:
        _emit_scratch(unit)
        _emit_see_if_done(unit)
    if any(isinstance(op, ops.Unwind) for op in program.code):
        _emit_unwind(unit)


def copy_state(unit: Unit, fn: Fn) -> tuple[str, str]:
    """A copy of the state on the arena; also the old top, to be put back."""
    old = fn.load("%c", context.TOP, PTR)
    room(unit, fn, old, unit.program.layout.size + context.area(unit.program))
    fn.copy(old, "%m", unit.program.layout.size)
    fn.store("%c", context.TOP, fn.at(old, unit.program.layout.size), PTR)
    return old, old


def _emit_can(unit: Unit, number: int) -> None:
    """`i64 can(m, c, depth, at, ...)`: 1 if the routine can be carried through, 0 or -1."""
    routine = unit.program.routines[number]
    names = [f"a{index}" for index in range(routine.params)]
    head = [*STATE, (I64, "d"), (I64, "at"), *((I64, name) for name in names)]
    fn = Fn(f"can{number}", I64, head, attributes="noinline")
    copy, top = copy_state(unit, fn)
    fn.store(copy, routine.address, HALT)
    for offset, name in enumerate(names, 1):
        fn.store(copy, routine.address + offset, f"%{name}")
    fn.store(copy, LOOK, 0)
    with fn.when(fn.compare("eq", fn.load("%c", context.SEARCHING), 0)):
        fn.store("%c", context.NODES, 0)
    given = (f"{PTR} {copy}", f"{PTR} %c", f"i64 {routine.entry.position}", "i64 0", "i64 %d")
    found = fn.call("search", I64, *given)
    with fn.when(fn.compare("slt", found, 0), rare=True):
        fn.call("locate", VOID, f"{PTR} %c", "i64 %at")
    fn.store("%c", context.TOP, top, PTR)
    fn.ret(found)
    unit.texts.append(fn.text())


def _emit_search(unit: Unit) -> None:
    """`i64 search(m, c, pc, level, depth)`: 1 if some choices lead to the end, 0 or -1."""
    head = [*STATE, (I64, "pc"), (I64, "level"), (I64, "d")]
    fn = Fn("search", I64, head, attributes="noinline")
    nodes = fn.add(fn.load("%c", context.NODES), 1)
    fn.store("%c", context.NODES, nodes)
    many = fn.compare("sgt", nodes, _SEARCH_NODES)
    deep = fn.compare("sgt", "%level", _SEARCH_DEPTH)
    with fn.when(fn.op(f"or i1 {many}, {deep}"), rare=True):
        spots = unit.table(tuple(spot_near(unit, pc) for pc in range(len(unit.program.code))))
        place = fn.op(f"getelementptr inbounds {spots.type}, {PTR} {spots.name}, i64 %pc")
        spot = fn.op(f"load {spots.type}, {PTR} {place}")
        if spots.type != I64:
            spot = fn.op(f"sext {spots.type} {spot} to i64")
        number = context.code_number("RR614")
        fn.call("fail", VOID, f"{PTR} %c", f"i64 {number}", f"i64 {spot}")
        fn.ret("-1")
    old = fn.load("%c", context.TOP, PTR)
    searching = fn.load("%c", context.SEARCHING)
    fn.store("%c", context.SEARCHING, fn.add(searching, 1))
    result = fn.variable("0")
    failed, end = fn.label(), fn.label()
    bad = fn.call("run", I64, PASSED, "i64 %pc", "i64 %d", "i1 false")
    ran = fn.label()
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
        count = fn.load("%c", context.COUNT)
        size = rows_size(unit, fn, unit.program.menus[number], old)
        copy = fn.at(old, size)
        fn.store("%c", context.TOP, copy, PTR)
        room(unit, fn, copy, unit.program.layout.size + context.area(unit.program))
        fn.store("%c", context.TOP, fn.at(copy, unit.program.layout.size), PTR)
        with fn.count(0, count) as option:
            fn.copy(copy, "%m", unit.program.layout.size)
            given = (f"{PTR} {copy}", f"{PTR} {old}", f"i64 {option}")
            pc = fn.call(f"enter{number}", I64, *given)
            deeper = fn.add("%level", 1)
            state = (f"{PTR} {copy}", f"{PTR} %c")
            got = fn.call("search", I64, *state, f"i64 {pc}", f"i64 {deeper}", "i64 %d")
            fn.set(result, got)
            with fn.when(fn.compare("ne", got, 0)):
                fn.goto(end)
        fn.goto(end)
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


def _emit_filter(unit: Unit, number: int) -> None:
    """`i64 filter(m, c, o, count, depth)`: of the options at `o`, keep only those that can be
    carried through to the end of `looking ahead`; how many are left, or -1."""
    menu = unit.program.menus[number]
    fn = Fn(
        f"filter{number}", I64, [*STATE, (PTR, "o"), (I64, "n"), (I64, "d")], attributes="noinline"
    )
    fn.store("%c", context.NODES, 0)
    old = fn.load("%c", context.TOP, PTR)
    copy = fn.at("%o", rows_size(unit, fn, menu, "%o"))
    room(unit, fn, copy, unit.program.layout.size + context.area(unit.program))
    fn.store("%c", context.TOP, fn.at(copy, unit.program.layout.size), PTR)
    ends = [fn.load("%o", position) for position in range(len(menu.entries))]
    option, kept = fn.variable("0"), fn.variable("0")
    source = fn.variable(fn.at("%o", len(menu.entries)), PTR)
    target = fn.variable(fn.at("%o", len(menu.entries)), PTR)
    tried = fn.slot(f"[{len(menu.entries) + context.menu_width(menu)} x i64]")
    for position, entry in enumerate(menu.entries):
        width = len(entry.cells)
        with fn.loop(lambda end=ends[position]: fn.compare("slt", fn.get(option), end)):  # type: ignore[misc]
            row = fn.get(source, PTR)
            fn.copy(copy, "%m", unit.program.layout.size)
            fn.clear(tried, 0, len(menu.entries))
            for later in range(position, len(menu.entries)):
                fn.store(tried, later, 1)
            if width:
                fn.copy(fn.at(tried, len(menu.entries)), row, width)
            pc = fn.call(f"enter{number}", I64, f"{PTR} {copy}", f"{PTR} {tried}", "i64 0")
            state = (f"{PTR} {copy}", f"{PTR} %c")
            found = fn.call("search", I64, *state, f"i64 {pc}", "i64 0", "i64 %d")
            with fn.when(fn.compare("slt", found, 0), rare=True):
                fn.ret("-1")
            with fn.when(fn.compare("ne", found, 0)):
                place = fn.get(target, PTR)
                for offset in range(width):
                    fn.store(place, offset, fn.load(row, offset))
                fn.set(target, fn.at(place, width), PTR)
                fn.set(kept, fn.add(fn.get(kept), 1))
            fn.set(source, fn.at(row, width), PTR)
            fn.set(option, fn.add(fn.get(option), 1))
        fn.store("%o", position, fn.get(kept))
    fn.store("%c", context.TOP, old, PTR)
    fn.ret(fn.get(kept))
    unit.texts.append(fn.text())


def _emit_scratch(unit: Unit) -> None:
    """`i64 scratch(m, c, copy, seat, depth)`: run one seat's sealed body on a copy, as far as
    its choices reach."""
    fn = Fn("scratch", I64, [*STATE, (PTR, "copy"), (I64, "seat"), (I64, "d")])
    fn.copy("%copy", "%m", unit.program.layout.size)
    fn.store("%copy", SEALED_SEAT, fn.add("%seat", 1))
    fn.store("%copy", SEALED_READ, 0)
    fn.store("%copy", MODE, fn.either(fn.load("%m", MODE), SCRATCH))
    blocks = {pc: op for pc, op in enumerate(unit.program.code) if isinstance(op, ops.Sealed)}
    labels = {pc + 1: fn.label() for pc in blocks}
    lost = fn.label()
    fn.switch(fn.load("%m", SEALED), lost, labels)
    for pc, op in blocks.items():
        fn.place(labels[pc + 1])
        fn.store("%copy", op.seat, "%seat")
        start = f"i64 {op.body.position}"
        fn.ret(fn.call("run", I64, f"{PTR} %copy", f"{PTR} %c", start, "i64 %d", "i1 false"))
    fn.place(lost)
    fn.call("fail", VOID, f"{PTR} %c", f"i64 {context.BROKEN}", "i64 -1")
    fn.ret("-1")
    unit.texts.append(fn.text())


def _emit_see_if_done(unit: Unit) -> None:
    fn = Fn("see_if_done", I64, [*STATE, (I64, "seat"), (I64, "d")], attributes="noinline")
    copy, top = copy_state(unit, fn)
    given = (PASSED, f"{PTR} {copy}", "i64 %seat", "i64 %d")
    bad = fn.call("scratch", I64, *given)
    with fn.when(fn.compare("eq", fn.load(copy, STATUS), SEALING)):
        bit = fn.op("shl i64 1, %seat")
        fn.store("%m", SEALED_DONE, fn.either(fn.load("%m", SEALED_DONE), bit))
    fn.store("%c", context.TOP, top, PTR)
    fn.ret(bad)
    unit.texts.append(fn.text())


def _emit_unwind(unit: Unit) -> None:
    """`i64 unwind(m, here, wanted)`: leave routine after routine up to the wanted one; 1 if
    the outermost was only tried out, -1 if there is no way back."""
    fn = Fn("unwind", I64, [(f"{PTR} noalias", "m"), (I64, "here"), (I64, "wanted")])
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
        fn.clear("%m", routine.address, routine.size)
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

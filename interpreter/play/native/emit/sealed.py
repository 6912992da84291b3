"""Sealed choices: bodies that are run to see how far the choices of a seat reach.

From outside, each choice is made by itself, and the body is run anew on a copy of the state, as
the reference machine does it. In a simulation nobody looks in between: each body is run once,
on the state itself, drawing and writing down choices on its way; what it wrote is put back. Mostly
not even that is needed: see sealing.py. If anything fails there, the game is played again in the
plain way, so that failures are the same.
"""

from __future__ import annotations

from interpreter import limits
from interpreter.play.native.emit import context
from interpreter.play.native.emit.code import PASSED, STATE, Unit, spot_near
from interpreter.play.native.emit.copying import copy_state
from interpreter.play.native.emit.menus import room
from interpreter.play.native.emit.runtime import pick_option
from interpreter.play.native.emit.sealing import DIRECT, SCRATCH
from interpreter.play.native.emit.text import I64, PTR, VOID, Fn
from interpreter.play.native.facts import writes
from interpreter.program import ops
from interpreter.program.layout import (
    DECISION,
    HEADER,
    MENU,
    MODE,
    MOVES,
    PC,
    SEALED,
    SEALED_DONE,
    SEALED_READ,
    SEALED_SEAT,
    SEALING,
    STATUS,
    STEPS,
    TOTAL_STEPS,
)  # fmt: skip


def emit_sealed(unit: Unit) -> None:
    if unit.sealed:
        _emit_scratch(unit)
        _emit_see_if_done(unit)
        _emit_record(unit)
        _emit_sealed_random(unit)
        _emit_all_seats(unit)
        _emit_draw_sealed(unit)


def room_for_copy(unit: Unit, fn: Fn) -> str:
    """Room on the arena for a copy of the state, which `scratch` makes. It begins where the top
    was, which is to be put back."""
    old = fn.load("%c", context.TOP, PTR)
    room(unit, fn, old, unit.program.layout.size + context.area(unit.program))
    fn.store("%c", context.TOP, fn.at(old, unit.program.layout.size), PTR)
    return old


def _emit_scratch(unit: Unit) -> None:
    """`i64 scratch(m, c, copy, seat, depth)`: run one seat's sealed body on a copy, as far as
    its choices reach."""
    fn = Fn("scratch", I64, [*STATE, (PTR, "copy"), (I64, "seat"), (I64, "d")])
    copy_state(fn, "%copy", "%m")
    fn.store("%copy", SEALED_SEAT, fn.add("%seat", 1))
    fn.store("%copy", SEALED_READ, 0)
    fn.store("%copy", MODE, fn.either(fn.load("%m", MODE), SCRATCH))
    pc = _body(unit, fn, "%m", "%copy", "%seat")
    fn.ret(fn.call("run", I64, f"{PTR} %copy", f"{PTR} %c", f"i64 {pc}", "i64 %d", "i1 false"))
    unit.texts.append(fn.text())


def _emit_see_if_done(unit: Unit) -> None:
    fn = Fn("see_if_done", I64, [*STATE, (I64, "seat"), (I64, "d")], attributes="noinline")
    copy = room_for_copy(unit, fn)
    given = (PASSED, f"{PTR} {copy}", "i64 %seat", "i64 %d")
    bad = fn.call("scratch", I64, *given)
    with fn.when(fn.compare("eq", fn.load(copy, STATUS), SEALING)):
        bit = fn.op("shl i64 1, %seat")
        fn.store("%m", SEALED_DONE, fn.either(fn.load("%m", SEALED_DONE), bit))
    fn.store("%c", context.TOP, copy, PTR)
    fn.ret(bad)
    unit.texts.append(fn.text())


def _emit_record(unit: Unit) -> None:
    """Write down a sealed choice from a menu, and go on when all are complete. If the menu is not
    known (-1), the body is run up to where the choice is made."""
    layout = unit.program.layout
    head = [*STATE, (PTR, "row"), (I64, "seat"), (I64, "menu"), ("i1", "sim")]
    fn = Fn("record", I64, head)
    with fn.when(fn.compare("uge", "%seat", unit.program.players), rare=True):
        broken(fn)
    lengths = fn.at(fn.at("%m", layout.sealed_length), "%seat")
    length = fn.load(lengths)
    with fn.when(fn.compare("uge", length, layout.sealed_capacity), rare=True):
        fail_here(unit, fn, "RR613")
    number = fn.add(fn.mul("%seat", layout.sealed_capacity), length)
    start = fn.at(fn.at("%m", layout.sealed_choices), fn.mul(number, layout.sealed_width))
    menu = fn.variable("%menu")
    with fn.when(fn.compare("slt", "%menu", 0)):
        copy = room_for_copy(unit, fn)
        bad = fn.call("scratch", I64, PASSED, f"{PTR} {copy}", "i64 %seat", "i64 0")
        with fn.when(fn.compare("slt", bad, 0), rare=True):
            fn.ret("-1")
        fn.set(menu, fn.load(copy, MENU))
        fn.store("%c", context.TOP, copy, PTR)
    fn.copy(start, "%row", layout.sealed_width - 1)
    fn.store(start, layout.sealed_width - 1, fn.get(menu))
    fn.store(lengths, 0, fn.add(length, 1))
    bad = fn.call("see_if_done", I64, PASSED, "i64 %seat", "i64 0")
    with fn.when(fn.compare("slt", bad, 0), rare=True):
        fn.ret("-1")
    pc = fn.load("%m", PC)
    fn.ret(fn.call("run", I64, PASSED, f"i64 {pc}", "i64 0", "i1 %sim"))
    unit.texts.append(fn.text())


def _emit_sealed_random(unit: Unit) -> None:
    """The first seat that is not done draws one of its sealed options."""
    width = unit.program.layout.sealed_width
    fn = Fn("sealed_random", I64, STATE)
    seat = fn.variable("0")
    done = fn.load("%m", SEALED_DONE)
    last = unit.program.players - 1

    def taken() -> str:
        bit = fn.both(fn.op(f"lshr i64 {done}, {fn.get(seat)}"), 1)
        more = fn.compare("slt", fn.get(seat), last)
        return fn.op(f"and i1 {fn.compare('ne', bit, 0)}, {more}")

    with fn.loop(taken):
        fn.set(seat, fn.add(fn.get(seat), 1))
    who = fn.get(seat)
    copy = room_for_copy(unit, fn)
    bad = fn.call("scratch", I64, PASSED, f"{PTR} {copy}", f"i64 {who}", "i64 0")
    with fn.when(fn.compare("slt", bad, 0), rare=True):
        fn.ret("-1")
    with fn.when(fn.compare("ne", fn.load(copy, STATUS), DECISION), rare=True):
        broken(fn)
    count = fn.load("%c", context.COUNT)
    picked = pick_option(fn, copy, who, count, sealed=True)
    area = fn.load("%c", context.TOP, PTR)
    row = fn.slot(f"[{width} x i64]")
    fn.clear(row, 0, width)
    menu = fn.load(copy, MENU)
    row_of(unit, fn, menu, area, picked, row)
    fn.store("%c", context.TOP, copy, PTR)
    book(unit, fn)
    given = (f"{PTR} {row}", f"i64 {who}", f"i64 {menu}", "i1 true")
    fn.ret(fn.call("record", I64, PASSED, *given))
    unit.texts.append(fn.text())


def _emit_all_seats(unit: Unit) -> None:
    """`i64 all_seats(m, c, depth)`: every seat makes all its sealed choices at random. Gives 1
    if there was any choice, 0 if not, or -1."""
    program = unit.program
    fn = Fn("all_seats", I64, [*STATE, (I64, "d")], attributes="noinline")
    ranges = writes.sealed(program)
    header = fn.slot(f"[{HEADER} x i64]")
    saved = fn.slot(f"[{max(1, writes.size(ranges))} x i64]")
    fn.store("%c", context.PENDING, fn.load("%m", STEPS))
    before = fn.load("%m", MOVES)
    _copy_ranges(fn, ranges, saved, "%m", back=False)
    fn.copy(header, "%m", HEADER)
    with fn.count(0, program.players) as seat:
        fn.store("%m", SEALED_SEAT, fn.add(seat, 1))
        fn.store("%m", SEALED_READ, 0)
        fn.store("%m", MODE, fn.either(fn.load(header, MODE), SCRATCH))
        pc = _body(unit, fn, "%m", "%m", seat)
        bad = fn.call("run", I64, PASSED, f"i64 {pc}", "i64 %d", "i1 true")
        with fn.when(fn.compare("slt", bad, 0), rare=True):
            fn.ret("-1")
        with fn.when(fn.compare("ne", fn.load("%m", STATUS), SEALING), rare=True):
            broken(fn)
        for cell in (MOVES, TOTAL_STEPS):
            fn.store(header, cell, fn.load("%m", cell))
        fn.copy("%m", header, HEADER)
        _copy_ranges(fn, ranges, saved, "%m", back=True)
    fn.store("%m", SEALED_DONE, (1 << program.players) - 1)
    fn.ret(fn.widen(fn.compare("ne", fn.load("%m", MOVES), before)))
    unit.texts.append(fn.text())


def _copy_ranges(fn: Fn, ranges: writes.Ranges, saved: str, state: str, *, back: bool) -> None:
    offset = 0
    for first, number in ranges:
        here, there = fn.at(saved, offset), fn.at(state, first)
        fn.copy(*((there, here) if back else (here, there)), number)
        offset += number


def _body(unit: Unit, fn: Fn, m: str, target: str, seat: str) -> str:
    """Where the sealed body of a state starts; its seat is put in place."""
    blocks = {pc: op for pc, op in enumerate(unit.program.code) if isinstance(op, ops.Sealed)}
    labels = {pc + 1: fn.label() for pc in blocks}
    lost, end = fn.label(), fn.label()
    start = fn.slot()
    fn.switch(fn.load(m, SEALED), lost, labels)
    for pc, op in blocks.items():
        fn.place(labels[pc + 1])
        fn.store(target, op.seat, seat)
        fn.set(start, str(op.body.position))
        fn.goto(end)
    fn.place(lost)
    broken(fn)
    fn.place(end)
    return fn.get(start)


def _emit_draw_sealed(unit: Unit) -> None:
    """`i64 draw_sealed(m, c, o, menu, count)`: draw one of the options at `o` for the seat
    whose body is run, write it down unless it is carried out at once, and give its number,
    or -1."""
    layout = unit.program.layout
    head = [*STATE, (PTR, "o"), (I64, "menu"), (I64, "n")]
    fn = Fn("draw_sealed", I64, head, attributes="noinline")
    seat = fn.sub(fn.load("%m", SEALED_SEAT), 1)
    with fn.when(fn.compare("uge", seat, unit.program.players), rare=True):
        broken(fn)
    picked = pick_option(fn, "%m", seat, "%n", sealed=True)
    total = fn.add(fn.load("%m", TOTAL_STEPS), fn.load("%c", context.PENDING))
    moves = fn.add(fn.load("%m", MOVES), 1)
    fn.store("%m", TOTAL_STEPS, total)
    fn.store("%m", MOVES, moves)
    # Coming back to the block is an instruction.
    fn.store("%c", context.PENDING, limits.STEPS_AN_INSTRUCTION)
    lengths = fn.at(fn.at("%m", layout.sealed_length), seat)
    length = fn.load(lengths)
    many = fn.compare("sgt", moves, limits.MOVES_PER_GAME)
    long = fn.compare("sgt", total, limits.STEPS_PER_GAME)
    full = fn.compare("uge", length, layout.sealed_capacity)
    with fn.when(fn.op(f"or i1 {fn.op(f'or i1 {many}, {long}')}, {full}"), rare=True):
        broken(fn)  # the plain way tells what it is
    if not unit.looks:
        with fn.when(fn.compare("ne", fn.both(fn.load("%m", MODE), DIRECT), 0)):
            # So many choices could not be written down, but nobody counts them otherwise.
            read = fn.load("%m", SEALED_READ)
            with fn.when(fn.compare("uge", read, layout.sealed_capacity), rare=True):
                broken(fn)
            fn.store("%m", SEALED_READ, fn.add(read, 1))
            fn.ret(picked)
    number = fn.add(fn.mul(seat, layout.sealed_capacity), length)
    start = fn.at(fn.at("%m", layout.sealed_choices), fn.mul(number, layout.sealed_width))
    row_of(unit, fn, "%menu", "%o", picked, start)
    fn.store(start, layout.sealed_width - 1, "%menu")
    fn.store(lengths, 0, fn.add(length, 1))
    fn.store("%m", SEALED_READ, fn.add(fn.load("%m", SEALED_READ), 1))
    fn.ret(picked)
    unit.texts.append(fn.text())


def row_of(unit: Unit, fn: Fn, menu: str, area: str, option: str, row: str) -> None:
    """An option of a menu that lies at `area`, as an entry and its values."""
    given = (f"{PTR} {area}", f"i64 {menu}", f"i64 {option}", f"{PTR} {row}")
    bad = fn.call("option_row", I64, *given)
    with fn.when(fn.compare("slt", bad, 0), rare=True):
        broken(fn)


def by_menu(unit: Unit, fn: Fn, menu: str) -> dict[int, str]:
    """A way for each menu; other numbers are refused."""
    labels = {number: fn.label() for number in range(len(unit.program.menus))}
    lost = fn.label()
    fn.switch(menu, lost, labels)
    fn.place(lost)
    broken(fn)
    return labels


def book(unit: Unit, fn: Fn) -> None:
    """What taking a decision costs."""
    total = fn.add(fn.load("%m", TOTAL_STEPS), fn.load("%m", STEPS))
    moves = fn.add(fn.load("%m", MOVES), 1)
    fn.store("%m", TOTAL_STEPS, total)
    fn.store("%m", STEPS, 0)
    fn.store("%m", MOVES, moves)
    many = fn.compare("sgt", moves, limits.MOVES_PER_GAME)
    long = fn.compare("sgt", total, limits.STEPS_PER_GAME)
    with fn.when(fn.op(f"or i1 {many}, {long}"), rare=True):
        fail_here(unit, fn, "RR615")


def fail_here(unit: Unit, fn: Fn, failure: str) -> None:
    """A failure at the instruction the game has stopped at."""
    spots = unit.table(tuple(spot_near(unit, pc) for pc in range(len(unit.program.code))))
    pc = fn.load("%m", PC)
    pc = fn.select(fn.compare("ult", pc, len(unit.program.code)), pc, 0)
    place = fn.op(f"getelementptr inbounds {spots.type}, {PTR} {spots.name}, i64 {pc}")
    spot = fn.op(f"load {spots.type}, {PTR} {place}")
    if spots.type != I64:
        spot = fn.op(f"sext {spots.type} {spot} to i64")
    number = context.code_number(failure)
    fn.call("fail", VOID, f"{PTR} %c", f"i64 {number}", f"i64 {spot}")
    fn.ret("-1")


def broken(fn: Fn) -> None:
    fn.call("fail", VOID, f"{PTR} %c", f"i64 {context.BROKEN}", "i64 -1")
    fn.ret("-1")

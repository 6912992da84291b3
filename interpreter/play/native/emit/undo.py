"""The log of what is written while looking ahead, so that it can be put back.

It grows by entries, each of which ends with two cells that say what it is: where a cell lies in the
state, in bytes, and what it held; or, with that made odd, the number of cells that stand before
these two and were kept as a whole; or `MOVED` and a kind, after what there was to know before a
piece was moved. When the log is full it stays so, and `search` gives up.
"""

from __future__ import annotations

from interpreter.play.native.emit import context
from interpreter.play.native.emit.code import PASSED, Unit
from interpreter.play.native.emit.pieces import MOVED, MOVED_CELLS, moved_kinds
from interpreter.play.native.emit.text import I64, PTR, VOID, Fn

_WHOLE = 64  # cells; of more it is better to keep only those that are not 0
_STATE = [(PTR, "m"), (PTR, "c")]  # what is put back may be reached in other ways, too


def emit_log(unit: Unit) -> None:
    """`note(m, c, place)`: while looking ahead, remember what a cell holds. `note_range(m, c,
    place, n)`: the same of cells that are going to be cleared. `extend(m, c, end, cells)`: make
    room for an entry; 0 if there is none. `rewind(m, c, mark)`: put back all that was written since
    the log ended at `mark`. What is noted are distances from the state, not addresses: these would
    be worked out for all cells whenever the game goes on."""
    unit.texts += [_note(), _note_range(), _extend(), _rewind(unit)]


def _note() -> str:
    fn = Fn("note", VOID, [*_STATE, (PTR, "place")], attributes="inlinehint")
    end = fn.load("%c", context.LOG, PTR)
    with fn.when(fn.op(f"icmp ne ptr {end}, null")):
        fn.store(end, 0, _offset(fn))
        fn.store(end, 1, fn.load("%place"))
        fn.store("%c", context.LOG, fn.at(end, 2), PTR)
        full = fn.op(f"icmp uge ptr {end}, {fn.load('%c', context.LOG_END, PTR)}")
        with fn.when(full, rare=True):
            fn.store("%c", context.LOG, end, PTR)
    fn.ret()
    return fn.text()


def _offset(fn: Fn) -> str:
    return fn.sub(fn.op("ptrtoint ptr %place to i64"), fn.op("ptrtoint ptr %m to i64"))


def _note_range() -> str:
    head = [*_STATE, (PTR, "place"), (I64, "n")]
    fn = Fn("note_range", VOID, head, attributes="inlinehint")
    end = fn.load("%c", context.LOG, PTR)
    with fn.when(fn.op(f"icmp ne ptr {end}, null")):
        with fn.when(fn.compare("sgt", "%n", _WHOLE)):
            with fn.count(0, "%n") as index:
                place = fn.at("%place", index)
                with fn.when(fn.compare("ne", fn.load(place), 0)):
                    fn.call("note", VOID, PASSED, f"{PTR} {place}")
            fn.ret()
        given = (PASSED, f"{PTR} {end}", f"i64 {fn.add('%n', 2)}")
        with fn.when(fn.compare("ne", fn.call("extend", I64, *given), 0)):
            fn.copy(end, "%place", "%n")
            tail = fn.at(end, "%n")
            fn.store(tail, 0, fn.either(_offset(fn), 1))
            fn.store(tail, 1, "%n")
    fn.ret()
    return fn.text()


def _extend() -> str:
    fn = Fn("extend", I64, [*_STATE, (PTR, "end"), (I64, "cells")], attributes="inlinehint")
    after = fn.at("%end", "%cells")
    limit = fn.load("%c", context.LOG_END, PTR)
    with fn.when(fn.op(f"icmp ugt ptr {after}, {limit}"), rare=True):
        here = fn.at("%c", context.COUNT)  # what is noted here does no harm

        def has_room() -> str:
            return fn.op(f"icmp ult ptr {fn.load('%c', context.LOG, PTR)}, {limit}")

        with fn.loop(has_room):
            fn.call("note", VOID, PASSED, f"{PTR} {here}")
        fn.ret("0")
    fn.store("%c", context.LOG, after, PTR)
    fn.ret("1")
    return fn.text()


def _rewind(unit: Unit) -> str:
    fn = Fn("rewind", VOID, [*_STATE, (PTR, "mark")], attributes="noinline")
    end = fn.variable(fn.load("%c", context.LOG, PTR), PTR)
    again, done, one, several = (fn.label() for _ in range(4))
    fn.place(again)
    entry = fn.at(fn.get(end, PTR), -2)
    more = fn.label()
    fn.branch(fn.op(f"icmp ugt ptr {fn.get(end, PTR)}, %mark"), more, done)
    fn.place(more)
    place, held = fn.load(entry, 0), fn.load(entry, 1)
    fn.branch(fn.compare("eq", fn.both(place, 1), 0), one, several)
    fn.place(one)
    fn.store(fn.at("%m", place, "i8"), 0, held)
    fn.set(end, entry, PTR)
    fn.goto(again)
    fn.place(several)
    kinds = sorted(moved_kinds(unit.program))
    if kinds:
        with fn.when(fn.compare("eq", place, MOVED)):
            first = fn.at(entry, -MOVED_CELLS)
            for kind in kinds:
                with fn.when(fn.compare("eq", held, kind)):
                    fn.call(f"unmove{kind}", VOID, f"{PTR} {first}")
            fn.set(end, first, PTR)
            fn.goto(again)
    kept = fn.at(entry, fn.sub(0, held))
    fn.copy(fn.at("%m", fn.both(place, -2), "i8"), kept, held)
    fn.set(end, kept, PTR)
    fn.goto(again)
    fn.place(done)
    fn.store("%c", context.LOG, "%mark", PTR)
    fn.ret()
    return fn.text()

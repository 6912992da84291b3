"""Pieces of a place that move up or down by one, because another one goes or comes.

`close_gap(first, gap, count, positions)`: the pieces behind a gap move down; `count` of them are
left. `i64 make_room(first, lowest, count, below, positions)`: pieces move up, from the last one on,
as long as they have higher numbers than `below` and lie at `lowest` or behind it; gives the place
that is free then. Both tell each piece its new position.

How many pieces that are is what no processor can guess. Where one can write to many places at once,
eight of them are moved together, and mostly that is all.
"""

from __future__ import annotations

from interpreter.play.native.emit.text import I64, PTR, VOID, Fn

_LANES = 8
_ROW, _BITS = f"<{_LANES} x i64>", f"<{_LANES} x i1>"
_GAP = [(PTR, "first"), (I64, "gap"), (I64, "count"), (PTR, "positions")]
_ROOM = [(PTR, "first"), (I64, "lowest"), (I64, "count"), (I64, "below"), (PTR, "positions")]
_DECLARED = f"""\
declare {_ROW} @llvm.masked.load.v{_LANES}i64.p0(ptr, i32, {_BITS}, {_ROW})
declare void @llvm.masked.store.v{_LANES}i64.p0({_ROW}, ptr, i32, {_BITS})
declare void @llvm.masked.scatter.v{_LANES}i64.v{_LANES}p0({_ROW}, <{_LANES} x ptr>, i32, {_BITS})
"""


def shifting() -> str:
    """One piece after the other."""
    return _close_gap() + _make_room()


def shifting_at_once() -> str:
    """The same for processors that can write to many places at once."""
    return _close_gap_at_once() + _make_room_at_once() + _DECLARED


def _close_gap() -> str:
    fn = Fn("close_gap", VOID, _GAP, attributes="alwaysinline")
    with fn.count("%gap", "%count", short=True) as index:
        _put(fn, index, fn.load("%first", fn.add(index, 1)))
    fn.ret()
    return fn.text()


def _make_room() -> str:
    fn = Fn("make_room", I64, _ROOM, attributes="alwaysinline")
    index, done = fn.variable("%count"), fn.label()
    with fn.loop(lambda: fn.compare("sgt", fn.get(index), "%lowest"), short=True):
        now = fn.get(index)
        before = fn.sub(now, 1)
        other = fn.load("%first", before)
        with fn.when(fn.compare("sle", other, "%below")):
            fn.goto(done)
        _put(fn, now, other)
        fn.set(index, before)
    fn.place(done)
    fn.ret(fn.get(index))
    return fn.text()


def _put(fn: Fn, index: str, piece: str) -> None:
    fn.store("%first", index, piece)
    fn.store("%positions", piece, index)


def _close_gap_at_once() -> str:
    fn = Fn("close_gap", VOID, _GAP, attributes="alwaysinline")
    at, count = fn.variable("%gap"), _everywhere(fn, "%count")
    with fn.loop(lambda: fn.compare("slt", fn.get(at), "%count"), short=True):
        now = fn.get(at)
        lanes = _lanes(fn, now)
        moved = fn.op(f"icmp slt {_ROW} {lanes}, {count}")
        pieces = _load(fn, fn.at("%first", fn.add(now, 1)), moved)
        _put_all(fn, fn.at("%first", now), lanes, pieces, moved)
        fn.set(at, fn.add(now, _LANES))
    fn.ret()
    return fn.text()


def _make_room_at_once() -> str:
    fn = Fn("make_room", I64, _ROOM, attributes="alwaysinline")
    index, done = fn.variable("%count"), fn.label()
    lowest, below = _everywhere(fn, "%lowest"), _everywhere(fn, "%below")
    with fn.loop(lambda: fn.compare("sgt", fn.get(index), "%lowest"), short=True):
        now = fn.get(index)
        first = fn.sub(now, _LANES)
        there = fn.op(f"icmp sge {_ROW} {_lanes(fn, first)}, {lowest}")
        pieces = _load(fn, fn.at("%first", first), there)
        higher = fn.op(f"icmp sgt {_ROW} {pieces}, {below}")
        moved = fn.op(f"select {_BITS} {there}, {_BITS} {higher}, {_BITS} zeroinitializer")
        after = fn.add(first, 1)
        _put_all(fn, fn.at("%first", after), _lanes(fn, after), pieces, moved)
        bits = fn.op(f"bitcast {_BITS} {moved} to i{_LANES}")
        number = fn.op(f"call i64 @llvm.ctpop.i64(i64 {fn.op(f'zext i{_LANES} {bits} to i64')})")
        fn.set(index, fn.sub(now, number))
        with fn.when(fn.compare("ne", number, _LANES)):
            fn.goto(done)
    fn.place(done)
    fn.ret(fn.get(index))
    return fn.text()


def _everywhere(fn: Fn, number: str) -> str:
    one = fn.op(f"insertelement {_ROW} poison, i64 {number}, i64 0")
    places = f"<{_LANES} x i32> zeroinitializer"
    return fn.op(f"shufflevector {_ROW} {one}, {_ROW} poison, {places}")


def _lanes(fn: Fn, first: str) -> str:
    """The numbers from the first on."""
    numbers = ", ".join(f"i64 {number}" for number in range(_LANES))
    return fn.op(f"add {_ROW} {_everywhere(fn, first)}, <{numbers}>")


def _load(fn: Fn, place: str, which: str) -> str:
    given = f"ptr {place}, i32 8, {_BITS} {which}, {_ROW} zeroinitializer"
    return fn.op(f"call {_ROW} @llvm.masked.load.v{_LANES}i64.p0({given})")


def _put_all(fn: Fn, place: str, positions: str, pieces: str, which: str) -> None:
    given = f"{_ROW} {pieces}, ptr {place}, i32 8, {_BITS} {which}"
    fn.line(f"call void @llvm.masked.store.v{_LANES}i64.p0({given})")
    places = fn.op(f"getelementptr inbounds i64, ptr %positions, {_ROW} {pieces}")
    given = f"{_ROW} {positions}, <{_LANES} x ptr> {places}, i32 8, {_BITS} {which}"
    fn.line(f"call void @llvm.masked.scatter.v{_LANES}i64.v{_LANES}p0({given})")

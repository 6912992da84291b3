"""What a seat sees as a row of numbers, in native code: the same as `spaces/observe.py`.

This code is the same for every game: it reads the table of parts (`spaces/columns.py`) as words.
"""

from __future__ import annotations

from interpreter.play.native.emit.text import I64, PTR, VOID, Fn
from interpreter.play.pieces import CONTENTS, SEATS, UNDER, UNORDERED
from interpreter.play.spaces.columns import CELLS, EVERYBODY, LOOSE, NAMES

# A part, as `columns.Part` has it; with addresses of others.
(
    WORD, AT, ADDRESS, STEP, COUNT, LOW, HIGH, OWNER, KIND, READERS, STRIDE, BELOW, BELOW_COUNT,
    MARKS, MARK_COUNT, PART_SIZE,
) = range(16)  # fmt: skip
# What is kept for each piece: where, how far it is to the next, and its bounds.
MARK_ADDRESS, MARK_STEP, MARK_LOW, MARK_HIGH, MARK_SIZE, MARK_WIDTH = range(6)
# A kind begins as in uct.py, so that `who` is the same code.
(
    KIND_WHERE, KIND_POSITION, KIND_KNOWN, KIND_HIDDEN_FIELDS, KIND_ROWS, KIND_VIEWERS,
    KIND_SIDES, KIND_BACKS, KIND_INSTANCES, KIND_BEFORE, KIND_COPIED, KIND_COPIES, KIND_SIZE,
) = range(13)  # fmt: skip
_I32 = "i32"


def emit_seeing() -> list[str]:
    return [_look(), _names(), _ordered(), _loose(), _see()]


def put(fn: Fn, row: str, column: str | int, value: str) -> None:
    """A number into a row of them."""
    small = fn.op(f"trunc i64 {value} to {_I32}")
    place = fn.op(f"getelementptr inbounds {_I32}, ptr {row}, i64 {column}")
    fn.line(f"store {_I32} {small}, ptr {place}, align 4")


def _got(fn: Fn, row: str, column: str) -> str:
    place = fn.op(f"getelementptr inbounds {_I32}, ptr {row}, i64 {column}")
    return fn.op(f"sext {_I32} {fn.op(f'load {_I32}, ptr {place}, align 4')} to i64")


def clamped(fn: Fn, value: str, low: str, high: str) -> str:
    least = fn.select(fn.compare("slt", value, low), low, value)
    return fn.select(fn.compare("sgt", least, high), high, least)


def _among(fn: Fn, seats: str) -> str:
    bit = fn.both(fn.op(f"lshr i64 {seats}, %seat"), 1)
    return fn.compare("ne", bit, 0)


def _look() -> str:
    """`i64 look(kind, m, seat, piece)`: how a piece looks, doubled; and one more if what is kept
    for it can be seen even where it lies in no order."""
    head = [(PTR, "kind"), (PTR, "m"), (I64, "seat"), (I64, "piece")]
    fn = Fn("look", I64, head, attributes="alwaysinline")
    row = fn.load(fn.load("%kind", KIND_ROWS, PTR), "%piece")
    with fn.when(_among(fn, fn.call("who", I64, f"{PTR} %kind", f"{PTR} %m", "i64 %piece"))):
        fn.ret(fn.add(fn.mul(row, 2), 3))
    place = fn.load("%m", fn.add(fn.load("%kind", KIND_WHERE), "%piece"))
    seen = _among(fn, fn.load(fn.load("%kind", KIND_VIEWERS, PTR), place))
    side = fn.load(fn.load("%kind", KIND_SIDES, PTR), row)
    back = fn.load(fn.load("%kind", KIND_BACKS, PTR), row)
    fn.ret(fn.add(fn.mul(fn.select(seen, side, back), 2), fn.widen(seen)))
    return fn.text()


# What is written to a row is nothing that is read, so that tables need not be read again.
_ROW = (f"{PTR} noalias", "row")
_EYES = [(PTR, "part"), (PTR, "kinds"), (PTR, "m"), (I64, "seat"), _ROW, (I64, "address")]
_GIVEN = (f"{PTR} %kinds", f"{PTR} %m", "i64 %seat")


def _kind(fn: Fn) -> str:
    return fn.at("%kinds", fn.mul(fn.load("%part", KIND), KIND_SIZE))


def _names() -> str:
    """Variables that name pieces; `row` begins with the first."""
    fn = Fn("see_names", VOID, [*_EYES, (I64, "further")])
    kind, readers = _kind(fn), fn.load("%part", READERS)
    noted = fn.compare("sge", readers, 0)
    with fn.count(0, fn.load("%part", COUNT)) as number:
        piece = fn.load("%m", fn.add("%address", number))
        found = fn.variable("0")
        with fn.when(fn.compare("sge", piece, 0)):
            row = fn.load(fn.load(kind, KIND_ROWS, PTR), piece)
            fn.set(found, fn.add(row, 1))
            with fn.when(noted):
                cell = fn.add(fn.add(readers, "%further"), number)
                those = fn.load("%m", cell)
                knowing = fn.call("who", I64, f"{PTR} {kind}", f"{PTR} %m", f"i64 {piece}")
                seats = fn.select(fn.compare("ne", those, 0), fn.both(those, SEATS), knowing)
                back = fn.load(fn.load(kind, KIND_BACKS, PTR), row)
                fn.set(found, fn.select(_among(fn, seats), fn.add(row, 1), back))
        put(fn, "%row", number, fn.get(found))
    fn.ret()
    return fn.text()


def _ordered() -> str:
    """The pieces of a place, position by position; those without an order by their looks."""
    fn = Fn("see_ordered", VOID, _EYES)
    kind, stride = _kind(fn), fn.load("%part", STRIDE)
    cells = fn.at("%m", "%address")
    under = fn.load(cells, UNDER)
    end = fn.add(under, fn.load(cells, UNORDERED))
    below, parts = fn.load("%part", BELOW, PTR), fn.load("%part", BELOW_COUNT)
    with fn.count(0, fn.load(cells)) as position:
        piece = fn.load(cells, fn.add(position, CONTENTS))
        twice = fn.call("look", I64, f"{PTR} {kind}", *_GIVEN[1:], f"i64 {piece}")
        look, column = fn.op(f"lshr i64 {twice}, 1"), fn.mul(position, stride)
        before, after = fn.compare("slt", position, under), fn.compare("sge", position, end)
        lies = fn.op(f"or i1 {before}, {after}")

        def settled(look: str = look, column: str = column, piece: str = piece) -> None:
            put(fn, "%row", column, look)
            start = fn.op(f"getelementptr inbounds {_I32}, ptr %row, i64 {column}")
            given = (f"{PTR} {below}", f"i64 {parts}", *_GIVEN, f"{PTR} {start}", f"i64 {piece}")
            fn.call("see", VOID, *given)

        def shuffled(look: str = look, position: str = position) -> None:
            """Those before it are in order: it goes to its place among them."""
            slot = fn.variable(position)

            def greater() -> str:
                """Whether there is one before it that it must pass; then that one moves up."""
                now = fn.get(slot)
                found = fn.variable("0")
                with fn.when(fn.compare("sgt", now, under)):
                    other = _got(fn, "%row", fn.mul(fn.sub(now, 1), stride))
                    fn.set(found, fn.widen(fn.compare("sgt", other, look)))
                return fn.compare("ne", fn.get(found), 0)

            with fn.loop(greater):
                now = fn.get(slot)
                put(
                    fn,
                    "%row",
                    fn.mul(now, stride),
                    _got(fn, "%row", fn.mul(fn.sub(now, 1), stride)),
                )
                fn.set(slot, fn.sub(now, 1))
            put(fn, "%row", fn.mul(fn.get(slot), stride), look)

        fn.choose(lies, settled, shuffled)
    fn.ret()
    return fn.text()


def _loose() -> str:
    """How many pieces of a place look like this, with what is kept for them."""
    fn = Fn("see_loose", VOID, _EYES)
    kind, cells = _kind(fn), fn.at("%m", "%address")
    marks, number = fn.load("%part", MARKS, PTR), fn.load("%part", MARK_COUNT)
    with fn.count(0, fn.load(cells)) as position:
        piece = fn.load(cells, fn.add(position, CONTENTS))
        twice = fn.call("look", I64, f"{PTR} {kind}", *_GIVEN[1:], f"i64 {piece}")
        shown = fn.both(twice, 1)
        found = fn.variable(fn.sub(fn.op(f"lshr i64 {twice}, 1"), 1))
        with fn.count(0, number) as index:
            mark = fn.at(marks, fn.mul(index, MARK_WIDTH))
            value = fn.mul(marked(fn, "%m", mark, piece), shown)
            fn.set(found, fn.add(fn.mul(fn.get(found), fn.load(mark, MARK_SIZE)), value))
        column = fn.get(found)
        put(fn, "%row", column, fn.add(_got(fn, "%row", column), 1))
    fn.ret()
    return fn.text()


def marked(fn: Fn, m: str, mark: str, piece: str) -> str:
    """What is kept for a piece, counted from its least value."""
    low, high = fn.load(mark, MARK_LOW), fn.load(mark, MARK_HIGH)
    return fn.sub(clamped(fn, kept_for(fn, m, mark, piece), low, high), low)


def kept_for(fn: Fn, m: str, mark: str, piece: str) -> str:
    cell = fn.add(fn.load(mark, MARK_ADDRESS), fn.mul(piece, fn.load(mark, MARK_STEP)))
    return fn.load(m, cell)


def _see() -> str:
    """`see(parts, n, kinds, m, seat, row, host)`: write the columns of some parts, counted from
    `row`, which belong to a piece or to none."""
    head = [(PTR, "parts"), (I64, "n"), (PTR, "kinds"), (PTR, "m"), (I64, "seat"), _ROW]
    fn = Fn("see", VOID, [*head, (I64, "host")])
    with fn.count(0, "%n") as number:
        part = fn.at("%parts", fn.mul(number, PART_SIZE))
        further = fn.mul("%host", fn.load(part, STEP))
        address = fn.add(fn.load(part, ADDRESS), further)
        owner = fn.load(part, OWNER)
        all_, own = fn.compare("eq", owner, EVERYBODY), fn.compare("eq", owner, "%seat")
        with fn.when(fn.op(f"or i1 {all_}, {own}")):
            row = fn.op(f"getelementptr inbounds {_I32}, ptr %row, i64 {fn.load(part, AT)}")
            given = (f"{PTR} {part}", *_GIVEN, f"{PTR} {row}", f"i64 {address}")
            cells, names, loose, end = (fn.label() for _ in range(4))
            other = fn.label()
            fn.switch(fn.load(part, WORD), other, {CELLS: cells, NAMES: names, LOOSE: loose})
            fn.place(cells)
            low, high = fn.load(part, LOW), fn.load(part, HIGH)
            source = fn.at("%m", address)
            with fn.count(0, fn.load(part, COUNT)) as index:
                put(fn, row, index, clamped(fn, fn.load(source, index), low, high))
            fn.goto(end)
            fn.place(names)
            fn.call("see_names", VOID, *given, f"i64 {further}")
            fn.goto(end)
            fn.place(loose)
            fn.call("see_loose", VOID, *given)
            fn.goto(end)
            fn.place(other)
            fn.call("see_ordered", VOID, *given)
            fn.place(end)
    fn.ret()
    return fn.text()

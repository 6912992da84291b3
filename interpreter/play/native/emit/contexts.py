"""What a seat can know of a position, in native code: the same contexts as `play/policy.py`.

This code is the same for every game: what it looks at stands in the list it is given.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from interpreter.play import policy
from interpreter.play.native.emit.runtime import random_at
from interpreter.play.native.emit.text import I64, PTR, VOID, Fn
from interpreter.play.pieces import CONTENTS, SEATS
from interpreter.program.layout import MENU, PC

NOTHING = -(1 << 62) - 1  # stands for what cannot be told
WORDS, STATE, SEAT = (PTR, "words"), (PTR, "m"), (I64, "seat")
PASSED = (f"{PTR} %words", f"{PTR} %m", "i64 %seat")


def emit_contexts() -> list[str]:
    return [
        _push(), _rounded(), _who(), _told(), _cells(), _mark(), _laid(), _pieces(), _contexts(),
    ]  # fmt: skip


def word(fn: Fn, at: str | int, more: int = 0) -> str:
    """A number of the list."""
    return fn.load("%words", fn.add(at, more))


def _push() -> str:
    """`push(list, value, most)`: one more number for a list, which begins with its length."""
    fn = Fn("push", VOID, [(PTR, "list"), (I64, "value"), (I64, "most")], attributes="inlinehint")
    count = fn.load("%list")
    with fn.when(fn.compare("slt", count, "%most")):
        fn.store("%list", fn.add(count, 1), "%value")
        fn.store("%list", 0, fn.add(count, 1))
    fn.ret()
    return fn.text()


def push(fn: Fn, target: str, value: str, most: int) -> None:
    fn.call("push", VOID, f"{PTR} {target}", f"i64 {value}", f"i64 {most}")


@contextmanager
def records(fn: Fn, owner: str, first: int, count: int, size: int) -> Iterator[str]:
    """For each of the records of something, where it begins. Their place and number stand in two
    words of their owner."""
    start, many = word(fn, owner, first), word(fn, owner, count)
    with fn.count(0, many) as number:
        yield fn.add(start, fn.mul(number, size))


def _rounded() -> str:
    fn = Fn("rounded", I64, [(I64, "value")])
    below = fn.compare("slt", "%value", 0)
    size = fn.select(below, fn.sub(0, "%value"), "%value")
    zeros = fn.op(f"call i64 @llvm.ctlz.i64(i64 {size}, i1 false)")
    many = fn.sub(64 - policy.EXACT, zeros)
    more = fn.select(fn.compare("sgt", many, 0), many, 0)
    kept = fn.op(f"shl i64 {fn.op(f'lshr i64 {size}, {more}')}, {more}")
    fn.ret(fn.select(below, fn.sub(0, kept), kept))
    return fn.text()


def _who() -> str:
    """`i64 who(words, kind, m, piece)`: the seats that can name a piece."""
    fn = Fn("who", I64, [WORDS, (I64, "kind"), STATE, (I64, "piece")])
    known = word(fn, "%kind", policy.KIND_KNOWN)
    with fn.when(fn.compare("slt", known, 0)):
        fn.ret("-1")
    found = fn.both(fn.load("%m", fn.add(known, "%piece")), SEATS)
    with fn.when(fn.compare("ne", word(fn, "%kind", policy.KIND_HIDDEN), 0)):
        fn.ret(found)
    place = fn.load("%m", fn.add(word(fn, "%kind", policy.KIND_WHERE), "%piece"))
    fn.ret(fn.either(found, word(fn, fn.add(word(fn, "%kind", policy.KIND_SEEN), place))))
    return fn.text()


def can_name(fn: Fn, kind: str, piece: str) -> str:
    given = (f"{PTR} %words", f"i64 {kind}", f"{PTR} %m", f"i64 {piece}")
    mask = fn.call("who", I64, *given)
    return fn.compare("ne", fn.both(fn.op(f"lshr i64 {mask}, %seat"), 1), 0)


def relative(fn: Fn, player: str) -> str:
    """A player, counted from the seat on."""
    many = word(fn, policy.PLAYERS)
    away = fn.sub(player, "%seat")
    return fn.select(fn.compare("slt", away, 0), fn.add(away, many), away)


def kind_of(fn: Fn, number: str) -> str:
    return fn.add(word(fn, policy.KINDS), fn.mul(number, policy.KIND))


def _told() -> str:
    """`i64 told(words, m, seat, form, more, at)`."""
    fn = Fn("told", I64, [WORDS, STATE, SEAT, (I64, "form"), (I64, "more"), (I64, "at")])
    value = fn.variable(fn.load("%m", "%at"))
    ways = {form: fn.label() for form in range(policy.TOP + 1)}
    fn.switch("%form", ways[policy.NAMED], ways)
    fn.place(ways[policy.NUMBER])
    fn.ret(fn.call("rounded", I64, f"i64 {fn.get(value)}"))
    fn.place(ways[policy.NAMED])
    fn.ret(fn.get(value))
    fn.place(ways[policy.PLAYER])
    with fn.when(fn.compare("slt", fn.get(value), 0)):
        fn.ret("-1")
    fn.ret(relative(fn, fn.get(value)))
    fn.place(ways[policy.OWNER])
    with (
        fn.when(fn.compare("sge", fn.get(value), 0)),
        fn.count(0, word(fn, policy.PLAYERS)) as player,
    ):
        has = fn.load("%m", word(fn, fn.add("%more", player)))
        with fn.when(fn.compare("eq", has, fn.get(value))):
            fn.ret(relative(fn, player))
    fn.ret("-1")
    fn.place(ways[policy.TOP])
    with fn.when(fn.compare("sle", fn.get(value), 0)):
        fn.ret(NOTHING)
    last = fn.add(fn.add("%at", fn.get(value)), CONTENTS - 1)
    fn.set(value, fn.load("%m", last))
    fn.place(ways[policy.PIECE])
    piece = fn.get(value)
    with fn.when(fn.compare("slt", piece, 0)):
        fn.ret(NOTHING)
    kind = kind_of(fn, "%more")
    with fn.when(can_name(fn, kind, piece)):
        fn.ret(word(fn, fn.add(word(fn, kind, policy.KIND_ROWS), piece)))
    fn.ret(NOTHING)
    return fn.text()


def tell(fn: Fn, form: str, more: str, at: str) -> str:
    return fn.call("told", I64, *PASSED, f"i64 {form}", f"i64 {more}", f"i64 {at}")


def _cells() -> str:
    """`cells(words, m, seat, first, count, found)`."""
    fn = Fn("cells", VOID, [WORDS, STATE, SEAT, (I64, "first"), (I64, "count"), (PTR, "found")])
    with fn.count(0, "%count") as number:
        cell = fn.add("%first", fn.mul(number, policy.CELL))
        at = word(fn, cell, policy.CELL_AT)
        usual = word(fn, cell, policy.CELL_USUAL)
        with fn.when(fn.compare("ne", fn.load("%m", at), usual)):
            told = tell(fn, word(fn, cell, policy.CELL_FORM), word(fn, cell, policy.CELL_MORE), at)
            with fn.when(fn.compare("ne", told, NOTHING)):
                name = random_at(fn, word(fn, cell, policy.CELL_NAME), told)
                push(fn, "%found", name, policy.MOST_CONTEXTS)
    fn.ret()
    return fn.text()


def _mark() -> str:
    """`i64 mark(words, m, seat, kind, mark, piece)`."""
    head = [WORDS, STATE, SEAT, (I64, "kind"), (I64, "mark"), (I64, "piece")]
    fn = Fn("mark", I64, head)
    cell = fn.add(word(fn, "%kind", policy.MARKS), fn.mul("%mark", policy.CELL))
    at = fn.add(word(fn, cell, policy.CELL_AT), "%piece")
    fn.ret(tell(fn, word(fn, cell, policy.CELL_FORM), word(fn, cell, policy.CELL_MORE), at))
    return fn.text()


def _pieces() -> str:
    """`pieces(words, m, seat, place, found)`."""
    fn = Fn("pieces", VOID, [WORDS, STATE, SEAT, (I64, "place"), (PTR, "found")])
    name, address = (word(fn, "%place", each) for each in (policy.PLACE_NAME, policy.PLACE_AT))
    kind = kind_of(fn, word(fn, "%place", policy.PLACE_KIND))
    count = fn.load("%m", address)
    with fn.when(fn.compare("sgt", count, policy.MOST_PIECES)):
        fn.ret()
    first = fn.add(address, CONTENTS)
    marks = word(fn, kind, policy.MARK_COUNT)
    with fn.count(0, count) as number:
        piece = fn.load("%m", fn.add(first, number))
        with fn.when(can_name(fn, kind, piece)):
            row = word(fn, fn.add(word(fn, kind, policy.KIND_ROWS), piece))
            push(fn, "%found", random_at(fn, name, row), policy.MOST_CONTEXTS)
            together = fn.variable(name)
            with fn.count(0, marks) as mark:
                given = (*PASSED, f"i64 {kind}", f"i64 {mark}", f"i64 {piece}")
                told = fn.call("mark", I64, *given)
                with fn.when(fn.compare("ne", told, NOTHING)):
                    what = random_at(fn, name, fn.sub(-1, mark))
                    push(fn, "%found", random_at(fn, what, told), policy.MOST_CONTEXTS)
                    fn.set(together, random_at(fn, fn.get(together), told))
            piece_of = (f"i64 {kind}", f"i64 {piece}", f"i64 {name}")
            both = (f"{PTR} {together}", f"{PTR} %found")
            fn.call("laid", VOID, *PASSED[:2], *piece_of, *both)
            many = fn.add(marks, word(fn, kind, policy.LAID_COUNT))
            with fn.when(fn.compare("sgt", many, 1)):
                push(fn, "%found", fn.get(together), policy.MOST_CONTEXTS)
    fn.ret()
    return fn.text()


def _laid() -> str:
    """`laid(words, m, kind, piece, name, together, found)`: what lies on a piece, each and all
    together."""
    head = [WORDS, STATE, (I64, "kind"), (I64, "piece"), (I64, "name"), (PTR, "together")]
    fn = Fn("laid", VOID, [*head, (PTR, "found")])
    where = (policy.LAID, policy.LAID_COUNT)
    with records(fn, "%kind", *where, policy.LAID_SIZE) as laid:
        far = fn.mul("%piece", word(fn, laid, policy.LAID_STRIDE))
        value = fn.load("%m", fn.add(word(fn, laid, policy.LAID_AT), far))
        with fn.when(fn.compare("ne", value, 0)):
            told = fn.call("rounded", I64, f"i64 {value}")
            what = word(fn, laid, policy.LAID_NAME)
            name = random_at(fn, random_at(fn, "%name", what), told)
            push(fn, "%found", name, policy.MOST_CONTEXTS)
            before = random_at(fn, fn.get("%together"), what)
            fn.set("%together", random_at(fn, before, told))
    fn.ret()
    return fn.text()


def block_of(fn: Fn) -> str:
    return fn.add(word(fn, policy.BLOCKS), fn.mul("%seat", policy.BLOCK))


def _contexts() -> str:
    """`contexts(words, m, seat, found)`: a list that begins with its length."""
    fn = Fn("contexts", VOID, [WORDS, STATE, SEAT, (PTR, "found")])
    fn.store("%found", 0, 0)
    push(fn, "%found", str(policy.ALWAYS), policy.MOST_CONTEXTS)
    menu = fn.mul(fn.load("%m", MENU), 3)
    push(fn, "%found", word(fn, fn.add(word(fn, policy.MENUS), menu)), policy.MOST_CONTEXTS)
    block = block_of(fn)

    def look(first: str, count: str) -> None:
        fn.call("cells", VOID, *PASSED, f"i64 {first}", f"i64 {count}", f"{PTR} %found")

    look(word(fn, block, policy.CELLS), word(fn, block, policy.CELL_COUNT))
    with records(fn, block, policy.PLACES, policy.PLACE_COUNT, policy.PLACE) as place:
        fn.call("pieces", VOID, *PASSED, f"i64 {place}", f"{PTR} %found")
    pc = fn.variable(fn.load("%m", PC))
    with fn.count(0, policy.MOST_FRAMES):
        now = fn.get(pc)
        inside = fn.compare("ult", now, word(fn, policy.STOP_COUNT))
        with fn.when(fn.op(f"xor i1 {inside}, true")):
            fn.ret()
        stop = word(fn, fn.add(word(fn, policy.STOPS), now))
        with fn.when(fn.compare("eq", stop, 0)):
            fn.ret()
        look(word(fn, stop, policy.STOP_CELLS), word(fn, stop, policy.STOP_CELL_COUNT))
        with fn.when(fn.compare("ne", word(fn, stop, policy.STOP_OUTERMOST), 0)):
            fn.ret()
        fn.set(pc, fn.load("%m", word(fn, stop, policy.STOP_FRAME)))
    fn.ret()
    return fn.text()

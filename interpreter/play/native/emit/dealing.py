"""Dealing anew what a seat cannot know, in native code: the table of a deal, and how it is read.

A deal is the pieces of one kind that a seat cannot name. Its table has a head, then a slot for
each piece (what lies there, how it looks, and which cell names it as part of its place), how
every piece of the kind looks, the cells of the marks of every piece, the cells that name pieces,
and the parts of places that are kept by number.
"""

from __future__ import annotations

from interpreter.play import dealing, pieces
from interpreter.play.buffer import Buffer
from interpreter.play.knowledge import mark_cells
from interpreter.play.native.emit.runtime import random_at
from interpreter.play.native.emit.text import I64, PTR, VOID, Fn
from interpreter.program.layout import KEY, KindLayout
from interpreter.program.program import Program

(
    DEAL_WHERE, DEAL_POSITION, DEAL_KNOWN, DEAL_PIECES, DEAL_SLOTS, DEAL_MARKS, DEAL_CELLS,
    DEAL_PARTS, DEAL_HEAD,
) = range(9)  # fmt: skip
SLOT_PIECE, SLOT_SIDE, SLOT_BACK, SLOT_CONTENTS, SLOT_SIZE = range(5)


def deal_of(
    program: Program, view: Buffer, kind: KindLayout, order: list[dealing.Unknown]
) -> list[int]:
    """How the pieces of a kind that are unknown are dealt anew (`dealing.rearrange`)."""
    numbers: dict[str, int] = {}

    def number(look: str) -> int:
        return numbers.setdefault(look, len(numbers))

    slots: list[int] = []
    places: set[int] = set()
    for each in order:
        place = view[kind.where + each.piece]
        contents = -1
        if place:
            places.add(place)
            first = kind.instance_address[place] + pieces.CONTENTS
            contents = first + view[kind.position + each.piece]
        side = -1 if each.side is None else number(each.side)
        slots += [each.piece, side, number(each.back), contents]
    looks: list[int] = []
    for row in kind.row_of:
        looks += [number(kind.public_label[row]), number(kind.back[row] if kind.back else "")]
    every = range(len(kind.row_of))
    marks = [cell for piece in every for cell in mark_cells(program, kind, piece)]
    cells = dealing.piece_cells(program, view, kind)
    parts: list[int] = []
    for place in sorted(places):
        first = kind.instance_address[place] + pieces.CONTENTS
        parts += [first, *dealing.unordered_part(view, kind, place)]
    head = [
        kind.where, kind.position, kind.known, len(kind.row_of), len(order),
        len(marks) // len(kind.row_of), len(cells), len(places),
    ]  # fmt: skip
    return [*head, *slots, *looks, *marks, *cells, *parts]


def emit_deal() -> str:
    """`deal(m, deals, stream, room, seed)`: as `dealing.imagine` does it."""
    head = [(PTR, "m"), (PTR, "deals"), (PTR, "stream"), (PTR, "room"), (I64, "seed")]
    fn = Fn("deal", VOID, head)
    stream, deals = "%stream", "%deals"
    fn.store(stream, 0, random_at(fn, "%seed", 0))
    fn.store(stream, 1, 0)
    here = fn.variable(fn.at(deals, 2), PTR)
    with fn.count(0, fn.load(deals, 0)):
        _deal_kind(fn, stream, here)
    with fn.count(0, fn.load(deals, 1)):
        secret = fn.get(here, PTR)
        value = fn.call("draw", I64, f"{PTR} {stream}", f"i64 {fn.load(secret, 2)}")
        fn.store("%m", fn.load(secret, 0), fn.add(fn.load(secret, 1), value))
        fn.set(here, fn.at(secret, 3), PTR)
    fn.store("%m", KEY, random_at(fn, fn.load(stream, 0), fn.load(stream, 1)))
    fn.ret()
    return fn.text()


def _deal_kind(fn: Fn, stream: str, here: str) -> None:
    head = fn.get(here, PTR)
    where, position, known = (
        fn.load(head, each) for each in (DEAL_WHERE, DEAL_POSITION, DEAL_KNOWN)
    )
    pieces, slots_, marks_ = (fn.load(head, each) for each in (DEAL_PIECES, DEAL_SLOTS, DEAL_MARKS))
    slots = fn.at(head, DEAL_HEAD)
    looks = fn.at(slots, fn.mul(slots_, SLOT_SIZE))
    marks = fn.at(looks, fn.mul(pieces, 2))
    cells = fn.at(marks, fn.mul(pieces, marks_))
    parts = fn.at(cells, fn.load(head, DEAL_CELLS))
    left = "%room"
    chosen, swap = fn.at(left, slots_), fn.at(left, fn.mul(slots_, 2))
    kept = fn.at(swap, pieces)  # of each slot: place, position, who knows, marks
    width = fn.add(marks_, 3)
    _shuffle(fn, stream, slots, slots_, left)
    _fit(fn, slots, slots_, looks, left, chosen)
    with fn.count(0, pieces) as piece:
        fn.store(swap, piece, piece)
    with fn.count(0, slots_) as slot:
        old = fn.load(slots, fn.mul(slot, SLOT_SIZE))
        fn.store(swap, old, fn.load(chosen, slot))
    with fn.count(0, fn.load(head, DEAL_CELLS)) as index:
        cell = fn.load(cells, index)
        named = fn.load("%m", cell)
        with fn.when(fn.compare("ult", named, pieces)):
            fn.store("%m", cell, fn.load(swap, named))
    with fn.count(0, slots_) as slot:
        old = fn.load(slots, fn.mul(slot, SLOT_SIZE))
        place = fn.at(kept, fn.mul(slot, width))
        for offset, base in enumerate((where, position, known)):
            fn.store(place, offset, fn.load("%m", fn.add(base, old)))
        own = fn.at(marks, fn.mul(old, marks_))
        with fn.count(0, marks_) as index:
            value = fn.load("%m", fn.load(own, index))
            fn.store(place, fn.add(index, 3), value)
    with fn.count(0, slots_) as slot:
        new = fn.load(chosen, slot)
        place = fn.at(kept, fn.mul(slot, width))
        for offset, base in enumerate((where, position, known)):
            fn.store("%m", fn.add(base, new), fn.load(place, offset))
        own = fn.at(marks, fn.mul(new, marks_))
        with fn.count(0, marks_) as index:
            fn.store("%m", fn.load(own, index), fn.load(place, fn.add(index, 3)))
        contents = fn.load(fn.at(slots, fn.mul(slot, SLOT_SIZE)), SLOT_CONTENTS)
        with fn.when(fn.compare("sge", contents, 0)):
            fn.store("%m", contents, new)
    with fn.count(0, fn.load(head, DEAL_PARTS)) as index:
        part = fn.at(parts, fn.mul(index, 3))
        _sort(fn, part, position)
    fn.set(here, fn.at(parts, fn.mul(fn.load(head, DEAL_PARTS), 3)), PTR)


def _shuffle(fn: Fn, stream: str, slots: str, count: str, left: str) -> None:
    with fn.count(0, count) as slot:
        fn.store(left, slot, fn.load(slots, fn.mul(slot, SLOT_SIZE)))
    last = fn.variable(fn.sub(count, 1))
    with fn.loop(lambda: fn.compare("sgt", fn.get(last), 0)):
        now = fn.get(last)
        other = fn.call("draw", I64, f"{PTR} {stream}", f"i64 {fn.add(now, 1)}")
        one, two = fn.load(left, now), fn.load(left, other)
        fn.store(left, now, two)
        fn.store(left, other, one)
        fn.set(last, fn.sub(now, 1))


def _fit(fn: Fn, slots: str, count: str, looks: str, left: str, chosen: str) -> None:
    """Each slot gets the first piece left that looks right there; used ones become -1."""
    first, index = fn.variable("0"), fn.variable("0")

    def used() -> str:
        return fn.compare("slt", fn.load(left, fn.get(first)), 0)

    with fn.count(0, count) as number:
        slot = fn.at(slots, fn.mul(number, SLOT_SIZE))
        with fn.loop(used):
            fn.set(first, fn.add(fn.get(first), 1))
        fn.set(index, fn.get(first))

        def unlike(slot: str = slot) -> str:
            piece = fn.load(left, fn.get(index))
            gone = fn.compare("slt", piece, 0)
            look = fn.at(looks, fn.mul(fn.select(gone, 0, piece), 2))
            side, back = fn.load(slot, SLOT_SIDE), fn.load(slot, SLOT_BACK)
            wrong = fn.op(
                f"and i1 {fn.compare('sge', side, 0)}, {fn.compare('ne', side, fn.load(look, 0))}"
            )
            wrong = fn.op(f"or i1 {wrong}, {fn.compare('ne', back, fn.load(look, 1))}")
            wrong = fn.op(f"or i1 {gone}, {wrong}")
            more = fn.compare("slt", fn.get(index), fn.sub(count, 1))
            return fn.op(f"and i1 {wrong}, {more}")

        with fn.loop(unlike):
            fn.set(index, fn.add(fn.get(index), 1))
        found = fn.get(index)
        fn.store(chosen, number, fn.load(left, found))
        fn.store(left, found, -1)


def _sort(fn: Fn, part: str, position: str) -> None:
    """A part of a place that is kept by number: where it begins, then from and to."""
    first, low, high = (fn.load(part, each) for each in range(3))
    with fn.count(low, high) as index:
        piece = fn.load("%m", fn.add(first, index))
        hole = fn.variable(index)

        def greater(piece: str = piece, hole: str = hole) -> str:
            inside = fn.compare("sgt", fn.get(hole), low)
            before = fn.select(inside, fn.sub(fn.get(hole), 1), low)
            bigger = fn.compare("sgt", fn.load("%m", fn.add(first, before)), piece)
            return fn.op(f"and i1 {inside}, {bigger}")

        with fn.loop(greater):
            before = fn.add(first, fn.sub(fn.get(hole), 1))
            fn.store("%m", fn.add(before, 1), fn.load("%m", before))
            fn.set(hole, fn.sub(fn.get(hole), 1))
        fn.store("%m", fn.add(first, fn.get(hole)), piece)
    with fn.count(low, high) as index:
        fn.store("%m", fn.add(position, fn.load("%m", fn.add(first, index))), index)

"""Dealing anew what a seat cannot know, in native code: the table of a deal, and how it is read.

A deal is the pieces of one kind that a seat cannot name. Its table has a head, then a slot for
each piece (what lies there, which cell names it as part of its place, and what is kept of a piece
that lies there: all games begin from the state of the plan), a piece for each slot
that is sure to come out, the groups of pieces with the slots they may lie in, the cells of all that
goes with each piece, the cells that name pieces, the parts of places kept by number, and the places
on pieces.
"""

from __future__ import annotations

from interpreter.play import borne, dealing, pieces
from interpreter.play.buffer import Buffer
from interpreter.play.native.emit.runtime import random_at
from interpreter.play.native.emit.text import I64, PTR, VOID, Fn
from interpreter.program.layout import KEY
from interpreter.program.program import Program

(
    DEAL_WHERE, DEAL_POSITION, DEAL_KNOWN, DEAL_PIECES, DEAL_SLOTS, DEAL_GROUPS, DEAL_GROUPS_SIZE,
    DEAL_KEPT, DEAL_CELLS, DEAL_PARTS, DEAL_BORNE, DEAL_HEAD,
) = range(12)  # fmt: skip
SLOT_PIECE, SLOT_CONTENTS, SLOT_WHERE, SLOT_POSITION, SLOT_KNOWN, SLOT_SIZE = range(6)
BORNE_WHERE, BORNE_PLACE, BORNE_ADDRESS, BORNE_SIZE = range(4)
GROUP_PIECES, GROUP_SLOTS, GROUP_HEAD = range(3)


def deal_of(program: Program, view: Buffer, deal: dealing.Deal) -> list[int]:
    """How the pieces of a kind that are unknown are dealt anew (`dealing.imagine`)."""
    kind = deal.kind
    slots: list[int] = []
    order = [each.piece for each in deal.order]
    places = {view[kind.where + piece] for piece in order} - {0}
    firsts = {place: kind.instance_address[place] + pieces.CONTENTS for place in places}
    for piece in order:
        place, position = view[kind.where + piece], view[kind.position + piece]
        contents = firsts[place] + position if place else -1
        slots += [piece, contents, place, position, view[kind.known + piece]]
    groups: list[int] = []
    for group in deal.groups:
        groups += [len(group.pieces), len(group.slots), *group.pieces, *group.slots]
    kept = [cell for cells in borne.cells_of(program, kind.name) for cell in cells]
    cells = deal.naming
    parts: list[int] = []
    for place in sorted(places):
        low, high = dealing.unordered_part(view, kind, place)
        if high - low > 1:
            parts += [firsts[place], low, high]
    places_on = [each for on in borne.bearing(program, kind.name) for each in on]
    on = [number for each, *rest in places_on for number in (each.where, *rest)]
    head = [
        kind.where, kind.position, kind.known, len(kind.row_of), len(deal.order),
        len(deal.groups), len(groups), len(kept) // len(kind.row_of), len(cells), len(parts) // 3,
        len(places_on),
    ]  # fmt: skip
    return [*head, *slots, *deal.sure, *groups, *kept, *cells, *parts, *on]


def room_of(program: Program, deal: dealing.Deal) -> int:
    """How many numbers native code writes down while it deals."""
    slots, kept = len(deal.order), len(borne.cells_with(program, deal.kind, 0))
    pieces = len(deal.kind.row_of)
    return 2 * slots + pieces + max(slots * kept, (pieces + 63) // 64)


def emit_deal() -> str:
    """`deal(m, deals, stream, room, seed)`: as `dealing.imagine` does it."""
    head = [(PTR, "m"), (PTR, "deals"), (PTR, "stream"), (PTR, "room"), (I64, "seed")]
    fn = Fn("deal", VOID, head)
    stream, deals = "%stream", "%deals"
    fn.store(stream, 0, random_at(fn, "%seed", 0))
    fn.store(stream, 1, 0)
    here = fn.variable(fn.at(deals, 3), PTR)
    with fn.count(0, fn.load(deals, 0)):
        _deal_kind(fn, stream, here)
    with fn.count(0, fn.load(deals, 1)):
        secret = fn.get(here, PTR)
        value = fn.call("draw", I64, f"{PTR} {stream}", f"i64 {fn.load(secret, 2)}")
        fn.store("%m", fn.load(secret, 0), fn.add(fn.load(secret, 1), value))
        fn.set(here, fn.at(secret, 3), PTR)
    with fn.count(0, fn.load(deals, 2)):
        note = fn.get(here, PTR)
        number = fn.load(note, 1)
        value = fn.call("draw", I64, f"{PTR} {stream}", f"i64 {number}")
        fn.store("%m", fn.load(note, 0), fn.load(fn.at(note, 2), value))
        fn.set(here, fn.at(fn.at(note, 2), number), PTR)
    fn.store("%m", KEY, random_at(fn, fn.load(stream, 0), fn.load(stream, 1)))
    fn.ret()
    return fn.text()


def _deal_kind(fn: Fn, stream: str, here: str) -> None:
    head = fn.get(here, PTR)
    where, position, known = (
        fn.load(head, each) for each in (DEAL_WHERE, DEAL_POSITION, DEAL_KNOWN)
    )
    pieces, slots_, kept_ = (fn.load(head, each) for each in (DEAL_PIECES, DEAL_SLOTS, DEAL_KEPT))
    slots = fn.at(head, DEAL_HEAD)
    sure = fn.at(slots, fn.mul(slots_, SLOT_SIZE))
    groups = fn.at(sure, slots_)
    own_cells = fn.at(groups, fn.load(head, DEAL_GROUPS_SIZE))
    cells = fn.at(own_cells, fn.mul(pieces, kept_))
    parts = fn.at(cells, fn.load(head, DEAL_CELLS))
    on = fn.at(parts, fn.mul(fn.load(head, DEAL_PARTS), 3))
    free = "%room"
    chosen, swap = fn.at(free, slots_), fn.at(free, fn.mul(slots_, 2))
    room = fn.at(swap, pieces)
    _choose(fn, stream, head, groups, sure, free, chosen)
    naming = fn.load(head, DEAL_CELLS)
    with fn.when(fn.compare("ne", naming, 0)):
        with fn.count(0, pieces) as piece:
            fn.store(swap, piece, piece)
        with fn.count(0, slots_) as slot:
            old = fn.load(slots, fn.mul(slot, SLOT_SIZE))
            fn.store(swap, old, fn.load(chosen, slot))
        with fn.count(0, naming) as index:
            cell = fn.load(cells, index)
            named = fn.load("%m", cell)
            with fn.when(fn.compare("ult", named, pieces)):
                fn.store("%m", cell, fn.load(swap, named))
    with fn.count(0, slots_) as slot:
        new, lying = fn.load(chosen, slot), fn.at(slots, fn.mul(slot, SLOT_SIZE))
        for base, place in ((where, SLOT_WHERE), (position, SLOT_POSITION), (known, SLOT_KNOWN)):
            fn.store("%m", fn.add(base, new), fn.load(lying, place))
        contents = fn.load(lying, SLOT_CONTENTS)
        with fn.when(fn.compare("sge", contents, 0)):
            fn.store("%m", contents, new)
    # Only now: pieces may lie on pieces of the same kind.
    with fn.when(fn.compare("ne", kept_, 0)):
        _take_along(fn, slots, slots_, chosen, own_cells, kept_, room)
    with fn.count(0, fn.load(head, DEAL_BORNE)) as index:
        _settle(fn, fn.at(on, fn.mul(index, BORNE_SIZE)))
    with fn.count(0, fn.load(head, DEAL_PARTS)) as index:
        part = fn.at(parts, fn.mul(index, 3))
        _sort(fn, part, position, room, pieces)
    fn.set(here, fn.at(on, fn.mul(fn.load(head, DEAL_BORNE), BORNE_SIZE)), PTR)


def _take_along(
    fn: Fn, slots: str, slots_: str, chosen: str, own_cells: str, kept_: str, room: str
) -> None:
    """What goes with pieces."""
    with fn.count(0, slots_) as slot:
        own = fn.at(own_cells, fn.mul(fn.load(slots, fn.mul(slot, SLOT_SIZE)), kept_))
        with fn.count(0, kept_) as index:
            value = fn.load("%m", fn.load(own, index))
            fn.store(fn.at(room, fn.mul(slot, kept_)), index, value)
    with fn.count(0, slots_) as slot:
        own = fn.at(own_cells, fn.mul(fn.load(chosen, slot), kept_))
        with fn.count(0, kept_) as index:
            value = fn.load(fn.at(room, fn.mul(slot, kept_)), index)
            fn.store("%m", fn.load(own, index), value)


def _settle(fn: Fn, place: str) -> None:
    """As `borne.settle` does it, for one place on a piece."""
    where, number, address = (
        fn.load(place, each) for each in (BORNE_WHERE, BORNE_PLACE, BORNE_ADDRESS)
    )
    contents = fn.add(address, pieces.CONTENTS)
    with fn.count(0, fn.load("%m", address)) as index:
        piece = fn.load("%m", fn.add(contents, index))
        fn.store("%m", fn.add(where, piece), number)


def _choose(fn: Fn, stream: str, head: str, groups: str, sure: str, free: str, chosen: str) -> None:
    """A piece for each slot, as `dealing.Deal` says."""
    slots, number = fn.load(head, DEAL_SLOTS), fn.load(head, DEAL_GROUPS)
    done, attempt = fn.variable("0"), fn.variable("0")

    def trying() -> str:
        again = fn.compare("slt", fn.get(attempt), dealing.ATTEMPTS)
        return fn.op(f"and i1 {fn.compare('eq', fn.get(done), 0)}, {again}")

    with fn.loop(trying):
        with fn.count(0, slots) as slot:
            fn.store(chosen, slot, -1)
        fn.set(attempt, fn.add(fn.get(attempt), 1))
        fn.set(done, "1")
        here = fn.variable(groups, PTR)
        with fn.count(0, number), fn.when(fn.compare("ne", fn.get(done), 0)):
            _choose_group(fn, stream, here, free, chosen, done)
    with fn.when(fn.compare("eq", fn.get(done), 0)), fn.count(0, slots) as slot:
        fn.store(chosen, slot, fn.load(sure, slot))


def _choose_group(fn: Fn, stream: str, here: str, free: str, chosen: str, done: str) -> None:
    """Each piece of a group gets one of its slots that are free; if they do not suffice, it does
    not come out, and nothing is drawn."""
    group = fn.get(here, PTR)
    pieces, slots = fn.load(group, GROUP_PIECES), fn.load(group, GROUP_SLOTS)
    its_pieces = fn.at(group, GROUP_HEAD)
    its_slots = fn.at(its_pieces, pieces)
    left = fn.variable("0")
    with fn.count(0, slots) as index:
        slot = fn.load(its_slots, index)
        with fn.when(fn.compare("slt", fn.load(chosen, slot), 0)):
            fn.store(free, fn.get(left), slot)
            fn.set(left, fn.add(fn.get(left), 1))

    def deal() -> None:
        near = fn.slot("[2 x i64]")  # which is kept in registers
        fn.copy(near, stream, 2)
        with fn.count(0, pieces) as index:
            now = fn.get(left)
            last = fn.sub(now, 1)
            at = fn.call("draw", I64, f"{PTR} {near}", f"i64 {now}")
            fn.store(chosen, fn.load(free, at), fn.load(its_pieces, index))
            fn.store(free, at, fn.load(free, last))
            fn.set(left, last)
        fn.copy(stream, near, 2)

    enough = fn.compare("sge", fn.get(left), pieces)
    fn.choose(enough, deal, lambda: fn.set(done, "0"))
    fn.set(here, fn.at(its_slots, slots), PTR)


def _sort(fn: Fn, part: str, position: str, bits: str, pieces: str) -> None:
    """A part of a place that is kept by number: where it begins, then from and to. Each piece is a
    bit, and the bits are gone through. Mostly a register has room for them."""
    first, low, high = (fn.load(part, each) for each in range(3))
    here = fn.variable(low)

    def in_one() -> None:
        one = fn.variable("0")
        with fn.count(low, high) as index:
            fn.set(one, fn.either(fn.get(one), _bit(fn, fn.load("%m", fn.add(first, index)))))
        _lay_down(fn, one, "0", first, position, here)

    def in_many() -> None:
        words = fn.op(f"lshr i64 {fn.add(pieces, 63)}, 6")
        with fn.count(0, words) as word:
            fn.store(bits, word, 0)
        with fn.count(low, high) as index:
            piece = fn.load("%m", fn.add(first, index))
            cell = fn.at(bits, fn.op(f"lshr i64 {piece}, 6"))
            fn.store(cell, 0, fn.either(fn.load(cell), _bit(fn, piece)))
        with fn.count(0, words) as word:
            left = fn.variable(fn.load(bits, word))
            _lay_down(fn, left, fn.op(f"shl i64 {word}, 6"), first, position, here)

    fn.choose(fn.compare("sle", pieces, 64), in_one, in_many)


def _bit(fn: Fn, piece: str) -> str:
    return fn.op(f"shl i64 1, {fn.both(piece, 63)}")


def _lay_down(fn: Fn, left: str, above: str, first: str, position: str, here: str) -> None:
    """The pieces whose bits are left, from the lowest on; their numbers are so far above these."""
    with fn.loop(lambda: fn.compare("ne", fn.get(left), 0)):
        lowest = fn.op(f"call i64 @llvm.cttz.i64(i64 {fn.get(left)}, i1 true)")
        piece, index = fn.add(above, lowest), fn.get(here)
        fn.store("%m", fn.add(first, index), piece)
        fn.store("%m", fn.add(position, piece), index)
        fn.set(here, fn.add(index, 1))
        fn.set(left, fn.both(fn.get(left), fn.sub(fn.get(left), 1)))

"""What happens to pieces, one set of functions for each kind: as in `play/pieces.py`.

Each takes the buffer, the context and the steps so far, and gives the steps after it, or -1.
"""

from __future__ import annotations

from interpreter import limits
from interpreter.play.native.emit import context
from interpreter.play.native.emit.code import STATE, Unit
from interpreter.play.native.emit.text import I64, PTR, VOID, Fn
from interpreter.play.pieces import (
    CONTENTS,
    EMPTY,
    SEATS,
    SETTLED,
    SHOWN,
    UNDER,
    UNORDERED,
    has_no_order,
)  # fmt: skip
from interpreter.program import ops
from interpreter.program.layout import KindLayout
from interpreter.program.program import Program
from interpreter.program.touches import operations

MOVED = 3  # an entry of the log that tells of a move: see log.py
MOVED_CELLS = 8  # the state, the piece, its place and position, two cells of either place


def emit_pieces(unit: Unit) -> None:
    """The functions for every kind whose pieces the program moves, shuffles or shows."""
    for number in sorted(moved_kinds(unit.program)):
        _emit_move(unit, number)
        if unit.looks:
            _emit_unmove(unit, number)
    for number in sorted(_kinds(unit.program, ops.ShufflePlace)):
        _emit_shuffle(unit, number)
    for number in sorted(_kinds(unit.program, ops.Know)):
        _emit_know(unit, number, forget=False)
        _emit_know(unit, number, forget=True)


def moved_kinds(program: Program) -> set[int]:
    return _kinds(program, ops.MovePiece)


def _kinds(
    program: Program, sort: type[ops.MovePiece] | type[ops.ShufflePlace] | type[ops.Know]
) -> set[int]:
    bodies = [*program.code, *(function.body for function in program.functions)]
    return {op.kind for body in bodies for op in operations(body) if isinstance(op, sort)}


class _Kind:
    """A kind and the function being written about it."""

    def __init__(self, unit: Unit, number: int, word: str, params: tuple[str, ...]) -> None:
        self.unit = unit
        self.kind: KindLayout = unit.program.layout.kinds[number]
        head = [*STATE, (I64, "s"), *((I64, param) for param in params)]
        self.fn = Fn(f"{word}{number}", I64, head, noting=unit.looks)

    def column(self, values: tuple[int, ...] | tuple[bool, ...], index: str) -> str:
        """A fact about a place, by its number."""
        whole = tuple(int(value) for value in values)
        if len(set(whole)) == 1:
            return str(whole[0])
        table = self.unit.table(whole)
        place = self.fn.op(f"getelementptr inbounds {table.type}, {PTR} {table.name}, i64 {index}")
        found = self.fn.op(f"load {table.type}, {PTR} {place}, !invariant.load !1{table.range}")
        return found if table.type == I64 else self.fn.op(f"sext {table.type} {found} to i64")

    def check(self, piece: str | None, place: str | None) -> None:
        for operand, size in (
            (piece, len(self.kind.row_of)),
            (place, len(self.kind.instance_address)),
        ):
            if operand is not None:
                with self.fn.when(self.fn.compare("uge", operand, size), rare=True):
                    self.fail(context.BROKEN, "-1")

    def fail(self, code: int | str, at: str) -> None:
        number = code if isinstance(code, int) else context.code_number(code)
        self.fn.call("fail", "void", f"{PTR} %c", f"i64 {number}", f"i64 {at}")
        self.fn.ret("-1")

    def address(self, place: str) -> str:
        """Pointer to the cells of a place."""
        return self.fn.at("%m", self.start(place))

    def start(self, place: str) -> str:
        return self.column(self.kind.instance_address, place)

    def held(self, first: str, index: str) -> str:
        """The piece at a position of a place. That it is one is what places promise: see
        occupied.py."""
        facts = self.unit.range_of(I64, 0, len(self.kind.row_of) - 1)
        return self.fn.op(f"load i64, {PTR} {self.fn.at(first, index)}, align 8{facts}")

    def close_gap(self, first: str, gap: str, count: str) -> None:
        given = (f"{PTR} {first}", f"i64 {gap}", f"i64 {count}", f"{PTR} {self.positions()}")
        self.fn.call("close_gap", VOID, *given)

    def make_room(self, first: str, lowest: str, count: str, below: str) -> str:
        numbers = (f"i64 {number}" for number in (lowest, count, below))
        given = (f"{PTR} {first}", *numbers, f"{PTR} {self.positions()}")
        return self.fn.call("make_room", I64, *given)

    def positions(self) -> str:
        return self.fn.at("%m", self.kind.position)

    def of_piece(self, start: int, piece: str) -> str:
        return self.fn.at(self.fn.at("%m", start), piece)

    def done(self, steps: str = "%s") -> None:
        self.fn.ret(steps)
        self.unit.texts.append(self.fn.text())


def _emit_move(unit: Unit, number: int) -> None:
    it = _Kind(unit, number, "move", ("piece", "place", "bottom", "at", "whole"))
    fn, kind = it.fn, it.kind
    it.check("%piece", "%place")
    where = it.of_piece(kind.where, "%piece")
    source = fn.load(where)
    it.check(None, source)
    into, out = fn.compare("ne", "%place", 0), fn.compare("ne", source, 0)
    other = fn.compare("ne", "%place", source)
    counts = fn.variable(str(kind.note_count))
    with fn.when(into):
        held = fn.load(it.address("%place"))
        full = fn.compare("sge", held, it.column(kind.instance_capacity, "%place"))
        with fn.when(fn.op(f"and i1 {other}, {full}"), rare=True):
            it.fail("RR605", "%at")
        fn.set(counts, fn.add(fn.get(counts), held))
    with fn.when(out):
        fn.set(counts, fn.add(fn.get(counts), fn.load(it.address(source))))
    steps = fn.add("%s", fn.get(counts))
    with fn.when(fn.compare("sgt", steps, limits.STEPS_PER_MOVE), rare=True):
        it.fail("RR608", "%at")
    if unit.looks:
        _note_move(it, number, source)
    with fn.when(out):
        _remove(it, "%piece", source)
    with fn.when(into):
        _insert(it, "%piece", "%place")
    fn.store(where, 0, "%place")
    if kind.known >= 0:
        _learn(it, "%piece", source, "%place")
    it.done(steps)


def _note_move(it: _Kind, number: int, source: str) -> None:
    """While looking ahead, what `unmove` needs goes to the log."""
    fn = it.fn
    end = fn.load("%c", context.LOG, PTR)
    with fn.when(fn.op(f"icmp ne ptr {end}, null")):
        given = (f"{PTR} %m", f"{PTR} %c", f"{PTR} {end}", f"i64 {MOVED_CELLS + 2}")
        with fn.when(fn.compare("ne", fn.call("extend", I64, *given), 0)):
            position = fn.load(it.of_piece(it.kind.position, "%piece"))
            fn.store(end, 0, "%m", PTR)
            for offset, content in enumerate(("%piece", source, position), 1):
                fn.store(end, offset, content)
            for offset, place in ((4, source), (6, "%place")):
                cells = fn.at("%m", fn.select(fn.compare("ne", place, 0), it.start(place), 0))
                fn.store(end, offset, fn.load(cells, UNORDERED))
                fn.store(end, offset + 1, fn.load(cells, UNDER))
            fn.store(end, MOVED_CELLS, MOVED)
            fn.store(end, MOVED_CELLS + 1, number)


def _emit_unmove(unit: Unit, number: int) -> None:
    """`unmove(entry)`: what an entry of the log tells of was never moved."""
    it = _Kind(unit, number, "unmove", ())
    it.fn = fn = Fn(f"unmove{number}", VOID, [(PTR, "entry")], attributes="noinline")
    fn.line("%m = load ptr, ptr %entry, align 8")
    piece, source, position = (fn.load("%entry", offset) for offset in (1, 2, 3))
    target = fn.load(it.of_piece(it.kind.where, piece))
    with fn.when(fn.compare("ne", target, 0)):
        cells = it.address(target)
        first, count = fn.at(cells, CONTENTS), fn.sub(fn.load(cells), 1)
        it.close_gap(first, fn.load(it.of_piece(it.kind.position, piece)), count)
        fn.store(first, count, EMPTY)
        _put_counts(fn, cells, count, 6)
    with fn.when(fn.compare("ne", source, 0)):
        cells = it.address(source)
        first, count = fn.at(cells, CONTENTS), fn.load(cells)
        it.make_room(first, position, count, str(EMPTY))
        fn.store(first, position, piece)
        _put_counts(fn, cells, fn.add(count, 1), 4)
    fn.store(it.of_piece(it.kind.position, piece), 0, position)
    fn.store(it.of_piece(it.kind.where, piece), 0, source)
    fn.ret()
    unit.texts.append(fn.text())


def _put_counts(fn: Fn, cells: str, count: str, kept: int) -> None:
    """How many pieces a place holds, and what the entry has kept of its other counts."""
    fn.store(cells, 0, count)
    fn.store(cells, UNORDERED, fn.load("%entry", kept))
    fn.store(cells, UNDER, fn.load("%entry", kept + 1))


def _remove(it: _Kind, piece: str, place: str) -> None:
    fn, kind = it.fn, it.kind
    cells = it.address(place)
    count = fn.sub(fn.load(cells), 1)
    position = fn.load(it.of_piece(kind.position, piece))
    under = fn.load(cells, UNDER)

    def from_unordered() -> None:
        unordered = fn.load(cells, UNORDERED)
        inside = fn.compare("slt", position, fn.add(under, unordered))
        with fn.when(inside):
            left = fn.sub(unordered, 1)
            fn.store(cells, UNORDERED, left)
            with fn.when(fn.compare("eq", left, 0)):
                fn.store(cells, UNDER, 0)

    fn.choose(
        fn.compare("slt", position, under),
        lambda: fn.store(cells, UNDER, fn.sub(under, 1)),
        from_unordered,
    )
    first = fn.at(cells, CONTENTS)
    it.close_gap(first, position, count)
    fn.store(first, count, EMPTY)
    fn.store(cells, 0, count)
    fn.store(it.of_piece(kind.position, piece), 0, 0)


def _insert(it: _Kind, piece: str, place: str) -> None:
    fn, kind = it.fn, it.kind
    cells = it.address(place)
    first = fn.at(cells, CONTENTS)
    count = fn.load(cells)
    lowest = fn.variable(count)  # it goes no further down than this
    below = fn.variable(str(EMPTY))  # and only past pieces of higher numbers

    def by_number() -> None:
        fn.set(lowest, "0")
        fn.set(below, piece)
        fn.store(cells, UNORDERED, fn.add(count, 1))

    def by_order() -> None:
        with fn.when(fn.compare("ne", "%bottom", 0)):
            fn.set(lowest, "0")
            with fn.when(fn.compare("ne", fn.load(cells, UNORDERED), 0)):
                fn.store(cells, UNDER, fn.add(fn.load(cells, UNDER), 1))

    fn.choose(fn.compare("ne", it.column(kind.instance_sorted, place), 0), by_number, by_order)
    at = it.make_room(first, fn.get(lowest), count, fn.get(below))
    fn.store(first, at, piece)
    fn.store(it.of_piece(kind.position, piece), 0, at)
    fn.store(cells, 0, fn.add(count, 1))


def _learn(it: _Kind, piece: str, source: str, place: str) -> None:
    """Who saw where a piece went knows it; what leaves a closed hand unseen is lost track of."""
    fn, kind = it.fn, it.kind
    sees_target = it.column(kind.instance_viewers, place)
    cell = it.of_piece(kind.known, piece)
    unordered = tuple(has_no_order(kind, each) for each in range(len(kind.instance_address)))
    known = fn.variable(fn.load(cell))
    with fn.when(fn.compare("ne", place, source)):
        apart = fn.compare("eq", fn.both("%whole", it.column(unordered, place)), 0)
        mixed = fn.compare("ne", it.column(kind.instance_sorted, source), 0)
        with fn.when(fn.op(f"and i1 {apart}, {mixed}")):
            shown = fn.op(f"lshr i64 {fn.get(known)}, {SHOWN}")
            seen = fn.either(
                fn.either(it.column(kind.instance_viewers, source), sees_target), shown
            )
            blind = fn.both(fn.op(f"xor i64 {seen}, -1"), SEATS)
            if kind.notes:
                left = fn.compare("ne", fn.load(it.address(source)), 0)
                with fn.when(fn.op(f"and i1 {fn.compare('ne', blind, 0)}, {left}")):
                    _settle_notes(it, source, piece)
            lost = fn.both(blind, kind.everyone)
            with fn.when(fn.compare("ne", lost, 0)):
                confused = _confuse(it, piece, source, lost)
                fn.set(known, fn.both(fn.get(known), fn.op(f"xor i64 {confused}, -1")))
            if kind.has_copies and not kind.hidden_fields:
                unseen = fn.op(f"xor i64 {it.column(kind.instance_viewers, source)}, -1")
                _mistake(it, piece, source, fn.both(sees_target, unseen))
        fn.set(known, fn.both(fn.get(known), SEATS))
    after = fn.get(known) if kind.hidden_fields else fn.either(fn.get(known), sees_target)
    fn.write(cell, 0, after)


def _confuse(it: _Kind, piece: str, source: str, blind: str) -> str:
    """All that the piece could have been is forgotten. The seats for which there is another."""
    fn, kind = it.fn, it.kind
    confused = fn.variable("0")

    def could_be(other: str) -> None:
        cell = it.of_piece(kind.known, other)
        shown = fn.op(f"lshr i64 {fn.load(cell)}, {SHOWN}")
        lost = fn.both(blind, fn.op(f"xor i64 {shown}, -1"))
        fn.set(confused, fn.either(fn.get(confused), lost))
        _know_only(fn, cell, fn.op(f"xor i64 {lost}, -1"))

    def look_at(other: str) -> None:
        if not kind.back:
            could_be(other)
            return
        looks = tuple(kind.back.index(kind.back[row]) for row in kind.row_of)
        with fn.when(fn.compare("eq", it.column(looks, other), it.column(looks, piece))):
            could_be(other)

    cells = it.address(source)
    with fn.count(0, fn.load(cells), short=True) as index:
        look_at(it.held(fn.at(cells, CONTENTS), index))
    return fn.get(confused)


def _mistake(it: _Kind, piece: str, source: str, seats: str) -> None:
    """A piece that comes from where somebody could not look is taken for a copy known there."""
    fn, kind = it.fn, it.kind
    unknown = fn.op(f"xor i64 {fn.load(it.of_piece(kind.known, piece))}, -1")
    left = fn.variable(fn.both(seats, unknown))

    def look_at(other: str) -> None:
        cell = it.of_piece(kind.known, other)
        known = fn.load(cell)
        hidden = fn.op(f"xor i64 {fn.op(f'lshr i64 {known}, {SHOWN}')}, -1")
        taken = fn.both(fn.both(fn.get(left), known), hidden)
        rest = fn.op(f"xor i64 {taken}, -1")
        _know_only(fn, cell, rest)
        fn.set(left, fn.both(fn.get(left), rest))

    with fn.when(fn.compare("ne", fn.get(left), 0)):
        cells = it.address(source)
        with fn.count(0, fn.load(cells)) as index:
            other = it.held(fn.at(cells, CONTENTS), index)
            same = fn.compare("eq", it.column(kind.row_of, other), it.column(kind.row_of, piece))
            with fn.when(same):
                look_at(other)


def _settle_notes(it: _Kind, place: str, piece: str) -> None:
    """Somebody loses track of what lies in a place, and of a piece that has just left it."""
    fn, kind = it.fn, it.kind
    seen = "0" if kind.hidden_fields else it.column(kind.instance_viewers, place)
    for first, start, number in kind.notes:
        with fn.count(0, number) as index:
            named = fn.load(fn.at("%m", first), index)
            readers = fn.at(fn.at("%m", start), index)
            names = fn.compare("sge", named, 0)
            fresh = fn.compare("eq", fn.load(readers), 0)
            with fn.when(fn.op(f"and i1 {names}, {fresh}")):
                lies = fn.compare("eq", fn.load(it.of_piece(kind.where, named)), place)
                gone = fn.compare("eq", named, piece)
                with fn.when(fn.op(f"or i1 {lies}, {gone}")):
                    knowing = fn.both(fn.load(it.of_piece(kind.known, named)), SEATS)
                    fn.write(readers, 0, fn.either(fn.either(knowing, seen), SETTLED))


def _know_only(fn: Fn, cell: str, seats: str) -> None:
    """Mostly nothing changes: then there is nothing to be noted either."""
    before = fn.load(cell)
    after = fn.both(before, seats)
    with fn.when(fn.compare("ne", before, after)):
        fn.write(cell, 0, after)


def _emit_shuffle(unit: Unit, number: int) -> None:
    """Going through the pieces by number and picking those that lie here sorts them."""
    it = _Kind(unit, number, "shuffle", ("place",))
    fn, kind = it.fn, it.kind
    it.check(None, "%place")
    cells = it.address("%place")
    count = fn.load(cells)
    handled = fn.add(count, kind.note_count)
    steps = fn.add("%s", fn.add(handled, handled))
    viewers = "0" if kind.hidden_fields else it.column(kind.instance_viewers, "%place")
    if kind.notes:
        _settle_notes(it, "%place", str(EMPTY))
    index = fn.variable("0")
    first = fn.at(cells, CONTENTS)
    with fn.count(0, len(kind.row_of)) as piece:
        here = fn.compare("eq", fn.load(it.of_piece(kind.where, piece)), "%place")
        with fn.when(here):
            now = fn.get(index)
            fn.write(first, now, piece)
            fn.write(it.of_piece(kind.position, piece), 0, now)
            if kind.known >= 0:
                known = it.of_piece(kind.known, piece)
                fn.write(known, 0, fn.both(fn.load(known), viewers))
            fn.set(index, fn.add(now, 1))
    fn.write(cells, UNORDERED, count)
    fn.write(cells, UNDER, 0)
    it.done(steps)


def _emit_know(unit: Unit, number: int, *, forget: bool) -> None:
    it = _Kind(unit, number, "forget" if forget else "know", ("piece", "seats"))
    fn, kind = it.fn, it.kind
    if kind.known >= 0:
        it.check("%piece", None)
        known = it.of_piece(kind.known, "%piece")
        if forget:
            place = fn.load(it.of_piece(kind.where, "%piece"))
            it.check(None, place)
            viewers = "0" if kind.hidden_fields else it.column(kind.instance_viewers, place)
            fn.write(known, 0, fn.both(fn.load(known), viewers))
        else:
            shown = fn.op(f"shl i64 %seats, {SHOWN}")
            fn.write(known, 0, fn.either(fn.load(known), fn.either("%seats", shown)))
    it.done()

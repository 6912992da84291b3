"""Floods that end as soon as what they were begun for is found: see facts/early.py.

Cells are visited in the order in which they are gone on from, which is the order they were found
in. So visits come in the same order as after a whole flood; one that breaks off ends all of it.

Where it is only asked whether there is such a cell, the way to it is kept: for every cell that was
come by, the one that came next. When it is asked again, that way is gone first, and every step of
it is tried anew. So it does not matter when it was found, in which game, or on which thread: if it
leads to such a cell, there is one, and if not, the cells are flooded as ever. What is certain of
the steps that are kept is that they are steps of the board.

In a trial the answer is mostly known from before (watching.py). Where it is not, the trial stands
in the way that is kept, so that most of it can still be gone: then the search goes on around the
place where it breaks off (`_Search`). What is found there is not kept: the way from before the
trials is the better one.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce

from interpreter import limits
from interpreter.play.native.emit import context
from interpreter.play.native.emit.code import Code
from interpreter.play.native.emit.expressions import local, looked_up, test, value
from interpreter.play.native.emit.text import PTR
from interpreter.play.native.facts.early import can_end_early, only_asks
from interpreter.play.native.facts.floods import Flood, find_flood
from interpreter.program import ops
from interpreter.program.touches import locals_read, locals_set, operations

Block = Callable[[Code, tuple[ops.Statement, ...]], None]
_WAYS = 4  # that are kept for each cell, by what else the answer depends on


def flood_to_end_early(
    code: Code, statements: tuple[ops.Statement, ...], first: int
) -> Flood | None:
    """The flood that begins here, if it may end early."""
    if not isinstance(statements[first], ops.CountLoop) or code.mask is not None:
        return None
    if code.counter is None or not code.free or not code.unit.steps.knows_floods:
        return None
    flood = find_flood(statements, first)
    if flood is None:
        return None
    counter, program = code.counter, code.unit.program
    if counter.unpaid(statements[first : first + flood.length]) > limits.STEPS_PER_MOVE:
        return None
    fits = can_end_early(program, code.unit.steps.cells, flood, counter.around, counter.params)
    return flood if fits else None


def emit_flood(code: Code, flood: Flood, block: Block) -> None:
    assert code.counter is not None
    start = value(code, flood.start)
    code.forget((flood.loop, flood.visit, ops.SetLocal(flood.target, flood.start)))
    code.fail_if(code.fn.compare("uge", start, flood.cells), context.BROKEN, -1)
    it = _Flooding(code, flood, block, start)
    if not only_asks(flood, code.counter.around):
        it.spread(it.end, it.end)
    elif code.fn.marking is not None:
        it.find_and_mark()
    elif code.form is not None and not code.form.whole and code.occupied is not None:
        it.look_at_start(code.hand_over)
    else:
        it.seek(keeping=code.form is None or not code.form.seeking)
    code.fn.place(it.end)
    code.forget((flood.loop, flood.visit))


class _Flooding:
    """One flood while it is written."""

    def __init__(self, code: Code, flood: Flood, block: Block, start: str) -> None:
        fn = code.fn
        self.code, self.fn, self.flood, self.block, self.start = code, fn, flood, block, start
        self.found, self.end = code.arrays[flood.found][0], fn.label()
        self.seen, self.size, self.next = fn.slot(f"[{flood.cells} x i8]"), fn.slot(), fn.slot()
        self.before = fn.slot(f"[{flood.cells} x i16]")
        self.ways = ""  # that are kept

    def spread(self, hit: str, end: str) -> None:
        """All cells, until a visit breaks off."""
        fn, flood = self.fn, self.flood
        fn.clear_bytes(self.seen, flood.cells)
        fn.set(self.size, "0")
        fn.set(self.next, "0")
        if flood.starts_anyway:
            self.take(self.start)
        else:
            self._ask(self.start, self.take)
        again, body = fn.label(), fn.label()
        fn.place(again)
        now = fn.get(self.next)
        fn.branch(fn.compare("slt", now, fn.get(self.size)), body, end)
        fn.place(body)
        cell = self.inside(fn.load(self.found, now))
        fn.set(self.next, fn.add(now, 1))
        self.visit(cell, now, hit)
        with fn.count(0, flood.ways) as way:
            fn.set(local(self.code, flood.way), way)
            index = fn.add(fn.mul(way, flood.cells), cell)
            beside = looked_up(self.code, flood.table, index)
            with fn.when(fn.compare("sge", beside, 0)):
                flag = fn.op(f"load i8, {PTR} {self.flag(beside)}")
                with fn.when(fn.op(f"icmp eq i8 {flag}, 0")):
                    self._ask(beside, lambda: self.take(beside, cell))
        fn.goto(again)

    def inside(self, cell: str) -> str:
        inside = self.fn.compare("ult", cell, self.flood.cells)
        self.fn.line(f"call void @llvm.assume(i1 {inside})")
        return cell

    def visit(self, cell: str, number: str, hit: str) -> None:
        """A visit, which goes to `hit` if it breaks off."""
        code, fn, flood = self.code, self.fn, self.flood
        following = fn.label()
        fn.set(local(code, flood.here), cell)
        fn.set(local(code, flood.visit.local), number)
        code.loops.append((hit, following))
        self.block(code, flood.visit.body)
        code.loops.pop()
        fn.place(following)
        code.forget((flood.loop, flood.visit))

    def _ask(self, cell: str, then: Callable[[], None]) -> None:
        self.fn.set(local(self.code, self.flood.target), cell)
        with self.fn.when(test(self.code, self.flood.test)):
            then()

    def take(self, cell: str = "", source: str = "") -> None:
        fn = self.fn
        cell = cell or self.start
        fn.line(f"store i8 1, {PTR} {self.flag(cell)}")
        now = fn.get(self.size)
        fn.store(self.found, now, cell)
        fn.set(self.size, fn.add(now, 1))
        if self.ways and source:
            self.store(self.before, cell, source)

    def flag(self, cell: str) -> str:
        return self.fn.op(f"getelementptr inbounds i8, {PTR} {self.seen}, i64 {cell}")

    # ---- ways that are kept

    def find_by_known_way(self, found: str, nowhere: str, refused: str) -> None:
        """By the way that was kept, or by a new one, which is kept then. `refused` is where to go
        if the start is not let in."""
        self._know_ways()
        self._go_known_way(found, refused)
        hit = self.fn.label()
        self.spread(hit, nowhere)
        self._keep_way(hit, found)

    def look_at_start(self, go_on: Callable[[], None]) -> None:
        """Often the start itself is such a cell. The rest is another function then, so that this
        one
        is short."""
        self._let_in(self.end)
        self.fn.store(self.found, 0, self.start)
        self.visit(self.start, "0", self.end)
        go_on()

    def seek(self, *, keeping: bool) -> None:
        """By the way that was kept, as far as it can be gone, and then by any other."""
        self._know_ways()
        self._let_in(self.end)
        self.fn.store(self.found, 0, self.start)
        self.visit(self.start, "0", self.end)
        self.fn.clear_bytes(self.seen, self.flood.cells)
        self.fn.set(self.size, "0")
        self.take(self.start)
        hit = self.fn.label() if keeping else self.end
        _Search(self, hit).go()
        if keeping:
            self._keep_way(hit, self.end)

    def _know_ways(self) -> None:
        fn, flood, unit = self.fn, self.flood, self.code.unit
        name = unit.ways.get(id(flood.loop))
        if name is None:
            name = unit.ways[id(flood.loop)] = f"@way{len(unit.ways)}"
            size = flood.cells * _WAYS
            unit.texts.append(f"{name} = internal global [{size} x i16] zeroinitializer")
        self.ways = fn.op(f"getelementptr i16, {PTR} {name}, i64 {self._which()}")

    def _let_in(self, refused: str) -> None:
        fn = self.fn
        if not self.flood.starts_anyway:
            fn.set(local(self.code, self.flood.target), self.start)
            onward = fn.label()
            fn.branch(test(self.code, self.flood.test), onward, refused)
            fn.place(onward)

    def find_and_mark(self) -> None:
        """Where cells that are read are marked, a way needs no other cells than its own. So a way
        is
        looked for first, and then gone once more to mark it."""
        fn, marking = self.fn, self.fn.marking
        known, unknown = fn.label(), fn.label()
        fn.marking = None
        self.find_by_known_way(known, unknown, unknown)
        fn.marking = marking
        fn.place(known)
        self._go_known_way(self.end, self.end)
        fn.place(unknown)
        self.spread(self.end, self.end)

    def _go_known_way(self, found: str, refused: str) -> None:
        """From the start, as long as every step can be gone, to a cell that was looked for."""
        fn, flood = self.fn, self.flood
        here, left = fn.variable(self.start), fn.variable(str(flood.cells))
        again, unknown = fn.label(), fn.label()
        self._let_in(refused)
        fn.place(again)
        cell = self.inside(fn.get(here))
        fn.store(self.found, 0, cell)
        self.visit(cell, "0", found)
        fn.set(left, fn.sub(fn.get(left), 1))
        target = fn.sub(self.load(self.ways, cell), 1)
        lost = fn.op(f"or i1 {fn.compare('slt', target, 0)}, {fn.compare('eq', fn.get(left), 0)}")
        onward = fn.label()
        fn.branch(lost, unknown, onward)
        fn.place(onward)
        fn.set(local(self.code, flood.target), self.inside(target))
        fn.set(here, target)
        fn.branch(test(self.code, flood.test), again, unknown)
        fn.place(unknown)

    def _keep_way(self, hit: str, onward: str) -> None:
        """A visit broke off: keep the way back to the start."""
        fn = self.fn
        fn.place(hit)
        cell = fn.variable(fn.get(local(self.code, self.flood.here)))
        with fn.loop(lambda: fn.compare("ne", fn.get(cell), self.start)):
            now = self.inside(fn.get(cell))
            source = self.inside(self.load(self.before, now))
            self.store(self.ways, source, fn.add(now, 1))
            fn.set(cell, source)
        fn.goto(onward)

    def _which(self) -> str:
        """Where the ways begin that are kept for what else a visit depends on."""
        fn, visit = self.fn, self.flood.visit
        own = locals_set(visit) | {self.flood.found}
        given: list[ops.Expr] = [
            ops.Local(index)
            for index in sorted(locals_read(visit.body) - own)
            if index in self.code.scalars
        ]
        given += dict.fromkeys(op for op in operations(visit.body) if isinstance(op, ops.Memory))
        numbers = [value(self.code, part) for part in given]
        total = reduce(fn.add, numbers, "0")
        return fn.mul(fn.both(total, _WAYS - 1), self.flood.cells)

    def load(self, base: str, cell: str) -> str:
        """Other threads may write here too, so what is read may be new, but never torn."""
        place = self.fn.op(f"getelementptr inbounds i16, {PTR} {base}, i64 {cell}")
        found = self.fn.op(f"load atomic i16, {PTR} {place} unordered, align 2")
        return self.fn.op(f"zext i16 {found} to i64")

    def store(self, base: str, cell: str, content: str) -> None:
        fn = self.fn
        place = fn.op(f"getelementptr inbounds i16, {PTR} {base}, i64 {cell}")
        short = fn.op(f"trunc i64 {content} to i16")
        fn.line(f"store atomic i16 {short}, {PTR} {place} unordered, align 2")


class _Search:
    """For one cell that was looked for: from a cell that is found, the way that was kept is gone on
    as far as that can be done. Then all around is looked at: first where the way broke off, then
    what was
    found from there, and last the cells before, back to the start."""

    def __init__(self, flooding: _Flooding, hit: str) -> None:
        self.it, self.fn, self.hit = flooding, flooding.fn, hit
        fn, target = self.fn, flooding.flood.target
        self.target = local(flooding.code, target)
        self.here, self.low = fn.slot(), fn.slot()
        self.way, self.cell = fn.variable(str(flooding.flood.ways)), fn.slot()
        self.step, self.turn, self.follow = fn.label(), fn.label(), fn.label()

    def go(self) -> None:
        it, fn, flood = self.it, self.fn, self.it.flood
        fn.set(self.low, "-1")
        fn.set(self.cell, it.start)
        fn.set(self.here, it.start)
        fn.goto(self.follow)
        fn.place(self.step)  # from `here` to the target
        target = it.inside(fn.get(self.target))
        fresh, taken = fn.label(), fn.label()
        flag = fn.op(f"load i8, {PTR} {it.flag(target)}")
        fn.branch(fn.op(f"icmp eq i8 {flag}, 0"), fresh, self.turn)
        fn.place(fresh)
        fn.set(local(it.code, flood.here), it.inside(fn.get(self.here)))
        fn.branch(test(it.code, flood.test), taken, self.turn)
        fn.place(taken)
        number = fn.get(it.size)
        it.take(target, it.inside(fn.get(self.here)))
        it.visit(target, number, self.hit)
        fn.set(self.here, target)
        fn.place(self.follow)
        known = fn.sub(it.load(it.ways, it.inside(fn.get(self.here))), 1)
        fn.set(self.target, known)
        fn.branch(fn.compare("slt", known, 0), self.turn, self.step)
        fn.place(self.turn)
        self._turn()

    def _turn(self) -> None:
        """The next way from the cell that all around is looked at from, or another cell."""
        it, fn, flood = self.it, self.fn, self.it.flood
        more, other = fn.label(), fn.label()
        way = fn.get(self.way)
        fn.branch(fn.compare("slt", way, flood.ways), more, other)
        fn.place(more)
        fn.set(self.way, fn.add(way, 1))
        cell = it.inside(fn.get(self.cell))
        beside = looked_up(it.code, flood.table, fn.add(fn.mul(way, flood.cells), cell))
        fn.set(self.here, cell)
        fn.set(self.target, beside)
        fn.branch(fn.compare("slt", beside, 0), self.turn, self.step)
        fn.place(other)
        with fn.when(fn.compare("slt", fn.get(self.low), 0), rare=True):  # the way broke off here
            last = fn.sub(fn.get(it.size), 1)
            fn.set(self.low, last)
            fn.set(it.next, last)
        forth, back, begin = fn.label(), fn.label(), fn.label()
        now = fn.get(it.next)
        index = fn.slot()
        fn.branch(fn.compare("slt", now, fn.get(it.size)), forth, back)
        fn.place(forth)
        fn.set(index, now)
        fn.set(it.next, fn.add(now, 1))
        fn.goto(begin)
        fn.place(back)
        before = fn.sub(fn.get(self.low), 1)
        fn.set(self.low, before)
        fn.set(index, before)
        fn.branch(fn.compare("slt", before, 0), it.end, begin)
        fn.place(begin)
        fn.set(self.cell, it.inside(fn.load(it.found, fn.get(index))))
        fn.set(self.way, "0")
        fn.goto(self.turn)

"""Floods that end as soon as what they were begun for is found: see facts/early.py.

Cells are visited in the order in which they are gone on from, which is the order they were found
in. So visits come in the same order as after a whole flood; one that breaks off ends all of it.

Where it is only asked whether there is such a cell, the way to it is kept: for every cell that was
come by, the one that came next. When it is asked again, that way is gone first, and every step of
it is tried anew. So it does not matter when it was found, in which game, or on which thread: if it
leads to such a cell, there is one, and if not, the cells are flooded as ever. What is certain of
the steps that are kept is that they are steps of the board.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce

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
    fits = can_end_early(program, code.unit.steps.cells, flood, counter.around, counter.params)
    return flood if fits else None


def emit_flood(code: Code, flood: Flood, block: Block) -> None:
    assert code.counter is not None
    start = value(code, flood.start)
    code.forget((flood.loop, flood.visit, ops.SetLocal(flood.target, flood.start)))
    code.fail_if(code.fn.compare("uge", start, flood.cells), context.BROKEN, -1)
    it = _Flooding(code, flood, block, start)
    if only_asks(flood, code.counter.around):
        it.go_known_way()
        it.spread()
        it.keep_way()
    else:
        it.spread()
    code.fn.place(it.end)
    code.forget((flood.loop, flood.visit))


class _Flooding:
    """One flood while it is written."""

    def __init__(self, code: Code, flood: Flood, block: Block, start: str) -> None:
        fn = code.fn
        self.code, self.fn, self.flood, self.block, self.start = code, fn, flood, block, start
        self.found, self.end, self.hit = code.arrays[flood.found][0], fn.label(), ""
        self.seen, self.size, self.next = fn.slot(f"[{flood.cells} x i8]"), fn.slot(), fn.slot()
        self.before = fn.slot(f"[{flood.cells} x i16]")
        self.ways = ""

    def spread(self) -> None:
        """All cells, until a visit breaks off."""
        fn, flood = self.fn, self.flood
        fn.clear_bytes(self.seen, flood.cells)
        fn.set(self.size, "0")
        fn.set(self.next, "0")
        if flood.starts_anyway:
            self._take(self.start)
        else:
            self._ask(self.start, self._take)
        again, body = fn.label(), fn.label()
        fn.place(again)
        now = fn.get(self.next)
        fn.branch(fn.compare("slt", now, fn.get(self.size)), body, self.end)
        fn.place(body)
        cell = self._inside(fn.load(self.found, now))
        fn.set(self.next, fn.add(now, 1))
        self._visit(cell, now, self.hit or self.end)
        with fn.count(0, flood.ways) as way:
            fn.set(local(self.code, flood.way), way)
            index = fn.add(fn.mul(way, flood.cells), cell)
            beside = looked_up(self.code, flood.table, index)
            with fn.when(fn.compare("sge", beside, 0)):
                flag = fn.op(f"load i8, {PTR} {self._flag(beside)}")
                with fn.when(fn.op(f"icmp eq i8 {flag}, 0")):
                    self._ask(beside, lambda: self._take(beside, cell))
        fn.goto(again)

    def _inside(self, cell: str) -> str:
        inside = self.fn.compare("ult", cell, self.flood.cells)
        self.fn.line(f"call void @llvm.assume(i1 {inside})")
        return cell

    def _visit(self, cell: str, number: str, hit: str) -> None:
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

    def _take(self, cell: str = "", source: str = "") -> None:
        fn = self.fn
        cell = cell or self.start
        fn.line(f"store i8 1, {PTR} {self._flag(cell)}")
        now = fn.get(self.size)
        fn.store(self.found, now, cell)
        fn.set(self.size, fn.add(now, 1))
        if self.hit and source:
            self._store(self.before, cell, source)

    def _flag(self, cell: str) -> str:
        return self.fn.op(f"getelementptr inbounds i8, {PTR} {self.seen}, i64 {cell}")

    # ---- ways that are kept

    def go_known_way(self) -> None:
        """From the start, as long as every step can be gone, to a cell that was looked for."""
        fn, flood, unit = self.fn, self.flood, self.code.unit
        name, size = f"@way{len(unit.texts)}", flood.cells * _WAYS
        unit.texts.append(f"{name} = internal global [{size} x i16] zeroinitializer")
        self.ways = fn.op(f"getelementptr i16, {PTR} {name}, i64 {self._which()}")
        self.hit = fn.label()
        here, left = fn.variable(self.start), fn.variable(str(flood.cells))
        again, unknown = fn.label(), fn.label()
        if not flood.starts_anyway:
            fn.set(local(self.code, flood.target), self.start)
            onward = fn.label()
            fn.branch(test(self.code, flood.test), onward, self.end)
            fn.place(onward)
        fn.place(again)
        cell = self._inside(fn.get(here))
        fn.store(self.found, 0, cell)
        self._visit(cell, "0", self.end)
        fn.set(left, fn.sub(fn.get(left), 1))
        target = fn.sub(self._load(self.ways, cell), 1)
        lost = fn.op(f"or i1 {fn.compare('slt', target, 0)}, {fn.compare('eq', fn.get(left), 0)}")
        onward = fn.label()
        fn.branch(lost, unknown, onward)
        fn.place(onward)
        fn.set(local(self.code, flood.target), self._inside(target))
        fn.set(here, target)
        fn.branch(test(self.code, flood.test), again, unknown)
        fn.place(unknown)

    def keep_way(self) -> None:
        """A visit broke off: keep the way back to the start."""
        fn = self.fn
        fn.place(self.hit)
        cell = fn.variable(fn.get(local(self.code, self.flood.here)))
        with fn.loop(lambda: fn.compare("ne", fn.get(cell), self.start)):
            now = self._inside(fn.get(cell))
            source = self._inside(self._load(self.before, now))
            self._store(self.ways, source, fn.add(now, 1))
            fn.set(cell, source)
        fn.goto(self.end)

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

    def _load(self, base: str, cell: str) -> str:
        """Other threads may write here too, so what is read may be new, but never torn."""
        place = self.fn.op(f"getelementptr inbounds i16, {PTR} {base}, i64 {cell}")
        found = self.fn.op(f"load atomic i16, {PTR} {place} unordered, align 2")
        return self.fn.op(f"zext i16 {found} to i64")

    def _store(self, base: str, cell: str, content: str) -> None:
        fn = self.fn
        place = fn.op(f"getelementptr inbounds i16, {PTR} {base}, i64 {cell}")
        short = fn.op(f"trunc i64 {content} to i16")
        fn.line(f"store atomic i16 {short}, {PTR} {place} unordered, align 2")

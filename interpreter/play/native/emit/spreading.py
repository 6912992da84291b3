"""Floods whose steps need not be counted one by one: the cells first, then the visits.

A flood takes a step for each cell when its flags are cleared, and for each cell that is found one
and one for each way from there. If its condition takes none, all of that is told by how many cells
are found. So where steps are counted, it is asked beforehand whether there are enough for a flood
of all cells; if not, it is flooded as it is written, to fail where it does.

Which neighbours are let in, no processor can guess. So every neighbour is written behind the cells
that were found, and counts if it is let in: there is no jump. That needs a condition that is plain
and cannot fail (facts/shape.py). Where there is no neighbour, the cell itself stands in the table:
it is found already.
"""

from __future__ import annotations

from collections.abc import Callable

from interpreter import limits
from interpreter.play.native.emit import context
from interpreter.play.native.emit.code import Code
from interpreter.play.native.emit.expressions import found_at, local, test, value
from interpreter.play.native.emit.text import PTR
from interpreter.play.native.facts.floods import Flood, find_flood
from interpreter.play.native.facts.looking import constant_steps
from interpreter.play.native.facts.shape import body_can_fail, is_plain
from interpreter.program import ops
from interpreter.program.touches import operations

Statement = Callable[[Code, ops.Statement], None]
_MOST_WAYS = 8


def flood_to_spread(code: Code, statements: tuple[ops.Statement, ...], first: int) -> Flood | None:
    """The flood that begins here, if it is in code that counts, and its condition is plain."""
    if code.free or code.mask is not None or code.fn.marking is not None:
        return None
    if not isinstance(statements[first], ops.CountLoop) or (code.form and code.form.exact):
        return None
    flood = find_flood(statements, first)
    return flood if flood is not None and spreads_plainly(code, flood) else None


def spreads_plainly(code: Code, flood: Flood) -> bool:
    program = code.unit.program
    return (
        flood.ways <= _MOST_WAYS
        and is_plain(flood.start)
        and is_plain(flood.test)
        and not any(isinstance(op, ops.LocalAt) for op in operations(flood.test))
        and constant_steps(program, flood.test) == 0
        and not body_can_fail(program, code.unit.steps.cells, (ops.Evaluate(flood.test),))
    )


def emit_spreading(
    code: Code,
    flood: Flood,
    statements: tuple[ops.Statement, ...],
    statement: Statement,
) -> None:
    make_room(code, flood)
    spreading = Spreading(code, flood, code.fn.slot(f"[{flood.cells} x i8]"))

    def quickly() -> None:
        spreading.begin()
        code.spend(spreading.cost(), -1)
        statement(code, flood.visit)

    if_ample(code, flood, statements, statement, quickly)


def if_ample(
    code: Code,
    flood: Flood,
    statements: tuple[ops.Statement, ...],
    statement: Statement,
    quickly: Callable[[], None],
) -> None:
    """As quickly as that, if there are steps enough for all cells; else as it is written."""
    fn = code.fn
    if code.ample or code.free:
        quickly()
        return
    most = flood.cells * (3 + flood.ways)
    few = fn.compare("sgt", fn.get(code.steps), limits.STEPS_PER_MOVE - most)
    slowly, end = fn.label(), fn.label()
    onward = fn.label()
    fn.branch(few, slowly, onward, rare=True)
    fn.place(slowly)
    for each in statements:
        statement(code, each)
    fn.goto(end)
    fn.place(onward)
    quickly()
    fn.place(end)
    code.forget(statements)


def make_room(code: Code, flood: Flood) -> None:
    """For one more cell, which is written and does not count."""
    room = flood.cells + 1
    code.arrays[flood.found] = code.fn.slot(f"[{room} x i64]"), room


class Spreading:
    """The cells of one flood while they are found. `seen` has a byte for each cell."""

    def __init__(self, code: Code, flood: Flood, seen: str) -> None:
        self.code, self.fn, self.flood, self.seen = code, code.fn, flood, seen
        self.found = code.arrays[flood.found][0]

    def begin(self) -> None:
        """From the start to all cells."""
        code, fn, flood = self.code, self.fn, self.flood
        start = value(code, flood.start)
        code.forget((flood.loop, flood.visit, ops.SetLocal(flood.target, flood.start)))
        code.fail_if(fn.compare("uge", start, flood.cells), context.BROKEN, -1)
        fn.clear_bytes(self.seen, flood.cells)
        size, following = fn.variable("1"), fn.variable("0")
        fn.store(self.found, 0, start)
        fn.line(f"store i8 1, {PTR} {self._flag(start)}")
        if not flood.starts_anyway:
            fn.set(local(code, flood.target), start)
            let_in = fn.widen(test(code, flood.test))
            fn.set(size, let_in)
            flag = fn.op(f"trunc i64 {let_in} to i8")
            fn.line(f"store i8 {flag}, {PTR} {self._flag(start)}")
        with fn.loop(lambda: fn.compare("slt", fn.get(following), fn.get(size)), short=True):
            now = fn.get(following)
            here = self._inside(fn.load(self.found, now))
            fn.set(following, fn.add(now, 1))
            fn.set(local(code, flood.here), here)
            for way in range(flood.ways):
                self._ask(here, way, size)
        fn.set(local(code, flood.size), fn.get(size))
        code.forget((flood.loop, flood.visit))

    def cost(self) -> str:
        """The steps that it takes."""
        fn, flood = self.fn, self.flood
        size = fn.get(local(self.code, flood.size))
        return fn.add(fn.mul(size, 1 + flood.ways), flood.cells)

    def _ask(self, here: str, way: int, size: str) -> None:
        code, fn, flood = self.code, self.fn, self.flood
        beside = self._beside(way, here)
        fn.set(local(code, flood.target), beside)
        let_in = fn.op(f"zext i1 {test(code, flood.test)} to i8")
        flag = self._flag(beside)
        before = fn.op(f"load i8, {PTR} {flag}")
        fresh = fn.op(f"and i8 {let_in}, {fn.op(f'xor i8 {before}, 1')}")
        fn.line(f"store i8 {fn.op(f'or i8 {before}, {fresh}')}, {PTR} {flag}")
        now = self._at_most(fn.get(size))
        fn.store(self.found, now, beside)
        fn.set(size, fn.add(now, fn.op(f"zext i8 {fresh} to i64")))

    def _beside(self, way: int, here: str) -> str:
        flood = self.flood
        table = self.code.unit.program.tables[flood.table]
        row = table[way * flood.cells : (way + 1) * flood.cells]
        there = tuple(cell if cell >= 0 else own for own, cell in enumerate(row))
        return self._inside(found_at(self.code, there, here))

    def _inside(self, cell: str) -> str:
        self.fn.line(f"call void @llvm.assume(i1 {self.fn.compare('ult', cell, self.flood.cells)})")
        return cell

    def _at_most(self, size: str) -> str:
        """No cell is found twice."""
        fits = self.fn.compare("ule", size, self.flood.cells)
        self.fn.line(f"call void @llvm.assume(i1 {fits})")
        return size

    def _flag(self, cell: str) -> str:
        return self.fn.op(f"getelementptr inbounds i8, {PTR} {self.seen}, i64 {cell}")

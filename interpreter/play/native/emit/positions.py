"""How often a position was there before, asked after a trial: see facts/positions.py.

Once for each enumeration the sum of the state is worked out, and the sums of all rows are noted as
bits of a set; in a game that is played natively, those that have come since the last enumeration. A
row that is written anew makes the set anew. After a trial the sum is what it was before, and what
the written cells have changed. A cell may be written twice: only what it held at first counts, so
cells are stamped when they are come to. If the bit of the sum is not set, the position was never
there; else the rows are compared as ever.
"""

from __future__ import annotations

from interpreter.play.chance import signed
from interpreter.play.native.emit import context
from interpreter.play.native.emit.code import Code
from interpreter.play.native.emit.expressions import value
from interpreter.play.native.emit.text import PTR
from interpreter.play.native.facts import positions as facts
from interpreter.play.native.facts.positions import Positions
from interpreter.program import ops


class PositionsBefore:
    """What is asked about the rows of one history, written into the code of who asks."""

    def __init__(self, code: Code, positions: Positions, area: str) -> None:
        self.code, self.fn, self.positions, self.area = code, code.fn, positions, area
        cells = positions.sum.cells
        self.first = min(cells, default=0)
        last = max(cells, default=0)
        factors = tuple(signed(cells.get(cell, 0)) for cell in range(self.first, last + 1))
        self.size = len(factors)
        self.factors = code.unit.table(factors)

    def is_new(self) -> str:
        """Whether nothing is known yet."""
        return self.fn.compare("eq", self.fn.load(self.area, facts.KNOWN), 0)

    def add_up(self) -> None:
        """The sum of the state, and those of all rows."""
        fn, area, positions = self.fn, self.area, self.positions
        total = fn.variable(str(signed(positions.sum.constant)))
        with fn.count(0, self.size) as number:
            part = fn.mul(fn.load(fn.at("%m", self.first), number), self._factor(number))
            fn.set(total, fn.add(fn.get(total), part))
        fn.store(area, facts.SUM, fn.get(total))
        most = fn.op(
            f"call i64 @llvm.smin.i64(i64 {value(self.code, positions.rows)}, i64 {positions.most})"
        )
        known = self._rows_known()
        with fn.when(fn.compare("eq", known, 0)):
            fn.clear(area, facts.SET, facts.stamps(positions) - facts.SET)
        fn.store(area, facts.ROWS, fn.op(f"call i64 @llvm.smax.i64(i64 {known}, i64 {most})"))
        with fn.count(known, most) as row:
            found = "0"
            for base, factor in zip(positions.bases, positions.factors, strict=True):
                word = fn.load(fn.at("%m", base), row)
                found = fn.add(found, fn.mul(word, signed(factor)))
            place, bit = self._bit(found)
            fn.store(place, 0, fn.either(fn.load(place), bit))
        fn.store(area, facts.KNOWN, 1)

    def _rows_known(self) -> str:
        """How many rows are in the set already."""
        fn, area = self.fn, self.area
        if not self.positions.lasting:
            return "0"
        call, state = fn.load("%c", context.CALLS), fn.op(f"ptrtoint {PTR} %m to i64")
        same = "true"
        for cell, now in ((facts.CALL, call), (facts.OF, state)):
            same = fn.op(f"and i1 {same}, {fn.compare('eq', fn.load(area, cell), now)}")
            fn.store(area, cell, now)
        return fn.select(same, fn.load(area, facts.ROWS), 0)

    def may_be_there(self) -> str:
        """Whether a row may be the position as it is in the trial."""
        fn, area = self.fn, self.area
        total = fn.variable(fn.load(area, facts.SUM))
        stamp = fn.add(fn.load(area, facts.STAMP), 1)
        fn.store(area, facts.STAMP, stamp)
        stamps = fn.at(area, facts.stamps(self.positions))
        end = fn.load("%c", context.TRIALS, PTR)
        pair = fn.variable(fn.load("%c", context.TRIAL, PTR), PTR)
        with fn.loop(lambda: fn.op(f"icmp ne ptr {fn.get(pair, PTR)}, {end}")):
            now = fn.get(pair, PTR)
            cell = fn.op(f"ashr exact i64 {fn.load(now, 0)}, 3")
            number = fn.sub(cell, self.first)
            with fn.when(fn.compare("ult", number, self.size)):
                place = fn.at(stamps, cell)
                with fn.when(fn.compare("ne", fn.load(place), stamp)):
                    fn.store(place, 0, stamp)
                    more = fn.sub(fn.load("%m", cell), fn.load(now, 1))
                    part = fn.mul(more, self._factor(number))
                    fn.set(total, fn.add(fn.get(total), part))
            fn.set(pair, fn.at(now, 2), PTR)
        place, bit = self._bit(fn.get(total))
        return fn.compare("ne", fn.both(fn.load(place), bit), 0)

    def _factor(self, number: str) -> str:
        fn, table = self.fn, self.factors
        place = fn.op(f"getelementptr inbounds {table.type}, {PTR} {table.name}, i64 {number}")
        found = fn.op(f"load {table.type}, {PTR} {place}, !invariant.load !1")
        return found if table.type == "i64" else fn.op(f"sext {table.type} {found} to i64")

    def _bit(self, total: str) -> tuple[str, str]:
        """Where the bit of a sum is kept: by its upper digits, to which all others contribute."""
        fn = self.fn
        number = fn.op(f"lshr i64 {total}, {64 - self.positions.bits}")
        place = fn.at(fn.at(self.area, facts.SET), fn.op(f"lshr i64 {number}, 6"))
        return place, fn.op(f"shl i64 1, {fn.both(number, 63)}")


def tell_of_row(code: Code, base: int, row: ops.Expr) -> None:
    """A row is written: if it is known, all of them are to be noted again."""
    fn = code.fn
    for watch in code.unit.watched.functions.values():
        positions = watch.positions
        if positions is not None and positions.lasting and base in positions.bases:
            area = fn.at(fn.load("%c", context.WATCHED, PTR), watch.start)
            known = fn.load(area, facts.ROWS)
            new = fn.compare("uge", value(code, row), known)
            fn.store(area, facts.ROWS, fn.select(new, known, 0))

"""Conditions that are asked of all cells of a board together, as sets of bits: facts/together.py.

A set is one wide number. A region grows from one of its cells by moving bits in all directions, as
far as it is let; that is a function for each board (`grow`), since many may ask for it. Cells that
are asked about are gone through region by region, each of which is found once and kept until the
steps are counted, if they are. Where nobody counts, and all regions are parts of one set, all of
them grow at once from what is looked for.

Steps are told by how many cells each part of the condition is asked of. A loop that ends at the
first cell it looked for has asked no cell behind it; that is known in the end, so steps are counted
then. Where there might be too few of them, the loop is gone through as it is written.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce

from interpreter import limits
from interpreter.play.native.emit.code import Code
from interpreter.play.native.emit.compared import compare_cells
from interpreter.play.native.emit.expressions import found_at, local, value
from interpreter.play.native.emit.text import I64, PTR, Fn
from interpreter.play.native.facts import together as facts
from interpreter.play.native.facts.compared import Compared
from interpreter.play.native.facts.sets import Step, apart
from interpreter.play.native.facts.together import (
    Board,
    Cells,
    Grown,
    Near,
    Together,
    find_together,
)
from interpreter.program import ops

_TESTS = {
    "equal": "eq", "unequal": "ne", "less": "slt", "atMost": "sle", "more": "sgt",
    "atLeast": "sge",
}  # fmt: skip


def ask_together(code: Code, loop: ops.CountLoop, slowly: Callable[[], None]) -> bool:
    """If a loop is one that may be asked of all cells together: do so, or `slowly` where steps
    could run out."""
    if code.mask is not None or code.fn.marking is not None or code.unit.deep:
        return False
    if code.form is not None and code.form.exact:
        return False
    counter = code.counter
    pays = code.free and (counter is None or counter.unpaid(loop) > 0 or counter.pays(loop))
    found = find_together(code.unit.program, loop, pays or not code.free)
    if found is None:
        return False
    if code.free and not pays:
        Asking(code, found, counting=False).go()
        return True
    most = code.unit.steps.of((loop,))
    if most > limits.STEPS_PER_MOVE:
        return False
    if code.ample or code.free:
        Asking(code, found, counting=True).go()
        return True
    few = code.fn.compare("sgt", code.fn.get(code.steps), limits.STEPS_PER_MOVE - most)
    code.fn.choose(few, slowly, lambda: Asking(code, found, counting=True).go())
    code.forget(loop)
    return True


class Bits:
    """Sets of cells in a function, as numbers."""

    def __init__(self, fn: Fn, cells: int) -> None:
        self.fn, self.cells = fn, cells
        self.words = -(-cells // 64)
        self.type = f"i{64 * self.words}"
        self.all = str((1 << cells) - 1)

    def op(self, word: str, left: str, right: str | int) -> str:
        return self.fn.op(f"{word} {self.type} {left}, {right}")

    def both(self, left: str, right: str) -> str:
        if "0" in (left, right):
            return "0"
        if self.all in (left, right):
            return right if left == self.all else left
        return self.op("and", left, right)

    def either(self, left: str, right: str) -> str:
        if "0" in (left, right):
            return right if left == "0" else left
        return self.op("or", left, right)

    def without(self, left: str, right: str) -> str:
        return self.both(left, self.others(right))

    def others(self, cells: str) -> str:
        return self.op("xor", cells, self.all)

    def is_empty(self, cells: str) -> str:
        return self.fn.op(f"icmp eq {self.type} {cells}, 0")

    def lowest(self, cells: str) -> str:
        """The set of the first of some cells."""
        return self.both(cells, self.op("sub", "0", cells))

    def number_of_lowest(self, cells: str) -> str:
        return self.count(self.op("sub", self.lowest(cells), 1))

    def up_to_lowest(self, cells: str) -> str:
        """All cells up to the first of some, or all if there is none."""
        return self.op("xor", cells, self.op("sub", cells, 1))

    def bit(self, cell: str) -> str:
        return self.op("shl", "1", self._wide(cell))

    def count(self, cells: str) -> str:
        fn, found = self.fn, "0"
        for place in range(self.words):
            word = self._narrow(self.op("lshr", cells, 64 * place) if place else cells)
            found = fn.add(found, fn.op(f"call i64 @llvm.ctpop.i64(i64 {word})"))
        return found

    def joined(self, words: list[str]) -> str:
        found = self._wide(words[0])
        for place, word in enumerate(words[1:], 1):
            found = self.op("or", found, self.op("shl", self._wide(word), 64 * place))
        return found

    def moved(self, cells: str, steps: tuple[Step, ...]) -> str:
        """Where steps lead."""
        found = "0"
        for step in steps:
            leaving = self.both(cells, str(step.cells))
            word, by = ("shl", step.by) if step.by >= 0 else ("lshr", -step.by)
            found = self.either(found, self.op(word, leaving, by))
        return found

    def back(self, cells: str, steps: tuple[Step, ...]) -> str:
        """The cells from which steps lead into a set."""
        found = "0"
        for step in steps:
            word, by = ("lshr", step.by) if step.by >= 0 else ("shl", -step.by)
            found = self.either(found, self.both(self.op(word, cells, by), str(step.cells)))
        return found

    def _wide(self, word: str) -> str:
        return word if self.words == 1 else self.fn.op(f"zext i64 {word} to {self.type}")

    def _narrow(self, cells: str) -> str:
        return cells if self.words == 1 else self.fn.op(f"trunc {self.type} {cells} to i64")


class Asking:
    """A loop while it is written."""

    def __init__(self, code: Code, together: Together, *, counting: bool) -> None:
        self.code, self.fn, self.together, self.counting = code, code.fn, together, counting
        self.bits = Bits(code.fn, together.cells)
        self.flat: list[tuple[str, int]] = []  # cells that are asked, and the steps for each
        self.floods: list[_Flooded] = []
        self.known: dict[Compared, str] = {}

    def go(self) -> None:
        code, fn, bits, asked = self.code, self.fn, self.bits, self.together
        here = self.gone_through()
        holding = self.of(asked.condition, here)
        if not asked.wanted:
            holding = bits.without(here, holding)
        slot = local(code, asked.noting.index)
        if asked.counts:
            fn.set(slot, fn.add(fn.get(slot), bits.count(holding)))
        else:
            here = self.up_to_first(here, holding)
            missing = bits.is_empty(holding)
            fn.set(slot, fn.select(missing, fn.get(slot), value(code, asked.noting.value)))
        if self.counting:
            total = fn.add(self._steps(here), asked.rounds)
            if code.free:
                code.pay_steps(total)
            else:
                code.spend(total, -1)
        code.forget((asked.noting,))
        code.known.pop(asked.noting.index, None)

    def gone_through(self) -> str:
        """The cells that the loop goes through."""
        return self.bits.all

    def up_to_first(self, here: str, holding: str) -> str:
        """Those of them that it comes to, if it ends at the first of some."""
        return self.bits.op("and", self.bits.up_to_lowest(holding), here)

    def _steps(self, here: str) -> str:
        fn, bits, total = self.fn, self.bits, "0"
        for cells, steps in self.flat:
            total = fn.add(total, fn.mul(bits.count(bits.both(cells, here)), steps))
        for each in self.floods:
            total = fn.add(total, each.steps(here))
        return total

    def of(self, cells: Cells, asked: str) -> str:
        """The cells, among those that are asked, of which a condition holds."""
        bits = self.bits
        match cells:
            case facts.Fixed(fixed):
                return bits.both(str(fixed), asked)
            case Compared():
                return bits.both(self._compared(cells), asked)
            case facts.Being(who):
                return bits.both(self._being(value(self.code, who)), asked)
            case facts.Not(inner):
                return bits.without(asked, self.of(inner, asked))
            case facts.Joined("and", left, right):
                return self.of(right, self.of(left, asked))
            case facts.Joined(_, left, right):
                one = self.of(left, asked)
                return bits.either(one, self.of(right, bits.without(asked, one)))
            case facts.Paid(steps, inner):
                self.flat.append((asked, steps))
                return self.of(inner, asked)
            case Near():
                return bits.both(self._near(cells), asked)
            case Grown():
                return self._grown(cells, asked)

    def _aside(self, cells: Cells) -> str:
        """Of any cells. What that takes is paid elsewhere."""
        flat, floods = list(self.flat), list(self.floods)
        found = self.of(cells, self.bits.all)
        self.flat, self.floods = flat, floods
        return found

    def _compared(self, compared: Compared) -> str:
        if compared not in self.known:
            content = value(self.code, compared.content)
            self.known[compared] = self._having(compared, content)
        return self.known[compared]

    def _having(self, compared: Compared, content: str) -> str:
        kept, bits = self.code.kept, self.bits
        words = None if kept is None else kept.cells_with(compared, content)
        if words is not None:
            return bits.op("and", bits.joined(words[: bits.words]), bits.all)
        name = f"having{compared.base}_{bits.cells}"
        if name not in self.code.unit.apart:
            self.code.unit.apart.add(name)
            self.code.unit.texts.append(_comparing(name, compared.base, bits.cells))
        found = self.fn.call(name, bits.type, f"{PTR} %m", f"i64 {content}")
        return found if compared.equal else bits.others(found)

    def _being(self, who: str) -> str:
        fn, bits = self.fn, self.bits
        inside = fn.compare("ult", who, bits.cells)
        one = bits.bit(fn.select(inside, who, 0))
        return fn.op(f"select i1 {inside}, {bits.type} {one}, {bits.type} 0")

    def _near(self, near: Near) -> str:
        """Counted in all cells at once: a set for each digit of the number."""
        bits, inner = self.bits, self._aside(near.inner)
        word, number = near.number.word, near.number.value
        if (word, number) in (("more", 0), ("atLeast", 1), ("unequal", 0)):
            return bits.back(inner, apart(tuple(step for way in near.ways for step in way)))
        digits: list[str] = []
        for way in near.ways:
            carried = bits.back(inner, way)
            for place, digit in enumerate(digits):
                digits[place] = bits.op("xor", digit, carried)
                carried = bits.both(digit, carried)
            if 1 << len(digits) <= len(near.ways):
                digits.append(carried)
        most = (1 << len(digits)) - 1
        fitting = [each for each in range(most + 1) if near.number.holds(each)]
        found = [self._digits_of(digits, each) for each in fitting if each <= len(near.ways)]
        return reduce(bits.either, found, "0")

    def _digits_of(self, digits: list[str], number: int) -> str:
        bits, found = self.bits, self.bits.all
        for place, digit in enumerate(digits):
            found = bits.both(found, digit if number >> place & 1 else bits.others(digit))
        return found

    def _grown(self, grown: Grown, asked: str) -> str:
        bits = self.bits
        wanted = self._aside(grown.wanted)
        through = None if grown.through is None else self._aside(grown.through)
        some = (grown.number.word, grown.number.value) in (("more", 0), ("atLeast", 1))
        if not self.counting and through is not None and some:
            first = bits.both(wanted, through)
            return bits.both(grow(self.code, bits, grown.board, first, through), asked)
        flooded = _Flooded(self, grown, asked, wanted)
        flooded.go(through)
        self.floods.append(flooded)
        found = bits.both(self.fn.get(flooded.hits, bits.type), asked)
        if through is not None and grown.number.holds(0):  # what is not let in has no region
            found = bits.either(found, bits.without(asked, through))
        return found

    def content(self, base: int, cell: str) -> str:
        return self.fn.load(self.fn.at("%m", base), cell)

    def same(self, base: int, content: str) -> str:
        return self._having(Compared(base, True, ops.Const(0)), content)


class _Flooded:
    """The regions of some cells."""

    def __init__(self, asking: Asking, grown: Grown, asked: str, wanted: str) -> None:
        fn, bits = asking.fn, asking.bits
        self.asking, self.fn, self.bits, self.grown = asking, fn, bits, grown
        self.asked, self.wanted = asked, wanted
        self.hits, self.number = fn.variable("0", bits.type), fn.variable("0")
        self.regions = fn.slot(f"[{bits.cells} x {bits.type}]") if asking.counting else ""

    def go(self, through: str | None) -> None:
        fn, bits, grown = self.fn, self.bits, self.grown
        first = self.asked if through is None else bits.both(self.asked, through)
        left = fn.variable(first, bits.type)
        set_ = fn.variable("0" if through is None else through, bits.type)
        with fn.loop(lambda: self._some(left)):
            if through is None:
                self._next_content(left, set_)
            now = fn.get(left, bits.type)
            inside = fn.get(set_, bits.type)
            start = bits.lowest(bits.both(now, inside))
            region = grow(self.asking.code, bits, grown.board, start, inside)
            fn.set(left, bits.without(now, region), bits.type)
            there = bits.both(region, self.wanted)
            if (grown.number.word, grown.number.value) == ("more", 0):
                hit = fn.op(f"icmp ne {bits.type} {there}, 0")
            else:
                word = _TESTS[grown.number.word]
                hit = fn.compare(word, bits.count(there), grown.number.value)
            more = fn.op(f"select i1 {hit}, {bits.type} {region}, {bits.type} 0")
            fn.set(self.hits, bits.either(fn.get(self.hits, bits.type), more), bits.type)
            if self.regions:
                number = fn.get(self.number)
                fn.store(self.regions, number, region, bits.type)
                fn.set(self.number, fn.add(number, 1))

    def _some(self, slot: str) -> str:
        return self.fn.op(f"icmp ne {self.bits.type} {self.fn.get(slot, self.bits.type)}, 0")

    def _next_content(self, left: str, set_: str) -> None:
        """All cells with one content before those with another."""
        fn, bits = self.fn, self.bits
        now = fn.get(left, bits.type)
        with fn.when(bits.is_empty(bits.both(now, fn.get(set_, bits.type)))):
            content = self.asking.content(self.grown.same, bits.number_of_lowest(now))
            fn.set(set_, self.asking.same(self.grown.same, content), bits.type)

    def steps(self, here: str) -> str:
        """A flood for each cell that was asked, by the size of its region."""
        fn, bits, grown = self.fn, self.bits, self.grown
        asked = bits.both(self.asked, here)
        total = fn.variable(fn.mul(bits.count(asked), bits.cells))
        flood = 2 + grown.board.ways
        with fn.count(0, fn.get(self.number)) as number:
            region = fn.load(self.regions, number, bits.type)
            mine = bits.both(region, asked)
            size, often = bits.count(region), bits.count(mine)
            visits = flood if grown.looks else flood + grown.visit
            each = fn.mul(fn.mul(size, often), visits)
            fn.set(total, fn.add(fn.get(total), each))
            if grown.looks and grown.visit:
                visited = fn.mul(self._visited(region, mine, size, often), grown.visit)
                fn.set(total, fn.add(fn.get(total), visited))
        return fn.get(total)

    def _visited(self, region: str, mine: str, size: str, often: str) -> str:
        """The visits until one is found, of all floods of a region."""
        fn, bits = self.fn, self.bits
        found = bits.both(self.wanted, region)
        at_once = bits.both(mine, found)
        total = fn.variable(bits.count(at_once))
        left = fn.variable(bits.without(mine, found), bits.type)
        with fn.when(bits.is_empty(found)):
            fn.set(total, fn.mul(size, often))
            fn.set(left, "0", bits.type)
        with fn.loop(lambda: self._some(left)):
            now = fn.get(left, bits.type)
            start = bits.number_of_lowest(now)
            fn.set(left, bits.without(now, bits.lowest(now)), bits.type)
            place = _place_of_first(self.asking.code, bits, self.grown.board, start, region, found)
            fn.set(total, fn.add(fn.get(total), place))
        return fn.get(total)


def _comparing(name: str, base: int, cells: int) -> str:
    """`having(m, content)`: the cells of a board that have it."""
    kind = Bits(Fn("", "", []), cells).type
    fn = Fn(name, kind, [(PTR, "m"), (I64, "content")])
    compared = Compared(base, True, ops.Const(0))
    fn.ret(Bits(fn, cells).joined(compare_cells(fn, compared, 0, cells, "%content")))
    return fn.text()


def grow(code: Code, bits: Bits, board: Board, start: str, inside: str) -> str:
    """All cells that hang together with some, inside a set."""
    name = f"grow{board.table}"
    if name not in code.unit.apart:
        code.unit.apart.add(name)
        code.unit.texts.append(_growing(name, board))
    given = (f"{bits.type} {start}", f"{bits.type} {inside}")
    return bits.fn.call(name, bits.type, *given)


def _growing(name: str, board: Board) -> str:
    kind = Bits(Fn("", "", []), board.cells).type
    fn = Fn(name, kind, [(kind, "start"), (kind, "inside")])
    bits = Bits(fn, board.cells)
    found, before = fn.variable("%start", kind), fn.variable("0", kind)
    differ = lambda: fn.op(f"icmp ne {kind} {fn.get(found, kind)}, {fn.get(before, kind)}")  # noqa: E731
    with fn.loop(differ, short=True):
        now = fn.get(found, kind)
        fn.set(before, now, kind)
        more = bits.both(bits.moved(now, board.steps), "%inside")
        fn.set(found, bits.either(now, more), kind)
    fn.ret(fn.get(found, kind))
    return fn.text()


def _place_of_first(
    code: Code, bits: Bits, board: Board, start: str, region: str, wanted: str
) -> str:
    """Which of the cells of a region, in the order in which a flood finds them, is the first that
    is wanted, counted from 1. There is one, and it is not the start."""
    name = f"place{board.table}"
    if name not in code.unit.apart:
        code.unit.apart.add(name)
        code.unit.texts.append(_placing(code, name, board))
    given = (f"i64 {start}", f"{bits.type} {region}", f"{bits.type} {wanted}")
    return bits.fn.call(name, I64, *given)


def _placing(code: Code, name: str, board: Board) -> str:
    kind = Bits(Fn("", "", []), board.cells).type
    fn = Fn(name, I64, [(I64, "start"), (kind, "region"), (kind, "wanted")], attributes="noinline")
    inner = Code(fn, code.unit, "", "0", "", lambda found: None)
    table = code.unit.program.tables[board.table][: board.cells * board.ways]
    # Where a step leads nowhere, the cell itself stands there, which is out already.
    targets = tuple(to if to >= 0 else at % board.cells for at, to in enumerate(table))
    queue, size, next_ = fn.slot(f"[{board.cells} x i64]"), fn.variable("1"), fn.variable("0")
    fn.store(queue, 0, "%start")
    left, wanted = fn.variable("%region", kind), fn.variable("%wanted", kind)
    _take_out(fn, left, "%start")
    again, end = fn.label(), fn.label()
    fn.place(again)
    cell = _inside(fn, fn.load(queue, fn.get(next_)), board)
    fn.set(next_, fn.add(fn.get(next_), 1))
    with fn.count(0, board.ways) as way:
        there = _inside(fn, found_at(inner, targets, fn.add(fn.mul(way, board.cells), cell)), board)
        with fn.when(is_in(fn, left, there)):
            _take_out(fn, left, there)
            last = fn.get(size)
            fn.store(queue, last, there)
            fn.set(size, fn.add(last, 1))
            fn.go_unless(fn.op(f"xor i1 {is_in(fn, wanted, there)}, true"), end)
    fn.goto(again)
    fn.place(end)
    fn.ret(fn.get(size))
    return fn.text()


def _inside(fn: Fn, cell: str, board: Board) -> str:
    fn.line(f"call void @llvm.assume(i1 {fn.compare('ult', cell, board.cells)})")
    return cell


def is_in(fn: Fn, slot: str, cell: str) -> str:
    """Whether a set has a cell; in memory, that is one word."""
    word = fn.load(slot, fn.op(f"lshr i64 {cell}, 6"))
    return fn.op(f"trunc i64 {fn.op(f'lshr i64 {word}, {fn.both(cell, 63)}')} to i1")


def put_in(fn: Fn, slot: str, cell: str) -> None:
    place = fn.at(slot, fn.op(f"lshr i64 {cell}, 6"))
    bit = fn.op(f"shl i64 1, {fn.both(cell, 63)}")
    fn.store(place, 0, fn.either(fn.load(place), bit))


def _take_out(fn: Fn, slot: str, cell: str) -> None:
    place = fn.at(slot, fn.op(f"lshr i64 {cell}, 6"))
    bit = fn.op(f"shl i64 1, {fn.both(cell, 63)}")
    fn.store(place, 0, fn.both(fn.load(place), fn.op(f"xor i64 {bit}, -1")))

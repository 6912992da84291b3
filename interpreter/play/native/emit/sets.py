"""Whether a group touches something, with sets of bits: see facts/sets.py.

Once for each enumeration it is noted which cells have which content, a set for each, and which have
two such beside them. A trial changes few cells: these are put right in the two sets that are
needed. Most trials have written only one cell when they ask, and then a cell that had two of what
is looked for beside it still has one.

Else the group grows from its cell until it touches something or is whole, and what was found is
kept for the next time, with what is beside it. It does not matter when that was, or in which game:
cells that hang together still do if all of them have the content. If what is looked for is beside
them, the group touches it; if no more of the group is, they are the whole of it; and otherwise it
grows on from there.
"""

from __future__ import annotations

from collections.abc import Callable

from interpreter.play.native.emit import context
from interpreter.play.native.emit.code import PASSED, STATE, Code, Unit
from interpreter.play.native.emit.expressions import looked_up, value
from interpreter.play.native.emit.text import PTR, VOID, Fn
from interpreter.play.native.emit.trials import swapped
from interpreter.play.native.facts import sets as facts
from interpreter.play.native.facts.sets import Asking, Sets, Step

_LANES = 8
_PAIR = 16  # bytes: what a trial keeps of a cell that it writes


class Group:
    """What is asked about a group, written into the code of who asks."""

    def __init__(self, code: Code, sets: Sets, area: str) -> None:
        self.code, self.fn, self.sets, self.area = code, code.fn, sets, area
        self.type = f"i{facts.width(sets)}"
        self.bytes = facts.width(sets) // 8

    def touches_anyway(self, give_up: Callable[[str], None]) -> str:
        """Whether the cell that it begins with does, though the trial has written one beside it."""
        fn, code, sets = self.fn, self.code, self.sets
        start, same, wanted = (value(code, op) for op in (sets.start, sets.same, sets.wanted))
        number = fn.sub(wanted, sets.low)
        give_up(fn.compare("uge", start, sets.cells))
        give_up(fn.compare("uge", number, sets.contents))
        few = fn.compare("ule", written(fn), _PAIR)
        inside = fn.compare("eq", fn.load(fn.at("%m", sets.base), start), same)
        sure = fn.op(f"and i1 {inside}, {self._has(self._twice(number), start)}")
        return fn.op(f"and i1 {sure}, {few}")

    def is_new(self) -> str:
        """Whether nothing is known yet."""
        return self.fn.compare("eq", self.fn.load(self.area, facts.KNOWN), 0)

    def note_contents(self) -> None:
        """Which cells have which content, or two such beside them."""
        fn, sets = self.fn, self.sets
        first = fn.at("%m", sets.base)
        with fn.count(0, sets.contents) as number:
            found = self._all_with(first, fn.add(number, sets.low))
            fn.line(f"store {self.type} {found}, {PTR} {self._place(number)}, align 8")
            twice = self._with_two(found)
            fn.line(f"store {self.type} {twice}, {PTR} {self._twice(number)}, align 8")
            fn.store(self._number(number), 0, self.counted(found))
        fn.store(self.area, facts.KNOWN, 1)

    def most_steps(self, same: str | None = None) -> str:
        """The most steps that the rules could take for it: a group has no more cells than there are
        with its content, and as many as the trial has written."""
        fn, code, sets = self.fn, self.code, self.sets
        new = fn.op(f"lshr i64 {written(fn)}, {_PAIR.bit_length() - 1}")
        size = fn.add(same or self._how_many(value(code, sets.same)), new)
        visit = sets.spread + 2 + (sets.ways if sets.floods == 1 else 0)
        once = fn.add(fn.mul(size, sets.floods * visit), sets.floods * (sets.cells + 1))
        if not sets.afar:
            return once
        asked = fn.add(self._how_many(value(code, sets.wanted)), new)
        return fn.add(fn.mul(asked, once), sets.cells)

    def _number(self, content: str) -> str:
        return self.fn.at(self.fn.at(self.area, facts.numbers(self.sets)), content)

    def _how_many(self, content: str) -> str:
        """Cells that had a content before the trial."""
        last = self.sets.contents - 1
        number = self.fn.sub(content, self.sets.low)
        number = self.fn.op(f"call i64 @llvm.umin.i64(i64 {number}, i64 {last})")
        return self.fn.load(self._number(number))

    def most_of_any(self) -> str:
        """Of the content that most cells have."""
        found = "0"
        for number in range(self.sets.contents):
            held = self.fn.load(self._number(str(number)))
            found = self.fn.op(f"call i64 @llvm.smax.i64(i64 {found}, i64 {held})")
        return found

    def _with_two(self, cells: str) -> str:
        """The cells from which two steps lead into a set."""
        once, twice = "0", "0"
        for step in facts.apart(self.sets.looking):
            here = self._back(cells, (step,))
            if once != "0":
                twice = self._or(twice, self._and(once, here))
            once = self._or(once, here)
        return twice

    def may_touch_nothing(self, asking: Asking, near: str, plain: str) -> tuple[str, str]:
        """Whether a neighbour that is asked about may touch nothing of what is looked for, and all
        that are asked about. `plain` is where to go if that cannot be told this way."""
        fn, code, sets = self.fn, self.code, self.sets

        fn.go_unless(fn.compare("eq", written(fn), _PAIR), plain)
        origin = value(code, asking.origin)
        fn.go_unless(fn.compare("ult", origin, sets.cells), plain)
        asked = (*(each.value for each in asking.contents), asking.wanted)
        numbers = [fn.sub(value(code, each), sets.low) for each in asked]
        for number in numbers:
            fn.go_unless(fn.compare("ult", number, sets.contents), plain)
        those = "-1"
        for each, number in zip(asking.contents, numbers, strict=False):
            having = self._held(self._place(number))
            those = (self._and if each.equal else self._without)(those, having)
        twice = self._held(self._twice(numbers[-1]))
        change = fn.load(fn.load("%c", context.TRIAL, PTR))
        cell = fn.sub(fn.op(f"ashr exact i64 {change}, 3"), sets.base)
        inside = fn.compare("ult", cell, sets.cells)
        bit = self._bit(fn.select(inside, cell, 0))
        beside = self._held(fn.at(near, origin, self.type))
        bit = fn.op(f"select i1 {inside}, {self.type} {bit}, {self.type} 0")
        all_ = self._and(beside, self._or(those, bit))
        return self._meet(beside, self._or(self._without(those, twice), bit)), all_

    def _held(self, place: str) -> str:
        return self.fn.op(f"load {self.type}, {PTR} {place}, align 8")

    def _all_with(self, first: str, content: str) -> str:
        fn, cells = self.fn, self.sets.cells
        whole = "0"
        for begin in range(0, cells, _LANES):
            lanes = min(_LANES, cells - begin)
            row, bits = f"<{lanes} x i64>", f"<{lanes} x i1>"
            here = fn.op(f"load {row}, {PTR} {fn.at(first, begin)}, align 8")
            one = fn.op(f"insertelement {row} poison, i64 {content}, i64 0")
            all_ = fn.op(
                f"shufflevector {row} {one}, {row} poison, <{lanes} x i32> zeroinitializer"
            )
            same = fn.op(f"icmp eq {row} {here}, {all_}")
            part = fn.op(f"bitcast {bits} {same} to i{lanes}")
            if f"i{lanes}" != self.type:
                part = fn.op(f"zext i{lanes} {part} to {self.type}")
            whole = self._or(whole, self._op("shl", part, str(begin)))
        return whole

    def touches(self, give_up: Callable[[str], None]) -> str:
        """Whether the group does. `give_up` is told when it cannot be told this way."""
        fn, code, sets = self.fn, self.code, self.sets
        start, same, wanted = (value(code, op) for op in (sets.start, sets.same, sets.wanted))
        give_up(fn.compare("uge", start, sets.cells))
        of_group, of_wanted = (fn.sub(each, sets.low) for each in (same, wanted))
        for each in (of_group, of_wanted):
            give_up(fn.compare("uge", each, sets.contents))
        places = (self._place(each) for each in (of_group, of_wanted))
        slots = [fn.variable(self._held(place), self.type) for place in places]
        self._put_right(((slots[0], same), (slots[1], wanted)))
        group, others = (fn.get(slot, self.type) for slot in slots)
        first = self._bit(start)
        reached, found = fn.variable(first, self.type), fn.variable("0")
        keeps = sets.spreading == sets.looking
        kept = self._kept_group(of_group, start) if keeps else ()
        grow, end = fn.label(), fn.label()
        if kept:
            known, around = (self._held(each) for each in kept)
            whole = self._or(self._without(known, group), self._without(first, known))
            with fn.when(self._is_empty(whole)):
                fn.set(found, fn.widen(self._meet(around, others)))
                more = self._or(known, self._and(around, group))
                fn.go_unless(self._is_empty(self._and(around, others)), end)
                fn.go_unless(self._differ(more, known), end)
                fn.set(reached, more, self.type)
                fn.goto(grow)
        fn.go_unless(self._meet(first, group), end)  # the start is not let in
        fn.place(grow)
        self._grow(reached, group, others, found, kept)
        fn.place(end)
        return fn.get(found)

    def _grow(
        self, reached: str, group: str, others: str, found: str, kept: tuple[str, ...]
    ) -> None:
        """Until it touches others or is whole; keep what was found."""
        fn, sets = self.fn, self.sets
        beside = fn.slot(self.type)
        again, onward, end = (fn.label() for _ in range(3))
        fn.place(again)
        now = fn.get(reached, self.type)
        near = self._moved(now, sets.looking)
        fn.set(beside, near, self.type)
        hit = self._meet(near, others)
        fn.set(found, fn.widen(hit))
        fn.branch(hit, end, onward)
        fn.place(onward)
        if sets.spreading != sets.looking:
            near = self._moved(now, sets.spreading)
        more = self._or(now, self._and(near, group))
        fn.set(reached, more, self.type)
        fn.branch(self._differ(more, now), again, end)
        fn.place(end)
        for place, slot in zip(kept, (reached, beside), strict=False):
            fn.line(f"store {self.type} {fn.get(slot, self.type)}, {PTR} {place}, align 8")

    def _kept_group(self, content: str, cell: str) -> tuple[str, ...]:
        """Where a group is kept that was found from a cell, and what is beside it."""
        fn = self.fn
        number = fn.add(fn.mul(content, self.sets.cells), cell)
        first = fn.at(fn.at(self.area, facts.groups(self.sets)), fn.mul(number, 2), self.type)
        return first, fn.at(first, 1, self.type)

    def _without(self, left: str, right: str) -> str:
        return self._and(left, self._op("xor", right, "-1"))

    def touches_in_steps(self, plain: str) -> tuple[str, str]:
        """Whether the group does, or how often, in the state as it stands, and the steps that the
        rules would take. `plain` is where to go if that cannot be told this way."""
        fn, code, sets = self.fn, self.code, self.sets
        start, same, wanted = (value(code, op) for op in (sets.start, sets.same, sets.wanted))
        fn.go_unless(fn.compare("ult", start, sets.cells), plain)
        cells = fn.at("%m", sets.base)
        fn.go_unless(fn.compare("eq", fn.load(cells, start), same), plain)
        group, others = (self._all_with(cells, each) for each in (same, wanted))
        reached, before = fn.variable(self._bit(start), self.type), fn.variable("0", self.type)
        with fn.loop(lambda: self._differ(fn.get(reached, self.type), fn.get(before, self.type))):
            now = fn.get(reached, self.type)
            fn.set(before, now, self.type)
            more = self._and(self._moved(now, sets.spreading), group)
            fn.set(reached, self._or(now, more), self.type)
        whole = fn.get(reached, self.type)
        if sets.afar:
            return self._counted_from_afar(start, whole, others)
        number = self.counted(whole)
        visited, gone = fn.variable(number), fn.mul(number, sets.spread + 2)
        if sets.counts:
            found = "0"
            for step in sets.looking:
                there = self._and(self._moved(whole, (step,)), others)
                found = fn.add(found, self.counted(there))
        else:
            touching = self._and(self._back(others, sets.looking), whole)
            found = fn.widen(self._differ(touching, "0"))
            with fn.when(fn.compare("ne", found, 0)):
                fn.set(visited, self._place_of_first(start, whole, touching))
        looked = fn.mul(fn.get(visited), sets.ways)
        return found, fn.add(fn.add(looked, gone), sets.cells)

    def _counted_from_afar(self, start: str, group: str, others: str) -> tuple[str, str]:
        """The same where all cells are gone through. Who only asks for one stops there."""
        fn, sets = self.fn, self.sets
        beside = self._and(self._moved(group, sets.looking), others)
        found = self.counted(beside)
        if not sets.counts:
            below = self._op("xor", beside, self._op("sub", beside, "1"))  # all if there is none
            others, beside = self._and(others, below), self._and(beside, below)
            found = fn.widen(self._differ(beside, "0"))
        number, asked = self.counted(group), self.counted(others)
        flood = fn.add(fn.mul(number, sets.spread + 2), sets.cells)
        if sets.floods > 1:
            floods, left = "0", others
            for step in map(facts.turned, sets.looking):
                going = self._and(left, str(step.cells))
                floods = fn.add(floods, self.counted(going))
                left = self._without(left, self._and(self._back(group, (step,)), going))
            steps = fn.add(fn.mul(floods, flood), fn.mul(asked, sets.ways))
        else:
            missed = fn.mul(self.counted(self._without(others, beside)), number)
            visits = fn.add(missed, self._places_of(start, group, beside))
            steps = fn.add(fn.mul(asked, flood), fn.mul(visits, sets.ways))
        return found, fn.add(steps, sets.cells)

    def _places_of(self, start: str, group: str, wanted: str) -> str:
        """For each cell that is wanted the place of the first in a group that it is beside of, in
        the order in which they are found, counted from 1; all together."""
        fn, left, total = self.fn, self.fn.variable(wanted, self.type), self.fn.variable("0")

        def look(cell: str, place: str) -> None:
            near = self._moved(self._bit(cell), self.sets.looking)
            new = self._and(near, fn.get(left, self.type))
            fn.set(left, self._without(fn.get(left, self.type), new), self.type)
            fn.set(total, fn.add(fn.get(total), fn.mul(self.counted(new), place)))

        with fn.when(self._differ(wanted, "0")):
            self._in_order(start, group, lambda: self._is_empty(fn.get(left, self.type)), look)
        return fn.get(total)

    def _place_of_first(self, start: str, group: str, wanted: str) -> str:
        """Which of the cells of a group, in the order in which they are found, is the first that is
        wanted, counted from 1. There is one."""
        fn = self.fn
        asked, found = fn.variable(wanted, self.type), fn.variable("0")

        def look(cell: str, place: str) -> None:
            fn.set(found, fn.select(self._has(asked, cell), place, 0))

        self._in_order(start, group, lambda: fn.compare("ne", fn.get(found), 0), look)
        return fn.get(found)

    def _in_order(
        self, start: str, group: str, is_over: Callable[[], str], look: Callable[[str, str], None]
    ) -> None:
        """Go through the cells of a group in the order in which they are found, with their places
        from 1 on, until it is over, which it is by then."""
        fn, sets = self.fn, self.sets
        queue, size, next_ = fn.slot(f"[{sets.cells} x i64]"), fn.variable("1"), fn.variable("0")
        left = fn.variable(group, self.type)
        self._take_out(left, start)
        fn.store(queue, 0, start)
        again, onward, end = (fn.label() for _ in range(3))
        fn.place(again)
        now = fn.get(next_)
        cell, place = self._inside(fn.load(queue, now)), fn.add(now, 1)
        fn.set(next_, place)
        look(cell, place)
        fn.branch(is_over(), end, onward)
        fn.place(onward)
        with fn.count(0, sets.spread) as way:
            beside = looked_up(self.code, sets.table, fn.add(fn.mul(way, sets.cells), cell))
            there = fn.select(fn.compare("sge", beside, 0), beside, start)  # which is out already
            with fn.when(self._has(left, there)):
                self._take_out(left, there)
                last = fn.get(size)
                fn.store(queue, last, there)
                fn.set(size, fn.add(last, 1))
        fn.goto(again)
        fn.place(end)

    def _inside(self, cell: str) -> str:
        inside = self.fn.compare("ult", cell, self.sets.cells)
        self.fn.line(f"call void @llvm.assume(i1 {inside})")
        return cell

    def _has(self, cells: str, cell: str) -> str:
        """Whether a set that lies in a slot has a cell."""
        fn = self.fn
        word = fn.load(cells, fn.op(f"lshr i64 {cell}, 6"))
        bit = fn.op(f"lshr i64 {word}, {fn.both(cell, 63)}")
        return fn.op(f"trunc i64 {bit} to i1")

    def _take_out(self, cells: str, cell: str) -> None:
        fn = self.fn
        place = fn.at(cells, fn.op(f"lshr i64 {cell}, 6"))
        bit = fn.op(f"shl i64 1, {fn.both(cell, 63)}")
        fn.store(place, 0, fn.both(fn.load(place), fn.op(f"xor i64 {bit}, -1")))

    def _differ(self, left: str, right: str) -> str:
        return self.fn.op(f"icmp ne {self.type} {left}, {right}")

    def _is_empty(self, cells: str) -> str:
        return self.fn.op(f"icmp eq {self.type} {cells}, 0")

    def _meet(self, one: str, other: str) -> str:
        return self._differ(self._and(one, other), "0")

    def counted(self, cells: str) -> str:
        fn, found = self.fn, "0"
        for begin in range(0, facts.width(self.sets), 64):
            word = self._op("lshr", cells, str(begin))
            if self.type != "i64":
                word = fn.op(f"trunc {self.type} {word} to i64")
            found = fn.add(found, fn.op(f"call i64 @llvm.ctpop.i64(i64 {word})"))
        return found

    def _put_right(self, wanted: tuple[tuple[str, str], ...]) -> None:
        """In sets of cells with a content: those that the trial has written."""
        fn, sets = self.fn, self.sets
        end = fn.load("%c", context.TRIALS, PTR)
        pair = fn.variable(fn.load("%c", context.TRIAL, PTR), PTR)
        with fn.loop(lambda: fn.op(f"icmp ne ptr {fn.get(pair, PTR)}, {end}"), short=True):
            now = fn.get(pair, PTR)
            cell = fn.sub(fn.op(f"ashr exact i64 {fn.load(now, 0)}, 3"), sets.base)
            with fn.when(fn.compare("ult", cell, sets.cells)):
                bit = self._bit(cell)
                rest = self._op("xor", bit, "-1")
                held = fn.load(fn.at("%m", sets.base), cell)
                for slot, content in wanted:
                    same = fn.compare("eq", held, content)
                    mine = fn.op(f"select i1 {same}, {self.type} {bit}, {self.type} 0")
                    before = self._and(fn.get(slot, self.type), rest)
                    fn.set(slot, self._or(before, mine), self.type)
            fn.set(pair, fn.at(now, 2), PTR)

    def _moved(self, cells: str, steps: tuple[Step, ...]) -> str:
        found = "0"
        for step in steps:
            leaving = self._and(cells, str(step.cells))
            word, by = ("shl", step.by) if step.by >= 0 else ("lshr", -step.by)
            found = self._or(found, self._op(word, leaving, str(by)))
        return found

    def _back(self, cells: str, steps: tuple[Step, ...]) -> str:
        """The cells from which steps lead into a set."""
        found = "0"
        for step in steps:
            word, by = ("lshr", step.by) if step.by >= 0 else ("shl", -step.by)
            found = self._or(found, self._and(self._op(word, cells, str(by)), str(step.cells)))
        return found

    def _bit(self, cell: str) -> str:
        if self.type != "i64":
            cell = self.fn.op(f"zext i64 {cell} to {self.type}")
        return self._op("shl", "1", cell)

    def _place(self, number: str) -> str:
        first = self.fn.at(self.area, facts.SETS)
        return self.fn.at(first, self.fn.mul(number, self.bytes // 8))

    def _twice(self, number: str) -> str:
        return self.fn.at(self._place(number), self.sets.contents * self.bytes // 8)

    def _op(self, word: str, left: str, right: str) -> str:
        return self.fn.op(f"{word} {self.type} {left}, {right}")

    def _and(self, left: str, right: str) -> str:
        return self._op("and", left, right)

    def _or(self, left: str, right: str) -> str:
        return right if left == "0" else self._op("or", left, right)


def written(fn: Fn) -> str:
    """How much the trial has kept so far of what it wrote, in bytes."""
    ends = (fn.load("%c", each, PTR) for each in (context.TRIALS, context.TRIAL))
    end, start = (fn.op(f"ptrtoint {PTR} {each} to i64") for each in ends)
    return fn.sub(end, start)


def touch_in_steps(code: Code, sets: Sets) -> None:
    """Where steps are counted: the answer if it can be told at once, in as many steps."""
    fn, plain = code.fn, code.fn.label()
    answer, more = Group(code, sets, "").touches_in_steps(plain)
    code.spend(more, -1)
    code.returning(answer)
    fn.place(plain)


def note_if_new(code: Code, group: Group, number: int) -> None:
    """What has to be noted before anything is asked, if it is not yet."""
    with code.fn.when(group.is_new(), rare=True):
        code.fn.call(f"note_sets{number}", VOID, PASSED)


def emit_noting(unit: Unit, number: int) -> None:
    """`note_sets(m, c)`: the contents of all cells, as they were before the trial."""
    fn = Fn(f"note_sets{number}", VOID, STATE, attributes="noinline")
    code = Code(fn, unit, fn.variable("0"), "0", "failed", lambda value: None)
    watch = unit.watched.functions[number]
    assert watch.sets is not None
    area = fn.at(fn.load("%c", context.WATCHED, PTR), watch.sets_start)
    swapped(fn, Group(code, watch.sets, area).note_contents)
    fn.ret()
    unit.texts.append(fn.text())

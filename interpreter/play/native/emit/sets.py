"""Whether a group touches something, with sets of bits: see facts/sets.py.

Once for each enumeration it is noted which cells have which content, a set for each. A trial
changes few cells: these are put right in the two sets that are needed.
"""

from __future__ import annotations

from collections.abc import Callable

from interpreter.play.native.emit import context
from interpreter.play.native.emit.code import Code
from interpreter.play.native.emit.expressions import looked_up, value
from interpreter.play.native.emit.text import PTR
from interpreter.play.native.facts import sets as facts
from interpreter.play.native.facts.sets import Sets, Step

_LANES = 8


class Group:
    """What is asked about a group, written into the code of who asks."""

    def __init__(self, code: Code, sets: Sets, area: str) -> None:
        self.code, self.fn, self.sets, self.area = code, code.fn, sets, area
        self.type = f"i{facts.width(sets)}"
        self.bytes = facts.width(sets) // 8

    def touches_at_once(self, give_up: Callable[[str], None]) -> str:
        """Whether the cell that it begins with does."""
        fn, code, sets = self.fn, self.code, self.sets
        start, same, wanted = (value(code, op) for op in (sets.start, sets.same, sets.wanted))
        give_up(fn.compare("uge", start, sets.cells))
        first = fn.at("%m", sets.base)
        found = "false"
        for way in range(sets.ways):
            beside = looked_up(code, sets.table, fn.add(start, way * sets.cells))
            there = fn.compare("sge", beside, 0)
            held = fn.load(first, fn.select(there, beside, 0))
            here = fn.op(f"and i1 {there}, {fn.compare('eq', held, wanted)}")
            found = fn.op(f"or i1 {found}, {here}")
        inside = fn.compare("eq", fn.load(first, start), same)
        return fn.op(f"and i1 {inside}, {found}")

    def is_new(self) -> str:
        """Whether nothing is known yet."""
        return self.fn.compare("eq", self.fn.load(self.area, facts.KNOWN), 0)

    def note_contents(self) -> None:
        """Which cells have which content."""
        fn, sets = self.fn, self.sets
        first = fn.at("%m", sets.base)
        with fn.count(0, sets.contents) as number:
            found = self._all_with(first, fn.add(number, sets.low))
            fn.line(f"store {self.type} {found}, {PTR} {self._place(number)}, align 8")
        fn.store(self.area, facts.KNOWN, 1)

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
        group, others = (fn.slot(self.type) for _ in range(2))
        for slot, number in ((group, of_group), (others, of_wanted)):
            held = fn.op(f"load {self.type}, {PTR} {self._place(number)}, align 8")
            fn.set(slot, held, self.type)
        self._put_right(((group, same), (others, wanted)))
        reached = fn.variable(self._bit(start), self.type)
        inside = self._and(fn.get(reached, self.type), fn.get(group, self.type))
        found = fn.variable("0")
        again, grow, hit, end = (fn.label() for _ in range(4))
        fn.branch(fn.op(f"icmp eq {self.type} {inside}, 0"), end, again)  # the start is not let in
        fn.place(again)
        now = fn.get(reached, self.type)
        beside = self._moved(now, sets.looking)
        there = self._and(beside, fn.get(others, self.type))
        fn.branch(fn.op(f"icmp ne {self.type} {there}, 0"), hit, grow)
        fn.place(grow)
        if sets.spreading != sets.looking:
            beside = self._moved(now, sets.spreading)
        more = self._or(now, self._and(beside, fn.get(group, self.type)))
        fn.set(reached, more, self.type)
        fn.branch(fn.op(f"icmp ne {self.type} {more}, {now}"), again, end)
        fn.place(hit)
        fn.set(found, "1")
        fn.place(end)
        return fn.get(found)

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

    def _bit(self, cell: str) -> str:
        if self.type != "i64":
            cell = self.fn.op(f"zext i64 {cell} to {self.type}")
        return self._op("shl", "1", cell)

    def _place(self, number: str) -> str:
        first = self.fn.at(self.area, facts.SETS)
        return self.fn.at(first, self.fn.mul(number, self.bytes // 8))

    def _op(self, word: str, left: str, right: str) -> str:
        return self.fn.op(f"{word} {self.type} {left}, {right}")

    def _and(self, left: str, right: str) -> str:
        return self._op("and", left, right)

    def _or(self, left: str, right: str) -> str:
        return right if left == "0" else self._op("or", left, right)

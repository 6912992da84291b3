"""Loops through the pieces of a place that are sorted first: see facts/sorting.py.

For each sort there is a word with the rounds whose piece is of it. They are found when the first of
these loops is come to, and stay until the loop around it ends.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from interpreter.play.native.emit.code import Code, SortedPlace
from interpreter.play.native.emit.expressions import local, value
from interpreter.play.native.facts.sorting import (
    Sorting,
    asks_whether,
    counts,
    notes,
    sorted_inside,
)
from interpreter.program import ops

_ROUND = Callable[[tuple[ops.Statement, ...], str, str, str], None]


def sort_inside(code: Code, outer: ops.CountLoop) -> dict[int, SortedPlace]:
    """Before a loop begins: room for what loops in it go by."""
    if code.occupied is None or code.counter is None or code.mask is not None:
        return {}
    if code.fn.marking is not None:  # more would be read than is asked for
        return {}
    fn = code.fn
    found = sorted_inside(code.counter, outer)
    return {
        loop: SortedPlace(
            sorting, fn.slot(f"[{sorting.sorts + 1} x i64]"), fn.variable("0"), fn.variable("0")
        )
        for loop, sorting in found.items()
        if loop not in code.sorted_places
    }


def go_through_sort(code: Code, loop: ops.CountLoop, high: str, one: _ROUND) -> bool:
    """Whether a loop goes only through the rounds of the sort it is about; `one` writes a round:
    what is done in it, its number, where to go on after the loop, and where the next is."""
    place = code.sorted_places.get(id(loop))
    if place is None or code.mask is not None:
        return False
    fn, sorting = code.fn, place.sorting
    _be_ready(code, loop, high, place)
    rounds = _rounds_of(code, place, value(code, sorting.wanted))
    counted, noted = counts(sorting), notes(sorting)
    if counted is not None:
        slot = local(code, counted)
        more = fn.op(f"call i64 @llvm.ctpop.i64(i64 {rounds})")
        fn.set(slot, fn.add(fn.get(slot), more))
    elif noted is not None:
        slot = local(code, noted.index)
        new = value(code, noted.value)
        fn.set(slot, fn.select(fn.compare("ne", rounds, 0), new, fn.get(slot)))
    else:
        _go_through(code, rounds, sorting, one)
    return True


class SortsAsked:
    """A loop in which it is asked whether a place holds pieces of a sort, as one in which a bit is
    asked for. What was a loop is plain then, and need not be come to by a jump."""

    def __init__(self, code: Code, loop: ops.CountLoop) -> None:
        self.code = code
        self.asked: list[tuple[ops.CountLoop, SortedPlace]] = []
        ends = (base + size for base, (_, size) in code.arrays.items())
        self.free = max([*code.scalars, *ends], default=0) + 1  # a local that nobody uses
        self.loop = loop
        if code.sorted_places and code.free and code.mask is None:
            body = self._statements(loop.body)
            self.loop = replace(loop, body=body) if self.asked else loop

    def prepare(self) -> None:
        """Before the loop: find the bits."""
        if self.code.noting is not None:
            self.code.noting([loop for loop, _ in self.asked])
        for number, (loop, place) in enumerate(self.asked, self.free):
            _be_ready(self.code, loop, value(self.code, loop.high), place)
            self.code.scalars[number] = place.present
            self.code.sorts_there.add(number)

    def _statements(self, body: tuple[ops.Statement, ...]) -> tuple[ops.Statement, ...]:
        return tuple(
            replace(each, condition=self._condition(each.condition), then=then)
            if isinstance(each, ops.When) and (then := self._statements(each.then))
            else each
            for each in body
        )

    def _condition(self, condition: ops.Expr) -> ops.Expr:
        match condition:
            case ops.Binary("and", left, right):
                return replace(condition, left=self._condition(left), right=self._condition(right))
            case ops.Sequence((ops.SetLocal(_, ops.Const()), ops.CountLoop() as loop)):
                place, counter = self.code.sorted_places.get(id(loop)), self.code.counter
                if place is None or counter is None:
                    return condition
                if not asks_whether(counter, condition, place.sorting):
                    return condition
                bits = ops.Local(self.free + len(self.asked))
                self.asked.append((loop, place))
                sort = ops.Binary("subtract", place.sorting.wanted, ops.Const(place.sorting.low))
                bit = ops.Binary("shift", ops.Const(1), sort)
                return ops.Binary("unequal", ops.Binary("bitAnd", bits, bit), ops.Const(0))
            case _:  # it asks for something else
                return condition


def _go_through(code: Code, rounds: str, sorting: Sorting, one: _ROUND) -> None:
    fn, left = code.fn, code.fn.variable(rounds)
    again, body, end = fn.label(), fn.label(), fn.label()
    fn.place(again)
    now = fn.get(left)
    fn.branch(fn.compare("eq", now, 0), end, body)
    fn.place(body)
    fn.set(left, fn.both(now, fn.sub(now, 1)))
    one(sorting.body, fn.op(f"call i64 @llvm.cttz.i64(i64 {now}, i1 true)"), end, again)
    fn.goto(again)
    fn.place(end)


def _be_ready(code: Code, loop: ops.CountLoop, high: str, place: SortedPlace) -> None:
    fn = code.fn
    with fn.when(fn.compare("eq", fn.get(place.ready), 0)):
        _sort(code, loop, high, place)
        fn.set(place.ready, "1")


def _sort(code: Code, loop: ops.CountLoop, high: str, place: SortedPlace) -> None:
    """Go through all pieces once. What has another content than it may have goes behind all."""
    fn, sorting = code.fn, place.sorting
    fn.clear(place.words, 0, sorting.sorts + 1)
    fn.set(place.present, "0")
    with fn.count(0, high) as now:
        fn.set(local(code, loop.local), now)
        fn.set(local(code, sorting.piece.index), value(code, sorting.piece.value))
        sort = fn.sub(value(code, sorting.field), sorting.low)
        known = fn.op(f"call i64 @llvm.umin.i64(i64 {sort}, i64 {sorting.sorts})")
        word = fn.at(place.words, known)
        bit = fn.op(f"shl i64 1, {fn.both(now, 63)}")
        fn.store(word, 0, fn.either(fn.load(word), bit))
        there = fn.op(f"shl i64 1, {known}")
        fn.set(place.present, fn.either(fn.get(place.present), there))


def _rounds_of(code: Code, place: SortedPlace, wanted: str) -> str:
    fn, sorting = code.fn, place.sorting
    sort = fn.sub(wanted, sorting.low)
    inside = fn.compare("ult", sort, sorting.sorts)
    found = fn.load(place.words, fn.select(inside, sort, 0))
    return fn.select(inside, found, 0)

"""Conditions on the cells of a board, asked of all of them together.

`any(c in Cell where c.stone is not p and not any(x in region(c through y where y.stone is not p)
where x.onEdge))` begins a flood at every cell. But as long as cells are let in by what lies on them
and not by where a flood began, the regions are the parts that a set of cells falls into, and each
part needs one flood, whichever of its cells is asked about. So the condition is a set of bits, made
of others: cells that have a content, that tables tell, that lie beside some of another set, or
whose region has some of it (emit/together.py). It does not matter which of that has a name: calls
are looked into (`in_place.called`).

Found are loops through a whole board that count cells, or look for one and do not tell which. What
lies in a region may be looked for or counted, and that may be compared with a number. A region of
cells that have what its start has (`Grown.same`) falls into parts in the same way.

Where steps are counted, it is known of each part of a condition how many it takes (`Paid`), for the
cells it is asked of. It takes the same for each of them, but for a flood, where it goes by the size
of the region; and where a visit takes steps, and looks for something, by which cell of the region
is the first that has it.

What must not be assumed: that steps lead both ways (then regions are no parts), that they are
equally long in numbers (on some boards they depend on the row), and that a condition holds still
that reads a local which the loop sets.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

from interpreter.play.native.facts.beside import Around, around_of, is_one_more
from interpreter.play.native.facts.compared import Compared
from interpreter.play.native.facts.copies import without_copies
from interpreter.play.native.facts.floods import Flood, find_flood
from interpreter.play.native.facts.in_place import called
from interpreter.play.native.facts.ranges import Cells as Bounds
from interpreter.play.native.facts.sets import Step, apart, lengths_of
from interpreter.play.native.facts.shape import body_can_fail, is_plain
from interpreter.play.native.facts.sharing import is_own
from interpreter.play.native.facts.words import WORKED_OUT
from interpreter.program import ops
from interpreter.program.once import once_for_each_program
from interpreter.program.program import Program
from interpreter.program.touches import locals_read, locals_set, operations

_LEAST_CELLS, MOST_CELLS, _MOST_LENGTHS, _MOST_WAYS = 9, 400, 24, 12
_TURNED = {"less": "more", "more": "less", "atMost": "atLeast", "atLeast": "atMost"}
_TESTS = ("equal", "unequal", "less", "more", "atMost", "atLeast")


@dataclass(frozen=True, slots=True)
class Fixed:
    bits: int


@dataclass(frozen=True, slots=True)
class Being:
    """The one cell that a value says, if it says one."""

    value: ops.Expr


@dataclass(frozen=True, slots=True)
class Not:
    inner: Cells


@dataclass(frozen=True, slots=True)
class Joined:
    """The second is asked only where the first does not tell."""

    word: Literal["and", "or"]
    left: Cells
    right: Cells


@dataclass(frozen=True, slots=True)
class Paid:
    """The same, and the steps that it takes to ask it of a cell."""

    steps: int
    inner: Cells


@dataclass(frozen=True, slots=True)
class Number:
    """What a count is compared with, and how."""

    word: str
    value: int

    def holds(self, count: int) -> bool:
        return bool(WORKED_OUT[self.word](count, self.value))


@dataclass(frozen=True, slots=True)
class Near:
    """The cells with so many of others beside them. `ways`: the steps of each way."""

    inner: Cells
    number: Number
    ways: tuple[tuple[Step, ...], ...]


@dataclass(frozen=True, slots=True)
class Board:
    """That floods go over."""

    cells: int
    ways: int
    table: int
    steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class Grown:
    """The cells whose region has so many of others."""

    board: Board
    through: Cells | None
    same: int  # if there is nothing else: the variable that has the same content in all of it
    wanted: Cells
    visit: int  # steps of each visit
    looks: bool  # for the first of them, and goes no further
    number: Number


Cells = Fixed | Compared | Being | Not | Joined | Paid | Near | Grown


@dataclass(frozen=True, slots=True)
class Together:
    """A loop: of which cells it notes something, and what."""

    cells: int
    condition: Cells
    noting: ops.SetLocal
    counts: bool  # it adds 1 for each, and does not end at the first
    wanted: bool  # that the condition holds
    rounds: int


@once_for_each_program
def find_together(program: Program, loop: ops.CountLoop, counting: bool) -> Together | None:
    """`counting`: steps are asked for."""
    match loop:
        case ops.CountLoop(_, ops.Const(0), ops.Const(cells)) if (
            _LEAST_CELLS <= cells <= MOST_CELLS and _is_worthwhile(loop)
        ):
            pass
        case _:  # it is too short or too long
            return None
    (plain,) = without_copies((loop,))
    assert isinstance(plain, ops.CountLoop)
    match plain.body:
        case (ops.When() as last,):
            found = noted(last)
        case _:  # it does something else
            return None
    if found is None:
        return None
    noting = found.noting
    own = locals_set(loop) - {noting.index}
    if noting.index in locals_read(found.conditions):
        return None
    finder = Finder(program, cells, loop, counting)
    condition = finder.all_of(found.conditions, ops.Local(plain.local))
    if condition is None or not _gains(condition, found.counts) or not is_own(program, loop, own):
        return None
    return Together(cells, condition, noting, found.counts, found.wanted, cells)


def _is_worthwhile(loop: ops.CountLoop) -> bool:
    """Whether it goes through something for each cell, by itself or in a function."""
    inside = (ops.CountLoop, ops.Call)
    return any(isinstance(op, inside) for op in operations(loop.body))


def _gains(cells: Cells, counts: bool) -> bool:
    """What only asks for neighbours finds one mostly soon, so that it is as quick by itself."""
    found = list(parts_of(cells))
    return any(
        isinstance(each, Grown) or (isinstance(each, Near) and (counts or each.number.value > 1))
        for each in found
    )


def parts_of(cells: Cells) -> Iterator[Cells]:
    yield cells
    match cells:
        case Not(inner) | Paid(_, inner) | Near(inner):
            yield from parts_of(inner)
        case Joined(_, left, right):
            yield from parts_of(left)
            yield from parts_of(right)
        case Grown(_, through, _, wanted):
            yield from parts_of(wanted)
            if through is not None:
                yield from parts_of(through)
        case Fixed() | Compared() | Being():
            pass


@dataclass(frozen=True, slots=True)
class Noted:
    """What a round does: under which conditions, one after the other, it notes something."""

    conditions: tuple[ops.Expr, ...]
    noting: ops.SetLocal
    counts: bool
    wanted: bool


def noted(last: ops.Statement) -> Noted | None:
    match last:
        case ops.When(condition, (ops.SetLocal(_, ops.Const()) as noting, ops.Break()), ()):
            return Noted((condition,), noting, False, True)
        case ops.When(condition, (), (ops.SetLocal(_, ops.Const()) as noting, ops.Break())):
            return Noted((condition,), noting, False, False)
        case ops.When(condition, (ops.SetLocal(index) as adding,), ()) if is_one_more(
            (adding,), index
        ):
            return Noted((condition,), adding, True, True)
        case ops.When(condition, (ops.When() as inner,), ()):
            found = noted(inner)
            if found is None or not found.wanted:
                return None
            return Noted((condition, *found.conditions), found.noting, found.counts, True)
        case _:  # something else is done
            return None


@dataclass(frozen=True, slots=True)
class _Gone:
    """What is found out by going through other cells: of which of them, and whether it is enough
    to find one. `none`: it holds if there is none."""

    wanted: Cells
    looks: bool
    none: bool


class Finder:
    def __init__(self, program: Program, cells: int, loop: Any, counting: bool) -> None:
        self.program, self.cells, self.changing = program, cells, locals_set(loop)
        self.counting = counting
        self.unused = 1 + max(
            self.changing | locals_read(loop)
        )  # from here on locals belong to functions that are looked into
        self.next = self.unused
        self.above: list[int] = []  # functions that are looked into

    def all_of(self, conditions: tuple[ops.Expr, ...], cell: ops.Expr) -> Cells | None:
        first, *others = conditions
        found = self.of(first, cell)
        for each in others:
            more = self.of(each, cell)
            found = None if found is None or more is None else Joined("and", found, more)
        return found

    def of(self, op: ops.Expr, cell: ops.Expr) -> Cells | None:
        """The cells of which a condition holds."""
        told = [self._value(op, cell, now) for now in range(self.cells)]
        if None not in told:
            return Fixed(sum(1 << now for now, value in enumerate(told) if value))
        match op:
            case ops.Unary("not", inner):
                found = self.of(inner, cell)
                return None if found is None else Not(found)
            case ops.Binary("and" | "or" as word, left, right):
                one, two = self.of(left, cell), self.of(right, cell)
                if one is None or two is None:
                    return None
                return Joined("and" if word == "and" else "or", one, two)
            case ops.Binary(
                "equal" | "unequal" as word, ops.MemoryAt(base, index, size), content
            ) if index == cell and size >= self.cells:
                return Compared(base, word == "equal", content) if self._stays(content) else None
            case ops.MemoryAt(base, index, size) if index == cell and size >= self.cells:
                return Compared(base, False, ops.Const(0))
            case ops.Binary("equal" | "unequal" as word, left, right) if cell in (left, right):
                value = right if left == cell else left
                if not self._stays(value):
                    return None
                return Being(value) if word == "equal" else Not(Being(value))
            case ops.Binary(word, ops.Sequence() as counted, ops.Const(number)) if word in _TESTS:
                return self._counted(counted, Number(word, number), cell)
            case ops.Binary(word, ops.Const(number), ops.Sequence() as counted) if word in _TESTS:
                return self._counted(counted, Number(_TURNED.get(word, word), number), cell)
            case ops.Sequence():
                return self._counted(op, None, cell)
            case ops.Call():
                return self._called(op, cell)
            case _:  # something else is asked
                return None

    def _stays(self, op: ops.Expr) -> bool:
        """Whether a value is the same in all rounds, and can be worked out beforehand."""
        if isinstance(op, (ops.Const, ops.Memory)):
            return True
        looks = any(isinstance(each, (ops.MemoryAt, ops.LocalAt)) for each in operations(op))
        if looks or not is_plain(op) or not self._are_given(locals_read(op)):
            return False
        return not body_can_fail(self.program, Bounds(self.program), (ops.Evaluate(op),))

    def _are_given(self, locals_: set[int]) -> bool:
        return all(index < self.unused and index not in self.changing for index in locals_)

    def _called(self, call: ops.Call, cell: ops.Expr) -> Cells | None:
        named = all(isinstance(each, ops.Local) or self._stays(each) for each in call.arguments)
        if call.function in self.above or not named:
            return None
        inside = called(self.program, call, self.next)
        if inside is None:
            return None
        self.next = 1 + max(self.next, *locals_set(inside), *locals_read(inside))
        (plain,) = without_copies((ops.Evaluate(inside),))
        assert isinstance(plain, ops.Evaluate)
        self.above.append(call.function)
        found = self.of(plain.value, cell)
        self.above.pop()
        return found if found is None or not self.counting else Paid(1, found)

    def _counted(self, op: ops.Sequence, number: Number | None, cell: ops.Expr) -> Cells | None:
        """What is looked for or counted among other cells; without a number, whether it holds."""
        match op:
            case ops.Sequence(
                (ops.SetLocal(result, ops.Const(start)), *rest), ops.Local(given)
            ) if given == result and rest:
                pass
            case _:  # something else is worked out
                return None
        flood = find_flood(tuple(rest), 0)
        if flood is not None and flood.length == len(rest):
            return self._grown(flood, result, start, number, cell)
        around = around_of(rest[0]) if len(rest) == 1 else None
        if around is None or ops.Local(around.origin) != cell or around.cells != self.cells:
            return None
        return self._near(around, result, start, number)

    def _near(self, around: Around, result: int, start: int, number: Number | None) -> Cells | None:
        gone = self._gone(around.inside, ops.Local(around.beside), result, start, number)
        if gone is None or around.ways > _MOST_WAYS:
            return None
        if self.counting and _steps(gone.wanted) != 0:
            return None
        ways = tuple(
            lengths_of(self.program, around.table, way, self.cells) for way in range(around.ways)
        )
        if sum(map(len, ways)) > 2 * _MOST_LENGTHS:
            return None
        asked = number or Number("more", 0)
        if isinstance(gone.wanted, Fixed):
            found: Cells = Fixed(_fixed_near(gone.wanted.bits, asked, ways, self.cells))
        else:
            found = Near(gone.wanted, asked, ways)
        found = Not(found) if gone.none else found
        return Paid(around.ways, found) if self.counting else found

    def _gone(
        self, inside: ops.Statement, cell: ops.Expr, result: int, start: int, number: Number | None
    ) -> _Gone | None:
        """What is done with each of the cells that are gone through."""
        if is_one_more((inside,), result):
            conditions: tuple[ops.Expr, ...] = (ops.Const(1),)
            counts, wanted = True, True
        else:
            told = noted(inside)
            if told is None or told.noting.index != result:
                return None
            conditions, counts, wanted = told.conditions, told.counts, told.wanted
            if not counts and told.noting.value != ops.Const(1 - start):
                return None
        if counts != (number is not None) or (counts and start) or start not in (0, 1):
            return None
        found = self.all_of(conditions, cell)
        if found is None:
            return None
        return _Gone(found if wanted else Not(found), not counts, start == 1)

    def _grown(
        self, flood: Flood, result: int, start: int, number: Number | None, cell: ops.Expr
    ) -> Cells | None:
        board = self._board(flood)
        visited = ops.LocalAt(flood.found, ops.Local(flood.visit.local), flood.cells)
        match flood.visit.body:
            case (ops.SetLocal(named, value), inside) if value == visited:
                other: ops.Expr = ops.Local(named)
            case (inside,):
                other = visited
            case _:  # it does more
                return None
        if board is None or flood.start != cell or flood.starts_anyway:
            return None
        gone = self._gone(inside, other, result, start, number)
        visit = 0 if gone is None else _steps(gone.wanted)
        if gone is None or (self.counting and visit is None):
            return None
        through, same = None, -1
        match flood.test:
            case ops.Binary("equal", ops.MemoryAt(base, one, size), ops.MemoryAt(also, two)) if (
                (base, {one, two}) == (also, {ops.Local(flood.target), cell})
            ) and size >= self.cells:
                same = base
            case _:  # another test
                through = self.of(flood.test, ops.Local(flood.target))
                if through is None or (self.counting and _steps(through) != 0):
                    return None
        asked = number or Number("more", 0)
        looks = gone.looks and self.counting
        found: Cells = Grown(board, through, same, gone.wanted, visit or 0, looks, asked)
        return Not(found) if gone.none else found

    def _board(self, flood: Flood) -> Board | None:
        """If steps lead both ways, and there are not too many that are not equally long."""
        table = self.program.tables[flood.table]
        if flood.cells != self.cells or flood.here in locals_read(flood.test):
            return None
        ways = range(flood.ways)
        steps = {
            (here, table[way * self.cells + here])
            for way in ways
            for here in range(self.cells)
            if table[way * self.cells + here] >= 0
        }
        lengths = apart(
            tuple(
                each
                for way in ways
                for each in lengths_of(self.program, flood.table, way, self.cells)
            )
        )
        if any((there, here) not in steps for here, there in steps):
            return None
        if len(lengths) > _MOST_LENGTHS:
            return None
        return Board(self.cells, flood.ways, flood.table, lengths)

    def _value(self, op: ops.Expr, cell: ops.Expr, now: int) -> int | None:
        """What an expression is for a cell, if tables tell."""
        if op == cell:
            return now
        match op:
            case ops.Const(value):
                return value
            case ops.Lookup(table, index):
                at, values = self._value(index, cell, now), self.program.tables[table]
                return values[at] if at is not None and 0 <= at < len(values) else None
            case ops.Unary("not", inner):
                found = self._value(inner, cell, now)
                return None if found is None else int(not found)
            case ops.Binary("and" | "or" as word, left, right):
                one = self._value(left, cell, now)
                if one is None or bool(one) == (word == "or"):
                    return one
                return self._value(right, cell, now)
            case ops.Binary(word, left, right) if word in WORKED_OUT:
                one, two = (self._value(each, cell, now) for each in (left, right))
                return None if one is None or two is None else int(WORKED_OUT[word](one, two))
            case _:  # it looks at the state, or is worked out otherwise
                return None


def _fixed_near(bits: int, number: Number, ways: tuple[tuple[Step, ...], ...], cells: int) -> int:
    found = 0
    for cell in range(cells):
        beside = (cell + step.by for way in ways for step in way if step.cells >> cell & 1)
        if number.holds(sum(bits >> each & 1 for each in beside)):
            found |= 1 << cell
    return found


def _steps(cells: Cells) -> int | None:
    """That it takes to ask one cell, if they are the same for each."""
    match cells:
        case Fixed() | Compared() | Being() | Near():
            return 0
        case Not(inner):
            return _steps(inner)
        case Joined(_, left, right):
            return _steps(left) if _steps(right) == 0 else None
        case Paid(steps, inner):
            more = _steps(inner)
            return None if more is None else steps + more
        case Grown():
            return None

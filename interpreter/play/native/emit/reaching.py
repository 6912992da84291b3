"""Cheapest ways as LLVM IR: a function for each sort of search, and what is done with its answer.

A program settles prices in rounds over all cells until no price falls any more (`ops.Reach`). Where
steps are counted, that is what is written here, too. Elsewhere only the answer matters:

- Mostly it costs the same to enter a cell wherever one comes from. Then cells are gone on from by
  their price, and whoever comes to a cell first sets its price for good: its cost is asked once.
  The cells that were not asked for yet are a set of bits in registers, if the board is not too
  wide, so that of the cells beside one only these are met.
- Where it matters whence one comes, a cell is gone on from again only if its own price has fallen
  since: otherwise nothing new can come of it, because costs do not change while the state stands
  still. So prices fall in the same order, in as many rounds. Cells without news are passed 64 at
  once.
- While options are enumerated the state stands still. So a search remembers its last answer, which
  lies with the enumeration, and does not look again when it is asked the same: see facts/routes.py.

What must not be assumed: that the code is free (nobody asks for its steps) and that the state
stands still; both are asked for. A remembered answer is paid for as if it was found out again, so
that what takes too long still fails, in the form that counts exactly. For the same reason prices
that are found in order pay for as many rounds as it could have taken: one for each cell on the
longest of the ways that were found. And the cost of a cell is asked even if its price is known, as
that of the start is, since it could fail.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from interpreter import limits
from interpreter.play.native.emit import context
from interpreter.play.native.emit.code import PASSED, STATE, Code, Unit
from interpreter.play.native.emit.expressions import checked, looked_up, value
from interpreter.play.native.emit.memory import remember_calls
from interpreter.play.native.emit.text import I64, PAIR, PTR, Fn
from interpreter.play.native.facts import routes, shape
from interpreter.play.native.facts.occupied import Occupied
from interpreter.program import ops

Block = Callable[[Code, tuple[ops.Statement, ...]], None]
_DEAR = 1 << 60  # twice as much is still a number


def keep_answers(unit: Unit, fn: Fn) -> str:
    """Make room for answers before options are enumerated; what is to be put back after it."""
    before = fn.load("%c", context.ROUTES, PTR)
    kept = fn.slot(f"[{unit.routes.size} x i64]")
    for start in unit.routes.starts.values():
        fn.store(kept, start + routes.VALID, 0)
    fn.store("%c", context.ROUTES, kept, PTR)
    return before


def emit_reach(code: Code, op: ops.Reach, block: Block) -> None:
    limit, start = value(code, op.budget), value(code, op.start)
    found = routes.find_route(op)
    if not code.unit.routes.shared:
        found = None
    if found is not None and code.unit.routes.asks(op.cost, found[0]):
        found = None
    if found is None or not code.free or code.occupied is None:
        _settle_and_go_through(code, op, limit, start, block)
    else:
        inputs = [value(code, part) for part in found[1]]
        _ask_and_go_through(code, op, found[0], [start, limit, *inputs], block)


@dataclass(frozen=True, slots=True)
class _Prices:
    """What is known while prices are settled: where they lie, the budget, whether one has fallen
    in this round, and sets of the cells for which that is so, or has ever been."""

    at: str
    limit: str
    changed: str
    sets: tuple[str, ...] = ()


def _look_around(code: Code, op: ops.Reach, here: str, prices: _Prices) -> None:
    """Go on from a cell: whatever can be entered from it may be cheaper now."""
    fn = code.fn
    code.spend(op.directions, -1)
    if op.origin >= 0:
        fn.set(code.scalars[op.origin], here)
    with fn.count(0, op.directions) as way:
        target = looked_up(code, op.ways, fn.add(fn.mul(way, op.cells), here))
        fn.set(code.scalars[op.target], target)
        with fn.when(fn.compare("sge", target, 0)):
            cost = value(code, op.cost)
            with fn.when(fn.compare("sge", cost, 0)):
                paid = checked(code, "add", fn.load(prices.at, here), cost, op.at)
                old = fn.load(prices.at, target)
                # A price that is not known yet is -1: without its sign it is the highest.
                fewer = fn.compare("ult", paid, old)
                cheap = fn.compare("sle", paid, prices.limit)
                with fn.when(fn.op(f"and i1 {fewer}, {cheap}")):
                    fn.store(prices.at, target, paid)
                    fn.set(prices.changed, "1")
                    for cells in prices.sets:
                        _mark(fn, cells, target)


def _begin(code: Code, op: ops.Reach, at: str, start: str) -> None:
    fn = code.fn
    code.fail_if(fn.compare("uge", start, op.cells), context.BROKEN, -1)
    fn.store(at, start, 0)


def _without_prices(code: Code, op: ops.Reach, at: str) -> None:
    code.fn.line(f"call void @llvm.memset.p0.i64(ptr {at}, i8 -1, i64 {8 * op.cells}, i1 false)")


# ---- in place, as the reference machine does it


def _settle_and_go_through(code: Code, op: ops.Reach, limit: str, start: str, block: Block) -> None:
    fn = code.fn
    prices = _Prices(code.arrays[op.prices][0], limit, fn.variable("1"))
    code.spend(op.cells, -1)
    _without_prices(code, op, prices.at)
    _begin(code, op, prices.at, start)
    code.forget(op)
    remembered = code.memory
    code.memory = {**remembered, **remember_calls(code, op)}
    with fn.loop(lambda: fn.compare("ne", fn.get(prices.changed), 0)):
        code.spend(1, -1)
        code.pay(op, 1)
        fn.set(prices.changed, "0")
        code.spend(op.cells, -1)
        with fn.count(0, op.cells) as here, fn.when(_has_price(fn, prices, here)):
            _look_around(code, op, here, prices)
    code.memory = remembered
    code.spend(op.cells, -1)
    end = fn.label()
    with fn.count(0, op.cells) as cell:
        other = fn.compare("ne", cell, start)
        test = fn.op(f"and i1 {_has_price(fn, prices, cell)}, {other}")
        _visit(code, op, cell, test, end, block)
    fn.place(end)
    code.forget(op)


def _has_price(fn: Fn, prices: _Prices, cell: str) -> str:
    return fn.compare("sge", fn.load(prices.at, cell), 0)


def _visit(code: Code, op: ops.Reach, cell: str, test: str, end: str, block: Block) -> None:
    fn = code.fn
    if code.round is not None:
        code.round()
    following = fn.label()
    with fn.when(test):
        fn.set(code.scalars[op.local], cell)
        code.loops.append((end, following))
        block(code, op.body)
        code.loops.pop()
    fn.place(following)


# ---- by a function that remembers its last answer


def _ask_and_go_through(
    code: Code, op: ops.Reach, key: routes.Key, given: list[str], block: Block
) -> None:
    """Ask for the prices, and go through the cells that were reached."""
    fn = code.fn
    _emit_function(code.unit, key)
    steps = f"i64 {fn.get(code.steps)}"
    numbers = (f"i64 {part}" for part in given)
    pair = fn.call(_name(code.unit, key), PAIR, PASSED, steps, f"i64 {code.depth}", *numbers)
    code.take_steps(fn.op(f"extractvalue {PAIR} {pair}, 1"))
    prices = fn.at(_area(code.unit, fn, key), routes.prices_at(key))
    if code.unit.routes.asks(op.body, key):  # another answer would take the place of this one
        size = op.cells + routes.words(key)
        own = fn.slot(f"[{size} x i64]")
        fn.copy(own, prices, size)
        prices = own
    before = code.arrays[op.prices]
    code.arrays[op.prices] = prices, op.cells
    code.forget(op)
    reached, end = fn.at(prices, op.cells), fn.label()
    with fn.count(0, routes.words(key)) as word:
        rest = fn.variable(fn.load(reached, word))
        with fn.loop(lambda: fn.compare("ne", fn.get(rest), 0)):
            now = fn.get(rest)
            cell = fn.add(fn.mul(word, routes.WORD), _lowest(fn, now))
            fn.set(rest, fn.both(now, fn.sub(now, 1)))
            fn.line(f"call void @llvm.assume(i1 {fn.compare('ult', cell, op.cells)})")
            _visit(code, op, cell, fn.compare("ne", cell, given[0]), end, block)
    fn.place(end)
    code.forget(op)
    code.arrays[op.prices] = before


def _lowest(fn: Fn, bits: str) -> str:
    return fn.op(f"call i64 @llvm.cttz.i64(i64 {bits}, i1 true)")


def _place_of(fn: Fn, cells: str, cell: str) -> tuple[str, str]:
    """The word of a set that has a cell, and its bit there."""
    word = fn.at(cells, fn.op(f"lshr i64 {cell}, {routes.WORD.bit_length() - 1}"))
    return word, fn.op(f"shl i64 1, {fn.both(cell, routes.WORD - 1)}")


def _mark(fn: Fn, cells: str, cell: str) -> None:
    word, bit = _place_of(fn, cells, cell)
    fn.store(word, 0, fn.either(fn.load(word), bit))


def _name(unit: Unit, key: routes.Key) -> str:
    return f"reach{unit.routes.starts[key]}"


def _area(unit: Unit, fn: Fn, key: routes.Key) -> str:
    return fn.at(fn.load("%c", context.ROUTES, PTR), unit.routes.starts[key])


def _emit_function(unit: Unit, key: routes.Key) -> None:
    """`{i64, i64} reach(m, c, steps, depth, start, limit, ...)`: nothing, and the steps."""
    if key in unit.reached:
        return
    unit.reached.add(key)
    names = ["start", "limit", *(f"a{number}" for number in range(key.inputs))]
    head = [*STATE, (I64, "s"), (I64, "d"), *((I64, name) for name in names)]
    fn = Fn(_name(unit, key), PAIR, head, attributes="noinline")
    code = Code(fn, unit, fn.variable("%s"), "%d", "failed", lambda value: None, free=True)
    code.counter = shape.Counter(unit.steps, (key.search,), len(names), rough=True)
    code.occupied = Occupied(unit.program)
    # Why it fails, and where, is found out by the form that counts exactly.
    fn.tail += [
        "failed:",
        f"  call fastcc void @fail(ptr %c, i64 {context.RETRY}, i64 -1)",
        f"  ret {PAIR} {{ i64 0, i64 -1 }}",
    ]
    area = _area(unit, fn, key)
    given = tuple(f"%{name}" for name in names)
    _leave_if_known(code, area, given)
    fn.store(area, routes.VALID, 0)
    code.make_locals((key.search,), given)
    settle = _settle_in_order if key.search.origin < 0 else _settle_news
    settle(code, key, fn.at(area, routes.prices_at(key)))
    for offset, content in enumerate(given, routes.START):
        fn.store(area, offset, content)
    fn.store(area, routes.COST, fn.sub(fn.get(code.steps), "%s"))
    fn.store(area, routes.VALID, 1)
    _return(fn, fn.get(code.steps))
    unit.texts.append(fn.text())


def _leave_if_known(code: Code, area: str, given: tuple[str, ...]) -> None:
    """The same was asked last time. It is paid for as if it was found out again."""
    fn = code.fn
    same = fn.compare("ne", fn.load(area, routes.VALID), 0)
    for offset, content in enumerate(given, routes.START):
        equal = fn.compare("eq", fn.load(area, offset), content)
        same = fn.op(f"and i1 {same}, {equal}")
    with fn.when(same):
        steps = fn.add("%s", fn.load(area, routes.COST))
        code.fail_if(fn.compare("sgt", steps, limits.STEPS_PER_MOVE), context.RETRY, -1)
        _return(fn, steps)


def _return(fn: Fn, steps: str) -> None:
    fn.ret(fn.op(f"insertvalue {PAIR} {{ i64 0, i64 undef }}, i64 {steps}, 1"))


def _settle_in_order(code: Code, key: routes.Key, at: str) -> None:
    """The cheapest cell that was not yet gone on from comes next; they wait by their price."""
    fn, op = code.fn, key.search
    waiting, hops = (fn.slot(f"[{op.cells} x i64]") for _ in range(2))  # of cells that were reached
    code.fail_if(fn.compare("sgt", "%limit", _DEAR), context.RETRY, -1)
    _begin(code, op, at, "%start")
    reached = fn.at(at, op.cells)
    fn.clear(reached, 0, routes.words(key))
    _mark(fn, reached, "%start")
    fn.store(waiting, 0, "%start")
    fn.store(hops, "%start", 0)
    unasked = _Unasked(code, key)
    first, last, deepest = fn.variable("0"), fn.variable("1"), fn.variable("0")
    with fn.loop(lambda: fn.compare("slt", fn.get(first), fn.get(last))):
        here = fn.load(waiting, fn.get(first))
        fn.set(first, fn.add(fn.get(first), 1))
        price, hop = fn.load(at, here), fn.add(fn.load(hops, here), 1)
        fn.set(deepest, fn.op(f"call i64 @llvm.smax.i64(i64 {fn.get(deepest)}, i64 {hop})"))
        with unasked.beside(here) as target:
            fn.set(code.scalars[op.target], target)
            cost = value(code, op.cost)
            code.fail_if(fn.compare("sgt", cost, _DEAR), context.RETRY, -1)
            paid = fn.add(price, cost)
            fits = fn.op(
                f"and i1 {fn.compare('sge', cost, 0)}, {fn.compare('sle', paid, '%limit')}"
            )
            fresh = fn.compare("ne", target, "%start")
            with fn.when(fn.op(f"and i1 {fits}, {fresh}")):
                fn.store(at, target, paid)
                fn.store(hops, target, hop)
                _mark(fn, reached, target)
                _line_up(fn, waiting, at, (fn.get(first), fn.get(last)), target)
                fn.set(last, fn.add(fn.get(last), 1))
    code.pay(op, fn.add(fn.get(deepest), 1))


class _Unasked:
    """The cells whose cost was not asked for yet. Where all of them fit into registers, those
    beside a cell are found at once; on wider boards every way is looked in."""

    def __init__(self, code: Code, key: routes.Key) -> None:
        self.code, self.op, self.words = code, key.search, routes.words(key)
        self.type = f"i{routes.width(key)}"
        self.near = routes.beside(code.unit.program, key)
        fn = code.fn
        if self.near is not None:
            self.cells = fn.variable("-1", self.type)
        else:
            self.cells = fn.slot(f"[{self.words} x i64]")
            fn.clear(self.cells, 0, self.words)  # here bits say that a cell was asked for

    @contextmanager
    def beside(self, here: str) -> Iterator[str]:
        """For each of them beside a cell, which are asked for now."""
        if self.near is not None:
            with self._at_once(here, self.near) as target:
                yield target
            return
        fn, op = self.code.fn, self.op
        with fn.count(0, op.directions) as way:
            target = looked_up(self.code, op.ways, fn.add(fn.mul(way, op.cells), here))
            with fn.when(fn.compare("sge", target, 0)):
                word, bit = _place_of(fn, self.cells, target)
                before = fn.load(word)
                with fn.when(fn.compare("eq", fn.both(before, bit), 0)):
                    fn.store(word, 0, fn.either(before, bit))
                    yield target

    @contextmanager
    def _at_once(self, here: str, near: tuple[int, ...]) -> Iterator[str]:
        fn, type_ = self.code.fn, self.type
        table = self.code.unit.near(type_, near)
        unasked = fn.get(self.cells, type_)
        found = fn.op(f"and {type_} {unasked}, {fn.load(table, here, type_)}")
        fn.set(self.cells, fn.op(f"xor {type_} {unasked}, {found}"), type_)
        rest = fn.variable(found, type_)
        with fn.loop(lambda: fn.op(f"icmp ne {type_} {fn.get(rest, type_)}, 0"), short=True):
            now = fn.get(rest, type_)
            first = fn.op(f"call {type_} @llvm.cttz.{type_}({type_} {now}, i1 true)")
            less = fn.op(f"add {type_} {now}, -1")
            fn.set(rest, fn.op(f"and {type_} {now}, {less}"), type_)
            target = first if type_ == I64 else fn.op(f"trunc {type_} {first} to i64")
            fn.line(f"call void @llvm.assume(i1 {fn.compare('ult', target, self.op.cells)})")
            yield target


def _line_up(fn: Fn, waiting: str, at: str, ends: tuple[str, str], cell: str) -> None:
    """A cell comes before those that wait and are dearer."""
    place, price, settled = fn.variable(ends[1]), fn.load(at, cell), fn.label()
    with fn.loop(lambda: fn.compare("sgt", fn.get(place), ends[0])):
        before = fn.sub(fn.get(place), 1)
        other = fn.load(waiting, before)
        onward = fn.label()
        fn.branch(fn.compare("sgt", fn.load(at, other), price), onward, settled)
        fn.place(onward)
        fn.store(waiting, fn.get(place), other)
        fn.set(place, before)
    fn.place(settled)
    fn.store(waiting, fn.get(place), cell)


def _settle_news(code: Code, key: routes.Key, at: str) -> None:
    """Only cells whose price has fallen since they were last gone on from."""
    fn, op, words = code.fn, key.search, routes.words(key)
    reached, news = fn.at(at, op.cells), fn.slot(f"[{words} x i64]")
    _without_prices(code, op, at)
    _begin(code, op, at, "%start")
    for cells in (news, reached):
        fn.clear(cells, 0, words)
        _mark(fn, cells, "%start")
    prices = _Prices(at, "%limit", fn.variable("1"), (news, reached))
    code.memory = remember_calls(code, op)
    with fn.loop(lambda: fn.compare("ne", fn.get(prices.changed), 0)):
        code.pay(op, 1)
        fn.set(prices.changed, "0")
        with fn.count(0, words) as word:
            rest = fn.variable(fn.load(news, word))
            with fn.loop(lambda: fn.compare("ne", fn.get(rest), 0)):
                lowest = _lowest(fn, fn.get(rest))
                cell = fn.add(fn.mul(word, routes.WORD), lowest)
                fn.line(f"call void @llvm.assume(i1 {fn.compare('ult', cell, op.cells)})")
                own = fn.op(f"shl i64 1, {lowest}")
                fn.store(news, word, fn.both(fn.load(news, word), fn.op(f"xor i64 {own}, -1")))
                _look_around(code, op, cell, prices)
                # Of what is new in this word, the cells after this one are for this round.
                later = fn.op(f"shl i64 -2, {lowest}")
                fn.set(rest, fn.both(fn.load(news, word), later))

"""Cheapest ways as LLVM IR: a function for each sort of search, and what is done with its answer.

The program settles prices in rounds over all cells until no price falls any more. Here a cell is
gone through again only if its own price has fallen since: otherwise nothing new can come of it. So
the prices fall in the same order, in as many rounds. Cells without news are passed eight at once.

While options are enumerated the state stands still. So a search remembers its last answer, which
lies with the enumeration, and does not look again when it is asked the same.
"""

from __future__ import annotations

from collections.abc import Callable

from interpreter import limits
from interpreter.play.native.emit import context
from interpreter.play.native.emit.code import PASSED, STATE, Code, Unit
from interpreter.play.native.emit.expressions import value
from interpreter.play.native.emit.memory import remember_calls
from interpreter.play.native.emit.text import I64, PAIR, PTR, Fn
from interpreter.play.native.facts import routes, shape
from interpreter.play.native.facts.occupied import Occupied
from interpreter.program import ops

Block = Callable[[Code, tuple[ops.Statement, ...]], None]


def find_search(code: Code, statements: tuple[ops.Statement, ...]) -> routes.Route | None:
    """A search that can use a function of its own: in free code in which the state stands still."""
    if not code.free or code.occupied is None or code.mask is not None:
        return None
    if len(statements) < routes.STATEMENTS or not isinstance(statements[5], ops.While):
        return None
    found = routes.find_route(statements[: routes.STATEMENTS])
    if found is None or code.unit.routes.asks(found.key.look, found.key):
        return None
    return found


def keep_answers(unit: Unit, fn: Fn) -> str:
    """Make room for answers before options are enumerated; what is to be put back after it."""
    before = fn.load("%c", context.ROUTES, PTR)
    kept = fn.slot(f"[{unit.routes.size} x i64]")
    for start in unit.routes.starts.values():
        fn.store(kept, start + routes.VALID, 0)
    fn.store("%c", context.ROUTES, kept, PTR)
    return before


def emit_search(code: Code, route: routes.Route, block: Block) -> None:
    """Ask for the prices, and go through the cells that were reached."""
    fn, key = code.fn, route.key
    _emit_function(code.unit, key, block)
    for index, part in ((route.limit, route.budget), (route.start, route.cell)):
        fn.set(code.scalars[index], value(code, part))
    code.forget(ops.SetLocal(route.limit, route.budget))
    code.forget(ops.SetLocal(route.start, route.cell))
    start, limit = fn.get(code.scalars[route.start]), fn.get(code.scalars[route.limit])
    given = [start, limit, *(value(code, part) for part in route.inputs)]
    steps = f"i64 {fn.get(code.steps)}"
    numbers = (f"i64 {part}" for part in given)
    pair = fn.call(_name(code.unit, key), PAIR, PASSED, steps, f"i64 {code.depth}", *numbers)
    code.take_steps(fn.op(f"extractvalue {PAIR} {pair}, 1"))
    prices = fn.at(_area(code.unit, fn, key), routes.prices_at(key))
    if code.unit.routes.asks(route.act, key):  # another answer would take the place of this one
        size = key.cells + routes.blocks(key)
        own = fn.slot(f"[{size} x i64]")
        fn.copy(own, prices, size)
        prices = own
    before = code.arrays[route.price]
    code.arrays[route.price] = prices, key.cells
    code.forget(route.act)
    _go_through(code, route, fn.at(prices, key.cells), start, block)
    code.forget((route.act, ops.SetLocal(route.index, ops.Const(0))))
    code.arrays[route.price] = before


def _go_through(code: Code, route: routes.Route, reached: str, start: str, block: Block) -> None:
    fn = code.fn
    end = fn.label()
    with fn.count(0, routes.blocks(route.key)) as eight:
        first = fn.mul(eight, routes.BLOCK)
        rest = fn.variable(fn.load(reached, eight))
        with fn.loop(lambda: fn.compare("ne", fn.get(rest), 0)):
            cell = fn.add(first, _lowest(fn, fn.get(rest)))
            fn.set(rest, fn.both(fn.get(rest), fn.sub(fn.get(rest), 1)))
            fn.line(f"call void @llvm.assume(i1 {fn.compare('ult', cell, route.key.cells)})")
            if code.round is not None:
                code.round()
            following = fn.label()
            with fn.when(fn.compare("ne", cell, start)):
                fn.set(code.scalars[route.index], cell)
                code.loops.append((end, following))
                block(code, route.act)
                code.loops.pop()
            fn.place(following)
    fn.place(end)


def _lowest(fn: Fn, flags: str) -> str:
    """The number of the first byte that is set. A flag is the lowest bit of its byte."""
    bit = fn.op(f"call i64 @llvm.cttz.i64(i64 {flags}, i1 true)")
    return fn.op(f"lshr i64 {bit}, 3")


def _name(unit: Unit, key: routes.Key) -> str:
    return f"reach{unit.routes.starts[key]}"


def _area(unit: Unit, fn: Fn, key: routes.Key) -> str:
    return fn.at(fn.load("%c", context.ROUTES, PTR), unit.routes.starts[key])


def _emit_function(unit: Unit, key: routes.Key, block: Block) -> None:
    """`{i64, i64} reach(m, c, steps, depth, start, limit, ...)`: nothing, and the steps."""
    if key in unit.reached:
        return
    unit.reached.add(key)
    names = ["start", "limit", *(f"a{number}" for number in range(key.inputs))]
    head = [*STATE, (I64, "s"), (I64, "d"), *((I64, name) for name in names)]
    fn = Fn(_name(unit, key), PAIR, head, attributes="noinline")
    code = Code(fn, unit, fn.variable("%s"), "%d", "failed", lambda value: None, free=True)
    code.counter = shape.Counter(unit.steps, (key.loop,), len(names), rough=True)
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
    code.make_locals((key.loop,), given)
    code.arrays[key.price] = fn.at(area, routes.prices_at(key)), key.cells
    _settle(code, key, block)
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


def _settle(code: Code, key: routes.Key, block: Block) -> None:
    fn = code.fn
    blocks = routes.blocks(key)
    prices = code.arrays[key.price][0]
    reached, news = fn.at(prices, key.cells), fn.slot(f"[{blocks} x i64]")
    code.fail_if(fn.compare("uge", "%start", key.cells), context.BROKEN, -1)
    fn.line(f"call void @llvm.memset.p0.i64(ptr {prices}, i8 -1, i64 {8 * key.cells}, i1 false)")
    fn.store(prices, "%start", 0)
    for flags in (news, reached):
        fn.clear(flags, 0, blocks)
        fn.line(f"store i8 1, {PTR} {_flag(fn, flags, '%start')}")
    changed, here = code.scalars[key.changed], code.scalars[key.here]
    fn.set(changed, "1")
    code.memory = remember_calls(code, key.loop)
    code.news[key.price] = (news, reached)
    with fn.loop(lambda: fn.compare("ne", fn.get(changed), 0)):
        code.pay(key.loop, 1)
        fn.set(changed, "0")
        with fn.count(0, blocks) as eight:
            first = fn.mul(eight, routes.BLOCK)
            rest = fn.variable(fn.load(news, eight))
            with fn.loop(lambda: fn.compare("ne", fn.get(rest), 0)):
                lowest = _lowest(fn, fn.get(rest))
                cell = fn.add(first, lowest)
                fn.line(f"call void @llvm.assume(i1 {fn.compare('ult', cell, key.cells)})")
                fn.line(f"store i8 0, {PTR} {_flag(fn, news, cell)}")
                fn.set(here, cell)
                block(code, key.look)
                # Of what is new among these eight, the cells after this one are for this round.
                later = fn.op(f"shl i64 -256, {fn.mul(lowest, 8)}")
                fn.set(rest, fn.both(fn.load(news, eight), later))


def _flag(fn: Fn, flags: str, cell: str) -> str:
    return fn.op(f"getelementptr inbounds i8, {PTR} {flags}, i64 {cell}")

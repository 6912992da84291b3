"""Enumerating options, straight into an array.

The options of a menu lie in the arena: first, for each entry, how many options there are up to
and with it; then the options, entry after entry, each as the values of its cells.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import accumulate

from interpreter import limits
from interpreter.play.native.emit import context
from interpreter.play.native.emit.again import keep_floods
from interpreter.play.native.emit.code import PASSED, STATE, Code, Unit, telling_where
from interpreter.play.native.emit.idle import noting_reads
from interpreter.play.native.emit.listing import list_anew
from interpreter.play.native.emit.offers import Offers
from interpreter.play.native.emit.reaching import keep_answers
from interpreter.play.native.emit.statements import block
from interpreter.play.native.emit.text import AS_IT_IS, I64, PTR, SHORTLY, Fn
from interpreter.play.native.emit.watching import watch_anew
from interpreter.play.native.facts import shape
from interpreter.play.native.facts.exclusive import find_exclusive
from interpreter.play.native.facts.idle import find_idle
from interpreter.play.native.facts.occupied import Occupied
from interpreter.program import ops
from interpreter.program.layout import DECIDED, SEALED_SEAT

ALL = f"i64 {limits.INT_MAX}"  # no number of options is enough


def emit_generator(unit: Unit, number: int) -> None:
    """The fast form, and if that may give up also the one that counts exactly."""
    body = unit.program.functions[number].body
    free = unit.steps.of(body, rough=True) <= limits.STEPS_PER_MOVE
    _emit_generator(unit, number, free)
    if _may_retry(unit, number):
        _emit_generator(unit, number, False)


def _may_retry(unit: Unit, number: int) -> bool:
    body = unit.program.functions[number].body
    rough, exact = unit.steps.of(body, rough=True), unit.steps.of(body)
    return rough <= limits.STEPS_PER_MOVE < exact


def _emit_generator(unit: Unit, number: int, free: bool) -> None:
    """`i64 g(m, c, out, depth, enough)`: writes the options from `out` on and gives their
    number, or -1. Looking at options costs the game no steps, but may not go on for ever
    either. When nothing can go wrong, it may stop as soon as there are enough."""
    function = unit.program.functions[number]
    head = [*STATE, (f"{PTR} noalias", "o"), (I64, "d"), (I64, "enough")]
    spare = not free and _may_retry(unit, number)
    name = f"exact{number}" if spare else f"g{number}"
    fn = Fn(name, I64, head, noting=unit.looks, attributes=AS_IT_IS * spare)
    count = fn.variable("0")
    code = Code(fn, unit, fn.variable("0"), "%d", "failed", lambda value: None)
    code.returning = telling_where(unit, fn, number, lambda value: fn.ret(fn.get(count)))
    code.listing = free and number in unit.listed.asking
    if code.listing:
        list_anew(unit, fn)

    few = shape.most_offers(unit.steps.cells, function.body) <= limits.OPTIONS
    code.free = free
    code.body, noted = function.body, number in find_idle(unit.program).generators
    if free and not noted:
        code.open_body(number)
    elif free:
        code.counter = shape.Counter(unit.steps, function.body, 0, rough=True)
    if free:
        if shape.is_pure(unit.program, number, offers=True):
            code.occupied = Occupied(unit.program)
        fn.set(code.steps, str(unit.steps.of(function.body, rough=True)))

    if unit.routes.size and number in context.chances(unit.program):
        keep_answers(unit, fn)
    if number in context.chances(unit.program):
        watch_anew(unit, fn)
    if unit.looks and shape.is_sure(unit.steps, number):
        code.round = lambda: _leave_if_enough(fn, count)

    if noted:
        code.noting = noting_reads(unit, fn)
    offers = Offers(code, count, few)
    code.emitting, code.settle = offers.add, offers.settle
    fn.tail += ["failed:", "  ret i64 -1"]
    code.make_locals(code.body)
    keep_floods(code, code.body)
    block(code, code.body)
    code.returning("0")
    unit.texts.append(fn.text())


def call_generator(unit: Unit, fn: Fn, number: int, *given: str) -> str:
    """The number of options (or outcomes) it offers, or -1."""
    found = fn.call(f"g{number}", I64, PASSED, *given)
    if not _may_retry(unit, number):
        return found
    slot = fn.variable(found)
    with fn.when(fn.compare("slt", found, 0), rare=True):
        retry = fn.compare("eq", fn.load("%c", context.ERROR), context.RETRY)
        with fn.when(retry):
            fn.set(slot, fn.call(f"exact{number}", I64, PASSED, *given))
    return fn.get(slot)


def _leave_if_enough(fn: Fn, count: str) -> None:
    now = fn.get(count)
    with fn.when(fn.compare("sge", now, "%enough")):
        fn.ret(now)


def emit_menu(unit: Unit, number: int) -> None:
    _emit_find(unit, number)
    _emit_enter(unit, number)
    _emit_take(unit, number)


def _emit_find(unit: Unit, number: int) -> None:
    """`i64 find(m, c, o, depth, at, enough)`: all options of a menu at `o`, or as many as are
    enough; their number, or -1."""
    menu = unit.program.menus[number]
    head = [*STATE, (f"{PTR}", "o"), (I64, "d"), (I64, "at"), (I64, "enough")]
    fn = Fn(f"find{number}", I64, head)
    answers = keep_answers(unit, fn) if unit.routes.size else None
    watch_anew(unit, fn)
    if unit.tries:  # what a condition tries out needs room of its own
        room(unit, fn, "%o", context.area(unit.program))
        fn.store("%c", context.TOP, fn.at("%o", context.area(unit.program)), PTR)

    def leave(total: str) -> None:
        if unit.tries:
            fn.store("%c", context.TOP, "%o", PTR)
        if answers is not None:
            fn.store("%c", context.ROUTES, answers, PTR)
        fn.ret(total)

    exclusive = find_exclusive(unit.program, menu)
    if exclusive is not None:
        _find_in_one(unit, fn, menu, exclusive, leave)
        unit.texts.append(fn.text())
        return
    row, total = fn.at("%o", len(menu.entries)), "0"
    for position, entry in enumerate(menu.entries):
        more = fn.sub("%enough", total) if unit.looks else "%enough"
        found = _found_by(unit, fn, entry, row, more)
        total = fn.add(total, found)
        _fail_if_many(fn, total)
        fn.store("%o", position, total)
        rest = range(position + 1, len(menu.entries))
        sure = all(shape.is_sure(unit.steps, menu.entries[each].generator) for each in rest)
        if unit.looks and not unit.tries and rest and sure:
            with fn.when(fn.compare("sge", total, "%enough")):
                for other in rest:
                    fn.store("%o", other, total)
                leave(total)
        if entry.cells:
            row = fn.at(row, fn.mul(found, len(entry.cells)))
    leave(total)
    unit.texts.append(fn.text())


def _find_in_one(
    unit: Unit,
    fn: Fn,
    menu: ops.Menu,
    exclusive: tuple[ops.Memory, list[int]],
    leave: Callable[[str], None],
) -> None:
    """Only the entry whose content a cell holds can have options; there may be none such."""
    cell, contents = exclusive
    labels, none = [fn.label() for _ in contents], fn.label()
    row, last = fn.at("%o", len(menu.entries)), len(menu.entries)
    fn.switch(fn.load("%m", cell.address), none, dict(zip(contents, labels, strict=True)))
    fn.place(none)
    for position in range(last):
        fn.store("%o", position, 0)
    leave("0")
    for number, (entry, label) in enumerate(zip(menu.entries, labels, strict=True)):
        fn.place(label)
        found = _found_by(unit, fn, entry, row, "%enough")
        _fail_if_many(fn, found)
        for position in range(last):
            fn.store("%o", position, found if position >= number else 0)
        leave(found)


def _found_by(unit: Unit, fn: Fn, entry: ops.Entry, row: str, enough: str) -> str:
    """How many options an entry has, which are written from `row` on."""
    given = (f"{PTR} {row}", "i64 %d", f"i64 {enough}")
    found = call_generator(unit, fn, entry.generator, *given)
    with fn.when(fn.compare("slt", found, 0), rare=True):
        fn.call("locate", "void", f"{PTR} %c", "i64 %at")
        fn.ret("-1")
    return found


def _fail_if_many(fn: Fn, total: str) -> None:
    with fn.when(fn.compare("sgt", total, limits.OPTIONS), rare=True):
        fn.call("fail", "void", f"{PTR} %c", f"i64 {context.code_number('RR609')}", "i64 %at")
        fn.ret("-1")


def room(unit: Unit, fn: Fn, start: str, cells: int) -> None:
    """Leave with a failure if the arena has no room for this many cells."""
    end = fn.at(start, cells)
    limit = fn.load("%c", context.LIMIT, PTR)
    with fn.when(fn.op(f"icmp ugt ptr {end}, {limit}"), rare=True):
        fn.call("fail", "void", f"{PTR} %c", f"i64 {context.code_number('RR614')}", "i64 -1")
        fn.ret("-1")


def _emit_enter(unit: Unit, number: int) -> None:
    """`i64 enter(m, c, o, k)`: writes the k-th option into its cells; where the game goes on."""
    menu = unit.program.menus[number]
    params = [*STATE, (f"{PTR} noalias", "o"), (I64, "k")]
    fn = Fn(f"enter{number}", I64, params, noting=unit.looks)
    row, before = fn.at("%o", len(menu.entries)), "0"
    for position, entry in enumerate(menu.entries):
        last = position == len(menu.entries) - 1
        end = fn.load("%o", position)
        here, onward = fn.label(), fn.label()
        if last:
            fn.goto(here)
        else:
            fn.branch(fn.compare("slt", "%k", end), here, onward)
        fn.place(here)
        if entry.cells:
            mine = fn.at(row, fn.mul(fn.sub("%k", before), len(entry.cells)))
            for offset, cell in enumerate(entry.cells):
                fn.write("%m", cell, fn.load(mine, offset))
        fn.ret(entry.target.position)
        if not last:
            fn.place(onward)
            row = fn.at(row, fn.mul(fn.sub(end, before), len(entry.cells)))
            before = end
    unit.texts.append(fn.text())


def _emit_take(unit: Unit, number: int) -> None:
    """`i64 take(m, c, row)`: an entry and its values into its cells; where the game goes on."""
    menu = unit.program.menus[number]
    fn = Fn(f"take{number}", I64, [*STATE, (f"{PTR}", "row")], noting=unit.looks)
    labels = {position: fn.label() for position in range(len(menu.entries))}
    nowhere = fn.label()
    fn.switch(fn.load("%row"), nowhere, labels)
    for position, entry in enumerate(menu.entries):
        fn.place(labels[position])
        for offset, cell in enumerate(entry.cells, 1):
            fn.write("%m", cell, fn.load("%row", offset))
        fn.ret(entry.target.position)
    fn.place(nowhere)
    fn.ret("-1")
    unit.texts.append(fn.text())


def emit_option_row(unit: Unit) -> None:
    """`i64 option_row(o, menu, k, row)`: the k-th option at `o` as an entry and its values; -1 if
    there is no such menu. It goes by tables: with code for every menu it would be long."""
    menus = unit.program.menus
    head = [(PTR, "o"), (I64, "menu"), (I64, "k"), (PTR, "row")]
    fn = Fn("option_row", I64, head, attributes=SHORTLY)
    with fn.when(fn.compare("uge", "%menu", len(menus)), rare=True):
        fn.ret("-1")
    counts = tuple(len(menu.entries) for menu in menus)
    widths = tuple(len(entry.cells) for menu in menus for entry in menu.entries)
    number = column(unit, fn, counts, "%menu")
    start = column(unit, fn, tuple(accumulate(counts, initial=0))[:-1], "%menu")
    place, before = fn.variable(fn.at("%o", number), PTR), fn.variable("0")
    with fn.count(0, number) as entry:
        end, width = fn.load("%o", entry), column(unit, fn, widths, fn.add(start, entry))
        first = fn.get(place, PTR)
        with fn.when(fn.compare("slt", "%k", end)):
            fn.store("%row", 0, entry)
            mine = fn.at(first, fn.mul(fn.sub("%k", fn.get(before)), width))
            with fn.count(0, width) as offset:
                fn.store("%row", fn.add(offset, 1), fn.load(mine, offset))
            fn.ret("0")
        fn.set(place, fn.at(first, fn.mul(fn.sub(end, fn.get(before)), width)), PTR)
        fn.set(before, end)
    fn.ret("0")
    unit.texts.append(fn.text())


def column(unit: Unit, fn: Fn, values: tuple[int, ...], index: str) -> str:
    """A number out of a table; the index lies inside it."""
    table = unit.table(values)
    place = fn.op(f"getelementptr inbounds {table.type}, {PTR} {table.name}, i64 {index}")
    found = fn.op(f"load {table.type}, {PTR} {place}, !invariant.load !1")
    return found if table.type == I64 else fn.op(f"sext {table.type} {found} to i64")


def rows_size(unit: Unit, fn: Fn, menu: ops.Menu, area: str) -> str:
    """How many cells the options that lie at `area` take."""
    size, before = str(len(menu.entries)), "0"
    for position, entry in enumerate(menu.entries):
        end = fn.load(area, position)
        if entry.cells:
            size = fn.add(size, fn.mul(fn.sub(end, before), len(entry.cells)))
        before = end
    return size


def count_forced(fn: Fn, menu: ops.Menu, area: str) -> None:
    """All know that something was chosen, whoever was asked; but not that somebody in a sealed
    block chose, nor that somebody could do nothing but pass."""
    last = len(menu.entries) - 1
    counts = fn.compare("eq", fn.load("%m", SEALED_SEAT), 0)
    if menu.passes:
        others = fn.compare("ne", fn.load(area, last - 1) if last else "0", 0)
        counts = fn.op(f"and i1 {counts}, {others}")
    with fn.when(counts):
        fn.store("%m", DECIDED, fn.add(fn.load("%m", DECIDED), 1))

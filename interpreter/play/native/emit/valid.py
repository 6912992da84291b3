"""Whether a state from outside can be one: native code relies on what places promise."""

from __future__ import annotations

from interpreter import limits
from interpreter.play.native.emit import context
from interpreter.play.native.emit.code import STATE, Unit
from interpreter.play.native.emit.menus import column
from interpreter.play.native.emit.text import I64, PTR, SHORTLY, Fn
from interpreter.play.native.facts.ranges import Cells
from interpreter.play.pieces import CONTENTS, UNDER, UNORDERED
from interpreter.program import ops
from interpreter.program.layout import (
    DECISION,
    MENU,
    MOVES,
    PC,
    SEALED,
    SEALING,
    SEAT,
    STATUS,
    STEPS,
    TOTAL_STEPS,
    KindLayout,
)  # fmt: skip

_MOST_COUNTED = 1 << 40  # far beyond every limit, far below what a number can hold


def emit_valid(unit: Unit) -> None:
    """`i64 valid(m, c)`: 0, or -1 with a failure. Every value lies between its bounds, every
    place holds as many pieces as it says and has room for, every piece lies where it says, and
    the menu is that of the decision."""
    fn = Fn("valid", I64, STATE, attributes=SHORTLY)
    _check_stop(unit, fn)
    _check_bounds(unit, fn)
    kinds = [kind for kind in unit.program.layout.kinds if not kind.fungible]
    for kind in kinds:
        if len(kind.instance_address) > 1:
            _check_kind(unit, fn, kind)
    fn.ret("0")
    fn.tail += [
        "wrong:",
        f"  call fastcc void @fail(ptr %c, i64 {context.INVALID}, i64 -1)",
        "  ret i64 -1",
    ]
    unit.texts.append(fn.text())


def _check_stop(unit: Unit, fn: Fn) -> None:
    code, pc = unit.program.code, fn.load("%m", PC)
    for cell in (STEPS, TOTAL_STEPS, MOVES):
        _unless_below(fn, fn.load("%m", cell), _MOST_COUNTED)
    for status, menus in (
        (DECISION, tuple(op.menu if isinstance(op, ops.Decide) else -1 for op in code)),
        (SEALING, tuple(0 if isinstance(op, ops.Sealed) else -1 for op in code)),
    ):
        with fn.when(fn.compare("eq", fn.load("%m", STATUS), status)):
            _unless_below(fn, pc, len(code))
            menu = column(unit, fn, menus, pc)
            _unless(fn, fn.compare("sge", menu, 0))
            if status == DECISION:
                _unless(fn, fn.compare("eq", menu, fn.load("%m", MENU)))
                _unless_below(fn, fn.load("%m", SEAT), unit.program.players)
            else:
                _unless(fn, fn.compare("eq", fn.load("%m", SEALED), fn.add(pc, 1)))


def _check_bounds(unit: Unit, fn: Fn) -> None:
    """How long code takes and how many options there can be is told from these. A row of the table
    is a stretch of cells with the same bounds."""
    layout, cells = unit.program.layout, Cells(unit.program)
    numbers = {cell for each in layout.variables for cell in _span(each.address, each.size)}
    for place in layout.places:
        if place.word == "pool":
            numbers.update(_span(place.address, place.size * place.stride))
    rows: list[list[int]] = []
    for number in sorted(numbers):
        low, high = cells.at(number)
        if (low, high) == (limits.INT_MIN, limits.INT_MAX):
            continue
        if rows and rows[-1][1:] == [number, low, high]:
            rows[-1][1] = number + 1
        else:
            rows.append([number, number + 1, low, high])
    if not rows:
        return
    columns = [tuple(row[place] for row in rows) for place in range(4)]
    with fn.count(0, len(rows)) as which:
        first, after, least, most = (column(unit, fn, each, which) for each in columns)
        with fn.count(first, after) as cell:
            content = fn.load("%m", cell)
            _unless(fn, fn.compare("sge", content, least))
            _unless(fn, fn.compare("sle", content, most))


def _span(start: int, size: int) -> range:
    return range(start, start + size)


def _check_kind(unit: Unit, fn: Fn, kind: KindLayout) -> None:
    pieces, places = len(kind.row_of), len(kind.instance_address)
    with fn.count(0, pieces) as piece:
        _unless_below(fn, fn.load(fn.at("%m", kind.where), piece), places)
    with fn.count(1, places) as place:
        cells = fn.at("%m", column(unit, fn, kind.instance_address, place))
        count = fn.load(cells)
        room = column(unit, fn, kind.instance_capacity, place)
        _unless(fn, fn.compare("ule", count, room))
        for offset in (UNORDERED, UNDER):
            _unless(fn, fn.compare("ule", fn.load(cells, offset), count))
        with fn.count(0, count) as index:
            piece = fn.load(fn.at(cells, CONTENTS), index)
            _unless_below(fn, piece, pieces)
            where = fn.load(fn.at("%m", kind.where), piece)
            position = fn.load(fn.at("%m", kind.position), piece)
            _unless(fn, fn.compare("eq", where, place))
            _unless(fn, fn.compare("eq", position, index))
        under = fn.load(cells, UNDER)
        loose = fn.sub(fn.add(under, fn.load(cells, UNORDERED)), 1)
        _unless(fn, fn.compare("slt", loose, count))
        with fn.count(under, loose) as index:  # they lie by number: facts/drawing.py
            piece = fn.load(fn.at(cells, CONTENTS), index)
            following = fn.load(fn.at(cells, CONTENTS), fn.add(index, 1))
            _unless(fn, fn.compare("slt", piece, following))


def _unless_below(fn: Fn, operand: str, bound: int) -> None:
    _unless(fn, fn.compare("ult", operand, bound))


def _unless(fn: Fn, test: str) -> None:
    onward = fn.label()
    fn.branch(fn.op(f"xor i1 {test}, true"), "wrong", onward, rare=True)
    fn.place(onward)


def check_state(fn: Fn) -> None:
    """At the start of a call from outside that is given a state."""
    bad = fn.call("valid", I64, f"{PTR} %m", f"{PTR} %c")
    with fn.when(fn.compare("slt", bad, 0), rare=True):
        fn.ret("-1")

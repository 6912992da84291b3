"""Whether a straight row is long enough, asked of all cells at once: see facts/lines.py."""

from __future__ import annotations

from interpreter.play.native.emit.code import Code
from interpreter.play.native.emit.compared import compare_cells, spread
from interpreter.play.native.emit.expressions import test, value
from interpreter.play.native.emit.menus import column
from interpreter.play.native.emit.text import I1, PTR
from interpreter.play.native.facts.lines import Line, find_line
from interpreter.program import ops


def line_at_once(code: Code, asked: ops.Binary) -> Line | None:
    """Not where the cells that are read must be known, or answers are kept."""
    if code.mask is not None or code.fn.marking is not None or asked.left in code.memory:
        return None
    if code.free and code.counter is None:
        return None
    return find_line(code.unit.program, asked)


def has_line(code: Code, asked: ops.Binary, line: Line) -> str:
    from interpreter.play.native.emit.statements import block

    fn = code.fn
    block(code, line.before)
    code.forget(asked)
    found = fn.variable("false", I1)
    with fn.when(test(code, line.test)):
        cell = value(code, line.start)
        if code.free:
            _pay(code, line)
        code.spend(column(code.unit, fn, line.steps, cell), -1)
        content = value(code, line.compared.content)
        words = None if code.kept is None else code.kept.cells_with(line.compared, content)
        if words is None:
            words = compare_cells(fn, line.compared, 0, len(line.sets), content)
        fn.set(found, _holds_one(code, line, cell, words[0]), I1)
    return fn.get(found, I1)


def _pay(code: Code, line: Line) -> None:
    assert code.counter is not None
    unpaid = code.counter.unpaid(line.loop)
    if unpaid:
        code.pay_steps(unpaid)


def _holds_one(code: Code, line: Line, cell: str, there: str) -> str:
    """Whether no cell of one of the sets is missing."""
    fn, room = code.fn, len(line.sets[0])
    row, bits = f"<{room} x i64>", f"<{room} x i1>"
    table = code.unit.near("i64", tuple(bits for sets in line.sets for bits in sets))
    place = fn.at(table, fn.mul(cell, room))
    sets = fn.op(f"load {row}, {PTR} {place}, align 8, !invariant.load !1")
    missing = spread(fn, fn.op(f"xor i64 {there}, -1"), room)
    lacking = fn.op(f"and {row} {sets}, {missing}")
    whole = fn.op(f"icmp eq {row} {lacking}, zeroinitializer")
    return fn.op(f"icmp ne i{room} {fn.op(f'bitcast {bits} {whole} to i{room}')}, 0")

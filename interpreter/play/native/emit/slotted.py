"""Slots that are gone through for pieces of a sort: all pieces are asked at once, each in a lane.
See facts/slotted.py."""

from __future__ import annotations

from interpreter.play.native.emit.code import Code
from interpreter.play.native.emit.compared import spread
from interpreter.play.native.emit.expressions import local, value
from interpreter.play.native.emit.text import PTR
from interpreter.play.native.facts.slotted import Slotted, find_slotted
from interpreter.program import ops


def seek_in_slots(code: Code, loop: ops.CountLoop) -> bool:
    """If a loop is such a one. Not where the cells that are read must be known."""
    fn = code.fn
    if code.mask is not None or fn.marking is not None:
        return False
    if code.free and (code.counter is None or code.counter.pays(loop)):
        return False
    found = find_slotted(code.unit.program, loop)
    if found is None:
        return False
    bits, kind = _pieces(code, found), f"i{found.pieces}"
    code.forget(loop)
    slot = local(code, found.noting.index)
    if found.counts:
        wide = bits if found.pieces == 64 else fn.op(f"zext {kind} {bits} to i64")
        more = fn.op(f"call i64 @llvm.ctpop.i64(i64 {wide})")
        fn.set(slot, fn.add(fn.get(slot), more))
    else:
        there = fn.op(f"icmp ne {kind} {bits}, 0")
        fn.set(slot, fn.select(there, value(code, found.noting.value), fn.get(slot)))
    return True


def _pieces(code: Code, found: Slotted) -> str:
    """A bit for each piece that is of the sort and lies in one of the slots."""
    fn, many = code.fn, found.pieces
    row, bits = f"<{many} x i64>", f"<{many} x i1>"
    where = fn.op(f"load {row}, {PTR} {fn.at('%m', found.where)}, align 8")
    from_first = fn.op(f"sub {row} {where}, {spread(fn, str(found.first), many)}")
    fits = fn.op(f"icmp ult {row} {from_first}, {spread(fn, str(found.slots), many)}")
    for sort in found.sorts:
        told = code.unit.program.tables[sort.table][:many]
        numbers = ", ".join(f"i64 {each}" for each in told)
        wanted = spread(fn, value(code, sort.content), many)
        word = "eq" if sort.equal else "ne"
        same = fn.op(f"icmp {word} {row} {wanted}, <{numbers}>")
        fits = fn.op(f"and {bits} {fits}, {same}")
    return fn.op(f"bitcast {bits} {fits} to i{many}")

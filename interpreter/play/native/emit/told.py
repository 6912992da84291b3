"""Choices as numbers in native code: the same numbers as `play/told.py`."""

from __future__ import annotations

from interpreter.play.native.emit import job
from interpreter.play.native.emit.runtime import random_at
from interpreter.play.native.emit.text import I64, PTR, Fn
from interpreter.play.pieces import SEATS
from interpreter.play.told import AS_IT_IS, BY_PLACE


def emit_who() -> str:
    """`i64 who(kind, m, piece)`: the seats that can name a piece (`pieces.who_knows`)."""
    fn = Fn("who", I64, [(PTR, "kind"), (PTR, "m"), (I64, "piece")])
    known = fn.load("%kind", job.KIND_KNOWN)
    with fn.when(fn.compare("slt", known, 0)):
        fn.ret("-1")
    found = fn.both(fn.load("%m", fn.add(known, "%piece")), SEATS)
    with fn.when(fn.compare("ne", fn.load("%kind", job.KIND_HIDDEN_FIELDS), 0)):
        fn.ret(found)
    place = fn.load("%m", fn.add(fn.load("%kind", job.KIND_WHERE), "%piece"))
    fn.ret(fn.either(found, fn.load(fn.load("%kind", job.KIND_VIEWERS, PTR), place)))
    return fn.text()


def emit_told() -> str:
    """`i64 told(kinds, m, form, kind, value)`: a value of a choice as it is told apart."""
    head = [(PTR, "kinds"), (PTR, "m"), (I64, "form"), (I64, "kind"), (I64, "value")]
    fn = Fn("told", I64, head)
    plain = fn.compare("eq", "%form", AS_IT_IS)
    with fn.when(fn.op(f"or i1 {plain}, {fn.compare('slt', '%value', 0)}")):
        fn.ret("%value")
    kind = fn.at("%kinds", fn.mul("%kind", job.KIND_SIZE))
    with fn.when(fn.compare("eq", "%form", BY_PLACE)):
        where = fn.load("%m", fn.add(fn.load(kind, job.KIND_WHERE), "%value"))
        position = fn.load("%m", fn.add(fn.load(kind, job.KIND_POSITION), "%value"))
        fn.ret(random_at(fn, where, position))
    row = fn.load(fn.load(kind, job.KIND_ROWS, PTR), "%value")
    found = fn.variable(random_at(fn, row, 0))
    marks = fn.load(kind, job.KIND_MARKS, PTR)
    with fn.count(0, fn.load(kind, job.KIND_MARK_COUNT)) as index:
        mark = fn.load("%m", fn.add(fn.load(marks, index), "%value"))
        fn.set(found, random_at(fn, fn.get(found), mark))
    fn.ret(fn.get(found))
    return fn.text()


def told_by(fn: Fn, m: str, kinds: str, record: str, row: str, start: str) -> str:
    """The key of an option: its values as they are told apart, mixed on from a start."""
    found = fn.variable(start)
    with fn.count(0, fn.load(record), short=True) as index:
        told = _told_at(fn, m, kinds, record, row, index)
        fn.set(found, random_at(fn, fn.get(found), told))
    return never_0(fn, fn.get(found))


def _told_at(fn: Fn, m: str, kinds: str, record: str, row: str, index: str) -> str:
    """One value of an option as it is told apart."""
    pair = fn.at(record, fn.mul(index, 2))
    form, value = fn.load(pair, 1), fn.variable(fn.load(row, index))
    with fn.when(fn.compare("ne", form, AS_IT_IS)):
        given = (f"{PTR} {kinds}", f"{PTR} {m}", f"i64 {form}", f"i64 {fn.load(pair, 2)}")
        fn.set(value, fn.call("told", I64, *given, f"i64 {fn.get(value)}"))
    return fn.get(value)


def never_0(fn: Fn, key: str) -> str:
    return fn.select(fn.compare("eq", key, 0), 1, key)


def record_of(fn: Fn, menu: str, entry: str) -> str:
    """What the table of entries says of an entry."""
    first = fn.load(job.field(fn, job.MENUS), fn.mul(menu, 2))
    number = fn.mul(fn.add(first, entry), job.field(fn, job.ENTRY_WIDTH, I64))
    return fn.at(job.field(fn, job.ENTRIES), number)


def tell_values(fn: Fn, m: str, record: str, row: str) -> None:
    """The values of an option as they are told apart, written to `TOLD`."""
    kinds, target = job.field(fn, job.KINDS), job.field(fn, job.TOLD)
    with fn.count(0, fn.load(record), short=True) as index:
        fn.store(target, index, _told_at(fn, m, kinds, record, row, index))


def what_of(fn: Fn, menu: str, entry: str) -> str:
    return fn.either(fn.op(f"shl i64 {menu}, 16"), entry)

"""Rows that are worked out once for each combination of a few numbers, and then looked up.

What they hold depends on nothing but the program and these numbers (the *keys*), so all games and
threads share them. A table has room for some rows and none is ever taken out: a place is claimed by
writing -1 where its keys belong, the row is filled, and the keys are written last. Who finds no
room, or keys that are out of the ordinary, gets no row and does without.
"""

from __future__ import annotations

from interpreter.play.native.emit.code import PASSED, STATE, Unit
from interpreter.play.native.emit.text import I1, I64, PTR, SELDOM, Fn

_KEY_BITS = 16
_ROWS = (3, 9, 13, 13)  # by the number of keys, as powers of two
_ROOM = 1 << 15  # words of a table
_PROBES = 8  # places that a row may be in
_SPREAD = -7046029254386353131  # odd, with bits everywhere


def emit_keyed(unit: Unit, name: str, keys: int, width: int) -> None:
    """`ptr find(m, c, keys...)`: the row of `width` words for some keys, or null. To fill it,
    `i1 fill(m, c, row, keys...)` is called, which says whether that went well."""
    bits = _ROWS[keys]
    while (width + 1) << bits > _ROOM:
        bits -= 1
    params = [(I64, f"k{index}") for index in range(keys)]
    unit.texts += [
        f"@kept_{name} = internal global [{(width + 1) << bits} x i64] zeroinitializer",
        _find(name, params, width, bits),
        _fill(name, params),
    ]


def find_row(fn: Fn, name: str, keys: list[str]) -> str:
    return fn.call(f"find_{name}", PTR, PASSED, *(f"i64 {key}" for key in keys))


def _find(name: str, params: list[tuple[str, str]], width: int, bits: int) -> str:
    fn = Fn(f"find_{name}", PTR, [*STATE, *params])
    packed = "0"
    for _, param in params:
        moved = fn.add(f"%{param}", 1)
        with fn.when(fn.compare("uge", moved, (1 << _KEY_BITS) - 1), rare=True):
            fn.ret("null")
        packed = fn.add(fn.op(f"shl i64 {packed}, {_KEY_BITS}") if packed != "0" else "0", moved)
    packed = fn.add(packed, 1)
    first = fn.op(f"lshr i64 {fn.mul(packed, _SPREAD)}, {64 - bits}")
    with fn.count(0, _PROBES) as number:
        index = fn.both(fn.add(first, number), (1 << bits) - 1)
        place = fn.at(f"@kept_{name}", fn.mul(index, width + 1))
        held = fn.op(f"load atomic i64, {PTR} {place} acquire, align 8")
        with fn.when(fn.compare("eq", held, packed)):
            fn.ret(fn.at(place, 1))
        with fn.when(fn.compare("eq", held, 0), rare=True):
            given = [f"i64 %{param}" for _, param in params]
            fn.ret(fn.call(f"new_{name}", PTR, PASSED, f"{PTR} {place}", f"i64 {packed}", *given))
    fn.ret("null")
    return fn.text()


def _fill(name: str, params: list[tuple[str, str]]) -> str:
    """`ptr new(m, c, place, packed, keys...)`: a new row, or null if somebody else was quicker."""
    fn = Fn(
        f"new_{name}", PTR, [*STATE, (PTR, "place"), (I64, "packed"), *params], attributes=SELDOM
    )
    claimed = fn.op(f"cmpxchg {PTR} %place, i64 0, i64 -1 acquire monotonic")
    with fn.when(fn.op(f"extractvalue {{ i64, i1 }} {claimed}, 1")):
        row = fn.at("%place", 1)
        given = [f"i64 %{param}" for _, param in params]
        well = fn.call(f"fill_{name}", I1, PASSED, f"{PTR} {row}", *given)
        with fn.when(well):
            fn.line(f"store atomic i64 %packed, {PTR} %place release, align 8")
            fn.ret(row)
    fn.ret("null")
    return fn.text()

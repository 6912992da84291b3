"""Values that stand in a table, by the locals that they go by: see facts/spelt.py."""

from __future__ import annotations

from collections.abc import Callable

from interpreter.play.native.emit.code import Code
from interpreter.play.native.emit.expressions import found_at, value
from interpreter.play.native.facts.spelt import find_spelt
from interpreter.program import ops


def look_up_value(code: Code, op: ops.Sequence, slowly: Callable[[], str]) -> str | None:
    """What stands in the table, or `slowly` if there is no row for it; None if there is no
    table."""
    if code.counter is None or code.mask is not None or not (code.free or code.ample):
        return None
    spelt = find_spelt(code.counter, op)
    if spelt is None:
        return None
    fn, (given, tabled) = code.fn, spelt
    place, inside = "0", "true"
    for index, (low, high) in zip(given, tabled.bounds, strict=True):
        moved = fn.sub(value(code, ops.Local(index)), low)
        fits = fn.compare("ult", moved, high - low + 1)
        inside = fits if inside == "true" else fn.op(f"and i1 {inside}, {fits}")
        place = moved if place == "0" else fn.add(fn.mul(place, high - low + 1), moved)
    found, known = fn.slot(), code.known

    def at_once() -> None:
        fn.set(found, found_at(code, tabled.values, place))
        if not code.free:
            code.spend(found_at(code, tabled.steps, place), -1)

    def by_going_through() -> None:
        code.known = dict(known)
        fn.set(found, slowly())

    fn.choose(inside, at_once, by_going_through)
    code.known = known
    code.forget(op)
    return fn.get(found)

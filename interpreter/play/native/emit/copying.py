"""Copies of states. There is room for many sealed choices, and hardly ever are there any: of these
only what was written down is copied."""

from __future__ import annotations

from collections.abc import Iterator

from interpreter.play.native.emit.code import Unit
from interpreter.play.native.emit.text import I64, PTR, VOID, Fn

_BOTH = [(PTR, "to"), (PTR, "from")]


def emit_copying(unit: Unit) -> None:
    """`copy_state(to, from)`: what lies where choices would be written down is left there.
    `lay_over(to, from)`: a state takes the place of another, which is one, too."""
    unit.texts += [_copy_state(unit), _lay_over(unit)]


def copy_state(fn: Fn, target: str, source: str) -> None:
    fn.call("copy_state", VOID, f"{PTR} {target}", f"{PTR} {source}")


def _copy_state(unit: Unit) -> str:
    layout = unit.program.layout
    fn = Fn("copy_state", VOID, _BOTH, attributes="inlinehint")
    if not unit.sealed:
        fn.copy("%to", "%from", layout.size)
        fn.ret()
        return fn.text()
    before, after = layout.sealed_choices, layout.sealed_row(layout.players, 0)
    fn.copy("%to", "%from", before)
    for start, number in _written_down(unit, fn, "%from"):
        fn.copy(fn.at("%to", start), fn.at("%from", start), number)
    if after < layout.size:
        fn.copy(fn.at("%to", after), fn.at("%from", after), layout.size - after)
    fn.ret()
    return fn.text()


def _lay_over(unit: Unit) -> str:
    fn = Fn("lay_over", I64, _BOTH, exported=True)
    if unit.sealed:
        forget_choices(unit, fn, "%to")
    copy_state(fn, "%to", "%from")
    fn.ret("0")
    return fn.text()


def forget_choices(unit: Unit, fn: Fn, state: str) -> None:
    """Clear what was written down of sealed choices."""
    for start, number in _written_down(unit, fn, state):
        fn.clear_bytes(fn.at(state, start), fn.mul(number, 8))


def _written_down(unit: Unit, fn: Fn, state: str) -> Iterator[tuple[int, str]]:
    """For each seat that has made choices, where they begin and how many cells they take."""
    layout = unit.program.layout
    for seat in range(layout.players):
        made = fn.load(state, layout.sealed_length + seat)
        with fn.when(fn.compare("ne", made, 0)):
            fits = fn.op(f"call i64 @llvm.umin.i64(i64 {made}, i64 {layout.sealed_capacity})")
            yield layout.sealed_row(seat, 0), fn.mul(fits, layout.sealed_width)

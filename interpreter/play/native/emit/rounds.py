"""Which rounds of a loop are gone through: those that something can come of, found before it
begins.

Loops that offer options mostly go through all cells of a board, and pass over most of them by the
first condition: `place(c in Grid) when c.mark is none`. No processor can guess which. But the
contents of all cells can be compared at once, which gives a bit for each round; then only the
rounds are gone through whose bit is set, in their order. The same is done with what tables tell
(possible.py); where both are known, a round needs both bits.

It is right because the state stands still while options are enumerated: trials put back what they
wrote. What must not be assumed: that a loop may be left. One that breaks off has no bits.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from interpreter.play.native.emit.code import Code, Form
from interpreter.play.native.emit.compared import compare_cells
from interpreter.play.native.emit.expressions import value
from interpreter.play.native.emit.possible import possible_rounds, rows_of
from interpreter.play.native.facts.compared import Compared, compared_first
from interpreter.play.native.facts.needed import find_needed
from interpreter.play.native.facts.shape import is_plain_offer
from interpreter.program import ops

Bits = Callable[[], list[str]]  # writes the code that finds them: words
_LEAST, _MOST = 9, 512  # rounds
_COMPARED = 2  # contents for each round


def bits_of_rounds(code: Code, loop: ops.CountLoop, low: int, high: int) -> Bits | None:
    if code.emitting is None or not code.free or code.mask is not None:
        return None
    if not _LEAST <= high - low <= _MOST or _breaks_off(loop.body):
        return None
    if is_plain_offer(loop.body):  # it does not jump anyway
        return None
    rows, compared = rows_of(code, loop, low, high), compared_first(loop, low, high)
    if rows is None and compared is None:
        return None

    def bits() -> list[str]:
        found = None if rows is None else possible_rounds(code, rows)
        if compared is None:
            return found or []
        there = all_with(code, compared, low, high)
        if found is None:
            return there
        return [code.fn.both(one, two) for one, two in zip(found, there, strict=True)]

    return bits


def needed_rounds(code: Code, loop: ops.CountLoop) -> tuple[list[str], int] | None:
    """The bits of the rounds whose cell holds what something can come of, in words, and the steps
    of any other. The loop may break off."""
    match loop:
        case ops.CountLoop(_, ops.Const(low), ops.Const(high)) if _LEAST <= high - low <= _MOST:
            pass
        case _:  # it is short, or nobody knows how long
            return None
    plain = code.form is None or replace(code.form, listing=False) in (
        Form(code.form.number, free=True, keeping=False),
        Form(code.form.number, free=False, keeping=False, ample=True),
    )
    if not (code.free or code.ample) or not plain or code.counter is None or code.mask is not None:
        return None
    if code.counter.unpaid(loop.body):  # what is passed over pays nothing
        return None
    unit, ranges = code.unit, code.counter.ranges
    needed = find_needed(unit.steps, loop, ranges, deep=unit.deep, counting=not code.free)
    if not needed:
        return None
    words, *others = (all_with(code, each.compared, low, high) for each in needed[:_COMPARED])
    for other in others:
        words = [code.fn.both(one, two) for one, two in zip(words, other, strict=True)]
    return words, 0 if code.free else needed[0].steps


def _breaks_off(body: tuple[ops.Statement, ...]) -> bool:
    return any(
        isinstance(each, ops.Break)
        or (isinstance(each, ops.When) and any(map(_breaks_off, (each.then, each.otherwise))))
        for each in body
    )


def all_with(code: Code, compared: Compared, low: int, high: int) -> list[str]:
    """The bits of the rounds whose cell holds what it must, in words."""
    return compare_cells(code.fn, compared, low, high, value(code, compared.content))

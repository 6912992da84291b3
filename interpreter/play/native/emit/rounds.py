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

from interpreter.play.native.emit.code import Code
from interpreter.play.native.emit.compared import compare_cells
from interpreter.play.native.emit.expressions import value
from interpreter.play.native.emit.possible import possible_rounds, rows_of
from interpreter.play.native.facts.compared import compared_first
from interpreter.play.native.facts.shape import is_plain_offer
from interpreter.program import ops

Bits = Callable[[], list[str]]  # writes the code that finds them: words
_LEAST, _MOST = 9, 512  # rounds


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
        content = value(code, compared.content)
        there = compare_cells(code.fn, compared, low, high, content)
        if found is None:
            return there
        return [code.fn.both(one, two) for one, two in zip(found, there, strict=True)]

    return bits


def _breaks_off(body: tuple[ops.Statement, ...]) -> bool:
    return any(
        isinstance(each, ops.Break)
        or (isinstance(each, ops.When) and any(map(_breaks_off, (each.then, each.otherwise))))
        for each in body
    )

"""Loops that write a number down digit by digit: `n := n * base + digit`, round after round.

What comes out is the sum of all digits, each times a power of the base, in any order: numbers are
added and multiplied modulo two to the power of 64, where nothing is checked. So rounds need not
wait for each other.

What must not be assumed: that a round has no other effect, that digits do not depend on the number
so far, or that they cannot go wrong half way through.
"""

from __future__ import annotations

from dataclasses import dataclass

from interpreter.play.native.facts.shape import is_plain
from interpreter.program import ops
from interpreter.program.touches import locals_read, operations


@dataclass(frozen=True, slots=True)
class Digits:
    number: int  # the local
    base: int
    digit: ops.Expr


def find_digits(loop: ops.CountLoop) -> Digits | None:
    match loop:
        case ops.CountLoop(at, ops.Const(), ops.Const(), (ops.SetLocal(number, sum_),)):
            pass
        case _:  # it does something else, or more
            return None
    match sum_:
        case ops.Binary("add", ops.Binary("multiply", held, ops.Const(base)) as so_far, digit):
            if held != ops.Local(number) or at == number:
                return None
        case _:  # it counts otherwise
            return None
    if sum_.at >= 0 or so_far.at >= 0 or number in locals_read(digit):
        return None
    if not is_plain(digit) or any(isinstance(op, ops.Within) for op in operations(digit)):
        return None
    checked = any(isinstance(op, ops.Binary) and op.at >= 0 for op in operations(digit))
    return None if checked else Digits(number, base, digit)

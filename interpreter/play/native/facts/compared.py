"""Loops whose rounds each begin with a condition on the content of their own cell: the cells of all
rounds stand together, and can be compared at once."""

from __future__ import annotations

from dataclasses import dataclass

from interpreter.play.native.facts.sharing import is_own
from interpreter.program import ops
from interpreter.program.once import once_for_each_program
from interpreter.program.program import Program
from interpreter.program.touches import locals_read, locals_set


@dataclass(frozen=True, slots=True)
class Compared:
    """A cell for each round, which must (or must not) hold a value."""

    base: int
    equal: bool
    content: ops.Expr


def compared_first(loop: ops.CountLoop, low: int, high: int) -> Compared | None:
    """If a round begins with a condition on the content of its cell, and does nothing else."""
    match loop.body[-1]:
        case ops.When(condition, _, ()):
            return _compared(loop, condition, low, high)
        case _:  # it begins otherwise
            return None


def _compared(loop: ops.CountLoop, condition: ops.Expr, low: int, high: int) -> Compared | None:
    match condition:
        case ops.Binary(
            "equal" | "unequal" as word, ops.MemoryAt(base, ops.Local(index), size), held
        ) if low >= 0 and high <= size:
            pass
        case _:  # it asks for something else
            return None
    same = {loop.local}
    for each in loop.body[:-1]:
        match each:
            case ops.SetLocal(alias, ops.Local(other)) if other in same and alias not in same:
                same.add(alias)
            case _:  # it does something else before
                return None
    plain = isinstance(held, (ops.Const, ops.Local, ops.Memory))
    if index not in same or not plain or locals_read(held) & locals_set(loop):
        return None
    return Compared(base, word == "equal", held)


@dataclass(frozen=True, slots=True)
class Sought:
    """What cells are looked through for, and what is noted when one is found."""

    compared: Compared
    noting: ops.SetLocal


@once_for_each_program
def find_sought(program: Program, loop: ops.CountLoop) -> Sought | None:
    """If a loop breaks off at the first cell that holds something (or does not), and nobody asks
    which it was: `any(x in Grid has ...)`, `every(x in Grid has ...)`."""
    match loop:
        case ops.CountLoop(_, ops.Const(low), ops.Const(high), (*_, ops.When() as last)):
            pass
        case _:  # it may have any number of rounds
            return None
    match last:
        case ops.When(condition, (ops.SetLocal(_, ops.Const()) as noting, ops.Break()), ()):
            wanted = True
        case ops.When(condition, (), (ops.SetLocal(_, ops.Const()) as noting, ops.Break())):
            wanted = False
        case _:  # it does something else
            return None
    found = _compared(loop, condition, low, high)
    own = locals_set(loop) - {noting.index}
    if found is None or noting.index in locals_read(loop) or not is_own(program, loop, own):
        return None
    return Sought(Compared(found.base, found.equal == wanted, found.content), noting)

"""What chance can bring, where that can be told without going through all of it.

Two sorts of generators are known. One goes through numbers in order and gives each the same weight:
the n-th outcome is what it gives for the n-th number. The other goes through the pieces of a stack
whose order nobody knows, and gives those that are alike one outcome, with their number as weight:
there the pieces lie by number (play/pieces.py), so if those that are alike have numbers that follow
one another, the n-th piece and the first that is alike before it tell the outcome.

What must not be assumed: that somebody wants to hear of all outcomes: then they are enumerated. Nor
that a place lies by number that is no stack.
"""

from __future__ import annotations

from dataclasses import dataclass

from interpreter import limits
from interpreter.play.native.facts.ranges import Cells
from interpreter.play.native.facts.shape import body_can_fail, is_plain, most_offers
from interpreter.program import ops
from interpreter.program.layout import CONTENTS, UNDER, UNORDERED
from interpreter.program.program import Program
from interpreter.program.touches import operations


@dataclass(frozen=True, slots=True)
class Draw:
    """From `low` to below `high`, by a local; `looks` is the table that says what is alike."""

    local: int
    low: ops.Expr
    high: ops.Expr
    value: ops.Expr
    looks: int | None = None


def find_draw(program: Program, cells: Cells, number: int) -> Draw | None:
    body = program.functions[number].body
    match body:
        case (ops.CountLoop() as loop, ops.Return(ops.Const())):
            found = _uniform(loop) or _by_looks(program, loop)
        case _:  # it goes on otherwise
            return None
    if found is None or any(isinstance(op, ops.Call) for op in operations(body)):
        return None
    plain = all(is_plain(part) for part in (found.low, found.high, found.value))
    few = most_offers(cells, body) <= limits.OPTIONS
    return found if plain and few and not body_can_fail(program, cells, body) else None


def _uniform(loop: ops.CountLoop) -> Draw | None:
    match loop.body:
        case (ops.Emit((ops.Const(1), value)),):
            return Draw(loop.local, loop.low, loop.high, value)
        case _:  # some weigh more, or are not always there
            return None


def _by_looks(program: Program, loop: ops.CountLoop) -> Draw | None:
    match loop.body:
        case (
            ops.SetLocal(count, ops.Const(0)),
            ops.SetLocal(known, ops.Const(0)),
            ops.CountLoop(other, low, high, (ops.When(alike, (earlier, more), ()),)),
            ops.When(ops.Local(asked), (), (ops.Emit((weight, value)),)),
        ) if (low, high, asked) == (loop.low, loop.high, known):
            pass
        case _:  # it goes on otherwise
            return None
    here, there = ops.Local(loop.local), ops.Local(other)
    found = (ops.SetLocal(known, ops.Const(1)), ops.Break())
    counting = ops.SetLocal(count, ops.Binary("add", ops.Local(count), ops.Const(1)))
    if earlier != ops.When(ops.Binary("less", there, here), found) or more != counting:
        return None
    match alike:
        case ops.Binary("equal", ops.Lookup(looks, one), ops.Lookup(same, two)):
            if weight != ops.Local(count) or same != looks or one != value:
                return None
        case _:  # something else is compared
            return None
    stack = _stack(program, loop, value, here)
    if stack is None or _stack(program, loop, two, there) != stack:
        return None
    if stack != len(program.tables[looks]) or not _in_runs(program.tables[looks]):
        return None
    return Draw(loop.local, loop.low, loop.high, value, looks)


def _stack(program: Program, loop: ops.CountLoop, piece: ops.Expr, index: ops.Local) -> int | None:
    """How many pieces there are of the kind, if a loop goes through all that lie in no known order
    in some place, and this is one of them."""
    match piece:
        case ops.MemoryAt(base, ops.Binary("add", instance, by)) if by == index:
            under = ops.MemoryAt(base - CONTENTS + UNDER, instance, 0)
            loose = ops.MemoryAt(base - CONTENTS + UNORDERED, instance, 0)
        case _:  # it lies elsewhere
            return None
    match loop:
        case ops.CountLoop(_, low, ops.Binary("add", count, again)):
            if again != low or not (_same(low, under) and _same(count, loose)):
                return None
        case _:  # it goes through something else
            return None
    for place in program.layout.places:
        if place.address + CONTENTS == base and place.word != "pool":
            return len(program.layout.kinds[place.kind].row_of)
    return None


def _same(one: ops.Expr, two: ops.MemoryAt) -> bool:
    return isinstance(one, ops.MemoryAt) and (one.base, one.index) == (two.base, two.index)


def _in_runs(looks: tuple[int, ...]) -> bool:
    """Whether those that are alike follow one another."""
    begun = [look for number, look in enumerate(looks) if number == 0 or looks[number - 1] != look]
    return len(begun) == len(set(begun))

"""Answers that are remembered: where the state stands still while a loop goes round.

Then a function that is asked again with the same arguments answers the same, in as many steps, and
what is counted or looked for again comes to the same. Such answers are kept, in a small table on
the stack, by the parts they depend on that the loop changes:

- calls in a search, by a local that comes from constant tables only (`remember_calls`);
- what is counted or looked for in an inner loop, by a local with few values, or once if it depends
  on none (`remember_answers`);
- calls of long functions that are asked again with the same arguments (facts/repeated.py), in a
  loop or in a function (`remember_repeated`). Where steps are counted, those that each of them took
  are kept with it: they are paid again, and what would then take too long is asked again, to fail
  where it does.

It is right as long as everything else that the answer depends on stands still: all other arguments
are constants, cells, or locals that the loop does not set, and neither the loop nor what is called
writes to what is read of the state. What counts is remembered only if nobody else uses the locals
it sets.

What must not be assumed: that a key lies between its bounds. A state can be bad where nobody looks,
so a key outside is answered without the table.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

from interpreter.play.native.emit.code import Code, Memo, arrays_in
from interpreter.play.native.facts.repeated import find_repeated
from interpreter.play.native.facts.shape import is_pure, is_still
from interpreter.play.native.facts.sorting import is_at_once
from interpreter.program import ops
from interpreter.program.touches import TOUCHES, locals_read, locals_set, operations, uses

_REMEMBERED = 1024  # answers of a function
_LOOPS = (ops.CountLoop, ops.Reach)
_COUNTED = 64  # answers to what is counted or looked for


def remember_calls(code: Code, loop: ops.While | ops.Reach) -> dict[ops.Expr, Memo]:
    """Calls of functions, by a local that comes from constant tables."""
    found: dict[ops.Expr, Memo] = {}
    inside = loop.cost if isinstance(loop, ops.Reach) else loop.body
    if not code.free or not is_still(code.unit.program, inside):
        return found
    changed = locals_set(loop)
    for op in operations(inside):
        if not isinstance(op, ops.Call) or op in found:
            continue
        moving = [
            part.index
            for part in op.arguments
            if isinstance(part, ops.Local) and part.index in changed
        ]
        if len(moving) != 1:
            continue
        others = [part for part in op.arguments if part != ops.Local(moving[0])]
        if not all(_stands_still(part, changed) for part in others):
            continue
        size = _table_bound(code, loop, moving[0])
        if size and is_pure(code.unit.program, op.function):
            position = op.arguments.index(ops.Local(moving[0]))
            found[op] = _memo(code, [op], (position,), (0,), (size,))
    return found


def remember_answers(code: Code, loop: ops.CountLoop) -> dict[ops.Expr, Memo]:
    """What is counted or looked for, by a local that an inner loop counts."""
    found: dict[ops.Expr, Memo] = {}
    if code.counter is None or code.occupied is None:
        return found
    inner = sum(isinstance(op, _LOOPS) for op in operations(loop.body))
    at_once = {each for each, place in code.sorted_places.items() if is_at_once(place.sorting)}
    changed = locals_set(loop)
    for op in operations(loop.body):
        if not isinstance(op, ops.Sequence) or op in code.memory or op in found:
            continue
        if any(id(each) in at_once for each in op.statements):
            continue
        moving = (locals_read(op) - locals_set(op)) & changed
        if len(moving) > 1 or loop.local in moving or not _is_apart(code, op):
            continue
        if moving and inner < 2:  # nothing would be asked twice
            continue
        key: ops.Expr = next(map(ops.Local, moving), ops.Const(0))
        low, high = code.counter.ranges.of(key)
        if high - low < _COUNTED:
            found[op] = _memo(code, [op], (key,), (low,), (high - low + 1,))
    return found


def remember_repeated(code: Code, around: Any) -> dict[ops.Expr, Memo]:
    """Calls of functions that are asked the same again, by their arguments."""
    found: dict[ops.Expr, Memo] = {}
    if code.trying or code.fn.marking is not None or code.mask is not None:
        return found
    for each in find_repeated(code.unit.steps, around, free=code.free):
        calls = [call for call in each.calls if call not in code.memory]
        if calls:
            keys = tuple(key.position for key in each.keys)
            lows, sizes = (tuple(getattr(k, word) for k in each.keys) for word in ("low", "size"))
            found.update(dict.fromkeys(calls, _memo(code, calls, keys, lows, sizes)))
    return found


def _memo(
    code: Code,
    asked: Sequence[ops.Expr],
    keys: tuple[ops.Expr | int, ...],
    lows: tuple[int, ...],
    sizes: tuple[int, ...],
) -> Memo:
    size = prod(sizes)
    values, known = code.fn.slot(f"[{size} x i64]"), code.fn.slot(f"[{size} x i8]")
    pays = not code.free or (code.counter is not None and any(map(code.counter.unpaid, asked)))
    costs = code.fn.slot(f"[{size} x i64]") if pays else None
    code.fn.clear_bytes(known, size)
    return Memo(keys, lows, sizes, values, known, costs)


def _is_apart(code: Code, op: ops.Sequence) -> bool:
    """Whether something goes through a loop, and nobody else uses its locals."""
    inside = list(operations(op))
    if arrays_in(op) or any(isinstance(each, ops.Return) for each in inside):
        return False
    if not any(isinstance(each, ops.CountLoop) for each in inside):
        return False
    assert code.counter is not None
    own = locals_set(op)
    return uses(code.counter.around, own) == uses(op, own)


def _stands_still(op: ops.Expr, changed: set[int]) -> bool:
    match op:
        case ops.Const() | ops.Memory():
            return True
        case ops.Local(index):
            return index not in changed
        case _:  # any other may change with what it is made of
            return False


def _table_bound(code: Code, loop: ops.While | ops.Reach, index: int) -> int:
    """If a local of a loop comes from constant tables only: one more than it can be, else 0."""
    highest = -1
    for op in operations(loop):
        if index not in TOUCHES[type(op)].locals_set(op):
            continue
        if isinstance(op, ops.SetLocal) and isinstance(op.value, ops.Lookup):
            highest = max(highest, *code.unit.program.tables[op.value.table])
        elif isinstance(op, ops.Reach) and op.target == index:
            highest = max(highest, *code.unit.program.tables[op.ways])
        else:
            return 0
    return highest + 1 if highest < _REMEMBERED else 0

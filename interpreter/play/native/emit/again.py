"""What a flood has found, for the next one that spreads alike: see facts/again.py.

All of them share the arrays of the cells that are found. Beside them stand where the flood started,
the locals its condition went by, how many cells it found, and the steps that it took, which are
paid again: what would then take too long is flooded again, to fail where it does.

Where it is only asked whether a certain cell is among them, it is looked up and not looked for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from interpreter import limits
from interpreter.play.native.emit.code import Code
from interpreter.play.native.emit.expressions import local, value
from interpreter.play.native.emit.spreading import (
    Spreading,
    if_ample,
    make_room,
    spreads_plainly,
)
from interpreter.play.native.emit.text import PTR
from interpreter.play.native.facts.again import Again, find_again
from interpreter.play.native.facts.floods import Flood, find_flood
from interpreter.program import ops
from interpreter.program.touches import TOUCHES, locals_read, operations, with_called

Statement = Callable[[Code, ops.Statement], None]


@dataclass(frozen=True, slots=True)
class Kept:
    """Slots for what was found, by floods that spread alike."""

    reads: frozenset[int]
    keys: tuple[int, ...]  # locals
    valid: str
    given: tuple[str, ...]  # where it started, and what the keys were
    size: str
    cost: str
    seen: str  # a byte for each cell
    quickly: bool  # see spreading.py


def keep_floods(code: Code, body: Any) -> None:
    """At the beginning of code, when its locals have their slots."""
    if code.trying or code.fn.marking is not None or code.fn.keeping:
        return
    for again in find_again(code.unit.program, body, free=code.free):
        first, kept = again.floods[0], _kept(code, again)
        for flood in again.floods:
            code.kept_floods[id(flood.loop)] = kept
            for own, shared in ((flood.seen, first.seen), (flood.found, first.found)):
                code.arrays[own] = code.arrays[shared]


def _kept(code: Code, again: Again) -> Kept:
    fn, flood = code.fn, again.floods[0]
    given = tuple(fn.slot() for _ in (flood.start, *again.keys))
    quickly = all(spreads_plainly(code, each) for each in again.floods)
    if quickly:
        make_room(code, flood)
    valid, size, cost = fn.variable("0"), fn.slot(), fn.variable("0")
    seen = fn.slot(f"[{flood.cells} x i8]")
    return Kept(again.reads, again.keys, valid, given, size, cost, seen, quickly)


def take_back(code: Code, op: ops.Statement) -> None:
    """What was found holds no longer if a statement writes what it was found by."""
    if not code.kept_floods or isinstance(op, (ops.When, ops.CountLoop, ops.While, ops.Reach)):
        return  # what is inside is asked itself
    for kept in {id(each): each for each in code.kept_floods.values()}.values():
        if not kept.reads.isdisjoint(_written(code, op)):
            code.fn.set(kept.valid, "0")


def _written(code: Code, op: ops.Statement) -> Iterator[int]:
    program = code.unit.program
    for each in with_called(program, op):
        for span in TOUCHES[type(each)].writes(each, program):
            yield from span


def kept_flood(code: Code, statements: tuple[ops.Statement, ...], first: int) -> Flood | None:
    """The flood that begins here, if what it finds is kept."""
    if (
        not code.kept_floods
        or not isinstance(statements[first], ops.CountLoop)
        or code.mask is not None
    ):
        return None
    flood = find_flood(statements, first)
    return flood if flood is not None and id(flood.loop) in code.kept_floods else None


def emit_again(
    code: Code, flood: Flood, statements: tuple[ops.Statement, ...], statement: Statement
) -> None:
    kept = code.kept_floods[id(flood.loop)]
    spreading = Spreading(code, flood, kept.seen) if kept.quickly else None

    def flooding() -> None:
        _find(code, flood, kept, lambda: _spread(code, statements, spreading, statement))
        looked_for = _looked_for(flood)
        if spreading is None or looked_for is None:
            statement(code, flood.visit)
        else:
            _look_up(code, flood, kept.seen, *looked_for)

    if spreading is None:
        flooding()
    else:
        if_ample(code, flood, statements, statement, flooding)


def _find(code: Code, flood: Flood, kept: Kept, spread: Callable[[], None]) -> None:
    """The cells, as they are kept or else anew."""
    fn = code.fn
    now = [value(code, flood.start), *(fn.get(local(code, key)) for key in kept.keys)]
    known = fn.compare("ne", fn.get(kept.valid), 0)
    for key, slot in zip(now, kept.given, strict=True):
        known = fn.op(f"and i1 {known}, {fn.compare('eq', key, fn.get(slot))}")
    before = fn.get(code.steps)
    after = fn.add(before, fn.get(kept.cost))
    fits = fn.compare("sle", after, limits.STEPS_PER_MOVE)

    def anew() -> None:
        spread()
        for key, slot in zip(now, kept.given, strict=True):
            fn.set(slot, key)
        fn.set(kept.valid, "1")
        fn.set(kept.size, fn.get(local(code, flood.size)))
        fn.set(kept.cost, fn.sub(fn.get(code.steps), before))

    fn.choose(fn.op(f"and i1 {known}, {fits}"), lambda: fn.set(code.steps, after), anew)
    fn.set(local(code, flood.size), fn.get(kept.size))
    code.forget((flood.loop, flood.visit, ops.SetLocal(flood.size, flood.start)))


def _spread(
    code: Code,
    statements: tuple[ops.Statement, ...],
    spreading: Spreading | None,
    statement: Statement,
) -> None:
    if spreading is not None:
        spreading.begin()
        code.spend(spreading.cost(), -1)
        return
    for each in statements[:-1]:
        statement(code, each)


def _looked_for(flood: Flood) -> tuple[ops.Expr, ops.SetLocal] | None:
    """The only cell that is looked for, and what is noted if it is there."""
    match flood.visit.body:
        case (
            ops.When(
                ops.Binary("equal", ops.LocalAt(found, ops.Local(visited)), cell),
                (ops.SetLocal(result, ops.Const()) as noting, ops.Break()),
                (),
            ),
        ) if (found, visited) == (flood.found, flood.visit.local):
            pass
        case _:  # something else is done
            return None
    plain = all(isinstance(op, (ops.Const, ops.Local, ops.Memory)) for op in operations(cell))
    if not plain or locals_read(cell) & {visited, result}:
        return None
    return cell, noting


def _look_up(code: Code, flood: Flood, seen: str, cell: ops.Expr, noting: ops.SetLocal) -> None:
    fn = code.fn
    size = fn.get(local(code, flood.size))
    code.spend(size, flood.visit.at)
    code.pay(flood.visit, size)
    wanted = value(code, cell)
    slot = local(code, noting.index)
    with fn.when(fn.compare("ult", wanted, flood.cells)):
        place = fn.op(f"getelementptr inbounds i8, {PTR} {seen}, i64 {wanted}")
        hit = fn.op(f"icmp ne i8 {fn.op(f'load i8, {PTR} {place}')}, 0")
        fn.set(slot, fn.select(hit, value(code, noting.value), fn.get(slot)))
    code.forget(flood.visit)

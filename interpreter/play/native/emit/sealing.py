"""Sealed blocks as `run` meets them: where they begin and end, and decisions inside them.

In a simulation nobody looks on while choices are sealed. A body changes only what is its seat's own
and reads nothing that others change there (typed/checks/sealed.py), so bodies do not know of each
other: each is carried out at once, and its choices are drawn on the way (`DIRECT`). Nothing is
written down and nothing put back.

What must not be assumed: that bodies come to the same in front of somebody who chooses otherwise
than by chance, since that one may look at all that lies open, unless it says that it does not
(`context.BLIND`). Then choices are made first, on the state as it was (`all_seats` in sealed.py),
and so they are where bodies try something out. Nor that there are steps enough: each choice is to
be made within the steps of a move, counted from before the block. With more than half of these the
game is played again in the plain way.
"""

from __future__ import annotations

from collections.abc import Callable

from interpreter import limits
from interpreter.play.native.emit import context
from interpreter.play.native.emit.code import PASSED, Code, Unit
from interpreter.play.native.emit.copying import forget_choices
from interpreter.play.native.emit.text import I64, PTR
from interpreter.play.native.facts import writes
from interpreter.program import ops
from interpreter.program.layout import (
    DECIDED,
    MENU,
    MODE,
    PC,
    SEALED,
    SEALED_DONE,
    SEALED_READ,
    SEALED_SEAT,
    SEALING,
    SEAT,
    STATUS,
    STEPS,
)  # fmt: skip

SCRATCH = 4  # as in the reference machine
DIRECT = 8  # bodies are carried out at once; no state has this mode that anybody sees
_ENOUGH = limits.STEPS_PER_MOVE // 2


def can_be_sealed(unit: Unit, pc: int) -> bool:
    """Whether a decision can be met in a sealed body; what is tried out could lead anywhere."""
    return unit.sealed and (unit.looks or pc in writes.in_sealed(unit.program))


def begin_sealed(code: Code, pc: int, op: ops.Sealed, stop: Callable[[], None]) -> None:
    """The game stands here until all choices are made; then comes the body of the first seat."""
    fn, players = code.fn, code.unit.program.players
    everyone = (1 << players) - 1
    with fn.when(fn.compare("eq", fn.load("%m", SEALED), 0)):
        fn.store("%m", SEALED, pc + 1)
        fn.store("%m", STEPS, fn.get(code.steps))
        fn.choose(
            fn.op(f"and i1 %sim, {fn.compare('eq', fn.load('%c', context.PLAIN), 0)}"),
            lambda: _choose_at_once(code, everyone),
            lambda: _see_who_is_done(code),
        )
    with fn.when(fn.compare("ne", fn.load("%m", SEALED_DONE), everyone)):
        fn.store("%m", STATUS, SEALING)
        fn.store("%m", PC, pc)
        stop()
    fn.store("%m", SEALED_SEAT, 1)
    fn.store("%m", SEALED_READ, 0)
    fn.write("%m", op.seat, 0)


def _choose_at_once(code: Code, everyone: int) -> None:
    if code.unit.looks:
        _all_seats(code)
        return
    fn = code.fn
    chance = fn.op(f"icmp eq {PTR} {fn.load('%c', context.PICK, PTR)}, null")
    blind = fn.op(f"or i1 {chance}, {fn.compare('ne', fn.load('%c', context.BLIND), 0)}")
    early = fn.compare("slt", fn.get(code.steps), _ENOUGH)

    def directly() -> None:
        fn.store("%c", context.PENDING, fn.get(code.steps))
        fn.store("%m", MODE, fn.either(fn.load("%m", MODE), DIRECT))
        fn.store("%m", SEALED_DONE, everyone)

    fn.choose(fn.op(f"and i1 {blind}, {early}"), directly, lambda: _all_seats(code))


def _all_seats(code: Code) -> None:
    """Make all choices at once. If there were any, the steps since the last one are those
    of coming back here."""
    fn = code.fn
    chosen = fn.call("all_seats", I64, PASSED, f"i64 {code.depth}")
    code.leave_if(fn.compare("slt", chosen, 0))
    with fn.when(fn.compare("ne", chosen, 0)):
        fn.set(code.steps, str(limits.STEPS_AN_INSTRUCTION))


def _see_who_is_done(code: Code) -> None:
    with code.fn.count(0, code.unit.program.players) as seat:
        given = (f"i64 {seat}", f"i64 {code.depth}")
        bad = code.fn.call("see_if_done", I64, PASSED, *given)
        code.leave_if(code.fn.compare("slt", bad, 0))


def end_sealed(code: Code, stop: Callable[[], None], goto: Callable[[int], None]) -> None:
    """The body of the next seat, or what comes after the block."""
    fn, program = code.fn, code.unit.program
    mode = fn.load("%m", MODE)
    with fn.when(fn.compare("ne", fn.both(mode, SCRATCH), 0)):
        fn.store("%m", STATUS, SEALING)
        stop()
    blocks = {pc: op for pc, op in enumerate(program.code) if isinstance(op, ops.Sealed)}
    labels = {pc + 1: fn.label() for pc in blocks}
    fn.switch(fn.load("%m", SEALED), "lost", labels)
    for pc, op in blocks.items():
        fn.place(labels[pc + 1])
        seat = fn.load("%m", SEALED_SEAT)
        with fn.when(fn.compare("slt", seat, program.players)):
            fn.store("%m", SEALED_SEAT, fn.add(seat, 1))
            fn.store("%m", SEALED_READ, 0)
            fn.write("%m", op.seat, seat)
            goto(op.body.position)
        asked = str(program.players)
        if op.asked is not None:
            asked = fn.op(f"call i64 @llvm.ctpop.i64(i64 {fn.load('%m', op.asked.address)})")
        fn.store("%m", DECIDED, fn.add(fn.load("%m", DECIDED), asked))
        for cell in (SEALED, SEALED_DONE, SEALED_SEAT, SEALED_READ):
            fn.store("%m", cell, 0)
        fn.write("%m", op.seat, 0)
        fn.choose(
            fn.compare("eq", fn.both(mode, DIRECT), 0),
            lambda: _forget(code),
            lambda: _leave_directly(code, mode),
        )
        goto(op.end.position)


def _forget(code: Code) -> None:
    """What was written down of choices."""
    where = code.unit.program.layout
    forget_choices(code.unit, code.fn, "%m")
    code.fn.clear("%m", where.sealed_length, where.players)


def _leave_directly(code: Code, mode: str) -> None:
    fn = code.fn
    code.fail_if(fn.compare("sgt", fn.get(code.steps), _ENOUGH), context.BROKEN, -1)
    fn.store("%m", MODE, fn.both(mode, ~DIRECT))


def replay(code: Code, number: int, to_entry: Callable[[int, str], None]) -> None:
    """In a sealed body, use up the choices its seat has made."""
    fn, program = code.fn, code.unit.program
    where = program.layout
    seat = fn.sub(fn.load("%m", SEALED_SEAT), 1)
    with fn.when(fn.compare("sge", seat, 0)):
        code.fail_if(fn.compare("uge", seat, program.players), context.BROKEN, -1)
        read = fn.load("%m", SEALED_READ)
        made = fn.load(fn.at("%m", where.sealed_length), seat)
        with fn.when(fn.compare("slt", read, made)):
            code.fail_if(fn.compare("uge", read, where.sealed_capacity), context.BROKEN, -1)
            row = fn.add(fn.mul(seat, where.sealed_capacity), read)
            cells = fn.at("%m", where.sealed_choices)
            start = fn.at(cells, fn.mul(row, where.sealed_width))
            fn.store("%m", SEALED_READ, fn.add(read, 1))
            choice = fn.slot(f"[{where.sealed_width} x i64]")
            fn.copy(choice, start, where.sealed_width)
            to_entry(number, fn.call(f"take{number}", I64, PASSED, f"{PTR} {choice}"))


def draw_in_sealed(
    code: Code, number: int, area: str, found: str, enter: Callable[[str], None]
) -> None:
    """In a simulation, the choice of the seat whose body is run."""
    fn = code.fn
    mode = fn.load("%m", MODE)
    with fn.when(fn.compare("ne", fn.both(mode, SCRATCH | DIRECT), 0)):
        pending = fn.load("%c", context.PENDING)
        given = (f"{PTR} {area}", f"i64 {number}", f"i64 {found}")
        picked = fn.call("draw_sealed", I64, PASSED, *given)
        code.leave_if(fn.compare("slt", picked, 0))
        with fn.when(fn.compare("ne", fn.both(mode, DIRECT), 0)):
            # The first choice takes the steps from before the block with it.
            since = fn.sub(fn.get(code.steps), pending)
            fn.set(code.steps, fn.add(since, limits.STEPS_AN_INSTRUCTION))
            for cell in (SEAT, MENU, STATUS):
                fn.store("%m", cell, 0)
        enter(picked)

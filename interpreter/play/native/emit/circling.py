"""Rounds, leads and positions that come again, in native code: the same as `play/circling.py`
counts and `play/gathering.py` looks at."""

from __future__ import annotations

from interpreter.play.circling import (
    COUNTED,
    DEEPEST,
    NOWHERE,
    TURNS,
)
from interpreter.play.gathering import (
    G_LEAD_SINCE,
    G_LEADS,
    G_REPEATED,
    LEADS_KEPT,
    ROUNDS_KEPT,
)
from interpreter.play.native.emit import context
from interpreter.play.native.emit.gather_job import (
    ALONE,
    ASIDE,
    CONTEXT,
    FRAMES,
    GAME,
    HAS_LEADS,
    LEADER_COUNT,
    LEADERS,
    LOOP,
    LOOP_CELL,
    LOOP_FORM,
    LOOP_WIDTH,
    LOOPS,
    NOW,
    OUTER,
    PASSES,
    PLACE,
    PLAYERS,
    POSITION_MASK,
    POSITIONS,
    SCORE_COUNT,
    SCORES,
    SIZE,
    STANDING,
    TURNS_HAD,
    VALUE,
    WEIGHTS,
    field,
    increase,
    put,
)
from interpreter.play.native.emit.text import (
    I64,
    PTR,
    VOID,
    Fn,
)
from interpreter.program.layout import (
    MOVES,
    PC,
    SEALED,
)


def emit_circling() -> list[str]:
    return [_outermost(), _circle(), _lead(), _position()]


def _outermost() -> str:
    """`i64 outermost(job, m)`: see `Circling`."""
    fn = Fn("outermost", I64, [(PTR, "job"), (PTR, "m")])
    outer, frames = field(fn, OUTER, PTR), field(fn, FRAMES, PTR)
    sealed = fn.load("%m", SEALED)
    is_open = fn.compare("eq", sealed, 0)
    place = fn.variable(fn.select(is_open, fn.load("%m", PC), fn.sub(sealed, 1)))
    found = fn.variable(str(NOWHERE))
    end = fn.label()
    with fn.count(0, DEEPEST):
        now = fn.get(place)
        looped = fn.compare("ne", fn.load(outer, now), NOWHERE)
        fn.set(found, fn.select(looped, now, fn.get(found)))
        frame = fn.load(frames, now)
        onward, further = fn.label(), fn.label()
        fn.branch(fn.compare("eq", frame, 0), end, onward)
        fn.place(onward)
        back = fn.load("%m", frame)
        fn.branch(fn.compare("sle", back, 0), end, further)
        fn.place(further)
        fn.set(place, back)
    fn.place(end)
    none = fn.compare("eq", fn.get(found), NOWHERE)
    fn.ret(fn.select(none, fn.get(place), fn.get(found)))
    return fn.text()


def _circle() -> str:
    """`circle(job, m)`: count rounds, and look at the lead where the outermost loop has moved."""
    fn = Fn("circle", VOID, [(PTR, "job"), (PTR, "m")])
    place = fn.call("outermost", I64, f"{PTR} %job", f"{PTR} %m")
    moved = fn.variable(fn.widen(fn.compare("ne", place, field(fn, PLACE))))
    passed = fn.variable("0")
    put(fn, PLACE, place)
    number = fn.load(field(fn, OUTER, PTR), place)
    with fn.when(fn.compare("ne", number, NOWHERE)):
        loop = fn.at(field(fn, LOOPS, PTR), fn.mul(number, LOOP_WIDTH))
        form = fn.load(loop, LOOP_FORM)
        value = fn.variable("0")
        with fn.when(fn.compare("sge", form, COUNTED)):
            fn.set(value, fn.load("%m", fn.load(loop, LOOP_CELL)))
        now = fn.get(value)
        other = fn.compare("ne", number, field(fn, LOOP))
        changed = fn.op(f"or i1 {other}, {fn.compare('ne', now, field(fn, VALUE))}")
        fn.set(moved, fn.either(fn.get(moved), fn.widen(changed)))
        had = fn.both(fn.op(f"lshr i64 {field(fn, TURNS_HAD)}, {fn.both(now, 63)}"), 1)
        is_turns = fn.compare("eq", form, TURNS)
        again = fn.op(f"or i1 {other}, {fn.compare('ne', had, 0)}")
        round_ = fn.op(f"select i1 {is_turns}, i1 {again}, i1 true")
        fn.set(passed, fn.widen(fn.op(f"and i1 {changed}, {round_}")))
        put(fn, LOOP, number)
        put(fn, VALUE, now)
        with fn.when(fn.compare("ne", fn.get(passed), 0)):
            increase(fn, field(fn, PASSES, PTR), number, 1)
            put(fn, TURNS_HAD, 0)
        with fn.when(is_turns):
            bit = fn.op(f"shl i64 1, {fn.both(now, 63)}")
            put(fn, TURNS_HAD, fn.either(field(fn, TURNS_HAD), bit))
    asked = fn.both(fn.get(moved), field(fn, HAS_LEADS))
    with fn.when(fn.compare("ne", asked, 0)):
        fn.call("lead", VOID, f"{PTR} %job", f"{PTR} %m", f"i64 {fn.get(passed)}")
    fn.ret()
    return fn.text()


def _lead() -> str:
    """`lead(job, m, passed)`: the scores of the moment, and who leads."""
    fn = Fn("lead", VOID, [(PTR, "job"), (PTR, "m"), (I64, "passed")])
    c, now, players = field(fn, CONTEXT, PTR), field(fn, NOW, PTR), field(fn, PLAYERS)
    # The options lie where working memory begins: what scores are worked out with goes behind.
    top = fn.load(c, context.TOP, PTR)
    fn.store(c, context.TOP, fn.at(top, field(fn, ASIDE)), PTR)
    fn.line(f"call i64 {field(fn, STANDING, PTR)}({PTR} %m, {PTR} {c}, {PTR} {now})")
    fn.store(c, context.TOP, top, PTR)
    best, mask = fn.variable(fn.load(now)), fn.variable("1")
    with fn.count(1, players) as seat:
        score, bit = fn.load(now, seat), fn.op(f"shl i64 1, {seat}")
        better, equal = (fn.compare(word, score, fn.get(best)) for word in ("sgt", "eq"))
        with_it = fn.either(fn.get(mask), bit)
        fn.set(mask, fn.select(better, bit, fn.select(equal, with_it, fn.get(mask))))
        fn.set(best, fn.select(better, score, fn.get(best)))
    kept = field(fn, SCORE_COUNT)
    wanted = fn.op(
        f"and i1 {fn.compare('ne', '%passed', 0)}, {fn.compare('slt', kept, ROUNDS_KEPT)}"
    )
    with fn.when(wanted):
        row = fn.at(field(fn, SCORES, PTR), fn.mul(kept, fn.add(players, 1)))
        fn.store(row, 0, field(fn, LOOP))
        fn.copy(fn.at(row, 1), now, players)
        put(fn, SCORE_COUNT, fn.add(kept, 1))
    _note_leaders(fn, fn.get(mask))
    fn.ret()
    return fn.text()


def _note_leaders(fn: Fn, mask: str) -> None:
    number, leaders = field(fn, LEADER_COUNT), field(fn, LEADERS, PTR)
    moves, game = fn.load("%m", MOVES), field(fn, GAME, PTR)
    last = fn.variable("0")  # nobody
    with fn.when(fn.compare("sgt", number, 0)):
        fn.set(last, fn.load(leaders, fn.sub(fn.mul(number, 2), 1)))
    other = fn.compare("ne", fn.get(last), mask)
    with fn.when(fn.op(f"and i1 {other}, {fn.compare('slt', number, LEADS_KEPT)}")):
        place = fn.at(leaders, fn.mul(number, 2))
        fn.store(place, 0, moves)
        fn.store(place, 1, mask)
        put(fn, LEADER_COUNT, fn.add(number, 1))
    alone = field(fn, ALONE)
    single = fn.compare("eq", fn.op(f"call i64 @llvm.ctpop.i64(i64 {mask})"), 1)
    with fn.when(fn.op(f"and i1 {single}, {fn.compare('ne', mask, alone)}")):
        with fn.when(fn.compare("ne", alone, 0)):
            increase(fn, game, G_LEADS, 1)
            fn.store(game, G_LEAD_SINCE, moves)
        put(fn, ALONE, mask)


def _position() -> str:
    """`position(job, m)`: whether this position has been in this game. Positions go by a checksum
    of 64 bits; a table has room for those of the longest game."""
    fn = Fn("position", VOID, [(PTR, "job"), (PTR, "m")])
    weights, size = field(fn, WEIGHTS, PTR), field(fn, SIZE)
    total = fn.variable("1")
    with fn.count(0, size) as index:
        part = fn.mul(fn.load("%m", index), fn.load(weights, index))
        fn.set(total, fn.add(fn.get(total), part))
    mixed = fn.call("number", I64, f"i64 {fn.get(total)}", "i64 0")
    key = fn.either(mixed, 1)  # 0 is an empty slot
    table, mask = field(fn, POSITIONS, PTR), field(fn, POSITION_MASK)
    slot = fn.variable(fn.both(fn.op(f"lshr i64 {mixed}, 20"), mask))

    def taken() -> str:
        there = fn.load(table, fn.get(slot))
        empty = fn.compare("eq", there, 0)
        with fn.when(fn.compare("eq", there, key)):
            increase(fn, field(fn, GAME, PTR), G_REPEATED, 1)
            fn.ret()
        return fn.op(f"xor i1 {empty}, true")

    with fn.loop(taken):
        fn.set(slot, fn.both(fn.add(fn.get(slot), 1), mask))
    fn.store(table, fn.get(slot), key)
    fn.ret()
    return fn.text()

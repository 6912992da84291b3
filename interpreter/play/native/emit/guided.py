"""Games that are not played blindly, in native code: the same as `play/guided.py`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from interpreter.play.guided import (
    FARTHEST_LEAD,
    FARTHEST_WEIGHT,
    HUNDRED,
    NOTED,
    RUN,
    SLOTS,
    WEIGHT_STEP,
    WHOLE,
)  # fmt: skip
from interpreter.play.native.emit import context, job
from interpreter.play.native.emit.runtime import random_at
from interpreter.play.native.emit.text import I64, PTR, VOID, Fn
from interpreter.play.native.emit.told import record_of, told_by, what_of
from interpreter.program.layout import (
    COUNTER,
    MENU,
    MOVES,
    OVER,
    STATUS,
    WINNERS,
)  # fmt: skip

_SOME = "i64 %seat, i64 %n"


def emit_guided() -> list[str]:
    return [
        _slot(), _slot_at(), _mean(), _note(), _come_to(), _keep(), _lay_out(), _weighed(),
        _best_of_some(), _by_weight(), _pick(), _playing(), _worth(), _leads(), _gain(), _hurry(),
        _learn(),
    ]  # fmt: skip


# ---- what has been learned


def _slot() -> str:
    """`ptr slot(job, m, seat, entry, row)`: where it is kept what such a choice has brought."""
    head = [(PTR, "job"), (PTR, "m"), (I64, "seat"), (I64, "entry"), (PTR, "row")]
    fn = Fn("slot", PTR, head)
    menu, kinds = fn.load("%m", MENU), job.field(fn, job.KINDS)
    start = random_at(fn, fn.op("xor i64 %seat, -1"), what_of(fn, menu, "%entry"))
    key = told_by(fn, "%m", kinds, record_of(fn, menu, "%entry"), "%row", start)
    number = fn.both(key, SLOTS - 1)
    fn.ret(fn.at(job.field(fn, job.SLOTS), fn.mul(number, job.SLOT_SIZE)))
    return fn.text()


def _slot_at() -> str:
    """`ptr slot_at(job, m, seat, option)`: the same for an option on the arena by its number."""
    head = [(PTR, "job"), (PTR, "m"), (I64, "seat"), (I64, "option")]
    fn = Fn("slot_at", PTR, head)
    menu = fn.load("%m", MENU)
    ends = fn.load(job.field(fn, job.CONTEXT), context.TOP, PTR)
    about = fn.at(job.field(fn, job.MENUS), fn.mul(menu, 2))
    wide = job.field(fn, job.ENTRY_WIDTH, I64)
    record = fn.variable(fn.at(job.field(fn, job.ENTRIES), fn.mul(fn.load(about), wide)), PTR)
    row = fn.variable(fn.at(ends, fn.load(about, 1)), PTR)
    entry, before = fn.variable("0"), fn.variable("0")
    with fn.loop(lambda: fn.compare("sle", fn.load(ends, fn.get(entry)), "%option")):
        end, width = fn.load(ends, fn.get(entry)), fn.load(fn.get(record, PTR))
        fn.set(row, fn.at(fn.get(row, PTR), fn.mul(fn.sub(end, fn.get(before)), width)), PTR)
        fn.set(before, end)
        fn.set(entry, fn.add(fn.get(entry), 1))
        fn.set(record, fn.at(fn.get(record, PTR), wide), PTR)
    offset = fn.mul(fn.sub("%option", fn.get(before)), fn.load(fn.get(record, PTR)))
    mine = fn.at(fn.get(row, PTR), offset)
    given = (f"{PTR} %job", f"{PTR} %m", "i64 %seat", f"i64 {fn.get(entry)}", f"{PTR} {mine}")
    fn.ret(fn.call("slot", PTR, *given))
    return fn.text()


def _mean() -> str:
    """`i64 mean(slot)`: what choices of a kind have brought; the untried may be the best."""
    fn = Fn("mean", I64, [(PTR, "slot")])
    total = fn.add(fn.load("%slot", job.SLOT_TOTAL), WHOLE)
    fn.ret(fn.op(f"udiv i64 {total}, {fn.add(fn.load('%slot', job.SLOT_VISITS), 1)}"))
    return fn.text()


def _note() -> str:
    """`note(job, slot, seat)`: remember a choice of this game."""
    fn = Fn("note", VOID, [(PTR, "job"), (PTR, "slot"), (I64, "seat")])
    noted = job.field(fn, job.NOTED)
    number = fn.load(noted)
    with fn.when(fn.compare("slt", number, NOTED)):
        place = fn.at(noted, fn.mul(number, 2))
        fn.store(place, 1, "%slot", PTR)
        fn.store(place, 2, "%seat")
        fn.store(noted, 0, fn.add(number, 1))
    fn.ret()
    return fn.text()


def _come_to() -> str:
    """`come_to(job, m, seat)`: somebody is to choose; a run of choices ends with its seat, and
    where chance is asked (`Run.come_to`)."""
    fn = Fn("come_to", VOID, [(PTR, "job"), (PTR, "m"), (I64, "seat")])
    run, drawn = job.field(fn, job.RUN), fn.load("%m", COUNTER)
    same_seat = fn.compare("eq", fn.load(run, job.RUN_SEAT), "%seat")
    same_draws = fn.compare("eq", fn.load(run, job.RUN_DRAWN), drawn)
    with fn.when(fn.op(f"xor i1 {fn.op(f'and i1 {same_seat}, {same_draws}')}, true")):
        fn.store(run, job.RUN_SEAT, "%seat")
        fn.store(run, job.RUN_DRAWN, drawn)
        fn.store(run, job.RUN_LENGTH, 0)
    fn.ret()
    return fn.text()


def _keep() -> str:
    """`i64 keep(job, m, seat, option, left)`: note a choice; 0 if it goes to and fro, and another
    may be drawn so often (`Learned.keep`)."""
    head = [(PTR, "job"), (PTR, "m"), (I64, "seat"), (I64, "option"), (I64, "left")]
    fn = Fn("keep", I64, head)
    learns = fn.compare("ne", job.field(fn, job.LEARNS, I64), 0)
    anew = fn.compare("ne", job.field(fn, job.ANEW, I64), 0)
    with fn.when(fn.op(f"xor i1 {fn.op(f'or i1 {learns}, {anew}')}, true")):
        fn.ret("1")
    given = (f"{PTR} %job", f"{PTR} %m", "i64 %seat", "i64 %option")
    slot = fn.call("slot_at", PTR, *given)
    run = job.field(fn, job.RUN)
    length, made = fn.load(run, job.RUN_LENGTH), fn.at(run, job.RUN_MADE)
    with fn.when(fn.compare("sgt", "%left", 0)):
        before = fn.variable("0")
        with fn.count(0, length) as index:
            same = fn.op(f"icmp eq {PTR} {fn.load(made, index, PTR)}, {slot}")
            last = fn.compare("eq", index, fn.sub(length, 1))
            # Whether it was made at all, and in the highest bit whether it was the last.
            here = fn.select(last, -(1 << 63), 1)
            fn.set(before, fn.either(fn.get(before), fn.select(same, here, 0)))
        with fn.when(fn.compare("sgt", fn.get(before), 0)):
            fn.ret("0")
    with fn.when(learns):
        fn.call("note", VOID, f"{PTR} %job", f"{PTR} {slot}", "i64 %seat")
    with fn.when(anew):
        end = fn.variable(length)
        with fn.when(fn.compare("eq", length, RUN)):
            with fn.count(1, RUN) as index:
                fn.store(made, fn.sub(index, 1), fn.load(made, index))
            fn.set(end, str(RUN - 1))
        fn.store(made, fn.get(end), slot, PTR)
        fn.store(run, job.RUN_LENGTH, fn.add(fn.get(end), 1))
    fn.ret("1")
    return fn.text()


def _learn() -> str:
    """`learn(job)`: what the game has brought goes to the choices that were noted."""
    fn = Fn("learn", VOID, [(PTR, "job")])
    noted, gained = job.field(fn, job.NOTED), job.field(fn, job.GAINED)
    with fn.count(0, fn.load(noted)) as index:
        place = fn.at(noted, fn.mul(index, 2))
        slot, seat = fn.load(place, 1, PTR), fn.load(place, 2)
        fn.store(slot, job.SLOT_VISITS, fn.add(fn.load(slot, job.SLOT_VISITS), 1))
        brought = fn.load(gained, seat)
        fn.store(slot, job.SLOT_TOTAL, fn.add(fn.load(slot, job.SLOT_TOTAL), brought))
    fn.store(noted, 0, 0)
    fn.ret()
    return fn.text()


# ---- what a policy says


@contextmanager
def each_option(fn: Fn, m: str, number: str) -> Iterator[tuple[str, str, str, str]]:
    """The options on the arena: the number, menu, entry and values of each."""
    menu = fn.load(m, MENU)
    ends = fn.load(job.field(fn, job.CONTEXT), context.TOP, PTR)
    about = fn.at(job.field(fn, job.MENUS), fn.mul(menu, 2))
    first, wide = fn.load(about), job.field(fn, job.ENTRY_WIDTH, I64)
    row = fn.variable(fn.at(ends, fn.load(about, 1)), PTR)
    entry = fn.variable("0")
    with fn.count(0, number) as index:
        with fn.loop(lambda: fn.compare("sle", fn.load(ends, fn.get(entry)), index)):
            fn.set(entry, fn.add(fn.get(entry), 1))
        now, here = fn.get(entry), fn.get(row, PTR)
        yield index, menu, now, here
        record = fn.at(job.field(fn, job.ENTRIES), fn.mul(fn.add(first, now), wide))
        fn.set(row, fn.at(here, fn.load(record)), PTR)


def _lay_out() -> str:
    """`lay_out(job, m, n)`: the row and the entry of each option on the arena."""
    fn = Fn("lay_out", VOID, [(PTR, "job"), (PTR, "m"), (I64, "n")])
    rows, entries = job.field(fn, job.ROWS), job.field(fn, job.ROW_ENTRIES)
    with each_option(fn, "%m", "%n") as (index, _, entry, row):
        fn.store(rows, index, row, PTR)
        fn.store(entries, index, entry)
    fn.ret()
    return fn.text()


def _weighed() -> str:
    """`i64 weighed(job, m, seat, n, sharp)`: how likely a policy makes each of the options that are
    laid out, written to `SAID`; the sum."""
    head = [(PTR, "job"), (PTR, "m"), (I64, "seat"), (I64, "n"), (I64, "sharp")]
    fn = Fn("weighed", I64, head)
    said, weights = job.field(fn, job.SAID), job.field(fn, job.WEIGHTS)
    rows, entries = job.field(fn, job.ROWS), job.field(fn, job.ROW_ENTRIES)
    policy = f"{PTR} {job.field(fn, job.POLICY)}"
    given = (policy, f"{PTR} %m", "i64 %seat", f"{PTR} {rows}", f"{PTR} {entries}")
    fn.line(f"call void {job.field(fn, job.WEIGH)}({', '.join(given)}, i64 %n, {PTR} {said})")
    best, total = fn.variable(fn.load(said)), fn.variable("0")
    with fn.count(1, "%n") as index:
        pair = f"i64 {fn.load(said, index)}, i64 {fn.get(best)}"
        fn.set(best, fn.op(f"call i64 @llvm.smax.i64({pair})"))
    with fn.count(0, "%n") as index:
        behind = fn.mul(fn.sub(fn.get(best), fn.load(said, index)), "%sharp")
        steps = fn.op(f"udiv i64 {behind}, {WEIGHT_STEP * HUNDRED}")
        least = fn.select(fn.compare("ult", steps, FARTHEST_WEIGHT), steps, FARTHEST_WEIGHT)
        weight = fn.load(weights, least)
        fn.store(said, index, weight)
        fn.set(total, fn.add(fn.get(total), weight))
    fn.ret(fn.get(total))
    return fn.text()


# ---- playing


def _best_of_some() -> str:
    """`i64 best_of_some(job, m, seat, n)`: of some options drawn at random the one that has done
    best; of equals the first."""
    head = [(PTR, "job"), (PTR, "m"), (I64, "seat"), (I64, "n")]
    fn = Fn("best_of_some", I64, head)
    stream = f"{PTR} {job.field(fn, job.STREAM)}"
    found = fn.variable(fn.call("draw", I64, stream, "i64 %n"))
    some = job.field(fn, job.LEARNED, I64)
    with fn.when(fn.compare("slt", some, 2)):
        fn.ret(fn.get(found))

    def mean_of(option: str) -> str:
        given = (f"{PTR} %job", f"{PTR} %m", "i64 %seat", f"i64 {option}")
        return fn.call("mean", I64, f"{PTR} {fn.call('slot_at', PTR, *given)}")

    best = fn.variable(mean_of(fn.get(found)))
    with fn.count(1, some):
        other = fn.call("draw", I64, stream, "i64 %n")
        mean = mean_of(other)
        with fn.when(fn.compare("sgt", mean, fn.get(best))):
            fn.set(best, mean)
            fn.set(found, other)
    fn.ret(fn.get(found))
    return fn.text()


def _by_weight() -> str:
    """`i64 by_weight(job, m, seat, n)`: an option as the policy draws it."""
    fn = Fn("by_weight", I64, [(PTR, "job"), (PTR, "m"), (I64, "seat"), (I64, "n")])
    fn.call("lay_out", VOID, f"{PTR} %job", f"{PTR} %m", "i64 %n")
    sharp = job.field(fn, job.SHARP, I64)
    total = fn.call("weighed", I64, f"{PTR} %job", f"{PTR} %m", _SOME, f"i64 {sharp}")
    stream = f"{PTR} {job.field(fn, job.STREAM)}"
    point = fn.variable(fn.call("draw", I64, stream, f"i64 {total}"))
    index, said = fn.variable("0"), job.field(fn, job.SAID)
    with fn.loop(lambda: fn.compare("sge", fn.get(point), fn.load(said, fn.get(index)))):
        fn.set(point, fn.sub(fn.get(point), fn.load(said, fn.get(index))))
        fn.set(index, fn.add(fn.get(index), 1))
    fn.ret(fn.get(index))
    return fn.text()


def _pick() -> str:
    """`i64 pick(job, m, seat, n, sealed)`: which of the n options on the arena is chosen; -1 if the
    game is cut off here. A game calls it at every decision."""
    head = [(PTR, "job"), (PTR, "m"), (I64, "seat"), (I64, "n"), (I64, "sealed")]
    fn = Fn("pick", I64, head, exported=True)
    before_cut = job.field(fn, job.LEFT, I64)
    ended = fn.op(f"and i1 {fn.compare('slt', before_cut, 1)}, {fn.compare('eq', '%sealed', 0)}")
    cuts = fn.compare("ne", job.field(fn, job.CUT, I64), 0)
    with fn.when(fn.op(f"and i1 {ended}, {cuts}")):
        fn.ret("-1")
    fn.store("%job", job.LEFT, fn.sub(before_cut, 1))
    given = (f"{PTR} %job", f"{PTR} %m", _SOME)
    fn.call("come_to", VOID, *given[:2], "i64 %seat")
    index, left = fn.slot(), fn.variable(fn.add(job.field(fn, job.ANEW, I64), 1))

    def again() -> str:
        fn.set(left, fn.sub(fn.get(left), 1))
        stream = f"{PTR} {job.field(fn, job.STREAM)}"
        fn.choose(
            job.is_careless(fn, "%seat"),
            lambda: fn.set(index, fn.call("draw", I64, stream, "i64 %n")),
            lambda: fn.choose(
                fn.compare("ne", job.field(fn, job.SHARP, I64), 0),
                lambda: fn.set(index, fn.call("by_weight", I64, *given)),
                lambda: fn.set(index, fn.call("best_of_some", I64, *given)),
            ),
        )
        drawn = (*given[:2], "i64 %seat", f"i64 {fn.get(index)}", f"i64 {fn.get(left)}")
        return fn.compare("eq", fn.call("keep", I64, *drawn), 0)

    with fn.loop(again):
        pass
    fn.ret(fn.get(index))
    return fn.text()


def _playing() -> str:
    """`i64 playing(job, m, key)`: go on to the end of the game, or to where it is cut off; -1 after
    a failure. Where choices are sealed, what fails is played once more in the plain way: see
    sealed.py."""
    fn = Fn("playing", I64, [(PTR, "job"), (PTR, "m"), (I64, "key")])
    c, stream, noted = (job.field(fn, each) for each in (job.CONTEXT, job.STREAM, job.NOTED))
    saved, size = job.field(fn, job.SAVED), job.field(fn, job.SIZE, I64)
    before, run = fn.load(noted), job.field(fn, job.RUN)
    kept = fn.at(run, job.RUN_MADE + RUN)
    ways = fn.add(job.field(fn, job.SEALS, I64), 1)
    with fn.when(fn.compare("ne", ways, 1)):
        job.lay_over(fn, saved, "%m")
        fn.copy(kept, run, job.RUN_MADE + RUN)
    with fn.when(fn.compare("eq", job.field(fn, job.BLIND, I64), 0)):
        fn.store(c, context.PICK, "@pick", PTR)
        fn.store(c, context.PICK_FOR, "%job", PTR)
    bad = fn.variable("-1")
    with (
        fn.count(0, ways) as plainly,
        fn.when(fn.compare("slt", fn.get(bad), 0)),
    ):
        with fn.when(fn.compare("ne", plainly, 0), rare=True):
            fn.copy("%m", saved, size)
            fn.copy(run, kept, job.RUN_MADE + RUN)
        fn.store(noted, 0, before)
        fn.store(stream, 0, "%key")
        fn.store(stream, 1, 0)
        fn.store("%job", job.LEFT, job.field(fn, job.CUT, I64))
        fn.store(c, context.PLAIN, plainly)
        given = f"({PTR} %m, {PTR} {c}, i64 %key)"
        again = fn.compare("ne", plainly, 0)
        ways_on = (job.field(fn, each) for each in (job.PLAYOUT, job.PLAYOUT_ON))
        playout = fn.op(f"select i1 {again}, {', '.join(f'{PTR} {each}' for each in ways_on)}")
        fn.set(bad, fn.op(f"call i64 {playout}{given}"))
    fn.store(c, context.PLAIN, 0)
    fn.store(c, context.PICK, "null", PTR)
    fn.ret(fn.get(bad))
    return fn.text()


# ---- what a game was worth


def _worth() -> str:
    """`i64 worth(spread, lead)`: a lead as a part of a game won (`Spread.worth`)."""
    fn = Fn("worth", I64, [(PTR, "spread"), (I64, "lead")])
    games = fn.add(fn.load("%spread", job.SPREAD_GAMES), 1)
    total = fn.add(fn.load("%spread", job.SPREAD_TOTAL), "%lead")
    off = fn.sub("%lead", fn.op(f"sdiv i64 {total}, {games}"))
    size = fn.select(fn.compare("slt", off, 0), fn.sub(0, off), off)
    apart = fn.add(fn.load("%spread", job.SPREAD_APART), size)
    for cell, value in (
        (job.SPREAD_GAMES, games), (job.SPREAD_TOTAL, total), (job.SPREAD_APART, apart),
    ):  # fmt: skip
        fn.store("%spread", cell, value)
    usual = fn.add(fn.op(f"sdiv i64 {apart}, {games}"), 1)
    part = fn.op(f"sdiv i64 {fn.mul(off, WHOLE // 2)}, {fn.add(size, usual)}")
    fn.ret(fn.add(part, WHOLE // 2))
    return fn.text()


def _leads() -> str:
    """`leads(job, m)`: how far each seat is ahead, written to `LEADS`."""
    fn = Fn("leads", VOID, [(PTR, "job"), (PTR, "m")])
    players, found = job.field(fn, job.PLAYERS, I64), job.field(fn, job.LEADS)
    scores = fn.at("%m", job.field(fn, job.SCORES, I64))
    now = f"({PTR} %m, {PTR} {job.field(fn, job.CONTEXT)}, {PTR} {found})"
    fn.choose(
        fn.compare("eq", fn.load("%m", STATUS), OVER),
        lambda: fn.copy(found, scores, players),
        lambda: fn.op(f"call i64 {job.field(fn, job.STANDING)}{now}"),
    )
    total = fn.variable("0")
    with fn.count(0, players) as seat:
        most = fn.op(f"call i64 @llvm.smin.i64(i64 {fn.load(found, seat)}, i64 {FARTHEST_LEAD})")
        score = fn.op(f"call i64 @llvm.smax.i64(i64 {most}, i64 {-FARTHEST_LEAD})")
        fn.store(found, seat, score)
        fn.set(total, fn.add(fn.get(total), score))
    with (
        fn.when(fn.compare("eq", job.field(fn, job.SHARED, I64), 0)),
        fn.count(0, players) as seat,
    ):
        own = fn.mul(fn.load(found, seat), players)
        fn.store(found, seat, fn.sub(own, fn.get(total)))
    fn.ret()
    return fn.text()


def _gain() -> str:
    """`gain(job, m)`: what the game has brought each seat, written to `GAINED`."""
    fn = Fn("gain", VOID, [(PTR, "job"), (PTR, "m")])
    players, gained = job.field(fn, job.PLAYERS, I64), job.field(fn, job.GAINED)
    over = fn.compare("eq", fn.load("%m", STATUS), OVER)
    with fn.when(over):
        _share(fn, players, gained)
    percent = job.field(fn, job.SCORE, I64)
    wins_only = fn.compare("eq", percent, 0)
    with fn.when(fn.op(f"and i1 {over}, {wins_only}")):
        fn.ret()
    fn.call("leads", VOID, f"{PTR} %job", f"{PTR} %m")
    leads, spreads = job.field(fn, job.LEADS), job.field(fn, job.SPREADS)
    judge = job.field(fn, job.JUDGE)
    asked = fn.op(f"icmp ne {PTR} {judge}, null")
    with fn.when(fn.op(f"and i1 {asked}, {fn.op(f'xor i1 {over}, true')}")):
        given = (f"{PTR} {job.field(fn, job.JUDGE_WORDS)}", f"{PTR} %m", f"{PTR} {leads}")
        fn.line(f"call void {judge}({', '.join(given)}, {PTR} {gained})")
        with fn.when(wins_only):
            fn.ret()
    known = fn.op(f"or i1 {over}, {asked}")
    part = fn.select(known, percent, HUNDRED)
    with fn.count(0, players) as seat:
        spread = fn.at(spreads, fn.mul(seat, job.SPREAD_SIZE))
        worth = fn.call("worth", I64, f"{PTR} {spread}", f"i64 {fn.load(leads, seat)}")
        share = fn.select(known, fn.load(gained, seat), 0)
        mixed = fn.add(fn.mul(share, fn.sub(HUNDRED, part)), fn.mul(worth, part))
        fn.store(gained, seat, fn.op(f"udiv i64 {mixed}, {HUNDRED}"))
    fn.ret()
    return fn.text()


def _hurry() -> str:
    """`hurry(job, m)`: the later a game ended, the less it has brought (`guided.gained`)."""
    fn = Fn("hurry", VOID, [(PTR, "job"), (PTR, "m")])
    players, gained = job.field(fn, job.PLAYERS, I64), job.field(fn, job.GAINED)
    haste = job.field(fn, job.HASTE, I64)
    taken = fn.sub(fn.load("%m", MOVES), job.field(fn, job.BEGUN, I64))
    even, later = fn.op(f"udiv i64 {WHOLE}, {players}"), fn.add(haste, taken)
    with fn.count(0, players) as seat:
        off = fn.mul(fn.sub(fn.load(gained, seat), even), haste)
        fn.store(gained, seat, fn.add(fn.op(f"sdiv i64 {off}, {later}"), even))
    fn.ret()
    return fn.text()


def _share(fn: Fn, players: str, gained: str) -> None:
    """`guided.shares`."""
    everyone = fn.sub(fn.op(f"shl i64 1, {players}"), 1)
    won = fn.load("%m", WINNERS)
    winners = fn.select(fn.compare("eq", won, 0), everyone, won)
    part = fn.op(f"udiv i64 {WHOLE}, {fn.op(f'call i64 @llvm.ctpop.i64(i64 {winners})')}")
    judged = fn.compare("ne", job.field(fn, job.JUDGED, I64), 0)
    shared = fn.op(f"or i1 {judged}, {fn.compare('eq', won, 0)}")
    share = fn.select(shared, part, WHOLE)
    with fn.count(0, players) as seat:
        bit = fn.both(fn.op(f"lshr i64 {winners}, {seat}"), 1)
        fn.store(gained, seat, fn.mul(bit, share))

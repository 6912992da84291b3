"""What a search counts for choices: tallies, in a table that is looked up by key, and which option
they make the most promising. The same numbers as `play/uct.py`."""

from __future__ import annotations

from collections.abc import Callable

from interpreter.play.guided import HUNDRED, WHOLE
from interpreter.play.native.emit import context, job
from interpreter.play.native.emit.reals import (
    LANES,
    REALS,
    everywhere,
    logs,
    pair,
    to_real,
    to_reals,
    together,
)  # fmt: skip
from interpreter.play.native.emit.runtime import random_at
from interpreter.play.native.emit.text import I64, PTR, Fn
from interpreter.play.native.emit.told import record_of, told_by, what_of
from interpreter.program.layout import MENU


def emit_tallies() -> list[str]:
    return [_tally(), _move(), _most(), _widely(), _gather(), _counts()]


def _tally() -> str:
    """`ptr tally(job, key)`: the tally of a key, or where it would be."""
    fn = Fn("tally", PTR, [(PTR, "job"), (I64, "key")])
    table, mask = job.field(fn, job.TALLIES), job.field(fn, job.TALLY_MASK, I64)
    fn.ret(look_up(fn, table, mask, "%key"))
    return fn.text()


def look_up(fn: Fn, table: str, mask: str, key: str) -> str:
    slot, place = fn.variable(fn.both(key, mask)), fn.variable("null", PTR)

    def elsewhere() -> str:
        fn.set(place, fn.at(table, fn.mul(fn.get(slot), job.TALLY_SIZE)), PTR)
        found = fn.load(fn.get(place, PTR), job.TALLY_KEY)
        other = fn.compare("ne", found, key)
        return fn.op(f"and i1 {other}, {fn.compare('ne', found, 0)}")

    with fn.loop(elsewhere, short=True):
        fn.set(slot, fn.both(fn.add(fn.get(slot), 1), mask))
    return fn.get(place, PTR)


def _move() -> str:
    """`move(job, tallies, n)`: put the tallies of a smaller table into that of the job."""
    fn = Fn("move", I64, [(PTR, "job"), (PTR, "tallies"), (I64, "n")], exported=True)
    with fn.count(0, "%n") as index:
        old = fn.at("%tallies", fn.mul(index, job.TALLY_SIZE))
        key = fn.load(old, job.TALLY_KEY)
        with fn.when(fn.compare("ne", key, 0)):
            place = fn.call("tally", PTR, f"{PTR} %job", f"i64 {key}")
            fn.copy(place, old, job.TALLY_SIZE)
    fn.ret("0")
    return fn.text()


def _hope(fn: Fn, log: str, total: str, visits: str) -> str:
    """The mean, and more for what has seldom been chosen. Both divisions are made at once."""
    above = pair(fn, log, to_real(fn, total))
    below = pair(fn, to_real(fn, visits), to_real(fn, fn.mul(visits, WHOLE)))
    both = fn.op(f"fdiv <2 x double> {above}, {below}")
    spread, share = (fn.op(f"extractelement <2 x double> {both}, i64 {n}") for n in range(2))
    root = fn.op(f"call double @llvm.sqrt.f64(double {spread})")
    more = fn.op(f"fmul double {job.field(fn, job.EXPLORATION, 'double')}, {root}")
    return fn.op(f"fadd double {share}, {more}")


def _share(fn: Fn, total: str, visits: str) -> str:
    return fn.op(f"fdiv double {to_real(fn, total)}, {to_real(fn, fn.mul(visits, WHOLE))}")


def _most() -> str:
    """`i64 most(job, n)`: the option that promises most, of n that all have tallies; of equals the
    first. Some are worked out at once; who is asked for beyond the last is the last once more."""
    fn = Fn("most", I64, [(PTR, "job"), (I64, "n")])
    places, last = job.field(fn, job.PLACES), fn.sub("%n", 1)
    exploration = job.field(fn, job.EXPLORATION, "double")
    best = fn.variable(job.as_float(float("-inf")), "double")
    found, index = fn.variable("0"), fn.variable("0")
    with fn.loop(lambda: fn.compare("slt", fn.get(index), "%n")):
        numbers = [
            fn.op(f"call i64 @llvm.umin.i64(i64 {fn.add(fn.get(index), lane)}, i64 {last})")
            for lane in range(LANES)
        ]
        tallies = [fn.load(places, number, PTR) for number in numbers]
        hopes = _promises(fn, tallies, exploration)
        for lane, number in enumerate(numbers):
            hope = fn.op(f"extractelement {REALS} {hopes}, i64 {lane}")
            before = fn.get(best, "double")
            more = fn.op(f"fcmp ogt double {hope}, {before}")
            fn.set(best, fn.op(f"select i1 {more}, double {hope}, double {before}"), "double")
            fn.set(found, fn.select(more, number, fn.get(found)))
        fn.set(index, fn.add(fn.get(index), LANES))
    fn.ret(fn.get(found))
    return fn.text()


def _promises(fn: Fn, tallies: list[str], exploration: str) -> str:
    """What several tallies promise (`uct._promise`)."""
    available, visits, total = (
        together(fn, [fn.load(tally, place) for tally in tallies])
        for place in (job.AVAILABLE, job.VISITS, job.TOTAL)
    )
    tried = to_reals(fn, visits)
    spread = fn.op(f"fdiv {REALS} {logs(fn, available)}, {tried}")
    # Exact, as the product of whole numbers would be.
    whole = fn.op(f"fmul {REALS} {tried}, {everywhere(float(WHOLE))}")
    share = fn.op(f"fdiv {REALS} {to_reals(fn, total)}, {whole}")
    root = fn.op(f"call {REALS} @llvm.sqrt.v{LANES}f64({REALS} {spread})")
    far = fn.op(f"insertelement {REALS} poison, double {exploration}, i64 0")
    zeros = f"<{LANES} x i32> zeroinitializer"
    far = fn.op(f"shufflevector {REALS} {far}, {REALS} poison, {zeros}")
    return fn.op(f"fadd {REALS} {share}, {fn.op(f'fmul {REALS} {far}, {root}')}")


def _widely() -> str:
    """`i64 widely(job, m, seat, n)`: the option that promises most, with what is known of those
    that have never been tried (`uct._widely`)."""
    fn = Fn("widely", I64, [(PTR, "job"), (PTR, "m"), (I64, "seat"), (I64, "n")])
    places = job.field(fn, job.PLACES)
    visits, total = fn.variable("0"), fn.variable("0")
    with fn.count(0, "%n") as index:
        tally = fn.load(places, index, PTR)
        fn.set(visits, fn.add(fn.get(visits), fn.load(tally, job.VISITS)))
        fn.set(total, fn.add(fn.get(total), fn.load(tally, job.TOTAL)))
    fn.choose(
        fn.op(f"fcmp ogt double {job.field(fn, job.PRIOR, 'double')}, {job.as_float(0.0)}"),
        lambda: _by_policy(fn, places, fn.get(visits), fn.get(total)),
        lambda: _by_learned(fn, places, fn.get(visits)),
    )
    return fn.text()


def _by_policy(fn: Fn, places: str, visits: str, total: str) -> None:
    given = (f"{PTR} %job", f"{PTR} %m", "i64 %seat", "i64 %n", f"i64 {HUNDRED}")
    likely = fn.call("weighed", I64, *given)
    for_all = fn.mul(likely, job.field(fn, job.DOUBT, I64))
    extra = fn.op(f"udiv i64 {for_all}, {fn.mul('%n', HUNDRED)}")  # `guided.doubted`
    weights = fn.add(likely, fn.mul(extra, "%n"))
    played = fn.op(f"call i64 @llvm.smax.i64(i64 {visits}, i64 1)")
    usual = _share(fn, total, played)
    more = fn.op(f"fadd double {to_real(fn, visits)}, {job.as_float(1.0)}")
    root = fn.op(f"call double @llvm.sqrt.f64(double {more})")
    far = fn.op(f"fmul double {job.field(fn, job.PRIOR, 'double')}, {root}")
    wide = fn.op(f"fdiv double {far}, {to_real(fn, weights)}")
    said = job.field(fn, job.SAID)

    def hope(index: str, own: str, won: str) -> str:
        mean = fn.variable(usual, "double")
        with fn.when(fn.compare("ne", own, 0)):
            fn.set(mean, _share(fn, won, own), "double")
        weight = fn.add(fn.load(said, index), extra)
        urge = fn.op(f"fmul double {wide}, {to_real(fn, weight)}")
        rest = fn.op(f"fdiv double {urge}, {to_real(fn, fn.add(own, 1))}")
        return fn.op(f"fadd double {fn.get(mean, 'double')}, {rest}")

    _best_hope(fn, places, hope)


def _by_learned(fn: Fn, places: str, visits: str) -> None:
    log = fn.call("log", "double", f"i64 {fn.add(visits, 1)}")
    trust = job.field(fn, job.TRUST, I64)
    rows, entries = job.field(fn, job.ROWS), job.field(fn, job.ROW_ENTRIES)

    def hope(index: str, own: str, won: str) -> str:
        given = (f"{PTR} %job", f"{PTR} %m", "i64 %seat", f"i64 {fn.load(entries, index)}")
        slot = fn.call("slot", PTR, *given, f"{PTR} {fn.load(rows, index, PTR)}")
        mean = fn.call("mean", I64, f"{PTR} {slot}")
        return _hope(fn, log, fn.add(won, fn.mul(trust, mean)), fn.add(own, trust))

    _best_hope(fn, places, hope)


def _best_hope(fn: Fn, places: str, hope: Callable[[str, str, str], str]) -> None:
    """Leave with the number of the option of which most is hoped; of equals the first."""
    best, found = fn.variable(job.as_float(float("-inf")), "double"), fn.variable("0")
    with fn.count(0, "%n") as index:
        tally = fn.load(places, index, PTR)
        now = hope(index, fn.load(tally, job.VISITS), fn.load(tally, job.TOTAL))
        with fn.when(fn.op(f"fcmp ogt double {now}, {fn.get(best, 'double')}")):
            fn.set(best, now, "double")
            fn.set(found, index)
    fn.ret(fn.get(found))


def _gather() -> str:
    """`i64 gather(job, m, history, n)`: for each of the n options on the arena its key, its row and
    entry, and its tally, or where that would be; how many have no tally yet."""
    fn = Fn("gather", I64, [(PTR, "job"), (PTR, "m"), (I64, "history"), (I64, "n")])
    table, mask = job.field(fn, job.TALLIES), job.field(fn, job.TALLY_MASK, I64)
    _lay_out_keys(fn, job.field(fn, job.KEYS), table, mask)
    fn.ret(count_offers(fn, "%n", lambda index, key, _: look_up(fn, table, mask, key)))
    return fn.text()


def count_offers(fn: Fn, number: str, place_of: Callable[[str, str, str], str]) -> str:
    """Each of the options could be chosen once more; how many have no tally yet."""
    keys, places = job.field(fn, job.KEYS), job.field(fn, job.PLACES)
    fresh = fn.variable("0")
    with fn.count(0, number) as index:
        place = place_of(index, fn.load(keys, index), places)
        fn.store(places, index, place, PTR)
        # Where there is no tally yet, nobody reads this before it is set.
        fn.store(place, job.AVAILABLE, fn.add(fn.load(place, job.AVAILABLE), 1))
        fn.set(fresh, fn.add(fn.get(fresh), fn.widen(is_new(fn, place))))
    return fn.get(fresh)


def is_new(fn: Fn, place: str) -> str:
    """Whether there is no tally yet where one would be."""
    return fn.compare("eq", fn.load(place, job.TALLY_KEY), 0)


def _lay_out_keys(fn: Fn, keys: str, table: str, mask: str) -> None:
    """All keys first: none waits for another, nor for what lies in the table."""
    menu, wide = fn.load("%m", MENU), job.field(fn, job.ENTRY_WIDTH, I64)
    ends = fn.load(job.field(fn, job.CONTEXT), context.TOP, PTR)
    about = fn.at(job.field(fn, job.MENUS), fn.mul(menu, 2))
    entries, kinds = fn.load(about, 1), job.field(fn, job.KINDS)
    rows, row_entries = job.field(fn, job.ROWS), job.field(fn, job.ROW_ENTRIES)
    record = fn.variable(fn.at(job.field(fn, job.ENTRIES), fn.mul(fn.load(about), wide)), PTR)
    row, index = fn.variable(fn.at(ends, entries), PTR), fn.variable("0")
    with fn.count(0, entries) as entry:
        here, end = fn.get(record, PTR), fn.load(ends, entry)
        start = random_at(fn, "%history", what_of(fn, menu, entry))
        width = fn.load(here)
        with fn.loop(lambda end=end: fn.compare("slt", fn.get(index), end)):  # type: ignore[misc]
            now, values = fn.get(index), fn.get(row, PTR)
            key = told_by(fn, "%m", kinds, here, values, start)
            fn.store(keys, now, key)
            fn.store(rows, now, values, PTR)
            fn.store(row_entries, now, entry)
            place = fn.at(table, fn.mul(fn.both(key, mask), job.TALLY_SIZE))
            fn.line(f"call void @llvm.prefetch.p0({PTR} {place}, i32 1, i32 3, i32 1)")
            fn.set(row, fn.at(values, width), PTR)
            fn.set(index, fn.add(now, 1))
        fn.set(record, fn.at(here, wide), PTR)


def _counts() -> str:
    """`counts(job, m, history, rows, n, width, found)`: of n choices, each an entry and its values
    in a row of so many cells, how often they were made and what they brought."""
    head = [(PTR, "job"), (PTR, "m"), (I64, "history"), (PTR, "rows"), (I64, "n"), (I64, "width")]
    fn = Fn("counts", I64, [*head, (PTR, "found")], exported=True)
    menu, kinds = fn.load("%m", MENU), job.field(fn, job.KINDS)
    with fn.count(0, "%n") as index:
        row = fn.at("%rows", fn.mul(index, "%width"))
        entry = fn.load(row)
        record = record_of(fn, menu, entry)
        start = random_at(fn, "%history", what_of(fn, menu, entry))
        key = told_by(fn, "%m", kinds, record, fn.at(row, 1), start)
        tally = fn.call("tally", PTR, f"{PTR} %job", f"i64 {key}")
        pair = fn.at("%found", fn.mul(index, 2))
        fn.store(pair, 0, fn.load(tally, job.VISITS))
        fn.store(pair, 1, fn.load(tally, job.TOTAL))
    fn.ret("0")
    return fn.text()

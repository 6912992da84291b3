"""Tree search in native code: the same games, choices and numbers as `play/uct.py`.

This code is the same for every game. It is given the functions of a game's own code, and in
tables of numbers what it must know of menus, kinds and what is dealt anew (`grow.py` writes them).
"""

from __future__ import annotations

from interpreter.play.guided import HUNDRED
from interpreter.play.native.emit import context, dealing, job, root
from interpreter.play.native.emit.guided import emit_guided
from interpreter.play.native.emit.reals import SEVERAL, emit_log
from interpreter.play.native.emit.runtime import (
    DECLARATIONS,
    random_at,
    random_below,
    random_number,
)
from interpreter.play.native.emit.tallies import emit_tallies, is_new
from interpreter.play.native.emit.text import I64, PTR, VOID, Fn
from interpreter.play.native.emit.told import (
    emit_told,
    emit_who,
    never_0,
    record_of,
    tell_values,
    what_of,
)  # fmt: skip
from interpreter.play.told import BY_ROW
from interpreter.play.uct import DEEPEST
from interpreter.program.layout import (
    ASK_WHEN_FORCED,
    DECISION,
    KEY,
    MENU,
    MODE,
    MOVES,
    OVER,
    SEALED_DONE,
    SEALING,
    SEAT,
    STATUS,
    STOP_AT_CHANCE,
)  # fmt: skip

_EXTRA = """
declare i64 @llvm.ctlz.i64(i64, i1)
declare double @llvm.sqrt.f64(double)
declare void @llvm.prefetch.p0(ptr, i32, i32, i32)
"""


def emit_uct() -> str:
    parts = [
        random_number(), random_below(), emit_who(), emit_told(), emit_log(),
        *emit_guided(), *emit_tallies(), *root.emit_root(), _descend(), _tell(),
        dealing.emit_deal(), _imagined(), _game(), _grow(),
    ]  # fmt: skip
    return "\n".join([*parts, DECLARATIONS, _EXTRA, SEVERAL])


# ---- one game


def _descend() -> str:
    """`i64 descend(job, m, path)`: choose what promises most, up to the first choice that was
    never made. -1 after a failure. `path` gets the number of choices."""
    fn = Fn("descend", I64, [(PTR, "job"), (PTR, "m"), (PTR, "path")])
    c, histories = job.field(fn, job.CONTEXT), job.field(fn, job.HISTORIES)
    observers = job.field(fn, job.OBSERVERS, I64)
    with fn.count(0, observers) as index:
        fn.store(histories, index, fn.add(index, 1))  # `uct.beginning`
    with fn.when(fn.compare("ne", job.field(fn, job.KEEPS_ROOT, I64), 0)):
        root.use_lists(fn, job.ROOT_KEYS)
    again, more, on, end, failed = (fn.label() for _ in range(5))
    fn.place(again)
    status, length = fn.load("%m", STATUS), fn.load("%path")
    over = fn.compare("eq", status, OVER)
    deep = fn.compare("sge", length, DEEPEST)
    fn.branch(fn.op(f"or i1 {over}, {deep}"), end, more)
    fn.place(more)
    sealed = fn.compare("eq", status, SEALING)
    free = fn.op(f"xor i64 {fn.load('%m', SEALED_DONE)}, -1")
    undone = fn.op(f"call i64 @llvm.cttz.i64(i64 {free}, i1 false)")
    viewer = job.field(fn, job.VIEWER, I64)
    own = fn.both(fn.op(f"lshr i64 {free}, {viewer}"), 1)
    first = fn.select(fn.compare("ne", own, 0), viewer, undone)
    seat = fn.select(sealed, first, fn.load("%m", SEAT))
    well = fn.op(f"or i1 {sealed}, {fn.compare('eq', status, DECISION)}")
    fn.branch(well, on, failed)
    fn.place(on)
    others = fn.op(f"and i1 {sealed}, {fn.compare('ne', seat, viewer)}")
    evenly = fn.compare("ne", job.field(fn, job.ENDS_EVENLY, I64), 0)
    with fn.when(fn.op(f"and i1 {others}, {evenly}")):
        fn.goto(end)
    scratch = fn.load(c, context.BASE, PTR)  # a sealed body will have been run there
    seen = fn.op(f"select i1 {sealed}, {PTR} {scratch}, {PTR} %m")
    one = fn.compare("eq", observers, 1)
    history = fn.load(histories, fn.select(one, 0, seat))
    is_root = root.is_kept(fn, length, sealed)
    number, untried = fn.variable(job.field(fn, job.ROOT_COUNT, I64)), fn.slot()

    def list_options() -> str:
        fn.set(number, _options(fn, c, length, sealed, seat))
        with fn.when(fn.compare("sle", fn.get(number), 0), rare=True):
            fn.goto(failed)
        return fn.get(number)

    def gather() -> None:
        now = list_options()
        passed = (f"{PTR} %job", f"{PTR} {seen}", f"i64 {history}", f"i64 {now}")
        fn.set(untried, fn.call("gather", I64, *passed))
        with fn.when(is_root):
            fn.call("keep_root", VOID, *passed[:2], passed[3])

    given = (f"{PTR} %job", f"{PTR} {seen}")
    index, counted, is_first = fn.slot(), fn.variable("null", PTR), fn.variable("0")

    def anything() -> None:
        """What comes of it is counted where nobody looks."""
        now = list_options()
        fn.call("lay_out", VOID, *given, f"i64 {now}")
        fn.set(index, fn.call("draw", I64, f"{PTR} {job.field(fn, job.STREAM)}", f"i64 {now}"))
        fn.set(counted, job.field(fn, job.UNCOUNTED), PTR)

    def most_promising() -> None:
        known = fn.op(f"and i1 {is_root}, {fn.compare('ne', fn.get(number), 0)}")
        again = f"{PTR} %job"
        fn.choose(known, lambda: fn.set(untried, fn.call("offered_again", I64, again)), gather)
        found, fresh = f"i64 {fn.get(number)}", fn.get(untried)
        fn.choose(
            fn.compare("ne", job.field(fn, job.WIDE, I64), 0),
            lambda: fn.set(index, fn.call("widely", I64, *given, f"i64 {seat}", found)),
            lambda: fn.choose(
                fn.compare("sgt", fresh, 0),
                lambda: _one_of_new(fn, fresh, index),
                lambda: fn.set(index, fn.call("most", I64, given[0], found)),
            ),
        )
        place = fn.load(job.field(fn, job.PLACES), fn.get(index), PTR)
        fn.set(counted, place, PTR)
        fresh_one = is_new(fn, place)
        fn.set(is_first, fn.widen(fresh_one))
        with fn.when(fresh_one):  # it gets its tally
            fn.store(place, job.TALLY_KEY, fn.load(job.field(fn, job.KEYS), fn.get(index)))
            fn.store(place, job.AVAILABLE, 1)

    fn.choose(job.is_careless(fn, seat), anything, most_promising)
    chosen, tally = fn.get(index), fn.get(counted, PTR)
    new = fn.compare("ne", fn.get(is_first), 0)
    notes = fn.either(job.field(fn, job.LEARNS, I64), job.field(fn, job.ANEW, I64))
    with fn.when(fn.compare("ne", notes, 0)):
        fn.call("come_to", VOID, *given, f"i64 {seat}")
        fn.call("keep", I64, *given, f"i64 {seat}", f"i64 {chosen}", "i64 0")
    place = fn.at("%path", fn.mul(length, 2))
    fn.store(place, 1, tally, PTR)
    fn.store(place, 2, seat)
    fn.store("%path", 0, fn.add(length, 1))
    menu = fn.load(seen, MENU)
    entry = fn.load(job.field(fn, job.ROW_ENTRIES), chosen)
    row, record, width = _row(fn, menu, entry, chosen)
    with fn.when(fn.compare("eq", length, 0)):
        root.use_lists(fn, job.NODE_KEYS)
    with fn.when(fn.op(f"xor i1 {new}, true")):  # else nobody hears of it any more
        values = fn.at(row, 1)
        tell_values(fn, seen, record, values)
        with fn.when(fn.op(f"xor i1 {one}, true")):
            _see(fn, seen, record, width, row, first=True)
    taken = (f"{PTR} %m", f"{PTR} {c}", f"{PTR} {row}", f"i64 {seat}", f"i64 {menu}")
    bad = fn.op(f"call i64 {job.field(fn, job.TAKE)}({', '.join(taken)})")
    with fn.when(fn.compare("slt", bad, 0), rare=True):
        fn.goto(failed)
    with fn.when(new):
        fn.goto(end)
    with fn.when(fn.op(f"xor i1 {one}, true")):
        _see(fn, "%m", record, width, row, first=False)
    choice = (f"i64 {what_of(fn, menu, entry)}", f"i64 {width}")
    fn.call("tell", VOID, f"{PTR} %job", f"i64 {seat}", f"i1 {sealed}", *choice)
    fn.goto(again)
    fn.place(failed)
    fn.ret("-1")
    fn.place(end)
    fn.ret("0")
    return fn.text()


def _row(fn: Fn, menu: str, entry: str, chosen: str) -> tuple[str, str, str]:
    """The option that is chosen as an entry and its values, as wide as all of them; its record in
    the table of entries, and how many values it has."""
    row, record = job.field(fn, job.ROW), record_of(fn, menu, entry)
    width, values = fn.load(record), fn.load(job.field(fn, job.ROWS), chosen, PTR)
    fn.store(row, 0, entry)
    with fn.count(0, width, short=True) as number:
        fn.store(row, fn.add(number, 1), fn.load(values, number))
    with fn.count(width, job.field(fn, job.ROW_WIDTH, I64), short=True) as number:
        fn.store(row, fn.add(number, 1), 0)
    return row, record, width


def _options(fn: Fn, c: str, length: str, sealed: str, seat: str) -> str:
    """How many options lie on the arena. Where a choice has just led to a decision, it has put
    them there already."""
    number = fn.variable(fn.load(c, context.COUNT))
    new_game = fn.compare("eq", length, 0)
    with fn.when(fn.op(f"or i1 {sealed}, {new_game}")):
        asked = (job.field(fn, each) for each in (job.FIRST_OPTIONS, job.OPTIONS))
        options = fn.op(f"select i1 {new_game}, {', '.join(f'{PTR} {each}' for each in asked)}")
        fn.set(number, fn.op(f"call i64 {options}({PTR} %m, {PTR} {c}, i64 {seat})"))
    return fn.get(number)


def _one_of_new(fn: Fn, fresh: str, index: str) -> None:
    """One of the options that have no tally."""
    stream, places = job.field(fn, job.STREAM), job.field(fn, job.PLACES)
    left = fn.variable(fn.call("draw", I64, f"{PTR} {stream}", f"i64 {fresh}"))
    fn.set(index, "-1")

    def not_yet() -> str:
        fn.set(index, fn.add(fn.get(index), 1))
        empty = is_new(fn, fn.load(places, fn.get(index), PTR))
        fn.set(left, fn.sub(fn.get(left), fn.widen(empty)))
        return fn.compare("sge", fn.get(left), 0)

    with fn.loop(not_yet):
        pass


def _see(fn: Fn, m: str, record: str, width: str, row: str, *, first: bool) -> None:
    """Who can name the pieces that a choice is about, before it or after it."""
    known, kinds = job.field(fn, job.KNOWN), job.field(fn, job.KINDS)
    with fn.count(0, width) as index:
        pair = fn.at(record, fn.mul(index, 2))
        value = fn.load(row, fn.add(index, 1))
        found = fn.variable("-1")
        by_row = fn.compare("eq", fn.load(pair, 1), BY_ROW)
        with fn.when(fn.op(f"and i1 {by_row}, {fn.compare('sge', value, 0)}")):
            kind = fn.at(kinds, fn.mul(fn.load(pair, 2), job.KIND_SIZE))
            fn.set(found, fn.call("who", I64, f"{PTR} {kind}", f"{PTR} {m}", f"i64 {value}"))
        now = fn.get(found)
        fn.store(known, index, now if first else fn.either(now, fn.load(known, index)))


def _tell() -> str:
    """`tell(job, seat, sealed, what, n)`: let the seats see a choice, the values of which and
    who can name them lie in `TOLD` and `KNOWN`."""
    head = [(PTR, "job"), (I64, "seat"), ("i1", "sealed"), (I64, "what"), (I64, "n")]
    fn = Fn("tell", VOID, head)
    observers, histories = job.field(fn, job.OBSERVERS, I64), job.field(fn, job.HISTORIES)
    told, known = job.field(fn, job.TOLD), job.field(fn, job.KNOWN)
    one = fn.compare("eq", observers, 1)
    with fn.count(0, observers) as observer:
        own = fn.op(f"or i1 {one}, {fn.compare('eq', observer, '%seat')}")
        hears = fn.op(f"or i1 {own}, {fn.op('xor i1 %sealed, true')}")
        with fn.when(hears):
            start = random_at(fn, fn.load(histories, observer), "%seat")
            found = fn.variable(random_at(fn, start, "%what"))
            with fn.count(0, "%n", short=True) as index:
                bit = fn.both(fn.op(f"ashr i64 {fn.load(known, index)}, {observer}"), 1)
                can = fn.op(f"or i1 {own}, {fn.compare('ne', bit, 0)}")
                seen = fn.select(can, fn.load(told, index), -1)
                fn.set(found, random_at(fn, fn.get(found), seen))
            fn.store(histories, observer, never_0(fn, fn.get(found)))
    fn.ret()
    return fn.text()


def _imagined() -> str:
    """`i64 imagined(job, m, game, key)`: the state a game begins from; -1 after a failure."""
    fn = Fn("imagined", I64, [(PTR, "job"), (PTR, "m"), (I64, "game"), (I64, "key")])
    size, c = job.field(fn, job.SIZE, I64), job.field(fn, job.CONTEXT)
    number = fn.op(f"urem i64 %game, {job.field(fn, job.STATE_COUNT, I64)}")
    job.lay_over(fn, "%m", fn.at(job.field(fn, job.STATES), fn.mul(number, size)))
    deals = job.field(fn, job.DEALS)
    memory = (f"{PTR} {job.field(fn, job.STREAM)}", f"{PTR} {job.field(fn, job.DEAL_ROOM)}")
    fn.choose(
        fn.op(f"icmp ne {PTR} {deals}, null"),
        lambda: fn.call("deal", VOID, f"{PTR} %m", f"{PTR} {deals}", *memory, "i64 %key"),
        lambda: fn.store("%m", KEY, "%key"),
    )
    fn.store("%m", MODE, fn.both(fn.load("%m", MODE), ~(STOP_AT_CHANCE | ASK_WHEN_FORCED)))
    with (
        fn.when(fn.compare("eq", fn.load("%m", STATUS), SEALING)),
        fn.count(0, job.field(fn, job.PLAYERS, I64)) as seat,
        fn.when(fn.compare("ne", seat, job.field(fn, job.VIEWER, I64))),
    ):
        options = job.field(fn, job.FIRST_OPTIONS)
        found = fn.op(f"call i64 {options}({PTR} %m, {PTR} {c}, i64 {seat})")
        with fn.when(fn.compare("slt", found, 0), rare=True):
            fn.ret("-1")
        with fn.when(fn.compare("eq", found, 0)):  # who has nothing to choose is done
            bit = fn.op(f"shl i64 1, {seat}")
            fn.store("%m", SEALED_DONE, fn.either(fn.load("%m", SEALED_DONE), bit))
    fn.ret("0")
    return fn.text()


def _game() -> str:
    """`i64 one_game(job, game)`: 0, or -1 after a failure; the shares go to `GAINED`."""
    fn = Fn("one_game", I64, [(PTR, "job"), (I64, "game")])
    m, path = job.field(fn, job.STATE), job.field(fn, job.PATH)
    start, first = job.field(fn, job.START, I64), fn.mul("%game", 3)
    keys = [random_at(fn, start, fn.add(first, part)) for part in range(3)]
    fn.store(path, 0, 0)
    percent = job.field(fn, job.EVENLY, I64)
    spread = fn.op(f"urem i64 {fn.mul('%game', percent)}, {HUNDRED}")
    fn.store("%job", job.ENDS_EVENLY, fn.widen(fn.compare("slt", spread, percent)))
    fn.store(job.field(fn, job.RUN), job.RUN_SEAT, -1)
    stream = job.field(fn, job.STREAM)
    given = (f"{PTR} %job", f"{PTR} {m}", "i64 %game", f"i64 {keys[0]}")
    bad = fn.variable(fn.call("imagined", I64, *given))
    fn.store("%job", job.BEGUN, fn.load(m, MOVES))
    with fn.when(fn.compare("sge", fn.get(bad), 0)):
        fn.store(stream, 0, keys[1])
        fn.store(stream, 1, 0)
        _draw_careless(fn, stream)
        fn.set(bad, fn.call("descend", I64, f"{PTR} %job", f"{PTR} {m}", f"{PTR} {path}"))
    with fn.when(fn.compare("slt", fn.get(bad), 0)):
        fn.ret("-1")
    fn.set(bad, fn.call("playing", I64, f"{PTR} %job", f"{PTR} {m}", f"i64 {keys[2]}"))
    with fn.when(fn.compare("slt", fn.get(bad), 0), rare=True):
        fn.ret("-1")
    fn.call("gain", VOID, f"{PTR} %job", f"{PTR} {m}")
    with fn.when(fn.compare("ne", job.field(fn, job.HASTE, I64), 0)):
        fn.call("hurry", VOID, f"{PTR} %job", f"{PTR} {m}")
    fn.ret("0")
    return fn.text()


def _draw_careless(fn: Fn, stream: str) -> None:
    """The seats that choose anything in this game."""
    percents, found = job.field(fn, job.CARELESS), fn.variable("0")
    with (
        fn.when(fn.op(f"icmp ne {PTR} {percents}, null")),
        fn.count(0, job.field(fn, job.PLAYERS, I64)) as seat,
    ):
        drawn = fn.call("draw", I64, f"{PTR} {stream}", f"i64 {HUNDRED}")
        is_so = fn.widen(fn.compare("slt", drawn, fn.load(percents, seat)))
        fn.set(found, fn.either(fn.get(found), fn.op(f"shl i64 {is_so}, {seat}")))
    own = fn.op(f"shl i64 1, {job.field(fn, job.VIEWER, I64)}")
    others = fn.both(fn.get(found), fn.op(f"xor i64 {own}, -1"))
    fn.store("%job", job.CARELESS_NOW, others)


def _grow() -> str:
    """`grow(job)`: play the games of one tree."""
    fn = Fn("grow", I64, [(PTR, "job")], exported=True)
    gained, path = job.field(fn, job.GAINED), job.field(fn, job.PATH)
    fn.store("%job", job.ROOT_COUNT, 0)  # tallies may have been moved since
    with fn.count(job.field(fn, job.FIRST, I64), job.field(fn, job.GAMES, I64)) as game:
        bad = fn.call("one_game", I64, f"{PTR} %job", f"i64 {game}")
        with fn.when(fn.compare("slt", bad, 0), rare=True):
            fn.store("%job", job.FAILED, fn.add(job.field(fn, job.FAILED, I64), 1))
            with fn.count(0, job.field(fn, job.PLAYERS, I64)) as seat:
                fn.store(gained, seat, 0)
            # What is left in the middle of things is no state that another could be laid over.
            cells = fn.mul(job.field(fn, job.SIZE, I64), 8)
            fn.clear_bytes(job.field(fn, job.STATE), cells)
        with fn.count(0, fn.load(path)) as index:
            place = fn.at(path, fn.mul(index, 2))
            tally, seat = fn.load(place, 1, PTR), fn.load(place, 2)
            fn.store(tally, job.VISITS, fn.add(fn.load(tally, job.VISITS), 1))
            fn.store(tally, job.TOTAL, fn.add(fn.load(tally, job.TOTAL), fn.load(gained, seat)))
        fn.call("learn", VOID, f"{PTR} %job")
    fn.ret("0")
    return fn.text()

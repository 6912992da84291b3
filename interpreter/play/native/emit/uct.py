"""Tree search in native code: the same games, choices and numbers as `play/uct.py`.

This code is the same for every game. It is given the functions of a game's own code, and in
tables of numbers what it must know of menus, kinds and what is dealt anew (`grow.py` writes them).
"""

from __future__ import annotations

import struct

from interpreter.play.native.emit import context, dealing
from interpreter.play.native.emit.runtime import (
    DECLARATIONS,
    random_at,
    random_below,
    random_number,
)
from interpreter.play.native.emit.text import I64, PTR, VOID, Fn
from interpreter.play.pieces import SEATS
from interpreter.play.uct import AS_IT_IS, BY_PLACE, BY_ROW, DEEPEST, LOG_2, WHOLE
from interpreter.program.layout import (
    ASK_WHEN_FORCED,
    DECISION,
    KEY,
    MENU,
    MODE,
    OVER,
    SEALED_DONE,
    SEALING,
    SEAT,
    STATUS,
    STOP_AT_CHANCE,
    WINNERS,
)  # fmt: skip

# A job: words that say what is to be done, where everything lies, and what came of it.
(
    OPTIONS, TAKE, PLAYOUT, CONTEXT, SIZE, PLAYERS, VIEWER, OBSERVERS, STATES, STATE_COUNT, DEALS,
    MENUS, ENTRIES, ENTRY_WIDTH, KINDS, ROW_WIDTH, EXPLORATION, START, GAMES, TALLIES, TALLY_MASK,
    STATE, SAVED, HISTORIES, GAINED, PATH, KEYS, PLACES, ROWS, ROW_ENTRIES, ROW, TOLD, KNOWN,
    STREAM, DEAL_ROOM, FAILED, JUDGED, JOB_SIZE,
) = range(38)  # fmt: skip
TALLY_KEY, VISITS, AVAILABLE, TOTAL, TALLY_SIZE = range(5)
# A kind: where its cells begin, then tables of its pieces and of its places.
(
    KIND_WHERE, KIND_POSITION, KIND_KNOWN, KIND_HIDDEN_FIELDS, KIND_ROWS, KIND_VIEWERS,
    KIND_MARKS, KIND_MARK_COUNT, KIND_SIZE,
) = range(9)  # fmt: skip
_EXTRA = """
declare i64 @llvm.ctlz.i64(i64, i1)
declare double @llvm.sqrt.f64(double)
"""


def emit_uct() -> str:
    parts = [
        random_number(), random_below(), _tally(), who(), _told(), _mixed(), _promise(), _gather(),
        _descend(), _tell(), dealing.emit_deal(), _imagined(), _game(), _grow(),
    ]  # fmt: skip
    return "\n".join([*parts, DECLARATIONS, _EXTRA])


def _float(value: float) -> str:
    return f"0x{struct.unpack('>Q', struct.pack('>d', value))[0]:016X}"


def _field(fn: Fn, name: int, type_: str = PTR) -> str:
    return fn.load("%job", name, type_)


# ---- tallies, in a table that is looked up by key


def _tally() -> str:
    """`ptr tally(job, key)`: the tally of a key, or where it would be."""
    fn = Fn("tally", PTR, [(PTR, "job"), (I64, "key")])
    table, mask = _field(fn, TALLIES), _field(fn, TALLY_MASK, I64)
    slot = fn.variable(fn.both("%key", mask))
    place = fn.variable("null", PTR)

    def elsewhere() -> str:
        fn.set(place, fn.at(table, fn.mul(fn.get(slot), TALLY_SIZE)), PTR)
        found = fn.load(fn.get(place, PTR), TALLY_KEY)
        other = fn.compare("ne", found, "%key")
        return fn.op(f"and i1 {other}, {fn.compare('ne', found, 0)}")

    with fn.loop(elsewhere):
        fn.set(slot, fn.both(fn.add(fn.get(slot), 1), mask))
    fn.ret(fn.get(place, PTR))
    return fn.text()


def _promise() -> str:
    """`double promise(job, tally)`."""
    fn = Fn("promise", "double", [(PTR, "job"), (PTR, "tally")])
    available, visits = fn.load("%tally", AVAILABLE), fn.load("%tally", VISITS)
    zeros = fn.op(f"call i64 @llvm.ctlz.i64(i64 {available}, i1 true)")
    doubled = fn.sub(63, zeros)
    power = fn.op(f"shl i64 1, {doubled}")

    def real(value: str) -> str:
        return fn.op(f"sitofp i64 {value} to double")

    ratio = fn.op(f"fdiv double {real(available)}, {real(power)}")
    rest = fn.op(f"fsub double {ratio}, {_float(1.0)}")
    log = fn.op(f"fmul double {_float(LOG_2)}, {fn.op(f'fadd double {real(doubled)}, {rest}')}")
    spread = fn.op(f"fdiv double {log}, {real(visits)}")
    root = fn.op(f"call double @llvm.sqrt.f64(double {spread})")
    more = fn.op(f"fmul double {_field(fn, EXPLORATION, 'double')}, {root}")
    whole = real(fn.mul(visits, WHOLE))
    mean = fn.op(f"fdiv double {real(fn.load('%tally', TOTAL))}, {whole}")
    fn.ret(fn.op(f"fadd double {mean}, {more}"))
    return fn.text()


# ---- choices as numbers


def who() -> str:
    """`i64 who(kind, m, piece)`: the seats that can name a piece (`pieces.who_knows`)."""
    head = [(PTR, "kind"), (PTR, "m"), (I64, "piece")]
    fn = Fn("who", I64, head, attributes="alwaysinline")
    known = fn.load("%kind", KIND_KNOWN)
    with fn.when(fn.compare("slt", known, 0)):
        fn.ret("-1")
    found = fn.both(fn.load("%m", fn.add(known, "%piece")), SEATS)
    with fn.when(fn.compare("ne", fn.load("%kind", KIND_HIDDEN_FIELDS), 0)):
        fn.ret(found)
    place = fn.load("%m", fn.add(fn.load("%kind", KIND_WHERE), "%piece"))
    fn.ret(fn.either(found, fn.load(fn.load("%kind", KIND_VIEWERS, PTR), place)))
    return fn.text()


def _told() -> str:
    """`i64 told(kinds, m, form, kind, value)`: a value of a choice as it is told apart."""
    head = [(PTR, "kinds"), (PTR, "m"), (I64, "form"), (I64, "kind"), (I64, "value")]
    fn = Fn("told", I64, head)
    plain = fn.compare("eq", "%form", AS_IT_IS)
    with fn.when(fn.op(f"or i1 {plain}, {fn.compare('slt', '%value', 0)}")):
        fn.ret("%value")
    kind = fn.at("%kinds", fn.mul("%kind", KIND_SIZE))
    with fn.when(fn.compare("eq", "%form", BY_PLACE)):
        where = fn.load("%m", fn.add(fn.load(kind, KIND_WHERE), "%value"))
        position = fn.load("%m", fn.add(fn.load(kind, KIND_POSITION), "%value"))
        fn.ret(random_at(fn, where, position))
    row = fn.load(fn.load(kind, KIND_ROWS, PTR), "%value")
    found = fn.variable(random_at(fn, row, 0))
    marks = fn.load(kind, KIND_MARKS, PTR)
    with fn.count(0, fn.load(kind, KIND_MARK_COUNT)) as index:
        mark = fn.load("%m", fn.add(fn.load(marks, index), "%value"))
        fn.set(found, random_at(fn, fn.get(found), mark))
    fn.ret(fn.get(found))
    return fn.text()


def _mixed() -> str:
    """`i64 mixed(history, what, values, n)`: a choice after a history, as one number."""
    head = [(I64, "history"), (I64, "what"), (PTR, "values"), (I64, "n")]
    fn = Fn("mixed", I64, head)
    found = fn.variable(random_at(fn, "%history", "%what"))
    with fn.count(0, "%n") as index:
        fn.set(found, random_at(fn, fn.get(found), fn.load("%values", index)))
    done = fn.get(found)
    fn.ret(fn.select(fn.compare("eq", done, 0), 1, done))
    return fn.text()


def _tell_values(fn: Fn, m: str, menu: str, entry: str, row: str) -> tuple[str, str]:
    """The values of an option as they are told apart, written to `TOLD`; its record in the table
    of entries, and how many values it has."""
    first = fn.load(_field(fn, MENUS), fn.mul(menu, 2))
    number = fn.mul(fn.add(first, entry), _field(fn, ENTRY_WIDTH, I64))
    record = fn.at(_field(fn, ENTRIES), number)
    width = fn.load(record)
    kinds, target = _field(fn, KINDS), _field(fn, TOLD)
    with fn.count(0, width) as index:
        pair = fn.at(record, fn.mul(index, 2))
        given = (f"{PTR} {kinds}", f"{PTR} {m}", f"i64 {fn.load(pair, 1)}")
        rest = (f"i64 {fn.load(pair, 2)}", f"i64 {fn.load(row, index)}")
        fn.store(target, index, fn.call("told", I64, *given, *rest))
    return record, width


def _what(fn: Fn, menu: str, entry: str) -> str:
    return fn.either(fn.op(f"shl i64 {menu}, 16"), entry)


def _gather() -> str:
    """`i64 gather(job, m, history, n)`: for each of the n options on the arena its key, its tally
    or null, its row and entry; how many have no tally yet."""
    fn = Fn("gather", I64, [(PTR, "job"), (PTR, "m"), (I64, "history"), (I64, "n")])
    menu = fn.load("%m", MENU)
    ends = fn.load(_field(fn, CONTEXT), context.TOP, PTR)
    entries = fn.load(fn.at(_field(fn, MENUS), fn.mul(menu, 2)), 1)
    row = fn.variable(fn.at(ends, entries), PTR)
    entry, fresh = fn.variable("0"), fn.variable("0")
    keys, places = _field(fn, KEYS), _field(fn, PLACES)
    rows, row_entries = _field(fn, ROWS), _field(fn, ROW_ENTRIES)
    with fn.count(0, "%n") as index:
        with fn.loop(lambda: fn.compare("sle", fn.load(ends, fn.get(entry)), index)):
            fn.set(entry, fn.add(fn.get(entry), 1))
        now, here = fn.get(entry), fn.get(row, PTR)
        _, width = _tell_values(fn, "%m", menu, now, here)
        what, values = _what(fn, menu, now), _field(fn, TOLD)
        given = ("i64 %history", f"i64 {what}", f"{PTR} {values}", f"i64 {width}")
        key = fn.call("mixed", I64, *given)
        place = fn.call("tally", PTR, f"{PTR} %job", f"i64 {key}")
        fn.store(keys, index, key)
        fn.store(places, index, "null", PTR)
        fn.store(rows, index, here, PTR)
        fn.store(row_entries, index, now)
        fn.choose(
            fn.compare("eq", fn.load(place, TALLY_KEY), 0),
            lambda: fn.set(fresh, fn.add(fn.get(fresh), 1)),
            lambda: _could_have(fn, places, index, place),
        )
        fn.set(row, fn.at(here, width), PTR)
    fn.ret(fn.get(fresh))
    return fn.text()


def _could_have(fn: Fn, places: str, index: str, place: str) -> None:
    fn.store(places, index, place, PTR)
    fn.store(place, AVAILABLE, fn.add(fn.load(place, AVAILABLE), 1))


# ---- one game


def _descend() -> str:
    """`i64 descend(job, m, path)`: choose what promises most, up to the first choice that was
    never made. -1 after a failure. `path` gets the number of choices."""
    fn = Fn("descend", I64, [(PTR, "job"), (PTR, "m"), (PTR, "path")])
    c, histories = _field(fn, CONTEXT), _field(fn, HISTORIES)
    observers = _field(fn, OBSERVERS, I64)
    with fn.count(0, observers) as index:
        fn.store(histories, index, fn.add(index, 1))  # `uct.beginning`
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
    viewer = _field(fn, VIEWER, I64)
    own = fn.both(fn.op(f"lshr i64 {free}, {viewer}"), 1)
    first = fn.select(fn.compare("ne", own, 0), viewer, undone)
    seat = fn.select(sealed, first, fn.load("%m", SEAT))
    well = fn.op(f"or i1 {sealed}, {fn.compare('eq', status, DECISION)}")
    fn.branch(well, on, failed)
    fn.place(on)
    found = fn.op(f"call i64 {_field(fn, OPTIONS)}({PTR} %m, {PTR} {c}, i64 {seat})")
    with fn.when(fn.compare("sle", found, 0), rare=True):
        fn.goto(failed)
    scratch = fn.load(c, context.BASE, PTR)  # a sealed body has been run there
    seen = fn.op(f"select i1 {sealed}, {PTR} {scratch}, {PTR} %m")
    one = fn.compare("eq", observers, 1)
    history = fn.load(histories, fn.select(one, 0, seat))
    given = (f"{PTR} %job", f"{PTR} {seen}", f"i64 {history}", f"i64 {found}")
    fresh = fn.call("gather", I64, *given)
    new = fn.compare("sgt", fresh, 0)
    index = fn.slot()
    fn.choose(new, lambda: _first_time(fn, fresh, index), lambda: _most(fn, found, index))
    chosen = fn.get(index)
    tally = fn.load(_field(fn, PLACES), chosen, PTR)
    place = fn.at("%path", fn.mul(length, 2))
    fn.store(place, 1, tally, PTR)
    fn.store(place, 2, seat)
    fn.store("%path", 0, fn.add(length, 1))
    menu = fn.load(seen, MENU)
    entry = fn.load(_field(fn, ROW_ENTRIES), chosen)
    row = _field(fn, ROW)
    record, width = _tell_values(fn, seen, menu, entry, fn.load(_field(fn, ROWS), chosen, PTR))
    fn.store(row, 0, entry)
    with fn.count(0, _field(fn, ROW_WIDTH, I64)) as number:
        fn.store(row, fn.add(number, 1), 0)
    with fn.count(0, width) as number:
        value = fn.load(fn.load(_field(fn, ROWS), chosen, PTR), number)
        fn.store(row, fn.add(number, 1), value)
    _see(fn, seen, record, width, row, first=True)
    given = (f"{PTR} %m", f"{PTR} {c}", f"{PTR} {row}", f"i64 {seat}")
    bad = fn.op(f"call i64 {_field(fn, TAKE)}({', '.join(given)})")
    with fn.when(fn.compare("slt", bad, 0), rare=True):
        fn.goto(failed)
    with fn.when(new):
        fn.goto(end)
    _see(fn, "%m", record, width, row, first=False)
    choice = (f"i64 {_what(fn, menu, entry)}", f"i64 {width}")
    fn.call("tell", VOID, f"{PTR} %job", f"i64 {seat}", f"i1 {sealed}", *choice)
    fn.goto(again)
    fn.place(failed)
    fn.ret("-1")
    fn.place(end)
    fn.ret("0")
    return fn.text()


def _first_time(fn: Fn, fresh: str, index: str) -> None:
    """One of the options that have no tally; it gets one."""
    stream, places = _field(fn, STREAM), _field(fn, PLACES)
    left = fn.variable(fn.call("draw", I64, f"{PTR} {stream}", f"i64 {fresh}"))
    fn.set(index, "-1")

    def not_yet() -> str:
        fn.set(index, fn.add(fn.get(index), 1))
        place = fn.load(places, fn.get(index), PTR)
        empty = fn.widen(fn.op(f"icmp eq {PTR} {place}, null"))
        fn.set(left, fn.sub(fn.get(left), empty))
        return fn.compare("sge", fn.get(left), 0)

    with fn.loop(not_yet):
        pass
    key = fn.load(_field(fn, KEYS), fn.get(index))
    tally = fn.call("tally", PTR, f"{PTR} %job", f"i64 {key}")
    fn.store(tally, TALLY_KEY, key)
    fn.store(tally, AVAILABLE, 1)
    fn.store(places, fn.get(index), tally, PTR)


def _most(fn: Fn, found: str, index: str) -> None:
    """The option that promises most; of equals the first."""
    places = _field(fn, PLACES)
    best = fn.variable(_float(float("-inf")), "double")
    fn.set(index, "0")
    with fn.count(0, found) as number:
        tally = fn.load(places, number, PTR)
        hope = fn.call("promise", "double", f"{PTR} %job", f"{PTR} {tally}")
        with fn.when(fn.op(f"fcmp ogt double {hope}, {fn.get(best, 'double')}")):
            fn.set(best, hope, "double")
            fn.set(index, number)


def _see(fn: Fn, m: str, record: str, width: str, row: str, *, first: bool) -> None:
    """Who can name the pieces that a choice is about, before it or after it."""
    known, kinds = _field(fn, KNOWN), _field(fn, KINDS)
    with fn.count(0, width) as index:
        pair = fn.at(record, fn.mul(index, 2))
        value = fn.load(row, fn.add(index, 1))
        found = fn.variable("-1")
        by_row = fn.compare("eq", fn.load(pair, 1), BY_ROW)
        with fn.when(fn.op(f"and i1 {by_row}, {fn.compare('sge', value, 0)}")):
            kind = fn.at(kinds, fn.mul(fn.load(pair, 2), KIND_SIZE))
            fn.set(found, fn.call("who", I64, f"{PTR} {kind}", f"{PTR} {m}", f"i64 {value}"))
        now = fn.get(found)
        fn.store(known, index, now if first else fn.either(now, fn.load(known, index)))


def _tell() -> str:
    """`tell(job, seat, sealed, what, n)`: let the seats see a choice, the values of which and
    who can name them lie in `TOLD` and `KNOWN`."""
    head = [(PTR, "job"), (I64, "seat"), ("i1", "sealed"), (I64, "what"), (I64, "n")]
    fn = Fn("tell", VOID, head)
    observers, histories = _field(fn, OBSERVERS, I64), _field(fn, HISTORIES)
    told, known, seen = _field(fn, TOLD), _field(fn, KNOWN), _field(fn, ROW)
    one = fn.compare("eq", observers, 1)
    with fn.count(0, observers) as observer:
        own = fn.op(f"or i1 {one}, {fn.compare('eq', observer, '%seat')}")
        skip, see, next_ = fn.label(), fn.label(), fn.label()
        hidden = fn.op(f"and i1 %sealed, {fn.op(f'xor i1 {own}, true')}")
        fn.branch(hidden, skip, see)
        fn.place(see)
        with fn.count(0, "%n") as index:
            bit = fn.both(fn.op(f"ashr i64 {fn.load(known, index)}, {observer}"), 1)
            can = fn.op(f"or i1 {own}, {fn.compare('ne', bit, 0)}")
            fn.store(seen, index, fn.select(can, fn.load(told, index), -1))
        start = random_at(fn, fn.load(histories, observer), "%seat")
        given = (f"i64 {start}", "i64 %what", f"{PTR} {seen}", "i64 %n")
        fn.store(histories, observer, fn.call("mixed", I64, *given))
        fn.goto(next_)
        fn.place(skip)
        fn.place(next_)
    fn.ret()
    return fn.text()


def _imagined() -> str:
    """`i64 imagined(job, m, game, key)`: the state a game begins from; -1 after a failure."""
    fn = Fn("imagined", I64, [(PTR, "job"), (PTR, "m"), (I64, "game"), (I64, "key")])
    size, c = _field(fn, SIZE, I64), _field(fn, CONTEXT)
    number = fn.op(f"urem i64 %game, {_field(fn, STATE_COUNT, I64)}")
    fn.copy("%m", fn.at(_field(fn, STATES), fn.mul(number, size)), size)
    deals = _field(fn, DEALS)
    memory = (f"{PTR} {_field(fn, STREAM)}", f"{PTR} {_field(fn, DEAL_ROOM)}")
    fn.choose(
        fn.op(f"icmp ne {PTR} {deals}, null"),
        lambda: fn.call("deal", VOID, f"{PTR} %m", f"{PTR} {deals}", *memory, "i64 %key"),
        lambda: fn.store("%m", KEY, "%key"),
    )
    fn.store("%m", MODE, fn.both(fn.load("%m", MODE), ~(STOP_AT_CHANCE | ASK_WHEN_FORCED)))
    with (
        fn.when(fn.compare("eq", fn.load("%m", STATUS), SEALING)),
        fn.count(0, _field(fn, PLAYERS, I64)) as seat,
        fn.when(fn.compare("ne", seat, _field(fn, VIEWER, I64))),
    ):
        found = fn.op(f"call i64 {_field(fn, OPTIONS)}({PTR} %m, {PTR} {c}, i64 {seat})")
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
    m, path, c = _field(fn, STATE), _field(fn, PATH), _field(fn, CONTEXT)
    saved, size = _field(fn, SAVED), _field(fn, SIZE, I64)
    start, first = _field(fn, START, I64), fn.mul("%game", 3)
    keys = [random_at(fn, start, fn.add(first, part)) for part in range(3)]
    fn.store(path, 0, 0)
    stream = _field(fn, STREAM)
    given = (f"{PTR} %job", f"{PTR} {m}", "i64 %game", f"i64 {keys[0]}")
    bad = fn.variable(fn.call("imagined", I64, *given))
    with fn.when(fn.compare("sge", fn.get(bad), 0)):
        fn.store(stream, 0, keys[1])
        fn.store(stream, 1, 0)
        fn.set(bad, fn.call("descend", I64, f"{PTR} %job", f"{PTR} {m}", f"{PTR} {path}"))
    with fn.when(fn.compare("slt", fn.get(bad), 0)):
        fn.ret("-1")
    fn.copy(saved, m, size)
    play = f"call i64 {_field(fn, PLAYOUT)}({PTR} {m}, {PTR} {c}, i64 {keys[2]})"
    fn.set(bad, fn.op(play))
    with fn.when(fn.compare("slt", fn.get(bad), 0), rare=True):  # in the plain way: see sealed.py
        fn.copy(m, saved, size)
        fn.store(c, context.PLAIN, 1)
        fn.set(bad, fn.op(play))
        fn.store(c, context.PLAIN, 0)
    with fn.when(fn.compare("slt", fn.get(bad), 0), rare=True):
        fn.ret("-1")
    players, gained = _field(fn, PLAYERS, I64), _field(fn, GAINED)
    everyone = fn.sub(fn.op(f"shl i64 1, {players}"), 1)
    won = fn.load(m, WINNERS)
    winners = fn.select(fn.compare("eq", won, 0), everyone, won)
    part = fn.op(f"udiv i64 {WHOLE}, {fn.op(f'call i64 @llvm.ctpop.i64(i64 {winners})')}")
    judged = fn.compare("ne", _field(fn, JUDGED, I64), 0)
    shared = fn.op(f"or i1 {judged}, {fn.compare('eq', won, 0)}")
    share = fn.select(shared, part, WHOLE)
    with fn.count(0, players) as seat:
        bit = fn.both(fn.op(f"lshr i64 {winners}, {seat}"), 1)
        fn.store(gained, seat, fn.mul(bit, share))
    fn.ret("0")
    return fn.text()


def _grow() -> str:
    """`grow(job)`: play the games of one tree."""
    fn = Fn("grow", I64, [(PTR, "job")], exported=True)
    gained, path = _field(fn, GAINED), _field(fn, PATH)
    with fn.count(0, _field(fn, GAMES, I64)) as game:
        bad = fn.call("one_game", I64, f"{PTR} %job", f"i64 {game}")
        with fn.when(fn.compare("slt", bad, 0), rare=True):
            fn.store("%job", FAILED, fn.add(_field(fn, FAILED, I64), 1))
            with fn.count(0, _field(fn, PLAYERS, I64)) as seat:
                fn.store(gained, seat, 0)
        with fn.count(0, fn.load(path)) as index:
            place = fn.at(path, fn.mul(index, 2))
            tally, seat = fn.load(place, 1, PTR), fn.load(place, 2)
            fn.store(tally, VISITS, fn.add(fn.load(tally, VISITS), 1))
            fn.store(tally, TOTAL, fn.add(fn.load(tally, TOTAL), fn.load(gained, seat)))
    fn.ret("0")
    return fn.text()

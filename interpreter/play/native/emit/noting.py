"""What is offered and taken in random games, in native code: the same as `play/gathering.py`
notes."""

from __future__ import annotations

from interpreter.play.gathering import (
    ALWAYS,
    G_OPENING,
    G_START,
    HIDDEN,
    NOTHING,
    NUMBERS,
    OPENING,
    OPENING_WIDTH,
)
from interpreter.play.native.emit import context
from interpreter.play.native.emit.gather_job import (
    BANNED,
    CHOICE,
    CONTEXT,
    ENTRIES,
    ENTRY_ACTION,
    ENTRY_CELLS,
    ENTRY_NAMES,
    ENTRY_NAMING,
    ENTRY_VALUES,
    ENTRY_WIDTH,
    FLAGS,
    GAME,
    MANNER,
    MENUS,
    N_OFFERED,
    N_SEEN,
    N_SEEN_TAKEN,
    N_TAKEN,
    N_TAKEN_TIMES,
    N_TIMES,
    NOTE_WIDTH,
    NOTES,
    OPENED,
    TOUCHED,
    TOUCHED_COUNT,
    V_HIDDEN,
    V_OFFSET,
    V_SIZE,
    V_THINGS,
    VALUE_WIDTH,
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
    MENU,
)


def emit_noting() -> list[str]:
    return [_mark(), _mark_taken(), _note_things(), _note_opening(), _flag(), _held_back()]


def _mark() -> str:
    """`mark(job, thing, bit, choice)`: it is offered to somebody; twice in one choice counts
    once."""
    fn = Fn("mark", VOID, [(PTR, "job"), (I64, "thing"), (I64, "bit"), (I64, "choice")])
    note = fn.at(field(fn, NOTES, PTR), fn.mul("%thing", NOTE_WIDTH))
    with fn.when(fn.compare("eq", fn.load(note, N_SEEN), "%choice")):
        fn.ret()
    fn.store(note, N_SEEN, "%choice")
    before = fn.load(note, N_OFFERED)
    with fn.when(fn.compare("eq", before, 0)):
        number = field(fn, TOUCHED_COUNT)
        fn.store(field(fn, TOUCHED, PTR), number, "%thing")
        put(fn, TOUCHED_COUNT, fn.add(number, 1))
    fn.store(note, N_OFFERED, fn.either(before, "%bit"))
    increase(fn, note, N_TIMES, 1)
    fn.ret()
    return fn.text()


def _mark_taken() -> str:
    """`mark_taken(job, thing, bit, choice)`: somebody takes it."""
    fn = Fn("mark_taken", VOID, [(PTR, "job"), (I64, "thing"), (I64, "bit"), (I64, "choice")])
    note = fn.at(field(fn, NOTES, PTR), fn.mul("%thing", NOTE_WIDTH))
    with fn.when(fn.compare("eq", fn.load(note, N_SEEN_TAKEN), "%choice")):
        fn.ret()
    fn.store(note, N_SEEN_TAKEN, "%choice")
    fn.store(note, N_TAKEN, fn.either(fn.load(note, N_TAKEN), "%bit"))
    increase(fn, note, N_TAKEN_TIMES, 1)
    fn.ret()
    return fn.text()


def _thing(fn: Fn, form: str, value: str) -> str:
    """What a value of an option names, or NOTHING."""
    found = fn.variable(str(NOTHING))
    with fn.when(fn.compare("ult", value, fn.load(form, V_SIZE))):
        fn.set(found, fn.load(fn.load(form, V_THINGS, PTR), value))
    return fn.get(found)


def _note_things() -> str:
    """`note_things(job, m, seat, picked)`: the options on the arena, and which was taken."""
    fn = Fn("note_things", VOID, [(PTR, "job"), (PTR, "m"), (I64, "seat"), (I64, "picked")])
    choice = fn.add(field(fn, CHOICE), 1)
    put(fn, CHOICE, choice)
    bit = fn.op("shl i64 1, %seat")
    rest = (f"i64 {bit}", f"i64 {choice}")
    ends = fn.load(field(fn, CONTEXT, PTR), context.TOP, PTR)
    about = fn.at(field(fn, MENUS, PTR), fn.mul(fn.load("%m", MENU), 2))
    number, wide = fn.load(about, 1), field(fn, ENTRY_WIDTH)
    record = fn.variable(fn.at(field(fn, ENTRIES, PTR), fn.mul(fn.load(about), wide)), PTR)
    row, before = fn.variable(fn.at(ends, number), PTR), fn.variable("0")

    def note_values(name: str, record: str, here: str) -> None:
        naming = fn.load(record, ENTRY_NAMING, PTR)
        with fn.count(0, fn.load(record, ENTRY_NAMES)) as index:
            form = fn.at(naming, fn.mul(index, VALUE_WIDTH))
            found = _thing(fn, form, fn.load(here, fn.load(form, V_OFFSET)))
            with fn.when(fn.compare("sge", found, 0)):
                fn.call(name, VOID, f"{PTR} %job", f"i64 {found}", *rest)

    with fn.count(0, number) as entry:
        here, start, end = fn.get(record, PTR), fn.get(before), fn.load(ends, entry)
        cells = fn.load(here, ENTRY_CELLS)
        action = f"i64 {fn.load(here, ENTRY_ACTION)}"
        with fn.when(fn.compare("sgt", end, start)):
            fn.call("mark", VOID, f"{PTR} %job", action, *rest)
            first = fn.get(row, PTR)
            with fn.when(fn.compare("ne", fn.load(here, ENTRY_NAMES), 0)):
                at = fn.variable(first, PTR)
                with fn.count(start, end):
                    note_values("mark", here, fn.get(at, PTR))
                    fn.set(at, fn.at(fn.get(at, PTR), cells), PTR)
            mine = fn.op(
                f"and i1 {fn.compare('sge', '%picked', start)}, {fn.compare('slt', '%picked', end)}"
            )
            with fn.when(mine):
                fn.call("mark_taken", VOID, f"{PTR} %job", action, *rest)
                chosen = fn.at(first, fn.mul(fn.sub("%picked", start), cells))
                note_values("mark_taken", here, chosen)
                given = (f"{PTR} %job", f"{PTR} {here}", f"{PTR} {chosen}", "i64 %seat")
                fn.call("note_opening", VOID, *given)
            fn.set(row, fn.at(first, fn.mul(fn.sub(end, start), cells)), PTR)
        fn.set(before, end)
        fn.set(record, fn.at(here, wide), PTR)
    fn.ret()
    return fn.text()


def _note_opening() -> str:
    """`note_opening(job, entry, values, seat)`: a choice in the open, if the game has just
    begun."""
    fn = Fn("note_opening", VOID, [(PTR, "job"), (PTR, "entry"), (PTR, "values"), (I64, "seat")])
    opened = field(fn, OPENED)
    with fn.when(fn.compare("sge", opened, OPENING)):
        fn.ret()
    game = field(fn, GAME, PTR)
    with fn.when(fn.compare("eq", opened, 0)):
        fn.store(game, G_START, fn.add("%seat", 1))
    told = fn.at(fn.at(game, G_OPENING), fn.mul(opened, OPENING_WIDTH))
    fn.store(told, 0, fn.load("%entry", ENTRY_ACTION))
    cells, most = fn.load("%entry", ENTRY_CELLS), OPENING_WIDTH - 1
    with fn.count(0, fn.select(fn.compare("slt", cells, most), cells, most)) as index:
        form = fn.at(fn.at("%entry", ENTRY_VALUES), fn.mul(index, VALUE_WIDTH))
        value = fn.load("%values", index)
        found = _thing(fn, form, value)
        hidden = fn.compare("ne", fn.load(form, V_HIDDEN), 0)
        other = fn.select(hidden, HIDDEN, fn.add(value, NUMBERS))
        named = fn.compare("sge", found, 0)
        fn.store(told, fn.add(index, 1), fn.select(named, found, other))
    put(fn, OPENED, fn.add(opened, 1))
    fn.ret()
    return fn.text()


# ---- a player who is held back


def _flag() -> str:
    """`i64 flag(job, m)`: which of the options on the arena are about what is banned, as flags; how
    many."""
    fn = Fn("flag", I64, [(PTR, "job"), (PTR, "m")])
    banned, flags = field(fn, BANNED), field(fn, FLAGS, PTR)
    ends = fn.load(field(fn, CONTEXT, PTR), context.TOP, PTR)
    about = fn.at(field(fn, MENUS, PTR), fn.mul(fn.load("%m", MENU), 2))
    number, wide = fn.load(about, 1), field(fn, ENTRY_WIDTH)
    record = fn.variable(fn.at(field(fn, ENTRIES, PTR), fn.mul(fn.load(about), wide)), PTR)
    row, before = fn.variable(fn.at(ends, number), PTR), fn.variable("0")
    total = fn.variable("0")
    with fn.count(0, number) as entry:
        here, end = fn.get(record, PTR), fn.load(ends, entry)
        own = fn.widen(fn.compare("eq", fn.load(here, ENTRY_ACTION), banned))
        naming = fn.load(here, ENTRY_NAMING, PTR)
        with fn.count(fn.get(before), end) as option:
            found = fn.variable(own)
            with fn.count(0, fn.load(here, ENTRY_NAMES)) as index:
                form = fn.at(naming, fn.mul(index, VALUE_WIDTH))
                thing = _thing(fn, form, fn.load(fn.get(row, PTR), fn.load(form, V_OFFSET)))
                fn.set(found, fn.either(fn.get(found), fn.widen(fn.compare("eq", thing, banned))))
            fn.store(flags, option, fn.get(found))
            fn.set(total, fn.add(fn.get(total), fn.get(found)))
            fn.set(row, fn.at(fn.get(row, PTR), fn.load(here, ENTRY_CELLS)), PTR)
        fn.set(before, end)
        fn.set(record, fn.at(here, wide), PTR)
    fn.ret(fn.get(total))
    return fn.text()


def _held_back() -> str:
    """`i64 held_back(job, m, n, stream)`: one of n options, for a player who never chooses what is
    banned, or always, wherever there is a choice between such options and others."""
    fn = Fn("held_back", I64, [(PTR, "job"), (PTR, "m"), (I64, "n"), (PTR, "stream")])
    found = fn.call("flag", I64, f"{PTR} %job", f"{PTR} %m")
    some, rest = fn.compare("ne", found, 0), fn.compare("ne", found, "%n")
    with fn.when(fn.op(f"xor i1 {fn.op(f'and i1 {some}, {rest}')}, true")):
        fn.ret(fn.call("draw", I64, f"{PTR} %stream", "i64 %n"))
    wanted = fn.widen(fn.compare("eq", field(fn, MANNER), ALWAYS))
    always = fn.compare("ne", wanted, 0)
    number = fn.select(always, found, fn.sub("%n", found))
    left = fn.variable(fn.call("draw", I64, f"{PTR} %stream", f"i64 {number}"))
    flags = field(fn, FLAGS, PTR)
    with fn.count(0, "%n") as option, fn.when(fn.compare("eq", fn.load(flags, option), wanted)):
        with fn.when(fn.compare("eq", fn.get(left), 0)):
            fn.ret(option)
        fn.set(left, fn.sub(fn.get(left), 1))
    fn.ret("0")
    return fn.text()

"""What is offered and taken in random games, in native code: the same as `play/gathering.py`
notes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from interpreter.play.gathering import (
    ALWAYS,
    G_OPENING,
    G_START,
    HIDDEN,
    NUMBERS,
    OPENING,
    OPENING_WIDTH,
)
from interpreter.play.native.emit import context
from interpreter.play.native.emit.gather_job import (
    BANNED,
    CHOICE,
    CHOICE_BITS,
    CONTEXT,
    ENTRY_ACTION,
    ENTRY_CELLS,
    ENTRY_NAMES,
    ENTRY_NAMING,
    ENTRY_TOLD,
    ENTRY_VALUES,
    ENTRY_WIDTH,
    FLAGS,
    GAME,
    MANNER,
    MENU_COUNT,
    MENU_ENTRIES,
    MENU_WIDTH,
    MENUS,
    NOTE_WIDTH,
    NOTES,
    OFFERED_ONCE,
    OPENED,
    TAKEN_NOW,
    TAKEN_ONCE,
    V_HIDDEN,
    V_OFFSET,
    V_SIZE,
    V_THINGS,
    VALUE_WIDTH,
    field,
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
    return [_note_things(), _note_opening(), _flag(), _held_back()]


def _mark_offered(fn: Fn, cells: str, thing: str, now: str) -> None:
    """Count a thing once for the choice that `now` begins. Choices grow, so a cell below `now` was
    last counted earlier. There is no jump in it: whether a thing comes twice in one choice is what
    a processor cannot guess."""
    place = fn.at(cells, thing)
    before = fn.load(place)
    times = fn.both(before, TAKEN_NOW - 1)
    again = fn.add(fn.add(now, times), OFFERED_ONCE)
    fn.store(place, 0, fn.select(fn.compare("slt", before, now), again, before))


def _mark_taken(fn: Fn, cells: str, thing: str, taken_now: str) -> None:
    """The same for what was taken, which has been offered."""
    place = fn.at(cells, thing)
    before = fn.load(place)
    again = fn.add(before, TAKEN_NOW + TAKEN_ONCE)
    fn.store(place, 0, fn.select(fn.compare("slt", before, taken_now), again, before))


def _thing(fn: Fn, table: str, size: str, value: str) -> str:
    """What a value of an option names, or NOTHING."""
    return fn.load(table, fn.select(fn.compare("ult", value, size), value, size))


def _thing_of(fn: Fn, form: str, value: str) -> str:
    return _thing(fn, fn.load(form, V_THINGS, PTR), fn.load(form, V_SIZE), value)


def _note_things() -> str:
    """`note_things(job, m, seat, picked)`: the options on the arena, and which was taken."""
    fn = Fn("note_things", VOID, [(PTR, "job"), (PTR, "m"), (I64, "seat"), (I64, "picked")])
    choice = fn.add(field(fn, CHOICE), 1)
    put(fn, CHOICE, choice)
    now = fn.op(f"shl i64 {choice}, {CHOICE_BITS}")
    notes = fn.at(fn.at(field(fn, NOTES, PTR), 1), fn.mul("%seat", field(fn, NOTE_WIDTH)))
    ends = fn.load(field(fn, CONTEXT, PTR), context.TOP, PTR)
    about = fn.at(field(fn, MENUS, PTR), fn.mul(fn.load("%m", MENU), MENU_WIDTH))
    number, wide = fn.load(about, MENU_COUNT), field(fn, ENTRY_WIDTH)
    record = fn.variable(fn.load(about, MENU_ENTRIES, PTR), PTR)
    row, before = fn.variable(fn.at(ends, number), PTR), fn.variable("0")
    chosen, chosen_of = fn.variable("null", PTR), fn.variable("null", PTR)
    with fn.count(0, number, short=True) as entry:
        here, start, end = fn.get(record, PTR), fn.get(before), fn.load(ends, entry)
        with fn.when(fn.compare("sgt", end, start)):
            first, cells = fn.get(row, PTR), fn.load(here, ENTRY_CELLS)
            _mark_offered(fn, notes, fn.load(here, ENTRY_ACTION), now)
            with _naming(fn, here) as form:
                table, size = fn.load(form, V_THINGS, PTR), fn.load(form, V_SIZE)
                at = fn.variable(fn.at(first, fn.load(form, V_OFFSET)), PTR)
                with fn.count(start, end, short=True):
                    value = fn.get(at, PTR)
                    _mark_offered(fn, notes, _thing(fn, table, size, fn.load(value)), now)
                    fn.set(at, fn.at(value, cells), PTR)
            with fn.when(fn.compare("ult", fn.sub("%picked", start), fn.sub(end, start))):
                fn.set(chosen_of, here, PTR)
                fn.set(chosen, fn.at(first, fn.mul(fn.sub("%picked", start), cells)), PTR)
            fn.set(row, fn.at(first, fn.mul(fn.sub(end, start), cells)), PTR)
            fn.set(before, end)
        fn.set(record, fn.at(here, wide), PTR)
    here, values = fn.get(chosen_of, PTR), fn.get(chosen, PTR)
    taken_now = fn.either(now, TAKEN_NOW)
    _mark_taken(fn, notes, fn.load(here, ENTRY_ACTION), taken_now)
    with _naming(fn, here) as form:
        value = fn.load(values, fn.load(form, V_OFFSET))
        _mark_taken(fn, notes, _thing_of(fn, form, value), taken_now)
    with fn.when(fn.compare("slt", field(fn, OPENED), OPENING), rare=True):
        given = (f"{PTR} %job", f"{PTR} {here}", f"{PTR} {values}", "i64 %seat")
        fn.call("note_opening", VOID, *given)
    fn.ret()
    return fn.text()


@contextmanager
def _naming(fn: Fn, entry: str) -> Iterator[str]:
    """Each form of a value that names things."""
    naming = fn.at(entry, ENTRY_NAMING)
    with fn.count(0, fn.load(entry, ENTRY_NAMES), short=True) as index:
        yield fn.at(naming, fn.mul(index, VALUE_WIDTH))


def _note_opening() -> str:
    """`note_opening(job, entry, values, seat)`: a choice in the open of a game that has just
    begun."""
    fn = Fn("note_opening", VOID, [(PTR, "job"), (PTR, "entry"), (PTR, "values"), (I64, "seat")])
    opened, game = field(fn, OPENED), field(fn, GAME, PTR)
    with fn.when(fn.compare("eq", opened, 0)):
        fn.store(game, G_START, fn.add("%seat", 1))
    told = fn.at(fn.at(game, G_OPENING), fn.mul(opened, OPENING_WIDTH))
    fn.store(told, 0, fn.load("%entry", ENTRY_ACTION))
    with fn.count(0, fn.load("%entry", ENTRY_TOLD)) as index:
        form = fn.at(fn.load("%entry", ENTRY_VALUES, PTR), fn.mul(index, VALUE_WIDTH))
        value = fn.load("%values", index)
        found = _thing_of(fn, form, value)
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
    about = fn.at(field(fn, MENUS, PTR), fn.mul(fn.load("%m", MENU), MENU_WIDTH))
    number, wide = fn.load(about, MENU_COUNT), field(fn, ENTRY_WIDTH)
    record = fn.variable(fn.load(about, MENU_ENTRIES, PTR), PTR)
    row, before = fn.variable(fn.at(ends, number), PTR), fn.variable("0")
    total = fn.variable("0")
    with fn.count(0, number, short=True) as entry:
        here, end = fn.get(record, PTR), fn.load(ends, entry)
        own = fn.widen(fn.compare("eq", fn.load(here, ENTRY_ACTION), banned))
        with fn.count(fn.get(before), end) as option:
            found = fn.variable(own)
            with _naming(fn, here) as form:
                thing = _thing_of(fn, form, fn.load(fn.get(row, PTR), fn.load(form, V_OFFSET)))
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

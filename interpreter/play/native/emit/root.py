"""The options that a search begins with. Where all its games begin from one state they are found
once: who keeps them has lists of their own, which are in use until the first choice is made."""

from __future__ import annotations

from interpreter.play.native.emit import job
from interpreter.play.native.emit.tallies import count_offers, look_up
from interpreter.play.native.emit.text import I64, PTR, VOID, Fn
from interpreter.play.native.emit.told import record_of
from interpreter.program.layout import MENU

_LISTS = job.ROW_ENTRIES + 1 - job.KEYS


def emit_root() -> list[str]:
    return [_offered_again(), _keep_root()]


def is_kept(fn: Fn, length: str, sealed: str) -> str:
    """Whether the options here are those that are found once; those of sealed bodies are not."""
    first = fn.compare("eq", length, 0)
    keeps = fn.compare("ne", job.field(fn, job.KEEPS_ROOT, I64), 0)
    opened = fn.op(f"xor i1 {sealed}, true")
    return fn.op(f"and i1 {fn.op(f'and i1 {first}, {keeps}')}, {opened}")


def use_lists(fn: Fn, lists: int) -> None:
    """Of keys, places, rows and entries."""
    fn.copy(fn.at("%job", job.KEYS), fn.at("%job", lists), _LISTS)


def _offered_again() -> str:
    """`i64 offered_again(job)`: count once more that each of the options could be chosen; how many
    have no tally yet. Where one would have been, another may have been put since."""
    fn = Fn("offered_again", I64, [(PTR, "job")])
    table, mask = job.field(fn, job.TALLIES), job.field(fn, job.TALLY_MASK, I64)

    def place_of(index: str, key: str, places: str) -> str:
        place = fn.variable(fn.load(places, index, PTR), PTR)
        other = fn.compare("ne", fn.load(fn.get(place, PTR), job.TALLY_KEY), key)
        with fn.when(other):
            fn.set(place, look_up(fn, table, mask, key), PTR)
        return fn.get(place, PTR)

    fn.ret(count_offers(fn, job.field(fn, job.ROOT_COUNT, I64), place_of))
    return fn.text()


def _keep_root() -> str:
    """`keep_root(job, m, n)`: the n options that have been gathered are those of all games. Their
    values lie on the arena, where they do not stay."""
    fn = Fn("keep_root", VOID, [(PTR, "job"), (PTR, "m"), (I64, "n")], attributes="noinline")
    rows, entries = job.field(fn, job.ROWS), job.field(fn, job.ROW_ENTRIES)
    here, menu = fn.variable(job.field(fn, job.ROOT_ROOM), PTR), fn.load("%m", MENU)
    with fn.count(0, "%n") as index:
        width = fn.load(record_of(fn, menu, fn.load(entries, index)))
        row = fn.get(here, PTR)
        fn.copy(row, fn.load(rows, index, PTR), width)
        fn.store(rows, index, row, PTR)
        fn.set(here, fn.at(row, width), PTR)
    fn.store("%job", job.ROOT_COUNT, "%n")
    fn.ret()
    return fn.text()

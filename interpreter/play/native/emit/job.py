"""A job of the search: words that say what is to be done, where everything lies, and what came of
it. All its functions are given one; `native/grow.py` writes them."""

from __future__ import annotations

import struct

from interpreter.play.native.emit.text import I64, PTR, Fn

(
    OPTIONS, TAKE, PLAYOUT, CONTEXT, SIZE, PLAYERS, VIEWER, OBSERVERS, STATES, STATE_COUNT, DEALS,
    MENUS, ENTRIES, ENTRY_WIDTH, KINDS, ROW_WIDTH, EXPLORATION, START, GAMES, TALLIES, TALLY_MASK,
    STATE, SAVED, HISTORIES, GAINED, PATH, KEYS, PLACES, ROWS, ROW_ENTRIES, ROW, TOLD, KNOWN,
    STREAM, DEAL_ROOM, FAILED, JUDGED,
    STANDING, WEIGH, POLICY, BLIND, LEARNS, LEARNED, SHARP, SCORE, CUT, TRUST, PRIOR, WIDE,
    SHARED, SCORES, SLOTS, NOTED, SPREADS, LEADS, WEIGHTS, SAID, FIRST, HASTE, BEGUN,
    LEFT, ANEW, RUN, JUDGE, JUDGE_WORDS, FIRST_OPTIONS, LAY_OVER, SEALS, PLAYOUT_ON,
    ROOT_KEYS, ROOT_PLACES, ROOT_ROWS, ROOT_ENTRIES, ROOT_ROOM, ROOT_COUNT, KEEPS_ROOT,
    NODE_KEYS, NODE_PLACES, NODE_ROWS, NODE_ENTRIES, EVENLY, ENDS_EVENLY, DOUBT, CARELESS,
    CARELESS_NOW, UNCOUNTED, JOB_SIZE,
) = range(87)  # fmt: skip
SLOT_VISITS, SLOT_TOTAL, SLOT_SIZE = range(3)  # what is learned of a kind of choices
SPREAD_GAMES, SPREAD_TOTAL, SPREAD_APART, SPREAD_SIZE = range(4)
RUN_SEAT, RUN_DRAWN, RUN_LENGTH, RUN_MADE = range(4)  # then the choices; twice, for a second try
TALLY_KEY, VISITS, AVAILABLE, TOTAL, TALLY_SIZE = range(5)
# A kind: where its cells begin, then tables of its pieces and of its places.
(
    KIND_WHERE, KIND_POSITION, KIND_KNOWN, KIND_HIDDEN_FIELDS, KIND_ROWS, KIND_VIEWERS,
    KIND_MARKS, KIND_MARK_COUNT, KIND_SIZE,
) = range(9)  # fmt: skip


def as_float(value: float) -> str:
    return f"0x{struct.unpack('>Q', struct.pack('>d', value))[0]:016X}"


def lay_over(fn: Fn, state: str, other: str) -> None:
    """A state takes the place of another."""
    fn.op(f"call i64 {field(fn, LAY_OVER)}({PTR} {state}, {PTR} {other})")


def field(fn: Fn, name: int, type_: str = PTR) -> str:
    return fn.load("%job", name, type_)


def is_careless(fn: Fn, seat: str) -> str:
    """Whether a seat chooses anything in this game."""
    here = fn.op(f"lshr i64 {field(fn, CARELESS_NOW, I64)}, {seat}")
    return fn.compare("ne", fn.both(here, 1), 0)

"""A job of gathering: words that say where a game's functions and tables lie, and what is known of
the game that is being played. `native/gather.py` writes them."""

from __future__ import annotations

from interpreter.play.native.emit.text import I64, Fn

(
    CONTEXT, PLAYOUTS, STANDING, STATE, SIZE, PLAYERS, SEEDS, STREAMS, GAMES, WIDTH, RESULT, MENUS,
    ENTRIES, ENTRY_WIDTH, OUTER, FRAMES, LOOPS, LOOP_COUNT, PASSES, LEADERS, SCORES, NOW, NOTES,
    TOUCHED, USES, RACE, WEIGHTS, POSITIONS, POSITION_MASK, HAS_LEADS, JUDGED, ASIDE, FIRST,
    MANNER, BANNED, FLAGS,
    # What changes from game to game, cleared before each:
    GAME, LOOP, PLACE, VALUE, TURNS_HAD, WAS_DECIDED, WAS_SEALED, OPENED, ALONE, LEADER_COUNT,
    SCORE_COUNT, TOUCHED_COUNT, WATCHING, PLAIN, CHOICE, RESTRAINED, JOB_SIZE,
) = range(53)  # fmt: skip
# An entry of a menu: how many values it has, its action, how many values name a thing, where these
# stand, and then all values: up to which number there is a thing, and a table of them.
ENTRY_CELLS, ENTRY_ACTION, ENTRY_NAMES, ENTRY_NAMING, ENTRY_VALUES = range(5)
V_SIZE, V_THINGS, V_HIDDEN, V_OFFSET, VALUE_WIDTH = range(5)
LOOP_FORM, LOOP_CELL, LOOP_WIDTH = range(3)
# What is noted of a thing in one game, and the last choice it was noted at.
N_OFFERED, N_TAKEN, N_TIMES, N_TAKEN_TIMES, N_SEEN, N_SEEN_TAKEN, NOTE_WIDTH = range(7)


def field(fn: Fn, name: int, type_: str = I64) -> str:
    return fn.load("%job", name, type_)


def put(fn: Fn, name: int, value: str | int) -> None:
    fn.store("%job", name, value)


def increase(fn: Fn, base: str, index: str | int, by: str | int) -> None:
    fn.store(base, index, fn.add(fn.load(base, index), by))

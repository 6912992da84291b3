"""A job of gathering: words that say where a game's functions and tables lie, and what is known of
the game that is being played. `native/gather.py` writes them."""

from __future__ import annotations

from interpreter import limits
from interpreter.play.native.emit.text import I64, Fn

(
    CONTEXT, PLAYOUTS, STANDING, STATE, SIZE, PLAYERS, SEEDS, STREAMS, GAMES, WIDTH, RESULT, MENUS,
    ENTRY_WIDTH, OUTER, FRAMES, LOOPS, LOOP_COUNT, PASSES, LEADERS, SCORES, NOW, NOTES,
    NOTE_WIDTH, USES, RACE, WEIGHTS, POSITIONS, POSITION_MASK, HAS_LEADS, JUDGED, ASIDE, FIRST,
    MANNER, BANNED, FLAGS, TOGETHER, HAS_SEALED,
    # What changes from game to game, cleared before each:
    GAME, LOOP, PLACE, VALUE, TURNS_HAD, WAS_DECIDED, WAS_SEALED, OPENED, ALONE, LEADER_COUNT,
    SCORE_COUNT, WATCHING, PLAIN, CHOICE, RESTRAINED, JOB_SIZE,
) = range(53)  # fmt: skip
# A menu: where its entries stand, and how many there are. An entry: how many cells an option takes,
# its action, how many values are told of an option and where, how many of them name a thing, and
# then these, since they are what is gone through at every choice. (Cells that are no values of the
# action are not told.) A value: up to which number there is a thing, a table of them, which ends
# with NOTHING for all other numbers, and where it stands in an option.
MENU_ENTRIES, MENU_COUNT, MENU_WIDTH = range(3)
ENTRY_CELLS, ENTRY_ACTION, ENTRY_TOLD, ENTRY_VALUES, ENTRY_NAMES, ENTRY_NAMING = range(6)
V_SIZE, V_THINGS, V_HIDDEN, V_OFFSET, VALUE_WIDTH = range(5)
LOOP_FORM, LOOP_CELL, LOOP_WIDTH = range(3)
# What is noted in one game is one cell for each seat and thing, with one before for NOTHING, and
# some behind so that GROUP of them can be taken together. From below: at how many choices it was
# offered; at how many it was taken; whether it was at the last of them; the number of this last
# choice. No game has so many choices that one runs into the other.
TIMES_BITS = 16
OFFERED_ONCE, TAKEN_ONCE, TAKEN_NOW, CHOICE_BITS = 1, 1 << TIMES_BITS, 1 << 2 * TIMES_BITS, 33
TIMES = (1 << TIMES_BITS) - 1
GROUP = 4
assert limits.MOVES_PER_GAME < TIMES


def field(fn: Fn, name: int, type_: str = I64) -> str:
    return fn.load("%job", name, type_)


def put(fn: Fn, name: int, value: str | int) -> None:
    fn.store("%job", name, value)


def increase(fn: Fn, base: str, index: str | int, by: str | int) -> None:
    fn.store(base, index, fn.add(fn.load(base, index), by))

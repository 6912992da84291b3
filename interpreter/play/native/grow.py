"""Growing the trees of a search in native code: the tables it is given, and what it found."""

from __future__ import annotations

import ctypes
import mmap
import struct
from array import array
from typing import Any

from interpreter import limits
from interpreter.play import chance, dealing, guided
from interpreter.play.native import build
from interpreter.play.native.emit import context, job
from interpreter.play.native.emit.dealing import deal_of, room_of
from interpreter.play.native.engine import Engine
from interpreter.play.told import how_told, mark_addresses
from interpreter.play.uct import (
    DEEPEST,
    Budget,
    Grown,
    Tally,
    Task,
    counted,
    observers,
    tree_key,
)  # fmt: skip
from interpreter.program.layout import KindLayout
from interpreter.program.once import once_for_each_program
from interpreter.program.program import Program

_WORD, _POINTER = ctypes.c_int64, ctypes.c_void_p
_LEAST_ROOM = 1024  # tallies


def grow(
    engine: Engine,
    task: Task,
    keys: list[int],
    trees: int,
    threads: int,
    budget: Budget = counted,
) -> list[Grown]:
    """What comes of each tree: the tallies of these keys."""
    code = build.build_search()
    for state in task.states:  # what is no state is refused: native code would write anywhere
        engine.options(state, task.seat)
    tables = _Tables(engine.program, task)
    found = [Grown() for _ in range(trees)]

    def one(number: int) -> None:
        tree = _Job(engine, code, tables, task, number)
        for games in budget(task.games):
            tree.grow(games)
        found[number] = tree.result(keys)

    engine.spread(one, range(trees), threads)
    return found


class _Words:
    """Numbers that native code reads; some of them are addresses of others."""

    def __init__(self, values: list[int]) -> None:
        try:
            self.cells = array("q", values or [0])
        except OverflowError:  # hashes come as numbers without a sign
            self.cells = array("q", map(chance.signed, values))
        self.address = self.cells.buffer_info()[0]


_WEIGHTS = _Words(list(guided.WEIGHTS))
# What is taken in a state has been looked for in it just before, so only that needs to look a state
# over: each that was dealt anew, and one that was given just once, before the search.
_FUNCTIONS = {
    job.OPTIONS: "options", job.TAKE: "take_here", job.PLAYOUT: "playout_here",
    job.STANDING: "scores_now",
}  # fmt: skip


def _bits(value: float) -> int:
    """How a real number is kept in a cell."""
    found: int = struct.unpack("<q", struct.pack("<d", value))[0]
    return found


class _OfGame:
    """What the code of the search must know of a game."""

    def __init__(self, program: Program) -> None:
        widest = max((context.menu_width(menu) for menu in program.menus), default=0)
        self.entry_width = 1 + 2 * widest
        self.row_width = max(widest, program.layout.sealed_width)
        menus: list[int] = []
        entries: list[int] = []
        for number, menu in enumerate(program.menus):
            menus += [len(entries) // self.entry_width, len(menu.entries)]
            for entry in range(len(menu.entries)):
                pairs = how_told(program, number, entry)
                record = [len(pairs), *(part for pair in pairs for part in pair)]
                entries += record + [0] * (self.entry_width - len(record))
        self.menus, self.entries = _Words(menus), _Words(entries)
        self.parts: list[_Words] = []  # kept for as long as they are pointed at
        kinds: list[int] = []
        for number, kind in enumerate(program.layout.kinds):
            kinds += self._kind(program, number, kind)
        self.kinds = _Words(kinds)

    def _kind(self, program: Program, number: int, kind: KindLayout) -> list[int]:
        marks = mark_addresses(program, number)
        tables = [_Words(list(each)) for each in (kind.row_of, kind.instance_viewers, marks)]
        self.parts += tables
        rows, viewers, addresses = (each.address for each in tables)
        head = [kind.where, kind.position, kind.known, int(kind.hidden_fields)]
        return [*head, rows, viewers, addresses, len(marks)]


_of_game = once_for_each_program(_OfGame)


class _Tables:
    """The same with the states that are begun from. All trees share it."""

    def __init__(self, program: Program, task: Task) -> None:
        self.of_game = _of_game(program)
        self.states = _Words([value for state in task.states for value in state])
        self.deals: _Words | None = None
        self.deal_room = 1
        if task.plan is not None:
            self._deal(program, task.plan)

    def _deal(self, program: Program, plan: dealing.Plan) -> None:
        found: list[int] = []
        for deal in plan.deals:
            found += deal_of(program, plan.view, deal)
            self.deal_room = max(self.deal_room, room_of(program, deal))
        found += [part for secret in plan.secrets for part in secret]
        for cell, could_be in plan.notes:
            found += [cell, len(could_be), *could_be]
        self.deals = _Words([len(plan.deals), len(plan.secrets), len(plan.notes), *found])


class _Job:
    """The work on one tree: its words, and memory of its own."""

    def __init__(self, engine: Engine, code: Any, tables: _Tables, task: Task, number: int) -> None:
        program, of = engine.program, tables.of_game
        self._grow = ctypes.CFUNCTYPE(_WORD, _POINTER)(code.get_function_address("grow"))
        move = ctypes.CFUNCTYPE(_WORD, _POINTER, _POINTER, _WORD)
        self._move = move(code.get_function_address("move"))
        words = self.words = _Words([0] * job.JOB_SIZE)
        cells = words.cells
        self.address = words.address
        self.memory: list[array[int]] = []
        for place, name in _FUNCTIONS.items():
            cells[place] = engine.address(name)
        if tables.deals is None and engine.are_sound(tables.states.cells):
            cells[job.OPTIONS] = engine.address("options_here")
        cells[job.CONTEXT] = engine.context.address
        cells[job.SIZE], cells[job.PLAYERS] = engine.size, program.players
        cells[job.VIEWER], cells[job.OBSERVERS] = task.seat, observers(program)
        cells[job.STATES], cells[job.STATE_COUNT] = tables.states.address, len(task.states)
        cells[job.DEALS] = tables.deals.address if tables.deals else 0
        cells[job.MENUS], cells[job.ENTRIES] = of.menus.address, of.entries.address
        cells[job.ENTRY_WIDTH], cells[job.ROW_WIDTH] = of.entry_width, of.row_width
        cells[job.KINDS] = of.kinds.address
        cells[job.JUDGED] = int(program.winners >= 0)
        self._settle(program, task)
        cells[job.START] = chance.signed(tree_key(task, number))
        self.tallies, self.mask = self._room(_LEAST_ROOM)
        options = limits.OPTIONS + 1
        for place, size in {
            job.STATE: engine.size, job.SAVED: engine.size, job.HISTORIES: program.players,
            job.GAINED: program.players, job.PATH: 1 + 2 * DEEPEST, job.KEYS: options,
            job.PLACES: options, job.ROWS: options, job.ROW_ENTRIES: options,
            job.ROW: 1 + of.row_width, job.TOLD: 1 + of.row_width,
            job.KNOWN: 1 + of.row_width, job.STREAM: 2, job.DEAL_ROOM: tables.deal_room,
            job.SAID: options, job.NOTED: 1 + 2 * guided.NOTED, job.LEADS: program.players,
            job.SPREADS: job.SPREAD_SIZE * program.players,
            job.RUN: 2 * (job.RUN_MADE + guided.RUN),
            job.SLOTS: job.SLOT_SIZE * (guided.SLOTS if task.settings.learns else 1),
        }.items():  # fmt: skip
            memory = array("q", bytes(8)) * size
            self.memory.append(memory)
            cells[place] = memory.buffer_info()[0]

    def _settle(self, program: Program, task: Task) -> None:
        """What the settings say, and the policy."""
        cells, settings = self.words.cells, task.settings
        cells[job.EXPLORATION], cells[job.PRIOR] = (
            _bits(settings.exploration),
            _bits(settings.prior),
        )
        cells[job.BLIND], cells[job.WIDE] = int(settings.blind), int(settings.wide)
        cells[job.LEARNS], cells[job.LEARNED] = int(settings.learns), settings.learned
        cells[job.SHARP], cells[job.TRUST] = settings.sharp, settings.trust
        cells[job.SCORE], cells[job.CUT] = settings.score, settings.cut
        cells[job.HASTE], cells[job.ANEW] = settings.haste, settings.anew
        cells[job.SHARED] = int(guided.is_shared(program))
        cells[job.SCORES] = program.layout.scores
        cells[job.WEIGHTS] = _WEIGHTS.address
        if task.policy is not None:
            cells[job.WEIGH], cells[job.POLICY] = task.policy.native()
        if task.judge is not None:
            cells[job.JUDGE], cells[job.JUDGE_WORDS] = task.judge.native()

    def _room(self, tallies: int) -> tuple[Any, int]:
        """An empty table. Pages that are never touched cost nothing."""
        found = (_WORD * (job.TALLY_SIZE * tallies)).from_buffer(
            mmap.mmap(-1, 8 * job.TALLY_SIZE * tallies)
        )
        cells = self.words.cells
        cells[job.TALLIES], cells[job.TALLY_MASK] = ctypes.addressof(found), tallies - 1
        return found, tallies - 1

    def grow(self, games: int) -> None:
        """Play on until there have been so many games; each makes one tally at most."""
        room = 1 << (2 * games).bit_length()
        if room > self.mask + 1:
            old, count = self.tallies, self.mask + 1
            self.tallies, self.mask = self._room(room)
            if self.words.cells[job.GAMES]:
                self._move(self.address, ctypes.addressof(old), count)
        self.words.cells[job.FIRST] = self.words.cells[job.GAMES]
        self.words.cells[job.GAMES] = games
        self._grow(self.address)

    def result(self, keys: list[int]) -> Grown:
        found = Grown(failed=self.words.cells[job.FAILED])
        for key in keys:
            tally = self._tally(key)
            if tally is not None:
                found.tallies[key] = tally
        return found

    def _tally(self, key: int) -> Tally | None:
        slot, wanted = key & self.mask, chance.signed(key)
        while True:
            start = slot * job.TALLY_SIZE
            row = self.tallies[start : start + job.TALLY_SIZE]
            if row[job.TALLY_KEY] == 0:
                return None
            if row[job.TALLY_KEY] == wanted:
                return Tally(row[job.VISITS], row[job.AVAILABLE], row[job.TOTAL])
            slot = slot + 1 & self.mask

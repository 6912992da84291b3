"""Growing the trees of a search in native code: the tables it is given, and what it found."""

from __future__ import annotations

import ctypes
import mmap
import struct
from array import array

from interpreter import limits
from interpreter.play import chance, dealing
from interpreter.play.native import build
from interpreter.play.native.emit import context, uct
from interpreter.play.native.emit.dealing import deal_of, room_of
from interpreter.play.native.engine import Engine
from interpreter.play.uct import (
    DEEPEST,
    Grown,
    Tally,
    Task,
    how_told,
    mark_addresses,
    observers,
    tree_key,
)  # fmt: skip
from interpreter.program.layout import KindLayout
from interpreter.program.program import Program

_LEAST_ROOM = 1024  # tallies


def grow(engine: Engine, task: Task, keys: list[int], trees: int, threads: int) -> list[Grown]:
    """What comes of each tree: the tallies of these keys."""
    code = build.build_search()
    call = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p)(code.get_function_address("grow"))
    for state in task.states:  # what is no state is refused: native code would write anywhere
        engine.options(state, task.seat)
    tables = _Tables(engine.program, task)
    found = [Grown() for _ in range(trees)]

    def one(number: int) -> None:
        job = _Job(engine, tables, task, number)
        call(job.address)
        found[number] = job.result(keys)

    engine.spread(one, range(trees), threads)
    return found


class _Words:
    """Numbers that native code reads; some of them are addresses of others."""

    def __init__(self, values: list[int]) -> None:
        self.cells = array("q", map(chance.signed, values or [0]))
        self.address = self.cells.buffer_info()[0]


class _Tables:
    """What the code of the search must know of a game, and of the states it begins from. All
    trees share it."""

    def __init__(self, program: Program, task: Task) -> None:
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
        self.states = _Words([value for state in task.states for value in state])
        self.deals: _Words | None = None
        self.deal_room = 1
        if task.plan is not None:
            self._deal(program, task.plan)

    def _kind(self, program: Program, number: int, kind: KindLayout) -> list[int]:
        marks = mark_addresses(program, number)
        tables = [_Words(list(each)) for each in (kind.row_of, kind.instance_viewers, marks)]
        self.parts += tables
        rows, viewers, addresses = (each.address for each in tables)
        head = [kind.where, kind.position, kind.known, int(kind.hidden_fields)]
        return [*head, rows, viewers, addresses, len(marks)]

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

    def __init__(self, engine: Engine, tables: _Tables, task: Task, number: int) -> None:
        program = engine.program
        room = max(_LEAST_ROOM, 1 << (2 * task.games).bit_length())
        # Pages that are never touched cost nothing.
        self.tallies = (ctypes.c_int64 * (uct.TALLY_SIZE * room)).from_buffer(
            mmap.mmap(-1, 8 * uct.TALLY_SIZE * room)
        )
        self.mask = room - 1
        words = self.words = _Words([0] * uct.JOB_SIZE)
        cells = words.cells
        self.address = words.address
        self.memory: list[array[int]] = []
        for place, name in ((uct.OPTIONS, "options"), (uct.TAKE, "take"), (uct.PLAYOUT, "playout")):
            cells[place] = engine.address(name)
        cells[uct.CONTEXT] = engine.context.address
        cells[uct.SIZE], cells[uct.PLAYERS] = engine.size, program.players
        cells[uct.VIEWER], cells[uct.OBSERVERS] = task.seat, observers(program)
        cells[uct.STATES], cells[uct.STATE_COUNT] = tables.states.address, len(task.states)
        cells[uct.DEALS] = tables.deals.address if tables.deals else 0
        cells[uct.MENUS], cells[uct.ENTRIES] = tables.menus.address, tables.entries.address
        cells[uct.ENTRY_WIDTH], cells[uct.ROW_WIDTH] = tables.entry_width, tables.row_width
        cells[uct.KINDS] = tables.kinds.address
        cells[uct.JUDGED] = int(program.winners >= 0)
        cells[uct.EXPLORATION] = struct.unpack("<q", struct.pack("<d", task.exploration))[0]
        cells[uct.START] = chance.signed(tree_key(task, number))
        cells[uct.GAMES] = task.games
        cells[uct.TALLIES], cells[uct.TALLY_MASK] = ctypes.addressof(self.tallies), self.mask
        options = limits.OPTIONS + 1
        for place, size in {
            uct.STATE: engine.size, uct.SAVED: engine.size, uct.HISTORIES: program.players,
            uct.GAINED: program.players, uct.PATH: 1 + 2 * DEEPEST, uct.KEYS: options,
            uct.PLACES: options, uct.ROWS: options, uct.ROW_ENTRIES: options,
            uct.ROW: 1 + tables.row_width, uct.TOLD: 1 + tables.row_width,
            uct.KNOWN: 1 + tables.row_width, uct.STREAM: 2, uct.DEAL_ROOM: tables.deal_room,
        }.items():  # fmt: skip
            memory = array("q", bytes(8)) * size
            self.memory.append(memory)
            cells[place] = memory.buffer_info()[0]

    def result(self, keys: list[int]) -> Grown:
        found = Grown(failed=self.words.cells[uct.FAILED])
        for key in keys:
            tally = self._tally(key)
            if tally is not None:
                found.tallies[key] = tally
        return found

    def _tally(self, key: int) -> Tally | None:
        slot, wanted = key & self.mask, chance.signed(key)
        while True:
            start = slot * uct.TALLY_SIZE
            row = self.tallies[start : start + uct.TALLY_SIZE]
            if row[uct.TALLY_KEY] == 0:
                return None
            if row[uct.TALLY_KEY] == wanted:
                return Tally(row[uct.VISITS], row[uct.AVAILABLE], row[uct.TOTAL])
            slot = slot + 1 & self.mask

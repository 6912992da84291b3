"""Growing the trees of a search in native code: the tables it is given, and what it found."""

from __future__ import annotations

import ctypes
import struct
from array import array
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from itertools import chain
from typing import Any

from interpreter import limits
from interpreter.play import chance, dealing, guided
from interpreter.play.buffer import Choice
from interpreter.play.native import build
from interpreter.play.native.emit import context, job
from interpreter.play.native.emit.dealing import deal_of, room_of
from interpreter.play.native.engine import Engine
from interpreter.play.native.pages import empty_pages
from interpreter.play.told import how_told, mark_addresses
from interpreter.play.uct import (
    DEEPEST,
    Budget,
    Counts,
    Root,
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
_MOST_ROOM = 1 << 15  # that are kept for the next search: a megabyte


def grow(
    engine: Engine,
    task: Task,
    root: Root,
    trees: int,
    threads: int,
    budget: Budget = counted,
) -> list[Counts]:
    """What each tree says of the choices."""
    code, tables = _code(), _Tables(engine.program, task)
    _refuse_unsound(engine, tables, task)
    found: dict[int, Counts] = {}

    def one(number: int) -> None:
        room = engine.spare.pop() if engine.spare else _Room(engine, tables.of_game)
        tree = _Job(engine, code, tables, task, number, room)
        for games in budget(task.games):
            tree.grow(games)
        found[number] = tree.counts(root)
        engine.spare.append(room)

    engine.spread(one, range(trees), threads)
    return [found[number] for number in range(trees)]


@dataclass(frozen=True, slots=True)
class _Code:
    """The functions of the search, which are the same for all games."""

    grow: Any
    move: Any
    counts: Any


@cache
def _code() -> _Code:
    address = build.build_search().get_function_address
    return _Code(
        ctypes.CFUNCTYPE(_WORD, _POINTER)(address("grow")),
        ctypes.CFUNCTYPE(_WORD, _POINTER, _POINTER, _WORD)(address("move")),
        ctypes.CFUNCTYPE(_WORD, _POINTER, _POINTER, _WORD, _POINTER, _WORD, _WORD, _POINTER)(
            address("counts")
        ),
    )


def _refuse_unsound(engine: Engine, tables: _Tables, task: Task) -> None:
    """What is no state is refused: native code would write anywhere."""
    size = engine.size
    if any(len(state) != size for state in task.states):
        raise ValueError("this is no state of this game")
    for number, count in enumerate(engine.count_options(tables.states.cells)):
        if count < 0:  # or its rules break down here: that is found out again, and raised
            engine.options(task.states[number], task.seat)


class _Words:
    """Numbers that native code reads; some of them are addresses of others."""

    def __init__(self, values: list[int]) -> None:
        try:
            self.cells = array("q", values or [0])
        except OverflowError:  # hashes come as numbers without a sign
            self.cells = array("q", map(chance.signed, values))
        self.address = self.cells.buffer_info()[0]


_WEIGHTS = _Words(list(guided.WEIGHTS))
# A state that was dealt anew is looked over when it is first asked for its options. Those that are
# given have been looked over before the search, and what native code makes of them is sound.
_FUNCTIONS = {
    job.OPTIONS: "options_here", job.FIRST_OPTIONS: "options_here", job.TAKE: "take_here",
    job.PLAYOUT: "playout_here", job.PLAYOUT_ON: "playout_on", job.STANDING: "scores_now",
    job.LAY_OVER: "lay_over",
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
        self.words = {
            job.SIZE: program.layout.size, job.PLAYERS: program.players,
            job.OBSERVERS: observers(program), job.MENUS: self.menus.address,
            job.ENTRIES: self.entries.address, job.ENTRY_WIDTH: self.entry_width,
            job.ROW_WIDTH: self.row_width, job.KINDS: self.kinds.address,
            job.JUDGED: int(program.winners >= 0), job.SEALS: int(context.has_sealed(program)),
            job.SHARED: int(guided.is_shared(program)), job.SCORES: program.layout.scores,
            job.WEIGHTS: _WEIGHTS.address,
        }  # fmt: skip

    def _kind(self, program: Program, number: int, kind: KindLayout) -> list[int]:
        marks = mark_addresses(program, number)
        tables = [_Words(list(each)) for each in (kind.row_of, kind.instance_viewers, marks)]
        self.parts += tables
        rows, viewers, addresses = (each.address for each in tables)
        head = [kind.where, kind.position, kind.known, int(kind.hidden_fields)]
        return [*head, rows, viewers, addresses, len(marks)]


_of_game = once_for_each_program(_OfGame)


@once_for_each_program
def _settled(program: Program, settings: guided.Settings) -> dict[int, int]:
    """What the settings say."""
    return {
        job.EXPLORATION: _bits(settings.exploration), job.PRIOR: _bits(settings.prior),
        job.BLIND: int(settings.blind), job.WIDE: int(settings.wide),
        job.LEARNS: int(settings.learns), job.LEARNED: settings.learned,
        job.SHARP: settings.sharp, job.TRUST: settings.trust, job.SCORE: settings.score,
        job.CUT: settings.cut, job.HASTE: settings.haste, job.ANEW: settings.anew,
        job.EVENLY: settings.evenly, job.DOUBT: settings.doubt,
    }  # fmt: skip


class _Tables:
    """The same with the states that are begun from. All trees share it."""

    def __init__(self, program: Program, task: Task) -> None:
        self.of_game = _of_game(program)
        self.states = _Words(list(chain.from_iterable(task.states)))
        self.careless = _Words(list(task.careless)) if any(task.careless) else None
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


class _Room:
    """Memory for the work on a tree. What another has left there does not matter, so a game keeps
    it for the next: to ask for it anew takes as long as hundreds of short games."""

    def __init__(self, engine: Engine, of_game: _OfGame) -> None:
        players, options = engine.program.players, limits.OPTIONS + 1
        width = 1 + of_game.row_width
        self.memory: list[array[int]] = []
        cells = self.words = array("q", bytes(8 * job.JOB_SIZE))  # what all jobs begin with
        for place, size in {
            job.STATE: engine.size, job.SAVED: engine.size, job.HISTORIES: players,
            job.GAINED: players, job.PATH: 1 + 2 * DEEPEST, job.KEYS: options,
            job.PLACES: options, job.ROWS: options, job.ROW_ENTRIES: options, job.ROW: width,
            job.ROOT_KEYS: options, job.ROOT_PLACES: options, job.ROOT_ROWS: options,
            job.ROOT_ENTRIES: options, job.ROOT_ROOM: options * width,
            job.TOLD: width, job.KNOWN: width, job.STREAM: 2, job.SAID: options,
            job.NOTED: 1 + 2 * guided.NOTED, job.LEADS: players,
            job.RUN: 2 * (job.RUN_MADE + guided.RUN), job.UNCOUNTED: job.TALLY_SIZE,
        }.items():  # fmt: skip
            cells[place] = self._new(size)
        cells[job.NODE_KEYS : job.NODE_ENTRIES + 1] = cells[job.KEYS : job.ROW_ENTRIES + 1]
        for place, name in _FUNCTIONS.items():
            cells[place] = engine.address(name)
        for place, content in of_game.words.items():
            cells[place] = content
        self.looking_over = engine.address("options")
        self.tallies = _empty(_LEAST_ROOM)

    def _new(self, size: int) -> int:
        memory = array("q", bytes(8)) * size
        self.memory.append(memory)
        return memory.buffer_info()[0]

    def cleared(self, tallies: int) -> Any:
        """A table for so many, with nothing in it."""
        if len(self.tallies) < job.TALLY_SIZE * tallies:
            if tallies > _MOST_ROOM:
                return _empty(tallies)
            self.tallies = _empty(tallies)
            return self.tallies
        ctypes.memset(self.tallies, 0, 8 * job.TALLY_SIZE * tallies)
        return self.tallies


class _Job:
    """The work on one tree: its words, and what it must not find anything in."""

    def __init__(
        self,
        engine: Engine,
        code: _Code,
        tables: _Tables,
        task: Task,
        number: int,
        room: _Room,
    ) -> None:
        program = engine.program
        self.code, self.room, self.tallies = code, room, room.tallies
        self.mask = -1
        cells = self.cells = room.words[:]
        self.address = cells.buffer_info()[0]
        if tables.deals is not None:
            cells[job.FIRST_OPTIONS] = room.looking_over
        cells[job.CONTEXT] = engine.context.address
        cells[job.VIEWER] = task.seat
        cells[job.STATES], cells[job.STATE_COUNT] = tables.states.address, len(task.states)
        cells[job.DEALS] = tables.deals.address if tables.deals else 0
        one_start = tables.deals is None and len(task.states) == 1
        # Others look at the options of the root where they are enumerated.
        plain = task.settings.blind and not task.settings.wide
        cells[job.KEEPS_ROOT] = int(one_start and plain)
        cells[job.CARELESS] = tables.careless.address if tables.careless else 0
        for place, content in _settled(program, task.settings).items():
            cells[place] = content
        if task.policy is not None:
            cells[job.WEIGH], cells[job.POLICY] = task.policy.native()
        if task.judge is not None:
            cells[job.JUDGE], cells[job.JUDGE_WORDS] = task.judge.native()
        cells[job.START] = chance.signed(tree_key(task, number))
        self.own = [
            array("q", bytes(8)) * size
            for size in (
                tables.deal_room,
                job.SPREAD_SIZE * program.players,
                job.SLOT_SIZE * (guided.SLOTS if task.settings.learns else 1),
            )
        ]
        for place, memory in zip((job.DEAL_ROOM, job.SPREADS, job.SLOTS), self.own, strict=True):
            cells[place] = memory.buffer_info()[0]

    def grow(self, games: int) -> None:
        """Play on until there have been so many games; each makes one tally at most."""
        cells, room = self.cells, max(_LEAST_ROOM, 1 << (2 * games).bit_length())
        if room > self.mask + 1:
            old, count = self.tallies, self.mask + 1
            self.tallies, self.mask = _empty(room) if count else self.room.cleared(room), room - 1
            cells[job.TALLIES], cells[job.TALLY_MASK] = ctypes.addressof(self.tallies), self.mask
            if count:
                self.code.move(self.address, ctypes.addressof(old), count)
        cells[job.FIRST], cells[job.GAMES] = cells[job.GAMES], games
        self.code.grow(self.address)

    def counts(self, root: Root) -> Counts:
        """What has been counted for choices."""
        width = max(map(len, root.choices), default=0)
        rows = array("q", chain.from_iterable(_padded(root.choices, width)))
        seen, number = array("q", root.seen), len(root.choices)
        found = array("q", bytes(16 * number))
        self.code.counts(
            self.address, seen.buffer_info()[0], root.history, rows.buffer_info()[0], number,
            width, found.buffer_info()[0],
        )  # fmt: skip
        return list(zip(found[::2], found[1::2], strict=True))


def _padded(choices: list[Choice], width: int) -> Iterable[Choice]:
    """All as wide as the widest."""
    return (choice + (0,) * (width - len(choice)) for choice in choices)


def _empty(tallies: int) -> Any:
    """An empty table. Pages that are never touched cost nothing."""
    size = job.TALLY_SIZE * tallies
    return (_WORD * size).from_buffer(empty_pages(8 * size))

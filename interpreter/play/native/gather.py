"""Random games with statistics in native code: the tables it is given, and the calls."""

from __future__ import annotations

import ctypes
from array import array
from collections.abc import Sequence

from interpreter import limits
from interpreter.play import chance
from interpreter.play.circling import circling_of
from interpreter.play.gathering import (
    FREE,
    GAME_WIDTH,
    LEADS_KEPT,
    NOTHING,
    OPENING_WIDTH,
    RACE_WIDTH,
    ROUNDS_KEPT,
    SEAT_WIDTH,
    USE_WIDTH,
    Form,
    has_leads,
    things_of,
    weights_of,
)  # fmt: skip
from interpreter.play.native import build
from interpreter.play.native.emit import context
from interpreter.play.native.emit import gather_job as emit
from interpreter.play.native.engine import Engine
from interpreter.play.native.facts import writes
from interpreter.program.once import once_for_each_program
from interpreter.program.program import Program

_WORD, _POINTER = ctypes.c_int64, ctypes.c_void_p
_POSITIONS = 1 << (2 * limits.MOVES_PER_GAME).bit_length()


def gather(
    engine: Engine,
    seeds: array[int],
    first: int = 0,
    held: tuple[int, int] = (FREE, NOTHING),
) -> tuple[array[int], array[int], array[int]]:
    """Games, each from a seed for what chance brings and, behind it, one for what players draw;
    `first` is the number of the first of them; `held` says what the first player never chooses, or
    always, who moves on by a seat from game to game. Their rows with those of their seats, the sums
    of things, and the race."""
    code = build.build_gathering()
    call = ctypes.CFUNCTYPE(_WORD, _POINTER, _WORD)(code.get_function_address("gather"))
    job = _Job(engine, seeds, first, held)
    cells = engine.context.cells
    cells[context.PICK] = code.get_function_address("pick")
    cells[context.PICK_FOR] = job.address
    cells[context.BLIND] = int(_sees_no_change(engine.program))
    try:
        call(job.address, len(seeds) // 2)
    finally:
        cells[context.PICK] = cells[context.PICK_FOR] = cells[context.BLIND] = 0
    return job.games, job.uses, job.race


def _sees_no_change(program: Program) -> bool:
    """Whether sealed bodies may be carried out as they come. What is looked at besides a chooser's
    own options is where the game is in its loops, which bodies leave alone, and the scores."""
    return not (has_leads(program) and writes.sealed_change(program, program.score))


class _Tables:
    """What the code must know of a game."""

    def __init__(self, program: Program) -> None:
        self.parts: list[array[int]] = []  # kept for as long as they are pointed at
        self.forms: dict[Form, int] = {}
        things, loops = things_of(program), circling_of(program)
        names = [len(_naming(forms)) for menu in things.entries for _, forms in menu]
        self.entry_width = emit.ENTRY_NAMING + emit.VALUE_WIDTH * max(names, default=0)
        menus: list[int] = []
        for number, menu in enumerate(things.entries):
            told: list[int] = []
            for entry, (action, forms) in zip(program.menus[number].entries, menu, strict=True):
                told += self._entry(len(entry.cells), action, forms[: len(entry.cells)])
            menus += [self.address(told), len(menu)]
        self.menus = self.address(menus)
        self.outer, self.frames = self.address(loops.outer), self.address(loops.frames)
        self.loop_count = len(loops.loops)
        self.loops = self.address([part for e in loops.loops for part in (e.form, e.cell)])
        weights = [
            chance.number(cell, 0) | 1 if is_kept else 0
            for cell, is_kept in enumerate(weights_of(program))
        ]
        self.weights = self.address(weights)
        self.aside = context.area(program) if context.looks_ahead(program) else 0

    def _entry(self, cells: int, action: int, forms: Sequence[Form]) -> list[int]:
        values = self.address([part for form in forms for part in self._value(form, 0)])
        naming = _naming(forms)
        found = [cells, action, min(len(forms), OPENING_WIDTH - 1), values, len(naming)]
        found += [part for number, form in naming for part in self._value(form, number)]
        return found + [0] * (self.entry_width - len(found))

    def _value(self, form: Form, offset: int) -> list[int]:
        if form not in self.forms:
            named = (form.thing(value) for value in range(form.size))
            self.forms[form] = self.address([*named, NOTHING])
        return [form.size, self.forms[form], int(form.hidden), offset]

    def address(self, values: Sequence[int]) -> int:
        self.parts.append(array("q", map(chance.signed, values or [0])))
        return self.parts[-1].buffer_info()[0]


def _naming(forms: Sequence[Form]) -> list[tuple[int, Form]]:
    """The values that name things, and where each stands."""
    return [(number, form) for number, form in enumerate(forms) if form.size]


_tables = once_for_each_program(_Tables)


class _Job:
    """Words that say what is to be done, and memory for what comes of it."""

    def __init__(
        self,
        engine: Engine,
        seeds: array[int],
        first: int,
        held: tuple[int, int],
    ) -> None:
        program, tables = engine.program, _tables(engine.program)
        things, players = len(things_of(program).things), program.players
        width = GAME_WIDTH + SEAT_WIDTH * players
        cells = emit.GROUP * (things // emit.GROUP + 1)
        self.games, self.uses = _cells(width * (len(seeds) // 2)), _cells(USE_WIDTH * things)
        self.race, self.words = _cells(RACE_WIDTH * ROUNDS_KEPT), _cells(emit.JOB_SIZE)
        self.address = self.words.buffer_info()[0]
        self.memory = [seeds]
        for place, value in {
            emit.CONTEXT: engine.context.address, emit.STATE: engine.context.scratch,
            emit.PLAYOUTS: engine.address("playouts"), emit.STANDING: engine.address("scores_now"),
            emit.SIZE: engine.size, emit.PLAYERS: players, emit.WIDTH: width,
            emit.SEEDS: seeds.buffer_info()[0], emit.GAMES: self.games.buffer_info()[0],
            emit.USES: self.uses.buffer_info()[0], emit.RACE: self.race.buffer_info()[0],
            emit.MENUS: tables.menus, emit.ENTRY_WIDTH: tables.entry_width,
            emit.OUTER: tables.outer, emit.FRAMES: tables.frames, emit.LOOPS: tables.loops,
            emit.LOOP_COUNT: tables.loop_count, emit.WEIGHTS: tables.weights,
            emit.POSITION_MASK: _POSITIONS - 1, emit.HAS_LEADS: int(has_leads(program)),
            emit.JUDGED: int(program.winners >= 0), emit.FIRST: first,
            emit.MANNER: held[0], emit.BANNED: held[1],
            emit.ASIDE: tables.aside, emit.NOTE_WIDTH: cells,
            emit.HAS_SEALED: int(context.has_sealed(program)),
        }.items():  # fmt: skip
            self.words[place] = value
        for place, size in {
            emit.STREAMS: 4 * players, emit.RESULT: engine.result_width,
            emit.PASSES: tables.loop_count + 1, emit.LEADERS: 2 * LEADS_KEPT,
            emit.SCORES: ROUNDS_KEPT * (players + 1), emit.NOW: players,
            emit.NOTES: players * cells, emit.TOGETHER: 3 * emit.GROUP,
            emit.POSITIONS: _POSITIONS, emit.FLAGS: limits.OPTIONS + 1,
        }.items():  # fmt: skip
            self.memory.append(_cells(size))
            self.words[place] = self.memory[-1].buffer_info()[0]


def _cells(number: int) -> array[int]:
    return array("q", (0,)) * number

"""Stepping many games at once in native code: the tables it is given, and the calls."""

from __future__ import annotations

import ctypes
from array import array
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TypeVar

from interpreter import limits
from interpreter.play import chance
from interpreter.play.native import build
from interpreter.play.native.emit import context, seeing, steps
from interpreter.play.native.engine import Engine, check_threads
from interpreter.play.spaces.actions import (
    Digit,
    Verb,
    actions_of,
    copied_rows,
    most_copies,
    rooms_before,
)
from interpreter.play.spaces.columns import Part, columns_of, looks_of
from interpreter.play.spaces.domains import Mark
from interpreter.play.spaces.rewards import Reward
from interpreter.program.program import Program

T = TypeVar("T")
_KEPT = 512  # words for the options of a game; more are worked out again
NOT_OFFERED, NO_GAME = steps.NOT_OFFERED, steps.NO_GAME


@dataclass(frozen=True, slots=True)
class Arrays:
    """The addresses of what games have, one after the other: 64-bit actions, seeds, seats and
    errors, 32-bit rows, bytes for masks and for what is done, and rewards as 32-bit floats."""

    actions: int
    seeds: int
    rows: int
    masks: int
    rewards: int
    done: int
    seats: int
    errors: int


class Stepper:
    """Games that are stepped together. Whoever makes it keeps the arrays for as long."""

    def __init__(
        self, engine: Engine, count: int, arrays: Arrays, reward: Reward, threads: int
    ) -> None:
        check_threads(threads)
        self.engine, self.count = engine, count
        self.states = array("q", bytes(8)) * (engine.size * count)
        self.kept = array("q", [-1]) * (_KEPT * count)
        self.tables = _Tables(engine.program)
        self.parts = [
            range(count * n // threads, count * (n + 1) // threads) for n in range(threads)
        ]
        self.pool = ThreadPoolExecutor(threads) if threads > 1 else None
        self.jobs = [self._job(arrays, reward) for _ in range(threads)]
        code = build.build_steps()
        word, pointer = ctypes.c_int64, ctypes.c_void_p
        self.calls = {
            name: ctypes.CFUNCTYPE(word, pointer, *[word] * more)(code.get_function_address(name))
            for name, more in (("step", 2), ("reset", 2), ("sample", 3))
        }

    def step(self) -> None:
        self._spread("step")

    def reset(self) -> None:
        self._spread("reset")

    def sample(self, seed: int) -> None:
        """Choose an action for each game at random, from those that are offered."""
        self._spread("sample", chance.signed(chance.seed_key(seed)))

    def _spread(self, name: str, *more: int) -> None:
        """Each thread has a part of the games, and a job of its own."""
        call = self.calls[name]

        def act(number: int) -> None:
            job, part = self.jobs[number], self.parts[number]
            # The context is that of the thread it happens to run on.
            job.words.cells[steps.CONTEXT] = self.engine.context.address
            call(job.words.address, part.start, len(part), *more)

        if self.pool is None:
            act(0)
        else:
            list(self.pool.map(act, range(len(self.parts))))

    def _job(self, arrays: Arrays, reward: Reward) -> _Job:
        engine, tables, program = self.engine, self.tables, self.engine.program
        widest = max((context.menu_width(menu) for menu in program.menus), default=0)
        width = max(widest, program.layout.sealed_width)
        rest = max(1, widest)
        given = {
            steps.OPTIONS: engine.address("options_here"),
            steps.TAKE: engine.address("take_here"),
            steps.START: engine.address("start"),
            steps.SIZE: engine.size,
            steps.PLAYERS: program.players,
            steps.COUNT: self.count,
            steps.STATES: self.states.buffer_info()[0],
            steps.CHOSEN: arrays.actions,
            steps.SEEDS: arrays.seeds,
            steps.SEED_STEP: self.count,
            steps.ROWS: arrays.rows,
            steps.ROW_WIDTH: len(columns_of(program).names),
            steps.BLANK: tables.blank.buffer_info()[0],
            steps.MASKS: arrays.masks,
            steps.MASK_WIDTH: actions_of(program).size,
            steps.REWARDS: arrays.rewards,
            steps.DONE: arrays.done,
            steps.SEATS: arrays.seats,
            steps.ERRORS: arrays.errors,
            steps.MENUS: tables.menus,
            steps.VERBS: tables.verbs,
            steps.PARTS: tables.parts,
            steps.PART_COUNT: len(columns_of(program).parts),
            steps.KINDS: tables.kinds,
            steps.BY_SCORE: int(reward == "score"),
            steps.SCORES: program.layout.scores,
            steps.JUDGED: int(program.winners >= 0 and program.players > 1),
            steps.CHOICE_WIDTH: width,
            steps.REST_WIDTH: rest,
            steps.KEPT: self.kept.buffer_info()[0],
            steps.KEPT_WIDTH: _KEPT,
        }
        most = limits.OPTIONS + 1
        many = 1 + most * (width + steps.KEPT_VALUES)
        rooms = {
            steps.ROW: 1 + width, steps.NUMBERS: 2 * most, steps.RESTS: rest * most,
            steps.STREAM: 2, steps.MANY: many,
        }  # fmt: skip
        return _Job(given, rooms)


class _Words:
    """Numbers that native code reads or writes; some of them are addresses of others."""

    def __init__(self, values: list[int]) -> None:
        self.cells = array("q", map(chance.signed, values or [0]))
        self.address = self.cells.buffer_info()[0]


class _Job:
    """The words of one thread, and memory of its own."""

    def __init__(self, given: dict[int, int], rooms: dict[int, int]) -> None:
        self.words = _Words([0] * steps.JOB_SIZE)
        self.memory = {place: _Words([0] * size) for place, size in rooms.items()}
        for place, value in given.items():
            self.words.cells[place] = value
        for place, memory in self.memory.items():
            self.words.cells[place] = memory.address


class _Tables:
    """What is the same for all threads: the tables of `spaces/` as words."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.kept: list[_Words] = []  # for as long as they are pointed at
        self.blank = array("i", columns_of(program).blank)
        kinds = [self._kind(number) for number in range(len(program.layout.kinds))]
        self.kinds = self._words([word for kind in kinds for word in kind])
        self.parts = self._all(columns_of(program).parts, self._part)
        actions = actions_of(program)
        self.verbs = self._all(actions.verbs, self._verb)
        menus: list[int] = []
        for menu, verbs in zip(program.menus, actions.entries, strict=True):
            pairs = [
                word
                for entry, verb in zip(menu.entries, verbs, strict=True)
                for word in (verb, len(entry.cells))
            ]
            menus += [len(menu.entries), self._words(pairs)]
        self.menus = self._words(menus)

    def _words(self, values: list[int]) -> int:
        self.kept.append(_Words(values))
        return self.kept[-1].address

    def _all(self, items: tuple[T, ...], words: Callable[[T], list[int]]) -> int:
        return self._words([word for item in items for word in words(item)])

    def _kind(self, number: int) -> list[int]:
        kind, looks = self.program.layout.kinds[number], looks_of(self.program, number)
        lists = (
            kind.row_of, kind.instance_viewers, looks.sides, looks.backs, kind.instance_address,
            rooms_before(self.program, number), tuple(map(int, copied_rows(self.program, number))),
        )  # fmt: skip
        head = [kind.where, kind.position, kind.known, int(kind.hidden_fields)]
        tables = [self._words(list(each)) for each in lists]
        found = [*head, *tables, most_copies(self.program, number)]
        assert len(found) == seeing.KIND_SIZE
        return found

    def _part(self, part: Part) -> list[int]:
        found = [
            part.word, part.at, part.address, part.step, part.count, part.low, part.high,
            part.owner, part.kind, part.readers, part.stride, self._all(part.below, self._part),
            len(part.below), self._all(part.marks, _mark), len(part.marks),
        ]  # fmt: skip
        assert len(found) == seeing.PART_SIZE
        return found

    def _verb(self, verb: Verb) -> list[int]:
        digits = self._all(verb.digits, self._digit)
        return [verb.first, verb.places, len(verb.digits), digits]

    def _digit(self, digit: Digit) -> list[int]:
        head = [digit.form, digit.kind, digit.low, digit.high, int(digit.size > 0)]
        marks = self._all(digit.marks, _mark)
        return [*head, int(digit.optional), digit.stride, marks, len(digit.marks)]


def _mark(mark: Mark) -> list[int]:
    return [mark.address, mark.step, mark.low, mark.high, mark.size]

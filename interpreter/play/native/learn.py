"""Policies in native code: weighing options, playing by weights, learning them."""

from __future__ import annotations

import ctypes
import struct
from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from interpreter import limits
from interpreter.play import chance, policy
from interpreter.play.buffer import Buffer, Choice
from interpreter.play.native import build
from interpreter.play.native.emit import context, learning
from interpreter.play.native.emit.policy import MOST_CROSSED
from interpreter.play.native.engine import Engine
from interpreter.play.native.pages import empty_pages
from interpreter.program.layout import WINNERS

_LOG = 1 << 23  # numbers kept of one game: what goes beyond is not learned from
_OPTION = 4 + MOST_CROSSED + policy.MOST_KEYS
_MOST = 127  # steps of a weight that is shipped
_OUTLIERS = 100_000  # of so many weights one may be cut: cutting more ruins a policy
FIRST_PULL = 1.0  # so that the first steps are no leaps


@dataclass(slots=True)
class Tally:
    """What came of some games: of one seat, which goes round, and of the others together."""

    games: int = 0
    failed: int = 0
    decisions: int = 0
    score: float = 0.0
    share: float = 0.0  # of wins
    others: float = 0.0  # their mean score

    def add(self, other: Tally) -> None:
        self.games += other.games
        self.failed += other.failed
        self.decisions += other.decisions
        self.score += other.score
        self.share += other.share
        self.others += other.others


class NativePolicy:
    """Weights as they are shipped, for native code. `address` is what a search is given."""

    def __init__(self, words: Sequence[int], weights: bytes) -> None:
        self.weights = ctypes.create_string_buffer(weights, len(weights))
        self.words = array("q", words)
        self.words[policy.WEIGHTS] = ctypes.addressof(self.weights)
        self.address = self.words.buffer_info()[0]
        kinds = [ctypes.c_void_p] * 2 + [ctypes.c_int64] + [ctypes.c_void_p] * 2
        form = ctypes.CFUNCTYPE(None, *kinds, ctypes.c_int64, ctypes.c_void_p)
        self.function: int = build.build_learning().get_function_address("weigh")
        self._weigh = form(self.function)

    def weigh(self, m: Buffer, seat: int, choices: Sequence[Choice]) -> list[int]:
        """As `policy.Policy.weigh`."""
        state = array("q", m)
        rows = [array("q", [*choice[1:], 0]) for choice in choices]
        where = array("q", [row.buffer_info()[0] for row in rows])
        entries = array("q", [choice[0] for choice in choices])
        out = array("q", bytes(8 * len(choices)))
        places = [each.buffer_info()[0] for each in (where, entries, out)]
        self._weigh(
            self.address, state.buffer_info()[0], seat, *places[:2], len(choices), places[2]
        )
        return list(out)


class Weights:
    """A table of weights that are being learned."""

    def __init__(self, bits: int) -> None:
        self.bits = bits
        # What positions are worth lies behind.
        size = (1 << bits) + (1 << bits - learning.VALUE_BITS_LESS)
        self.cells = array("f", [0.0, FIRST_PULL]) * size

    @property
    def address(self) -> int:
        return self.cells.buffer_info()[0]

    def copy(self) -> Weights:
        found = Weights.__new__(Weights)
        found.bits, found.cells = self.bits, self.cells[:]
        return found

    def sharper(self, percent: int) -> Weights:
        """Those by which one chooses as much more sharply, or less so."""
        found, end = self.copy(), 2 << self.bits
        scaled = (each * percent / 100 for each in self.cells[:end:2])
        found.cells[:end:2] = array("f", scaled)
        return found


def quantised(weights: Weights) -> tuple[bytes, int]:
    """Weights as they are shipped: a signed byte each, and what it is worth (`policy.SCALE`). The
    few big ones say more than all the small ones, so what hardly counts beside them is left out."""
    learned = weights.cells[: 2 << weights.bits : 2]
    sizes = sorted(abs(each) for each in learned if each)
    if not sizes:
        return bytes(len(learned)), 1
    unit = max(1e-6, sizes[-1 - len(sizes) // _OUTLIERS] / _MOST)
    found = bytearray(len(learned))
    for place, weight in enumerate(learned):
        if weight:
            found[place] = max(-_MOST, min(_MOST, round(weight / unit))) & 255
    return bytes(found), max(1, round(unit * (1024 << policy.FINER)))


class Learner:
    """Plays games of one program by weights, and learns these. For one thread."""

    def __init__(self, engine: Engine, words: Sequence[int], bits: int) -> None:
        self.engine, program = engine, engine.program
        self.words = array("q", words)
        self.words[policy.SHIFT] = 64 - bits
        code = build.build_learning()
        form = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p)
        self._play = form(code.get_function_address("play"))
        self.job = array("q", bytes(8 * learning.JOB_SIZE))
        self.memory: list[Any] = []
        widest = max((context.menu_width(menu) for menu in program.menus), default=0)
        width = max(widest, program.layout.sealed_width)
        job = self.job
        for place, name in (
            (learning.OPTIONS, "options"), (learning.TAKE, "take"), (learning.BEGIN, "start"),
        ):  # fmt: skip
            job[place] = engine.address(name)
        job[learning.CONTEXT] = engine.context.address
        job[learning.PLAYERS] = program.players
        job[learning.WORDS] = self.words.buffer_info()[0]
        job[learning.SCORES] = program.layout.scores
        job[learning.JUDGED] = int(program.winners >= 0)
        job[learning.ROW_WIDTH] = width
        job[learning.MOST_DECISIONS] = limits.MOVES_PER_GAME
        job[learning.SIZE] = engine.size
        self.state = array("q", bytes(8)) * engine.size
        job[learning.STATE] = self.state.buffer_info()[0]
        self.noted: array[int] | None = None
        options = limits.OPTIONS + 1
        for place, size in {
            learning.ROWS: options, learning.ROW_ENTRIES: options,
            learning.ROW: 1 + width, learning.REWARDS: program.players + 1,
            learning.SUMS: MOST_CROSSED + 1, learning.LAST: MOST_CROSSED + 1,
        }.items():  # fmt: skip
            memory = array("q", bytes(8)) * size
            self.memory.append(memory)
            job[place] = memory.buffer_info()[0]
        size = 8 * (_LOG + policy.MOST_CONTEXTS + 8 + options * _OPTION)
        log = empty_pages(size)  # pages that are never touched cost nothing
        self.memory.append(log)
        job[learning.LOG] = ctypes.addressof(ctypes.c_char.from_buffer(log))
        job[learning.LOG_ROOM] = job[learning.LOG] + 8 * _LOG
        self.set_real(learning.MARGIN, 1.0)
        self.set_real(learning.SPREAD, 1.0)

    def watched(
        self, weights: Weights, number: int, seed: int, every: int, most: int
    ) -> tuple[array[int], int] | None:
        """A game by the weights: some of its positions, one after the other, and who won it; None
        if it could not be played out."""
        job = self.job
        if self.noted is None or len(self.noted) != most * self.engine.size:
            self.noted = array("q", bytes(8)) * (most * self.engine.size)
        job[learning.NOTED] = self.noted.buffer_info()[0]
        job[learning.EVERY], job[learning.NOTED_ROOM] = every, most
        tally = self.play(weights, range(number, number + 1), seed, learning_=False)
        job[learning.NOTED_ROOM] = 0
        if not tally.games:
            return None
        return self.noted[: job[learning.NOTED_COUNT] * self.engine.size], self.state[WINNERS]

    def set_real(self, place: int, value: float) -> None:
        self.job[place] = struct.unpack("<q", struct.pack("<d", value))[0]

    def get_real(self, place: int) -> float:
        found: float = struct.unpack("<d", struct.pack("<q", self.job[place]))[0]
        return found

    def play(
        self,
        weights: Weights,
        games: range,
        seed: int,
        *,
        rivals: Weights | None = None,
        learning_: bool = True,
        sharpness: float = 1.0,
    ) -> Tally:
        """Games by their numbers. With rivals, one seat in turn goes by the weights."""
        job = self.job
        assert {weights.bits, (rivals or weights).bits} == {64 - self.words[policy.SHIFT]}
        job[learning.WEIGHTS] = weights.address
        job[learning.RIVALS] = rivals.address if rivals is not None else 0
        job[learning.LEARNING] = int(learning_)
        job[learning.START] = chance.seed_key(seed)
        job[learning.FIRST], job[learning.GAMES] = games.start, len(games)
        for place in range(learning.PLAYED, learning.JOB_SIZE):
            job[place] = 0
        self.set_real(learning.SHARPNESS, sharpness)
        self._play(job.buffer_info()[0])
        return Tally(
            job[learning.PLAYED], job[learning.FAILED], job[learning.DECIDED],
            *(self.get_real(place) for place in (
                learning.OWN_SCORE, learning.OWN_SHARE, learning.OTHERS_SCORE,
            )),
        )  # fmt: skip

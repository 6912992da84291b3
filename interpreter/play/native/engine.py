"""The native engine for Python: the machine's interface, and loops over many games.

ctypes lets go of Python's lock during a call, so threads run side by side. Each thread works
with a context of its own and on states of its own; nothing is shared but the code.
"""

from __future__ import annotations

import ctypes
import threading
from array import array
from collections.abc import Sequence, Sized
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, TypeAlias

from interpreter.play.chance import signed
from interpreter.play.failure import CODES, Failure
from interpreter.play.guided import WHOLE
from interpreter.play.native import build
from interpreter.play.native.emit import context, loops, tries
from interpreter.play.native.emit import trials as emit_trials
from interpreter.play.native.pages import empty_pages
from interpreter.program.layout import (
    DECISION,
    ERROR,
    ERROR_AT,
    FAILED,
    MENU,
    MOVES,
    OVER,
    SEALED_DONE,
    SEALING,
    SEAT,
    STATUS,
    STEPS,
    TOTAL_STEPS,
    WINNERS,
)  # fmt: skip
from interpreter.program.program import Program

Buffer: TypeAlias = "list[int] | array[int]"
Choice = tuple[int, ...]
_WORD, _POINTER = ctypes.c_int64, ctypes.c_void_p
_CHUNK = 256  # games a thread takes at a time
_BROKEN = "native code met something the lowering rules out: please report this"


@dataclass(frozen=True, slots=True)
class Result:
    """How a game ended. `failure` is the code and the spot (-1: unknown) where the rules broke
    down, or None."""

    winner_bits: int  # a bit for each seat
    moves: int
    steps: int
    scores: tuple[int, ...]
    failure: tuple[str, int] | None

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats, from 0, that have won."""
        bits = self.winner_bits
        return tuple(seat for seat in range(bits.bit_length()) if bits >> seat & 1)

    def __repr__(self) -> str:
        told = f"moves={self.moves}, steps={self.steps}, scores={self.scores}"
        return f"Result(winners={self.winners}, {told}, failure={self.failure})"


class Engine:
    """The code of one program. Safe to use from several threads.

    `size` is how many numbers one state takes. A batch is one `array("q")` with all states one
    after the other: state n is `states[n * size : (n + 1) * size]`."""

    def __init__(
        self, program: Program, *, cached: bool = True, level: int = 2, profiled: bool = False
    ) -> None:
        self.program = program
        self.size = program.layout.size
        self.result_width = loops.RESULT_SCORES + program.players
        widest = 1 + max(map(context.menu_width, program.menus), default=0)
        self._row_width = max(widest, program.layout.sealed_width)
        self._engine = build.build(program, cached=cached, level=level, profiled=profiled)
        self._local = threading.local()
        self.spare: list[Any] = []  # memory that searches have done with
        self._functions: dict[str, Any] = {}
        for name, params in {
            "start": "ppnn", "take": "pppn", "options": "ppn", "take_outcome": "ppn",
            "outcomes": "pp", "go_on": "pp", "playout": "ppn", "playouts": "pppnnpp",
            "count": "ppnp", "pick": "ppnpp", "starts": "ppnpp", "take_option": "ppnn",
            "copy": "ppnn", "total": "pnn", "tries": "ppnnnnpp", "onward": "ppnnp",
            "watched": "",
        }.items():  # fmt: skip
            kinds = [_POINTER if letter == "p" else _WORD for letter in params]
            address = self._engine.get_function_address(name)
            self._functions[name] = ctypes.CFUNCTYPE(_WORD, *kinds)(address)

    # ---- one state, given as a list or an array

    def start(self, seed: int, mode: int = 0) -> list[int]:
        state = self._state([0] * self.size)
        self._call("start", state, signed(seed), mode)
        return list(state)

    def options(self, m: Buffer, seat: int | None = None) -> list[Choice]:
        state = self._state(m)
        count = self._call("options", state, seat or 0)
        if count == 0:
            return []
        number = m[MENU]
        if m[STATUS] == SEALING:
            number = self._cells(self.context.base + 8 * MENU, 1)[0]
        return self._choices(number, count)

    def seen_by_chooser(self, m: list[int], seat: int) -> list[int]:
        """The state a seat's options refer to: while sealed, with its own choices made."""
        if m[STATUS] != SEALING or not self._call("options", self._state(m), seat):
            return m
        found, layout = self._cells(self.context.base, self.size), self.program.layout
        sealed = slice(layout.sealed_choices, layout.sealed_row(self.program.players, 0))
        found[sealed] = m[sealed]  # those that were not made have not been copied
        return found

    def seats_to_act(self, m: Buffer) -> tuple[int, ...]:
        """The seats that may act at a stop; several while choices are sealed."""
        if m[STATUS] == SEALING:
            players = range(self.program.players)
            return tuple(seat for seat in players if not m[SEALED_DONE] >> seat & 1)
        return (m[SEAT],) if m[STATUS] == DECISION else ()

    def _choices(self, number: int, count: int) -> list[Choice]:
        """The options that lie at the top of the arena."""
        menu = self.program.menus[number]
        start = self.context.cells[context.TOP]
        ends = self._cells(start, len(menu.entries))
        found: list[Choice] = []
        row = start + 8 * len(menu.entries)
        before = 0
        for position, (entry, end) in enumerate(zip(menu.entries, ends, strict=True)):
            width = len(entry.cells)
            values = self._cells(row, (end - before) * width)
            for index in range(end - before):
                found.append((position, *values[index * width : (index + 1) * width]))
            row += 8 * width * (end - before)
            before = end
        assert len(found) == count
        return found

    def take(self, m: Buffer, choice: Choice, seat: int | None = None) -> None:
        row = (_WORD * max(len(choice), self._row_width))(*choice)
        state = self._state(m)
        self._call("take", state, ctypes.addressof(row), seat or 0)
        m[:] = state

    def outcomes(self, m: Buffer) -> list[tuple[int, int]]:
        count = self._call("outcomes", self._state(m))
        cells = self._cells(self.context.cells[context.TOP], 2 * count)
        return [(cells[2 * i], cells[2 * i + 1]) for i in range(count)]

    def take_outcome(self, m: Buffer, value: int) -> None:
        state = self._state(m)
        self._call("take_outcome", state, value)
        m[:] = state

    def playout(self, m: Buffer, seed: int) -> None:
        """Random choices up to the end of the game, in place."""
        state = self._state(m[:])
        try:
            self._call("playout", state, signed(seed))
        except (Failure, RuntimeError):  # once more in the plain way: see sealed.py
            self.context.cells[context.PLAIN] = 1
            state = self._state(m)
            try:
                self._call("playout", state, signed(seed))
            finally:
                self.context.cells[context.PLAIN] = 0
        m[:] = state

    def try_options(
        self, m: Buffer, games: int, seed: int = 0, threads: int = 1
    ) -> list[tuple[float, float]]:
        """Flat Monte Carlo at a decision: for each option, the share of wins of whoever
        decides and the mean score, over so many random games. Games that fail count as lost."""
        state = self._state(m)
        count = self._call("options", state, 0) if m[STATUS] == DECISION else 0
        rows = array("q", bytes(8 * tries.TRY_WIDTH * count))
        start, results = state.buffer_info()[0], rows.buffer_info()[0]

        def attempt(option: int) -> None:
            self._functions["tries"](
                start, self.context.address, option, 0, games, signed(seed),
                results + 8 * tries.TRY_WIDTH * option, self.context.scratch,
            )  # fmt: skip

        self.spread(attempt, range(count), threads)
        found = [rows[i * tries.TRY_WIDTH : (i + 1) * tries.TRY_WIDTH] for i in range(count)]
        return [
            (row[tries.TRY_WINS] / WHOLE / games, row[tries.TRY_SCORE] / games) for row in found
        ]

    def play_on(self, m: Buffer, seeds: range) -> int:
        """Random games from a state to the end, one for each seed; how many decisions they took."""
        state = self._state(m)
        return self._call("onward", state, seeds.start, len(seeds), self.context.scratch)

    # ---- many games

    def playouts(
        self, seeds: Sequence[int], threads: int = 1, states: array[int] | None = None
    ) -> array[int]:
        """Whole random games, one for each seed: a row of `result_width` numbers each. The
        last states go to `states` if it is given."""
        check_seeds(seeds)
        count = len(seeds)
        given, start = array("q"), 0
        if isinstance(seeds, range) and seeds.step == 1:
            start = seeds.start
        elif isinstance(seeds, array) and seeds.typecode == "q":
            given = seeds
        else:
            given = array("q", map(signed, seeds))
        # Made at once, and not out of bytes: what is given back twice over is taken from the system
        # again for every batch.
        results = array("q", [0]) * (count * self.result_width)
        seeds_at, results_at = given.buffer_info()[0] if given else 0, results.buffer_info()[0]
        states_at = states.buffer_info()[0] if states is not None else 0
        if states is not None and self._count_states(states) < count:
            raise ValueError("there is no room for all states")

        def play(first: int) -> None:
            scratch = self.context.scratch
            number = min(chunk, count - first)
            self._functions["playouts"](
                self.context.address, scratch, seeds_at and seeds_at + 8 * first,
                signed(start + first), number, results_at + 8 * first * self.result_width,
                states_at and states_at + 8 * first * self.size,
            )  # fmt: skip

        chunk = max(1, count) if threads <= 1 else _CHUNK
        self.spread(play, range(0, count, chunk), threads)
        return results

    def total(self, rows: array[int], column: int) -> int:
        """The sum of a column of results."""
        count = len(rows) // self.result_width
        start = rows.buffer_info()[0] + 8 * column
        found: int = self._functions["total"](start, count, self.result_width)
        return found

    def results(self, rows: array[int]) -> list[Result]:
        found = []
        for start in range(0, len(rows), self.result_width):
            row = rows[start : start + self.result_width]
            failure = _failure(row[loops.RESULT_ERROR], row[loops.RESULT_AT])
            found.append(
                Result(
                    winner_bits=row[loops.RESULT_WINNERS],
                    moves=row[loops.RESULT_MOVES],
                    steps=row[loops.RESULT_STEPS],
                    scores=tuple(row[loops.RESULT_SCORES :]),
                    failure=(failure.code, failure.at) if failure else None,
                )
            )
        return found

    def start_many(self, seeds: Sequence[int], threads: int = 1) -> array[int]:
        """A new game for each seed: all states one after the other."""
        check_seeds(seeds)
        given = array("q", map(signed, seeds))
        states = array("q", [0]) * (self.size * len(given))
        self._over_states("starts", states, given, threads)
        return states

    def seats(self, states: array[int]) -> array[int]:
        """For each state, the seat that decides first. -1 if none does: the game is over, the
        rules broke down, or it has stopped for chance."""
        self._count_states(states)
        columns = (states[cell :: self.size] for cell in (STATUS, SEAT, SEALED_DONE))
        return array("q", (_first_seat(*cells) for cells in zip(*columns, strict=True)))

    def results_of(self, states: array[int]) -> list[Result]:
        """How the game of each state stands. There are winners and scores when it is over;
        before that, nobody has won and the scores are 0."""
        self._count_states(states)
        first = self.program.layout.scores
        cells = [STATUS, WINNERS, MOVES, TOTAL_STEPS, STEPS, ERROR, ERROR_AT]
        cells += range(first, first + self.program.players)
        columns = (states[cell :: self.size] for cell in cells)
        found = []
        for status, bits, moves, total, steps, error, at, *scores in zip(*columns, strict=True):
            over = status == OVER
            failed = status == FAILED and 0 < error <= len(CODES)
            failure = (CODES[error - 1], at) if failed else None
            standing = tuple(scores) if over else (0,) * len(scores)
            found.append(Result(bits if over else 0, moves, total + steps, standing, failure))
        return found

    def count_options(self, states: array[int], threads: int = 1) -> array[int]:
        """For each state, how many options there are for whoever decides first: 0 when the game
        is over, -1 for what is no sound state. At a stop for chance, how many outcomes."""
        counts = array("q", bytes(8 * self._count_states(states)))
        states_at, counts_at = states.buffer_info()[0], counts.buffer_info()[0]

        def count(first: int) -> None:
            self._functions["count"](
                self.context.address, states_at + 8 * self.size * first,
                min(_CHUNK, len(counts) - first), counts_at + 8 * first,
            )  # fmt: skip

        self.spread(count, range(0, len(counts), _CHUNK), threads)
        return counts

    def take_many(self, states: array[int], picks: Sequence[int], threads: int = 1) -> array[int]:
        """In each state, take the option of this number, for whoever decides first; a negative
        number leaves a state as it is. The states are changed where they are.

        Gives 0 for each state where all went well. Where the rules broke down it gives a number
        that `code_of` turns into a code, and the game is at its end, with nobody to decide. What
        is not offered is a ValueError; all other states have been stepped then."""
        given = array("q", picks)
        errors = self._over_states("pick", states, given, threads)
        if max(errors, default=0) > len(CODES):
            self._refuse(states, given, errors)
        return errors

    @staticmethod
    def code_of(error: int) -> str | None:
        """The code of a failure, for `rulerun explain`: 1 is "RR601". None for 0."""
        if not 0 <= error <= len(CODES):
            raise ValueError(f"there is no failure {error}: they are 1 to {len(CODES)}")
        return CODES[error - 1] if error else None

    def _refuse(self, states: array[int], picks: array[int], errors: array[int]) -> None:
        """Tell of the first pick that was none."""
        number = next(n for n, error in enumerate(errors) if error > len(CODES))
        if errors[number] == context.INVALID:
            raise ValueError(f"state {number} is no state of this game")
        state = states[number * self.size : (number + 1) * self.size]
        (count,) = self.count_options(state)
        if picks[number] >= count:
            options = f"{count} option{'' if count == 1 else 's'}" if count > 0 else "no options"
            wrong = f"state {number} has {options}, there is no option {picks[number]}"
            raise ValueError(wrong)
        raise RuntimeError(_BROKEN)

    def are_sound(self, states: array[int]) -> bool:
        """Whether each can be a state of this game."""
        return min(self.count_options(states), default=0) >= 0

    def _count_states(self, states: array[int]) -> int:
        if not isinstance(states, array) or states.typecode != "q":
            raise TypeError('states are one array("q"), as `start_many` gives it')
        count, rest = divmod(len(states), self.size)
        if rest:
            wanted = f"a state of this game takes {self.size:,} numbers"
            raise ValueError(f"{len(states):,} numbers are no whole number of states: {wanted}")
        return count

    def _over_states(
        self, name: str, states: array[int], given: array[int], threads: int
    ) -> array[int]:
        count = self._count_states(states)
        if len(given) != count:
            raise ValueError(f"there are {count:,} states, but {len(given):,} numbers for them")
        errors = array("q", bytes(8 * count))
        places = [each.buffer_info()[0] for each in (states, given, errors)]

        def act(first: int) -> None:
            self._functions[name](
                self.context.address, places[0] + 8 * self.size * first,
                min(_CHUNK, count - first), places[1] + 8 * first, places[2] + 8 * first,
            )  # fmt: skip

        self.spread(act, range(0, count, _CHUNK), threads)
        if any(errors):
            self._end_failed(states, errors)
        return errors

    def _end_failed(self, states: array[int], errors: array[int]) -> None:
        """A failure leaves a state in the middle of things, where nobody may go on from."""
        for number, error in enumerate(errors):
            if 0 < error <= len(CODES):
                start = number * self.size
                for cell, content in ((STATUS, FAILED), (ERROR, error), (ERROR_AT, -1)):
                    states[start + cell] = content

    def copy(self, m: Buffer, number: int) -> array[int]:
        """Copies of a state, into room for a thousand of them."""
        room = min(number, 1000)
        copies = array("q", [0]) * (self.size * room)
        state = self._state(m)
        self._functions["copy"](
            state.buffer_info()[0], copies.buffer_info()[0], number, max(1, room)
        )
        return copies

    @staticmethod
    def spread(act: Any, parts: range, threads: int) -> None:
        check_threads(threads)
        if threads <= 1 or len(parts) <= 1:
            for part in parts:
                act(part)
            return
        with ThreadPoolExecutor(threads) as pool:
            list(pool.map(act, parts))

    # ---- calling

    def address(self, name: str) -> int:
        """Where a function lies, for other native code."""
        found: int = self._engine.get_function_address(name)
        return found

    @property
    def context(self) -> _Context:
        """This thread's own."""
        found: _Context | None = getattr(self._local, "context", None)
        if found is None:
            watched: int = self._functions["watched"]()
            found = self._local.context = _Context(self.program, watched)
        return found

    def _state(self, m: Buffer) -> Any:
        """An array is worked on where it is; a failure leaves it in the middle of things."""
        state = m if isinstance(m, array) and m.typecode == "q" else array("q", m)
        if len(state) != self.size:
            raise ValueError("this is no state of this game")
        return state

    def _cells(self, address: int, count: int) -> list[int]:
        return array("q", ctypes.string_at(address, 8 * count)).tolist()

    def _call(self, name: str, state: Any, *given: int) -> int:
        result: int = self._functions[name](state.buffer_info()[0], self.context.address, *given)
        if result < 0:
            cells = self.context.cells
            failure = _failure(cells[context.ERROR], cells[context.AT])
            assert failure is not None
            raise failure
        return result


class _Context:
    """The cells and the arena of one thread."""

    def __init__(self, program: Program, watched: int) -> None:
        size = 8 * (context.arena(program) + program.layout.size)
        log, kept = 8 * context.log(program), 8 * emit_trials.room(program)
        whole = size + log + kept + 8 * watched
        self.memory = empty_pages(whole)  # pages that are never touched cost nothing
        self.scratch = ctypes.addressof(ctypes.c_char.from_buffer(self.memory))
        self.base = self.scratch + 8 * program.layout.size
        self.cells = (_WORD * context.cells(program))()
        self.cells[context.BASE] = self.cells[context.TOP] = self.base
        self.cells[context.LIMIT] = self.cells[context.LOG_BASE] = self.scratch + size
        self.cells[context.TRIALS] = self.scratch + size + log
        self.cells[context.WATCHED] = self.scratch + size + log + kept
        self.cells[context.LOG_END] = self.scratch + size + log - 16
        self.address = ctypes.addressof(self.cells)


def _failure(number: int, at: int) -> Failure | None:
    if not number:
        return None
    if number == context.INVALID:
        raise ValueError("this is no state of this game")
    if number > len(CODES):
        raise RuntimeError(_BROKEN)
    return Failure(CODES[number - 1], at)


def _first_seat(status: int, seat: int, done: int) -> int:
    if status == SEALING:
        return (~done & (done + 1)).bit_length() - 1  # the lowest bit that is not set
    return seat if status == DECISION else -1


def check_seeds(seeds: object) -> None:
    if not isinstance(seeds, Sized):
        raise TypeError("give the seed of each game, in a range or a list: range(1000)")


def check_threads(threads: int) -> None:
    if threads < 1:
        raise ValueError(f"threads are 1 and more, not {threads}")

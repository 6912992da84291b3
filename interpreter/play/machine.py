"""The reference machine: plain and right. It runs a program over a buffer of integers.

The buffer is all there is to a state: where the game stands, what is pending, the random
stream, sealed choices. `run` goes from one stop to the next; `take` answers a stop.

What a machine answers depends on the buffer it is given and on nothing else, whoever had it before
and whatever was done to it. It keeps two things that save work: code it has translated, and, with a
copy of the state in which a decision was come to, the options that were found there. They are the
answer if the next question is about a state that is equal in every cell.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Literal, assert_never

from interpreter import limits
from interpreter.play import chance, lookahead, sealed
from interpreter.play.buffer import FOUND, HALT, SCRATCH, STOP, Buffer, Choice
from interpreter.play.compile import STEPS, Compiler, Run
from interpreter.play.failure import Failure
from interpreter.play.spending import Spending
from interpreter.play.witness import Event, Witness
from interpreter.program import ops
from interpreter.program.layout import (
    ASK_WHEN_FORCED,
    CHANCE,
    COUNTER,
    DECIDED,
    DECISION,
    KEY,
    LOOK,
    MENU,
    MODE,
    MOVES,
    OVER,
    PC,
    RUNNING,
    SEALED_DONE,
    SEALED_SEAT,
    SEALING,
    SEAT,
    STATUS,
    STOP_AT_CHANCE,
    TOTAL_STEPS,
    WINNERS,
)  # fmt: skip
from interpreter.program.program import Program
from interpreter.program.trials import Spans

__all__ = ["FOUND", "Buffer", "Choice", "Machine"]


class Machine(Witness):
    def __init__(self, program: Program) -> None:
        super().__init__(program)
        self.out: list[tuple[int, ...]] = []
        self.depth = 0
        self.searching = 0
        self.search_nodes = 0
        self.cited: set[int] = set()  # lines of a watched program that took part
        self.spending = Spending()
        self.compiler = Compiler(program, self)
        self.code: list[Callable[[Buffer], int] | None] = [None] * len(program.code)
        self.found: tuple[Buffer, list[Choice]] = ([], [])  # the options in a state, see above
        # Functions nest at most CALL_DEPTH deep, but each level takes several Python frames.
        sys.setrecursionlimit(max(sys.getrecursionlimit(), 20_000))

    # ---- from stop to stop

    def start(self, seed: int, mode: int = 0) -> Buffer:
        m = self.blank(seed, mode)
        self.run(m, self.program.start.position)
        return m

    def blank(self, seed: int, mode: int = 0) -> Buffer:
        """A state before anything has happened."""
        m = [0] * self.program.layout.size
        for address, value in self.program.initial:
            m[address] = value
        m[KEY] = chance.seed_key(seed)
        m[MODE] = mode
        return m

    def begin(self, m: Buffer, routine: int) -> None:
        """Run a routine by itself; when it has come to its end, the status is FOUND."""
        m[self.program.routines[routine].address] = HALT
        self.run(m, self.program.routines[routine].entry.position)

    def run(self, m: Buffer, pc: int) -> None:
        code, depth = self.code, self.depth
        m[STATUS] = RUNNING
        try:
            while pc >= 0:
                m[STEPS] += limits.STEPS_AN_INSTRUCTION
                if m[STEPS] > limits.STEPS_PER_MOVE:
                    raise Failure("RR608", -1)
                pc = (code[pc] or self._late(pc))(m)
        except Failure as failure:
            self.depth = depth
            raise failure.located(self.spot_near(pc)) from None

    def seats_to_act(self, m: Buffer) -> tuple[int, ...]:
        """The seats that may act at a stop; several while choices are sealed."""
        if m[STATUS] == DECISION:
            return (m[SEAT],)
        if m[STATUS] == SEALING:
            return tuple(s for s in range(self.program.players) if not m[SEALED_DONE] >> s & 1)
        return ()

    def options(self, m: Buffer, seat: int | None = None) -> list[Choice]:
        """What may be chosen at a stop, in canonical order."""
        if m[STATUS] == SEALING:
            assert seat is not None
            scratch = sealed.scratch(self, m, seat)
            return [] if scratch[STATUS] != DECISION else self._pending(scratch)
        if m[STATUS] != DECISION:
            return []
        return self._pending(m)

    def _pending(self, m: Buffer) -> list[Choice]:
        known, choices = self.found
        if m == known:
            return choices.copy()
        op = self.program.code[m[PC]]
        assert isinstance(op, ops.Decide)
        choices = self.choices(m, self.program.menus[op.menu], op.at)
        return lookahead.carried_through(self, m, op.menu, choices, op.at)

    def seen_by_chooser(self, m: Buffer, seat: int) -> Buffer:
        """The buffer a seat's options refer to: while sealed, with its own choices made."""
        return self.sealed_view(m, seat) if m[STATUS] == SEALING else m

    def sealed_view(self, m: Buffer, seat: int) -> Buffer:
        """The state as a seat sees it that has made some of its sealed choices."""
        return sealed.scratch(self, m, seat)

    def take(self, m: Buffer, choice: Choice, seat: int | None = None) -> None:
        """Answer a decision. The buffer is changed in place."""
        m[TOTAL_STEPS] += m[STEPS]
        m[STEPS] = 0
        self.spending.clear()
        m[MOVES] += 1
        if m[MOVES] > limits.MOVES_PER_GAME or m[TOTAL_STEPS] > limits.STEPS_PER_GAME:
            raise Failure("RR615", self.spot_near(m[PC]))
        if m[STATUS] == SEALING:
            assert seat is not None
            sealed.record(self, m, seat, choice)
            return
        m[DECIDED] += 1
        menu = self.program.menus[m[MENU]]
        m[SEAT] = m[MENU] = 0
        self.run(m, self.enter(m, menu, choice))

    def outcomes(self, m: Buffer) -> list[tuple[int, int]]:
        """At a stop for chance: (weight, value) of each outcome."""
        op = self.program.code[m[PC]]
        assert isinstance(op, ops.Chance)
        return [(weight, value) for weight, value in self._generate(m, op.generator, op.at)]

    def take_outcome(self, m: Buffer, value: int) -> None:
        op = self.program.code[m[PC]]
        assert isinstance(op, ops.Chance)
        m[op.address] = value
        m[MENU] = 0
        self._note_chance(m, op, value, m[PC])
        self.run(m, m[PC] + 1)

    def stands(self, m: Buffer, viewer: int) -> bool:
        """Whether an imagined state would really have stopped where it does: somebody must
        have a choice. In a sealed block, who has nothing to choose is marked as done."""
        if m[STATUS] == SEALING:
            for seat in range(self.program.players):
                if seat != viewer:
                    sealed.see_if_done(self, m, seat)
            return m[SEALED_DONE] != (1 << self.program.players) - 1
        if m[STATUS] != DECISION or m[SEAT] == viewer:
            return True
        menu = self.program.menus[m[MENU]]
        asked = menu.asked or (m[MODE] & ASK_WHEN_FORCED and not menu.passes)
        least = 1 if asked else 2
        return len(self._pending(m)) >= least

    def go_on(self, m: Buffer) -> None:
        """Run on from a stop at which nobody has anything to choose."""
        self.run(m, m[PC])

    # ---- deciding

    def enter(self, m: Buffer, menu: ops.Menu, choice: Choice) -> int:
        entry = menu.entries[choice[0]]
        for cell, value in zip(entry.cells, choice[1:], strict=True):
            m[cell] = value
        return entry.target.position

    def choices(self, m: Buffer, menu: ops.Menu, at: int) -> list[Choice]:
        found: list[Choice] = []
        for number, entry in enumerate(menu.entries):
            head = (number,)
            found.extend(head + values for values in self._generate(m, entry.generator, at))
            if len(found) > limits.OPTIONS:
                raise Failure("RR609", at)
        return found

    def _generate(self, m: Buffer, generator: int, at: int) -> list[tuple[int, ...]]:
        """Run a generator. Looking at options costs the game no steps."""
        run = self.compiler.function(generator)
        steps, out, depth = m[STEPS], self.out, self.depth
        events, self.events = self.events, None
        m[STEPS] = 0
        found: list[tuple[int, ...]] = []
        self.out = found
        try:
            run(m, [])
        except Failure as failure:
            raise failure.located(at) from None
        finally:
            m[STEPS], self.out, self.depth = steps, out, depth
            self.events = events
        return found

    def _decide(self, op: ops.Decide, pc: int) -> Callable[[Buffer], int]:
        menu, number, at = self.program.menus[op.menu], op.menu, op.at
        seat_of = self.compiler.expression(op.seat)
        locals_ = [0] * (op.locals + 1)

        def decide(m: Buffer) -> int:
            choices = self.choices(m, menu, at)
            choices = lookahead.carried_through(self, m, number, choices, at)
            if not choices:
                if op.otherwise is not None:
                    return op.otherwise.position
                raise Failure("RR607", at)
            forced = len(choices) == 1 and not menu.asked
            if forced and (menu.passes or not m[MODE] & ASK_WHEN_FORCED):
                return self._forced(m, menu, number, choices[0], seat_of(m, locals_.copy()))
            if m[SEALED_SEAT]:
                recorded = sealed.find_recorded(self, m, menu)
                if recorded is not None:
                    return self.enter(m, menu, recorded)
            m[STATUS], m[PC], m[MENU] = DECISION, pc, number
            m[SEAT] = seat_of(m, locals_.copy())
            if not self.searching:
                self.found = m.copy(), choices
            return STOP

        return decide

    def _forced(self, m: Buffer, menu: ops.Menu, number: int, choice: Choice, seat: int) -> int:
        """A single option is taken without asking; the log has it all the same."""
        silent = menu.passes and choice[0] == len(menu.entries) - 1
        self._charge_copy(m)
        if not silent and not m[SEALED_SEAT]:
            m[DECIDED] += 1
        if self.events is not None and not m[MODE] & SCRATCH:
            word: Literal["passed", "forced"] = "passed" if silent else "forced"
            self.events.append(Event(word, choice[0], choice[1:], seat, number, -1, m.copy()))
        return self.enter(m, menu, choice)

    def can(self, m: Buffer, routine: int, arguments: list[int], at: int) -> int:
        return lookahead.can(self, m, routine, arguments, at)

    def what_if(self, m: Buffer, spans: Spans, run: Run, r: list[int], at: int) -> int:
        return lookahead.what_if(self, m, spans, run, r, at)

    # ---- the other instructions

    def _late(self, pc: int) -> Callable[[Buffer], int]:
        """An instruction is translated when it is first reached."""
        self.code[pc] = run = self._instruction(self.program.code[pc], pc)
        return run

    def _instruction(self, op: ops.Instruction, pc: int) -> Callable[[Buffer], int]:
        compiler = self.compiler
        following = pc + 1
        match op:
            case ops.Do(statements, locals_):
                block = compiler.block(statements)

                def do(m: Buffer) -> int:
                    block(m, [0] * locals_)
                    return following

                return do
            case ops.Goto(target):
                return lambda m: target.position
            case ops.Unless(condition, target, locals_):
                test = compiler.expression(condition)
                return lambda m: following if test(m, [0] * locals_) else target.position
            case ops.Invoke():
                return self._invoke(op, pc)
            case ops.Finish(routine):
                frame = self.program.routines[routine]
                return lambda m: self._finish(m, frame)
            case ops.Decide():
                return self._decide(op, pc)
            case ops.Chance():
                return self._chance(op, pc)
            case ops.Sealed():
                return sealed.begin(self, op, pc)
            case ops.SealedEnd():
                return sealed.end(self)
            case ops.LookAhead(end):

                def look(m: Buffer) -> int:
                    m[LOOK] = end.position + 1
                    return following

                return look
            case ops.LookEnd():

                def look_end(m: Buffer) -> int:
                    if self.searching and m[LOOK] == pc + 1:
                        m[STATUS] = FOUND
                        return STOP
                    m[LOOK] = 0
                    return following

                return look_end
            case ops.Unwind(routine, target):
                return lambda m: self._unwind(m, pc, routine, target)
            case ops.Over(decided):
                return lambda m: self._over(m, decided)
            case _:
                assert_never(op)

    def _invoke(self, op: ops.Invoke, pc: int) -> Callable[[Buffer], int]:
        parts = [self.compiler.expression(part) for part in op.arguments]
        routine = self.program.routines[op.routine]
        following, size = pc + 1, op.locals

        def invoke(m: Buffer) -> int:
            r = [0] * size
            values = [part(m, r) for part in parts]
            frame = routine.address
            m[frame] = following
            for offset, value in enumerate(values, 1):
                m[frame + offset] = value
            return routine.entry.position

        return invoke

    def _finish(self, m: Buffer, routine: ops.Routine) -> int:
        frame = routine.address
        back = m[frame]
        m[frame : frame + routine.size] = [0] * routine.size
        if back == HALT:
            m[STATUS] = FOUND
            return STOP
        return back

    def _unwind(self, m: Buffer, pc: int, wanted: int, target: ops.Label) -> int:
        """Leave routine after routine until the one that has the target."""
        here = self._routine_at(pc)
        while here != wanted:
            frame = self.program.routines[here]
            back = self._finish(m, frame)
            if back < 0:
                return back
            here = self._routine_at(back)
        return target.position

    def _routine_at(self, pc: int) -> int:
        found = 0
        for number, routine in enumerate(self.program.routines):
            if routine.entry.position <= pc:
                found = number
        return found

    def _chance(self, op: ops.Chance, pc: int) -> Callable[[Buffer], int]:
        following = pc + 1

        def draw(m: Buffer) -> int:
            if self.searching:
                m[STATUS] = CHANCE  # nobody can look ahead past chance
                return STOP
            outcomes = self._generate(m, op.generator, op.at)
            if not outcomes:
                raise Failure("RR606", op.at)
            if len(outcomes) == 1:
                value = outcomes[0][1]
            elif m[MODE] & STOP_AT_CHANCE:
                m[STATUS], m[PC], m[MENU] = CHANCE, pc, op.generator
                return STOP
            else:
                total = sum(outcome[0] for outcome in outcomes)
                point, m[COUNTER] = chance.below(m[KEY] & (1 << 64) - 1, m[COUNTER], total)
                for weight, value in outcomes:  # noqa: B007
                    point -= weight
                    if point < 0:
                        break
            m[op.address] = value
            self._note_chance(m, op, value, pc)
            return following

        return draw

    def _over(self, m: Buffer, decided: bool) -> int:
        program = self.program
        if not decided and program.winners >= 0:
            m[WINNERS] = self.evaluate(m, program.winners, [])
        for seat in range(program.players):
            address = program.layout.scores + seat
            if program.score >= 0:
                m[address] = self.evaluate(m, program.score, [seat])
            elif m[WINNERS]:
                m[address] = 1 if m[WINNERS] >> seat & 1 else -1
        m[STATUS], m[PC], m[LOOK] = OVER, 0, 0
        frames, size = program.layout.frames, program.layout.frames_size
        m[frames : frames + size] = [0] * size  # nothing goes on: what was pending is gone
        return STOP

    def evaluate(self, m: Buffer, function: int, arguments: list[int]) -> int:
        """Call a function from outside; it costs the game no steps."""
        steps, depth = m[STEPS], self.depth
        m[STEPS] = 0
        try:
            return self.compiler.function(function)(m, arguments)
        finally:
            m[STEPS], self.depth = steps, depth

    def elements(self, m: Buffer, function: int) -> list[int]:
        """What a function emits that goes through something."""
        return [element for (element,) in self._generate(m, function, -1)]

    def spot_near(self, pc: int) -> int:
        """The spot of the nearest instruction before `pc` that has one."""
        for position in range(min(pc, len(self.program.code) - 1), -1, -1):
            at = getattr(self.program.code[position], "at", -1)
            if isinstance(at, int) and at >= 0:
                return at
        return -1

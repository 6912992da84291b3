"""The instructions of a program as one LLVM function, `run`, that goes from stop to stop.

`i64 run(m, c, pc, depth, sim)`: 0, or -1 after a failure. Steps are kept in a register and
written to the buffer at stops. With `sim`, a decision does not stop: an option is drawn from
the stream of the seat that decides, so a whole random game is one call.
"""

from __future__ import annotations

from typing import Any, assert_never

from interpreter import limits
from interpreter.play.native.emit import context
from interpreter.play.native.emit.again import keep_floods
from interpreter.play.native.emit.code import PASSED, STATE, Code, Unit, arrays_in
from interpreter.play.native.emit.draws import draw_at_once, drawn
from interpreter.play.native.emit.expressions import test, value
from interpreter.play.native.emit.idle import note_instruction
from interpreter.play.native.emit.menus import ALL, call_generator, count_forced
from interpreter.play.native.emit.passing import pass_rounds
from interpreter.play.native.emit.runtime import BROKEN, TOO_LONG
from interpreter.play.native.emit.sealing import (
    begin_sealed,
    can_be_sealed,
    draw_in_sealed,
    end_sealed,
    replay,
)
from interpreter.play.native.emit.statements import block, charge_copy
from interpreter.play.native.emit.text import AS_IT_IS, I1, I64, PAIR, PTR, Fn
from interpreter.program import ops
from interpreter.program.layout import (
    ASK_WHEN_FORCED,
    CHANCE,
    DECISION,
    LOOK,
    MENU,
    MODE,
    OVER,
    PC,
    RUNNING,
    SEAT,
    STATUS,
    STEPS,
    STOP_AT_CHANCE,
    WINNERS,
)  # fmt: skip
from interpreter.program.touches import operations

HALT, FOUND = -2, 6  # as in the reference machine
_SMALL = 60  # operations that are put in place instead of into a function of their own


def emit_run(unit: Unit) -> None:
    unit.texts.append(Run(unit).text())


class Run:
    name, chooser, sim = "run", "choose", "%sim"

    def __init__(self, unit: Unit) -> None:
        self.unit = unit
        self.program = unit.program
        self.fn = Fn(self.name, I64, self.head(), noting=unit.looks)
        self.steps = ""
        self.next = self.fn.slot()  # for jumps that are known only while running
        self.spot = -1  # of the nearest instruction that has one
        self.fails: dict[int, dict[tuple[int, int], str]] = {}  # by that spot

    # ---- what is otherwise where nobody chooses: see blind.py

    def head(self) -> list[tuple[str, str]]:
        return [*STATE, (I64, "pc"), (I64, "d"), (I1, "sim")]

    def begin(self) -> None:
        """Before anything else is done."""

    def prepare(self, code: Code) -> None:
        """Before an instruction is written."""

    def decide_at_once(self, code: Code, pc: int, op: ops.Decide) -> None:
        """Before options are enumerated."""

    def text(self) -> str:
        fn = self.fn
        self.begin()
        fn.store("%m", STATUS, RUNNING)
        self.steps = fn.variable(fn.load("%m", STEPS))
        fn.set(self.next, "%pc")
        fn.place("dispatch")
        places = {pc: f"pc{pc}" for pc in sorted(self._resumed())}
        fn.switch(fn.get(self.next), "lost", places)
        for pc, op in enumerate(self.program.code):
            fn.place(f"pc{pc}")
            self._instruction(pc, op)
        fn.goto("lost")
        fn.place("lost")
        fn.call("fail", "void", f"{PTR} %c", f"i64 {context.BROKEN}", "i64 -1")
        fn.place("failed")
        fn.ret("-1")
        return fn.text()

    def _resumed(self) -> set[int]:
        """Where the game can go on from outside, or by way of a return address."""
        found = {self.program.start.position}
        for pc, op in enumerate(self.program.code):
            match op:
                case ops.Decide():
                    found.add(pc)
                case ops.Sealed(_, body, end):
                    found.update((pc, body.position, end.position))
                case ops.Chance():
                    found.update((pc, pc + 1))
                case ops.Invoke():
                    found.add(pc + 1)
                case ops.Do() | ops.Goto() | ops.Unless() | ops.Finish() | ops.Unwind():
                    pass
                case ops.SealedEnd() | ops.LookAhead() | ops.LookEnd() | ops.Over():
                    pass
                case _:
                    assert_never(op)
        for routine in self.program.routines:
            found.add(routine.entry.position)
        for menu in self.program.menus:
            found.update(entry.target.position for entry in menu.entries)
        return {pc for pc in found if pc < len(self.program.code)}

    def _goto(self, pc: int) -> None:
        self.fn.goto(f"pc{pc}" if pc < len(self.program.code) else "lost")

    def _jump(self, pc: str) -> None:
        self.fn.set(self.next, pc)
        self.fn.goto("dispatch")

    def _stop(self) -> None:
        self.fn.store("%m", STEPS, self.fn.get(self.steps))
        self.fn.ret("0")

    def _add(self, fn: Fn) -> None:
        """What has a function of its own has one for all forms."""
        if fn.name not in self.unit.apart:
            self.unit.apart.add(fn.name)
            self.unit.texts.append(fn.text())

    # ---- instructions

    def _instruction(self, pc: int, op: ops.Instruction) -> None:
        fn = self.fn
        at = getattr(op, "at", -1)
        self.spot = at if at >= 0 else self.spot
        failed = f"failed{self.spot + 1}"
        if self.spot not in self.fails:
            self.fails[self.spot] = {}
            fn.tail += [
                f"{failed}:",
                f"  call fastcc void @locate(ptr %c, i64 {self.spot})",
                "  br label %failed",
            ]
        code = Code(fn, self.unit, self.steps, "%d", failed, lambda value: self._goto(pc + 1))
        code.fails = self.fails[self.spot]
        self.prepare(code)
        pass_rounds(code, pc)
        code.spend(limits.STEPS_AN_INSTRUCTION, -1)
        if self.unit.profiled:
            fn.store("%c", context.WHERE, pc)
        note_instruction(self.unit, fn, pc, op)
        match op:
            case ops.Do(statements):
                self._do(code, pc, statements)
            case ops.Goto(target):
                self._goto(target.position)
            case ops.Unless(condition, target):
                holds = self._test(code, pc, condition)
                onward, other = fn.label(), fn.label()
                fn.branch(holds, onward, other)
                fn.place(onward)
                self._goto(pc + 1)
                fn.place(other)
                self._goto(target.position)
            case ops.Invoke():
                self._invoke(code, pc, op)
            case ops.Finish(routine):
                self._finish(code, routine)
            case ops.Decide():
                self._decide(code, pc, op)
            case ops.Chance():
                self._chance(code, pc, op)
            case ops.Sealed():
                begin_sealed(code, pc, op, self._stop)
                self._goto(op.body.position)
            case ops.SealedEnd():
                end_sealed(code, self._stop, self._goto)
            case ops.LookAhead(end):
                fn.store("%m", LOOK, end.position + 1)
                self._goto(pc + 1)
            case ops.LookEnd():
                self._look_end(pc)
            case ops.Unwind(routine, target):
                self._unwind(code, pc, routine, target)
            case ops.Over(decided):
                self._over(code, decided)
            case _:
                assert_never(op)

    def _apart(self, code: Code, name: str, body: Any) -> str | None:
        """Big code, and code with arrays, gets a function of its own: it gives value and
        steps. Returns the value, or None if the code is better put in place."""
        if not self.stands_apart(body):
            return None
        self._write_apart(name, body)
        steps = f"i64 {self.fn.get(self.steps)}"
        pair = self.fn.call(name, PAIR, PASSED, steps, f"i64 {code.depth}")
        code.take_steps(self.fn.op(f"extractvalue {PAIR} {pair}, 1"))
        return self.fn.op(f"extractvalue {PAIR} {pair}, 0")

    def stands_apart(self, body: Any) -> bool:
        return bool(arrays_in(body)) or sum(1 for _ in operations(body)) > _SMALL

    def _write_apart(self, name: str, body: Any) -> None:
        fn = Fn(
            name, PAIR, [*STATE, (I64, "s"), (I64, "d")],
            attributes="noinline" * bool(arrays_in(body)), noting=self.unit.looks,
        )  # fmt: skip
        inner = Code(fn, self.unit, fn.variable("%s"), "%d", "failed", lambda value: None)

        def returning(result: str) -> None:
            pair = fn.op(f"insertvalue {PAIR} undef, i64 {result}, 0")
            fn.ret(fn.op(f"insertvalue {PAIR} {pair}, i64 {fn.get(inner.steps)}, 1"))

        inner.returning = returning
        fn.tail += ["failed:", f"  ret {PAIR} {{ i64 0, i64 -1 }}"]
        inner.make_locals(body)
        keep_floods(inner, body)
        if isinstance(body, tuple):
            block(inner, body)
            returning("0")
        else:
            returning(value(inner, body))
        self._add(fn)

    def _do(self, code: Code, pc: int, statements: tuple[ops.Statement, ...]) -> None:
        if self._apart(code, f"do{pc}", statements) is None:
            code.make_locals(statements)
            block(code, statements)
        self._goto(pc + 1)

    def _test(self, code: Code, pc: int, condition: ops.Expr) -> str:
        found = self._apart(code, f"test{pc}", condition)
        if found is not None:
            return self.fn.compare("ne", found, 0)
        code.make_locals(condition)
        return test(code, condition)

    def _invoke(self, code: Code, pc: int, op: ops.Invoke) -> None:
        routine = self.program.routines[op.routine]
        code.make_locals(op.arguments)
        values = [value(code, part) for part in op.arguments]
        self.fn.write("%m", routine.address, pc + 1)
        for offset, given in enumerate(values, 1):
            self.fn.write("%m", routine.address + offset, given)
        self._goto(routine.entry.position)

    def _finish(self, code: Code, number: int) -> None:
        fn, routine = self.fn, self.program.routines[number]
        back = fn.load("%m", routine.address)
        fn.wipe("%m", routine.address, routine.size)
        if self.unit.tries:
            with fn.when(fn.compare("eq", back, HALT)):
                fn.store("%m", STATUS, FOUND)
                self._stop()
        places = {
            pc + 1: f"pc{pc + 1}"
            for pc, op in enumerate(self.program.code)
            if isinstance(op, ops.Invoke) and op.routine == number
        }
        fn.set(self.next, back)
        fn.switch(back, "dispatch", places)

    def _look_end(self, pc: int) -> None:
        fn = self.fn
        searching = fn.compare("ne", fn.load("%c", context.SEARCHING), 0)
        mine = fn.compare("eq", fn.load("%m", LOOK), pc + 1)
        with fn.when(fn.op(f"and i1 {searching}, {mine}")):
            fn.store("%m", STATUS, FOUND)
            self._stop()
        fn.store("%m", LOOK, 0)
        self._goto(pc + 1)

    def _unwind(self, code: Code, pc: int, wanted: int, target: ops.Label) -> None:
        fn = self.fn
        entries = [routine.entry.position for routine in self.program.routines]
        here = max((n for n, entry in enumerate(entries) if entry <= pc), default=0)
        halted = fn.call("unwind", I64, PASSED, f"i64 {here}", f"i64 {wanted}")
        code.fail_if(fn.compare("slt", halted, 0), context.BROKEN, -1)
        with fn.when(fn.compare("ne", halted, 0)):
            self._stop()
        self._goto(target.position)

    # ---- decisions

    def _decide(self, code: Code, pc: int, op: ops.Decide) -> None:
        fn, number = self.fn, op.menu
        menu = self.program.menus[number]
        self.decide_at_once(code, pc, op)
        area = fn.load("%c", context.TOP, PTR)
        enough = str(limits.INT_MAX)
        if self.unit.looks:  # looking ahead, whether there are several is all that matters here
            searching = fn.compare("ne", fn.load("%c", context.SEARCHING), 0)
            enough = fn.select(searching, 2, limits.INT_MAX)
        where = (f"{PTR} {area}", f"i64 {code.depth}", f"i64 {op.at}", f"i64 {enough}")
        found = fn.call(f"find{number}", I64, PASSED, *where)
        code.leave_if(fn.compare("slt", found, 0))
        if any(isinstance(each, ops.LookAhead) for each in self.program.code):
            found = self._carried_through(code, number, area, found)
        none, some = fn.label(), fn.label()
        fn.branch(fn.compare("eq", found, 0), none, some)
        fn.place(none)
        if op.otherwise is not None:
            self._goto(op.otherwise.position)
        else:
            code.fail(context.code_number("RR607"), op.at)
        fn.place(some)
        code.make_locals(op.seat)
        if not menu.asked:
            forced = fn.compare("eq", found, 1)
            if not menu.passes:
                asks = fn.both(fn.load("%m", MODE), ASK_WHEN_FORCED)
                forced = fn.op(f"and i1 {forced}, {fn.compare('eq', asks, 0)}")
            with fn.when(forced):
                value(code, op.seat)
                charge_copy(code)
                count_forced(fn, menu, area)
                self._enter(code, number, area, "0")
        sealed = can_be_sealed(self.unit, pc)
        if sealed:
            replay(code, number, self._to_entry)
        for cell, content in ((STATUS, DECISION), (PC, pc), (MENU, number)):
            fn.store("%m", cell, content)
        seat = value(code, op.seat)
        fn.store("%m", SEAT, seat)
        with fn.when(self.sim):
            if sealed:
                draw_in_sealed(
                    code,
                    number,
                    area,
                    found,
                    lambda option: self._enter(code, number, area, option),
                )
            given = (f"i64 {seat}", f"i64 {found}", f"i64 {fn.get(self.steps)}")
            picked = fn.call(self.chooser, I64, PASSED, *given)
            self.fail_unless_chosen(code, picked)
            with fn.when(fn.compare("slt", picked, 0), rare=True):
                fn.store("%c", context.COUNT, found)
                self._stop()
            fn.set(self.steps, "0")
            self._enter(code, number, area, picked)
        fn.store("%c", context.COUNT, found)
        self._stop()

    def fail_unless_chosen(self, code: Code, picked: str) -> None:
        fn = self.fn
        with fn.when(fn.compare("slt", picked, 0), rare=True):
            code.fail_if(fn.compare("eq", picked, BROKEN), context.BROKEN, -1)
            code.fail_if(fn.compare("eq", picked, TOO_LONG), "RR615", -1)

    def _carried_through(self, code: Code, number: int, area: str, found: str) -> str:
        fn = self.fn
        slot = fn.variable(found)
        looking = fn.compare("ne", fn.load("%m", LOOK), 0)
        free = fn.compare("eq", fn.load("%c", context.SEARCHING), 0)
        with fn.when(fn.op(f"and i1 {looking}, {free}")):
            fn.store("%m", STEPS, fn.get(self.steps))
            given = (f"{PTR} {area}", f"i64 {found}", f"i64 {code.depth}")
            fn.set(slot, fn.call(f"filter{number}", I64, PASSED, *given))
        kept = fn.get(slot)
        code.leave_if(fn.compare("slt", kept, 0))
        return kept

    def _enter(self, code: Code, number: int, area: str, option: str) -> None:
        given = (PASSED, f"{PTR} {area}", f"i64 {option}")
        self._to_entry(number, self.fn.call(f"enter{number}", I64, *given))

    def _to_entry(self, number: int, pc: str) -> None:
        targets = {e.target.position for e in self.program.menus[number].entries}
        if len(targets) == 1:
            self._goto(min(targets))
        else:
            self.fn.switch(pc, "lost", {target: f"pc{target}" for target in sorted(targets)})

    # ---- chance and the end

    def _chance(self, code: Code, pc: int, op: ops.Chance) -> None:
        fn = self.fn
        if self.unit.looks:
            with fn.when(fn.compare("ne", fn.load("%c", context.SEARCHING), 0)):
                fn.store("%m", STATUS, CHANCE)
                self._stop()
        if draw_at_once(code, op, lambda: self._goto(pc + 1)):
            self._stop_at_chance(code, pc, op)
            return
        area = fn.load("%c", context.TOP, PTR)
        found = self._outcomes(code, op, area)
        picked = fn.variable("0")
        with fn.when(fn.compare("ne", found, 1)):
            stops = fn.both(fn.load("%m", MODE), STOP_AT_CHANCE)
            with fn.when(fn.compare("ne", stops, 0)):
                _note_chance(fn, pc, op, found)
                self._stop()
            fn.set(picked, drawn(code, op, area, found))
        outcome = fn.load(area, fn.add(fn.mul(fn.get(picked), 2), 1))
        fn.write("%m", op.address, outcome)
        self._goto(pc + 1)

    def _outcomes(self, code: Code, op: ops.Chance, area: str) -> str:
        """How many outcomes there are at the top of the arena."""
        fn = code.fn
        given = (f"{PTR} {area}", f"i64 {code.depth}", ALL)
        found = call_generator(self.unit, fn, op.generator, *given)
        with fn.when(fn.compare("slt", found, 0), rare=True):
            fn.call("locate", "void", f"{PTR} %c", f"i64 {op.at}")
            fn.goto(code.failed)
        code.fail_if(fn.compare("eq", found, 0), "RR606", op.at)
        return found

    def _stop_at_chance(self, code: Code, pc: int, op: ops.Chance) -> None:
        """Somebody wants to hear of all outcomes: out of the way of those who do not."""
        name = f"stop{pc}"
        head = [*STATE, (I64, "d")]
        fn = Fn(name, I64, head, attributes=AS_IT_IS, noting=self.unit.looks)
        inner = Code(fn, self.unit, fn.variable("0"), "%d", "failed", lambda value: None)
        fn.tail += ["failed:", "  ret i64 -1"]
        area = fn.load("%c", context.TOP, PTR)
        found = self._outcomes(inner, op, area)
        with fn.when(fn.compare("eq", found, 1)):
            fn.write("%m", op.address, fn.load(area, 1))
            fn.ret("1")
        _note_chance(fn, pc, op, found)
        fn.ret("0")
        self._add(fn)
        goes_on = self.fn.call(name, I64, PASSED, f"i64 {code.depth}")
        code.leave_if(self.fn.compare("slt", goes_on, 0))
        with self.fn.when(self.fn.compare("eq", goes_on, 0)):
            self._stop()
        self._goto(pc + 1)

    def _over(self, code: Code, decided: bool) -> None:
        fn, program = self.fn, self.program
        if not decided and program.winners >= 0:
            fn.store("%m", WINNERS, self._outside(code, program.winners, []))
        for seat in range(program.players):
            address = program.layout.scores + seat
            if program.score >= 0:
                fn.write("%m", address, self._outside(code, program.score, [str(seat)]))
            else:
                winners = fn.load("%m", WINNERS)
                with fn.when(fn.compare("ne", winners, 0)):
                    won = fn.compare("ne", fn.both(winners, 1 << seat), 0)
                    fn.write("%m", address, fn.select(won, 1, -1))
        for cell, content in ((STATUS, OVER), (PC, 0), (LOOK, 0)):
            fn.store("%m", cell, content)
        fn.wipe("%m", program.layout.frames, program.layout.frames_size)
        self._stop()

    def _outside(self, code: Code, number: int, given: list[str]) -> str:
        """Call a function at no cost in steps."""
        fn = self.fn
        name = self.unit.function(number)
        numbers = ["i64 0", f"i64 {code.depth}", *(f"i64 {part}" for part in given)]
        pair = fn.call(name, PAIR, PASSED, *numbers)
        code.leave_if(fn.compare("slt", fn.op(f"extractvalue {PAIR} {pair}, 1"), 0))
        return fn.op(f"extractvalue {PAIR} {pair}, 0")


def _note_chance(fn: Fn, pc: int, op: ops.Chance, found: str) -> None:
    """The state stops for chance, which has so many outcomes."""
    for cell, content in ((STATUS, CHANCE), (PC, pc), (MENU, op.generator)):
        fn.store("%m", cell, content)
    fn.store("%c", context.COUNT, found)

"""Loops that pass over rounds in which nothing can be offered: see facts/told.py.

For every key there is a row of bits, one for each round. A row is filled when it is first asked
for, by code that goes through the round on every way that cannot be ruled out (`_Ways`): where a
condition is not told, first as if it held, then as if not. Rows depend on nothing but the program,
so threads may share them; one that is filled twice gets the same bits, and its flag is set last.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, replace

from interpreter.play.native.emit.code import PASSED, STATE, Code, Unit
from interpreter.play.native.emit.expressions import number, value
from interpreter.play.native.emit.text import I1, I64, PTR, SELDOM, Fn
from interpreter.play.native.facts.told import Env, Keys, Telling, Told, find_keys
from interpreter.program import ops
from interpreter.program.touches import locals_set, operations

_LONGEST = 600  # alternatives in a function; then everything is possible


@dataclass(frozen=True, slots=True)
class Rows:
    """A table of rows and how to fill it."""

    keys: Keys
    name: str
    rounds: int


def rows_of(code: Code, loop: ops.CountLoop, low: int, high: int) -> Rows | None:
    """The rows of a loop, if it has told conditions; its functions are written then."""
    if code.emitting is None or not code.free or code.counter is None or code.mask is not None:
        return None
    unit = code.unit
    if unit.steps.is_fine and code.counter.unpaid(loop.body):  # what is passed over pays nothing
        return None
    keys = find_keys(unit.steps, loop, high - low, code.counter.ranges.of)
    if keys is None:
        return None
    found = Rows(keys, f"{code.fn.name}_{len(unit.texts)}", high - low)
    asking = _Round(unit, keys, found.name)
    if not asking.write(loop):
        return None
    _write_fill(unit, found, low)
    cells = keys.entries * keys.words
    unit.texts += [
        f"@rows_{found.name} = internal global [{cells} x i64] zeroinitializer",
        f"@filled_{found.name} = internal global [{keys.entries} x i8] zeroinitializer",
    ]
    return found


def possible_rounds(code: Code, rows: Rows) -> list[str]:
    """The bits of the rounds that are possible here, in words."""
    fn, keys = code.fn, rows.keys
    inside, index = _index(code, keys)
    slots = [fn.variable(str(each)) for each in all_rounds(rows.rounds)]
    with fn.when(inside):
        flag = fn.op(f"getelementptr inbounds i8, {PTR} @filled_{rows.name}, i64 {index}")
        known = fn.op(f"load atomic i8, {PTR} {flag} acquire, align 1")
        with fn.when(fn.op(f"icmp eq i8 {known}, 0"), rare=True):
            places = [f"i64 {value(code, ops.Local(place))}" for place in keys.places]
            fn.call(f"fill_{rows.name}", "void", PASSED, f"i64 {index}", *places)
        for word, slot in enumerate(slots):
            place = fn.at(f"@rows_{rows.name}", fn.add(fn.mul(index, keys.words), word))
            fn.set(slot, fn.op(f"load atomic i64, {PTR} {place} unordered, align 8"))
    return [fn.get(slot) for slot in slots]


def all_rounds(rounds: int) -> list[int]:
    bits = [min(64, rounds - first) for first in range(0, rounds, 64)]
    return [(1 << each) - 1 if each < 64 else -1 for each in bits]


def go_through_bits(code: Code, words: list[str], low: int, round_: Callable[[str], None]) -> None:
    """`round_` writes a round, of the given number, for every bit that is set."""
    fn = code.fn
    kept = fn.slot(f"[{len(words)} x i64]")
    for number_, word in enumerate(words):
        fn.store(kept, number_, word)
    with fn.count(0, len(words)) as which:
        left = fn.variable(fn.load(kept, which))
        with fn.loop(lambda: fn.compare("ne", fn.get(left), 0)):
            now = fn.get(left)
            first = fn.op(f"call i64 @llvm.cttz.i64(i64 {now}, i1 true)")
            fn.set(left, fn.both(now, fn.sub(now, 1)))
            round_(fn.add(fn.add(fn.mul(which, 64), first), low))


def _index(code: Code, keys: Keys) -> tuple[str, str]:
    """Whether a key is within its bounds, and where its row is."""
    fn, inside, index = code.fn, "true", "0"
    parts = [
        (value(code, ops.Local(place)), low, high - low + 1)
        for place, (low, high) in keys.places.items()
    ]
    for cell in keys.cells.values():
        place = fn.at("%m", cell.base)
        if cell.local is not None:
            place = fn.at(place, value(code, ops.Local(cell.local)))
        parts.append((fn.load(place), cell.low, cell.size))
    parts += [(value(code, each), 0, 2) for each in keys.steady]
    for found, low, size in parts:
        offset = fn.sub(found, low)
        inside = fn.op(f"and i1 {inside}, {fn.compare('ult', offset, size)}")
        index = fn.add(fn.mul(index, size), offset)
    return inside, index


def _write_fill(unit: Unit, rows: Rows, low: int) -> None:
    keys = rows.keys
    places = [(I64, f"p{place}") for place in keys.places]
    head = [*STATE, (I64, "index"), *places]
    fn = Fn(f"fill_{rows.name}", "void", head, attributes=SELDOM)
    given = [f"i64 %{name}" for _, name in places]
    for word in range(keys.words):
        found = fn.variable("0")
        with fn.count(0, min(64, rows.rounds - 64 * word)) as bit:
            round_ = fn.add(bit, low + 64 * word)
            can = fn.call(f"can_{rows.name}", I1, PASSED, *given, f"i64 {round_}")
            fn.set(found, fn.either(fn.get(found), fn.op(f"shl i64 {fn.widen(can)}, {bit}")))
        place = fn.at(f"@rows_{rows.name}", fn.add(fn.mul("%index", keys.words), word))
        fn.line(f"store atomic i64 {fn.get(found)}, {PTR} {place} unordered, align 8")
    flag = fn.op(f"getelementptr inbounds i8, {PTR} @filled_{rows.name}, i64 %index")
    fn.line(f"store atomic i8 1, {PTR} {flag} release, align 1")
    fn.ret()
    unit.texts.append(fn.text())


class _Round:
    """Writes functions that say what is possible: `can`, of a round, and of functions whether they
    may
    give something else than 0 (`may`) or 0 (`may_not`)."""

    def __init__(self, unit: Unit, keys: Keys, name: str) -> None:
        self.unit, self.name = unit, name
        self.telling = Telling(unit.steps, keys)
        self.written: dict[Hashable, str | None] = {}
        self.tests = 0  # conditions that are told

    def write(self, loop: ops.CountLoop) -> bool:
        """Whether anything can be ruled out."""
        keys = self.telling.keys
        params = [(I64, f"p{place}") for place in keys.places]
        head = [*STATE, *params, (I64, "round")]
        fn = Fn(f"can_{self.name}", I1, head, attributes=SELDOM)
        env: Env = {place: Told(f"%p{place}", place) for place in keys.places}
        env[loop.local] = Told("%round")
        body = loop.body
        _Ways(self, fn, body).write(env, wanted=True)
        self.unit.texts.append(fn.text())
        return self.tests > 0

    def function(
        self, op: ops.Call, env: Env, wanted: bool
    ) -> tuple[str, list[Told | None]] | None:
        """A function that says whether another may give what is wanted, and what is told of its
        arguments."""
        program = self.unit.program
        given: list[Told | None] = []
        for part in op.arguments:
            held = env.get(part.index) if isinstance(part, ops.Local) else None
            told = self.telling.is_told(part, env)
            given.append(Told("", held.place if held else None) if told else None)
        kinds = tuple(None if each is None else (each.place,) for each in given)
        key = op.function, wanted, kinds
        if key not in self.written:
            name = f"{'may' if wanted else 'may_not'}_{self.name}_{len(self.written)}"
            self.written[key] = None  # if it calls itself
            params = [(I64, f"a{index}") for index, each in enumerate(given) if each is not None]
            fn = Fn(name, I1, [*STATE, *params], attributes=SELDOM)
            inner: Env = {
                index: None if each is None else replace(each, operand=f"%a{index}")
                for index, each in enumerate(given)
            }
            _Ways(self, fn, program.functions[op.function].body).write(inner, wanted)
            self.unit.texts.append(fn.text())
            self.written[key] = name
        found = self.written[key]
        return None if found is None else (found, given)


class _Ways:
    """All ways through some code, in a function that gives whether one of them leads to what is
    wanted:
    an offer, a value that is (or is not) 0, or a failure."""

    def __init__(self, round_: _Round, fn: Fn, body: tuple[ops.Statement, ...]) -> None:
        self.round, self.fn, self.body = round_, fn, body
        self.code = Code(fn, round_.unit, fn.variable("0"), "0", "possible", lambda value: None)
        self.code.free = True
        self.alternatives = 0
        self.wanted = True

    def write(self, env: Env, wanted: bool) -> None:
        self.code.make_locals(self.body)
        self.wanted = wanted
        self._go(self.body, env, "impossible")
        self.fn.place("impossible")
        self.fn.ret("0")
        self.fn.place("possible")
        self.fn.ret("1")

    def _go(self, body: tuple[ops.Statement, ...], env: Env, otherwise: str) -> None:
        """One way after the other; `otherwise` is where to go if none leads there."""
        fn, env = self.fn, dict(env)
        self.alternatives += 1
        if self.alternatives > _LONGEST:
            fn.goto("possible")
            return
        for place, each in enumerate(body):
            match each:
                case ops.SetLocal(index, new):
                    env[index] = self._told(new, env)
                    if env[index] is None and self.round.telling.may_fail(new):
                        fn.goto("possible")
                        return
                case ops.When(condition, then, alternative):
                    self._when(condition, (then, alternative), body[place + 1 :], env, otherwise)
                    return
                case ops.Return(result):
                    self._test(result, env, self.wanted, "possible", otherwise)
                    return
                case ops.CountLoop() if not self._is_risky(each):
                    for index in locals_set(each):
                        env[index] = None
                case _:  # an offer, and whatever else may do anything
                    fn.goto("possible")
                    return
        fn.goto(otherwise if self.wanted else "possible")

    def _is_risky(self, loop: ops.CountLoop) -> bool:
        plain = (ops.SetLocal, ops.When, ops.CountLoop, ops.Break, ops.Continue)
        inside = [op for op in operations(loop) if isinstance(op, ops.Statement)]
        if not all(isinstance(op, plain) for op in inside):
            return True
        parts = [loop.low, loop.high]
        parts += [op.value for op in inside if isinstance(op, ops.SetLocal)]
        parts += [op.condition for op in inside if isinstance(op, ops.When)]
        return any(self.round.telling.may_fail(part) for part in parts)

    def _when(
        self,
        condition: ops.Expr,
        ways: tuple[tuple[ops.Statement, ...], tuple[ops.Statement, ...]],
        rest: tuple[ops.Statement, ...],
        env: Env,
        otherwise: str,
    ) -> None:
        fn = self.fn
        holds, else_, fails = fn.label(), fn.label(), fn.label()
        self._test(condition, env, True, holds, else_)
        fn.place(holds)
        self._go((*ways[0], *rest), env, else_)
        fn.place(else_)
        self._test(condition, env, False, fails, otherwise)
        fn.place(fails)
        self._go((*ways[1], *rest), env, otherwise)

    def _test(self, op: ops.Expr, env: Env, wanted: bool, yes: str, no: str) -> None:
        """Go to `yes` if a value may be what is wanted, to `possible` if it may fail, else to
        `no`."""
        fn, telling = self.fn, self.round.telling
        if isinstance(op, ops.Binary) and op.word == "or" and not telling.is_told(op, env):
            for side in (op.left, op.right):
                if not telling.is_told(side, env):
                    telling.settle(side)
        told = self._told(op, env)
        if told is not None:
            known = number(told.operand) is not None or op in telling.keys.steady
            self.round.tests += not known
            fn.branch(fn.compare("ne" if wanted else "eq", told.operand, 0), yes, no)
            return
        match op:
            case ops.Unary("not", operand):
                self._test(operand, env, not wanted, yes, no)
            case ops.Binary("and" | "or" as word, left, right):
                # One that settles it, or both: the right side is looked at if the left does not.
                settling, second = word == "or", fn.label()
                if wanted == settling:
                    onward = fn.label()
                    self._test(left, env, settling, yes, onward)
                    fn.place(onward)
                self._test(left, env, not settling, second, no)
                fn.place(second)
                self._test(right, env, wanted, yes, no)
            case ops.Call():
                self._call(op, env, wanted, yes, no)
            case _:  # nothing is known of it
                fn.goto("possible" if self.round.telling.may_fail(op) else yes)

    def _call(self, op: ops.Call, env: Env, wanted: bool, yes: str, no: str) -> None:
        fn = self.fn
        asked = self.round.function(op, env, wanted)
        untold = [part for part in op.arguments if not self.round.telling.is_told(part, env)]
        if asked is None or any(self.round.telling.may_fail(part) for part in untold):
            fn.goto("possible")
            return
        name, kinds = asked
        given = []
        for part, kind in zip(op.arguments, kinds, strict=True):
            if kind is not None:
                held = self._told(part, env)
                assert held is not None
                given.append(f"i64 {held.operand}")
        fn.branch(fn.call(name, I1, PASSED, *given), yes, no)

    def _told(self, op: ops.Expr, env: Env) -> Told | None:
        """A value that is told, worked out; what fails is possible."""
        if not self.round.telling.is_told(op, env):
            return None
        if isinstance(op, ops.Local):
            return env[op.index]
        self.code.known = {index: held.operand for index, held in env.items() if held is not None}
        return Told(value(self.code, op))

"""Loops that pass over the rounds that tables rule out: see facts/looking.py.

For each combination of keys there is a row (keyed.py) with a bit for every round that is worth
going through. Such a round is then gone through like any other, conditions and all, so it does no
harm if a bit is set that need not be. Where there is no row, all bits are set.

Where steps are counted, a row also has for each condition the rounds that end with it. When the
loop ends, or breaks off, those that lie before are paid for.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import accumulate

from interpreter import limits
from interpreter.play.native.emit.code import PASSED, STATE, Code, Form, Unit
from interpreter.play.native.emit.expressions import found_at, test, value
from interpreter.play.native.emit.keyed import emit_keyed, find_row
from interpreter.play.native.emit.possible import all_rounds
from interpreter.play.native.emit.text import I1, I64, PAIR, PTR, SELDOM, Fn
from interpreter.play.native.facts.looking import (
    Looking,
    depth_of_calls,
    find_looking,
    is_told_by_arguments,
)
from interpreter.play.native.facts.tabled import FAILS, Tabled, find_tabled
from interpreter.program import ops


@dataclass(frozen=True, slots=True)
class Rounds:
    """The rounds of a loop that are worth going through, while it is written."""

    name: str
    looking: Looking
    low: int
    high: int
    costs: tuple[int, ...]  # of a round that ends with a condition, where steps are counted

    @property
    def words(self) -> int:
        return (self.high - self.low + 63) // 64

    @property
    def charged(self) -> list[tuple[int, int]]:
        """Conditions that cost something, by their number, and what."""
        return [(number, cost) for number, cost in enumerate(self.costs) if cost]

    @property
    def width(self) -> int:
        return self.words * (1 + len(self.charged))


def told_rounds(code: Code, loop: ops.CountLoop) -> Rounds | None:
    """If most rounds of a loop may be ruled out by tables."""
    unit = code.unit
    if code.mask is not None or (code.free and code.counter is None):
        return None
    counter = code.counter if code.free else None
    looking = find_looking(unit.program, loop, counter, charged=code.ample)
    if looking is None or not (looking.keys or code.free or code.ample):  # mostly setup
        return None
    low, high = loop.low, loop.high
    assert isinstance(low, ops.Const) and isinstance(high, ops.Const)
    costs = tuple(accumulate(each.steps for each in looking.tests)) if code.ample else ()
    name = f"{code.fn.name}_{len(unit.texts)}"
    found = Rounds(name, looking, low.value, high.value, costs)
    row = [*all_rounds(high.value - low.value), *[0] * (found.width - found.words)]
    words = ", ".join(f"i64 {word}" for word in row)
    unit.texts.append(f"@all_{name} = internal unnamed_addr constant [{len(row)} x i64] [{words}]")
    emit_keyed(unit, name, len(looking.keys), found.width)
    _write_fill(unit, found)
    return found


def go_through_rows(code: Code, rounds: Rounds, one: Callable[[str, str, str], None]) -> None:
    """`one` writes a round: its number, where to go on after the loop, and where the next is."""
    fn = code.fn
    row = find_row(fn, rounds.name, [value(code, key) for key in rounds.looking.keys])
    none = fn.op(f"icmp eq {PTR} {row}, null")
    if code.unit.deep:
        none = fn.op(f"or i1 {none}, {_is_deep(fn, code.depth, rounds.looking.depth)}")
    row = fn.op(f"select i1 {none}, {PTR} @all_{rounds.name}, {PTR} {row}")
    word, left, reached = fn.variable("0"), fn.variable(fn.load(row)), fn.slot()
    again, body, dry, more, done, end = (fn.label() for _ in range(6))
    fn.place(again)
    now = fn.get(left)
    fn.branch(fn.compare("eq", now, 0), dry, body)
    fn.place(dry)
    following = fn.add(fn.get(word), 1)
    fn.set(word, following)
    fn.branch(fn.compare("slt", following, rounds.words), more, done)
    fn.place(more)
    fn.set(left, fn.load(row, following))
    fn.goto(again)
    fn.place(body)
    fn.set(left, fn.both(now, fn.sub(now, 1)))
    first = fn.op(f"call i64 @llvm.cttz.i64(i64 {now}, i1 true)")
    number = fn.add(fn.op(f"shl i64 {fn.get(word)}, 6"), first)
    fn.set(reached, number)
    one(fn.add(number, rounds.low), end, again)
    fn.goto(again)
    fn.place(done)
    fn.set(reached, str(rounds.high - rounds.low))
    fn.place(end)
    _charge(code, rounds, row, fn.get(reached))


def _charge(code: Code, rounds: Rounds, row: str, reached: str) -> None:
    """For rounds before `reached` that were passed over."""
    fn, total = code.fn, "0"
    for place, (_, cost) in enumerate(rounds.charged, 1):
        for word in range(rounds.words):
            ended = fn.load(row, place * rounds.words + word)
            here = fn.sub(reached, 64 * word)
            few = fn.sub(fn.op(f"shl i64 1, {fn.both(here, 63)}"), 1)
            below = fn.select(fn.compare("sge", here, 64), -1, few)
            below = fn.select(fn.compare("sle", here, 0), 0, below)
            number = fn.op(f"call i64 @llvm.ctpop.i64(i64 {fn.both(ended, below)})")
            total = fn.add(total, fn.mul(number, cost))
    if rounds.charged:
        code.spend(total, -1)


def _write_fill(unit: Unit, rounds: Rounds) -> None:
    """`i1 fill(m, c, row, keys...)`: which rounds are worth it. What fails is."""
    looking = rounds.looking
    params = [(I64, f"k{index}") for index in range(len(looking.keys))]
    fn = Fn(f"fill_{rounds.name}", I1, [*STATE, (PTR, "row"), *params], attributes=SELDOM)
    code = Code(fn, unit, fn.variable("0"), "0", "", lambda value: None, free=True)
    asked = tuple(ops.Evaluate(each.condition) for each in looking.tests)
    code.make_locals((*looking.before, *asked, ops.SetLocal(looking.round, ops.Const(0))))
    charged = [place for place, _ in rounds.charged]
    fn.clear("%row", 0, rounds.width)
    with fn.count(0, rounds.high - rounds.low) as number:
        code.known = {looking.first + key: f"%k{key}" for key in range(len(params))}
        code.failed, code.fails, following = fn.label(), {}, fn.label()
        fn.set(code.scalars[looking.round], fn.add(number, rounds.low))
        for each in looking.before:
            fn.set(code.scalars[each.index], value(code, each.value))
        for place, asking in enumerate(looking.tests):
            onward, out = fn.label(), fn.label()
            ways = (onward, out) if asking.wanted else (out, onward)
            fn.branch(test(code, asking.condition), *ways)
            fn.place(out)
            if place in charged:
                _set_bit(fn, number, (1 + charged.index(place)) * rounds.words)
            fn.goto(following)
            fn.place(onward)
        fn.place(code.failed)
        _set_bit(fn, number, 0)
        fn.place(following)
    fn.ret("true")
    unit.texts.append(fn.text())


def _set_bit(fn: Fn, number: str, first: int) -> None:
    place = fn.at("%row", fn.add(fn.op(f"lshr i64 {number}, 6"), first))
    bit = fn.op(f"shl i64 1, {fn.both(number, 63)}")
    fn.store(place, 0, fn.either(fn.load(place), bit))


# ---- functions


def is_kept(unit: Unit, form: Form) -> bool:
    """Whether what a function gives is looked up by its arguments, in this form."""
    plain = replace(form, free=False, marking=False, ample=False)
    fits = plain == Form(form.number, free=False, keeping=False) and (form.free or form.ample)
    return fits and (
        find_tabled(unit.steps, form.number) is not None
        or is_told_by_arguments(unit.steps, form.number)
    )


def _is_deep(fn: Fn, depth: str, more: int) -> str:
    """Whether calls may nest too deep, so that the rules must be followed to the letter."""
    return fn.compare("sgt", depth, limits.CALL_DEPTH - more)


def look_up(code: Code, form: Form) -> None:
    """What the function gives, and in how many steps, from when it was worked out."""
    fn, unit = code.fn, code.unit
    function = unit.program.functions[form.number]
    working = unit.form(replace(form, marking=False, exact=True))
    given = [f"%a{index}" for index in range(function.params)]
    unknown = fn.label()
    if unit.deep:
        deep = _is_deep(fn, "%d", depth_of_calls(unit.program, function.body))
        fn.go_unless(fn.op(f"xor i1 {deep}, true"), unknown)
    tabled = find_tabled(unit.steps, form.number)
    if tabled is None:
        result, steps = _known_by_now(code, form, working, given, unknown)
    else:
        result, steps = _known_before(code, tabled, given, unknown)
    if form.free and unit.steps.pays(form.number):
        code.pay_steps(steps)
    code.spend(steps, -1)
    code.returning(result)
    fn.place(unknown)
    passed = (f"i64 {each}" for each in given)
    fn.ret(fn.call(working, PAIR, PASSED, "i64 %s", "i64 %d", *passed))


def _known_before(code: Code, tabled: Tabled, given: list[str], unknown: str) -> tuple[str, str]:
    """From a constant table, if the arguments are such as are declared, and nothing fails."""
    fn, place = code.fn, "0"
    for argument, (low, high) in zip(given, tabled.bounds, strict=True):
        moved = fn.sub(argument, low)
        fn.go_unless(fn.compare("ult", moved, high - low + 1), unknown)
        place = fn.add(fn.mul(place, high - low + 1), moved)
    steps = found_at(code, tabled.steps, place)
    if FAILS in tabled.steps:
        fn.go_unless(fn.compare("sge", steps, 0), unknown)
    return found_at(code, tabled.values, place), steps


def _known_by_now(
    code: Code, form: Form, working: str, given: list[str], unknown: str
) -> tuple[str, str]:
    """From a row, which is filled the first time that it is asked for."""
    fn, unit, name = code.fn, code.unit, f"{form.name}_told"
    emit_keyed(unit, name, len(given), 2)
    _write_working_out(unit, name, working, len(given))
    row = find_row(fn, name, given)
    fn.go_unless(fn.op(f"icmp ne {PTR} {row}, null"), unknown)
    return fn.load(row), fn.load(row, 1)


def _write_working_out(unit: Unit, name: str, working: str, params: int) -> None:
    """`i1 fill(m, c, row, keys...)`: the value and the steps. What fails is not kept."""
    keys = [(I64, f"k{index}") for index in range(params)]
    fn = Fn(f"fill_{name}", I1, [*STATE, (PTR, "row"), *keys], attributes=SELDOM)
    given = [f"i64 %{key}" for _, key in keys]
    pair = fn.call(working, PAIR, PASSED, "i64 0", "i64 0", *given)
    steps = fn.op(f"extractvalue {PAIR} {pair}, 1")
    fn.store("%row", 0, fn.op(f"extractvalue {PAIR} {pair}, 0"))
    fn.store("%row", 1, steps)
    fn.ret(fn.compare("sge", steps, 0))
    unit.texts.append(fn.text())

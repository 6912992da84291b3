"""Statements as LLVM IR, and the functions of the program that are made of them."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import assert_never

from interpreter import limits
from interpreter.play.native.emit import context
from interpreter.play.native.emit.again import emit_again, keep_floods, kept_flood, take_back
from interpreter.play.native.emit.anywhere import pass_over_lines
from interpreter.play.native.emit.asking import asking_loop, pass_over
from interpreter.play.native.emit.at_once import ask_at_once, is_asked_at_once
from interpreter.play.native.emit.code import PASSED, Code, Form, Unit, open_function
from interpreter.play.native.emit.digits import emit_digits
from interpreter.play.native.emit.expressions import (
    local,
    local_place,
    masked,
    memory_place,
    number,
    test,
    value,
)  # fmt: skip
from interpreter.play.native.emit.flooding import emit_flood, flood_to_end_early
from interpreter.play.native.emit.hoisting import emit_hoisted
from interpreter.play.native.emit.listing import keep_answer
from interpreter.play.native.emit.looking import go_through_rows, is_kept, look_up, told_rounds
from interpreter.play.native.emit.memory import (
    remember_answers,
    remember_calls,
    remember_repeated,
)
from interpreter.play.native.emit.nearby import ask_nearby
from interpreter.play.native.emit.positions import tell_of_row
from interpreter.play.native.emit.possible import go_through_bits
from interpreter.play.native.emit.reaching import emit_reach
from interpreter.play.native.emit.rounds import Bits, bits_of_rounds, needed_rounds
from interpreter.play.native.emit.seeking import seek_at_once
from interpreter.play.native.emit.sets import touch_in_steps
from interpreter.play.native.emit.slotted import seek_in_slots
from interpreter.play.native.emit.sorting import SortsAsked, go_through_sort, sort_inside
from interpreter.play.native.emit.spreading import emit_spreading, flood_to_spread
from interpreter.play.native.emit.text import PAIR
from interpreter.play.native.emit.together import ask_together
from interpreter.play.native.emit.watching import emit_element, emit_watched
from interpreter.play.native.facts import shape
from interpreter.play.native.facts.digits import find_digits
from interpreter.play.native.facts.sets import find_sets
from interpreter.play.native.facts.shape import is_foreseeable, is_plain_offer
from interpreter.program import layout, ops
from interpreter.program.touches import locals_read, operations

_UNROLLED, _UNROLLED_IN_ALL = 2000, 8000  # operations
_AMPLE = limits.STEPS_PER_MOVE // 16  # steps


def emit_function(unit: Unit, form: Form) -> None:
    plain = form == Form(form.number, free=False, keeping=False)
    amply = plain and has_ample(unit, form.number)
    code = open_function(unit, form, bare=amply or form.watched or form.kept)
    if form.watched:
        emit_watched(code, form)
    elif form.kept:
        keep_answer(code, form)
    elif form.element:
        emit_element(code, form, block)
    elif amply:
        go_amply(code, form)
    elif is_kept(unit, form):
        look_up(code, form)
    else:
        sets = find_sets(unit.program, form.number) if form.ample else None
        if sets is not None:
            touch_in_steps(code, sets)
        code.memory = remember_repeated(code, code.body)
        keep_floods(code, code.body)
        block(code, code.body)
        code.returning("0")
    unit.texts.append(code.fn.text())


def has_ample(unit: Unit, number: int) -> bool:
    """Whether a function that counts its steps need not ask at each of them whether there are too
    many: it only looks at the state, and takes a small part of what there are at most. What spends
    none in its loops would gain nothing."""
    return (
        any(map(_spends_by_rounds, operations(unit.program.functions[number].body)))
        and shape.is_pure(unit.program, number)
        and unit.steps.function(number) <= _AMPLE
    )


def _spends_by_rounds(op: ops.Expr | ops.Statement) -> bool:
    if not isinstance(op, ops.CountLoop):
        return isinstance(op, ops.While)
    inside = (ops.Call, ops.CountLoop, ops.While)
    return any(isinstance(each, inside) for each in operations(op.body))


def go_amply(code: Code, form: Form) -> None:
    """In the form that never asks, if there are enough steps left."""
    fn, unit = code.fn, code.unit
    function = unit.program.functions[form.number]
    given = [f"i64 %a{index}" for index in range(function.params)]
    most = limits.STEPS_PER_MOVE - unit.steps.function(form.number)

    def go(which: Form) -> None:
        name = unit.form(which)
        fn.ret(fn.call(name, PAIR, PASSED, "i64 %s", "i64 %d", *given))

    with fn.when(fn.compare("sgt", "%s", most), rare=True):
        go(replace(form, exact=True))
    go(replace(form, ample=True))


def block(code: Code, statements: tuple[ops.Statement, ...]) -> None:
    passed = 0
    while passed < len(statements) and code.fn.open:  # nothing leads to what follows a jump
        again = kept_flood(code, statements, passed)
        plain = None if again else flood_to_spread(code, statements, passed)
        flood = again or plain or flood_to_end_early(code, statements, passed)
        length = 1 if flood is None else flood.length
        inside = statements[passed : passed + length]
        if code.noting is not None and not isinstance(inside[0], ops.When):
            code.noting(inside)
        if again is not None:
            emit_again(code, again, inside, statement)
        elif plain is not None:
            emit_spreading(code, plain, inside, statement)
        elif flood is None:
            statement(code, inside[0])
            take_back(code, inside[0])
        else:
            assert code.counter is not None
            unpaid = code.counter.unpaid(inside)
            if unpaid:
                code.pay_steps(unpaid)
            emit_flood(code, flood, block)
        passed += length


def statement(code: Code, op: ops.Statement) -> None:
    fn = code.fn
    match op:
        case ops.SetLocal(index, new):
            _set_local(code, index, value(code, new))
            if code.occupied is not None:
                code.occupied.set_local(index, new if code.mask is None else ops.Const(0))
        case ops.SetLocalAt(base, index, _, new):
            found = value(code, new)
            fn.store(local_place(code, base, value(code, index)), 0, found)
        case ops.SetMemory(address, new):
            assert address != layout.STEPS
            fn.write("%m", address, value(code, new))
        case ops.SetMemoryAt(base, index, size, new, _):
            found = value(code, new)
            place = memory_place(code, base, index, size)
            if code.kept is not None:
                code.kept.write(base, value(code, index), found)
            fn.write(place, 0, found)
            tell_of_row(code, base, index)
        case ops.When(condition, then, otherwise):
            _when(code, op, condition, then, otherwise)
        case ops.CountLoop():
            _count_loop(code, op)
        case ops.While():
            _while(code, op)
        case ops.Reach():
            emit_reach(code, op, block)
        case ops.Break():
            fn.goto(code.loops[-1][0])
        case ops.Continue():
            fn.goto(code.loops[-1][1])
        case ops.Return(result):
            code.returning(value(code, result))
        case ops.Emit(values):
            assert code.emitting is not None
            code.emitting(tuple(value(code, part) for part in values))
        case ops.Fail(failure, at):
            code.fail(context.code_number(failure), at)
        case ops.Evaluate(result):
            value(code, result)
        case ops.MovePiece(kind, piece, place, bottom, at, whole):
            given = [value(code, piece), value(code, place)]
            _on_pieces(code, f"move{kind}", *given, str(int(bottom)), str(at), str(int(whole)))
        case ops.ShufflePlace(kind, place):
            _on_pieces(code, f"shuffle{kind}", value(code, place))
        case ops.Know(kind, piece, seats, forget):
            given = [value(code, piece), value(code, seats)]
            _on_pieces(code, f"{'forget' if forget else 'know'}{kind}", *given)
        case ops.Cite():
            pass  # watched programs run on the reference machine
        case ops.Tell(_, values):
            for part in values:
                value(code, part)
            charge_copy(code)
        case _:
            assert_never(op)


def _set_local(code: Code, index: int, new: str) -> None:
    fn, slot = code.fn, local(code, index)
    if code.mask is not None:
        new = fn.select(code.mask, new, fn.get(slot))
    fn.set(slot, new)
    if number(new) is not None and index in code.scalars:
        code.known[index] = new
    else:
        code.known.pop(index, None)


def _when(
    code: Code,
    op: ops.When,
    condition: ops.Expr,
    then: tuple[ops.Statement, ...],
    otherwise: tuple[ops.Statement, ...],
) -> None:
    fn, known, noting = code.fn, code.known, code.noting
    hoisted = code.hoisted.get(id(op))
    if hoisted is not None:
        emit_hoisted(code, op, hoisted, block)
        return
    offers = code.emitting is not None and is_plain_offer((op,))
    unforeseen = locals_read(condition) & code.sorts_there or not is_foreseeable(condition)
    at_once = offers and bool(unforeseen)
    if noting is not None:  # what is inside is noted where it begins
        noting(op if at_once else condition)
    bit = test(code, condition)
    if bit in ("true", "false"):
        block(code, then if bit == "true" else otherwise)
        return
    if at_once:
        around = code.mask
        code.mask = masked(code, bit)
        block(code, then)
        code.mask = around
        return

    def one_way(part: tuple[ops.Statement, ...]) -> None:
        code.known, code.noting = dict(known), None
        if noting is not None:
            noting(part)
        block(code, part)
        code.settle()
        code.forget(part)
        code.noting = noting

    code.settle()
    fn.choose(masked(code, bit), lambda: one_way(then), lambda: one_way(otherwise))
    code.known = known
    code.forget((then, otherwise))


def charge_copy(code: Code) -> None:
    """The log keeps a copy of the state: it costs the same with and without a log."""
    code.spend(code.unit.program.layout.size, -1)


def _on_pieces(code: Code, name: str, *given: str) -> None:
    numbers = [f"i64 {part}" for part in (code.fn.get(code.steps), *given)]
    code.take_steps(code.fn.call(name, "i64", PASSED, *numbers))


def _count_loop(code: Code, op: ops.CountLoop) -> None:
    fn = code.fn
    low = value(code, op.low)
    high = value(code, op.high)
    if isinstance(op.low, ops.Const) and isinstance(op.high, ops.Const):
        rounds = op.high.value - op.low.value
        if rounds <= 0:
            return
        count = str(rounds)
        digits = find_digits(op)
        if digits is not None and code.mask is None:
            code.spend(count, op.at)
            emit_digits(code, op, digits)
            return
        if is_asked_at_once(code, op, rounds):
            code.spend(count, op.at)
            ask_at_once(code, op, op.low.value, op.high.value)
            return
        asked = SortsAsked(code, op)
        if _is_unrolled(code, asked.loop, rounds):
            code.spend(count, op.at)
            asked.prepare()
            code.unrolling = True
            for now in range(op.low.value, op.high.value):
                _set_local(code, op.local, str(now))
                block(code, asked.loop.body)
            code.settle()
            code.unrolling = False
            return
        if seek_at_once(code, op, op.low.value, op.high.value) or seek_in_slots(code, op):
            code.spend(count, op.at)
            return
        bits = bits_of_rounds(code, op, op.low.value, op.high.value)
        if bits is not None:
            _rounds_by_bits(code, op, bits, op.low.value, rounds)
            return
        slowly = partial(_go_round, code, op, low, high, count)
        if ask_together(code, op, slowly) or ask_nearby(code, op, slowly):
            return
    else:
        wide = fn.op(f"call i64 @llvm.ssub.sat.i64(i64 {high}, i64 {low})")
        count = fn.op(f"call i64 @llvm.smax.i64(i64 0, i64 {wide})")
    _go_round(code, op, low, high, count)


def _go_round(code: Code, op: ops.CountLoop, low: str, high: str, count: str) -> None:
    fn = code.fn
    code.spend(count, op.at)
    code.pay(op, count)
    code.forget(op)
    passed_over = pass_over_lines(code, op)
    remembered, sorted_before = code.memory, code.sorted_places
    code.sorted_places = {**sorted_before, **sort_inside(code, op)}
    news = {**remember_answers(code, op), **remember_repeated(code, op)}
    code.memory = {**remembered, **news}
    if code.occupied is not None:
        code.occupied.begin(op)
    told = told_rounds(code, op)
    if told is None:
        _some_or_all_rounds(code, op, low, high)
    else:
        go_through_rows(code, told, lambda *place: _round(code, op, *place))
    if passed_over is not None:
        fn.place(passed_over)
    code.forget(op)
    code.memory, code.sorted_places = remembered, sorted_before


def _some_or_all_rounds(code: Code, op: ops.CountLoop, low: str, high: str) -> None:
    if go_through_sort(code, op, high, lambda *given: _inside_round(code, op, *given)):
        return
    fn, end = code.fn, code.fn.label()
    asking = asking_loop(code, op)
    if asking is not None:
        pass_over(code, asking, end)
    needed = needed_rounds(code, op) if asking is None else None
    if needed is None:
        _all_rounds(code, op, low, high, end)
        return
    words, cost = needed
    assert isinstance(op.low, ops.Const) and isinstance(op.high, ops.Const)
    left = fn.variable(low)  # the first round that is not paid for

    def one(now: str) -> None:
        following = fn.label()
        if cost:
            code.spend(fn.mul(fn.sub(now, fn.get(left)), cost), -1)
            fn.set(left, fn.add(now, 1))
        _round(code, op, now, end, following)
        fn.place(following)

    go_through_bits(code, words, op.low.value, one)
    if cost:
        code.spend(fn.mul(fn.sub(high, fn.get(left)), cost), -1)
    fn.place(end)


def _all_rounds(code: Code, op: ops.CountLoop, low: str, high: str, end: str) -> None:
    fn = code.fn
    counter = fn.variable(low)
    again, body, following = (fn.label() for _ in range(3))
    fn.place(again)
    current = fn.get(counter)
    fn.branch(fn.compare("slt", current, high), body, end)
    fn.place(body)
    _round(code, op, current, end, following)
    fn.place(following)
    fn.set(counter, fn.op(f"add nsw i64 {fn.get(counter)}, 1"))
    fn.goto(again)
    fn.place(end)


def _round(code: Code, op: ops.CountLoop, now: str, end: str, following: str) -> None:
    _inside_round(code, op, op.body, now, end, following)


def _inside_round(
    code: Code,
    op: ops.CountLoop,
    body: tuple[ops.Statement, ...],
    now: str,
    end: str,
    following: str,
) -> None:
    if code.round is not None:
        code.round()
    code.fn.set(local(code, op.local), now)
    code.loops.append((end, following))
    block(code, body)
    code.loops.pop()


def _rounds_by_bits(code: Code, op: ops.CountLoop, bits: Bits, low: int, rounds: int) -> None:
    """Only the rounds that something can come of."""
    code.spend(str(rounds), op.at)
    code.pay(op, rounds)
    code.forget(op)
    fn = code.fn

    def one(now: str) -> None:
        following = fn.label()
        _round(code, op, now, "", following)
        fn.place(following)

    go_through_bits(code, bits(), low, one)
    code.forget(op)


def _is_unrolled(code: Code, op: ops.CountLoop, rounds: int) -> bool:
    """Offers of a short loop are written out: most of their conditions are constants then."""
    if code.emitting is None or code.mask is not None or not is_plain_offer(op.body):
        return False
    size = rounds * sum(1 for _ in operations(op.body))
    if size > _UNROLLED or code.unit.unrolled + size > _UNROLLED_IN_ALL:
        return False
    code.unit.unrolled += size
    return True


def _while(code: Code, op: ops.While) -> None:
    fn = code.fn
    code.forget(op)
    before = code.memory
    code.memory = {**before, **remember_calls(code, op)}
    again, body, end = (fn.label() for _ in range(3))
    fn.place(again)
    fn.branch(test(code, op.condition), body, end)
    fn.place(body)
    code.spend(1, op.at)
    code.pay(op, 1)
    code.loops.append((end, again))
    block(code, op.body)
    code.loops.pop()
    fn.goto(again)
    fn.place(end)
    code.forget(op)
    code.memory = before

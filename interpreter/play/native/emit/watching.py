"""Answers that a trial leaves as they are: see facts/watched.py.

A function that is asked in a trial has a form in front of it (`emit_watched`) that looks whether
the answer is known from before the trial. If not, what the trial has written so far is put back for
a moment, and the function is asked in the form that marks every cell it reads, each with the bit of
this answer; then the trial goes on. An answer holds if no cell that the trial has written bears its
mark. Marks of several answers may share a bit: then an answer is asked anew that need not be.

Of a list, every element has its bit. Known is which elements were found; those that are marked are
asked once more, in their order, so that whatever fails first in the rules fails first here. A list
is gone through only if it is asked a second time with the same arguments: it takes longer to ask
all elements than to ask until one is found.

Whether it helps is noted for every place that asks; where it does not, for the trials write just
what is asked for, the function is asked at once, and only now and then it is tried again.
"""

from __future__ import annotations

from collections.abc import Callable

from interpreter.play.native.emit import context
from interpreter.play.native.emit.code import PASSED, SITES, STATE, Code, Form, Unit
from interpreter.play.native.emit.positions import PositionsBefore
from interpreter.play.native.emit.sets import Group, emit_noting, note_if_new
from interpreter.play.native.emit.text import AS_IT_IS, I64, PAIR, PTR, Fn
from interpreter.play.native.emit.trials import swap, swapped
from interpreter.play.native.facts import watched
from interpreter.play.native.facts.positions import Positions
from interpreter.play.native.facts.sets import Sets
from interpreter.play.native.facts.watched import Elements, Watch
from interpreter.program import ops

Block = Callable[[Code, tuple[ops.Statement, ...]], None]
_ASKED, _SURE, _FAILED = 1, 2, 3  # what is known of an entry: who asked, the answer, that it fails
_GAIN, _LOSS = 1, 2  # what a site is credited with if an answer holds, or does not
_MOST, _LEAST, _PAUSE = 64, -64, 4096  # credit; and how many calls it is given up for
_SPREAD = (1, 37, 11, 101)  # what arguments are multiplied with, to find their entry


def watch_anew(unit: Unit, fn: Fn) -> None:
    """Options are going to be enumerated: nothing is known of this state."""
    if not unit.watched.functions:
        return
    area = fn.load("%c", context.WATCHED, PTR)
    for watch in unit.watched.functions.values():
        for start in sorted({watch.start, watch.sets_start}):
            fn.store(area, start + watched.KNOWN, 0)


def emit_watching(unit: Unit) -> None:
    """`touched(m, c, marks)`: all marks of cells that the trial has written. `watched()`: how much
    memory a thread needs for what is known, which holds nothing but 0 at first."""
    room = Fn("watched", I64, [], exported=True, attributes=AS_IT_IS)
    room.ret(unit.watched.size + unit.listed.size)
    unit.texts.append(room.text())
    if unit.watched.functions:
        unit.texts += [swap(), _touched()]
    for number, watch in unit.watched.functions.items():
        unit.texts.append(f"@worth{number} = internal global [{SITES} x i64] zeroinitializer")
        if watch.sets is not None:
            emit_noting(unit, number)


def _touched() -> str:
    fn = Fn("touched", I64, [*STATE, (PTR, "marks")], attributes="inlinehint")
    found = fn.variable("0")
    end = fn.load("%c", context.TRIALS, PTR)
    pair = fn.variable(fn.load("%c", context.TRIAL, PTR), PTR)
    with fn.loop(lambda: fn.op(f"icmp ne ptr {fn.get(pair, PTR)}, {end}")):
        now = fn.get(pair, PTR)
        fn.set(found, fn.either(fn.get(found), fn.load(fn.at("%marks", fn.load(now, 0), "i8"))))
        fn.set(pair, fn.at(now, 2), PTR)
    fn.ret(fn.get(found))
    return fn.text()


# ---- asking


def emit_watched(code: Code, form: Form) -> None:
    """The function itself is asked where nothing else helps."""
    it = _Asking(code, form)
    if it.watch.sets is not None and form.whether == it.watch.sets.counts:
        it.ask_sets(it.watch.sets, whole=form.whole)
    elif it.watch.positions is not None:
        it.ask_positions(it.watch.positions, whole=form.whole)
    elif not form.whole:
        it.give_up_if(code.fn.compare("ne", code.fn.load("%c", context.KEEP_WHOLE), 0))
        it.give_up_if_worthless()
        code.hand_over()
    elif it.watch.elements is not None:
        it.begin()
        it.ask_list(it.watch.elements)
    else:
        it.begin()
        it.ask_one()
    code.fn.place(it.plain)
    name = code.unit.form(Form(form.number, free=True, keeping=False, seeking=form.whole))
    given = [f"i64 {each}" for each in it.given]
    found = code.fn.call(name, PAIR, PASSED, "i64 %s", "i64 %d", *given)
    if form.whether:
        some = code.fn.compare("ne", code.fn.op(f"extractvalue {PAIR} {found}, 0"), 0)
        found = code.fn.op(f"insertvalue {PAIR} {found}, i64 {code.fn.widen(some)}, 0")
    code.fn.ret(found)


class _Asking:
    """One such function while it is written."""

    def __init__(self, code: Code, form: Form) -> None:
        self.code, self.fn, self.number = code, code.fn, form.number
        self.watch: Watch = code.unit.watched.functions[form.number]
        self.given = [f"%a{index}" for index in range(self.watch.params)]
        self.plain = code.fn.label()
        self.area = self.marks = ""
        self.pays = code.unit.steps.pays(form.number)
        self.worth = code.fn.at(f"@worth{form.number}", f"%a{self.watch.params}")

    def give_up_if(self, test: str, *, rare: bool = True) -> None:
        onward = self.fn.label()
        self.fn.branch(test, self.plain, onward, rare=rare)
        self.fn.place(onward)

    def give_up_if_worthless(self) -> None:
        """Where answers do not hold, the function is asked at once for a while."""
        fn, credit = self.fn, self._credit()
        with fn.when(fn.compare("slt", credit, _LEAST)):
            self._set_credit(fn.add(credit, 1))
            fn.goto(self.plain)

    def begin(self) -> None:
        """The memory for it, cleared if nothing is known."""
        fn, watch = self.fn, self.watch
        self.area = self._area()
        self.marks = fn.at(self.area, watched.marks(watch))
        fresh = fn.compare("eq", fn.load(self.area, watched.KNOWN), 0)
        with fn.when(fresh):
            fn.clear(self.area, 0, watched.marks(watch))
            for first, number in watch.read:
                fn.clear(self.marks, first, number)
            fn.store(self.area, watched.KNOWN, 1)

    def _credit(self) -> str:
        return self.fn.op(f"load atomic i64, {PTR} {self.worth} unordered, align 8")

    def _set_credit(self, credit: str) -> None:
        self.fn.line(f"store atomic i64 {credit}, {PTR} {self.worth} unordered, align 8")

    def _touched(self) -> str:
        return self.fn.call("touched", I64, PASSED, f"{PTR} {self.marks}")

    def _helped(self, bit: str) -> None:
        """Note whether an answer held."""
        fn, credit = self.fn, self._credit()
        more = fn.op(f"call i64 @llvm.smin.i64(i64 {fn.add(credit, _GAIN)}, i64 {_MOST})")
        less = fn.sub(credit, _LOSS)
        gone = fn.select(fn.compare("slt", less, _LEAST), _LEAST - _PAUSE, less)
        self._set_credit(fn.select(bit, more, gone))

    def _same(self, entry: str) -> str:
        """Whether an entry is of the same arguments."""
        fn, same = self.fn, "true"
        for index, each in enumerate(self.given):
            equal = fn.compare("eq", fn.load(entry, watched.ARGUMENTS + index), each)
            same = fn.op(f"and i1 {same}, {equal}")
        return same

    def _note_arguments(self, entry: str) -> None:
        for index, each in enumerate(self.given):
            self.fn.store(entry, watched.ARGUMENTS + index, each)

    def _before_the_trial(self, ask: Callable[[], None]) -> None:
        """What is asked inside finds the state as it was. What fails there has not happened."""
        fn = self.fn
        failure = [(cell, fn.load("%c", cell)) for cell in (context.ERROR, context.AT)]
        fn.store("%c", context.MARKS, self.marks, PTR)
        swapped(fn, ask)
        for cell, held in failure:
            fn.store("%c", cell, held)

    # ---- a function that gives one answer

    def ask_one(self) -> None:
        fn, watch = self.fn, self.watch
        number = "0"
        for index, each in enumerate(self.given):
            number = fn.add(number, fn.mul(each, _SPREAD[index % len(_SPREAD)]))
        number = fn.both(number, watched.NUMBER_OF_ENTRIES - 1)
        entry = fn.at(self.area, fn.add(fn.mul(number, watched.width(watch)), watched.ENTRIES))
        bit = fn.op(f"shl i64 1, {fn.both(number, 63)}")
        known = fn.compare("ne", fn.load(entry, watched.STATE), 0)
        known = fn.op(f"and i1 {known}, {self._same(entry)}")
        with fn.when(_negated(fn, known)):
            self._before_the_trial(lambda: self._find_out(entry, bit))
        sure = fn.compare("eq", fn.load(entry, watched.STATE), _SURE)
        self.give_up_if(_negated(fn, sure))
        holds = fn.compare("eq", fn.both(self._touched(), bit), 0)
        self._helped(holds)
        self.give_up_if(_negated(fn, holds), rare=False)
        self._pay(fn.load(entry, watched.PAID) if self.pays else 0)
        self._answer(fn.load(entry, watched.ANSWER))

    def _find_out(self, entry: str, bit: str) -> None:
        fn = self.fn
        fn.store("%c", context.MARK, bit)
        found, paid, failed = self._ask(Form(self.number, free=True, keeping=False, marking=True))
        fn.store(entry, watched.ANSWER, found)
        fn.store(entry, watched.PAID, paid)
        fn.store(entry, watched.STATE, fn.select(failed, _FAILED, _SURE))
        self._note_arguments(entry)

    def _ask(self, form: Form, *more: str) -> tuple[str, str, str]:
        """The answer, what was paid for it, and whether it failed."""
        fn = self.fn
        given = [f"i64 {each}" for each in (*self.given, *more)]
        pair = fn.call(self.code.unit.form(form), PAIR, PASSED, "i64 0", "i64 %d", *given)
        paid = fn.op(f"extractvalue {PAIR} {pair}, 1")
        return fn.op(f"extractvalue {PAIR} {pair}, 0"), paid, fn.compare("slt", paid, 0)

    def _pay(self, steps: str | int) -> None:
        """What would have been paid, had the function been asked."""
        if self.pays:
            self.code.pay_steps(steps)

    def _answer(self, found: str) -> None:
        fn = self.fn
        pair = fn.op(f"insertvalue {PAIR} undef, i64 {found}, 0")
        steps = fn.get(self.code.steps) if self.pays else "%s"
        fn.ret(fn.op(f"insertvalue {PAIR} {pair}, i64 {steps}, 1"))

    # ---- how often a position was there

    def ask_positions(self, positions: Positions, *, whole: bool) -> None:
        fn, area = self.fn, self._area()
        asked = PositionsBefore(self.code, positions, area)
        self.give_up_if(fn.compare("ne", fn.load("%c", context.KEEP_WHOLE), 0))
        if whole:
            swapped(fn, asked.add_up)
        else:
            with fn.when(asked.is_new(), rare=True):
                self.code.hand_over()
        self.give_up_if(asked.may_be_there())
        self._pay(self.code.unit.steps.function(self.number))
        self._answer("0")

    def _area(self, start: int | None = None) -> str:
        first = self.watch.start if start is None else start
        return self.fn.at(self.fn.load("%c", context.WATCHED, PTR), first)

    # ---- what a group touches

    def ask_sets(self, sets: Sets, *, whole: bool) -> None:
        self.code.known = dict(enumerate(self.given))
        group = Group(self.code, sets, self._area(self.watch.sets_start))
        if not whole:
            self.give_up_if(self.fn.compare("ne", self.fn.load("%c", context.KEEP_WHOLE), 0))
            note_if_new(self.code, group, self.number)
            with self.fn.when(group.touches_anyway(self.give_up_if)):
                self._pay_for(group)
                self._answer("1")
            self.code.hand_over()
            return
        answer = group.touches(self.give_up_if)
        self._pay_for(group)
        self._answer(answer)

    def _pay_for(self, group: Group) -> None:
        if self.pays:
            self.code.pay_steps(group.most_steps())

    # ---- a list

    def ask_list(self, elements: Elements) -> None:
        fn = self.fn
        entry = fn.at(self.area, watched.ENTRIES)
        state, same = fn.load(entry, watched.STATE), self._same(entry)
        sure = fn.compare("eq", state, _SURE)
        asked = fn.compare("eq", state, _ASKED)
        other = _negated(fn, same)
        self.give_up_if(fn.op(f"and i1 {sure}, {other}"), rare=False)
        unasked = _negated(fn, fn.op(f"or i1 {sure}, {asked}"))
        first = fn.op(f"or i1 {other}, {unasked}")
        with fn.when(first):
            fn.store(entry, watched.STATE, _ASKED)
            self._note_arguments(entry)
            fn.goto(self.plain)
        with fn.when(_negated(fn, sure)):
            self._before_the_trial(lambda: self._find_out_all(entry, elements))
        touched = fn.either(self._touched(), fn.load(entry, watched.ASK_AGAIN))
        found = fn.load(entry, watched.ANSWER)
        self._pay(fn.load(entry, watched.PAID) if self.pays else 0)
        few = fn.op(f"call i64 @llvm.ctpop.i64(i64 {touched})")
        self._helped(fn.compare("sle", few, (elements.high - elements.low) // 2))
        waiting = fn.variable(fn.either(touched, found))
        hit, none = fn.label(), fn.label()
        again, body, look, onward = (fn.label() for _ in range(4))
        fn.place(again)
        left = fn.get(waiting)
        fn.branch(fn.compare("eq", left, 0), none, body)
        fn.place(body)
        element = fn.op(f"call i64 @llvm.cttz.i64(i64 {left}, i1 true)")
        bit = fn.op(f"shl i64 1, {element}")
        fn.branch(fn.compare("eq", fn.both(touched, bit), 0), hit, look)
        fn.place(look)
        form = Form(self.number, free=True, keeping=False, element=True)
        holds, paid, failed = self._ask(form, fn.add(element, elements.low))
        self.code.leave_if(failed)
        self._pay(paid)
        fn.branch(fn.compare("ne", holds, 0), hit, onward)
        fn.place(onward)
        fn.set(waiting, fn.op(f"and i64 {left}, {fn.sub(left, 1)}"))
        fn.goto(again)
        for label, answer in zip((hit, none), elements.answers, strict=True):
            fn.place(label)
            self._answer(str(answer))

    def _find_out_all(self, entry: str, elements: Elements) -> None:
        fn = self.fn
        found, again, total = (fn.variable("0") for _ in range(3))
        form = Form(self.number, free=True, keeping=False, marking=True, element=True)
        with fn.count(0, elements.high - elements.low) as number:
            bit = fn.op(f"shl i64 1, {number}")
            fn.store("%c", context.MARK, bit)
            holds, paid, failed = self._ask(form, fn.add(number, elements.low))
            if self.pays:
                fn.set(total, fn.add(fn.get(total), fn.select(failed, 0, paid)))
            fn.set(again, fn.either(fn.get(again), fn.select(failed, bit, 0)))
            hit = fn.compare("ne", holds, 0)
            fn.set(found, fn.either(fn.get(found), fn.select(hit, bit, 0)))
        fn.store(entry, watched.ANSWER, fn.get(found))
        fn.store(entry, watched.ASK_AGAIN, fn.get(again))
        fn.store(entry, watched.PAID, fn.get(total))
        fn.store(entry, watched.STATE, _SURE)


def _negated(fn: Fn, bit: str) -> str:
    return fn.op(f"xor i1 {bit}, true")


def emit_element(code: Code, form: Form, block: Block) -> None:
    """Whether one element is what a list looks for."""
    watch = code.unit.watched.functions[form.number]
    elements = watch.elements
    assert elements is not None
    block(code, elements.before)
    fn, hit, missed = code.fn, code.fn.label(), code.fn.label()
    fn.set(code.scalars[elements.loop.local], f"%a{watch.params}")
    code.known.pop(elements.loop.local, None)
    code.loops.append((hit, missed))
    block(code, elements.loop.body)
    code.loops.pop()
    for label, answer in ((missed, "0"), (hit, "1")):
        fn.place(label)
        code.returning(answer)

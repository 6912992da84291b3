"""Straight code under construction: its locals, its steps and the way out when it fails.

A function of the program becomes an LLVM function that takes the buffer, the context, the
steps so far and the depth of calls, and gives its value and the steps after it. Steps below
zero say that it failed; what and where stands in the context.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from interpreter import limits
from interpreter.play.native.emit import context
from interpreter.play.native.emit.kept import KeptBoards
from interpreter.play.native.emit.text import AS_IT_IS, I64, PAIR, PTR, Fn
from interpreter.play.native.facts import shape
from interpreter.play.native.facts.floods import arrays_of_floods
from interpreter.play.native.facts.hoisted import Hoisted, Plan, find_hoisted
from interpreter.play.native.facts.listed import Listing, find_listed
from interpreter.play.native.facts.occupied import Occupied
from interpreter.play.native.facts.routes import Key, Routes
from interpreter.play.native.facts.sorting import Sorting
from interpreter.play.native.facts.watched import Watched
from interpreter.program import ops
from interpreter.program.program import Program
from interpreter.program.touches import locals_read, locals_set, operations

STATE = [(f"{PTR} noalias", "m"), (f"{PTR} noalias", "c")]
PASSED = f"{PTR} %m, {PTR} %c"
FIRST_RANGE = 5  # number of the first metadata that tells a range
SITES = 64  # for each function; others share one
# The steps of ample code that failed: whoever does not look at them, because nothing can fail there
# but by a state that is none, goes on counting, and they stay below 0.
_FAR_BELOW = -(1 << 62)
_SIZES = (("i8", 7), ("i16", 15), ("i32", 31), (I64, 63))


@dataclass(slots=True)
class Table:
    name: str
    type: str
    values: tuple[int, ...]
    range: str  # what LLVM is told of its contents


@dataclass(frozen=True, slots=True)
class Form:
    """A function of the program, in one of its forms."""

    number: int
    free: bool  # it counts no steps
    keeping: bool  # what it writes is kept for the trial that it is part of
    watched: bool = False  # it is answered from what is known already; see watching.py
    marking: bool = False  # what it reads is marked
    element: bool = False  # of what it goes through, it asks only for one more that it is given
    whole: bool = False  # it is asked if the form without it could not answer at once
    seeking: bool = False  # a trial stands in its way; see flooding.py
    whether: bool = False  # it is only asked whether it gives more than 0
    ample: bool = False  # there are steps left for all that it can take: it counts, but never asks
    exact: bool = False  # there may not be
    listing: bool = False  # options are being listed: see listing.py
    kept: bool = False  # what it gives is kept for as long

    @property
    def name(self) -> str:
        words = (
            "keeping", "watched", "marking", "element", "whole", "seeking", "whether", "ample",
            "exact", "listing", "kept",
        )  # fmt: skip
        form = "".join(f"{word}_" for word in words if getattr(self, word))
        return f"{form}{'free' if self.free else 'f'}{self.number}"


@dataclass(slots=True)
class Unit:
    """The module under construction: what was asked for and is still to be written."""

    program: Program
    texts: list[str] = field(default_factory=list)
    tables: dict[tuple[int, ...], Table] = field(default_factory=dict)
    wanted: list[Form] = field(default_factory=list)
    asked: set[Form] = field(default_factory=set)
    deep: bool = False  # calls may nest too deep: count them
    tries: bool = False  # some condition tries out a routine
    looks: bool = False  # tries, or has `looking ahead`
    sealed: bool = False
    profiled: bool = False  # it tells where it is, all the time: see profiling.py
    steps: shape.Steps = field(init=False)
    routes: Routes = field(init=False)
    watched: Watched = field(init=False)
    listed: Listing = field(init=False)
    reached: set[Key] = field(default_factory=set)  # searches that have their function
    ranges: dict[str, int] = field(default_factory=dict)  # metadata, by its text
    unrolled: int = 0
    apart: set[str] = field(default_factory=set)  # functions that parts of `run` have
    ways: dict[int, str] = field(default_factory=dict)  # that floods keep, by what they are (`id`)
    failing: dict[int, bool] = field(default_factory=dict)  # functions
    sites: dict[int, int] = field(default_factory=dict)  # by function: where trials ask it
    plans: dict[tuple[int, bool], Plan] = field(default_factory=dict)  # of functions

    def __post_init__(self) -> None:
        self.steps = shape.steps_of(self.program)
        self.routes = Routes(self.program)
        self.watched = Watched(self.steps)
        if self.tries or self.deep:  # enumerations may stand in each other
            self.watched.functions = {}
        deep = self.tries or self.deep
        self.listed = Listing({}, frozenset(), 0) if deep else find_listed(self.steps)

    def table(self, values: tuple[int, ...]) -> Table:
        """A constant table, in the smallest integers that hold it."""
        found = self.tables.get(values)
        if found is None:
            low, high = min(values, default=0), max(values, default=0)
            type_ = next(t for t, bits in _SIZES if -(1 << bits) <= low and high < 1 << bits)
            facts = self.range_of(type_, low, high)
            found = Table(f"@table{len(self.tables)}", type_, values, facts)
            self.tables[values] = found
            rows = ", ".join(f"{type_} {value}" for value in values)
            self.texts.append(
                f"{found.name} = internal unnamed_addr constant [{len(values)} x {type_}] [{rows}]"
            )
        return found

    def near(self, type_: str, values: tuple[int, ...]) -> str:
        """A table with the cells beside each cell, as sets of bits."""
        name, rows = f"@near{len(self.texts)}", ", ".join(f"{type_} {each}" for each in values)
        kind = f"[{len(values)} x {type_}]"
        self.texts.append(f"{name} = internal unnamed_addr constant {kind} [{rows}]")
        return name

    def range_of(self, type_: str, low: int, high: int) -> str:
        bits = dict(_SIZES)[type_] + 1
        if high - low >= (1 << bits) - 1:
            return ""
        after = high + 1 if high + 1 < 1 << (bits - 1) else high + 1 - (1 << bits)
        text = f"!{{{type_} {low}, {type_} {after}}}"
        number = self.ranges.setdefault(text, FIRST_RANGE + len(self.ranges))
        return f", !range !{number}"

    def function(self, number: int, *, free: bool = False, keeping: bool = False) -> str:
        """The name of a function. What writes nothing has nothing to keep."""
        return self.form(Form(number, free, keeping and not shape.is_pure(self.program, number)))

    def listing(self, number: int) -> str:
        """The same where options are listed."""
        kept, asks = number in self.listed.functions, number in self.listed.asking
        return self.form(Form(number, True, keeping=False, listing=kept or asks, kept=kept))

    def can_fail(self, number: int) -> bool:
        """Whether something in a function can go wrong, however many steps there are."""
        if number not in self.failing:
            deep = self.deep and any(
                isinstance(op, ops.Call) for op in operations(self.program.functions[number].body)
            )
            self.failing[number] = deep or shape.can_fail(self.program, self.steps.cells, number)
        return self.failing[number]

    def plan(self, number: int, counted: bool) -> Plan:
        """The body of a function, with what its loops ask in all rounds before them."""
        key = number, counted
        if key not in self.plans:
            found = find_hoisted(self.steps, number, deep=self.deep, counted=counted)
            self.plans[key] = found
        return self.plans[key]

    def new_site(self, number: int) -> int:
        found = self.sites[number] = self.sites.get(number, -1) + 1
        return found % SITES

    def form(self, form: Form) -> str:
        if form not in self.asked:
            self.asked.add(form)
            self.wanted.append(form)
        return form.name


@dataclass(frozen=True, slots=True)
class Memo:
    """What was answered so far, for all values of the parts that the answer depends on."""

    keys: tuple[ops.Expr | int, ...]  # of a call, the numbers of its arguments
    lows: tuple[int, ...]  # their lowest values
    sizes: tuple[int, ...]
    values: str
    known: str
    costs: str | None  # the steps of each answer, where they are counted


@dataclass(frozen=True, slots=True)
class SortedPlace:
    """Which rounds of a loop have a piece of which sort; see sorting.py."""

    sorting: Sorting
    words: str  # slots
    present: str  # a bit for each sort that is there
    ready: str


@dataclass(slots=True)
class Code:
    fn: Fn
    unit: Unit
    steps: str  # slot
    depth: str
    failed: str  # label: the failure is noted, leave
    returning: Callable[[str], None]
    emitting: Callable[[tuple[str, ...]], None] | None = None
    unrolling: bool = False  # options may wait until there are several; see offers.py
    settle: Callable[[], None] = lambda: None  # writes down the options that wait
    scalars: dict[int, str] = field(default_factory=dict)
    arrays: dict[int, tuple[str, int]] = field(default_factory=dict)
    loops: list[tuple[str, str]] = field(default_factory=list)  # after it, next round
    fails: dict[tuple[int, int], str] = field(default_factory=dict)
    round: Callable[[], None] | None = None  # what is asked before each round of a loop
    known: dict[int, str] = field(default_factory=dict)  # locals that hold a constant here
    mask: str | None = None  # whether this would be run at all; see shape.py
    free: bool = False  # nobody asks how many steps it takes, as long as it ends
    ample: bool = False  # there are steps left for all that it can take
    counter: shape.Counter | None = None  # of free code
    trying: bool = False  # in a trial that keeps what it writes
    listing: bool = False  # options are being listed
    form: Form | None = None  # of the function it is part of
    occupied: Occupied | None = None  # where the state stands still
    memory: dict[ops.Expr, Memo] = field(default_factory=dict)
    sorted_places: dict[int, SortedPlace] = field(default_factory=dict)  # by their loops (`id`)
    sorts_there: set[int] = field(default_factory=set)  # locals with a bit for each sort
    noting: Callable[[Any], None] | None = None  # what is going to be run; see idle.py
    kept: KeptBoards | None = None  # contents of boards that are in registers, too
    kept_floods: dict[int, Any] = field(default_factory=dict)  # by their loops; see again.py
    body: tuple[ops.Statement, ...] = ()  # of the function, as it is written
    hoisted: dict[int, Hoisted] = field(default_factory=dict)  # by their statements

    def open_body(self, number: int) -> None:
        """The body of a function, as it is written where no step is one too many, and what counts
        them."""
        function = self.unit.program.functions[number]
        counter = shape.Counter(self.unit.steps, function.body, function.params, rough=self.free)
        plan = self.unit.plan(number, not self.free)
        if plan.hoisted:
            counter = counter.standing_for(plan.body, plan.loops, plan.left)
            self.hoisted = plan.hoisted
        self.counter, self.body = counter, plan.body

    # ---- locals

    def make_locals(self, body: Any, given: tuple[str, ...] = ()) -> None:
        """Slots for the locals a piece of code uses, 0 where nothing is given."""
        together = arrays_in(body)
        arrays = {local for base, size in together.items() for local in range(base, base + size)}
        used = {*range(len(given)), *locals_read(body), *locals_set(body)}
        for index in sorted(used - arrays):
            value = given[index] if index < len(given) else "0"
            self.scalars[index] = self.fn.variable(value)
        filled = arrays_of_floods(body) if together else set()
        for base, size in sorted(together.items()):
            slot = self.fn.slot(f"[{size} x i64]")
            if base not in filled:
                self.fn.clear(slot, 0, size)
            self.arrays[base] = slot, size

    # ---- failing

    def fail_label(self, code: int, at: int) -> str:
        """Where a failure is noted; one place for all that fail alike."""
        label = self.fails.get((code, at))
        if label is None:
            label = self.fails[code, at] = self.fn.label()
            self.fn.tail += [
                f"{label}:",
                f"  call fastcc void @fail(ptr %c, i64 {code}, i64 {at})",
                f"  br label %{self.failed}",
            ]
        return label

    def fail(self, code: int, at: int) -> None:
        self.fn.goto(self.fail_label(code, at))

    def fail_if(self, test: str, code: int | str, at: int) -> None:
        if test == "false":
            return
        number = code if isinstance(code, int) else context.code_number(code)
        if self.mask is not None:
            test = self.fn.op(f"and i1 {self.mask}, {test}")
        onward = self.fn.label()
        self.fn.branch(test, self.fail_label(number, at), onward, rare=True)
        self.fn.place(onward)

    def leave_if(self, test: str) -> None:
        """Something failed further in."""
        onward = self.fn.label()
        self.fn.branch(test, self.failed, onward, rare=True)
        self.fn.place(onward)

    # ---- steps

    def forget(self, code: Any) -> None:
        """Locals that this code can set are not known any more."""
        changed = locals_set(code)
        for index in changed:
            self.known.pop(index, None)
        if self.occupied is not None:
            self.occupied.forget(changed)

    def spend(self, number: str | int, at: int) -> None:
        if self.free:
            return
        before = self.fn.get(self.steps)
        if self.ample or (str(number).isdigit() and int(number) <= limits.STEPS_PER_MOVE):
            after = self.fn.add(before, number)
        else:  # a count can be as big as a number gets
            after = self.fn.op(f"call i64 @llvm.sadd.sat.i64(i64 {before}, i64 {number})")
        self.fn.set(self.steps, after)
        if not self.ample:
            self.fail_if(self.fn.compare("sgt", after, limits.STEPS_PER_MOVE), "RR608", at)

    def pay(
        self,
        loop: ops.CountLoop | ops.While | ops.Reach,
        rounds: str | int,
        counter: shape.Counter | None = None,
    ) -> None:
        """In free code, a loop that nobody knows the end of pays for its rounds."""
        counter = counter or self.counter
        if not self.free or counter is None or not counter.pays(loop):
            return
        once = counter.once(loop)
        self.fail_if(self.fn.compare("sgt", rounds, limits.STEPS_PER_MOVE), context.RETRY, -1)
        self.pay_steps(self.fn.mul(rounds, once))

    def pay_steps(self, number: str | int) -> None:
        """In free code: so many may have been taken."""
        after = self.fn.add(self.fn.get(self.steps), number)
        self.fn.set(self.steps, after)
        self.fail_if(self.fn.compare("sgt", after, limits.STEPS_PER_MOVE), context.RETRY, -1)

    def hand_over(self) -> None:
        """Let the whole form of this function give the answer: nothing has been done so far."""
        assert self.form is not None
        form = replace(self.form, whole=True)
        function = self.unit.program.functions[form.number]
        given = [f"i64 %a{index}" for index in range(function.params + form.watched)]
        name = self.unit.form(form)
        self.fn.ret(self.fn.call(name, PAIR, PASSED, "i64 %s", "i64 %d", *given))

    def take_steps(self, after: str) -> None:
        """The steps that came back from other code, or its failure."""
        self.leave_if(self.fn.compare("slt", after, 0))
        self.fn.set(self.steps, after)

    def call(self, number: int, given: list[str], at: int, *, whether: bool = False) -> str:
        """Calls count as steps, and nest only so deep."""
        fn = self.fn
        name = self.unit.function(number, free=self.free, keeping=fn.keeping)
        if self.trying and self.free and number in self.unit.watched.functions:
            form = Form(number, free=True, keeping=False, watched=True, whether=whether)
            name = self.unit.form(form)
            given = [*given, str(self.unit.new_site(number))]
        elif fn.marking is not None:
            name = self.unit.form(Form(number, free=True, keeping=False, marking=True))
        elif self.ample:
            name = self.unit.form(Form(number, free=False, keeping=False, ample=True))
        elif self.listing:
            name = self.unit.listing(number)
        depth = fn.add(self.depth, 1)
        if self.unit.deep:
            self.fail_if(fn.compare("sgt", depth, limits.CALL_DEPTH), "RR611", at)
        self.spend(1, at)
        # What never pays in free code is told no steps, and LLVM finds out that it gives none.
        settled = self.free and not self.unit.steps.pays(number)
        passed = [PASSED, f"i64 {'0' if settled else fn.get(self.steps)}", f"i64 {depth}"]
        pair = fn.call(name, PAIR, *passed, *(f"i64 {value}" for value in given))
        after = fn.op(f"extractvalue {PAIR} {pair}, 1")
        if self.ample and not self.unit.can_fail(number):
            fn.set(self.steps, after)
        elif settled:
            self.leave_if(fn.compare("slt", after, 0))
        else:
            self.take_steps(after)
        return fn.op(f"extractvalue {PAIR} {pair}, 0")


def arrays_in(body: Any) -> dict[int, int]:
    """The locals of code that stand together, by the first of them: how many."""
    found: dict[int, int] = {}
    for op in operations(body):
        if isinstance(op, (ops.LocalAt, ops.SetLocalAt)):
            found[op.base] = op.size
        elif isinstance(op, ops.Reach):
            found[op.prices] = op.cells
    return found


def open_function(unit: Unit, form: Form, *, bare: bool = False) -> Code:
    """An LLVM function for a function of the program, ready for its body; `bare`: which is in
    another one."""
    number, free = form.number, form.free
    params = unit.program.functions[number].params + form.element + form.watched
    names = [f"a{index}" for index in range(params)]
    head = [*STATE, (I64, "s"), (I64, "d"), *((I64, name) for name in names)]
    whole = form.whole or form.exact
    attributes = AS_IT_IS if form.exact and not (free or form.ample) else "noinline" * whole
    fn = Fn(form.name, PAIR, head, noting=unit.looks, attributes=attributes)
    fn.keeping = form.keeping
    if form.marking:
        fn.marking = fn.load("%c", context.MARKS, PTR), fn.load("%c", context.MARK)
    code = Code(fn, unit, fn.variable("%s"), "%d", "failed", lambda value: None, free=free)
    code.ample = form.ample
    function = unit.program.functions[number]
    code.body = function.body
    plain = replace(form, exact=False, listing=False)
    if plain == Form(number, free, keeping=False, ample=not free):
        code.open_body(number)
    elif free or form.ample:
        code.counter = shape.Counter(unit.steps, function.body, function.params, rough=free)
    code.trying, code.listing = form.keeping, form.listing
    code.form = form
    if shape.is_pure(unit.program, number):
        code.occupied = Occupied(unit.program)

    def returning(value: str) -> None:
        pair = fn.op(f"insertvalue {PAIR} undef, i64 {value}, 0")
        fn.ret(fn.op(f"insertvalue {PAIR} {pair}, i64 {fn.get(code.steps)}, 1"))

    code.returning = telling_where(unit, fn, number, returning)
    failed = _FAR_BELOW if form.ample else -1
    fn.tail += ["failed:", f"  ret {PAIR} {{ i64 0, i64 {failed} }}"]
    if not bare:
        given = tuple(f"%{name}" for name in names[: params - form.element])
        code.make_locals(code.body, given)
    return code


def telling_where(
    unit: Unit, fn: Fn, number: int, returning: Callable[[str], None]
) -> Callable[[str], None]:
    """At the start of a function that is to be profiled: it says that it is under way, and when it
    gives its value, who was before."""
    if not unit.profiled:
        return returning
    around = fn.load("%c", context.WHERE)
    fn.store("%c", context.WHERE, len(unit.program.code) + number)

    def leaving(value: str) -> None:
        fn.store("%c", context.WHERE, around)
        returning(value)

    return leaving


def spot_near(unit: Unit, pc: int) -> int:
    """The spot of the nearest instruction before `pc` that has one."""
    code = unit.program.code
    for position in range(min(pc, len(code) - 1), -1, -1):
        at = getattr(code[position], "at", -1)
        if isinstance(at, int) and at >= 0:
            return at
    return -1

"""What can be told of code before it is run: whether it is plain, how long it can take.

**Plain** code cannot call, loop or write to the state. It may be run where the reference machine
would skip it, as long as nothing comes of it: that avoids jumps, which cost more than a few
needless operations when nobody can foresee them. What fails in it is masked, so a division is plain
only by a known number: a processor does not wait for the mask.

**Free** code need not count its steps. Looking at options costs the game nothing, and it must only
be certain that it ends within the limit. So the most steps that code can take are worked out
beforehand (`Steps`, from the bounds of its loops). A loop that nobody knows the end of pays for
each round what a round costs at most; when that could be too much, it gives up, and the code is run
again in the form that counts exactly. It is right because a bound is never below the steps that the
reference machine would count, so nothing passes that would have failed.

**Still** code writes nothing, tells nobody anything, and tries out nothing: asked twice, it answers
the same. **Sure** code can neither fail nor take too long, so it may be left half way through.

What must not be assumed: that steps of free code are steps of the game. Code whose steps count, and
that is all that is run from stop to stop, is never free.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, assert_never

from interpreter import limits
from interpreter.play.native.facts.floods import rounds_of_floods
from interpreter.play.native.facts.ranges import Cells, Ranges
from interpreter.program import ops, trials
from interpreter.program.once import once_for_each_program
from interpreter.program.program import Program
from interpreter.program.touches import TOUCHES, operations, with_called

NEVER = 1 << 60  # more than any limit
# A loop that may take so many steps pays as it goes; where trials are long, one of fewer.
_ENDLESS, _LONG = limits.STEPS_PER_MOVE // 256, limits.STEPS_PER_MOVE // 16384
_PLAIN_SIZE = 24  # operations; beyond that a jump is cheaper


def is_plain(op: ops.Expr, size: int = _PLAIN_SIZE) -> bool:
    found = list(operations(op))
    return len(found) <= size and all(_is_plain(each) for each in found)


def _is_plain(op: ops.Expr) -> bool:
    """Of one operation; a sequence is come to before the statements in it, and is not plain."""
    match op:
        case ops.Const() | ops.Local() | ops.LocalAt() | ops.Memory() | ops.MemoryAt():
            return True
        case ops.Lookup() | ops.Unary() | ops.Choice() | ops.Within():
            return True
        case ops.Binary("shift"):
            return op.at < 0
        case ops.Binary("divide" | "divideUp" | "modulo", _, right):
            return isinstance(right, ops.Const) and right.value > 0
        case ops.Binary():
            return True
        case ops.Call() | ops.Sequence() | ops.Can() | ops.WhatIf():
            return False
        case _:
            assert_never(op)


def is_plain_offer(statements: tuple[ops.Statement, ...]) -> bool:
    """Whether statements only offer options, under conditions that are plain."""
    offers = False
    for each in statements:
        match each:
            case ops.SetLocal(_, value) if is_plain(value):
                pass
            case ops.Emit(values) if all(is_plain(value) for value in values):
                offers = True
            case ops.When(condition, then, ()) if is_plain(condition) and is_plain_offer(then):
                offers = True
            case _:  # whatever else it is, it does not only offer
                return False
    return offers and sum(1 for _ in operations(statements)) <= 2 * _PLAIN_SIZE


def is_foreseeable(op: ops.Expr) -> bool:
    """Whether a processor can guess a condition: it depends on constant tables and on where
    the loop is, not on what lies there in the state."""
    return not any(
        isinstance(each, (ops.MemoryAt, ops.LocalAt))
        and any(isinstance(part, ops.Local) for part in operations(each.index))
        for each in operations(op)
    )


def most_offers(cells: Cells, body: tuple[ops.Statement, ...]) -> int:
    """The most options that a generator can offer."""
    return min(NEVER, _offers(Ranges(cells, body, 0), body))


def _offers(ranges: Ranges, statements: tuple[ops.Statement, ...]) -> int:
    total = 0
    for each in statements:
        match each:
            case ops.Emit():
                total += 1
            case ops.When(_, then, otherwise):
                total += max(_offers(ranges, then), _offers(ranges, otherwise))
            case ops.CountLoop(_, low, high, body):
                rounds = max(0, ranges.of(high)[1] - ranges.of(low)[0])
                total += rounds * _offers(ranges, body)
            case ops.While(_, body):
                total += NEVER * _offers(ranges, body)
            case ops.Reach():
                total += each.cells * _offers(ranges, each.body)
            case ops.SetLocal() | ops.SetLocalAt() | ops.SetMemory() | ops.SetMemoryAt():
                pass
            case ops.Break() | ops.Continue() | ops.Return() | ops.Fail() | ops.Evaluate():
                pass
            case ops.MovePiece() | ops.ShufflePlace() | ops.Know() | ops.Tell() | ops.Cite():
                pass
            case _:
                assert_never(each)
    return total


def is_sure(steps: Steps, number: int) -> bool:
    """Whether nothing can go wrong in a generator, not even take too long."""
    body = steps.program.functions[number].body
    return (
        steps.of(body) <= limits.STEPS_PER_MOVE
        and most_offers(steps.cells, body) <= limits.OPTIONS
        and not can_fail(steps.program, steps.cells, number)
    )


def can_fail(
    program: Program, cells: Cells, number: int, seen: frozenset[int] = frozenset()
) -> bool:
    """Whether something in a function can go wrong, however long it takes."""
    function = program.functions[number]
    return body_can_fail(program, cells, function.body, function.params, seen)


def body_can_fail(
    program: Program,
    cells: Cells,
    body: Any,
    params: int = 0,
    seen: frozenset[int] = frozenset(),
    ranges: Ranges | None = None,
) -> bool:
    ranges = ranges or Ranges(cells, body, params)
    for op in operations(body):
        if _can_fail_itself(ranges, op):
            return True
        for other in TOUCHES[type(op)].calls(op, program):
            if other in seen or can_fail(program, cells, other, seen | {other}):
                return True
    return False


def _can_fail_itself(ranges: Ranges, op: ops.Expr | ops.Statement) -> bool:
    """Whether an operation can go wrong when what is inside it does not."""
    match op:
        case ops.Within(value, low, high):
            first, last = ranges.of(value)
            return first < low or last > high
        case ops.Fail() | ops.Can() | ops.Tell() | ops.MovePiece():
            return True
        case ops.Reach():
            return True  # prices are added up
        case ops.Binary("divide" | "divideUp" | "modulo", _, right):
            return ranges.of(right)[0] <= 0
        case ops.Binary():
            return op.at >= 0 and _may_overflow(ranges, op)
        case ops.Const() | ops.Local() | ops.LocalAt() | ops.Memory() | ops.MemoryAt():
            return False
        case ops.Lookup() | ops.Unary() | ops.Choice() | ops.Call() | ops.Sequence():
            return False
        case ops.WhatIf():
            return False
        case ops.SetLocal() | ops.SetLocalAt() | ops.SetMemory() | ops.SetMemoryAt():
            return False
        case ops.When() | ops.CountLoop() | ops.While() | ops.Break() | ops.Continue():
            return False
        case ops.Return() | ops.Emit() | ops.Evaluate() | ops.Cite():
            return False
        case ops.ShufflePlace() | ops.Know():
            return False
        case _:
            assert_never(op)


def _may_overflow(ranges: Ranges, op: ops.Binary) -> bool:
    one, two = ranges.of(op.left), ranges.of(op.right)
    match op.word:
        case "add":
            ends = [one[0] + two[0], one[1] + two[1]]
        case "subtract":
            ends = [one[0] - two[1], one[1] - two[0]]
        case "multiply":
            ends = [left * right for left in one for right in two]
        case _:
            return True
    return min(ends) < -limits.INT_MAX or max(ends) > limits.INT_MAX


class Steps:
    """The most steps that code can take, where that can be told.

    `rough` tells it without the loops that nobody knows the end of. Such a loop pays for each
    round as it goes, and gives up when that could be too much; then the code is run again in
    the form that counts exactly.
    """

    def __init__(
        self, program: Program, *, knows_floods: bool = False, endless: int = _ENDLESS
    ) -> None:
        self.program = program
        self.endless = endless
        self.cells = Cells(program)
        self.knows_floods = knows_floods  # that they end after a round for each cell
        self.functions: dict[tuple[int, bool], int] = {}

    def function(self, number: int, rough: bool = False) -> int:
        key = number, rough
        if key not in self.functions:
            self.functions[key] = NEVER  # recursion
            function = self.program.functions[number]
            self.functions[key] = self.of(function.body, function.params, rough)
        return self.functions[key]

    def pays(self, number: int) -> bool:
        """Whether something in a function pays as it goes."""
        return self.function(number) != self.function(number, rough=True)

    @property
    def is_fine(self) -> bool:
        """Whether loops pay that are not very long."""
        return self.endless < _ENDLESS

    def of(self, body: Any, params: int = 0, rough: bool = False) -> int:
        """Of a whole function, or of all code that shares its locals."""
        return min(NEVER, Counter(self, body, params, rough).of(body))


class Counter:
    """Counts the steps of one function.

    Where loops are written in another way (hoisted.py), `plain` counts those of the body as it was:
    a statement takes what the loop took that it stands for, and what is left of the loop is paid
    for already.
    """

    def __init__(self, steps: Steps, around: Any, params: int, rough: bool) -> None:
        self.steps = steps
        self.around = around
        self.params = params
        self.rough = rough
        self.plain: Counter = self
        self.loops: Mapping[int, ops.CountLoop] = {}  # by the `id` of statements
        self.left: frozenset[int] = frozenset()  # the `id` of what is left of loops
        self.ranges = Ranges(steps.cells, around, params)
        self.floods = rounds_of_floods(around) if steps.knows_floods else {}

    def rounds(self, loop: ops.CountLoop | ops.While | ops.Reach) -> int:
        """The most rounds of a loop, or something huge."""
        if isinstance(loop, ops.Reach):
            return NEVER
        known = self.floods.get(id(loop))
        if known is not None:
            return known
        if isinstance(loop, ops.While):
            return _while_rounds(loop, self.around, self.params)
        return max(0, self.ranges.of(loop.high)[1] - self.ranges.of(loop.low)[0])

    def pays(self, loop: ops.CountLoop | ops.While | ops.Reach) -> bool:
        """Whether a loop pays as it goes."""
        if id(loop) in self.left:
            return False
        return self.rounds(loop) * (1 + self.once(loop)) > self.steps.endless

    def unpaid(self, code: Any) -> int:
        """The most that is paid for code while it goes, which it is not if it is passed over."""
        return self._with(rough=False).of(code) - self.of(code)

    def standing_for(
        self, around: Any, loops: Mapping[int, ops.CountLoop], left: frozenset[int]
    ) -> Counter:
        """The same of a body in which loops are written in another way."""
        found = Counter(self.steps, around, self.params, self.rough)
        found.plain, found.loops, found.left = self, loops, left
        return found

    def _with(self, rough: bool) -> Counter:
        if self.plain is self:
            return Counter(self.steps, self.around, self.params, rough)
        return self.plain._with(rough).standing_for(self.around, self.loops, self.left)

    def once(self, loop: ops.CountLoop | ops.While | ops.Reach) -> int:
        """The most steps of one round; of a search, of one in which prices fall."""
        if isinstance(loop, ops.Reach):
            return min(NEVER, 1 + loop.cells * (1 + loop.directions * (1 + self.of(loop.cost))))
        if isinstance(loop, ops.While):
            return 1 + self.of(loop.condition) + self.of(loop.body)
        return 1 + self.of(loop.body)

    def of(self, code: Any) -> int:
        """Of an operation, or of operations that stand together."""
        if isinstance(code, tuple):
            return min(NEVER, sum(self.of(part) for part in code))
        return self._of_one(code)

    def _of_one(self, op: ops.Expr | ops.Statement) -> int:
        loop = self.loops.get(id(op)) if self.loops else None
        if loop is not None:
            return self.plain.of(loop)
        match op:
            case ops.CountLoop() | ops.While():
                ends = 0
                if isinstance(op, ops.CountLoop):
                    ends = self.of(op.low) + self.of(op.high)
                once = self.once(op)
                if self.rough and once < NEVER and self.pays(op):
                    return ends
                return min(NEVER, ends + (1 + self.rounds(op)) * once)
            case ops.Reach():
                ends = self.of((op.budget, op.start)) + op.cells * (2 + self.of(op.body))
                return ends if self.rough and self.once(op) < NEVER else NEVER
            case ops.Call(function, arguments):
                inside = self.steps.function(function, self.rough)
                return min(NEVER, 1 + inside + self.of(arguments))
            case ops.WhatIf(steps):
                keeping = trials.cost(trials.kept(self.steps.program, steps))
                return min(NEVER, keeping + self._inside(op))
            case ops.Can() | ops.MovePiece() | ops.ShufflePlace() | ops.Tell():
                return NEVER
            case ops.Const() | ops.Local() | ops.LocalAt() | ops.Memory() | ops.MemoryAt():
                return self._inside(op)
            case ops.Lookup() | ops.Unary() | ops.Binary() | ops.Choice() | ops.Sequence():
                return self._inside(op)
            case ops.SetLocal() | ops.SetLocalAt() | ops.SetMemory() | ops.SetMemoryAt():
                return self._inside(op)
            case ops.When() | ops.Break() | ops.Continue() | ops.Return() | ops.Emit():
                return self._inside(op)
            case ops.Within() | ops.Fail() | ops.Evaluate() | ops.Know() | ops.Cite():
                return self._inside(op)
            case _:
                assert_never(op)

    def _inside(self, op: ops.Expr | ops.Statement) -> int:
        """What an operation costs that is free by itself."""
        return self.of(tuple(getattr(op, name) for name in TOUCHES[type(op)].inner))


def steps_of(program: Program) -> Steps:
    """With what is known of floods, unless some options could then not be enumerated in free code:
    on a big board it is better that floods pay for what they do. Where a single trial may take
    long, loops in it pay for themselves: all trials together would pay for more than there is."""
    known, plain = Steps(program, knows_floods=True), Steps(program)
    if _tries_long(known):
        return Steps(program, knows_floods=True, endless=_LONG)
    generators = {entry.generator for menu in program.menus for entry in menu.entries}
    for number in sorted(generators):
        body = program.functions[number].body
        most = [steps.of(body, rough=True) for steps in (known, plain)]
        if most[0] > limits.STEPS_PER_MOVE >= most[1]:
            return plain
    return known


def _tries_long(steps: Steps) -> bool:
    for function in steps.program.functions:
        for op in operations(function.body):
            if isinstance(op, ops.WhatIf):
                most = steps.of((*op.steps, ops.Evaluate(op.value)), function.params)
                if _ENDLESS < most < limits.STEPS_PER_MOVE:
                    return True
    return False


def is_pure(
    program: Program, number: int, seen: frozenset[int] = frozenset(), *, offers: bool = False
) -> bool:
    """Whether a function only looks at the state: asked twice, it answers the same."""
    return _is_pure(program, number, seen, offers)


@once_for_each_program
def _is_pure(program: Program, number: int, seen: frozenset[int], offers: bool) -> bool:
    return is_still(program, program.functions[number].body, seen, offers=offers)


def looks_at_nothing(program: Program, number: int) -> bool:
    """Whether what a function gives depends on its arguments alone."""
    if not is_pure(program, number):
        return False
    inside = with_called(program, program.functions[number].body)
    return not any(TOUCHES[type(op)].reads(op) for op in inside)


def is_still(
    program: Program, body: Any, seen: frozenset[int] = frozenset(), *, offers: bool = False
) -> bool:
    """Whether the state stands still while code is run."""
    for op in operations(body):
        row = TOUCHES[type(op)]
        if row.tries or (row.tells and not (offers and isinstance(op, ops.Emit))):
            return False
        if any(True for _ in row.writes(op, program)):
            return False
        for other in row.calls(op, program):
            if other in seen or not is_pure(program, other, seen | {other}):
                return False
    return True


def _while_rounds(loop: ops.While, around: Any, given: int) -> int:
    """A loop that counts a local up to a constant ends after so many rounds."""
    if any(isinstance(op, ops.Continue) for op in operations(loop.body)):
        return NEVER
    for part in _conjuncts(loop.condition):
        match part:
            case ops.Binary("less", ops.Local(index), ops.Const(limit)) if index >= given:
                step = ops.SetLocal(index, ops.Binary("add", ops.Local(index), ops.Const(1)))
                if step in loop.body and all(
                    op == step or _sets_to_more(op)
                    for op in operations(around)
                    if index in TOUCHES[type(op)].locals_set(op)
                ):
                    return limit
            case _:  # any other condition says nothing about the number of rounds
                pass
    return NEVER


def _sets_to_more(op: Any) -> bool:
    """Whether a local is set to a number that is not below zero."""
    return isinstance(op, ops.SetLocal) and isinstance(op.value, ops.Const) and op.value.value >= 0


def _conjuncts(op: ops.Expr) -> list[ops.Expr]:
    if isinstance(op, ops.Binary) and op.word == "and":
        return [*_conjuncts(op.left), *_conjuncts(op.right)]
    return [op]

"""Conditions in a loop that come out alike in all of its rounds, and what is tried out in each.

`action pair(a in hand, b in hand) when fits(a) and goesWith(a, b)` asks `fits(a)` once for every
`b`. Such a condition is asked once before the loop, and where it does not hold, the loop is passed
over. So is `(reaches(b) after go(a))`: the steps are carried out once, the loop goes round in that
trial, and then all is put back.

A round is opened to find them: into what is given a name and what is asked after that, in order.
`and` is split, and a short function stands in the place where it is called, as far as that leads to
something. What is found is code again, a body with other loops in it, and for each of these what
the loop was before (`Hoisted`).

It is right because conditions are asked in the order of the rules: nothing that can fail stands
before one that is asked early, and nothing is asked of a loop without rounds. The state is at the
beginning of each round what it was before the loop: nothing is written but in trials.

What must not be assumed: that nobody asks for the steps. What is done once is paid for as often as
there were rounds (emit/hoisting.py), and where steps are counted a loop that breaks off tells in
which round it did; what could run out of them on the way is left as it is. Nor that what stands
behind a trial may be looked at in it: only what reads no cell that the steps can write, and cannot
fail. Nor that calls never nest too deep: then each call is made.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from interpreter import limits
from interpreter.play.native.facts.in_place import renamed
from interpreter.play.native.facts.ranges import Ranges
from interpreter.play.native.facts.shape import Steps, body_can_fail, is_plain, most_offers
from interpreter.program import ops
from interpreter.program.once import once_for_each_program
from interpreter.program.program import Program
from interpreter.program.touches import (
    TOUCHES,
    inner_fields,
    locals_read,
    locals_set,
    operations,
    parts,
    uses,
    with_called,
)

_LONGEST = 400  # operations of functions that are put in place
_LOOPS = (ops.CountLoop, ops.While, ops.Reach)
_ARRAYS = (ops.LocalAt, ops.SetLocalAt, ops.Reach)


@dataclass(frozen=True, slots=True)
class Test:
    """A condition, and what it must come to for the round to go on."""

    condition: ops.Expr
    wanted: bool
    steps: int = 0  # of the calls that it stood behind


Item = ops.SetLocal | Test


@dataclass(frozen=True, slots=True)
class Hoisted:
    """A loop, and what of its rounds is done before it."""

    loop: ops.CountLoop  # as it was
    ends: tuple[ops.SetLocal, ...]  # from where to where it goes, if these are no constants
    first: tuple[Item, ...]
    trial: ops.WhatIf | None  # that is around the loop
    inner: ops.CountLoop  # what is left of it
    reached: ops.Local | None  # where steps are counted, and it may break off: the round after


@dataclass(frozen=True, slots=True)
class Plan:
    """The body of a function with loops like that in it, each as a statement."""

    body: tuple[ops.Statement, ...]
    hoisted: dict[int, Hoisted] = field(default_factory=dict)  # by the `id` of the statement

    @property
    def loops(self) -> dict[int, ops.CountLoop]:
        """What stood in the place of a statement."""
        return {key: each.loop for key, each in self.hoisted.items()}

    @property
    def left(self) -> frozenset[int]:
        """What is left of loops, by their `id`."""
        return frozenset(id(each.inner) for each in self.hoisted.values())


def find_hoisted(steps: Steps, number: int, *, deep: bool, counted: bool = False) -> Plan:
    """The body of a function; `deep`: its calls may nest too deep. `counted`: its steps are, so
    that it must be known how many rounds a loop went."""
    function = steps.program.functions[number]
    if not any(map(_may_be_hoisted, operations(function.body))):
        return Plan(function.body)
    return _Hoisting(steps, function, deep, counted).plan()


def _may_be_hoisted(op: Any) -> bool:
    match op:
        case ops.CountLoop(_, _, _, (*before, ops.When())):
            return all(isinstance(each, ops.SetLocal) for each in before)
        case _:  # nothing is asked in it before something is done
            return False


@dataclass(frozen=True, slots=True)
class _Found:
    """How far a round was followed: what comes before the loop, and what stays in it."""

    first: tuple[Item, ...]
    trial: ops.WhatIf | None
    rest: tuple[Item, ...]

    @property
    def gains(self) -> bool:
        return self.trial is not None or any(isinstance(each, Test) for each in self.first)


class _Hoisting:
    """Goes through one function."""

    def __init__(self, steps: Steps, function: ops.Function, deep: bool, counted: bool) -> None:
        self.steps, self.program, self.deep, self.counted = steps, steps.program, deep, counted
        self.body, self.params = function.body, function.params
        used = locals_read(function.body) | locals_set(function.body)
        self.next = 1 + max(used, default=function.params)
        self.room = _LONGEST
        self.hoisted: dict[int, Hoisted] = {}

    @cached_property
    def ranges(self) -> Ranges:
        return Ranges(self.steps.cells, self.body, self.params)

    def plan(self) -> Plan:
        return Plan(self._of(self.body), self.hoisted)

    def _of(self, code: Any) -> Any:
        """The same with other loops; what has none stays what it is."""
        if type(code) is tuple:
            found = tuple(self._of(each) for each in code)
            alike = all(one is two for one, two in zip(found, code, strict=True))
            return code if alike else found
        new = {}
        for name in inner_fields(type(code)) or ():
            inside = getattr(code, name)
            changed = inside if inside is None else self._of(inside)
            if changed is not inside:
                new[name] = changed
        changed = replace(code, **new) if new else code
        if _may_be_hoisted(code):
            return self._loop(code, changed) or changed
        return changed

    # ---- one loop

    def _loop(self, loop: ops.CountLoop, now: ops.CountLoop) -> ops.When | None:
        """`now` is the loop with what was found in its body."""
        if not is_plain(loop.low) or not is_plain(loop.high) or not _leaves(self.program, loop):
            return None
        if self.counted and any(isinstance(op, ops.Return) for op in operations(loop.body)):
            return None
        *before, last = now.body
        assert isinstance(last, ops.When)
        sets = tuple(each for each in before if isinstance(each, ops.SetLocal))
        tests, final = _opened(last)
        room = self.room
        walk = _Walk(self, now, final)
        found = walk.follow((*sets, *tests), (), (), frozenset(locals_set(now)))
        if not found.gains:
            self.room = room
            return None
        return self._statement(loop, now, found, final)

    def _statement(
        self, loop: ops.CountLoop, now: ops.CountLoop, found: _Found, final: tuple[Any, ...]
    ) -> ops.When:
        ends: tuple[ops.SetLocal, ...] = ()
        if not (isinstance(now.low, ops.Const) and isinstance(now.high, ops.Const)):
            low, high = self.new_local(), self.new_local()
            ends = ops.SetLocal(low.index, now.low), ops.SetLocal(high.index, now.high)
            now = replace(now, low=low, high=high)
        reached: ops.Local | None = None
        code: tuple[ops.Statement, ...] = ()
        if self.counted and any(isinstance(op, ops.Break) for op in operations(final)):
            reached = self.new_local()
            final = _telling(final, ops.SetLocal(reached.index, ops.Local(now.local)))
            code = (ops.SetLocal(reached.index, now.high),)
        inner = replace(now, body=_nested(found.rest, final))
        code = (*code, inner)
        if found.trial is not None:
            whole = replace(found.trial, value=ops.Sequence(code, ops.Const(0)))
            code = (ops.Evaluate(whole),)
        has_rounds = ops.Binary("less", now.low, now.high)
        statement = ops.When(has_rounds, _nested(found.first, code))
        around = ops.When(ops.Const(1), (*ends, statement))
        self.hoisted[id(around)] = Hoisted(loop, ends, found.first, found.trial, inner, reached)
        return around

    def new_local(self) -> ops.Local:
        self.next += 1
        return ops.Local(self.next - 1)

    # ---- functions in place

    def opened(self, call: ops.Call, wanted: bool) -> tuple[Item, ...] | None:
        """What a function does, if it only asks one thing after the other."""
        function = self.program.functions[call.function]
        inside = list(operations(function.body))
        if self.deep or len(inside) > self.room or any(isinstance(op, _ARRAYS) for op in inside):
            return None
        if self.steps.pays(call.function) and any(isinstance(op, _LOOPS) for op in inside):
            return None
        items = _asked(function.body, wanted)
        if items is None:
            return None
        self.room -= len(inside)
        names: dict[int, ops.Expr] = {}
        given: list[Item] = []
        own = locals_set(function.body)
        for index, argument in enumerate(call.arguments):
            if isinstance(argument, (ops.Local, ops.Const)) and index not in own:
                names[index] = argument
            else:
                held = names[index] = self.new_local()
                given.append(ops.SetLocal(held.index, argument))
        for index in sorted(own - names.keys()):
            names[index] = self.new_local()
        opened = (*given, *(_renamed(each, names) for each in items))
        sets = [each.index for each in opened if isinstance(each, ops.SetLocal)]
        return opened if len(set(sets)) == len(sets) else None


class _Walk:
    """Follows the rounds of one loop, in the order in which they are carried out."""

    def __init__(self, hoisting: _Hoisting, loop: ops.CountLoop, final: tuple[Any, ...]) -> None:
        self.hoisting, self.loop, self.final = hoisting, loop, final
        self.program, self.own = hoisting.program, locals_set(loop)

    def follow(
        self,
        items: tuple[Item, ...],
        first: tuple[Item, ...],
        kept: tuple[Item, ...],
        moving: frozenset[int],
    ) -> _Found:
        """`moving` are locals that differ from round to round."""
        while items:
            item, *others = items
            items = tuple(others)
            if isinstance(item, ops.SetLocal):
                if self._is_alike(item.value, moving) and self._is_set_here(item, kept):
                    first, moving = (*first, item), moving - {item.index}
                elif self._is_sure(item.value):
                    kept, moving = (*kept, item), moving | {item.index}
                else:
                    return _Found(first, None, (*kept, item, *items))
                continue
            if self._is_alike(item.condition, moving):
                first = (*first, item)
                continue
            opened = _split(item)
            if opened is not None:
                items = (*_with_steps(opened, item.steps), *items)
                continue
            return self._end(item, items, first, kept, moving)
        return _Found(first, None, kept)

    def _end(
        self,
        item: Test,
        items: tuple[Item, ...],
        first: tuple[Item, ...],
        kept: tuple[Item, ...],
        moving: frozenset[int],
    ) -> _Found:
        """At a condition that differs from round to round: it may begin with one that does not, or
        with a trial."""
        match item.condition:
            case ops.Call() as call:
                room, begun = self.hoisting.room, len(first)
                inside = self.hoisting.opened(call, item.wanted)
                if inside is not None:
                    inside = _with_steps(inside, item.steps + 1)
                    found = self.follow((*inside, *items), first, kept, moving)
                    if replace(found, first=found.first[begun:]).gains:
                        return found
                self.hoisting.room = room
            case ops.WhatIf(steps, value) as trial if not self.hoisting.counted and self._is_alike(
                steps, moving
            ):
                if self._may_be_in_trial(trial, (*kept, *items)):
                    return _Found(first, trial, (*kept, Test(value, item.wanted), *items))
            case _:  # it has to be asked in each round
                pass
        return _Found(first, None, (*kept, item, *items))

    def _is_alike(self, code: Any, moving: frozenset[int]) -> bool:
        """Whether it comes to the same in all rounds, and nobody else uses its locals."""
        own = locals_set(code)
        if (locals_read(code) - own) & moving:
            return False
        here, inside = uses(self.loop, own), uses(code, own)
        return all(here[index] <= inside[index] for index in own)

    def _is_set_here(self, op: ops.SetLocal, kept: tuple[Item, ...]) -> bool:
        """Whether a local gets no other value in the loop, and none before it is used."""
        setting = (TOUCHES[type(each)].locals_set(each) for each in operations(self.loop))
        if sum(op.index in each for each in setting) > 1 or op.index == self.loop.local:
            return False
        return not any(op.index in locals_read(each) for each in _values(kept))

    def _is_sure(self, op: ops.Expr) -> bool:
        return is_plain(op) and not self._can_fail((ops.Evaluate(op),))

    def _can_fail(self, code: Any) -> bool:
        cells, ranges = self.hoisting.steps.cells, self.hoisting.ranges
        return body_can_fail(self.program, cells, code, ranges=ranges)

    def _may_be_in_trial(self, trial: ops.WhatIf, items: tuple[Item, ...]) -> bool:
        """Whether it makes no difference that the rest of a round is part of a trial."""
        rest = (*map(ops.Evaluate, _values(items)), *self.final)
        inside = list(with_called(self.program, rest))
        if any(isinstance(op, (ops.WhatIf, ops.Return)) for op in operations(rest)):
            return False
        written = [
            span
            for op in with_called(self.program, trial.steps)
            for span in TOUCHES[type(op)].writes(op, self.program)
        ]
        for op in inside:
            read = TOUCHES[type(op)].reads(op)
            if any(read.start < span.stop and span.start < read.stop for span in written):
                return False
        if any(isinstance(op, ops.Emit) for op in inside):
            body = self.hoisting.body
            if most_offers(self.hoisting.steps.cells, body) > limits.OPTIONS:
                return False
        return not self._can_fail(rest)


# ---- code as items, and back


def _split(item: Test) -> tuple[Item, ...] | None:
    """A condition that is made of others, which are asked one after the other."""
    match item.condition:
        case ops.Unary("not", operand):
            return (Test(operand, not item.wanted),)
        case ops.Binary("and" | "or" as word, left, right) if (word == "and") == item.wanted:
            return Test(left, item.wanted), Test(right, item.wanted)
        case ops.Sequence(statements, result):
            sets = tuple(each for each in statements if isinstance(each, ops.SetLocal))
            straight = len(sets) == len(statements)
            return (*sets, Test(result, item.wanted)) if straight else None
        case _:  # one condition
            return None


def _with_steps(items: tuple[Item, ...], steps: int) -> tuple[Item, ...]:
    """The same, with so many steps before the first condition."""
    for place, each in enumerate(items):
        if isinstance(each, Test):
            paying = replace(each, steps=each.steps + steps)
            return (*items[:place], paying, *items[place + 1 :])
    return items


def _telling(body: tuple[ops.Statement, ...], telling: ops.SetLocal) -> tuple[ops.Statement, ...]:
    """The same, which tells before it breaks off."""
    found: list[ops.Statement] = []
    for each in body:
        if isinstance(each, ops.When):
            ways = (_telling(way, telling) for way in (each.then, each.otherwise))
            found.append(ops.When(each.condition, *ways))
        elif isinstance(each, ops.Break):
            found += [telling, each]
        else:
            found.append(each)
    return tuple(found)


def _opened(op: ops.When) -> tuple[tuple[Item, ...], tuple[ops.Statement, ...]]:
    """The conditions for anything to be done, and what is done."""
    match op:
        case ops.When(condition, then, ()):
            asked, final = Test(condition, True), then
        case ops.When(condition, (), otherwise):
            asked, final = Test(condition, False), otherwise
        case _:  # something is done in any case
            return (), (op,)
    if len(final) == 1 and isinstance(final[0], ops.When):
        more, final = _opened(final[0])
        return (asked, *more), final
    return (asked,), final


def _asked(body: tuple[ops.Statement, ...], wanted: bool) -> tuple[Item, ...] | None:
    """What a function asks before it gives what is wanted, if that is its last value only."""
    found: list[Item] = []
    for each in body:
        match each:
            case ops.SetLocal():
                found.append(each)
            case ops.When(condition, (ops.Return(ops.Const(value)),), ()) if bool(value) != wanted:
                found.append(Test(condition, False))
            case ops.Return(result):
                return (*found, Test(result, wanted))
            case _:  # it goes another way
                return None
    return None


def _renamed(item: Item, names: dict[int, ops.Expr]) -> Item:
    if isinstance(item, Test):
        return replace(item, condition=renamed(item.condition, names))
    found: ops.SetLocal = renamed(item, names)
    return found


def _values(items: tuple[Item, ...]) -> Iterator[ops.Expr]:
    for each in items:
        yield each.condition if isinstance(each, Test) else each.value


def _nested(items: tuple[Item, ...], final: tuple[ops.Statement, ...]) -> tuple[ops.Statement, ...]:
    """Items as statements, with what is done at last."""
    if not items:
        return final
    item, *others = items
    if isinstance(item, ops.SetLocal):
        return (item, *_nested(tuple(others), final))
    condition = _condition(item)
    while others and isinstance(others[0], Test):
        condition = ops.Binary("and", condition, _condition(others.pop(0)))
    return (ops.When(condition, _nested(tuple(others), final)),)


def _condition(item: Item) -> ops.Expr:
    assert isinstance(item, Test)
    return item.condition if item.wanted else ops.Unary("not", item.condition)


# ---- what stands still


def _leaves(program: Program, code: Any) -> bool:
    """Whether code leaves the state as it is, but in trials, and offers options at most."""
    for op in _outside_trials(code):
        row = TOUCHES[type(op)]
        if row.tries or (row.tells and not isinstance(op, ops.Emit)):
            return False
        if any(True for _ in row.writes(op, program)):
            return False
        if isinstance(op, ops.WhatIf) and not _is_quiet(program, op.steps):
            return False
        if not all(_leaves_as_it_is(program, n) for n in row.calls(op, program)):
            return False
    return True


@once_for_each_program
def _leaves_as_it_is(program: Program, number: int) -> bool:
    return not _is_recursive(program, number) and _leaves(program, program.functions[number].body)


@once_for_each_program
def _is_recursive(program: Program, number: int) -> bool:
    """Whether a function can come to itself."""
    inside = with_called(program, program.functions[number].body)
    return any(number in TOUCHES[type(op)].calls(op, program) for op in inside)


def _is_quiet(program: Program, steps: tuple[ops.Statement, ...]) -> bool:
    """Whether nobody hears of what is tried out, and it tries nothing else."""
    rows = (TOUCHES[type(op)] for op in with_called(program, steps))
    return not any(row.tries or row.tells for row in rows)


def _outside_trials(code: Any) -> Iterator[Any]:
    waiting = [code]
    while waiting:
        found = waiting.pop()
        if found is None:
            continue
        if type(found) is not tuple:
            yield found
        waiting += [found.value] if isinstance(found, ops.WhatIf) else parts(found)

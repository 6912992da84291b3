"""Statements that may stop the game, lowered to instructions that it can be resumed at.

In comes a body of the typed tree, out come the instructions of a routine, whose names are cells of
its frame. What cannot stop in it is left to straight.py.
"""

from __future__ import annotations

from typing import assert_never

from interpreter.model.types import INT, NONE_NAMED, PLAYER
from interpreter.program import layout, ops
from interpreter.program.lower import assigning, sorting, straight
from interpreter.program.lower.chances import ChanceCode
from interpreter.program.lower.choices import ChoiceCode
from interpreter.program.lower.endings import winners_of
from interpreter.program.lower.scope import Domain, Loop, Scope
from interpreter.typed import statements as typed
from interpreter.typed.rules import declared_name
from interpreter.typed.stopping import stops
from interpreter.typed.values import Can, Fit, Local, LocalValue, Value


class RoutineCode(ChoiceCode, ChanceCode):
    """Lowers every statement; jumps, loops and calls are its own."""

    def block(self, scope: Scope, statements: typed.Body) -> None:
        inner = scope.inner()
        for statement in statements:
            self.statement(inner, statement)

    def statement(self, scope: Scope, statement: typed.Statement) -> None:
        builder = scope.builder
        if not self.pending:
            self.at = builder.spot(statement.mark)
        if isinstance(statement, typed.Let):
            self._let(scope, statement)
        elif not stops(statement, builder.rules.stopping):
            self.do(*straight.lower(scope.inner(), statement))
        else:
            if not isinstance(statement, typed.If):
                self.do(*builder.took_part(statement))
            self._stopping(scope, statement)

    def _stopping(self, scope: Scope, statement: typed.Statement) -> None:
        assert not isinstance(statement, typed.Straight), f"{type(statement).__name__} never stops"
        match statement:
            case typed.If():
                self._if(scope, statement)
            case typed.ForEach():
                self._for_each(scope, statement)
            case typed.Repeat():
                self._repeat(scope, statement)
            case typed.Turns():
                self._turns(scope, statement)
            case typed.Jump():
                self._jump(scope, statement)
            case typed.Leave():
                self._leave(scope, statement)
            case typed.Do():
                self._call(scope, statement)
            case typed.Choose():
                self.choose(scope, statement)
            case typed.Sealed():
                self.sealed(scope, statement)
            case typed.LookingAhead():
                self.looking_ahead(scope, statement)
            case typed.Draw():
                self.draw(scope, statement)
            case typed.Roll():
                self.roll(scope, statement)
            case typed.AssignRandom():
                self.assign_random(scope, statement)
            case typed.Wins():
                self._wins(scope, statement)
            case typed.EndGame():
                self.add(ops.Over(False))
            case _:
                assert_never(statement)

    def _let(self, scope: Scope, statement: typed.Let) -> None:
        """A name of a routine is needed after it has stopped, so it is a cell of the frame."""
        told = scope.builder.took_part(statement)
        op = scope.value(statement.value)
        cell = scope.cell(statement.local.type)
        assert scope.routine is not None
        routine = scope.builder.program.routines[scope.routine]
        routine.lets.append(routine.size - 1)
        scope.bind(statement.local, cell)
        self.do(*told, ops.SetMemory(cell.address, op))

    def _if(self, scope: Scope, statement: typed.If) -> None:
        end = ops.Label()
        for arm in statement.arms:
            following = ops.Label()
            self.unless(scope.value(arm.condition), following)
            self.do(*scope.builder.took_part(arm))
            self.block(scope, arm.body)
            self.add(ops.Goto(end))
            self.place(following)
        if statement.otherwise is not None:
            self.block(scope, statement.otherwise)
        self.place(end)

    # ---- loops

    def _for_each(self, scope: Scope, statement: typed.ForEach) -> None:
        binder = statement.binder
        domain = scope.domain(binder.domain)
        at, total = scope.cell(INT), scope.cell(INT)
        if domain.count is not None and domain.element is not None and statement.keys is None:
            self.do(ops.SetMemory(total.address, domain.count))
            element = domain.element(at)
        else:
            element = self._copied(scope, statement, domain, at, total)
        self.do(ops.SetMemory(at.address, ops.Const(0)))
        top, end = ops.Label(), ops.Label()
        last: ops.Memory | None = None
        if binder.ends is not None and statement.keys is None:
            last = scope.cell(INT)
            self.do(ops.SetMemory(last.address, ops.Const(0)))
        self.place(top)
        self.unless(ops.Binary("less", at, total), end)
        if last is not None:
            self.unless(ops.Unary("not", last), end)
        inner = scope.inner()
        held = scope.cell(binder.domain.type)
        inner.bind(binder.element, held)
        self.do(ops.SetMemory(held.address, element))
        self.do(ops.SetMemory(at.address, ops.Binary("add", at, ops.Const(1))))
        if binder.position is not None:
            position = scope.cell(binder.position.type)
            self.do(ops.SetMemory(position.address, at))
            inner.bind(binder.position, position)
        if statement.keys is None:
            if binder.stays is not None:
                self.unless(inner.value(binder.stays), end)
            if binder.ends is not None and last is not None:
                self.do(ops.SetMemory(last.address, inner.value(binder.ends)))
            if binder.where is not None:
                self.unless(inner.value(binder.where), top)
        self._body(inner, Loop(statement.label, end, top), statement.body)
        self.add(ops.Goto(top))
        self.place(end)
        if binder.domain.type == PLAYER:
            self.do(ops.SetMemory(held.address, ops.Const(0)))

    def _copied(
        self,
        scope: Scope,
        statement: typed.ForEach,
        domain: Domain,
        at: ops.Memory,
        total: ops.Memory,
    ) -> ops.Expr:
        """Copy the elements into cells of the frame, before the first time round."""
        type_ = statement.binder.domain.type
        room = sorting.room(statement)
        base = scope.cells(room, type_)
        copied, length = scope.array(room), scope.register()
        collect = sorting.collected(scope, statement, domain, copied, length)
        step = scope.register()
        if scope.holds_piece(type_):
            # Cells that name no piece must not seem to name the first one.
            nothing = ops.SetMemoryAt(base, step, room, ops.Const(NONE_NAMED))
            self.do(ops.CountLoop(step.index, ops.Const(0), ops.Const(room), (nothing,)))
        one = ops.SetMemoryAt(base, step, room, copied.at(step))
        self.do(
            *collect,
            ops.SetMemory(total.address, length),
            ops.CountLoop(step.index, ops.Const(0), length, (one,)),
        )
        return ops.MemoryAt(base, at, room)

    def _repeat(self, scope: Scope, statement: typed.Repeat) -> None:
        top, end = ops.Label(), ops.Label()
        match statement.how:
            case "times":
                assert statement.value is not None
                left = scope.cell(INT)
                self.do(ops.SetMemory(left.address, scope.value(statement.value)))
                self.place(top)
                self.unless(ops.Binary("more", left, ops.Const(0)), end)
                self.do(ops.SetMemory(left.address, ops.Binary("subtract", left, ops.Const(1))))
            case "while":
                assert statement.value is not None
                self.place(top)
                self.unless(scope.value(statement.value), end)
            case "until":
                assert statement.value is not None
                self.place(top)
                self.unless(ops.Unary("not", scope.value(statement.value)), end)
            case "forever":
                self.place(top)
            case _:
                assert_never(statement.how)
        self._body(scope.inner(), Loop(statement.label, end, top), statement.body)
        self.add(ops.Goto(top))
        self.place(end)

    def _turns(self, scope: Scope, statement: typed.Turns) -> None:
        players = ops.Const(scope.builder.ruleset.players)
        inner = scope.inner()
        seat = scope.cell(PLAYER)
        inner.bind(statement.seat, seat)
        start = ops.Const(0) if statement.start is None else scope.value(statement.start)
        self.do(ops.SetMemory(seat.address, start))
        top, body, following, end = (ops.Label() for _ in range(4))
        assert scope.routine is not None
        routine = scope.builder.program.routines[scope.routine]
        routine.turns.append((body, end, routine.size - 1))
        after = ops.Binary("modulo", ops.Binary("add", seat, ops.Const(1)), players)
        advance = ops.SetMemory(seat.address, after)
        self.place(top)
        if statement.where is not None:
            tried = scope.cell(INT)
            look, next_ = ops.Label(), ops.Label()
            self.do(ops.SetMemory(tried.address, ops.Const(0)))
            self.place(look)
            self.unless(inner.value(statement.where), next_)
            self.add(ops.Goto(body))
            self.place(next_)
            self.do(ops.SetMemory(tried.address, ops.Binary("add", tried, ops.Const(1))))
            self.unless(ops.Binary("less", tried, players), end)
            self.do(advance)
            self.add(ops.Goto(look))
        self.place(body)
        loop = Loop(statement.label or "turn", end, following, body)
        self._body(inner, loop, statement.body)
        self.place(following)
        self.do(advance)
        self.add(ops.Goto(top))
        self.place(end)

    def _body(self, scope: Scope, loop: Loop, body: typed.Body) -> None:
        """Once round a loop."""
        scope.loops = (*scope.loops, loop)
        if loop.label is not None:
            assert scope.routine is not None
            scope.builder.labels[loop.label] = (scope.routine, loop.stop)
        self.do(*assigning.start_again(scope, loop.label))
        self.block(scope, body)

    # ---- jumps

    def _jump(self, scope: Scope, statement: typed.Jump) -> None:
        match statement.word:
            case "stop":
                self.add(ops.Goto(scope.loops[-1].stop))
            case "skip":
                self.add(ops.Goto(scope.loops[-1].skip))
            case "again":
                turns = [loop.again for loop in scope.loops if loop.again is not None]
                self.add(ops.Goto(turns[-1]))
            case _:
                assert_never(statement.word)

    def _leave(self, scope: Scope, statement: typed.Leave) -> None:
        """Leave a loop of this routine, this routine, or one that invoked it."""
        builder = scope.builder
        for loop in reversed(scope.loops):
            if loop.label == statement.name:
                self.add(ops.Goto(loop.stop))
                return
        assert scope.routine is not None
        routine = builder.program.routines[scope.routine]
        if routine.name == statement.name:
            self.add(ops.Goto(routine.end))
        elif statement.name in builder.rules.stopping:
            number = routine_number(scope, statement.name)
            self.add(ops.Unwind(number, builder.program.routines[number].end))
        else:
            self.add(ops.Unwind(*builder.labels[statement.name]))

    def _call(self, scope: Scope, statement: typed.Do) -> None:
        arguments = scope.values(statement.arguments)
        number = routine_number(scope, statement.procedure)
        self.invoke(number, arguments, self.at)

    def invoke(self, number: int, arguments: tuple[ops.Expr, ...], at: int) -> None:
        assert self.scope.routine is not None
        self.scope.builder.program.routines[self.scope.routine].calls.add(number)
        self.add(ops.Invoke(number, arguments, self.scope.registers.count, at))

    def _wins(self, scope: Scope, statement: typed.Wins) -> None:
        self.do(ops.SetMemory(layout.WINNERS, winners_of(scope, statement)))
        self.add(ops.Over(True))


# ---- routines


def new_code(around: Scope, name: str, *, root: bool = False) -> RoutineCode:
    """A routine without parameters, still empty. `root`: nothing invokes it."""
    number = around.builder.new_routine(name, 0)
    around.builder.program.routines[number].root = root
    return RoutineCode(around.elsewhere(number))


def finish(code: RoutineCode) -> int:
    """The routine is complete; its number."""
    number = code.scope.routine
    assert number is not None
    builder = code.scope.builder
    code.place(builder.program.routines[number].end)
    code.add(ops.Finish(number))
    builder.codes[number] = code.items
    return number


def routine_number(around: Scope, name: str) -> int:
    """The routine of a procedure or phase, lowered the first time it is met."""
    builder = around.builder
    if name in builder.routines:
        return builder.routines[name]
    procedure = builder.rules.procedures[name]
    number = builder.new_routine(name, len(procedure.params))
    scope = around.elsewhere(number)
    for param in procedure.params:
        scope.bind(param, scope.cell(param.type))
    phase, builder.phase = builder.phase, name
    code = RoutineCode(scope)
    code.do(*builder.took_part(procedure), *assigning.start_again(scope, declared_name(name)))
    code.block(scope, procedure.body)
    finish(code)
    builder.phase = phase
    return number


def can(asking: Scope, value: Can) -> ops.Expr:
    """`can (a(...) then b(...))`: the steps are a routine of their own, tried out on a copy. What
    they are given is worked out before, and tested when its step comes."""
    builder = asking.builder
    code = new_code(asking, f"can {len(builder.program.routines)}", root=True)
    arguments: list[ops.Expr] = []
    steps: list[typed.Statement] = []
    for step in value.steps:
        given: list[Value] = []
        for argument in step.arguments:
            inside = argument.value if isinstance(argument, Fit) else argument
            arguments.append(asking.value(inside))
            name = f"argument{len(arguments)}"
            local = Local(name, inside.type, "parameter", inside.mark)
            code.scope.bind(local, code.scope.cell(inside.type))
            held: Value = LocalValue(local, type=inside.type, mark=inside.mark)
            if isinstance(argument, Fit):
                held = Fit(held, type=argument.type, mark=argument.mark)
            given.append(held)
        steps.append(typed.Do(step.procedure, tuple(given), step.mark, mark=step.mark))
    code.block(code.scope, tuple(steps))
    number = finish(code)
    builder.program.routines[number].params = len(arguments)
    return ops.Can(number, tuple(arguments), builder.spot(value.mark))

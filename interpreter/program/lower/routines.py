"""Statements that may stop the game, lowered to instructions that it can be resumed at."""

from __future__ import annotations

from typing import Any

from interpreter.model.types import BOOL, INT, NONE_NAMED, PLAYER, Type
from interpreter.program import layout, ops
from interpreter.program.lower import (
    analysis,
    assigning,
    builtins,
    domains,
    expressions,
    loops,
    straight,
)
from interpreter.program.lower.builder import BROKEN, Locals, Loop, Scope, Value
from interpreter.program.lower.chances import ChanceCode
from interpreter.program.lower.choices import ChoiceCode
from interpreter.report.suggest import did_you_mean
from interpreter.tree import nodes
from interpreter.tree.marks import part as part_of


class RoutineCode(ChoiceCode, ChanceCode):
    """Lowers every statement; jumps, loops and calls are its own."""

    def block(self, scope: Scope, statements: tuple[nodes.Statement, ...]) -> None:
        inner = scope.inner()
        for position, statement in enumerate(statements):
            self.statement(inner, statement)
            ends = isinstance(statement, (nodes.Jump, nodes.Leave, nodes.Wins, nodes.EndGame))
            if ends and position + 1 < len(statements):
                straight.unreachable(scope, statements[position + 1])
                return

    def statement(self, scope: Scope, statement: nodes.Statement) -> None:
        if not self.pending:
            self.at = scope.builder.spot(statement.mark)
        if not analysis.stops(statement, self.stopping):
            if isinstance(statement, nodes.Let):
                self.do(*scope.builder.took_part(statement), *assigning.let(scope, statement))
                return
            inner = scope.inner()
            inner.straight = True
            self.do(*straight.lower(inner, statement))
            return
        if not isinstance(statement, nodes.If):
            self.do(*scope.builder.took_part(statement))
        match statement:
            case nodes.If():
                self._if(scope, statement)
            case nodes.ForEach():
                self._for_each(scope, statement)
            case nodes.Repeat():
                self._repeat(scope, statement)
            case nodes.Turns():
                self._turns(scope, statement)
            case nodes.Jump():
                self._jump(scope, statement)
            case nodes.Leave():
                self._leave(scope, statement)
            case nodes.Do():
                self._call(scope, statement)
            case nodes.ChooseActions() | nodes.ChooseValue() | nodes.ChooseBlock():
                self._choose(scope, statement)
            case nodes.Sealed():
                self._sealed(scope, statement)
            case nodes.LookingAhead():
                self._looking_ahead(scope, statement)
            case nodes.Draw():
                self._draw(scope, statement)
            case nodes.Roll():
                self._roll(scope, statement)
            case nodes.AssignRandom():
                self._assign_random(scope, statement)
            case nodes.Wins():
                self._wins(scope, statement)
            case nodes.EndGame():
                self.add(ops.Over(False))
            case _:
                raise AssertionError(f"{type(statement).__name__} does not stop")

    def _if(self, scope: Scope, statement: nodes.If) -> None:
        end = ops.Label()
        for arm in statement.arms:
            following = ops.Label()
            self.unless(expressions.condition(scope, arm.condition), following)
            self.do(*scope.builder.took_part(arm))
            self.block(scope, arm.body)
            self.add(ops.Goto(end))
            self.place(following)
        if statement.otherwise is not None:
            self.block(scope, statement.otherwise.body)
        self.place(end)

    def _for_each(self, scope: Scope, statement: nodes.ForEach) -> None:
        inner = scope.inner()
        binder = statement.binder
        domains.check_shadow(scope, binder)
        domain = domains.lower_domain(scope, binder.domain)
        index, at = scope.cell(INT)
        count, total = scope.cell(INT)
        if domain.count is not None and domain.element is not None and statement.keys is None:
            self.do(ops.SetMemory(count, domain.count))
            element = domain.element(at.op)
        else:
            bound = straight.checked_bound(scope, domain, statement.mark)
            base = scope.cells(bound, domain.type)
            copied, length = scope.locals.new(bound), scope.locals.new()
            collect, _ = straight.collected(scope, statement, domain, copied, length)
            step = scope.locals.new()
            one = ops.SetMemoryAt(
                base, ops.Local(step), bound, ops.LocalAt(copied, ops.Local(step), bound)
            )
            if scope.holds_piece(domain.type):
                # Cells that name no piece must not seem to name the first one.
                nothing = ops.SetMemoryAt(base, ops.Local(step), bound, ops.Const(NONE_NAMED))
                self.do(ops.CountLoop(step, ops.Const(0), ops.Const(bound), (nothing,)))
            self.do(
                *collect,
                ops.SetMemory(count, ops.Local(length)),
                ops.CountLoop(step, ops.Const(0), ops.Local(length), (one,)),
            )
            element = ops.MemoryAt(base, at.op, bound)
        self.do(ops.SetMemory(index, ops.Const(0)))
        top, end = ops.Label(), ops.Label()
        self.place(top)
        self.unless(ops.Binary("less", at.op, total.op), end)
        address, value = scope.cell(domain.type)
        inner.bind(binder.name, Value(value.op, value.type, domain.place))
        self.do(ops.SetMemory(address, element))
        self.do(ops.SetMemory(index, ops.Binary("add", at.op, ops.Const(1))))
        if binder.position is not None:
            spot, position = scope.cell(loops.POSITION)
            self.do(ops.SetMemory(spot, at.op))
            inner.bind(binder.position, position)
        if statement.keys is None:
            if binder.stays is not None:
                self.unless(expressions.condition(inner, binder.stays), end)
            if binder.where is not None:
                self.unless(expressions.condition(inner, binder.where), top)
        self._enter(inner, Loop(statement.label, end, top))
        self.do(*assigning.reset_scope(scope, statement.label))
        self.block(inner, statement.body)
        self.add(ops.Goto(top))
        self.place(end)
        if domain.type == PLAYER:
            self.do(ops.SetMemory(address, ops.Const(0)))

    def _repeat(self, scope: Scope, statement: nodes.Repeat) -> None:
        inner = scope.inner()
        top, end = ops.Label(), ops.Label()
        if statement.how == "times":
            assert statement.value is not None
            left, remaining = scope.cell(INT)
            self.do(ops.SetMemory(left, expressions.lower_as(scope, statement.value, INT)))
            self.place(top)
            self.unless(ops.Binary("more", remaining.op, ops.Const(0)), end)
            self.do(ops.SetMemory(left, ops.Binary("subtract", remaining.op, ops.Const(1))))
        else:
            self.place(top)
            if statement.value is not None:
                test = expressions.condition(scope, statement.value)
                self.unless(ops.Unary("not", test) if statement.how == "until" else test, end)
        self._enter(inner, Loop(statement.label, end, top))
        self.do(*assigning.reset_scope(scope, statement.label))
        self.block(inner, statement.body)
        self.add(ops.Goto(top))
        self.place(end)

    def _turns(self, scope: Scope, statement: nodes.Turns) -> None:
        players = scope.builder.ruleset.players
        inner = scope.inner()
        name = statement.name or "me"
        if statement.name is not None:
            assigning.check_new(scope, name, statement.mark)
        address, seat = scope.cell(PLAYER)
        inner.bind(name, seat)
        if name != "me":
            inner.bind("me", seat)
        start: ops.Expr = ops.Const(0)
        if statement.start is not None:
            start = expressions.player(scope, statement.start, "who begins")
        self.do(ops.SetMemory(address, start))
        top, body, following, end = (ops.Label() for _ in range(4))
        advance = ops.SetMemory(
            address,
            ops.Binary("modulo", ops.Binary("add", seat.op, ops.Const(1)), ops.Const(players)),
        )
        self.place(top)
        if statement.where is not None:
            tries, tried = scope.cell(INT)
            look, next_ = ops.Label(), ops.Label()
            self.do(ops.SetMemory(tries, ops.Const(0)))
            self.place(look)
            self.unless(expressions.condition(inner, statement.where), next_)
            self.add(ops.Goto(body))
            self.place(next_)
            self.do(ops.SetMemory(tries, ops.Binary("add", tried.op, ops.Const(1))))
            self.unless(ops.Binary("less", tried.op, ops.Const(players)), end)
            self.do(advance)
            self.add(ops.Goto(look))
        self.place(body)
        self._enter(inner, Loop(statement.label or "turn", end, following, body))
        self.do(*assigning.reset_scope(scope, statement.label or "turn"))
        self.block(inner, statement.body)
        self.place(following)
        self.do(advance)
        self.add(ops.Goto(top))
        self.place(end)

    def _enter(self, scope: Scope, loop: Loop) -> None:
        scope.loops.append(loop)
        if loop.label is not None and loop.stop is not None and scope.routine is not None:
            scope.builder.labels[loop.label] = (scope.routine, loop.stop)

    def _jump(self, scope: Scope, statement: nodes.Jump) -> None:
        for loop in reversed(scope.loops):
            if statement.word == "again" and loop.again is None:
                continue
            target = {"stop": loop.stop, "skip": loop.skip, "again": loop.again}[statement.word]
            if target is not None:
                self.add(ops.Goto(target))
                return
        straight.no_loop(scope, statement)

    def _leave(self, scope: Scope, statement: nodes.Leave) -> None:
        """Leave a loop of this routine, this routine, or one that invoked it."""
        for loop in reversed(scope.loops):
            if loop.label == statement.name and loop.stop is not None:
                self.add(ops.Goto(loop.stop))
                return
        builder = scope.builder
        assert scope.routine is not None
        routine = builder.program.routines[scope.routine]
        if routine.name == statement.name:
            self.add(ops.Goto(routine.end))
            return
        if statement.name in builder.ruleset.procedures and statement.name in self.stopping:
            number = routine_number(builder, statement.name, self.stopping)
            target = builder.program.routines[number].end
            self.add(ops.Unwind(number, target))
            return
        label = builder.labels.get(statement.name)
        if label is not None:
            self.add(ops.Unwind(label[0], label[1]))
            return
        known = [loop.label for loop in scope.loops if loop.label]
        known += [routine.name, *builder.ruleset.procedures]
        help_ = did_you_mean(statement.name, known)
        help_ = help_ or "name a phase, a procedure or a loop: `repeat ... as round`"
        message = f"there is nothing called `{statement.name}` to leave"
        mark = part_of(statement.mark, len("leave "), len(statement.name))
        builder.error("RR413", message, mark, help_)

    def _call(self, scope: Scope, statement: nodes.Do) -> None:
        found = straight.called(scope, statement)
        if found is None:
            return
        name, arguments = found
        builder = scope.builder
        number = routine_number(builder, name, self.stopping)
        assert scope.routine is not None
        builder.program.routines[scope.routine].calls.add(number)
        if scope.sealed_for is not None:
            message = "inside `sealed`, choices stand in the block itself"
            help_ = "write the choices here; procedures without choices may be called"
            builder.error("RR421", message, statement.mark, help_)
        self.add(ops.Invoke(number, arguments, scope.locals.count, self.at))

    def _wins(self, scope: Scope, statement: nodes.Wins) -> None:
        mask: ops.Expr = ops.Const(0)
        if statement.who is not None:
            who = expressions.player(scope, statement.who, "who wins")
            mask = ops.Binary("shift", ops.Const(1), who)
        self.do(ops.SetMemory(layout.WINNERS, mask))
        self.add(ops.Over(True))


# ---- routines


def routine_number(builder: Any, name: str, stopping: set[str]) -> int:
    """The routine of a procedure or phase, lowered the first time it is met."""
    if name in builder.routines:
        return int(builder.routines[name])
    procedure = builder.ruleset.procedures[name]
    params = procedure.params if isinstance(procedure, nodes.Procedure) else ()
    number = new_routine(builder, name, len(params))
    scope = Scope(builder, Locals(), routine=number)
    for param, type_ in zip(params, builtins.param_types(scope, params), strict=True):
        _, value = scope.cell(type_)
        scope.bind(param.name, value, settable=True)
    phase, builder.phase = builder.phase, name
    code = RoutineCode(scope, stopping)
    code.do(*builder.took_part(procedure), *assigning.reset_scope(scope, name))
    code.block(scope, procedure.body)
    finish(builder, code, number)
    builder.phase = phase
    return number


def new_routine(builder: Any, name: str, params: int) -> int:
    number = len(builder.program.routines)
    builder.routines[name] = number
    builder.program.routines.append(ops.Routine(name, params))
    return number


def finish(builder: Any, code: RoutineCode, number: int) -> None:
    routine = builder.program.routines[number]
    code.place(routine.end)
    code.add(ops.Finish(number))
    builder.codes[number] = code.items


def can(scope: Scope, expr: nodes.Can) -> Value:
    """Steps that stop nowhere can always be carried out; the others are tried on a copy."""
    builder = scope.builder
    number = new_routine(builder, f"can {len(builder.program.routines)}", 0)
    inner = Scope(builder, Locals(), routine=number)
    arguments: list[ops.Expr] = []
    statements: list[nodes.Statement] = []
    for step in expr.steps:
        written: list[nodes.Expr] = []
        name = analysis.called_name(step)
        if isinstance(step, nodes.Call):
            written = list(step.arguments)
            if isinstance(step.target, nodes.Dot):
                written = [step.target.target, *written]
        elif isinstance(step, nodes.Dot):
            written = [step.target]
        names: list[nodes.Expr] = []
        for part in written:
            value = assigning.single(
                scope, expressions.lower(scope, part, _wanted(scope, name, len(names))), part.mark
            )
            _, cell = inner.cell(value.type)
            label = f"argument{len(arguments) + 1}"
            inner.bind(label, cell)
            arguments.append(value.op)
            names.append(nodes.Name(label, mark=part.mark))
        call = nodes.Call(nodes.Name(name or "", mark=step.mark), tuple(names), mark=step.mark)
        statements.append(nodes.Do(call, mark=step.mark))
    builder.program.routines[number].params = len(arguments)
    code = RoutineCode(inner, builder.stopping)
    code.block(inner, tuple(statements))
    finish(builder, code, number)
    builder.program.routines[number].root = True
    if expr.steps == ():
        return BROKEN
    return Value(ops.Can(number, tuple(arguments), builder.spot(expr.mark)), BOOL)


def _wanted(scope: Scope, name: str | None, position: int) -> Type | None:
    procedure = scope.builder.ruleset.procedures.get(name or "")
    if isinstance(procedure, nodes.Procedure) and position < len(procedure.params):
        return builtins.written_type(scope, procedure.params[position].type)
    return None

"""Statements that may stop the game, lowered to instructions that it can be resumed at."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from interpreter import limits
from interpreter.model.ruleset import Variable
from interpreter.model.types import BOOL, INT, NONE_NAMED, PLAYER, Type, named
from interpreter.program import layout, ops
from interpreter.program.lower import (
    analysis,
    builtins,
    domains,
    expressions,
    fitting,
    menus,
    sight,
    straight,
)
from interpreter.program.lower.builder import BROKEN, Body, Locals, Loop, Scope, Value
from interpreter.program.lower.menus import Offer
from interpreter.program.lower.references import PlaceRef
from interpreter.program.verify import operations
from interpreter.report.source import Mark
from interpreter.report.suggest import did_you_mean
from interpreter.tree import nodes
from interpreter.tree.marks import action_mark
from interpreter.tree.marks import part as part_of

Statements = tuple[nodes.Statement, ...]


@dataclass(frozen=True, slots=True)
class Offered:
    """An offer of a menu and what choosing it leads to: its body, then what the menu adds.

    The body of a declared action stands elsewhere (`foreign`), so jumps in it cannot mean
    the loops around the menu.
    """

    offer: Offer
    body: Statements
    foreign: bool = False
    then: Statements = ()


class RoutineCode:
    """The instructions of one routine. Labels stand among them until the code is flattened."""

    def __init__(self, scope: Scope, stopping: set[str]) -> None:
        self.scope = scope
        self.stopping = stopping
        self.items: list[Any] = []
        self.pending: list[ops.Statement] = []
        self.at = -1  # the statement being lowered, for failures without a place of their own

    def do(self, *statements: ops.Statement) -> None:
        self.pending.extend(statements)

    def flush(self) -> None:
        if self.pending:
            self.items.append(ops.Do(tuple(self.pending), self.scope.locals.count, self.at))
            self.pending = []

    def add(self, instruction: ops.Instruction) -> None:
        self.flush()
        self.items.append(instruction)

    def place(self, label: ops.Label) -> None:
        self.flush()
        self.items.append(label)

    def unless(self, condition: ops.Expr, target: ops.Label) -> None:
        self.add(ops.Unless(condition, target, self.scope.locals.count, self.at))

    # ---- statements

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
                self.do(*scope.builder.took_part(statement), *straight.let(scope, statement))
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
                base, ops.Local(step), bound, ops.LocalAt(copied, ops.Local(step))
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
            spot, position = scope.cell(domains.POSITION)
            self.do(ops.SetMemory(spot, at.op))
            inner.bind(binder.position, position)
        if statement.keys is None:
            if binder.stays is not None:
                self.unless(expressions.condition(inner, binder.stays), end)
            if binder.where is not None:
                self.unless(expressions.condition(inner, binder.where), top)
        self._enter(inner, Loop(statement.label, end, top))
        self.do(*straight.reset_scope(scope, statement.label))
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
        self.do(*straight.reset_scope(scope, statement.label))
        self.block(inner, statement.body)
        self.add(ops.Goto(top))
        self.place(end)

    def _turns(self, scope: Scope, statement: nodes.Turns) -> None:
        players = scope.builder.ruleset.players
        inner = scope.inner()
        name = statement.name or "me"
        if statement.name is not None:
            straight.check_new(scope, name, statement.mark)
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
        self.do(*straight.reset_scope(scope, statement.label or "turn"))
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

    # ---- decisions

    def _choose(
        self,
        scope: Scope,
        statement: nodes.ChooseActions | nodes.ChooseValue | nodes.ChooseBlock,
    ) -> None:
        builder = scope.builder
        me = self._chooser(scope, statement.chooser, statement.mark)
        if me is None:
            return
        menu = ops.Menu(self.phase_name(scope))
        builder.program.menus.append(menu)
        number = len(builder.program.menus) - 1
        end = ops.Label()
        bodies: list[tuple[ops.Entry, Scope, Offered]] = []
        for offered in self._offers(scope, statement):
            around = scope.inner()
            if offered.foreign:  # a declared action knows nothing of where it is offered
                around.names = {}
            entry, inner = menus.entry(around, offered.offer, me)
            menu.entries.append(entry)
            bodies.append((entry, inner, offered))
        chosen: ops.Entry | None = (
            bodies[0][0] if isinstance(statement, nodes.ChooseValue) else None
        )
        passing: ops.Entry | None = None
        if statement.chooser.may:
            offer = Offer("pass", (), None, (), statement)
            passing, _ = menus.entry(scope, offer, me)
            menu.entries.append(passing)
            menu.passes = True
            menu.asked = statement.chooser.always
        otherwise: ops.Label | None = None
        written = statement.otherwise if isinstance(statement, nodes.ChooseBlock) else None
        if written is not None:
            otherwise = ops.Label()
        spot = builder.spot(statement.mark, statement.cites)
        self.add(ops.Decide(number, me.op, otherwise, scope.locals.count, spot))
        for entry, inner, offered in bodies:
            self.place(entry.target)
            self.do(*builder.took_part(offered.offer.line))
            if offered.foreign:
                inner.loops = []
            self.block(inner, offered.body)
            if offered.then:
                following = scope.inner()
                following.bind("me", me)
                self.block(following, offered.then)
            self.add(ops.Goto(end))
        if passing is not None:
            self.place(passing.target)
            if chosen is not None:
                self.do(
                    ops.SetMemory(chosen.cells[0], ops.Const(_none_of(bodies[0][1], statement)))
                )
            self.add(ops.Goto(end))
        if otherwise is not None and written is not None:
            self.place(otherwise)
            self.block(scope, written.body)
        self.place(end)
        if isinstance(statement, nodes.ChooseValue):
            binding = bodies[0][1].names[statement.binder.name].value
            type_ = binding.type.or_none() if statement.chooser.may else binding.type
            scope.bind(statement.binder.name, Value(binding.op, type_, binding.origin))
            if statement.binder.position is not None:
                scope.names[statement.binder.position] = bodies[0][1].names[
                    statement.binder.position
                ]

    def phase_name(self, scope: Scope) -> str:
        assert scope.routine is not None
        return scope.builder.program.routines[scope.routine].name

    def _chooser(self, scope: Scope, chooser: nodes.Chooser, mark: Mark) -> Value | None:
        if chooser.seat is None:
            if "me" not in scope.names:
                message = "it is not said who chooses"
                help_ = "write `p chooses ...`, or use `turns`, where `me` has the turn"
                scope.builder.error("RR414", message, mark, help_)
                return None
            return scope.names["me"].value
        seat = expressions.player(scope, chooser.seat, "who chooses")
        if scope.sealed_for is not None:
            own = scope.names[scope.sealed_for].value.op
            if seat != own:
                message = f"inside `sealed`, only `{scope.sealed_for}` can choose"
                help_ = "let others choose before or after the sealed block"
                scope.builder.error("RR422", message, chooser.seat.mark, help_)
        if isinstance(seat, (ops.Memory, ops.Const)):
            return Value(seat, PLAYER)
        address, value = scope.cell(PLAYER)
        self.do(ops.SetMemory(address, seat))
        return value

    def _offers(
        self,
        scope: Scope,
        statement: nodes.ChooseActions | nodes.ChooseValue | nodes.ChooseBlock,
    ) -> list[Offered]:
        match statement:
            case nodes.ChooseValue():
                offer = Offer("choose", (statement.binder,), statement.text, (), statement)
                domains.check_shadow(scope, statement.binder)
                return [Offered(offer, ())]
            case nodes.ChooseActions():
                return [
                    found
                    for number, name in enumerate(statement.actions)
                    if (found := self._declared(scope, name, action_mark(statement, number)))
                    is not None
                ]
            case nodes.ChooseBlock():
                return [
                    found
                    for option in statement.options
                    if (found := self._written(scope, option)) is not None
                ]

    def _written(self, scope: Scope, option: nodes.Option) -> Offered | None:
        """An entry written in a menu; the bare name of an action offers that action, and
        what is indented under it follows when it is chosen."""
        if option.name in scope.builder.ruleset.actions:
            if option.binders or option.whens or option.text is not None:
                message = f"`{option.name}` is an action already, and this entry would hide it"
                help_ = "write its bare name to offer it, or give this entry another name"
                scope.builder.error("RR335", message, option.mark, help_)
            return self._declared(scope, option.name, option.mark, option.body)
        offer = Offer(option.name, option.binders, option.text, option.whens, option)
        return Offered(offer, option.body)

    def _declared(
        self, scope: Scope, name: str, mark: Mark, then: Statements = ()
    ) -> Offered | None:
        action = scope.builder.ruleset.actions.get(name)
        if action is None:
            help_ = did_you_mean(name, scope.builder.ruleset.actions)
            help_ = help_ or f"declare it: `action {name}`"
            scope.builder.error("RR330", f"there is no action `{name}`", mark, help_)
            return None
        scope.builder.used_names.add(name)
        offer = Offer(name, action.binders, action.text, action.whens, action)
        return Offered(offer, action.body, True, then)

    def _sealed(self, scope: Scope, statement: nodes.Sealed) -> None:
        builder = scope.builder
        if scope.sealed_for is not None:
            message = "a sealed block cannot stand in another"
            builder.error("RR423", message, statement.mark, "write one after the other")
            return
        inner = scope.inner()
        straight.check_new(scope, statement.name, statement.mark)
        address, seat = scope.cell(PLAYER)
        inner.bind(statement.name, seat)
        inner.bind("me", seat)
        inner.sealed_for = statement.name
        inner.loops = []
        builder.sealed_changes = sight.sealed_changes(scope, statement.body)
        for each in analysis.statements_in(statement.body):
            if isinstance(each, (nodes.Draw, nodes.Roll, nodes.AssignRandom, nodes.Shuffle)):
                message = "chance cannot be asked inside `sealed`: its order would matter"
                builder.error("RR424", message, each.mark, "draw or roll before or after it")
            if isinstance(each, (nodes.Wins, nodes.EndGame, nodes.Leave)):
                message = "nobody can leave or end the game here: the others are still choosing"
                builder.error("RR425", message, each.mark, "do it after the sealed block")
        body, end = ops.Label(), ops.Label()
        spot = builder.spot(statement.mark, statement.cites)
        self.add(ops.Sealed(address, body, end, spot))
        self.place(body)
        self.block(inner, statement.body)
        self.add(ops.SealedEnd())
        self.place(end)
        builder.sealed = True

    def _looking_ahead(self, scope: Scope, statement: nodes.LookingAhead) -> None:
        for each in analysis.statements_in(statement.body):
            if isinstance(each, (nodes.Draw, nodes.Roll, nodes.AssignRandom)):
                message = "nobody can look ahead past chance"
                scope.builder.error("RR426", message, each.mark, "draw or roll before it")
        end = ops.Label()
        self.add(ops.LookAhead(end))
        self.block(scope, statement.body)
        self.place(end)
        self.add(ops.LookEnd())

    # ---- chance

    def _draw(self, scope: Scope, statement: nodes.Draw) -> None:
        source = expressions.lower_place(scope, statement.source, "the source")
        if source is None:
            return
        scope.builder.used_names.add(source.place.name)
        if source.place.word == "pool":
            self._draw_pool(scope, statement, source)
            return
        kind = source.place.kind
        target = straight.target_place(scope, statement.target, kind, statement.mark)
        if target is None:
            return
        if source.place.word not in ("stack", "bag"):
            name = source.place.name
            message = (
                f"pieces are drawn from stacks and bags, and `{name}` is a {source.place.word}"
            )
            help_ = f"choose one with `p chooses c in {name}`, and `move c to ...`"
            scope.builder.error("RR331", message, statement.source.mark, help_)
            return
        spot = scope.builder.spot(statement.mark)
        left, remaining = scope.cell(INT)
        place_cell, held_source = scope.cell(INT)
        to_cell, held_target = scope.cell(INT)
        self.do(
            ops.SetMemory(left, expressions.lower_as(scope, statement.amount, INT, "the amount")),
            ops.SetMemory(place_cell, source.index),
            ops.SetMemory(to_cell, target),
        )
        # The places are fixed before the first piece moves.
        source = PlaceRef(source.place, held_source.op)
        top, end, ordered = (ops.Label() for _ in range(3))
        self.place(top)
        self.unless(ops.Binary("more", remaining.op, ops.Const(0)), end)
        self.do(ops.SetMemory(left, ops.Binary("subtract", remaining.op, ops.Const(1))))
        self.do(*self._refill(scope, source, statement.mark))
        some = ops.Binary("more", source.cell(0), ops.Const(0))
        if statement.up_to:
            self.unless(some, end)
        else:
            self.do(ops.When(some, (), (ops.Fail("RR606", spot),)))
        address, piece = scope.cell(named("kind", kind))
        move = straight.move_piece(scope, kind, piece.op, held_target.op, False, statement.mark)
        loose = ops.Binary("add", source.cell(1), source.cell(2))
        known = ops.Binary(
            "or",
            ops.Binary("more", source.cell(0), loose),
            ops.Binary("equal", source.cell(1), ops.Const(0)),
        )
        self.unless(known, ordered)
        last = ops.Binary("subtract", source.cell(0), ops.Const(1))
        self.do(ops.SetMemory(address, source.content(last)))
        take = ops.Label()
        self.add(ops.Goto(take))
        self.place(ordered)
        generator = _draw_generator(scope, source)
        self._chance(
            scope,
            generator,
            address,
            f"draw {source.place.name}",
            named("kind", kind),
            statement.mark,
        )
        self.place(take)
        self.do(move)
        self.add(ops.Goto(top))
        self.place(end)

    def _refill(self, scope: Scope, source: PlaceRef, mark: Mark) -> Body:
        """An empty stack takes back the used pile and is shuffled."""
        name = source.place.refill
        if name is None:
            return ()
        used = scope.builder.ruleset.places.get(name)
        if used is None or used.kind != source.place.kind or used.word == "pool":
            message = f"`{name}` is no place of {source.place.kind} to refill from"
            help_ = did_you_mean(name, scope.builder.ruleset.places)
            scope.builder.error("RR332", message, source.place.mark, help_)
            return ()
        index = source.index if used.size == source.place.size else ops.Const(0)
        pile = PlaceRef(used, index)
        empty = ops.Binary("equal", source.cell(0), ops.Const(0))
        number = scope.builder.kind_numbers[source.place.kind]
        refill = straight.empty_place(scope, pile, source.number, mark)
        return (ops.When(empty, (*refill, ops.ShufflePlace(number, source.number))),)

    def _draw_pool(self, scope: Scope, statement: nodes.Draw, source: PlaceRef) -> None:
        target = expressions.lower_place(scope, statement.target, "the target")
        if target is None:
            return
        if target.place.word != "pool" or target.place.kind != source.place.kind:
            message = f"`{target.place.name}` is no pool of {source.place.kind}"
            scope.builder.error("RR319", message, statement.target.mark)
            return
        left, remaining = scope.cell(INT)
        spot = scope.builder.spot(statement.mark)
        self.do(
            ops.SetMemory(left, expressions.lower_as(scope, statement.amount, INT, "the amount"))
        )
        top, end = ops.Label(), ops.Label()
        self.place(top)
        self.unless(ops.Binary("more", remaining.op, ops.Const(0)), end)
        self.do(ops.SetMemory(left, ops.Binary("subtract", remaining.op, ops.Const(1))))
        generator = _pool_generator(scope, source)
        rows = scope.locals.new()
        some, found = scope.fresh(BOOL)
        held = straight.pool_cell(source, ops.Local(rows))
        self.do(
            ops.SetLocal(some, ops.Const(0)),
            ops.CountLoop(
                rows, ops.Const(0), ops.Const(source.place.capacity),
                (ops.When(held, (ops.SetLocal(some, ops.Const(1)),)),),
            ),
        )  # fmt: skip
        flag, has_some = scope.cell(BOOL)
        self.do(ops.SetMemory(flag, found.op))
        if statement.up_to:
            self.unless(has_some.op, end)
        else:
            self.do(ops.When(has_some.op, (), (ops.Fail("RR606", spot),)))
        type_ = named("kind", source.place.kind)
        address, row = scope.cell(type_)
        words = f"draw {source.place.name}"
        self._chance(scope, generator, address, words, type_, statement.mark, pool=target)
        self.do(
            *straight.pool_transfer(scope, source, target, row.op, ops.Const(1), statement.mark)
        )
        self.add(ops.Goto(top))
        self.place(end)

    def _chance(
        self,
        scope: Scope,
        generator: int,
        address: int,
        words: str,
        type_: Type,
        mark: Mark,
        kept: tuple[Variable, ops.Expr] | None = None,
        pool: PlaceRef | None = None,
    ) -> None:
        builder = scope.builder
        builder.program.events.append(words)
        builder.program.event_types.append(type_)
        event = len(builder.program.events) - 1
        spot = builder.spot(mark)
        if pool is not None and not any(isinstance(o, ops.Local) for o in operations(pool.index)):
            place = list(builder.ruleset.places).index(pool.place.name)
            self.add(ops.Chance(generator, address, event, spot, -1, pool.index, place))
            return
        if kept is None:
            self.add(ops.Chance(generator, address, event, spot))
            return
        number = list(builder.ruleset.variables).index(kept[0].name)
        self.add(ops.Chance(generator, address, event, spot, number, kept[1]))

    def _roll(self, scope: Scope, statement: nodes.Roll) -> None:
        found = straight.variable_access(scope, statement.target)
        if found is None:
            return
        variable, index = found
        size = scope.builder.ruleset.type_size(variable.type)
        if size is None or size > limits.OPTIONS:
            message = f"`{variable.name}` is no die: it has no faces"
            help_ = f"declare it with a range or an enum: `{variable.name}: 1..6`"
            scope.builder.error("RR333", message, statement.target.mark, help_)
            return
        low = variable.type.low if variable.type.sort == "int" else 0
        generator = _range_generator(scope, low, size)
        address, value = scope.cell(variable.type.certain())
        where, held = scope.cell(INT)
        self.do(ops.SetMemory(where, index))
        words, kept = f"roll {variable.name}", (variable, held.op)
        self._chance(scope, generator, address, words, variable.type, statement.mark, kept)
        self.do(straight.store(scope, variable, held.op, value, statement.mark))

    def _assign_random(self, scope: Scope, statement: nodes.AssignRandom) -> None:
        builder = scope.builder
        number = builder.function("random", 0)
        inner = scope.inner()
        inner.locals = Locals()
        inner.straight = True
        types: list[Type] = []

        def act(each: Scope, value: Value, at: Value) -> Body:
            types.append(value.type)
            return (ops.Emit((ops.Const(1), value.op)),)

        body = domains.iterate(inner, statement.binder, act)
        function = builder.program.functions[number]
        function.body = (*body, ops.Return(ops.Const(0)))
        function.locals = inner.locals.count
        type_ = types[0] if types else INT
        address, value = scope.cell(type_)
        words = f"random {statement.binder.name}"
        if isinstance(statement.target, nodes.Name) and statement.target.name in scope.names:
            self._chance(scope, number, address, words, type_, statement.mark)
            binding = scope.names[statement.target.name]
            op = fitting.fit(scope, value, binding.value.type, statement.mark)
            if binding.settable and isinstance(binding.value.op, ops.Memory):
                self.do(ops.SetMemory(binding.value.op.address, op))
            else:
                message = f"`{statement.target.name}` cannot be given another value"
                help_ = "introduce a name of your own with `let`"
                builder.error("RR315", message, statement.target.mark, help_)
            return
        found = straight.variable_access(scope, statement.target)
        if found is not None:
            where, held = scope.cell(INT)
            self.do(ops.SetMemory(where, found[1]))
            kept = (found[0], held.op)
            self._chance(scope, number, address, words, type_, statement.mark, kept)
            self.do(straight.store(scope, found[0], held.op, value, statement.mark))

    def _wins(self, scope: Scope, statement: nodes.Wins) -> None:
        mask: ops.Expr = ops.Const(0)
        if statement.who is not None:
            who = expressions.player(scope, statement.who, "who wins")
            mask = ops.Binary("shift", ops.Const(1), who)
        self.do(ops.SetMemory(layout.WINNERS, mask))
        self.add(ops.Over(True))


def _none_of(scope: Scope, statement: Any) -> int:
    return scope.names[statement.binder.name].value.type.none


# ---- generators of chance


def _emitting(scope: Scope, build: Any) -> int:
    builder = scope.builder
    number = builder.function("chance", 0)
    inner = scope.inner()
    inner.locals = Locals()
    inner.straight = True
    body = build(inner)
    function = builder.program.functions[number]
    function.body = (*body, ops.Return(ops.Const(0)))
    function.locals = inner.locals.count
    return number


def _range_generator(scope: Scope, low: int, size: int) -> int:
    def build(inner: Scope) -> Body:
        index = inner.locals.new()
        value = ops.Binary("add", ops.Local(index), ops.Const(low))
        emit = ops.Emit((ops.Const(1), value))
        return (ops.CountLoop(index, ops.Const(0), ops.Const(size), (emit,)),)

    return _emitting(scope, build)


def _draw_generator(scope: Scope, source: PlaceRef) -> int:
    """Each row once, weighted by its copies in the unordered part; the first copy stands for
    all, since copies in an unordered part cannot be told apart."""
    kind = scope.builder.ruleset.kinds[source.place.kind]
    rows = scope.builder.table(kind.components)

    def build(inner: Scope) -> Body:
        index, other, weight, seen = (inner.locals.new() for _ in range(4))
        mine = ops.Lookup(rows, source.content(ops.Local(index)))
        end = ops.Binary("add", source.cell(1), source.cell(2))
        if all(row.copies <= 1 for row in kind.rows):
            emit = ops.Emit((ops.Const(1), source.content(ops.Local(index))))
            return (ops.CountLoop(index, source.cell(2), end, (emit,)),)
        theirs = ops.Lookup(rows, source.content(ops.Local(other)))
        same = ops.Binary("equal", mine, theirs)
        earlier = ops.Binary("less", ops.Local(other), ops.Local(index))
        counted = (
            ops.When(
                same,
                (
                    ops.When(earlier, (ops.SetLocal(seen, ops.Const(1)), ops.Break())),
                    ops.SetLocal(weight, ops.Binary("add", ops.Local(weight), ops.Const(1))),
                ),
            ),
        )
        emit = ops.Emit((ops.Local(weight), source.content(ops.Local(index))))
        body: Body = (
            ops.SetLocal(weight, ops.Const(0)),
            ops.SetLocal(seen, ops.Const(0)),
            ops.CountLoop(other, source.cell(2), end, counted),
            ops.When(ops.Local(seen), (), (emit,)),
        )
        return (ops.CountLoop(index, source.cell(2), end, body),)

    return _emitting(scope, build)


def _pool_generator(scope: Scope, source: PlaceRef) -> int:
    def build(inner: Scope) -> Body:
        row = inner.locals.new()
        held = straight.pool_cell(source, ops.Local(row))
        emit = ops.When(held, (ops.Emit((held, ops.Local(row))),))
        return (ops.CountLoop(row, ops.Const(0), ops.Const(source.place.capacity), (emit,)),)

    return _emitting(scope, build)


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
    code.do(*builder.took_part(procedure), *straight.reset_scope(scope, name))
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
            value = straight.single(
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

"""Statements that ask somebody: menus, sealed blocks, looking ahead."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from interpreter.model.types import PLAYER
from interpreter.program import ops
from interpreter.program.lower import (
    analysis,
    assigning,
    domains,
    expressions,
    menus,
    sight,
)
from interpreter.program.lower.builder import Scope, Value
from interpreter.program.lower.instructions import Instructions
from interpreter.program.lower.menus import Offer
from interpreter.report.source import Mark
from interpreter.report.suggest import did_you_mean
from interpreter.tree import nodes
from interpreter.tree.marks import action_mark

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


class ChoiceCode(Instructions):
    """Lowers the statements that wait for a decision."""

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
                around.sealed_for = scope.sealed_for and "me"
            entry, inner = menus.entry(around, offered.offer, me)
            menu.entries.append(entry)
            bodies.append((entry, inner, offered))
        chosen: ops.Entry | None = (
            bodies[0][0] if isinstance(statement, nodes.ChooseValue) else None
        )
        passing: ops.Entry | None = None
        menu.asked = statement.chooser.always
        if statement.chooser.may:
            offer = Offer("pass", (), None, (), statement)
            passing, _ = menus.entry(scope, offer, me)
            menu.entries.append(passing)
            menu.passes = True
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
        assigning.check_new(scope, statement.name, statement.mark)
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


def _none_of(scope: Scope, statement: Any) -> int:
    return scope.names[statement.binder.name].value.type.none

"""Statements that ask somebody: menus, sealed blocks, looking ahead."""

from __future__ import annotations

from dataclasses import dataclass
from typing import assert_never

from interpreter.model.types import INT, PLAYER
from interpreter.program import ops
from interpreter.program.lower import menus
from interpreter.program.lower.endings import mask_of
from interpreter.program.lower.instructions import Instructions
from interpreter.program.lower.scope import Scope
from interpreter.typed import statements as typed
from interpreter.typed.values import AllPlayers, Binder, Local, Value


@dataclass(frozen=True, slots=True)
class _Offered:
    """An entry of a menu and what choosing it leads to: its body, then what the menu adds."""

    entry: ops.Entry
    scope: Scope  # of the body
    line: typed.Offer
    then: typed.Body


class ChoiceCode(Instructions):
    """Lowers the statements that wait for a decision."""

    def choose(self, scope: Scope, statement: typed.Choose) -> None:
        builder = scope.builder
        me = self._chooser(scope, statement)
        menu = ops.Menu(self._name(scope), passes=statement.may, asked=statement.always)
        builder.program.menus.append(menu)
        number = len(builder.program.menus) - 1
        offered = [self._offered(scope, offer, me) for offer in statement.offers]
        menu.entries = [each.entry for each in offered]
        passing: ops.Entry | None = None
        if statement.may:
            passing = self._pass(scope, statement, me)
            menu.entries.append(passing)
        otherwise = None if statement.otherwise is None else ops.Label()
        spot = builder.spot(statement.mark, statement.cites)
        self.add(ops.Decide(number, me, otherwise, scope.registers.count, spot))
        end = ops.Label()
        for each in offered:
            self.place(each.entry.target)
            self.do(*builder.took_part(each.line))
            self.block(each.scope, each.line.body)
            if each.then:
                following = scope.inner()
                following.bind(statement.me, me)
                self.block(following, each.then)
            self.add(ops.Goto(end))
        if passing is not None:
            self.place(passing.target)
            if statement.kept is not None:
                nothing = ops.Const(statement.kept.type.none)
                self.do(ops.SetMemory(offered[0].entry.cells[0], nothing))
            self.add(ops.Goto(end))
        if statement.otherwise is not None and otherwise is not None:
            self.place(otherwise)
            self.block(scope, statement.otherwise)
        self.place(end)
        if statement.kept is not None:
            self._keep(scope, offered[0], statement.kept)

    def _keep(self, scope: Scope, offered: _Offered, kept: Local) -> None:
        """What was chosen, and where it stood, have names in the lines below."""
        (binder,) = offered.line.binders
        scope.bind(kept, offered.scope.bound[binder.element])
        if binder.position is not None:
            scope.bind(binder.position, offered.scope.bound[binder.position])

    def _name(self, scope: Scope) -> str:
        assert scope.routine is not None
        return scope.builder.program.routines[scope.routine].name

    def _chooser(self, scope: Scope, statement: typed.Choose) -> ops.Expr:
        """Who is asked must not change until he has chosen."""
        seat = scope.value(statement.seat)
        if isinstance(seat, (ops.Memory, ops.Const)):
            return seat
        cell = scope.cell(PLAYER)
        self.do(ops.SetMemory(cell.address, seat))
        return cell

    def _offered(self, scope: Scope, offer: typed.Offer | typed.Declared, me: ops.Expr) -> _Offered:
        match offer:
            case typed.Offer():
                entry, inner = menus.entry(scope, offer, me)
                return _Offered(entry, inner, offer, ())
            case typed.Declared():
                action = scope.builder.rules.actions[offer.action]
                entry, inner = menus.entry(scope, action, me)
                inner.loops = ()  # a declared action knows nothing of where it is offered
                return _Offered(entry, inner, action, offer.then)
            case _:
                assert_never(offer)

    def _pass(self, scope: Scope, statement: typed.Choose, me: ops.Expr) -> ops.Entry:
        """The entry that `may choose` adds."""
        offer = typed.Offer(
            "pass", statement.me, (), (), None, (), (), mark=statement.mark, cites=statement.cites
        )
        return menus.entry(scope, offer, me)[0]

    def sealed(self, scope: Scope, statement: typed.Sealed) -> None:
        inner = scope.inner()
        seat = scope.cell(PLAYER)
        inner.bind(statement.seat, seat)
        inner.hearer = seat
        inner.loops = ()
        body, end = ops.Label(), ops.Label()
        spot = scope.builder.spot(statement.mark, statement.cites)
        asked = None if statement.where is None else self._asked(scope, statement, statement.where)
        self.add(ops.Sealed(seat.address, body, end, spot, asked))
        self.place(body)
        nothing = ops.Label()
        if asked is not None:
            bit = ops.Binary("shift", ops.Const(1), seat)
            self.unless(ops.Binary("bitAnd", asked, bit), nothing)
        self.block(inner, statement.body)
        self.place(nothing)
        self.add(ops.SealedEnd())
        self.place(end)
        scope.builder.sealed = True

    def _asked(self, scope: Scope, statement: typed.Sealed, where: Value) -> ops.Memory:
        """A cell with the bit mask of those who are asked, settled before the block begins."""
        mask, mark = scope.cell(INT), statement.mark
        everyone = AllPlayers(type=PLAYER, bound=scope.builder.ruleset.players, mark=mark)
        binder = Binder(statement.seat, None, everyone, None, None, where, mark)
        self.do(ops.SetMemory(mask.address, mask_of(scope.inner(), binder)))
        return mask

    def looking_ahead(self, scope: Scope, statement: typed.LookingAhead) -> None:
        end = ops.Label()
        self.add(ops.LookAhead(end))
        self.block(scope, statement.body)
        self.place(end)
        self.add(ops.LookEnd())
